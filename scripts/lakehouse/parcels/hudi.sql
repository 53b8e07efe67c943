-- name: empty
-- writes: append b_loads
-- columns: who < parcels.sender; load < parcels.kg; role < parcels.day
-- conditions: FILTER parcels.kg
INSERT INTO B.loads SELECT sender, kg, day FROM A.parcels WHERE kg < -5;

-- name: read names
-- writes: nothing
-- columns: old < parcels.kg; new < b_parcels.kg
-- conditions: JOIN b_parcels.parcel_id
SELECT a.kg AS old, b.kg AS new FROM A.parcels a FULL JOIN B.parcels b USING (parcel_id) WHERE a.kg <> b.kg;

-- name: read count
-- writes: nothing
-- columns: n < b_parcels.sender; m <
SELECT count(DISTINCT sender) AS n, count(*) FILTER (WHERE kg > 3) AS m FROM B.parcels;

-- name: keyed ddl
CREATE TABLE B.keyed (parcel_id BIGINT, sender STRING, kg DOUBLE) USING hudi
TBLPROPERTIES (primaryKey = 'parcel_id', preCombineField = 'kg');

-- name: keyed
-- writes: append b_keyed
-- columns: parcel_id kg < parcels.*; sender < parcels.sender parcels.recipient
-- conditions: FILTER parcels.price
INSERT INTO B.keyed SELECT parcel_id, concat(sender, '/', recipient), kg FROM A.parcels WHERE price > 1;

-- name: keyed merge table
-- writes: merge b_keyed
-- columns: parcel_id sender kg < b_parcels.*
MERGE INTO B.keyed t USING B.parcels s ON t.parcel_id = s.parcel_id
WHEN MATCHED THEN UPDATE SET kg = s.kg, sender = s.sender WHEN NOT MATCHED THEN INSERT *;

-- name: keyed merge view
-- writes: merge b_keyed
-- columns: kg < b_keyed.kg b_parcels.kg
MERGE INTO B.keyed t USING (SELECT * FROM B.parcels) s ON t.parcel_id = s.parcel_id
WHEN MATCHED AND s.kg < 3 THEN DELETE WHEN MATCHED THEN UPDATE SET kg = t.kg + s.kg;

-- name: keyed update
-- writes: update b_keyed
-- columns: kg sender < b_keyed.*
-- conditions: FILTER b_keyed.parcel_id
UPDATE B.keyed SET kg = kg * 1.1, sender = upper(sender) WHERE parcel_id > 4;

-- name: keyed delete
-- writes: delete b_keyed
-- conditions: FILTER b_keyed.kg
DELETE FROM B.keyed WHERE kg > 33 AND sender LIKE 'S%';

-- name: keyed add
-- writes: alter b_keyed
ALTER TABLE B.keyed ADD COLUMNS (note STRING);

-- name: keyed added
-- writes: append b_keyed
-- columns: parcel_id < scans.parcel_id; sender < scans.hub; kg < scans.lat; note < scans.prio
INSERT INTO B.keyed SELECT parcel_id + 100, hub, lat, prio FROM A.scans;

-- name: keyed read
-- writes: nothing
-- columns: note < b_keyed.note; n <
-- conditions: FILTER b_keyed.kg
SELECT note, count(*) AS n FROM B.keyed WHERE kg > 2 GROUP BY note;

-- name: keyed join
-- writes: append b_loads
-- columns: who < b_keyed.sender; load < b_keyed.kg parcels.kg; role < parcels.day
-- conditions: JOIN parcels.parcel_id
INSERT INTO B.loads SELECT k.sender, k.kg - p.kg, p.day FROM B.keyed k JOIN A.parcels p ON p.parcel_id = k.parcel_id;

-- name: cdc stream
-- writes: merge b_keyed
-- columns: parcel_id sender < late.*; kg < late.kg

-- name: mor
-- writes: create b_mor
-- columns: parcel_id kg sender day < parcels.*
CREATE TABLE B.mor USING hudi PARTITIONED BY (day)
TBLPROPERTIES (type = 'mor', primaryKey = 'parcel_id', preCombineField = 'kg') AS SELECT parcel_id, kg, sender, day
FROM A.parcels;

-- name: mor update
-- writes: update b_mor
-- columns: sender < b_mor.sender b_mor.day
-- conditions: FILTER b_mor.kg
UPDATE B.mor SET sender = concat(sender, day) WHERE kg > 10;

