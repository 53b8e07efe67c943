-- name: berths
-- writes: create berths
-- columns: ship_id hours < visits.*; note <

-- name: api merge
-- writes: merge berths
-- columns: ship_id < visits.ship_id; hours < visits.hours; note < berths.note visits.day

-- name: path sql
-- writes: append berths
-- columns: ship_id < ships.ship_id; hours < ships.tons; note < ships.name
INSERT INTO delta.`{root}/lake/berths` SELECT ship_id, CAST(tons AS INT), name FROM raw.ships WHERE tons > 4000;

-- name: path update
-- writes: update berths
-- columns: note hours < berths.*
-- conditions: FILTER berths.ship_id
UPDATE delta.`{root}/lake/berths` SET note = upper(note), hours = hours + 1 WHERE ship_id = 2;

-- name: api delete
-- writes: delete berths

-- name: balance
-- writes: create balance
-- columns: ship_id due < dues.*
CREATE TABLE gold.balance USING delta AS SELECT ship_id, sum(due) AS due FROM gold.dues GROUP BY 1;

-- name: api all
-- writes: merge balance
-- columns: ship_id due < dues.*

-- name: api update
-- writes: update balance
-- columns: due < balance.due balance.ship_id
-- conditions: FILTER balance.due

-- name: daily
-- writes: create daily
-- columns: visit_id hours day < visits.*
CREATE TABLE gold.daily USING delta PARTITIONED BY (day) AS SELECT visit_id, hours, day FROM raw.visits;

-- name: replace where
-- writes: overwrite daily
-- columns: visit_id hours day < visits.*
-- conditions: FILTER visits.day

-- name: replace where sql
-- writes: overwrite daily
-- columns: visit_id hours day < visits.*
INSERT INTO gold.daily REPLACE WHERE day = '2026-05-02' SELECT visit_id, hours + 7, day FROM raw.visits
WHERE day = '2026-05-02';

-- name: dynamic
-- writes: overwrite daily
-- columns: visit_id day < visits.*; hours < visits.ship_id

-- name: static
-- writes: overwrite daily
-- columns: visit_id < ships.ship_id; hours < ships.built; day <
INSERT OVERWRITE gold.daily PARTITION (day = '2026-05-03') SELECT ship_id, built FROM raw.ships;

-- name: overwrite api
-- writes: overwrite daily
-- columns: visit_id day < visits.*; hours < visits.agent

-- name: history
CREATE TABLE gold.history (ship_id BIGINT, name STRING, tons DOUBLE, since STRING, until STRING, current BOOLEAN)
USING delta;

-- name: history first
-- writes: append history
-- columns: ship_id name tons < ships.*; since until current <
INSERT INTO gold.history SELECT ship_id, name, tons, '2026-01-01', NULL, true FROM raw.ships;

-- name: stage

-- name: scd2
-- writes: merge history
-- columns: ship_id name tons < ships.*; since until < visits.day; current <

-- name: evolve merge
-- writes: merge history
-- columns: ship_id name tons < ships.*; since < visits.day; grade <

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

-- name: w60 merge
-- writes: merge w60b
-- columns: k < w60.k; {1..59: d{n} < w60.c{n}}
MERGE INTO gold.w60b t USING (SELECT k, {1..59: c{n} * 2 AS d{n}} FROM raw.w60 WHERE c50 > 3) s ON t.k = s.k
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: w60 merge some
-- writes: merge w60b
-- columns: k < w60.k; {1..58: d{n} < w60.c{n}}; d59 < w60.c59 w60.c1 w60b.d58
MERGE INTO gold.w60b t USING raw.w60 s ON t.k = s.k WHEN MATCHED THEN UPDATE SET d59 = s.c1 + t.d58, d30 = s.c30
WHEN NOT MATCHED THEN INSERT (k, {1..59: d{n}}) VALUES (s.k, {1..59: s.c{n}});

-- name: w60 update
-- writes: update w60b
-- columns: d58 < w60b.d57 w60b.d2; d3 < w60b.d4
-- conditions: FILTER w60b.d44
UPDATE gold.w60b SET d58 = d57 + d2, d3 = CASE WHEN d40 > 1 THEN d4 ELSE 0 END WHERE d44 > 2;

