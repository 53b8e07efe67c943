# joins: dbt mart
WITH orders_ AS (SELECT * FROM orders), payments_ AS (SELECT * FROM payments WHERE NOT refunded),
order_payments AS (SELECT order_id, sum(CASE WHEN method = 'card' THEN amount ELSE 0 END) AS card_amount, sum(amount) AS total_amount FROM payments_ GROUP BY order_id),
final AS (SELECT orders_.id AS order_id, orders_.customer_id, orders_.status, order_payments.card_amount, coalesce(order_payments.total_amount, 0) AS amount
          FROM orders_ LEFT JOIN order_payments ON orders_.id = order_payments.order_id)
SELECT * FROM final
-> order_id: orders.id
-> customer_id: orders.customer_id
-> status: orders.status
-> card_amount: payments.amount; IF payments.method
-> amount: payments.amount; IF payments.amount
-> rows: FILTER payments.refunded; GROUP_BY payments.order_id; JOIN orders.id, payments.order_id
# joins: customers without orders
SELECT c.id, c.email FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.status = 'paid')
-> = customers: id, email
-> rows: JOIN customers.id, orders.customer_id; FILTER orders.status
# joins: customers with a big order
SELECT c.id FROM customers c WHERE EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.id AND o.amount > 100 * length(c.name))
-> id: customers.id
-> rows: JOIN customers.id, orders.customer_id, .amount, customers.name
# joins: in a list of a subquery
SELECT id, amount FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE country = 'DE') AND (currency, dt) IN (SELECT currency, day FROM fx)
-> = orders: id, amount
-> rows: JOIN orders.customer_id, customers.id, orders.currency, .dt, fx.currency, .day; FILTER customers.country
# joins: not in with nulls
SELECT sku FROM products WHERE sku NOT IN (SELECT sku FROM stock WHERE sku IS NOT NULL)
-> sku: products.sku
-> rows: JOIN products.sku, stock.sku; FILTER stock.sku
# joins: semi and anti
SELECT o.id FROM orders o LEFT SEMI JOIN customers c ON c.id = o.customer_id AND c.active LEFT ANTI JOIN payments p ON p.order_id = o.id AND p.refunded
-> id: orders.id
-> rows: JOIN orders.customer_id, customers.id, orders.id, payments.order_id; FILTER customers.active, payments.refunded
# joins: full outer with using
SELECT id, a.email AS crm, b.email AS staged FROM customers a FULL OUTER JOIN stage_customers b USING (id)
-> id: customers.id, stage_customers.id; IF customers.id, stage_customers.id
-> crm: customers.email
-> staged: stage_customers.email
-> rows: JOIN customers.id, stage_customers.id
# joins: reconciliation
SELECT coalesce(a.id, b.order_id) AS id, a.amount AS booked, b.paid, CASE WHEN a.id IS NULL THEN 'no order' WHEN b.order_id IS NULL THEN 'unpaid' WHEN a.amount <> b.paid THEN 'differs' ELSE 'ok' END AS state
FROM orders a FULL JOIN (SELECT order_id, sum(amount) AS paid FROM payments GROUP BY order_id) b ON a.id = b.order_id
-> id: orders.id, payments.order_id; IF orders.id, payments.order_id
-> booked: orders.amount
-> paid: payments.amount
-> state: -; IF orders.id, payments.order_id, orders.amount, payments.amount
-> rows: GROUP_BY payments.order_id; JOIN orders.id, payments.order_id
# joins: natural
SELECT sku, price, store FROM (SELECT sku, price FROM products) NATURAL JOIN (SELECT sku, store FROM stock)
-> sku: products.sku
-> price: products.price
-> store: stock.store
-> rows: JOIN products.sku, stock.sku
# joins: valid at the time
SELECT o.id, p.price AS list_price FROM (SELECT id, dt, lines[0].sku AS sku FROM orders) o
JOIN prices p ON o.sku = p.sku AND o.dt >= p.valid_from AND (o.dt < p.valid_to OR p.valid_to IS NULL)
-> id: orders.id
-> list_price: prices.price
-> rows: JOIN orders.lines.sku, prices.sku, orders.dt, prices.valid_from, .valid_to
# joins: cross with one row
SELECT o.id, o.amount / t.total AS share FROM orders o CROSS JOIN (SELECT sum(amount) AS total FROM orders) t
-> id: orders.id
-> share: orders.amount
# joins: scalar subqueries
SELECT id, amount - (SELECT avg(amount) FROM orders) AS above_mean, (SELECT max(day) FROM calendar WHERE holiday) AS last_holiday
FROM orders WHERE amount > (SELECT percentile_approx(amount, 0.9) FROM orders WHERE status = 'paid')
-> id: orders.id
-> above_mean: orders.amount
-> last_holiday: calendar.day
-> rows: FILTER orders.amount, .status, calendar.holiday
# joins: correlated scalars
SELECT c.id, (SELECT max(o.placed_at) FROM orders o WHERE o.customer_id = c.id) AS last_order, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id AND o.status = 'open') AS open_orders
FROM customers c
-> id: customers.id
-> last_order: orders.placed_at
-> open_orders: -
-> rows: JOIN customers.id, orders.customer_id; GROUP_BY orders.customer_id; FILTER orders.status
# joins: exists as a value
SELECT c.id, CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) THEN 'buyer' ELSE 'visitor' END AS kind,
       c.id IN (SELECT user_id FROM events) AS seen
