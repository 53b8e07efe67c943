-- name: calls
-- writes: create calls
-- columns: visit_id ship_id arrived hours day < visits.*; pilot_name < visits.agent

-- name: calls insert
-- writes: append calls
-- columns: visit_id ship_id arrived hours day < visits.*; pilot_name < visits.agent
-- conditions: FILTER visits.hours
INSERT INTO raw.calls SELECT visit_id + 1000, ship_id, arrived + INTERVAL 1 DAY, hours + 1, lower(agent), day
FROM raw.visits WHERE hours > 6;

-- name: balance
-- writes: create balance
-- columns: ship_id due < dues.*
CREATE TABLE gold.balance USING iceberg AS SELECT ship_id, sum(due) AS due FROM gold.dues GROUP BY 1;

-- name: update scalar
-- writes: update balance
-- columns: due < balance.due ships.tons
-- conditions: FILTER balance.ship_id
UPDATE gold.balance SET due = due + (SELECT avg(tons) FROM raw.ships WHERE built > 1990) WHERE ship_id < 3;

-- name: update in
-- writes: update balance
-- columns: due <
UPDATE gold.balance SET due = 0 WHERE ship_id IN (SELECT ship_id FROM raw.visits WHERE agent IS NULL);

-- name: update exists
-- writes: update balance
-- columns: due < balance.due
UPDATE gold.balance b SET due = due * 2 WHERE EXISTS (SELECT 1 FROM raw.ships s
WHERE s.ship_id = b.ship_id AND s.flag = 'NL');

-- name: delete exists
-- writes: delete balance
DELETE FROM gold.balance b WHERE EXISTS (SELECT 1 FROM raw.ships s WHERE s.ship_id = b.ship_id AND s.tons > 5500);

-- name: delete not in
-- writes: delete calls
DELETE FROM raw.calls WHERE ship_id NOT IN (SELECT ship_id FROM raw.ships);

-- name: delete between
-- writes: delete calls
DELETE FROM raw.calls WHERE hours BETWEEN 90 AND 95 OR pilot_name LIKE 'x%';

-- name: update mor
-- writes: update calls
-- columns: hours < calls.hours; pilot_name < calls.pilot_name calls.day
-- conditions: FILTER calls.visit_id
UPDATE raw.calls SET hours = CASE
WHEN ship_id = 2 THEN hours + 1 ELSE hours END, pilot_name = concat(pilot_name, day) WHERE visit_id > 103;

-- name: merge mor
-- writes: merge calls
-- columns: visit_id < visits.visit_id; ship_id < visits.ship_id; hours < visits.hours calls.hours;
--   pilot_name < visits.agent; arrived day <
MERGE INTO raw.calls t USING (SELECT visit_id, max(hours) AS hours, max(agent) AS agent, max(ship_id) AS ship
FROM raw.visits GROUP BY visit_id) s ON t.visit_id = s.visit_id WHEN MATCHED AND s.hours > 14 THEN DELETE
WHEN MATCHED THEN UPDATE SET t.hours = s.hours + t.hours, t.pilot_name = s.agent
WHEN NOT MATCHED THEN INSERT (visit_id, ship_id, hours) VALUES (s.visit_id, s.ship, s.hours)
WHEN NOT MATCHED BY SOURCE AND t.hours > 90 THEN UPDATE SET t.pilot_name = 'none';

-- name: history ddl
CREATE TABLE gold.history (ship_id BIGINT, name STRING, tons DOUBLE, since STRING, until STRING, current BOOLEAN)
USING iceberg;

-- name: history first
-- writes: append history
-- columns: ship_id name tons < ships.*; since until current <
INSERT INTO gold.history SELECT ship_id, name, tons, '2026-01-01', NULL, true FROM raw.ships;

-- name: stage

