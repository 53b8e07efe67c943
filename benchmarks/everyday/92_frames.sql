# frames: rows of orders
INSERT INTO orders (id, customer_id, amount, status, note, dt) VALUES (1, 1, 5, 'a', 'b', DATE'2026-01-01'), (2, 1, 9, 'b', 'a', DATE'2026-01-01')
# frames: rows of staff
INSERT INTO staff VALUES (1, 2, 'a', 'b', 8.0, DATE'2026-01-01'), (2, 1, 'b', 'a', 9.0, DATE'2026-01-01')
# frames: rows of customers
INSERT INTO customers (id, email, active) VALUES (1, 'a@b', true)
# frames: cogrouped functions [code]
def both(left, right):
    return left
frame = (spark.table('orders').select('customer_id', 'amount').groupBy('customer_id')
    .cogroup(spark.table('customers').select('id', 'email').groupBy('id')).applyInPandas(both, 'customer_id BIGINT, amount DECIMAL(12,2)'))
-> customer_id: orders.customer_id, .amount, customers.id, .email
-> amount: orders.customer_id, .amount, customers.id, .email
-> rows: MAY orders.customer_id, customers.id
# frames: rows mapped in pandas [code]
def rows(batches):
    yield from batches
frame = spark.table('staff').where("dept <> '('").selectExpr('id', '-salary AS s').mapInPandas(rows, 'id BIGINT, s DOUBLE').where('s < 0').select('s')
-> s: staff.id, .salary
-> rows: FILTER staff.dept, .id, .salary
# frames: rows mapped in arrow, then grouped [code]
def rows(batches):
    yield from batches
