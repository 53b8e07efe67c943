# cleaning: staged customers
WITH source AS (SELECT * FROM customers), renamed AS (
  SELECT id AS customer_id, lower(trim(email)) AS email, initcap(name) AS full_name, upper(country) AS country_code,
         signup AS signed_up_on, coalesce(active, false) AS is_active
  FROM source)
SELECT * FROM renamed
-> customer_id: customers.id
-> email: customers.email
-> full_name: customers.name
-> country_code: customers.country
-> signed_up_on: customers.signup
-> is_active: customers.active; IF customers.active
# cleaning: phone digits
SELECT id, regexp_replace(phone, '[^0-9+]', '') AS digits,
       CASE WHEN phone LIKE '+%' THEN phone ELSE concat('+49', ltrim('0', phone)) END AS international
FROM customers WHERE phone IS NOT NULL
-> id: customers.id
-> digits: customers.phone
-> international: customers.phone; IF customers.phone
-> rows: FILTER customers.phone
# cleaning: email parts
SELECT id, split(email, '@')[0] AS local_part, substring_index(email, '@', -1) AS domain,
       regexp_extract(email, '^([^@]+)@(.+)\\.([a-z]{2,})$', 3) AS tld
FROM customers
-> id: customers.id
-> local_part: customers.email
-> domain: customers.email
-> tld: customers.email
# cleaning: names split in two
SELECT id, split_part(name, ' ', 1) AS first_name, nullif(split_part(name, ' ', 2), '') AS last_name FROM customers
-> id: customers.id
-> first_name: customers.name
-> last_name: customers.name; IF customers.name
# cleaning: empty to null
SELECT nullif(trim(coupon), '') AS coupon, nvl2(coupon, 'with', 'without') AS has_coupon, ifnull(note, '(none)') AS note
FROM orders
-> coupon: orders.coupon; IF orders.coupon
-> has_coupon: -; IF orders.coupon
-> note: orders.note; IF orders.note
# cleaning: select star except [from 4.0]
SELECT * EXCEPT (phone, birth, address, tags, prefs) FROM customers
-> = customers: id, email, name, country, signup, active, updated_at
# cleaning: status to code
SELECT id, CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 2 WHEN 'cancelled' THEN 9 ELSE 0 END AS status_code,
       decode(currency, 'EUR', 'euro', 'USD', 'dollar', currency) AS currency_name
FROM orders
-> id: orders.id
-> status_code: -; IF orders.status
-> currency_name: orders.currency; IF orders.currency
# cleaning: masked for support
SELECT id, sha2(lower(email), 256) AS email_hash, mask(phone) AS phone_masked,
       concat(left(name, 1), repeat('*', length(name) - 1)) AS name_masked, md5(concat_ws('|', id, email)) AS row_key
FROM customers
-> id: customers.id
-> email_hash: customers.email
-> phone_masked: customers.phone
-> name_masked: customers.name
-> row_key: customers.id, .email
# cleaning: legacy types
SELECT try_cast(order_no AS BIGINT) AS id, cast(regexp_replace(cust_no, '^C-', '') AS BIGINT) AS customer_id,
       try_to_number(total, '999999.99') AS amount, to_date(order_date, 'dd.MM.yyyy') AS dt, lower(state) AS status
FROM legacy_orders
WHERE order_no RLIKE '^[0-9]+$' AND state NOT IN ('DELETED', 'TEST')
-> id: legacy_orders.order_no
-> customer_id: legacy_orders.cust_no
-> amount: legacy_orders.total
-> dt: legacy_orders.order_date
-> status: legacy_orders.state
-> rows: FILTER legacy_orders.order_no, .state
# cleaning: log lines
SELECT host, regexp_extract(line, '^\\[([^\\]]+)\\]', 1) AS stamp,
       regexp_extract(line, '\\b(ERROR|WARN|INFO)\\b', 1) AS level,
       cast(regexp_extract(line, 'took=(\\d+)ms', 1) AS INT) AS took_ms
