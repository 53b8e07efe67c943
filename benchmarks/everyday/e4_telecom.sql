# phoned: a database
CREATE DATABASE IF NOT EXISTS tel
# phoned: calls
CREATE TABLE tel.calls (call_id BIGINT, sub_id BIGINT, cell STRING, seconds DOUBLE, charge DOUBLE, dialled STRING, memo STRING, began TIMESTAMP, hops ARRAY<STRUCT<node: STRING, ms: INT>>, dev STRUCT<imei: STRING, os: STRING>, attrs MAP<STRING, STRING>, ym STRING, d INT) USING parquet PARTITIONED BY (ym, d)
# phoned: subscribers
CREATE TABLE tel.subs (sub_id BIGINT, msisdn STRING, plan STRING, holder STRING, joined DATE, credit DOUBLE, status STRING) USING orc
# phoned: cells
CREATE TABLE tel.cells (cell STRING, site STRING, region STRING, lat DOUBLE, lon DOUBLE, vendor STRING) USING json
# phoned: plans
CREATE TABLE tel.plans (plan STRING, fee DOUBLE, minutes INT, label STRING) USING csv
# phoned: rows of calls
INSERT INTO tel.calls VALUES (1, 10, 'c1', 60.0, 0.5, '+44', 'a (b', NULL, array(named_struct('node', 'n1', 'ms', 3)), named_struct('imei', 'i1', 'os', 'x'), map('k', 'v'), '2023-01', 1), (2, 11, 'c2', 90.0, 0.7, '+49', 'c] d', NULL, array(named_struct('node', 'n2', 'ms', 4)), named_struct('imei', 'i2', 'os', 'y'), map('k', 'w'), '2023-02', 2)
# phoned: rows of subscribers
INSERT INTO tel.subs VALUES (10, '+441', 'basic', 'ann', NULL, 5.0, 'on'), (11, '+442', 'gold', 'bob', NULL, 9.0, 'off')
# phoned: rows of cells
INSERT INTO tel.cells VALUES ('c1', 's1', 'north', 1.0, 2.0, 'v1'), ('c2', 's2', 'south', 3.0, 4.0, 'v2')
# phoned: rows of plans
INSERT INTO tel.plans VALUES ('basic', 10.0, 100, 'b'), ('gold', 30.0, 900, 'g')
# phoned: a table of seventy counters [code]
spark.range(4).selectExpr("concat('c', id) AS cell", 'id AS hour', *[f'id * {n} AS kpi_{n}' for n in range(1, 71)], "concat('s (', id) AS state").write.mode('overwrite').saveAsTable('tel.counters')
# phoned: a table of long counters by day [code]
spark.range(4).selectExpr('id AS cell_id', *[f'cast(id * {n} AS DOUBLE) AS dropped_call_ratio_of_sector_{n}' for n in range(1, 36)], 'id % 2 AS day').write.partitionBy('day').mode('overwrite').saveAsTable('tel.sectors')
# phoned: files [code]
for folder in ('eu', 'us', 'asia'):
    d = spark.range(3).selectExpr('id', 'id * 2 AS bytes', "concat('app', id) AS app", 'id % 2 AS roaming')
    d.write.mode('overwrite').parquet(root + '/tel/pq/' + folder)
    d.write.mode('overwrite').orc(root + '/tel/orc/' + folder)
    d.write.mode('overwrite').json(root + '/tel/json/' + folder)
    d.write.mode('overwrite').option('header', True).csv(root + '/tel/csv/' + folder)
