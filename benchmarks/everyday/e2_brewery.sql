# brewed: a database
CREATE DATABASE IF NOT EXISTS brew
# brewed: batches
CREATE TABLE brew.batches (batch_id BIGINT, beer STRING, tank INT, litres DOUBLE, abv DOUBLE, brewer STRING, remark STRING, hops ARRAY<STRUCT<hop: STRING, grams: INT>>, spec STRUCT<ibu: INT, color: STRING>, extra MAP<STRING, STRING>) USING parquet
# brewed: sales
CREATE TABLE brew.sales (sale_id BIGINT, batch_id BIGINT, pub STRING, litres DOUBLE, price DOUBLE, sold TIMESTAMP, note STRING, year INT, month INT) USING orc PARTITIONED BY (year, month)
# brewed: pubs
CREATE TABLE brew.pubs (pub STRING, town STRING, owner STRING, seats INT, rating DOUBLE) USING json
# brewed: rows of batches
INSERT INTO brew.batches VALUES (1, 'ale', 3, 5.0, 6.5, 'ann', 'a (b', array(named_struct('hop', 'x', 'grams', 3)), named_struct('ibu', 30, 'color', 'red'), map('k', 'v')), (2, 'stout', 4, 6.0, 7.0, 'bob', NULL, array(named_struct('hop', 'y', 'grams', 4)), named_struct('ibu', 40, 'color', 'black'), map('k', 'w'))
# brewed: rows of sales
INSERT INTO brew.sales VALUES (1, 1, 'crown', 2.0, 3.0, NULL, 'n', 2022, 1), (2, 2, 'swan', 2.5, 3.5, NULL, 'm', 2022, 2)
# brewed: rows of pubs
INSERT INTO brew.pubs VALUES ('crown', 'york', 'o', 40, 4.5), ('swan', 'bath', 'p', 30, 3.5)
# brewed: a wide table [code]
spark.range(3).selectExpr('id AS probe_id', *[f'id * {n} AS reading_of_probe_{n}' for n in range(1, 61)], "'(' AS comment").write.mode('overwrite').saveAsTable('brew.probes')
# brewed: files [code]
for folder in ('cask_x', 'cask_y', 'keg', 'bottle'):
    spark.range(3).selectExpr('id', 'id * 2 AS v', 'cast(id AS STRING) AS s').write.mode('overwrite').parquet(root + '/malt/' + folder)
    spark.range(3).selectExpr('id', 'id * 2 AS v', 'cast(id AS STRING) AS s').write.mode('overwrite').option('header', True).csv(root + '/malt/csv/' + folder)
