# insured: a database
CREATE DATABASE IF NOT EXISTS ins
# insured: claims
CREATE TABLE ins.claims (claim_id BIGINT, policy_id BIGINT, kind STRING, paid DOUBLE, reserve DOUBLE, deductible DOUBLE, adjuster STRING, comment STRING, reported TIMESTAMP, tags ARRAY<STRING>, place STRUCT<city: STRING, zip: STRING>, year INT, month INT) USING parquet PARTITIONED BY (year, month)
# insured: policies
CREATE TABLE ins.policies (policy_id BIGINT, holder_id BIGINT, product STRING, premium DOUBLE, start DATE, ends DATE, broker STRING) USING orc
# insured: holders
CREATE TABLE ins.holders (holder_id BIGINT, name STRING, mail STRING, birth DATE, region STRING) USING json
# insured: rows of claims
INSERT INTO ins.claims VALUES (1, 10, 'fire', 5.0, 7.0, 1.0, 'ann', 'a, b', NULL, array('x'), named_struct('city', 'c', 'zip', 'z'), 2021, 3), (2, 11, 'water', 6.0, 7.5, 0.0, 'bob', 'b AS c', NULL, array('y', 'z'), named_struct('city', 'd', 'zip', 'y'), 2021, 4)
# insured: rows of policies
INSERT INTO ins.policies VALUES (10, 100, 'home', 12.0, NULL, NULL, 'b1'), (11, 101, 'car', 13.0, NULL, NULL, 'b2')
# insured: rows of holders
INSERT INTO ins.holders VALUES (100, 'n', 'm', NULL, 'north'), (101, 'o', 'p', NULL, 'south')
# insured: a wide table [code]
spark.range(3).selectExpr('id AS risk_id', *[f'id * {n} AS risk_indicator_value_{n}' for n in range(1, 51)], "'x' AS last_note").write.mode('overwrite').saveAsTable('ins.risks')
# insured: a wide table with partitions [code]
spark.range(3).selectExpr('id AS risk_id', *[f'id * {n} AS f{n}' for n in range(1, 46)], 'id % 2 AS part').write.partitionBy('part').mode('overwrite').format('orc').saveAsTable('ins.features')
# insured: files [code]
for folder in ('north/2020', 'north/2021', 'south/2020', 'plain_a', 'plain_b', 'plain_c'):
    spark.range(3).selectExpr('id', 'id * 2 AS sum_insured', 'cast(id AS STRING) AS remark').write.mode('overwrite').parquet(root + '/lake/' + folder)
    spark.range(3).selectExpr('id', 'id * 2 AS sum_insured', 'cast(id AS STRING) AS remark').write.mode('overwrite').json(root + '/lake/json/' + folder)
    spark.range(3).selectExpr('id', 'id * 2 AS sum_insured', 'cast(id AS STRING) AS remark').write.mode('overwrite').option('header', True).csv(root + '/lake/csv/' + folder)
