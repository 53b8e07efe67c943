# groups: revenue per month and country
SELECT date_trunc('MONTH', o.placed_at) AS month, c.country, sum(o.amount - coalesce(o.discount, 0)) AS net, count(DISTINCT o.customer_id) AS buyers
FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE o.status <> 'cancelled' GROUP BY 1, 2
-> month: orders.placed_at
-> country: customers.country
-> net: orders.amount, .discount; IF orders.discount
-> buyers: orders.customer_id
-> rows: FILTER orders.status; JOIN customers.id, orders.customer_id; GROUP_BY orders.placed_at, customers.country
# groups: conditional sums
SELECT customer_id, sum(CASE WHEN status = 'paid' THEN amount ELSE 0 END) AS paid, sum(if(status = 'open', 1, 0)) AS open,
       count(CASE WHEN coupon IS NOT NULL THEN id END) AS with_coupon, avg(amount) FILTER (WHERE currency = 'EUR') AS mean_eur,
       max(CASE WHEN status = 'shipped' THEN shipped_at END) AS last_shipped
FROM orders GROUP BY customer_id
-> customer_id: orders.customer_id
-> paid: orders.amount; IF orders.status
-> open: -; IF orders.status
-> with_coupon: orders.id; IF orders.coupon
-> mean_eur: orders.amount; IF orders.currency
-> last_shipped: orders.shipped_at; IF orders.status
-> rows: GROUP_BY orders.customer_id
# groups: distinct expressions
SELECT country, count(DISTINCT lower(email)) AS mails, count(DISTINCT date_trunc('YEAR', signup)) AS years, sum(DISTINCT cast(active AS INT)) AS s,
       count(DISTINCT address.city, address.zip) AS places
FROM customers GROUP BY country
-> country: customers.country
-> mails: customers.email
-> years: customers.signup
-> s: customers.active
-> places: customers.address.city, .address.zip
-> rows: GROUP_BY customers.country
# groups: distinct with filters
SELECT dt, count(DISTINCT customer_id) FILTER (WHERE status = 'paid') AS payers, count(DISTINCT customer_id) FILTER (WHERE amount > 100) AS big,
       count(DISTINCT coupon) AS coupons, sum(amount) AS total
FROM orders GROUP BY dt
-> dt: orders.dt
-> payers: orders.customer_id; IF orders.status
-> big: orders.customer_id; IF orders.amount
-> coupons: orders.coupon
-> total: orders.amount
-> rows: GROUP_BY orders.dt
# groups: grouping sets
SELECT category, brand, sum(price) AS total, grouping_id(category, brand) AS level, grouping(brand) AS all_brands
FROM products GROUP BY GROUPING SETS ((category, brand), (category), ())
-> category: products.category
-> brand: products.brand
-> total: products.price
-> level: -
-> all_brands: -
-> rows: GROUP_BY products.category, .brand
# groups: rollup
SELECT coalesce(dept, 'all') AS dept, coalesce(name, 'all') AS name, sum(salary) AS total FROM staff GROUP BY ROLLUP (dept, name)
-> dept: staff.dept; IF staff.dept
-> name: staff.name; IF staff.name
-> total: staff.salary
-> rows: GROUP_BY staff.dept, .name
# groups: cube over expressions
SELECT year(dt) AS y, currency, count(*) AS n, max(amount) AS most FROM orders GROUP BY CUBE (year(dt), currency) HAVING count(*) > 10
-> y: orders.dt
-> currency: orders.currency
-> n: -
-> most: orders.amount
-> rows: GROUP_BY orders.dt, .currency
# groups: rollup with a having on grouping
SELECT store, sku, sum(qty) AS qty FROM stock GROUP BY store, sku WITH ROLLUP HAVING grouping(sku) = 0 OR sum(qty) > 10
-> store: stock.store
-> sku: stock.sku
-> qty: stock.qty
-> rows: GROUP_BY stock.store, .sku; FILTER stock.qty
# groups: all keys
SELECT status, currency, month(dt) AS m, sum(amount) AS s FROM orders GROUP BY ALL ORDER BY ALL
-> status: orders.status
-> currency: orders.currency
-> m: orders.dt
-> s: orders.amount
-> rows: GROUP_BY orders.status, .currency, .dt; SORT orders.status, .currency, .dt, .amount
# groups: pivot
SELECT * FROM (SELECT customer_id, status, amount FROM orders) PIVOT (sum(amount) FOR status IN ('open' AS open, 'paid' AS paid))
-> customer_id: orders.customer_id
-> open: orders.amount; IF orders.status
-> paid: orders.amount; IF orders.status
-> rows: GROUP_BY orders.customer_id, ?.status; MAY orders.status
# groups: pivot of two aggregates
SELECT * FROM (SELECT sku, store, qty, day FROM stock)
PIVOT (sum(qty) AS total, max(day) AS last FOR store IN ('north' AS n, 'south' AS s))
-> sku: stock.sku
-> n_total: stock.qty; IF stock.store
-> n_last: stock.day; IF stock.store
-> s_total: stock.qty; IF stock.store
-> s_last: stock.day; IF stock.store
-> rows: GROUP_BY stock.sku, ?.store; MAY stock.store
# groups: pivot by two columns
SELECT * FROM (SELECT dept, name, salary, year(hired) AS y FROM staff) PIVOT (avg(salary) FOR (dept, y) IN (('it', 2025) AS it25, ('hr', 2026) AS hr26))
-> name: staff.name
-> it25: staff.salary; IF staff.dept, .hired
-> hr26: staff.salary; IF staff.dept, .hired
-> rows: GROUP_BY staff.name, ?.dept, ?.hired; MAY staff.dept, .hired
# groups: pivot by case
SELECT entity, max(CASE WHEN metric = 'cpu' THEN value END) AS cpu, max(CASE WHEN metric = 'mem' THEN value END) AS mem,
       max(if(metric = 'disk [gb]', value, NULL)) AS disk
