# transit frames: riders
CREATE TABLE users (rid BIGINT, email STRING, city STRING, plan STRING, born DATE, home STRUCT<lat: DOUBLE, lon: DOUBLE, zone: STRUCT<code: STRING, fee: DOUBLE>>,
  devices ARRAY<STRUCT<os: STRING, ver: INT, seen: TIMESTAMP>>, props MAP<STRING, STRING>, updated TIMESTAMP) USING parquet
# transit frames: rides
CREATE TABLE trips (id BIGINT, rid BIGINT, car STRING, began TIMESTAMP, ended TIMESTAMP, km DOUBLE, fare DOUBLE, tip DOUBLE,
  stops ARRAY<STRUCT<place: STRING, at: TIMESTAMP, fee: DOUBLE>>, raw STRING, status STRING, day DATE) USING parquet
# transit frames: rows of users
INSERT INTO users (rid, email, city, plan) VALUES (1, 'a', 'b', 'c'), (2, 'd', 'e', 'f')
# transit frames: rows of trips
INSERT INTO trips (id, rid, car, km, fare, status, raw) VALUES (1, 1, 'x', 2.0, 3.0, 'ok', '1'), (2, 1, 'y', 4.0, 1.0, 'no', '2')
# transit frames: nested fields set [code]
frame = spark.table('users').select('rid', F.col('home').withField('zone.code', F.upper('city')).withField('alt', F.lit(0)).alias('h'))
-> rid: users.rid
-> h: users.home.lat, .home.lon, .home.zone.fee, .city; IF ?users.home, ?users.home.zone
# transit frames: a nested field set and read [code]
frame = spark.table('users').withColumn('home', F.col('home').withField('zone.code', F.concat('plan', 'home.zone.code'))).select('home.zone.code', 'home.zone.fee', 'home.lat')
-> code: users.plan, .home.zone.code; IF ?users.home, ?users.home.zone
-> fee: users.home.zone.fee; IF ?users.home, ?users.home.zone
-> lat: users.home.lat; IF ?users.home
# transit frames: nested fields dropped [code]
frame = spark.table('users').select('rid', F.col('home').dropFields('zone.fee', 'lon').alias('h')).where("h.lat > 1")
-> rid: users.rid
-> h: users.home.lat, .home.zone.code; IF ?users.home, ?users.home.zone
-> rows: FILTER users.home.lat; MAY users.home
# transit frames: unpivot of all columns [code]
frame = spark.table('trips').select('km', 'fare', 'tip').unpivot([], None, 'what', 'v').groupBy('what').agg(F.avg('v').alias('m'))
-> what: -
-> m: trips.km, .fare, .tip
# transit frames: melted with two ids and joined back [code]
t = spark.table('trips')
frame = t.melt(['id', 'car'], ['km', 'fare'], 'k', 'v').join(t.select('id', 'status'), 'id').where("k = 'km'").select('id', 'v', 'status')
-> id: trips.id
-> v: trips.km, .fare
-> status: trips.status
-> rows: JOIN trips.id; MAY trips.km, .fare
# transit frames: observed twice and written [code]
from pyspark.sql import Observation
seen = Observation('seen')
spark.table('trips').observe(seen, F.count(F.lit(1)).alias('n'), F.max('km').alias('k')).where('km > 1').select('id', F.round('fare', 1).alias('f')).write.mode('overwrite').saveAsTable('mart.observed')
-> id: trips.id
-> f: trips.fare
-> rows: FILTER trips.km
-> to: mart.observed
# transit frames: arrow batches [code]
def rows(batches):
    yield from batches
frame = spark.table('trips').select('id', (F.col('km') * 2).alias('k'), 'status').where("status <> '['").mapInArrow(rows, 'a BIGINT, b DOUBLE, c STRING').groupBy('c').agg(F.sum('b').alias('b'))
-> c: trips.id, .km, .status
-> b: trips.id, .km, .status
-> rows: FILTER trips.status; GROUP_BY trips.id, .km, .status
# transit frames: cogrouped in pandas, then joined [code]
def both(key, left, right):
    return left
