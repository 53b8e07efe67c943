-- name: balance ddl
CREATE TABLE gold.balance (ship_id BIGINT, due DOUBLE) USING paimon
TBLPROPERTIES ('primary-key' = 'ship_id', 'bucket' = '2');

-- name: balance
-- writes: append balance
-- columns: ship_id due < dues.*
INSERT INTO gold.balance SELECT ship_id, sum(due) FROM gold.dues GROUP BY ship_id;

-- name: merge
-- writes: merge balance
-- columns: ship_id < visits.ship_id; due < balance.due visits.hours
MERGE INTO gold.balance t USING (SELECT v.ship_id, CAST(sum(v.hours) AS DOUBLE) AS due
FROM raw.visits v JOIN raw.ships s ON s.ship_id = v.ship_id WHERE s.flag = 'NL'
GROUP BY v.ship_id) s ON t.ship_id = s.ship_id WHEN MATCHED AND s.due > 100 THEN DELETE
WHEN MATCHED THEN UPDATE SET due = t.due + s.due
WHEN NOT MATCHED THEN INSERT (ship_id, due) VALUES (s.ship_id, s.due);

-- name: merge star
-- writes: merge balance
-- columns: ship_id < ships.ship_id; due < ships.tons
MERGE INTO gold.balance t USING (SELECT ship_id, tons AS due FROM raw.ships) s ON t.ship_id = s.ship_id
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: merge by source
-- writes: merge balance
-- columns: due < ships.tons
MERGE INTO gold.balance t USING raw.ships s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET due = s.tons
WHEN NOT MATCHED BY SOURCE AND t.due < 0 THEN DELETE;

-- name: update
-- writes: update balance
-- columns: due < balance.due balance.ship_id
-- conditions: FILTER balance.ship_id
UPDATE gold.balance SET due = due * 2 + length(CAST(ship_id AS STRING)) WHERE ship_id > 1;

-- name: update in
-- writes: update balance
-- columns: due <
UPDATE gold.balance SET due = 0 WHERE ship_id IN (SELECT ship_id FROM raw.visits WHERE agent IS NULL);

-- name: delete
-- writes: delete balance
-- conditions: FILTER balance.due
DELETE FROM gold.balance WHERE due > 90000;

-- name: delete exists
-- writes: delete balance
DELETE FROM gold.balance WHERE EXISTS (SELECT 1 FROM raw.ships s
WHERE s.tons > 99999 AND s.ship_id = balance.ship_id);

-- name: append update
-- writes: update dues
-- columns: due < dues.due
-- conditions: FILTER dues.ship_id
UPDATE gold.dues SET due = due + 1 WHERE ship_id = 2;

-- name: append delete
-- writes: delete dues
-- conditions: FILTER dues.due
DELETE FROM gold.dues WHERE due < 0;

-- name: daily
-- writes: create daily
-- columns: visit_id hours day < visits.*
CREATE TABLE gold.daily USING paimon PARTITIONED BY (day) AS SELECT visit_id, hours, day FROM raw.visits;

-- name: overwrite
-- writes: overwrite daily
-- columns: visit_id hours day < visits.*
-- conditions: FILTER visits.hours
INSERT OVERWRITE gold.daily SELECT visit_id, hours + 1, day FROM raw.visits WHERE hours > 2;

-- name: static
-- writes: overwrite daily
-- columns: visit_id < ships.ship_id; hours < ships.built; day <
INSERT OVERWRITE gold.daily PARTITION (day = '2026-05-03') SELECT ship_id, built FROM raw.ships;

-- name: dynamic
-- writes: overwrite daily
-- columns: visit_id day < visits.*; hours < visits.agent

-- name: save path
-- writes: append dues
-- columns: ship_id < ships.ship_id; due < ships.tons

-- name: load path
-- writes: append dues
-- columns: ship_id < ships.ship_id; due < ships.built
-- conditions: FILTER ships.built

-- name: travel
-- writes: append dues
-- columns: ship_id due < balance.*
INSERT INTO gold.dues SELECT ship_id, due FROM gold.balance VERSION AS OF 1;

-- name: tag
-- writes: maintenance balance
CALL pai.sys.create_tag(table => 'gold.balance', tag => 't1', snapshot => 1);

-- name: tagged
-- writes: nothing
-- columns: ship_id < balance.ship_id
SELECT ship_id FROM gold.balance VERSION AS OF 't1';

-- name: increment
-- writes: append dues
-- columns: ship_id due < balance.*

-- name: audit log
-- writes: nothing
SELECT rowkind, ship_id FROM gold.`balance$audit_log`;

-- name: system
SELECT snapshot_id, commit_kind FROM gold.`balance$snapshots`;

-- name: rollback
-- writes: maintenance balance
CALL pai.sys.rollback(table => 'gold.balance', version => '1');

-- name: compact
-- writes: maintenance daily
CALL pai.sys.compact(table => 'gold.daily');

-- name: w60 keyed
-- writes: create w60k
-- columns: k < w60.k; {1..59: d{n} < w60.c{n}}
CREATE TABLE gold.w60k TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '1') AS SELECT k, {1..59: c{n} AS d{n}}
FROM raw.w60;

-- name: w60 merge
-- writes: merge w60k
-- columns: k < w60.k; {1..59: d{n} < w60.c{n}}
MERGE INTO gold.w60k t USING (SELECT k, {1..59: c{n} * 2 AS d{n}} FROM raw.w60) s ON t.k = s.k
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: w60 update
-- writes: update w60k
-- columns: d58 < w60k.d57 w60k.d2; d3 < w60k.d4
-- conditions: FILTER w60k.d44
UPDATE gold.w60k SET d58 = d57 + d2, d3 = CASE WHEN d40 > 1 THEN d4 ELSE 0 END WHERE d44 > 2;

-- name: upsert stream
-- writes: merge balance
-- columns: ship_id < json.ship_id; due < json.hours

-- name: sunk ddl
CREATE TABLE gold.sunk (ship_id BIGINT, due DOUBLE) USING paimon
TBLPROPERTIES ('primary-key' = 'ship_id', 'bucket' = '1');

-- name: copied ddl
CREATE TABLE gold.copied (id BIGINT, due DOUBLE) USING paimon;

-- name: sink stream
-- writes: append sunk
-- columns: ship_id < json.ship_id; due < json.hours

-- name: copy stream
-- writes: append copied
-- columns: id < sunk.ship_id; due < sunk.due

-- name: add
-- writes: alter balance
ALTER TABLE gold.balance ADD COLUMNS (note STRING);

-- name: rename
-- writes: alter balance
ALTER TABLE gold.balance RENAME COLUMN note TO remark;

-- name: added
-- writes: append balance
-- columns: ship_id < ships.ship_id; due < ships.tons; remark < ships.name
INSERT INTO gold.balance SELECT ship_id, tons, name FROM raw.ships;

-- name: added read
-- writes: nothing
-- columns: remark < balance.remark
-- conditions: FILTER balance.due
SELECT remark FROM gold.balance WHERE due > 1;

-- name: replace
-- writes: overwrite flags
-- columns: flag < ships.flag; n <; top < ships.built

-- name: rename table
ALTER TABLE gold.copied RENAME TO gold.copies;

-- name: renamed
-- writes: append copies
-- columns: id < dues.ship_id; due < dues.due
-- conditions: FILTER dues.due
INSERT INTO gold.copies SELECT ship_id, due FROM gold.dues WHERE due > 3;

-- name: truncate
-- writes: truncate sunk
TRUNCATE TABLE gold.sunk;
