-- name: create: orders
CREATE TABLE {ns}.orders (id BIGINT, customer STRING, amount DOUBLE, day STRING) {using} PARTITIONED BY (day)
TBLPROPERTIES ('primary-key' = 'id,day', 'bucket' = '1');

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

-- name: overwrite: orders, static partition
-- from: common
-- snapshots: orders updates

-- name: rtas: totals
-- from: common
-- snapshots: totals

-- name: merge: update and insert all
-- snapshots: orders updates
MERGE INTO {ns}.orders t USING (SELECT id, customer, amount, day FROM {ns}.updates
WHERE op != 'd') s ON t.id = s.id AND t.day = s.day WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

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

-- name: update: orders
-- from: common
-- snapshots: orders updates

-- name: delete: orders
-- from: common
-- snapshots: orders updates

-- name: read: orders
-- from: common
-- snapshots: orders updates

-- name: read: orders, version 1
-- from: common
-- snapshots: orders totals

-- name: insert: totals, time travel
-- from: common
-- snapshots: orders totals

-- name: delete: orders, partition
-- from: common
-- snapshots: orders totals

-- name: create: keyed
-- snapshots: keyed updates
-- set: spark.sql.ui.explainMode = extended
CREATE TABLE {ns}.keyed (id BIGINT, name STRING) {using} TBLPROPERTIES ('primary-key' = 'id');

-- name: insert: keyed
-- snapshots: keyed updates
-- set: spark.sql.ui.explainMode = extended
INSERT INTO {ns}.keyed SELECT id, upper(customer) FROM {ns}.updates;

-- name: merge: keyed
-- snapshots: keyed updates
-- set: spark.sql.ui.explainMode = extended
MERGE INTO {ns}.keyed t USING {ns}.updates s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = concat(t.name, s.op)
WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.customer);

-- name: ctas: marked
-- snapshots: marked updates
CREATE TABLE {ns}.marked {using} AS SELECT id, customer, amount, day FROM {ns}.orders;

-- name: merge: marked
-- from: common
-- snapshots: marked updates

-- name: merge: marked, not matched by source
-- snapshots: marked updates
MERGE INTO {ns}.marked t USING {ns}.updates s ON t.id = s.id WHEN MATCHED THEN UPDATE SET t.amount = s.amount
WHEN NOT MATCHED BY SOURCE AND t.amount > 35 THEN UPDATE SET t.customer = concat(t.customer, '?')
WHEN NOT MATCHED BY SOURCE AND t.id > 1000 THEN DELETE;

-- name: update: marked
-- from: common
-- snapshots: marked updates

-- name: delete: marked
-- from: common
-- snapshots: marked updates

-- name: insert: marked, version 2
-- snapshots: marked updates
-- set: spark.paimon.write.use-v2-write = true
INSERT INTO {ns}.marked SELECT id, upper(customer), amount, day FROM {ns}.updates;

-- name: overwrite: marked, version 2
-- snapshots: marked updates
-- set: spark.paimon.write.use-v2-write = true
INSERT OVERWRITE {ns}.marked SELECT id, customer, amount + 1, day FROM {ns}.updates WHERE op = 'u';

-- name: update: marked, version 2
-- snapshots: marked updates
-- set: spark.paimon.write.use-v2-write = true
UPDATE {ns}.marked SET amount = amount * 2 WHERE id = 1;

-- name: delete: marked, version 2
-- snapshots: marked updates
-- set: spark.paimon.write.use-v2-write = true
DELETE FROM {ns}.marked WHERE amount > 100000;

-- name: table: saved

-- name: table: appended
-- snapshots: saved

-- name: table: inserted
-- snapshots: saved

-- name: alter: add
-- from: common

-- name: alter: comment
-- from: common

-- name: alter: reorder
-- from: common

-- name: alter: rename
-- from: common

-- name: ctas: remarks
-- from: common

-- name: alter: drop
-- from: common

-- name: create: counts
-- from: common

-- name: alter: widen
-- from: common

-- name: alter: properties
ALTER TABLE {ns}.counts SET TBLPROPERTIES ('snapshot.num-retained.max' = '20');

-- name: alter: table
-- from: common

-- name: ctas: audit
CREATE TABLE {ns}.audit {using} AS SELECT rowkind AS kind, id FROM {ns}.`orders$audit_log`;

-- name: ctas: changes
CREATE TABLE {ns}.changes {using} AS SELECT id, amount FROM paimon_incremental_query('{ns}.saved', '1', '3');

-- name: compact: orders
-- snapshots: orders marked
CALL paimon.sys.compact(table => 'shop.orders');

-- name: compact: marked
-- snapshots: orders marked
CALL paimon.sys.compact(table => 'shop.marked');

-- name: tag: orders
-- snapshots: orders marked
CALL paimon.sys.create_tag(table => 'shop.orders', tag => 'first', snapshot => 2);

-- name: tag: marked
-- snapshots: orders marked
ALTER TABLE {ns}.marked CREATE TAG `kept`;

-- name: expire: totals
-- snapshots: orders marked
CALL paimon.sys.expire_snapshots(table => 'shop.totals', retain_max => 2, retain_min => 1);

-- name: orphans: orders
-- snapshots: orders marked
CALL paimon.sys.remove_orphan_files(table => 'shop.orders');

-- name: rollback: marked
-- snapshots: orders marked
CALL paimon.sys.rollback(table => 'shop.marked', version => '2');

-- name: helper: copied
CREATE TABLE {ns}.copied (id BIGINT, doubled DOUBLE) {using};

-- name: stream: copied
-- set: spark.sql.ui.explainMode = extended

-- name: stream: merged
