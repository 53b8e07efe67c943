# writes: prepare targets
CREATE TABLE mart.daily (day DATE, orders BIGINT, revenue DECIMAL(22,2)) USING parquet
# writes: prepare partitioned target
CREATE TABLE mart.fact_orders (id BIGINT, customer_id BIGINT, net DECIMAL(13,2), country STRING, dt DATE) USING parquet PARTITIONED BY (dt)
# writes: prepare copy
CREATE TABLE mart.people (id BIGINT, email STRING, country STRING) USING parquet
# writes: create table as select
CREATE TABLE mart.customer_orders USING parquet AS
WITH c AS (SELECT id, email, country FROM customers), o AS (SELECT customer_id, min(dt) AS first_order, max(dt) AS last_order, count(id) AS number_of_orders, sum(amount) AS lifetime_value FROM orders GROUP BY customer_id)
SELECT c.id AS customer_id, c.email, c.country, o.first_order, o.last_order, coalesce(o.number_of_orders, 0) AS number_of_orders, o.lifetime_value
FROM c LEFT JOIN o ON c.id = o.customer_id
-> customer_id: customers.id
-> email: customers.email
-> country: customers.country
-> first_order: orders.dt
-> last_order: orders.dt
-> number_of_orders: orders.id; IF orders.id
-> lifetime_value: orders.amount
-> rows: GROUP_BY orders.customer_id; JOIN customers.id, orders.customer_id
-> to: mart.customer_orders
# writes: insert into
INSERT INTO mart.daily SELECT dt, count(*), sum(amount) FROM orders WHERE status IN ('paid', 'shipped') GROUP BY dt
-> day: orders.dt
-> orders: -
-> revenue: orders.amount
-> rows: FILTER orders.status; GROUP_BY orders.dt
-> to: mart.daily
# writes: insert overwrite
INSERT OVERWRITE mart.people SELECT id, lower(email), country FROM customers WHERE active
-> id: customers.id
-> email: customers.email
-> country: customers.country
-> rows: FILTER customers.active
-> to: mart.people
# writes: insert with a column list
INSERT INTO mart.people (country, id) SELECT upper(country), id FROM stage_customers
-> id: stage_customers.id
-> email: -
-> country: stage_customers.country
-> to: mart.people
# writes: insert by name
INSERT INTO mart.people BY NAME SELECT country, email AS email, id + 1 AS id FROM stage_customers
-> id: stage_customers.id
-> email: stage_customers.email
-> country: stage_customers.country
-> to: mart.people
# writes: insert of a static partition
INSERT OVERWRITE mart.fact_orders PARTITION (dt = '2026-11-01') SELECT o.id, o.customer_id, o.amount - coalesce(o.discount, 0), c.country FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.dt = '2026-11-01'
-> id: orders.id
-> customer_id: orders.customer_id
-> net: orders.amount, .discount; IF orders.discount
-> country: customers.country
-> dt: -
-> rows: FILTER orders.dt; JOIN customers.id, orders.customer_id
-> to: mart.fact_orders
# writes: insert of dynamic partitions
INSERT INTO mart.fact_orders PARTITION (dt) SELECT id, customer_id, amount, 'n/a', dt FROM orders
-> id: orders.id
-> customer_id: orders.customer_id
-> net: orders.amount
-> country: -
-> dt: orders.dt
-> to: mart.fact_orders
# writes: insert values
INSERT INTO mart.people VALUES (1, 'a@b.c', 'DE'), (2, NULL, 'FR')
-> id: -
-> email: -
-> country: -
-> to: mart.people
# writes: multi insert
FROM customers INSERT INTO mart.people SELECT id, email, country WHERE active INSERT OVERWRITE mart.daily SELECT signup, id, NULL WHERE NOT active
-> none
# writes: directory
INSERT OVERWRITE DIRECTORY '/tmp/everyday_sql_export' USING json SELECT id, to_json(address) AS address FROM customers
-> id: customers.id
-> address: customers.address
-> to: file:///tmp/everyday_sql_export
# writes: view over two tables
CREATE OR REPLACE VIEW mart.v_orders AS SELECT o.id, o.amount, c.email FROM orders o JOIN customers c ON o.customer_id = c.id WHERE o.status <> 'cancelled'
-> id: orders.id
-> amount: orders.amount
-> email: customers.email
-> rows: FILTER orders.status; JOIN orders.customer_id, customers.id
-> to: mart.v_orders
# writes: table from a view
CREATE TABLE mart.from_view USING parquet AS SELECT email, sum(amount) AS total FROM mart.v_orders GROUP BY email
-> email: customers.email
-> total: orders.amount
-> rows: FILTER orders.status; JOIN orders.customer_id, customers.id; GROUP_BY customers.email
-> to: mart.from_view
# writes: temporary view
CREATE TEMPORARY VIEW recent AS SELECT id, customer_id, amount, placed_at FROM orders WHERE dt > date_sub(current_date(), 30)
# writes: query of a temporary view
SELECT customer_id, sum(amount) AS s FROM recent GROUP BY customer_id
-> customer_id: orders.customer_id
-> s: orders.amount
-> rows: FILTER orders.dt; GROUP_BY orders.customer_id
# writes: cached table
CACHE TABLE big_spenders AS SELECT customer_id, sum(amount) AS total FROM orders GROUP BY customer_id HAVING sum(amount) > 100
# writes: query of a cached table
SELECT c.email, b.total FROM big_spenders b JOIN customers c ON c.id = b.customer_id
-> email: customers.email
-> total: orders.amount
-> rows: GROUP_BY orders.customer_id; FILTER orders.amount; JOIN orders.customer_id, customers.id
# writes: clustered copy
CREATE TABLE mart.bucketed USING parquet CLUSTERED BY (id) INTO 4 BUCKETS AS SELECT id, sku, day FROM (SELECT l.sku, id, dt AS day FROM orders LATERAL VIEW explode(lines) t AS l)
-> id: orders.id
-> sku: orders.lines.sku
-> day: orders.dt
-> rows: MAY orders.lines, .lines.sku
-> to: mart.bucketed
# writes: union of everything
CREATE TABLE mart.all_contacts USING parquet AS SELECT 'crm' AS origin, id, email, NULL AS loaded_at FROM customers UNION ALL SELECT 'stage', id, email, loaded_at FROM stage_customers UNION ALL SELECT 'dim', id, email, valid_from FROM dim_customer
-> origin: -
-> id: customers.id, stage_customers.id, dim_customer.id
-> email: customers.email, stage_customers.email, dim_customer.email
-> loaded_at: stage_customers.loaded_at, dim_customer.valid_from
-> to: mart.all_contacts
# writes: history by insert
INSERT INTO dim_customer
SELECT row_number() OVER (ORDER BY s.id) + (SELECT coalesce(max(sk), 0) FROM dim_customer), s.id, s.email, s.country, s.loaded_at, CAST(NULL AS TIMESTAMP), true
FROM stage_customers s LEFT JOIN dim_customer d ON d.id = s.id AND d.is_current WHERE d.id IS NULL OR NOT (d.email <=> s.email)
-> sk: dim_customer.sk; IF dim_customer.sk; WINDOW stage_customers.id
-> id: stage_customers.id
-> email: stage_customers.email
-> country: stage_customers.country
-> valid_from: stage_customers.loaded_at
-> valid_to: -
-> is_current: -
-> rows: JOIN dim_customer.id, stage_customers.id; FILTER dim_customer.is_current, .id, .email, stage_customers.email
-> to: dim_customer
# writes: history rewritten
CREATE TABLE mart.dim_history USING parquet AS
WITH versions AS (SELECT id, email, country, loaded_at, lag(md5(concat_ws('|', email, country))) OVER (PARTITION BY id ORDER BY loaded_at) AS prev_hash, md5(concat_ws('|', email, country)) AS hash FROM stage_customers),
changes AS (SELECT * FROM versions WHERE prev_hash IS NULL OR prev_hash <> hash)
SELECT id, email, country, loaded_at AS valid_from, coalesce(lead(loaded_at) OVER (PARTITION BY id ORDER BY loaded_at), TIMESTAMP'9999-12-31') AS valid_to,
       lead(loaded_at) OVER (PARTITION BY id ORDER BY loaded_at) IS NULL AS is_current
