-- name: append mode
-- writes: append b_loads
-- columns: who < parcels.recipient; load < parcels.kg; role <

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
CREATE TABLE B.keyed (parcel_id BIGINT, sender STRING, kg DOUBLE, n INT) USING paimon
TBLPROPERTIES ('primary-key' = 'parcel_id', 'bucket' = '2');

-- name: keyed
-- writes: append b_keyed
-- columns: parcel_id kg < parcels.*; sender < parcels.sender parcels.recipient; n < parcels.day
-- conditions: FILTER parcels.price
INSERT INTO B.keyed SELECT parcel_id, concat(sender, '/', recipient), kg, length(day) FROM A.parcels WHERE price > 1;

-- name: keyed merge
-- writes: merge b_keyed
-- columns: parcel_id < scans.parcel_id; sender < scans.hub; kg < b_keyed.kg parcels.kg; n <
MERGE INTO B.keyed t USING (SELECT s.parcel_id, max(s.hub) AS hub, sum(p.kg) AS kg
FROM A.scans s JOIN A.parcels p ON p.parcel_id = s.parcel_id GROUP BY s.parcel_id) u ON t.parcel_id = u.parcel_id
WHEN MATCHED AND u.kg > 30 THEN DELETE WHEN MATCHED THEN UPDATE SET kg = t.kg + u.kg, sender = u.hub
WHEN NOT MATCHED THEN INSERT (parcel_id, sender, kg, n) VALUES (u.parcel_id, u.hub, u.kg, 1);

-- name: keyed merge table
-- writes: merge b_keyed
-- columns: sender kg < b_parcels.*
MERGE INTO B.keyed t USING B.parcels s ON t.parcel_id = s.parcel_id
WHEN MATCHED THEN UPDATE SET kg = s.kg, sender = s.sender;

-- name: keyed update
-- writes: update b_keyed
-- columns: kg sender < b_keyed.*
-- conditions: FILTER b_keyed.parcel_id
UPDATE B.keyed SET kg = kg * 1.1, sender = upper(sender) WHERE parcel_id > 4;

-- name: keyed delete
-- writes: delete b_keyed
-- conditions: FILTER b_keyed.kg
DELETE FROM B.keyed WHERE kg > 33 AND sender LIKE 'S%';

-- name: keyed read
-- writes: nothing
-- columns: sender < b_keyed.sender; n <
-- conditions: FILTER b_keyed.kg
SELECT sender, count(*) AS n FROM B.keyed WHERE kg > 2 GROUP BY sender;

-- name: keyed add
-- writes: alter b_keyed
ALTER TABLE B.keyed ADD COLUMNS (note STRING);

-- name: keyed rename
-- writes: alter b_keyed
ALTER TABLE B.keyed RENAME COLUMN note TO remark;

-- name: keyed widen
-- writes: alter b_keyed
ALTER TABLE B.keyed ALTER COLUMN n TYPE BIGINT;

-- name: keyed added
-- writes: append b_keyed
-- columns: parcel_id < scans.parcel_id; sender < scans.hub; kg < scans.lat; n < scans.n_events; remark < scans.prio
INSERT INTO B.keyed SELECT parcel_id + 100, hub, lat, n_events, prio FROM A.scans;

-- name: keyed columns
-- writes: append b_keyed
-- columns: parcel_id < parcels.parcel_id; kg < parcels.net; sender < parcels.day; n <; remark < parcels.recipient
INSERT INTO B.keyed (parcel_id, kg, sender, n, remark) SELECT parcel_id + 200, net, day, 7, recipient FROM A.parcels;

-- name: keyed join
-- writes: append b_loads
-- columns: who < b_keyed.sender; load < b_keyed.kg parcels.kg; role < parcels.day
-- conditions: JOIN parcels.parcel_id
INSERT INTO B.loads SELECT k.sender, k.kg - p.kg, p.day FROM B.keyed k JOIN A.parcels p ON p.parcel_id = k.parcel_id;

-- name: cdc stream
-- writes: merge b_keyed
-- columns: parcel_id sender kg < parcels.*; n remark <

-- name: table stream
-- writes: append b_echo
-- columns: hub < scans.hub; n < scans.n_events

-- name: daily
-- writes: create b_daily
-- columns: parcel_id kg day < parcels.*
CREATE TABLE B.daily USING paimon PARTITIONED BY (day) AS SELECT parcel_id, kg, day FROM A.parcels;

-- name: dynamic
-- writes: overwrite b_daily
-- columns: parcel_id kg day < parcels.*
-- conditions: FILTER parcels.day

