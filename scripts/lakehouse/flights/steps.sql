-- name: flight
-- writes: create flight
-- columns: fid plane fare origin day <
CREATE TABLE air.flight USING delta PARTITIONED BY (day) AS
SELECT id AS fid, id % 4 AS plane, CAST(id * 10.5 AS DOUBLE) AS fare, substr('ABC', CAST(id % 3 AS INT) + 1, 1)
AS origin, CAST(id % 2 AS STRING) AS day FROM range(12);

-- name: plane clustered
-- writes: create plane
-- columns: pid maker seats <
CREATE TABLE air.plane USING delta CLUSTER BY (pid) AS SELECT *
FROM VALUES (0, 'boe', 100), (1, 'air', 120) AS v(pid, maker, seats);

-- name: best ddl
CREATE TABLE air.best (fid BIGINT, fare DOUBLE, src STRING) USING delta;

-- name: cnt ddl
CREATE TABLE air.cnt (n DOUBLE) USING delta;

-- name: count
-- writes: append cnt
-- columns: n <
INSERT INTO air.cnt SELECT count(*) FROM air.flight;

-- name: two extremes
-- writes: append cnt
-- columns: n < flight.fid flight.plane
INSERT INTO air.cnt SELECT min(fid) + max(plane) FROM air.flight;

-- name: extremes
-- writes: create extremes
-- columns: hi < flight.fid; lo < flight.fare; n <
CREATE TABLE air.extremes USING delta AS SELECT max(fid) AS hi, min(fare) AS lo, count(*) AS n FROM air.flight;

-- name: extremes saved
-- writes: create p_top
-- columns: top < flight.fid; n <

-- name: extreme read
-- writes: nothing
-- columns: top < flight.fid
SELECT max(fid) AS top FROM air.flight;

-- name: extreme merged
-- writes: merge cnt
-- columns: n < flight.fid
MERGE INTO air.cnt t USING (SELECT max(fid) AS m FROM air.flight) s ON t.n = s.m
WHEN NOT MATCHED THEN INSERT (n) VALUES (s.m);

-- name: parts saved
-- writes: create p_parts
-- columns: fid fare day < flight.*

-- name: parts ignored

-- name: parts merged
-- writes: merge p_parts
-- columns: fare < flight.fare; fid day < flight.*
-- conditions: JOIN flight.fid
MERGE INTO delta.`{root}/lake/parts` t USING air.flight s ON t.fid = s.fid
WHEN MATCHED THEN UPDATE SET t.fare = s.fare * 3 WHEN NOT MATCHED THEN INSERT (fid, day) VALUES (s.fid, s.day);

-- name: parts updated
-- writes: update p_parts
-- columns: fare < p_parts.fid p_parts.fare
-- conditions: FILTER p_parts.fid
UPDATE delta.`{root}/lake/parts` SET fare = fid + fare WHERE fid > 4;

-- name: built

-- name: built insert
-- writes: append p_built
-- columns: id < flight.fid; n < flight.origin
INSERT INTO delta.`{root}/lake/built` SELECT fid, origin FROM air.flight;

-- name: nothing inserted
-- writes: append best
-- columns: fid < flight.fid; fare < flight.fare; src < flight.origin
-- conditions: FILTER flight.fid
INSERT INTO air.best SELECT fid, fare, origin FROM air.flight WHERE fid > 100000;

-- name: nothing updated
-- writes: update best
-- columns: fare < best.fid
UPDATE air.best SET fare = fid WHERE fid = -5;

-- name: nothing deleted
-- writes: delete best
DELETE FROM air.best WHERE fid = -77;

-- name: best insert
-- writes: append best
-- columns: fid fare < flight.*; src < flight.origin
INSERT INTO air.best SELECT fid, fare, origin FROM air.flight;

-- name: existing
CREATE TABLE IF NOT EXISTS air.plane USING delta AS SELECT 1 AS pid;

-- name: not existing
-- writes: create fresh
-- columns: pid < plane.pid
CREATE TABLE IF NOT EXISTS air.fresh USING delta AS SELECT pid FROM air.plane;