FROM metrics GROUP BY entity
-> entity: metrics.entity
-> cpu: metrics.value; IF metrics.metric
-> mem: metrics.value; IF metrics.metric
-> disk: metrics.value; IF metrics.metric
-> rows: GROUP_BY metrics.entity
# groups: unpivot
SELECT * FROM (SELECT id, email, phone, country FROM customers) UNPIVOT (value FOR kind IN (email, phone AS tel, country))
-> id: customers.id
-> kind: -
-> value: customers.email, .phone, .country
-> rows: FILTER customers.email, .phone, .country
# groups: unpivot with nulls
SELECT * FROM (SELECT id, price, cost FROM (SELECT sku AS id, price, cost FROM products)) UNPIVOT INCLUDE NULLS (amount FOR what IN (price, cost))
-> id: products.sku
-> what: -
-> amount: products.price, .cost
# groups: histogram
SELECT width_bucket(amount, 0, 1000, 10) AS bucket, count(*) AS n, histogram_numeric(amount, 5) AS h FROM orders GROUP BY 1
-> bucket: orders.amount
-> n: -
-> h: orders.amount
-> rows: GROUP_BY orders.amount
# groups: every statistic
SELECT count_if(active) AS a, bool_and(active) AS b, every(active) AS c, some(active) AS d, any_value(name) AS e, first(email, true) AS f,
       last(country) AS g, max(signup) AS h, min(birth) AS i, approx_count_distinct(id) AS j, approx_percentile(id, 0.5) AS k,
       kurtosis(id) AS l, var_samp(id) AS m, covar_pop(id, length(name)) AS n, bit_xor(id) AS o, regr_slope(id, length(email)) AS p, count_min_sketch(id, 0.1d, 0.9d, 1) AS q
FROM customers
-> a: customers.active; IF ?customers.active
-> b: customers.active
-> c: customers.active
-> d: customers.active
-> e: customers.name
-> f: customers.email
-> g: customers.country
-> h: customers.signup
-> i: customers.birth
-> j: customers.id
-> k: customers.id
-> l: customers.id
-> m: customers.id
-> n: customers.id, .name
-> o: customers.id
-> p: customers.id, .email; IF ?customers.id, ?.email
-> q: customers.id
# groups: having on an aggregate that is not selected
SELECT customer_id FROM orders GROUP BY customer_id HAVING sum(amount) > 1000 AND count(DISTINCT upper(coupon)) > 2
-> customer_id: orders.customer_id
-> rows: GROUP_BY orders.customer_id; FILTER orders.amount, .coupon
# groups: ordered by an aggregate
SELECT brand, round(avg(price), 2) AS mean FROM products GROUP BY brand ORDER BY count(*) DESC, max(launched) LIMIT 10
-> brand: products.brand
-> mean: products.price
-> rows: GROUP_BY products.brand; SORT products.launched
# groups: aggregate of an aggregate
SELECT avg(n) AS mean_orders, max(total) AS best FROM (SELECT customer_id, count(id) AS n, sum(amount) AS total FROM orders GROUP BY customer_id)
-> mean_orders: orders.id
-> best: orders.amount
-> rows: GROUP_BY orders.customer_id
# groups: ratio of counts
SELECT day, count(DISTINCT CASE WHEN name = 'order' THEN user_id END) / count(DISTINCT user_id) AS conversion,
       sum(cast(name = 'order' AS INT)) * 100.0 / count(*) AS pct, try_divide(count(session_id), count(DISTINCT session_id)) AS per_session
