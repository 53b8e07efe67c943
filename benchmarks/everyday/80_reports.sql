# reports: daily active users
SELECT to_date(ts) AS d, count(DISTINCT user_id) AS dau, count(DISTINCT session_id) AS sessions, count(*) / count(DISTINCT user_id) AS per_user
FROM events WHERE day >= '2026-10-01' AND name NOT IN ('heartbeat', 'ping') GROUP BY to_date(ts) ORDER BY d
-> d: events.ts
-> dau: events.user_id
-> sessions: events.session_id
-> per_user: events.user_id
-> rows: FILTER events.day, .name; GROUP_BY events.ts; SORT events.ts
# reports: monthly active of week
SELECT a.d, count(DISTINCT b.user_id) AS mau FROM (SELECT DISTINCT to_date(ts) AS d FROM events) a
JOIN events b ON to_date(b.ts) BETWEEN date_sub(a.d, 29) AND a.d GROUP BY a.d
-> d: events.ts
-> mau: events.user_id
-> rows: GROUP_BY events.ts; JOIN events.ts
# reports: new and returning
WITH firsts AS (SELECT customer_id, min(dt) AS first_dt FROM orders GROUP BY customer_id)
SELECT o.dt, count(DISTINCT if(o.dt = f.first_dt, o.customer_id, NULL)) AS new, count(DISTINCT if(o.dt > f.first_dt, o.customer_id, NULL)) AS returning
FROM orders o JOIN firsts f USING (customer_id) GROUP BY o.dt
-> dt: orders.dt
-> new: orders.customer_id; IF orders.dt
-> returning: orders.customer_id; IF orders.dt
-> rows: GROUP_BY orders.customer_id, .dt; JOIN orders.customer_id
# reports: churned customers
SELECT c.id, c.email, max(o.dt) AS last_order FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.email
HAVING max(o.dt) < add_months(current_date(), -6) OR max(o.dt) IS NULL
-> id: customers.id
-> email: customers.email
-> last_order: orders.dt
-> rows: JOIN orders.customer_id, customers.id; GROUP_BY customers.id, .email; FILTER orders.dt
# reports: delivery times
SELECT ship.carrier AS carrier, percentile(timestampdiff(HOUR, placed_at, shipped_at), 0.95) AS p95, avg(datediff(shipped_at, placed_at)) AS mean_days,
       sum(CASE WHEN shipped_at > placed_at + INTERVAL 3 DAYS THEN 1 ELSE 0 END) / count(shipped_at) AS late_share
FROM orders WHERE shipped_at IS NOT NULL GROUP BY ship.carrier
-> carrier: orders.ship.carrier
-> p95: orders.placed_at, .shipped_at
-> mean_days: orders.placed_at, .shipped_at
-> late_share: orders.shipped_at; IF orders.shipped_at, .placed_at
-> rows: FILTER orders.shipped_at; GROUP_BY orders.ship.carrier
# reports: margin per category
SELECT p.category, sum(l.qty * (l.price - p.cost)) AS margin, sum(l.qty * (l.price - p.cost)) / sum(l.qty * l.price) AS rate
FROM (SELECT explode(lines) AS l FROM orders WHERE status = 'paid') JOIN products p ON p.sku = l.sku GROUP BY p.category
-> category: products.category
-> margin: orders.lines.qty, .lines.price, products.cost
-> rate: orders.lines.qty, .lines.price, products.cost
-> rows: FILTER orders.status; JOIN products.sku, orders.lines.sku; GROUP_BY products.category; MAY orders.lines, .lines.qty, .lines.price
# reports: abc analysis
WITH sales AS (SELECT l.sku, sum(l.qty * l.price) AS revenue FROM orders LATERAL VIEW explode(lines) x AS l GROUP BY l.sku),
cumulated AS (SELECT sku, revenue, sum(revenue) OVER (ORDER BY revenue DESC) / sum(revenue) OVER () AS share FROM sales)
SELECT sku, CASE WHEN share <= 0.8 THEN 'A' WHEN share <= 0.95 THEN 'B' ELSE 'C' END AS class FROM cumulated
-> sku: orders.lines.sku
-> class: -; IF orders.lines.qty, .lines.price
-> rows: GROUP_BY orders.lines.sku; MAY orders.lines, .lines.qty, .lines.price
# reports: stock out days
SELECT c.day, s.sku FROM calendar c CROSS JOIN (SELECT DISTINCT sku FROM products) s LEFT JOIN stock k ON k.day = c.day AND k.sku = s.sku
WHERE NOT c.holiday AND coalesce(k.qty, 0) = 0
-> day: calendar.day
-> sku: products.sku
-> rows: GROUP_BY products.sku; JOIN stock.day, calendar.day, stock.sku, products.sku; FILTER calendar.holiday, stock.qty
# reports: refunds
SELECT date_format(p.paid_at, 'yyyy-MM') AS month, p.method, sum(p.amount) FILTER (WHERE p.refunded) AS refunded, sum(p.amount) AS paid,
       round(100 * sum(if(p.refunded, p.amount, 0)) / sum(p.amount), 2) AS pct
