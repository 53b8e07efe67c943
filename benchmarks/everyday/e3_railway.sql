# railed: a database
CREATE DATABASE IF NOT EXISTS rail
# railed: wagons
CREATE TABLE rail.wagons (wagon_id BIGINT, class STRING, owner STRING, tare DOUBLE, built INT, remark STRING, axles ARRAY<STRUCT<pos: INT, load: DOUBLE>>, spec STRUCT<len: DOUBLE, gauge: STRING>, labels MAP<STRING, STRING>) USING parquet
# railed: trips
CREATE TABLE rail.trips (trip_id BIGINT, wagon_id BIGINT, origin STRING, dest STRING, tonnes DOUBLE, fee DOUBLE, note STRING, yr INT, wk INT) USING orc PARTITIONED BY (yr, wk)
# railed: yards
CREATE TABLE rail.yards (yard STRING, region STRING, boss STRING, tracks INT, score DOUBLE) USING json
# railed: rows of wagons
INSERT INTO rail.wagons VALUES (1, 'flat', 'ann', 20.5, 1999, 'a (b', array(named_struct('pos', 1, 'load', 4.5D)), named_struct('len', 12.0D, 'gauge', 'std'), map('k', 'v')), (2, 'tank', 'bob', 22.0, 2004, NULL, array(named_struct('pos', 2, 'load', 5.5D)), named_struct('len', 14.0D, 'gauge', 'wide'), map('k', 'w'))
# railed: rows of trips
INSERT INTO rail.trips VALUES (1, 1, 'york', 'bath', 30.0, 9.5, 'n', 2022, 1), (2, 2, 'bath', 'york', 12.5, 4.0, 'm', 2022, 2)
# railed: rows of yards
INSERT INTO rail.yards VALUES ('york', 'north', 'o', 40, 4.5), ('bath', 'west', 'p', 30, 3.5)
# railed: a table of ninety columns [code]
spark.range(3).selectExpr('id AS gauge_id', *[f'id * {n} AS m{n}' for n in range(1, 91)], "concat('(', id) AS label").write.mode('overwrite').saveAsTable('rail.gauges')
# railed: a partitioned table of forty columns [code]
spark.range(4).selectExpr('id AS entry', *[f'cast(id * {n} AS DOUBLE) AS account_number_{n}' for n in range(1, 41)], "concat('2022-0', id) AS day").write.partitionBy('day').mode('overwrite').format('orc').saveAsTable('rail.ledger')
# railed: files [code]
for folder in ('north', 'south', 'east'):
    d = spark.range(3).selectExpr('id', 'id * 2 AS v', 'cast(id AS STRING) AS s')
    d.write.mode('overwrite').parquet(root + '/rail/' + folder)
    d.write.mode('overwrite').orc(root + '/rail/orc/' + folder)
    d.write.mode('overwrite').json(root + '/rail/json/' + folder)
    d.write.mode('overwrite').option('header', True).csv(root + '/rail/csv/' + folder)
    d.select('s').write.mode('overwrite').text(root + '/rail/text/' + folder)
spark.range(6).selectExpr('id', 'id * 2 AS v', 'cast(id AS STRING) AS s', 'id % 3 AS zone').write.partitionBy('zone').mode('overwrite').parquet(root + '/rail/zones')
spark.range(3).selectExpr('id', *[f'cast(id + {n} AS STRING) AS sensor_reading_{n}' for n in range(1, 51)]).write.mode('overwrite').parquet(root + '/rail/wide')
spark.range(3).selectExpr('id', *[f'cast(id + {n} AS STRING) AS c{n}' for n in range(1, 51)]).write.mode('overwrite').option('header', True).csv(root + '/rail/wide_csv')
# railed: persisted and grouped [code]
from pyspark import StorageLevel
d = spark.table('rail.trips').where("note <> 'x, (y' AND fee > 1").persist(StorageLevel.MEMORY_ONLY)
d.groupBy('origin').agg(F.sum('tonnes').alias('t'), F.max('fee').alias('f')).write.mode('overwrite').saveAsTable('rail.by_origin')
-> origin: trips.origin
-> t: trips.tonnes
-> f: trips.fee
-> rows: FILTER trips.note, .fee; GROUP_BY trips.origin
-> to: by_origin
# railed: a cached join of two caches [code]
a = spark.table('rail.wagons').where("class <> '[flat'").select('wagon_id', 'class', 'tare').cache()
b = spark.table('rail.trips').select('wagon_id', 'dest', 'tonnes').cache()
c = a.join(b, 'wagon_id').withColumn('gross', F.expr('tare + tonnes')).cache()
c.select('class', 'dest', 'gross').write.mode('overwrite').parquet(root + '/out/gross')
-> class: wagons.class
-> dest: trips.dest
-> gross: wagons.tare, trips.tonnes
-> rows: FILTER wagons.class; JOIN wagons.wagon_id, trips.wagon_id; MAY wagons.wagon_id, trips.wagon_id
-> to: gross
# railed: a cached view over a cache [code]
spark.table('rail.trips').selectExpr('dest', "concat(note, ' [(') AS n", 'tonnes * fee AS worth').where('worth > 2').cache().createOrReplaceTempView('worthy')
spark.sql("CREATE OR REPLACE TEMPORARY VIEW worthy_west AS SELECT dest AS place, n, worth / 2 AS half FROM worthy WHERE dest NOT IN ('(', ']')")
spark.sql('CACHE TABLE worthy_west')
spark.sql('CREATE TABLE rail.halves USING parquet AS SELECT place, n, half FROM worthy_west WHERE half < 500')
-> place: trips.dest
-> n: trips.note
-> half: trips.tonnes, .fee
-> rows: FILTER trips.tonnes, .fee, .dest
-> to: halves
# railed: a query of a cached view over a cache, grouped
SELECT place, avg(half) AS mean, count(DISTINCT n) AS kinds FROM worthy_west GROUP BY place HAVING avg(half) > 1
-> place: trips.dest
-> mean: trips.tonnes, .fee
-> kinds: trips.note
-> rows: FILTER trips.tonnes, .fee, .dest; GROUP_BY trips.dest
# railed: a cached wide table, filtered and whole [code]
spark.table('rail.gauges').cache().where("m88 > 1 and label <> '['").write.mode('overwrite').parquet(root + '/out/gauges')
-> = gauges: gauge_id, m{1..90}, label
-> rows: FILTER gauges.m88, .label
-> to: gauges
# railed: a cached wide table, one column replaced [code]
spark.table('rail.gauges').where("label not like '(%'").withColumn('m40', F.expr('m40 + m41')).drop('m2', 'm3').cache().write.mode('overwrite').saveAsTable('rail.gauges_replaced')
-> gauge_id: gauges.gauge_id
-> m1: gauges.m1
-> m{4..39}: gauges.m{}
-> m40: gauges.m40, .m41
-> m{41..90}: gauges.m{}
-> label: gauges.label
-> rows: FILTER gauges.label
-> to: gauges_replaced
# railed: sums of sixty columns of a cached table [code]
spark.table('rail.gauges').cache().groupBy('label').agg(*[F.sum(f'm{n}').alias(f's{n}') for n in range(1, 61)]).write.mode('overwrite').saveAsTable('rail.sums')
-> label: gauges.label
-> s{1..60}: gauges.m{}
-> rows: GROUP_BY gauges.label
-> to: sums
# railed: read again after unpersist [code]
d = spark.table('rail.yards').where("boss <> '('").cache()
d.count()
d.unpersist()
d.select('yard', 'score').write.mode('overwrite').saveAsTable('rail.scores')
-> yard: yards.yard
-> score: yards.score
-> rows: FILTER yards.boss
-> to: scores
# railed: a cached window joined with its table [code]
d = spark.table('rail.trips').selectExpr('trip_id AS id', 'row_number() OVER (PARTITION BY dest ORDER BY fee DESC) AS place').where('place <= 3').cache()
d.join(spark.table('rail.trips'), F.expr('id = trip_id')).select('origin', 'place').write.mode('overwrite').saveAsTable('rail.placed')
-> origin: trips.origin
-> place: -; WINDOW trips.dest, .fee
-> rows: FILTER trips.dest, .fee; JOIN trips.trip_id; MAY trips.trip_id
-> to: placed
# railed: a cached Python function [code]
@F.udf('string')
def mark(a, b):
    return f'{a}[{b}'
