-- name: stars
-- writes: create stars
-- columns: star_id name mag class region <
CREATE TABLE raw.stars AS SELECT id AS star_id, concat('s', id) AS name, id * 1.5D AS mag, CASE WHEN id % 2 = 0 THEN 'A' ELSE 'B' END AS class, CAST(id % 3 AS STRING) AS region FROM range(12);

-- name: seen
-- writes: create seen
-- columns: sid star_id scope flux night <
CREATE TABLE raw.seen AS SELECT id AS sid, id % 12 AS star_id, concat('t', id % 2) AS scope, id * 2.0D AS flux, date_add(DATE'2026-01-01', CAST(id % 5 AS INT)) AS night FROM range(40);

-- name: wide
-- writes: create wide
-- columns: k <; {1..44: m{n} <}
CREATE TABLE raw.wide AS SELECT id AS k, {1..44: id + {n} AS m{n}} FROM range(6);

-- name: atlas
-- writes: create atlas
-- columns: star_id name mag region < stars.*; flux < seen.flux
-- conditions: JOIN stars.star_id; JOIN seen.star_id; GROUP_BY stars.name
CREATE TABLE gold.atlas TBLPROPERTIES ('primary-key' = 'star_id') AS
SELECT s.star_id, s.name, s.mag, sum(v.flux) AS flux, s.region FROM raw.stars s JOIN raw.seen v ON v.star_id = s.star_id
GROUP BY s.star_id, s.name, s.mag, s.region;

-- name: parts ddl
CREATE TABLE gold.parts (star_id BIGINT, name STRING, flux DOUBLE) TBLPROPERTIES ('primary-key' = 'star_id', 'merge-engine' = 'partial-update');

-- name: parts one
-- writes: append parts
-- columns: star_id name < stars.*; flux <
INSERT INTO gold.parts SELECT star_id, name, CAST(NULL AS DOUBLE) FROM raw.stars;

-- name: parts two
-- writes: append parts
-- columns: star_id < seen.star_id; flux < seen.flux; name <
INSERT INTO gold.parts (star_id, flux) SELECT star_id, max(flux) FROM raw.seen GROUP BY star_id;

-- name: sums ddl
CREATE TABLE gold.sums (star_id BIGINT, total DOUBLE, last DATE) TBLPROPERTIES ('primary-key' = 'star_id', 'merge-engine' = 'aggregation', 'fields.total.aggregate-function' = 'sum', 'fields.last.aggregate-function' = 'max');

-- name: sums
-- writes: append sums
-- columns: star_id < seen.star_id; total < seen.flux; last < seen.night
INSERT INTO gold.sums SELECT star_id, flux, night FROM raw.seen;

-- name: firsts ddl
CREATE TABLE gold.firsts (scope STRING, sid BIGINT) TBLPROPERTIES ('primary-key' = 'scope', 'merge-engine' = 'first-row', 'changelog-producer' = 'lookup');

-- name: firsts
-- writes: append firsts
-- columns: scope sid < seen.*
INSERT INTO gold.firsts SELECT scope, sid FROM raw.seen;

-- name: merge
-- writes: merge atlas
-- columns: star_id name mag region < stars.*; flux < stars.mag atlas.flux
-- conditions: JOIN stars.star_id; JOIN atlas.star_id
MERGE INTO gold.atlas t USING (SELECT star_id, name, mag, region FROM raw.stars WHERE class = 'A') s ON t.star_id = s.star_id
WHEN MATCHED AND t.flux > 3 THEN UPDATE SET flux = t.flux + s.mag, name = s.name
WHEN NOT MATCHED THEN INSERT (star_id, name, mag, flux, region) VALUES (s.star_id, s.name, s.mag, s.mag, s.region);

-- name: update
-- writes: update atlas
-- columns: name < atlas.name atlas.region
-- conditions: FILTER atlas.mag
UPDATE gold.atlas SET name = concat(name, region) WHERE mag > 6;

-- name: delete
-- writes: delete atlas
-- conditions: FILTER atlas.star_id
DELETE FROM gold.atlas WHERE star_id > 10;

