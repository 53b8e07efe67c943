# museum frames: works
CREATE TABLE pieces (id BIGINT, maker BIGINT, title STRING, made INT, price DOUBLE, size STRUCT<w: DOUBLE, h: DOUBLE>, tags ARRAY<STRING>, props MAP<STRING, STRING>, label STRING) USING parquet
# museum frames: guests
CREATE TABLE entries (tid BIGINT, guest STRING, room STRING, at TIMESTAMP, spent DOUBLE, kind STRING, raw STRING) USING parquet
# museum frames: rows of works
INSERT INTO pieces (id, maker, title, made, price, label) VALUES (1, 1, 'a b', 1900, 2.5, 'x'), (2, 1, 'b c', 1950, 7.5, 'y'), (3, 2, 'c', 1960, 1.5, 'x')
# museum frames: rows of guests
INSERT INTO entries VALUES (1, 'g', 'r1', TIMESTAMP'2026-01-02 10:00:00', 3.0, 'full', '(7)'), (2, 'h', 'r2', TIMESTAMP'2026-01-03 10:00:00', 4.0, 'kid', '[1]'), (3, 'g', 'r2', TIMESTAMP'2026-01-04 10:00:00', 5.0, 'full', '#3')
# museum frames: described [code]
frame = spark.table('pieces').describe('made', 'price')
-> summary: -
-> made: pieces.made
-> price: pieces.price
# museum frames: summary of chosen statistics [code]
frame = spark.table('pieces').where("label <> '('").select('price', 'label').summary('count', 'mean', '75%', 'max')
-> summary: -
-> price: pieces.price
-> label: pieces.label
-> rows: FILTER pieces.label
# museum frames: crosstab [code]
frame = spark.table('entries').crosstab('room', 'kind')
-> room_kind: entries.room; IF ?entries.room
-> full: ?entries.kind; IF entries.kind
-> kid: ?entries.kind; IF entries.kind
-> rows: GROUP_BY entries.room, ?.kind; MAY entries.kind
# museum frames: frequent items [code]
frame = spark.table('entries').freqItems(['room', 'kind'], 0.4)
-> room_freqItems: entries.room
-> kind_freqItems: entries.kind
# museum frames: sampled by a computed key [code]
frame = spark.table('entries').withColumn('k', F.upper('kind')).sampleBy('k', {'FULL': 0.5, '(': 1.0}, 7).groupBy('k').agg(F.sum('spent').alias('s'))
-> k: entries.kind
-> s: entries.spent
-> rows: FILTER entries.kind; GROUP_BY entries.kind
# museum frames: filled, replaced and dropped [code]
frame = spark.table('entries').na.fill({'spent': 0.0, 'kind': '(none)'}).replace({'r1': 'first', 'r2': 'x#1, y#2'}, subset=['room']).dropna(subset=['guest', 'raw'], thresh=1).select('room', 'spent', 'kind')
-> room: entries.room; IF entries.room
-> spent: entries.spent; IF entries.spent
-> kind: entries.kind; IF entries.kind
-> rows: FILTER entries.guest, .raw
# museum frames: split at random and joined again [code]
a, b = spark.table('pieces').select('id', 'maker', 'price').randomSplit([0.6, 0.4], 3)
frame = a.groupBy('maker').agg(F.avg('price').alias('m')).join(b, 'maker').select('id', (F.col('price') - F.col('m')).alias('d'))
-> id: pieces.id
-> d: pieces.price
-> rows: GROUP_BY pieces.maker; JOIN pieces.maker; MAY pieces.id, .maker, .price
# museum frames: ranges, partitions and orders within them [code]
frame = spark.table('pieces').repartitionByRange(3, F.col('made').desc(), 'id').sortWithinPartitions(F.length('title'), F.col('price').desc()).select('title')
-> title: pieces.title
-> rows: MAY pieces.made, .id, .title, .price
# museum frames: names changed in bulk and picked by a pattern [code] [from 3.5]
renamed = spark.table('pieces').withColumnsRenamed({'price': 'price (EUR)', 'made': 'made#1', 'gone': 'x'})
frame = renamed.select(renamed.colRegex('`(price.*|made.*)`')).withColumns({'a b': F.col('price (EUR)') * 2, 'made#1': F.col('made#1') + 1})
-> made#1: pieces.made
-> price (EUR): pieces.price
-> a b: pieces.price
# museum frames: unpivoted with expressions and pivoted back [code]
long = spark.table('pieces').select('id', 'label', F.col('size.w').alias('w'), (F.col('size.h') / 2).alias('h')).unpivot(['id', 'label'], ['w', 'h'], 'what', 'v').where('v > 1')
frame = long.groupBy('label').pivot('what', ['w', 'h']).agg(F.avg('v'))
-> label: pieces.label
-> w: pieces.size.w, .size.h
-> h: pieces.size.w, .size.h
-> rows: GROUP_BY pieces.label; FILTER pieces.size.w, .size.h
# museum frames: arrow batches after a window [code]
def keep(batches):
    yield from batches
