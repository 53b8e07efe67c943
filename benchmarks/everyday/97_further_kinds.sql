# kinds: all columns in a function
SELECT id, to_json(struct(*)) AS j, hash(*) AS h, concat_ws(',', *) AS c FROM stage_customers
-> id: stage_customers.id
-> j: stage_customers.id, .email, .country, .loaded_at
-> h: stage_customers.id, .email, .country, .loaded_at
-> c: stage_customers.id, .email, .country, .loaded_at
# kinds: all columns counted and compared
SELECT count(DISTINCT *) AS n, max(struct(*)).email AS e FROM (SELECT email, country FROM stage_customers)
-> n: stage_customers.email, .country
-> e: stage_customers.email; IF ?stage_customers.country
-> rows: MAY stage_customers.email, .country
# kinds: all columns but some [from 4.0]
SELECT * EXCEPT (loaded_at, email) FROM stage_customers WHERE email IS NOT NULL
-> id: stage_customers.id
-> country: stage_customers.country
-> rows: FILTER stage_customers.email
# kinds: a table by its name alone
TABLE fx
-> currency: fx.currency
-> day: fx.day
-> rate: fx.rate
# kinds: names given in the list of a query
WITH t(k, v) AS (SELECT dept, max(salary) FROM staff GROUP BY dept), u(v, k) AS (SELECT id, name FROM staff) SELECT t.k, x.b FROM t JOIN (SELECT v, k FROM u) AS x(a, b) ON x.a = t.v
-> k: staff.dept
-> b: staff.name
-> rows: GROUP_BY staff.dept; JOIN staff.salary, .id
# kinds: a query that hides a table of its name
WITH customers AS (SELECT id, lower(email) AS email FROM stage_customers) SELECT c.email, o.id FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.id IN (WITH orders AS (SELECT order_id AS id FROM payments) SELECT id FROM orders)
-> email: stage_customers.email
-> id: orders.id
-> rows: JOIN stage_customers.id, orders.customer_id, orders.id, payments.order_id
# kinds: same name on both sides
SELECT a.*, b.* FROM fx a JOIN fx b ON a.day = b.day WHERE a.currency = 'EUR' AND b.currency = 'USD'
-> currency: fx.currency
-> day: fx.day
-> rate: fx.rate
-> currency: fx.currency
-> day: fx.day
-> rate: fx.rate
-> rows: JOIN fx.day; FILTER fx.currency
# kinds: pairs in a list
SELECT id FROM stage_customers WHERE (id, country) IN ((1L, 'DE'), (2L, 'FR')) AND (email, country) IN (SELECT email, upper(country) FROM dim_customer)
-> id: stage_customers.id
-> rows: FILTER stage_customers.id, .country; JOIN stage_customers.email, .country, dim_customer.email, .country
# kinds: subqueries in conditions of a choice
SELECT id, CASE WHEN amount > (SELECT max(salary) FROM staff) THEN note WHEN amount BETWEEN (SELECT min(week) FROM calendar) AND 9 THEN status END AS x FROM orders
-> id: orders.id
-> x: orders.note, .status; IF orders.amount, staff.salary, calendar.week
# kinds: a correlated count compared
SELECT c.id FROM customers c WHERE (SELECT count(*) FROM orders o WHERE o.customer_id = c.id AND o.amount > 5) >= 2
-> id: customers.id
-> rows: JOIN customers.id, orders.customer_id; FILTER orders.amount; MAY orders.customer_id, .id
# kinds: a correlated subquery with groups
SELECT s.name FROM staff s WHERE EXISTS (SELECT b.boss_id FROM staff b WHERE b.boss_id = s.id GROUP BY b.boss_id HAVING count(b.id) > 3)
-> name: staff.name
-> rows: JOIN staff.boss_id, .id; GROUP_BY staff.boss_id; FILTER staff.id
# kinds: a correlated subquery of two tables
SELECT o.id, (SELECT p.title FROM products p JOIN prices q ON q.sku = p.sku WHERE p.sku = o.note AND q.price = o.amount LIMIT 1) AS t FROM orders o
-> id: orders.id
-> t: products.title; IF ?products.title
-> rows: JOIN products.sku, prices.sku, orders.note, prices.price, orders.amount; MAY products.sku
# kinds: sets below IN
SELECT id FROM customers WHERE country IN (SELECT country FROM stage_customers INTERSECT SELECT country FROM dim_customer WHERE valid_to IS NULL)
-> id: customers.id
-> rows: JOIN customers.country, stage_customers.country, dim_customer.country; FILTER dim_customer.valid_to; MAY stage_customers.country
# kinds: union below EXISTS
SELECT c.id FROM customers c WHERE EXISTS (SELECT o.customer_id AS k FROM orders o WHERE o.customer_id = c.id UNION ALL SELECT e.user_id FROM events e WHERE e.user_id = c.id)
-> id: customers.id
-> rows: JOIN customers.id, orders.customer_id, events.user_id
# kinds: structs compared and ordered
SELECT id, row_number() OVER (PARTITION BY struct(currency, status) ORDER BY struct(amount, note) DESC) AS r FROM orders WHERE struct(amount AS a, discount AS b) > struct(CAST(1 AS DECIMAL(12,2)) AS a, CAST(2 AS DECIMAL(12,2)) AS b)
-> id: orders.id
-> r: -; WINDOW orders.currency, .status, .amount, .note
-> rows: FILTER orders.amount, .discount
# kinds: nested fields as keys and conditions
SELECT address.city AS city, max(address.geo.lat) AS lat, count(DISTINCT address.zip) AS zips FROM customers WHERE address.geo.lon > 3 AND size(tags) > 0 GROUP BY address.city ORDER BY max(address.street) LIMIT 3
-> city: customers.address.city
-> lat: customers.address.geo.lat
-> zips: customers.address.zip
-> rows: FILTER customers.address.geo.lon, .tags; GROUP_BY customers.address.city; SORT customers.address.street; MAY customers.address.zip
# kinds: elements as keys
SELECT lines[0].sku AS first_sku, prefs_a, sum(amount) AS s FROM (SELECT o.lines, o.amount, c.prefs['a'] AS prefs_a FROM orders o JOIN customers c ON o.customer_id = c.id) GROUP BY lines[0].sku, prefs_a
-> first_sku: orders.lines.sku
-> prefs_a: customers.prefs
-> s: orders.amount
-> rows: JOIN orders.customer_id, customers.id; GROUP_BY orders.lines.sku, customers.prefs
# kinds: collected and exploded again
SELECT k, p.s, p.a FROM (SELECT customer_id AS k, collect_list(struct(status AS s, amount AS a)) AS l FROM orders GROUP BY customer_id) LATERAL VIEW explode(slice(l, 1, 3)) AS p
-> k: orders.customer_id
-> s: orders.status
-> a: orders.amount
-> rows: GROUP_BY orders.customer_id; MAY orders.status, .amount
# kinds: inline of collected structs
SELECT inline(array_sort(collect_list(struct(placed_at AS at, status)))) FROM orders WHERE amount > 1
-> at: orders.placed_at
-> status: orders.status
-> rows: FILTER orders.amount; MAY orders.placed_at, .status
# kinds: map of arrays read by key
SELECT customer_id, map_from_arrays(collect_list(status), collect_list(amount))['paid'] AS p, str_to_map(max(note), ',', ':')['x'] AS x FROM orders GROUP BY customer_id
-> customer_id: orders.customer_id
-> p: orders.amount, ?.status
-> x: orders.note
-> rows: GROUP_BY orders.customer_id
# kinds: maps filtered below a generator
SELECT id, k, v FROM customers LATERAL VIEW explode(map_filter(prefs, (a, b) -> b > email)) AS k, v
-> id: customers.id
-> k: customers.prefs
-> v: customers.prefs
-> rows: FILTER customers.prefs, .email
# kinds: arrays zipped below a generator
SELECT id, z.tags AS t, z.`1` AS n FROM (SELECT id, tags, arrays_zip(tags, transform(tags, t -> length(name))) AS zs FROM customers) LATERAL VIEW explode(zs) AS z
-> id: customers.id
-> t: customers.tags
-> n: customers.tags, .name
-> rows: MAY customers.tags, .name
# kinds: a sequence up to a subquery
SELECT id, n FROM staff LATERAL VIEW explode(sequence(1, (SELECT max(week) FROM calendar))) AS n WHERE n < id
-> id: staff.id
-> n: calendar.week
-> rows: FILTER staff.id, calendar.week
# kinds: aggregates of windows of aggregates
SELECT y, max(share) AS top FROM (SELECT year(placed_at) AS y, status, sum(amount) / sum(sum(amount)) OVER (PARTITION BY year(placed_at)) AS share FROM orders GROUP BY year(placed_at), status) GROUP BY y
-> y: orders.placed_at
-> top: orders.amount; WINDOW orders.placed_at
-> rows: GROUP_BY orders.placed_at, .status
# kinds: filters in windows
SELECT id, count(*) FILTER (WHERE status = 'paid') OVER (PARTITION BY customer_id ORDER BY id) AS n, avg(amount) FILTER (WHERE coupon IS NULL) OVER (PARTITION BY currency) AS m, collect_list(note) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS 2 PRECEDING)[0] AS f FROM orders
-> id: orders.id
-> n: -; IF orders.status; WINDOW orders.customer_id, .id
-> m: orders.amount; IF orders.coupon; WINDOW orders.currency
-> f: orders.note; WINDOW orders.customer_id, .placed_at
# kinds: window over grouping sets
SELECT country, year(signup) AS y, count(id) AS n, rank() OVER (PARTITION BY grouping_id() ORDER BY count(id) DESC) AS r FROM customers GROUP BY ROLLUP (country, year(signup))
-> country: customers.country
-> y: customers.signup
-> n: customers.id
-> r: -; WINDOW customers.id, ?.country, ?.signup
-> rows: GROUP_BY customers.country, .signup
# kinds: differences of neighbours filtered
SELECT entity, at, d FROM (SELECT entity, at, value - lag(value) OVER w AS d, dense_rank() OVER (PARTITION BY entity ORDER BY value) AS r FROM metrics WHERE metric = 'cpu' WINDOW w AS (PARTITION BY entity ORDER BY at)) WHERE abs(d) > 3 AND r < 9
-> entity: metrics.entity
-> at: metrics.at
-> d: metrics.value; WINDOW metrics.entity, .at
-> rows: FILTER metrics.metric, .value, .entity, .at
# kinds: dates
SELECT id, trunc(dt, 'MM') AS a, next_day(dt, 'MO') AS b, last_day(shipped_at) AS c, make_date(year(dt), 1, day(placed_at)) AS d, timestampadd(HOUR, CAST(amount AS INT), placed_at) AS e, unix_timestamp(note, 'yyyy') AS f, from_utc_timestamp(placed_at, currency) AS g, dateadd(dt, 3) AS h FROM orders WHERE dt BETWEEN date_sub(current_date(), 7) AND current_date()
-> id: orders.id
-> a: orders.dt
-> b: orders.dt
-> c: orders.shipped_at
-> d: orders.dt, .placed_at
-> e: orders.amount, .placed_at
-> f: orders.note
-> g: orders.placed_at, .currency
-> h: orders.dt
-> rows: FILTER orders.dt
# kinds: numbers and texts
SELECT to_char(amount, '999.99') AS a, try_to_number(note, '99') AS b, elt(1, status, currency) AS c, find_in_set(status, coupon) AS d, soundex(note) AS e, lpad(status, CAST(id AS INT), currency) AS f, width_bucket(amount, 0, discount, 5) AS g, bround(amount, 1) AS h, sentences(note)[0][0] AS i, ascii(note) AS j FROM orders
-> a: orders.amount
-> b: orders.note
-> c: orders.status, ?.currency
-> d: orders.status, .coupon
-> e: orders.note
-> f: orders.status, .id, .currency
-> g: orders.amount, .discount
-> h: orders.amount
-> i: orders.note
-> j: orders.note
# kinds: pivot of an expression
SELECT * FROM (SELECT upper(status) AS s, year(placed_at) AS y, amount FROM orders WHERE amount > 0) PIVOT (avg(amount * 2) AS m, count(amount) AS n FOR s IN ('PAID', 'OPEN' AS open))
-> y: orders.placed_at
-> PAID_m: orders.amount; IF orders.status
-> PAID_n: orders.amount; IF orders.status
-> open_m: orders.amount; IF orders.status
-> open_n: orders.amount; IF orders.status
-> rows: FILTER orders.amount; GROUP_BY orders.placed_at, ?.status; MAY orders.status
# kinds: sampled by rows and buckets
SELECT id, name FROM customers TABLESAMPLE (5 ROWS) WHERE active UNION ALL SELECT id, name FROM staff TABLESAMPLE (BUCKET 1 OUT OF 3)
-> id: customers.id, staff.id
-> name: customers.name, staff.name
-> rows: FILTER customers.active
# kinds: full join coalesced and filtered
SELECT coalesce(a.sku, b.sku) AS sku, coalesce(a.q, 0) - coalesce(b.q, 0) AS d FROM (SELECT sku, sum(qty) AS q FROM stock WHERE store = 'a' GROUP BY sku) a FULL JOIN (SELECT sku, sum(qty) AS q FROM stock WHERE store = 'b' GROUP BY sku) b ON a.sku = b.sku WHERE coalesce(a.q, 0) <> coalesce(b.q, 0)
-> sku: stock.sku; IF stock.sku
-> d: stock.qty; IF stock.qty
-> rows: FILTER stock.store, .qty; GROUP_BY stock.sku; JOIN stock.sku
# kinds: join on an expression of a choice
SELECT o.id, f.rate FROM orders o LEFT JOIN fx f ON f.currency = CASE WHEN o.currency IS NULL THEN o.coupon ELSE upper(o.currency) END AND f.day = coalesce(o.dt, CAST(o.placed_at AS DATE))
-> id: orders.id
-> rate: fx.rate
-> rows: JOIN fx.currency, .day, orders.currency, .coupon, .dt, .placed_at
# kinds: join of distinct keys both sides
SELECT count(*) AS n, count(DISTINCT a.country) AS c FROM (SELECT DISTINCT country FROM customers) a CROSS JOIN (SELECT DISTINCT dept FROM staff) b
-> n: -
-> c: customers.country
-> rows: GROUP_BY customers.country, staff.dept; MAY customers.country
# kinds: an aggregate without rows
SELECT max(amount) AS m, count(DISTINCT status) AS n, first(note) AS f FROM orders WHERE false OR amount > 3
-> m: orders.amount
-> n: orders.status
-> f: orders.note
-> rows: FILTER orders.amount; MAY orders.status
# kinds: having with other aggregates and keys
SELECT status, max(amount) AS m FROM orders GROUP BY status, currency HAVING count(DISTINCT coupon) > 1 AND currency <> 'EUR' AND max(note) < min(coupon)
-> status: orders.status
-> m: orders.amount
-> rows: GROUP_BY orders.status, .currency; FILTER orders.coupon, .currency, .note
# kinds: order by what is not selected
SELECT upper(status) AS s, max(amount) AS m FROM orders GROUP BY upper(status), currency ORDER BY currency, sum(discount) DESC, length(s)
-> s: orders.status
-> m: orders.amount
-> rows: GROUP_BY orders.status, .currency; SORT orders.currency, .discount, .status
# kinds: constants beside columns in a union
SELECT 'c' AS kind, id, NULL AS n FROM customers UNION SELECT 's', id, length(name) FROM staff UNION SELECT 'x', 0, 0
-> kind: -
-> id: customers.id, staff.id
-> n: staff.name
-> rows: GROUP_BY customers.id, staff.id, .name
# kinds: except of expressions
SELECT upper(email) AS e, country FROM customers EXCEPT SELECT lower(email), upper(country) FROM stage_customers WHERE loaded_at > now()
-> e: customers.email
-> country: customers.country
-> rows: JOIN customers.email, .country, stage_customers.email, .country; GROUP_BY customers.email, .country; FILTER stage_customers.loaded_at
# kinds: several rows from one by stack and union
SELECT id, what, n FROM (SELECT id, stack(2, 'tags', size(tags), 'prefs', size(prefs)) AS (what, n) FROM customers) WHERE what = 'tags' OR n > 1
-> id: customers.id
-> what: -
-> n: customers.tags, .prefs
-> rows: FILTER customers.tags, .prefs
# kinds: two generators in one list
SELECT id, explode(tags) AS t, upper(name) AS n FROM customers WHERE array_contains(tags, country)
-> id: customers.id
-> t: customers.tags
-> n: customers.name
-> rows: FILTER customers.tags, .country
# kinds: a table of several queries
CREATE TABLE mart.kinds_of USING parquet AS WITH a AS (SELECT id, country FROM customers WHERE active), b AS (SELECT customer_id, sum(amount) AS t, max(placed_at) AS l FROM orders GROUP BY customer_id) SELECT a.country, avg(b.t) AS mean, max(b.l) AS newest, count(DISTINCT a.id) AS n FROM a LEFT JOIN b ON a.id = b.customer_id GROUP BY a.country
-> to: mart.kinds_of
-> country: customers.country
-> mean: orders.amount
-> newest: orders.placed_at
-> n: customers.id
-> rows: FILTER customers.active; GROUP_BY orders.customer_id, customers.country; JOIN customers.id, orders.customer_id; MAY customers.id
# kinds: a view with generators and windows
CREATE VIEW mart.kinds_view AS SELECT id, t, row_number() OVER (PARTITION BY t ORDER BY signup DESC) AS r FROM customers LATERAL VIEW explode(tags) AS t
-> to: mart.kinds_view
-> id: customers.id
-> t: customers.tags
-> r: -; WINDOW customers.tags, .signup
-> rows: MAY customers.tags
# kinds: read through that view with a window above
SELECT t, count(id) OVER (PARTITION BY t) AS n FROM mart.kinds_view WHERE r = 1
-> t: customers.tags
-> n: customers.id; WINDOW customers.tags
-> rows: FILTER customers.tags, .signup; MAY customers.tags
# kinds: replaced by a query over itself through a view [code]
spark.sql("INSERT INTO mart.kinds_of SELECT country, 1.0, updated_at, id FROM customers WHERE active")
-> to: mart.kinds_of
-> country: customers.country
-> mean: -
-> newest: customers.updated_at
-> n: customers.id
-> rows: FILTER customers.active
# kinds: a directory of partitions
INSERT OVERWRITE DIRECTORY '/tmp/everyday_sql_kinds' USING json SELECT dept, collect_list(name) AS names FROM staff GROUP BY dept
-> none
# kinds: an outer lateral view over nothing
SELECT c.id, t, n FROM customers c LATERAL VIEW OUTER explode(tags) a AS t LATERAL VIEW OUTER posexplode(split(t, ',')) b AS n, part WHERE part IS NULL OR n > 0
-> id: customers.id
-> t: customers.tags
-> n: customers.tags
-> rows: FILTER customers.tags
# kinds: time zones and casts
SELECT CAST(placed_at AS DATE) AS d, CAST(amount AS STRING) || currency AS a, CAST(dt AS TIMESTAMP) + INTERVAL '1' DAY AS t, try_cast(note AS INT) AS n, CAST(struct(id, amount) AS STRUCT<a: STRING, b: DOUBLE>).b AS b, CAST(lines AS STRING) AS l FROM orders
-> d: orders.placed_at
-> a: orders.amount, .currency
-> t: orders.dt
-> n: orders.note
-> b: orders.amount
-> l: orders.lines
# kinds: choices of structs and arrays
SELECT id, (CASE WHEN active THEN address ELSE NULL END).city AS c, if(active, tags, array(name))[0] AS t, coalesce(prefs['a'], prefs['b'], phone) AS p, (if(country = 'DE', named_struct('x', email), named_struct('x', phone))).x AS x FROM customers
-> id: customers.id
-> c: customers.address.city; IF customers.active
-> t: customers.tags, .name; IF customers.active
-> p: customers.prefs, .phone; IF customers.prefs, ?.phone
-> x: customers.email, .phone; IF customers.country
# kinds: aggregates of choices by many keys
SELECT currency, status, sum(if(coupon LIKE 'A%', amount, if(discount > 0, discount, 0))) AS a, min(CASE WHEN note IS NOT NULL THEN placed_at END) AS b, count(CASE WHEN ship.carrier = 'x' THEN 1 END) AS c, max(nullif(note, '')) AS d FROM orders GROUP BY ALL
-> currency: orders.currency
-> status: orders.status
-> a: orders.amount, .discount; IF orders.coupon, .discount
-> b: orders.placed_at; IF orders.note
-> c: -; IF orders.ship.carrier
-> d: orders.note; IF orders.note
-> rows: GROUP_BY orders.currency, .status
# kinds: top of each with ties
SELECT category, sku FROM (SELECT category, sku, rank() OVER (PARTITION BY category ORDER BY sum_qty DESC) AS r FROM (SELECT p.category, p.sku, sum(s.qty) AS sum_qty FROM products p JOIN stock s USING (sku) GROUP BY p.category, p.sku)) WHERE r <= 2
-> category: products.category
-> sku: products.sku
-> rows: JOIN products.sku, stock.sku; GROUP_BY products.category, .sku; FILTER products.category, stock.qty
# kinds: running totals by two frames
SELECT sku, day, sum(qty) OVER (PARTITION BY sku ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before, sum(qty) OVER (PARTITION BY sku ORDER BY day DESC RANGE BETWEEN INTERVAL 3 DAYS PRECEDING AND INTERVAL 1 DAY FOLLOWING) AS around, min(qty) OVER (PARTITION BY store) AS low FROM stock
-> sku: stock.sku
-> day: stock.day
-> before: stock.qty; WINDOW stock.sku, .day
-> around: stock.qty; WINDOW stock.sku, .day
-> low: stock.qty; WINDOW stock.store
# kinds: parsed text into columns and keys
SELECT p.host AS h, p.path, count(p.n) AS n FROM (SELECT parse_url(url, 'HOST') AS host, split(parse_url(url, 'PATH'), '/')[1] AS path, CAST(regexp_extract(url, 'n=(\\d+)', 1) AS INT) AS n FROM events WHERE url RLIKE '^https?://') p GROUP BY p.host, p.path HAVING h IS NOT NULL
-> h: events.url
-> path: events.url
-> n: events.url
-> rows: FILTER events.url; GROUP_BY events.url
# kinds: a chain of views of the session [code]
spark.sql("CREATE OR REPLACE TEMP VIEW k1 AS SELECT *, amount - discount AS net FROM orders")
spark.sql("CREATE OR REPLACE TEMP VIEW k2 AS SELECT k1.*, c.country FROM k1 LEFT JOIN customers c ON c.id = k1.customer_id")
spark.sql("CREATE OR REPLACE TEMP VIEW k3 AS SELECT country, sum(net) AS net, any_value(ship).carrier AS carrier FROM k2 WHERE status = 'paid' GROUP BY country")
frame = spark.sql("SELECT upper(country) AS c, net / (SELECT sum(net) FROM k3) AS share, carrier FROM k3")
-> c: customers.country
-> share: orders.amount, .discount
-> carrier: orders.ship.carrier
-> rows: FILTER orders.status; GROUP_BY customers.country; JOIN customers.id, orders.customer_id
# kinds: frames of structs updated and exploded [code]
f = spark.table('orders').select('id', F.transform('lines', lambda l: l.withField('total', l['qty'] * l['price']).dropFields('price')).alias('ls'))
frame = f.select('id', F.explode('ls').alias('l')).select('id', 'l.sku', 'l.total')
-> id: orders.id
-> sku: orders.lines.sku; IF ?orders.lines
-> total: orders.lines.qty, .lines.price; IF ?orders.lines
-> rows: MAY orders.lines, .lines.sku, .lines.qty, .lines.price
# kinds: frames with many aggregates by a list [code]
aggs = [f(c).alias(f'{f.__name__}_{c}') for c in ('amount', 'discount') for f in (F.min, F.max)]
frame = spark.table('orders').groupBy('currency', F.month('dt').alias('m')).agg(*aggs, F.expr('count_if(coupon IS NULL)').alias('n')).filter('n > 0').drop('min_discount')
-> currency: orders.currency
-> m: orders.dt
-> min_amount: orders.amount
-> max_amount: orders.amount
-> max_discount: orders.discount
-> n: orders.coupon; IF ?orders.coupon
-> rows: GROUP_BY orders.currency, .dt; FILTER orders.coupon
# kinds: frames joined on several conditions [code]
o, c, p = spark.table('orders'), spark.table('customers'), spark.table('payments')
frame = o.join(c, [o.customer_id == c.id, o.currency == c.country], 'left').join(p, (p.order_id == o.id) & (p.amount < o.amount), 'right').select(c.email, p.method, F.nanvl(p.amount.cast('double'), o.discount.cast('double')).alias('v'))
-> email: customers.email
-> method: payments.method
-> v: payments.amount, orders.discount; IF payments.amount, ?orders.discount
-> rows: JOIN orders.customer_id, customers.id, orders.currency, customers.country, payments.order_id, orders.id, payments.amount, orders.amount
# kinds: frames with a window and a struct [code]
w = Window.partitionBy('customer_id').orderBy('placed_at')
frame = spark.table('orders').select('id', F.lag(F.struct('status', 'amount')).over(w).alias('p'), F.sum(F.when(F.col('status') == 'paid', F.col('amount'))).over(w).alias('s')).select('id', 'p.amount', 's')
-> id: orders.id
-> amount: orders.amount; WINDOW orders.customer_id, .placed_at
-> s: orders.amount; IF orders.status; WINDOW orders.customer_id, .placed_at
# kinds: frames of a mapped pandas function over a join [code]
def passed(batches):
    yield from batches
f = spark.table('staff').join(spark.table('calendar'), F.col('hired') == F.col('day')).select('name', 'week')
frame = f.mapInPandas(passed, 'name STRING, week INT').groupBy('week').count()
-> week: staff.name, calendar.week
-> count: -
-> rows: JOIN staff.hired, calendar.day; GROUP_BY staff.name, calendar.week
# kinds: frames of keyed pandas functions in a chain [code]
import pandas as pd
@F.pandas_udf('string')
def tidy(a: pd.Series) -> pd.Series:
    return a.str.lower()
f = spark.table('staff').select(tidy('name').alias('n'), tidy(tidy('dept')).alias('d'), 'salary').where(tidy('n') != 'x')
frame = f.groupBy('d').agg(F.max('n').alias('n'), F.avg('salary').alias('s'))
-> d: staff.dept
-> n: staff.name
-> s: staff.salary
-> rows: FILTER staff.name; GROUP_BY staff.dept
# kinds: parts of collected arrays exploded [code]
g = spark.table('orders').groupBy('customer_id').agg(F.array_sort(F.collect_list(F.struct('placed_at', 'status', 'amount'))).alias('l'))
frame = g.select('customer_id', F.element_at(F.reverse(F.slice('l', 1, 5)), 1)['status'].alias('s'), F.transform(F.slice('l', 1, 2), lambda x: x['amount']).alias('a'), F.explode(F.reverse(F.slice('l', 2, 3))).alias('x')).select('customer_id', 's', 'a', 'x.placed_at')
-> customer_id: orders.customer_id
-> s: orders.status
-> a: orders.amount
-> placed_at: orders.placed_at
-> rows: GROUP_BY orders.customer_id; MAY orders.placed_at, .status, .amount
# kinds: arrays joined and exploded
SELECT id, e.s, e.n FROM (SELECT id, array(struct(status AS s, id AS n)) AS a, array(struct(note AS s, customer_id AS n)) AS b FROM orders) LATERAL VIEW explode(concat(a, b)) AS e
-> id: orders.id
-> s: orders.status, .note
-> n: orders.id, .customer_id
# kinds: arrays appended and exploded
SELECT id, e.s, e.n FROM (SELECT id, status, array(struct(note AS s, customer_id AS n)) AS b FROM orders) LATERAL VIEW explode(array_append(b, struct(status AS s, id AS n))) AS e
-> id: orders.id
-> s: orders.status, .note
-> n: orders.id, .customer_id
# kinds: stored arrays joined and exploded
SELECT id, e.sku, e.qty FROM orders LATERAL VIEW explode(concat(lines, slice(lines, 1, 2))) AS e
-> id: orders.id
-> sku: orders.lines.sku
-> qty: orders.lines.qty
-> rows: MAY orders.lines
# kinds: stored arrays or others exploded
SELECT id, e.sku, e.qty FROM orders LATERAL VIEW explode(coalesce(lines, array())) AS e
-> id: orders.id
-> sku: orders.lines.sku; IF ?orders.lines.sku, ?orders.lines
-> qty: orders.lines.qty; IF ?orders.lines.qty, ?orders.lines
-> rows: MAY orders.lines
# kinds: collected arrays flattened and exploded
SELECT customer_id, e.sku, e.price FROM (SELECT customer_id, flatten(collect_list(lines)) AS ls FROM orders GROUP BY customer_id) LATERAL VIEW explode(array_distinct(ls)) AS e
-> customer_id: orders.customer_id
-> sku: orders.lines.sku
-> price: orders.lines.price
-> rows: GROUP_BY orders.customer_id; MAY orders.lines
# kinds: sets of arrays of structs
SELECT id, array_union(lines, slice(lines, 1, 1))[0].sku AS a, array_except(lines, slice(lines, 1, 1))[0].qty AS b, inline(slice(filter(lines, l -> l.qty > 1), 1, 3)) AS (p, q, r) FROM orders
-> id: orders.id
-> a: orders.lines.sku, ?.lines.qty, ?.lines.price
-> b: orders.lines.qty, ?.lines.sku, ?.lines.price
-> p: orders.lines.sku
-> q: orders.lines.qty
-> r: orders.lines.price
-> rows: MAY orders.lines, .lines.qty