FROM payments p GROUP BY 1, 2 HAVING sum(p.amount) > 0
-> month: payments.paid_at
-> method: payments.method
-> refunded: payments.amount; IF payments.refunded
-> paid: payments.amount
-> pct: payments.amount; IF payments.refunded
-> rows: GROUP_BY payments.paid_at, .method; FILTER payments.amount
# reports: cards masked
SELECT concat('**** ', right(card, 4)) AS card, regexp_replace(card, '\\d(?=\\d{4})', 'x') AS shown, count(*) AS n FROM payments WHERE card RLIKE '^[0-9]{16}$' GROUP BY card
-> card: payments.card; IF ?payments.card
-> shown: payments.card
-> n: -
-> rows: FILTER payments.card; GROUP_BY payments.card
# reports: payment mix
SELECT order_id, array_sort(collect_set(method)) AS methods, size(collect_set(method)) > 1 AS mixed, map_from_arrays(collect_list(method), collect_list(amount)) AS by_method
FROM payments GROUP BY order_id
-> order_id: payments.order_id
-> methods: payments.method
-> mixed: payments.method
-> by_method: payments.method, .amount
-> rows: GROUP_BY payments.order_id
# reports: last status per order and day
SELECT id, dt, max_by(status, placed_at) AS status, max(placed_at) AS at, count_if(status = 'open') > 0 AS was_open FROM orders GROUP BY id, dt
-> id: orders.id
-> dt: orders.dt
-> status: orders.status; IF orders.placed_at
-> at: orders.placed_at
-> was_open: orders.status; IF ?orders.status
-> rows: GROUP_BY orders.id, .dt
# reports: device share
SELECT device.os, device.browser, count(*) AS n, count(*) / sum(count(*)) OVER (PARTITION BY device.os) AS share FROM events GROUP BY device.os, device.browser
-> os: events.device.os
-> browser: events.device.browser
-> n: -
-> share: -; WINDOW events.device.os
-> rows: GROUP_BY events.device.os, .device.browser
# reports: paths of pages
SELECT user_id, session_id, array_join(transform(sort_array(collect_list(struct(ts, url))), s -> s.url), ' > ') AS path
FROM events GROUP BY user_id, session_id
-> user_id: events.user_id
-> session_id: events.session_id
-> path: events.url, ?.ts
-> rows: GROUP_BY events.user_id, .session_id
# reports: bounce rate
SELECT day, avg(CASE WHEN hits = 1 THEN 1.0 ELSE 0.0 END) AS bounce FROM (SELECT day, session_id, count(url) AS hits FROM events GROUP BY day, session_id) GROUP BY day
-> day: events.day
-> bounce: -; IF events.url
-> rows: GROUP_BY events.day, .session_id
# reports: salaries above their department
SELECT s.name, s.dept, s.salary - d.mean AS above FROM staff s JOIN (SELECT dept, avg(salary) AS mean FROM staff GROUP BY dept) d ON d.dept = s.dept WHERE s.salary > d.mean
-> name: staff.name
-> dept: staff.dept
-> above: staff.salary
-> rows: GROUP_BY staff.dept; JOIN staff.dept, ?.salary; FILTER ?staff.salary
# reports: hires per quarter
SELECT concat(year(hired), '-Q', quarter(hired)) AS q, dept, count(*) AS hires, sum(count(*)) OVER (PARTITION BY dept ORDER BY concat(year(hired), '-Q', quarter(hired))) AS so_far
FROM staff GROUP BY concat(year(hired), '-Q', quarter(hired)), dept
-> q: staff.hired
-> dept: staff.dept
-> hires: -
-> so_far: -; WINDOW staff.dept, .hired
-> rows: GROUP_BY staff.hired, .dept
# reports: currency conversion
SELECT o.id, round(o.amount * CASE WHEN o.currency = 'EUR' THEN 1 ELSE f.rate END, 2) AS eur FROM orders o LEFT JOIN fx f ON f.currency = o.currency AND f.day = o.dt
-> id: orders.id
-> eur: orders.amount, fx.rate; IF orders.currency
-> rows: JOIN fx.currency, .day, orders.currency, .dt
# reports: outliers
SELECT entity, at, value FROM metrics m JOIN (SELECT entity AS e, avg(value) AS mu, stddev(value) AS sd FROM metrics GROUP BY entity) s ON m.entity = s.e
WHERE abs(m.value - s.mu) > 3 * s.sd
-> = metrics: entity, at, value
-> rows: GROUP_BY metrics.entity; JOIN metrics.entity, ?.value; FILTER ?metrics.value
# reports: latest metric per entity wide
SELECT entity, max_by(value, at) FILTER (WHERE metric = 'cpu') AS cpu, max_by(value, at) FILTER (WHERE metric = 'mem') AS mem, max(at) AS at FROM metrics GROUP BY entity
-> entity: metrics.entity
-> cpu: metrics.value; IF metrics.at, .metric
-> mem: metrics.value; IF metrics.at, .metric
-> at: metrics.at
-> rows: GROUP_BY metrics.entity
# reports: errors per host
SELECT host, date_trunc('HOUR', at) AS h, count_if(line RLIKE '\\bERROR\\b') AS errors, max(if(line LIKE '%OutOfMemory%', at, NULL)) AS last_oom, approx_count_distinct(substring(line, 1, 40)) AS kinds
FROM logs GROUP BY host, date_trunc('HOUR', at)
-> host: logs.host
-> h: logs.at
-> errors: logs.line; IF ?logs.line
-> last_oom: logs.at; IF logs.line
-> kinds: logs.line
-> rows: GROUP_BY logs.host, .at
# reports: quoted text in messages
SELECT regexp_extract(line, "'([^']*)'", 1) AS quoted, substring_index(substring_index(line, '(', -1), ')', 1) AS inside, instr(line, '...') AS cut,
       replace(line, ', ', ' | ') AS piped, line = '' OR line = '[]' OR line = '{}' AS empty
