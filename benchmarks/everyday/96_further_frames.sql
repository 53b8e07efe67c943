# programs: rows of orders
INSERT INTO orders (id, customer_id, amount, status, note, dt) VALUES (1, 1, 5, 'a', 'b', DATE'2026-01-01'), (2, 1, 9, 'b', 'a', DATE'2026-01-01')
# programs: rows of staff
INSERT INTO staff VALUES (1, 2, 'a', 'b', 8.0, DATE'2026-01-01'), (2, 1, 'b', 'a', 9.0, DATE'2026-01-01')
# programs: a schema that selects and casts [code]
from pyspark.sql.types import StructType
frame = spark.table('staff').to(StructType().add('salary', 'float').add('id', 'int').add('name', 'string'))
-> salary: staff.salary
-> id: staff.id
-> name: staff.name
# programs: fields of a struct set and dropped [code]
frame = spark.table('orders').select('id', F.col('ship').withField('tax', F.col('amount') * 0.2).withField('carrier', F.upper('ship.carrier')).alias('s'), F.col('ship').dropFields('cost').alias('t'))
-> id: orders.id
-> s: orders.ship.cost, .ship.carrier, .amount; IF ?orders.ship
-> t: orders.ship.carrier; IF ?orders.ship
# programs: fields of a struct set and then read [code]
frame = spark.table('orders').withColumn('ship', F.col('ship').withField('tax', F.col('amount') * 0.2)).select('ship.tax', 'ship.cost')
-> tax: orders.amount; IF ?orders.ship, ?orders.ship.cost, ?orders.ship.carrier
-> cost: orders.ship.cost; IF ?orders.ship
# programs: unpivoted [code]
frame = spark.table('orders').select('id', 'amount', 'discount').unpivot('id', ['amount', 'discount'], 'what', 'value').where('value > 0')
-> id: orders.id
-> what: -
-> value: orders.amount, .discount
-> rows: FILTER orders.amount, .discount
# programs: pivoted and joined back [code]
base = spark.table('stock')
wide = base.groupBy('sku').pivot('store', ['x', 'y']).sum('qty')
frame = wide.join(base.groupBy('sku').agg(F.max('day').alias('d')), 'sku', 'left').withColumn('all', F.coalesce('x', F.lit(0)) + F.coalesce('y', F.lit(0)))
-> sku: stock.sku
-> x: stock.qty; IF stock.store
-> y: stock.qty; IF stock.store
-> d: stock.day
-> all: stock.qty; IF stock.store, .qty
-> rows: GROUP_BY stock.sku, ?.store; JOIN stock.sku; MAY stock.store
# programs: pivot with counts and a total [code]
frame = spark.table('events').groupBy('user_id').pivot('name', ['buy', 'view']).agg(F.countDistinct('session_id').alias('s'), F.max('ts').alias('t')).select('user_id', 'buy_s', 'view_t')
-> user_id: events.user_id
-> buy_s: events.session_id; IF events.name
-> view_t: events.ts; IF events.name
-> rows: GROUP_BY events.user_id, ?.name, ?.session_id; MAY events.name, .session_id
# programs: duplicates dropped by columns [code]
frame = spark.table('orders').orderBy(F.desc('placed_at')).dropDuplicates(['customer_id', 'status']).select('id', 'amount')
-> id: orders.id
-> amount: orders.amount
-> rows: GROUP_BY orders.customer_id, .status; SORT orders.placed_at
# programs: first of a window by a flag [code]
w = Window.partitionBy('customer_id').orderBy(F.col('placed_at').desc(), 'id')
frame = spark.table('orders').withColumn('n', F.row_number().over(w)).where('n = 1').drop('n').select('id', 'status')
-> id: orders.id
-> status: orders.status
-> rows: FILTER orders.customer_id, .placed_at, .id
# programs: windows of ranges and of rows [code]
w = Window.partitionBy('sku').orderBy(F.col('day').cast('timestamp').cast('long')).rangeBetween(-86400 * 7, 0)
v = Window.orderBy('day').rowsBetween(Window.unboundedPreceding, Window.currentRow)
frame = spark.table('stock').select('sku', F.avg('qty').over(w).alias('week'), F.sum('qty').over(v).alias('so_far'), F.last('store', ignorenulls=True).over(w).alias('l'))
-> sku: stock.sku
-> week: stock.qty; WINDOW stock.sku, .day
-> so_far: stock.qty; WINDOW stock.day
-> l: stock.store; WINDOW stock.sku, .day
# programs: renamed in bulk and selected by pattern [code]
frame = spark.table('customers').withColumnsRenamed({'id': 'c_id', 'email': 'c_email', 'gone': 'x'}).select(F.col('c_id'), F.col('c_email')).toDF('k', 'e')
-> k: customers.id
-> e: customers.email
# programs: selected by regular expression [code]
frame = spark.table('staff').select(spark.table('staff').colRegex('`(id|boss_id|salary)`')).selectExpr('*', 'salary * 12 AS year')
-> id: staff.id
-> boss_id: staff.boss_id
-> salary: staff.salary
-> year: staff.salary
# programs: hints and range partitions [code]
frame = spark.table('orders').repartitionByRange(4, F.col('amount').desc(), 'id').hint('coalesce', 2).join(F.broadcast(spark.table('customers').withColumnRenamed('id', 'customer_id')), 'customer_id').sortWithinPartitions('status').select('email', 'amount')
-> email: customers.email
-> amount: orders.amount
-> rows: JOIN customers.id, orders.customer_id; MAY orders.amount, .id, .status
# programs: a union by position and by name [code]
a = spark.table('customers').select('id', F.col('email').alias('m'))
b = spark.table('stage_customers').select(F.col('email').alias('m'), 'id')
frame = a.unionByName(b).groupBy('m').agg(F.collect_set('id').alias('ids')).where(F.size('ids') > 1)
-> m: customers.email, stage_customers.email
-> ids: customers.id, stage_customers.id
-> rows: GROUP_BY customers.email, stage_customers.email; FILTER customers.id, stage_customers.id
# programs: joined with itself by aliases [code]
s = spark.table('staff')
frame = s.alias('a').join(s.alias('b'), F.col('a.boss_id') == F.col('b.id'), 'left_outer').where(F.col('b.salary') < F.col('a.salary')).select(F.col('a.name').alias('who'), F.col('b.name').alias('boss'))
-> who: staff.name
-> boss: staff.name
-> rows: JOIN staff.boss_id, .id; FILTER staff.salary
# programs: semi and anti joins in a chain [code]
c = spark.table('customers')
frame = c.join(spark.table('orders').where('amount > 9'), c.id == F.col('customer_id'), 'left_semi').join(spark.table('events'), c.id == F.col('user_id'), 'left_anti').select('email')
-> email: customers.email
-> rows: JOIN customers.id, orders.customer_id, events.user_id; FILTER orders.amount
# programs: join of keys in a list [code]
frame = spark.table('customers').join(spark.table('stage_customers'), ['id', 'country'], 'outer').select('id', 'country', 'loaded_at')
-> id: customers.id, stage_customers.id; IF customers.id, stage_customers.id
-> country: customers.country, stage_customers.country; IF customers.country, stage_customers.country
-> loaded_at: stage_customers.loaded_at
-> rows: JOIN customers.id, .country, stage_customers.id, .country
# programs: kept in memory, changed, let go [code]
kept = spark.table('orders').where("status = 'paid'").withColumn('net', F.col('amount') - F.col('discount')).cache()
kept.count()
again = kept.groupBy('customer_id').agg(F.sum('net').alias('t'))
frame = again.join(kept.select('customer_id', 'coupon'), 'customer_id')
-> customer_id: orders.customer_id
-> t: orders.amount, .discount
-> coupon: orders.coupon
-> rows: FILTER orders.status; GROUP_BY orders.customer_id; JOIN orders.customer_id
# programs: kept, let go, and read again [code]
kept = spark.table('staff').where('salary > 7').persist()
kept.count()
kept.unpersist()
frame = kept.select('name', (F.col('salary') * 2).alias('twice'))
-> name: staff.name
-> twice: staff.salary
-> rows: FILTER staff.salary
# programs: checkpointed and grouped [code]
spark.sparkContext.setCheckpointDir(root + '/points')
point = spark.table('staff').where('salary > 6').select('id', 'dept', 'salary').checkpoint()
frame = point.groupBy('dept').agg(F.avg('salary').alias('mean'))
-> dept: staff.dept
-> mean: staff.salary
-> rows: FILTER staff.salary; GROUP_BY staff.dept
# programs: checkpointed in place and joined [code]
point = spark.table('orders').where('amount > 2').select('id', 'customer_id', 'amount').localCheckpoint()
frame = point.join(spark.table('customers').select(F.col('id').alias('customer_id'), 'email'), 'customer_id').select('email', F.sqrt('amount').alias('r'))
-> email: customers.email
-> r: orders.amount
-> rows: FILTER orders.amount; JOIN customers.id, orders.customer_id
# programs: views over views [code]
spark.table('orders').where('amount > 1').createOrReplaceTempView('v_one')
spark.sql('SELECT customer_id, sum(amount) AS t FROM v_one GROUP BY customer_id').createOrReplaceTempView('v_two')
spark.table('v_two').withColumn('tier', F.when(F.col('t') > 10, 'gold').otherwise('tin')).createOrReplaceGlobalTempView('v_three')
frame = spark.sql('SELECT tier, count(customer_id) AS n FROM global_temp.v_three GROUP BY tier')
-> tier: -; IF orders.amount
-> n: orders.customer_id
-> rows: FILTER orders.amount; GROUP_BY orders.customer_id, .amount
# programs: a scalar function in Python [code]
@F.udf('string')
def shout(text, n):
    return None