w = Window.partitionBy('room').orderBy(F.col('at').desc(), 'tid')
frame = spark.table('entries').withColumn('n', F.row_number().over(w)).where('n = 1').select('guest', 'spent').mapInArrow(keep, 'g STRING, s DOUBLE').where("g <> '['")
-> g: entries.guest, .spent
-> s: entries.guest, .spent
-> rows: FILTER entries.room, .at, .tid, .guest, .spent
# museum frames: cogroups of aggregates [code]
def both(left, right):
    return left
a = spark.table('entries').groupBy('room').agg(F.sum('spent').alias('s'))
b = spark.table('entries').where("kind = 'kid'").select('room', F.length('raw').alias('r'))
frame = a.groupBy('room').cogroup(b.groupBy('room')).applyInPandas(both, 'room STRING, s DOUBLE').select('s')
-> s: entries.room, .spent, .raw
-> rows: GROUP_BY entries.room; FILTER entries.kind; MAY entries.room
# museum frames: grouped rows in pandas and ranked [code]
def each(rows):
    return rows
frame = spark.table('entries').select('room', 'spent', 'at').groupBy(F.upper('room').alias('k')).applyInPandas(each, 'room STRING, spent DOUBLE, at TIMESTAMP').select('room', F.rank().over(Window.partitionBy('room').orderBy('spent')).alias('r'))
-> room: entries.room, .spent, .at
-> r: -; WINDOW entries.room, .spent, .at
-> rows: MAY entries.room
# museum frames: pandas on Spark with a condition and a sum [code]
import pyspark.pandas as ps
p = ps.read_table('pieces')
p = p[p.price > 1]
frame = p.groupby('label')['price'].sum().to_frame().reset_index().to_spark()
-> label: pieces.label
-> price: pieces.price; IF ?pieces.price
-> rows: FILTER pieces.price; GROUP_BY pieces.label; MAY pieces.label
# museum frames: pandas on Spark with a new column and a merge [code]
import pyspark.pandas as ps
a = ps.read_table('pieces', index_col='id')
a['twice'] = a.price * 2
b = ps.read_table('entries')[['tid', 'guest']].rename(columns={'tid': 'maker'})
frame = a[['maker', 'twice']].merge(b, on='maker', how='left').to_spark()
-> maker: pieces.maker, ?entries.tid; IF ?pieces.maker
-> twice: pieces.price
-> guest: entries.guest
-> rows: JOIN pieces.maker, entries.tid; MAY pieces.id
# museum frames: observed between two steps [code]
frame = spark.table('entries').where('spent > 1').observe('seen', F.count(F.lit(1)).alias('n'), F.max('raw').alias('m')).groupBy('room').agg(F.countDistinct('guest').alias('g')).observe('last', F.sum('g').alias('x'))
-> room: entries.room
-> g: entries.guest
-> rows: FILTER entries.spent; GROUP_BY entries.room; MAY entries.guest
# museum frames: hints of joins [code]
frame = spark.table('entries').hint('merge').alias('e').join(spark.table('pieces').hint('broadcast').alias('p'), F.expr('e.tid = p.id AND e.room <> p.label'), 'left_outer').hint('rebalance').select('e.guest', 'p.title')
-> guest: entries.guest
-> title: pieces.title
-> rows: JOIN entries.tid, pieces.id, entries.room, pieces.label
# museum frames: features assembled and bucketed [code]
from pyspark.ml.feature import VectorAssembler, Bucketizer
t = Bucketizer(splits=[-1.0, 2.0, 9.0], inputCol='price', outputCol='bucket').transform(spark.table('pieces'))
frame = VectorAssembler(inputCols=['price', 'made', 'bucket'], outputCol='features').transform(t).select('id', 'bucket', 'features')
-> id: pieces.id
-> bucket: pieces.price; IF ?pieces.price
-> features: pieces.price, .made; IF ?pieces.price
# museum frames: words of titles counted [code]
from pyspark.ml.feature import Tokenizer, StopWordsRemover, HashingTF
w = Tokenizer(inputCol='title', outputCol='words').transform(spark.table('pieces'))
frame = HashingTF(inputCol='few', outputCol='tf').transform(StopWordsRemover(inputCol='words', outputCol='few').transform(w)).select('label', 'few', 'tf')
-> label: pieces.label
-> few: pieces.title
-> tf: pieces.title
# museum frames: an indexed label [code]
from pyspark.ml.feature import StringIndexer, OneHotEncoder
t = spark.table('pieces').select('id', 'label', 'price')
i = StringIndexer(inputCol='label', outputCol='i').fit(t).transform(t)
frame = OneHotEncoder(inputCols=['i'], outputCols=['v']).fit(i).transform(i).select('id', 'i', 'v')
-> id: pieces.id
-> i: pieces.label
-> v: pieces.label
-> rows: MAY pieces.label
# museum frames: scaled and transformed by SQL [code]
from pyspark.ml.feature import SQLTransformer, VectorAssembler, MinMaxScaler
v = VectorAssembler(inputCols=['price'], outputCol='p').transform(spark.table('pieces'))
s = MinMaxScaler(inputCol='p', outputCol='q').fit(v).transform(v)
frame = SQLTransformer(statement="SELECT title, q, price * made AS x FROM __THIS__ WHERE made > 1900").transform(s)
-> title: pieces.title
-> q: pieces.price
-> x: pieces.price, .made
-> rows: FILTER pieces.made
# museum frames: parameters of SQL in lists and maps [code] [from 4.0]
frame = spark.sql("SELECT tid, element_at(:names, kind) AS n, :factor * spent AS s FROM entries WHERE array_contains(:rooms, room)", args={'names': F.create_map(F.lit('full'), F.lit('(7) Project')), 'factor': 2, 'rooms': F.array(F.lit('r1'), F.lit('x#1'))})
-> tid: entries.tid
-> n: entries.kind
-> s: entries.spent
-> rows: FILTER entries.room
# museum frames: written into a table by position [code]
spark.table('entries').groupBy('room').agg(F.count('guest').alias('x'), F.max('spent').alias('y')).write.insertInto('mart.by_room')
-> room: entries.room
-> n: entries.guest
-> spent: entries.spent
-> rows: GROUP_BY entries.room
-> to: mart.by_room
# museum frames: several generators in a chain [code]
frame = spark.table('pieces').select('id', F.explode('tags').alias('t'), 'props').select('id', 't', F.explode('props').alias('k', 'v')).where("t = k OR v = ')'").groupBy('t').agg(F.collect_list('v').alias('vs'))
-> t: pieces.tags
-> vs: pieces.props
-> rows: FILTER pieces.tags, .props; GROUP_BY pieces.tags
# museum frames: a frame joined with its aggregate and a window [code]
e = spark.table('entries')
m = e.groupBy('room').agg(F.max('at').alias('at'))
frame = e.join(m, ['room', 'at']).withColumn('share', F.col('spent') / F.sum('spent').over(Window.partitionBy('room'))).select('room', 'guest', 'share')
-> room: entries.room
-> guest: entries.guest
-> share: entries.spent; WINDOW entries.room
-> rows: JOIN entries.room, .at; GROUP_BY entries.room
# museum frames: struct columns renamed by a star [code]
frame = spark.table('pieces').select('id', 'size.*', F.struct('title', F.col('size.w').alias('x')).alias('s')).select('w', 'h', 's.*').toDF('a(', 'b)', 'c', 'd')
-> a(: pieces.size.w
-> b): pieces.size.h
-> c: pieces.title
-> d: pieces.size.w
# museum frames: maps from entries and pairs [code]
frame = spark.table('entries').groupBy('room').agg(F.map_from_entries(F.collect_list(F.struct('guest', 'spent'))).alias('m'), F.map_from_arrays(F.collect_list('kind'), F.collect_list('raw')).alias('k')).select('room', F.col('m')['g'].alias('g'), F.map_keys('k').alias('ks'))
-> room: entries.room
-> g: entries.spent, ?.guest
-> ks: entries.kind, ?.raw
-> rows: GROUP_BY entries.room
# museum frames: joined by nulls, unioned with missing columns [code]
a = spark.table('entries').select('tid', 'guest', F.lit('e').alias('src'))
b = spark.table('pieces').select(F.col('id').alias('tid'), 'price')
frame = a.unionByName(b, allowMissingColumns=True).alias('u').join(spark.table('entries').alias('e'), F.col('u.guest').eqNullSafe(F.col('e.guest')), 'left').select('u.tid', 'u.price', 'u.src', 'e.kind')
-> tid: entries.tid, pieces.id
-> price: pieces.price
-> src: -
-> kind: entries.kind
-> rows: JOIN entries.guest
