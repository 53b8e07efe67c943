-- name: ships
-- writes: create ships
-- columns: ship_id name flag tons built < csv.*

-- name: visits
-- writes: create visits
-- columns: visit_id ship_id berth arrived hours cargo agent < json.*; day < json.arrived

-- name: fees
-- writes: create fees
-- columns: visit_id < visits.visit_id; name < ships.name; berth < visits.berth.code; fee < visits.hours;
--   day < visits.day
-- conditions: JOIN ships.ship_id; FILTER ships.built
CREATE TABLE gold.fees USING {format} AS SELECT v.visit_id, s.name, v.berth.code AS berth, v.hours * CASE
WHEN s.tons > 3000 THEN 2.0D ELSE 1.0D END AS fee, v.day FROM raw.visits v JOIN raw.ships s ON s.ship_id = v.ship_id
WHERE s.built > 1900;

-- name: tonnage
-- writes: create tonnage
-- columns: ship_id < visits.ship_id; kind < visits.cargo.kind; tons < visits.cargo.tons; days < visits.day
CREATE TABLE gold.tonnage USING {format} AS SELECT ship_id, c.kind, sum(c.tons) AS tons, count(DISTINCT day) AS days
FROM raw.visits LATERAL VIEW explode(cargo) x AS c GROUP BY ship_id, c.kind HAVING sum(c.tons) > 1;

-- name: scores
-- writes: create scores
-- columns: ship_id < visits.ship_id; gaps < visits.hours; agent < visits.agent

-- name: labels
-- writes: create labels
-- columns: ship_id < ships.ship_id; label < ships.flag; tons < ships.tons
-- conditions: FILTER ships.tons

-- name: cargo
-- writes: create cargo
-- columns: ship_id < visits.ship_id; ore < visits.cargo.tons; lots <

-- name: dues
-- writes: create dues
-- columns: ship_id < ships.ship_id; due < ships.tons

-- name: flags
-- writes: create flags
-- columns: flag < ships.flag; n <; h mean < visits.hours
CREATE TABLE gold.flags USING {format} AS WITH a AS (SELECT flag, count(*) AS n FROM raw.ships
GROUP BY flag), b AS (SELECT s.flag, sum(v.hours) AS h FROM raw.visits v JOIN raw.ships s USING (ship_id)
GROUP BY s.flag) SELECT a.flag, a.n, b.h, b.h / a.n AS mean FROM a LEFT JOIN b ON a.flag = b.flag;

-- name: ranks
-- writes: create ranks
-- columns: ship_id day hours < visits.*; r <; usual < visits.hours; long < visits.hours
CREATE TABLE gold.ranks USING {format} AS
SELECT ship_id, day, hours, rank() OVER (PARTITION BY day ORDER BY hours DESC)
AS r, avg(hours) OVER (PARTITION BY ship_id) AS usual, hours > (SELECT avg(hours) FROM raw.visits) AS long
FROM raw.visits;

-- name: insert columns
-- writes: append dues
-- columns: ship_id < ships.ship_id; due < ships.tons
-- conditions: FILTER ships.flag
INSERT INTO gold.dues (due, ship_id) SELECT tons * 3, ship_id FROM raw.ships WHERE flag = 'NL';

-- name: insert cte
-- writes: append dues
-- columns: ship_id < visits.ship_id; due < visits.hours ships.tons
-- conditions: JOIN ships.ship_id
WITH m AS (SELECT ship_id, max(hours) AS h FROM raw.visits GROUP BY ship_id) INSERT INTO gold.dues
SELECT m.ship_id, m.h * s.tons FROM m JOIN raw.ships s ON s.ship_id = m.ship_id;

-- name: insert union
-- writes: append dues
-- columns: ship_id < ships.ship_id visits.ship_id; due < ships.tons visits.hours
-- conditions: FILTER visits.agent
INSERT INTO gold.dues SELECT ship_id, tons FROM raw.ships UNION ALL SELECT ship_id, CAST(hours AS DOUBLE)
FROM raw.visits WHERE agent IS NULL;

-- name: insert into
-- writes: append dues
-- columns: ship_id < labels.ship_id; due < labels.tons

-- name: night 2
-- writes: append visits
-- columns: visit_id ship_id berth arrived hours cargo agent < json.*; day < json.arrived
-- conditions: FILTER json.visit_id

-- name: temp view
-- writes: append dues
-- columns: ship_id < visits.ship_id; due < visits.hours

-- name: w60
-- writes: create w60
-- columns: k < ships.ship_id; c{1..59} < ships.tons
CREATE TABLE raw.w60 USING {format} AS SELECT ship_id AS k, {1..59: tons + {n} AS c{n}} FROM raw.ships;

-- name: w60 chain
-- writes: create w60b
-- columns: k < w60.k; {1..58: d{n} < w60.c{n}}; d59 < w60.c59 w60.c1

-- name: w60 join
-- writes: create w60j
-- columns: k < w60.k; name < ships.name; {1..30: e{n} < w60.c{n} w60b.d{n}}
-- conditions: JOIN w60b.k; FILTER w60b.d58
CREATE TABLE gold.w60j USING {format} AS SELECT a.k, {1..30: a.c{n} + b.d{n} AS e{n}}, s.name
FROM raw.w60 a JOIN gold.w60b b ON a.k = b.k LEFT JOIN raw.ships s ON s.ship_id = a.k WHERE b.d58 > 1;

-- name: read joined
-- writes: nothing
-- columns: name < fees.name; tons < tonnage.tons
-- conditions: JOIN tonnage.days
SELECT f.name, t.tons FROM gold.fees f JOIN gold.tonnage t ON t.days = f.visit_id;

-- name: count read
-- writes: nothing
-- columns: day < visits.day; n <
-- conditions: FILTER visits.hours
SELECT day, count(*) AS n FROM raw.visits WHERE hours BETWEEN 2 AND 9 GROUP BY day ORDER BY n;
