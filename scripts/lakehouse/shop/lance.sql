-- name: create: orders
CREATE TABLE {ns}.orders (id BIGINT, customer STRING, amount DOUBLE, day STRING);

-- name: create: updates
CREATE TABLE {ns}.updates (id BIGINT, customer STRING, amount DOUBLE, day STRING, op STRING) ;

-- name: insert: orders, values
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: insert: updates, values
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: ctas: totals
CREATE TABLE {ns}.totals AS SELECT day, sum(amount) AS total, count(id) AS orders FROM {ns}.orders GROUP BY day;

-- name: insert: orders, from updates
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: overwrite: totals
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: read: joined, extended
-- set: spark.sql.ui.explainMode = extended
SELECT o.id, o.amount, u.op FROM {ns}.orders o JOIN {ns}.updates u ON o.id = u.id
WHERE o.amount > 5 AND u.op IN ('u', 'i');

-- name: rtas: totals
CREATE OR REPLACE TABLE {ns}.totals AS SELECT o.day, sum(o.amount) AS total, max(u.amount) AS best
FROM {ns}.orders o JOIN {ns}.updates u ON o.id = u.id GROUP BY o.day;

-- name: read: joined
SELECT o.id, o.amount, u.op FROM {ns}.orders o JOIN {ns}.updates u ON o.id = u.id
WHERE o.amount > 5 AND u.op IN ('u', 'i');

-- name: ctas: elsewhere
CREATE TABLE spark_catalog.default.copied USING parquet AS SELECT id, upper(customer) AS name FROM {ns}.orders
WHERE day LIKE '2026-11%';

-- name: update: orders
-- from: common

-- name: delete: orders
-- from: common

-- name: merge: update and insert all
-- from: common

-- name: merge: all clauses
-- from: common

-- name: merge: from aggregate
-- from: common

-- name: merge: from itself
-- from: common

-- name: merge: insert only
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: delete: where in
-- from: common

-- name: helper: filled
CREATE TEMPORARY VIEW filled AS SELECT _rowaddr, _fragid, concat(customer, day) AS tag, amount * 2 AS doubled
FROM {ns}.orders;

-- name: fill: tag
ALTER TABLE {ns}.orders ADD COLUMNS tag, doubled FROM filled;

-- name: index: orders
ALTER TABLE {ns}.orders CREATE INDEX by_id USING btree (id);

-- name: optimize: orders
-- from: common

-- name: vacuum: orders
VACUUM {ns}.orders;

-- name: drop: totals
DROP TABLE {ns}.totals;
