# windows: latest order per customer
SELECT id, customer_id, amount FROM (
  SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) AS rn FROM orders) WHERE rn = 1
-> = orders: id, customer_id, amount
-> rows: FILTER orders.customer_id, .placed_at, .id
# windows: qualify by subquery with rank kept
WITH ranked AS (SELECT sku, price, rank() OVER (PARTITION BY category ORDER BY price DESC) AS price_rank FROM products)
SELECT * FROM ranked WHERE price_rank <= 3
-> sku: products.sku
-> price: products.price
-> price_rank: -; WINDOW products.category, .price
-> rows: FILTER products.category, .price
# windows: running total
SELECT id, sum(amount) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running,
       avg(amount) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS moving,
       amount / sum(amount) OVER (PARTITION BY customer_id) AS share
FROM orders
-> id: orders.id
-> running: orders.amount; WINDOW orders.customer_id, .placed_at
-> moving: orders.amount; WINDOW orders.customer_id, .placed_at
-> share: orders.amount; WINDOW orders.customer_id
# windows: sessions from gaps
WITH marked AS (
  SELECT user_id, ts, url, CASE WHEN ts - lag(ts) OVER (PARTITION BY user_id ORDER BY ts) > INTERVAL 30 MINUTES THEN 1 ELSE 0 END AS is_new
  FROM events),
numbered AS (SELECT *, sum(is_new) OVER (PARTITION BY user_id ORDER BY ts) AS session_no FROM marked)
SELECT user_id, session_no, min(ts) AS started, max(ts) AS ended, count(*) AS hits, count(DISTINCT url) AS pages
FROM numbered GROUP BY user_id, session_no
-> user_id: events.user_id
-> session_no: -; IF events.ts, .user_id; WINDOW events.user_id, .ts
-> started: events.ts
-> ended: events.ts
-> hits: -
-> pages: events.url
-> rows: GROUP_BY events.user_id, .ts
# windows: session window function
SELECT user_id, session_window.start AS started, session_window.end AS ended, count(*) AS n
FROM events GROUP BY user_id, session_window(ts, '30 minutes')
-> user_id: events.user_id
-> started: events.ts
-> ended: events.ts
-> n: -
-> rows: GROUP_BY events.user_id, .ts; MAY events.ts
# windows: tumbling window
SELECT window.start AS hour, name, count(*) AS n FROM events GROUP BY window(ts, '1 hour'), name
-> hour: events.ts
-> name: events.name
-> n: -
-> rows: GROUP_BY events.ts, .name; MAY events.ts
# windows: sliding window and its time
SELECT window_time(w) AS at, n FROM (SELECT window(ts, '1 hour', '15 minutes') AS w, count(user_id) AS n FROM events GROUP BY window(ts, '1 hour', '15 minutes'))
-> at: events.ts
-> n: events.user_id
-> rows: GROUP_BY events.ts; MAY events.ts
# windows: previous and next
SELECT id, lag(amount, 1, 0) OVER w AS previous, lead(status) OVER w AS following,
       amount - lag(amount) OVER w AS change, datediff(placed_at, lag(placed_at) OVER w) AS days_between
FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at)
-> id: orders.id
-> previous: orders.amount; WINDOW orders.customer_id, .placed_at
-> following: orders.status; WINDOW orders.customer_id, .placed_at
-> change: orders.amount; WINDOW orders.customer_id, .placed_at
-> days_between: orders.placed_at; WINDOW orders.customer_id, .placed_at
# windows: last known value
SELECT entity, at, last_value(value) IGNORE NULLS OVER (PARTITION BY entity ORDER BY at) AS filled,
       first_value(value, true) OVER (PARTITION BY entity ORDER BY at DESC) AS newest,
       nth_value(value, 2) OVER (PARTITION BY entity ORDER BY at) AS second,
       nth_value(metric, 3) IGNORE NULLS OVER (PARTITION BY entity ORDER BY at) AS third
FROM metrics
-> entity: metrics.entity
-> at: metrics.at
-> filled: metrics.value; WINDOW metrics.entity, .at
-> newest: metrics.value; WINDOW metrics.entity, .at
-> second: metrics.value; WINDOW metrics.entity, .at
-> third: metrics.metric; WINDOW metrics.entity, .at
# windows: lag over nulls
SELECT entity, lag(value) IGNORE NULLS OVER (PARTITION BY entity ORDER BY at) AS before,
       lead(value, 2) IGNORE NULLS OVER (PARTITION BY entity ORDER BY at) AS after,
       coalesce(value, lag(value, 1) IGNORE NULLS OVER (PARTITION BY entity ORDER BY at)) AS carried
