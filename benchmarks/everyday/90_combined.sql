# combined: grouping sets with filtered aggregates
SELECT country, status, sum(amount) FILTER (WHERE discount > 0) AS discounted, count(DISTINCT o.id) AS n, grouping_id(country, status) AS level
FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY GROUPING SETS ((country, status), (country), ())
-> country: customers.country
-> status: orders.status
-> discounted: orders.amount; IF orders.discount
-> n: orders.id
-> level: -
-> rows: JOIN customers.id, orders.customer_id; GROUP_BY customers.country, orders.status; MAY orders.id
# combined: cube of expressions
SELECT upper(status) AS st, date_trunc('month', placed_at) AS m, concat(currency, '-', coupon) AS cc, max(amount) AS top FROM orders
GROUP BY CUBE (upper(status), date_trunc('month', placed_at), concat(currency, '-', coupon))
-> st: orders.status
-> m: orders.placed_at
-> cc: orders.currency, .coupon
-> top: orders.amount
-> rows: GROUP_BY orders.status, .placed_at, .currency, .coupon
# combined: filter of many values
SELECT customer_id, count(id) FILTER (WHERE status IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l')) AS n,
       sum(amount) FILTER (WHERE ship.carrier NOT IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k')) AS s FROM orders GROUP BY customer_id
-> customer_id: orders.customer_id
-> n: orders.id; IF orders.status
-> s: orders.amount; IF orders.ship.carrier
-> rows: GROUP_BY orders.customer_id
# combined: unnamed expressions below a limit
SELECT `upper(status)` AS s, `(amount * 2)` + 1 AS a FROM (SELECT upper(status), amount * 2, id FROM orders ORDER BY placed_at DESC LIMIT 10) WHERE id > 3
-> s: orders.status
-> a: orders.amount
-> rows: SORT orders.placed_at; FILTER orders.id
# combined: with query read twice
WITH t AS (SELECT customer_id, sum(amount) AS total, max(placed_at) AS last_at FROM orders GROUP BY customer_id)
SELECT a.customer_id, a.total - b.total AS diff, b.last_at FROM t a JOIN t b ON a.customer_id = b.customer_id + 1
-> customer_id: orders.customer_id
-> diff: orders.amount
-> last_at: orders.placed_at
-> rows: GROUP_BY orders.customer_id; JOIN orders.customer_id
# combined: latest row as a struct
SELECT customer_id, last.status, last.amount, last.ship.carrier FROM
  (SELECT customer_id, max_by(struct(status, amount, ship), placed_at) AS last FROM orders GROUP BY customer_id)
-> customer_id: orders.customer_id
-> status: orders.status; IF orders.placed_at
-> amount: orders.amount; IF orders.placed_at
-> carrier: orders.ship.carrier; IF orders.placed_at
-> rows: GROUP_BY orders.customer_id
# combined: previous row as a struct
SELECT id, prev.status AS was, prev.amount AS before FROM
  (SELECT id, lag(struct(status, amount)) OVER (PARTITION BY customer_id ORDER BY placed_at) AS prev FROM orders)
-> id: orders.id
-> was: orders.status; WINDOW orders.customer_id, .placed_at
-> before: orders.amount; WINDOW orders.customer_id, .placed_at
# combined: first of a stored struct
SELECT country, first(address).city AS city, any_value(address).geo.lat AS lat, last(tags)[0] AS tag FROM customers GROUP BY country
-> country: customers.country
-> city: customers.address.city
-> lat: customers.address.geo.lat
-> tag: customers.tags
-> rows: GROUP_BY customers.country
# combined: union of structs
SELECT s.a, s.b FROM (SELECT struct(id AS a, email AS b) AS s FROM customers UNION ALL SELECT struct(id AS a, email AS b) FROM stage_customers)
-> a: customers.id, stage_customers.id
-> b: customers.email, stage_customers.email
# combined: except and intersect of structs
SELECT s.a FROM (SELECT struct(id AS a) AS s FROM customers EXCEPT SELECT struct(id AS a) FROM stage_customers)
-> a: customers.id
-> rows: MAY customers.id, stage_customers.id
# combined: pivot of two aggregates
SELECT * FROM (SELECT customer_id, status, amount, discount FROM orders)
PIVOT (sum(amount) AS total, max(discount) AS most FOR status IN ('paid' AS p, 'open' AS o))
-> customer_id: orders.customer_id
-> p_total: orders.amount; IF orders.status
-> p_most: orders.discount; IF orders.status
-> o_total: orders.amount; IF orders.status
-> o_most: orders.discount; IF orders.status
-> rows: GROUP_BY orders.customer_id, ?orders.status; MAY orders.status
# combined: unpivot of pairs
SELECT id, what, x, y FROM (SELECT id, amount, discount, ship.cost AS a2, amount * 2 AS d2 FROM orders) UNPIVOT INCLUDE NULLS ((x, y) FOR what IN ((amount, discount) AS one, (a2, d2) AS two))
-> id: orders.id
-> what: -
-> x: orders.amount, .ship.cost
-> y: orders.discount, .amount
# combined: correlated exists, in and scalar
SELECT c.id, (SELECT max(p.amount) FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.customer_id = c.id) AS top FROM customers c
WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.status = 'paid') AND c.country IN (SELECT upper(country) FROM dim_customer WHERE is_current)
-> id: customers.id
-> top: payments.amount
-> rows: JOIN orders.id, payments.order_id, orders.customer_id, customers.id, .country, dim_customer.country; FILTER orders.status, dim_customer.is_current; MAY orders.customer_id
# combined: lateral top of each [from 4.0]
SELECT c.email, t.id, t.amount FROM customers c, LATERAL (SELECT o.id, o.amount FROM orders o WHERE o.customer_id = c.id ORDER BY o.amount DESC LIMIT 2) t
-> email: customers.email
-> id: orders.id
-> amount: orders.amount
-> rows: JOIN customers.id, orders.customer_id; MAY orders.amount, .customer_id
# combined: lambdas within lambdas
SELECT id, transform(lines, l -> aggregate(filter(lines, m -> m.price > l.price), 0, (a, m) -> a + m.qty)) AS dearer FROM orders
-> id: orders.id
-> dearer: orders.lines.qty, ?.lines.price, ?.lines; IF ?orders.lines.price
# combined: minus before functions
SELECT id, -aggregate(lines, 0, (a, l) -> a + l.qty) AS a, -abs(amount - discount) AS b, -(amount + 1) AS c FROM orders
-> id: orders.id
-> a: orders.lines.qty
-> b: orders.amount, .discount
-> c: orders.amount
# combined: json and its schema
SELECT user_id, j.a.b AS b, j.c[0] AS c, from_json(payload, schema_of_json('{"x": {"y": 1}}')).x.y AS y FROM
  (SELECT user_id, payload, from_json(payload, 'a STRUCT<b: INT>, c ARRAY<STRING>') AS j FROM events)
-> user_id: events.user_id
-> b: events.payload
-> c: events.payload
-> y: events.payload
# combined: window over an aggregate with a filter
SELECT status, sum(sum(amount)) OVER (ORDER BY status) AS running, rank() OVER (ORDER BY count(DISTINCT customer_id) DESC) AS r, max(amount) FILTER (WHERE discount = 0) AS m
FROM orders GROUP BY status
-> status: orders.status
-> running: orders.amount; WINDOW orders.status
-> r: -; WINDOW orders.customer_id
-> m: orders.amount; IF orders.discount
-> rows: GROUP_BY orders.status; MAY orders.customer_id
# combined: frames by range and rows
SELECT id, avg(amount) OVER (PARTITION BY customer_id ORDER BY placed_at RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW) AS week,
       first_value(status) IGNORE NULLS OVER (PARTITION BY customer_id ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS f, nth_value(ship, 2) OVER (ORDER BY id).cost AS c FROM orders
-> id: orders.id
-> week: orders.amount; WINDOW orders.customer_id, .placed_at
-> f: orders.status; WINDOW orders.customer_id, .id
-> c: orders.ship.cost; WINDOW orders.id
# combined: sampled and repartitioned
SELECT /*+ REPARTITION(3, country) */ id, upper(country) AS c FROM customers TABLESAMPLE (10 PERCENT) WHERE active
-> id: customers.id
-> c: customers.country
-> rows: FILTER customers.active
# combined: distinct of a join with using
SELECT DISTINCT country, o.currency FROM customers c JOIN stage_customers USING (id, country) LEFT JOIN orders o ON o.customer_id = c.id
-> country: customers.country
-> currency: orders.currency
-> rows: JOIN customers.id, .country, stage_customers.id, .country, orders.customer_id; GROUP_BY customers.country, orders.currency
# combined: backslashes and brackets [from 4.3]
SELECT id, note RLIKE '\\\\' AS a, regexp_replace(note, '[\\[\\]()]', '') AS b, split(status, '\\)')[0] AS c, concat(currency, '\\') AS d, count(coupon) FILTER (WHERE note RLIKE '\\\\') OVER (PARTITION BY status) AS e FROM orders
-> id: orders.id
-> a: orders.note
-> b: orders.note
-> c: orders.status
-> d: orders.currency
-> e: orders.coupon; IF orders.note; WINDOW orders.status
# combined: pipes with set operations [from 4.0]
FROM customers |> WHERE active |> SELECT id, country |> EXCEPT (SELECT id, country FROM stage_customers) |> AGGREGATE count(id) AS n, max(id) AS m GROUP BY country |> ORDER BY n DESC |> LIMIT 3
-> country: customers.country
-> n: customers.id
-> m: customers.id
-> rows: FILTER customers.active; GROUP_BY customers.country; SORT customers.id; MAY customers.id, .country, stage_customers.id, .country
# combined: recursion of a path [from 4.1]
WITH RECURSIVE tree AS (SELECT id, boss_id, array(name) AS path, 1 AS level FROM staff WHERE boss_id IS NULL UNION ALL
  SELECT s.id, s.boss_id, array_append(t.path, s.name), t.level + 1 FROM staff s JOIN tree t ON s.boss_id = t.id)
SELECT id, array_join(path, ' > ') AS path, level FROM tree WHERE level < 5
-> id: staff.id
-> path: staff.name
-> level: -
-> rows: FILTER staff.boss_id; JOIN staff.boss_id, .id
