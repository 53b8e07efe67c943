# further: newest row by an anti join with itself
SELECT a.id, a.email FROM stage_customers a LEFT ANTI JOIN stage_customers b ON a.id = b.id AND a.loaded_at < b.loaded_at
-> id: stage_customers.id
-> email: stage_customers.email
-> rows: JOIN stage_customers.id, .loaded_at
# further: newest row by a correlated maximum
SELECT a.id, a.country FROM stage_customers a WHERE a.loaded_at = (SELECT max(b.loaded_at) FROM stage_customers b WHERE b.id = a.id)
-> id: stage_customers.id
-> country: stage_customers.country
-> rows: MAY stage_customers.id, .loaded_at; JOIN stage_customers.id
# further: newest row by a struct's maximum
SELECT id, r.email AS email FROM (SELECT id, max(named_struct('at', loaded_at, 'email', email, 'c', country)) AS r FROM stage_customers GROUP BY id)
-> id: stage_customers.id
-> email: stage_customers.email; IF stage_customers.loaded_at, .country
-> rows: GROUP_BY stage_customers.id
# further: NOT IN with a NULL check
SELECT c.id FROM customers c WHERE c.country NOT IN (SELECT d.country FROM dim_customer d WHERE d.is_current AND d.country IS NOT NULL) OR c.country IS NULL
-> id: customers.id
-> rows: JOIN customers.country, dim_customer.country; FILTER dim_customer.is_current; MAY customers.country
# further: NOT IN of two columns
SELECT s.id FROM stage_customers s WHERE (s.id, s.email) NOT IN (SELECT id, lower(email) FROM customers WHERE NOT active)
-> id: stage_customers.id
-> rows: JOIN stage_customers.id, .email, customers.id, .email; FILTER customers.active
# further: EXISTS or EXISTS
SELECT c.id, c.name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 100) OR EXISTS (SELECT 1 FROM events e WHERE e.user_id = c.id AND e.name = 'vip')
-> id: customers.id
-> name: customers.name
-> rows: JOIN customers.id, orders.customer_id, events.user_id; FILTER orders.amount, events.name; MAY customers.id
# further: EXISTS in the select list
SELECT c.id, EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.status = 'open') AS busy, CASE WHEN NOT EXISTS (SELECT 1 FROM payments p WHERE p.id = c.id) THEN c.email ELSE c.phone END AS contact FROM customers c
-> id: customers.id
-> busy: ?customers.id, ?orders.customer_id, ?orders.status; IF ?customers.id, ?orders.customer_id
-> contact: customers.email, .phone; IF ?customers.id, ?payments.id
-> rows: MAY customers.id, orders.customer_id, .status, payments.id
# further: IN in the select list
SELECT id, country IN (SELECT country FROM dim_customer) AS known FROM customers
-> id: customers.id
-> known: ?customers.country, ?dim_customer.country; IF ?customers.country, ?dim_customer.country
-> rows: MAY customers.country, dim_customer.country
# further: scalar subqueries in arguments
SELECT id, coalesce(nullif(note, (SELECT max(line) FROM logs)), status) AS n, greatest(amount, (SELECT min(week) FROM calendar)) AS r FROM orders
-> id: orders.id
-> n: orders.note, .status, ?logs.line; IF orders.note, .status, logs.line
-> r: orders.amount, calendar.week
-> rows: MAY orders.note
# further: correlated scalars in the order
SELECT c.id, (SELECT sum(o.amount) FROM orders o WHERE o.customer_id = c.id) AS t FROM customers c ORDER BY t DESC NULLS LAST, c.name LIMIT 10
-> id: customers.id
-> t: orders.amount
-> rows: SORT orders.amount, customers.name; JOIN customers.id, orders.customer_id; MAY orders.customer_id
# further: correlated scalar below an aggregate
SELECT c.country, sum((SELECT count(o.id) FROM orders o WHERE o.customer_id = c.id)) AS n FROM customers c GROUP BY c.country
-> country: customers.country
-> n: orders.id; IF ?orders.id
-> rows: GROUP_BY customers.country; JOIN customers.id, orders.customer_id; MAY orders.customer_id
# further: scalar in HAVING
SELECT dept, avg(salary) AS mean FROM staff GROUP BY dept HAVING avg(salary) > (SELECT avg(salary) FROM staff WHERE hired > DATE'2020-01-01')
-> dept: staff.dept
-> mean: staff.salary
-> rows: GROUP_BY staff.dept; FILTER staff.salary, .hired
# further: nested correlation
SELECT p.sku FROM products p WHERE p.price > (SELECT avg(q.price) FROM products q WHERE q.category = p.category AND q.launched > (SELECT min(day) FROM calendar WHERE holiday))
-> sku: products.sku
-> rows: JOIN products.category; FILTER products.launched, calendar.day, .holiday; MAY products.price, .category
# further: division of relations by counts
SELECT s.store FROM stock s JOIN products p ON p.sku = s.sku AND p.category = 'tea' GROUP BY s.store HAVING count(DISTINCT s.sku) = (SELECT count(DISTINCT sku) FROM products WHERE category = 'tea')
-> store: stock.store
-> rows: GROUP_BY stock.store; JOIN products.sku, stock.sku; FILTER products.category, stock.sku, products.sku
# further: full join using a key
SELECT id, c.email, s.email AS other FROM customers c FULL OUTER JOIN stage_customers s USING (id) WHERE coalesce(c.country, s.country) = 'DE'
-> id: customers.id, stage_customers.id; IF customers.id, stage_customers.id
-> email: customers.email
-> other: stage_customers.email
-> rows: JOIN customers.id, stage_customers.id; FILTER customers.country, stage_customers.country
# further: natural join
SELECT country, title FROM (SELECT country, currency FROM orders JOIN customers ON customers.id = orders.customer_id) NATURAL JOIN (SELECT title, brand AS currency FROM products)
-> country: customers.country
-> title: products.title
-> rows: JOIN customers.id, orders.customer_id, .currency, products.brand
# further: join with values
SELECT o.id, v.label FROM orders o JOIN (VALUES ('a', 'new'), ('b', 'old')) AS v(code, label) ON v.code = o.status
-> id: orders.id
-> label: -
-> rows: JOIN orders.status; MAY orders.status
# further: null safe keys and or
SELECT a.sku, b.price FROM stock a LEFT JOIN prices b ON a.sku <=> b.sku AND (a.day >= b.valid_from OR b.valid_from IS NULL)
-> sku: stock.sku
-> price: prices.price
-> rows: JOIN stock.sku, prices.sku, stock.day, prices.valid_from
# further: lateral aliases in a chain
SELECT id, amount - coalesce(discount, 0) AS net, net * 1.19 AS gross, round(gross, 1) AS shown, shown > 100 AND status = 'paid' AS big FROM orders WHERE currency = 'EUR'
-> id: orders.id
-> net: orders.amount, .discount; IF orders.discount
-> gross: orders.amount, .discount; IF orders.discount
-> shown: orders.amount, .discount; IF orders.discount
-> big: orders.amount, .discount, .status; IF orders.discount
-> rows: FILTER orders.currency
# further: lateral aliases of aggregates
SELECT dept AS d, sum(salary) AS s, count(id) AS n, s / n AS mean, concat(d, '!') AS label FROM staff GROUP BY dept
-> d: staff.dept
-> s: staff.salary
-> n: staff.id
-> mean: staff.salary, .id
-> label: staff.dept
-> rows: GROUP_BY staff.dept
# further: keys of a map changed by its values
SELECT id, transform_keys(prefs, (k, v) -> concat(k, '-', v, country)) AS a, transform_values(prefs, (k, v) -> if(k = name, v, phone)) AS b, map_filter(prefs, (k, v) -> k < email) AS c FROM customers
-> id: customers.id
-> a: customers.prefs, .country
-> b: customers.prefs, .phone; IF ?customers.prefs, ?customers.name
-> c: customers.prefs, .email
# further: maps zipped
SELECT id, map_zip_with(prefs, map('x', name), (k, a, b) -> concat(a, b)) AS z, map_concat(prefs, map(country, phone)) AS m, map_entries(prefs)[0].value AS v FROM customers
-> id: customers.id
-> z: customers.prefs, .name
-> m: customers.prefs, .country, .phone
-> v: customers.prefs
# further: arrays folded with a finish
SELECT id, aggregate(lines, CAST(0 AS DOUBLE), (a, l) -> a + l.qty * l.price, a -> a - discount) AS t, reduce(lines.sku, '', (a, s) -> concat(a, s)) AS s FROM orders
-> id: orders.id
-> t: orders.lines.qty, .lines.price, .discount, ?.lines
-> s: orders.lines.sku
# further: arrays zipped and sorted
SELECT id, zip_with(tags, map_keys(prefs), (a, b) -> concat(a, b)) AS z, array_sort(tags, (a, b) -> CASE WHEN a < b THEN 1 WHEN a > b THEN -1 ELSE 0 END)[0] AS top, forall(tags, t -> t <> name) AS f FROM customers
-> id: customers.id
-> z: customers.tags, .prefs
-> top: customers.tags
-> f: customers.tags, .name
# further: lambdas three deep
SELECT id, transform(filter(lines, l -> l.qty > 0), l -> transform(sequence(1, l.qty), n -> concat(l.sku, CAST(n AS STRING), status))) AS x FROM orders
-> id: orders.id
-> x: orders.lines.qty, .lines.sku, .status, ?.lines
# further: structs rebuilt with stars
SELECT id, struct(ship.*, note AS n) AS s, named_struct('c', ship.cost + 1, 'k', ship.carrier).k AS k FROM orders
-> id: orders.id
-> s: orders.ship.carrier, .ship.cost, .note
-> k: orders.ship.carrier
# further: json out and in
SELECT user_id, from_json(to_json(named_struct('o', device.os, 'b', device.browser)), 'o STRING, b STRING').o AS o, get_json_object(payload, concat('$.', name)) AS g, json_tuple(payload, 'a') AS j FROM events
-> user_id: events.user_id
-> o: events.device.os, .device.browser
-> g: events.payload, .name
-> j: events.payload
# further: csv in and out
SELECT from_csv(line, 'a INT, b STRING').b AS b, to_csv(named_struct('h', host, 'at', at)) AS c FROM logs
-> b: logs.line
-> c: logs.host, .at
# further: cube of a mixture
SELECT grouping(upper(status)) AS g, CASE WHEN grouping(currency) = 1 THEN 'all' ELSE currency END AS cur, max(amount) AS m FROM orders GROUP BY CUBE (upper(status), currency) HAVING grouping_id() < 3
-> g: -
-> cur: orders.currency; IF ?orders.currency, ?orders.status
-> m: orders.amount
-> rows: GROUP_BY orders.status, .currency; MAY orders.status
# further: rollup of pairs
SELECT year(hired) AS y, dept, boss_id, count(DISTINCT name) AS n FROM staff GROUP BY ROLLUP ((year(hired), dept), boss_id) ORDER BY n DESC, y LIMIT 20
-> y: staff.hired
-> dept: staff.dept
-> boss_id: staff.boss_id
-> n: staff.name
-> rows: GROUP_BY staff.hired, .dept, .boss_id; SORT staff.name, .hired
# further: grouping sets with keys of their own
SELECT date_trunc('WEEK', placed_at) AS w, status, sum(amount) AS s, sum(amount) FILTER (WHERE coupon IS NOT NULL) AS c FROM orders GROUP BY currency, GROUPING SETS ((date_trunc('WEEK', placed_at)), (status), ())
-> w: orders.placed_at
-> status: orders.status
-> s: orders.amount
-> c: orders.amount; IF orders.coupon
-> rows: GROUP_BY orders.placed_at, .status, .currency
# further: windows named and with frames
SELECT id, sum(amount) OVER w AS s, first_value(status) OVER w AS f, ntile(4) OVER (PARTITION BY currency ORDER BY amount DESC) AS q, percent_rank() OVER (ORDER BY placed_at) AS p FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)
-> id: orders.id
-> s: orders.amount; WINDOW orders.customer_id, .placed_at
-> f: orders.status; WINDOW orders.customer_id, .placed_at
-> q: -; WINDOW orders.currency, .amount
-> p: -; WINDOW orders.placed_at
# further: lag with a column as default
SELECT sku, day, qty - lag(qty, 1, 0) OVER (PARTITION BY sku, store ORDER BY day) AS d, lead(store, 2, sku) OVER (ORDER BY day) AS l FROM stock
-> sku: stock.sku
-> day: stock.day
-> d: stock.qty; WINDOW stock.sku, .store, .day
-> l: stock.store, .sku; WINDOW stock.day
# further: window in a condition of another
SELECT id, CASE WHEN row_number() OVER (PARTITION BY dept ORDER BY salary DESC) = 1 THEN name ELSE dept END AS x, salary > avg(salary) OVER (PARTITION BY boss_id) AS above FROM staff
-> id: staff.id
-> x: staff.name, .dept; IF ?staff.dept, ?staff.salary; WINDOW ?staff.dept, ?staff.salary
-> above: staff.salary; WINDOW staff.boss_id
# further: sessions by gaps of windows
SELECT user_id, s, min(ts) AS began, count(url) AS hits FROM (SELECT *, sum(fresh) OVER (PARTITION BY user_id ORDER BY ts) AS s FROM (SELECT *, if(ts > lag(ts) OVER (PARTITION BY user_id ORDER BY ts) + INTERVAL 30 MINUTES, 1, 0) AS fresh FROM events)) GROUP BY user_id, s
-> user_id: events.user_id
-> s: -; IF events.ts, ?.user_id; WINDOW events.user_id, .ts
-> began: events.ts
-> hits: events.url
-> rows: GROUP_BY events.user_id, ?.ts; MAY events.ts
# further: gaps and islands
SELECT sku, min(day) AS a, max(day) AS b FROM (SELECT sku, day, date_sub(day, CAST(row_number() OVER (PARTITION BY sku ORDER BY day) AS INT)) AS island FROM stock WHERE qty = 0) GROUP BY sku, island
-> sku: stock.sku
-> a: stock.day
-> b: stock.day
-> rows: FILTER stock.qty; GROUP_BY stock.sku, .day
# further: median and mode by window
SELECT DISTINCT dept, percentile_cont(0.5) WITHIN GROUP (ORDER BY salary) OVER (PARTITION BY dept) AS med, max_by(name, hired) OVER (PARTITION BY dept) AS newest FROM staff
-> dept: staff.dept
-> med: staff.salary; WINDOW staff.dept
-> newest: staff.name; IF staff.hired; WINDOW staff.dept
-> rows: GROUP_BY staff.dept, .salary, .name; MAY staff.hired
# further: pivot over two columns
SELECT * FROM (SELECT store, sku, year(day) AS y, qty FROM stock) PIVOT (sum(qty) AS q FOR (sku, y) IN (('a', 2025) AS a25, ('b', 2026) AS b26))
-> store: stock.store
-> a25: stock.qty; IF stock.sku, .day
-> b26: stock.qty; IF stock.sku, .day
-> rows: GROUP_BY stock.store, ?.sku, ?.day; MAY stock.sku, .day
# further: pivot joined with its table
SELECT p.sku, p.north, t.total FROM (SELECT * FROM (SELECT sku, store, qty FROM stock) PIVOT (max(qty) FOR store IN ('north', 'south'))) p JOIN (SELECT sku, sum(qty) AS total FROM stock GROUP BY sku) t ON t.sku = p.sku WHERE p.south IS NULL
-> sku: stock.sku
-> north: stock.qty; IF stock.store
-> total: stock.qty
-> rows: GROUP_BY stock.sku, ?.store; JOIN stock.sku; FILTER stock.qty; MAY stock.store
# further: unpivot of a pivot
SELECT sku, s, v FROM (SELECT * FROM (SELECT sku, store, qty FROM stock) PIVOT (sum(qty) FOR store IN ('n' AS n, 'm' AS m))) UNPIVOT (v FOR s IN (n, m)) WHERE v > 2
-> sku: stock.sku
-> s: -
-> v: stock.qty; IF stock.store
-> rows: GROUP_BY stock.sku, ?.store; FILTER stock.qty; MAY stock.store
# further: stack as a view
SELECT id, k, v FROM orders LATERAL VIEW OUTER stack(3, 'amount', amount, 'discount', discount, 'cost', CAST(ship.cost AS DECIMAL(12,2))) AS k, v WHERE v IS NOT NULL
-> id: orders.id
-> k: -
-> v: orders.amount, .discount, .ship.cost
-> rows: FILTER orders.amount, .discount, .ship.cost
# further: generators in a chain
SELECT c.id, t, ch FROM customers c LATERAL VIEW posexplode_outer(tags) AS pos, t LATERAL VIEW explode(split(t, '')) AS ch WHERE pos < 3 AND ch <> c.country
-> id: customers.id
-> t: customers.tags
-> ch: customers.tags
-> rows: FILTER customers.tags, .country
# further: inline of a transform
SELECT o.id, s, total FROM orders o LATERAL VIEW inline(transform(lines, l -> struct(l.sku AS s, l.qty * l.price AS total))) AS s, total
-> id: orders.id
-> s: orders.lines.sku
-> total: orders.lines.qty, .lines.price
# further: sequence as a calendar
SELECT c.id, d FROM customers c LATERAL VIEW explode(sequence(signup, coalesce(birth, current_date()), INTERVAL 1 MONTH)) AS d WHERE month(d) = 1
-> id: customers.id
-> d: customers.signup, .birth; IF customers.birth
-> rows: FILTER customers.signup, .birth
# further: range as a table
SELECT r.id * 10 AS bucket, count(o.id) AS n FROM range(5) r LEFT JOIN orders o ON floor(o.amount / 10) = r.id GROUP BY r.id
-> bucket: -
-> n: orders.id
-> rows: JOIN orders.amount; MAY orders.amount
# further: intervals and extracts
SELECT id, shipped_at - placed_at AS took, placed_at + make_dt_interval(CAST(id AS INT)) AS due, extract(HOUR FROM shipped_at) AS h, months_between(shipped_at, placed_at) AS m, date_add(dt, CAST(amount AS INT)) AS x FROM orders
-> id: orders.id
-> took: orders.shipped_at, .placed_at
-> due: orders.placed_at, .id
-> h: orders.shipped_at
-> m: orders.shipped_at, .placed_at
-> x: orders.dt, .amount
# further: time windows
SELECT window.start AS began, name, approx_count_distinct(session_id) AS s FROM events GROUP BY window(ts, '10 minutes', '5 minutes'), name
-> began: events.ts
-> name: events.name
-> s: events.session_id
-> rows: GROUP_BY events.ts, .name; MAY events.ts
# further: session windows
SELECT user_id, session_window.end AS ended, count(url) AS n FROM events GROUP BY session_window(ts, '5 minutes'), user_id
-> user_id: events.user_id
-> ended: events.ts; IF ?events.ts
-> n: events.url
-> rows: GROUP_BY events.ts, .user_id; MAY events.ts
# further: choices of many forms
SELECT id, nvl2(coupon, discount, amount) AS a, decode(status, 'a', note, 'b', currency, coupon) AS b, greatest(amount, discount, ship.cost) AS c, ifnull(note, status) AS d, nullif(currency, coupon) AS e FROM orders
-> id: orders.id
-> a: orders.discount, .amount; IF orders.coupon
-> b: orders.note, .currency, .coupon; IF orders.status
-> c: orders.amount, .discount, .ship.cost
-> d: orders.note, .status; IF orders.note, .status
-> e: orders.currency; IF orders.currency, .coupon
# further: statistics of pairs
SELECT dept, corr(salary, id) AS c, regr_slope(salary, boss_id) AS r, skewness(salary) AS k, histogram_numeric(salary, 5) AS h, bit_xor(id) AS x, every(salary > 3) AS e, mode(name) AS m FROM staff GROUP BY dept
-> dept: staff.dept
-> c: staff.salary, .id
-> r: staff.salary, .boss_id; IF ?staff.salary, ?staff.boss_id
-> k: staff.salary
-> h: staff.salary
-> x: staff.id
-> e: staff.salary
-> m: staff.name
-> rows: GROUP_BY staff.dept
# further: collected and joined
SELECT customer_id, array_join(sort_array(collect_set(upper(status))), ',') AS st, map_from_entries(collect_list(struct(currency, amount)))['EUR'] AS eur, size(collect_list(note) FILTER (WHERE amount > 9)) AS n FROM orders GROUP BY customer_id
-> customer_id: orders.customer_id
-> st: orders.status
-> eur: orders.amount, ?.currency
-> n: orders.note; IF orders.amount
-> rows: GROUP_BY orders.customer_id
# further: two distinct aggregates and a plain one
SELECT status, count(DISTINCT customer_id, currency) AS a, sum(DISTINCT amount) AS b, max(note) AS c, count(DISTINCT coupon) FILTER (WHERE discount > 0) AS d FROM orders GROUP BY status
-> status: orders.status
-> a: orders.customer_id, .currency
-> b: orders.amount
-> c: orders.note
-> d: orders.coupon; IF orders.discount
-> rows: GROUP_BY orders.status; MAY orders.customer_id, .currency, .amount, .coupon
# further: set operations of three
SELECT id, email FROM customers WHERE active UNION (SELECT id, email FROM stage_customers EXCEPT SELECT id, email FROM dim_customer WHERE is_current)
-> id: customers.id, stage_customers.id
-> email: customers.email, stage_customers.email
-> rows: FILTER customers.active, dim_customer.is_current; JOIN stage_customers.id, .email, dim_customer.id, .email; GROUP_BY customers.id, .email, stage_customers.id, .email
# further: union below an aggregate below a union
SELECT k, sum(n) AS n FROM (SELECT country AS k, count(id) AS n FROM customers GROUP BY country UNION ALL SELECT dept, count(boss_id) FROM staff GROUP BY dept) GROUP BY k UNION ALL SELECT 'all', count(*) FROM logs
-> k: customers.country, staff.dept
-> n: customers.id, staff.boss_id
-> rows: GROUP_BY customers.country, staff.dept
# further: union of different types
SELECT id AS v, status AS s FROM orders UNION ALL SELECT amount, CAST(refunded AS STRING) FROM payments UNION ALL SELECT NULL, line FROM logs
-> v: orders.id, payments.amount
-> s: orders.status, payments.refunded, logs.line
# further: with queries that use each other
WITH a AS (SELECT customer_id AS c, amount FROM orders WHERE status = 'paid'), b AS (SELECT c, sum(amount) AS t FROM a GROUP BY c), d AS (SELECT a.c, a.amount / b.t AS share FROM a JOIN b ON a.c = b.c) SELECT c, max(share) AS top FROM d WHERE share < 1 GROUP BY c
-> c: orders.customer_id
-> top: orders.amount
-> rows: FILTER orders.status, .amount; GROUP_BY orders.customer_id; JOIN orders.customer_id
# further: limits within limits
SELECT name FROM (SELECT name, salary FROM (SELECT * FROM staff ORDER BY hired LIMIT 50) ORDER BY salary DESC LIMIT 10 OFFSET 2) WHERE name LIKE 'a%'
-> name: staff.name
-> rows: SORT staff.hired, .salary; FILTER staff.name
# further: sort without a limit
SELECT id, upper(email) AS mail FROM customers WHERE phone IS NULL ORDER BY length(country), mail DESC
-> id: customers.id
-> mail: customers.email
-> rows: FILTER customers.phone; SORT customers.country, .email
# further: cluster, distribute and sort
SELECT id, status FROM (SELECT * FROM orders DISTRIBUTE BY currency SORT BY amount) WHERE note = 'x'
-> id: orders.id
-> status: orders.status
-> rows: FILTER orders.note; MAY orders.amount, .currency
# further: hints of joins
SELECT /*+ MERGE(o), SHUFFLE_HASH(p) */ o.id, p.method FROM orders o JOIN payments p ON p.order_id = o.id LEFT SEMI JOIN customers c ON c.id = o.customer_id AND c.active
-> id: orders.id
-> method: payments.method
-> rows: JOIN payments.order_id, orders.id, customers.id, orders.customer_id; FILTER customers.active
# further: range join with between
SELECT o.id, p.price FROM (SELECT id, dt, lines[0].sku AS sku FROM orders) o JOIN prices p ON p.sku = o.sku AND o.dt BETWEEN p.valid_from AND coalesce(p.valid_to, DATE'9999-12-31')
-> id: orders.id
-> price: prices.price
-> rows: JOIN orders.lines.sku, prices.sku, orders.dt, prices.valid_from, .valid_to
# further: cross join of aggregates
SELECT a.m - b.m AS d FROM (SELECT max(value) AS m FROM metrics WHERE metric = 'x') a, (SELECT max(value) AS m FROM metrics WHERE metric = 'y') b
-> d: metrics.value
-> rows: FILTER metrics.metric
# further: masks
SELECT id, mask(email) AS a, concat(left(phone, 3), '…') AS b, sha2(concat(email, name), 256) AS c, aes_encrypt(email, 'abcdefghijklmnop') AS d, md5(CAST(birth AS STRING)) AS e FROM customers
-> id: customers.id
-> a: customers.email
-> b: customers.phone
-> c: customers.email, .name
-> d: customers.email
-> e: customers.birth
# further: text functions
SELECT translate(name, 'ab', 'cd') AS a, split_part(email, '@', 2) AS b, regexp_extract_all(phone, '(\\d+)', 1) AS c, overlay(name PLACING country FROM 2) AS d, format_number(id, 2) AS e, printf('%s-%d', name, id) AS f, levenshtein(name, email) AS g FROM customers WHERE name ILIKE 'a%' AND email LIKE ANY ('%x', '%y')
-> a: customers.name
-> b: customers.email
-> c: customers.phone
-> d: customers.name, .country
-> e: customers.id
-> f: customers.name, .id
-> g: customers.name, .email
-> rows: FILTER customers.name, .email
# further: conditions in conditions
SELECT id, if(active, if(country = 'DE', email, phone), name) AS a, CASE country WHEN 'DE' THEN id WHEN 'FR' THEN length(name) END AS b, active AND (birth IS NULL OR signup > birth) AS c FROM customers
-> id: customers.id
-> a: customers.email, .phone, .name; IF customers.active, .country
-> b: customers.id, .name; IF customers.country
-> c: customers.active, .birth, .signup
# further: bits and bases
SELECT id & boss_id AS a, shiftleft(id, 2) AS b, conv(name, 16, 10) AS c, hex(dept) AS d, bin(id) AS e, id DIV 2 AS f, id % boss_id AS g, ~id AS h FROM staff
-> a: staff.id, .boss_id
-> b: staff.id
-> c: staff.name
-> d: staff.dept
-> e: staff.id
-> f: staff.id
-> g: staff.id, .boss_id
-> h: staff.id
# further: identifiers and parameters
SELECT IDENTIFIER('na' || 'me') AS n, `salary` AS `sal ary`, dept AS `d``q` FROM IDENTIFIER('st' || 'aff') WHERE IDENTIFIER('hired') > DATE'2020-01-01'
-> n: staff.name
-> sal ary: staff.salary
-> d`q: staff.dept
-> rows: FILTER staff.hired
# further: a view over a view over a union [code]
spark.sql("CREATE OR REPLACE TEMP VIEW people AS SELECT id, name FROM customers WHERE active UNION ALL SELECT id, name FROM staff")
spark.sql("CREATE OR REPLACE TEMP VIEW named AS SELECT id * 2 AS k, upper(name) AS n FROM people")
frame = spark.sql("SELECT a.n, count(b.k) AS c FROM named a JOIN named b ON a.k = b.k GROUP BY a.n")
-> n: customers.name, staff.name
-> c: customers.id, staff.id
-> rows: FILTER customers.active; JOIN customers.id, staff.id; GROUP_BY customers.name, staff.name
# further: a view of a database over a view
CREATE VIEW mart.paid AS SELECT id, amount - discount AS net, customer_id FROM orders WHERE status = 'paid'
-> to: mart.paid
-> id: orders.id
-> net: orders.amount, .discount
-> customer_id: orders.customer_id
-> rows: FILTER orders.status
# further: read through that view
SELECT c.country, sum(p.net) AS net FROM mart.paid p JOIN customers c ON c.id = p.customer_id GROUP BY c.country
-> country: customers.country
-> net: orders.amount, .discount
-> rows: FILTER orders.status; JOIN customers.id, orders.customer_id; GROUP_BY customers.country
# further: table with partitions and buckets
CREATE TABLE mart.kept (id BIGINT, total DOUBLE, day DATE, kind STRING) USING parquet PARTITIONED BY (day, kind)
# further: static and dynamic partitions
INSERT OVERWRITE mart.kept PARTITION (day = DATE'2026-01-01', kind) SELECT customer_id, sum(amount), max(status) FROM orders GROUP BY customer_id
-> to: mart.kept
-> id: orders.customer_id
-> total: orders.amount
-> day: -
-> kind: orders.status
-> rows: GROUP_BY orders.customer_id
# further: columns in another order
INSERT INTO mart.kept (kind, day, total, id) SELECT method, CAST(paid_at AS DATE), amount, order_id FROM payments WHERE NOT refunded
-> to: mart.kept
-> id: payments.order_id
-> total: payments.amount
-> day: payments.paid_at
-> kind: payments.method
-> rows: FILTER payments.refunded
# further: inserted by name [from 3.5]
INSERT INTO mart.kept BY NAME SELECT 'x' AS kind, id AS id, dt AS day, CAST(amount AS DOUBLE) AS total FROM orders WHERE note IN (SELECT line FROM logs)
-> to: mart.kept
-> id: orders.id
-> total: orders.amount
-> day: orders.dt
-> kind: -
-> rows: JOIN orders.note, logs.line
# further: a table of an aggregate
CREATE TABLE mart.by_dept USING parquet PARTITIONED BY (dept) AS SELECT avg(salary) AS mean, max(struct(hired, name)).name AS newest, dept FROM staff GROUP BY dept
-> to: mart.by_dept
-> mean: staff.salary
-> newest: staff.name; IF staff.hired
-> dept: staff.dept
-> rows: GROUP_BY staff.dept
# further: a table bucketed
CREATE TABLE mart.bucketed USING parquet CLUSTERED BY (id) SORTED BY (name) INTO 4 BUCKETS AS SELECT id, trim(name) AS name FROM customers
-> to: mart.bucketed
-> id: customers.id
-> name: customers.name
# further: overwritten by a join with itself through a table
INSERT OVERWRITE mart.bucketed SELECT s.id, coalesce(s.email, b.name) FROM stage_customers s LEFT JOIN customers b ON b.id = s.id
-> to: mart.bucketed
-> id: stage_customers.id
-> name: stage_customers.email, customers.name; IF stage_customers.email, customers.name
-> rows: JOIN customers.id, stage_customers.id
# further: pipes that extend and set [from 4.0]
FROM orders |> WHERE amount > 3 |> EXTEND amount - discount AS net |> SET discount = discount * 2 |> DROP note, coupon, lines, ship, placed_at, shipped_at, currency, dt, customer_id
-> id: orders.id
-> status: orders.status
-> amount: orders.amount
-> discount: orders.discount
-> net: orders.amount, .discount
-> rows: FILTER orders.amount
# further: pipes that join and group [from 4.0]
FROM customers |> AS c |> JOIN orders o ON o.customer_id = c.id |> SELECT c.country AS k, o.amount AS a, o.status |> WHERE status <> 'x' |> AGGREGATE sum(a) AS total, count(DISTINCT upper(status)) AS n GROUP BY k |> WHERE total > 10 |> ORDER BY n
-> k: customers.country
-> total: orders.amount
-> n: orders.status
-> rows: JOIN customers.id, orders.customer_id; FILTER orders.status, .amount; GROUP_BY customers.country; SORT orders.status
# further: pipes with windows and laterals [from 4.0]
FROM staff |> SELECT id, dept, salary |> EXTEND rank() OVER (PARTITION BY dept ORDER BY salary DESC) AS r |> WHERE r < 3 |> SELECT id, r
-> id: staff.id
-> r: -; WINDOW staff.dept, .salary
-> rows: FILTER staff.dept, .salary
# further: pipes over a with query [from 4.0]
WITH t AS (FROM events |> WHERE name = 'view' |> AGGREGATE count(url) AS hits GROUP BY user_id, day) FROM t |> AGGREGATE max(hits) AS m, min(day) AS d GROUP BY user_id |> SELECT user_id, m, d |> LIMIT 4
-> user_id: events.user_id
-> m: events.url
-> d: events.day
-> rows: FILTER events.name; GROUP_BY events.user_id, .day
# further: recursion with two anchors [from 4.1]
WITH RECURSIVE r(id, top, n) AS (SELECT id, name, 0 FROM staff WHERE boss_id IS NULL UNION ALL SELECT s.id, r.top, r.n + 1 FROM r JOIN staff s ON s.boss_id = r.id WHERE s.salary > 0) SELECT top, max(n) AS depth, count(id) AS c FROM r GROUP BY top
-> top: staff.name
-> depth: -
-> c: staff.id
-> rows: FILTER staff.boss_id, .salary; JOIN staff.boss_id, .id; GROUP_BY staff.name
# further: a function in SQL [from 4.0]
CREATE TEMPORARY FUNCTION gross_of(a DECIMAL(12,2), r DOUBLE) RETURNS DOUBLE RETURN CASE WHEN r > 1 THEN a * r ELSE a END
# further: functions in SQL within each other [from 4.0]
CREATE TEMPORARY FUNCTION total_of(c BIGINT) RETURNS DOUBLE RETURN (SELECT sum(gross_of(o.amount, 1.2)) FROM orders o WHERE o.customer_id = c)
# further: functions in SQL with literals and columns [from 4.0]
SELECT id, gross_of(amount, CAST(discount AS DOUBLE)) AS g FROM orders WHERE gross_of(amount, 1.5) > 10
-> id: orders.id
-> g: orders.amount, .discount; IF orders.discount
-> rows: FILTER orders.amount
# further: a function in SQL with a query [from 4.0]
SELECT id, total_of(id) AS t FROM customers WHERE active
-> id: customers.id
-> t: orders.amount
-> rows: JOIN customers.id, orders.customer_id; FILTER customers.active; MAY orders.customer_id
# further: a variable [from 4.0]
DECLARE OR REPLACE VARIABLE least DOUBLE DEFAULT 5
# further: a variable set by a query [from 4.0]
SET VAR least = (SELECT coalesce(max(salary), 1) FROM staff)
# further: a variable in a condition [from 4.0]
SELECT name, salary - least AS above FROM staff WHERE salary >= least
-> name: staff.name
-> above: staff.salary
-> rows: FILTER staff.salary
# further: executed immediately with names [from 4.0]
EXECUTE IMMEDIATE 'SELECT dept, max(salary) AS m FROM staff WHERE name = :n GROUP BY dept' USING ('x' AS n)
-> dept: staff.dept
-> m: staff.salary
-> rows: FILTER staff.name; GROUP_BY staff.dept
# further: collations in keys and conditions [from 4.0]
SELECT name COLLATE UTF8_LCASE AS n, count(DISTINCT country COLLATE UNICODE) AS c FROM customers WHERE contains(email COLLATE UTF8_LCASE, 'X') GROUP BY name COLLATE UTF8_LCASE ORDER BY n
-> n: customers.name
-> c: customers.country
-> rows: FILTER customers.email; GROUP_BY customers.name; SORT customers.name
# further: lists in an order [from 4.0]
SELECT dept, listagg(name, '; ') WITHIN GROUP (ORDER BY hired DESC) AS l, string_agg(DISTINCT name) AS d FROM staff GROUP BY dept
-> dept: staff.dept
-> l: staff.name; SORT staff.hired
-> d: staff.name
-> rows: GROUP_BY staff.dept
# further: variants from json [from 4.0]
SELECT user_id, v:a.b::INT AS a, variant_get(v, '$.c[0]', 'string') AS c, schema_of_variant(v) AS s, try_variant_get(parse_json(url), '$.q', 'int') AS q FROM (SELECT user_id, try_parse_json(payload) AS v, url FROM events)
-> user_id: events.user_id
-> a: events.payload
-> c: events.payload
-> s: events.payload
-> q: events.url
# further: lateral subqueries in a chain [from 4.0]
SELECT c.id, t.s, u.m FROM customers c, LATERAL (SELECT sum(amount) AS s FROM orders o WHERE o.customer_id = c.id) t, LATERAL (SELECT max(p.paid_at) AS m FROM payments p WHERE p.amount > t.s) u
-> id: customers.id
-> s: orders.amount
-> m: payments.paid_at
-> rows: JOIN customers.id, orders.customer_id, payments.amount, orders.amount; MAY orders.customer_id
# further: lateral expressions [from 4.0]
SELECT o.id, x.net, y.r FROM orders o, LATERAL (SELECT o.amount - o.discount AS net) x, LATERAL (SELECT round(x.net, 1) AS r WHERE x.net > 0) y
-> id: orders.id
-> net: orders.amount, .discount
-> r: orders.amount, .discount
-> rows: FILTER orders.amount, .discount
# further: table function of columns [from 4.0]
SELECT c.id, t.key, t.value FROM customers c LEFT JOIN LATERAL posexplode(c.tags) AS t(key, value) ON t.value <> c.country
-> id: customers.id
-> key: customers.tags
-> value: customers.tags
-> rows: JOIN customers.tags, .country
# further: unpivot of structs' fields
SELECT id, k, v FROM (SELECT id, address.city AS city, address.zip AS zip, email FROM customers) UNPIVOT EXCLUDE NULLS (v FOR k IN (city AS `the city`, zip, email))
-> id: customers.id
-> k: -
-> v: customers.address.city, .address.zip, .email
-> rows: FILTER customers.address.city, .address.zip, .email
# further: three tables with three kinds of joins
SELECT c.name, o.id, p.method FROM customers c RIGHT OUTER JOIN orders o ON o.customer_id = c.id FULL OUTER JOIN payments p ON p.order_id = o.id AND p.amount = o.amount WHERE o.status IS DISTINCT FROM p.card
-> name: customers.name
-> id: orders.id
-> method: payments.method
-> rows: JOIN customers.id, orders.customer_id, payments.order_id, orders.id, payments.amount, orders.amount; FILTER orders.status, payments.card
# further: filter over an outer join that becomes an inner one
SELECT o.id, c.email FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE c.country = 'DE' AND o.amount BETWEEN 1 AND c.id
-> id: orders.id
-> email: customers.email
-> rows: JOIN customers.id, orders.customer_id; FILTER customers.country, orders.amount; MAY customers.id
# further: case over aggregates over case
SELECT status, CASE WHEN sum(CASE WHEN coupon IS NULL THEN amount ELSE discount END) > 10 THEN max(note) ELSE min(currency) END AS x FROM orders GROUP BY status
-> status: orders.status
-> x: orders.note, .currency; IF orders.amount, .discount, .coupon
-> rows: GROUP_BY orders.status
# further: group by position and alias
SELECT substr(email, instr(email, '@') + 1) AS domain, CASE WHEN active THEN 'on' ELSE 'off' END AS state, count(DISTINCT phone) AS n FROM customers GROUP BY 1, state HAVING n > 1
-> domain: customers.email
-> state: -; IF customers.active
-> n: customers.phone
-> rows: GROUP_BY customers.email, .active; FILTER customers.phone
# further: distinct on expressions with an order
SELECT DISTINCT upper(country) AS c, year(signup) AS y FROM customers ORDER BY y DESC, c LIMIT 5
-> c: customers.country
-> y: customers.signup
-> rows: GROUP_BY customers.country, .signup; SORT customers.signup, .country
# further: anti join of an aggregate
SELECT sku FROM products WHERE sku NOT IN (SELECT sku FROM stock GROUP BY sku HAVING sum(qty) > 0)
-> sku: products.sku
-> rows: JOIN products.sku, stock.sku; GROUP_BY stock.sku; FILTER stock.qty
# further: conditional counts over a join
SELECT d.day, count_if(e.name = 'buy') AS buys, sum(int(e.device.os = 'x')) AS xs, try_divide(count_if(e.name = 'buy'), count(e.user_id)) AS rate FROM calendar d LEFT JOIN events e ON e.day = CAST(d.day AS STRING) AND NOT d.holiday GROUP BY d.day
-> day: calendar.day
-> buys: events.name; IF ?events.name
-> xs: events.device.os
-> rate: events.name, .user_id; IF ?events.name
-> rows: JOIN events.day, calendar.day, .holiday; GROUP_BY calendar.day
# further: an array of structs by index and by filter
SELECT id, lines[1].price AS a, filter(lines, l -> l.sku = note)[0].qty AS b, element_at(lines, -1).sku AS c, array_contains(lines.sku, coupon) AS d, array_max(lines.price) AS e, size(lines) AS f FROM orders WHERE exists(lines, l -> l.qty > amount)
-> id: orders.id
-> a: orders.lines.price
-> b: orders.lines.qty, .note, ?.lines.sku, ?.lines
-> c: orders.lines.sku
-> d: orders.lines.sku, .coupon
-> e: orders.lines.price
-> f: orders.lines
-> rows: FILTER orders.lines.qty, .amount; MAY orders.lines
# further: flattened and distinct arrays
SELECT country, array_distinct(flatten(collect_list(tags))) AS t, array_union(array_agg(name), array('x')) AS u, array_except(collect_set(email), collect_set(phone)) AS e, cardinality(collect_set(prefs['a'])) AS n FROM customers GROUP BY country
-> country: customers.country
-> t: customers.tags
-> u: customers.name
-> e: customers.email, .phone
-> n: customers.prefs
-> rows: GROUP_BY customers.country
# further: functions of state are no sources
SELECT id, uuid() AS u, rand() AS r, current_timestamp() AS t, monotonically_increasing_id() AS m, input_file_name() AS f, current_user() AS w FROM staff WHERE rand(3) < 0.5 AND salary > 1
-> id: staff.id
-> u: -
-> r: -
-> t: -
-> m: -
-> f: -
-> w: -
-> rows: FILTER staff.salary
# further: nested fields of arrays in arrays
SELECT user_id, r.items.sku AS skus, r.items[0].opts['c'] AS c FROM (SELECT user_id, from_json(payload, 'items ARRAY<STRUCT<sku: STRING, opts: MAP<STRING, STRING>>>') AS r FROM events)
-> user_id: events.user_id
-> skus: events.payload
-> c: events.payload
# further: a cached table read twice [code]
spark.sql("CACHE LAZY TABLE hot OPTIONS ('storageLevel' = 'MEMORY_ONLY') AS SELECT dept, max(salary) AS top, count(id) AS n FROM staff WHERE hired IS NOT NULL GROUP BY dept")
frame = spark.sql("SELECT a.dept, b.n FROM hot a JOIN hot b ON a.top = b.top WHERE a.n > 1")
-> dept: staff.dept
-> n: staff.id
-> rows: FILTER staff.hired, .id; GROUP_BY staff.dept; JOIN staff.salary