frame = spark.table('customers').where(shout('country', F.lit(1)) == 'X').select('id', shout('name', F.length('email')).alias('s'), F.concat(shout('phone', 'id'), 'country').alias('t'))
-> id: customers.id
-> s: customers.name, .email
-> t: customers.phone, .id, .country
-> rows: FILTER customers.country
# programs: functions in Python of functions in Python [code]
@F.udf('double')
def half(x):
    return None
frame = spark.table('staff').groupBy(half(half('salary')).alias('h')).agg(F.max(half('id')).alias('m')).orderBy('m')
-> h: staff.salary
-> m: staff.id
-> rows: GROUP_BY staff.salary; SORT staff.id
# programs: pandas functions over columns and groups [code]
import pandas as pd
@F.pandas_udf('double')
def plus(a: pd.Series, b: pd.Series) -> pd.Series:
    return a + b
@F.pandas_udf('double')
def mean(a: pd.Series) -> float:
    return float(a.mean())
frame = spark.table('staff').withColumn('p', plus(F.col('salary'), F.col('id').cast('double'))).groupBy('dept').agg(mean('p').alias('m'), mean('salary').alias('n'))
-> dept: staff.dept
-> m: staff.salary, .id
-> n: staff.salary
-> rows: GROUP_BY staff.dept
# programs: a pandas function over a window [code]
import pandas as pd
@F.pandas_udf('double')
def middle(a: pd.Series) -> float:
    return float(a.median())