a = spark.table('trips').select('rid', 'fare')
b = spark.table('users').select('rid', F.col('home.zone.fee').alias('fee'))
frame = a.groupBy('rid').cogroup(b.groupBy('rid')).applyInPandas(both, 'rid BIGINT, fare DOUBLE').join(spark.table('users').select('rid', 'city'), 'rid').select('fare', 'city')
-> fare: trips.rid, .fare, users.rid, .home.zone.fee
-> city: users.city
-> rows: JOIN trips.rid, .fare, users.rid, .home.zone.fee
# transit frames: cogrouped in arrow [code] [from 4.0]
def both(left, right):
    return left
frame = spark.table('trips').select('rid', 'km').groupBy('rid').cogroup(spark.table('users').select('rid', 'plan').groupBy('rid')).applyInArrow(both, 'rid BIGINT, km DOUBLE').select('km')
-> km: trips.rid, .km, users.rid, .plan
-> rows: MAY trips.rid, users.rid
# transit frames: table function with arrays [code]
from pyspark.sql.functions import udtf
@udtf(returnType='p STRING, f DOUBLE')
class Stops:
    def eval(self, stops, factor):
        yield 'a', 1.0
spark.udtf.register('stops_of', Stops)
frame = spark.sql("SELECT t.id, s.p, sum(s.f) OVER (PARTITION BY s.p) AS f FROM trips t, LATERAL stops_of(t.stops, t.km) s WHERE s.f > t.fare")
-> id: trips.id
-> p: trips.stops, .km
-> f: trips.stops, .km; WINDOW trips.stops, .km
-> rows: FILTER trips.stops, .km, .fare
# transit frames: table function over a table [code] [from 4.0]
from pyspark.sql.functions import udtf
@udtf(returnType='k STRING, v DOUBLE')
class Totals:
    def eval(self, row):
        yield 'a', 1.0
    def terminate(self):
        return
