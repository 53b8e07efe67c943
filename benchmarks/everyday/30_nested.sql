# nested: order lines
SELECT o.id, l.sku, l.qty * l.price AS line_total FROM orders o LATERAL VIEW explode(o.lines) x AS l WHERE l.qty > 0
-> id: orders.id
-> sku: orders.lines.sku
-> line_total: orders.lines.qty, .lines.price
-> rows: FILTER orders.lines.qty; MAY orders.lines, .lines.sku, .lines.price
# nested: order lines kept when empty
SELECT o.id, pos, l.sku FROM orders o LATERAL VIEW OUTER posexplode(o.lines) x AS pos, l
-> id: orders.id
-> pos: orders.lines.sku
-> sku: orders.lines.sku
# nested: inline lines joined with products
SELECT p.category, sum(qty * t.price) AS revenue FROM (SELECT sku, qty, price FROM orders LATERAL VIEW inline(lines) x AS sku, qty, price) t JOIN products p ON p.sku = t.sku
GROUP BY p.category
-> category: products.category
-> revenue: orders.lines.qty, .lines.price
-> rows: JOIN orders.lines.sku, products.sku; GROUP_BY products.category; MAY orders.lines, .lines.qty, .lines.price
# nested: explode in the select list
SELECT id, explode(tags) AS tag FROM customers
-> id: customers.id
-> tag: customers.tags
-> rows: MAY customers.tags
# nested: distinct tags counted
SELECT tag, count(DISTINCT id) AS customers FROM customers LATERAL VIEW explode(tags) t AS tag WHERE tag LIKE 'vip%' GROUP BY tag
-> tag: customers.tags
-> customers: customers.id
-> rows: FILTER customers.tags; GROUP_BY customers.tags
# nested: struct fields
SELECT id, address.city, address.geo.lat AS lat, upper(address.zip) AS zip, ship.carrier
FROM customers JOIN (SELECT customer_id, ship FROM orders) o ON o.customer_id = id
WHERE address.street IS NOT NULL
-> id: customers.id
-> city: customers.address.city
-> lat: customers.address.geo.lat
-> zip: customers.address.zip
-> carrier: orders.ship.carrier
-> rows: FILTER customers.address.street; JOIN customers.id, orders.customer_id
# nested: whole struct
SELECT id, address, address.* FROM customers
-> id: customers.id
-> address: customers.address
-> street: customers.address.street
-> city: customers.address.city
-> zip: customers.address.zip
-> geo: customers.address.geo
# nested: struct rebuilt
SELECT id, named_struct('city', address.city, 'at', named_struct('lat', address.geo.lat, 'lon', address.geo.lon)) AS place,
       struct(email, phone) AS contact
FROM customers
-> id: customers.id
-> place: customers.address.city, .address.geo.lat, .address.geo.lon
-> contact: customers.email, .phone
# nested: struct built and read again
WITH c AS (SELECT id, struct(email AS mail, struct(phone, country AS cc) AS tel) AS contact FROM customers)
SELECT id, contact.mail, contact.tel.cc FROM c WHERE contact.tel.phone IS NOT NULL
-> id: customers.id
-> mail: customers.email
-> cc: customers.country
-> rows: FILTER customers.phone
# nested: maps
SELECT id, prefs['lang'] AS lang, element_at(prefs, 'theme') AS theme, map_keys(prefs) AS keys, size(prefs) AS n,
       map_contains_key(prefs, 'beta') AS beta, coalesce(prefs['tz'], 'UTC') AS tz
FROM customers
-> id: customers.id
-> lang: customers.prefs
-> theme: customers.prefs
-> keys: customers.prefs
-> n: customers.prefs
-> beta: customers.prefs
-> tz: customers.prefs; IF customers.prefs
# nested: map exploded
SELECT id, key, value FROM customers LATERAL VIEW explode(prefs) p AS key, value WHERE key IN ('lang', 'tz')
-> id: customers.id
-> key: customers.prefs
-> value: customers.prefs
-> rows: FILTER customers.prefs
# nested: maps made
SELECT id, map('country', country, 'email', email) AS m, map_from_arrays(array('a', 'b'), array(name, phone)) AS n,
       map_from_entries(array(struct('x', id))) AS e, str_to_map(phone, ',', ':') AS s
