# harbour frames: columns in bulk [code]
t = spark.table('calls')
frame = t.withColumns({'wait [h]': (F.unix_timestamp('ata') - F.unix_timestamp('eta')) / 3600, 'berth': F.upper('berth'), 'x#1, y': F.coalesce('remarks', F.lit('a#1'))}).withColumnsRenamed({'status': 'state (1)', 'day': 'd AS e'}).drop('eta', 'ata', 'atd', 'remarks')
-> call_id: calls.call_id
-> ship_id: calls.ship_id
-> berth: calls.berth
-> state (1): calls.status
-> d AS e: calls.day
-> wait [h]: calls.ata, .eta
-> x#1, y: calls.remarks; IF calls.remarks
# harbour frames: melted and pivoted [code]
long = spark.table('invoices').melt(['call_id'], ['q1', 'q2'], 'quarter', 'value')
frame = long.groupBy('call_id').pivot('quarter', ['q1', 'q2']).agg(F.sum('value').alias('s'), F.count('value').alias('n'))
-> call_id: invoices.call_id
-> q1_s: invoices.q1, ?.q2
-> q1_n: invoices.q1, ?.q2
-> q2_s: invoices.q2, ?.q1
-> q2_n: invoices.q2, ?.q1
-> rows: GROUP_BY invoices.call_id; MAY invoices.q1, .q2
# harbour frames: unpivoted expressions [code]
frame = spark.table('boxes').select('box_id', (F.col('weight') * 2).alias('w#1'), F.col('temp').alias('t (C)')).unpivot('box_id', ['w#1', 't (C)'], 'what', 'v').where('v > 0')
-> box_id: boxes.box_id
-> what: -
-> v: boxes.weight, .temp
-> rows: FILTER boxes.weight, .temp
# harbour frames: a chain of transforms with arguments [code]
def only(f, c, v): return f.where(F.col(c) == v)
def top(f, key, by, n): return f.withColumn('_n', F.row_number().over(Window.partitionBy(key).orderBy(F.desc(by)))).where(F.col('_n') <= n).drop('_n')
frame = spark.table('boxes').transform(only, 'kind', 'dry').transform(top, 'call_id', 'weight', 3).select('box_id', 'weight')
-> box_id: boxes.box_id
-> weight: boxes.weight
-> rows: FILTER boxes.kind, .call_id, .weight
# harbour frames: a checkpoint joined with its table [code]
spark.sparkContext.setCheckpointDir(root + '/checkpoints')
c = spark.table('calls').where("status <> 'x'").withColumn('name', F.concat('berth', F.lit('#1'))).drop('remarks').checkpoint()
frame = c.join(spark.table('calls').select('call_id', 'remarks'), 'call_id').join(spark.table('ships').select('ship_id', 'flag'), 'ship_id', 'left').select('call_id', 'name', 'remarks', 'flag')
-> call_id: calls.call_id
-> name: calls.berth
-> remarks: calls.remarks
-> flag: ships.flag
-> rows: FILTER calls.status; JOIN calls.call_id, .ship_id, ships.ship_id
# harbour frames: a local checkpoint of a group joined with its source [code]
s = spark.table('boxes').groupBy('call_id').agg(F.sum('weight').alias('total')).localCheckpoint()
frame = spark.table('boxes').join(s, 'call_id').select('box_id', (F.col('weight') / F.col('total')).alias('share'))
-> box_id: boxes.box_id
-> share: boxes.weight
-> rows: GROUP_BY boxes.call_id; JOIN boxes.call_id
# harbour frames: an empty checkpoint joined with itself [code]
e = spark.table('boxes').where("kind = 'nothing'").select('call_id', 'box_id', F.upper('contents').alias('c')).localCheckpoint()
frame = e.alias('a').join(e.alias('b'), F.expr('a.call_id = b.call_id AND a.box_id < b.box_id')).select('a.box_id', F.col('b.c').alias('other'))
-> box_id: boxes.box_id
-> other: boxes.contents
-> rows: FILTER boxes.kind; JOIN boxes.call_id, .box_id
# harbour frames: a cache joined with a filter of itself [code]
c = spark.table('calls').join(spark.table('ships'), 'ship_id').select('call_id', 'name', 'berth', 'eta').cache()
c.count()
frame = c.alias('a').join(c.where("berth = 'A1'").alias('b'), F.expr('a.name = b.name AND a.eta > b.eta')).select('a.call_id', F.col('b.call_id').alias('earlier'))
-> call_id: calls.call_id
-> earlier: calls.call_id
-> rows: JOIN calls.ship_id, ships.ship_id, ships.name, calls.eta; FILTER calls.berth
# harbour frames: a cached aggregate united with its table [code]
c = spark.table('invoices').groupBy('item').agg(F.max('price').alias('price')).persist()
frame = c.unionByName(spark.table('invoices').select('item', 'price')).groupBy('item').agg(F.countDistinct('price').alias('n'))
-> item: invoices.item
-> n: invoices.price
-> rows: GROUP_BY invoices.item
# harbour frames: a scalar function in pandas [code]
import pandas as pd
@F.pandas_udf('double')
def share(a: pd.Series, b: pd.Series) -> pd.Series: return a / b
frame = spark.table('boxes').select('box_id', share('weight', F.length('contents').cast('double')).alias('s'), F.sum(share('weight', 'temp')).over(Window.partitionBy('kind')).alias('t'))
-> box_id: boxes.box_id
-> s: boxes.weight, .contents
-> t: boxes.weight, .temp; WINDOW boxes.kind
# harbour frames: functions within functions [code]
f = F.udf(lambda a, b: f'{a}({b}')
g = F.udf(lambda a: len(a), 'int')
frame = spark.table('ships').select('ship_id', g(f('name', 'flag')).alias('n'), f(F.upper('imo'), F.lit('[#1')).alias('m')).where(g('m') > 3)
-> ship_id: ships.ship_id
-> n: ships.name, .flag
-> m: ships.imo
-> rows: FILTER ships.imo
# harbour frames: an aggregate in pandas with keys [code]
import pandas as pd
@F.pandas_udf('double')
def spread(v: pd.Series) -> float: return float(v.max() - v.min())
frame = spark.table('boxes').groupBy(F.upper('kind').alias('k')).agg(spread('weight').alias('w'), spread(F.col('temp') + 273).alias('t'))
-> k: boxes.kind
-> w: boxes.weight
-> t: boxes.temp
-> rows: GROUP_BY boxes.kind
# harbour frames: batches mapped in arrow [code]
def twice(batches):
    for batch in batches: yield batch
