-- name: calls
-- writes: create calls
-- columns: id sub cell secs cost at tags attrs loc day <
CREATE TABLE tel.calls USING {format} PARTITIONED BY (day) AS
SELECT id, id % 5 AS sub, id % 3 AS cell, CAST(id * 7 AS INT) AS secs, CAST(id AS DOUBLE) / 4
AS cost, timestamp'2026-04-01 08:00:00' + make_interval(0,0,0,0,CAST(id AS INT)) AS at, array(concat('t', id), 'x')
AS tags, map('k', CAST(id AS STRING)) AS attrs, named_struct('x', id * 1.0D, 'city', concat('c', id))
AS loc, CAST(id % 2 AS STRING) AS day FROM range(20);

-- name: subs
-- writes: create subs
-- columns: sub_id name plan region <
CREATE TABLE tel.subs USING {format} AS SELECT id AS sub_id, concat('n', id) AS name, CASE
WHEN id > 2 THEN 'gold' ELSE 'tin' END AS plan, concat('r', id % 2) AS region FROM range(5);

-- name: cells
-- writes: create cells
-- columns: cell_id region lat <
CREATE TABLE tel.cells USING {format} AS
SELECT id AS cell_id, concat('r', id % 2) AS region, CAST(id AS DOUBLE) AS lat FROM range(3);

-- name: p_pivot
-- writes: create p_pivot
-- columns: sub < calls.sub; d0 d1 < calls.cost
CREATE TABLE tel.p_pivot USING {format} AS SELECT * FROM (SELECT sub, day, cost
FROM tel.calls) PIVOT (sum(cost) FOR day IN ('0' AS d0, '1' AS d1));

-- name: p_unpivot
-- writes: create p_unpivot
-- columns: sub_id < subs.sub_id; what <; val < subs.name subs.plan
CREATE TABLE tel.p_unpivot USING {format} AS SELECT sub_id, what, val FROM (SELECT sub_id, name, plan
FROM tel.subs) UNPIVOT (val FOR what IN (name, plan));

-- name: lv
-- writes: create lv
-- columns: id < calls.id; t < calls.tags; k v < calls.attrs
CREATE TABLE tel.lv USING {format} AS SELECT id, t, k, v
FROM tel.calls LATERAL VIEW explode(tags) x AS t LATERAL VIEW OUTER explode(attrs) y AS k, v;

-- name: pe
-- writes: create pe
-- columns: id < calls.id; p t < calls.tags
CREATE TABLE tel.pe USING {format} AS SELECT id, p, t FROM tel.calls LATERAL VIEW posexplode(tags) x AS p, t
WHERE p > 0;

-- name: inl
-- writes: create inl
-- columns: id < calls.id; a < calls.secs calls.cell; b < calls.cost
CREATE TABLE tel.inl USING {format} AS SELECT id, a, b
FROM tel.calls LATERAL VIEW inline(array(named_struct('a', secs, 'b', cost), named_struct('a', cell, 'b', 1.0D))) x
AS a, b;

-- name: stk
-- writes: create stk
-- columns: id < calls.id; n <; v < calls.secs calls.cost
CREATE TABLE tel.stk USING {format} AS SELECT id, n, v
FROM tel.calls LATERAL VIEW stack(2, 'secs', CAST(secs AS DOUBLE), 'cost', cost) x AS n, v;

-- name: lat
-- writes: create lat
-- columns: name < subs.name; total < calls.cost
CREATE TABLE tel.lat USING {format} AS SELECT s.name, l.total FROM tel.subs s, LATERAL (SELECT sum(c.cost) AS total
FROM tel.calls c WHERE c.sub = s.sub_id) l;

-- name: corr
-- writes: create corr
-- columns: sub_id < subs.sub_id; longest < calls.secs; same <
CREATE TABLE tel.corr USING {format} AS SELECT s.sub_id, (SELECT max(c.secs) FROM tel.calls c
WHERE c.sub = s.sub_id) AS longest, s.plan IN (SELECT p.plan FROM tel.subs p WHERE p.region = 'r1') AS same
FROM tel.subs s;

