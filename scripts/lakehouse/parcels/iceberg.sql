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

-- name: senders
-- writes: create b_senders
-- columns: sender < parcels.sender; favourite < parcels.recipient; valid_from valid_to is_current <
CREATE TABLE B.senders USING iceberg TBLPROPERTIES ('format-version' = '2') AS
SELECT sender, min(recipient) AS favourite, '2026-07-01' AS valid_from, CAST(NULL AS STRING) AS valid_to, true
AS is_current FROM A.parcels GROUP BY sender;

-- name: scd2
-- writes: merge b_senders
-- columns: sender < parcels.sender; favourite < parcels.recipient; valid_from valid_to < parcels.day; is_current <
WITH news AS (SELECT sender, max(recipient) AS favourite, max(day) AS day FROM A.parcels
GROUP BY sender) MERGE INTO B.senders t USING (SELECT n.sender AS merge_key, n.* FROM news n UNION ALL
SELECT NULL, n.* FROM news n JOIN B.senders o ON o.sender = n.sender
WHERE o.is_current AND o.favourite <> n.favourite) s ON t.sender = s.merge_key AND t.is_current
WHEN MATCHED AND t.favourite <> s.favourite THEN UPDATE SET is_current = false, valid_to = s.day
WHEN NOT MATCHED THEN INSERT (sender, favourite, valid_from, valid_to, is_current)
VALUES (s.sender, s.favourite, s.day, NULL, true);

-- name: merged
-- writes: create b_merged
-- columns: parcel_id kg < parcels.*

-- name: schema merge
-- writes: append b_merged
-- columns: parcel_id kg < parcels.*; grade < parcels.sender

-- name: daily
-- writes: create b_daily
-- columns: parcel_id kg day < parcels.*
CREATE TABLE B.daily USING iceberg PARTITIONED BY (day, bucket(3, parcel_id)) AS SELECT parcel_id, kg, day
FROM A.parcels;

-- name: dynamic
-- writes: overwrite b_daily
-- columns: parcel_id kg day < parcels.*
-- conditions: FILTER parcels.day

-- name: replace field
ALTER TABLE B.daily REPLACE PARTITION FIELD bucket(3, parcel_id) WITH truncate(10, parcel_id) AS tens;

-- name: drop field
ALTER TABLE B.daily DROP PARTITION FIELD tens;

-- name: ordered
ALTER TABLE B.daily WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY kg DESC;

-- name: after field
-- writes: append b_daily
-- columns: parcel_id < parcels.parcel_id; kg < parcels.price; day < parcels.day
-- conditions: FILTER parcels.sender
INSERT INTO B.daily SELECT parcel_id + 100, price, day FROM A.parcels WHERE sender = 's1';

-- name: static part
-- writes: overwrite b_daily
-- columns: parcel_id < parcels.parcel_id; kg < parcels.net; day <
INSERT OVERWRITE B.daily PARTITION (day = '2026-07-09') SELECT parcel_id, net FROM A.parcels;

-- name: overwrite where
-- writes: overwrite b_daily
-- columns: parcel_id < scans.parcel_id; kg < scans.lat; day <

-- name: evolve ddl
CREATE TABLE B.evolve (parcel_id BIGINT, kg DOUBLE, n INT, flag STRING) USING iceberg
TBLPROPERTIES ('format-version' = '2', 'write.update.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read',
'write.merge.mode' = 'merge-on-read');

-- name: evolve fill
-- writes: append b_evolve
-- columns: parcel_id kg < parcels.*; n < parcels.sender; flag < parcels.day
INSERT INTO B.evolve SELECT parcel_id, kg, length(sender), day FROM A.parcels;

-- name: evolve rename
-- writes: alter b_evolve
ALTER TABLE B.evolve RENAME COLUMN kg TO weight;

-- name: evolve renamed
-- writes: nothing
-- columns: weight < b_evolve.weight
-- conditions: FILTER b_evolve.flag
SELECT weight FROM B.evolve WHERE flag > '2026-07-01';

-- name: evolve widen
-- writes: alter b_evolve
ALTER TABLE B.evolve ALTER COLUMN n TYPE BIGINT;

-- name: evolve update
-- writes: update b_evolve
-- columns: n < b_evolve.n; flag < b_evolve.flag b_evolve.weight
-- conditions: FILTER b_evolve.parcel_id
UPDATE B.evolve SET n = n * 2, flag = concat(flag, CAST(weight AS STRING)) WHERE parcel_id < 10 OR n IS NULL;

-- name: evolve drop
-- writes: alter b_evolve
ALTER TABLE B.evolve DROP COLUMN flag;

-- name: evolve add
-- writes: alter b_evolve
ALTER TABLE B.evolve ADD COLUMNS (tag STRING);