frame = spark.table('invoices').select('invoice_id', 'price').mapInArrow(twice, 'invoice_id long, price double').where('price > 1')
-> invoice_id: invoices.invoice_id, .price
-> price: invoices.invoice_id, .price
-> rows: FILTER invoices.invoice_id, .price
# harbour frames: cogrouped calls and boxes [code]
import pandas as pd
def merge(a, b): return pd.DataFrame({'call_id': a.call_id, 'n': len(b)})
frame = spark.table('calls').select('call_id', 'berth').groupBy('call_id').cogroup(spark.table('boxes').select('call_id', 'weight').groupBy('call_id')).applyInPandas(merge, 'call_id long, n long')
-> call_id: calls.call_id, .berth, boxes.call_id, .weight
-> n: calls.call_id, .berth, boxes.call_id, .weight
-> rows: MAY calls.call_id, boxes.call_id; GROUP_BY calls.call_id, boxes.call_id
# harbour frames: groups in pandas over a join [code]
def one(p): return p.head(1)
frame = spark.table('calls').join(spark.table('ships'), 'ship_id').select('flag', 'berth').groupBy('flag').applyInPandas(one, 'flag string, berth string').withColumnRenamed('berth', 'b#1')
-> flag: ships.flag, calls.berth
-> b#1: ships.flag, calls.berth
-> rows: JOIN calls.ship_id, ships.ship_id; GROUP_BY ships.flag
# harbour frames: a function over rows of a group as a string [code]
frame = spark.table('calls').groupBy('berth').agg(F.to_json(F.collect_list(F.struct('call_id', F.struct('eta', 'ata').alias('times')))).alias('json')).select('berth', F.get_json_object('json', '$[0].times.eta').alias('first'), F.from_json('json', 'array<struct<call_id: long>>').getItem(0)['call_id'].alias('id'))
-> berth: calls.berth
-> first: calls.call_id, .eta, .ata
-> id: calls.call_id, ?.eta, ?.ata
-> rows: GROUP_BY calls.berth
# harbour frames: written in a loop of tables [code]
for kind in ('dry', 'reefer'):
    frame = None
    spark.table('boxes').where(F.col('kind') == kind).select('box_id', F.col('weight').alias(f'{kind}#1, kg')).write.mode('overwrite').saveAsTable(f'mart.boxes_{kind}')
