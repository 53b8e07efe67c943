-- name: stars
-- writes: create stars
-- columns: star_id name mag class region <
CREATE TABLE raw.stars USING hudi TBLPROPERTIES (primaryKey = 'star_id') AS SELECT id AS star_id, concat('s', id) AS name, id * 1.5D AS mag, CASE WHEN id % 2 = 0 THEN 'A' ELSE 'B' END AS class, CAST(id % 3 AS STRING) AS region FROM range(12);

-- name: seen
-- writes: create seen
-- columns: sid star_id scope flux night <
CREATE TABLE raw.seen USING hudi TBLPROPERTIES (primaryKey = 'sid', preCombineField = 'flux') AS SELECT id AS sid, id % 12 AS star_id, concat('t', id % 2) AS scope, id * 2.0D AS flux, date_add(DATE'2026-01-01', CAST(id % 5 AS INT)) AS night FROM range(40);

-- name: atlas
-- writes: create atlas
-- columns: star_id name mag region < stars.*; flux < seen.flux
-- conditions: JOIN stars.star_id; JOIN seen.star_id; GROUP_BY stars.name
CREATE TABLE gold.atlas USING hudi TBLPROPERTIES (primaryKey = 'star_id', preCombineField = 'flux') PARTITIONED BY (region) AS
SELECT s.star_id, s.name, s.mag, sum(v.flux) AS flux, s.region FROM raw.stars s JOIN raw.seen v ON v.star_id = s.star_id
GROUP BY s.star_id, s.name, s.mag, s.region;

-- name: insert
-- writes: append atlas
-- columns: star_id name mag region < stars.*; flux < stars.mag
-- conditions: FILTER stars.class
INSERT INTO gold.atlas SELECT star_id + 100, name, mag, mag * 3, region FROM raw.stars WHERE class = 'B';

-- name: marks ddl
CREATE TABLE gold.marks (star_id BIGINT, note STRING, flux DOUBLE) USING hudi TBLPROPERTIES (primaryKey = 'star_id', preCombineField = 'flux', type = 'mor');

-- name: marks fill
-- writes: append marks
-- columns: star_id < seen.star_id; note < seen.scope; flux < seen.flux
INSERT INTO gold.marks SELECT star_id, max(scope), max(flux) FROM raw.seen GROUP BY star_id;

-- name: mor merge
-- writes: merge marks
-- columns: star_id < stars.star_id; note < stars.name; flux < stars.mag marks.flux
-- conditions: JOIN stars.star_id; FILTER stars.class
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

-- name: cow merge
-- writes: merge atlas
-- columns: star_id name mag region < stars.*; flux < stars.mag
MERGE INTO gold.atlas t USING (SELECT star_id, name, mag, mag + 1 AS flux, region FROM raw.stars) s ON t.star_id = s.star_id
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: cow update
-- writes: update atlas
-- columns: name < atlas.name; mag < atlas.mag atlas.flux
-- conditions: FILTER atlas.mag
UPDATE gold.atlas SET name = lower(name), mag = mag + flux WHERE mag < 4;

-- name: time read
-- asks: SELECT min(_hoodie_commit_time) FROM gold.atlas
-- writes: create archive
-- columns: star_id flux < atlas.*
CREATE TABLE gold.archive USING hudi TBLPROPERTIES (primaryKey = 'star_id') AS SELECT star_id, flux FROM gold.atlas TIMESTAMP AS OF '{asked}';

-- name: incremental
-- writes: append archive
-- columns: star_id flux < atlas.*
-- conditions: FILTER atlas.mag
INSERT INTO gold.archive SELECT star_id, flux FROM hudi_table_changes('gold.atlas', 'latest_state', 'earliest') WHERE mag > 1;

-- name: stats
-- writes: create stats
-- columns: k n <; most < seen.sid
CREATE TABLE gold.stats USING hudi TBLPROPERTIES (primaryKey = 'k') AS SELECT 1 AS k, count(*) AS n, max(sid) AS most FROM raw.seen;

-- name: bright
-- writes: create bright
-- columns: star_id name < atlas.*; light < atlas.mag atlas.flux
CREATE VIEW gold.bright AS SELECT star_id, name, mag + flux AS light FROM gold.atlas WHERE flux > 2;

-- name: over path
CREATE TEMPORARY VIEW over_path USING hudi OPTIONS (path '{root}/warehouse/raw.db/seen');

-- name: top
-- writes: create top
-- columns: star_id < atlas.star_id; light < atlas.mag atlas.flux; scope < seen.scope
-- conditions: JOIN atlas.star_id; JOIN seen.star_id; FILTER atlas.flux
CREATE TABLE gold.top USING hudi TBLPROPERTIES (primaryKey = 'star_id') AS SELECT d.star_id, d.light, max(p.scope) AS scope FROM gold.bright d JOIN over_path p ON p.star_id = d.star_id GROUP BY d.star_id, d.light;

-- name: overwrite
-- writes: overwrite top
-- columns: star_id < stars.star_id; light < stars.mag; scope < stars.class
INSERT OVERWRITE gold.top SELECT star_id, mag, class FROM raw.stars;

-- name: compact
-- writes: maintenance marks
CALL run_compaction(op => 'scheduleAndExecute', table => 'gold.marks');

-- name: cluster
-- writes: maintenance atlas
CALL run_clustering(table => 'gold.atlas');

-- name: truncate
TRUNCATE TABLE gold.stats;

-- name: live
-- writes: append live
-- columns: star_id < seen.star_id; flux < seen.flux
