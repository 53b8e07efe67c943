-- name: parts
-- writes: create a_parts
-- columns: part_id kind dims stock cost tags seen < json.*

-- name: shelves stream
-- writes: create b_shelves
-- columns: shelf < moves.shelf; qty < moves.qty; since < moves.at
-- conditions: GROUP_BY moves.at; GROUP_BY moves.shelf
-- writes: append b_shelves
-- columns: shelf < moves.shelf; qty < moves.qty; since < moves.at
-- conditions: GROUP_BY moves.at; GROUP_BY moves.shelf

-- name: described
-- writes: create b_described
-- columns: kind < a_parts.kind; stock_min stock_stddev < a_parts.stock; cost_min cost_stddev < a_parts.cost;
--   stocks < a_parts.part_id a_parts.stock
-- conditions: GROUP_BY a_parts.kind

-- name: structs
-- writes: create b_sized
-- columns: part_id < a_parts.part_id; dims < a_parts.dims.w a_parts.dims.h; area < a_parts.dims.w a_parts.dims.h

-- name: limited
-- writes: create b_dear
-- columns: part_id cost < a_parts.*; n <
-- conditions: SORT a_parts.cost

-- name: counted
-- writes: create b_doubled
-- columns: kind twice < a_parts.kind a_parts.stock

-- name: ranges
-- writes: create b_ranges
-- columns: part_id < a_parts.part_id; near < b_dear.part_id
-- conditions: JOIN a_parts.cost; JOIN b_dear.cost
CREATE TABLE B.ranges USING iceberg AS SELECT p.part_id, d.part_id AS near
FROM A.parts p JOIN B.dear d ON p.cost BETWEEN d.cost - 1 AND d.cost + 1 AND p.part_id <> d.part_id;

-- name: anyof
-- writes: create b_anyof
-- columns: kind < a_parts.kind; tag < a_parts.tags; much < a_parts.stock; n < a_parts.cost; usual < a_parts.stock
-- conditions: GROUP_BY a_parts.kind
CREATE TABLE B.anyof USING iceberg AS
SELECT kind, any_value(tags[0]) AS tag, bool_or(stock > 50) AS much, count_if(cost > 9) AS n, mode(stock) AS usual
FROM A.parts GROUP BY ALL HAVING count_if(stock > 1) > 0;

-- name: unnested
-- writes: create b_unnested
-- columns: part_id < a_parts.part_id; tag < a_parts.tags; pos < a_parts.tags
-- conditions: FILTER a_parts.tags
CREATE TABLE B.unnested USING iceberg AS SELECT part_id, tag, pos
FROM A.parts LATERAL VIEW posexplode(array_distinct(tags)) AS pos, tag
WHERE NOT array_contains(tags, 'g0') DISTRIBUTE BY part_id SORT BY tag;

-- name: tabled
-- writes: create b_tabled
-- columns: part_id < b_dear.part_id a_parts.part_id; cost < b_dear.cost a_parts.stock; n < b_dear.n
-- conditions: FILTER a_parts.kind
CREATE TABLE B.tabled USING iceberg AS TABLE B.dear UNION ALL SELECT part_id, stock, -1 FROM A.parts
WHERE kind RLIKE '^g' EXCEPT SELECT part_id, cost, n FROM B.dear WHERE n > 90;

-- name: stacked
-- writes: create b_stacked
-- columns: part_id < a_parts.part_id; what <; size < a_parts.dims.w a_parts.dims.h
CREATE TABLE B.stacked USING iceberg AS SELECT part_id, stack(2, 'w', dims.w, 'h', dims.h) AS (what, size)
FROM A.parts;

-- name: first_last
-- writes: create b_first_last
-- columns: kind < a_parts.kind; f < a_parts.part_id; l < a_parts.seen; t <; d < a_parts.cost
CREATE TABLE B.first_last USING iceberg AS
SELECT kind, first_value(part_id) IGNORE NULLS OVER w AS f, last_value(seen) OVER w
AS l, ntile(3) OVER (ORDER BY cost) AS t, cost - lag(cost, 1, 0) OVER w AS d
FROM A.parts WINDOW w AS (PARTITION BY kind ORDER BY seen);

