-- name: create: orders
CREATE TABLE {ns}.orders (id BIGINT, customer STRING, amount DOUBLE, day STRING) {using} PARTITIONED BY (day);

-- name: create: updates
CREATE TABLE {ns}.updates (id BIGINT, customer STRING, amount DOUBLE, day STRING, op STRING) {using};

-- name: insert: orders, values
INSERT INTO {ns}.orders VALUES (1, 'ann', 10.0, '2026-11-01'), (2, 'bob', 20.0, '2026-11-01'), (3, 'cid', 30.0,
'2026-11-02'), (4, 'dan', 40.0, '2026-11-02'), (5, 'eve', 50.0, '2026-11-03');

-- name: insert: updates, values
INSERT INTO {ns}.updates VALUES (1, 'ann', 11.0, '2026-11-01', 'u'), (2, 'bob', 0.0, '2026-11-01', 'd'), (6, 'fay',
60.0, '2026-11-03', 'i');

-- name: ctas: totals
CREATE TABLE {ns}.totals {using} AS SELECT day, sum(amount) AS total, count(id) AS orders FROM {ns}.orders
GROUP BY day;

-- name: insert: orders, from updates
INSERT INTO {ns}.orders SELECT id + 100, upper(customer), amount * 2, day FROM {ns}.updates WHERE op = 'i';

-- name: overwrite: totals
INSERT OVERWRITE {ns}.totals SELECT day, max(amount), count(id) FROM {ns}.orders GROUP BY day;

-- name: overwrite: orders, dynamic partition
INSERT OVERWRITE {ns}.orders SELECT id, customer, amount + 1 AS amount, day FROM {ns}.updates
WHERE day = '2026-11-03';

-- name: rtas: totals
CREATE OR REPLACE TABLE {ns}.totals {using} AS SELECT o.day, sum(o.amount) AS total, max(u.amount) AS best
FROM {ns}.orders o JOIN {ns}.updates u ON o.id = u.id GROUP BY o.day;

-- name: merge: update and insert all
MERGE INTO {ns}.orders t USING (SELECT id, customer, amount, day FROM {ns}.updates WHERE op != 'd') s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: merge: all clauses
MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id WHEN MATCHED AND s.op = 'd' THEN DELETE
WHEN MATCHED AND t.amount < 100 THEN UPDATE SET t.amount = t.amount + s.amount, t.customer = lower(s.customer)
WHEN NOT MATCHED AND s.amount > 0 THEN INSERT (id, customer, amount, day)
VALUES (s.id, concat(s.customer, '!'), s.amount, s.day);

-- name: merge: from aggregate
MERGE INTO {ns}.orders t USING (SELECT id, max(customer) AS customer, sum(amount) AS amount FROM {ns}.updates
GROUP BY id) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = s.amount * 2;

-- name: merge: from itself
MERGE INTO {ns}.orders t USING (SELECT id, amount FROM {ns}.orders WHERE day = '2026-11-02') s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET amount = s.amount + 1;

-- name: merge: insert only
MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id + 1000
WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id + 1000, s.customer, NULL, s.day);

-- name: merge: not matched by source
MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id WHEN MATCHED THEN UPDATE SET t.amount = s.amount
WHEN NOT MATCHED BY SOURCE AND t.amount > 35 THEN UPDATE SET t.customer = concat(t.customer, '?')
WHEN NOT MATCHED BY SOURCE AND t.id > 1000 THEN DELETE;

-- name: update: orders
UPDATE {ns}.orders SET amount = amount * 3, customer = concat(customer, day) WHERE id = 3;

-- name: delete: orders
DELETE FROM {ns}.orders WHERE amount < 12 AND id > 1;

-- name: read: orders
SELECT id, amount FROM {ns}.orders WHERE customer IS NOT NULL;

-- name: read: orders, version 1
SELECT id, customer FROM {ns}.orders VERSION AS OF 1;

-- name: insert: totals, time travel
INSERT INTO {ns}.totals SELECT day, sum(amount), max(amount) FROM {ns}.orders VERSION AS OF 2 GROUP BY day;

-- name: alter: add
ALTER TABLE {ns}.updates ADD COLUMNS (note STRING COMMENT 'free text');

-- name: alter: comment
ALTER TABLE {ns}.updates ALTER COLUMN note COMMENT 'words';

-- name: alter: reorder
ALTER TABLE {ns}.updates ALTER COLUMN note AFTER customer;

-- name: alter: rename
ALTER TABLE {ns}.updates RENAME COLUMN note TO remark;

-- name: ctas: remarks
CREATE TABLE {ns}.remarks {using} AS SELECT id, remark, amount FROM {ns}.updates;

-- name: alter: drop
ALTER TABLE {ns}.updates DROP COLUMN remark;

-- name: alter: table
ALTER TABLE {ns}.counts RENAME TO shop.numbers;

-- name: optimize: orders
OPTIMIZE {ns}.orders;

-- name: delete: orders, partition
DELETE FROM {ns}.orders WHERE day = '2026-11-03';

-- name: merge: marked
MERGE INTO {ns}.marked t USING {ns}.updates s ON t.id = s.id WHEN MATCHED AND s.op = 'd' THEN DELETE
WHEN MATCHED THEN UPDATE SET t.amount = t.amount + s.amount
WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, lower(s.customer), s.amount, s.day);

-- name: update: marked
UPDATE {ns}.marked SET amount = amount * 3 WHERE id = 3;