FROM customers c
-> id: customers.id
-> kind: -; IF orders.customer_id, customers.id
-> seen: -
-> rows: JOIN customers.id, orders.customer_id, events.user_id
# joins: exists or another condition
SELECT id FROM orders o WHERE amount > 1000 OR EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id AND p.method = 'wire')
-> id: orders.id
-> rows: FILTER orders.amount, payments.method; JOIN orders.id, payments.order_id
# joins: lateral top order [from 4.0]
SELECT c.id, t.id AS order_id, t.amount FROM customers c, LATERAL (SELECT o.id, o.amount FROM orders o WHERE o.customer_id = c.id ORDER BY o.amount DESC LIMIT 1) t
-> id: customers.id
-> order_id: orders.id
-> amount: orders.amount
-> rows: JOIN customers.id, orders.customer_id; MAY orders.amount, .customer_id
# joins: lateral aggregates
SELECT c.id, s.n, s.total FROM customers c LEFT JOIN LATERAL (SELECT count(o.id) AS n, sum(o.amount) AS total FROM orders o WHERE o.customer_id = c.id) s
-> id: customers.id
-> n: orders.id
-> total: orders.amount
-> rows: JOIN customers.id, orders.customer_id; GROUP_BY orders.customer_id
# joins: lateral expressions
SELECT o.id, x.net, y.gross FROM orders o, LATERAL (SELECT o.amount - o.discount AS net) x, LATERAL (SELECT x.net * 1.19 AS gross) y
-> id: orders.id
-> net: orders.amount, .discount
-> gross: orders.amount, .discount
# joins: lateral column aliases
SELECT id, amount - coalesce(discount, 0) AS net, net * 0.19 AS tax, net + tax AS gross FROM orders WHERE dt > '2026-01-01'
-> id: orders.id
-> net: orders.amount, .discount; IF orders.discount
-> tax: orders.amount, .discount; IF orders.discount
-> gross: orders.amount, .discount; IF orders.discount
-> rows: FILTER orders.dt
# joins: managers
SELECT e.name, m.name AS boss, g.name AS grand_boss FROM staff e LEFT JOIN staff m ON m.id = e.boss_id LEFT JOIN staff g ON g.id = m.boss_id
-> name: staff.name
-> boss: staff.name
-> grand_boss: staff.name
-> rows: JOIN staff.id, .boss_id
# joins: earns more than the boss
SELECT e.name FROM staff e JOIN staff m ON e.boss_id = m.id WHERE e.salary > m.salary
-> name: staff.name
-> rows: JOIN staff.boss_id, .id, .salary
# joins: keys of expressions
SELECT c.id, l.order_no FROM customers c JOIN legacy_orders l ON cast(regexp_extract(l.cust_no, '(\\d+)$', 1) AS BIGINT) = c.id AND lower(l.state) = lower(c.country)
-> id: customers.id
-> order_no: legacy_orders.order_no
-> rows: JOIN customers.id, legacy_orders.cust_no, .state, customers.country
# joins: null safe
SELECT a.sku, b.store FROM products a LEFT JOIN stock b ON a.sku <=> b.sku AND coalesce(a.brand, '') = coalesce(b.store, '')
-> sku: products.sku
-> store: stock.store
-> rows: JOIN products.sku, stock.sku, products.brand, stock.store
# joins: or in the condition
SELECT o.id, c.id AS customer FROM orders o LEFT JOIN customers c ON o.customer_id = c.id OR o.note = c.email
-> id: orders.id
-> customer: customers.id
-> rows: JOIN orders.customer_id, customers.id, orders.note, customers.email
# joins: case in the condition
SELECT o.id, f.rate FROM orders o JOIN fx f ON f.day = o.dt AND f.currency = CASE WHEN o.currency IS NULL THEN 'EUR' ELSE upper(o.currency) END
-> id: orders.id
-> rate: fx.rate
-> rows: JOIN orders.dt, .currency, fx.day, .currency
# joins: range without keys
SELECT e.user_id, c.month FROM events e JOIN calendar c ON e.ts BETWEEN c.day AND date_add(c.day, 7)
-> user_id: events.user_id
-> month: calendar.month
-> rows: JOIN events.ts, calendar.day
# joins: six tables
SELECT o.id, c.country, pr.category, p.method, f.rate, k.month
FROM orders o JOIN customers c ON c.id = o.customer_id LEFT JOIN payments p ON p.order_id = o.id AND NOT p.refunded
JOIN fx f ON f.currency = o.currency AND f.day = o.dt JOIN calendar k ON k.day = o.dt JOIN products pr ON pr.sku = o.lines[0].sku
-> id: orders.id
-> country: customers.country
-> category: products.category
-> method: payments.method
-> rate: fx.rate
-> month: calendar.month
-> rows: JOIN customers.id, orders.customer_id, payments.order_id, orders.id, fx.currency, orders.currency, fx.day, orders.dt, calendar.day, products.sku, orders.lines.sku; FILTER payments.refunded
# joins: cte used twice
WITH m AS (SELECT date_trunc('MONTH', dt) AS month, sum(amount) AS total FROM orders GROUP BY date_trunc('MONTH', dt))
SELECT a.month, a.total, b.total AS before FROM m a LEFT JOIN m b ON b.month = add_months(a.month, -1)
-> month: orders.dt
-> total: orders.amount
-> before: orders.amount
-> rows: GROUP_BY orders.dt; JOIN orders.dt
# joins: union of joins
SELECT o.id, c.email AS who FROM orders o JOIN customers c ON c.id = o.customer_id
UNION ALL SELECT l.order_no, s.email FROM legacy_orders l LEFT JOIN stage_customers s ON cast(s.id AS STRING) = l.cust_no
-> id: orders.id, legacy_orders.order_no
-> who: customers.email, stage_customers.email
-> rows: JOIN customers.id, orders.customer_id, stage_customers.id, legacy_orders.cust_no
# joins: intersect and except
(SELECT email FROM customers INTERSECT SELECT email FROM stage_customers) EXCEPT SELECT email FROM dim_customer WHERE NOT is_current
-> email: customers.email
-> rows: JOIN customers.email, stage_customers.email, dim_customer.email; FILTER dim_customer.is_current; GROUP_BY ?customers.email
# joins: minus all
SELECT id, email FROM customers EXCEPT ALL SELECT id, email FROM stage_customers
-> = customers: id, email
-> rows: JOIN customers.id, .email, stage_customers.id, .email
# joins: subquery in having
SELECT brand, avg(price) AS mean FROM products GROUP BY brand HAVING avg(price) > (SELECT avg(price) FROM products WHERE category = 'shoes')
-> brand: products.brand
-> mean: products.price
-> rows: GROUP_BY products.brand; FILTER products.price, .category
# joins: subquery in the join
SELECT o.id, c.email FROM orders o JOIN customers c ON c.id = o.customer_id AND c.signup < (SELECT min(day) FROM calendar WHERE holiday)
-> id: orders.id
-> email: customers.email
-> rows: JOIN orders.customer_id, customers.id; FILTER customers.signup, calendar.holiday, .day
# joins: derived flags as keys
SELECT a.k, b.n FROM (SELECT CASE WHEN country = 'DE' THEN 'home' ELSE 'abroad' END AS k, id FROM customers) a
JOIN (SELECT if(currency = 'EUR', 'home', 'abroad') AS k, count(*) AS n FROM orders GROUP BY 1) b ON a.k = b.k
-> k: -; IF customers.country
-> n: -
-> rows: JOIN customers.country, orders.currency; GROUP_BY orders.currency
# joins: first order of each customer
SELECT c.id, c.email, f.first_order, datediff(f.first_order, c.signup) AS days_to_order
FROM customers c INNER JOIN (SELECT customer_id, min(dt) AS first_order FROM orders GROUP BY customer_id) f ON f.customer_id = c.id ORDER BY f.first_order, c.id
-> id: customers.id
-> email: customers.email
-> first_order: orders.dt
-> days_to_order: orders.dt, customers.signup
-> rows: GROUP_BY orders.customer_id; JOIN orders.customer_id, customers.id; SORT orders.dt, customers.id
# joins: overlapping intervals
SELECT a.sku, a.valid_from, b.valid_from AS other FROM prices a JOIN prices b ON a.sku = b.sku AND a.valid_from < b.valid_to AND b.valid_from < a.valid_to AND a.valid_from <> b.valid_from
-> sku: prices.sku
-> valid_from: prices.valid_from
-> other: prices.valid_from
-> rows: JOIN prices.sku, .valid_from, .valid_to
# joins: changed rows by hash
SELECT coalesce(s.id, d.id) AS id, CASE WHEN d.id IS NULL THEN 'new' WHEN s.id IS NULL THEN 'gone' ELSE 'changed' END AS what
FROM stage_customers s FULL OUTER JOIN (SELECT * FROM dim_customer WHERE is_current) d ON s.id = d.id
WHERE s.id IS NULL OR d.id IS NULL OR sha1(concat_ws('|', s.email, s.country)) <> sha1(concat_ws('|', d.email, d.country))
-> id: stage_customers.id, dim_customer.id; IF stage_customers.id, dim_customer.id
-> what: -; IF stage_customers.id, dim_customer.id
-> rows: JOIN stage_customers.id, dim_customer.id; FILTER dim_customer.is_current, stage_customers.id, dim_customer.id, stage_customers.email, .country, dim_customer.email, .country
# joins: exploded keys
SELECT c.id, p.title FROM (SELECT id, tag FROM customers LATERAL VIEW explode(tags) t AS tag) c JOIN products p ON p.sku = c.tag
-> id: customers.id
-> title: products.title
-> rows: JOIN customers.tags, products.sku
# joins: aggregated before the join
SELECT c.country, sum(o.n) AS orders, sum(e.n) AS events FROM customers c
LEFT JOIN (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) o ON o.customer_id = c.id
LEFT JOIN (SELECT user_id, count(url) AS n FROM events GROUP BY user_id) e ON e.user_id = c.id GROUP BY c.country
-> country: customers.country
-> orders: -
-> events: events.url
-> rows: GROUP_BY customers.country, orders.customer_id, events.user_id; JOIN customers.id, orders.customer_id, events.user_id
