-- name: create: orders
-- from: common

-- name: create: updates
-- from: common

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: ctas: from metadata
-- from: common

-- name: insert: from metadata
-- from: common

-- name: read: from metadata
-- from: common

-- name: merge: update and insert all
-- from: common

-- name: merge: all clauses
-- from: common

-- name: merge: from aggregate
-- from: common

-- name: merge: from itself
-- from: common

-- name: merge: not matched by source
-- from: common

-- name: alter: marked
ALTER TABLE {ns}.orders SET TBLPROPERTIES ('write.merge.mode' = 'merge-on-read',
'write.update.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read');

-- name: merge: marked
MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id WHEN MATCHED AND s.op = 'd' THEN DELETE
WHEN MATCHED THEN UPDATE SET t.amount = t.amount + s.amount
WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, lower(s.customer), s.amount, s.day);

-- name: update: orders
-- from: common

-- name: delete: orders
-- from: common

-- name: merge: not collected
