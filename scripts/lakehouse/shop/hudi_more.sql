-- name: ctas: marked
-- snapshots: marked
CREATE TABLE {ns}.marked {using}
TBLPROPERTIES (type = 'mor', primaryKey = 'id', preCombineField = 'amount', hoodie.metadata.enable = 'false',
hoodie.embed.timeline.server = 'false') AS SELECT id, customer, amount, day FROM {ns}.orders;

-- name: merge: marked
-- snapshots: marked
MERGE INTO {ns}.marked t USING {ns}.updates s ON t.id = s.id WHEN MATCHED AND s.op = 'd' THEN DELETE
WHEN MATCHED THEN UPDATE SET id = s.id, customer = s.customer, amount = s.amount + 1, day = s.day
WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, lower(s.customer), s.amount, s.day);

-- name: update: marked
-- from: common
-- snapshots: marked

-- name: delete: marked
-- from: common
-- snapshots: marked

-- name: read: marked
-- snapshots: marked
SELECT id, amount FROM {ns}.marked WHERE day = '2026-11-02';

-- name: save: events

-- name: save: events, upsert

-- name: read: events

-- name: read: events, incremental

-- name: save: events, new column

-- name: alter: add
-- set: hoodie.schema.on.read.enable = true
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true
ALTER TABLE {ns}.updates ADD COLUMNS (note STRING);

-- name: alter: rename
-- from: common
-- set: hoodie.schema.on.read.enable = true
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true

-- name: ctas: remarks
-- set: hoodie.schema.on.read.enable = true
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true
CREATE TABLE {ns}.remarks {using}
TBLPROPERTIES (primaryKey = 'id', hoodie.metadata.enable = 'false', hoodie.embed.timeline.server = 'false') AS
SELECT id, remark, amount FROM {ns}.updates;

-- name: alter: drop
-- from: common
-- set: hoodie.schema.on.read.enable = true
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true

-- name: alter: properties
-- set: hoodie.schema.on.read.enable = true
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true
ALTER TABLE {ns}.remarks SET TBLPROPERTIES (note = 'kept');

-- name: alter: table
-- set: hoodie.schema.on.read.enable = true
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true
ALTER TABLE {ns}.remarks RENAME TO shop.notes;

-- name: compact: marked
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true
CALL run_compaction(op => 'scheduleAndExecute', table => 'shop.marked');

-- name: cluster: orders
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true
CALL run_clustering(table => 'shop.orders');

-- name: clean: orders
-- set: hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true
CALL run_clean(table => 'shop.orders');

-- name: stream: copied

-- name: stream: merged
