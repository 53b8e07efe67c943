# dialect: pipes [from 4.0]
FROM orders |> WHERE status = 'paid' |> EXTEND amount - coalesce(discount, 0) AS net |> AGGREGATE sum(net) AS total, count(*) AS n GROUP BY customer_id |> WHERE total > 10
-> customer_id: orders.customer_id
-> total: orders.amount, .discount; IF orders.discount
-> n: -
-> rows: FILTER orders.status, .amount, .discount; GROUP_BY orders.customer_id
# dialect: pipes with joins [from 4.0]
FROM orders o |> JOIN customers c ON c.id = o.customer_id |> SELECT o.id, c.country, o.amount |> SET country = upper(country) |> ORDER BY amount DESC |> LIMIT 5
-> id: orders.id
-> country: customers.country
-> amount: orders.amount
-> rows: JOIN customers.id, orders.customer_id; SORT orders.amount
# dialect: pipes with windows and drops [from 4.0]
TABLE products |> EXTEND rank() OVER (PARTITION BY category ORDER BY price) AS r |> WHERE r <= 2 |> DROP attrs, launched, cost |> AS p |> SELECT p.sku, p.r
-> sku: products.sku
-> r: -; WINDOW products.category, .price
-> rows: FILTER products.category, .price
# dialect: pipes with pivots [from 4.0]
FROM stock |> SELECT sku, store, qty |> PIVOT (sum(qty) FOR store IN ('north', 'south')) |> WHERE north > 1
-> sku: stock.sku
-> north: stock.qty; IF stock.store
-> south: stock.qty; IF stock.store
-> rows: GROUP_BY stock.sku, ?.store; FILTER stock.qty; MAY stock.store
# dialect: pipes with unions and samples [from 4.0]
FROM customers |> SELECT id, email |> UNION ALL (SELECT id, email FROM stage_customers) |> WHERE email IS NOT NULL
-> id: customers.id, stage_customers.id
-> email: customers.email, stage_customers.email
-> rows: FILTER customers.email, stage_customers.email
# dialect: recursion over managers [from 4.1]
WITH RECURSIVE chain(id, top, depth) AS (
  SELECT id, name, 0 FROM staff WHERE boss_id IS NULL UNION ALL SELECT s.id, c.top, c.depth + 1 FROM staff s JOIN chain c ON s.boss_id = c.id)
