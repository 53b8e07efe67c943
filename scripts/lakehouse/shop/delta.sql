-- name: create: orders
-- from: common

-- name: create: updates
-- from: common

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: ctas: totals
-- from: common

-- name: insert: orders, from updates
-- from: common
-- snapshots: orders

-- name: overwrite: totals
-- from: common
-- snapshots: totals

-- name: overwrite: orders, dynamic partition
-- from: common
-- snapshots: orders
-- set: spark.sql.sources.partitionOverwriteMode = dynamic

-- name: rtas: totals
-- from: common
-- snapshots: totals

-- name: merge: update and insert all
-- from: common
-- snapshots: orders

-- name: merge: all clauses
-- from: common
-- snapshots: orders

-- name: merge: from aggregate
-- from: common
-- snapshots: orders

-- name: merge: from itself
-- from: common
-- snapshots: orders

-- name: merge: insert only
-- from: common
-- snapshots: orders

-- name: merge: not matched by source
-- from: common
-- snapshots: orders

-- name: update: orders
-- from: common
-- snapshots: orders

-- name: delete: orders
-- from: common
-- snapshots: orders

-- name: read: orders
-- from: common

-- name: read: orders, version 1
-- from: common

-- name: insert: totals, time travel
-- from: common

-- name: replace where: orders
INSERT INTO {ns}.orders REPLACE WHERE day = '2026-11-01' SELECT id, customer, amount, day FROM {ns}.updates
WHERE day = '2026-11-01';
