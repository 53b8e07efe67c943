-- name: grain ddl
CREATE TABLE mill.grain (gid BIGINT, kind STRING, kg DOUBLE, day STRING) USING delta PARTITIONED BY (day)
TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.columnMapping.mode' = 'name');

-- name: grain
-- writes: append grain
-- columns: gid kind kg day <
INSERT INTO mill.grain SELECT id, substr('abc', CAST(id % 3 AS INT) + 1, 1), id * 10.0, CAST(id % 2 AS STRING)
FROM range(10);

-- name: lots
-- writes: create lots
-- columns: lid gid < grain.gid; qty < grain.kg
-- conditions: FILTER grain.kg
CREATE TABLE mill.lots USING delta AS SELECT gid * 100 AS lid, gid, CAST(kg AS INT) AS qty FROM mill.grain
WHERE kg > 5;

-- name: insert join
-- writes: append grain
-- columns: gid < grain.gid; kind < grain.kind; kg < lots.qty; day < grain.day
-- conditions: JOIN lots.gid
INSERT INTO mill.grain SELECT g.gid + 100, g.kind, l.qty * 1.5D, g.day
FROM mill.grain g JOIN mill.lots l ON l.gid = g.gid;

-- name: update
-- writes: update grain
-- columns: kg < grain.kg grain.gid
-- conditions: FILTER grain.kind
UPDATE mill.grain SET kg = kg + gid WHERE kind = 'a';

-- name: merge
-- writes: merge grain
-- columns: gid < lots.gid; kind <; kg < lots.qty; day <
MERGE INTO mill.grain t USING (SELECT gid, sum(qty) AS q FROM mill.lots GROUP BY gid) s ON t.gid = s.gid
WHEN MATCHED AND s.q > 80 THEN DELETE WHEN MATCHED THEN UPDATE SET kg = s.q
WHEN NOT MATCHED THEN INSERT (gid, kind, kg, day) VALUES (s.gid, 'new', s.q, '9');

-- name: delete
-- writes: delete grain
-- conditions: FILTER grain.kg
DELETE FROM mill.grain WHERE kg > 300;

-- name: travel
-- writes: nothing
-- columns: gid kg < grain.*
SELECT gid, kg FROM mill.grain VERSION AS OF 1;

-- name: travel join
-- writes: create history
-- columns: gid < grain.gid; grown < grain.kg
CREATE TABLE mill.history USING delta AS SELECT n.gid, n.kg - o.kg AS grown
FROM mill.grain n JOIN mill.grain VERSION AS OF 1 o ON o.gid = n.gid;

-- name: changes
-- writes: nothing
-- columns: gid kg < grain.*; _change_type < grain._change_type
SELECT gid, kg, _change_type FROM table_changes('mill.grain', 1) WHERE kind = 'a';

-- name: optimize
-- writes: maintenance grain
OPTIMIZE mill.grain;

-- name: alter add
-- writes: alter grain
ALTER TABLE mill.grain ADD COLUMNS (moist DOUBLE);

-- name: alter rename
-- writes: alter grain
ALTER TABLE mill.grain RENAME COLUMN moist TO damp;

-- name: overwrite part
-- writes: overwrite grain
-- columns: gid kind < grain.*; kg damp < grain.kg; day <
-- conditions: FILTER grain.day
INSERT OVERWRITE mill.grain PARTITION (day = '1') SELECT gid, kind, kg * 2, kg / 10 FROM mill.grain WHERE day = '0';

-- name: flour
-- writes: create flour
-- columns: kind kg < grain.*
-- conditions: GROUP_BY grain.kind

-- name: flour again
-- writes: overwrite flour
-- columns: kind < grain.kind; tons < grain.kg
-- conditions: GROUP_BY grain.kind
CREATE OR REPLACE TABLE mill.flour USING delta AS SELECT kind, sum(kg) / 1000 AS tons FROM mill.grain GROUP BY kind;

