-- name: create: orders
-- from: common

-- name: create: updates
-- from: common

-- name: insert: orders, values
-- from: common
-- snapshots: orders updates

-- name: insert: updates, values
-- from: common
-- snapshots: orders updates

-- name: ctas: totals
-- from: common
-- snapshots: totals

-- name: insert: orders, from updates
-- from: common
-- snapshots: orders updates

-- name: overwrite: totals
-- from: common
-- snapshots: totals

-- name: overwrite: orders, dynamic partition
-- from: common
-- snapshots: orders updates
-- set: spark.sql.sources.partitionOverwriteMode = dynamic

-- name: rtas: totals
-- from: common
-- snapshots: totals

-- name: merge: update and insert all
-- from: common
-- snapshots: orders updates

-- name: merge: all clauses
-- from: common
-- snapshots: orders updates

-- name: merge: from aggregate
-- from: common
-- snapshots: orders updates

-- name: merge: from itself
-- from: common
-- snapshots: orders updates

-- name: merge: insert only
-- from: common
-- snapshots: orders updates

-- name: merge: not matched by source
-- from: common
-- snapshots: orders updates

-- name: update: orders
-- from: common
-- snapshots: orders updates

-- name: delete: orders
-- from: common
-- snapshots: orders updates

-- name: read: orders
-- from: common
-- snapshots: orders updates

-- name: read: orders, first snapshot
-- snapshots: orders updates
-- asks: SELECT snapshot_id FROM {ns}.orders.snapshots ORDER BY committed_at LIMIT 1
SELECT id, customer FROM {ns}.orders VERSION
AS OF {asked};

-- name: delete: orders, partition
-- from: common
-- snapshots: orders updates

-- name: ctas: marked
-- snapshots: marked
CREATE TABLE {ns}.marked {using}
TBLPROPERTIES ('format-version'='2', 'write.merge.mode'='merge-on-read', 'write.update.mode'='merge-on-read',
'write.delete.mode'='merge-on-read') AS SELECT id, customer, amount, day FROM {ns}.orders;

-- name: merge: marked
-- from: common
-- snapshots: marked

-- name: update: marked
-- from: common
-- snapshots: marked

-- name: delete: marked
-- from: common
-- snapshots: marked
