-- name: tastes ddl
CREATE TABLE R.tastes (brew_id BIGINT, taster STRING, score DOUBLE, at STRING) USING {format};

-- name: best ddl
-- formats: delta iceberg_two
CREATE TABLE W.best (brew_id BIGINT, score DOUBLE, taster STRING) USING {format};

-- name: best ddl
-- formats: hudi
CREATE TABLE W.best (brew_id BIGINT, score DOUBLE, taster STRING) USING {format}
TBLPROPERTIES (primaryKey = 'brew_id', preCombineField = 'score');

-- name: best ddl
-- formats: paimon
CREATE TABLE W.best (brew_id BIGINT, score DOUBLE, taster STRING) USING {format}
TBLPROPERTIES ('primary-key' = 'brew_id', 'bucket' = '1');

-- name: daily ddl
CREATE TABLE W.daily (style STRING, volume DOUBLE, n BIGINT, day STRING) USING {format} PARTITIONED BY (day);

-- name: fact ddl
CREATE TABLE W.fact (brew_id BIGINT, label STRING, water DOUBLE, best DOUBLE, src STRING) USING {format};

-- name: brews in
-- writes: create r_brews
-- columns: brew_id tank hops temps style volume abv started_at < json.*

-- name: tastes in
-- writes: append r_tastes
-- columns: brew_id taster at < tastes.*; score < tastes.score
-- conditions: FILTER tastes.score

-- name: dynamic

-- name: styles
-- writes: create h_styles
-- columns: style < r_brews.style; label < r_brews.style; target < r_brews.abv
-- conditions: GROUP_BY r_brews.style
CREATE TABLE H.styles USING parquet AS SELECT style, upper(style) AS label, avg(abv) AS target FROM R.brews
GROUP BY style;

-- name: best stream
-- writes: merge w_best
-- columns: brew_id < tastes.brew_id; score < tastes.score; taster < w_best.taster tastes.taster

-- name: day
-- writes: overwrite w_daily
-- columns: style volume < r_brews.*; n <; day < r_brews.started_at
-- conditions: FILTER r_brews.started_at; GROUP_BY r_brews.style
INSERT OVERWRITE W.daily SELECT style, sum(volume), count(*), substr(started_at, 1, 10) AS day FROM R.brews
WHERE started_at LIKE '2026-10-02%' GROUP BY style, substr(started_at, 1, 10);

-- name: fact
-- writes: append w_fact
-- columns: brew_id < r_brews.brew_id; label < h_styles.label; water < r_brews.volume h_styles.target;
--   best < r_tastes.score; src <
-- conditions: JOIN r_brews.style; JOIN h_styles.style; FILTER r_brews.abv
INSERT INTO W.fact BY NAME SELECT 'sql' AS src, b.brew_id, (SELECT max(score)
FROM R.tastes) AS best, s.label, b.volume * (1 - s.target / 100) AS water
FROM R.brews b JOIN H.styles s USING (style) WHERE b.abv > 3;

-- name: nested
-- writes: create w_nested
-- columns: brew_id < r_brews.brew_id; place < r_brews.tank.no r_brews.tank.site.code;
--   dry < r_brews.hops.name r_brews.hops.grams; warm < r_brews.temps
CREATE TABLE W.nested USING {format} AS
SELECT brew_id, named_struct('no', tank.no, 'code', tank.site.code)
AS place, transform(hops, h -> named_struct('n', upper(h.name), 'g', h.grams * 2))
AS dry, map_filter(temps, (k, v) -> v > 70) AS warm FROM R.brews;

-- name: export
-- formats: delta iceberg_two paimon
-- writes: create x_water
-- columns: brew_id water best src label < w_fact.*

-- name: export
-- formats: hudi
-- writes: create x_water
-- columns: _hoodie_commit_time _hoodie_commit_seqno _hoodie_record_key _hoodie_partition_path _hoodie_file_name
--   brew_id water best src label < w_fact.*

-- name: import
-- writes: append w_fact
-- columns: brew_id label water best < x_water.*; src <
-- conditions: FILTER x_water.label
INSERT INTO W.fact SELECT brew_id + 1000, label, water / 2, best, 'file' FROM parquet.`{root}/export/water`
WHERE label <> 'PILS';