FROM metrics
-> entity: metrics.entity
-> before: metrics.value; WINDOW metrics.entity, .at
-> after: metrics.value; WINDOW metrics.entity, .at
-> carried: metrics.value; IF metrics.value, ?.entity, ?.at; WINDOW metrics.entity, .at
# windows: every ranking function
SELECT sku, rank() OVER w AS r, dense_rank() OVER w AS d, percent_rank() OVER w AS p, cume_dist() OVER w AS c,
       ntile(4) OVER w AS quartile, row_number() OVER w AS n
FROM products WINDOW w AS (PARTITION BY brand ORDER BY cost)
-> sku: products.sku
-> r: -; WINDOW products.brand, .cost
-> d: -; WINDOW products.brand, .cost
-> p: -; WINDOW products.brand, .cost
-> c: -; WINDOW products.brand, .cost
-> quartile: -; WINDOW products.brand, .cost
-> n: -; WINDOW products.brand, .cost
# windows: deciles of salary
SELECT dept, decile, avg(salary) AS mean FROM (SELECT dept, salary, ntile(10) OVER (ORDER BY salary) AS decile FROM staff)
GROUP BY dept, decile ORDER BY dept, decile
-> dept: staff.dept
-> decile: -; WINDOW staff.salary
-> mean: staff.salary
-> rows: GROUP_BY staff.dept, .salary; SORT staff.dept, .salary
# windows: gaps and islands
WITH days AS (SELECT DISTINCT user_id, to_date(day) AS d FROM events),
     islands AS (SELECT user_id, d, date_sub(d, cast(row_number() OVER (PARTITION BY user_id ORDER BY d) AS INT)) AS island FROM days)