-- name: static part
-- writes: overwrite b_daily
-- columns: parcel_id < parcels.parcel_id; kg < parcels.net; day <
INSERT OVERWRITE B.daily PARTITION (day = '2026-07-09') SELECT parcel_id, net FROM A.parcels;

-- name: daily update
-- writes: update b_daily
-- columns: kg < b_daily.kg b_daily.parcel_id
-- conditions: FILTER b_daily.day
UPDATE B.daily SET kg = kg + parcel_id WHERE day = '2026-07-01';

-- name: daily delete
-- writes: delete b_daily
-- conditions: FILTER b_daily.day
DELETE FROM B.daily WHERE day = '2026-07-03';

-- name: daily delete in
-- writes: delete b_daily
-- conditions: JOIN scans.parcel_id
DELETE FROM B.daily WHERE parcel_id IN (SELECT parcel_id FROM A.scans WHERE hub = 'h1');

-- name: tag
CALL pai.sys.create_tag(table => 'desk.daily', tag => 'eoy', snapshot => 1);

-- name: travel
-- writes: nothing
-- columns: moved < b_daily.kg
SELECT d.kg - o.kg AS moved FROM B.daily d JOIN B.daily VERSION AS OF 'eoy' o ON o.parcel_id = d.parcel_id;

-- name: travel insert
-- writes: append b_loads
-- columns: who < b_daily.day; load < b_daily.kg; role <
INSERT INTO B.loads SELECT day, kg, 't' FROM B.daily VERSION AS OF 1;

-- name: compact
-- writes: maintenance b_keyed
CALL pai.sys.compact(table => 'desk.keyed');

-- name: system
SELECT snapshot_id, schema_id FROM B.`daily$snapshots`;

-- name: fixed
-- writes: create b_unaware
-- columns: hub < scans.hub; best < scans.parcel_id; n < scans.n_events
CREATE TABLE B.unaware USING paimon TBLPROPERTIES ('bucket' = '-1') AS
SELECT hub, max_by(parcel_id, lat) AS best, sum(n_events) AS n FROM A.scans GROUP BY hub;

-- name: dynamic bucket ddl
CREATE TABLE B.dyn (sender STRING, kg DOUBLE, day STRING) USING paimon
TBLPROPERTIES ('primary-key' = 'sender', 'bucket' = '-1');

-- name: dynamic bucket
-- writes: append b_dyn
-- columns: sender kg day < parcels.*
INSERT INTO B.dyn SELECT sender, sum(kg), max(day) FROM A.parcels GROUP BY sender;

-- name: agg ddl
CREATE TABLE B.agg (hub STRING, n BIGINT, low DOUBLE) USING paimon
TBLPROPERTIES ('primary-key' = 'hub', 'bucket' = '1', 'merge-engine' = 'aggregation',
'fields.n.aggregate-function' = 'sum', 'fields.low.aggregate-function' = 'min');

-- name: agg
-- writes: append b_agg
-- columns: hub < scans.hub; n < scans.n_events; low < scans.lat
-- conditions: FILTER scans.prio
INSERT INTO B.agg SELECT hub, n_events, lat FROM A.scans WHERE prio IS NOT NULL;

-- name: rtas
-- writes: overwrite b_loads
-- columns: who < b_parcels.sender; load < b_parcels.kg; n <
CREATE OR REPLACE TABLE B.loads USING paimon AS SELECT sender AS who, kg AS load, count(*) AS n FROM B.parcels
GROUP BY sender, kg;

-- name: frame overwrite
-- writes: overwrite b_by_hub2
-- columns: hub < b_by_hub.hub; ins < b_by_hub.outs; outs < b_by_hub.ins

-- name: wide keyed ddl
CREATE TABLE B.widek (pk BIGINT, m01 DOUBLE, m02 DOUBLE, m03 DOUBLE, m04 DOUBLE, m05 DOUBLE, m06 DOUBLE, m07 DOUBLE,
m08 DOUBLE, m09 DOUBLE, m10 DOUBLE, m11 DOUBLE, m12 DOUBLE, m13 DOUBLE, m14 DOUBLE, m15 DOUBLE, m16 DOUBLE,
m17 DOUBLE, m18 DOUBLE, m19 DOUBLE, m20 DOUBLE, m21 DOUBLE, m22 DOUBLE, m23 DOUBLE, m24 DOUBLE, m25 DOUBLE,
m26 DOUBLE, m27 DOUBLE, m28 DOUBLE, m29 DOUBLE, m30 DOUBLE, m31 DOUBLE, m32 DOUBLE, m33 DOUBLE, m34 DOUBLE,
m35 DOUBLE, m36 DOUBLE, m37 DOUBLE, m38 DOUBLE, m39 DOUBLE, m40 DOUBLE, m41 DOUBLE, m42 DOUBLE, m43 DOUBLE,
m44 DOUBLE, m45 DOUBLE, m46 DOUBLE, m47 DOUBLE, m48 DOUBLE, m49 DOUBLE, m50 DOUBLE, m51 DOUBLE, m52 DOUBLE,
m53 DOUBLE, m54 DOUBLE, m55 DOUBLE, m56 DOUBLE, m57 DOUBLE, m58 DOUBLE, m59 DOUBLE, m60 DOUBLE, m61 DOUBLE,
m62 DOUBLE, m63 DOUBLE, m64 DOUBLE, m65 DOUBLE, m66 DOUBLE, m67 DOUBLE, m68 DOUBLE, m69 DOUBLE) USING paimon
TBLPROPERTIES ('primary-key' = 'pk', 'bucket' = '1');

