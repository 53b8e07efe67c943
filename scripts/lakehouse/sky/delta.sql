-- name: stars
-- writes: create stars
-- columns: star_id name mag class region <
CREATE TABLE raw.stars USING delta AS SELECT id AS star_id, concat('s', id) AS name, id * 1.5D AS mag, CASE WHEN id % 2 = 0 THEN 'A' ELSE 'B' END AS class, CAST(id % 3 AS STRING) AS region FROM range(12);

-- name: seen
-- writes: create seen
-- columns: sid star_id scope flux night <
CREATE TABLE raw.seen USING delta AS SELECT id AS sid, id % 12 AS star_id, concat('t', id % 2) AS scope, id * 2.0D AS flux, date_add(DATE'2026-01-01', CAST(id % 5 AS INT)) AS night FROM range(40);

-- name: wide
-- writes: create wide
-- columns: k <; {1..44: m{n} <}
CREATE TABLE raw.wide USING delta AS SELECT id AS k, {1..44: id + {n} AS m{n}} FROM range(6);

-- name: plates
-- writes: create plates
-- columns: sid scope flux < seen.*
CREATE TABLE delta.`{root}/lake/plates` USING delta AS SELECT sid, scope, flux FROM raw.seen;

-- name: atlas
-- writes: create atlas
-- columns: star_id name mag region < stars.*; flux < seen.flux
-- conditions: JOIN stars.star_id; JOIN seen.star_id; GROUP_BY stars.name
CREATE TABLE gold.atlas USING delta PARTITIONED BY (region) TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true') AS
SELECT s.star_id, s.name, s.mag, sum(v.flux) AS flux, s.region FROM raw.stars s JOIN raw.seen v ON v.star_id = s.star_id
GROUP BY s.star_id, s.name, s.mag, s.region;

-- name: evolving merge
-- writes: merge atlas
-- columns: star_id name mag region < stars.*; label < stars.name; kind < stars.class; flux <
-- conditions: JOIN atlas.star_id; JOIN stars.star_id
MERGE WITH SCHEMA EVOLUTION INTO gold.atlas t USING (SELECT star_id, name, mag, region, upper(name) AS label, class AS kind
FROM raw.stars) s ON t.star_id = s.star_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: version read
-- writes: create archive
-- columns: star_id flux < atlas.*
CREATE TABLE gold.archive USING delta AS SELECT star_id, flux FROM gold.atlas VERSION AS OF 0;

-- name: at syntax
-- writes: append archive
-- columns: star_id < atlas.star_id; flux < atlas.mag
INSERT INTO gold.archive SELECT star_id, mag FROM gold.atlas@v1;

-- name: time read
-- writes: append archive
-- columns: star_id < atlas.star_id; flux < atlas.flux
-- conditions: FILTER atlas.mag
INSERT INTO gold.archive SELECT star_id, flux FROM gold.atlas TIMESTAMP AS OF current_timestamp() WHERE mag > 3;

-- name: two versions
-- writes: append archive
-- columns: star_id < atlas.star_id; flux < atlas.flux
-- conditions: JOIN atlas.star_id; JOIN atlas.mag
INSERT INTO gold.archive SELECT n.star_id, n.flux - o.flux FROM gold.atlas n JOIN gold.atlas VERSION AS OF 0 o
ON n.star_id = o.star_id WHERE n.mag <> o.mag;

-- name: feed
-- writes: create feed
-- columns: star_id < atlas.star_id; what < atlas._change_type; version < atlas._commit_version
-- conditions: FILTER atlas._change_type
CREATE TABLE gold.feed USING delta AS SELECT star_id, _change_type AS what, _commit_version AS version
FROM table_changes('gold.atlas', 0) WHERE _change_type <> 'update_preimage';

-- name: nights
-- frame: nights

-- name: generated insert
-- writes: append nights
-- columns: sid < seen.sid; night < seen.night; year < seen.night; nid <
INSERT INTO gold.nights (sid, night) SELECT sid, night FROM raw.seen;

-- name: generated merge
-- writes: merge nights
-- columns: sid < seen.sid; night < seen.night; year < seen.night; nid <
MERGE INTO gold.nights t USING (SELECT max(sid) AS sid, night FROM raw.seen GROUP BY night) s ON t.sid = s.sid
WHEN NOT MATCHED THEN INSERT (sid, night) VALUES (s.sid + 100, s.night);

-- name: marks ddl
CREATE TABLE gold.marks (star_id BIGINT, note STRING, flux DOUBLE) USING delta
TBLPROPERTIES ('delta.enableDeletionVectors' = 'true');

-- name: marks fill
-- writes: append marks
-- columns: star_id flux < seen.*; note < seen.scope
INSERT INTO gold.marks SELECT star_id, scope, flux FROM raw.seen;

-- name: dv merge
-- writes: merge marks
-- columns: star_id < stars.star_id; note < stars.name; flux < stars.mag marks.flux
-- conditions: JOIN marks.star_id; JOIN stars.star_id; FILTER stars.class
MERGE INTO gold.marks t USING (SELECT star_id, name, mag FROM raw.stars WHERE class = 'A') s ON t.star_id = s.star_id
WHEN MATCHED AND t.flux > 3 THEN UPDATE SET flux = t.flux + s.mag, note = s.name
WHEN NOT MATCHED THEN INSERT (star_id, note, flux) VALUES (s.star_id, s.name, s.mag);

-- name: dv update
-- writes: update marks
-- columns: note < marks.note marks.star_id
-- conditions: FILTER marks.flux
UPDATE gold.marks SET note = concat(note, star_id) WHERE flux > 10;

-- name: dv delete
-- writes: delete marks
-- conditions: FILTER marks.star_id
DELETE FROM gold.marks WHERE star_id > 9;