FROM logs WHERE line LIKE '%took=%' OR line LIKE '%[slow]%'
-> host: logs.host
-> stamp: logs.line
-> level: logs.line
-> took_ms: logs.line
-> rows: FILTER logs.line
# cleaning: every extracted word
SELECT host, word FROM logs LATERAL VIEW explode(regexp_extract_all(line, '(\\w+)=', 1)) w AS word
WHERE length(word) > 2
-> host: logs.host
-> word: logs.line
-> rows: FILTER logs.line
# cleaning: urls
SELECT parse_url(url, 'HOST') AS host, parse_url(url, 'PATH') AS path, parse_url(url, 'QUERY', 'utm_source') AS source,
       coalesce(parse_url(url, 'QUERY', 'utm_campaign'), 'none') AS campaign
FROM events
-> host: events.url
-> path: events.url
-> source: events.url
-> campaign: events.url; IF events.url
# cleaning: bad rows apart
SELECT *, CASE WHEN amount < 0 THEN 'negative' WHEN customer_id IS NULL THEN 'orphan' WHEN dt > current_date() THEN 'future'
       END AS problem
FROM (SELECT id, customer_id, amount, dt FROM orders)
WHERE amount < 0 OR customer_id IS NULL OR dt > current_date()
-> = orders: id, customer_id, amount, dt
-> problem: -; IF orders.amount, .customer_id, .dt
-> rows: FILTER orders.amount, .customer_id, .dt
# cleaning: age bands
SELECT id, floor(months_between(current_date(), birth) / 12) AS age,
       CASE WHEN floor(months_between(current_date(), birth) / 12) < 18 THEN 'minor'
            WHEN floor(months_between(current_date(), birth) / 12) BETWEEN 18 AND 64 THEN 'adult' ELSE 'senior' END AS band
FROM customers
-> id: customers.id
-> age: customers.birth
-> band: -; IF customers.birth
# cleaning: surrogate key
SELECT md5(cast(concat(coalesce(cast(order_id AS STRING), '_dbt_utils_surrogate_key_null_'), '-',
       coalesce(cast(method AS STRING), '_dbt_utils_surrogate_key_null_')) AS STRING)) AS payment_key, amount
FROM payments
-> payment_key: payments.order_id, .method; IF payments.order_id, .method
-> amount: payments.amount
# cleaning: cents to units
SELECT id, round(amount * 100) AS cents, cast(amount AS DECIMAL(18,4)) AS exact, bround(discount, 1) AS discount,
       format_number(amount, 2) AS shown, -amount AS negative, amount % 10 AS rest, amount DIV 10 AS tens
FROM orders
-> id: orders.id
-> cents: orders.amount
-> exact: orders.amount
-> discount: orders.discount
-> shown: orders.amount
-> negative: orders.amount
-> rest: orders.amount
-> tens: orders.amount
# cleaning: null safe difference
SELECT s.id, s.email FROM stage_customers s JOIN dim_customer d ON s.id = d.id
WHERE d.is_current AND NOT (s.email <=> d.email AND s.country <=> d.country)
-> = stage_customers: id, email
-> rows: JOIN stage_customers.id, dim_customer.id; MAY stage_customers.email, .country, dim_customer.email, .country; FILTER dim_customer.is_current
# cleaning: distinct from [from 4.0]
SELECT s.id, s.email IS DISTINCT FROM d.email AS changed FROM stage_customers s LEFT JOIN dim_customer d ON s.id = d.id
-> id: stage_customers.id
-> changed: stage_customers.email, dim_customer.email
-> rows: JOIN stage_customers.id, dim_customer.id
# cleaning: like any and all
SELECT sku, title FROM products
WHERE title LIKE ANY ('%shoe%', '%boot%') AND title NOT LIKE ALL ('%kids%', '%[used]%') AND brand ILIKE 'a%'
-> = products: sku, title
-> rows: FILTER products.title, .brand
# cleaning: trimmed both
SELECT trim(BOTH '"' FROM title) AS title, btrim(brand, '. ') AS brand, translate(category, 'äöü', 'aou') AS category,
       overlay(sku PLACING '***' FROM 3) AS sku, position('-' IN sku) AS dash