-- name: exi
-- writes: create exi
-- columns: name < subs.name
-- conditions: JOIN calls.sub
CREATE TABLE tel.exi USING {format} AS SELECT name FROM tel.subs s WHERE EXISTS (SELECT 1 FROM tel.calls c
WHERE c.sub = s.sub_id AND c.secs > 30) AND NOT EXISTS (SELECT 1 FROM tel.cells z
WHERE z.region = s.region AND z.lat > 100);

-- name: cub
-- writes: create cub
-- columns: sub < calls.sub; cell < calls.cell; s < calls.secs; g <
CREATE TABLE tel.cub USING {format} AS SELECT sub, cell, sum(secs) AS s, grouping_id() AS g FROM tel.calls
GROUP BY CUBE (sub, cell);

-- name: rol
-- writes: create rol
-- columns: region < subs.region; plan < subs.plan; n < subs.name
CREATE TABLE tel.rol USING {format} AS SELECT coalesce(region, 'all') AS region, plan, count(DISTINCT name) AS n
FROM tel.subs GROUP BY ROLLUP (region, plan);

-- name: win
-- writes: create win
-- columns: id < calls.id; before gain < calls.cost; part <; run < calls.secs
CREATE TABLE tel.win USING {format} AS
SELECT id, lag(cost, 1, 0.0D) OVER w AS before, cost - first_value(cost) OVER w AS gain, ntile(3) OVER w
AS part, sum(secs) OVER (PARTITION BY cell ORDER BY at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS run
FROM tel.calls WINDOW w AS (PARTITION BY sub ORDER BY at);

-- name: top
-- writes: create top
-- columns: id sub cost < calls.*
CREATE TABLE tel.top USING {format} AS SELECT id, sub, cost
FROM (SELECT *, row_number() OVER (PARTITION BY sub ORDER BY cost DESC) AS rn FROM tel.calls) WHERE rn <= 2;

-- name: ctes
-- writes: create ctes
-- columns: sub < calls.sub; share < calls.cost
CREATE TABLE tel.ctes USING {format} AS WITH a AS (SELECT sub, sum(cost) AS c FROM tel.calls
GROUP BY sub), b AS (SELECT avg(c) AS m FROM a) SELECT a.sub, a.c / b.m AS share FROM a CROSS JOIN b;

-- name: rec
-- only: 4-1
-- writes: create rec
-- columns: n s <; cost < calls.cost
CREATE TABLE tel.rec USING {format} AS WITH RECURSIVE r(n, s) AS (SELECT 1, CAST(0 AS BIGINT) UNION ALL
SELECT n + 1, s + n FROM r WHERE n < 5) SELECT r.n, r.s, c.cost FROM r JOIN tel.calls c ON c.id = r.n;

-- name: hof
-- writes: create hof
-- columns: id < calls.id; tt < calls.tags calls.sub; ft < calls.tags calls.cell; ag < calls.sub; mk mv < calls.attrs
CREATE TABLE tel.hof USING {format} AS
SELECT id, transform(tags, t -> concat(t, sub)) AS tt, filter(tags, t -> length(t) > cell)
AS ft, aggregate(sequence(0, sub), 0L, (a, x) -> a + x) AS ag, map_keys(attrs) AS mk, attrs['k'] AS mv
FROM tel.calls;

-- name: js
-- writes: create js
-- columns: id < calls.id; js < calls.sub calls.loc.city; ja < calls.secs; gk < calls.attrs
CREATE TABLE tel.js USING {format} AS
SELECT id, to_json(struct(sub, loc.city AS city)) AS js, from_json(concat('{"a":', secs, '}'), 'a INT').a
AS ja, get_json_object(to_json(attrs), '$.k') AS gk FROM tel.calls;

-- name: dst
-- writes: create dst
-- columns: region < subs.region cells.region; plan < subs.plan
CREATE TABLE tel.dst USING {format} AS SELECT DISTINCT region, plan FROM tel.subs UNION SELECT region, 'cell'
FROM tel.cells;

-- name: exc
-- writes: create exc
-- columns: k < subs.sub_id
CREATE TABLE tel.exc USING {format} AS SELECT sub_id AS k FROM tel.subs EXCEPT SELECT sub FROM tel.calls
WHERE secs > 100;

-- name: ins_
-- writes: create ins_
-- columns: k < subs.sub_id
CREATE TABLE tel.ins_ USING {format} AS SELECT sub_id AS k FROM tel.subs INTERSECT ALL SELECT sub FROM tel.calls;

-- name: nat
-- writes: create nat
-- columns: sub < calls.sub; name < subs.name; secs < calls.secs
-- conditions: JOIN subs.sub_id
CREATE TABLE tel.nat USING {format} AS SELECT sub, name, secs FROM tel.calls JOIN (SELECT sub_id AS sub, name
FROM tel.subs) USING (sub);

-- name: ful
-- writes: create ful
-- columns: region < subs.region cells.region; n <; m < cells.lat
CREATE TABLE tel.ful USING {format} AS SELECT coalesce(a.region, b.region) AS region, a.n, b.m
FROM (SELECT region, count(*) AS n FROM tel.subs GROUP BY region) a FULL OUTER JOIN (SELECT region, max(lat) AS m
FROM tel.cells GROUP BY region) b ON a.region = b.region;

-- name: rng
-- writes: create rng
-- columns: id other < calls.id
-- conditions: JOIN calls.secs
CREATE TABLE tel.rng USING {format} AS SELECT a.id, b.id AS other
FROM tel.calls a JOIN tel.calls b ON b.secs BETWEEN a.secs AND a.secs + 10 AND a.id <> b.id;

-- name: smp
-- writes: create smp
-- columns: id cost < calls.*; rid u d <
CREATE TABLE tel.smp USING {format} AS
SELECT id, monotonically_increasing_id() AS rid, uuid() AS u, current_date() AS d, cost
FROM tel.calls TABLESAMPLE (10 ROWS) ORDER BY cost LIMIT 3;

-- name: vals
-- writes: create vals
-- columns: k <; cost < calls.cost
CREATE TABLE tel.vals USING {format} AS SELECT v.k, c.cost
FROM VALUES (1L, 'a'), (2L, 'b') AS v(k, w) LEFT JOIN tel.calls c ON c.id = v.k;

-- name: strct
-- writes: create strct
-- columns: id < calls.id; s < calls.cost calls.loc.city; a < calls.secs calls.cell; m < calls.loc.city calls.cost
CREATE TABLE tel.strct USING {format} AS
SELECT id, named_struct('c', cost, 'n', loc.city) AS s, array(secs, cell) AS a, map(loc.city, cost) AS m
FROM tel.calls;

-- name: mb
-- writes: create mb
-- columns: sub < calls.sub; top < calls.id; first < calls.loc; l < calls.secs; med < calls.cost; n < calls.secs;
--   any1 < calls.cell
CREATE TABLE tel.mb USING {format} AS
SELECT sub, max_by(id, cost) AS top, min_by(loc, at) AS first, collect_list(secs) AS l, percentile_approx(cost, 0.5)
AS med, count_if(secs > 5) AS n, bool_or(cell = 1) AS any1 FROM tel.calls GROUP BY sub HAVING sum(cost) > 1;

-- name: flt
-- writes: create flt
-- columns: sub < calls.sub; c10 < calls.cost; n1 <
CREATE TABLE tel.flt USING {format} AS
SELECT sub, sum(cost) FILTER (WHERE secs > 10) AS c10, count(*) FILTER (WHERE cell = 1) AS n1 FROM tel.calls
GROUP BY ALL;

-- name: odd
-- formats: iceberg paimon
-- writes: create odd
-- columns: `Call Id` < calls.id; `kost/€` < calls.cost; `a.b` < calls.secs
CREATE TABLE tel.odd USING {format} AS SELECT id AS `Call Id`, cost AS `kost/€`, secs AS `a.b` FROM tel.calls;

-- name: acc ddl
CREATE TABLE tel.acc (id BIGINT, cost DOUBLE, note STRING, day STRING) USING {format} PARTITIONED BY (day);

-- name: multi
-- writes: append acc
-- columns: id cost day < calls.*; note < calls.loc.city
-- conditions: FILTER calls.secs
-- writes: append acc
-- columns: id < calls.sub; cost < calls.secs; note <; day < calls.day
-- conditions: FILTER calls.secs
FROM tel.calls INSERT INTO tel.acc SELECT id, cost, loc.city, day WHERE secs > 10 INSERT INTO tel.acc
SELECT sub, secs, 'x', day WHERE secs <= 10;

-- name: by name
-- writes: append acc
-- columns: id cost day < calls.*; note < calls.loc.city
-- conditions: FILTER calls.secs
INSERT INTO tel.acc BY NAME SELECT day, id, loc.city AS note, cost FROM tel.calls WHERE secs > 20;

-- name: cols
-- writes: append acc
-- columns: id < subs.sub_id; day cost note <
INSERT INTO tel.acc (day, id) SELECT 'z', sub_id FROM tel.subs;

-- name: static over
-- writes: overwrite acc
-- columns: id cost < calls.*; note < calls.loc.city; day <
INSERT OVERWRITE tel.acc PARTITION (day = 'z') SELECT id, cost, upper(loc.city) FROM tel.calls;

-- name: dyn on

-- name: dyn over
-- writes: overwrite acc
-- columns: id cost day < calls.*; note < subs.name
-- conditions: JOIN subs.sub_id
INSERT OVERWRITE tel.acc SELECT c.id, c.cost * 2, s.name, c.day FROM tel.calls c JOIN tel.subs s ON c.sub = s.sub_id;

-- name: dyn part
-- writes: overwrite acc
-- columns: id cost day < calls.*; note <
-- conditions: FILTER calls.cell
INSERT OVERWRITE tel.acc PARTITION (day) SELECT id, cost, 'n', day FROM tel.calls WHERE cell = 1;

-- name: dyn frame
-- writes: overwrite acc
-- columns: id cost day < calls.*; note < calls.loc.city

-- name: dyn off

-- name: self ins
-- writes: append acc
-- columns: id cost note day < acc.*
-- conditions: FILTER acc.cost
INSERT INTO tel.acc SELECT id + 1000, cost, note, day FROM tel.acc WHERE cost > 1;

-- name: self over
-- writes: overwrite acc
-- columns: id cost note day < acc.*
INSERT OVERWRITE tel.acc SELECT id, max(cost), max(note), max(day) FROM tel.acc GROUP BY id;

-- name: replace where
-- formats: delta
-- writes: overwrite acc
-- columns: id cost day < calls.*; note <
INSERT INTO tel.acc REPLACE WHERE day = '1' SELECT id, cost, 'rw', day FROM tel.calls WHERE day = '1';

-- name: overwrite cond
-- writes: overwrite acc
-- columns: id cost day < calls.*; note <

-- name: empty ins
-- writes: append acc
-- columns: id cost day < calls.*; note <
INSERT INTO tel.acc SELECT id, cost, 'e', day FROM tel.calls WHERE 1 = 0;

-- name: f_pivot
-- writes: create f_pivot
-- columns: sub < calls.sub; 0 1 < calls.cost

-- name: f_melt
-- writes: create f_melt
-- columns: id < calls.id; var <; val < calls.secs calls.cost

-- name: f_union
-- writes: create f_union
-- columns: name < subs.name; region < subs.region cells.region; lat < cells.lat

-- name: f_drop
-- writes: create f_drop
-- columns: id sub cell cost day < calls.*; s2 < calls.secs

-- name: f_with
-- writes: create f_with
-- columns: id < calls.id; cost < calls.cost; x < calls.loc.x; loc < calls.loc.city calls.cost

-- name: f_join
-- writes: create f_join
-- columns: id < calls.id
-- conditions: JOIN cells.cell_id

-- name: f_desc
-- writes: create f_desc
-- columns: lo < calls.cost; sd < calls.secs; n < calls.sub calls.cell

-- name: f_udf
-- writes: create f_udf
-- columns: id < calls.id; u < calls.sub calls.cell

-- name: f_pdf
-- writes: create f_pdf
-- columns: id cost < calls.id calls.cost

-- name: f_grp
-- writes: create f_grp
-- columns: sub secs < calls.sub calls.secs

-- name: f_cp
-- writes: create f_cp
-- columns: id < calls.id; cost < calls.cost; double < calls.cost

-- name: f_rep
-- writes: create f_rep
-- columns: sub < calls.sub; st < calls.id calls.cost

-- name: f_expl
-- writes: create f_expl
-- columns: t < calls.tags; ids < calls.id

-- name: f_save
-- writes: overwrite f_save
-- columns: id cost < calls.*

-- name: f_save2
-- writes: overwrite f_save
-- columns: id < calls.id; cost < calls.cost calls.secs

-- name: f_cor
-- writes: overwrite f_save
-- columns: id < subs.sub_id; n2 < subs.name

-- name: bal
-- writes: create bal
-- columns: sub < calls.sub; cost < calls.cost; note <
CREATE TABLE tel.bal USING {format} AS SELECT sub, sum(cost) AS cost, 'n' AS note FROM tel.calls GROUP BY sub;

-- name: u case
-- writes: update bal
-- columns: cost < bal.cost; note < bal.note bal.sub
-- conditions: FILTER bal.cost
UPDATE tel.bal SET cost = CASE WHEN sub > 2 THEN cost * 2 ELSE cost END, note = concat_ws('-', note, sub)
WHERE cost > 0;

-- name: u in
-- writes: update bal
-- columns: note <
UPDATE tel.bal SET note = 'gold' WHERE sub IN (SELECT sub_id FROM tel.subs WHERE plan = 'gold');

-- name: u map
-- formats: delta iceberg
-- writes: update calls
-- columns: attrs < calls.attrs calls.loc.city; tags < calls.tags calls.day
-- conditions: FILTER calls.id
UPDATE tel.calls SET attrs = map_concat(attrs, map('n', loc.city)), tags = array_append(tags, day) WHERE id = 4;

-- name: d ex
-- writes: delete bal
DELETE FROM tel.bal WHERE EXISTS (SELECT 1 FROM tel.subs s WHERE s.sub_id = sub AND s.region = 'r9');

-- name: m full
-- writes: merge bal
-- columns: cost < bal.cost calls.cost; note < calls.loc.city subs.plan; sub < calls.sub
MERGE INTO tel.bal AS t USING (WITH x AS (SELECT sub, max(cost) AS mc, max_by(loc.city, at) AS city FROM tel.calls
GROUP BY sub) SELECT x.*, s.plan FROM x LEFT JOIN tel.subs s ON s.sub_id = x.sub) AS s ON t.sub = s.sub
WHEN MATCHED AND s.plan = 'gold' THEN UPDATE SET t.cost = t.cost + s.mc, t.note = s.city
WHEN MATCHED AND t.cost < 0 THEN DELETE
WHEN NOT MATCHED AND s.mc > 0 THEN INSERT (sub, cost, note) VALUES (s.sub, s.mc, s.plan);

-- name: m union
-- writes: merge bal
-- columns: sub < subs.sub_id cells.cell_id; note < subs.name cells.region; cost <
MERGE INTO tel.bal t USING (SELECT sub_id AS k, name AS w FROM tel.subs WHERE region = 'r0' UNION ALL
SELECT cell_id + 100, region FROM tel.cells) s ON t.sub = s.k WHEN MATCHED THEN UPDATE SET note = s.w
WHEN NOT MATCHED THEN INSERT (sub, note, cost) VALUES (s.k, s.w, 0);

-- name: m expr
-- writes: merge bal
-- columns: note < subs.name bal.note; cost < bal.cost subs.region
MERGE INTO tel.bal t USING tel.subs s ON t.sub = s.sub_id + 1 AND s.plan <> 'x'
WHEN MATCHED THEN UPDATE SET note = coalesce(s.name, t.note), cost = (t.cost + length(s.region)) / 2;

-- name: m del
-- writes: merge bal
MERGE INTO tel.bal t USING (SELECT sub_id FROM tel.subs WHERE region = 'none') s ON t.sub = s.sub_id
WHEN MATCHED THEN DELETE;

-- name: m ins
-- formats: delta paimon
-- writes: merge bal
-- columns: sub cost < calls.*; note <
MERGE INTO tel.bal t USING (SELECT DISTINCT sub + 500 AS sub, cost FROM tel.calls WHERE id < 3) s ON t.sub = s.sub
WHEN NOT MATCHED THEN INSERT (sub, cost, note) VALUES (s.sub, s.cost, NULL);

-- name: m ins
-- formats: iceberg
-- writes: append bal
-- columns: sub cost < calls.*; note <
MERGE INTO tel.bal t USING (SELECT DISTINCT sub + 500 AS sub, cost FROM tel.calls WHERE id < 3) s ON t.sub = s.sub
WHEN NOT MATCHED THEN INSERT (sub, cost, note) VALUES (s.sub, s.cost, NULL);

-- name: m temp
-- writes: merge bal
-- columns: cost < calls.cost

-- name: m evolve
-- formats: delta
-- only: 4-1
-- writes: merge f_save
-- columns: id < subs.sub_id; n2 < subs.name; region < subs.region
MERGE WITH SCHEMA EVOLUTION INTO tel.f_save t USING (SELECT sub_id AS id, name AS n2, region
FROM tel.subs) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: w60
-- writes: create w60
-- columns: id < calls.id; c{1..60} < calls.id
CREATE TABLE tel.w60 USING {format} AS SELECT id, {1..60: id * {n} AS c{n}} FROM tel.calls;

-- name: w60 ins
-- writes: append w60
-- columns: id c{1..60} < w60.*
-- conditions: FILTER w60.c55
INSERT INTO tel.w60 SELECT id + 100, {1..60: c{n} + 1} FROM tel.w60 WHERE c55 > 3;

-- name: w60 cast
-- writes: overwrite w60
-- columns: id c{1..59} < w60.*; c60 < calls.secs
INSERT OVERWRITE tel.w60 SELECT w.id, {1..59: w.c{n}}, c.secs FROM tel.w60 w LEFT JOIN tel.calls c ON c.id = w.c60;

-- name: w60agg
-- writes: create w60agg
-- columns: sub < calls.sub; {1..60: s{n} < w60.c{n}}
CREATE TABLE tel.w60agg USING {format} AS SELECT sub, {1..60: sum(w.c{n}) AS s{n}}
FROM tel.w60 w JOIN tel.calls c ON c.id = w.id GROUP BY sub;

-- name: w60 upd
-- writes: update w60
-- columns: c60 < w60.c59 w60.c1; c7 <
-- conditions: FILTER w60.c33
UPDATE tel.w60 SET c60 = c59 + c1, c7 = 0 WHERE c33 > 5;

-- name: w60 del
-- writes: delete w60
-- conditions: FILTER w60.c44
DELETE FROM tel.w60 WHERE c44 > 400;

-- name: w60 mrg
-- writes: merge w60
-- columns: id c{1..59} < w60.*; c60 < w60.c60 w60.c1
MERGE INTO tel.w60 t USING (SELECT * FROM tel.w60 WHERE id < 5) s ON t.id = s.id + 3000
WHEN MATCHED THEN UPDATE SET t.c60 = s.c1 WHEN NOT MATCHED THEN INSERT *;

-- name: ev
-- formats: delta
CREATE TABLE tel.ev (id BIGINT COMMENT 'key', amount INT, loc STRUCT<a: INT, b: STRING>, tag STRING) USING {format}
TBLPROPERTIES ('delta.columnMapping.mode'='name');

-- name: ev
-- formats: iceberg paimon
CREATE TABLE tel.ev (id BIGINT COMMENT 'key', amount INT, loc STRUCT<a: INT, b: STRING>, tag STRING) USING {format};

-- name: ev ins
-- writes: append ev
-- columns: id < calls.id; amount < calls.secs; loc < calls.loc.city; tag <
INSERT INTO tel.ev SELECT id, secs, named_struct('a', 1, 'b', loc.city), 'q' FROM tel.calls;

-- name: ev add
-- writes: alter ev
ALTER TABLE tel.ev ADD COLUMNS (zeta DECIMAL(12,3) COMMENT 'the z', omega ARRAY<STRING>);

-- name: ev add after
-- writes: alter ev
ALTER TABLE tel.ev ADD COLUMN kappa DATE COMMENT 'when it was' AFTER amount;

-- name: ev add first
-- writes: alter ev
ALTER TABLE tel.ev ADD COLUMN alpha STRING FIRST;

-- name: ev add struct
-- writes: alter ev
ALTER TABLE tel.ev ADD COLUMN nest STRUCT<p: INT COMMENT 'pp', q: ARRAY<STRUCT<r: DOUBLE>>> COMMENT 'nested';

-- name: ev add field
-- writes: alter ev
ALTER TABLE tel.ev ADD COLUMN loc.c BIGINT COMMENT 'field c';

-- name: ev rename
-- writes: alter ev
ALTER TABLE tel.ev RENAME COLUMN tag TO label;

-- name: ev rename back
-- writes: alter ev
ALTER TABLE tel.ev RENAME COLUMN zeta TO theta;

-- name: ev comment
-- writes: alter ev
ALTER TABLE tel.ev ALTER COLUMN label COMMENT 'a label';

-- name: ev first
-- writes: alter ev
ALTER TABLE tel.ev ALTER COLUMN label FIRST;

-- name: ev after
-- writes: alter ev
ALTER TABLE tel.ev ALTER COLUMN kappa AFTER label;

-- name: ev widen
-- formats: iceberg paimon
-- writes: alter ev
ALTER TABLE tel.ev ALTER COLUMN amount TYPE BIGINT;

-- name: ev drop
-- writes: alter ev
ALTER TABLE tel.ev DROP COLUMN omega;

-- name: ev drop2
-- writes: alter ev
ALTER TABLE tel.ev DROP COLUMNS (theta, nest);

-- name: ev gone
-- writes: alter ev
ALTER TABLE tel.ev ADD COLUMN brief SMALLINT;

-- name: ev gone2
-- writes: alter ev
ALTER TABLE tel.ev DROP COLUMN brief;

-- name: ev read
-- writes: nothing
-- columns: id label < ev.*
SELECT id, label FROM tel.ev;

-- name: ev over
-- formats: delta
-- writes: overwrite ev
-- columns: id < calls.id; money < calls.cost

-- name: calls2
-- writes: create calls2
-- columns: id sub cell secs cost at loc < calls.*
CREATE TABLE tel.calls2 USING {format} AS SELECT id, sub, cell, secs, cost, at, loc FROM tel.calls;

-- name: sd ddl
CREATE TABLE tel.s_dedup (id BIGINT, secs INT, city STRING) USING {format};

-- name: ss ddl
CREATE TABLE tel.s_static (id BIGINT, name STRING, cost DOUBLE) USING {format};

-- name: sw ddl
CREATE TABLE tel.s_win (begun TIMESTAMP, cell BIGINT, total DOUBLE, subs BIGINT) USING {format};

-- name: s dedup
-- writes: append s_dedup
-- columns: id secs < calls2.*; city < calls2.loc.city

-- name: s static
-- writes: append s_static
-- columns: id cost < calls2.*; name < subs.name
-- conditions: JOIN subs.sub_id

-- name: s win
-- writes: overwrite s_win
-- columns: begun < calls2.at; cell < calls2.cell; total < calls2.cost; subs < calls2.sub

-- name: s each
-- writes: merge bal
-- columns: sub cost < calls2.*; note <

-- name: final
-- writes: nothing
-- columns: sub note < bal.*; city < s_dedup.city
SELECT b.sub, b.note, d.city FROM tel.bal b JOIN tel.s_dedup d ON d.id = b.sub;