-- name: dv delete join
-- writes: merge marks
-- conditions: JOIN marks.star_id; JOIN seen.star_id; FILTER seen.flux
MERGE INTO gold.marks t USING (SELECT DISTINCT star_id FROM raw.seen WHERE flux > 70) s ON t.star_id = s.star_id
WHEN MATCHED THEN DELETE;

-- name: lean ddl
CREATE TABLE gold.lean (star_id BIGINT, note STRING, flux DOUBLE) USING delta
TBLPROPERTIES ('delta.enableDeletionVectors' = 'false');

-- name: lean fill
-- writes: append lean
-- columns: flux < seen.flux; star_id < seen.star_id; note < seen.scope
INSERT INTO gold.lean BY NAME SELECT flux, star_id, scope AS note FROM raw.seen;

-- name: plain merge
-- writes: merge lean
-- columns: star_id < stars.star_id; note < stars.name; flux < stars.mag lean.flux
-- conditions: JOIN lean.star_id; JOIN stars.star_id; FILTER stars.class
MERGE INTO gold.lean t USING (SELECT star_id, name, mag FROM raw.stars WHERE class = 'A') s ON t.star_id = s.star_id
WHEN MATCHED AND t.flux > 3 THEN UPDATE SET flux = t.flux + s.mag, note = s.name
WHEN NOT MATCHED THEN INSERT (star_id, note, flux) VALUES (s.star_id, s.name, s.mag);

-- name: plain update
-- writes: update lean
-- columns: note < lean.note lean.star_id
-- conditions: FILTER lean.flux
UPDATE gold.lean SET note = concat(note, star_id) WHERE flux > 10;

-- name: plain delete
-- writes: delete lean
-- conditions: FILTER lean.star_id
DELETE FROM gold.lean WHERE star_id > 9;

-- name: broad
-- writes: create broad
-- columns: k < wide.k; {1..44: m{n} < wide.m{n}}
CREATE TABLE gold.broad USING delta AS SELECT k, {1..44: m{n}} FROM raw.wide;

-- name: broad merge
-- writes: merge broad
-- columns: k < wide.k; {1..44: m{n} < wide.m{n}}
MERGE INTO gold.broad t USING (SELECT k + 3 AS k, {1..44: m{n} + 1 AS m{n}} FROM raw.wide WHERE m40 > 2) s ON t.k = s.k
WHEN MATCHED AND s.m1 > t.m1 THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: broad update
-- writes: update broad
-- columns: m41 < broad.m40 broad.m3; m2 < broad.m44
-- conditions: FILTER broad.m39
UPDATE gold.broad SET m41 = m40 + m3, m2 = CASE WHEN m1 > 1 THEN m44 ELSE 0 END WHERE m39 > 2;

-- name: stats
-- writes: create stats
-- columns: n <; most < seen.sid; least < seen.flux
CREATE TABLE gold.stats USING delta AS SELECT count(*) AS n, max(sid) AS most, min(flux) AS least FROM raw.seen;

-- name: bright
-- writes: create bright
-- columns: star_id name < atlas.*; light < atlas.mag atlas.flux
CREATE VIEW gold.bright AS SELECT star_id, name, mag + flux AS light FROM gold.atlas WHERE flux > 2;

-- name: dim
-- writes: create dim
-- columns: star_id < atlas.star_id; level < atlas.mag atlas.flux
CREATE VIEW gold.dim AS SELECT star_id, round(light) AS level FROM gold.bright WHERE light < 1000;

-- name: over path
CREATE TEMPORARY VIEW over_path AS SELECT sid, flux * 2 AS twice FROM delta.`{root}/lake/plates`;

-- name: top
-- writes: create top
-- columns: star_id < atlas.star_id; level < atlas.mag atlas.flux; twice < plates.flux
-- conditions: JOIN atlas.star_id; JOIN plates.sid; FILTER atlas.flux
CREATE TABLE gold.top USING delta AS SELECT d.star_id, d.level, p.twice FROM gold.dim d JOIN over_path p ON p.sid = d.star_id;

-- name: twin
-- writes: create twin
-- columns: star_id name mag region flux < atlas.*
CREATE TABLE gold.twin SHALLOW CLONE gold.atlas VERSION AS OF 0;

-- name: twin merge
-- writes: merge twin
-- columns: flux < seen.flux twin.flux
-- conditions: JOIN twin.star_id; JOIN seen.star_id
MERGE INTO gold.twin t USING (SELECT star_id, avg(flux) AS flux FROM raw.seen GROUP BY star_id) s ON t.star_id = s.star_id
WHEN MATCHED THEN UPDATE SET flux = greatest(t.flux, s.flux);

-- name: restore
RESTORE TABLE gold.twin TO VERSION AS OF 0;

-- name: after restore
-- writes: append archive
-- columns: star_id flux < twin.*
INSERT INTO gold.archive SELECT star_id, flux FROM gold.twin;

-- name: rename
ALTER TABLE gold.broad SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name', 'delta.minReaderVersion' = '2', 'delta.minWriterVersion' = '5');

-- name: rename column
ALTER TABLE gold.broad RENAME COLUMN m7 TO seventh;

-- name: renamed update
-- writes: update broad
-- columns: seventh < broad.seventh broad.m8
UPDATE gold.broad SET seventh = seventh + m8;

-- name: odd
-- writes: create odd
-- columns: `star id` < stars.star_id; `a,b` < stars.name
CREATE TABLE gold.odd USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS SELECT star_id AS `star id`, name AS `a,b` FROM raw.stars;

-- name: live
-- writes: merge live
-- columns: star_id < seen.star_id; flux < seen.flux live.flux

-- name: feed stream
-- writes: append log
-- columns: star_id < live.star_id; flux < live.flux