-- name: evolve first
-- writes: alter b_evolve
ALTER TABLE B.evolve ALTER COLUMN tag FIRST;

-- name: evolve after
-- writes: append b_evolve
-- columns: tag < scans.first_kind; parcel_id < scans.parcel_id; weight < scans.lat; n < scans.n_events
INSERT INTO B.evolve SELECT first_kind, parcel_id, lat, n_events FROM A.scans;

-- name: evolve merge
-- writes: merge b_evolve
-- columns: tag < scans.hub; parcel_id < scans.parcel_id; n < b_evolve.n; weight <
MERGE INTO B.evolve t USING (SELECT parcel_id, collect_set(hub)[0] AS hub, count(*) AS n FROM A.scans
GROUP BY parcel_id) s ON t.parcel_id = s.parcel_id WHEN MATCHED AND s.n > 5 THEN DELETE
WHEN MATCHED THEN UPDATE SET tag = s.hub, n = t.n + s.n
WHEN NOT MATCHED THEN INSERT (parcel_id, tag) VALUES (s.parcel_id, s.hub);

-- name: evolve delete
-- writes: delete b_evolve
-- conditions: FILTER b_evolve.tag
DELETE FROM B.evolve WHERE tag IN ('in', 'out') AND weight < 4;

-- name: fed
-- writes: create b_fed
-- columns: parcel_id kg sender < parcels.*
CREATE TABLE B.fed USING iceberg AS SELECT parcel_id, kg, sender FROM A.parcels;

-- name: fed update
-- writes: update b_fed
-- columns: kg < b_fed.kg b_fed.sender
-- conditions: FILTER b_fed.parcel_id
UPDATE B.fed AS x SET x.kg = x.kg + length(x.sender) WHERE x.parcel_id % 2 = 0;

-- name: fed delete in
-- writes: delete b_fed
DELETE FROM B.fed WHERE parcel_id IN (SELECT parcel_id FROM A.scans WHERE hub = 'h2');

-- name: fed update sub
-- writes: update b_fed
-- columns: kg < parcels.kg
-- conditions: FILTER b_fed.sender
UPDATE B.fed SET kg = (SELECT max(p.kg) FROM A.parcels p WHERE p.parcel_id = fed.parcel_id) WHERE sender = 's1';

-- name: travel
-- writes: create b_moved
-- columns: parcel_id < b_fed.parcel_id; moved < b_fed.kg

-- name: tag
ALTER TABLE B.fed CREATE TAG eoy RETAIN 10 DAYS;

-- name: branch
ALTER TABLE B.fed CREATE BRANCH IF NOT EXISTS dev;

-- name: branch update
-- writes: update b_fed
-- columns: kg < b_fed.kg
-- conditions: FILTER b_fed.sender
UPDATE B.fed.branch_dev SET kg = kg / 2 WHERE sender = 's2';

-- name: branch merge
-- writes: merge b_fed
-- columns: sender < parcels.recipient
MERGE INTO B.fed.branch_dev t USING A.parcels s ON t.parcel_id = s.parcel_id
WHEN MATCHED AND s.day = '2026-07-01' THEN UPDATE SET sender = s.recipient;

-- name: branch join
-- writes: nothing
-- columns: parcel_id < b_fed.parcel_id; d < b_fed.kg
SELECT m.parcel_id, d.kg - m.kg AS d FROM B.fed m JOIN B.fed VERSION AS OF 'dev' d ON d.parcel_id = m.parcel_id;

-- name: tag read
-- writes: append b_moved
-- columns: parcel_id < b_fed.parcel_id; moved < b_fed.kg
INSERT INTO B.moved SELECT parcel_id, kg FROM B.fed FOR SYSTEM_VERSION AS OF 'eoy';

-- name: forward
-- writes: maintenance b_fed
CALL {B.catalog}.system.fast_forward('{B.database}.fed', 'main', 'dev');

-- name: after forward
-- writes: nothing
-- columns: kg < b_fed.kg
SELECT kg FROM B.fed WHERE sender = 's2';

-- name: rollback
-- writes: maintenance b_fed

-- name: after rollback
-- writes: nothing
-- columns: kg sender < b_fed.*
SELECT kg, sender FROM B.fed;

-- name: wap
-- writes: append b_daily
-- columns: parcel_id < scans.parcel_id; kg < scans.lat; day <
-- conditions: FILTER scans.n_events

-- name: wap read
-- writes: nothing
-- columns: n < b_daily.kg
-- conditions: FILTER b_daily.day
SELECT count(kg) AS n FROM B.daily VERSION AS OF 'audit_july' WHERE day > '2026-07-10';

-- name: wap published
-- writes: maintenance b_daily
CALL {B.catalog}.system.fast_forward('{B.database}.daily', 'main', 'audit_july');

