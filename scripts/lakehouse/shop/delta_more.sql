-- name: save: events

-- name: save: events, merge schema

-- name: save: events, overwrite

-- name: read: events

-- name: table: saved

-- name: table: appended

-- name: alter: add
-- from: common

-- name: alter: comment
-- from: common

-- name: alter: properties
ALTER TABLE {ns}.updates SET TBLPROPERTIES
('delta.columnMapping.mode'='name','delta.minReaderVersion'='2','delta.minWriterVersion'='5');

-- name: alter: reorder
-- from: common

-- name: alter: rename
-- from: common

-- name: ctas: remarks
-- from: common

-- name: alter: drop
-- from: common

-- name: create: feed
CREATE TABLE {ns}.feed (id BIGINT, amount DOUBLE) {using}
TBLPROPERTIES ('delta.enableChangeDataFeed'='true','delta.enableDeletionVectors'='true');

-- name: insert: feed
INSERT INTO {ns}.feed SELECT id, amount FROM {ns}.orders;

-- name: update: feed
UPDATE {ns}.feed SET amount = amount + 1 WHERE id = 3;

-- name: delete: feed
DELETE FROM {ns}.feed WHERE id = 4;

-- name: merge: feed, deletion vectors
MERGE INTO {ns}.feed t USING {ns}.updates s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = s.amount
WHEN NOT MATCHED THEN INSERT (id, amount) VALUES (s.id, s.amount);

-- name: ctas: changes
CREATE TABLE {ns}.changes {using} AS SELECT id, amount, _change_type AS kind FROM table_changes('{ns}.feed', 1);

-- name: ctas: evolved
CREATE TABLE {ns}.evolved {using} AS SELECT id, amount FROM {ns}.orders;

-- name: create: counts
CREATE TABLE {ns}.counts (n SMALLINT) {using} TBLPROPERTIES ('delta.enableTypeWidening' = 'true');

-- name: alter: widen
ALTER TABLE {ns}.counts ALTER COLUMN n TYPE INT;

-- name: alter: table
-- from: common

-- name: merge: new columns
-- set: spark.databricks.delta.schema.autoMerge.enabled = true
MERGE INTO {ns}.evolved t USING {ns}.updates s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;

-- name: optimize: orders
-- from: common

-- name: optimize: orders, zorder
OPTIMIZE {ns}.orders ZORDER BY (id);

-- name: vacuum: orders
VACUUM {ns}.orders RETAIN 168 HOURS;

-- name: restore: totals
RESTORE TABLE {ns}.totals TO VERSION AS OF 1;

-- name: describe: history
DESCRIBE HISTORY {ns}.orders;

-- name: clone: orders
CREATE TABLE {ns}.cloned SHALLOW CLONE {ns}.orders;

-- name: save: plain

-- name: convert: plain
CONVERT TO DELTA parquet.`{root}/lake/plain`;

-- name: helper: copied
CREATE TABLE shop.copied (id BIGINT, doubled DOUBLE, day STRING) {using};

-- name: stream: copied

-- name: stream: merged
