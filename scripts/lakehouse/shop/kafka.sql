-- name: create: orders
CREATE TABLE {ns}.orders (id BIGINT, customer STRING, amount DOUBLE, day STRING) USING parquet PARTITIONED BY (day);

-- name: insert: orders, values
-- from: common

-- name: save: clicks

-- name: table: clicked

-- name: stream: files

-- name: stream: sent
-- set: spark.sql.ui.explainMode = extended

-- name: stream: named

-- name: stream: both

-- name: table: both