-- name: broad
-- writes: create broad
-- columns: k < wide.k; {1..44: m{n} < wide.m{n}}
CREATE TABLE gold.broad TBLPROPERTIES ('primary-key' = 'k') AS SELECT k, {1..44: m{n}} FROM raw.wide;

-- name: broad merge
-- writes: merge broad
-- columns: k < wide.k; {1..44: m{n} < wide.m{n}}
MERGE INTO gold.broad t USING (SELECT k + 3 AS k, {1..44: m{n} + 1 AS m{n}} FROM raw.wide WHERE m40 > 2) s ON t.k = s.k
WHEN MATCHED AND s.m1 > t.m1 THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: broad update
-- writes: update broad
-- columns: m41 < broad.m40 broad.m3; m2 < broad.m44
-- conditions: FILTER broad.m39
UPDATE gold.broad SET m41 = m40 + m3, m2 = m44 WHERE m39 > 2;

-- name: tag
CALL pai.sys.create_tag(table => 'gold.atlas', tag => 'first_light');

-- name: tag read
-- writes: create archive
-- columns: star_id flux < atlas.*
CREATE TABLE gold.archive AS SELECT star_id, flux FROM gold.atlas VERSION AS OF 'first_light';

-- name: version read
-- writes: append archive
-- columns: star_id < atlas.star_id; flux < atlas.mag
INSERT INTO gold.archive SELECT star_id, mag FROM gold.atlas VERSION AS OF 1;

-- name: time read
-- writes: append archive
-- columns: star_id flux < atlas.*
-- conditions: FILTER atlas.mag
INSERT INTO gold.archive SELECT star_id, flux FROM gold.atlas TIMESTAMP AS OF now() WHERE mag > 3;

-- name: incremental
-- writes: append archive
-- columns: star_id flux < atlas.*
INSERT INTO gold.archive SELECT star_id, flux FROM paimon_incremental_query('pai.gold.atlas', 1, 2);

-- name: branch
CALL pai.sys.create_branch(table => 'gold.archive', branch => 'lab');

-- name: branch append
-- writes: append archive
-- columns: star_id < stars.star_id; flux < stars.mag
INSERT INTO gold.`archive$branch_lab` SELECT star_id, mag FROM raw.stars;

-- name: audit log
-- writes: create feed
-- columns: kind < atlas.rowkind; star_id < atlas.star_id
CREATE TABLE gold.feed AS SELECT rowkind AS kind, star_id FROM gold.`atlas$audit_log`;

-- name: stats
-- writes: create stats
-- columns: n <; most < seen.sid; least < seen.flux
CREATE TABLE gold.stats AS SELECT count(*) AS n, max(sid) AS most, min(flux) AS least FROM raw.seen;

-- name: compact
-- writes: maintenance atlas
CALL pai.sys.compact(table => 'gold.atlas');

-- name: rollback
-- writes: maintenance atlas
CALL pai.sys.rollback(table => 'gold.atlas', version => '1');

-- name: overwrite
-- writes: overwrite archive
-- columns: star_id < stars.star_id; flux < stars.mag
INSERT OVERWRITE gold.archive SELECT star_id, mag FROM raw.stars;

-- name: top view
CREATE TEMPORARY VIEW bright AS SELECT star_id, name, mag + flux AS light FROM gold.atlas WHERE flux > 2;

-- name: top view of view
CREATE TEMPORARY VIEW dim AS SELECT star_id, round(light) AS level FROM bright WHERE light < 1000;

-- name: top
-- writes: create top
-- columns: star_id < atlas.star_id; level < atlas.mag atlas.flux; scope < seen.scope
-- conditions: JOIN atlas.star_id; JOIN seen.star_id; FILTER atlas.flux
CREATE TABLE gold.top AS SELECT d.star_id, d.level, v.scope FROM dim d JOIN raw.seen v ON v.star_id = d.star_id;

-- name: live
-- writes: append live
-- columns: star_id < seen.star_id; flux < seen.flux