frame = spark.table('staff').select('id', middle('salary').over(Window.partitionBy('dept')).alias('m'))
-> id: staff.id
-> m: staff.salary; WINDOW staff.dept
# programs: groups in pandas [code]
def best(rows):
    return rows
frame = spark.table('staff').select('dept', 'salary').groupBy('dept').applyInPandas(best, 'dept STRING, salary DOUBLE').select('salary')
-> salary: staff.dept, .salary
-> rows: MAY staff.dept
# programs: pairs of groups in pandas [code]
def pair(a, b):
    return a
frame = spark.table('staff').select('id', 'name').groupBy('id').cogroup(spark.table('customers').select('id', 'email').groupBy('id')).applyInPandas(pair, 'id BIGINT, name STRING')
-> id: staff.id, .name, customers.id, .email
-> name: staff.id, .name, customers.id, .email
-> rows: MAY staff.id, customers.id
# programs: observed and written [code]
frame = spark.table('orders').observe('o1', F.count(F.lit(1)).alias('rows'), F.sum('amount').alias('s')).where('amount > 3').observe('o2', F.max('id').alias('m')).groupBy('status').count()
-> status: orders.status
-> count: -
-> rows: FILTER orders.amount; GROUP_BY orders.status
# programs: approximations and describing [code]
frame = spark.table('staff').agg(F.approx_count_distinct('name').alias('a'), F.percentile_approx('salary', [0.5, 0.9]).alias('p'), F.kurtosis('salary').alias('k'), F.covar_samp('salary', 'id').alias('c'), F.first('dept', True).alias('f'))
-> a: staff.name
-> p: staff.salary
-> k: staff.salary
-> c: staff.salary, .id
-> f: staff.dept
# programs: nulls filled from other columns [code]
frame = spark.table('customers').select('id', F.coalesce('phone', 'email').alias('c')).na.fill('none', ['c']).replace({'x': 'y'}, subset=['c']).dropna(subset=['c'])
-> id: customers.id
-> c: customers.phone, .email; IF customers.phone, .email
-> rows: FILTER customers.phone, .email
# programs: flags by many branches [code]
frame = spark.table('orders').select('id', F.when(F.col('amount') > 10, F.col('note')).when(F.col('coupon').isNull(), F.col('status')).otherwise(F.concat_ws('-', 'currency', 'status')).alias('f'), F.expr("status IN ('a', 'b') AND amount BETWEEN 1 AND discount").alias('g'))
-> id: orders.id
-> f: orders.note, .status, .currency; IF orders.amount, .coupon
-> g: orders.status, .amount, .discount
# programs: arrays and maps by functions [code]
frame = spark.table('customers').select('id', F.transform_values('prefs', lambda k, v: F.concat(v, F.col('country'))).alias('p'), F.map_from_arrays('tags', F.transform('tags', lambda t, i: i + F.length('name'))).alias('m'), F.exists('tags', lambda t: t == F.col('email')).alias('e'), F.array_sort(F.array('name', 'phone')).alias('s'))
-> id: customers.id
-> p: customers.prefs, .country
-> m: customers.tags, .name
-> e: customers.tags, .email
-> s: customers.name, .phone
# programs: exploded twice with positions [code]
frame = spark.table('orders').select('id', F.posexplode_outer('lines').alias('p', 'l')).select('id', 'p', 'l.sku', F.explode(F.split('l.sku', '-')).alias('part')).where('part <> sku')
-> id: orders.id
-> p: orders.lines
-> sku: orders.lines.sku
-> part: orders.lines.sku
-> rows: FILTER orders.lines.sku; MAY orders.lines
# programs: json with a schema from the driver [code]
frame = spark.table('events').withColumn('j', F.from_json('payload', 'a INT, b ARRAY<STRUCT<c: STRING>>')).select('user_id', 'j.a', F.col('j.b')[0]['c'].alias('c'), F.size('j.b').alias('n')).filter(F.col('a').isNotNull())
-> user_id: events.user_id
-> a: events.payload
-> c: events.payload
-> n: events.payload
-> rows: FILTER events.payload
# programs: sampled, limited, offset [code]
frame = spark.table('staff').sample(False, 0.5, 3).orderBy('hired').offset(1).limit(5).select('name')
-> name: staff.name
-> rows: SORT staff.hired
# programs: summed by rollup with names [code]
frame = spark.table('orders').rollup('currency', F.year('placed_at').alias('y')).agg(F.sum('amount').alias('s'), F.grouping('currency').alias('g')).where('g = 0 OR s > 5')
-> currency: orders.currency
-> y: orders.placed_at
-> s: orders.amount
-> g: -
-> rows: GROUP_BY orders.currency, .placed_at; FILTER orders.amount; MAY orders.currency
# programs: a table written with partitions and read [code]
spark.table('orders').where('amount > 1').withColumn('y', F.year('placed_at')).select('id', 'amount', 'y').write.mode('overwrite').partitionBy('y').saveAsTable('mart.by_year')
frame = spark.table('mart.by_year').where('y = 2026').groupBy('y').agg(F.sum('amount').alias('s'))
-> y: by_year.y
-> s: by_year.amount
-> rows: FILTER by_year.y; GROUP_BY by_year.y
# programs: written in buckets [code]
spark.table('staff').select('id', F.upper('name').alias('n')).write.mode('overwrite').bucketBy(4, 'id').sortBy('n').saveAsTable('mart.in_buckets')
-> to: mart.in_buckets
-> id: staff.id
-> n: staff.name
# programs: overwritten through a staging table, staging [code]
spark.table('orders').groupBy('customer_id').agg(F.max('amount').alias('top')).write.mode('overwrite').saveAsTable('mart.staged_tops')
-> to: mart.staged_tops
-> customer_id: orders.customer_id
-> top: orders.amount
-> rows: GROUP_BY orders.customer_id
# programs: overwritten through a staging table, table [code]
spark.table('mart.staged_tops').join(spark.table('customers'), F.expr('customer_id = id'), 'left').select('customer_id', F.expr('coalesce(top, 0) AS top'), 'country').write.mode('overwrite').saveAsTable('mart.tops')
-> to: mart.tops
-> customer_id: staged_tops.customer_id
-> top: staged_tops.top; IF staged_tops.top
-> country: customers.country
-> rows: JOIN staged_tops.customer_id, customers.id
# programs: inserted into by position [code]
spark.table('mart.staged_tops').selectExpr('customer_id + 1', 'top * 2', "'XX'").write.insertInto('mart.tops', overwrite=False)
-> to: mart.tops
-> customer_id: staged_tops.customer_id
-> top: staged_tops.top; IF ?staged_tops.top
-> country: -
# programs: written as files of three kinds [code]
spark.table('staff').select('id', F.col('salary').cast('string').alias('pay')).write.mode('overwrite').option('header', True).csv(root + '/files_of_staff')
-> id: staff.id
-> pay: staff.salary
# programs: files read with a schema [code]
frame = spark.read.schema('id BIGINT, pay STRING').option('header', True).csv(root + '/files_of_staff').where("pay > '3'").select(F.expr('length(pay)').alias('p'))
-> p: files_of_staff.pay
-> rows: FILTER files_of_staff.pay
# programs: distinct and counted [code]
frame = spark.table('events').select('user_id', 'device.os').distinct().groupBy('os').agg(F.count('*').alias('n'), F.count_distinct(F.col('user_id')).alias('u'))
-> os: events.device.os
-> n: -
-> u: events.user_id
-> rows: GROUP_BY events.user_id, .device.os
# programs: intersected and subtracted [code]
a = spark.table('customers').select('id', 'country')
frame = a.intersect(spark.table('stage_customers').select('id', 'country')).exceptAll(spark.table('dim_customer').select('id', 'country')).select('country')
-> country: customers.country
-> rows: JOIN stage_customers.id, .country, dim_customer.id, .country; MAY customers.id, .country; GROUP_BY customers.id, .country
# programs: as of nearest before [code]
o = spark.table('orders').select('id', 'currency', 'dt', 'amount')
f = spark.table('fx').select(F.col('currency').alias('c'), 'day', 'rate')
near = o.join(f, (o.currency == f.c) & (f.day <= o.dt), 'left')
w = Window.partitionBy('id').orderBy(F.col('day').desc())
frame = near.withColumn('k', F.row_number().over(w)).where('k = 1').select('id', (F.col('amount') * F.col('rate')).alias('eur'))
-> id: orders.id
-> eur: orders.amount, fx.rate
-> rows: JOIN orders.currency, .dt, fx.currency, .day; FILTER orders.id, fx.day
# programs: a history merged by hand [code]
old = spark.table('dim_customer').where('is_current')
new = spark.table('stage_customers')
changed = new.alias('n').join(old.alias('o'), 'id').where('n.email <> o.email OR n.country <> o.country').select('id', 'n.email', 'n.country', F.col('n.loaded_at').alias('valid_from'))
kept = old.join(changed.select('id'), 'id', 'left_anti').select('id', 'email', 'country', 'valid_from')
frame = kept.unionByName(changed)
-> id: dim_customer.id, stage_customers.id
-> email: dim_customer.email, stage_customers.email
-> country: dim_customer.country, stage_customers.country
-> valid_from: dim_customer.valid_from, stage_customers.loaded_at
-> rows: FILTER dim_customer.is_current; JOIN dim_customer.id, .email, .country, stage_customers.id, .email, .country
# programs: columns folded in a loop [code]
from functools import reduce
frame = reduce(lambda f, c: f.withColumn(c, F.trim(F.coalesce(F.col(c), F.lit('?')))), ['email', 'name', 'phone'], spark.table('customers')).select('email', 'name', F.concat_ws('|', 'email', 'phone').alias('k'))
-> email: customers.email; IF customers.email
-> name: customers.name; IF customers.name
-> k: customers.email, .phone; IF customers.email, .phone
# programs: frames folded in a loop [code]
from functools import reduce
parts = [spark.table('stock').where(F.col('store') == s).select('sku', F.lit(s).alias('s'), F.col('qty')) for s in ('a', 'b', 'c')]
frame = reduce(lambda a, b: a.unionByName(b), parts).groupBy('sku').agg(F.sum('qty').alias('t'), F.collect_list('s').alias('l'))
-> sku: stock.sku
-> t: stock.qty
-> l: -
-> rows: FILTER stock.store; GROUP_BY stock.sku
# programs: an iterative closure [code]
level = spark.table('staff').where('boss_id IS NULL').select('id', F.col('name').alias('top'))
for _ in range(2):
    level = spark.table('staff').alias('s').join(level.alias('l'), F.col('s.boss_id') == F.col('l.id')).select('s.id', 'l.top')