-- name: w60 replace
-- writes: overwrite w60j
-- columns: k < w60b.k; {1..59: f{n} < w60b.d{n}}
CREATE OR REPLACE TABLE gold.w60j USING delta AS SELECT k, {1..59: d{n} AS f{n}} FROM gold.w60b WHERE d59 > 0;

-- name: w60 overwrite
-- writes: overwrite w60j
-- columns: k c{1..59} < w60.*

-- name: time version
-- writes: append dues
-- columns: ship_id due < balance.*
INSERT INTO gold.dues SELECT ship_id, due FROM gold.balance VERSION AS OF 0;

-- name: time option
-- writes: append dues
-- columns: ship_id due < balance.*

-- name: time path
-- writes: append dues
-- columns: ship_id < berths.ship_id; due < berths.hours

-- name: time diff
-- writes: nothing
-- columns: ship_id < balance.ship_id; moved < balance.due
SELECT n.ship_id, n.due - o.due AS moved
FROM gold.balance n JOIN gold.balance VERSION AS OF 0 o ON n.ship_id = o.ship_id;

-- name: restore
-- writes: maintenance balance

-- name: after restore
-- writes: nothing
-- columns: ship_id < balance.ship_id
SELECT ship_id FROM gold.balance WHERE due > 2;

-- name: restore sql
-- writes: maintenance daily
RESTORE TABLE gold.daily TO VERSION AS OF 1;

-- name: clone
-- writes: create twin
-- columns: visit_id hours day < daily.*
CREATE TABLE gold.twin SHALLOW CLONE gold.daily;

-- name: clone version
-- writes: create twin
-- columns: visit_id hours day < daily.*
CREATE OR REPLACE TABLE gold.twin SHALLOW CLONE gold.daily VERSION AS OF 0;

-- name: clone insert
-- writes: append twin
-- columns: visit_id hours day < twin.*
-- conditions: FILTER twin.hours
INSERT INTO gold.twin SELECT visit_id + 1, hours, day FROM gold.twin WHERE hours > 3;

-- name: tracked
CREATE TABLE gold.tracked (ship_id BIGINT, due DOUBLE) USING delta TBLPROPERTIES (delta.enableChangeDataFeed = true);

-- name: tracked insert
-- writes: append tracked
-- columns: ship_id < ships.ship_id; due < ships.tons
INSERT INTO gold.tracked SELECT ship_id, tons FROM raw.ships;

-- name: tracked update
-- writes: update tracked
-- columns: due < tracked.due tracked.ship_id
-- conditions: FILTER tracked.ship_id
UPDATE gold.tracked SET due = due + ship_id WHERE ship_id IN (1, 2);

-- name: tracked delete
-- writes: delete tracked
-- conditions: FILTER tracked.ship_id
DELETE FROM gold.tracked WHERE ship_id = 6;

-- name: feed
-- writes: create audit
-- columns: ship_id due < tracked.*; op < tracked._change_type

-- name: feed sql
-- writes: append audit
-- columns: ship_id due < tracked.*; op < tracked._change_type tracked._commit_version
INSERT INTO gold.audit SELECT ship_id, due, concat(_change_type, _commit_version)
FROM table_changes('gold.tracked', 1, 2) WHERE due > 1;

-- name: fed
CREATE TABLE gold.fed (ship_id BIGINT, due DOUBLE) USING delta;

-- name: feed stream
-- writes: append fed
-- columns: ship_id due < tracked.*

-- name: upsert stream
-- writes: merge balance
-- columns: ship_id < visits.ship_id; due < balance.due visits.hours

-- name: two sinks
-- writes: append crew_table
-- columns: visit_id agent < visits.*
-- writes: create counts
-- columns: day < visits.day; count <
-- conditions: GROUP_BY visits.day

-- name: path stream
-- writes: append copied
-- columns: id < berths.ship_id; note < berths.note

-- name: file stream
-- writes: overwrite totals
-- columns: ship_id hours < json.*; n <

-- name: prices
CREATE TABLE gold.prices (berth STRING, price INT, doubled INT GENERATED ALWAYS AS (price * 2)) USING delta
TBLPROPERTIES ('delta.enableTypeWidening' = 'true');