-- name: scd2
-- writes: merge history
-- columns: ship_id name tons < ships.*; since until < visits.day; current <
MERGE INTO gold.history t USING (SELECT ship_id AS key, ship_id, name, tons, day FROM staged UNION ALL
SELECT NULL AS key, s.ship_id, s.name, s.tons, s.day FROM staged s JOIN gold.history h ON s.ship_id = h.ship_id
WHERE h.current AND s.tons <> h.tons) u ON t.ship_id = u.key
WHEN MATCHED AND t.current AND t.tons <> u.tons THEN UPDATE SET current = false, until = u.day
WHEN NOT MATCHED THEN INSERT (ship_id, name, tons, since, until, current)
VALUES (u.ship_id, u.name, u.tons, u.day, NULL, true);

-- name: merge by source
-- writes: merge balance
-- columns: ship_id < ships.ship_id; due < balance.due visits.hours
MERGE INTO gold.balance t USING (SELECT s.ship_id, sum(v.hours) h
FROM raw.ships s LEFT JOIN raw.visits v ON v.ship_id = s.ship_id GROUP BY s.ship_id) s ON t.ship_id = s.ship_id
WHEN MATCHED AND s.h IS NULL THEN DELETE WHEN MATCHED AND s.h > 10 THEN UPDATE SET due = t.due + s.h
WHEN MATCHED THEN UPDATE SET due = s.h
WHEN NOT MATCHED AND s.h > 0 THEN INSERT (ship_id, due) VALUES (s.ship_id, s.h)
WHEN NOT MATCHED BY SOURCE AND t.due < 0 THEN UPDATE SET due = 0
WHEN NOT MATCHED BY SOURCE AND t.due > 1e9 THEN DELETE;

-- name: merge constant
-- writes: merge balance
-- columns: ship_id due <
MERGE INTO gold.balance t USING (SELECT 1L AS ship_id, 2.5D AS due) s ON t.ship_id = s.ship_id
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: merge into api
-- only: 4-1
-- writes: merge balance
-- columns: due < visits.hours; ship_id < visits.ship_id

-- name: daily
-- writes: create daily
-- columns: visit_id hours day < visits.*
CREATE TABLE gold.daily USING iceberg PARTITIONED BY (day) AS SELECT visit_id, hours, day FROM raw.visits;

-- name: overwrite partitions
-- writes: overwrite daily
-- columns: visit_id day < visits.*; hours < visits.ship_id
-- conditions: FILTER visits.day

-- name: overwrite api
-- writes: overwrite daily
-- columns: visit_id day < visits.*; hours < visits.agent

-- name: static
-- writes: overwrite daily
-- columns: visit_id < ships.ship_id; hours < ships.built; day <
INSERT OVERWRITE gold.daily PARTITION (day = '2026-05-03') SELECT ship_id, built FROM raw.ships;

-- name: dynamic
-- writes: overwrite daily
-- columns: visit_id hours day < calls.*
-- conditions: FILTER calls.hours

-- name: branch
ALTER TABLE gold.daily CREATE BRANCH audit RETAIN 7 DAYS;

-- name: tag
ALTER TABLE gold.daily CREATE TAG first_night;

-- name: branch insert
-- writes: append daily
-- columns: visit_id hours < visits.*; day <
INSERT INTO gold.daily.branch_audit SELECT visit_id, hours, 'audited' FROM raw.visits;

-- name: branch option
-- writes: append daily
-- columns: visit_id hours day < visits.*

-- name: branch read
-- writes: nothing
-- columns: visit_id < daily.visit_id
-- conditions: FILTER daily.hours
SELECT visit_id FROM gold.daily VERSION AS OF 'audit' WHERE hours > 1;

-- name: tag insert
-- writes: append dues
-- columns: ship_id < daily.visit_id; due < daily.hours
INSERT INTO gold.dues SELECT visit_id, hours FROM gold.daily VERSION AS OF 'first_night';

-- name: fast forward
-- writes: maintenance daily

-- name: at snapshot
-- writes: append dues
-- columns: ship_id due < balance.*

-- name: sql version
-- writes: append dues
-- columns: ship_id due < balance.*

-- name: incremental
-- writes: create grown
-- columns: ship_id due < dues.*

-- name: rollback
-- writes: maintenance balance

-- name: after rollback
-- writes: nothing
-- columns: ship_id < balance.ship_id
SELECT ship_id FROM gold.balance WHERE due > 2;

-- name: rewrite
-- writes: maintenance calls

