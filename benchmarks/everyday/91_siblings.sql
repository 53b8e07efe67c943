# siblings: minus before a window's sum
SELECT id, sum(-amount) OVER (PARTITION BY status ORDER BY -id, placed_at) AS a, -sum(amount) OVER (PARTITION BY upper(status)) AS b, max(-discount) AS c FROM orders GROUP BY id, amount, status, placed_at
-> id: orders.id
-> a: orders.amount; WINDOW orders.status, .id, .placed_at
-> b: orders.amount; WINDOW orders.status
-> c: orders.discount
-> rows: GROUP_BY orders.id, .amount, .status, .placed_at
# siblings: minus before functions in every clause
SELECT -pow(salary, 2) AS p, -pmod(id, 7) AS m, -abs(-salary) AS a FROM staff WHERE -pow(salary, 2) < -4 AND -pmod(id, boss_id) > -5 ORDER BY -length(name) LIMIT 5
-> p: staff.salary
-> m: staff.id
-> a: staff.salary
-> rows: FILTER staff.salary, .id, .boss_id; SORT staff.name
# siblings: minus before aggregates
SELECT dept, -percentile(salary, 0.5) AS p, -percentile_approx(-salary, 0.5) AS q, -count(DISTINCT -id) AS n, -(-max(salary)) AS d FROM staff GROUP BY dept HAVING -percentile(salary, 0.9) < -3
-> dept: staff.dept
-> p: staff.salary
-> q: staff.salary
-> n: staff.id
-> d: staff.salary
-> rows: GROUP_BY staff.dept; FILTER staff.salary
# siblings: minus in keys and joins
SELECT -s.id AS a, b.name FROM staff s JOIN staff b ON -s.boss_id = -b.id AND -s.salary < b.salary GROUP BY -s.id, b.name, -s.salary
-> a: staff.id
-> name: staff.name
-> rows: JOIN staff.boss_id, .id, .salary; GROUP_BY staff.id, .name, .salary
# siblings: regular expressions as conditions
SELECT id, regexp_replace(note, '[)(]', ', c#1 ') AS a, regexp_replace(note, '\\(', ' AS b#2, ') AS b FROM orders WHERE note RLIKE '\\(' AND NOT note RLIKE '\\)' OR status RLIKE '[(\\[]'
-> id: orders.id
-> a: orders.note
-> b: orders.note
-> rows: FILTER orders.note, .status
# siblings: regular expressions as keys
SELECT regexp_replace(note, '[)(]', ', c#1 ') AS k, count(DISTINCT regexp_extract(status, '(\\()x', 1)) AS n, sum(amount) FILTER (WHERE note RLIKE '\\(') AS s FROM orders
GROUP BY regexp_replace(note, '[)(]', ', c#1 ') HAVING max(regexp_replace(currency, '\\)', '(')) > ')'
-> k: orders.note
-> n: orders.status
-> s: orders.amount; IF orders.note
-> rows: GROUP_BY orders.note; FILTER orders.currency
# siblings: regular expressions in joins and orders
SELECT c.id, e.name FROM customers c LEFT JOIN events e ON regexp_replace(c.email, '\\(', ') AS x#1') = e.url AND e.payload RLIKE '\\)' ORDER BY regexp_replace(c.phone, '[)(]', '') LIMIT 3
-> id: customers.id
-> name: events.name
-> rows: JOIN customers.email, events.url; MAY events.payload; SORT customers.phone
# siblings: regular expressions in windows
SELECT id, row_number() OVER (PARTITION BY note RLIKE '\\(' ORDER BY regexp_replace(status, '[)(]', ', c#1 DESC NULLS LAST') DESC) AS r, lag(regexp_replace(coupon, '\\[', ']')) OVER (PARTITION BY split(note, '\\(')[0] ORDER BY id) AS l FROM orders
-> id: orders.id
-> r: -; WINDOW orders.note, .status
-> l: orders.coupon; WINDOW orders.note, .id
# siblings: plan text in every clause
SELECT concat(status, ' AS z#9, (7) Project [a#1]') AS a, max(concat(currency, ', sum(x#1)')) AS b FROM orders WHERE note <> '+- Filter (a#1 > 3)' AND coupon = 'Output [2]: [a#1, b#2]'
GROUP BY concat(status, ' AS z#9, (7) Project [a#1]') HAVING min(concat(note, '\n(8) Scan parquet x\nOutput: [a#1]')) > '== Physical Plan =='
-> a: orders.status
-> b: orders.currency
-> rows: FILTER orders.note, .coupon; GROUP_BY orders.status
# siblings: plan text in joins and orders
SELECT o.id FROM orders o JOIN customers c ON concat(o.note, '], Inner, (') = concat(c.email, '[a#1], [b#2], ') AND o.status < concat(c.name, ', BuildRight, false') WHERE c.country IN ('a, b#1', '[', ']) AND (', 'x#3)')
ORDER BY concat(o.coupon, ' DESC NULLS LAST, k#4') DESC LIMIT 9
-> id: orders.id
-> rows: JOIN orders.note, customers.email, orders.status, customers.name; FILTER customers.country; SORT orders.coupon
# siblings: plan text in windows and generators
SELECT id, w, sum(amount) OVER (PARTITION BY concat(status, '], [b#2 ASC NULLS FIRST]') ORDER BY concat(w, ', windowspecdefinition(')) AS s FROM orders LATERAL VIEW explode(split(note, '], false, [w#1')) t AS w
-> id: orders.id
-> w: orders.note
-> s: orders.amount; WINDOW orders.status, .note
-> rows: MAY orders.note
# siblings: named windows
SELECT id, sum(salary) OVER w AS a, rank() OVER (w2) AS b, lag(name) OVER w2 AS c, count(*) OVER (PARTITION BY dept) AS d FROM staff
WINDOW w AS (PARTITION BY dept), w2 AS (PARTITION BY boss_id ORDER BY salary DESC)
-> id: staff.id
-> a: staff.salary; WINDOW staff.dept
-> b: -; WINDOW staff.boss_id, .salary
-> c: staff.name; WINDOW staff.boss_id, .salary
-> d: -; WINDOW staff.dept
# siblings: qualify by nests
SELECT id, name, share FROM (SELECT *, salary / sum(salary) OVER (PARTITION BY dept) AS share, row_number() OVER (PARTITION BY dept ORDER BY hired, -salary) AS r, max(hired) OVER (PARTITION BY boss_id) AS m FROM staff)
WHERE r <= 3 AND m > DATE'2020-01-01' AND share > 0.1
-> id: staff.id
-> name: staff.name
-> share: staff.salary; WINDOW staff.dept
-> rows: FILTER staff.dept, .hired, .salary, .boss_id
# siblings: windows over groups in nests
SELECT dept, n, r FROM (SELECT dept, count(DISTINCT id) AS n, rank() OVER (ORDER BY sum(salary) DESC, max(hired)) AS r FROM staff WHERE name <> '(' GROUP BY dept) WHERE r < 4
-> dept: staff.dept
-> n: staff.id
-> r: -; WINDOW staff.salary, .hired
-> rows: FILTER staff.name, .salary, .hired; GROUP_BY staff.dept
# siblings: all keys, all orders
SELECT country, upper(name) AS n, max(id) AS m FROM customers WHERE active GROUP BY ALL ORDER BY ALL LIMIT 7
-> country: customers.country
-> n: customers.name
-> m: customers.id
-> rows: FILTER customers.active; GROUP_BY customers.country, .name; SORT customers.country, .name, .id
# siblings: rollup, cube and sets
SELECT coalesce(country, 'all') AS c, year(signup) AS y, count(DISTINCT email) AS n, sum(id) AS s FROM customers GROUP BY GROUPING SETS ((country), (year(signup)), (country, year(signup)), ())
-> c: customers.country; IF customers.country
-> y: customers.signup
-> n: customers.email
-> s: customers.id
-> rows: GROUP_BY customers.country, .signup
# siblings: a cube with a rollup
SELECT country, active, birth, grouping_id() AS g, max(email) AS m FROM customers GROUP BY country, CUBE (active), ROLLUP (birth)
-> country: customers.country
-> active: customers.active
-> birth: customers.birth
-> g: -
-> m: customers.email
-> rows: GROUP_BY customers.country, .active, .birth
# siblings: outer lateral views
SELECT id, t, k, v FROM customers LATERAL VIEW OUTER explode(tags) a AS t LATERAL VIEW OUTER explode(prefs) b AS k, v WHERE coalesce(k, t) <> ')'
-> id: customers.id
-> t: customers.tags
-> k: customers.prefs
-> v: customers.prefs
-> rows: FILTER customers.tags, .prefs
# siblings: stack of expressions
SELECT id, s.* FROM customers, LATERAL stack(3, 'mail(', upper(email), 'phone', phone, 'x, y#1', concat(name, ')')) s(k, v) WHERE v IS NOT NULL
-> id: customers.id
-> k: -
-> v: customers.email, .phone, .name
-> rows: FILTER customers.email, .phone, .name
# siblings: correlated scalar subqueries in lists
SELECT c.id, (SELECT max(o.amount) FROM orders o WHERE o.customer_id = c.id) AS top, (SELECT count(DISTINCT p.method) FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.customer_id = c.id AND p.refunded) + 1 AS n FROM customers c
-> id: customers.id
-> top: orders.amount
-> n: payments.method
-> rows: JOIN customers.id, orders.customer_id, .id, payments.order_id; MAY payments.refunded, orders.customer_id
# siblings: exists and in as values
SELECT id, EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 5) AS e, id IN (SELECT customer_id FROM orders WHERE status = 'x') AS i, CASE WHEN c.email IN (SELECT email FROM stage_customers) THEN name ELSE '(' END AS w FROM customers c
-> id: customers.id
-> e: ?orders.customer_id
-> i: ?orders.customer_id
-> w: customers.name; IF ?customers.email, ?stage_customers.email
-> rows: JOIN customers.id, orders.customer_id, customers.email, stage_customers.email; MAY orders.amount, .status
# siblings: not in and not exists
SELECT id FROM customers c WHERE id NOT IN (SELECT customer_id FROM orders WHERE amount > 3) AND NOT EXISTS (SELECT * FROM stage_customers s WHERE s.email = c.email AND s.loaded_at > c.updated_at)
-> id: customers.id
-> rows: JOIN customers.id, orders.customer_id, customers.email, stage_customers.email, .loaded_at, customers.updated_at; MAY orders.amount
# siblings: subqueries in having
SELECT customer_id, sum(amount) AS s FROM orders GROUP BY customer_id HAVING sum(amount) > (SELECT avg(amount) FROM payments WHERE NOT refunded) AND customer_id IN (SELECT id FROM customers WHERE active)
-> customer_id: orders.customer_id
-> s: orders.amount
-> rows: GROUP_BY orders.customer_id; FILTER orders.amount, payments.amount; JOIN orders.customer_id, customers.id; MAY payments.refunded, customers.active
# siblings: subqueries in joins
SELECT o.id, c.name FROM orders o JOIN customers c ON o.customer_id = c.id AND o.amount > (SELECT min(price) FROM products) AND c.country IN (SELECT currency FROM fx)
-> id: orders.id
-> name: customers.name
-> rows: JOIN orders.customer_id, customers.id, .country, fx.currency; FILTER orders.amount, products.price
# siblings: values as a table
SELECT v.code, v.label, o.id FROM VALUES ('a', 'x, y#1'), ('b(', ')') AS v(code, label) JOIN orders o ON o.status = v.code
-> code: -
-> label: -
-> id: orders.id
-> rows: JOIN orders.status
# siblings: sampled tables
SELECT id, count(*) AS n FROM orders TABLESAMPLE (3 ROWS) GROUP BY id UNION ALL SELECT id, 1 FROM payments TABLESAMPLE (BUCKET 1 OUT OF 4)
-> id: orders.id, payments.id
-> n: -
-> rows: GROUP_BY orders.id
# siblings: view of orders
CREATE VIEW mart.v1 AS SELECT id, customer_id AS who, amount - coalesce(discount, 0) AS net, status FROM orders WHERE dt > DATE'2026-01-01'
# siblings: view of that view
CREATE VIEW mart.v2 AS SELECT who, sum(net) AS total, max(upper(status)) AS last FROM mart.v1 GROUP BY who
# siblings: views over views
SELECT c.name, v.total, v.last FROM mart.v2 v JOIN customers c ON c.id = v.who WHERE v.total > 10
-> name: customers.name
-> total: orders.amount, .discount; IF orders.discount
-> last: orders.status
-> rows: FILTER orders.dt, .amount, .discount; GROUP_BY orders.customer_id; JOIN orders.customer_id, customers.id
# siblings: target by name
CREATE TABLE mart.named (id BIGINT, label STRING, p STRING) USING parquet PARTITIONED BY (p)
# siblings: insert by name, reordered
INSERT INTO mart.named BY NAME SELECT concat(status, ', p#1') AS label, currency AS p, id FROM orders
-> id: orders.id
-> label: orders.status
-> p: orders.currency
-> to: mart.named
# siblings: overwrite a static partition
INSERT OVERWRITE mart.named PARTITION (p = 'x, y#1') SELECT id, max(email) AS label FROM customers GROUP BY id
-> id: customers.id
-> label: customers.email
-> p: -
-> rows: GROUP_BY customers.id
-> to: mart.named
# siblings: overwrite dynamic partitions
INSERT OVERWRITE mart.named PARTITION (p) (label, id, p) SELECT email, id, country FROM customers WHERE active
-> id: customers.id
-> label: customers.email
-> p: customers.country
-> rows: FILTER customers.active
-> to: mart.named
# siblings: json made and read
SELECT to_json(struct(id, status AS `s(`)) AS j, from_json(note, 'a INT, b STRUCT<c: STRING>').b.c AS c, schema_of_json('{"a(": 1}') AS s, get_json_object(note, '$.a[0]') AS g, from_json(note, 'MAP<STRING, INT>')[status] AS m FROM orders
-> j: orders.id, .status
-> c: orders.note
-> s: -
-> g: orders.note
-> m: orders.note, .status
# siblings: try functions
SELECT try_add(id, customer_id) AS a, try_divide(amount, discount) AS b, try_cast(note AS INT) AS c, try_to_timestamp(note, 'yyyy[MM]') AS d, try_sum(amount) OVER (PARTITION BY try_to_number(coupon, '99')) AS e, try_element_at(map(status, id), note) AS f FROM orders
-> a: orders.id, .customer_id
-> b: orders.amount, .discount
-> c: orders.note
-> d: orders.note
-> e: orders.amount; WINDOW orders.coupon
-> f: orders.id, .note, ?.status; IF ?orders.status, ?.note
# siblings: intervals
SELECT id, placed_at + INTERVAL '1 2:03' DAY TO MINUTE AS a, shipped_at - placed_at AS b, date_add(dt, 3) - INTERVAL 2 MONTHS AS c, make_dt_interval(1, CAST(amount AS INT)) AS d, extract(DAY FROM shipped_at - placed_at) AS e FROM orders WHERE shipped_at - placed_at > INTERVAL '3' DAY
-> id: orders.id
-> a: orders.placed_at
-> b: orders.shipped_at, .placed_at
-> c: orders.dt
-> d: orders.amount
-> e: orders.shipped_at, .placed_at
-> rows: FILTER orders.shipped_at, .placed_at
# siblings: collations [from 4.0]
SELECT country COLLATE UTF8_LCASE AS c, max(name COLLATE UNICODE_CI) AS m, count(DISTINCT email COLLATE UTF8_LCASE) AS n FROM customers WHERE phone COLLATE UNICODE = '(' GROUP BY country COLLATE UTF8_LCASE
-> c: customers.country
-> m: customers.name
-> n: customers.email
-> rows: FILTER customers.phone; GROUP_BY customers.country
# siblings: odd identifiers
SELECT `a#1, b`, max(`c) AS d`) AS `max(x#2)`, sum(`[q`) OVER (PARTITION BY max(`c) AS d`)) AS `sum(`` OVER ()` FROM (SELECT status AS `a#1, b`, note AS `c) AS d`, amount AS `[q` FROM orders) WHERE `c) AS d` <> 'x' GROUP BY `a#1, b`, `[q`
-> a#1, b: orders.status
-> max(x#2): orders.note
-> sum(` OVER (): orders.amount; WINDOW orders.note
-> rows: FILTER orders.note; GROUP_BY orders.status, .amount
# siblings: lateral joins [from 4.0]
SELECT c.id, x.amount, y.n FROM customers c LEFT JOIN LATERAL (SELECT amount FROM orders o WHERE o.customer_id = c.id ORDER BY placed_at DESC LIMIT 1) x ON true, LATERAL (SELECT count(*) AS n FROM payments p WHERE p.amount > x.amount) y
-> id: customers.id
-> amount: orders.amount
-> n: -
-> rows: JOIN customers.id, orders.customer_id, payments.amount, orders.amount; MAY orders.placed_at, .amount, payments.amount
# siblings: pipes with aggregates and limits [from 4.0]
FROM orders |> WHERE note RLIKE '\\(' |> EXTEND upper(status) AS s, -amount AS neg |> AGGREGATE sum(neg) AS t, max(coupon) AS c GROUP BY s |> EXTEND rank() OVER (ORDER BY t) AS r |> WHERE r < 3 |> SELECT s, t, c AS `c, d#1`, r |> ORDER BY s |> LIMIT 4
-> s: orders.status
-> t: orders.amount
-> c, d#1: orders.coupon
-> r: -; WINDOW orders.amount
-> rows: FILTER orders.note, .amount; GROUP_BY orders.status; SORT orders.status
# siblings: pipes with unpivots [from 4.0]
FROM stock |> SELECT sku, split(store, '[(]')[0] AS w, qty, qty * 2 AS twice |> UNPIVOT (v FOR k IN (qty, twice)) |> AGGREGATE max(v) AS m GROUP BY sku, w, k
-> sku: stock.sku
-> w: stock.store
-> k: -
-> m: stock.qty
-> rows: GROUP_BY stock.sku, .store; MAY stock.qty
# siblings: recursion with an aggregate above [from 4.1]
WITH RECURSIVE up(id, boss, root, n) AS (SELECT id, boss_id, upper(name), 1 FROM staff UNION ALL SELECT u.id, s.boss_id, concat(u.root, '(', s.dept), n + 1 FROM up u JOIN staff s ON s.id = u.boss WHERE n < 9)
SELECT root, count(DISTINCT id) AS c, max(n) AS depth FROM up GROUP BY root
-> root: staff.name, .dept
-> c: staff.id
-> depth: -
-> rows: JOIN staff.id, .boss_id; GROUP_BY staff.name, .dept
# siblings: variable made [from 4.0]
DECLARE OR REPLACE VARIABLE low DECIMAL(12,2) DEFAULT 3
# siblings: query with the variable [from 4.0]
SELECT id, amount - low AS over, concat(status, '(') AS s FROM orders WHERE discount < low
-> id: orders.id
-> over: orders.amount
-> s: orders.status
-> rows: FILTER orders.discount
# siblings: function of a struct [from 4.0]
CREATE TEMPORARY FUNCTION full_of(n STRING, e STRING) RETURNS STRUCT<l: STRING, m: STRING> RETURN named_struct('l', concat(n, ' <', e, '>'), 'm', sha2(e, 256))
# siblings: fields of a function's struct [from 4.0]
SELECT id, full_of(name, email).l AS l, full_of(name, email).m AS m, max(full_of(phone, email).l) OVER (PARTITION BY full_of(name, country).m) AS w FROM customers
-> id: customers.id
-> l: customers.name, .email
-> m: customers.email
-> w: customers.phone, .email; WINDOW customers.country, ?.name
# siblings: nested concats with brackets
SELECT concat(note, ')', upper(concat('(', status))) AS a, concat(coupon, '(', upper(concat(')', currency))) AS b, concat(')', concat(note, '(', lower(concat(')', coupon, ']'))), '[') AS c, count(DISTINCT concat(note, ')', upper(concat('(', coupon)))) AS n FROM orders GROUP BY note, status, coupon, currency
-> a: orders.note, .status
-> b: orders.coupon, .currency
-> c: orders.note, .coupon
-> n: orders.note, .coupon
-> rows: GROUP_BY orders.note, .status, .coupon, .currency
# siblings: higher order functions over lines
SELECT id, aggregate(lines, 0, (a, l) -> a - l.qty, a -> -a) AS n, transform(filter(lines, l -> l.price > amount), (l, i) -> concat(l.sku, '(', i)) AS t, exists(lines, l -> l.sku RLIKE '\\(') AS e, map_from_entries(transform(lines, l -> (l.sku, l.price)))['('] AS m,
 zip_with(lines, array(1), (l, k) -> l.qty * k) AS z, array_sort(lines, (l, r) -> l.qty - r.qty)[0].sku AS s FROM orders WHERE forall(lines, l -> -l.qty < 0)
-> id: orders.id
-> n: orders.lines.qty
-> t: orders.lines.sku, .lines.price, .amount
-> e: orders.lines.sku
-> m: orders.lines.sku, .lines.price
-> z: orders.lines.qty
-> s: orders.lines.sku, ?orders.lines.qty
-> rows: FILTER orders.lines.qty
# siblings: set operations in nests
SELECT country, count(*) AS n FROM (SELECT id, country FROM customers EXCEPT ALL (SELECT id, country FROM stage_customers INTERSECT ALL SELECT id, country FROM dim_customer)) GROUP BY country
-> country: customers.country
-> n: -
-> rows: GROUP_BY customers.country; JOIN stage_customers.country, dim_customer.country, stage_customers.id, dim_customer.id; MAY customers.id, customers.country
# siblings: unpivot with aliases
SELECT sku, what, val FROM (SELECT sku, price, -cost AS cost FROM products) UNPIVOT INCLUDE NULLS (val FOR what IN (price AS `p, q#1`, cost AS `c(`)) WHERE val < 3
-> sku: products.sku
-> what: -
-> val: products.price, .cost
-> rows: FILTER products.price, .cost
# siblings: unpivot of several values
SELECT sku, k, a, b FROM (SELECT sku, price, cost, upper(title) AS t, brand FROM products) UNPIVOT ((a, b) FOR k IN ((price, t) AS `x(`, (cost, brand) AS y))
-> sku: products.sku
-> k: -
-> a: products.price, .cost
-> b: products.title, .brand
-> rows: FILTER products.price, .title, .cost, .brand
# siblings: pivot of expressions
SELECT * FROM (SELECT category, substr(brand, 1, 2) AS b, -price AS p, cost FROM products) PIVOT (sum(p) AS `s(`, count(DISTINCT cost) AS n FOR b IN ('a(' AS a, ', x#1' AS x))
-> category: products.category
-> a_s(: products.price; IF products.brand
-> a_n: products.cost; IF products.brand
-> x_s(: products.price; IF products.brand
-> x_n: products.cost; IF products.brand
-> rows: GROUP_BY products.category, ?.brand; MAY products.brand, .cost