spark.range(6).selectExpr('id', 'id * 2 AS v', 'cast(id AS STRING) AS s', 'id % 2 AS y', 'id % 3 AS m').write.partitionBy('y', 'm').mode('overwrite').parquet(root + '/lake/by_month')
spark.range(3).selectExpr('id', *[f'id * {n} AS wide_measure_{n}' for n in range(1, 71)]).write.mode('overwrite').parquet(root + '/lake/measures')
spark.range(3).selectExpr('id', *[f'id * {n} AS wide_measure_{n}' for n in range(1, 71)]).write.mode('overwrite').parquet(root + '/lake/measures_more')
# insured: cached open claims [code]
d = spark.table('ins.claims').where("kind <> 'fire (total, loss)' and paid > 0 and reserve >= paid and comment <> 'x AS y'").select('claim_id', 'policy_id', 'paid', 'reserve').cache()
d.groupBy('policy_id').agg(F.sum('paid').alias('paid'), F.max(F.expr('reserve - paid')).alias('open')).write.mode('overwrite').saveAsTable('ins.open_claims')
-> policy_id: claims.policy_id
-> paid: claims.paid
-> open: claims.reserve, .paid
-> rows: FILTER claims.kind, .paid, .reserve, .comment; GROUP_BY claims.policy_id
-> to: open_claims
# insured: cached with a literal of commas and AS [code]
frame = spark.table('ins.claims').selectExpr('claim_id', "concat(comment, ', x AS y, (', adjuster) AS line", "regexp_replace(kind, '[(,]', ' AS ') AS k").cache().where("line <> 'a, b AS c' and k <> '['").select('line', 'k')
-> line: claims.comment, .adjuster
-> k: claims.kind
-> rows: FILTER claims.comment, .adjuster, .kind
# insured: a cache of a join, read twice [code]
d = spark.table('ins.claims').join(spark.table('ins.policies'), 'policy_id').where("product <> 'car (old)'").select('claim_id', 'product', 'paid', 'premium').cache()
a = d.groupBy('product').agg(F.sum('paid').alias('total'))
a.join(d.groupBy('product').agg(F.avg('premium').alias('mean')), 'product').write.mode('overwrite').parquet(root + '/out/product_totals')
-> product: policies.product
-> total: claims.paid
-> mean: policies.premium
-> rows: JOIN claims.policy_id, policies.policy_id, policies.product; FILTER policies.product; GROUP_BY policies.product; MAY claims.policy_id, policies.policy_id, policies.product
-> to: product_totals
# insured: a cache of a cache of a cache [code]
one = spark.table('ins.claims').where("adjuster <> '(' and paid > 1 and reserve > 2 and deductible >= 0").cache()
two = one.selectExpr('policy_id', 'paid * 1.1 AS p', "CASE WHEN kind = 'a[' THEN adjuster ELSE comment END AS who").cache()
three = two.groupBy('policy_id').agg(F.sum('p').alias('p'), F.max('who').alias('who')).cache()
three.where('p > 3').write.mode('overwrite').saveAsTable('ins.three_caches')
-> policy_id: claims.policy_id
-> p: claims.paid
-> who: claims.adjuster, .comment; IF claims.kind
-> rows: FILTER claims.adjuster, .paid, .reserve, .deductible; GROUP_BY claims.policy_id
-> to: three_caches
# insured: a cache joined with itself by months [code]
d = spark.table('ins.claims').where("year = 2021 and comment not like '%]%'").groupBy('policy_id', 'month').agg(F.sum('paid').alias('paid')).cache()
frame = d.alias('a').join(d.alias('b'), F.expr('a.policy_id = b.policy_id and a.month = b.month + 1'), 'left').selectExpr('a.policy_id', 'a.paid - b.paid AS change')
-> policy_id: claims.policy_id
-> change: claims.paid
-> rows: FILTER claims.year, .comment; GROUP_BY claims.policy_id, .month; JOIN claims.policy_id, .month; MAY claims.policy_id, .month
# insured: a cached view of a view [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW v_claims AS SELECT claim_id, policy_id, paid - deductible AS net, kind FROM ins.claims WHERE comment NOT LIKE '%(%' AND paid > 0")
spark.sql("CREATE OR REPLACE TEMPORARY VIEW v_big AS SELECT policy_id AS pid, net, kind FROM v_claims WHERE net > 100")
spark.sql("CACHE TABLE v_big")
spark.sql("CREATE TABLE ins.big_by_kind USING parquet AS SELECT kind, sum(net) AS net, count(DISTINCT pid) AS n FROM v_big GROUP BY kind")
-> kind: claims.kind
-> net: claims.paid, .deductible
-> n: claims.policy_id
-> rows: FILTER claims.comment, .paid, .deductible; GROUP_BY claims.kind
-> to: big_by_kind
# insured: a query of a cached view of a view
SELECT b.pid, p.broker, b.net FROM v_big b JOIN ins.policies p ON b.pid = p.policy_id WHERE p.product IN ('home, flat', 'car')
-> pid: claims.policy_id
-> broker: policies.broker
-> net: claims.paid, .deductible
-> rows: FILTER claims.comment, .paid, .deductible, policies.product; JOIN claims.policy_id, policies.policy_id; MAY claims.policy_id, policies.policy_id
# insured: a view of three views [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW w1 AS SELECT policy_id, premium * 12 AS yearly, broker FROM ins.policies WHERE product <> 'x'")
spark.sql("CREATE OR REPLACE TEMPORARY VIEW w2 AS SELECT policy_id, sum(paid) AS paid FROM ins.claims GROUP BY policy_id")
spark.sql("CREATE OR REPLACE TEMPORARY VIEW w3 AS SELECT w1.policy_id, paid / yearly AS ratio, broker FROM w1 LEFT JOIN w2 ON w1.policy_id = w2.policy_id")
spark.sql("CREATE TABLE ins.ratios USING parquet AS SELECT broker, avg(ratio) AS ratio FROM w3 GROUP BY broker")
-> broker: policies.broker
-> ratio: claims.paid, policies.premium
-> rows: FILTER policies.product; GROUP_BY claims.policy_id, policies.broker; JOIN policies.policy_id, claims.policy_id; MAY claims.policy_id
-> to: ratios
# insured: a folder written from a view of views [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_ratios' USING parquet SELECT broker AS b, ratio * 100 AS pct FROM w3 WHERE ratio > 0.5" % root)
-> b: policies.broker
-> pct: claims.paid, policies.premium
-> rows: FILTER policies.product, ?claims.paid, ?policies.premium; GROUP_BY claims.policy_id; JOIN policies.policy_id, claims.policy_id, ?claims.paid; MAY claims.policy_id
-> to: dir_ratios
# insured: stored views of views
CREATE VIEW ins.sv1 AS SELECT claim_id, policy_id, paid + reserve AS incurred, adjuster FROM ins.claims WHERE kind <> 'closed [old]'
# insured: a stored view of a stored view
CREATE VIEW ins.sv2 (pid, who, incurred) AS SELECT policy_id, upper(adjuster) AS u, incurred FROM ins.sv1 WHERE incurred > 10
# insured: a stored view of a stored view of a stored view
CREATE VIEW ins.sv3 AS SELECT who, sum(incurred) AS total FROM ins.sv2 GROUP BY who
# insured: a table of a view of a view of a view
CREATE TABLE ins.of_sv3 USING parquet AS SELECT who, total FROM ins.sv3 WHERE total > 1
-> who: claims.adjuster
-> total: claims.paid, .reserve
-> rows: FILTER claims.kind, .paid, .reserve; GROUP_BY claims.adjuster
-> to: of_sv3
# insured: an insert from a view with other names
INSERT INTO ins.of_sv3 SELECT s.who, s.incurred FROM ins.sv2 s JOIN ins.holders h ON s.pid = h.holder_id WHERE h.region = 'a, b'
-> who: claims.adjuster
-> total: claims.paid, .reserve
-> rows: FILTER claims.kind, .paid, .reserve, holders.region; JOIN claims.policy_id, holders.holder_id; MAY claims.policy_id, holders.holder_id
-> to: of_sv3
# insured: a view over files [code]
spark.read.parquet(root + '/lake/by_month').createOrReplaceTempView('by_month')
spark.sql("CREATE OR REPLACE TEMPORARY VIEW by_year AS SELECT y, sum(v) AS total, max(s) AS last FROM by_month WHERE s <> '(, AS' GROUP BY y")
spark.sql("CREATE TABLE ins.years USING parquet AS SELECT y, total / 2 AS half, last FROM by_year")
-> y: by_month.y
-> half: by_month.v
-> last: by_month.s
-> rows: FILTER by_month.s; GROUP_BY by_month.y
-> to: years
# insured: a view over files by SQL [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW measured USING parquet OPTIONS (path '%s/lake/measures')" % root)
frame = spark.sql('SELECT wide_measure_70, wide_measure_1 + wide_measure_35 AS s FROM measured WHERE wide_measure_60 > 2')
-> wide_measure_70: measures.wide_measure_70
-> s: measures.wide_measure_1, .wide_measure_35
-> rows: FILTER measures.wide_measure_60
# insured: files by SQL [code]
frame = spark.sql("SELECT id, sum_insured FROM parquet.`%s/lake/plain_a` WHERE remark <> 'a, b)'" % root)
-> id: plain_a.id
-> sum_insured: plain_a.sum_insured
-> rows: FILTER plain_a.remark
# insured: a wide table with all of its columns doubled [code]
spark.table('ins.risks').selectExpr('risk_id', *[f'risk_indicator_value_{n} * 2 AS d{n}' for n in range(1, 31)]).write.mode('overwrite').saveAsTable('ins.doubled')
-> risk_id: risks.risk_id
-> d{1..30}: risks.risk_indicator_value_{}
-> to: doubled
# insured: a wide table, cached and aggregated [code]
d = spark.table('ins.risks').where("risk_indicator_value_2 > 0 and last_note <> '[x, y'").cache()
d.groupBy('last_note').agg(F.sum('risk_indicator_value_49').alias('a'), F.avg('risk_indicator_value_50').alias('b')).write.mode('overwrite').saveAsTable('ins.risk_sums')
-> last_note: risks.last_note
-> a: risks.risk_indicator_value_49
-> b: risks.risk_indicator_value_50
-> rows: FILTER risks.risk_indicator_value_2, .last_note; GROUP_BY risks.last_note
-> to: risk_sums
# insured: a wide table joined with a wide table
SELECT r.risk_indicator_value_50 AS v50, f.f45, r.last_note FROM ins.risks r JOIN ins.features f ON r.risk_id = f.risk_id AND f.part = 1 WHERE f.f44 > 2 AND r.risk_indicator_value_48 < 1000
-> v50: risks.risk_indicator_value_50
-> f45: features.f45
-> last_note: risks.last_note
-> rows: JOIN risks.risk_id, features.risk_id; FILTER features.f44, features.part, risks.risk_indicator_value_48; MAY risks.risk_id, features.risk_id
# insured: a wide table of partitions
SELECT part, max(f45) AS m, min(f1) AS n FROM ins.features WHERE part = 1 GROUP BY part
-> part: features.part
-> m: features.f45
-> n: features.f1
-> rows: FILTER features.part; GROUP_BY features.part
# insured: a wide table of partitions, whole
SELECT * FROM ins.features WHERE f40 > 0
-> = features: risk_id, f{1..45}, part
-> rows: FILTER features.f40
# insured: a wide table, written to its kind [code]
spark.table('ins.features').where('part = 0').drop('part').write.mode('overwrite').parquet(root + '/out/features_zero')
-> = features: risk_id, f{1..45}
-> rows: FILTER features.part
-> to: features_zero
# insured: a wide window [code]
frame = spark.table('ins.risks').selectExpr('risk_id', 'row_number() OVER (PARTITION BY last_note ORDER BY risk_indicator_value_45 DESC) AS rn', 'risk_indicator_value_46 AS v').where('rn = 1').select('risk_id', 'v')
-> risk_id: risks.risk_id
-> v: risks.risk_indicator_value_46
-> rows: FILTER risks.last_note, .risk_indicator_value_45; MAY risks.last_note, .risk_indicator_value_45
# insured: a wide view of files, spread [code]
spark.read.parquet(root + '/lake/measures').selectExpr('*', 'wide_measure_70 - wide_measure_69 AS spread').createOrReplaceTempView('v_spreads')
spark.sql('CREATE TABLE ins.spreads USING parquet AS SELECT id, spread, wide_measure_2 FROM v_spreads WHERE spread > 0')
-> id: measures.id
-> spread: measures.wide_measure_70, .wide_measure_69
-> wide_measure_2: measures.wide_measure_2
-> rows: FILTER measures.wide_measure_70, .wide_measure_69
-> to: spreads
# insured: wide files of two folders [code]
frame = spark.read.parquet(root + '/lake/measures', root + '/lake/measures_more').where('wide_measure_68 > 1').selectExpr('wide_measure_70 AS a', 'wide_measure_1 AS b')
-> a: measures.wide_measure_70, measures_more.wide_measure_70
-> b: measures.wide_measure_1, measures_more.wide_measure_1
-> rows: FILTER measures.wide_measure_68, measures_more.wide_measure_68
# insured: wide files united [code]
spark.read.parquet(root + '/lake/measures').select('id', 'wide_measure_66').union(spark.read.parquet(root + '/lake/measures_more').select('id', 'wide_measure_67')).write.mode('overwrite').json(root + '/out/measures_united')
-> id: measures.id, measures_more.id
-> wide_measure_66: measures.wide_measure_66, measures_more.wide_measure_67
-> to: measures_united
# insured: a long filter of ORs
SELECT claim_id, paid FROM ins.claims WHERE (kind = 'fire, total' OR kind LIKE '%(water)%') AND (adjuster IS NULL OR adjuster <> 'ann AS bob') AND paid + reserve > deductible * 2 AND length(comment) > 3 AND reported IS NULL AND size(tags) > 0
-> claim_id: claims.claim_id
-> paid: claims.paid
-> rows: FILTER claims.kind, .adjuster, .paid, .reserve, .deductible, .comment, .reported, .tags
# insured: a long filter on a partition
SELECT claim_id FROM ins.claims WHERE year IN (2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026) AND month BETWEEN 1 AND 12 AND kind IN ('fire (a)', 'water [b]', 'storm, hail', 'theft', 'glass', 'liability AS such', 'other', 'unknown', 'legal', 'animal', 'traffic', 'travel')
-> claim_id: claims.claim_id
-> rows: FILTER claims.year, .month, .kind
# insured: a long filter of a cache, grouped [code]
d = spark.table('ins.claims').where(' or '.join(f"(kind = 'k{n}, (' and paid > {n})" for n in range(12))).cache()
d.groupBy('adjuster').agg(F.count('claim_id').alias('n')).write.mode('overwrite').saveAsTable('ins.per_adjuster')
-> adjuster: claims.adjuster
-> n: claims.claim_id
-> rows: FILTER claims.kind, .paid; GROUP_BY claims.adjuster
-> to: per_adjuster
# insured: literals with AS and commas
SELECT concat(kind, ' AS ', comment) AS a, concat_ws(', ', adjuster, 'x AS y#1') AS b, CASE comment WHEN 'a, b' THEN paid WHEN '(c' THEN reserve END AS c FROM ins.claims WHERE comment <> 'p AS q#2L, r'
-> a: claims.kind, .comment
-> b: claims.adjuster
-> c: claims.paid, .reserve; IF claims.comment
-> rows: FILTER claims.comment
# insured: odd names of columns [code]
spark.table('ins.claims').selectExpr('claim_id AS `id, no`', 'paid AS `paid (EUR)`', 'reserve - paid AS `open [k]`', 'comment AS `x AS y`').write.mode('overwrite').json(root + '/out/odd_names')
-> id%2C no: claims.claim_id
-> paid (EUR): claims.paid
-> open [k]: claims.reserve, .paid
-> x AS y: claims.comment
-> to: odd_names
# insured: odd names, cached and read [code]
d = spark.read.schema('`id, no` BIGINT, `paid (EUR)` DOUBLE, `open [k]` DOUBLE, `x AS y` STRING').json(root + '/out/odd_names').where("`paid (EUR)` > 1 and `x AS y` <> '('").cache()
d.selectExpr('`id, no` AS id', '`open [k]` + `paid (EUR)` AS total').write.mode('overwrite').saveAsTable('ins.from_odd')
-> id: odd_names.id%2C no
-> total: odd_names.open [k], .paid (EUR)
-> rows: FILTER odd_names.paid (EUR), .x AS y
-> to: from_odd
# insured: a table of unnamed columns [code]
spark.conf.set('spark.sql.legacy.allowNonEmptyLocationInCTAS', 'true')
spark.table('ins.claims').groupBy('kind').agg(F.expr('sum(paid)'), F.expr('max(CAST(reserve AS INT))')).write.mode('overwrite').format('json').saveAsTable('ins.no_aliases')
-> kind: claims.kind
-> sum(paid): claims.paid
-> max(CAST(reserve AS INT)): claims.reserve
-> rows: GROUP_BY claims.kind
-> to: no_aliases
# insured: two folders of Parquet [code]
spark.read.parquet(root + '/lake/plain_a', root + '/lake/plain_c').where("remark <> ', ['").groupBy('remark').agg(F.sum('sum_insured').alias('s')).write.mode('overwrite').saveAsTable('ins.two_folders')
-> remark: plain_a.remark, plain_c.remark
-> s: plain_a.sum_insured, plain_c.sum_insured
-> rows: FILTER plain_a.remark, plain_c.remark; GROUP_BY plain_a.remark, plain_c.remark
-> to: two_folders
# insured: three folders of JSON [code]
frame = spark.read.schema('id BIGINT, sum_insured BIGINT, remark STRING').json([root + '/lake/json/plain_a', root + '/lake/json/plain_b', root + '/lake/json/plain_c']).select('id', 'remark')
-> id: plain_a.id, plain_b.id, plain_c.id
-> remark: plain_a.remark, plain_b.remark, plain_c.remark
# insured: three folders of CSV, cached [code]
d = spark.read.option('header', True).schema('id BIGINT, sum_insured BIGINT, remark STRING').csv([root + '/lake/csv/plain_a', root + '/lake/csv/plain_b', root + '/lake/csv/plain_c']).where("remark <> '(' or id > 3").cache()
d.groupBy('id').agg(F.max('sum_insured').alias('m')).write.mode('overwrite').parquet(root + '/out/csv_three')
-> id: plain_a.id, plain_b.id, plain_c.id
-> m: plain_a.sum_insured, plain_b.sum_insured, plain_c.sum_insured
-> rows: FILTER plain_a.remark, plain_b.remark, plain_c.remark, plain_a.id, plain_b.id, plain_c.id; GROUP_BY plain_a.id, plain_b.id, plain_c.id
-> to: csv_three
# insured: several paths by load [code]
spark.read.format('parquet').load([root + '/lake/plain_b', root + '/lake/plain_c']).join(spark.table('ins.policies'), F.expr('id = policy_id')).selectExpr('broker', 'sum_insured').write.mode('overwrite').orc(root + '/out/insured_by')
-> broker: policies.broker
-> sum_insured: plain_b.sum_insured, plain_c.sum_insured
-> rows: JOIN plain_b.id, plain_c.id, policies.policy_id; MAY plain_b.id, plain_c.id, policies.policy_id
-> to: insured_by
# insured: alternatives in a path [code]
frame = spark.read.parquet(root + '/lake/{plain_a,plain_b}').selectExpr('id', 'sum_insured + 1 AS s')
-> id: plain_a.id, plain_b.id
-> s: plain_a.sum_insured, plain_b.sum_insured
# insured: several paths inserted [code]
spark.sql('CREATE TABLE ins.landing (a BIGINT, b STRING) USING parquet')
spark.read.parquet(root + '/lake/plain_a', root + '/lake/plain_b').select('sum_insured', 'remark').write.insertInto('ins.landing')
-> a: plain_a.sum_insured, plain_b.sum_insured
-> b: plain_a.remark, plain_b.remark
-> to: landing
# insured: months of a folder [code]
frame = spark.read.option('basePath', root + '/lake/by_month').parquet(root + '/lake/by_month/y=0/m=0', root + '/lake/by_month/y=1/m=1').selectExpr('y', 'm', 'v * 2 AS v2')
-> y: by_month.y
-> m: by_month.m
-> v2: by_month.v
# insured: a month of a folder without its base [code]
frame = spark.read.parquet(root + '/lake/by_month/y=0/m=0').where("s <> '[' and v > 0").select('id', 'v')
-> id: by_month.id
-> v: by_month.v
-> rows: FILTER by_month.s, .v
# insured: a partitioned folder with conditions on partitions [code]
spark.read.parquet(root + '/lake/by_month').where("y = 1 and m in (0, 1) and s <> 'a, ('").groupBy('y', 'm').agg(F.avg('v').alias('mean')).write.partitionBy('y').mode('overwrite').parquet(root + '/out/month_means')
-> y: by_month.y
-> m: by_month.m
-> mean: by_month.v
-> rows: FILTER by_month.y, .m, .s; GROUP_BY by_month.y, .m
-> to: month_means
# insured: a partitioned folder by wildcard [code]
frame = spark.read.parquet(root + '/lake/by_month/y=*/m=1').select('id', 'v')
-> id: by_month.id
-> v: by_month.v
# insured: a Hive table of text [hive]
CREATE TABLE ins.ledger (entry_id BIGINT, policy_id BIGINT, booked_amount DOUBLE, reversed_amount DOUBLE, booking_text STRING, currency_of_booking STRING, cost_center_code STRING) PARTITIONED BY (booking_year STRING, booking_month STRING) STORED AS TEXTFILE
# insured: an insert into a static partition of Hive [hive]
INSERT INTO TABLE ins.ledger PARTITION (booking_year = '2021', booking_month = '03') SELECT claim_id, policy_id, paid, reserve - paid, concat(comment, ' ('), 'EUR', upper(adjuster) FROM ins.claims WHERE kind <> 'a, ['
-> entry_id: claims.claim_id
-> policy_id: claims.policy_id
-> booked_amount: claims.paid
-> reversed_amount: claims.reserve, .paid
-> booking_text: claims.comment
-> currency_of_booking: -
-> cost_center_code: claims.adjuster
-> booking_year: -
-> booking_month: -
-> rows: FILTER claims.kind
-> to: ledger
# insured: a cached Hive table, grouped [code] [hive]
spark.table('ins.ledger').where("booking_text <> '(' and booking_year = '2021'").cache().groupBy('cost_center_code').agg(F.sum(F.expr('booked_amount - reversed_amount')).alias('net')).write.mode('overwrite').saveAsTable('ins.cost_centers')
-> cost_center_code: ledger.cost_center_code
-> net: ledger.booked_amount, .reversed_amount
-> rows: FILTER ledger.booking_text, .booking_year; GROUP_BY ledger.cost_center_code
-> to: cost_centers
# insured: a Hive table read by month [hive]
SELECT entry_id, booking_month, booked_amount FROM ins.ledger WHERE booking_year = '2021' AND booking_month IN ('03', '04') AND booking_text LIKE '%, (%'
-> entry_id: ledger.entry_id
-> booking_month: ledger.booking_month
-> booked_amount: ledger.booked_amount
-> rows: FILTER ledger.booking_year, .booking_month, .booking_text
# insured: a Hive table joined with a table [hive]
SELECT l.currency_of_booking AS currency, p.product, sum(l.booked_amount) AS s FROM ins.ledger l LEFT JOIN ins.policies p ON l.policy_id = p.policy_id GROUP BY l.currency_of_booking, p.product
-> currency: ledger.currency_of_booking
-> product: policies.product
-> s: ledger.booked_amount
-> rows: JOIN ledger.policy_id, policies.policy_id; GROUP_BY ledger.currency_of_booking, policies.product; MAY policies.policy_id
# insured: a Hive table into dynamic partitions [code] [hive]
spark.conf.set('hive.exec.dynamic.partition.mode', 'nonstrict')
spark.sql('CREATE TABLE ins.bookings (entry_id BIGINT, net DOUBLE) PARTITIONED BY (currency STRING) STORED AS PARQUET')
spark.sql("INSERT OVERWRITE TABLE ins.bookings PARTITION (currency) SELECT entry_id, booked_amount - reversed_amount, currency_of_booking FROM ins.ledger WHERE booking_text <> ']'")
-> entry_id: ledger.entry_id
-> net: ledger.booked_amount, .reversed_amount
-> currency: ledger.currency_of_booking
-> rows: FILTER ledger.booking_text
-> to: bookings
# insured: a Hive table of ORC made of a query [hive]
CREATE TABLE ins.top_bookings STORED AS ORC AS SELECT currency, max(net) AS top, count(1) AS n FROM ins.bookings WHERE net > 0 GROUP BY currency
-> currency: bookings.currency
-> top: bookings.net
-> n: -
-> rows: FILTER bookings.net; GROUP_BY bookings.currency
-> to: top_bookings
# insured: a wide Hive table of text [code] [hive]
spark.sql('CREATE TABLE ins.wide_text (%s) PARTITIONED BY (ds STRING) STORED AS TEXTFILE' % ', '.join(f'attribute_number_{n} STRING' for n in range(1, 36)))
# insured: a wide Hive table filled [code] [hive]
spark.sql("INSERT OVERWRITE TABLE ins.wide_text PARTITION (ds = '1') SELECT %s FROM ins.risks" % ', '.join(f'cast(risk_indicator_value_{n} AS STRING)' for n in range(1, 36)))
-> attribute_number_{1..35}: risks.risk_indicator_value_{}
-> ds: -
-> to: wide_text
# insured: a wide Hive table, cached [code] [hive]
spark.table('ins.wide_text').where("attribute_number_34 <> '(' and attribute_number_1 <> ', '").cache().select('attribute_number_35', 'attribute_number_2', 'ds').write.mode('overwrite').parquet(root + '/out/wide_text')
-> attribute_number_35: wide_text.attribute_number_35
-> attribute_number_2: wide_text.attribute_number_2
-> ds: wide_text.ds
-> rows: FILTER wide_text.attribute_number_34, .attribute_number_1
-> to: wide_text
# insured: a wide Hive table grouped [hive]
SELECT attribute_number_30 AS k, count(DISTINCT attribute_number_31) AS n FROM ins.wide_text WHERE ds > '0' GROUP BY attribute_number_30
-> k: wide_text.attribute_number_30
-> n: wide_text.attribute_number_31
-> rows: FILTER wide_text.ds; GROUP_BY wide_text.attribute_number_30
# insured: a stored view of a Hive table [hive]
CREATE VIEW ins.ledger_view AS SELECT policy_id, sum(booked_amount) AS booked FROM ins.ledger WHERE booking_text NOT LIKE '(%' GROUP BY policy_id
# insured: a Hive table from a view of a Hive table [hive]
CREATE TABLE ins.booked_policies STORED AS PARQUET AS SELECT v.policy_id, v.booked, h.region FROM ins.ledger_view v JOIN ins.policies p ON v.policy_id = p.policy_id JOIN ins.holders h ON p.holder_id = h.holder_id
-> policy_id: ledger.policy_id
-> booked: ledger.booked_amount
-> region: holders.region
-> rows: FILTER ledger.booking_text; GROUP_BY ledger.policy_id; JOIN ledger.policy_id, policies.policy_id, policies.holder_id, holders.holder_id; MAY ledger.policy_id, policies.policy_id, policies.holder_id, holders.holder_id
-> to: booked_policies
# insured: overwriting days [code]
spark.sql('CREATE TABLE ins.monthly (policy_id BIGINT, paid DOUBLE, n BIGINT, year INT, month INT) USING parquet PARTITIONED BY (year, month)')
spark.sql("INSERT OVERWRITE TABLE ins.monthly PARTITION (year = 2021, month) SELECT policy_id, sum(paid), count(*), month FROM ins.claims WHERE year = 2021 AND comment <> '(a, b)' GROUP BY policy_id, month")
-> policy_id: claims.policy_id
-> paid: claims.paid
-> n: -
-> year: -
-> month: claims.month
-> rows: FILTER claims.year, .comment; GROUP_BY claims.policy_id, .month
-> to: monthly
# insured: three tables joined, written by partitions [code]
c = spark.table('ins.claims')
p = spark.table('ins.policies')
h = spark.table('ins.holders')
c.join(p, 'policy_id').join(F.broadcast(h), 'holder_id', 'left').where("region is null or region <> 'east (new)'").groupBy('region', 'year').agg(F.sum('paid').alias('paid'), F.countDistinct('policy_id').alias('n')).write.partitionBy('year').mode('overwrite').saveAsTable('ins.by_region')
-> region: holders.region
-> paid: claims.paid
-> n: claims.policy_id
-> year: claims.year
-> rows: JOIN claims.policy_id, policies.policy_id, .holder_id, holders.holder_id; FILTER holders.region; GROUP_BY holders.region, claims.year; MAY claims.policy_id, policies.policy_id, .holder_id, holders.holder_id
-> to: by_region
# insured: exploded tags, cached [code]
d = spark.table('ins.claims').select('claim_id', F.explode('tags').alias('tag'), F.col('place.city').alias('city')).where("tag <> 'a, ('").cache()
d.groupBy('tag').agg(F.collect_set('city').alias('cities')).write.mode('overwrite').saveAsTable('ins.tags')
-> tag: claims.tags
-> cities: claims.place.city
-> rows: FILTER claims.tags; GROUP_BY claims.tags
-> to: tags
# insured: a lateral view
SELECT c.claim_id, t.pos, t.tag FROM ins.claims c LATERAL VIEW OUTER posexplode(split(c.comment, ', ')) t AS pos, tag WHERE c.place.zip <> '(1'
-> claim_id: claims.claim_id
-> pos: claims.comment
-> tag: claims.comment
-> rows: FILTER claims.place.zip; MAY claims.place
# insured: a rollup
SELECT kind, adjuster, sum(paid) AS s, grouping(kind) AS g FROM ins.claims GROUP BY ROLLUP (kind, adjuster)
-> kind: claims.kind
-> adjuster: claims.adjuster
-> s: claims.paid
-> g: -
-> rows: GROUP_BY claims.kind, .adjuster
# insured: a pivot
SELECT * FROM (SELECT year, kind, paid FROM ins.claims) PIVOT (sum(paid) AS s, max(paid) AS m FOR kind IN ('fire', 'water'))
-> year: claims.year
-> fire_s: claims.paid; IF claims.kind
-> fire_m: claims.paid; IF claims.kind
-> water_s: claims.paid; IF claims.kind
-> water_m: claims.paid; IF claims.kind
-> rows: GROUP_BY claims.year; MAY claims.kind
# insured: the latest claim of each policy
CREATE TABLE ins.latest USING parquet AS SELECT policy_id, claim_id, paid FROM (SELECT policy_id, claim_id, paid, row_number() OVER (PARTITION BY policy_id ORDER BY reported DESC, claim_id) AS rn FROM ins.claims WHERE comment <> 'x AS (y, z)') t WHERE rn = 1
-> policy_id: claims.policy_id
-> claim_id: claims.claim_id
-> paid: claims.paid
-> rows: FILTER claims.comment, .policy_id, .reported, .claim_id; MAY claims.policy_id, .reported, .claim_id
-> to: latest
# insured: running totals of a cache [code]
d = spark.table('ins.claims').where("comment <> '[('").select('claim_id', 'policy_id', 'paid', 'year').cache()
d.selectExpr('claim_id', 'sum(paid) OVER (PARTITION BY policy_id ORDER BY claim_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS running', 'paid / sum(paid) OVER (PARTITION BY year) AS share').write.mode('overwrite').parquet(root + '/out/running')
-> claim_id: claims.claim_id
-> running: claims.paid; WINDOW claims.policy_id, .claim_id
-> share: claims.paid; WINDOW claims.year
-> rows: FILTER claims.comment
-> to: running
# insured: claims without a policy
SELECT claim_id, kind FROM ins.claims c WHERE NOT EXISTS (SELECT 1 FROM ins.policies p WHERE p.policy_id = c.policy_id AND p.product <> 'a, b')
-> claim_id: claims.claim_id
-> kind: claims.kind
-> rows: MAY claims.policy_id, policies.policy_id, .product
# insured: a subquery of a view
SELECT policy_id, premium FROM ins.policies WHERE premium > (SELECT avg(incurred) FROM ins.sv1) AND broker IN (SELECT who FROM ins.sv2)
-> policy_id: policies.policy_id
-> premium: policies.premium
-> rows: FILTER policies.premium, claims.paid, claims.reserve; MAY policies.broker, claims.adjuster, .kind, .paid, .reserve
# insured: unions of three tables, cached [code]
a = spark.table('ins.claims').selectExpr('claim_id AS id', "concat('c(', kind) AS label", 'paid AS v')
b = spark.table('ins.policies').selectExpr('policy_id', "concat('p[', product)", 'premium')
c = spark.read.parquet(root + '/lake/plain_b').selectExpr('id', "'f, x AS y'", 'cast(sum_insured AS DOUBLE)')
d = a.union(b).union(c).where('v > 0').cache()
d.write.mode('overwrite').saveAsTable('ins.united')
-> id: claims.claim_id, policies.policy_id, plain_b.id
-> label: claims.kind, policies.product
-> v: claims.paid, policies.premium, plain_b.sum_insured
-> rows: FILTER claims.paid, policies.premium, plain_b.sum_insured
-> to: united
# insured: common table expressions over views
WITH big AS (SELECT pid, who, incurred FROM ins.sv2 WHERE incurred > 50), named AS (SELECT b.*, p.holder_id FROM big b JOIN ins.policies p ON b.pid = p.policy_id) SELECT n.who, h.name, sum(n.incurred) AS total FROM named n JOIN ins.holders h ON n.holder_id = h.holder_id WHERE h.mail NOT LIKE '%, (%' GROUP BY n.who, h.name
-> who: claims.adjuster
-> name: holders.name
-> total: claims.paid, .reserve
-> rows: FILTER claims.kind, .paid, .reserve, holders.mail; GROUP_BY claims.adjuster, holders.name; JOIN claims.policy_id, policies.policy_id, .holder_id, holders.holder_id; MAY claims.policy_id, policies.policy_id, .holder_id, holders.holder_id
# insured: JSON in a column
SELECT claim_id, get_json_object(comment, '$.a[0]') AS a, from_json(comment, 'x INT, y STRING').y AS y, json_tuple(comment, 'k, (') AS k FROM ins.claims
-> claim_id: claims.claim_id
-> a: claims.comment
-> y: claims.comment
-> k: claims.comment
# insured: structs and maps in a cache [code]
d = spark.table('ins.claims').selectExpr('claim_id', "named_struct('a (', paid, 'b, c', place.city) AS s", "map('x AS y', adjuster) AS m").cache()
frame = d.selectExpr('claim_id', 's.`b, c` AS city', "m['x AS y'] AS who")
-> claim_id: claims.claim_id
-> city: claims.place.city
-> who: claims.adjuster
# insured: a table cached by name, with a bracket [code]
spark.sql('CACHE TABLE ins.policies')
spark.sql("CREATE TABLE ins.brokers USING parquet AS SELECT broker, count(*) AS n, sum(premium) AS s FROM ins.policies WHERE product <> 'home (' GROUP BY broker HAVING sum(premium) > 1")
-> broker: policies.broker
-> n: -
-> s: policies.premium
-> rows: FILTER policies.product, .premium; GROUP_BY policies.broker
-> to: brokers
# insured: a table cached by name, joined
SELECT c.claim_id, p.broker FROM ins.claims c JOIN ins.policies p ON c.policy_id = p.policy_id WHERE p.premium > c.paid AND c.comment <> ')('
-> claim_id: claims.claim_id
-> broker: policies.broker
-> rows: JOIN claims.policy_id, policies.policy_id; FILTER claims.comment; MAY claims.policy_id, policies.policy_id, policies.premium, claims.paid
# insured: an aggregate of a lazy cache [code]
spark.sql("UNCACHE TABLE ins.policies")
spark.sql("CACHE LAZY TABLE lazy_claims AS SELECT policy_id, lower(comment) AS c, paid FROM ins.claims WHERE comment RLIKE '^[(]' AND paid > 0 AND reserve > 0 AND deductible > 0")
frame = spark.sql('SELECT c, sum(paid) AS s FROM lazy_claims GROUP BY c')
-> c: claims.comment
-> s: claims.paid
-> rows: FILTER claims.comment, .paid, .reserve, .deductible; GROUP_BY claims.comment
# insured: rows deduplicated by a window, appended [code]
spark.sql('CREATE TABLE ins.unique_claims (policy_id BIGINT, claim_id BIGINT) USING orc')
spark.table('ins.claims').dropDuplicates(['policy_id']).where("kind <> 'a, b('").select('policy_id', 'claim_id').write.mode('append').insertInto('ins.unique_claims')
-> policy_id: claims.policy_id
-> claim_id: claims.claim_id
-> rows: FILTER claims.kind; GROUP_BY claims.policy_id
-> to: unique_claims
# insured: several targets [hive]
CREATE TABLE ins.cheap (claim_id BIGINT, v DOUBLE) STORED AS PARQUET
# insured: several targets, the other [hive]
CREATE TABLE ins.dear (claim_id BIGINT, v DOUBLE) STORED AS PARQUET
# insured: an insert into several targets [hive]
FROM ins.claims INSERT OVERWRITE TABLE ins.cheap SELECT claim_id, paid WHERE paid < 10 INSERT OVERWRITE TABLE ins.dear SELECT claim_id, reserve WHERE reserve >= 10
-> claim_id: claims.claim_id
-> v: claims.paid
-> rows: MAY claims.paid, claims.reserve
-> to: cheap
-> claim_id: claims.claim_id
-> v: claims.reserve
-> rows: MAY claims.paid, claims.reserve
-> to: dear
# insured: top brokers of a cache, sorted [code]
frame = spark.table('ins.policies').where("product <> '(' and premium > 1 and policy_id > 0 and holder_id > 0").cache().groupBy('broker').agg(F.sum('premium').alias('p')).orderBy(F.desc('p')).limit(5)
-> broker: policies.broker
-> p: policies.premium
-> rows: FILTER policies.product, .premium, .policy_id, .holder_id; GROUP_BY policies.broker; SORT policies.premium
# insured: a bucketed and sorted table of a cache [code]
spark.table('ins.claims').where("adjuster <> ']'").select('policy_id', 'claim_id', 'paid').cache().write.bucketBy(2, 'policy_id').sortBy('claim_id').mode('overwrite').saveAsTable('ins.bucketed')
-> policy_id: claims.policy_id
-> claim_id: claims.claim_id
-> paid: claims.paid
-> rows: FILTER claims.adjuster
-> to: bucketed
# insured: CSV of a view [code]
spark.sql("SELECT who, incurred FROM ins.sv2 WHERE who <> 'x, ['").coalesce(1).write.mode('overwrite').option('header', True).csv(root + '/out/incurred_csv')
-> who: claims.adjuster
-> incurred: claims.paid, .reserve
-> rows: FILTER claims.kind, .paid, .reserve, .adjuster
-> to: incurred_csv
# insured: text lines of a table [code]
spark.table('ins.holders').select(F.concat_ws(', ', 'name', F.lit('('), 'mail').alias('value')).write.mode('overwrite').text(root + '/out/mails')
-> value: holders.name, .mail
-> to: mails
# insured: a cached cross join [code]
r = spark.table('ins.holders').selectExpr('region').distinct().cache()
k = spark.table('ins.claims').select('kind').distinct().cache()
r.crossJoin(k).write.mode('overwrite').saveAsTable('ins.grid')
-> region: holders.region
-> kind: claims.kind
-> rows: GROUP_BY holders.region, claims.kind
-> to: grid
# insured: filled and renamed, cached [code]
d = spark.table('ins.claims').na.fill({'comment': '(none)', 'paid': 0.0}).withColumnRenamed('paid', 'amount').withColumn('open', F.when(F.col('reserve') > F.col('amount'), F.lit('yes, open')).otherwise(F.col('kind'))).cache()
d.select('comment', 'amount', 'open').write.mode('overwrite').saveAsTable('ins.filled')
-> comment: claims.comment; IF ?claims.comment
-> amount: claims.paid; IF ?claims.paid
-> open: claims.kind; IF claims.reserve, .paid
-> to: filled
