-- name: berths
-- writes: overwrite berths
-- columns: ship_id hours agent < visits.*

-- name: berths upsert
-- writes: append berths
-- columns: ship_id < ships.ship_id; hours < ships.built; agent < ships.name

-- name: berths read
-- writes: nothing
-- columns: agent < berths.agent
-- conditions: FILTER berths.hours

-- name: incremental
-- writes: append grown
-- columns: ship_id hours < berths.*

-- name: balance ddl
CREATE TABLE gold.balance (ship_id BIGINT, due DOUBLE, ts BIGINT) USING hudi
TBLPROPERTIES (primaryKey = 'ship_id', preCombineField = 'ts');

-- name: balance
-- writes: append balance
-- columns: ship_id due < dues.*; ts <
INSERT INTO gold.balance SELECT ship_id, sum(due), max(unix_timestamp('2026-01-01')) FROM gold.dues GROUP BY ship_id;

-- name: merge
-- writes: merge balance
-- columns: ship_id < visits.ship_id; due < balance.due visits.hours; ts <
MERGE INTO gold.balance t USING (SELECT v.ship_id, CAST(sum(v.hours) AS DOUBLE) AS due, 7L AS ts
FROM raw.visits v JOIN raw.ships s ON s.ship_id = v.ship_id WHERE s.flag = 'NL'
GROUP BY v.ship_id) s ON t.ship_id = s.ship_id WHEN MATCHED AND s.due > 100 THEN DELETE
WHEN MATCHED THEN UPDATE SET due = t.due + s.due, ts = s.ts
WHEN NOT MATCHED THEN INSERT (ship_id, due, ts) VALUES (s.ship_id, s.due, s.ts);

-- name: merge star
-- writes: merge balance
-- columns: ship_id < ships.ship_id; due < ships.tons; ts < ships.built
MERGE INTO gold.balance t USING (SELECT ship_id, tons AS due, CAST(built AS BIGINT) AS ts
FROM raw.ships) s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: merge table
-- writes: merge balance
-- columns: ship_id < ships.ship_id; due < ships.tons; ts <
MERGE INTO gold.balance t USING raw.ships s ON t.ship_id = s.ship_id
WHEN MATCHED AND s.tons > 10 THEN UPDATE SET due = s.tons, ts = 9
WHEN NOT MATCHED THEN INSERT (ship_id, due, ts) VALUES (s.ship_id, s.tons, 1);

-- name: update
-- writes: update balance
-- columns: due < balance.due balance.ship_id
-- conditions: FILTER balance.ts
UPDATE gold.balance SET due = due * 2 + ship_id WHERE ts > 1;

-- name: update in
-- writes: update balance
-- columns: due <
UPDATE gold.balance SET due = 0 WHERE ship_id IN (SELECT ship_id FROM raw.visits WHERE agent IS NULL);

-- name: delete
-- writes: delete balance
-- conditions: FILTER balance.due
DELETE FROM gold.balance WHERE due > 90000 AND ship_id > 0;

-- name: delete in
-- writes: delete balance
DELETE FROM gold.balance WHERE ship_id IN (SELECT ship_id FROM raw.ships WHERE tons > 5500);

-- name: parts ddl
CREATE TABLE gold.daily (visit_id BIGINT, hours INT, day STRING) USING hudi PARTITIONED BY (day)
TBLPROPERTIES (primaryKey = 'visit_id', type = 'mor');

-- name: parts
-- writes: append daily
-- columns: visit_id hours day < visits.*
INSERT INTO gold.daily SELECT visit_id, hours, day FROM raw.visits;

-- name: parts static
-- writes: append daily
-- columns: visit_id < ships.ship_id; hours < ships.built; day <
INSERT INTO gold.daily PARTITION (day = '2026-05-05') SELECT ship_id, built FROM raw.ships;

-- name: parts overwrite
-- writes: overwrite daily
-- columns: visit_id hours day < visits.*
INSERT OVERWRITE gold.daily PARTITION (day) SELECT visit_id + 1, hours, day FROM raw.visits WHERE day = '2026-05-02';

-- name: parts dropped
ALTER TABLE gold.daily DROP PARTITION (day = '2026-05-05');

-- name: mor update
-- writes: update daily
-- columns: hours < daily.hours daily.visit_id
UPDATE gold.daily SET hours = hours + visit_id WHERE day = '2026-05-01';

-- name: mor read
-- writes: nothing
-- columns: day < daily.day; h < daily.hours
SELECT day, max(hours) AS h FROM gold.daily GROUP BY day;

-- name: compact
CALL run_compaction(op => 'run', table => 'gold.daily');

-- name: time travel
-- writes: append dues
-- columns: ship_id due < balance.*
INSERT INTO gold.dues SELECT ship_id, due FROM gold.balance TIMESTAMP AS OF '2099-01-01';

-- name: dynamic
-- writes: overwrite agents
-- columns: visit_id hours agent day < visits.*

-- name: deletes
-- writes: delete agents

-- name: w60 saved
-- writes: append w60s
-- columns: k < w60.k; hours < w60.k;
--   c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16 c17 c18 c19 c20 c21 c22 c23 c24 c25 c26 c27 c28 c29 c30 c31
--   c32 c33 c34 c35 c36 c37 c38 c39 c40 c41 c42 c43 c44 c45 c46 c47 c48 c49 c50 c51 c52 c53 c54 c55 c56 c57 c58 < w60.*

-- name: w60 keyed ddl
CREATE TABLE gold.w60k (k BIGINT, {1..59: d{n} DOUBLE}) USING hudi
TBLPROPERTIES (primaryKey = 'k', preCombineField = 'd1');

-- name: w60 keyed
-- writes: append w60k
-- columns: k < w60.k; {1..59: d{n} < w60.c{n}}
INSERT INTO gold.w60k SELECT k, {1..59: c{n} + 1} FROM raw.w60;

-- name: w60 merge
-- writes: merge w60k
-- columns: k < w60.k; {1..59: d{n} < w60.c{n}}
MERGE INTO gold.w60k t USING (SELECT k, {1..59: c{n} AS d{n}} FROM raw.w60) s ON t.k = s.k
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: w60 update
-- writes: update w60k
-- columns: d58 < w60k.d57 w60k.d2; d3 < w60k.d4
-- conditions: FILTER w60k.d44
UPDATE gold.w60k SET d58 = d57 + d2, d3 = CASE WHEN d40 > 1 THEN d4 ELSE 0 END WHERE d44 > 2;

-- name: upsert stream
-- writes: merge balance
-- columns: ship_id < json.ship_id; due < json.hours; ts <

-- name: add
-- writes: alter balance
ALTER TABLE gold.balance ADD COLUMNS (note STRING);

-- name: added insert
-- writes: append balance
-- columns: ship_id < ships.ship_id; due < ships.tons; ts <; note < ships.name
INSERT INTO gold.balance SELECT ship_id + 100, tons, 1L, name FROM raw.ships;

-- name: added read
-- writes: nothing
-- columns: note < balance.note
-- conditions: FILTER balance.due
SELECT note FROM gold.balance WHERE due > 1;

-- name: view
-- writes: create busy
-- columns: day < daily.day; most < daily.hours
CREATE VIEW gold.busy AS SELECT day, max(hours) AS most FROM gold.daily GROUP BY day;

-- name: replace
-- writes: overwrite labels
-- columns: ship_id < ships.ship_id; label < ships.name
CREATE OR REPLACE TABLE gold.labels USING hudi AS SELECT ship_id, name AS label FROM raw.ships;

-- name: truncate
-- writes: truncate daily
TRUNCATE TABLE gold.daily;