-- name: flat from both
-- writes: append h_styles
-- columns: style < w_daily.style; label < w_daily.style w_fact.src; target < w_fact.water
-- conditions: JOIN w_daily.style; JOIN w_fact.label; GROUP_BY w_fact.src
INSERT INTO H.styles SELECT d.style, concat(d.style, f.src), max(f.water)
FROM W.daily d LEFT JOIN W.fact f ON upper(d.style) = f.label GROUP BY d.style, f.src;

-- name: wide
-- writes: create w_wide
-- columns: brew_id style < r_brews.*; k{1..30} < r_brews.volume
CREATE TABLE W.wide USING {format} AS SELECT brew_id, style, {1..30: volume * {n} AS k{n}} FROM R.brews;

-- name: mapped ddl
-- formats: delta
CREATE TABLE W.mapped (id BIGINT, gone STRING, old DOUBLE, tank STRUCT<no: INT, code: STRING>) USING {format}
TBLPROPERTIES ('delta.columnMapping.mode' = 'name');

-- name: mapped
-- formats: delta
-- writes: append w_mapped
-- columns: id < r_brews.brew_id; gone < r_brews.style; old < r_brews.abv; tank < r_brews.tank.no r_brews.tank.site.code
-- conditions: FILTER r_brews.brew_id
INSERT INTO W.mapped SELECT brew_id, style, abv, struct(tank.no, tank.site.code) FROM R.brews WHERE brew_id < 18;

-- name: mapped rename
-- formats: delta
-- writes: alter w_mapped
ALTER TABLE W.mapped RENAME COLUMN old TO strength;

-- name: mapped nested rename
-- formats: delta
-- writes: alter w_mapped
ALTER TABLE W.mapped RENAME COLUMN tank.code TO place;

-- name: mapped drop
-- formats: delta
-- writes: alter w_mapped
ALTER TABLE W.mapped DROP COLUMN gone;

-- name: mapped update
-- formats: delta
-- writes: update w_mapped
-- columns: tank < w_mapped.tank.no w_mapped.id w_mapped.tank.place; strength < w_mapped.strength
-- conditions: FILTER w_mapped.strength
UPDATE W.mapped SET tank.no = tank.no + id, strength = round(strength) WHERE strength > 4;

-- name: mapped evolve
-- formats: delta
-- writes: merge w_mapped
-- columns: id < r_brews.brew_id; strength < r_brews.abv;
--   tank < r_brews.tank.no r_brews.tank.site.code r_brews.tank.site.zone; volume < r_brews.volume

-- name: mapped read
-- formats: delta
-- writes: nothing
-- columns: place < w_mapped.tank.place; zone < w_mapped.tank.zone; s < w_mapped.strength
-- conditions: GROUP_BY w_mapped.tank.place
SELECT tank.place, tank.zone, sum(strength) AS s FROM W.mapped GROUP BY tank.place, tank.zone;

-- name: at time
-- formats: delta
-- writes: create w_past
-- columns: brew_id < r_brews.brew_id; diff < w_mapped.strength r_brews.abv
-- conditions: JOIN w_mapped.id; JOIN r_brews.brew_id

-- name: gen ddl
-- formats: delta
-- only: 4-1
CREATE TABLE W.gen (gid BIGINT GENERATED ALWAYS AS IDENTITY, brew_id BIGINT, at TIMESTAMP, yr INT GENERATED ALWAYS
AS (year(at)), flag STRING DEFAULT 'n') USING {format} PARTITIONED BY (yr)
TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported', 'delta.enableChangeDataFeed' = 'true');

-- name: gen
-- formats: delta
-- writes: append w_gen
-- columns: gid <; brew_id < r_tastes.brew_id; at < r_tastes.at; yr < r_tastes.at; flag <
INSERT INTO W.gen (at, brew_id) SELECT CAST(at AS TIMESTAMP), brew_id FROM R.tastes;