-> box_id: boxes.box_id
-> reefer#1, kg: boxes.weight
-> rows: FILTER boxes.kind
-> to: mart.boxes_reefer
# harbour frames: written by the new writer [code]
spark.table('calls').groupBy('day').agg(F.count_distinct('ship_id').alias('ships')).writeTo('mart.ships_per_day').using('parquet').create()
-> day: calls.day
-> ships: calls.ship_id
-> rows: GROUP_BY calls.day
-> to: mart.ships_per_day
# harbour frames: a batch of a stream into a table [code]
def each(batch, number):
    batch.sparkSession.sparkContext.setJobDescription('harbour frames: a batch of a stream into a table')
    batch.join(batch.sparkSession.table('berths'), 'berth').groupBy('day').agg(F.max('depth').alias('d'), F.count('call_id').alias('n')).write.mode('append').saveAsTable('mart.depths')
query = spark.readStream.format('parquet').schema(spark.table('calls').schema).load(root + '/warehouse/calls').where('ship_id > 0').writeStream.foreachBatch(each).option('checkpointLocation', root + '/stream1').trigger(availableNow=True).start()
query.awaitTermination()
frame = None
-> day: calls.day
-> d: berths.depth
-> n: calls.call_id
-> rows: FILTER calls.ship_id; JOIN calls.berth, berths.berth; GROUP_BY calls.day
-> to: mart.depths
# harbour frames: a batch of a stream through a view [code]
def each(batch, number):
    session = batch.sparkSession
    session.sparkContext.setJobDescription('harbour frames: a batch of a stream through a view')
    batch.createOrReplaceTempView('updates')
    session.sql("INSERT INTO mart.port_log PARTITION (source = 'stream') SELECT u.call_id, concat(u.remarks, s.name) FROM updates u LEFT JOIN ships s ON s.ship_id = u.ship_id WHERE u.status <> '['")