-- name: wide
-- writes: create wide
-- columns: k < grain.gid; c{1..59} < grain.kg
CREATE TABLE mill.wide USING delta AS
SELECT gid AS k, kg + 1 AS c1, kg + 2 AS c2, kg + 3 AS c3, kg + 4 AS c4, kg + 5 AS c5, kg + 6 AS c6, kg + 7
AS c7, kg + 8 AS c8, kg + 9 AS c9, kg + 10 AS c10, kg + 11 AS c11, kg + 12 AS c12, kg + 13 AS c13, kg + 14
AS c14, kg + 15 AS c15, kg + 16 AS c16, kg + 17 AS c17, kg + 18 AS c18, kg + 19 AS c19, kg + 20 AS c20, kg + 21
AS c21, kg + 22 AS c22, kg + 23 AS c23, kg + 24 AS c24, kg + 25 AS c25, kg + 26 AS c26, kg + 27 AS c27, kg + 28
AS c28, kg + 29 AS c29, kg + 30 AS c30, kg + 31 AS c31, kg + 32 AS c32, kg + 33 AS c33, kg + 34 AS c34, kg + 35
AS c35, kg + 36 AS c36, kg + 37 AS c37, kg + 38 AS c38, kg + 39 AS c39, kg + 40 AS c40, kg + 41 AS c41, kg + 42
AS c42, kg + 43 AS c43, kg + 44 AS c44, kg + 45 AS c45, kg + 46 AS c46, kg + 47 AS c47, kg + 48 AS c48, kg + 49
AS c49, kg + 50 AS c50, kg + 51 AS c51, kg + 52 AS c52, kg + 53 AS c53, kg + 54 AS c54, kg + 55 AS c55, kg + 56
AS c56, kg + 57 AS c57, kg + 58 AS c58, kg + 59 AS c59 FROM mill.grain;

-- name: wide update
-- writes: update wide
-- columns: {1..59: c{n} < wide.c{n} wide.k}
UPDATE mill.wide SET c1 = c1 + k, c2 = c2 + k, c3 = c3 + k, c4 = c4 + k, c5 = c5 + k, c6 = c6 + k, c7 = c7 + k,
c8 = c8 + k, c9 = c9 + k, c10 = c10 + k, c11 = c11 + k, c12 = c12 + k, c13 = c13 + k, c14 = c14 + k, c15 = c15 + k,
c16 = c16 + k, c17 = c17 + k, c18 = c18 + k, c19 = c19 + k, c20 = c20 + k, c21 = c21 + k, c22 = c22 + k,
c23 = c23 + k, c24 = c24 + k, c25 = c25 + k, c26 = c26 + k, c27 = c27 + k, c28 = c28 + k, c29 = c29 + k,
c30 = c30 + k, c31 = c31 + k, c32 = c32 + k, c33 = c33 + k, c34 = c34 + k, c35 = c35 + k, c36 = c36 + k,
c37 = c37 + k, c38 = c38 + k, c39 = c39 + k, c40 = c40 + k, c41 = c41 + k, c42 = c42 + k, c43 = c43 + k,
c44 = c44 + k, c45 = c45 + k, c46 = c46 + k, c47 = c47 + k, c48 = c48 + k, c49 = c49 + k, c50 = c50 + k,
c51 = c51 + k, c52 = c52 + k, c53 = c53 + k, c54 = c54 + k, c55 = c55 + k, c56 = c56 + k, c57 = c57 + k,
c58 = c58 + k, c59 = c59 + k WHERE k > 2;

-- name: wide merge
-- writes: merge wide
-- columns: k c{1..59} < wide.*
MERGE INTO mill.wide t USING mill.wide s ON t.k = s.k + 1 WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;

-- name: save path
-- writes: create p_sacks
-- columns: sid < grain.gid; sacks < grain.kg; kind < grain.kind

-- name: merge path
-- writes: merge p_sacks
-- columns: sid < lots.gid; sacks < p_sacks.sacks lots.qty; kind <

-- name: read path
-- writes: nothing
-- columns: sid sacks < p_sacks.*
-- conditions: FILTER p_sacks.kind

-- name: stream lots
-- writes: append streamed
-- columns: lid qty < lots.*

-- name: clone
-- writes: create twin
-- columns: lid gid qty < lots.*
CREATE TABLE mill.twin SHALLOW CLONE mill.lots;

-- name: truncate
-- writes: delete twin
DELETE FROM mill.twin;

-- name: restore
RESTORE TABLE mill.lots TO VERSION AS OF 0;

-- name: many 1
-- writes: append lots
-- columns: lid gid qty < lots.*
INSERT INTO mill.lots SELECT lid + 7, gid, qty FROM mill.lots;

-- name: many 2
-- writes: update lots
-- columns: qty <
UPDATE mill.lots SET qty = 3 WHERE lid > 500;

-- name: many read
-- writes: nothing
-- columns: m < lots.qty lots.lid
SELECT max(qty + lid) AS m FROM mill.lots;

-- name: count
-- writes: nothing
-- columns: n <
SELECT count(*) AS n FROM mill.lots;

-- name: drop feature
ALTER TABLE mill.lots UNSET TBLPROPERTIES ('delta.coordinatedCommits.commitCoordinator-preview');
