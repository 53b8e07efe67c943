-- name: stars
-- writes: create stars
-- columns: star_id name mag class region <
CREATE TABLE raw.stars USING iceberg AS SELECT id AS star_id, concat('s', id) AS name, id * 1.5D AS mag, CASE WHEN id % 2 = 0 THEN 'A' ELSE 'B' END AS class, CAST(id % 3 AS STRING) AS region FROM range(12);

-- name: seen
-- writes: create seen
-- columns: sid star_id scope flux night <
CREATE TABLE raw.seen USING iceberg AS SELECT id AS sid, id % 12 AS star_id, concat('t', id % 2) AS scope, id * 2.0D AS flux, date_add(DATE'2026-01-01', CAST(id % 5 AS INT)) AS night FROM range(40);

-- name: wide
-- writes: create wide
-- columns: k <; {1..44: m{n} <}
CREATE TABLE raw.wide USING iceberg AS SELECT id AS k, {1..44: id + {n} AS m{n}} FROM range(6);

-- name: pq
-- writes: create pq
-- columns: sid flux < seen.*

-- name: atlas
-- writes: create atlas
-- columns: star_id name mag region < stars.*; flux < seen.flux
-- conditions: JOIN stars.star_id; JOIN seen.star_id; GROUP_BY stars.name
CREATE TABLE gold.atlas USING iceberg PARTITIONED BY (region) AS
SELECT s.star_id, s.name, s.mag, sum(v.flux) AS flux, s.region FROM raw.stars s JOIN raw.seen v ON v.star_id = s.star_id
GROUP BY s.star_id, s.name, s.mag, s.region;

-- name: tag
ALTER TABLE gold.atlas CREATE TAG first_light;

-- name: branch
ALTER TABLE gold.atlas CREATE BRANCH lab;

-- name: branch append
-- writes: append atlas
-- columns: star_id name mag region < stars.*; flux < stars.mag
INSERT INTO gold.atlas.branch_lab SELECT star_id, name, mag, mag * 2, region FROM raw.stars WHERE star_id < 3;

-- name: branch merge
-- writes: merge atlas
-- columns: flux < atlas.flux seen.flux
-- conditions: JOIN atlas.star_id; JOIN seen.star_id
MERGE INTO gold.atlas.branch_lab t USING (SELECT star_id, max(flux) AS flux FROM raw.seen GROUP BY star_id) s
ON t.star_id = s.star_id WHEN MATCHED THEN UPDATE SET flux = t.flux + s.flux;

-- name: branch update
-- writes: update atlas
-- columns: name < atlas.name
-- conditions: FILTER atlas.mag
UPDATE gold.atlas.branch_lab SET name = upper(name) WHERE mag > 6;

-- name: branch read
-- writes: create archive
-- columns: star_id flux < atlas.*
CREATE TABLE gold.archive USING iceberg AS SELECT star_id, flux FROM gold.atlas VERSION AS OF 'lab';

-- name: tag read
-- writes: append archive
-- columns: star_id < atlas.star_id; flux < atlas.mag
INSERT INTO gold.archive SELECT star_id, mag FROM gold.atlas.tag_first_light;

-- name: time read
-- writes: append archive
-- columns: star_id flux < atlas.*
-- conditions: FILTER atlas.mag
INSERT INTO gold.archive SELECT star_id, flux FROM gold.atlas TIMESTAMP AS OF now() WHERE mag > 3;

-- name: snapshot read
-- asks: SELECT min(snapshot_id) FROM gold.atlas.snapshots
-- writes: append archive
-- columns: star_id flux < atlas.*
INSERT INTO gold.archive SELECT star_id, flux FROM gold.atlas VERSION AS OF {asked};

-- name: forward
CALL ice.system.fast_forward('gold.atlas', 'main', 'lab');

-- name: evolving merge
-- only: 4-1
-- writes: merge atlas
-- columns: star_id name mag region < stars.*; label < stars.name; flux <
-- conditions: JOIN atlas.star_id; JOIN stars.star_id
MERGE WITH SCHEMA EVOLUTION INTO gold.atlas t USING (SELECT star_id, name, mag, 1.0D AS flux, region, upper(name) AS label
FROM raw.stars) s ON t.star_id = s.star_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: marks ddl
CREATE TABLE gold.marks (star_id BIGINT, note STRING, flux DOUBLE) USING iceberg TBLPROPERTIES ('format-version' = '2',
'write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read');