SELECT user_id, min(d) AS first_day, max(d) AS last_day, count(*) AS streak FROM islands GROUP BY user_id, island HAVING count(*) >= 3
-> user_id: events.user_id
-> first_day: events.day
-> last_day: events.day
-> streak: -
-> rows: GROUP_BY events.user_id, .day
# windows: first touch attribution
SELECT user_id, first_value(parse_url(url, 'QUERY', 'utm_source')) OVER (PARTITION BY user_id ORDER BY ts) AS first_source,
       last_value(url) OVER (PARTITION BY user_id ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last_url
FROM events WHERE name IN ('visit', 'order')
-> user_id: events.user_id
-> first_source: events.url; WINDOW events.user_id, .ts
-> last_url: events.url; WINDOW events.user_id, .ts
-> rows: FILTER events.name
# windows: range of days [from 4.0]
SELECT sku, day, sum(qty) OVER (PARTITION BY sku ORDER BY day RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW) AS week_qty,
       count(*) OVER (PARTITION BY store) AS rows_of_store, max(qty) OVER () AS most
FROM stock
-> = stock: sku, day
-> week_qty: stock.qty; WINDOW stock.sku, .day
-> rows_of_store: -; WINDOW stock.store
-> most: stock.qty
# windows: conditional aggregate over a window
SELECT id, count(if(status = 'returned', 1, NULL)) OVER (PARTITION BY customer_id) AS returns,
       sum(CASE WHEN status = 'paid' THEN amount END) OVER (PARTITION BY customer_id ORDER BY dt) AS paid
FROM orders
-> id: orders.id
-> returns: -; IF orders.status; WINDOW orders.customer_id
-> paid: orders.amount; IF orders.status; WINDOW orders.customer_id, .dt
# windows: window over an aggregate
SELECT category, brand, sum(price) AS total, rank() OVER (PARTITION BY category ORDER BY sum(price) DESC) AS r,
       sum(sum(price)) OVER (PARTITION BY category) AS of_category
FROM products GROUP BY category, brand
-> category: products.category
-> brand: products.brand
-> total: products.price
-> r: -; WINDOW products.category, .price
-> of_category: products.price; WINDOW products.category
-> rows: GROUP_BY products.category, .brand
# windows: year over year
WITH monthly AS (SELECT date_trunc('MONTH', placed_at) AS m, sum(amount) AS revenue FROM orders GROUP BY 1)
SELECT m, revenue, lag(revenue, 12) OVER (ORDER BY m) AS last_year,
       round((revenue - lag(revenue, 12) OVER (ORDER BY m)) / nullif(lag(revenue, 12) OVER (ORDER BY m), 0) * 100, 1) AS growth
FROM monthly
-> m: orders.placed_at
-> revenue: orders.amount
-> last_year: orders.amount; WINDOW orders.placed_at
-> growth: orders.amount; IF orders.amount, ?.placed_at; WINDOW orders.placed_at
-> rows: GROUP_BY orders.placed_at
# windows: retention by cohort
WITH cohorts AS (SELECT customer_id, min(date_trunc('MONTH', placed_at)) AS cohort FROM orders GROUP BY customer_id),
     activity AS (SELECT o.customer_id, c.cohort, months_between(date_trunc('MONTH', o.placed_at), c.cohort) AS month_no
                  FROM orders o JOIN cohorts c ON c.customer_id = o.customer_id)
SELECT cohort, month_no, count(DISTINCT customer_id) AS customers,
       count(DISTINCT customer_id) / first_value(count(DISTINCT customer_id)) OVER (PARTITION BY cohort ORDER BY month_no) AS retention
FROM activity GROUP BY cohort, month_no
-> cohort: orders.placed_at
-> month_no: orders.placed_at
-> customers: orders.customer_id
-> retention: orders.customer_id; WINDOW orders.placed_at
-> rows: GROUP_BY orders.customer_id, .placed_at; JOIN orders.customer_id
# windows: funnel
WITH steps AS (
  SELECT user_id, min(if(name = 'view', ts, NULL)) AS viewed, min(if(name = 'cart', ts, NULL)) AS carted,
         min(if(name = 'order', ts, NULL)) AS ordered
  FROM events GROUP BY user_id)
SELECT count(viewed) AS views, count(CASE WHEN carted > viewed THEN 1 END) AS carts,
       count_if(ordered > carted AND carted > viewed) AS orders
FROM steps
-> views: events.ts; IF events.name
-> carts: -; IF events.ts, .name
-> orders: events.ts; IF events.name, ?.ts
-> rows: GROUP_BY events.user_id
# windows: funnel by order of events
SELECT user_id, max(step) AS deepest FROM (
  SELECT user_id, CASE name WHEN 'view' THEN 1 WHEN 'cart' THEN 2 WHEN 'order' THEN 3 END AS step, ts FROM events) GROUP BY ALL
-> user_id: events.user_id
-> deepest: -; IF events.name
-> rows: GROUP_BY events.user_id
# windows: conversion within a day
SELECT v.user_id, v.ts AS viewed_at, min(o.ts) AS ordered_at
FROM events v LEFT JOIN events o ON o.user_id = v.user_id AND o.name = 'order' AND o.ts BETWEEN v.ts AND v.ts + INTERVAL 1 DAY
WHERE v.name = 'view' GROUP BY v.user_id, v.ts
-> user_id: events.user_id
-> viewed_at: events.ts
-> ordered_at: events.ts
-> rows: FILTER events.name; JOIN events.user_id, .ts; GROUP_BY events.user_id, .ts
# windows: as of join by window
SELECT sku, dt, price FROM (
  SELECT s.sku, s.day AS dt, p.price, row_number() OVER (PARTITION BY s.sku, s.day ORDER BY p.valid_from DESC) AS rn
  FROM stock s JOIN prices p ON p.sku = s.sku AND p.valid_from <= s.day) WHERE rn = 1
-> sku: stock.sku
-> dt: stock.day
-> price: prices.price
-> rows: JOIN stock.sku, .day, prices.sku, .valid_from; FILTER ?stock.sku, .day, prices.valid_from
# windows: as of join by subquery [until 2.0]
SELECT o.id, o.amount * f.rate AS euros
FROM orders o JOIN fx f ON f.currency = o.currency
  AND f.day = (SELECT max(g.day) FROM fx g WHERE g.currency = o.currency AND g.day <= o.dt)
-> id: orders.id
-> euros: orders.amount, fx.rate
-> rows: JOIN orders.currency, fx.currency, .day, orders.dt; GROUP_BY ?fx.currency, ?orders.dt, ?orders.currency
# windows: latest rate by max_by
SELECT currency, max_by(rate, day) AS latest, min_by(rate, day) AS oldest, max(struct(day, rate)).rate AS same
FROM fx GROUP BY currency
-> currency: fx.currency
-> latest: fx.rate; IF fx.day
-> oldest: fx.rate; IF fx.day
-> same: fx.rate; IF fx.day
-> rows: GROUP_BY fx.currency
# windows: top three per group as list
SELECT category, slice(sort_array(collect_list(struct(price, sku)), false), 1, 3) AS top, array_agg(DISTINCT brand) AS brands
FROM products GROUP BY category
-> category: products.category
-> top: products.price, .sku
-> brands: products.brand
-> rows: GROUP_BY products.category
# windows: change points
SELECT entity, at, value FROM (
  SELECT entity, at, value, lag(value) OVER (PARTITION BY entity ORDER BY at) AS prev FROM metrics)
WHERE prev IS NULL OR prev <> value
-> = metrics: entity, at, value
-> rows: FILTER metrics.value, .entity, .at
# windows: percent of total by two levels
SELECT dept, name, salary, salary / sum(salary) OVER (PARTITION BY dept) AS of_dept, salary / sum(salary) OVER () AS of_all,
       salary > avg(salary) OVER (PARTITION BY dept) AS above
FROM staff
-> = staff: dept, name, salary
-> of_dept: staff.salary; WINDOW staff.dept
-> of_all: staff.salary
-> above: staff.salary; WINDOW staff.dept
# windows: statistics over windows
SELECT entity, stddev(value) OVER w AS dev, corr(value, unix_timestamp(at)) OVER w AS trend, skewness(value) OVER w AS skew,
       collect_set(metric) OVER w AS metrics, approx_count_distinct(metric) OVER w AS about,
       (value - avg(value) OVER w) / stddev_pop(value) OVER w AS z
FROM metrics WINDOW w AS (PARTITION BY entity)
-> entity: metrics.entity
-> dev: metrics.value; WINDOW metrics.entity
-> trend: metrics.value, .at; WINDOW metrics.entity
-> skew: metrics.value; WINDOW metrics.entity
-> metrics: metrics.metric; WINDOW metrics.entity
-> about: metrics.metric; WINDOW metrics.entity
-> z: metrics.value; WINDOW metrics.entity
# windows: median salary
SELECT dept, percentile_cont(0.5) WITHIN GROUP (ORDER BY salary) AS median, percentile_disc(0.9) WITHIN GROUP (ORDER BY salary DESC) AS p90,
       percentile_approx(salary, array(0.25, 0.75)) AS quartiles, mode(name) AS commonest, median(salary) AS med
FROM staff GROUP BY dept
-> dept: staff.dept
-> median: staff.salary
-> p90: staff.salary
-> quartiles: staff.salary
-> commonest: staff.name
-> med: staff.salary
-> rows: GROUP_BY staff.dept
# windows: lists in order [from 4.0]
SELECT dept, listagg(name, ', ') WITHIN GROUP (ORDER BY hired DESC) AS names, string_agg(DISTINCT name) AS plain FROM staff GROUP BY dept
-> dept: staff.dept
-> names: staff.name; SORT staff.hired
-> plain: staff.name
-> rows: GROUP_BY staff.dept
# windows: second highest
SELECT dept, max(salary) AS second FROM staff s
WHERE salary < (SELECT max(salary) FROM staff t WHERE t.dept = s.dept) GROUP BY dept
-> dept: staff.dept
-> second: staff.salary
-> rows: GROUP_BY staff.dept; MAY staff.salary, .dept; JOIN staff.dept
# windows: dense rank over expression keys
SELECT id, dense_rank() OVER (PARTITION BY date_trunc('MONTH', placed_at), upper(currency) ORDER BY amount - coalesce(discount, 0) DESC) AS r
FROM orders
-> id: orders.id
-> r: -; WINDOW orders.placed_at, .currency, .amount, .discount
# windows: deduplicated by hash
SELECT * FROM (SELECT order_no, total, row_number() OVER (PARTITION BY md5(concat_ws('|', order_no, cust_no)) ORDER BY order_date) AS rn FROM legacy_orders) t
WHERE t.rn = 1
-> order_no: legacy_orders.order_no
-> total: legacy_orders.total
-> rn: -; WINDOW legacy_orders.order_no, .cust_no, .order_date
-> rows: FILTER legacy_orders.order_no, .cust_no, .order_date
# windows: balance from movements
SELECT store, sku, day, sum(qty) OVER (PARTITION BY store, sku ORDER BY day) AS balance,
       sum(CASE WHEN qty > 0 THEN qty ELSE 0 END) OVER (PARTITION BY store, sku ORDER BY day) AS received
FROM stock
-> = stock: store, sku, day
-> balance: stock.qty; WINDOW stock.store, .sku, .day
-> received: stock.qty; IF stock.qty; WINDOW stock.store, .sku, .day
# windows: two windows, then a join
WITH a AS (SELECT customer_id, id, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at) AS n FROM orders)
SELECT f.customer_id, f.id AS first_id, s.id AS second_id FROM a f JOIN a s ON f.customer_id = s.customer_id AND s.n = f.n + 1
WHERE f.n = 1
-> customer_id: orders.customer_id
-> first_id: orders.id
-> second_id: orders.id
-> rows: FILTER orders.customer_id, .placed_at; JOIN orders.customer_id, ?.placed_at