-- name: prices insert
-- writes: append prices
-- columns: berth < visits.berth.code; price doubled < visits.hours
INSERT INTO gold.prices (berth, price) SELECT berth.code, hours FROM raw.visits;

-- name: prices widen
-- only: 4-1
-- writes: alter prices
ALTER TABLE gold.prices ALTER COLUMN price TYPE BIGINT;

-- name: prices add
-- writes: alter prices
ALTER TABLE gold.prices ADD COLUMNS (valid DATE);

-- name: registry
-- writes: create registry
-- columns: ship_id name flag < ships.*
CREATE TABLE gold.registry USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS
SELECT ship_id, name, flag FROM raw.ships;

-- name: registry rename
-- writes: alter registry
ALTER TABLE gold.registry RENAME COLUMN flag TO nation;

-- name: registry add
-- writes: alter registry
ALTER TABLE gold.registry ADD COLUMN note STRING AFTER name;

-- name: registry merge schema
-- writes: append registry
-- columns: ship_id name < ships.*; note <; nation < ships.flag; remark < ships.built

-- name: registry drop
-- writes: alter registry
ALTER TABLE gold.registry DROP COLUMN remark;

-- name: registry read
-- writes: nothing
-- columns: nation note < registry.*
SELECT nation, note FROM gold.registry;

-- name: crew
-- writes: append crew_table
-- columns: visit_id agent < visits.*; rank < visits.ship_id

-- name: external
CREATE TABLE gold.crew_table USING delta LOCATION '{root}/lake/crew';

-- name: external insert
-- writes: append crew_table
-- columns: visit_id < ships.ship_id; agent < ships.name; rank < ships.built
INSERT INTO gold.crew_table SELECT ship_id, name, built FROM raw.ships;

-- name: external read
-- writes: nothing
-- columns: rank < crew_table.rank
SELECT rank FROM gold.crew_table;

-- name: tariffs
-- writes: create tariffs
-- columns: flag tons < ships.*

-- name: convert
CONVERT TO DELTA parquet.`{root}/landing/tariffs`;

-- name: converted read
-- writes: create tariffed
-- columns: flag tons < tariffs.*
CREATE TABLE gold.tariffed USING delta AS SELECT flag, sum(tons) AS tons FROM delta.`{root}/landing/tariffs`
GROUP BY flag;

-- name: optimize
-- writes: maintenance daily
OPTIMIZE gold.daily WHERE day >= '2026-05-01' ZORDER BY (visit_id);

-- name: vacuum
-- writes: maintenance daily
VACUUM gold.daily RETAIN 200 HOURS;

-- name: stats count
-- writes: append dues
-- columns: ship_id <; due < ships.tons
INSERT INTO gold.dues SELECT count(*), max(tons) FROM raw.ships;

-- name: view
-- writes: create busy
-- columns: day < daily.day; n <; most < daily.hours
CREATE OR REPLACE VIEW gold.busy AS SELECT d.day, count(*) AS n, max(d.hours) AS most FROM gold.daily d
GROUP BY d.day;

-- name: from view
-- writes: create busiest
-- columns: day < daily.day; most < daily.hours
CREATE TABLE gold.busiest USING delta AS SELECT day, most FROM gold.busy WHERE n > 1;

-- name: swapped
-- writes: create swapped
-- columns: k c1 c2 < w60.*
CREATE TABLE gold.swapped USING delta AS SELECT k, c1, c2 FROM raw.w60;

-- name: swap
-- writes: overwrite swapped
-- columns: k < swapped.k; c1 < swapped.c1 swapped.c2; extra < swapped.c2

-- name: save ignore
-- writes: create fresh
-- columns: ship_id name flag tons built < ships.*

-- name: like
CREATE TABLE gold.alike LIKE raw.ships USING delta;

-- name: insert table
-- writes: append alike
-- columns: ship_id name flag tons built < ships.*
INSERT INTO gold.alike TABLE raw.ships;

-- name: by name
-- writes: append alike
-- columns: ship_id name flag tons built < ships.*
INSERT INTO gold.alike BY NAME SELECT built, tons * 2 AS tons, name, flag, ship_id FROM raw.ships;

-- name: delete all
-- writes: delete alike
DELETE FROM gold.alike;

-- name: truncate
-- writes: truncate fed
TRUNCATE TABLE gold.fed;