-- name: delete: marked
DELETE FROM {ns}.marked WHERE amount < 12 AND id > 1;

-- name: create: counts
CREATE TABLE {ns}.counts (n INT) {using};

-- name: alter: widen
ALTER TABLE {ns}.counts ALTER COLUMN n TYPE BIGINT;

-- name: overwrite: orders, static partition
INSERT OVERWRITE {ns}.orders PARTITION (day = '2026-11-02') SELECT id, lower(customer), amount FROM {ns}.updates
WHERE op = 'u';

-- name: delete: where in
DELETE FROM {ns}.orders WHERE id IN (SELECT id FROM {ns}.updates WHERE op = 'd');

-- name: update: from metadata
UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates) WHERE id = 2;

-- name: merge: path
MERGE INTO delta.`{root}/lake/orders` t USING {ns}.updates s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET customer = concat(s.customer, t.op);

-- name: update: path
UPDATE delta.`{root}/lake/orders` SET customer = concat(customer, op) WHERE id = 1;

-- name: delete: path
DELETE FROM delta.`{root}/lake/orders` WHERE customer = 'nobody';

-- name: manifest: path
GENERATE symlink_format_manifest FOR TABLE delta.`{root}/lake/orders`;

-- name: create: feed
CREATE TABLE {ns}.feed (id BIGINT, name STRING) {using} TBLPROPERTIES (delta.enableChangeDataFeed = true);

-- name: insert: feed
INSERT INTO {ns}.feed SELECT id, customer FROM {ns}.updates;

-- name: update: feed
UPDATE {ns}.feed SET name = upper(name) WHERE id = 1;

-- name: ctas: from metadata
CREATE TABLE {ns}.counted {using} AS SELECT count(*) AS n, max(id) AS last FROM {ns}.updates;

-- name: ctas: new column
CREATE TABLE {ns}.reasons {using} AS SELECT id, reason FROM {ns}.open;

-- name: update: from subquery
UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates WHERE op = 'u') WHERE id IN (SELECT id
FROM {ns}.updates);

-- name: ctas: system table
CREATE TABLE {ns}.made {using} AS SELECT snapshot_id, commit_kind FROM {ns}.`orders$snapshots`;

-- name: create: keyed
CREATE TABLE {ns}.keyed (id BIGINT, name STRING, amount DOUBLE) {using} TBLPROPERTIES ('primary-key' = 'id');

-- name: insert: keyed, computed
INSERT INTO {ns}.keyed SELECT id, upper(customer), amount * 2 FROM {ns}.updates WHERE op <> 'd';

-- name: insert: keyed, named
INSERT INTO {ns}.keyed SELECT id + 1 AS id, concat(customer, op) AS name, amount FROM {ns}.updates;

-- name: insert: keyed, aggregated
INSERT INTO {ns}.keyed SELECT id, max(customer) AS name, sum(amount) AS amount FROM {ns}.updates GROUP BY id;

-- name: insert: keyed, joined
INSERT INTO {ns}.keyed SELECT u.id, o.customer AS name, u.amount
FROM {ns}.updates u JOIN {ns}.orders o ON u.id = o.id;

-- name: overwrite: keyed
INSERT OVERWRITE {ns}.keyed SELECT id, customer, amount FROM {ns}.updates;

-- name: insert: from metadata
INSERT INTO {ns}.counted SELECT count(id) AS n, max(id) + 1 AS last FROM {ns}.orders;

-- name: read: from metadata
SELECT min(amount) AS least, max(amount) AS most FROM {ns}.updates;

-- name: create: marked
CREATE TABLE {ns}.marked (id BIGINT, customer STRING, amount DOUBLE, day STRING) {using}
TBLPROPERTIES (type = 'cow', primaryKey = 'id', preCombineField = 'amount', hoodie.metadata.enable = 'false',
hoodie.embed.timeline.server = 'false');

-- name: insert: marked
INSERT INTO {ns}.marked SELECT id, upper(customer), amount, day FROM {ns}.orders;

-- name: merge: computed
MERGE INTO {ns}.orders t USING (SELECT u.id AS id, concat(u.customer, o.day) AS label, o.amount AS amount, o.day
AS day FROM {ns}.updates u JOIN {ns}.marked o ON u.id = o.id WHERE u.op = 'u') s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET customer = s.label, amount = s.amount + t.amount
WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, s.label, s.amount, s.day);

-- name: insert: keyed, common table
WITH best AS (SELECT id, customer, rank() OVER (PARTITION BY day ORDER BY amount) AS place
FROM {ns}.orders) INSERT INTO {ns}.keyed SELECT b.id, b.customer, u.amount
FROM best b LEFT JOIN {ns}.updates u ON b.id = u.id WHERE b.place = 1 AND b.id IN (SELECT id FROM {ns}.updates
WHERE op = 'u');

-- name: merge: keyed
MERGE INTO {ns}.keyed t USING {ns}.updates s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = concat(t.name, s.op)
WHEN NOT MATCHED THEN INSERT (id, name, amount) VALUES (s.id, s.customer, s.amount);

-- name: merge: keyed, insert only
MERGE INTO {ns}.keyed t USING (SELECT id, max(customer) AS best FROM {ns}.orders GROUP BY id) s ON t.id = s.id
WHEN NOT MATCHED THEN INSERT (id, name, amount) VALUES (s.id, s.best, 0.0);