-- name: marks fill
-- writes: append marks
-- columns: star_id flux < seen.*; note < seen.scope
INSERT INTO gold.marks SELECT star_id, scope, flux FROM raw.seen;

-- name: mor merge
-- writes: merge marks
-- columns: star_id < stars.star_id; note < stars.name; flux < stars.mag marks.flux
-- conditions: JOIN marks.star_id; JOIN stars.star_id; FILTER stars.class
MERGE INTO gold.marks t USING (SELECT star_id, name, mag FROM raw.stars WHERE class = 'A') s ON t.star_id = s.star_id
WHEN MATCHED AND t.flux > 3 THEN UPDATE SET flux = t.flux + s.mag, note = s.name
WHEN NOT MATCHED THEN INSERT (star_id, note, flux) VALUES (s.star_id, s.name, s.mag);

-- name: mor update
-- writes: update marks
-- columns: note < marks.note marks.star_id
-- conditions: FILTER marks.flux
UPDATE gold.marks SET note = concat(note, star_id) WHERE flux > 10;

-- name: mor delete
-- writes: delete marks
-- conditions: FILTER marks.star_id
DELETE FROM gold.marks WHERE star_id > 9;

-- name: lean ddl
CREATE TABLE gold.lean (star_id BIGINT, note STRING, flux DOUBLE) USING iceberg;

-- name: lean fill
-- writes: append lean
-- columns: flux < seen.flux; star_id < seen.star_id; note < seen.scope
INSERT INTO gold.lean BY NAME SELECT flux, star_id, scope AS note FROM raw.seen;

-- name: cow merge
-- writes: merge lean
-- columns: star_id < stars.star_id; note < stars.name; flux < stars.mag lean.flux
-- conditions: JOIN lean.star_id; JOIN stars.star_id; FILTER stars.class
MERGE INTO gold.lean t USING (SELECT star_id, name, mag FROM raw.stars WHERE class = 'A') s ON t.star_id = s.star_id
WHEN MATCHED AND t.flux > 3 THEN UPDATE SET flux = t.flux + s.mag, note = s.name
WHEN NOT MATCHED THEN INSERT (star_id, note, flux) VALUES (s.star_id, s.name, s.mag);

-- name: cow update
-- writes: update lean
-- columns: note < lean.note lean.star_id
-- conditions: FILTER lean.flux
UPDATE gold.lean SET note = concat(note, star_id) WHERE flux > 10;

-- name: cow delete
-- writes: delete lean
-- conditions: FILTER lean.star_id
DELETE FROM gold.lean WHERE star_id > 9;

-- name: broad
-- writes: create broad
-- columns: k < wide.k; {1..44: m{n} < wide.m{n}}
CREATE TABLE gold.broad USING iceberg AS SELECT k, {1..44: m{n}} FROM raw.wide;

-- name: broad merge
-- writes: merge broad
-- columns: k < wide.k; {1..44: m{n} < wide.m{n}}
MERGE INTO gold.broad t USING (SELECT k + 3 AS k, {1..44: m{n} + 1 AS m{n}} FROM raw.wide WHERE m40 > 2) s ON t.k = s.k
WHEN MATCHED AND s.m1 > t.m1 THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: broad some
-- writes: merge broad
-- columns: m33 < wide.m34 broad.m35
MERGE INTO gold.broad t USING raw.wide s ON t.k = s.k WHEN MATCHED THEN UPDATE SET m33 = s.m34 + t.m35;

-- name: broad update
-- writes: update broad
-- columns: m41 < broad.m40 broad.m3; m2 < broad.m44
-- conditions: FILTER broad.m39
UPDATE gold.broad SET m41 = m40 + m3, m2 = CASE WHEN m1 > 1 THEN m44 ELSE 0 END WHERE m39 > 2;

