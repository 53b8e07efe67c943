-- name: create: orders
CREATE TABLE {ns}.orders (id BIGINT, customer STRING, amount DOUBLE, day STRING) {using}
TBLPROPERTIES (type = 'cow', primaryKey = 'id', preCombineField = 'amount', hoodie.metadata.enable = 'false',
hoodie.embed.timeline.server = 'false') PARTITIONED BY (day);

-- name: create: updates
CREATE TABLE {ns}.updates (id BIGINT, customer STRING, amount DOUBLE, day STRING, op STRING) {using}
TBLPROPERTIES (type = 'cow', primaryKey = 'id', preCombineField = 'amount', hoodie.metadata.enable = 'false',
hoodie.embed.timeline.server = 'false');

-- name: insert: orders, values
-- from: common
-- snapshots: orders

-- name: insert: updates, values
-- from: common
-- snapshots: orders

-- name: ctas: totals
-- snapshots: totals
CREATE TABLE {ns}.totals {using}
TBLPROPERTIES (type = 'cow', primaryKey = 'day', hoodie.metadata.enable = 'false',
hoodie.embed.timeline.server = 'false') AS SELECT day, sum(amount) AS total, count(id) AS orders FROM {ns}.orders
GROUP BY day;

-- name: insert: orders, from updates
-- from: common
-- snapshots: orders

-- name: overwrite: totals
-- from: common
-- snapshots: totals

-- name: overwrite: orders, dynamic partition
-- from: common
-- snapshots: orders
-- set: hoodie.datasource.overwrite.mode = dynamic

-- name: overwrite: orders, static partition
-- from: common
-- snapshots: orders

-- name: merge: update and insert all
-- from: common
-- snapshots: orders

-- name: merge: all clauses
-- from: common
-- snapshots: orders

-- name: merge: not matched by source
-- from: common
-- snapshots: orders

-- name: merge: from aggregate
-- from: common
-- snapshots: orders
-- set: spark.sql.ui.explainMode = extended

-- name: merge: insert only
-- snapshots: orders
-- set: spark.sql.ui.explainMode = extended
MERGE INTO {ns}.orders t USING (SELECT id + 1000 AS id, customer, amount, day FROM {ns}.updates) s ON t.id = s.id
WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, 'new', s.amount, s.day);

-- name: update: orders
-- from: common
-- snapshots: orders

-- name: delete: orders
-- from: common
-- snapshots: orders

-- name: read: orders
-- from: common

-- name: read: orders, first instant
-- asks: SELECT min(_hoodie_commit_time) FROM {ns}.orders
SELECT id, customer FROM {ns}.orders TIMESTAMP AS OF '{asked}';

-- name: read: orders, changes
SELECT id, amount FROM hudi_table_changes('shop.orders', 'latest_state', 'earliest');
