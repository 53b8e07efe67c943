-- name: ctas: stops
CREATE TABLE {ns}.stops {using} AS SELECT id AS stop, concat('s', id) AS title, id % 10.5 AS x, id % 7.5 AS y FROM range(50);

-- name: ctas: zones
CREATE TABLE {ns}.zones {using} AS SELECT id AS zone, id % 3 AS region,
concat('POLYGON((0 0,0 ', id, ',', id, ' ', id, ',', id, ' 0,0 0))') AS shape FROM range(1, 6);

-- name: view: places
CREATE TEMPORARY VIEW places AS SELECT stop, ST_Point(x, y) AS at FROM {ns}.stops;

-- name: view: areas
CREATE TEMPORARY VIEW areas AS SELECT zone, ST_GeomFromWKT(shape) AS area FROM {ns}.zones;

-- name: ctas: sizes
CREATE TABLE {ns}.sizes {using} AS SELECT region, ST_Area(ST_GeomFromWKT(shape)) AS size FROM {ns}.zones;

-- name: ctas: near
CREATE TABLE {ns}.near {using} AS SELECT stop FROM places WHERE ST_DWithin(at, ST_Point(1.0, 1.0), 3.0);

-- name: ctas: unions
CREATE TABLE {ns}.unions {using} AS SELECT ST_Union_Aggr(area) AS whole FROM areas;

-- name: ctas: parts
CREATE TABLE {ns}.parts {using} AS SELECT explode(ST_SubDivide(area, 5)) AS part FROM areas;

-- name: read: clusters
SELECT stop, ST_DBSCAN(at, 1.0, 3, false) AS cluster FROM places;

-- name: read: within
SELECT stop, zone FROM places JOIN areas ON ST_Contains(area, at) AND stop > zone;

-- name: ctas: within, extended
-- set: spark.sql.ui.explainMode = extended
CREATE TABLE {ns}.within_extended {using} AS
SELECT stop, zone FROM places JOIN areas ON ST_Contains(area, at) AND stop > zone;

-- name: ctas: outside
CREATE TABLE {ns}.outside {using} AS SELECT /*+ BROADCAST(areas) */ stop FROM places LEFT ANTI JOIN areas
ON ST_Contains(area, at);

-- name: ctas: crossed
-- set: spark.sql.autoBroadcastJoinThreshold = -1
CREATE TABLE {ns}.crossed {using} AS SELECT stop, zone FROM places JOIN areas ON ST_Intersects(area, at);

-- name: read: around
-- set: spark.sql.autoBroadcastJoinThreshold = -1
SELECT stop, zone FROM places JOIN areas ON ST_Distance(area, at) < stop / 10;

-- name: ctas: nearest
-- set: spark.sql.autoBroadcastJoinThreshold = -1
CREATE TABLE {ns}.nearest {using} AS SELECT stop, zone FROM places JOIN areas ON ST_KNN(at, area, 2, FALSE);

-- name: ctas: nearest, few stops
CREATE TABLE {ns}.nearest_stops {using} AS SELECT /*+ BROADCAST(places) */ stop, zone FROM places JOIN areas
ON ST_KNN(at, area, 2, FALSE);

-- name: read: nearest, few zones
SELECT /*+ BROADCAST(areas) */ stop, zone FROM places JOIN areas
ON ST_KNN(at, area, 2, FALSE);