-- name: broad mor
ALTER TABLE gold.broad SET TBLPROPERTIES ('write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'format-version' = '2');

-- name: broad mor update
-- writes: update broad
-- columns: m41 < broad.m42 broad.m4; m3 < broad.m43
-- conditions: FILTER broad.m38
UPDATE gold.broad SET m41 = m42 + m4, m3 = m43 WHERE m38 > 2;

-- name: broad mor merge
-- writes: merge broad
-- columns: k < wide.k; {1..44: m{n} < wide.m{n}}
MERGE INTO gold.broad t USING (SELECT k + 30 AS k, {1..44: m{n} - 1 AS m{n}} FROM raw.wide) s ON t.k = s.k
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: stats
-- writes: create stats
-- columns: n <; most < seen.sid; least < seen.flux
CREATE TABLE gold.stats USING iceberg AS SELECT count(*) AS n, max(sid) AS most, min(flux) AS least FROM raw.seen;

-- name: stats query
-- writes: nothing
-- columns: n <; most < seen.night
SELECT count(1) AS n, max(night) AS most FROM raw.seen;

-- name: bright
-- writes: create bright
-- columns: star_id name < atlas.*; light < atlas.mag atlas.flux
CREATE VIEW gold.bright AS SELECT star_id, name, mag + flux AS light FROM ice.gold.atlas WHERE flux > 2;

-- name: bright temp
CREATE TEMPORARY VIEW shine AS SELECT star_id, name, mag + flux AS light FROM gold.atlas WHERE flux > 2;

-- name: dim temp
CREATE TEMPORARY VIEW shade AS SELECT star_id, round(light) AS level FROM shine WHERE light < 1000;

-- name: over path
CREATE TEMPORARY VIEW over_path AS SELECT sid, flux * 2 AS twice FROM parquet.`{root}/landing/pq`;

-- name: top
-- writes: create top
-- columns: star_id < atlas.star_id; level < atlas.mag atlas.flux; twice < pq.flux
-- conditions: JOIN atlas.star_id; JOIN pq.sid; FILTER atlas.flux
CREATE TABLE gold.top USING iceberg AS SELECT d.star_id, d.level, p.twice FROM shade d JOIN over_path p ON p.sid = d.star_id;

-- name: taken ddl
CREATE TABLE gold.taken (sid BIGINT, flux DOUBLE) USING iceberg;

-- name: add files
-- writes: append taken
-- columns: sid flux < pq.*
CALL ice.system.add_files(table => 'gold.taken', source_table => '`parquet`.`{root}/landing/pq`');

-- name: rewrite files
-- writes: maintenance lean
CALL ice.system.rewrite_data_files(table => 'gold.lean', strategy => 'sort', sort_order => 'star_id ASC', options => map('min-input-files', '1', 'rewrite-all', 'true'));

-- name: rewrite manifests
-- writes: maintenance lean
CALL ice.system.rewrite_manifests('gold.lean');

-- name: expire
-- writes: maintenance lean
CALL ice.system.expire_snapshots(table => 'gold.lean', older_than => TIMESTAMP '2020-01-01 00:00:00');

-- name: rollback
-- asks: SELECT min(snapshot_id) FROM gold.lean.snapshots
-- writes: maintenance lean
CALL ice.system.rollback_to_snapshot('gold.lean', {asked});

-- name: after rollback
-- writes: append archive
-- columns: star_id flux < lean.*
INSERT INTO gold.archive SELECT star_id, flux FROM gold.lean;

-- name: changelog
CALL ice.system.create_changelog_view(table => 'gold.archive', changelog_view => 'archive_log');

-- name: changelog read
-- writes: create feed
-- columns: star_id < archive.star_id; what < archive._change_type
CREATE TABLE gold.feed USING iceberg AS SELECT star_id, _change_type AS what FROM archive_log;

-- name: changes table
-- writes: append feed
-- columns: star_id < archive.star_id; what < archive._change_type
-- conditions: FILTER archive.flux
INSERT INTO gold.feed SELECT star_id, _change_type FROM gold.archive.changes WHERE flux > 2;

-- name: odd
-- writes: create odd
-- columns: `star id` < stars.star_id; `a,b` < stars.name
CREATE TABLE gold.odd USING iceberg AS SELECT star_id AS `star id`, name AS `a,b` FROM raw.stars;

-- name: live
-- writes: merge live
-- columns: star_id < seen.star_id; flux < seen.flux live.flux

-- name: feed stream
-- writes: append log
-- columns: star_id < live.star_id; flux < live.flux