d = spark.table('rail.yards').withColumn('code', mark('yard', 'region')).where('tracks > 3').cache()
frame = d.select('boss', 'code')
-> boss: yards.boss
-> code: yards.yard, .region
-> rows: FILTER yards.tracks
# railed: a cached anti join [code]
d = spark.table('rail.yards').join(spark.table('rail.trips').where("note <> ')('"), F.expr('yard = dest'), 'left_anti').cache()
d.groupBy('region').count().write.mode('overwrite').orc(root + '/out/idle')
-> region: yards.region
-> count: -
-> rows: JOIN yards.yard, trips.dest; FILTER trips.note; GROUP_BY yards.region
-> to: idle
# railed: a union of two caches [code]
a = spark.table('rail.trips').selectExpr('origin AS yard', 'tonnes').where("yard <> '{'").cache()
b = spark.table('rail.trips').selectExpr('dest AS yard', '-tonnes AS tonnes').cache()
a.union(b).groupBy('yard').agg(F.sum('tonnes').alias('net')).write.mode('overwrite').saveAsTable('rail.net')
-> yard: trips.origin, .dest
-> net: trips.tonnes
-> rows: FILTER trips.origin; GROUP_BY trips.origin, .dest
-> to: net
# railed: the largest of a cache, joined [code]
d = spark.table('rail.trips').where("note is null or note <> ', ['").orderBy(F.desc('tonnes'), 'trip_id').limit(5).cache()
d.join(spark.table('rail.yards'), F.expr('origin = yard'), 'left').select('trip_id', 'boss').write.mode('overwrite').saveAsTable('rail.largest')
-> trip_id: trips.trip_id
-> boss: yards.boss
-> rows: FILTER trips.note; SORT trips.tonnes, .trip_id; JOIN trips.origin, yards.yard; MAY yards.yard
-> to: largest
# railed: a cached pivot [code]
d = spark.table('rail.trips').groupBy('dest').pivot('wk', [1, 2, 3]).agg(F.sum('tonnes')).cache()
d.selectExpr('dest', '`1` + `2` AS early', '`3` AS late').write.mode('overwrite').saveAsTable('rail.weeks')
-> dest: trips.dest
-> early: trips.tonnes; IF trips.wk
-> late: trips.tonnes; IF trips.wk
-> rows: GROUP_BY trips.dest; MAY trips.wk
-> to: weeks
# railed: distinct rows of a cache [code]
spark.table('rail.trips').select('origin', 'dest').where("origin <> dest and origin <> '(]'").distinct().cache().write.mode('overwrite').saveAsTable('rail.pairs')
-> origin: trips.origin
-> dest: trips.dest
-> rows: FILTER trips.origin, .dest; GROUP_BY trips.origin, .dest
-> to: pairs
# railed: one cache in two branches of a union [code]
d = spark.table('rail.trips').where('tonnes > fee').select('trip_id', 'origin', 'dest').cache()
d.selectExpr('trip_id', "origin AS at", "'from (' AS way").union(d.selectExpr('trip_id', 'dest', "'to)'")).write.mode('overwrite').saveAsTable('rail.ends')
-> trip_id: trips.trip_id
-> at: trips.origin, .dest
-> way: -
-> rows: FILTER trips.tonnes, .fee
-> to: ends
# railed: cached partitions, written by partition [code]
spark.table('rail.trips').where("yr = 2022 and wk in (1, 2, 3) and note not in ('(', '[')").cache().select('trip_id', 'fee', 'wk').write.partitionBy('wk').mode('overwrite').saveAsTable('rail.fees')
-> trip_id: trips.trip_id
-> fee: trips.fee
-> wk: trips.wk
-> rows: FILTER trips.yr, .wk, .note
-> to: fees
# railed: a cache of literals and expressions [code]
d = spark.table('rail.wagons').selectExpr('wagon_id', "'a, b AS c' AS fixed", "CASE WHEN class = '(' THEN 'x]' WHEN class LIKE '%[%' THEN owner ELSE remark END AS kind", "md5(concat(owner, ')')) AS h").cache()
d.where("kind <> '{'").write.mode('overwrite').saveAsTable('rail.kinds')
-> wagon_id: wagons.wagon_id
-> fixed: -
-> kind: wagons.owner, .remark; IF wagons.class
-> h: wagons.owner
-> rows: FILTER wagons.owner, .remark, .class
-> to: kinds
# railed: a cached self join [code]
d = spark.table('rail.trips').select('trip_id', 'wagon_id', 'wk', 'fee').where("note <> ' AS ('").cache()
d.alias('a').join(d.alias('b'), F.expr('a.wagon_id = b.wagon_id AND a.wk = b.wk - 1')).selectExpr('a.trip_id', 'b.fee - a.fee AS rise').write.mode('overwrite').parquet(root + '/out/rises')
-> trip_id: trips.trip_id
-> rise: trips.fee
-> rows: FILTER trips.note; JOIN trips.wagon_id, .wk; MAY trips.wagon_id, .wk
-> to: rises
# railed: a cache of files with a long filter [code]
d = spark.read.parquet(root + '/rail/wide').where(' AND '.join(f"sensor_reading_{n} <> 'z{n} ('" for n in range(1, 26))).cache()
d.selectExpr('id', 'sensor_reading_30 AS thirty', "concat(sensor_reading_45, ',') AS last").write.mode('overwrite').json(root + '/out/sensors')
-> id: wide.id
-> thirty: wide.sensor_reading_30
-> last: wide.sensor_reading_45
-> rows: FILTER wide.sensor_reading_{1..25}
-> to: sensors
# railed: a temporary view of a temporary view of a cache [code]
spark.table('rail.yards').where("region <> 'x (y'").cache().createOrReplaceTempView('y1')
spark.sql("CREATE OR REPLACE TEMPORARY VIEW y2 AS SELECT yard AS y, upper(region) AS r, score FROM y1 WHERE score > 1")
spark.sql("CREATE OR REPLACE TEMPORARY VIEW y3 (house, area) AS SELECT y, r FROM y2 WHERE r <> ']'")
spark.sql("CREATE TABLE rail.areas USING json AS SELECT area, count(house) AS houses FROM y3 GROUP BY area")
-> area: yards.region
-> houses: yards.yard
-> rows: FILTER yards.region, .score; GROUP_BY yards.region
-> to: areas
# railed: a temporary view of a rollup [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW rollup_of_yards (yard, week, total) AS SELECT dest, wk, sum(tonnes) FROM rail.trips WHERE note <> '(' GROUP BY dest, wk WITH ROLLUP")
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/rolled' USING parquet SELECT yard, total FROM rollup_of_yards WHERE week IS NULL" % root)
-> yard: trips.dest
-> total: trips.tonnes
-> rows: FILTER trips.note, .wk; GROUP_BY trips.dest, .wk
-> to: rolled
# railed: a global temporary view of a temporary view [code]
spark.sql("CREATE OR REPLACE GLOBAL TEMPORARY VIEW gy AS SELECT house, lower(area) AS a FROM y3")
spark.sql("CREATE TABLE rail.global_yards USING parquet AS SELECT house, a FROM global_temp.gy WHERE a <> 'w['")
-> house: yards.yard
-> a: yards.region
-> rows: FILTER yards.region, .score
-> to: global_yards
# railed: a stored view of windows
CREATE VIEW rail.ranked AS SELECT trip_id, dest, fee, dense_rank() OVER (PARTITION BY dest ORDER BY fee DESC) AS r FROM rail.trips WHERE note <> '(,'
# railed: a table of a stored view of windows
CREATE TABLE rail.best USING parquet AS SELECT dest, trip_id, fee FROM rail.ranked WHERE r = 1
-> dest: trips.dest
-> trip_id: trips.trip_id
-> fee: trips.fee
-> rows: FILTER trips.note, .dest, .fee
-> to: best
# railed: a stored view of a wide table
CREATE VIEW rail.v_gauges AS SELECT * FROM rail.gauges WHERE m50 > 0
# railed: late columns of a view of a wide table
SELECT gauge_id, m89 - m1 AS spread, label FROM rail.v_gauges WHERE m77 < 900
-> gauge_id: gauges.gauge_id
-> spread: gauges.m89, .m1
-> label: gauges.label
-> rows: FILTER gauges.m50, .m77
# railed: a view of a wide table, whole
CREATE TABLE rail.gauges_of_view USING parquet AS SELECT * FROM rail.v_gauges WHERE label <> '('
-> = gauges: gauge_id, m{1..90}, label
-> rows: FILTER gauges.m50, .label
-> to: gauges_of_view
# railed: a view replaced between two tables [code]
spark.table('rail.yards').select('yard', 'tracks').createOrReplaceTempView('again')
spark.table('rail.wagons').selectExpr('class AS yard', 'built AS tracks').createOrReplaceTempView('again')
spark.sql("CREATE TABLE rail.replaced USING parquet AS SELECT yard, tracks + 1 AS t FROM again WHERE tracks > 0")
-> yard: wagons.class
-> t: wagons.built
-> rows: FILTER wagons.built
-> to: replaced
# railed: a table for a view of a union
CREATE TABLE rail.places (place STRING, weight DOUBLE) USING parquet
# railed: an insert from a view of a union [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW all_places AS SELECT origin AS p, tonnes FROM rail.trips WHERE fee > 1 UNION ALL SELECT yard, score FROM rail.yards WHERE boss <> '[a'")
spark.sql("INSERT INTO rail.places SELECT p, sum(tonnes) FROM all_places GROUP BY p")
-> place: trips.origin, yards.yard
-> weight: trips.tonnes, yards.score
-> rows: FILTER trips.fee, yards.boss; GROUP_BY trips.origin, yards.yard
-> to: places
# railed: a wide table for insertInto
CREATE TABLE rail.gauges_of_today USING parquet AS SELECT * FROM rail.gauges WHERE 1 = 0
# railed: a wide table filtered into a table [code]
spark.table('rail.gauges').where('m3 between 2 and 400').write.insertInto('rail.gauges_of_today')
-> = gauges: gauge_id, m{1..90}, label
-> rows: FILTER gauges.m3
-> to: gauges_of_today
# railed: a wide table with a column replaced and one added [code]
spark.table('rail.gauges').withColumn('m7', F.expr('m7 * m8')).withColumn('sum_of_ends', F.expr('m1 + m90')).write.mode('overwrite').orc(root + '/out/gauges_added')
-> gauge_id: gauges.gauge_id
-> m{1..6}: gauges.m{}
-> m7: gauges.m7, .m8
-> m{8..90}: gauges.m{}
-> label: gauges.label
-> sum_of_ends: gauges.m1, .m90
-> to: gauges_added
# railed: a wide table without three columns [code]
spark.table('rail.gauges').drop('m1', 'm45', 'label').write.mode('overwrite').saveAsTable('rail.gauges_dropped')
-> gauge_id: gauges.gauge_id
-> m{2..44}: gauges.m{}
-> m{46..90}: gauges.m{}
-> to: gauges_dropped
# railed: averages of thirty columns of a table
CREATE TABLE rail.averages USING parquet AS SELECT label, avg(m1) AS a1, avg(m2) AS a2, avg(m3) AS a3, avg(m4) AS a4, avg(m5) AS a5, avg(m6) AS a6, avg(m7) AS a7, avg(m8) AS a8, avg(m9) AS a9, avg(m10) AS a10, avg(m11) AS a11, avg(m12) AS a12, avg(m13) AS a13, avg(m14) AS a14, avg(m15) AS a15, avg(m16) AS a16, avg(m17) AS a17, avg(m18) AS a18, avg(m19) AS a19, avg(m20) AS a20, avg(m21) AS a21, avg(m22) AS a22, avg(m23) AS a23, avg(m24) AS a24, avg(m25) AS a25, avg(m26) AS a26, avg(m27) AS a27, avg(m28) AS a28, avg(m29) AS a29, avg(m30) AS a30 FROM rail.gauges WHERE m31 > 2 GROUP BY label
-> label: gauges.label
-> a{1..30}: gauges.m{}
-> rows: FILTER gauges.m31; GROUP_BY gauges.label
-> to: averages
# railed: a union of wide tables [code]
spark.table('rail.gauges').where('m1 > 0').union(spark.table('rail.gauges_of_today').where('m2 > 0')).write.mode('overwrite').saveAsTable('rail.gauges_twice')
-> gauge_id: gauges.gauge_id, gauges_of_today.gauge_id
-> m{1..90}: gauges.m{}, gauges_of_today.m{}
-> label: gauges.label, gauges_of_today.label
-> rows: FILTER gauges.m1, gauges_of_today.m2
-> to: gauges_twice
# railed: a wide table joined, all of its columns [code]
a = spark.table('rail.gauges')
a.join(spark.table('rail.wagons'), F.expr('gauge_id = wagon_id')).select(a['*'], 'owner').write.mode('overwrite').parquet(root + '/out/gauges_owned')
-> = gauges: gauge_id, m{1..90}, label
-> owner: wagons.owner
-> rows: JOIN gauges.gauge_id, wagons.wagon_id; MAY gauges.gauge_id, wagons.wagon_id
-> to: gauges_owned
# railed: thirty columns as rows [code]
frame = spark.table('rail.gauges').selectExpr('gauge_id', 'stack(30, ' + ', '.join(f"'m{n} (', m{n}" for n in range(1, 31)) + ') AS (name, reading)').where('reading > 4')
-> gauge_id: gauges.gauge_id
-> name: -
-> reading: gauges.m{1..30}
-> rows: FILTER gauges.m{1..30}
# railed: a wide partitioned table for INSERT
CREATE TABLE rail.ledger_copy USING orc PARTITIONED BY (day) AS SELECT * FROM rail.ledger WHERE 1 = 0
# railed: a wide partitioned table overwritten
INSERT OVERWRITE TABLE rail.ledger_copy SELECT * FROM rail.ledger WHERE day >= '2022-01' AND account_number_33 > 0.5
-> = ledger: entry, account_number_{1..40}, day
-> rows: FILTER ledger.day, .account_number_33
-> to: ledger_copy
# railed: a wide partitioned table of one day [code]
frame = spark.table('rail.ledger').where("day = '2022-01' and account_number_40 is not null").select('entry', F.expr('account_number_39 - account_number_2').alias('d'))
-> entry: ledger.entry
-> d: ledger.account_number_39, .account_number_2
-> rows: FILTER ledger.day, .account_number_40
# railed: forty computed columns [code]
spark.table('rail.ledger').selectExpr('entry', *[f'round(account_number_{n} / 2, 1) AS half_{n}' for n in range(1, 41)]).where('half_40 < 9').write.mode('overwrite').saveAsTable('rail.half_ledger')
-> entry: ledger.entry
-> half_{1..40}: ledger.account_number_{}
-> rows: FILTER ledger.account_number_40
-> to: half_ledger
# railed: a wide table with other names [code]
d = spark.table('rail.ledger')
d.toDF(*[f'n{n}' for n in range(len(d.columns))]).write.mode('overwrite').parquet(root + '/out/renamed_ledger')
-> n0: ledger.entry
-> n{1..40}: ledger.account_number_{}
-> n41: ledger.day
-> to: renamed_ledger
# railed: a wide CSV file with a header, written [code]
spark.read.option('header', True).csv(root + '/rail/wide_csv').where("c48 <> '('").write.mode('overwrite').saveAsTable('rail.from_wide_csv')
-> = wide_csv: id, c{1..50}
-> rows: FILTER wide_csv.c48
-> to: from_wide_csv
# railed: a wide file with numbers of strings [code]
spark.read.parquet(root + '/rail/wide').selectExpr('id', *[f'cast(sensor_reading_{n} AS INT) AS s{n}' for n in range(1, 51)]).write.mode('overwrite').parquet(root + '/out/numbers')
-> id: wide.id
-> s{1..50}: wide.sensor_reading_{}
-> to: numbers
# railed: a wide table sorted, its first rows [code]
spark.table('rail.gauges').orderBy(F.desc('m60')).limit(20).write.mode('overwrite').saveAsTable('rail.gauges_top')
-> = gauges: gauge_id, m{1..90}, label
-> rows: SORT gauges.m60
-> to: gauges_top
# railed: distinct rows of a wide table [code]
spark.table('rail.ledger').drop('entry').distinct().write.mode('overwrite').saveAsTable('rail.ledger_distinct')
-> = ledger: account_number_{1..40}, day
-> rows: GROUP_BY ledger.account_number_{1..40}, ledger.day
-> to: ledger_distinct
# railed: a wide table filled [code]
spark.table('rail.ledger').na.fill(0.0).write.mode('overwrite').parquet(root + '/out/filled_ledger')
-> entry: ledger.entry; IF ?ledger.entry
-> account_number_{1..40}: ledger.account_number_{}; IF ledger.account_number_{}
-> day: ledger.day
-> to: filled_ledger
# railed: thirty windows [code]
frame = spark.table('rail.gauges').selectExpr('gauge_id', *[f'm{n} - lag(m{n}) OVER (PARTITION BY label ORDER BY gauge_id) AS d{n}' for n in range(1, 31)])
-> gauge_id: gauges.gauge_id
-> d{1..30}: gauges.m{}; WINDOW gauges.label, .gauge_id
# railed: the greatest of fifty columns [code]
spark.table('rail.gauges').selectExpr('gauge_id', 'greatest(' + ', '.join(f'm{n}' for n in range(1, 51)) + ') AS g', 'sha2(concat_ws("|", ' + ', '.join(f'm{n}' for n in range(1, 91)) + '), 256) AS row_hash').write.mode('overwrite').saveAsTable('rail.hashes')
-> gauge_id: gauges.gauge_id
-> g: gauges.m{1..50}
-> row_hash: gauges.m{1..90}
-> to: hashes
# railed: grouped by thirty keys [code]
spark.table('rail.gauges').groupBy(*[f'm{n}' for n in range(1, 31)]).agg(F.max('m31').alias('top')).select('m30', 'top').write.mode('overwrite').saveAsTable('rail.thirty_keys')
-> m30: gauges.m30
-> top: gauges.m31
-> rows: GROUP_BY gauges.m{1..30}
-> to: thirty_keys
# railed: a wide table joined with a wide file on four keys [code]
a, b = spark.table('rail.gauges').alias('a'), spark.table('rail.gauges_of_today').alias('b')
a.join(b, F.expr('a.gauge_id = b.gauge_id AND a.m1 = b.m1 AND a.m2 = b.m2 AND a.m3 < b.m4'), 'left').selectExpr('a.gauge_id', 'a.m88', 'b.m87 AS before').write.mode('overwrite').saveAsTable('rail.compared')
-> gauge_id: gauges.gauge_id
-> m88: gauges.m88
-> before: gauges_of_today.m87
-> rows: JOIN gauges.gauge_id, .m1, .m2, .m3, gauges_of_today.gauge_id, .m1, .m2, .m4; MAY gauges_of_today.gauge_id, .m1, .m2
-> to: compared
# railed: a list of sixty values [code]
spark.table('rail.trips').where('trip_id in (' + ', '.join(map(str, range(1, 61))) + ") and note in (" + ', '.join(f"'n{n}, ('" for n in range(60)) + ", 'n')").select('trip_id', 'origin').write.mode('overwrite').saveAsTable('rail.sixty')
-> trip_id: trips.trip_id
-> origin: trips.origin
-> rows: FILTER trips.trip_id, .note
-> to: sixty
# railed: a filter of thirty conditions
SELECT wagon_id, owner FROM rail.wagons WHERE tare > 1 AND tare < 90 AND tare <> 3 AND built > 1900 AND built <> 1910 AND built <> 1911 AND built <> 1912 AND built <> 1913 AND built < 2090 AND class <> '(' AND class <> '[' AND class <> 'a, b' AND class NOT LIKE '%]%' AND class IS NOT NULL AND remark <> 'x' AND remark <> 'y (' AND remark <> 'z)' AND owner <> '{' AND owner <> '}' AND owner LIKE 'a%' AND length(owner) < 60 AND spec.len > 2 AND spec.gauge <> 'narrow (2 ft)' AND size(axles) > 0
-> wagon_id: wagons.wagon_id
-> owner: wagons.owner
-> rows: FILTER wagons.tare, .built, .class, .remark, .owner, .spec.len, .spec.gauge, .axles; MAY wagons.spec, .axles.pos, .axles.load
# railed: forty alternatives [code]
spark.table('rail.trips').where(' OR '.join(f"(dest = 'd{n} (x' AND wk = {n} AND fee > {n})" for n in range(1, 41))).select('trip_id', 'tonnes').write.mode('overwrite').parquet(root + '/out/alternatives')
-> trip_id: trips.trip_id
-> tonnes: trips.tonnes
-> rows: FILTER trips.dest, .wk, .fee
-> to: alternatives
# railed: a case of thirty branches [code]
spark.table('rail.trips').selectExpr('trip_id', 'CASE ' + ' '.join(f"WHEN fee < {n} AND origin <> '[{n}' THEN 'b{n}, ('" for n in range(1, 31)) + ' ELSE dest END AS band').write.mode('overwrite').saveAsTable('rail.bands')
-> trip_id: trips.trip_id
-> band: trips.dest; IF trips.fee, .origin
-> to: bands
# railed: a long having
SELECT dest, sum(tonnes) AS t FROM rail.trips GROUP BY dest HAVING sum(tonnes) > 1 AND max(fee) < 900 AND min(fee) > 0.5 AND count(DISTINCT origin) > 0 AND dest NOT IN ('(', '[', ', ', ')')
-> dest: trips.dest
-> t: trips.tonnes
-> rows: GROUP_BY trips.dest; FILTER trips.tonnes, .fee, .origin, .dest
# railed: literals with AS, commas and quotes
CREATE TABLE rail.quoted USING parquet AS SELECT wagon_id, concat(owner, ' AS x, y AS z') AS a, concat('"', class, '\'s (') AS b, CASE WHEN remark = ' AS ' THEN 'p AS q' ELSE remark END AS c, 'k AS v, w' AS d FROM rail.wagons WHERE owner <> 'a AS b' AND remark NOT IN (' AS ', ', AS (')
-> wagon_id: wagons.wagon_id
-> a: wagons.owner
-> b: wagons.class
-> c: wagons.remark; IF wagons.remark
-> d: -
-> rows: FILTER wagons.owner, .remark
-> to: quoted
# railed: patterns with brackets
SELECT trip_id, regexp_replace(note, '[\\(\\[].*', '') AS cut, regexp_extract(origin, '^([a-z]+), \\(', 1) AS word, date_format(cast(note AS TIMESTAMP), "yyyy'['MM") AS month, split(dest, '\\),')[0] AS first FROM rail.trips WHERE note RLIKE '^[^(]+\\(' OR origin LIKE '%[%'
-> trip_id: trips.trip_id
-> cut: trips.note
-> word: trips.origin
-> month: trips.note
-> first: trips.dest
-> rows: FILTER trips.note, .origin
# railed: odd names, written and read [code]
spark.table('rail.yards').selectExpr('yard AS `the yard`', 'region AS `region-name`', 'score AS `score.avg`', 'tracks AS `n#`').write.mode('overwrite').json(root + '/out/odd_yards')
-> the yard: yards.yard
-> region-name: yards.region
-> score.avg: yards.score
-> n#: yards.tracks
-> to: odd_yards
# railed: literals like operators
SELECT yard, concat(boss, '\n== Physical Plan ==\n(1) Filter [yard#1]') AS p, if(region = '+- Scan parquet', '(2) Project', region) AS r FROM rail.yards WHERE boss <> 'Output [2]: [a#1, b#2]'
-> yard: yards.yard
-> p: yards.boss
-> r: yards.region; IF yards.region
-> rows: FILTER yards.boss
# railed: grouped by an expression with brackets
CREATE TABLE rail.grouped_keys USING parquet AS SELECT concat(region, ' (', boss, ']') AS k, CASE WHEN score > 4 THEN '[good' ELSE 'bad)' END AS q, sum(tracks) AS n FROM rail.yards GROUP BY concat(region, ' (', boss, ']'), CASE WHEN score > 4 THEN '[good' ELSE 'bad)' END
-> k: yards.region, .boss
-> q: -; IF yards.score
-> n: yards.tracks
-> rows: GROUP_BY yards.region, .boss, .score
-> to: grouped_keys
# railed: a join on expressions with brackets
SELECT t.trip_id, y.region FROM rail.trips t JOIN rail.yards y ON concat('(', t.dest) = concat('(', y.yard) AND replace(t.origin, '[', ',') <> y.boss
-> trip_id: trips.trip_id
-> region: yards.region
-> rows: JOIN trips.dest, .origin, yards.yard, .boss
# railed: two folders of Parquet, grouped [code]
spark.read.parquet(root + '/rail/north', root + '/rail/south').where("s <> '('").groupBy('s').agg(F.sum('v').alias('v')).write.mode('overwrite').saveAsTable('rail.two_folders')
-> s: north.s, south.s
-> v: north.v, south.v
-> rows: FILTER north.s, south.s; GROUP_BY north.s, south.s
-> to: two_folders
# railed: two folders of CSV with a schema [code]
spark.read.option('header', True).schema('id BIGINT, v BIGINT, s STRING').csv([root + '/rail/csv/north', root + '/rail/csv/east']).where("s <> '['").select('id', 's').write.mode('overwrite').parquet(root + '/out/two_csv')
-> id: north.id, east.id
-> s: north.s, east.s
-> rows: FILTER north.s, east.s
-> to: two_csv
# railed: a glob of folders of JSON [code]
frame = spark.read.json(root + '/rail/json/*th').where('v > 1').select('s', F.expr('v + id').alias('w'))
-> s: north.s, south.s
-> w: north.v, .id, south.v, .id
-> rows: FILTER north.v, south.v
# railed: a list of folders of ORC, cached [code]
d = spark.read.format('orc').load([root + '/rail/orc/north', root + '/rail/orc/south']).where("s not in ('(', ']')").cache()
d.select('id', 'v').write.mode('overwrite').saveAsTable('rail.two_orc')
-> id: north.id, south.id
-> v: north.v, south.v
-> rows: FILTER north.s, south.s
-> to: two_orc
# railed: two zones of a partitioned folder [code]
frame = spark.read.option('basePath', root + '/rail/zones').parquet(root + '/rail/zones/zone=0', root + '/rail/zones/zone=1').where("s <> ','").select('zone', 'v')
-> zone: zones.zone
-> v: zones.v
-> rows: FILTER zones.s
# railed: a union of files [code]
spark.read.parquet(root + '/rail/north').union(spark.read.orc(root + '/rail/orc/south')).unionAll(spark.read.parquet(root + '/rail/east')).select('id', 's').write.mode('overwrite').saveAsTable('rail.united')
-> id: north.id, south.id, east.id
-> s: north.s, south.s, east.s
-> to: united
# railed: lines of two folders of text [code]
frame = spark.read.text([root + '/rail/text/north', root + '/rail/text/south']).where("value <> '('").selectExpr("split(value, '[(]')[0] AS w")
-> w: north.value, south.value
-> rows: FILTER north.value, south.value
# railed: two folders of Parquet, inserted [code]
spark.sql('CREATE TABLE rail.inserted (id BIGINT, w STRING) USING parquet')
spark.read.parquet(root + '/rail/south', root + '/rail/east').selectExpr('v AS id', "concat(s, ' [') AS w").write.insertInto('rail.inserted')
-> id: south.v, east.v
-> w: south.s, east.s
-> to: inserted
# railed: a folder by SQL, joined [code]
spark.sql("CREATE TABLE rail.by_sql USING parquet AS SELECT p.s, t.dest FROM parquet.`%s/rail/north` p JOIN rail.trips t ON p.id = t.trip_id WHERE p.v >= 0" % root)
-> s: north.s
-> dest: trips.dest
-> rows: JOIN north.id, trips.trip_id; FILTER north.v; MAY north.id, trips.trip_id
-> to: by_sql
# railed: a folder written from a join [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/joined' USING parquet SELECT w.owner, sum(t.fee) AS fees FROM rail.trips t JOIN rail.wagons w ON t.wagon_id = w.wagon_id WHERE w.class <> '(' GROUP BY w.owner" % root)
-> owner: wagons.owner
-> fees: trips.fee
-> rows: FILTER wagons.class; JOIN trips.wagon_id, wagons.wagon_id; GROUP_BY wagons.owner; MAY trips.wagon_id, wagons.wagon_id
-> to: joined
# railed: dynamic partitions by insertInto [code]
spark.sql('CREATE TABLE rail.fees_by_day (trip_id BIGINT, fee DOUBLE, country STRING, yr INT) USING parquet PARTITIONED BY (country, yr)')
spark.table('rail.trips').selectExpr('trip_id', 'fee * 1.2 AS f', "if(dest = 'bath (spa)', 'uk', origin) AS c", 'yr').write.insertInto('rail.fees_by_day', overwrite=True)
-> trip_id: trips.trip_id
-> fee: trips.fee
-> country: trips.origin; IF trips.dest
-> yr: trips.yr
-> to: fees_by_day
# railed: a static partition
INSERT OVERWRITE TABLE rail.fees_by_day PARTITION (country = 'de', yr) SELECT trip_id, fee, yr FROM rail.trips WHERE origin = 'a, (b' OR wk > 1
-> trip_id: trips.trip_id
-> fee: trips.fee
-> country: -
-> yr: trips.yr
-> rows: FILTER trips.origin, .wk
-> to: fees_by_day
# railed: a bucketed table by partitions
CREATE TABLE rail.bucketed USING parquet PARTITIONED BY (yr) CLUSTERED BY (wagon_id) SORTED BY (fee) INTO 2 BUCKETS AS SELECT trip_id, wagon_id, fee, yr FROM rail.trips WHERE note <> ')'
-> trip_id: trips.trip_id
-> wagon_id: trips.wagon_id
-> fee: trips.fee
-> yr: trips.yr
-> rows: FILTER trips.note
-> to: bucketed
# railed: a bucketed table joined with its kind
SELECT b.trip_id, w.owner FROM rail.bucketed b JOIN rail.wagons w ON b.wagon_id = w.wagon_id WHERE b.yr = 2022 AND w.remark LIKE 'a (%'
-> trip_id: bucketed.trip_id
-> owner: wagons.owner
-> rows: JOIN bucketed.wagon_id, wagons.wagon_id; FILTER bucketed.yr, wagons.remark; MAY bucketed.wagon_id, wagons.wagon_id
# railed: appended rows [code]
spark.table('rail.trips').selectExpr('origin AS place', 'fee AS weight').where("place not like '[%'").write.mode('append').insertInto('rail.places')
-> place: trips.origin
-> weight: trips.fee
-> rows: FILTER trips.origin
-> to: places
# railed: CSV by partitions [code]
spark.table('rail.trips').where('fee > 2').select('trip_id', 'note', 'yr').write.partitionBy('yr').mode('overwrite').option('header', True).csv(root + '/out/notes')
-> trip_id: trips.trip_id
-> note: trips.note
-> yr: trips.yr
-> rows: FILTER trips.fee
-> to: notes
# railed: nested common table expressions
CREATE TABLE rail.nested USING parquet AS WITH a AS (SELECT dest, fee, wagon_id FROM rail.trips WHERE note <> '(('), b AS (SELECT dest, max(fee) AS top FROM a GROUP BY dest) SELECT a.wagon_id, b.top - a.fee AS below FROM a JOIN b ON a.dest = b.dest
-> wagon_id: trips.wagon_id
-> below: trips.fee
-> rows: FILTER trips.note; GROUP_BY trips.dest; JOIN trips.dest; MAY trips.dest
-> to: nested
# railed: an outer lateral view with positions
SELECT w.wagon_id, p, a.load FROM rail.wagons w LATERAL VIEW OUTER posexplode(w.axles) t AS p, a WHERE w.class <> ']'
-> wagon_id: wagons.wagon_id
-> p: ?wagons.axles, ?wagons.axles.load
-> load: wagons.axles.load
-> rows: FILTER wagons.class; MAY wagons.axles
# railed: structs in line, grouped
CREATE TABLE rail.axle_loads USING parquet AS SELECT class, q, max(l) AS top FROM rail.wagons LATERAL VIEW inline(axles) t AS q, l WHERE l > 0.5 GROUP BY class, q
-> class: wagons.class
-> q: wagons.axles.pos
-> top: wagons.axles.load
-> rows: FILTER wagons.axles.load; GROUP_BY wagons.class, .axles.pos; MAY wagons.axles
-> to: axle_loads
# railed: maps and structs
SELECT wagon_id, labels['k (1)'] AS k, spec.len * 2 AS twice, axles[0].load AS first, map_keys(labels) AS keys FROM rail.wagons WHERE labels['x, y'] IS NULL
-> wagon_id: wagons.wagon_id
-> k: wagons.labels
-> twice: wagons.spec.len
-> first: wagons.axles.load
-> keys: wagons.labels
-> rows: FILTER wagons.labels
# railed: windows of several kinds
SELECT trip_id, sum(fee) OVER (PARTITION BY origin ORDER BY wk ROWS UNBOUNDED PRECEDING) AS running, last_value(note) OVER (PARTITION BY dest ORDER BY fee ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS note, percent_rank() OVER (ORDER BY tonnes) AS pr, lead(fee, 2, 0.0D) OVER (PARTITION BY wagon_id ORDER BY trip_id) AS next FROM rail.trips WHERE origin NOT IN ('(', ', [')
-> trip_id: trips.trip_id
-> running: trips.fee; WINDOW trips.origin, .wk
-> note: trips.note; WINDOW trips.dest, .fee
-> pr: -; WINDOW trips.tonnes
-> next: trips.fee; WINDOW trips.wagon_id, .trip_id
-> rows: FILTER trips.origin
# railed: a pivot by SQL
CREATE TABLE rail.pivoted USING parquet AS SELECT * FROM (SELECT dest, wk, fee, tonnes FROM rail.trips WHERE note <> '(') PIVOT (sum(fee) AS f, max(tonnes) AS t FOR wk IN (1 AS first, 2 AS second))
-> dest: trips.dest
-> first_f: trips.fee; IF trips.wk
-> first_t: trips.tonnes; IF trips.wk
-> second_f: trips.fee; IF trips.wk
-> second_t: trips.tonnes; IF trips.wk
-> rows: FILTER trips.note; GROUP_BY trips.dest; MAY trips.wk
-> to: pivoted
# railed: a cube
SELECT origin, dest, sum(fee) AS f, count(DISTINCT wagon_id) AS n FROM rail.trips WHERE yr = 2022 GROUP BY origin, dest WITH CUBE
-> origin: trips.origin
-> dest: trips.dest
-> f: trips.fee
-> n: trips.wagon_id
-> rows: FILTER trips.yr; GROUP_BY trips.origin, .dest; MAY trips.wagon_id
# railed: grouping sets, written
CREATE TABLE rail.sets USING orc AS SELECT coalesce(y.region, 'all (regions)') AS region, t.wk, sum(t.fee) AS f, grouping_id() AS g FROM rail.trips t JOIN rail.yards y ON t.dest = y.yard GROUP BY y.region, t.wk GROUPING SETS ((y.region, t.wk), (t.wk), ())
-> region: yards.region; IF yards.region
-> wk: trips.wk
-> f: trips.fee
-> g: -
-> rows: JOIN trips.dest, yards.yard; GROUP_BY yards.region, trips.wk; MAY trips.dest, yards.yard
-> to: sets
# railed: subqueries in a list and in a condition
CREATE TABLE rail.above USING parquet AS SELECT trip_id, fee - (SELECT avg(fee) FROM rail.trips WHERE note <> '[') AS over FROM rail.trips WHERE tonnes > (SELECT min(tare) FROM rail.wagons) AND dest IN (SELECT yard FROM rail.yards WHERE region = 'w (est)')
-> trip_id: trips.trip_id
-> over: trips.fee
-> rows: FILTER trips.tonnes, wagons.tare, yards.region; JOIN trips.dest, yards.yard; MAY trips.note
-> to: above
# railed: exists, and not exists
SELECT w.wagon_id, w.class FROM rail.wagons w WHERE EXISTS (SELECT 1 FROM rail.trips t WHERE t.wagon_id = w.wagon_id AND t.note <> '(') AND NOT EXISTS (SELECT 1 FROM rail.yards y WHERE y.boss = w.owner AND y.tracks > 3)
-> wagon_id: wagons.wagon_id
-> class: wagons.class
-> rows: JOIN wagons.wagon_id, .owner, trips.wagon_id, yards.boss; FILTER trips.note, yards.tracks
# railed: a correlated subquery in a condition
SELECT t.trip_id, t.dest FROM rail.trips t WHERE t.fee > (SELECT avg(u.fee) FROM rail.trips u WHERE u.dest = t.dest AND u.note <> ',')
-> trip_id: trips.trip_id
-> dest: trips.dest
-> rows: JOIN trips.dest, .fee; GROUP_BY trips.dest; MAY trips.note, .dest, .fee
# railed: an intersection and a difference
CREATE TABLE rail.known USING parquet AS SELECT origin AS yard FROM rail.trips WHERE fee > 1 INTERSECT SELECT yard FROM rail.yards WHERE boss <> '('
-> yard: trips.origin
-> rows: FILTER trips.fee, yards.boss; JOIN trips.origin, yards.yard; GROUP_BY ?trips.origin
-> to: known
# railed: a full join
CREATE TABLE rail.full_list USING parquet AS SELECT nvl(t.dest, y.yard) AS yard, t.n, y.boss FROM (SELECT dest, count(*) AS n FROM rail.trips GROUP BY dest) t FULL OUTER JOIN rail.yards y ON t.dest = y.yard
-> yard: trips.dest, yards.yard; IF trips.dest, yards.yard
-> n: -
-> boss: yards.boss
-> rows: GROUP_BY trips.dest; JOIN trips.dest, yards.yard
-> to: full_list
# railed: a cross join
SELECT y.yard, w.class FROM rail.yards y CROSS JOIN rail.wagons w WHERE y.score * 2 > w.tare OR w.remark = '('
-> yard: yards.yard
-> class: wagons.class
-> rows: JOIN yards.score, wagons.tare, .remark
# railed: aggregates of several kinds
CREATE TABLE rail.aggregates USING parquet AS SELECT region, collect_set(boss) AS bosses, percentile_approx(score, 0.5) AS median, first(yard, true) AS y, count(DISTINCT boss, tracks) AS n, sum(CASE WHEN boss = '(' THEN tracks ELSE 0 END) AS t, stddev(score) AS s FROM rail.yards GROUP BY region
-> region: yards.region
-> bosses: yards.boss
-> median: yards.score
-> y: yards.yard
-> n: yards.boss, .tracks
-> t: yards.tracks; IF yards.boss
-> s: yards.score
-> rows: GROUP_BY yards.region; MAY yards.boss, .tracks
-> to: aggregates
# railed: JSON in a column
CREATE TABLE rail.parsed USING parquet AS SELECT trip_id, get_json_object(note, '$.a[0].b') AS b, j.c0, j.c1 FROM rail.trips LATERAL VIEW json_tuple(note, 'p', 'q') j AS c0, c1 WHERE c0 <> '[('
-> trip_id: trips.trip_id
-> b: trips.note
-> c0: trips.note
-> c1: trips.note
-> rows: FILTER trips.note
-> to: parsed
# railed: a limit within a join
SELECT t.trip_id, y.region FROM (SELECT trip_id, dest FROM rail.trips ORDER BY fee DESC, trip_id LIMIT 10) t LEFT JOIN rail.yards y ON t.dest = y.yard
-> trip_id: trips.trip_id
-> region: yards.region
-> rows: SORT trips.fee, .trip_id; JOIN trips.dest, yards.yard; MAY yards.yard
# railed: a Hive table of text [hive]
CREATE TABLE rail.h_text (line_no BIGINT, wagon_class STRING, axle_weight DOUBLE, comment_of_clerk STRING, clerk STRING) PARTITIONED BY (ds STRING, depot STRING) ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE
# railed: a static partition of Hive [hive]
INSERT OVERWRITE TABLE rail.h_text PARTITION (ds = '2022-01-01', depot = 'york (1)') SELECT trip_id, origin, tonnes / 2, concat(note, ', ('), 'x [y' FROM rail.trips WHERE fee > 1 AND note <> '['
-> line_no: trips.trip_id
-> wagon_class: trips.origin
-> axle_weight: trips.tonnes
-> comment_of_clerk: trips.note
-> clerk: -
-> ds: -
-> depot: -
-> rows: FILTER trips.fee, .note
-> to: h_text
# railed: dynamic partitions of Hive [code] [hive]
spark.sql('SET hive.exec.dynamic.partition.mode=nonstrict')
spark.sql("INSERT INTO TABLE rail.h_text PARTITION (ds, depot) SELECT wagon_id, class, tare, remark, owner, cast(built AS STRING), spec.gauge FROM rail.wagons WHERE owner <> ')'")
-> line_no: wagons.wagon_id
-> wagon_class: wagons.class
-> axle_weight: wagons.tare
-> comment_of_clerk: wagons.remark
-> clerk: wagons.owner
-> ds: wagons.built
-> depot: wagons.spec.gauge
-> rows: FILTER wagons.owner
-> to: h_text
# railed: a Hive table of text with a long filter [hive]
SELECT line_no, clerk, depot FROM rail.h_text WHERE ds >= '2021-12-01' AND ds < '2023-01-01' AND depot NOT IN ('a', 'b (c', ', d', '[e]') AND comment_of_clerk <> 'late, (paid)' AND axle_weight > 0.25 AND wagon_class LIKE '%y%' AND clerk IS NOT NULL
-> line_no: h_text.line_no
-> clerk: h_text.clerk
-> depot: h_text.depot
-> rows: FILTER h_text.ds, .depot, .comment_of_clerk, .axle_weight, .wagon_class, .clerk
# railed: a Hive table of ORC from a Hive table [hive]
CREATE TABLE rail.h_orc STORED AS ORC AS SELECT depot, wagon_class, sum(axle_weight) AS weight FROM rail.h_text WHERE comment_of_clerk NOT LIKE '%]%' GROUP BY depot, wagon_class
-> depot: h_text.depot
-> wagon_class: h_text.wagon_class
-> weight: h_text.axle_weight
-> rows: FILTER h_text.comment_of_clerk; GROUP_BY h_text.depot, .wagon_class
-> to: h_orc
# railed: a cached join of Hive tables [code] [hive]
d = spark.table('rail.h_text').where("clerk <> '(' and ds > '2000'").join(spark.table('rail.h_orc'), ['depot', 'wagon_class']).cache()
d.groupBy('clerk').agg(F.max('weight').alias('w'), F.sum('axle_weight').alias('a')).write.mode('overwrite').saveAsTable('rail.clerks')
-> clerk: h_text.clerk
-> w: h_orc.weight
-> a: h_text.axle_weight
-> rows: FILTER h_text.clerk, .ds; JOIN h_text.depot, .wagon_class, h_orc.depot, .wagon_class; GROUP_BY h_text.clerk; MAY h_text.depot, .wagon_class, h_orc.depot, .wagon_class
-> to: clerks
# railed: a wide Hive table of Parquet [code] [hive]
spark.sql('CREATE TABLE rail.h_wide (' + ', '.join(f'measure_of_day_{n} DOUBLE' for n in range(1, 51)) + ', place STRING) STORED AS PARQUET')
spark.table('rail.gauges').selectExpr(*[f'cast(m{n} AS DOUBLE) AS m{n}' for n in range(1, 51)], 'label').where("label <> '['").write.insertInto('rail.h_wide')
-> measure_of_day_{1..50}: gauges.m{}
-> place: gauges.label
-> rows: FILTER gauges.label
-> to: h_wide
# railed: a cached wide Hive table, grouped [code] [hive]
spark.table('rail.h_wide').where("place <> '(' and measure_of_day_48 > 0").cache().groupBy('place').agg(*[F.max(f'measure_of_day_{n}').alias(f'x{n}') for n in (3, 30, 49)]).write.mode('overwrite').saveAsTable('rail.h_wide_max')
-> place: h_wide.place
-> x3: h_wide.measure_of_day_3
-> x30: h_wide.measure_of_day_30
-> x49: h_wide.measure_of_day_49
-> rows: FILTER h_wide.place, .measure_of_day_48; GROUP_BY h_wide.place
-> to: h_wide_max
# railed: a wide Hive table copied to text [hive]
CREATE TABLE rail.h_wide_text STORED AS TEXTFILE AS SELECT * FROM rail.h_wide WHERE measure_of_day_2 >= 0
-> = h_wide: measure_of_day_{1..50}, place
-> rows: FILTER h_wide.measure_of_day_2
-> to: h_wide_text
# railed: a wide Hive table of text, read [hive]
SELECT measure_of_day_50 - measure_of_day_1 AS d, place FROM rail.h_wide_text WHERE measure_of_day_33 <> 4
-> d: h_wide_text.measure_of_day_50, .measure_of_day_1
-> place: h_wide_text.place
-> rows: FILTER h_wide_text.measure_of_day_33
# railed: a file for Hive, loaded [code] [hive]
with open(root + '/yards.txt', 'w') as file:
    file.write('york|(north\n')
spark.sql("CREATE TABLE rail.h_loaded (yard STRING, area STRING) ROW FORMAT DELIMITED FIELDS TERMINATED BY '|'")
spark.sql("LOAD DATA LOCAL INPATH '%s/yards.txt' INTO TABLE rail.h_loaded" % root)
# railed: a table of a loaded file [hive]
CREATE TABLE rail.loaded USING parquet AS SELECT upper(yard) AS y, area FROM rail.h_loaded WHERE area <> '('
-> y: h_loaded.yard
-> area: h_loaded.area
-> rows: FILTER h_loaded.area
-> to: loaded
# railed: a folder written by Hive [code] [hive]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/h_folder' ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' SELECT depot, weight * 2 AS w FROM rail.h_orc WHERE wagon_class <> '(a'" % root)
-> depot: h_orc.depot
-> w: h_orc.weight
-> rows: FILTER h_orc.wagon_class
-> to: h_folder
# railed: a lateral view of a stored view of Hive [code] [hive]
spark.sql("CREATE VIEW rail.h_view AS SELECT clerk, comment_of_clerk AS c, ds FROM rail.h_text WHERE depot <> ']'")
spark.sql("CREATE TABLE rail.h_words STORED AS PARQUET AS SELECT clerk, w, count(*) AS n FROM rail.h_view LATERAL VIEW explode(split(c, ', [(]')) t AS w WHERE ds = '2022-01-01' GROUP BY clerk, w")
-> clerk: h_text.clerk
-> w: h_text.comment_of_clerk
-> n: -
-> rows: FILTER h_text.depot, .ds; GROUP_BY h_text.clerk, .comment_of_clerk; MAY h_text.comment_of_clerk
-> to: h_words
# railed: a bucketed Hive table [code] [hive]
spark.sql('CREATE TABLE rail.h_buckets (dest STRING, fee DOUBLE) STORED AS ORC')
spark.table('rail.trips').where("note <> 'a)' and wk < 50").groupBy('dest').agg(F.sum('fee')).write.insertInto('rail.h_buckets', overwrite=True)
-> dest: trips.dest
-> fee: trips.fee
-> rows: FILTER trips.note, .wk; GROUP_BY trips.dest
-> to: h_buckets
# railed: Hive tables of two kinds united [hive]
SELECT depot AS d, weight AS w FROM rail.h_orc WHERE weight > 1 UNION ALL SELECT dest, fee FROM rail.h_buckets WHERE dest <> '('
-> d: h_orc.depot, h_buckets.dest
-> w: h_orc.weight, h_buckets.fee
-> rows: FILTER h_orc.weight, h_buckets.dest