spark.udtf.register('totals_of', Totals)
frame = spark.sql("SELECT k, v FROM totals_of(TABLE(SELECT car, km FROM trips WHERE status = 'ok') PARTITION BY car ORDER BY km)")
-> k: trips.car, .km
-> v: trips.car, .km
-> rows: FILTER trips.status; MAY trips.car, .km
# transit frames: grouping sets of expressions [code] [from 4.0]
t = spark.table('users')
frame = t.groupingSets([[F.upper('city'), 'plan'], ['plan'], []], F.upper('city'), 'plan').agg(F.count('rid').alias('n'), F.max('born').alias('b')).toDF('c', 'p', 'n', 'b')
-> c: users.city
-> p: users.plan
-> n: users.rid
-> b: users.born
-> rows: GROUP_BY users.city, .plan
# transit frames: cube with grouping ids [code]
frame = spark.table('trips').cube('car', F.month('day').alias('m')).agg(F.sum('fare').alias('s'), F.grouping_id().alias('g')).where('g < 3').select('car', 'm', 's')
-> car: trips.car
-> m: trips.day
-> s: trips.fare
-> rows: GROUP_BY trips.car, .day; MAY trips.car, .day
# transit frames: lambdas over arrays of structs [code]
frame = spark.table('trips').select('id', F.transform('stops', lambda s: F.struct(s['place'].alias('p'), (s['fee'] * F.col('km')).alias('f'))).alias('a'), F.aggregate('stops', F.lit(0.0), lambda a, s: a + s['fee'], lambda a: a / F.col('fare')).alias('b'), F.filter('stops', lambda s: s['at'] > F.col('began'))[0]['place'].alias('c'))
-> id: trips.id
-> a: trips.stops.place, .stops.fee, .km, ?.stops
-> b: trips.stops.fee, .fare, ?.stops
-> c: trips.stops.place, ?.stops.at, ?.began, ?.stops
# transit frames: lambdas over maps [code]
frame = spark.table('users').select('rid', F.transform_values('props', lambda k, v: F.when(k == F.col('plan'), v).otherwise(F.col('city'))).alias('a'), F.map_filter('props', lambda k, v: v > F.col('email')).alias('b'), F.element_at(F.map_concat('props', F.create_map(F.lit('x'), 'city')), 'x').alias('c'))
-> rid: users.rid
-> a: users.props, .city; IF ?users.props, ?.plan
-> b: users.props, .email
-> c: users.props, .city
# transit frames: json by a schema and by a sample [code]
sample = F.schema_of_json(F.lit('{"a": 1, "b": {"c": "x"}}'))
frame = spark.table('trips').withColumn('j', F.from_json('raw', sample)).select('id', 'j.a', F.col('j.b.c').alias('c'), F.to_json(F.struct('km', F.col('status').alias('s'))).alias('o'), F.get_json_object('raw', '$.x').alias('x'), F.json_tuple('raw', 'p', 'q').alias('p', 'q'))
-> id: trips.id
-> a: trips.raw
-> c: trips.raw
-> o: trips.km, .status
-> x: trips.raw
-> p: trips.raw
-> q: trips.raw
# transit frames: sql with parameters [code]
frame = spark.sql("SELECT id, km * :factor AS k FROM trips WHERE status = :st AND fare > :least", args={'factor': 2, 'st': 'ok', 'least': 1})
-> id: trips.id
-> k: trips.km
-> rows: FILTER trips.status, .fare
# transit frames: sql with positions [code] [from 3.5]
frame = spark.sql("SELECT id, concat(car, ?) AS c FROM IDENTIFIER(?) WHERE day > ?", args=['(x', 'default.trips', __import__('datetime').date(2026, 1, 1)])
-> id: trips.id
-> c: trips.car
-> rows: FILTER trips.day
# transit frames: sql over frames [code]
good = spark.table('trips').where("status = 'ok'")
frame = spark.sql("SELECT g.car, avg({col}) AS m FROM {good} g JOIN {u} u ON u.rid = g.rid GROUP BY g.car", good=good, u=spark.table('users'), col=F.col('km'))
-> car: trips.car
-> m: trips.km
-> rows: FILTER trips.status; JOIN trips.rid, users.rid; GROUP_BY trips.car
# transit frames: windows of many columns in one call [code]
w = Window.partitionBy('rid').orderBy('began')
frame = spark.table('trips').withColumns({'n': F.row_number().over(w), 'prev': F.lag('ended', 1).over(w), 'gap': F.col('began').cast('long') - F.lag('ended').over(w).cast('long'), 'first': F.first('car').over(w.rowsBetween(-2, 0))}).select('id', 'n', 'prev', 'gap', 'first')
-> id: trips.id
-> n: -; WINDOW trips.rid, .began
-> prev: trips.ended; WINDOW trips.rid, .began
-> gap: trips.began, .ended; WINDOW trips.rid, .began
-> first: trips.car; WINDOW trips.rid, .began
# transit frames: sessions by a window function [code]
frame = spark.table('trips').groupBy('car', F.session_window('began', F.when(F.col('car') == 'x', '10 minutes').otherwise('5 minutes')).alias('s')).agg(F.sum('km').alias('k')).select('car', 's.start', 'k')
-> car: trips.car
-> start: trips.began; IF ?trips.began
-> k: trips.km
-> rows: GROUP_BY trips.car, .began; MAY trips.began
# transit frames: windows of windows of time [code]
frame = spark.table('trips').groupBy(F.window('began', '5 minutes').alias('w'), 'car').agg(F.sum('km').alias('k')).groupBy(F.window(F.window_time('w'), '1 hour').alias('h')).agg(F.max('k').alias('m')).select('h.end', 'm')
-> end: trips.began
-> m: trips.km
-> rows: GROUP_BY trips.began, .car; MAY trips.began
# transit frames: structs from a python function [code]
@F.udf('a STRING, b INT')
def parts(text, n):
    return ('x', 1)