-- name: replaced by itself
-- writes: overwrite plane
-- columns: pid maker seats < plane.*; twice < plane.seats
CREATE OR REPLACE TABLE air.plane USING delta AS SELECT pid, lower(maker) AS maker, seats, seats * 2 AS twice
FROM air.plane;

-- name: cloned
-- writes: create cloned
-- columns: fid fare src < best.*
CREATE TABLE air.cloned SHALLOW CLONE air.best;

-- name: located
-- writes: create located
-- columns: fid fare src < best.*
CREATE TABLE air.located SHALLOW CLONE air.best LOCATION '{root}/lake/located';

-- name: var ddl
CREATE TABLE air.var (id BIGINT, v VARIANT) USING delta;

-- name: var insert
-- writes: append var
-- columns: id < flight.fid; v < flight.plane
INSERT INTO air.var SELECT fid, parse_json(concat('{"a":', plane, '}')) FROM air.flight;

-- name: var read
-- writes: create parsed
-- columns: id < var.id; a b < var.v
-- conditions: FILTER var.v
CREATE TABLE air.parsed USING delta AS SELECT id, variant_get(v, '$.a', 'int') AS a, v:a::string AS b FROM air.var
WHERE variant_get(v, '$.a', 'int') > 0;

-- name: tracked ddl
CREATE TABLE air.tracked (id BIGINT, x DOUBLE) USING delta
TBLPROPERTIES ('delta.enableRowTracking' = 'true', 'delta.enableInCommitTimestamps' = 'true',
'delta.checkpointPolicy' = 'v2', 'delta.enableDeletionVectors' = 'true');

-- name: tracked insert
-- writes: append tracked
-- columns: id < flight.fid; x < flight.fare
INSERT INTO air.tracked SELECT fid, fare FROM air.flight;

-- name: tracked rows
-- writes: nothing
-- columns: id < tracked.id; r < tracked._metadata.row_id; c < tracked._metadata.row_commit_version
SELECT id, _metadata.row_id AS r, _metadata.row_commit_version AS c FROM air.tracked;

-- name: tracked update
-- writes: update tracked
-- columns: x < tracked.id
UPDATE air.tracked SET x = id WHERE id > 3;

-- name: tracked merge
-- writes: merge tracked
-- columns: x < flight.fare; id < flight.fid
MERGE INTO air.tracked t USING air.flight s ON t.id = s.fid + 6 WHEN MATCHED THEN UPDATE SET x = s.fare
WHEN NOT MATCHED THEN INSERT (id, x) VALUES (s.fid + 6, 0);

-- name: tracked delete
-- writes: delete tracked
DELETE FROM air.tracked WHERE x > 50;

-- name: keyed ddl
CREATE TABLE air.keyed (k BIGINT GENERATED ALWAYS AS IDENTITY, f BIGINT, g BIGINT GENERATED ALWAYS AS (f * 2))
USING delta;

-- name: keyed insert
-- writes: append keyed
-- columns: f g < flight.fid; k <
INSERT INTO air.keyed (f) SELECT fid FROM air.flight;

-- name: types ddl
CREATE TABLE air.wide_types (k SMALLINT, v INT, x FLOAT) USING delta
TBLPROPERTIES ('delta.enableTypeWidening' = 'true');

-- name: types alter
-- writes: alter wide_types
ALTER TABLE air.wide_types ALTER COLUMN k TYPE INT;

-- name: types evolve
-- writes: append wide_types
-- columns: k v < flight.fid; x < flight.fare

-- name: reorg
-- writes: maintenance tracked
REORG TABLE air.tracked APPLY (PURGE);

-- name: optimize
-- writes: maintenance flight
OPTIMIZE air.flight;

-- name: optimize again
-- writes: maintenance flight
OPTIMIZE air.flight;

-- name: stream tracked
-- writes: append s_tracked
-- columns: fid fare < flight.*

-- name: last read
-- writes: nothing
-- columns: fid < s_tracked.fid; x < tracked.x
SELECT s.fid, t.x FROM air.s_tracked s JOIN air.tracked t ON s.fid = t.id;