-- name: gen merge
-- formats: delta
-- writes: merge w_gen
-- columns: at < w_gen.at r_tastes.at; yr < w_gen.at r_tastes.at; flag < w_gen.flag
MERGE INTO W.gen t USING (SELECT brew_id, max(at) AS last FROM R.tastes
GROUP BY brew_id) s ON t.brew_id = s.brew_id AND t.flag = 'n'
WHEN MATCHED THEN UPDATE SET t.at = greatest(t.at, CAST(s.last AS TIMESTAMP)), t.flag = upper(t.flag);

-- name: replace where
-- formats: delta
-- writes: overwrite w_daily
-- columns: style < w_fact.label; volume < w_fact.water; n day <
-- conditions: FILTER w_fact.src
INSERT INTO W.daily REPLACE WHERE day = '2026-10-03' SELECT label, water, 1, '2026-10-03' FROM W.fact
WHERE src = 'sql';

-- name: feed
-- formats: delta
-- writes: create w_feed
-- columns: op < w_gen._change_type; brew_id at < w_gen.*
-- conditions: FILTER w_gen._change_type; GROUP_BY w_gen.brew_id

-- name: convert
-- formats: delta
CONVERT TO DELTA parquet.`{root}/export/water` PARTITIONED BY (label STRING);

-- name: converted read
-- formats: delta
-- writes: append w_fact
-- columns: brew_id label water best < x_water.*; src <
-- conditions: FILTER x_water.water
INSERT INTO W.fact SELECT brew_id, label, water, best, 'conv' FROM delta.`{root}/export/water` WHERE water > 5;

-- name: converted delete
-- formats: delta
-- writes: delete x_water
-- conditions: FILTER x_water.label; FILTER x_water.best
DELETE FROM delta.`{root}/export/water` WHERE label = 'ALE' OR best IS NULL;

-- name: wide merge
-- formats: delta
-- writes: merge w_wide
-- columns: k29 < w_wide.k28 r_tastes.score; style < w_wide.style
MERGE INTO W.wide t USING (SELECT brew_id, max(score) AS top FROM R.tastes
GROUP BY brew_id) s ON t.brew_id = s.brew_id
WHEN MATCHED THEN UPDATE SET t.k29 = t.k28 + s.top, t.style = upper(t.style);

-- name: wide select
-- formats: delta
-- writes: nothing
-- columns: {1..30: m{n} < w_wide.k{n}}
-- conditions: FILTER w_wide.style
SELECT {1..30: max(k{n}) AS m{n}} FROM W.wide WHERE style = 'ALE';

-- name: mart
-- formats: delta
-- writes: create w_mart
-- columns: brew_id style < r_brews.*

-- name: mart again
-- formats: delta
-- writes: overwrite w_mart
-- columns: brew_id water < w_fact.*; label < w_fact.label

-- name: then view
-- formats: delta
CREATE OR REPLACE TEMP VIEW then AS SELECT brew_id, style FROM W.mart VERSION AS OF 0;

-- name: view read
-- formats: delta
-- writes: create w_then
-- columns: style < w_mart.style; water < w_mart.water
-- conditions: JOIN w_mart.brew_id
CREATE TABLE W.then USING {format} AS SELECT t.style, m.water FROM then t JOIN W.mart m ON m.brew_id = t.brew_id;

-- name: deep update
-- formats: delta
-- writes: update w_nested
-- columns: dry < w_nested.dry.n w_nested.dry.g w_nested.place.no; place < w_nested.place.no w_nested.place.code
-- conditions: FILTER w_nested.dry.g
UPDATE W.nested SET dry = transform(dry, d -> named_struct('n', d.n, 'g', d.g + place.no)),
place.code = concat(place.code, '!') WHERE exists(dry, d -> d.g > 30);

-- name: ice brews
-- formats: delta
-- writes: create i_brews
-- columns: brew_id style abv < r_brews.*
-- conditions: FILTER r_brews.volume
CREATE TABLE I.brews USING iceberg AS SELECT brew_id, style, abv FROM R.brews WHERE volume > 100;