SELECT id, top, depth FROM chain
-> id: staff.id
-> top: staff.name
-> depth: -
-> rows: FILTER staff.boss_id; JOIN staff.boss_id, .id
# dialect: recursive spine [from 4.1]
WITH RECURSIVE days AS (SELECT DATE'2026-01-01' AS day UNION ALL SELECT date_add(day, 1) FROM days WHERE day < DATE'2026-01-31')
SELECT d.day, count(o.id) AS n FROM days d LEFT JOIN orders o ON o.dt = d.day GROUP BY d.day
-> day: -
-> n: orders.id
-> rows: JOIN orders.dt
# dialect: function net [from 4.0]
CREATE TEMPORARY FUNCTION net_of(a DECIMAL(12,2), d DECIMAL(12,2)) RETURNS DECIMAL(13,2) RETURN a - coalesce(d, 0)
# dialect: function band [from 4.0]
CREATE FUNCTION mart.band(x DOUBLE) RETURNS STRING RETURN CASE WHEN x > 100 THEN 'high (>100)' WHEN x > 10 THEN 'mid [10, 100]' ELSE 'low' END
# dialect: function rate [from 4.0]
CREATE TEMPORARY FUNCTION rate_of(c STRING) RETURNS DOUBLE RETURN (SELECT max(rate) FROM fx WHERE fx.currency = c)
# dialect: function table [from 4.0]
CREATE TEMPORARY FUNCTION orders_of(c BIGINT) RETURNS TABLE (id BIGINT, amount DECIMAL(12,2)) RETURN SELECT o.id, o.amount FROM orders o WHERE o.customer_id = c
# dialect: sql function in every clause [from 4.0]
SELECT mart.band(net_of(amount, discount)) AS band, sum(net_of(amount, discount)) AS total FROM orders WHERE net_of(amount, discount) > 0
GROUP BY mart.band(net_of(amount, discount)) ORDER BY total DESC
-> band: -; IF orders.amount, .discount
-> total: orders.amount, .discount; IF orders.discount
-> rows: FILTER orders.amount, .discount; GROUP_BY orders.amount, .discount; SORT orders.amount, .discount
# dialect: sql function with a query [from 4.0]
SELECT id, amount * rate_of(currency) AS euros FROM orders
-> id: orders.id
-> euros: orders.amount, fx.rate
-> rows: JOIN orders.currency, fx.currency; GROUP_BY fx.currency
# dialect: table function of the user [from 4.0]
SELECT c.email, t.id, t.amount FROM customers c, LATERAL orders_of(c.id) t
-> email: customers.email
-> id: orders.id
-> amount: orders.amount
-> rows: JOIN customers.id, orders.customer_id
# dialect: variable [from 4.0]
DECLARE OR REPLACE VARIABLE threshold DECIMAL(12,2) DEFAULT 100
# dialect: variable set [from 4.0]
SET VAR threshold = (SELECT coalesce(max(amount), 50) FROM orders)
# dialect: query with a variable [from 4.0]
SELECT id, amount - threshold AS above FROM orders WHERE amount > threshold
-> id: orders.id
-> above: orders.amount
-> rows: FILTER ?orders.amount
# dialect: identifier clause
SELECT id, IDENTIFIER('em' || 'ail') AS mail FROM IDENTIFIER('default.' || 'customers') WHERE IDENTIFIER('country') = 'DE'
-> id: customers.id
-> mail: customers.email
-> rows: FILTER customers.country
# dialect: execute immediate [from 4.0]
EXECUTE IMMEDIATE 'SELECT id, upper(country) AS country FROM customers WHERE email LIKE ''%(x)%'''
-> id: customers.id
-> country: customers.country
-> rows: FILTER customers.email
# dialect: script [from 4.0]
BEGIN
  DECLARE n INT DEFAULT 3;
  IF n > 2 THEN
    INSERT INTO mart.people SELECT id, email, country FROM customers WHERE id > n;
  END IF;
  SELECT c.id, c.country FROM customers c WHERE c.id > n;
END
-> none
# dialect: raw strings
SELECT regexp_replace(title, r'\s*\[[^\]]*\]\s*', ' ') AS title, split(brand, r'\|')[0] AS brand FROM products WHERE title RLIKE r'^\w+\(.*\)$'
-> title: products.title
-> brand: products.brand
-> rows: FILTER products.title
# dialect: names with dots and blanks
SELECT `order no`, `net.amount`, `sum(qty)` FROM (SELECT id AS `order no`, amount AS `net.amount`, lines[0].qty AS `sum(qty)` FROM orders)
WHERE `net.amount` > 0 ORDER BY `sum(qty)`
-> order no: orders.id
-> net.amount: orders.amount
-> sum(qty): orders.lines.qty
-> rows: FILTER orders.amount; SORT orders.lines.qty
# dialect: columns named by their expressions
SELECT id + 1, upper(status), count(*) OVER (PARTITION BY currency), coalesce(coupon, '(none)'), amount > 10 AND discount IS NULL FROM orders
-> (id + 1): orders.id
-> upper(status): orders.status
-> count(1) OVER (PARTITION BY currency ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING): -; WINDOW orders.currency
-> coalesce(coupon, (none)): orders.coupon; IF orders.coupon
-> ((amount > 10) AND (discount IS NULL)): orders.amount, .discount
# dialect: group of unnamed expressions
SELECT upper(status), sum(amount * 2), count(DISTINCT lower(currency)) FROM orders GROUP BY upper(status) HAVING count(DISTINCT lower(currency)) > 1
-> upper(status): orders.status
-> sum((amount * 2)): orders.amount
-> count(DISTINCT lower(currency)): orders.currency
-> rows: GROUP_BY orders.status; FILTER orders.currency
# dialect: operators
SELECT status || '-' || currency AS a, amount BETWEEN 1 AND discount AS b, NOT (amount = discount) AS c, amount <> discount OR coupon IS NULL AS d,
       note RLIKE status AS e, note LIKE concat('%', coupon, '%') AS f, customer_id IN (id, 7) AS g, amount DIV 3 AS h, (status, currency) IN (('a', 'b')) AS i,
       amount <=> discount AS j, CAST(amount AS STRING) AS k, CAST(amount AS INT) AS l, -discount AS m, id % customer_id AS n, dt + INTERVAL 1 MONTH AS o, dt - DATE'2026-01-01' AS p