-- name: wide keyed
-- writes: append b_widek
-- columns: pk m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26
--   m27 m28 m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53 m54
--   m55 m56 m57 m58 m59 m60 m61 m62 m63 m64 m65 m66 m67 m68 m69 < b_wide70.*
INSERT INTO B.widek SELECT * FROM B.wide70;

-- name: wide merge
-- writes: merge b_widek
-- columns: pk m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26
--   m27 m28 m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53 m54
--   m55 m56 m57 m58 m59 m60 m61 m62 m63 m64 m65 m66 m67 m68 m69 < b_wide70.*
MERGE INTO B.widek t USING B.wide70 s ON t.pk = s.pk WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: wide update
-- writes: update b_widek
-- columns: m05 < b_widek.m06 b_widek.pk; m60 < b_widek.m61
-- conditions: FILTER b_widek.pk
UPDATE B.widek SET m05 = m06 + pk, m60 = m61 WHERE pk > 2;

-- name: wide read
-- writes: nothing
-- columns: pk < b_widek.pk; rm01 < b_widek.m01; rm02 < b_widek.m02; rm03 < b_widek.m03; rm04 < b_widek.m04;
--   rm05 < b_widek.m05; rm06 < b_widek.m06; rm07 < b_widek.m07; rm08 < b_widek.m08; rm09 < b_widek.m09;
--   {10..69: rm{n} < b_widek.m{n}}
SELECT pk, m01 * 2 AS rm01, m02 * 2 AS rm02, m03 * 2 AS rm03, m04 * 2 AS rm04, m05 * 2 AS rm05, m06 * 2
AS rm06, m07 * 2 AS rm07, m08 * 2 AS rm08, m09 * 2 AS rm09, m10 * 2 AS rm10, m11 * 2 AS rm11, m12 * 2
AS rm12, m13 * 2 AS rm13, m14 * 2 AS rm14, m15 * 2 AS rm15, m16 * 2 AS rm16, m17 * 2 AS rm17, m18 * 2
AS rm18, m19 * 2 AS rm19, m20 * 2 AS rm20, m21 * 2 AS rm21, m22 * 2 AS rm22, m23 * 2 AS rm23, m24 * 2
AS rm24, m25 * 2 AS rm25, m26 * 2 AS rm26, m27 * 2 AS rm27, m28 * 2 AS rm28, m29 * 2 AS rm29, m30 * 2
AS rm30, m31 * 2 AS rm31, m32 * 2 AS rm32, m33 * 2 AS rm33, m34 * 2 AS rm34, m35 * 2 AS rm35, m36 * 2
AS rm36, m37 * 2 AS rm37, m38 * 2 AS rm38, m39 * 2 AS rm39, m40 * 2 AS rm40, m41 * 2 AS rm41, m42 * 2
AS rm42, m43 * 2 AS rm43, m44 * 2 AS rm44, m45 * 2 AS rm45, m46 * 2 AS rm46, m47 * 2 AS rm47, m48 * 2
AS rm48, m49 * 2 AS rm49, m50 * 2 AS rm50, m51 * 2 AS rm51, m52 * 2 AS rm52, m53 * 2 AS rm53, m54 * 2
AS rm54, m55 * 2 AS rm55, m56 * 2 AS rm56, m57 * 2 AS rm57, m58 * 2 AS rm58, m59 * 2 AS rm59, m60 * 2
AS rm60, m61 * 2 AS rm61, m62 * 2 AS rm62, m63 * 2 AS rm63, m64 * 2 AS rm64, m65 * 2 AS rm65, m66 * 2
AS rm66, m67 * 2 AS rm67, m68 * 2 AS rm68, m69 * 2 AS rm69 FROM B.widek;

-- name: truncate
-- writes: truncate b_daily
TRUNCATE TABLE B.daily;

-- name: dropped
DROP TABLE B.cube;