-- name: ice merge
-- formats: delta
-- writes: merge i_brews
-- columns: brew_id < w_mapped.id; abv < w_mapped.strength i_brews.abv; style <
MERGE INTO I.brews t USING W.mapped s ON t.brew_id = s.id
WHEN MATCHED AND s.strength > 3 THEN UPDATE SET t.abv = s.strength + t.abv
WHEN NOT MATCHED THEN INSERT (brew_id, abv) VALUES (s.id, s.strength);

-- name: delta from ice
-- formats: delta
-- writes: append w_mart
-- columns: brew_id < i_brews.brew_id; label < i_brews.style; water < i_brews.abv
-- conditions: FILTER i_brews.abv

-- name: delta merge
-- formats: delta
-- writes: merge w_best
-- columns: brew_id < i_brews.brew_id; score < h_styles.target; taster < h_styles.label
MERGE INTO W.best t USING (SELECT i.brew_id, max(h.label) AS label, max(h.target) AS target
FROM I.brews i JOIN H.styles h ON h.style = i.style GROUP BY i.brew_id) s ON t.brew_id = s.brew_id
WHEN MATCHED THEN UPDATE SET t.taster = s.label
WHEN NOT MATCHED AND s.target > 3 THEN INSERT (brew_id, score) VALUES (s.brew_id, s.target);

-- name: ice tastes ddl
-- formats: delta
CREATE TABLE I.tastes (brew_id BIGINT, taster STRING) USING iceberg;

-- name: to ice
-- formats: delta
-- writes: append i_tastes
-- columns: brew_id taster < r_tastes.*
-- conditions: FILTER r_tastes.score

-- name: ice tagged
-- formats: delta
-- writes: create i_tagged
-- columns: brew_id < i_brews.brew_id; tag < i_brews.style w_best.taster; score < w_best.score
-- conditions: JOIN i_brews.brew_id; JOIN h_styles.style

-- name: flat overwrite
-- formats: delta
-- writes: overwrite h_styles
-- columns: style < i_tagged.tag; label < w_mart.label; target < w_best.score
-- conditions: JOIN i_tagged.brew_id; JOIN w_best.brew_id
INSERT OVERWRITE H.styles SELECT t.tag, m.label, b.score
FROM I.tagged t JOIN W.mart m ON m.brew_id = t.brew_id JOIN W.best b ON b.brew_id = t.brew_id;

-- name: ice update
-- formats: delta
-- writes: update i_brews
-- columns: style < i_brews.style
-- conditions: JOIN w_gen.brew_id
UPDATE I.brews SET style = coalesce(style, 'none') WHERE brew_id IN (SELECT brew_id FROM W.gen);

-- name: three read
-- formats: delta
-- writes: nothing
-- columns: taster < i_tastes.taster; n < r_brews.style
-- conditions: JOIN i_tastes.brew_id; JOIN h_styles.style; GROUP_BY i_tastes.taster
SELECT t.taster, count(DISTINCT b.style) AS n
FROM I.tastes t JOIN R.brews b ON b.brew_id = t.brew_id LEFT ANTI JOIN H.styles h ON h.style = b.style
GROUP BY t.taster;

-- name: taken ddl
-- formats: iceberg_two
CREATE TABLE W.taken (style STRING, label STRING, target DOUBLE) USING {format};

-- name: add files
-- formats: iceberg_two
-- writes: append w_taken
CALL {W.catalog}.system.add_files(table => '{W.database}.taken',
source_table => '`parquet`.`{root}/warehouse/flat.db/styles`');

-- name: taken read
-- formats: iceberg_two
-- writes: append w_fact
-- columns: brew_id best <; label < w_taken.label; water < w_taken.target; src < w_taken.style
-- conditions: FILTER w_taken.target
INSERT INTO W.fact SELECT 1, label, target, NULL, style FROM W.taken WHERE target > 1;

-- name: snapshot
-- formats: iceberg_two
-- writes: create r_snap
CALL {R.catalog}.system.snapshot(source_table => 'spark_catalog.flat.styles', table => 'ice.{R.database}.snap');

-- name: snap update
-- formats: iceberg_two
-- writes: update r_snap
-- columns: label < r_snap.label r_snap.style
-- conditions: FILTER r_snap.target
UPDATE R.snap SET label = concat(label, style) WHERE target < 6;