FROM orders
-> a: orders.status, .currency
-> b: orders.amount, .discount
-> c: orders.amount, .discount
-> d: orders.amount, .discount, .coupon
-> e: orders.note, .status
-> f: orders.note, .coupon
-> g: orders.customer_id, .id
-> h: orders.amount
-> i: orders.status, .currency
-> j: orders.amount, .discount
-> k: orders.amount
-> l: orders.amount
-> m: orders.discount
-> n: orders.id, .customer_id
-> o: orders.dt
-> p: orders.dt
# dialect: variant paths [from 4.0]
SELECT user_id, v:order.id::BIGINT AS order_id, v:items[0].sku::STRING AS sku, try_variant_get(v, '$.total', 'DOUBLE') AS total FROM (SELECT user_id, parse_json(payload) AS v FROM events)
-> user_id: events.user_id
-> order_id: events.payload
-> sku: events.payload
-> total: events.payload
# dialect: variant exploded [from 4.0]
SELECT user_id, t.key, t.value FROM (SELECT user_id, try_parse_json(payload) AS v FROM events WHERE name = 'order') e, LATERAL variant_explode(e.v) t
-> user_id: events.user_id
-> key: events.payload
-> value: events.payload
-> rows: FILTER events.name
# dialect: table functions in from [from 4.0]
SELECT t.col AS tag, c.id FROM customers c, LATERAL explode(c.tags) t
-> tag: customers.tags
-> id: customers.id
-> rows: MAY customers.tags
# dialect: table argument [from 4.0]
SELECT s.col0, s.col1 FROM customers, LATERAL stack(2, email, country, phone, name) s
-> col0: customers.email, .phone
-> col1: customers.country, .name
# dialect: collations [from 4.0]
SELECT country COLLATE UNICODE_CI AS c, count(*) AS n FROM customers WHERE email COLLATE UTF8_LCASE = 'A@B.C' GROUP BY country COLLATE UNICODE_CI
-> c: customers.country
-> n: -
-> rows: FILTER customers.email; GROUP_BY customers.country
# dialect: time of day [from 4.1]
SELECT make_time(hour(ts), minute(ts), 0) AS t, to_time(get_json_object(payload, '$.at')) AS p, time_trunc('HOUR', to_time(date_format(ts, 'HH:mm:ss'))) AS h, time_diff('MINUTE', to_time(date_format(ts, 'HH:mm:ss')), TIME'12:00:00') AS d FROM events
-> t: events.ts
-> p: events.payload
-> h: events.ts
-> d: events.ts
# dialect: grouping by time of day [from 4.1]
SELECT hour(to_time(date_format(ts, 'HH:mm:ss'))) AS h, count(*) AS n, max(to_time(date_format(ts, 'HH:mm:ss'))) AS last FROM events WHERE to_time(date_format(ts, 'HH:mm:ss')) BETWEEN TIME'08:00:00' AND TIME'18:00:00' GROUP BY hour(to_time(date_format(ts, 'HH:mm:ss')))
-> h: events.ts
-> n: -
-> last: events.ts
-> rows: FILTER events.ts; GROUP_BY events.ts
# dialect: try functions
SELECT try_divide(amount, discount) AS a, try_add(amount, discount) AS b, try_to_timestamp(note, 'yyyy') AS c, try_element_at(lines, 1).sku AS d, try_subtract(id, customer_id) AS e, try_multiply(amount, 2) AS f, try_to_binary(coupon, 'hex') AS g FROM orders
-> a: orders.amount, .discount
-> b: orders.amount, .discount
-> c: orders.note
-> d: orders.lines.sku
-> e: orders.id, .customer_id
-> f: orders.amount
-> g: orders.coupon
# dialect: parameters as a cte of constants
WITH params AS (SELECT DATE'2026-01-01' AS d1, 'paid' AS st) SELECT o.id FROM orders o CROSS JOIN params p WHERE o.dt >= p.d1 AND o.status = p.st
-> id: orders.id
-> rows: MAY orders.dt, .status
# dialect: nested ctes
WITH a AS (WITH b AS (SELECT id, country FROM customers WHERE active) SELECT id, upper(country) AS c FROM b), d AS (SELECT c, count(id) AS n FROM a GROUP BY c)
SELECT a.id, d.n FROM a JOIN d USING (c)
-> id: customers.id
-> n: customers.id
-> rows: FILTER customers.active; GROUP_BY customers.country; JOIN customers.country
# dialect: having without group
SELECT max(amount) AS m FROM orders HAVING max(amount) > 5
-> m: orders.amount
-> rows: FILTER orders.amount
# dialect: case with subqueries
SELECT id, CASE WHEN amount > (SELECT avg(amount) FROM orders) THEN 'above' ELSE 'below' END AS side FROM orders
-> id: orders.id
-> side: -; IF orders.amount
# dialect: aggregates in a case
SELECT customer_id, CASE WHEN sum(amount) > 1000 AND max(dt) > '2026-01-01' THEN 'gold' WHEN count(*) > 3 THEN 'silver' ELSE max(status) END AS tier FROM orders GROUP BY customer_id
-> customer_id: orders.customer_id
-> tier: orders.status; IF orders.amount, .dt
-> rows: GROUP_BY orders.customer_id
# dialect: files by path
INSERT OVERWRITE DIRECTORY '/tmp/everyday_sql_files' USING parquet SELECT id, name FROM customers
# dialect: query of files by path
SELECT id, upper(name) AS name FROM parquet.`/tmp/everyday_sql_files` WHERE id > 3
-> id: everyday_sql_files.id
-> name: everyday_sql_files.name
-> rows: FILTER everyday_sql_files.id
# dialect: listagg of distinct in order [from 4.0]
SELECT customer_id, listagg(DISTINCT status, ' | ') WITHIN GROUP (ORDER BY status) AS states FROM orders GROUP BY customer_id
-> customer_id: orders.customer_id
-> states: orders.status; SORT ?orders.status
-> rows: GROUP_BY orders.customer_id
# dialect: sketches of 4.1 [from 4.1]
SELECT day, theta_sketch_estimate(theta_sketch_agg(user_id)) AS users, kll_sketch_get_quantile_bigint(kll_sketch_agg_bigint(user_id), 0.5) AS middle, approx_top_k(name) AS top FROM events GROUP BY day
-> day: events.day
-> users: events.user_id
-> middle: events.user_id
-> top: events.name
-> rows: GROUP_BY events.day
# dialect: geometry [from 4.1]
SELECT ST_AsBinary(ST_GeomFromWKB(CAST(note AS BINARY))) AS g, ST_Srid(ST_GeogFromWKB(CAST(coupon AS BINARY))) AS s FROM orders
-> g: orders.note
-> s: orders.coupon