frame = spark.table('trips').withColumn('p', parts('raw', 'km')).select('id', 'p.a', (F.col('p.b') + F.col('fare')).alias('c')).where("a <> '(x'")
-> id: trips.id
-> a: trips.raw, .km
-> c: trips.raw, .km, .fare
-> rows: FILTER trips.raw, .km
# transit frames: iterator of series and a grouped function [code]
import pandas as pd
from typing import Iterator
from pyspark.sql.functions import pandas_udf
@pandas_udf('double')
def plus(parts: Iterator[pd.Series]) -> Iterator[pd.Series]:
    for each in parts:
        yield each + 1
@pandas_udf('double')
def mean_of(v: pd.Series, w: pd.Series) -> float:
    return 1.0
frame = spark.table('trips').select('car', plus('km').alias('k'), 'fare').groupBy('car').agg(mean_of('k', 'fare').alias('m'))
-> car: trips.car
-> m: trips.km, .fare
-> rows: GROUP_BY trips.car
# transit frames: exists, scalar and outer references [code] [from 4.0]
u, t = spark.table('users').alias('u'), spark.table('trips').alias('t')
frame = u.where(t.where(F.col('t.rid') == F.col('u.rid').outer()).exists()).select('email', t.where(F.col('t.rid') == F.col('u.rid').outer()).select(F.sum('t.fare')).scalar().alias('s'))
-> email: users.email
-> s: trips.fare
-> rows: JOIN users.rid, trips.rid
# transit frames: deduplicated, then the last of each [code]
w = Window.partitionBy('rid').orderBy(F.col('updated').desc_nulls_last())
frame = spark.table('users').dropDuplicates(['email', 'city']).withColumn('rn', F.row_number().over(w)).filter('rn = 1').drop('rn', 'devices', 'props', 'home')
-> = users: rid, email, city, plan, born, updated
-> rows: GROUP_BY users.email, .city; FILTER users.rid, .updated
# transit frames: slowly changing by hand [code]
old = spark.table('users').select('rid', 'email', F.lit(True).alias('cur'))
new = spark.table('trips').select('rid', F.col('raw').alias('email'))
changed = new.alias('n').join(old.alias('o'), 'rid', 'left').where("o.email IS NULL OR n.email <> o.email").select('rid', 'n.email', F.lit(True).alias('cur'))
frame = old.join(changed.select('rid'), 'rid', 'left_anti').unionByName(changed)
-> rid: users.rid, trips.rid
-> email: users.email, trips.raw
-> cur: -
-> rows: JOIN users.rid, trips.rid; FILTER users.email, trips.raw
# transit frames: broadcast ranges and hints [code]
p = spark.table('trips').select('id', 'began', 'ended', 'car').hint('shuffle_hash')
frame = p.alias('a').join(F.broadcast(p.alias('b')), (F.col('a.car') == F.col('b.car')) & (F.col('a.began') < F.col('b.ended')) & (F.col('a.ended') > F.col('b.began')) & (F.col('a.id') < F.col('b.id'))).select(F.col('a.id').alias('x'), F.col('b.id').alias('y'))
-> x: trips.id
-> y: trips.id
-> rows: JOIN trips.car, .began, .ended, .id
# transit frames: pivot in code with several values and aggregates [code]
frame = spark.table('trips').groupBy('car').pivot('status', ['ok', 'no (x)']).agg(F.sum('fare').alias('s'), F.first('raw', ignorenulls=True).alias('r')).select('car', 'ok_s', F.col('`no (x)_r`').alias('n'))
-> car: trips.car
-> ok_s: trips.fare; IF trips.status
-> n: trips.raw; IF trips.status
-> rows: GROUP_BY trips.car, ?.status; MAY trips.status
# transit frames: buckets and sorted files [code]
spark.table('trips').select('id', F.upper('status').alias('st'), 'car').write.mode('overwrite').bucketBy(2, 'car').sortBy('id').saveAsTable('mart.bucketed')
-> id: trips.id
-> st: trips.status
-> car: trips.car
-> to: mart.bucketed
# transit frames: files by partitions of two columns [code]
spark.table('trips').select('id', 'km', 'status', F.year('day').alias('y')).write.mode('overwrite').partitionBy('y', 'status').json(root + '/lake/trips_json')
-> id: trips.id
-> km: trips.km
-> status: trips.status
-> y: trips.day
# transit frames: text files of concatenated rows [code]
frame = spark.table('trips').select(F.concat_ws('|', 'id', 'status', F.format_number('fare', 2)).alias('value')).distinct().orderBy('value').limit(5)
-> value: trips.id, .status, .fare
-> rows: GROUP_BY trips.id, .status, .fare; SORT trips.id, .status, .fare
# transit frames: explode with positions in a chain [code]
frame = spark.table('users').select('rid', F.posexplode_outer('devices').alias('pos', 'd')).select('rid', 'pos', 'd.os', F.explode(F.split('d.os', '[(,]')).alias('w')).where("w <> ')'")
-> rid: users.rid
-> pos: users.devices
-> os: users.devices.os
-> w: users.devices.os
-> rows: FILTER users.devices.os; MAY users.devices
# transit frames: collected, sorted and exploded [code]
frame = spark.table('trips').groupBy('rid').agg(F.sort_array(F.collect_list(F.struct('began', 'id', 'fare')), asc=False).alias('l')).select('rid', F.inline(F.slice('l', 1, 2))).select('rid', 'id', 'fare')
-> rid: trips.rid
-> id: trips.id
-> fare: trips.fare
-> rows: GROUP_BY trips.rid; MAY trips.began, .id, .fare
# transit frames: statistics [code]
frame = spark.table('trips').stat.sampleBy('status', {'ok': 0.5, 'no': 0.1}, 3).select('id', F.rand(1).alias('r'), F.ntile(4).over(Window.orderBy('km')).alias('q'))
-> id: trips.id
-> r: -
-> q: -; WINDOW trips.km
-> rows: FILTER trips.status
# transit frames: conditions built in a loop [code]
from functools import reduce
conditions = reduce(lambda a, b: a | b, [F.col(c).isNull() for c in ('km', 'fare', 'raw')])
columns = [F.when(F.trim(c) == '', None).otherwise(F.trim(c)).alias(c) for c in ('car', 'status')]
frame = spark.table('trips').where(~conditions).select('id', *columns)
-> id: trips.id
-> car: trips.car; IF trips.car
-> status: trips.status; IF trips.status
-> rows: FILTER trips.km, .fare, .raw
# transit frames: columns chained through transforms [code]
def with_total(df, bonus):
    return df.withColumn('total', F.col('fare') + F.coalesce('tip', F.lit(0)) + bonus)
