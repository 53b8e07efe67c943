# clinic frames: patients
CREATE TABLE persons (pid BIGINT, mrn STRING, full_name STRING, ssn STRING, zip STRING, dob DATE,
  home STRUCT<city: STRING, floor: INT>, allergies ARRAY<STRING>) USING parquet
# clinic frames: stays
CREATE TABLE stays (vid BIGINT, pid BIGINT, ward STRING, arrived TIMESTAMP, gone TIMESTAMP, cost DOUBLE, notes STRING,
  codes ARRAY<STRUCT<sys: STRING, code: STRING, rank: INT>>, tests ARRAY<STRING>, vals ARRAY<DOUBLE>) USING parquet
# clinic frames: results
CREATE TABLE results (vid BIGINT, test STRING, val DOUBLE, unit STRING, taken TIMESTAMP) USING parquet
# clinic frames: names that look like plans
CREATE TABLE sheets (`a#1` INT, `b AS c` STRING, `(f)` INT, `[g]` INT, `h.i` INT, `count(1)` BIGINT) USING parquet
# clinic frames: rows of stays
INSERT INTO stays (vid, pid, ward, cost, notes, arrived) VALUES (1, 1, 'a', 5.0, 'x', TIMESTAMP'2026-01-01 00:00:00'), (2, 1, 'b', 9.0, 'y', TIMESTAMP'2026-01-02 00:00:00')
# clinic frames: rows of persons
INSERT INTO persons (pid, mrn, full_name, ssn, zip) VALUES (1, 'm', 'n', 's', 'a')
# clinic frames: distinct counts of expressions [code]
frame = spark.table('stays').groupBy('ward').agg(F.countDistinct(F.upper('notes')).alias('a'), F.sum_distinct(F.col('cost') * 2).alias('b'), F.countDistinct(F.col('codes')[0]['code']).alias('c'), F.count_distinct(F.date_trunc('day', 'arrived'), 'pid').alias('d'))
-> ward: stays.ward
-> a: stays.notes
-> b: stays.cost
-> c: stays.codes.code
-> d: stays.arrived, .pid
-> rows: GROUP_BY stays.ward
# clinic frames: unnamed aggregates selected by name [code]
frame = spark.table('stays').groupBy('ward').agg(F.sum('cost'), F.count('*'), F.max(F.length('notes'))).where(F.col('sum(cost)') > 3).select('ward', 'count(1)', F.col('max(length(notes))').alias('m'))
-> ward: stays.ward
-> count(1): -
-> m: stays.notes
-> rows: GROUP_BY stays.ward; FILTER stays.cost
# clinic frames: dict aggregates and drops [code]
frame = spark.table('stays').groupBy(F.year('arrived')).agg({'cost': 'avg', 'vid': 'max', '*': 'count'}).drop('count(1)').withColumnRenamed('avg(cost)', 'a[')
-> year(arrived): stays.arrived
-> max(vid): stays.vid
-> a[: stays.cost
-> rows: GROUP_BY stays.arrived
# clinic frames: odd names everywhere [code]
frame = spark.table('sheets').where('`(f)` > 2').groupBy('`b AS c`').agg(F.max('`a#1`').alias('m AS n'), F.sum('`[g]`').alias('s,t#4'), F.first('`h.i`').alias('f')).orderBy(F.desc('`m AS n`')).limit(4)
-> b AS c: sheets.b AS c
-> m AS n: sheets.a#1
-> s,t#4: sheets.[g]
-> f: sheets.h.i
-> rows: FILTER sheets.(f); GROUP_BY sheets.b AS c; SORT sheets.a#1
# clinic frames: odd names joined [code]
left = spark.table('sheets').alias('l')
right = spark.table('sheets').select(F.col('`(f)`').alias('x#1'), F.col('`count(1)`').alias('n AS m')).alias('r')
frame = left.join(right, F.col('l.`a#1`') == F.col('r.`x#1`'), 'right').select('l.`b AS c`', 'r.`n AS m`', (F.col('l.`h.i`') + F.col('r.`x#1`')).alias('l.h + r.x'))
-> b AS c: sheets.b AS c
-> n AS m: sheets.count(1)
-> l.h + r.x: sheets.h.i, .(f)
-> rows: JOIN sheets.a#1, .(f)
# clinic frames: literals of brackets [code]
frame = spark.table('stays').select('vid', F.concat(F.lit('['), 'ward', F.lit('(')).alias('a'), F.regexp_replace('notes', r'[\[(]', r'\\').alias('b'), F.lit('], [x#1').alias('c'), F.when(F.col('ward') == r'a\(', F.col('cost')).otherwise(F.lit(0.0)).alias('d')).where(F.col('c') != F.col('b'))
-> vid: stays.vid
-> a: stays.ward
-> b: stays.notes
-> c: -
-> d: stays.cost; IF stays.ward
-> rows: FILTER stays.notes
# clinic frames: except all then grouped [code]
frame = spark.table('stays').select('pid', 'ward').exceptAll(spark.table('results').select('vid', 'unit')).groupBy('ward').agg(F.max('pid').alias('p'))
-> ward: stays.ward
-> p: stays.pid
-> rows: JOIN results.vid, .unit; GROUP_BY stays.ward; MAY stays.pid
# clinic frames: intersect all of expressions [code]
frame = spark.table('stays').select(F.upper('ward').alias('w,x#1'), (F.col('pid') + 1).alias('p')).intersectAll(spark.table('persons').select('zip', 'pid'))
-> w,x#1: stays.ward
-> p: stays.pid
-> rows: JOIN persons.zip, .pid; MAY stays.ward, .pid
# clinic frames: exploded structs with fields picked [code]
frame = spark.table('stays').select('vid', F.explode(F.array(F.struct(F.col('ward').alias('k'), F.col('cost').alias('v')), F.struct(F.col('notes').alias('k'), F.lit(1.0).alias('v')))).alias('s')).select('vid', 's.k', (F.col('s.v') * 2).alias('w'))
-> vid: stays.vid
-> k: stays.ward, .notes
-> w: stays.cost
# clinic frames: inline of zipped arrays [code]
frame = spark.table('stays').select('vid', F.inline(F.arrays_zip('tests', 'vals'))).where('vals > 2').drop('vals')
-> vid: stays.vid
-> tests: stays.tests
-> rows: FILTER stays.vals; MAY stays.tests
# clinic frames: a filter's lambda over two columns [code]
frame = spark.table('stays').select('vid', F.explode(F.filter('vals', lambda v: v > F.col('cost'))).alias('v')).groupBy('vid').agg(F.max('v').alias('m'))
-> vid: stays.vid
-> m: stays.vals
-> rows: FILTER stays.vals, .cost; GROUP_BY stays.vid
# clinic frames: collected, sorted, zipped back [code]
w = Window.partitionBy('pid').orderBy('arrived')
frame = spark.table('stays').groupBy('pid').agg(F.sort_array(F.collect_list(F.struct('arrived', 'ward', 'cost'))).alias('l')).select('pid', F.col('l.ward').alias('wards'), F.transform('l', lambda x: x['cost'] + 1).alias('costs'), F.element_at('l', -1)['ward'].alias('last'))
-> pid: stays.pid
-> wards: stays.ward, ?.arrived, ?.cost
-> costs: stays.cost, ?.arrived, ?.ward
-> last: stays.ward, ?.arrived, ?.cost
-> rows: GROUP_BY stays.pid
# clinic frames: max by and list [code]
frame = spark.table('stays').groupBy('pid').agg(F.max_by('ward', 'arrived').alias('last'), F.min_by(F.struct('ward', 'cost'), F.col('cost') - F.col('vid')).alias('cheap')).select('pid', 'last', 'cheap.cost')
-> pid: stays.pid
-> last: stays.ward; IF stays.arrived
-> cost: stays.cost; IF stays.cost, .vid
-> rows: GROUP_BY stays.pid
# clinic frames: lists in order [code] [from 4.0]
frame = spark.table('stays').groupBy('ward').agg(F.listagg(F.upper('notes'), F.lit('[')).alias('l'), F.expr("listagg(notes, ', ') WITHIN GROUP (ORDER BY cost DESC)").alias('o'))
-> ward: stays.ward
-> l: stays.notes
-> o: stays.notes; SORT stays.cost
-> rows: GROUP_BY stays.ward
# clinic frames: metadata of files [code]
frame = spark.table('stays').select('vid', '_metadata.file_name', F.col('_metadata.file_size').alias('size')).where("file_name <> '(' ").groupBy('file_name').agg(F.sum('size').alias('s'), F.max('vid').alias('v'))
-> file_name: stays._metadata.file_name
-> s: stays._metadata.file_size
-> v: stays.vid
-> rows: FILTER stays._metadata.file_name; GROUP_BY stays._metadata.file_name
# clinic frames: a local checkpoint grouped, then joined with its table [code]
kept = spark.table('stays').where('cost > 1').groupBy('ward').agg(F.sum('cost').alias('t')).localCheckpoint()
frame = kept.join(spark.table('stays').select('ward', 'vid'), 'ward').where('t > 2').select('vid', 't')
-> vid: stays.vid
-> t: stays.cost
-> rows: FILTER stays.cost; GROUP_BY stays.ward; JOIN stays.ward
# clinic frames: a reliable checkpoint after a join [code]
spark.sparkContext.setCheckpointDir(root + '/points')
kept = spark.table('stays').join(spark.table('persons'), 'pid').where("zip <> '('").select('vid', 'full_name', 'cost').checkpoint()
frame = kept.groupBy(F.upper('full_name').alias('n')).agg(F.max('cost').alias('c'))
-> n: persons.full_name
-> c: stays.cost
-> rows: JOIN stays.pid, persons.pid; FILTER persons.zip; GROUP_BY persons.full_name
# clinic frames: a checkpoint of a checkpoint [code]
one = spark.table('stays').where('vid > 0').select('vid', 'pid', F.upper('ward').alias('w')).localCheckpoint()
two = one.join(spark.table('persons').select('pid', 'mrn'), 'pid').localCheckpoint()
frame = two.where("w <> 'x'").select('mrn', 'w')
-> mrn: persons.mrn
-> w: stays.ward
-> rows: FILTER stays.vid, .ward; JOIN stays.pid, persons.pid
# clinic frames: a checkpoint of an empty table [code]
kept = spark.table('results').where('val > 2').select('vid', 'test', F.upper('unit').alias('u')).localCheckpoint()
frame = kept.where("test <> '['").select('vid', 'u')
-> vid: results.vid
-> u: results.unit
-> rows: FILTER results.val, .test
# clinic frames: a checkpoint of an empty table joined with itself [code]
kept = spark.table('results').where('val > 3').select('vid', 'test', 'unit').localCheckpoint()
frame = kept.alias('a').join(kept.alias('b'), F.col('a.vid') == F.col('b.vid')).select('a.test', F.col('b.unit').alias('u'))
-> test: results.test
-> u: results.unit
-> rows: FILTER results.val; JOIN results.vid
# clinic frames: an empty checkpoint to files, grouped [code]
kept = spark.table('results').where("unit = 'x'").groupBy('test').agg(F.max('val').alias('m')).checkpoint()
frame = kept.orderBy('m').limit(2)
-> test: results.test
-> m: results.val
-> rows: FILTER results.unit; GROUP_BY results.test; SORT results.val
# clinic frames: a checkpoint of a union, cached [code]
kept = spark.table('stays').select('vid', 'ward').unionByName(spark.table('results').select('vid', F.col('unit').alias('ward'))).localCheckpoint().cache()
frame = kept.groupBy('ward').count()
-> ward: stays.ward, results.unit
-> count: -
-> rows: GROUP_BY stays.ward, results.unit
# clinic frames: rows of a whole frame in pandas [code]
frame = spark.table('stays').where('cost > 3').select('vid', 'ward').withColumnRenamed('ward', 'w').mapInPandas(lambda them: them, 'vid BIGINT, w STRING').groupBy('w').count()
-> w: stays.vid, .ward
-> count: -
-> rows: FILTER stays.cost; GROUP_BY stays.vid, .ward
# clinic frames: groups in pandas with a key [code]
def first(key, rows):
    return rows.head(1)
frame = spark.table('stays').select('pid', 'cost').groupBy((F.col('pid') % 3).alias('k')).applyInPandas(first, 'pid BIGINT, cost DOUBLE')
-> pid: stays.pid, .cost
-> cost: stays.pid, .cost
-> rows: GROUP_BY stays.pid
# clinic frames: functions of rows in a condition and a key [code]
from pyspark.sql.functions import udf
short = udf(lambda text: (text or '')[:2])
frame = spark.table('stays').where(short('ward') != '[').groupBy(short('notes').alias('n')).agg(F.max(short(F.concat('ward', F.lit('(')))).alias('w'))
-> n: stays.notes
-> w: stays.ward
-> rows: FILTER stays.ward; GROUP_BY stays.notes
# clinic frames: a vectorized function over a window [code]
import pandas as pd
from pyspark.sql.functions import pandas_udf
@pandas_udf('double')
def middle(v: pd.Series) -> float:
    return v.median()
frame = spark.table('stays').select('vid', middle('cost').over(Window.partitionBy('pid')).alias('m'), (F.col('cost') - middle('cost').over(Window.partitionBy('ward'))).alias('d'))
-> vid: stays.vid
-> m: stays.cost; WINDOW stays.pid
-> d: stays.cost; WINDOW stays.ward
# clinic frames: a union in a loop [code]
from functools import reduce
parts = [spark.table('stays').where(F.col('ward') == f'w[{i}').select('vid', F.lit(i).alias('i'), (F.col('cost') * i).alias('c')) for i in range(4)]
frame = reduce(lambda a, b: a.unionByName(b), parts).groupBy('i').agg(F.sum('c').alias('c'))
-> i: -
-> c: stays.cost
-> rows: FILTER stays.ward
# clinic frames: many columns in a loop [code]
frame = spark.table('stays')
for i in range(30):
    frame = frame.withColumn(f'c{i}', F.concat('ward' if i % 2 else 'notes', F.lit(f'[{i}')))
frame = frame.select('vid', 'c0', 'c7', 'c28', 'c29')
-> vid: stays.vid
-> c0: stays.notes
-> c7: stays.ward
-> c28: stays.notes
-> c29: stays.ward
# clinic frames: a column overwritten in steps [code]
frame = spark.table('stays').withColumn('cost', F.col('cost') * 2).withColumn('notes', F.concat('notes', F.col('cost').cast('string'))).withColumn('cost', F.coalesce('cost', F.length('ward').cast('double'))).select('cost', 'notes')
-> cost: stays.cost, .ward; IF stays.cost, .ward
-> notes: stays.notes, .cost
# clinic frames: joined on several conditions and keys [code]
p, s = spark.table('persons'), spark.table('stays')
frame = s.join(p, (s.pid == p.pid) & (s.ward.startswith(p['zip']) | (s.cost > 3)), 'left').select(s.vid, F.coalesce(p.full_name, F.lit('[')).alias('n'), p.home.city.alias('c'))
-> vid: stays.vid
-> n: persons.full_name; IF persons.full_name
-> c: persons.home.city
-> rows: JOIN stays.pid, persons.pid, stays.ward, persons.zip, stays.cost
# clinic frames: broadcast and hints [code]
frame = spark.table('stays').join(F.broadcast(spark.table('persons').select('pid', F.sha2('ssn', 256).alias('h')).dropDuplicates(['h'])), 'pid').hint('rebalance').select('vid', 'h')
-> vid: stays.vid
-> h: persons.ssn
-> rows: JOIN stays.pid, persons.pid; GROUP_BY persons.ssn
# clinic frames: a pivot with several values [code]
frame = spark.table('stays').groupBy('pid').pivot('ward', ['a[', '(b', 'c AS d']).agg(F.max(F.upper('notes')).alias('n'), F.avg('cost'))
-> pid: stays.pid
-> a[_n: stays.notes; IF stays.ward
-> a[_avg(cost): stays.cost; IF stays.ward
-> (b_n: stays.notes; IF stays.ward
-> (b_avg(cost): stays.cost; IF stays.ward
-> c AS d_n: stays.notes; IF stays.ward
-> c AS d_avg(cost): stays.cost; IF stays.ward
-> rows: GROUP_BY stays.pid, ?.ward; MAY stays.ward
# clinic frames: selected by pattern, aliased by loop [code]
t = spark.table('stays')
frame = t.select(*[F.col(c).alias(f'{c} AS x#1') for c in t.columns if c.startswith(('v', 'c'))]).drop('codes AS x#1')
-> vid AS x#1: stays.vid
-> cost AS x#1: stays.cost
-> vals AS x#1: stays.vals
# clinic frames: a frame of the driver joined [code]
names = spark.createDataFrame([('a', 'long ['), ('b', 'short (')], 'ward STRING, label STRING')
frame = spark.table('stays').join(names, 'ward', 'left').select('vid', 'ward', F.coalesce('label', 'ward').alias('l'))
-> vid: stays.vid
-> ward: stays.ward
-> l: stays.ward; IF stays.ward
-> rows: JOIN stays.ward
# clinic frames: a temporary view over a frame, used in SQL [code]
spark.table('stays').where('cost > 2').withColumn('w', F.upper('ward')).createOrReplaceTempView('dear_stays')
frame = spark.sql("SELECT w, count(DISTINCT notes || '[') AS n FROM dear_stays WHERE vid IN (SELECT vid FROM results WHERE val > 1) GROUP BY w")
-> w: stays.ward
-> n: stays.notes
-> rows: FILTER stays.cost; JOIN stays.vid, results.vid; GROUP_BY stays.ward; MAY results.val
# clinic frames: a temporary view named like a table [code]
spark.table('stays').select('vid', F.upper('notes').alias('test'), F.col('cost').alias('val')).createOrReplaceTempView('results')
frame = spark.table('results').where('val > 3').select('test')
-> test: stays.notes
-> rows: FILTER stays.cost
# clinic frames: the table below the view's name [code]
spark.catalog.dropTempView('results')
frame = spark.table('results').where('val > 3').select('test')
-> test: results.test
-> rows: FILTER results.val
# clinic frames: a global temporary view [code]
spark.table('persons').select('pid', F.md5('ssn').alias('h')).createOrReplaceGlobalTempView('hashed')
frame = spark.sql('SELECT h FROM global_temp.hashed WHERE pid > 3')
-> h: persons.ssn
-> rows: FILTER persons.pid
# clinic frames: files by path with a partition [code]
spark.table('stays').selectExpr('vid', 'cost', 'ward AS w').write.mode('overwrite').partitionBy('w').parquet(root + '/lake/by_ward')
frame = None
# clinic frames: files with metadata and partitions [code]
frame = spark.read.parquet(root + '/lake/by_ward').where("w = 'a' AND _metadata.file_size > 1").select('vid', 'w', '_metadata.file_name')
-> vid: by_ward.vid
-> w: by_ward.w
-> file_name: by_ward._metadata.file_name
-> rows: FILTER by_ward.w, by_ward._metadata.file_size
# clinic frames: json of files [code]
spark.table('stays').select('vid', F.struct('ward', 'cost').alias('s')).write.mode('overwrite').json(root + '/lake/stays_json')
frame = spark.read.schema('vid BIGINT, s STRUCT<ward: STRING, cost: DOUBLE>').json(root + '/lake/stays_json').select('vid', 's.ward', F.to_json('s').alias('j'))
-> vid: stays_json.vid
-> ward: stays_json.s.ward
-> j: stays_json.s
# clinic frames: variants by code [code] [from 4.0]
frame = spark.table('stays').select('vid', F.try_parse_json('notes').alias('v')).select('vid', F.variant_get('v', '$.a', 'int').alias('a'), F.try_variant_get('v', '$.b[0]', 'string').alias('b'))
-> vid: stays.vid
-> a: stays.notes
-> b: stays.notes
# clinic frames: transposed rows of a stack [code]
frame = spark.table('stays').select('vid', F.stack(F.lit(3), F.lit('ward['), 'ward', F.lit('notes('), 'notes', F.lit('n'), F.lower('ward')).alias('k', 'v')).where("k <> 'n'")
-> vid: stays.vid
-> k: -
-> v: stays.ward, .notes
# clinic frames: rolling by range with ties [code]
w = Window.partitionBy(F.upper('ward')).orderBy(F.col('arrived').cast('long')).rangeBetween(-3600, 0)
frame = spark.table('stays').withColumn('roll', F.sum('cost').over(w)).withColumn('rank', F.dense_rank().over(Window.partitionBy('ward').orderBy(F.desc('roll')))).where('rank <= 3').select('vid', 'roll')
-> vid: stays.vid
-> roll: stays.cost; WINDOW stays.ward, .arrived
-> rows: FILTER stays.ward, .cost, .arrived
# clinic frames: islands in three windows [code]
w = Window.partitionBy('pid').orderBy('arrived')
frame = spark.table('stays').withColumn('prev', F.lag('gone').over(w)).withColumn('new', (F.col('arrived') > F.col('prev')).cast('int')).withColumn('island', F.sum('new').over(w)).groupBy('pid', 'island').agg(F.min('arrived').alias('first'), F.max('gone').alias('last'))
-> pid: stays.pid
-> island: stays.arrived, .gone; WINDOW stays.pid, .arrived
-> first: stays.arrived
-> last: stays.gone
-> rows: GROUP_BY stays.pid, .arrived, .gone
# clinic frames: null-safe joins and unions [code]
a = spark.table('stays').select('pid', 'ward')
b = spark.table('persons').select('pid', 'zip')
frame = a.join(b, a.ward.eqNullSafe(b['zip']), 'full').select(F.coalesce(a.pid, b.pid).alias('p'), 'zip').unionByName(spark.table('results').select(F.col('vid').alias('p'), F.lit(None).cast('string').alias('zip')))
-> p: stays.pid, persons.pid, results.vid; IF stays.pid, persons.pid
-> zip: persons.zip
-> rows: JOIN stays.ward, persons.zip; MAY stays.pid
# clinic frames: renamed after an action [code]
base = spark.table('stays').where('cost > 6').select('vid', 'ward')
base.count()
frame = base.toDF('v', 'w').where('v > 0')
-> v: stays.vid
-> w: stays.ward
-> rows: FILTER stays.cost, .vid
# clinic frames: quantile columns and statistics [code]
frame = spark.table('stays').groupBy('ward').agg(F.percentile_approx('cost', [0.5, 0.9]).alias('q'), F.corr('cost', F.size('vals')).alias('c'), F.kurtosis('cost').alias('k'), F.approx_count_distinct('pid').alias('p')).withColumn('q', F.col('q')[0])
-> ward: stays.ward
-> q: stays.cost
-> c: stays.cost, .vals
-> k: stays.cost
-> p: stays.pid
-> rows: GROUP_BY stays.ward
# clinic frames: salted join [code]
left = spark.table('stays').withColumn('salt', (F.rand(3) * 4).cast('int'))
right = spark.table('persons').select('pid', 'mrn').withColumn('salt', F.explode(F.array(*[F.lit(i) for i in range(4)])))
frame = left.join(right, ['pid', 'salt']).groupBy('mrn').agg(F.sum('cost').alias('c'))
-> mrn: persons.mrn
-> c: stays.cost
-> rows: JOIN stays.pid, persons.pid; GROUP_BY persons.mrn
# clinic frames: parsed logs [code]
frame = spark.table('stays').select('vid', F.from_json('notes', 'a INT, b ARRAY<STRUCT<c: STRING>>').alias('j')).select('vid', 'j.a', F.explode_outer('j.b').alias('e')).select('vid', 'a', 'e.c').where(F.col('c').rlike(r'\[\(.*\\'))
-> vid: stays.vid
-> a: stays.notes
-> c: stays.notes
-> rows: FILTER stays.notes
# clinic frames: a lateral join by code [code] [from 4.0]
frame = spark.table('persons').alias('p').lateralJoin(spark.table('stays').alias('s').where(F.col('s.pid') == F.col('p.pid').outer()).select((F.col('s.cost') * 2).alias('top'), F.col('s.ward').alias('w['))).where('top > 2').select('p.mrn', 'top', 'w[')
-> mrn: persons.mrn
-> top: stays.cost
-> w[: stays.ward
-> rows: JOIN persons.pid, stays.pid; FILTER stays.cost
# clinic frames: a table function in Python, lateral [code] [from 4.0]
from pyspark.sql.functions import udtf
@udtf(returnType='part: string')
class Parts:
    def eval(self, text):
        for each in (text or '').split('['):
            yield each,
spark.udtf.register('parts_of', Parts)
frame = spark.sql("SELECT s.vid, t.part FROM stays s, LATERAL parts_of(s.notes) t WHERE t.part <> '('")
-> vid: stays.vid
-> part: stays.notes
-> rows: FILTER stays.notes
