# tables: databases
CREATE DATABASE mart
# tables: customers
CREATE TABLE customers (id BIGINT, email STRING, name STRING, country STRING, phone STRING, signup DATE, birth DATE,
  active BOOLEAN, address STRUCT<street: STRING, city: STRING, zip: STRING, geo: STRUCT<lat: DOUBLE, lon: DOUBLE>>,
  tags ARRAY<STRING>, prefs MAP<STRING, STRING>, updated_at TIMESTAMP) USING parquet
# tables: orders
CREATE TABLE orders (id BIGINT, customer_id BIGINT, status STRING, amount DECIMAL(12,2), discount DECIMAL(12,2),
  currency STRING, coupon STRING, placed_at TIMESTAMP, shipped_at TIMESTAMP,
  lines ARRAY<STRUCT<sku: STRING, qty: INT, price: DECIMAL(10,2)>>,
  ship STRUCT<carrier: STRING, cost: DECIMAL(10,2)>, note STRING, dt DATE) USING parquet PARTITIONED BY (dt)
# tables: payments
CREATE TABLE payments (id BIGINT, order_id BIGINT, method STRING, amount DECIMAL(12,2), paid_at TIMESTAMP,
  refunded BOOLEAN, card STRING) USING parquet
# tables: events
CREATE TABLE events (user_id BIGINT, session_id STRING, name STRING, url STRING, ts TIMESTAMP, payload STRING,
  device STRUCT<os: STRING, browser: STRING>, day STRING) USING parquet PARTITIONED BY (day)
# tables: products
CREATE TABLE products (sku STRING, title STRING, category STRING, brand STRING, price DECIMAL(10,2),
  cost DECIMAL(10,2), attrs MAP<STRING, STRING>, launched DATE) USING parquet
# tables: prices
CREATE TABLE prices (sku STRING, price DECIMAL(10,2), valid_from DATE, valid_to DATE) USING parquet
# tables: fx
CREATE TABLE fx (currency STRING, day DATE, rate DOUBLE) USING parquet
# tables: calendar
CREATE TABLE calendar (day DATE, month STRING, week INT, holiday BOOLEAN) USING parquet
# tables: staff
CREATE TABLE staff (id BIGINT, boss_id BIGINT, name STRING, dept STRING, salary DOUBLE, hired DATE) USING parquet
# tables: stock
CREATE TABLE stock (sku STRING, store STRING, qty INT, day DATE) USING parquet
# tables: legacy_orders
CREATE TABLE legacy_orders (order_no STRING, cust_no STRING, total STRING, state STRING, order_date STRING) USING parquet
# tables: metrics
CREATE TABLE metrics (entity STRING, metric STRING, value DOUBLE, at TIMESTAMP) USING parquet
# tables: logs
CREATE TABLE logs (line STRING, host STRING, at TIMESTAMP) USING parquet
# tables: dim_customer
CREATE TABLE dim_customer (sk BIGINT, id BIGINT, email STRING, country STRING, valid_from TIMESTAMP,
  valid_to TIMESTAMP, is_current BOOLEAN) USING parquet
# tables: stage_customers
CREATE TABLE stage_customers (id BIGINT, email STRING, country STRING, loaded_at TIMESTAMP) USING parquet
