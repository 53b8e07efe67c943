-- name: create: orders
-- from: common

-- name: create: updates
-- from: common

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: overwrite: orders, static partition
-- from: common

-- name: create: sorted
CREATE TABLE {ns}.sorted (id BIGINT, customer STRING, amount DOUBLE, day STRING) {using}
PARTITIONED BY (bucket(4, id), truncate(7, day));

-- name: alter: ordered
ALTER TABLE {ns}.sorted WRITE ORDERED BY customer, bucket(4, id);

-- name: insert: sorted
INSERT INTO {ns}.sorted SELECT id + 10, upper(customer), amount * 2, day FROM {ns}.updates;

-- name: alter: distributed
ALTER TABLE {ns}.sorted WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY amount;

-- name: insert: by name
INSERT INTO {ns}.sorted BY NAME SELECT day, op AS customer, amount, id FROM {ns}.updates;

-- name: update: sorted
UPDATE {ns}.sorted SET customer = concat(customer, day) WHERE id = 1;

-- name: alter: branch
ALTER TABLE {ns}.orders CREATE BRANCH dev;

-- name: insert: branch
INSERT INTO {ns}.orders.branch_dev SELECT id, lower(customer), amount, day FROM {ns}.updates;

-- name: merge: branch
MERGE INTO {ns}.orders.branch_dev t USING {ns}.updates s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET t.amount = s.amount;

-- name: ctas: branch
CREATE TABLE {ns}.tried {using} AS SELECT id, amount FROM {ns}.orders VERSION AS OF 'dev';

-- name: update: where in
UPDATE {ns}.orders SET customer = upper(day) WHERE id IN (SELECT id FROM {ns}.updates);

-- name: update: literal where in
UPDATE {ns}.orders SET customer = 'q' WHERE id IN (SELECT id FROM {ns}.updates);

-- name: delete: where exists
DELETE FROM {ns}.orders t WHERE EXISTS (SELECT 1 FROM {ns}.updates s WHERE s.id = t.id AND s.op = 'd');

-- name: create: marked
CREATE TABLE {ns}.marked (id BIGINT, customer STRING, amount DOUBLE) {using}
TBLPROPERTIES ('format-version' = '2', 'write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read',
'write.delete.mode' = 'merge-on-read');

-- name: insert: marked
INSERT INTO {ns}.marked SELECT id, customer, amount FROM {ns}.updates;

-- name: update: marked, from subquery
UPDATE {ns}.marked SET amount = (SELECT max(amount) FROM {ns}.updates WHERE op = 'u') WHERE id = 1;

-- name: delete: marked, where in
DELETE FROM {ns}.marked WHERE id IN (SELECT id FROM {ns}.updates WHERE op = 'd');

-- name: ctas: system table
CREATE TABLE {ns}.made {using} AS SELECT snapshot_id, operation FROM {ns}.orders.snapshots;

-- name: ctas: from metadata
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: create: open
CREATE TABLE {ns}.open (id BIGINT, amount DOUBLE) {using} TBLPROPERTIES ('write.spark.accept-any-schema' = 'true');

-- name: frame: new column

-- name: ctas: new column
-- from: common