-- name: rewritten
-- writes: maintenance b_daily
CALL {B.catalog}.system.rewrite_data_files(table => '{B.database}.daily', strategy => 'sort', sort_order => 'kg',
options => map('rewrite-all', 'true'));

-- name: positions
-- writes: maintenance b_evolve
CALL {B.catalog}.system.rewrite_position_delete_files(table => '{B.database}.evolve', options => map('rewrite-all',
'true'));

-- name: expired
-- writes: maintenance b_evolve
CALL {B.catalog}.system.expire_snapshots(table => '{B.database}.evolve',
older_than => TIMESTAMP '2030-01-01 00:00:00', retain_last => 1);

-- name: metadata
SELECT f.file_path, s.operation
FROM B.daily.entries e JOIN B.daily.snapshots s ON s.snapshot_id = e.snapshot_id JOIN B.daily.files f ON true;

-- name: partitions
-- writes: append b_moved
-- columns: parcel_id < daily_partitions.record_count; moved < daily_partitions.file_count
INSERT INTO B.moved SELECT record_count, CAST(file_count AS DOUBLE) FROM B.daily.partitions;

-- name: path column
SELECT _file, _pos, kg FROM B.daily WHERE kg > 2;

-- name: table stream
-- writes: append b_echo
-- columns: hub < scans.hub; n < scans.n_events

-- name: count stream
-- writes: overwrite b_echo
-- columns: hub < scans.hub; n <

-- name: cdc stream
-- writes: merge b_parcels
-- columns: parcel_id sender < parcels.*; kg < parcels.kg b_parcels.kg

-- name: rtas
-- writes: overwrite b_loads
-- columns: who load < b_loads.*; n <
CREATE OR REPLACE TABLE B.loads USING iceberg AS SELECT who, load, count(*) AS n FROM B.loads GROUP BY who, load;

-- name: frame replace
-- writes: overwrite b_rates
-- columns: hub ins outs < b_by_hub.*; rate < b_by_hub.ins b_by_hub.outs

-- name: rtas wide
-- writes: overwrite b_wide70
-- columns: pk < b_wide70.pk;
--   m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26 m27 m28
--   m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53 m54 m55 m56
--   m57 m58 m59 m60 m61 m62 m63 m64 m65 m66 m67 m68 < b_wide70.*; m69 < b_wide70.m69 b_wide70.pk
REPLACE TABLE B.wide70 USING iceberg AS
SELECT pk, m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44,
m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62, m63, m64, m65, m66, m67,
m68, m69 + size(split(cast(pk AS STRING), '')) AS m69 FROM B.wide70;

-- name: wide update
-- writes: update b_wide70
-- columns: m05 < b_wide70.m06 b_wide70.pk; m60 < b_wide70.m61; m33 <
-- conditions: FILTER b_wide70.pk
UPDATE B.wide70 SET m05 = m06 + pk, m60 = m61, m33 = 0 WHERE pk > 2;

-- name: wide merge
-- writes: merge b_wide70
-- columns: pk m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26
--   m27 m28 m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53 m54
--   m55 m56 m57 m58 m59 m60 m61 m62 m63 m64 m65 m66 m67 m68 m69 < b_wide70.*
MERGE INTO B.wide70 t USING (SELECT pk + 1000
AS pk, m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44, m45,
m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62, m63, m64, m65, m66, m67, m68,
m69 FROM B.wide70) s ON t.pk = s.pk WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: max stats
-- writes: nothing
-- columns: m < b_parcels.kg; n <
SELECT max(kg) AS m, count(*) AS n FROM B.parcels;

-- name: view one
-- only: 4-1
-- writes: create b_v_heavy
-- columns: sender kg < parcels.*
CREATE VIEW B.v_heavy AS SELECT sender, kg FROM A.parcels WHERE kg > 3;

-- name: view two
-- only: 4-1
-- writes: create b_v_top
-- columns: who < b_v_heavy.sender; most < b_v_heavy.kg
CREATE OR REPLACE VIEW B.v_top (who, most) AS SELECT sender, max(kg) AS kg FROM B.v_heavy GROUP BY sender;

-- name: through views
-- only: 4-1
-- writes: create b_through
-- columns: who < parcels.sender; most < parcels.kg; net < parcels.net
CREATE TABLE B.through USING iceberg AS SELECT v.who, v.most, p.net
FROM B.v_top v JOIN A.parcels p ON p.sender = v.who;

-- name: if not exists
CREATE TABLE IF NOT EXISTS B.daily (parcel_id BIGINT) USING iceberg;

-- name: after exists
-- writes: nothing
-- columns: day < b_daily.day
SELECT day FROM B.daily WHERE kg > 1;

-- name: truncate
-- writes: truncate b_echo
TRUNCATE TABLE B.echo;

-- name: dropped
DROP TABLE B.cube PURGE;