frame = spark.table('staff').select('id', 'salary').mapInArrow(rows, 'id BIGINT, salary DOUBLE').groupBy('id').agg(F.sum(-F.col('salary')).alias('t'))
-> id: staff.id, .salary
-> t: staff.id, .salary
-> rows: GROUP_BY staff.id, .salary
# frames: observed [code]
from pyspark.sql import Observation
frame = spark.table('orders').where('amount > 3').observe(Observation('o, p#1'), F.count(F.lit(1)).alias('n'), F.max('note').alias('m(')).select('id', 'status')
-> id: orders.id
-> status: orders.status
-> rows: FILTER orders.amount
# frames: observed by name, then grouped [code]
frame = spark.table('orders').observe('seen', F.sum(-F.col('amount')).alias('s')).groupBy('status').agg(F.max('discount').alias('d'))
-> status: orders.status
-> d: orders.discount
-> rows: GROUP_BY orders.status
# frames: several columns added [code]
frame = spark.table('staff').withColumns({'a': -F.col('salary'), 'b, c#1': F.concat('name', F.lit(')'), F.upper(F.concat(F.lit('('), 'dept'))), 'id': F.col('id') + 1}).drop('hired')
-> id: staff.id
-> boss_id: staff.boss_id
-> name: staff.name
-> dept: staff.dept
-> salary: staff.salary
-> a: staff.salary
-> b, c#1: staff.name, .dept
# frames: several columns renamed [code]
frame = spark.table('staff').withColumnsRenamed({'id': 'i, d#1', 'name': 'n(', 'salary': 'sum(x#2)'}).select('`i, d#1`', '`n(`', '`sum(x#2)`').distinct()
-> i, d#1: staff.id
-> n(: staff.name
-> sum(x#2): staff.salary
-> rows: GROUP_BY staff.id, .name, .salary
# frames: melted [code]
frame = spark.table('products').select('sku', 'price', (-F.col('cost')).alias('c(')).melt(['sku'], ['price', 'c('], 'k', 'v').groupBy('sku', 'k').agg(F.max('v').alias('m'))
-> sku: products.sku
-> k: -
-> m: products.price, .cost
-> rows: GROUP_BY products.sku
# frames: pivoted without values [code]
frame = spark.table('stock').groupBy('sku').pivot('store', ['a(', 'b, c#1', ')']).agg(F.sum(-F.col('qty')).alias('s'), F.countDistinct('day').alias('n'))
-> sku: stock.sku
-> a(_s: stock.qty; IF stock.store
-> a(_n: stock.day; IF stock.store
-> b, c#1_s: stock.qty; IF stock.store
-> b, c#1_n: stock.day; IF stock.store
-> )_s: stock.qty; IF stock.store
-> )_n: stock.day; IF stock.store
-> rows: GROUP_BY stock.sku, ?.store; MAY stock.store, .day
# frames: crossed [code]
frame = spark.table('products').select('sku').crossJoin(spark.table('calendar').where('NOT holiday').select('day')).crossJoin(spark.range(3).withColumnRenamed('id', 'n'))
-> sku: products.sku
-> day: calendar.day
-> n: -
-> rows: FILTER calendar.holiday
# frames: filled, replaced, dropped [code]
frame = spark.table('orders').select('id', 'amount', 'status', 'note', 'coupon').na.fill({'status': ', x#1', 'amount': 0}).na.replace(['(', 'b'], [')', 'c'], ['note']).na.drop(how='any', subset=['coupon', 'id'])
-> id: orders.id
-> amount: orders.amount; IF orders.amount
-> status: orders.status; IF orders.status
-> note: orders.note; IF orders.note
-> coupon: orders.coupon
-> rows: FILTER orders.coupon, .id
# frames: dropped below a threshold [code]
frame = spark.table('staff').dropna(thresh=2, subset=['name', 'dept', 'salary']).select('id')
-> id: staff.id
-> rows: FILTER staff.name, .dept, .salary
# frames: sampled by keys [code]
frame = spark.table('orders').select('id', 'status').sampleBy('status', {'a(': 0.5, 'b, c#1': 0.2}, 7)
-> id: orders.id
-> status: orders.status
-> rows: FILTER orders.status
# frames: split at random [code]
frame = spark.table('staff').select('id', 'name').randomSplit([0.7, 0.3], 5)[0]
-> id: staff.id
-> name: staff.name
-> rows: MAY staff.id, .name
# frames: rollup and cube [code]
frame = spark.table('orders').rollup(F.upper('status').alias('s('), 'currency').agg(F.sum('amount').alias('t'), F.grouping_id().alias('g')).unionAll(spark.table('orders').cube('status', 'currency').agg(F.sum(-F.col('discount')), F.grouping('status')))
-> s(: orders.status
-> currency: orders.currency
-> t: orders.amount, .discount
-> g: -
-> rows: GROUP_BY orders.status, .currency
# frames: grouping sets [code] [from 4.0]
frame = spark.table('orders').groupingSets([['status'], ['status', 'currency'], []], 'status', 'currency').agg(F.max('note').alias('m'))
-> status: orders.status
-> currency: orders.currency
-> m: orders.note
-> rows: GROUP_BY orders.status, .currency
# frames: except all and intersect all [code]
frame = spark.table('customers').select('id', 'country').exceptAll(spark.table('stage_customers').select('id', 'country')).intersectAll(spark.table('dim_customer').select('id', 'country'))
-> id: customers.id
-> country: customers.country
-> rows: JOIN stage_customers.id, .country, dim_customer.id, .country; MAY customers.id, .country
# frames: subtracted and intersected [code]
frame = spark.table('customers').selectExpr('upper(country) AS `c, d#1`').subtract(spark.table('stage_customers').select('country')).intersect(spark.table('fx').select('currency'))
-> c, d#1: customers.country
-> rows: JOIN customers.country, stage_customers.country, fx.currency; GROUP_BY customers.country
# frames: union by name with missing columns [code]
frame = spark.table('customers').select('id', 'email', 'phone').unionByName(spark.table('stage_customers').selectExpr('upper(country) AS `c(`', 'email', 'id'), allowMissingColumns=True)
-> id: customers.id, stage_customers.id
-> email: customers.email, stage_customers.email
-> phone: customers.phone
-> c(: stage_customers.country
# frames: transformed by functions [code]
frame = spark.table('customers').transform(lambda f: f.where('active')).transform(lambda f, n: f.select('id', F.transform('tags', lambda t: F.concat(t, F.lit('('), F.col('name'))).alias('t'), F.filter('tags', lambda t: t > F.col('country')).alias('u'), F.aggregate('tags', F.lit(0), lambda a, t: a - F.length(t)).alias('v')), 3)
-> id: customers.id
-> t: customers.tags, .name
-> u: customers.tags, .country
-> v: customers.tags
-> rows: FILTER customers.active
# frames: table function with a query [code]
from pyspark.sql.functions import udtf
@udtf(returnType='w: string, n: int')
class Words:
    def eval(self, text, n):
        yield text, n
spark.udtf.register('words_of', Words)
frame = spark.sql("SELECT id, w, n FROM orders, LATERAL words_of(concat(note, '('), CAST(-amount AS INT)) WHERE status <> ')'")
-> id: orders.id
-> w: orders.note, .amount
-> n: orders.note, .amount
-> rows: FILTER orders.status
# frames: lateral join by code [code] [from 4.0]
frame = spark.table('customers').alias('c').lateralJoin(spark.table('orders').alias('o').where(F.col('o.customer_id') == F.col('c.id').outer()).select(F.col('o.amount').alias('a'), 'o.status'), how='left').select('c.email', 'a', 'status')
-> email: customers.email
-> a: orders.amount
-> status: orders.status
-> rows: JOIN customers.id, orders.customer_id
# frames: scalar and exists by code [code] [from 4.0]
frame = spark.table('customers').alias('c').select('id', spark.table('orders').where(F.col('customer_id') == F.col('c.id').outer()).select(F.max(-F.col('amount'))).scalar().alias('m')).where(F.col('m') < 3)
-> id: customers.id
-> m: orders.amount
-> rows: JOIN customers.id, orders.customer_id; FILTER orders.amount; MAY orders.customer_id
# frames: limited [code]
frame = spark.table('staff').where(F.col('salary') > 3).select('id', 'name').limit(5)
-> id: staff.id
-> name: staff.name
-> rows: FILTER staff.salary
# frames: persisted and joined with itself [code]
kept = spark.table('orders').where('amount > 1').groupBy('status').agg(F.sum('amount').alias('t')).persist()
frame = kept.alias('a').join(kept.alias('b'), 'status').select('status', F.col('a.t').alias('x'), (-F.col('b.t')).alias('y'))
-> status: orders.status
-> x: orders.amount
-> y: orders.amount
-> rows: FILTER orders.amount; GROUP_BY orders.status; JOIN orders.status
# frames: checkpointed and joined with itself [code]
kept = spark.table('orders').where('amount > 1').groupBy('status').agg(F.sum('amount').alias('t'), F.max('note').alias('n')).localCheckpoint()
frame = kept.alias('a').join(kept.alias('b'), F.col('a.status') == F.col('b.n')).select('a.status', F.col('a.t').alias('x'), (-F.col('b.t')).alias('y'), F.col('b.n').alias('z'))
-> status: orders.status
-> x: orders.amount
-> y: orders.amount
-> z: orders.note
-> rows: FILTER orders.amount; GROUP_BY orders.status; JOIN orders.status, .note
# frames: checkpointed to files and joined with itself [code]
spark.sparkContext.setCheckpointDir(root + '/checkpoints')
kept = spark.table('staff').where("dept <> '('").select('id', 'boss_id', 'name').checkpoint()
frame = kept.alias('a').join(kept.alias('b'), F.col('a.boss_id') == F.col('b.id'), 'left').select('a.name', F.col('b.name').alias('boss'))
-> name: staff.name
-> boss: staff.name
-> rows: FILTER staff.dept; JOIN staff.boss_id, .id
# frames: lazy checkpoint joined with itself [code]
kept = spark.table('staff').where("dept <> ')'").select('id', 'boss_id', F.upper('name').alias('name')).localCheckpoint(eager=False)
frame = kept.alias('a').join(kept.alias('b'), F.col('a.boss_id') == F.col('b.id'), 'left_semi').select('a.name')
-> name: staff.name
-> rows: FILTER staff.dept; JOIN staff.boss_id, .id
# frames: checkpoint united with itself [code]
kept = spark.table('staff').where('salary > 2').select('id', 'name', 'dept').localCheckpoint()
frame = kept.select('id', 'name').union(kept.select('id', 'dept')).groupBy('name').count()
-> name: staff.name, .dept
-> count: -
-> rows: FILTER staff.salary; GROUP_BY staff.name, .dept
# frames: three checkpoints joined [code]
one = spark.table('orders').where('amount > 2').select('id', 'customer_id', 'note').localCheckpoint()
two = spark.table('customers').where('active').select('id', 'email').localCheckpoint()
frame = one.alias('a').join(two.alias('b'), F.col('a.customer_id') == F.col('b.id')).join(one.alias('c'), F.col('c.customer_id') == F.col('b.id')).select('a.id', 'b.email', F.col('c.note').alias('n'))
-> id: orders.id
-> email: customers.email
-> n: orders.note
-> rows: FILTER orders.amount, customers.active; JOIN orders.customer_id, customers.id
# frames: persisted checkpoint joined with itself [code]
kept = spark.table('orders').where('discount > 1').select('id', 'customer_id', 'amount').localCheckpoint().persist()
kept.count()
frame = kept.alias('a').join(kept.alias('b'), F.col('a.id') == F.col('b.customer_id')).select('a.id', (F.col('a.amount') - F.col('b.amount')).alias('d'))
-> id: orders.id
-> d: orders.amount
-> rows: FILTER orders.discount; JOIN orders.id, .customer_id
# frames: cached view joined with itself [code]
spark.table('staff').where('salary > 7').select('id', 'boss_id', 'name').createOrReplaceTempView('rich')
spark.sql('CACHE TABLE rich')
frame = spark.sql('SELECT a.name, b.name AS boss FROM rich a LEFT JOIN rich b ON a.boss_id = b.id')
-> name: staff.name
-> boss: staff.name
-> rows: FILTER staff.salary; JOIN staff.boss_id, .id
# frames: files by path [code]
spark.table('products').select('sku', 'price', 'brand').write.mode('overwrite').parquet(root + '/lake/products_copy')
frame = None
# frames: temporary view over files [code]
spark.read.parquet(root + '/lake/products_copy').createOrReplaceTempView('copied')
frame = spark.sql("SELECT brand, max(-price) AS m FROM copied WHERE sku <> '(' GROUP BY brand")
-> brand: products_copy.brand
-> m: products_copy.price
-> rows: FILTER products_copy.sku; GROUP_BY products_copy.brand
# frames: grouped with a pandas aggregate [code]
import pandas as pd
from pyspark.sql.functions import pandas_udf
@pandas_udf('double')
def mean_of(v: pd.Series) -> float:
    return v.mean()
frame = spark.table('staff').groupBy(F.concat('dept', F.lit(', d#1')).alias('d(')).agg(mean_of(-F.col('salary')).alias('m'))
-> d(: staff.dept
-> m: staff.salary
-> rows: GROUP_BY staff.dept
# frames: struct fields changed [code]
frame = spark.table('orders').select('id', F.col('ship').withField('`x(`', F.concat('note', F.lit('('))).dropFields('cost').alias('s'))
-> id: orders.id
-> s: orders.ship.carrier, .note; IF ?orders.ship
# frames: collected and ranked [code]
w = Window.partitionBy(F.regexp_replace('dept', '\\(', ', d#1')).orderBy(F.desc(-F.col('salary')))
frame = spark.table('staff').select('name', F.row_number().over(w).alias('r'), F.sum(-F.col('salary')).over(w).alias('s'), F.lag('name', 1, '(').over(w).alias('l')).where('r < 3')
-> name: staff.name
-> r: -; WINDOW staff.dept, .salary
-> s: staff.salary; WINDOW staff.dept, .salary
-> l: staff.name; WINDOW staff.dept, .salary
-> rows: FILTER staff.dept, .salary
# frames: sixty columns of nested concats [code]
names = ['note', 'status', 'coupon', 'currency']
frame = spark.table('orders').select(*[F.concat(names[i % 4], F.lit(')'), F.upper(F.concat(F.lit('('), names[(i + 1) % 4]))).alias(f'c{i}') for i in range(60)]).select('c3', 'c4', 'c58', 'c59')
-> c3: orders.currency, .note
-> c4: orders.note, .status
-> c58: orders.coupon, .currency
-> c59: orders.currency, .note
# frames: sixty columns grouped [code]
names = ['note', 'status', 'coupon', 'currency']
frame = spark.table('orders').where("note RLIKE '\\\\('").groupBy('id').agg(*[F.max(F.concat(names[i % 4], F.lit(')'), F.upper(F.concat(F.lit('('), names[(i + 1) % 4])))).alias(f'c{i}') for i in range(22)])
-> id: orders.id
-> c0: orders.note, .status
-> c1: orders.status, .coupon
-> c2: orders.coupon, .currency
-> c3: orders.currency, .note
-> c4: orders.note, .status
-> c5: orders.status, .coupon
-> c6: orders.coupon, .currency
-> c7: orders.currency, .note
-> c8: orders.note, .status
-> c9: orders.status, .coupon
-> c10: orders.coupon, .currency
-> c11: orders.currency, .note
-> c12: orders.note, .status
-> c13: orders.status, .coupon
-> c14: orders.coupon, .currency
-> c15: orders.currency, .note
-> c16: orders.note, .status
-> c17: orders.status, .coupon
-> c18: orders.coupon, .currency
-> c19: orders.currency, .note
-> c20: orders.note, .status
-> c21: orders.status, .coupon
-> rows: FILTER orders.note; GROUP_BY orders.id