FROM changes
-> = stage_customers: id, email, country
-> valid_from: stage_customers.loaded_at
-> valid_to: stage_customers.loaded_at; IF stage_customers.loaded_at, ?.id; WINDOW stage_customers.id, .loaded_at
-> is_current: stage_customers.loaded_at; WINDOW stage_customers.id, .loaded_at
-> rows: FILTER stage_customers.email, .country, .id, .loaded_at
-> to: mart.dim_history
# writes: replace by name of columns
INSERT OVERWRITE mart.people BY NAME SELECT email, id, country FROM (SELECT d.id, d.email, d.country, rank() OVER (PARTITION BY d.id ORDER BY d.valid_from DESC) AS r FROM dim_customer d) WHERE r = 1
-> id: dim_customer.id
-> email: dim_customer.email
-> country: dim_customer.country
-> rows: FILTER dim_customer.id, .valid_from
-> to: mart.people
# writes: insert a table
INSERT INTO mart.people TABLE mart.people
-> = people: id, email, country
-> to: mart.people
# writes: delta targets [delta]
CREATE TABLE mart.dim (id BIGINT, email STRING, country STRING, valid_from TIMESTAMP, valid_to TIMESTAMP, is_current BOOLEAN) USING delta
# writes: delta upsert [delta]
MERGE INTO mart.dim t USING (SELECT id, lower(email) AS email, country, loaded_at FROM stage_customers) s ON t.id = s.id
WHEN MATCHED AND s.loaded_at > t.valid_from THEN UPDATE SET email = s.email, country = s.country, valid_from = s.loaded_at
WHEN NOT MATCHED THEN INSERT (id, email, country, valid_from, valid_to, is_current) VALUES (s.id, s.email, s.country, s.loaded_at, NULL, true)
-> none
# writes: delta slowly changing [delta]
MERGE INTO mart.dim t USING (
  SELECT s.id AS merge_key, s.* FROM stage_customers s
  UNION ALL SELECT NULL AS merge_key, s.* FROM stage_customers s JOIN mart.dim d ON s.id = d.id WHERE d.is_current AND s.email <> d.email) u
ON t.id = u.merge_key
WHEN MATCHED AND t.is_current AND t.email <> u.email THEN UPDATE SET is_current = false, valid_to = u.loaded_at
WHEN NOT MATCHED THEN INSERT (id, email, country, valid_from, valid_to, is_current) VALUES (u.id, u.email, u.country, u.loaded_at, NULL, true)
-> none
# writes: delta update [delta]
UPDATE mart.dim SET country = upper(country), valid_to = current_timestamp() WHERE email LIKE '%(test)%'
-> none
# writes: delta replace where [delta]
INSERT INTO mart.dim REPLACE WHERE country = 'DE' SELECT id, email, country, loaded_at, NULL, true FROM stage_customers WHERE country = 'DE'
-> id: stage_customers.id
-> email: stage_customers.email
-> country: stage_customers.country
-> valid_from: stage_customers.loaded_at
-> valid_to: -
-> is_current: -
-> rows: FILTER stage_customers.country
-> to: mart.dim
# writes: delta query [delta]
SELECT country, count(*) AS n FROM mart.dim WHERE is_current GROUP BY country
-> country: dim.country
-> n: -
-> rows: FILTER dim.is_current; GROUP_BY dim.country
