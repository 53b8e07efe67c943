-- name: src ddl
CREATE TABLE T.src (id BIGINT, v DOUBLE, day STRING) USING {format};

-- name: src
INSERT INTO T.src SELECT id, id * 1.5D, concat('d', id % 2) FROM range(1, 9);

-- name: a ddl
CREATE TABLE T.a (id BIGINT, v DOUBLE, day STRING) USING {format};

-- name: b ddl
CREATE TABLE T.b (id BIGINT, v DOUBLE, day STRING) USING {format};

-- name: c ddl
-- formats: delta
CREATE TABLE T.c (id BIGINT, v DOUBLE, day STRING) USING {format}
TBLPROPERTIES ('delta.enableDeletionVectors'='true');

-- name: c ddl
-- formats: iceberg_two
CREATE TABLE T.c (id BIGINT, v DOUBLE, day STRING) USING {format}
TBLPROPERTIES ('write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read',
'write.merge.mode'='merge-on-read');

-- name: p ddl
CREATE TABLE T.p (id BIGINT, v DOUBLE, day STRING) USING {format} PARTITIONED BY (day);

-- name: none first
INSERT INTO T.a SELECT id, v, day FROM T.src WHERE v > 1000;

-- name: write 1
INSERT INTO T.a SELECT id, v + 1, day FROM T.src WHERE id = 1;

-- name: none
INSERT INTO T.a SELECT id, v, day FROM T.src WHERE v > 1000;

-- name: read 1
SELECT count(id), max(v) FROM T.a WHERE v > 0;

-- name: none join
INSERT INTO T.a SELECT a.id, b.v, a.day FROM T.src a JOIN T.src b ON a.id = b.id + 1000;

-- name: write 2
INSERT INTO T.a SELECT id, v + 2, day FROM T.src WHERE id = 2;

-- name: none again
INSERT INTO T.a SELECT id, v, day FROM T.src WHERE v > 1000;

-- name: none twice
INSERT INTO T.a SELECT a.id, b.v, a.day FROM T.src a JOIN T.src b ON a.id = b.id + 1000;

-- name: write 3
INSERT INTO T.a SELECT id, v + 3, day FROM T.src WHERE id = 3;

-- name: read 2
SELECT sum(v) FROM T.a WHERE id > 1;

-- name: none frame

-- name: write 4
INSERT INTO T.a SELECT id, v + 4, day FROM T.src WHERE id = 4;

-- name: none saved

-- name: write 5
INSERT INTO T.a SELECT id, v + 5, day FROM T.src WHERE id = 5;

-- name: none rows

-- name: write 6
INSERT INTO T.a SELECT id, v + 6, day FROM T.src WHERE id = 6;

-- name: none groups

-- name: into b
INSERT INTO T.b SELECT id, v, day FROM T.a WHERE v > 2;

-- name: write 7
INSERT INTO T.a SELECT id, v + 7, day FROM T.src WHERE id = 7;

-- name: none values
INSERT INTO T.a SELECT * FROM VALUES (1L, 2D, 'x') AS t(id, v, day) WHERE id > 5;

-- name: write 8
INSERT INTO T.a SELECT id, v + 8, day FROM T.src WHERE id = 8;

-- name: b: fill
INSERT INTO T.b SELECT * FROM T.src;

-- name: b: update none
UPDATE T.b SET v = 0 WHERE v > 4000;

-- name: b: write 1
INSERT INTO T.b SELECT id + 20, v, day FROM T.src WHERE id = 1;

-- name: b: delete none
DELETE FROM T.b WHERE v > 4000 AND id > 2;

-- name: b: write 2
INSERT INTO T.b SELECT id + 30, v, day FROM T.src WHERE id = 1;

-- name: b: delete by v
DELETE FROM T.b WHERE abs(v) > 5000;

-- name: b: delete one
DELETE FROM T.b WHERE id = 31;

-- name: b: merge none
MERGE INTO T.b t USING (SELECT id + 100 AS id, v, day FROM T.src) s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET t.id = s.id, t.v = s.v, t.day = s.day;

-- name: b: update one
UPDATE T.b SET v = v + 1 WHERE id = 3;

-- name: b: merge empty
MERGE INTO T.b t USING (SELECT * FROM T.src WHERE v > 5000) s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET t.id = s.id, t.v = s.v, t.day = s.day
WHEN NOT MATCHED THEN INSERT (id, v, day) VALUES (s.id, s.v, s.day);

-- name: b: merge
MERGE INTO T.b t USING (SELECT id, v + 1 AS v, day FROM T.src WHERE id < 4) s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET t.id = s.id, t.v = s.v, t.day = s.day
WHEN NOT MATCHED THEN INSERT (id, v, day) VALUES (s.id, s.v, s.day);

-- name: b: read
SELECT id FROM T.b WHERE v > 3;

-- name: b: delete none again
DELETE FROM T.b WHERE id IN (SELECT id + 500 FROM T.src);

-- name: b: read again
SELECT day, max(v) FROM T.b GROUP BY day;

-- name: c: fill
INSERT INTO T.c SELECT * FROM T.src;

-- name: c: update none
UPDATE T.c SET v = 0 WHERE v > 4000;

-- name: c: write 1
INSERT INTO T.c SELECT id + 20, v, day FROM T.src WHERE id = 1;

-- name: c: delete none
DELETE FROM T.c WHERE v > 4000 AND id > 2;