spark.range(6).selectExpr('id', 'id * 2 AS bytes', "concat('app', id) AS app", "concat('2023-0', 1 + id % 3) AS month", 'id % 2 AS day').write.partitionBy('month', 'day').mode('overwrite').parquet(root + '/tel/usage')
spark.range(3).selectExpr('id', *[f'id * {n} AS signal_strength_{n}' for n in range(1, 56)]).write.mode('overwrite').parquet(root + '/tel/signals')
spark.range(3).selectExpr('id', *[f'id * {n} AS f{n}' for n in range(1, 41)]).write.mode('overwrite').option('header', True).csv(root + '/tel/flat')
# phoned: cached and summed per plan [code]
d = spark.table('tel.calls').where("memo <> 'x (' and seconds > 10").select('sub_id', 'seconds', 'charge').cache()
d.count()
d.join(spark.table('tel.subs'), 'sub_id').groupBy('plan').agg(F.sum('charge').alias('revenue'), F.avg('seconds').alias('mean')).write.mode('overwrite').saveAsTable('tel.plan_revenue')
-> plan: subs.plan
-> revenue: calls.charge
-> mean: calls.seconds
-> rows: FILTER calls.memo, .seconds; JOIN calls.sub_id, subs.sub_id; GROUP_BY subs.plan; MAY calls.sub_id, subs.sub_id
-> to: plan_revenue
# phoned: a cache with a pattern of brackets [code]
d = spark.table('tel.calls').selectExpr('call_id', "regexp_replace(memo, '[\\\\[\\\\(].*', '') AS head", "concat(dialled, ' [', cell, ')') AS route").where("head <> '(' or route like '%[%'").cache()
d.write.mode('overwrite').parquet(root + '/out/routes')
-> call_id: calls.call_id
-> head: calls.memo
-> route: calls.dialled, .cell
-> rows: FILTER calls.memo, .dialled, .cell
-> to: routes
# phoned: a cache in three queries of a union [code]
d = spark.table('tel.calls').where("cell is not null").select('cell', 'seconds', 'charge').cache()
d.groupBy('cell').agg(F.sum('seconds').alias('n')).union(d.groupBy('cell').agg(F.max('charge'))).union(d.selectExpr('cell', 'charge * 60')).write.mode('overwrite').saveAsTable('tel.three_ways')
-> cell: calls.cell
-> n: calls.seconds, .charge
-> rows: GROUP_BY calls.cell; MAY calls.cell
-> to: three_ways
# phoned: a cached join with a broadcast [code]
d = spark.table('tel.calls').join(F.broadcast(spark.table('tel.cells').where("vendor <> 'old [x]'")), 'cell').select('call_id', 'region', 'seconds').cache()
frame = d.groupBy('region').agg(F.sum('seconds').alias('s'), F.countDistinct('call_id').alias('n')).where('s > 5')
-> region: cells.region
-> s: calls.seconds
-> n: calls.call_id
-> rows: FILTER cells.vendor, calls.seconds; JOIN calls.cell, cells.cell; GROUP_BY cells.region; MAY calls.cell, cells.cell
# phoned: a cache of a window, filtered [code]
d = spark.table('tel.calls').selectExpr('sub_id', 'call_id', 'charge', 'row_number() OVER (PARTITION BY sub_id ORDER BY began DESC) AS nth').cache()
d.where('nth = 1').drop('nth').write.mode('overwrite').saveAsTable('tel.last_calls')
-> sub_id: calls.sub_id
-> call_id: calls.call_id
-> charge: calls.charge
-> rows: FILTER calls.sub_id, .began; MAY calls.sub_id, .began
-> to: last_calls
# phoned: cached counters, filtered [code]
spark.table('tel.counters').where("state <> '(' and kpi_3 > 0 and kpi_69 > 0").cache().write.mode('overwrite').saveAsTable('tel.counters_kept')
-> = counters: cell, hour, kpi_{1..70}, state
-> rows: FILTER counters.state, .kpi_3, .kpi_69
-> to: counters_kept
# phoned: cached counters, some of the last ones [code]
d = spark.table('tel.counters').cache()
d.selectExpr('cell', 'kpi_70 / (kpi_68 + 1) AS ratio', 'kpi_2', "if(state like '%(%', kpi_50, 0) AS k").where('kpi_67 >= 0').write.mode('overwrite').parquet(root + '/out/ratios')
-> cell: counters.cell
-> ratio: counters.kpi_70, .kpi_68
-> kpi_2: counters.kpi_2
-> k: counters.kpi_50; IF counters.state
-> rows: FILTER counters.kpi_67
-> to: ratios
# phoned: cached counters with sums [code]
d = spark.table('tel.counters').withColumn('total', F.expr(' + '.join(f'kpi_{n}' for n in range(1, 41)))).cache()
d.select('cell', 'hour', 'total').write.mode('overwrite').saveAsTable('tel.totals')
-> cell: counters.cell
-> hour: counters.hour
-> total: counters.kpi_{1..40}
-> to: totals
# phoned: cached sectors, one day [code]
d = spark.table('tel.sectors').where('day = 1 and dropped_call_ratio_of_sector_2 >= 0').cache()
frame = d.select('cell_id', 'dropped_call_ratio_of_sector_35', 'day')
-> cell_id: sectors.cell_id
-> dropped_call_ratio_of_sector_35: sectors.dropped_call_ratio_of_sector_35
-> day: sectors.day
-> rows: FILTER sectors.day, .dropped_call_ratio_of_sector_2
# phoned: cached signals of files [code]
d = spark.read.parquet(root + '/tel/signals').where('signal_strength_1 >= 0 and signal_strength_2 >= 0').persist()
d.groupBy('signal_strength_3').agg(F.max('signal_strength_54').alias('top'), F.min('signal_strength_55').alias('low')).write.mode('overwrite').saveAsTable('tel.signal_tops')
-> signal_strength_3: signals.signal_strength_3
-> top: signals.signal_strength_54
-> low: signals.signal_strength_55
-> rows: FILTER signals.signal_strength_1, .signal_strength_2; GROUP_BY signals.signal_strength_3
-> to: signal_tops
# phoned: CACHE TABLE of a join [code]
spark.sql("CACHE TABLE rich AS SELECT s.sub_id, s.holder, p.fee, p.minutes FROM tel.subs s JOIN tel.plans p ON s.plan = p.plan WHERE p.fee > 5 AND s.status NOT IN ('(', 'off [')")
spark.sql('CREATE TABLE tel.rich_list USING orc AS SELECT holder, fee / minutes AS rate FROM rich WHERE minutes < 1000')
-> holder: subs.holder
-> rate: plans.fee, .minutes
-> rows: FILTER plans.fee, .minutes, subs.status; JOIN subs.plan, plans.plan; MAY subs.plan, plans.plan
-> to: rich_list
# phoned: a cached table joined with calls
SELECT r.holder, sum(c.charge) + max(r.fee) AS bill FROM rich r LEFT JOIN tel.calls c ON r.sub_id = c.sub_id AND c.ym = '2023-01' GROUP BY r.holder
-> holder: subs.holder
-> bill: calls.charge, plans.fee
-> rows: FILTER plans.fee, subs.status; JOIN subs.plan, plans.plan, subs.sub_id, calls.sub_id; GROUP_BY subs.holder; MAY calls.ym, calls.sub_id, subs.plan, plans.plan
# phoned: a cached view over sectors [code]
spark.sql('CREATE OR REPLACE TEMPORARY VIEW v_sectors AS SELECT * FROM tel.sectors WHERE day = 0')
spark.sql('CACHE TABLE v_sectors')
spark.sql('CREATE TABLE tel.sector_copy USING parquet AS SELECT * FROM v_sectors')
-> = sectors: cell_id, dropped_call_ratio_of_sector_{1..35}, day
-> rows: FILTER sectors.day
-> to: sector_copy
# phoned: a cached distinct, anti-joined [code]
seen = spark.table('tel.calls').select('sub_id').where("dialled <> '+1 (800)'").distinct().cache()
spark.table('tel.subs').join(seen, 'sub_id', 'left_anti').select('msisdn', 'holder').write.mode('overwrite').parquet(root + '/out/silent_subs')
-> msisdn: subs.msisdn
-> holder: subs.holder
-> rows: JOIN subs.sub_id, calls.sub_id; FILTER calls.dialled; GROUP_BY calls.sub_id; MAY calls.sub_id
-> to: silent_subs
# phoned: a cached explode [code]
d = spark.table('tel.calls').select('call_id', F.explode('hops').alias('h')).where("h.node <> '('").cache()
d.groupBy('h.node').agg(F.avg('h.ms').alias('ms')).write.mode('overwrite').saveAsTable('tel.nodes')
-> node: calls.hops.node
-> ms: calls.hops.ms
-> rows: FILTER calls.hops.node; GROUP_BY calls.hops.node; MAY calls.hops
-> to: nodes
# phoned: a cached rollup [code]
d = spark.table('tel.calls').rollup('ym', 'cell').agg(F.sum('charge').alias('charge')).cache()
frame = d.where("ym <> '[' and cell is not null").select('ym', 'cell', 'charge')
-> ym: calls.ym
-> cell: calls.cell
-> charge: calls.charge
-> rows: FILTER calls.ym, .cell; GROUP_BY calls.ym, .cell
# phoned: a cache written twice, the second time [code]
d = spark.table('tel.subs').where("holder like 'a%' or holder = '(none)'").cache()
d.select('sub_id').write.mode('overwrite').parquet(root + '/out/first_time')
-> sub_id: subs.sub_id
-> rows: FILTER subs.holder
-> to: first_time
# phoned: a temporary view of calls
CREATE OR REPLACE TEMPORARY VIEW long_calls AS SELECT call_id, sub_id, seconds / 60 AS mins, cell, charge FROM tel.calls WHERE seconds > 30 AND memo NOT LIKE '%)%('
# phoned: a temporary view of that view
CREATE OR REPLACE TEMPORARY VIEW long_by_cell (where_, total, n) AS SELECT cell, sum(mins), count(DISTINCT sub_id) FROM long_calls GROUP BY cell
# phoned: a table of a view of a view
CREATE TABLE tel.cell_minutes USING parquet AS SELECT c.region, v.total, v.n FROM long_by_cell v JOIN tel.cells c ON v.where_ = c.cell WHERE v.total > 1
-> region: cells.region
-> total: calls.seconds
-> n: calls.sub_id
-> rows: FILTER calls.seconds, .memo; GROUP_BY calls.cell; JOIN calls.cell, cells.cell; MAY calls.cell, cells.cell
-> to: cell_minutes
# phoned: a view in two places
SELECT a.call_id, b.call_id AS other FROM long_calls a JOIN long_calls b ON a.cell = b.cell AND a.mins > b.mins WHERE a.charge > 0.1
-> call_id: calls.call_id
-> other: calls.call_id
-> rows: FILTER calls.seconds, .memo, .charge; JOIN calls.cell, .seconds; MAY calls.cell
# phoned: a folder of a view of a view [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_cells' USING parquet SELECT where_ AS cell, total * 60 AS secs FROM long_by_cell WHERE where_ <> '[c'" % root)
-> cell: calls.cell
-> secs: calls.seconds
-> rows: FILTER calls.seconds, .memo, .cell; GROUP_BY calls.cell
-> to: dir_cells
# phoned: a stored view
CREATE VIEW tel.v_bills AS SELECT s.holder, c.ym, sum(c.charge) AS bill, max(c.seconds) AS longest FROM tel.calls c JOIN tel.subs s ON c.sub_id = s.sub_id WHERE c.memo <> 'free (test)' GROUP BY s.holder, c.ym
# phoned: a stored view of it with other names
CREATE VIEW tel.v_debts (who, month, owed) AS SELECT holder, ym, bill * 1.2 AS o FROM tel.v_bills WHERE bill > 0
# phoned: a table of a stored view of a stored view
CREATE TABLE tel.debts USING parquet AS SELECT who, sum(owed) AS owed FROM tel.v_debts WHERE month >= '2023' GROUP BY who
-> who: subs.holder
-> owed: calls.charge
-> rows: FILTER calls.memo, .charge, .ym; JOIN calls.sub_id, subs.sub_id; GROUP_BY subs.holder, calls.ym; MAY calls.sub_id, subs.sub_id
-> to: debts
# phoned: an insert from a stored view
INSERT INTO tel.debts SELECT concat(holder, ' (', ym, ')'), bill - longest FROM tel.v_bills WHERE longest < 5000
-> who: subs.holder, calls.ym
-> owed: calls.charge, .seconds
-> rows: FILTER calls.memo, .seconds; JOIN calls.sub_id, subs.sub_id; GROUP_BY subs.holder, calls.ym; MAY calls.sub_id, subs.sub_id
-> to: debts
# phoned: a stored view of all counters
CREATE VIEW tel.v_counters AS SELECT * FROM tel.counters WHERE hour >= 0
# phoned: counters of a stored view, whole
CREATE TABLE tel.counters_of_view USING parquet AS SELECT * FROM tel.v_counters
-> = counters: cell, hour, kpi_{1..70}, state
-> rows: FILTER counters.hour
-> to: counters_of_view
# phoned: counters of a stored view, few
SELECT cell, kpi_70 - kpi_1 AS d, kpi_45 FROM tel.v_counters WHERE kpi_33 < 100
-> cell: counters.cell
-> d: counters.kpi_70, .kpi_1
-> kpi_45: counters.kpi_45
-> rows: FILTER counters.hour, .kpi_33
# phoned: counters of a stored view, grouped
INSERT OVERWRITE DIRECTORY '/tmp/phoned_counters' USING parquet SELECT cell, max(kpi_66) AS top, sum(kpi_5) AS five FROM tel.v_counters GROUP BY cell
-> cell: counters.cell
-> top: counters.kpi_66
-> five: counters.kpi_5
-> rows: FILTER counters.hour; GROUP_BY counters.cell
-> to: phoned_counters
# phoned: a view over files of signals [code]
spark.read.parquet(root + '/tel/signals').createOrReplaceTempView('signals_view')
spark.sql('CREATE TABLE tel.good_signals USING orc AS SELECT id, signal_strength_55 + signal_strength_1 AS edge, signal_strength_30 FROM signals_view WHERE signal_strength_54 > 0')
-> id: signals.id
-> edge: signals.signal_strength_55, .signal_strength_1
-> signal_strength_30: signals.signal_strength_30
-> rows: FILTER signals.signal_strength_54
-> to: good_signals
# phoned: a table over a folder of files [code]
spark.sql("CREATE TABLE tel.usage_raw (id BIGINT, bytes BIGINT, app STRING, month STRING, day INT) USING parquet PARTITIONED BY (month, day) LOCATION '%s/tel/usage'" % root)
spark.sql('MSCK REPAIR TABLE tel.usage_raw')
spark.sql("CREATE TABLE tel.usage_days USING parquet AS SELECT month, day, sum(bytes) AS bytes FROM tel.usage_raw WHERE app <> 'app(' GROUP BY month, day")
-> month: usage_raw.month, ?usage.month
-> day: usage_raw.day
-> bytes: usage_raw.bytes
-> rows: FILTER usage_raw.app; GROUP_BY usage_raw.month, .day
-> to: usage_days
# phoned: counters copied
CREATE TABLE tel.counters_copy USING parquet AS SELECT * FROM tel.counters WHERE kpi_40 >= 0
-> = counters: cell, hour, kpi_{1..70}, state
-> rows: FILTER counters.kpi_40
-> to: counters_copy
# phoned: counters overwritten
INSERT OVERWRITE TABLE tel.counters_copy SELECT * FROM tel.counters WHERE state <> '[('
-> = counters: cell, hour, kpi_{1..70}, state
-> rows: FILTER counters.state
-> to: counters_copy
# phoned: counters of two tables in a union [code]
spark.table('tel.counters').union(spark.table('tel.counters_kept')).where('kpi_7 > 0').write.mode('overwrite').saveAsTable('tel.counters_both')
-> cell: counters.cell, counters_kept.cell
-> hour: counters.hour, counters_kept.hour
-> kpi_{1..70}: counters.kpi_{}, counters_kept.kpi_{}
-> state: counters.state, counters_kept.state
-> rows: FILTER counters.kpi_7, counters_kept.kpi_7
-> to: counters_both
# phoned: counters joined with cells
CREATE TABLE tel.counters_cells USING parquet AS SELECT c.region, k.* FROM tel.counters k JOIN tel.cells c ON k.cell = c.cell WHERE c.site <> '('
-> region: cells.region
-> = counters: cell, hour, kpi_{1..70}, state
-> rows: FILTER cells.site; JOIN counters.cell, cells.cell; MAY counters.cell, cells.cell
-> to: counters_cells
# phoned: averages of all counters [code]
spark.table('tel.counters').groupBy('cell').agg(*[F.avg(f'kpi_{n}').alias(f'a{n}') for n in range(1, 71)]).write.mode('overwrite').saveAsTable('tel.averages')
-> cell: counters.cell
-> a{1..70}: counters.kpi_{}
-> rows: GROUP_BY counters.cell
-> to: averages
# phoned: all counters rounded [code]
spark.table('tel.sectors').selectExpr('cell_id', *[f'round(dropped_call_ratio_of_sector_{n}, 2) AS r{n}' for n in range(1, 36)], 'day').write.mode('overwrite').partitionBy('day').saveAsTable('tel.rounded')
-> cell_id: sectors.cell_id
-> r{1..35}: sectors.dropped_call_ratio_of_sector_{}
-> day: sectors.day
-> to: rounded
# phoned: sectors into their own partitions [code]
spark.sql('CREATE TABLE tel.sectors_by_day USING parquet PARTITIONED BY (day) AS SELECT * FROM tel.sectors')
spark.table('tel.sectors').where('dropped_call_ratio_of_sector_30 < 5').write.insertInto('tel.sectors_by_day', overwrite=True)
-> = sectors: cell_id, dropped_call_ratio_of_sector_{1..35}, day
-> rows: FILTER sectors.dropped_call_ratio_of_sector_30
-> to: sectors_by_day
# phoned: signals without some columns [code]
spark.read.parquet(root + '/tel/signals').drop('signal_strength_1', 'signal_strength_20').write.mode('overwrite').parquet(root + '/out/fewer_signals')
-> id: signals.id
-> signal_strength_{2..19}: signals.signal_strength_{}
-> signal_strength_{21..55}: signals.signal_strength_{}
-> to: fewer_signals
# phoned: signals unpivoted [code]
frame = spark.read.parquet(root + '/tel/signals').selectExpr('id', "stack(3, 'a(', signal_strength_1, 'b', signal_strength_40, 'c)', signal_strength_55) AS (name, value)").where('value > 0')
-> id: signals.id
-> name: -
-> value: signals.signal_strength_1, .signal_strength_40, .signal_strength_55
-> rows: MAY signals.signal_strength_1, .signal_strength_40, .signal_strength_55
# phoned: a flat file of forty fields [code]
spark.read.option('header', True).csv(root + '/tel/flat').where("f38 <> '['").selectExpr('id', 'cast(f39 AS INT) AS a', 'f40', 'f1').write.mode('overwrite').saveAsTable('tel.from_flat')
-> id: flat.id
-> a: flat.f39
-> f40: flat.f40
-> f1: flat.f1
-> rows: FILTER flat.f38
-> to: from_flat
# phoned: a wide join of two wide tables [code]
a, b = spark.table('tel.counters').alias('a'), spark.table('tel.counters_kept').alias('b')
a.join(b, F.expr('a.cell = b.cell and a.hour = b.hour')).selectExpr('a.cell', *[f'a.kpi_{n} - b.kpi_{n} AS d{n}' for n in range(1, 31)]).write.mode('overwrite').saveAsTable('tel.deltas')
-> cell: counters.cell
-> d{1..30}: counters.kpi_{}, counters_kept.kpi_{}
-> rows: JOIN counters.cell, .hour, counters_kept.cell, .hour; MAY counters.cell, .hour, counters_kept.cell, .hour
-> to: deltas
# phoned: counters in order
SELECT cell, hour, kpi_70 FROM tel.counters ORDER BY kpi_69 DESC, hour LIMIT 10
-> cell: counters.cell
-> hour: counters.hour
-> kpi_70: counters.kpi_70
-> rows: SORT counters.kpi_69, .hour
# phoned: deduplicated counters [code]
spark.table('tel.counters').dropDuplicates(['cell', 'hour']).select('cell', 'hour', 'kpi_70', 'state').write.mode('overwrite').parquet(root + '/out/dedup')
-> cell: counters.cell
-> hour: counters.hour
-> kpi_70: counters.kpi_70
-> state: counters.state
-> rows: GROUP_BY counters.cell, .hour
-> to: dedup
# phoned: counters with a flag of each [code]
spark.table('tel.counters').selectExpr('cell', *[f'CASE WHEN kpi_{n} > {n} THEN 1 ELSE 0 END AS high_{n}' for n in range(1, 31)]).write.mode('overwrite').saveAsTable('tel.flags')
-> cell: counters.cell
-> high_{1..30}: -; IF counters.kpi_{}
-> to: flags
# phoned: a long filter
SELECT call_id FROM tel.calls WHERE sub_id > 0 AND cell <> '(' AND cell <> '[' AND seconds > 1 AND seconds < 9999 AND charge >= 0 AND charge < 99 AND dialled <> '' AND dialled NOT LIKE '+1 (%' AND memo <> 'x' AND memo <> '], [' AND began IS NULL AND dev.os <> 'z (1)' AND ym >= '2023-01' AND d BETWEEN 1 AND 28
-> call_id: calls.call_id
-> rows: FILTER calls.sub_id, .cell, .seconds, .charge, .dialled, .memo, .began, .dev.os, .ym, .d; MAY calls.dev
# phoned: a long filter of files, written [code]
spark.read.parquet(root + '/tel/signals').where(' and '.join(f'signal_strength_{n} < 1000{n}' for n in range(1, 31))).select('id', 'signal_strength_50').write.mode('overwrite').orc(root + '/out/weak')
-> id: signals.id
-> signal_strength_50: signals.signal_strength_50
-> rows: FILTER signals.signal_strength_{1..30}
-> to: weak
# phoned: a long list of numbers dialled [code]
spark.table('tel.calls').where('dialled in (' + ', '.join(f"'+{n} (0)'" for n in range(1, 51)) + ") or cell in ('c1', '[c', ', ')").select('call_id', 'dialled').write.mode('overwrite').saveAsTable('tel.watched')
-> call_id: calls.call_id
-> dialled: calls.dialled
-> rows: FILTER calls.dialled, .cell
-> to: watched
# phoned: twenty-eight keys [code]
spark.table('tel.counters').groupBy('cell', *[f'kpi_{n}' for n in range(1, 28)]).agg(F.count('state').alias('n'), F.max('kpi_70').alias('top')).where('n > 0').write.mode('overwrite').saveAsTable('tel.by_many')
-> cell: counters.cell
-> kpi_{1..27}: counters.kpi_{}
-> n: counters.state
-> top: counters.kpi_70
-> rows: GROUP_BY counters.cell, .kpi_{1..27}; FILTER counters.state
-> to: by_many
# phoned: brackets in a case
CREATE TABLE tel.labelled USING parquet AS SELECT call_id, CASE WHEN memo LIKE 'a (%' THEN concat('[', cell, ']') WHEN dialled = '(' THEN ')' ELSE dialled END AS label, coalesce(memo, '[none') AS m FROM tel.calls WHERE memo <> '), (' OR cell = '['
-> call_id: calls.call_id
-> label: calls.cell, .dialled; IF calls.memo, .dialled
-> m: calls.memo; IF calls.memo
-> rows: FILTER calls.memo, .cell
-> to: labelled
# phoned: brackets and hashes
SELECT concat('#', call_id, 'L, [', sub_id, '#12') AS a, replace(memo, '(', '#1L AS x#2') AS b FROM tel.calls WHERE memo <> 'call_id#1' AND dialled <> '[call_id#1L, sub_id#2L]'
-> a: calls.call_id, .sub_id
-> b: calls.memo
-> rows: FILTER calls.memo, .dialled
# phoned: brackets in keys and having
SELECT concat(cell, '(', ym) AS k, sum(charge) AS c FROM tel.calls GROUP BY concat(cell, '(', ym) HAVING sum(charge) > 0 AND max(memo) <> '[' AND concat(cell, '(', ym) <> ')'
-> k: calls.cell, .ym
-> c: calls.charge
-> rows: GROUP_BY calls.cell, .ym; FILTER calls.charge, .memo, .cell, .ym
# phoned: brackets in a join
SELECT s.holder, p.label FROM tel.subs s JOIN tel.plans p ON concat(s.plan, ' [') = concat(p.plan, ' [') AND s.status <> p.label WHERE s.holder <> 'x, y ('
-> holder: subs.holder
-> label: plans.label
-> rows: JOIN subs.plan, .status, plans.plan, .label; FILTER subs.holder
# phoned: brackets in a window
SELECT call_id, max(memo) OVER (PARTITION BY concat('(', cell) ORDER BY began) AS m, ntile(4) OVER (ORDER BY replace(dialled, '[', '')) AS q FROM tel.calls WHERE memo <> '('
-> call_id: calls.call_id
-> m: calls.memo; WINDOW calls.cell, .began
-> q: -; WINDOW calls.dialled
-> rows: FILTER calls.memo
# phoned: names with brackets [code]
spark.table('tel.subs').selectExpr('sub_id AS `id (sub)`', 'holder AS `holder name`', 'credit * 2 AS `credit x 2`', 'plan AS `plan.name`').write.mode('overwrite').json(root + '/out/odd_subs')
-> id (sub): subs.sub_id
-> holder name: subs.holder
-> credit x 2: subs.credit
-> plan.name: subs.plan
-> to: odd_subs
# phoned: a Hive table [hive]
CREATE TABLE tel.h_bills (bill_id BIGINT, sub_id BIGINT, total DOUBLE, remark STRING) PARTITIONED BY (ym STRING) STORED AS TEXTFILE
# phoned: into a static partition of Hive [hive]
INSERT OVERWRITE TABLE tel.h_bills PARTITION (ym = '2023-01') SELECT call_id, sub_id, charge * 1.2, concat(memo, ' [') FROM tel.calls WHERE ym = '2023-01' AND cell <> '('
-> bill_id: calls.call_id
-> sub_id: calls.sub_id
-> total: calls.charge
-> remark: calls.memo
-> ym: -
-> rows: FILTER calls.ym, .cell
-> to: h_bills
# phoned: into dynamic partitions of Hive [code] [hive]
spark.sql('SET hive.exec.dynamic.partition.mode=nonstrict')
spark.sql("INSERT INTO TABLE tel.h_bills PARTITION (ym) SELECT max(call_id), sub_id, sum(charge), max(memo), ym FROM tel.calls GROUP BY sub_id, ym")
-> bill_id: calls.call_id
-> sub_id: calls.sub_id
-> total: calls.charge
-> remark: calls.memo
-> ym: calls.ym
-> rows: GROUP_BY calls.sub_id, .ym
-> to: h_bills
# phoned: a Hive table cached [code] [hive]
d = spark.table('tel.h_bills').where("remark <> '(' and total > 0").cache()
d.groupBy('ym').agg(F.sum('total').alias('t'), F.max('remark').alias('r')).write.mode('overwrite').saveAsTable('tel.month_bills')
-> ym: h_bills.ym
-> t: h_bills.total
-> r: h_bills.remark
-> rows: FILTER h_bills.remark, .total; GROUP_BY h_bills.ym
-> to: month_bills
# phoned: a Hive table joined [hive]
SELECT s.holder, b.total FROM tel.h_bills b JOIN tel.subs s ON b.sub_id = s.sub_id WHERE b.ym LIKE '2023%' AND b.remark <> ']'
-> holder: subs.holder
-> total: h_bills.total
-> rows: JOIN h_bills.sub_id, subs.sub_id; FILTER h_bills.ym, .remark; MAY h_bills.sub_id, subs.sub_id
# phoned: a Hive table of a query [hive]
CREATE TABLE tel.h_top STORED AS PARQUET AS SELECT holder, max(credit) AS credit FROM tel.subs WHERE status <> 'gone (x' GROUP BY holder
-> holder: subs.holder
-> credit: subs.credit
-> rows: FILTER subs.status; GROUP_BY subs.holder
-> to: h_top
# phoned: a wide Hive table [code] [hive]
spark.sql('CREATE TABLE tel.h_wide (' + ', '.join(f'load_of_link_{n} DOUBLE' for n in range(1, 46)) + ', link STRING) STORED AS TEXTFILE')
spark.table('tel.h_wide').where("link <> '('").selectExpr('link', 'load_of_link_44 + load_of_link_2 AS s', 'load_of_link_45').write.mode('overwrite').saveAsTable('tel.link_loads')
-> link: h_wide.link
-> s: h_wide.load_of_link_44, .load_of_link_2
-> load_of_link_45: h_wide.load_of_link_45
-> rows: FILTER h_wide.link
-> to: link_loads
# phoned: a wide Hive table copied [code] [hive]
spark.sql("CREATE TABLE tel.h_wide_copy STORED AS ORC AS SELECT * FROM tel.h_wide WHERE load_of_link_30 > 1")
-> = h_wide: load_of_link_{1..45}, link
-> rows: FILTER h_wide.load_of_link_30
-> to: h_wide_copy
# phoned: two folders of Parquet [code]
spark.read.parquet(root + '/tel/pq/eu', root + '/tel/pq/us').where("app <> 'app (x'").groupBy('app').agg(F.sum('bytes').alias('bytes')).write.mode('overwrite').saveAsTable('tel.app_bytes')
-> app: eu.app, us.app
-> bytes: eu.bytes, us.bytes
-> rows: FILTER eu.app, us.app; GROUP_BY eu.app, us.app
-> to: app_bytes
# phoned: three folders of JSON, cached [code]
d = spark.read.json([root + '/tel/json/' + each for each in ('eu', 'us', 'asia')]).where('roaming = 1').cache()
d.selectExpr('app', 'bytes / 2 AS half').write.mode('overwrite').parquet(root + '/out/roaming')
-> app: eu.app, us.app, asia.app
-> half: eu.bytes, us.bytes, asia.bytes
-> rows: FILTER eu.roaming, us.roaming, asia.roaming
-> to: roaming
# phoned: a glob of folders of ORC [code]
frame = spark.read.orc(root + '/tel/orc/{eu,asia}').select('id', F.expr("concat('[', app)").alias('a'))
-> id: eu.id, asia.id
-> a: eu.app, asia.app
# phoned: folders of CSV joined with each other [code]
a = spark.read.option('header', True).csv(root + '/tel/csv/eu')
b = spark.read.option('header', True).option('inferSchema', True).csv(root + '/tel/csv/us')
a.join(b, a.app == b.app, 'left').select(a.id, b.bytes).write.mode('overwrite').parquet(root + '/out/eu_us')
-> id: eu.id
-> bytes: us.bytes
-> rows: JOIN eu.app, us.app; MAY us.app
-> to: eu_us
# phoned: months of a partitioned folder [code]
spark.read.option('basePath', root + '/tel/usage').parquet(root + '/tel/usage/month=2023-01', root + '/tel/usage/month=2023-02').where('day = 0').select('month', 'app', 'bytes').write.mode('overwrite').saveAsTable('tel.two_months')
-> month: usage.month, ?usage_raw.month
-> app: usage.app
-> bytes: usage.bytes
-> rows: FILTER usage.day
-> to: two_months
# phoned: a struct and a map
CREATE TABLE tel.devices USING parquet AS SELECT dev.imei AS imei, attrs['k ('] AS k, size(hops) AS hops, hops[0].ms AS first FROM tel.calls WHERE dev.os <> '[os'
-> imei: calls.dev.imei
-> k: calls.attrs
-> hops: ?calls.hops
-> first: calls.hops.ms
-> rows: FILTER calls.dev.os; MAY calls.dev
-> to: devices
# phoned: exploded twice
SELECT call_id, h.node, k, v FROM tel.calls LATERAL VIEW explode(hops) t AS h LATERAL VIEW explode(attrs) u AS k, v WHERE v <> '(' AND h.ms > 1
-> call_id: calls.call_id
-> node: calls.hops.node
-> k: calls.attrs
-> v: calls.attrs
-> rows: FILTER calls.attrs, .hops.ms; MAY calls.hops, .hops.node
# phoned: a pivot of months [code]
spark.table('tel.calls').groupBy('cell').pivot('ym', ['2023-01', '2023-02']).agg(F.sum('charge').alias('c'), F.max('seconds').alias('s')).write.mode('overwrite').parquet(root + '/out/months')
-> cell: calls.cell
-> 2023-01_c: calls.charge; IF calls.ym
-> 2023-01_s: calls.seconds; IF calls.ym
-> 2023-02_c: calls.charge; IF calls.ym
-> 2023-02_s: calls.seconds; IF calls.ym
-> rows: GROUP_BY calls.cell; MAY calls.ym
-> to: months
# phoned: a subquery in a list and one in a condition
CREATE TABLE tel.above USING parquet AS SELECT call_id, charge - (SELECT avg(charge) FROM tel.calls WHERE memo <> '(') AS above FROM tel.calls WHERE sub_id IN (SELECT sub_id FROM tel.subs WHERE status = 'on') AND NOT EXISTS (SELECT 1 FROM tel.cells x WHERE x.cell = calls.cell AND x.vendor = '[')
-> call_id: calls.call_id
-> above: calls.charge
-> rows: JOIN calls.sub_id, subs.sub_id, calls.cell, cells.cell; FILTER subs.status, cells.vendor; MAY calls.memo, subs.sub_id
-> to: above
# phoned: common table expressions
WITH d AS (SELECT sub_id, ym, sum(charge) AS c FROM tel.calls GROUP BY sub_id, ym), r AS (SELECT sub_id, c, rank() OVER (PARTITION BY ym ORDER BY c DESC) AS pos FROM d) SELECT s.holder, r.c FROM r JOIN tel.subs s ON r.sub_id = s.sub_id WHERE pos <= 3 AND s.status <> 'a (b'
-> holder: subs.holder
-> c: calls.charge
-> rows: GROUP_BY calls.sub_id, .ym; FILTER calls.charge, .ym, subs.status; JOIN calls.sub_id, subs.sub_id; MAY calls.sub_id, subs.sub_id
# phoned: grouping sets
CREATE TABLE tel.sets USING parquet AS SELECT cell, ym, grouping_id() AS g, sum(seconds) AS s, count(*) AS n FROM tel.calls WHERE dialled <> '[' GROUP BY cell, ym GROUPING SETS ((cell, ym), (cell), ())
-> cell: calls.cell
-> ym: calls.ym
-> g: -
-> s: calls.seconds
-> n: -
-> rows: FILTER calls.dialled; GROUP_BY calls.cell, .ym
-> to: sets
# phoned: a full join with coalesced keys
CREATE TABLE tel.matched USING parquet AS SELECT coalesce(a.cell, b.cell) AS cell, a.n, b.region FROM (SELECT cell, count(call_id) AS n FROM tel.calls GROUP BY cell) a FULL OUTER JOIN tel.cells b ON a.cell = b.cell
-> cell: calls.cell, cells.cell; IF calls.cell, ?cells.cell
-> n: calls.call_id
-> region: cells.region
-> rows: GROUP_BY calls.cell; JOIN calls.cell, cells.cell
-> to: matched
# phoned: EXCEPT and INTERSECT
CREATE TABLE tel.differences USING parquet AS SELECT sub_id FROM tel.subs EXCEPT SELECT sub_id FROM tel.calls WHERE memo <> '('
-> sub_id: subs.sub_id
-> rows: JOIN subs.sub_id, calls.sub_id; FILTER calls.memo; GROUP_BY subs.sub_id; MAY calls.sub_id
-> to: differences
# phoned: a Python function over counters [code]
@F.udf('double')
def score(a, b, c):
    return 1.0