spark.range(6).selectExpr('id', 'id * 2 AS v', 'cast(id AS STRING) AS s', 'id % 3 AS site').write.partitionBy('site').mode('overwrite').json(root + '/malt/sites')
# brewed: a table of a cached table of a cached table [code]
spark.sql("CACHE TABLE strong AS SELECT batch_id, beer, abv, litres FROM brew.batches WHERE abv > 6 AND (remark <> 'x (y' OR remark IS NULL)")
spark.sql("CACHE TABLE strong_by_beer AS SELECT beer, sum(litres) AS litres, max(abv) AS top FROM strong GROUP BY beer")
spark.sql("CREATE TABLE brew.strong_list USING parquet AS SELECT concat(beer, ' [(') AS label, litres / top AS ratio FROM strong_by_beer WHERE top < 12")
-> label: batches.beer
-> ratio: batches.litres, .abv
-> rows: FILTER batches.abv, .remark; GROUP_BY batches.beer
-> to: strong_list
# brewed: a cache over two caches with a rank [code]
a = spark.table('brew.batches').where("beer <> 'a) b'").select('batch_id', 'beer', 'abv').cache()
b = spark.table('brew.sales').where("note not like '%[%'").groupBy('batch_id').agg(F.sum('litres').alias('sold')).cache()
c = a.join(b, 'batch_id').selectExpr('beer', 'sold', 'rank() OVER (PARTITION BY beer ORDER BY sold DESC) AS r').cache()
c.where('r <= 2').write.mode('overwrite').saveAsTable('brew.top_batches')
-> beer: batches.beer
-> sold: sales.litres
-> r: -; WINDOW batches.beer, sales.litres
-> rows: FILTER batches.beer, sales.note, .litres; JOIN batches.batch_id, sales.batch_id; GROUP_BY sales.batch_id; MAY batches.batch_id, sales.batch_id
-> to: top_batches
# brewed: a cached wide view, whole [code]
spark.sql('CREATE OR REPLACE TEMPORARY VIEW v_probes AS SELECT * FROM brew.probes')
spark.sql('CACHE TABLE v_probes')
spark.sql('CREATE TABLE brew.probes_copy USING parquet AS SELECT * FROM v_probes WHERE reading_of_probe_60 > 0')
-> = probes: probe_id, reading_of_probe_{1..60}, comment
-> rows: FILTER probes.reading_of_probe_60
-> to: probes_copy
# brewed: a cached wide view, some columns
SELECT reading_of_probe_59 AS a, reading_of_probe_2 + reading_of_probe_58 AS b FROM v_probes WHERE comment <> '['
-> a: probes.reading_of_probe_59
-> b: probes.reading_of_probe_2, .reading_of_probe_58
-> rows: FILTER probes.comment
# brewed: a cached wide frame with a column more [code]
d = spark.table('brew.probes').withColumn('spread', F.expr('reading_of_probe_60 - reading_of_probe_1')).cache()
d.select('probe_id', 'spread', 'reading_of_probe_45').where('spread > 1').write.mode('overwrite').parquet(root + '/out/spread')
-> probe_id: probes.probe_id
-> spread: probes.reading_of_probe_60, .reading_of_probe_1
-> reading_of_probe_45: probes.reading_of_probe_45
-> rows: FILTER probes.reading_of_probe_60, .reading_of_probe_1
-> to: spread
# brewed: a wide table joined with itself
SELECT a.reading_of_probe_60 AS now, b.reading_of_probe_60 AS before FROM brew.probes a JOIN brew.probes b ON a.probe_id = b.probe_id + 1 WHERE a.reading_of_probe_44 > 3
-> now: probes.reading_of_probe_60
-> before: probes.reading_of_probe_60
-> rows: JOIN probes.probe_id; FILTER probes.reading_of_probe_44
# brewed: the largest of a wide table [code]
frame = spark.table('brew.probes').orderBy(F.desc('reading_of_probe_57')).limit(10).select('probe_id', 'reading_of_probe_56')
-> probe_id: probes.probe_id
-> reading_of_probe_56: probes.reading_of_probe_56
-> rows: SORT probes.reading_of_probe_57
# brewed: a view of a view of a view, written to a folder [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW p1 AS SELECT pub, town, owner, rating FROM brew.pubs WHERE town <> 'a, (b'")
spark.sql("CREATE OR REPLACE TEMPORARY VIEW p2 AS SELECT pub AS p, upper(town) AS t, CASE WHEN owner = '[' THEN 'none' ELSE owner END AS o, rating FROM p1 WHERE rating > 1")
spark.sql("CREATE OR REPLACE TEMPORARY VIEW p3 (house, place, who) AS SELECT p, t, o FROM p2")
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/houses' USING json SELECT house, place AS pl, who FROM p3 WHERE who IS NOT NULL" % root)
-> house: pubs.pub
-> pl: pubs.town
-> who: pubs.owner; IF pubs.owner
-> rows: FILTER pubs.town, .rating, .owner
-> to: houses
# brewed: a folder written from a view of a grouped view [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW s1 AS SELECT batch_id, year, sum(litres * price) AS turnover, count(*) AS n FROM brew.sales WHERE note IS NULL OR note NOT IN ('(', '[x') GROUP BY batch_id, year")
spark.sql("CREATE OR REPLACE TEMPORARY VIEW s2 AS SELECT b.beer, s1.year, s1.turnover, s1.n FROM s1 JOIN brew.batches b ON s1.batch_id = b.batch_id")
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/turnover' USING csv OPTIONS (header 'true') SELECT beer, year AS y, sum(turnover) AS t, max(n) AS n FROM s2 GROUP BY beer, year" % root)
-> beer: batches.beer
-> y: sales.year
-> t: sales.litres, .price
-> n: -
-> rows: FILTER sales.note; GROUP_BY sales.batch_id, .year, batches.beer; JOIN sales.batch_id, batches.batch_id; MAY sales.batch_id, batches.batch_id
-> to: turnover
# brewed: a glob of folders [code]
spark.read.parquet(root + '/malt/cask_*').where("s <> '(' and v >= 0").select('id', 'v').write.mode('overwrite').parquet(root + '/out/casks')
-> id: cask_x.id, cask_y.id
-> v: cask_x.v, cask_y.v
-> rows: FILTER cask_x.s, cask_y.s, cask_x.v, cask_y.v
-> to: casks
# brewed: two paths under a join and a window [code]
d = spark.read.parquet(root + '/malt/keg', root + '/malt/bottle').join(spark.table('brew.sales'), F.expr('id = sale_id'))
frame = d.selectExpr('pub', 'sum(v) OVER (PARTITION BY pub ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS around')
-> pub: sales.pub
-> around: keg.v, bottle.v; WINDOW sales.pub, keg.id, bottle.id
-> rows: JOIN keg.id, bottle.id, sales.sale_id; MAY keg.id, bottle.id, sales.sale_id
# brewed: some sites of a partitioned folder [code]
frame = spark.read.json(root + '/malt/sites').where("site in (1, 2) and s <> ', ]'").groupBy('site').agg(F.max('v').alias('v'))
-> site: sites.site
-> v: sites.v
-> rows: FILTER sites.site, .s; GROUP_BY sites.site
# brewed: CSV with a header and inferred types [code]
spark.read.option('header', True).option('inferSchema', True).csv(root + '/malt/csv/keg').where('v > 1').selectExpr('id', "concat(s, '(') AS s2").write.mode('overwrite').saveAsTable('brew.from_csv')
-> id: keg.id
-> s2: keg.s
-> rows: FILTER keg.v
-> to: from_csv
# brewed: cached CSV with inferred types of two folders [code]
d = spark.read.option('header', True).option('inferSchema', True).csv([root + '/malt/csv/keg', root + '/malt/csv/bottle']).cache()
d.where("cast(s AS STRING) not in ('[', '(')").groupBy('s').agg(F.avg('v').alias('mean')).write.mode('overwrite').orc(root + '/out/means')
-> s: keg.s, bottle.s
-> mean: keg.v, bottle.v
-> rows: FILTER keg.s, bottle.s; GROUP_BY keg.s, bottle.s
-> to: means
# brewed: a temporary view of CSV with inferred types [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW csv_bottles USING csv OPTIONS (path '%s/malt/csv/bottle', header 'true', inferSchema 'true')" % root)
frame = spark.sql("SELECT b.id, p.town FROM csv_bottles b LEFT JOIN brew.pubs p ON CAST(b.s AS STRING) = p.pub")
-> id: bottle.id
-> town: pubs.town
-> rows: JOIN bottle.s, pubs.pub; MAY pubs.pub
# brewed: literals with brackets and quotes
SELECT batch_id, concat('"', beer, "')", '[', remark, ']') AS q, replace(brewer, '{', '}') AS b, split(remark, '[,(]')[0] AS first FROM brew.batches WHERE remark IN ('(', '[a', 'b]', '{c}', '"d"', 'it\'s, (e') OR beer LIKE '%\\_(%'
-> batch_id: batches.batch_id
-> q: batches.beer, .remark
-> b: batches.brewer
-> first: batches.remark
-> rows: FILTER batches.remark, .beer
# brewed: literals like plans, cached [code]
d = spark.table('brew.batches').selectExpr('batch_id', "concat(beer, '#12L, Output [2]: [a#1, b#2]') AS p", "if(remark = '(3) Filter', brewer, 'Condition : (x#1 > 2)') AS c").where("p <> 'Input [1]: [' and c <> '+- * Project [a#1]'").cache()
d.write.mode('overwrite').saveAsTable('brew.like_plans')
-> batch_id: batches.batch_id
-> p: batches.beer
-> c: batches.brewer; IF batches.remark
-> rows: FILTER batches.beer, .brewer, .remark
-> to: like_plans
# brewed: a lateral view of structs
SELECT b.batch_id, h.hop, h.grams * 2 AS g FROM brew.batches b LATERAL VIEW explode(b.hops) t AS h WHERE h.hop <> '(]' AND b.spec.ibu > 10
-> batch_id: batches.batch_id
-> hop: batches.hops.hop
-> g: batches.hops.grams
-> rows: FILTER batches.hops.hop, .spec.ibu; MAY batches.hops, .hops.grams, .spec
# brewed: two lateral views, grouped
SELECT k, w, count(DISTINCT batch_id) AS n FROM brew.batches LATERAL VIEW explode(extra) e AS k, v LATERAL VIEW explode(split(v, ', ')) s AS w GROUP BY k, w
-> k: batches.extra
-> w: batches.extra
-> n: batches.batch_id
-> rows: GROUP_BY batches.extra; MAY batches.extra
# brewed: grouping sets
SELECT pub, year, sum(litres) AS l, grouping_id(pub, year) AS g FROM brew.sales WHERE note <> '(' GROUP BY pub, year GROUPING SETS ((pub, year), (pub), ())
-> pub: sales.pub
-> year: sales.year
-> l: sales.litres
-> g: -
-> rows: GROUP_BY sales.pub, .year; FILTER sales.note
# brewed: a cube of a join, written
CREATE TABLE brew.cubed USING parquet AS SELECT coalesce(p.town, 'all (towns)') AS town, b.beer, sum(s.litres) AS l FROM brew.sales s JOIN brew.batches b ON s.batch_id = b.batch_id JOIN brew.pubs p ON p.pub = s.pub GROUP BY p.town, b.beer WITH CUBE
-> town: pubs.town; IF pubs.town
-> beer: batches.beer
-> l: sales.litres
-> rows: GROUP_BY pubs.town, batches.beer; JOIN sales.batch_id, .pub, batches.batch_id, pubs.pub; MAY sales.batch_id, .pub, batches.batch_id, pubs.pub
-> to: cubed
# brewed: a pivot over a join [code]
d = spark.table('brew.sales').join(spark.table('brew.pubs'), 'pub').groupBy('town').pivot('month', [1, 2]).agg(F.sum('litres').alias('l'), F.first('note').alias('n'))
d.write.mode('overwrite').saveAsTable('brew.pivoted')
-> town: pubs.town
-> 1_l: sales.litres; IF sales.month
-> 1_n: sales.note; IF sales.month
-> 2_l: sales.litres; IF sales.month
-> 2_n: sales.note; IF sales.month
-> rows: GROUP_BY pubs.town; JOIN sales.pub, pubs.pub; MAY sales.month, .pub, pubs.pub
-> to: pivoted
# brewed: window frames
SELECT sale_id, avg(price) OVER (PARTITION BY pub ORDER BY sale_id RANGE BETWEEN 5 PRECEDING AND CURRENT ROW) AS mean, first_value(note) OVER (PARTITION BY pub ORDER BY price DESC) AS dear, ntile(4) OVER (ORDER BY litres) AS quarter, price - lag(price, 1, 0.0) OVER (PARTITION BY batch_id ORDER BY year, month) AS change FROM brew.sales WHERE note <> ', ('
-> sale_id: sales.sale_id
-> mean: sales.price; WINDOW sales.pub, .sale_id
-> dear: sales.note; WINDOW sales.pub, .price
-> quarter: -; WINDOW sales.litres
-> change: sales.price; WINDOW sales.batch_id, .year, .month
-> rows: FILTER sales.note
# brewed: scalar subqueries
SELECT batch_id, litres - (SELECT avg(litres) FROM brew.batches WHERE beer <> '(x') AS above, (SELECT max(rating) FROM brew.pubs) AS best FROM brew.batches WHERE abv > (SELECT min(price) FROM brew.sales WHERE year = 2022)
-> batch_id: batches.batch_id
-> above: batches.litres
-> best: pubs.rating
-> rows: FILTER batches.abv, sales.price; MAY batches.beer, sales.year
# brewed: a correlated scalar subquery
SELECT b.batch_id, (SELECT sum(s.litres) FROM brew.sales s WHERE s.batch_id = b.batch_id AND s.note <> '[') AS sold FROM brew.batches b
-> batch_id: batches.batch_id
-> sold: sales.litres
-> rows: JOIN batches.batch_id, sales.batch_id; GROUP_BY sales.batch_id; MAY sales.note, .batch_id
# brewed: not in a subquery
SELECT pub, town FROM brew.pubs WHERE pub NOT IN (SELECT pub FROM brew.sales WHERE price > 3 AND note <> 'a, )')
-> pub: pubs.pub
-> town: pubs.town
-> rows: JOIN pubs.pub, sales.pub; FILTER sales.price, .note
# brewed: in a subquery of a cache [code]
spark.table('brew.sales').where("note <> '['").select('batch_id', 'pub').cache().createOrReplaceTempView('sold')
spark.sql("CREATE TABLE brew.sold_batches USING orc AS SELECT beer, abv FROM brew.batches WHERE batch_id IN (SELECT batch_id FROM sold WHERE pub LIKE 'c%(')")
-> beer: batches.beer
-> abv: batches.abv
-> rows: JOIN batches.batch_id, sales.batch_id; FILTER sales.note, .pub
-> to: sold_batches
# brewed: rows through an RDD [code]
d = spark.table('brew.pubs').where("town <> '('").select('pub', 'seats')
spark.createDataFrame(d.rdd, d.schema).groupBy('pub').count().write.mode('overwrite').saveAsTable('brew.through_rdd')
-> pub: -
-> count: -
-> to: through_rdd
# brewed: a full join of two tables
CREATE TABLE brew.reconciled USING parquet AS SELECT coalesce(a.pub, b.pub) AS pub, a.rating, b.l, CASE WHEN a.pub IS NULL THEN 'no pub (' WHEN b.pub IS NULL THEN 'no sale' ELSE 'ok' END AS state FROM brew.pubs a FULL OUTER JOIN (SELECT pub, sum(litres) AS l FROM brew.sales GROUP BY pub) b ON a.pub = b.pub
-> pub: pubs.pub, sales.pub; IF pubs.pub, sales.pub
-> rating: pubs.rating
-> l: sales.litres
-> state: -; IF pubs.pub, sales.pub
-> rows: JOIN pubs.pub, sales.pub; GROUP_BY sales.pub
-> to: reconciled
# brewed: set operations of views
SELECT pub FROM p1 WHERE rating > 2 EXCEPT SELECT pub FROM brew.sales WHERE note = '(['
-> pub: pubs.pub
-> rows: FILTER pubs.town, .rating; JOIN pubs.pub, sales.pub; GROUP_BY ?pubs.pub; MAY sales.note
# brewed: structs and maps, cached [code]
d = spark.table('brew.batches').groupBy('beer').agg(F.collect_list(F.struct('batch_id', F.col('brewer').alias('who'))).alias('all'), F.max(F.struct('abv', 'tank')).alias('top')).cache()
d.selectExpr('beer', 'size(all) AS n', 'top.tank AS tank', 'all[0].who AS first').write.mode('overwrite').saveAsTable('brew.collected')
-> beer: batches.beer
-> n: batches.batch_id, .brewer
-> tank: batches.tank; IF batches.abv
-> first: batches.brewer
-> rows: GROUP_BY batches.beer
-> to: collected
# brewed: JSON in a column, cached [code]
d = spark.table('brew.batches').selectExpr('batch_id', "from_json(remark, 'a STRING, b STRUCT<c: INT>') AS j").where("j.a <> '{('").cache()
frame = d.selectExpr('batch_id', 'j.b.c + 1 AS c')
-> batch_id: batches.batch_id
-> c: batches.remark
-> rows: FILTER batches.remark
# brewed: a union by name, grouped [code]
a = spark.table('brew.batches').selectExpr('beer AS name', 'litres')
b = spark.table('brew.sales').selectExpr('-litres AS litres', 'pub AS name')
a.unionByName(b).where("name <> '('").groupBy('name').agg(F.sum('litres').alias('stock')).write.partitionBy('name').mode('overwrite').parquet(root + '/out/stock')
-> name: batches.beer, sales.pub
-> stock: batches.litres, sales.litres
-> rows: FILTER batches.beer, sales.pub; GROUP_BY batches.beer, sales.pub
-> to: stock
# brewed: overwriting one partition from a view [code]
spark.sql('CREATE TABLE brew.days (pub STRING, litres DOUBLE, day STRING) USING parquet PARTITIONED BY (day)')
spark.sql("INSERT OVERWRITE TABLE brew.days PARTITION (day = '2022-01-01') SELECT house, length(who) FROM p3 WHERE place NOT IN ('(', ', [')")
-> pub: pubs.pub
-> litres: pubs.owner; IF pubs.owner
-> day: -
-> rows: FILTER pubs.town, .rating
-> to: days
# brewed: a Hive table of partitions [hive]
CREATE TABLE brew.journal (line_id BIGINT, account_of_line STRING, amount_of_line DOUBLE, text_of_line STRING, cost_center_of_line STRING, user_of_line STRING) PARTITIONED BY (ds STRING, country STRING) STORED AS PARQUET
# brewed: a Hive table filled [hive]
INSERT OVERWRITE TABLE brew.journal PARTITION (ds = '2022-01-01', country = 'uk') SELECT sale_id, pub, litres * price, note, concat('(', pub), 'x, y' FROM brew.sales WHERE note <> ')' AND year = 2022
-> line_id: sales.sale_id
-> account_of_line: sales.pub
-> amount_of_line: sales.litres, .price
-> text_of_line: sales.note
-> cost_center_of_line: sales.pub
-> user_of_line: -
-> ds: -
-> country: -
-> rows: FILTER sales.note, .year
-> to: journal
# brewed: a Hive table with a long filter [hive]
SELECT line_id, country, amount_of_line FROM brew.journal WHERE ds >= '2021-12-01' AND ds <= '2022-02-01' AND country IN ('uk', 'ie', 'fr', 'de', 'nl') AND account_of_line <> 'x (closed)' AND cost_center_of_line LIKE '(%' AND text_of_line IS NOT NULL AND user_of_line NOT IN ('a', 'b, c', '[d]') AND amount_of_line > 0.5
-> line_id: journal.line_id
-> country: journal.country
-> amount_of_line: journal.amount_of_line
-> rows: FILTER journal.ds, .country, .account_of_line, .cost_center_of_line, .text_of_line, .user_of_line, .amount_of_line
# brewed: a cached Hive table with a long filter, grouped [code] [hive]
d = spark.table('brew.journal').where("ds > '2021' and country in ('uk', 'ie') and text_of_line <> 'paid (cash), [late]' and user_of_line <> '(' and amount_of_line > 0").cache()
d.groupBy('account_of_line', 'ds').agg(F.sum('amount_of_line').alias('amount')).write.mode('overwrite').saveAsTable('brew.accounts')
-> account_of_line: journal.account_of_line
-> ds: journal.ds
-> amount: journal.amount_of_line
-> rows: FILTER journal.ds, .country, .text_of_line, .user_of_line, .amount_of_line; GROUP_BY journal.account_of_line, .ds
-> to: accounts
# brewed: a folder written by Hive from a view of a Hive table [code] [hive]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW j1 AS SELECT account_of_line AS account, amount_of_line * 2 AS doubled, ds FROM brew.journal WHERE text_of_line NOT LIKE '%(%'")
spark.sql("INSERT OVERWRITE DIRECTORY '%s/out/journal_dir' STORED AS ORC SELECT account, sum(doubled) AS d FROM j1 WHERE ds = '2022-01-01' GROUP BY account" % root)
-> account: journal.account_of_line
-> d: journal.amount_of_line
-> rows: FILTER journal.text_of_line, .ds; GROUP_BY journal.account_of_line
-> to: journal_dir
# brewed: rows without duplicates, kept after a checkpoint [code]
spark.table('brew.sales').where("note <> '(('").dropDuplicates(['pub', 'batch_id']).select('pub', 'price').localCheckpoint().where('price > 0').write.mode('overwrite').saveAsTable('brew.checked')
-> pub: sales.pub
-> price: sales.price
-> rows: FILTER sales.note, .price; GROUP_BY sales.pub, .batch_id
-> to: checked