-- name: snap merge
-- formats: iceberg_two
-- writes: merge r_snap
-- columns: target < r_snap.target w_taken.target
MERGE INTO R.snap t USING W.taken s ON t.style = s.style
WHEN MATCHED THEN UPDATE SET t.target = (t.target + s.target) / 2 WHEN NOT MATCHED BY SOURCE THEN DELETE;

-- name: nested add
-- formats: iceberg_two
-- writes: alter w_nested
ALTER TABLE W.nested ADD COLUMN zone STRING AFTER brew_id;

-- name: nested rename
-- formats: iceberg_two
-- writes: alter w_nested
ALTER TABLE W.nested RENAME COLUMN warm TO warmth;

-- name: nested field
-- formats: iceberg_two
-- writes: alter w_nested
ALTER TABLE W.nested RENAME COLUMN place.code TO site;

-- name: nested update
-- formats: iceberg_two
-- writes: update w_nested
-- columns: zone < w_nested.warmth; place < w_nested.place.no w_nested.place.site w_nested.zone
-- conditions: FILTER w_nested.place.no
UPDATE W.nested SET place.site = concat(place.site, zone), zone = element_at(map_keys(warmth), 1) WHERE place.no > 0;

-- name: nested drop
-- formats: iceberg_two
-- writes: alter w_nested
ALTER TABLE W.nested DROP COLUMN dry;

-- name: nested insert
-- formats: iceberg_two
-- writes: append w_nested
-- columns: brew_id < r_brews.brew_id; place < r_brews.tank.no r_brews.style; zone < r_brews.tank.site.zone; warmth <
-- conditions: FILTER r_brews.abv
INSERT INTO W.nested (brew_id, place, zone)
SELECT brew_id, named_struct('no', tank.no, 'site', style), tank.site.zone FROM R.brews WHERE abv > 5;

-- name: fact evolve
-- formats: iceberg_two
-- only: 4-1
-- writes: merge w_fact
-- columns: brew_id < r_brews.brew_id; label < r_brews.style; water < r_brews.abv; best < r_brews.volume; src <;
--   extra < r_brews.temps
MERGE WITH SCHEMA EVOLUTION INTO W.fact t USING (SELECT brew_id, upper(style) AS label, abv AS water, volume
AS best, 'evo' AS src, temps['mash'] AS extra FROM R.brews) s ON t.brew_id = s.brew_id
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: nested read
-- formats: iceberg_two
-- writes: nothing
-- columns: zone < w_nested.zone; site < w_nested.place.site; w < w_nested.warmth
-- conditions: SORT w_nested.place.no
SELECT zone, place.site, map_values(warmth) AS w FROM W.nested ORDER BY place.no LIMIT 3;

-- name: tag
-- formats: iceberg_two
ALTER TABLE R.tastes CREATE TAG eve;

-- name: branch
-- formats: iceberg_two
ALTER TABLE R.tastes CREATE BRANCH trial;

-- name: branch write
-- formats: iceberg_two
-- writes: append r_tastes
-- columns: brew_id < w_fact.brew_id; taster < w_fact.label; score < w_fact.water; at < w_fact.src
-- conditions: FILTER w_fact.best
INSERT INTO R.tastes.branch_trial SELECT brew_id + 1, label, water, src FROM W.fact WHERE best IS NOT NULL;

-- name: branch delete
-- formats: iceberg_two
-- writes: delete r_tastes
-- conditions: FILTER r_tastes.score
DELETE FROM R.tastes.branch_trial WHERE score > 500;

-- name: branch diff
-- formats: iceberg_two
-- writes: create w_diff
-- columns: brew_id < r_tastes.brew_id; d < r_tastes.score
-- conditions: JOIN r_tastes.brew_id; JOIN r_tastes.at
CREATE TABLE W.diff USING {format} AS SELECT b.brew_id, b.score - coalesce(m.score, 0) AS d
FROM R.tastes VERSION AS OF 'trial' b LEFT JOIN R.tastes VERSION
AS OF 'eve' m ON m.brew_id = b.brew_id AND m.at = b.at;