query = spark.readStream.format('parquet').schema(spark.table('calls').schema).load(root + '/warehouse/calls').writeStream.foreachBatch(each).option('checkpointLocation', root + '/stream2').trigger(availableNow=True).start()
query.awaitTermination()
frame = None
-> call_id: calls.call_id
-> note: calls.remarks, ships.name
-> source: -
-> rows: JOIN calls.ship_id, ships.ship_id; FILTER calls.status
-> to: mart.port_log
# harbour frames: joined on names of both, selected by frame [code]
a, b = spark.table('calls'), spark.table('invoices')
j = a.join(b, a.call_id == b.call_id, 'left')
frame = j.select(a['*'], b['item'].alias('i#1'), b.call_id.isNull().alias('free')).where(a.status != b.item)
-> = calls: call_id, ship_id, berth, eta, ata, atd, status, remarks, day
-> i#1: invoices.item
-> free: ?invoices.call_id
-> rows: JOIN calls.call_id, invoices.call_id, calls.status, invoices.item
# harbour frames: structs changed in place [code]
frame = spark.table('ships').withColumn('dims', F.col('dims').withField('area', F.col('dims.length') * F.col('dims.beam')).dropFields('beam')).select('name', 'dims.*')
-> name: ships.name
-> length: ships.dims.length
-> area: ships.dims.length, .dims.beam; IF ?ships.dims
# harbour frames: distinct rows by some columns [code]
frame = spark.table('calls').dropDuplicates(['ship_id', 'day']).select('call_id', 'ship_id')
-> call_id: calls.call_id
-> ship_id: calls.ship_id
-> rows: GROUP_BY calls.ship_id, .day
# harbour frames: pairs of ships [code]
s = spark.table('ships')
o = s.select([F.col(c).alias(f'other_{c}') for c in s.columns])
frame = s.crossJoin(o).where('ship_id < other_ship_id').select('name', 'other_name', F.arrays_overlap('tags', 'other_tags').alias('alike'), F.levenshtein('name', 'other_name').alias('distance'))
-> name: ships.name
-> other_name: ships.name
-> alike: ships.tags
-> distance: ships.name
-> rows: JOIN ships.ship_id
# harbour frames: a rollup pivoted by hand [code]
frame = spark.table('invoices').rollup('call_id', 'item').agg(F.sum('price').alias('p'), F.grouping('item').alias('g')).groupBy('call_id').agg(*[F.max(F.when((F.col('item') == i) & (F.col('g') == 0), F.col('p'))).alias(f'{i} [{n}]') for n, i in enumerate(['pilot', 'tug'])])
-> call_id: invoices.call_id
-> pilot [0]: invoices.price; IF invoices.item
-> tug [1]: invoices.price; IF invoices.item
-> rows: GROUP_BY invoices.call_id, .item
# harbour frames: higher order functions by code [code]
frame = spark.table('boxes').select('box_id', F.transform('moves', lambda m, i: F.struct(m['slot'].alias('s'), (m['crane'] + i).alias('c'))).alias('t')).select('box_id', F.filter('t', lambda x: x['c'] > 1)['s'].alias('slots'), F.aggregate('t', F.lit(0), lambda a, x: a + x['c']).alias('cranes'))
-> box_id: boxes.box_id
-> slots: boxes.moves.slot, ?boxes.moves.crane; IF ?boxes.moves.crane
-> cranes: boxes.moves.crane
# harbour frames: a table of the driver joined with a table [code]
codes = spark.createDataFrame([('dry', 'D'), ('reefer', 'R')], 'kind string, code string')
frame = spark.table('boxes').groupBy('kind').agg(F.sum('weight').alias('w')).withColumn('big', F.col('w') > 10).select('kind', 'big')
-> kind: boxes.kind
-> big: boxes.weight
-> rows: GROUP_BY boxes.kind
# harbour frames: nulls filled and rows dropped [code]
frame = spark.table('invoices').na.drop(subset=['paid_on', 'item']).na.fill({'qty': 0, 'price': 1.5}).na.replace(['tug'], ['tug (2)'], 'item').select('item', 'qty', 'price')
-> item: invoices.item; IF invoices.item
-> qty: invoices.qty; IF invoices.qty
-> price: invoices.price; IF invoices.price
-> rows: FILTER invoices.paid_on, .item
# harbour frames: a window of sessions by code [code]
frame = spark.table('calls').groupBy(F.session_window('eta', '1 hour').alias('w'), 'berth').agg(F.min('call_id').alias('first')).select(F.col('w.start').alias('began'), 'berth', 'first').orderBy(F.col('began').desc())
-> began: calls.eta
-> berth: calls.berth
-> first: calls.call_id
-> rows: GROUP_BY calls.eta, .berth; SORT calls.eta; MAY calls.eta
# harbour frames: a lateral join of code [code] [from 4.0]
frame = spark.table('ships').alias('s').lateralJoin(spark.table('calls').alias('c').where(F.col('c.ship_id') == F.col('s.ship_id').outer()).orderBy(F.col('c.eta').desc()).limit(2)).select('s.name', 'c.berth')
-> name: ships.name
-> berth: calls.berth
-> rows: JOIN ships.ship_id, calls.ship_id; FILTER calls.ship_id, .eta
# harbour frames: a table function in code [code] [from 4.0]
frame = spark.table('boxes').lateralJoin(spark.tvf.posexplode(F.col('moves').outer())).select('box_id', 'pos', F.col('col.slot').alias('s'))
-> box_id: boxes.box_id
-> pos: ?boxes.moves, ?.moves.slot
-> s: boxes.moves.slot
-> rows: MAY boxes.moves, .moves.slot