FROM products
-> title: products.title
-> brand: products.brand
-> category: products.category
-> sku: products.sku
-> dash: products.sku
# cleaning: dates from parts
SELECT make_date(year(dt), month(dt), 1) AS month_start, last_day(dt) AS month_end, date_format(placed_at, 'yyyy-MM') AS ym,
       extract(QUARTER FROM placed_at) AS quarter, dayofweek(dt) IN (1, 7) AS weekend, date_trunc('HOUR', placed_at) AS hour,
       unix_timestamp(shipped_at) - unix_timestamp(placed_at) AS seconds, datediff(shipped_at, placed_at) AS days
FROM orders
-> month_start: orders.dt
-> month_end: orders.dt
-> ym: orders.placed_at
-> quarter: orders.placed_at
-> weekend: orders.dt
-> hour: orders.placed_at
-> seconds: orders.shipped_at, .placed_at
-> days: orders.shipped_at, .placed_at
# cleaning: timezones
SELECT from_utc_timestamp(placed_at, 'Europe/Berlin') AS local, to_utc_timestamp(shipped_at, c.country) AS utc,
       timestampdiff(MINUTE, placed_at, shipped_at) AS minutes, dateadd(DAY, 3, dt) AS due
FROM orders o JOIN customers c ON c.id = o.customer_id
-> local: orders.placed_at
-> utc: orders.shipped_at, customers.country
-> minutes: orders.placed_at, .shipped_at
-> due: orders.dt
-> rows: JOIN orders.customer_id, customers.id
# cleaning: epochs
SELECT timestamp_millis(cast(get_json_object(payload, '$.t') AS BIGINT)) AS at, date_from_unix_date(user_id) AS odd,
       from_unixtime(user_id, 'yyyy-MM-dd HH') AS hour
FROM events
-> at: events.payload
-> odd: events.user_id
-> hour: events.user_id
# cleaning: duplicates removed
SELECT DISTINCT lower(email) AS email, country FROM customers WHERE email IS NOT NULL
-> email: customers.email
-> country: customers.country
-> rows: FILTER customers.email; GROUP_BY customers.email, .country
# cleaning: duplicate keys
SELECT email, count(*) AS n, min(id) AS first_id, collect_list(id) AS ids FROM customers GROUP BY email HAVING count(*) > 1
-> email: customers.email
-> n: -
-> first_id: customers.id
-> ids: customers.id
-> rows: GROUP_BY customers.email
# cleaning: not null test of dbt
SELECT count(*) AS failures, count(*) != 0 AS should_warn, count(*) != 0 AS should_error
FROM (SELECT email FROM customers WHERE email IS NULL) dbt_internal_test
-> failures: -
-> should_warn: -
-> should_error: -
-> rows: FILTER customers.email
# cleaning: unique test of dbt
SELECT count(*) AS failures FROM (
  SELECT id AS unique_field, count(*) AS n_records FROM orders WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1)
-> failures: -
-> rows: FILTER orders.id; GROUP_BY orders.id
# cleaning: relationships test of dbt
WITH child AS (SELECT customer_id AS from_field FROM orders WHERE customer_id IS NOT NULL),
     parent AS (SELECT id AS to_field FROM customers)