-- name: forward
-- formats: iceberg_two
-- writes: maintenance r_tastes
CALL {R.catalog}.system.fast_forward(table => '{R.database}.tastes', branch => 'main', to => 'trial');

-- name: more tastes
-- formats: iceberg_two
-- writes: append r_tastes
-- columns: brew_id < w_diff.brew_id; taster at <; score < w_diff.d
-- conditions: FILTER w_diff.d
INSERT INTO R.tastes SELECT brew_id, 'late', d, NULL FROM W.diff WHERE d > 1;

-- name: increment
-- formats: iceberg_two
-- writes: create w_increment
-- columns: taster < r_tastes.taster; total < r_tastes.score
-- conditions: GROUP_BY r_tastes.taster

-- name: eve view
-- formats: iceberg_two
CREATE OR REPLACE TEMP VIEW eve AS SELECT taster, max(score) AS top FROM R.tastes VERSION AS OF 'eve'
GROUP BY taster;

-- name: eve read
-- formats: iceberg_two
-- only: 4-1
-- writes: append w_fact
-- columns: brew_id < w_increment.total; label < r_tastes.taster; water < r_tastes.score; best src <; extra <
INSERT INTO W.fact (brew_id, label, water, best, src) SELECT CAST(i.total AS BIGINT), e.taster, e.top, NULL, 'eve'
FROM eve e JOIN W.increment i ON i.taster = e.taster;

-- name: eve read
-- formats: iceberg_two
-- only: 3-5
-- writes: append w_fact
-- columns: brew_id < w_increment.total; label < r_tastes.taster; water < r_tastes.score; best src <
INSERT INTO W.fact (brew_id, label, water, best, src) SELECT CAST(i.total AS BIGINT), e.taster, e.top, NULL, 'eve'
FROM eve e JOIN W.increment i ON i.taster = e.taster;

-- name: changes
-- formats: iceberg_two
-- writes: create w_changes
-- columns: style < w_taken.style; op < w_taken._change_type; target < w_taken.target
-- conditions: FILTER w_taken.target

-- name: past time
-- formats: iceberg_two
-- writes: nothing
-- columns: n < r_tastes.brew_id; s < r_tastes.score
-- conditions: FILTER r_tastes.taster
SELECT count(brew_id) AS n, max(score) AS s FROM R.tastes TIMESTAMP AS OF current_timestamp() WHERE taster = 't1';

-- name: wide ddl
-- formats: iceberg_two
ALTER TABLE W.wide SET TBLPROPERTIES ('write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read',
'write.delete.mode' = 'merge-on-read');

-- name: wide update
-- formats: iceberg_two
-- writes: update w_wide
-- columns: k2 < w_wide.k3 w_wide.k4; k29 < w_wide.k28
-- conditions: FILTER w_wide.k1
UPDATE W.wide SET k2 = k3 + k4, k29 = k28 * 2 WHERE k1 > 120;

-- name: wide delete
-- formats: iceberg_two
-- writes: delete w_wide
-- conditions: FILTER w_wide.k30; FILTER w_wide.k29
DELETE FROM W.wide WHERE k30 > 100 AND k29 > 90000;

-- name: wide merge
-- formats: iceberg_two
-- writes: merge w_wide
-- columns: k1 < r_tastes.score; style < w_wide.style
MERGE INTO W.wide t USING (SELECT brew_id, max(score) AS top FROM R.tastes
GROUP BY brew_id) s ON t.brew_id = s.brew_id WHEN MATCHED THEN UPDATE SET t.k1 = s.top, t.style = upper(t.style);

-- name: wide read
-- formats: iceberg_two
-- writes: nothing
-- columns: {1..28: m{n} < w_wide.k{n}}
-- conditions: FILTER w_wide.style; GROUP_BY w_wide.brew_id
SELECT {1..28: max(k{n}) AS m{n}} FROM W.wide WHERE style = 'ALE' GROUP BY brew_id;

-- name: partitions
-- formats: iceberg_two
-- writes: overwrite w_daily
-- columns: style volume n day < w_daily.*

-- name: condition
-- formats: iceberg_two
-- writes: overwrite w_daily
-- columns: style < r_brews.style; volume < r_brews.abv; n day <