-- name: c: write 2
INSERT INTO T.c SELECT id + 30, v, day FROM T.src WHERE id = 1;

-- name: c: delete by v
DELETE FROM T.c WHERE abs(v) > 5000;

-- name: c: delete one
DELETE FROM T.c WHERE id = 31;

-- name: c: merge none
MERGE INTO T.c t USING (SELECT id + 100 AS id, v, day FROM T.src) s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET t.id = s.id, t.v = s.v, t.day = s.day;

-- name: c: update one
UPDATE T.c SET v = v + 1 WHERE id = 3;

-- name: c: merge empty
MERGE INTO T.c t USING (SELECT * FROM T.src WHERE v > 5000) s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET t.id = s.id, t.v = s.v, t.day = s.day
WHEN NOT MATCHED THEN INSERT (id, v, day) VALUES (s.id, s.v, s.day);

-- name: c: merge
MERGE INTO T.c t USING (SELECT id, v + 1 AS v, day FROM T.src WHERE id < 4) s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET t.id = s.id, t.v = s.v, t.day = s.day
WHEN NOT MATCHED THEN INSERT (id, v, day) VALUES (s.id, s.v, s.day);

-- name: c: read
SELECT id FROM T.c WHERE v > 3;

-- name: c: delete none again
DELETE FROM T.c WHERE id IN (SELECT id + 500 FROM T.src);

-- name: c: read again
SELECT day, max(v) FROM T.c GROUP BY day;

-- name: p: overwrite none
INSERT OVERWRITE T.p SELECT id, v, day FROM T.src WHERE v > 1000;

-- name: p: fill
INSERT INTO T.p SELECT * FROM T.src;

-- name: dynamic

-- name: p: dynamic none
INSERT OVERWRITE T.p SELECT id, v, day FROM T.src WHERE v > 1000;

-- name: p: dynamic
INSERT OVERWRITE T.p SELECT id, v + 1, day FROM T.src WHERE day = 'd1';

-- name: static

-- name: p: partition none
INSERT OVERWRITE T.p PARTITION (day = 'zz') SELECT id, v FROM T.src WHERE v > 6000;

-- name: p: write
INSERT INTO T.p SELECT id + 50, v, day FROM T.src WHERE id < 3;

-- name: p: overwrite all
INSERT OVERWRITE T.p SELECT id, v, day FROM T.src WHERE v > 1000;

-- name: p: overwrite again
INSERT OVERWRITE T.p SELECT id, v, day FROM T.src WHERE v > 1000;

-- name: p: read
SELECT * FROM T.p;

-- name: p: truncate
TRUNCATE TABLE T.p;

-- name: p: write again
INSERT INTO T.p SELECT id, v, day FROM T.src;

-- name: p: if not exists
CREATE TABLE IF NOT EXISTS T.p (id BIGINT, v DOUBLE, day STRING) USING {format};

-- name: p: write last
INSERT INTO T.p SELECT id + 70, v, day FROM T.src WHERE id = 2;

-- name: stream none

-- name: b: append 1
INSERT INTO T.b SELECT id + 300, v, day FROM T.src WHERE id = 1;

-- name: stream rows

-- name: stream rows again

-- name: b: append 2
INSERT INTO T.b SELECT id + 400, v, day FROM T.src WHERE id = 1;

-- name: batch none

-- name: b: append 3
INSERT INTO T.b SELECT id + 500, v, day FROM T.src WHERE id = 1;

-- name: b: last
SELECT max(v) FROM T.b WHERE id > 0;

-- name: optimize
-- formats: delta
OPTIMIZE T.a;

-- name: optimize again
-- formats: delta
OPTIMIZE T.a;

-- name: compact
-- formats: iceberg_two
CALL {T.catalog}.system.rewrite_data_files(table => '{T.database}.a');

-- name: compact again
-- formats: iceberg_two
CALL {T.catalog}.system.rewrite_data_files(table => '{T.database}.a');

-- name: a: write again
INSERT INTO T.a SELECT id + 80, v, day FROM T.src WHERE id = 2;

-- name: vacuum
-- formats: delta
VACUUM T.a;

-- name: manifests
-- formats: iceberg_two
CALL {T.catalog}.system.rewrite_manifests(table => '{T.database}.a');

-- name: expire
-- formats: iceberg_two
CALL {T.catalog}.system.expire_snapshots(table => '{T.database}.a', retain_last => 50);

-- name: a: write one
-- formats: iceberg_two
INSERT INTO T.a SELECT id + 70, v, day FROM T.src WHERE id = 2;

-- name: orphans
-- formats: iceberg_two
CALL {T.catalog}.system.remove_orphan_files(table => '{T.database}.a');

-- name: set property
ALTER TABLE T.a SET TBLPROPERTIES ('x' = '1');

-- name: a: write one
-- formats: delta
INSERT INTO T.a SELECT id + 70, v, day FROM T.src WHERE id = 2;

-- name: replace nothing
-- formats: delta

-- name: api none
-- formats: delta

-- name: a: write last
INSERT INTO T.a SELECT id + 90, v, day FROM T.src WHERE id = 2;

-- name: path
-- formats: delta

-- name: path none
-- formats: delta

-- name: path write
-- formats: delta
INSERT INTO delta.`{root}/lake/path` SELECT id + 5, v, day FROM T.src;

-- name: read a
SELECT * FROM T.a;