FROM customers
-> id: customers.id
-> m: customers.country, .email
-> n: customers.name, .phone
-> e: customers.id
-> s: customers.phone
# nested: maps of lines
SELECT id, map_from_entries(transform(lines, l -> struct(l.sku, l.qty))) AS qty_by_sku,
       map_filter(map_from_entries(transform(lines, l -> struct(l.sku, l.price))), (k, v) -> v > discount) AS dear
FROM orders
-> id: orders.id
-> qty_by_sku: orders.lines.sku, .lines.qty
-> dear: orders.lines.sku, .lines.price, .discount
# nested: lambdas over lines
SELECT id, aggregate(lines, cast(0 AS DECIMAL(20,2)), (acc, l) -> cast(acc + l.qty * l.price AS DECIMAL(20,2))) AS total,
       exists(lines, l -> l.qty > 10) AS bulk, forall(lines, l -> l.price > 0) AS priced,
       transform(filter(lines, l -> l.qty > 1), l -> l.sku) AS several, array_max(lines.price) AS dearest
FROM orders
-> id: orders.id
-> total: orders.lines.qty, .lines.price
-> bulk: orders.lines.qty
-> priced: orders.lines.price
-> several: orders.lines.sku, ?.lines.qty; IF ?orders.lines.qty
-> dearest: orders.lines.price
# nested: reduce with a finish
SELECT id, reduce(lines.qty, 0, (a, q) -> a + q, a -> a * discount) AS r FROM orders
-> id: orders.id
-> r: orders.lines.qty, .discount
# nested: lambda over index
SELECT id, transform(tags, (t, i) -> concat(i, ':', t, '@', country)) AS numbered, zip_with(tags, map_keys(prefs), (a, b) -> concat(a, b)) AS zipped
FROM customers
-> id: customers.id
-> numbered: customers.tags, .country
-> zipped: customers.tags, .prefs
# nested: sorted by a comparator
SELECT id, array_sort(tags, (a, b) -> CASE WHEN length(a) < length(b) THEN -1 WHEN length(a) > length(b) THEN 1 ELSE 0 END) AS by_length,
       sort_array(tags, false) AS sorted, array_sort(array(name, email, country)) AS three
FROM customers
-> id: customers.id
-> by_length: customers.tags; IF ?customers.tags
-> sorted: customers.tags
-> three: customers.name, .email, .country
# nested: map lambdas
SELECT id, transform_keys(prefs, (k, v) -> upper(k)) AS a, transform_values(prefs, (k, v) -> concat(v, name)) AS b,
       map_zip_with(prefs, map('x', country), (k, v1, v2) -> concat(v1, v2)) AS c, map_concat(prefs, map('id', email)) AS d
FROM customers
-> id: customers.id
-> a: customers.prefs
-> b: customers.prefs, .name
-> c: customers.prefs, .country
-> d: customers.prefs, .email
# nested: array functions
SELECT id, array_contains(tags, country) AS a, array_position(tags, 'x') AS b, array_remove(tags, name) AS c, array_union(tags, array(email)) AS d,
       arrays_overlap(tags, array(phone)) AS e, array_join(tags, ', ', '?') AS f, flatten(array(tags, map_values(prefs))) AS g,
       array_repeat(name, 3) AS h, array_insert(tags, 1, country) AS i, array_size(tags) AS j, tags[0] AS k, get(tags, 1) AS l, reverse(tags) AS m,
       shuffle(tags) AS n, array_except(tags, array('x')) AS o, array_intersect(tags, split(name, ' ')) AS p