-- name: manifests
-- writes: maintenance daily

-- name: expire
-- writes: maintenance dues

-- name: orphans
-- writes: maintenance visits

-- name: changelog
-- writes: create log
-- columns: visit_id hours < calls.*; op < calls._change_type

-- name: changes table
-- writes: nothing
-- columns: visit_id _change_type _change_ordinal < calls.*
SELECT visit_id, _change_type, _change_ordinal FROM raw.calls.changes;

-- name: snapshots table
SELECT snapshot_id, operation FROM raw.calls.snapshots;

-- name: files metadata
-- writes: create files
-- columns: file_path record_count < calls_files.*
CREATE TABLE gold.files USING iceberg AS SELECT file_path, record_count FROM raw.calls.files;

-- name: count stats
-- writes: append dues
-- columns: ship_id due <
INSERT INTO gold.dues SELECT count(*), 1.0D FROM raw.ships;

-- name: alter add
-- writes: alter calls
ALTER TABLE raw.calls ADD COLUMN tug STRING AFTER hours;

-- name: alter rename
-- writes: alter calls
ALTER TABLE raw.calls RENAME COLUMN pilot_name TO pilot;

-- name: alter type
-- writes: alter calls
ALTER TABLE raw.calls ALTER COLUMN hours TYPE BIGINT;

-- name: alter insert
-- writes: append calls
-- columns: visit_id hours arrived < visits.*; pilot < visits.agent; tug ship_id day <
INSERT INTO raw.calls (visit_id, hours, tug, pilot, arrived) SELECT visit_id, hours, 'tug', agent, arrived
FROM raw.visits WHERE ship_id = 1;

-- name: alter drop
-- writes: alter calls
ALTER TABLE raw.calls DROP COLUMN tug;

-- name: partition field
-- writes: alter calls
ALTER TABLE raw.calls ADD PARTITION FIELD truncate(3, day);

-- name: order
-- writes: alter calls
ALTER TABLE raw.calls WRITE ORDERED BY visit_id;

-- name: altered read
-- writes: nothing
-- columns: pilot hours < calls.*
SELECT pilot, hours FROM raw.calls;

-- name: replace as
-- writes: overwrite labels
-- columns: ship_id < ships.ship_id; label < ships.name ships.flag
CREATE OR REPLACE TABLE gold.labels USING iceberg AS SELECT ship_id, concat(name, flag) AS label FROM raw.ships;

-- name: save overwrite
-- writes: overwrite flags
-- columns: flag < ships.flag; n <; h < ships.built; mean <

-- name: swapped
-- writes: create swapped
-- columns: k c1 c2 < w60.*
CREATE TABLE gold.swapped USING iceberg AS SELECT k, c1, c2 FROM raw.w60;

-- name: swap
-- writes: overwrite swapped
-- columns: k < swapped.k; c1 < swapped.c1 swapped.c2; extra < swapped.c2

-- name: notes
CREATE TABLE gold.notes (id BIGINT, note STRING) USING iceberg
TBLPROPERTIES ('write.spark.accept-any-schema' = 'true');

-- name: merge schema
-- writes: append notes
-- columns: id < ships.ship_id; note < ships.name; extra < ships.flag

-- name: notes read
-- writes: nothing
-- columns: extra < notes.extra
SELECT extra FROM gold.notes;

-- name: by name
-- writes: append notes
-- columns: id < ships.ship_id; note < ships.name; extra < ships.flag
INSERT INTO gold.notes BY NAME SELECT flag AS extra, ship_id AS id, upper(name) AS note FROM raw.ships;

-- name: w60 merge
-- writes: merge w60b
-- columns: k < w60.k; {1..59: d{n} < w60.c{n}}
MERGE INTO gold.w60b t USING (SELECT k, {1..59: c{n} * 2 AS d{n}} FROM raw.w60 WHERE c50 > 3) s ON t.k = s.k
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: w60 update
-- writes: update w60b
-- columns: d58 < w60b.d57 w60b.d2; d3 < w60b.d4
-- conditions: FILTER w60b.d44
UPDATE gold.w60b SET d58 = d57 + d2, d3 = CASE WHEN d40 > 1 THEN d4 ELSE 0 END WHERE d44 > 2;