-- name: mor static
-- writes: append b_mor
-- columns: parcel_id < parcels.parcel_id; kg < parcels.net; sender < parcels.recipient; day <
INSERT INTO B.mor PARTITION (day = '2026-07-09') SELECT parcel_id, net, recipient FROM A.parcels;

-- name: mor overwrite
-- writes: overwrite b_mor
-- columns: parcel_id kg sender day < parcels.*
INSERT OVERWRITE B.mor SELECT parcel_id, kg, sender, day FROM A.parcels WHERE day = '2026-07-02';

-- name: mor delete
-- writes: delete b_mor
DELETE FROM B.mor WHERE parcel_id IN (SELECT parcel_id FROM A.scans WHERE hub = 'h1');

-- name: mor cluster
-- writes: maintenance b_mor
CALL run_clustering(table => 'desk.mor');

-- name: mor read
-- writes: nothing
-- columns: sender kg < b_mor.*
-- conditions: FILTER b_mor.day
SELECT sender, kg FROM B.mor WHERE day > '2026-07-01' ORDER BY kg LIMIT 4;

-- name: boxes
-- writes: overwrite p_boxes
-- columns: parcel_id sender kg day < parcels.*

-- name: boxes upsert
-- writes: append p_boxes
-- columns: parcel_id < scans.parcel_id; sender < scans.hub; kg < scans.lat; day < scans.at
-- conditions: FILTER scans.lat

-- name: boxes joined
-- writes: append p_boxes
-- columns: parcel_id < parcels.parcel_id; sender < scans.hub; kg day < parcels.*
-- conditions: JOIN scans.parcel_id

-- name: boxes read
-- writes: nothing
-- columns: sender kg < p_boxes.*
-- conditions: FILTER p_boxes.sender

-- name: boxes to table
-- writes: append b_loads
-- columns: who < p_boxes.sender; load < p_boxes.kg; role < p_boxes.day

-- name: boxes deletes
-- writes: delete p_boxes

-- name: path stream
-- writes: append p_echo
-- columns: parcel_id kg < p_boxes.*; sender < p_boxes.sender

-- name: view
-- writes: create b_v_heavy
-- columns: sender kg < b_keyed.*
CREATE VIEW B.v_heavy AS SELECT sender, max(kg) AS kg FROM B.keyed GROUP BY sender;

-- name: through view
-- writes: append b_loads
-- columns: who < b_keyed.sender; load < b_keyed.kg; role <
INSERT INTO B.loads SELECT v.sender, v.kg, 'v' FROM B.v_heavy v WHERE v.kg > 1;

-- name: wide keyed ddl
CREATE TABLE B.widek (pk BIGINT, {1..40: q{n} DOUBLE}) USING hudi
TBLPROPERTIES (primaryKey = 'pk', preCombineField = 'q1');

-- name: wide keyed
-- writes: append b_widek
-- columns: pk < b_wide70.pk; {1..31: q{n} < b_wide70.m{n+9}}; q32 < b_wide70.m01; q33 < b_wide70.m02;
--   q34 < b_wide70.m03; q35 < b_wide70.m04; q36 < b_wide70.m05; q37 < b_wide70.m06; q38 < b_wide70.m07;
--   q39 < b_wide70.m08; q40 < b_wide70.m09
INSERT INTO B.widek SELECT pk, {10..40: m{n} + 1} , m01, m02, m03, m04, m05, m06, m07, m08, m09 FROM B.wide70;

-- name: wide read
-- writes: nothing
-- columns: pk < b_widek.pk; {1..40: r{n} < b_widek.q{n}}
-- conditions: FILTER b_widek.q39
SELECT pk, {1..40: q{n} * 2 AS r{n}} FROM B.widek WHERE q39 > 0;

-- name: ctas keyed
-- writes: create b_ckeyed
-- columns: sender kg < parcels.*; hub < scans.hub
-- conditions: JOIN scans.parcel_id; FILTER parcels.net
CREATE TABLE B.ckeyed USING hudi TBLPROPERTIES (primaryKey = 'sender', preCombineField = 'kg') AS
SELECT p.sender, sum(p.kg) AS kg, max(s.hub) AS hub
FROM A.parcels p LEFT JOIN A.scans s ON s.parcel_id = p.parcel_id WHERE p.net > 1 GROUP BY p.sender;

-- elsewhere: :
-- writes: append b_loads
-- columns: who < scans.hub; load < scans.n_events; role < scans.prio
-- conditions: FILTER scans.hub