-- name: bucketed
-- formats: iceberg_two
-- writes: create w_bucketed
-- columns: brew_id < r_brews.brew_id; b < r_brews.brew_id; s < r_brews.style
CREATE TABLE W.bucketed USING {format} PARTITIONED BY (bucket(4, brew_id)) AS
SELECT brew_id, {W.catalog}.system.bucket(4, brew_id) AS b, {W.catalog}.system.truncate(2, style) AS s FROM R.brews;

-- name: flat back
-- formats: iceberg_two
-- writes: overwrite h_styles
-- columns: style < r_snap.style; label < w_bucketed.s; target < r_snap.target
-- conditions: JOIN r_snap.style; JOIN w_bucketed.s; GROUP_BY r_snap.style
INSERT OVERWRITE H.styles SELECT t.style, w.s, avg(t.target)
FROM R.snap t LEFT JOIN W.bucketed w ON substr(t.style, 1, 2) = w.s GROUP BY t.style, w.s;

-- name: files
-- formats: iceberg_two
SELECT file_path, record_count FROM W.daily.files WHERE record_count > 0;

-- name: pair ddl
-- formats: hudi
CREATE TABLE W.pair (brew_id BIGINT, taster STRING, score DOUBLE, at STRING) USING {format}
TBLPROPERTIES (type = 'mor', primaryKey = 'brew_id,taster', preCombineField = 'at');

-- name: pair
-- formats: hudi
-- writes: append w_pair
-- columns: brew_id taster score at < r_tastes.*
-- conditions: GROUP_BY r_tastes.brew_id; GROUP_BY r_tastes.taster
INSERT INTO W.pair SELECT brew_id, taster, max(score) AS score, max(at) AS at FROM R.tastes GROUP BY brew_id, taster;

-- name: pair merge
-- formats: hudi
-- writes: merge w_pair
-- columns: score at < w_pair.*
MERGE INTO W.pair t USING (SELECT brew_id AS b, taster AS who, score, at
FROM W.pair) s ON t.brew_id = s.b AND t.taster = s.who
WHEN MATCHED AND s.score > 2 THEN UPDATE SET t.score = s.score + t.score, t.at = s.at;

-- name: pair partial
-- formats: hudi
-- writes: merge w_pair
-- columns: brew_id taster score at < r_tastes.*
MERGE INTO W.pair t USING R.tastes s ON t.brew_id = s.brew_id AND t.taster = s.taster
WHEN MATCHED THEN UPDATE SET t.score = s.score, t.at = s.at
WHEN NOT MATCHED THEN INSERT (brew_id, taster, score, at) VALUES (s.brew_id, s.taster, s.score, s.at);

-- name: pair update
-- formats: hudi
-- writes: update w_pair
-- columns: score < w_pair.score w_pair.taster
-- conditions: FILTER w_pair.at
UPDATE W.pair SET score = score + length(taster) WHERE at > '2026-10-03';

-- name: pair delete
-- formats: hudi
-- writes: delete w_pair
-- conditions: FILTER w_pair.score; FILTER w_pair.taster
DELETE FROM W.pair WHERE score < 1 OR taster = 't9';

-- name: pair column
-- formats: hudi
-- writes: alter w_pair
ALTER TABLE W.pair ADD COLUMNS (note STRING);

-- name: pair note
-- formats: hudi
-- writes: update w_pair
-- columns: note < w_pair.taster w_pair.at
-- conditions: FILTER w_pair.score
UPDATE W.pair SET note = concat(taster, at) WHERE score > 2;

-- name: past
-- formats: hudi
-- writes: nothing
-- columns: brew_id score < w_pair.*
-- conditions: FILTER w_pair.taster

-- name: log ddl
-- formats: hudi
CREATE TABLE W.log (brew_id BIGINT, score DOUBLE, taster STRING) USING {format};

-- name: tops
-- formats: hudi
-- writes: append p_tops
-- columns: brew_id < r_tastes.brew_id; score < r_tastes.score; taster < r_tastes.taster
-- conditions: GROUP_BY r_tastes.brew_id