spark.table('tel.counters').withColumn('score', score('kpi_1', 'kpi_69', 'kpi_70')).select('cell', 'score', 'kpi_60').write.mode('overwrite').saveAsTable('tel.scores')
-> cell: counters.cell
-> score: counters.kpi_1, .kpi_69, .kpi_70
-> kpi_60: counters.kpi_60
-> to: scores
# phoned: partitions by insertInto [code]
spark.sql('CREATE TABLE tel.daily (sub_id BIGINT, total DOUBLE, top STRING, ym STRING, d INT) USING parquet PARTITIONED BY (ym, d)')
spark.table('tel.calls').groupBy('sub_id', 'ym', 'd').agg(F.sum('charge').alias('t'), F.max('memo').alias('m')).select('sub_id', 't', 'm', 'ym', 'd').write.insertInto('tel.daily')
-> sub_id: calls.sub_id
-> total: calls.charge
-> top: calls.memo
-> ym: calls.ym
-> d: calls.d
-> rows: GROUP_BY calls.sub_id, .ym, .d
-> to: daily
# phoned: a static partition overwritten
INSERT OVERWRITE TABLE tel.daily PARTITION (ym = '2023-03', d) SELECT sub_id, credit, concat(plan, ' ('), 7 FROM tel.subs WHERE status NOT LIKE '%]'
-> sub_id: subs.sub_id
-> total: subs.credit
-> top: subs.plan
-> ym: -
-> d: -
-> rows: FILTER subs.status
-> to: daily
# phoned: CSV with a header [code]
spark.table('tel.daily').where("top <> '['").repartition(1).sortWithinPartitions('sub_id').write.mode('overwrite').option('header', True).csv(root + '/out/daily_csv')
-> = daily: sub_id, total, top, ym, d
-> rows: FILTER daily.top; MAY daily.sub_id
-> to: daily_csv
# phoned: bucketed and sorted [code]
spark.table('tel.calls').where("cell <> ']'").select('call_id', 'sub_id', 'charge').write.bucketBy(2, 'sub_id').sortBy('call_id').mode('overwrite').saveAsTable('tel.bucketed')
-> call_id: calls.call_id
-> sub_id: calls.sub_id
-> charge: calls.charge
-> rows: FILTER calls.cell
-> to: bucketed
# phoned: buckets joined
SELECT b.call_id, s.holder FROM tel.bucketed b JOIN tel.subs s ON b.sub_id = s.sub_id AND b.charge < s.credit
-> call_id: bucketed.call_id
-> holder: subs.holder
-> rows: JOIN bucketed.sub_id, .charge, subs.sub_id, .credit; MAY bucketed.sub_id, subs.sub_id
# phoned: a self union with literals
INSERT INTO tel.debts SELECT 'total (all)', sum(charge) FROM tel.calls UNION ALL SELECT concat('[', holder), credit FROM tel.subs WHERE holder <> '('
-> who: subs.holder
-> owed: calls.charge, subs.credit
-> rows: FILTER subs.holder
-> to: debts
# phoned: a global temporary view [code]
spark.table('tel.calls').where("memo <> '(['").selectExpr('call_id', 'charge * 2 AS twice').createOrReplaceGlobalTempView('g_calls')
spark.sql('CREATE TABLE tel.from_global USING parquet AS SELECT call_id, twice FROM global_temp.g_calls WHERE twice > 0')
-> call_id: calls.call_id
-> twice: calls.charge
-> rows: FILTER calls.memo, .charge
-> to: from_global
# phoned: sectors of a view, grouped [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW s_days AS SELECT day, dropped_call_ratio_of_sector_34 AS r, dropped_call_ratio_of_sector_1 AS q FROM tel.sectors WHERE dropped_call_ratio_of_sector_33 > -1")
spark.sql('CREATE TABLE tel.s_days USING parquet AS SELECT day, avg(r) AS r, max(q) AS q FROM s_days GROUP BY day')
-> day: sectors.day
-> r: sectors.dropped_call_ratio_of_sector_34
-> q: sectors.dropped_call_ratio_of_sector_1
-> rows: FILTER sectors.dropped_call_ratio_of_sector_33; GROUP_BY sectors.day
-> to: s_days
# phoned: counters ranked
SELECT cell, kpi_1, rank() OVER (PARTITION BY state ORDER BY kpi_70 DESC) AS r FROM tel.counters WHERE kpi_35 > 0
-> cell: counters.cell
-> kpi_1: counters.kpi_1
-> r: -; WINDOW counters.state, .kpi_70
-> rows: FILTER counters.kpi_35
# phoned: a cached count per key, joined back [code]
n = spark.table('tel.calls').groupBy('cell').count().where('count > 0').cache()
spark.table('tel.calls').join(n, 'cell').select('call_id', 'count').write.mode('overwrite').saveAsTable('tel.with_count')
-> call_id: calls.call_id
-> count: -
-> rows: GROUP_BY calls.cell; JOIN calls.cell; MAY calls.cell
-> to: with_count
# phoned: hashed and masked
CREATE TABLE tel.masked USING parquet AS SELECT sha2(msisdn, 256) AS h, concat(substring(holder, 1, 1), '***(') AS who, md5(concat(plan, '[')) AS p FROM tel.subs WHERE credit > 0
-> h: subs.msisdn
-> who: subs.holder
-> p: subs.plan
-> rows: FILTER subs.credit
-> to: masked
# phoned: counters overwritten in place through a folder [code]
d = spark.table('tel.counters_kept').na.drop().cache()
d.count()
d.write.mode('overwrite').parquet(root + '/out/kept_copy')
-> = counters_kept: cell, hour, kpi_{1..70}, state
-> rows: FILTER counters_kept.cell, .hour, .kpi_{1..70}, .state
-> to: kept_copy
# phoned: appended twice [code]
spark.table('tel.subs').where("plan = 'gold ['").select('holder', 'credit').write.mode('append').insertInto('tel.debts')
-> who: subs.holder
-> owed: subs.credit
-> rows: FILTER subs.plan
-> to: debts