FROM events GROUP BY day
-> day: events.day
-> conversion: events.user_id; IF events.name
-> pct: events.name
-> per_session: events.session_id
-> rows: GROUP_BY events.day
# groups: rfm scores
WITH rfm AS (
  SELECT customer_id, datediff(current_date(), max(dt)) AS recency, count(*) AS frequency, sum(amount) AS monetary FROM orders WHERE status = 'paid' GROUP BY customer_id),
scored AS (SELECT *, ntile(5) OVER (ORDER BY recency DESC) AS r, ntile(5) OVER (ORDER BY frequency) AS f, ntile(5) OVER (ORDER BY monetary) AS m FROM rfm)
SELECT customer_id, concat(r, f, m) AS segment, CASE WHEN r >= 4 AND f >= 4 THEN 'champion' ELSE 'other' END AS label FROM scored
-> customer_id: orders.customer_id
-> segment: -; WINDOW orders.dt, .amount
-> label: -; IF orders.dt
-> rows: FILTER orders.status; GROUP_BY orders.customer_id
# groups: basket pairs
SELECT a.sku AS left_sku, b.sku AS right_sku, count(*) AS n
FROM (SELECT id, explode(lines.sku) AS sku FROM orders) a JOIN (SELECT id, explode(lines.sku) AS sku FROM orders) b ON a.id = b.id AND a.sku < b.sku
GROUP BY a.sku, b.sku HAVING count(*) > 5 ORDER BY n DESC
-> left_sku: orders.lines.sku
-> right_sku: orders.lines.sku
-> n: -
-> rows: JOIN orders.id, .lines.sku; GROUP_BY orders.lines.sku
# groups: weighted mean
SELECT l.sku, sum(l.qty * l.price) / nullif(sum(l.qty), 0) AS mean_price FROM orders LATERAL VIEW explode(lines) t AS l GROUP BY l.sku
-> sku: orders.lines.sku
-> mean_price: orders.lines.qty, .lines.price; IF orders.lines.qty
-> rows: GROUP_BY orders.lines.sku; MAY orders.lines, .lines.qty, .lines.price
# groups: sketches of users
SELECT day, hll_sketch_estimate(hll_sketch_agg(user_id)) AS about, bitmap_count(bitmap_construct_agg(bitmap_bit_position(user_id))) AS exact
FROM events GROUP BY day
-> day: events.day
-> about: events.user_id
-> exact: events.user_id
-> rows: GROUP_BY events.day
# groups: union of sketches
WITH daily AS (SELECT day, name, hll_sketch_agg(session_id, 12) AS sketch FROM events GROUP BY day, name)
SELECT name, hll_sketch_estimate(hll_union_agg(sketch, true)) AS sessions FROM daily GROUP BY name
-> name: events.name
-> sessions: events.session_id
-> rows: GROUP_BY events.day, .name
# groups: max of a struct
SELECT customer_id, max(named_struct('at', placed_at, 'id', id, 'status', status)) AS latest FROM orders GROUP BY customer_id
-> customer_id: orders.customer_id
-> latest: orders.placed_at, .id, .status
-> rows: GROUP_BY orders.customer_id
# groups: one row
SELECT sum(amount) AS total, count(*) AS n, max(dt) AS last, sum(amount) / count(*) AS mean FROM orders WHERE dt >= '2026-01-01'
-> total: orders.amount
-> n: -
-> last: orders.dt
-> mean: orders.amount
-> rows: FILTER orders.dt
# groups: constants only
SELECT count(*) AS n, 'x' AS label, current_date() AS today FROM orders
-> n: -
-> label: -
-> today: -
# groups: keys by alias and position
SELECT substr(country, 1, 2) AS cc, active, count(id) AS n FROM customers GROUP BY cc, 2 HAVING cc <> 'XX' ORDER BY 3 DESC
-> cc: customers.country
-> active: customers.active
-> n: customers.id
-> rows: GROUP_BY customers.country, .active; FILTER customers.country; SORT customers.id