FROM customers
-> id: customers.id
-> a: customers.tags, .country
-> b: customers.tags
-> c: customers.tags, .name
-> d: customers.tags, .email
-> e: customers.tags, .phone
-> f: customers.tags
-> g: customers.tags, .prefs
-> h: customers.name
-> i: customers.tags, .country
-> j: customers.tags
-> k: customers.tags
-> l: customers.tags
-> m: customers.tags
-> n: customers.tags
-> o: customers.tags
-> p: customers.tags, .name
# nested: arrays zipped by field
SELECT id, z.tags AS tag, z.words AS word FROM (SELECT id, explode(arrays_zip(tags, words)) AS z FROM (SELECT id, tags, split(name, ' ') AS words FROM customers))
-> id: customers.id
-> tag: customers.tags
-> word: customers.name
-> rows: MAY customers.tags, .name
# nested: stack
SELECT id, kind, value FROM customers LATERAL VIEW stack(3, 'email', email, 'phone', phone, 'country', country) s AS kind, value WHERE value IS NOT NULL
-> id: customers.id
-> kind: -
-> value: customers.email, .phone, .country
-> rows: FILTER customers.email, .phone, .country
# nested: inline of built structs
SELECT id, kind, value FROM customers LATERAL VIEW inline(array(struct('email' AS kind, email AS value), struct('phone' AS kind, phone AS value))) t
-> id: customers.id
-> kind: -
-> value: customers.email, .phone
# nested: json fields
SELECT get_json_object(payload, '$.order.id') AS order_id, get_json_object(payload, '$.items[0].sku') AS sku,
       from_json(payload, 'order STRUCT<id: BIGINT, total: DOUBLE>').order.total AS total, json_array_length(payload) AS n,
       json_object_keys(payload) AS keys, schema_of_json('{"a": [1, 2]}') AS shape
FROM events
-> order_id: events.payload
-> sku: events.payload
-> total: events.payload
-> n: events.payload
-> keys: events.payload
-> shape: -
# nested: json tuple
SELECT user_id, a, b FROM events LATERAL VIEW json_tuple(payload, 'amount', 'bonus') j AS a, b WHERE a IS NOT NULL
-> user_id: events.user_id
-> a: events.payload
-> b: events.payload
-> rows: FILTER events.payload
# nested: json parsed, then exploded
WITH parsed AS (SELECT user_id, from_json(payload, 'items ARRAY<STRUCT<sku: STRING, qty: INT>>, coupon STRING') AS p FROM events WHERE name = 'order')
SELECT user_id, p.coupon, i.sku, i.qty FROM parsed LATERAL VIEW explode(p.items) x AS i
-> user_id: events.user_id
-> coupon: events.payload
-> sku: events.payload
-> qty: events.payload
-> rows: FILTER events.name, ?.payload; MAY events.payload
# nested: to json
SELECT id, to_json(named_struct('id', id, 'mail', email, 'city', address.city)) AS doc, to_csv(struct(id, name)) AS line,
       to_json(array(struct(tags))) AS tag_doc
