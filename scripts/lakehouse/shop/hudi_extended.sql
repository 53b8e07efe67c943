-- name: create: orders
CREATE TABLE {ns}.orders (id BIGINT, customer STRING, amount DOUBLE, day STRING) {using}
TBLPROPERTIES (type = 'cow', primaryKey = 'id', preCombineField = 'amount', hoodie.metadata.enable = 'false',
hoodie.embed.timeline.server = 'false');

-- name: create: updates
CREATE TABLE {ns}.updates (id BIGINT, customer STRING, amount DOUBLE, day STRING, op STRING) {using}
TBLPROPERTIES (type = 'cow', primaryKey = 'id', preCombineField = 'amount', hoodie.metadata.enable = 'false',
hoodie.embed.timeline.server = 'false');

-- name: create: marked
-- from: common

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: insert: marked
-- from: common

-- name: merge: all clauses
-- from: common

-- name: merge: from aggregate
-- from: common

-- name: merge: insert only
MERGE INTO {ns}.orders t USING (SELECT id + 1000 AS id, customer, amount, day FROM {ns}.updates) s ON t.id = s.id
WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, 'new', s.amount, s.day);

-- name: merge: computed
-- from: common

-- name: update: orders
-- from: common

-- name: delete: orders
-- from: common

-- name: merge: not collected
