# older: a database
CREATE DATABASE IF NOT EXISTS old
# older: sales
CREATE TABLE old.sales (id BIGINT, shop STRING, amount DOUBLE, tax DOUBLE, qty INT, note STRING, at TIMESTAMP, dt STRING) USING parquet PARTITIONED BY (dt)
# older: shops
CREATE TABLE old.shops (shop STRING, city STRING, opened DATE) USING parquet
# older: rows of sales
INSERT INTO old.sales VALUES (1, 'a', 2.0, 1.0, 3, 'x', NULL, '2021-01-01'), (2, 'b', 5.0, 2.0, 1, 'y', NULL, '2021-01-02')
# older: rows of shops
INSERT INTO old.shops VALUES ('a', 'x', NULL), ('b', 'y', NULL)
# older: a wide table [code]
spark.range(3).selectExpr('id', *[f'id * {n} AS c{n}' for n in range(1, 41)]).write.mode('overwrite').saveAsTable('old.wide')
# older: a wide table of long names [code]
spark.range(3).selectExpr('id', *[f'id * {n} AS quarterly_measurement_of_column_{n}' for n in range(1, 41)]).write.mode('overwrite').saveAsTable('old.long_names')
# older: files [code]
spark.range(3).selectExpr('id', 'id * 2 AS b', 'cast(id AS STRING) AS s', 'id % 2 AS p').write.mode('overwrite').parquet(root + '/data/plain')
spark.range(3).selectExpr('id', 'id * 2 AS b', 'cast(id AS STRING) AS s', 'id % 2 AS p').write.mode('overwrite').parquet(root + '/data/further')
spark.range(3).selectExpr('id', 'id * 2 AS b', 'cast(id AS STRING) AS s', 'id % 2 AS p').write.partitionBy('p').mode('overwrite').parquet(root + '/data/readings')
spark.range(3).selectExpr('id', 'id * 2 AS b', 'cast(id AS STRING) AS s').write.mode('overwrite').option('header', True).csv(root + '/data/listed')
spark.range(3).selectExpr('id', 'id * 2 AS b', 'cast(id AS STRING) AS s').write.mode('overwrite').json(root + '/data/lines')
spark.range(3).selectExpr('id', 'id * 2 AS b', 'cast(id AS STRING) AS s').write.mode('overwrite').orc(root + '/data/columns')
spark.range(3).selectExpr('cast(id AS STRING) AS value').write.mode('overwrite').text(root + '/data/texts')
spark.range(3).selectExpr('id', *[f'id * {n} AS c{n}' for n in range(1, 61)]).write.mode('overwrite').parquet(root + '/data/widest')
# older: cached with four conditions [code]
d = spark.read.parquet(root + '/data/widest').where('c1 > 2 and c2 > 3 and c3 < 1000 and c4 <> 5 and c5 >= 0').selectExpr('id', 'c6 + 1 AS e').cache()
d.count()
d.repartition(1).write.mode('overwrite').parquet(root + '/out/cached_four')
-> id: widest.id
-> e: widest.c6
-> rows: FILTER widest.c1, .c2, .c3, .c4, .c5
-> to: cached_four
# older: cached with a bracket in a literal [code]
d = spark.table('old.sales').where("shop <> '('").select('id', 'shop').cache()
d.write.mode('overwrite').saveAsTable('old.cached_bracket')
-> id: sales.id
-> shop: sales.shop
-> rows: FILTER sales.shop
-> to: cached_bracket
# older: cached with a concatenated bracket [code]
frame = spark.table('old.sales').selectExpr('id', "concat('[', shop) AS s", "regexp_replace(note, '\\\\(.*', '') AS n").cache().where("s <> '['").select('s', 'n')
-> s: sales.shop
-> n: sales.note
-> rows: FILTER sales.shop
# older: cached and grouped [code]
spark.table('old.sales').selectExpr('shop', 'amount - tax AS net', "note like '%)%' AS odd").cache().groupBy('shop').agg(F.sum('net').alias('t'), F.max('odd').alias('o')).write.mode('overwrite').saveAsTable('old.cached_grouped')
-> shop: sales.shop
-> t: sales.amount, .tax
-> o: sales.note
-> rows: GROUP_BY sales.shop
-> to: cached_grouped
# older: cached and joined with itself [code]
d = spark.table('old.sales').where('qty > 0 and amount > 1').select('id', 'shop', 'amount').cache()
frame = d.alias('l').join(d.alias('r'), F.expr('l.shop = r.shop and l.id < r.id')).selectExpr('l.id AS i', 'r.amount AS a')
-> i: sales.id
-> a: sales.amount
-> rows: FILTER sales.qty, .amount; JOIN sales.shop, .id
# older: two caches joined [code]
l = spark.table('old.sales').where("note <> '['").selectExpr('id', 'shop', 'amount * 2 AS x').cache()
r = spark.table('old.shops').selectExpr('shop', "concat(city, '(') AS c").cache()
l.join(r, 'shop').select('id', 'x', 'c').write.mode('overwrite').saveAsTable('old.two_caches')
-> id: sales.id
-> x: sales.amount
-> c: shops.city
-> rows: FILTER sales.note; JOIN sales.shop, shops.shop
-> to: two_caches
# older: a cache of a cache [code]
inner = spark.table('old.sales').where("shop <> ')'").selectExpr('shop', 'amount + tax AS g').cache()
outer = inner.groupBy('shop').agg(F.sum('g').alias('t')).cache()
frame = outer.where('t > 1').union(inner.where('g > 2'))
-> shop: sales.shop
-> t: sales.amount, .tax
-> rows: FILTER sales.shop, .amount, .tax; GROUP_BY sales.shop
# older: a cached table of a query
CACHE TABLE cheap AS SELECT shop, sum(amount) AS total, count(*) AS n FROM old.sales WHERE qty > 0 AND note <> '(' GROUP BY shop
# older: a table of a cached table
CREATE TABLE old.of_cheap USING parquet AS SELECT shop, total * 2 AS t2 FROM cheap WHERE n > 0
-> shop: sales.shop
-> t2: sales.amount
-> rows: FILTER sales.qty, .note; GROUP_BY sales.shop
-> to: of_cheap
# older: a cached table joined with its source
CREATE TABLE old.of_cheap_joined USING parquet AS SELECT c.shop, c.total, s.id FROM cheap c JOIN old.sales s ON c.shop = s.shop
-> shop: sales.shop
-> total: sales.amount
-> id: sales.id
-> rows: FILTER sales.qty, .note; GROUP_BY sales.shop; JOIN sales.shop
-> to: of_cheap_joined
# older: a cached view
CREATE OR REPLACE TEMPORARY VIEW dear AS SELECT id, shop, amount * 3 AS triple FROM old.sales WHERE amount > 3 AND note NOT LIKE '%[%'
# older: caching a view
CACHE TABLE dear
# older: a query of a cached view
SELECT shop, max(triple) AS m FROM dear GROUP BY shop
-> shop: sales.shop
-> m: sales.amount
-> rows: FILTER sales.amount, .note; GROUP_BY sales.shop
# older: a table for the cached view
CREATE TABLE old.from_dear (id BIGINT, t DOUBLE) USING parquet
# older: an insert from a cached view
INSERT OVERWRITE TABLE old.from_dear SELECT id, triple FROM dear
-> id: sales.id
-> t: sales.amount
-> rows: FILTER sales.amount, .note
-> to: from_dear
# older: a cached wide table [code]
d = spark.table('old.wide').where('c1 > 0 and c2 > 1 and c3 > 2 and c4 > 3').cache()
frame = d.selectExpr('id', 'c39 + c40 AS s')
-> id: wide.id
-> s: wide.c39, .c40
-> rows: FILTER wide.c1, .c2, .c3, .c4
# older: a cached wide file, written [code]
d = spark.read.parquet(root + '/data/widest').withColumn('made', F.expr('c1 + c60')).cache()
d.selectExpr('made', 'c59').write.mode('overwrite').parquet(root + '/out/cached_wide')
-> made: widest.c1, .c60
-> c59: widest.c59
-> to: cached_wide
# older: a cached wide table of long names [code]
d = spark.table('old.long_names').where("quarterly_measurement_of_column_1 > 0").cache()
d.select('quarterly_measurement_of_column_3', 'quarterly_measurement_of_column_38').write.mode('overwrite').saveAsTable('old.long_cached')
-> quarterly_measurement_of_column_3: long_names.quarterly_measurement_of_column_3
-> quarterly_measurement_of_column_38: long_names.quarterly_measurement_of_column_38
-> rows: FILTER long_names.quarterly_measurement_of_column_1
-> to: long_cached
# older: cached, in a subquery [code]
spark.table('old.shops').where("city <> '('").select('shop').cache().createOrReplaceTempView('open_shops')
frame = spark.sql('SELECT id FROM old.sales WHERE shop IN (SELECT shop FROM open_shops) AND amount > (SELECT avg(amount) FROM old.sales)')
-> id: sales.id
-> rows: FILTER sales.amount, shops.city, ?sales.shop, ?shops.shop; MAY sales.shop, shops.shop
# older: cached, in a window [code]
d = spark.table('old.sales').selectExpr('id', 'shop', 'amount', "if(note = ']', 1, 0) AS flag").persist()
frame = d.selectExpr('id', 'sum(amount) over (partition by shop order by id) AS running', 'flag')
-> id: sales.id
-> running: sales.amount; WINDOW sales.shop, .id
-> flag: -; IF sales.note
# older: cached and sorted, top rows [code]
frame = spark.table('old.sales').where("note <> '(('").cache().orderBy(F.desc('amount')).limit(3).select('id', 'amount')
-> id: sales.id
-> amount: sales.amount
-> rows: FILTER sales.note; SORT sales.amount
# older: a long filter on a table
SELECT id, amount FROM old.sales WHERE shop <> 'a' AND note <> 'b' AND amount > 1 AND tax > 0.5 AND qty < 100 AND id > 0 AND at IS NULL
-> id: sales.id
-> amount: sales.amount
-> rows: FILTER sales.shop, .note, .amount, .tax, .qty, .id, .at
# older: a long filter on files [code]
frame = spark.read.parquet(root + '/data/widest').where(' and '.join(f'c{n} > {n}' for n in range(1, 13))).select('id', 'c50')
-> id: widest.id
-> c50: widest.c50
-> rows: FILTER widest.c1, .c2, .c3, .c4, .c5, .c6, .c7, .c8, .c9, .c10, .c11, .c12
# older: a long list of values
SELECT id FROM old.sales WHERE shop IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n(', 'o[', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '(a', ')b', 'c]')
-> id: sales.id
-> rows: FILTER sales.shop
# older: a wide table copied
CREATE TABLE old.wide_copy USING parquet AS SELECT * FROM old.wide WHERE c1 >= 0
-> = wide: id, c{1..40}
-> rows: FILTER wide.c1
-> to: wide_copy
# older: a wide file copied [code]
spark.read.parquet(root + '/data/widest').where('c2 > 0').write.mode('overwrite').parquet(root + '/out/widest_copy')
-> = widest: id, c{1..60}
-> rows: FILTER widest.c2
-> to: widest_copy
# older: a wide table read
SELECT * FROM old.wide
-> = wide: id, c{1..40}
# older: a wide table, last columns
SELECT c40, c39, c38 + c1 AS s FROM old.wide WHERE c37 > 0
-> c40: wide.c40
-> c39: wide.c39
-> s: wide.c38, .c1
-> rows: FILTER wide.c37
# older: a wide file read by column [code]
frame = spark.read.parquet(root + '/data/widest').select('c60', F.expr('c1 + c31').alias('s'))
-> c60: widest.c60
-> s: widest.c1, .c31
# older: a wide table grouped
SELECT c1, max(c40) AS m, sum(c39) AS s FROM old.wide GROUP BY c1
-> c1: wide.c1
-> m: wide.c40
-> s: wide.c39
-> rows: GROUP_BY wide.c1
# older: literals with brackets
SELECT concat(shop, ' (', note, ')') AS a, replace(note, '[', ']') AS b FROM old.sales WHERE note NOT LIKE '%(%' AND shop <> '])'
-> a: sales.shop, .note
-> b: sales.note
-> rows: FILTER sales.note, .shop
# older: a case with brackets
SELECT id, CASE WHEN note = '(a' THEN shop WHEN note LIKE '[b%' THEN 'x)' ELSE city END AS c FROM old.sales JOIN old.shops USING (shop)
-> id: sales.id
-> c: sales.shop, shops.city; IF sales.note
-> rows: JOIN sales.shop, shops.shop; MAY sales.shop, shops.shop
# older: split at a bracket
SELECT id, split(note, '\\(')[0] AS head, regexp_extract(note, '\\[(.*)\\]', 1) AS inner_part FROM old.sales
-> id: sales.id
-> head: sales.note
-> inner_part: sales.note
# older: grouped with a bracket in a key
SELECT concat('(', shop) AS k, count(DISTINCT id) AS n, collect_set(note) AS s FROM old.sales GROUP BY concat('(', shop)
-> k: sales.shop
-> n: sales.id
-> s: sales.note
-> rows: GROUP_BY sales.shop
# older: a union with brackets
SELECT id, 'a(' AS src FROM old.sales WHERE shop = '(' UNION ALL SELECT id, note FROM old.sales WHERE shop = ']'
-> id: sales.id
-> src: sales.note
-> rows: FILTER sales.shop
# older: a temporary view
CREATE OR REPLACE TEMPORARY VIEW tv AS SELECT id, shop, amount * 2 AS a2 FROM old.sales WHERE id > 0
# older: a table of a temporary view
CREATE TABLE old.of_tv USING parquet AS SELECT shop, a2 + 1 AS a3 FROM tv
-> shop: sales.shop
-> a3: sales.amount
-> rows: FILTER sales.id
-> to: of_tv
# older: a temporary view of a temporary view
CREATE OR REPLACE TEMPORARY VIEW tv2 AS SELECT shop, a2 + 1 AS a3 FROM tv WHERE a2 > 0
# older: a table of a temporary view of a view
CREATE TABLE old.of_tv2 USING parquet AS SELECT shop, a3 FROM tv2
-> shop: sales.shop
-> a3: sales.amount
-> rows: FILTER sales.id, .amount
-> to: of_tv2
# older: a stored view
CREATE VIEW old.pv AS SELECT shop, sum(amount) AS total FROM old.sales GROUP BY shop
# older: a query of a stored view
SELECT v.shop, v.total, s.city FROM old.pv v LEFT JOIN old.shops s ON v.shop = s.shop
-> shop: sales.shop
-> total: sales.amount
-> city: shops.city
-> rows: GROUP_BY sales.shop; JOIN sales.shop, shops.shop; MAY shops.shop
# older: a stored view of a stored view
CREATE VIEW old.pv2 AS SELECT shop AS k, total / 2 AS half FROM old.pv WHERE total > 1
# older: a table of a stored view of a view
CREATE TABLE old.of_pv2 USING parquet AS SELECT k, half FROM old.pv2
-> k: sales.shop
-> half: sales.amount
-> rows: GROUP_BY sales.shop; FILTER sales.amount
-> to: of_pv2
# older: a folder written from a temporary view [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_tv' USING parquet SELECT shop, a2 + 1 AS a3 FROM tv" % root)
-> shop: sales.shop
-> a3: sales.amount
-> rows: FILTER sales.id
-> to: dir_tv
# older: a folder written from a stored view [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_pv' USING json SELECT shop, total FROM old.pv" % root)
-> shop: sales.shop
-> total: sales.amount
-> rows: GROUP_BY sales.shop
-> to: dir_pv
# older: a folder written from a view of a view [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_tv2' USING orc SELECT a3, shop FROM tv2 WHERE shop <> '('" % root)
-> a3: sales.amount
-> shop: sales.shop
-> rows: FILTER sales.id, .amount, .shop
-> to: dir_tv2
# older: a folder written from a table [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_t' USING parquet SELECT id, amount - tax AS net FROM old.sales WHERE qty > 1" % root)
-> id: sales.id
-> net: sales.amount, .tax
-> rows: FILTER sales.qty
-> to: dir_t
# older: a global temporary view [code]
spark.table('old.sales').where('tax > 0').selectExpr('id', 'tax * 2 AS t').createOrReplaceGlobalTempView('gv')
frame = spark.sql('SELECT id, t FROM global_temp.gv WHERE id < 5')
-> id: sales.id
-> t: sales.tax
-> rows: FILTER sales.tax, .id
# older: a partitioned folder [code]
frame = spark.read.parquet(root + '/data/readings').where('p = 1').select('id', 'b')
-> id: readings.id
-> b: readings.b
-> rows: FILTER readings.p
# older: a partitioned folder, written [code]
spark.read.parquet(root + '/data/readings').selectExpr('p', 'b + 1 AS b1').write.mode('overwrite').parquet(root + '/out/readings_out')
-> p: readings.p
-> b1: readings.b
-> to: readings_out
# older: one partition of a folder [code]
frame = spark.read.option('basePath', root + '/data/readings').parquet(root + '/data/readings/p=1').select('id', 'p')
-> id: readings.id
-> p: readings.p
# older: a partitioned folder, cached [code]
d = spark.read.parquet(root + '/data/readings').where("s <> '(' and b >= 0 and id >= 0").cache()
d.groupBy('p').agg(F.sum('b').alias('t')).write.mode('overwrite').saveAsTable('old.readings_cached')
-> p: readings.p
-> t: readings.b
-> rows: FILTER readings.s, .b, .id; GROUP_BY readings.p
-> to: readings_cached
# older: a partitioned table
SELECT id, amount, dt FROM old.sales WHERE dt = '2021-01-01' AND amount > 1
-> id: sales.id
-> amount: sales.amount
-> dt: sales.dt
-> rows: FILTER sales.dt, .amount
# older: a table of days
CREATE TABLE old.daily (id BIGINT, net DOUBLE, dt STRING) USING parquet PARTITIONED BY (dt)
# older: another table of days
CREATE TABLE old.daily2 (id BIGINT, net DOUBLE, dt STRING) USING parquet PARTITIONED BY (dt)
# older: an insert into a partition
INSERT OVERWRITE TABLE old.daily PARTITION (dt = '2021-01-01') SELECT id, amount - tax FROM old.sales WHERE dt = '2021-01-01'
-> id: sales.id
-> net: sales.amount, .tax
-> dt: -
-> rows: FILTER sales.dt
-> to: daily
# older: an insert into partitions [code]
spark.conf.set('spark.sql.sources.partitionOverwriteMode', 'dynamic')
spark.sql('INSERT OVERWRITE TABLE old.daily2 SELECT id, amount - tax, dt FROM old.sales')
spark.conf.unset('spark.sql.sources.partitionOverwriteMode')
-> id: sales.id
-> net: sales.amount, .tax
-> dt: sales.dt
-> to: daily2
# older: CSV files [code]
frame = spark.read.schema('id BIGINT, b BIGINT, s STRING').option('header', True).csv(root + '/data/listed').where("s <> '('").select('id', 'b')
-> id: listed.id
-> b: listed.b
-> rows: FILTER listed.s
# older: JSON files, cached [code]
d = spark.read.schema('id BIGINT, b BIGINT, s STRING').json(root + '/data/lines').where("s like '[%' or b > 0 or id > 0").cache()
frame = d.selectExpr('id', 'b * 2 AS b2')
-> id: lines.id
-> b2: lines.b
-> rows: FILTER lines.s, .b, .id
# older: ORC files, grouped [code]
spark.read.orc(root + '/data/columns').groupBy('s').agg(F.sum('b').alias('t')).write.mode('overwrite').orc(root + '/out/orc_out')
-> s: columns.s
-> t: columns.b
-> rows: GROUP_BY columns.s
-> to: orc_out
# older: text files [code]
frame = spark.read.text(root + '/data/texts').selectExpr("split(value, ',')[0] AS a", "value like '%(%' AS odd").where("a <> '['")
-> a: texts.value
-> odd: texts.value
-> rows: FILTER texts.value
# older: files by SQL [code]
frame = spark.sql("SELECT id, b FROM parquet.`%s/data/plain` WHERE s <> ')'" % root)
-> id: plain.id
-> b: plain.b
-> rows: FILTER plain.s
# older: two folders joined [code]
a, b = spark.read.parquet(root + '/data/plain'), spark.read.parquet(root + '/data/readings')
a.join(b, 'id').select(a.id, a.b.alias('x'), b.s.alias('y')).write.mode('append').parquet(root + '/out/joined_folders')
-> id: plain.id
-> x: plain.b
-> y: readings.s
-> rows: JOIN plain.id, readings.id; MAY plain.id, readings.id
-> to: joined_folders
# older: a window and a latest row
SELECT shop, id, amount FROM (SELECT *, row_number() OVER (PARTITION BY shop ORDER BY at DESC, id DESC) AS rn FROM old.sales) WHERE rn = 1
-> shop: sales.shop
-> id: sales.id
-> amount: sales.amount
-> rows: FILTER sales.shop, .at, .id; MAY sales.shop, .at, .id
# older: an outer join and a coalesce
CREATE TABLE old.outer_joined USING parquet AS SELECT coalesce(s.shop, h.shop) AS shop, h.city, s.amount FROM old.sales s FULL OUTER JOIN old.shops h ON s.shop = h.shop
-> shop: sales.shop, shops.shop; IF sales.shop, shops.shop
-> city: shops.city
-> amount: sales.amount
-> rows: JOIN sales.shop, shops.shop
-> to: outer_joined
# older: a rollup
SELECT shop, dt, sum(amount) AS t FROM old.sales GROUP BY ROLLUP (shop, dt)
-> shop: sales.shop
-> dt: sales.dt
-> t: sales.amount
-> rows: GROUP_BY sales.shop, .dt
# older: an exploded split
SELECT id, w FROM old.sales LATERAL VIEW explode(split(note, '[ (]')) t AS w WHERE w <> ')'
-> id: sales.id
-> w: sales.note
-> rows: FILTER sales.note; MAY sales.note
# older: an aggregate with a filter and distinct
SELECT shop, count(DISTINCT note) AS n, sum(CASE WHEN qty > 1 THEN amount END) AS big, avg(tax) AS t FROM old.sales GROUP BY shop HAVING count(DISTINCT note) > 0
-> shop: sales.shop
-> n: sales.note
-> big: sales.amount; IF sales.qty
-> t: sales.tax
-> rows: GROUP_BY sales.shop; FILTER sales.note
# older: an anti join
SELECT id FROM old.sales s WHERE NOT EXISTS (SELECT 1 FROM old.shops h WHERE h.shop = s.shop AND h.city = '(')
-> id: sales.id
-> rows: MAY sales.shop, shops.shop, .city
# older: set operations
SELECT shop FROM old.sales WHERE note = 'a)' INTERSECT SELECT shop FROM old.shops EXCEPT SELECT city FROM old.shops
-> shop: sales.shop
-> rows: FILTER sales.note; MAY sales.shop, shops.shop, .city
# older: common table expressions
WITH a AS (SELECT shop, sum(amount) AS t FROM old.sales WHERE dt > '2020' GROUP BY shop), b AS (SELECT shop, t, rank() OVER (ORDER BY t DESC) AS r FROM a) SELECT shop, t, r FROM b WHERE r <= 3
-> shop: sales.shop
-> t: sales.amount
-> r: -; WINDOW sales.amount
-> rows: FILTER sales.dt, .amount; GROUP_BY sales.shop; MAY sales.amount
# older: a Python function [code]
from pyspark.sql.types import StringType
bracket = F.udf(lambda s: '(' + (s or ''), StringType())
spark.table('old.sales').select('id', bracket('note').alias('n')).where("n <> '(('").cache().write.mode('overwrite').saveAsTable('old.by_python')
-> id: sales.id
-> n: sales.note
-> rows: FILTER sales.note
-> to: by_python
# older: a Hive table [hive]
CREATE TABLE old.ledger (account STRING, day STRING, debit_amount DOUBLE, credit_amount DOUBLE, credit_limit_amount DOUBLE, remark STRING) STORED AS TEXTFILE
# older: rows of a Hive table [hive]
INSERT INTO TABLE old.ledger VALUES ('a', 'b', 1.0, 2.0, 3.0, 'c')
-> account: -
-> day: -
-> debit_amount: -
-> credit_amount: -
-> credit_limit_amount: -
-> remark: -
-> to: ledger
# older: a cached Hive table without conditions [code] [hive]
spark.table('old.ledger').cache().write.mode('overwrite').saveAsTable('old.ledger_copy')
-> = ledger: account, day, debit_amount, credit_amount, credit_limit_amount, remark
-> to: ledger_copy
# older: a cached Hive table with a condition [code] [hive]
spark.table('old.ledger').where("remark <> '(' and debit_amount > 0").selectExpr('account', 'credit_amount - debit_amount AS net').cache().write.mode('overwrite').parquet(root + '/out/ledger_net')
-> account: ledger.account
-> net: ledger.credit_amount, .debit_amount
-> rows: FILTER ledger.remark, .debit_amount
-> to: ledger_net
# older: a Hive table grouped [hive]
SELECT account, sum(debit_amount) AS d, max(remark) AS r FROM old.ledger WHERE day > '2020' GROUP BY account
-> account: ledger.account
-> d: ledger.debit_amount
-> r: ledger.remark
-> rows: FILTER ledger.day; GROUP_BY ledger.account
# older: a partitioned Hive table [hive]
CREATE TABLE old.ledger_days (account STRING, net DOUBLE) PARTITIONED BY (day STRING) STORED AS ORC
# older: an insert into a partitioned Hive table [hive]
INSERT OVERWRITE TABLE old.ledger_days PARTITION (day = '2021-01-01') SELECT account, credit_amount - debit_amount FROM old.ledger WHERE remark <> ']'
-> account: ledger.account
-> net: ledger.credit_amount, .debit_amount
-> day: -
-> rows: FILTER ledger.remark
-> to: ledger_days
# older: a dynamic insert into a partitioned Hive table [code] [hive]
spark.conf.set('hive.exec.dynamic.partition.mode', 'nonstrict')
spark.sql('INSERT OVERWRITE TABLE old.ledger_days PARTITION (day) SELECT account, debit_amount, day FROM old.ledger')
-> account: ledger.account
-> net: ledger.debit_amount
-> day: ledger.day
-> to: ledger_days
# older: a Hive table made of a query [hive]
CREATE TABLE old.ledger_top STORED AS PARQUET AS SELECT account, max(credit_limit_amount) AS top FROM old.ledger GROUP BY account
-> account: ledger.account
-> top: ledger.credit_limit_amount
-> rows: GROUP_BY ledger.account
-> to: ledger_top
# older: a Hive table of forty columns [code] [hive]
spark.sql('CREATE TABLE old.wide_hive (%s) STORED AS TEXTFILE' % ', '.join(f'c{n} BIGINT' for n in range(1, 41)))
# older: a wide Hive table [code] [hive]
frame = spark.sql('SELECT c40, c1 + c39 AS s FROM old.wide_hive WHERE c38 > 0')
-> c40: wide_hive.c40
-> s: wide_hive.c1, .c39
-> rows: FILTER wide_hive.c38
# older: a folder written by Hive from a view [code] [hive]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_hive' STORED AS ORC SELECT shop, a2 FROM tv" % root)
-> shop: sales.shop
-> a2: sales.amount
-> rows: FILTER sales.id
-> to: dir_hive
# older: a folder written from a wide table [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_wide' USING parquet SELECT c40, c39 + c1 AS s FROM old.wide WHERE c38 > 1" % root)
-> c40: wide.c40
-> s: wide.c39, .c1
-> rows: FILTER wide.c38
-> to: dir_wide
# older: a view of a wide table
CREATE VIEW old.wide_view AS SELECT c40 AS last, c2, c30 * 2 AS d30 FROM old.wide WHERE c35 > 0
# older: a query of a view of a wide table
SELECT last, d30 FROM old.wide_view WHERE c2 > 0
-> last: wide.c40
-> d30: wide.c30
-> rows: FILTER wide.c35, .c2
# older: a wide view
CREATE VIEW old.whole_view AS SELECT * FROM old.wide
# older: a folder written from a wide view [code]
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/dir_whole' USING json SELECT c40, c3 FROM old.whole_view WHERE c39 > 1" % root)
-> c40: wide.c40
-> c3: wide.c3
-> rows: FILTER wide.c39
-> to: dir_whole
# older: a folder of partitions [code]
spark.table('old.sales').where("shop <> '('").select('id', 'amount').repartition(1).write.mode('overwrite').parquet(root + '/out/bronze/region=BR/day=2021-12-14')
-> id: sales.id
-> amount: sales.amount
-> rows: FILTER sales.shop
-> to: bronze
# older: a cached folder of partitions [code]
spark.table('old.sales').where("shop <> '(' and note <> ')' and amount > 0 and qty > 0").select('id', 'amount').cache().repartition(1).write.mode('overwrite').parquet(root + '/out/silver/region=BR/day=2021-12-14')
-> id: sales.id
-> amount: sales.amount
-> rows: FILTER sales.shop, .note, .amount, .qty
-> to: silver
# older: a bucketed table [code]
spark.table('old.sales').select('id', 'shop', 'amount').write.bucketBy(2, 'shop').sortBy('id').mode('overwrite').saveAsTable('old.bucketed')
-> id: sales.id
-> shop: sales.shop
-> amount: sales.amount
-> to: bucketed
# older: bucketed tables joined
SELECT a.id, b.amount FROM old.bucketed a JOIN old.bucketed b ON a.shop = b.shop WHERE b.amount > 1
-> id: bucketed.id
-> amount: bucketed.amount
-> rows: JOIN bucketed.shop; FILTER bucketed.amount
# older: an append by insertInto [code]
spark.table('old.sales').selectExpr('id', 'amount * 2 AS t').where('t > 1').write.insertInto('old.from_dear')
-> id: sales.id
-> t: sales.amount
-> rows: FILTER sales.amount
-> to: from_dear
# older: a table with a path [code]
spark.table('old.sales').selectExpr('shop AS k', 'qty').write.mode('overwrite').option('path', root + '/out/elsewhere').saveAsTable('old.elsewhere')
-> k: sales.shop
-> qty: sales.qty
-> to: elsewhere
# older: rows without duplicates [code]
spark.table('old.sales').dropDuplicates(['shop']).select('shop', 'amount').write.mode('overwrite').saveAsTable('old.deduplicated')
-> shop: sales.shop
-> amount: sales.amount
-> rows: GROUP_BY sales.shop
-> to: deduplicated
# older: filled and replaced [code]
frame = spark.table('old.sales').na.fill({'amount': 0.0, 'note': '('}).na.replace('a', '[', 'shop').select('amount', 'note', 'shop')
-> amount: sales.amount; IF ?sales.amount
-> note: sales.note; IF ?sales.note
-> shop: sales.shop; IF sales.shop
# older: pivoted [code]
frame = spark.table('old.sales').groupBy('dt').pivot('shop', ['a(', 'b']).agg(F.sum('amount'))
-> dt: sales.dt
-> a(: sales.amount; IF sales.shop
-> b: sales.amount; IF sales.shop
-> rows: GROUP_BY sales.dt; MAY sales.shop
# older: a wide table with a column replaced [code]
spark.table('old.wide').withColumn('c30', F.expr('c1 + c2')).select('c29', 'c30', 'c31').write.mode('overwrite').saveAsTable('old.wide_replaced')
-> c29: wide.c29
-> c30: wide.c1, .c2
-> c31: wide.c31
-> to: wide_replaced
# older: a wide table joined
SELECT w.c39, s.amount FROM old.wide w JOIN old.sales s ON w.id = s.id WHERE w.c38 > 0 AND s.note <> '[('
-> c39: wide.c39
-> amount: sales.amount
-> rows: JOIN wide.id, sales.id; FILTER wide.c38, sales.note; MAY wide.id, sales.id
# older: a wide table in a union [code]
frame = spark.table('old.wide').selectExpr('id', 'c40 AS v').union(spark.table('old.long_names').selectExpr('id', 'quarterly_measurement_of_column_39'))
-> id: wide.id, long_names.id
-> v: wide.c40, long_names.quarterly_measurement_of_column_39
# older: long names with a long filter [code]
frame = spark.table('old.long_names').where(' and '.join(f'quarterly_measurement_of_column_{n} >= {n}' for n in range(1, 9))).selectExpr('quarterly_measurement_of_column_40 AS v')
-> v: long_names.quarterly_measurement_of_column_40
-> rows: FILTER long_names.quarterly_measurement_of_column_1, .quarterly_measurement_of_column_2, .quarterly_measurement_of_column_3, .quarterly_measurement_of_column_4, .quarterly_measurement_of_column_5, .quarterly_measurement_of_column_6, .quarterly_measurement_of_column_7, .quarterly_measurement_of_column_8
# older: long names, cached and grouped [code]
d = spark.table('old.long_names').where(' and '.join(f'quarterly_measurement_of_column_{n} >= {n}' for n in range(1, 5))).cache()
d.groupBy('quarterly_measurement_of_column_5').agg(F.sum('quarterly_measurement_of_column_36').alias('t')).write.mode('overwrite').parquet(root + '/out/long_grouped')
-> quarterly_measurement_of_column_5: long_names.quarterly_measurement_of_column_5
-> t: long_names.quarterly_measurement_of_column_36
-> rows: FILTER long_names.quarterly_measurement_of_column_1, .quarterly_measurement_of_column_2, .quarterly_measurement_of_column_3, .quarterly_measurement_of_column_4; GROUP_BY long_names.quarterly_measurement_of_column_5
-> to: long_grouped
# older: cached, then united [code]
d = spark.table('old.sales').where("note <> '(' or note is null").selectExpr('id', 'amount AS v').cache()
e = spark.table('old.sales').selectExpr('id', 'tax AS v').cache()
d.union(e).where('v > 0').write.mode('overwrite').saveAsTable('old.cached_union')
-> id: sales.id
-> v: sales.amount, .tax
-> rows: FILTER sales.note, .amount, .tax
-> to: cached_union
# older: cached, broadcast and joined left [code]
small = spark.table('old.shops').where("city <> 'x)'").select('shop', 'city').cache()
frame = spark.table('old.sales').join(F.broadcast(small), 'shop', 'left').select('id', F.coalesce('city', F.lit('(')).alias('city'))
-> id: sales.id
-> city: shops.city; IF ?shops.city
-> rows: FILTER shops.city; JOIN sales.shop, shops.shop; MAY shops.shop
# older: cached with a literal of lines [code]
d = spark.table('old.sales').selectExpr('id', "concat(note, '\n\n(2) Project [codegen id : 1]\n') AS n").cache()
frame = d.where("n <> '+- Exchange (3)'").select('id', 'n')
-> id: sales.id
-> n: sales.note
-> rows: FILTER sales.note
# older: cached with a map of brackets [code]
d = spark.table('old.sales').selectExpr('id', "map('(', shop, '[', note) AS m", "array(shop, ')') AS a").cache()
frame = d.selectExpr('id', "m['('] AS x", 'a[0] AS y')
-> id: sales.id
-> x: sales.shop, .note
-> y: sales.shop
# older: cached with a case of brackets [code]
d = spark.table('old.sales').selectExpr('id', "CASE WHEN note = '(' THEN shop WHEN note RLIKE '[a-z]+\\\\(' THEN 'x]' ELSE dt END AS c").cache()
d.write.mode('overwrite').saveAsTable('old.cached_case')
-> id: sales.id
-> c: sales.shop, .dt; IF sales.note
-> to: cached_case
# older: the same cache in two statements, first [code]
global kept
kept = spark.table('old.sales').where("shop <> '[' and amount > 0 and qty >= 0 and tax > 0").select('id', 'shop', 'amount').cache()
kept.write.mode('overwrite').parquet(root + '/out/kept_first')
-> id: sales.id
-> shop: sales.shop
-> amount: sales.amount
-> rows: FILTER sales.shop, .amount, .qty, .tax
-> to: kept_first
# older: the same cache in two statements, then
SELECT shop, sum(amount) AS t FROM old.sales WHERE shop <> '[' AND amount > 0 AND qty >= 0 AND tax > 0 GROUP BY shop
-> shop: sales.shop
-> t: sales.amount
-> rows: FILTER sales.shop, .amount, .qty, .tax; GROUP_BY sales.shop
# older: cached lazily by SQL
CACHE LAZY TABLE lazy AS SELECT id, upper(note) AS n FROM old.sales WHERE note RLIKE '^\\('
# older: a query of a lazy cache
SELECT n FROM lazy WHERE id > 0
-> n: sales.note
-> rows: FILTER sales.note, .id
# older: a table cached by name
CACHE TABLE old.shops
# older: a join with a table cached by name
CREATE TABLE old.with_shops USING parquet AS SELECT s.id, h.city FROM old.sales s JOIN old.shops h ON s.shop = h.shop WHERE h.city <> ')'
-> id: sales.id
-> city: shops.city
-> rows: JOIN sales.shop, shops.shop; FILTER shops.city; MAY sales.shop, shops.shop
-> to: with_shops
# older: two paths [code]
spark.read.parquet(root + '/data/plain', root + '/data/further').select('id', 'b').write.mode('overwrite').parquet(root + '/out/two_paths')
-> id: plain.id, further.id
-> b: plain.b, further.b
-> to: two_paths
# older: two paths, cached [code]
spark.read.parquet(root + '/data/plain', root + '/data/further').where("s <> '(' and id >= 0 and b >= 0").select('id', 'b').cache().write.mode('overwrite').saveAsTable('old.two_paths_cached')
-> id: plain.id, further.id
-> b: plain.b, further.b
-> rows: FILTER plain.s, further.s, plain.id, further.id, plain.b, further.b
-> to: two_paths_cached
# older: nested columns [code]
d = spark.table('old.sales').selectExpr('id', "named_struct('a', shop, 'b', named_struct('c', note, 'd', amount)) AS s").cache()
frame = d.selectExpr('id', 's.b.c AS c', 's.a AS a')
-> id: sales.id
-> c: sales.note
-> a: sales.shop
# older: a scalar subquery of a cache [code]
spark.table('old.shops').where("city <> '['").cache().createOrReplaceTempView('open_cities')
frame = spark.sql("SELECT id, (SELECT max(city) FROM open_cities) AS top FROM old.sales WHERE note <> '('")
-> id: sales.id
-> top: shops.city
-> rows: FILTER sales.note; MAY shops.city
# older: ranked per day
CREATE TABLE old.ranked USING parquet AS SELECT id, dt, rank() OVER (PARTITION BY dt ORDER BY amount DESC) AS r, lag(amount, 1) OVER (PARTITION BY shop ORDER BY id) AS prev FROM old.sales WHERE note <> '(' OR note IS NULL
-> id: sales.id
-> dt: sales.dt
-> r: -; WINDOW sales.dt, .amount
-> prev: sales.amount; WINDOW sales.shop, .id
-> rows: FILTER sales.note
-> to: ranked
# older: dates and formats
SELECT date_format(at, 'yyyy-MM (E)') AS m, to_date(concat(dt, '(')) AS d, datediff(current_date(), opened) AS n FROM old.sales s LEFT JOIN old.shops h ON s.shop = h.shop
-> m: sales.at
-> d: sales.dt
-> n: shops.opened
-> rows: JOIN sales.shop, shops.shop; MAY shops.shop
# older: conditions on a partition and a bracket
INSERT OVERWRITE TABLE old.daily PARTITION (dt = '2021-01-02') SELECT id, sum(amount) - max(tax) FROM old.sales WHERE dt = '2021-01-02' AND note NOT IN ('(', '[x', ')y') GROUP BY id
-> id: sales.id
-> net: sales.amount, .tax
-> dt: -
-> rows: FILTER sales.dt, .note; GROUP_BY sales.id
-> to: daily