FROM customers
-> id: customers.id
-> doc: customers.id, .email, .address.city
-> line: customers.id, .name
-> tag_doc: customers.tags
# nested: csv and xml
SELECT from_csv(line, 'a INT, b STRING').b AS b, xpath_string(line, '/a/b') AS x, from_csv(line, 'a INT, b STRING', map('sep', '|')).a AS a FROM logs
-> b: logs.line
-> x: logs.line
-> a: logs.line
# nested: filter by a nested array
SELECT id FROM orders WHERE exists(lines, l -> l.sku = 'A1') AND size(filter(lines, l -> l.price > 100)) > 0
-> id: orders.id
-> rows: FILTER orders.lines.sku, .lines.price; MAY orders.lines
# nested: grouped by a nested field
SELECT address.city AS city, ship.carrier AS carrier, sum(ship.cost) AS cost FROM orders JOIN customers ON customers.id = customer_id
GROUP BY address.city, ship.carrier
-> city: customers.address.city
-> carrier: orders.ship.carrier
-> cost: orders.ship.cost
-> rows: JOIN customers.id, orders.customer_id; GROUP_BY customers.address.city, orders.ship.carrier
# nested: collected structs
SELECT customer_id, collect_list(named_struct('id', id, 'at', placed_at, 'cost', ship.cost)) AS orders, map_from_entries(collect_list(struct(id, status))) AS states
FROM orders GROUP BY customer_id
-> customer_id: orders.customer_id
-> orders: orders.id, .placed_at, .ship.cost
-> states: orders.id, .status
-> rows: GROUP_BY orders.customer_id
# nested: collected and exploded again
WITH g AS (SELECT customer_id, collect_list(struct(id, amount)) AS os FROM orders GROUP BY customer_id)
SELECT customer_id, o.id, o.amount FROM g LATERAL VIEW explode(os) t AS o
-> = orders: customer_id, id, amount
-> rows: GROUP_BY orders.customer_id; MAY orders.id, .amount
# nested: fields changed
SELECT id, transform(lines, l -> named_struct('sku', upper(l.sku), 'value', l.qty * l.price)) AS lines FROM orders
-> id: orders.id
-> lines: orders.lines.sku, .lines.qty, .lines.price
# nested: date spine
SELECT d.day, count(o.id) AS orders, coalesce(sum(o.amount), 0) AS revenue
FROM (SELECT explode(sequence(DATE'2026-01-01', DATE'2026-12-31', INTERVAL 1 DAY)) AS day) d LEFT JOIN orders o ON o.dt = d.day
GROUP BY d.day
-> day: -
-> orders: orders.id
-> revenue: orders.amount; IF orders.amount
-> rows: JOIN orders.dt
# nested: spine per customer
SELECT c.id, explode(sequence(c.signup, current_date(), INTERVAL 1 MONTH)) AS month FROM customers c
-> id: customers.id
-> month: customers.signup
-> rows: MAY customers.signup
# nested: spine from calendar
WITH spine AS (SELECT day FROM calendar WHERE day BETWEEN '2026-01-01' AND '2026-03-31' AND NOT holiday),
     skus AS (SELECT DISTINCT sku FROM stock)
SELECT s.day, k.sku, coalesce(q.qty, 0) AS qty FROM spine s CROSS JOIN skus k LEFT JOIN stock q ON q.sku = k.sku AND q.day = s.day
-> day: calendar.day
-> sku: stock.sku
-> qty: stock.qty; IF stock.qty
-> rows: FILTER calendar.day, .holiday; JOIN stock.sku, .day, calendar.day; GROUP_BY stock.sku
# nested: numbers from range
SELECT r.id AS n, c.email FROM range(1, 10) r JOIN customers c ON c.id = r.id
-> n: -
-> email: customers.email
-> rows: JOIN customers.id
# nested: posexplode of split
SELECT id, pos + 1 AS word_no, lower(w) AS word FROM products p JOIN customers c ON c.name = p.brand LATERAL VIEW posexplode(split(p.title, '[ ,;()]+')) t AS pos, w
-> id: customers.id
-> word_no: products.title
-> word: products.title
-> rows: JOIN customers.name, products.brand
# nested: explode twice
SELECT id, t, p FROM customers LATERAL VIEW explode(tags) a AS t LATERAL VIEW explode(split(t, '-')) b AS p
-> id: customers.id
-> t: customers.tags
-> p: customers.tags
-> rows: MAY customers.tags
# nested: sha of a struct
SELECT sha2(to_json(struct(id, email, country)), 256) AS row_hash, xxhash64(id, address) AS h, hash(tags) AS t, crc32(name) AS c FROM customers
-> row_hash: customers.id, .email, .country
-> h: customers.id, .address
-> t: customers.tags
-> c: customers.name