frame = level.groupBy('top').agg(F.count('id').alias('n'))
-> top: staff.name
-> n: staff.id
-> rows: FILTER staff.boss_id; JOIN staff.boss_id, .id; GROUP_BY staff.name
# programs: watermarks on batches [code]
frame = spark.table('events').withWatermark('ts', '1 hour').groupBy(F.window('ts', '1 hour'), 'name').agg(F.count('url').alias('n')).select(F.col('window.start').alias('s'), 'name', 'n')
-> s: events.ts
-> name: events.name
-> n: events.url
-> rows: GROUP_BY events.ts, .name; MAY events.ts
# programs: transposed by hand [code]
frame = spark.table('metrics').groupBy('entity').agg(*[F.max(F.when(F.col('metric') == m, F.col('value'))).alias(m) for m in ('cpu', 'mem')], F.max_by('value', 'at').alias('newest'))
-> entity: metrics.entity
-> cpu: metrics.value; IF metrics.metric
-> mem: metrics.value; IF metrics.metric
-> newest: metrics.value; IF metrics.at
-> rows: GROUP_BY metrics.entity
# programs: a table function in Python [code]
from pyspark.sql.functions import udtf
@udtf(returnType='part STRING, n INT')
class Parts:
    def eval(self, text, n):
        yield text, 1