SELECT from_field FROM child LEFT JOIN parent ON child.from_field = parent.to_field WHERE parent.to_field IS NULL
-> from_field: orders.customer_id
-> rows: FILTER ?orders.customer_id; JOIN orders.customer_id, customers.id
# cleaning: accepted values test of dbt
WITH all_values AS (SELECT status AS value_field, count(*) AS n_records FROM orders GROUP BY status)
SELECT * FROM all_values WHERE value_field NOT IN ('open', 'paid', 'shipped', 'cancelled')
-> value_field: orders.status
-> n_records: -
-> rows: GROUP_BY orders.status; FILTER orders.status
# cleaning: union of sources
SELECT id, customer_id, amount, 'web' AS source FROM orders
UNION ALL
SELECT cast(order_no AS BIGINT), cast(substr(cust_no, 3) AS BIGINT), cast(total AS DECIMAL(12,2)), 'legacy' FROM legacy_orders
-> id: orders.id, legacy_orders.order_no
-> customer_id: orders.customer_id, legacy_orders.cust_no
-> amount: orders.amount, legacy_orders.total
-> source: -
# cleaning: union by name
SELECT id, email, country FROM customers
UNION
SELECT id, email, upper(country) AS country FROM stage_customers WHERE loaded_at > current_date()
-> id: customers.id, stage_customers.id
-> email: customers.email, stage_customers.email
-> country: customers.country, stage_customers.country
-> rows: FILTER stage_customers.loaded_at; GROUP_BY customers.id, .email, .country, stage_customers.id, .email, .country
# cleaning: values table joined
SELECT o.id, m.label FROM orders o JOIN VALUES ('paid', 'Paid (full)'), ('open', 'Open [unpaid]') AS m(code, label) ON o.status = m.code
-> id: orders.id
-> label: -
-> rows: JOIN orders.status
# cleaning: array of flags
SELECT id, array_compact(array(if(active, 'active', NULL), if(country = 'DE', 'home', NULL), if(size(tags) > 3, 'tagged', NULL))) AS flags
FROM customers
-> id: customers.id
-> flags: -; IF customers.active, .country, .tags
# cleaning: greatest and least
SELECT id, greatest(placed_at, shipped_at) AS last_seen, least(amount, discount, 100) AS smallest FROM orders
-> id: orders.id
-> last_seen: orders.placed_at, .shipped_at
-> smallest: orders.amount, .discount
# cleaning: bits and bytes
SELECT id & 255 AS low, id | 1 AS odd, id ^ customer_id AS mixed, ~id AS inverted, shiftleft(id, 2) AS more,
       hex(id) AS hexed, conv(hex(id), 16, 2) AS bits, base64(cast(note AS BINARY)) AS encoded,
       decode(unbase64(note), 'UTF-8') AS decoded
FROM orders
-> low: orders.id
-> odd: orders.id
-> mixed: orders.id, .customer_id
-> inverted: orders.id
-> more: orders.id
-> hexed: orders.id
-> bits: orders.id
-> encoded: orders.note
-> decoded: orders.note
# cleaning: sampled rows
SELECT id, status FROM orders TABLESAMPLE (10 PERCENT) REPEATABLE (7) WHERE rand() < 0.5
-> = orders: id, status
# cleaning: sampled buckets
SELECT id FROM orders TABLESAMPLE (BUCKET 1 OUT OF 10) s
-> id: orders.id
# cleaning: limit and offset
SELECT id, amount FROM orders ORDER BY amount DESC NULLS LAST, id LIMIT 20 OFFSET 40
-> = orders: id, amount
-> rows: SORT orders.amount, .id
# cleaning: hints
SELECT /*+ REPARTITION(4, customer_id), BROADCAST(c) */ o.id, c.country
FROM orders o JOIN customers c ON o.customer_id = c.id
-> id: orders.id
-> country: customers.country
-> rows: JOIN orders.customer_id, customers.id
# cleaning: distributed and sorted
SELECT id, status FROM orders DISTRIBUTE BY customer_id SORT BY placed_at DESC
-> = orders: id, status
-> rows: MAY orders.placed_at, .customer_id
# cleaning: monotonic ids
SELECT monotonically_increasing_id() AS row_id, uuid() AS token, spark_partition_id() AS part, input_file_name() AS file, id
FROM customers
-> row_id: -
-> token: -
-> part: -
-> file: -
-> id: customers.id