def ranked(df):
    return df.withColumn('r', F.percent_rank().over(Window.partitionBy('car').orderBy('total')))
frame = spark.table('trips').transform(with_total, 2).transform(ranked).where('r > 0.5').select('id', 'total')
-> id: trips.id
-> total: trips.fare, .tip; IF trips.tip
-> rows: FILTER trips.car, .fare, .tip
# transit frames: cached branches united [code]
base = spark.table('trips').where('km > 0').select('car', 'fare', 'tip').cache()
a = base.groupBy('car').agg(F.sum('fare').alias('v')).withColumn('k', F.lit('fare'))
b = base.groupBy('car').agg(F.sum('tip').alias('v')).withColumn('k', F.lit('tip'))
frame = a.unionByName(b).groupBy('car').pivot('k', ['fare', 'tip']).agg(F.first('v'))
-> car: trips.car
-> fare: trips.fare, .tip
-> tip: trips.fare, .tip
-> rows: FILTER trips.km; GROUP_BY trips.car; MAY trips.fare, .tip
# transit frames: checkpoint in the middle [code]
spark.sparkContext.setCheckpointDir(root + '/checkpoints')
mid = spark.table('trips').where("status <> 'no'").groupBy('rid').agg(F.max('fare').alias('m')).checkpoint()
frame = mid.join(spark.table('users'), 'rid').select('email', F.round('m', 1).alias('m'))
-> email: users.email
-> m: trips.fare
-> rows: FILTER trips.status; GROUP_BY trips.rid; JOIN trips.rid, users.rid