spark.udtf.register('parts_of_text', Parts)
frame = spark.sql("SELECT l.host, p.part FROM logs l, LATERAL parts_of_text(l.line, 3) p WHERE p.n > 0")
-> host: logs.host
-> part: logs.line
-> rows: FILTER logs.line
# programs: grouped maps in arrow [code] [from 4.0]
import pyarrow
def same(table):
    return table
frame = spark.table('staff').select('dept', 'salary', 'id').groupBy('dept').applyInArrow(same, 'dept STRING, salary DOUBLE, id BIGINT').groupBy('dept').agg(F.sum('salary').alias('s'))
-> dept: staff.dept, .salary, .id
-> s: staff.dept, .salary, .id
-> rows: GROUP_BY staff.dept, .salary, .id
# programs: lateral joins of frames [code] [from 4.0]
c = spark.table('customers').select('id', 'tags')
frame = c.lateralJoin(spark.tvf.explode(F.col('tags').outer())).select('id', 'col')
-> id: customers.id
-> col: customers.tags
-> rows: MAY customers.tags
# programs: scalar subqueries of frames [code] [from 4.0]
top = spark.table('orders').select(F.max('amount')).scalar()
frame = spark.table('staff').where(F.col('salary') > top).select('name', (F.col('salary') - top).alias('d'))
-> name: staff.name
-> d: staff.salary, orders.amount
-> rows: FILTER staff.salary, orders.amount
# programs: exists of frames [code] [from 4.0]
o = spark.table('orders')
frame = spark.table('customers').alias('c').where(o.where(F.col('customer_id') == F.col('c.id').outer()).exists()).select('email')
-> email: customers.email
-> rows: JOIN customers.id, orders.customer_id