-- name: w60 partial
-- writes: append w60b
-- columns: k < w60.k; d59 < w60.c3; d3 < w60.c59;
--   d1 d2 d4 d5 d6 d7 d8 d9 d10 d11 d12 d13 d14 d15 d16 d17 d18 d19 d20 d21 d22 d23 d24 d25 d26 d27 d28 d29 d30 d31
--   d32 d33 d34 d35 d36 d37 d38 d39 d40 d41 d42 d43 d44 d45 d46 d47 d48 d49 d50 d51 d52 d53 d54 d55 d56 d57 d58 <
INSERT INTO gold.w60b (k, d59, d3) SELECT k, c3, c59 FROM raw.w60;

-- name: w60 delete
-- writes: delete w60b
-- conditions: FILTER w60b.d50
DELETE FROM gold.w60b WHERE d50 + d51 > 1000000;

-- name: w60m
-- writes: create w60m
-- columns: k c{1..59} < w60.*
CREATE TABLE raw.w60m USING iceberg
TBLPROPERTIES
('write.merge.mode'='merge-on-read','write.update.mode'='merge-on-read','write.delete.mode'='merge-on-read') AS
SELECT * FROM raw.w60;

-- name: w60m merge
-- writes: merge w60m
-- columns: k c{1..59} < w60.*
MERGE INTO raw.w60m t USING raw.w60 s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: w60m update
-- writes: update w60m
-- columns: c2 < w60m.c59
-- conditions: FILTER w60m.c58
UPDATE raw.w60m SET c2 = c59 + 1 WHERE c58 > 4;

-- name: w60m delete
-- writes: delete w60m
-- conditions: FILTER w60m.c44
DELETE FROM raw.w60m WHERE c44 = 12 AND c2 > 3;

-- name: upsert stream
-- writes: merge balance
-- columns: ship_id < visits.ship_id; due < balance.due visits.hours

-- name: streamed
CREATE TABLE gold.streamed (id BIGINT, who STRING, berth STRING) USING iceberg;

-- name: copy stream
-- writes: append streamed
-- columns: id < visits.visit_id; who < visits.agent; berth < visits.berth.code

-- name: totals
CREATE TABLE gold.totals (ship_id BIGINT, hours BIGINT, n BIGINT) USING iceberg;

-- name: file stream
-- writes: overwrite totals
-- columns: ship_id hours < json.*; n <

-- name: view
-- only: 4-1
-- writes: create busy
-- columns: day < daily.day; n <; most < daily.hours
CREATE VIEW gold.busy AS SELECT d.day, count(*) AS n, max(d.hours) AS most FROM gold.daily d GROUP BY d.day;

-- name: view join
-- only: 4-1
-- writes: create named
-- columns: who < ships.name visits.agent; tons < ships.tons
-- conditions: JOIN visits.ship_id; FILTER ships.built
CREATE OR REPLACE VIEW gold.named (who, tons) COMMENT 'x' AS SELECT concat(s.name, '-', v.agent) AS a, s.tons * 2
FROM raw.ships s JOIN raw.visits v ON v.ship_id = s.ship_id WHERE s.built > 1990;

-- name: from view
-- only: 4-1
-- writes: create busiest
-- columns: day < daily.day; most < daily.hours
CREATE TABLE gold.busiest USING iceberg AS SELECT day, most FROM gold.busy WHERE n > 1;

-- name: from view join
-- only: 4-1
-- writes: nothing
-- columns: who < ships.name visits.agent
SELECT who FROM gold.named WHERE tons > 5;

-- name: rename table
ALTER TABLE gold.grown RENAME TO gold.grew;

-- name: renamed insert
-- writes: append grew
-- columns: ship_id due < dues.*
-- conditions: FILTER dues.due
INSERT INTO gold.grew SELECT ship_id, due FROM gold.dues WHERE due > 3;

-- name: truncate
-- writes: truncate streamed
TRUNCATE TABLE gold.streamed;

-- name: drop
DROP TABLE gold.busiest;