FROM logs WHERE line NOT LIKE '#%' AND line <> '== Physical Plan ==' AND line != '+- Scan [a#1]'
-> quoted: logs.line
-> inside: logs.line
-> cut: logs.line
-> piped: logs.line
-> empty: logs.line
-> rows: FILTER logs.line
# reports: price changes
SELECT sku, valid_from, price, price - lag(price) OVER (PARTITION BY sku ORDER BY valid_from) AS delta,
       sign(price - lag(price) OVER (PARTITION BY sku ORDER BY valid_from)) AS direction,
       CASE WHEN lead(valid_from) OVER (PARTITION BY sku ORDER BY valid_from) IS NULL THEN 'current' ELSE 'past' END AS state
FROM prices
-> = prices: sku, valid_from, price
-> delta: prices.price; WINDOW prices.sku, .valid_from
-> direction: prices.price; WINDOW prices.sku, .valid_from
-> state: -; IF prices.valid_from, .sku
# reports: products never sold
SELECT p.sku, p.title FROM products p LEFT ANTI JOIN (SELECT DISTINCT explode(lines.sku) AS sku FROM orders) s ON s.sku = p.sku WHERE p.launched < '2026-01-01'
-> = products: sku, title
-> rows: JOIN products.sku, orders.lines.sku; FILTER products.launched; MAY orders.lines.sku; GROUP_BY orders.lines.sku
# reports: attribute search
SELECT sku, attrs['color'] AS color, map_values(attrs)[0] AS first_attr FROM products WHERE attrs['color'] IN ('red', 'blue') AND array_contains(map_keys(attrs), 'size')
-> sku: products.sku
-> color: products.attrs
-> first_attr: products.attrs
-> rows: FILTER products.attrs
# reports: attributes as rows
SELECT a.key AS attribute, a.value, count(DISTINCT sku) AS skus FROM products LATERAL VIEW explode(attrs) a AS key, value GROUP BY a.key, a.value
-> attribute: products.attrs
-> value: products.attrs
-> skus: products.sku
-> rows: GROUP_BY products.attrs
# reports: coupons
SELECT upper(trim(coupon)) AS coupon, count(*) AS uses, sum(discount) AS given, sum(discount) / sum(amount) AS depth FROM orders WHERE coalesce(trim(coupon), '') <> '' GROUP BY upper(trim(coupon))
-> coupon: orders.coupon
-> uses: -
-> given: orders.discount
-> depth: orders.discount, .amount
-> rows: FILTER orders.coupon; GROUP_BY orders.coupon
# reports: hour by weekday
SELECT date_format(placed_at, 'EEEE') AS weekday, sum(if(hour(placed_at) BETWEEN 0 AND 11, 1, 0)) AS morning, sum(if(hour(placed_at) >= 12, amount, 0)) AS afternoon
FROM orders GROUP BY date_format(placed_at, 'EEEE')
-> weekday: orders.placed_at
-> morning: -; IF orders.placed_at
-> afternoon: orders.amount; IF orders.placed_at
-> rows: GROUP_BY orders.placed_at
# reports: address book
SELECT concat_ws(', ', name, address.street, concat(address.zip, ' ', address.city)) AS label, coalesce(address.geo.lat, 0) AS lat FROM customers WHERE address.geo IS NOT NULL
-> label: customers.name, .address.street, .address.zip, .address.city
-> lat: customers.address.geo.lat; IF customers.address.geo.lat
-> rows: FILTER customers.address.geo
# reports: data quality
SELECT 'customers' AS t, count(*) AS n, sum(if(email IS NULL, 1, 0)) AS no_email, sum(if(NOT (email RLIKE '^[^@ ]+@[^@ ]+$'), 1, 0)) AS bad_email, count(DISTINCT id) = count(*) AS is_unique FROM customers
UNION ALL SELECT 'stage', count(*), sum(if(email IS NULL, 1, 0)), 0, count(DISTINCT id) = count(*) FROM stage_customers
-> t: -
-> n: -
-> no_email: -; IF customers.email, stage_customers.email
-> bad_email: -; IF customers.email
-> is_unique: customers.id, stage_customers.id
# reports: freshness
SELECT max(loaded_at) AS newest, timestampdiff(HOUR, max(loaded_at), current_timestamp()) AS hours FROM stage_customers
-> newest: stage_customers.loaded_at
-> hours: stage_customers.loaded_at
# reports: top n with others
WITH t AS (SELECT country, count(id) AS n FROM customers GROUP BY country), r AS (SELECT country, n, row_number() OVER (ORDER BY n DESC) AS k FROM t)
SELECT CASE WHEN k <= 5 THEN country ELSE 'other' END AS country, sum(n) AS customers FROM r GROUP BY CASE WHEN k <= 5 THEN country ELSE 'other' END
-> country: customers.country; IF customers.id
-> customers: customers.id
-> rows: GROUP_BY customers.country, .id