-- name: tops again
-- formats: hudi
-- writes: append p_tops
-- columns: brew_id < w_pair.brew_id; score < w_pair.score; taster < w_pair.taster
-- conditions: GROUP_BY w_pair.brew_id

-- name: increment
-- formats: hudi
-- writes: append w_log
-- columns: brew_id score taster < p_tops.*
-- conditions: FILTER p_tops.score

-- name: changes
-- formats: hudi
-- writes: append w_log
-- columns: brew_id score < w_pair.*; taster < w_pair.note
-- conditions: GROUP_BY w_pair.note
INSERT INTO W.log SELECT brew_id, max(score), note FROM hudi_table_changes('work.pair', 'latest_state', 'earliest')
GROUP BY brew_id, note;

-- name: static part
-- formats: hudi
-- writes: overwrite w_daily
-- columns: style volume < r_brews.*; n day <
-- conditions: FILTER r_brews.abv
INSERT OVERWRITE W.daily PARTITION (day = '2026-10-09') SELECT style, volume, 1 FROM R.brews WHERE abv > 4;

-- name: compact
-- formats: hudi
CALL run_compaction(op => 'run', table => 'work.pair');

-- name: commits
-- formats: hudi
CALL show_commits(table => 'work.pair', limit => 5);

-- name: pair report
-- formats: hudi
-- writes: nothing
-- columns: note < w_pair.note; total < w_log.score
-- conditions: JOIN w_pair.brew_id; JOIN w_log.brew_id
SELECT p.note, sum(l.score) OVER (PARTITION BY p.taster ORDER BY p.at) AS total
FROM W.pair p JOIN W.log l ON l.brew_id = p.brew_id;

-- name: flat from hudi
-- formats: hudi
-- writes: overwrite h_styles
-- columns: style < w_pair.taster; label < w_pair.note; target < w_pair.score
-- conditions: GROUP_BY w_pair.taster
INSERT OVERWRITE H.styles SELECT taster, note, min(score) FROM W.pair GROUP BY taster, note;

-- name: part ddl
-- formats: paimon
CREATE TABLE W.part (brew_id BIGINT, style STRING, score DOUBLE, taster STRING) USING {format}
TBLPROPERTIES ('primary-key' = 'brew_id', 'merge-engine' = 'partial-update', 'bucket' = '2',
'changelog-producer' = 'lookup');

-- name: sums ddl
-- formats: paimon
CREATE TABLE W.sums (style STRING, volume DOUBLE, last STRING) USING {format}
TBLPROPERTIES ('primary-key' = 'style', 'merge-engine' = 'aggregation', 'fields.volume.aggregate-function' = 'sum',
'fields.last.aggregate-function' = 'last_value', 'bucket' = '1');

-- name: part styles
-- formats: paimon
-- writes: append w_part
-- columns: brew_id < r_brews.brew_id; style < r_brews.style; score taster <
INSERT INTO W.part (brew_id, style) SELECT brew_id, upper(style) FROM R.brews;

-- name: part scores
-- formats: paimon
-- writes: append w_part
-- columns: brew_id < r_tastes.brew_id; style <; score < r_tastes.score; taster < r_tastes.taster
-- conditions: GROUP_BY r_tastes.brew_id
INSERT INTO W.part SELECT brew_id, CAST(NULL AS STRING), max(score), max(taster) FROM R.tastes GROUP BY brew_id;

-- name: sums
-- formats: paimon
-- writes: append w_sums
-- columns: style volume < r_brews.*; last < r_brews.started_at
-- conditions: FILTER r_brews.abv
INSERT INTO W.sums SELECT style, volume, started_at FROM R.brews WHERE abv > 3;

-- name: tag
-- formats: paimon
CALL pai.sys.create_tag(table => 'work.part', tag => 'eve');

-- name: rated
-- formats: paimon
-- writes: create w_rated
-- columns: brew_id < w_part.brew_id; rate < w_part.score w_sums.volume
-- conditions: JOIN w_part.style; JOIN w_sums.style
CREATE TABLE W.rated USING {format} AS SELECT p.brew_id, p.score / s.volume AS rate
FROM W.part p JOIN W.sums s ON upper(s.style) = p.style;