-- name: values
-- writes: append b_dear
-- columns: part_id < a_parts.part_id; cost < a_parts.cost; n <
-- conditions: JOIN a_parts.kind
INSERT INTO B.dear (cost, part_id) SELECT cost + x.add, part_id
FROM A.parts JOIN (VALUES ('bolt', 1), ('nut', 2)) AS x(kind, add) USING (kind);

-- name: nested query
-- writes: nothing
-- columns: kind < a_parts.kind; area < b_sized.area
-- conditions: FILTER a_parts.cost; JOIN b_dear.part_id
SELECT kind, (SELECT max(s.area) FROM B.sized s WHERE s.part_id = p.part_id) AS area FROM A.parts p
WHERE cost > (SELECT avg(cost) FROM B.dear) AND EXISTS (SELECT 1 FROM B.dear d WHERE d.part_id = p.part_id);

-- name: wide types
-- writes: alter a_parts
ALTER TABLE A.parts ALTER COLUMN stock TYPE BIGINT;

-- name: field
-- writes: alter a_parts
ALTER TABLE A.parts ADD COLUMNS (dims.depth DOUBLE AFTER w, note STRING FIRST);

-- name: field update
-- writes: update a_parts
-- columns: dims < a_parts.dims.w a_parts.dims.h a_parts.dims.box; note < a_parts.kind
-- conditions: FILTER a_parts.stock
UPDATE A.parts SET dims = named_struct('w', dims.w, 'depth', dims.w * 2, 'h', dims.h, 'box', dims.box),
note = upper(kind) WHERE stock > 10;

-- name: field read
-- writes: nothing
-- columns: note < a_parts.note; depth < a_parts.dims.depth
-- conditions: FILTER a_parts.dims.box.id; GROUP_BY a_parts.note
SELECT note, sum(dims.depth) AS depth FROM A.parts WHERE dims.box.id = 'b1' GROUP BY note;

-- name: branch
ALTER TABLE B.dear CREATE BRANCH test;

-- name: branch append
-- writes: append b_dear
-- columns: part_id cost < a_parts.*; n < a_parts.stock
-- conditions: FILTER a_parts.kind

-- name: branch merge
-- writes: merge b_dear
-- columns: part_id < b_ranges.near; cost < b_dear.cost b_ranges.part_id; n < b_ranges.part_id
MERGE INTO B.dear.branch_test t USING B.ranges s ON t.part_id = s.near
WHEN MATCHED THEN UPDATE SET cost = t.cost + s.part_id
WHEN NOT MATCHED THEN INSERT (part_id, n) VALUES (s.near, s.part_id);

-- name: main read
-- writes: nothing
-- columns: part_id < b_dear.part_id; d < b_dear.cost
-- conditions: JOIN b_dear.part_id
SELECT m.part_id, b.cost - m.cost AS d FROM B.dear m JOIN B.dear FOR VERSION AS OF 'test' b USING (part_id);

-- name: part replace
ALTER TABLE B.unnested ADD PARTITION FIELD truncate(2, tag) AS t2;

-- name: part write
-- writes: overwrite b_unnested
-- columns: part_id < a_parts.part_id; tag < a_parts.kind; pos <
-- conditions: FILTER a_parts.cost
INSERT OVERWRITE B.unnested SELECT part_id, concat(kind, '!'), 7 FROM A.parts WHERE cost < 9;

-- name: increment
-- writes: create a_increment
-- columns: part_id cost < b_dear.*
-- conditions: GROUP_BY b_dear.part_id

-- name: equal
-- writes: create b_parts
-- columns: part_id note < a_parts.*; cost < a_increment.cost
-- conditions: JOIN a_parts.part_id; FILTER a_parts.note
CREATE TABLE B.parts USING iceberg AS SELECT p.part_id, p.note, i.cost
FROM A.parts p LEFT JOIN A.increment i USING (part_id) WHERE p.note <> 'BOLT';

-- name: equal delete
-- writes: delete b_parts
-- conditions: JOIN a_parts.part_id; FILTER a_parts.stock
DELETE FROM B.parts WHERE part_id IN (SELECT part_id FROM A.parts WHERE stock < 20);

-- name: history
SELECT made_current_at, is_current_ancestor FROM B.dear.history;

-- name: delete files
-- writes: maintenance b_dear
CALL {B.catalog}.system.rewrite_data_files(table => '{B.database}.dear', options => map('min-input-files', '1'));
