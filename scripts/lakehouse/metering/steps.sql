-- name: meters
-- writes: create meters
-- columns: id serial site kind installed < l_meters.*

-- name: readings
-- writes: create readings
-- columns: mid ts kwh volt pos attrs flags day < l_readings.*

-- name: flat readings
-- writes: create flat
-- columns: mid ts kwh day < readings.*; lat < readings.pos.lat; lng < readings.pos.lon; unit < readings.attrs;
--   flag n < readings.flags
CREATE TABLE core.flat USING delta PARTITIONED BY (day) COMMENT 'one row per reading' AS
SELECT mid, ts, kwh, pos.lat, pos.lon AS lng, attrs['unit'] AS unit, get(flags, 0) AS flag, size(flags) AS n, day
FROM stage.readings;

-- name: flags
-- writes: create flags
-- columns: mid ts < readings.*; flag < readings.flags

-- name: daily with cte
-- writes: overwrite daily
-- columns: site < meters.site; day < flat.day; kwh peak < flat.kwh; label < meters.serial meters.kind
-- conditions: FILTER flat.kwh; JOIN meters.id; JOIN flat.mid; GROUP_BY flat.day
CREATE OR REPLACE TABLE mart.daily USING delta AS WITH r AS (SELECT mid, day, kwh FROM core.flat
WHERE kwh > 0), s AS (SELECT mid, day, sum(kwh) AS kwh, max(kwh) AS peak FROM r GROUP BY mid, day)
SELECT m.site, s.day, s.kwh, s.peak, m.serial || '-' || m.kind AS label FROM s JOIN stage.meters m ON m.id = s.mid;

-- name: ddl mixed
CREATE TABLE core.device (id BIGINT NOT NULL, name STRING, battery DOUBLE, note STRING COMMENT 'free',
place STRUCT<city: STRING, zip: INT>) USING delta TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true');

-- name: insert column list
-- writes: append device
-- columns: id < meters.id; name < meters.serial; battery note <; place < meters.site
INSERT INTO core.device (name, id, place) SELECT serial, id, named_struct('city', site, 'zip', 7) FROM stage.meters;

-- name: insert by name
-- only: 3-5 4-1
-- writes: append device
-- columns: id < meters.id; name < meters.kind; battery <; note < meters.site; place <
INSERT INTO core.device BY NAME SELECT site AS note, id + 100 AS id, upper(kind) AS name FROM stage.meters;

-- name: insert values
-- writes: append device
-- columns: id name battery note place <
INSERT INTO core.device VALUES (900, 'v', 1.0, NULL, named_struct('city', 'Q', 'zip', 1));

-- name: generated ddl
-- only: 4-1

-- name: generated insert
-- only: 4-1
-- writes: append gen
-- columns: mid ts kwh < flat.*; day y < flat.ts

-- name: generated insert
-- only: 3-5
-- writes: create gen
-- columns: mid ts kwh < flat.*

-- name: default ddl
CREATE TABLE core.dflt (id BIGINT, state STRING DEFAULT 'new', qty INT DEFAULT 3) USING delta
TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported');

-- name: default insert
-- writes: append dflt
-- columns: id < meters.id; state qty <
-- conditions: FILTER meters.site
INSERT INTO core.dflt (id) SELECT id FROM stage.meters WHERE site = 'site1';

-- name: default keyword
-- writes: append dflt
-- columns: id < flat.mid; state < flat.flag; qty < flat.n
INSERT INTO core.dflt SELECT mid, flag, n FROM core.flat;

-- name: identity ddl

-- name: identity insert
-- writes: append ident
-- columns: serial < meters.serial; key <
INSERT INTO core.ident (serial) SELECT serial FROM stage.meters;

-- name: like
CREATE TABLE core.flat_like LIKE core.flat;

-- name: like insert
-- writes: append flat_like
-- columns: mid ts kwh lat lng unit flag n day < flat.*
-- conditions: FILTER flat.n
INSERT INTO core.flat_like SELECT * FROM core.flat WHERE n BETWEEN 0 AND 5;

-- name: union all ctas
-- writes: create both
-- columns: k < meters.id flat.mid; v < meters.serial flat.unit
CREATE TABLE core.both USING delta AS SELECT id AS k, serial AS v FROM stage.meters UNION ALL SELECT mid, unit
FROM core.flat;

-- name: distinct ctas
-- writes: create sites
-- columns: site < meters.site; n <
CREATE TABLE core.sites USING delta AS SELECT DISTINCT site, count(*) OVER (PARTITION BY site) AS n
FROM stage.meters;

-- name: pivot
-- writes: create pivoted
-- columns: site < meters.site; gas power < meters.id
CREATE TABLE mart.pivoted USING delta AS SELECT * FROM (SELECT site, kind, id
FROM stage.meters) PIVOT (sum(id) FOR kind IN ('gas' AS gas, 'power' AS power));

-- name: unpivot
-- writes: create unpivoted
-- columns: mid < flat.mid; what <; value < flat.kwh flat.lat
CREATE TABLE mart.unpivoted USING delta AS SELECT mid, what, value
FROM core.flat UNPIVOT (value FOR what IN (kwh, lat));

-- name: rollup
-- writes: append unpivoted
-- columns: mid < flat.mid; what < flat.day; value < flat.kwh
INSERT INTO mart.unpivoted SELECT mid, day, sum(kwh) FROM core.flat GROUP BY ROLLUP (mid, day);

-- name: lateral view
-- writes: create attrs
-- columns: mid < readings.mid; k v < readings.attrs
CREATE TABLE mart.attrs USING delta AS SELECT mid, k, v FROM stage.readings LATERAL VIEW explode(attrs) a AS k, v;

-- name: window rank
-- writes: create latest
-- columns: mid ts kwh < flat.*; prev < flat.kwh
CREATE TABLE mart.latest USING delta AS SELECT mid, ts, kwh, prev
FROM (SELECT mid, ts, kwh, lag(kwh) OVER (PARTITION BY mid ORDER BY ts) AS prev, row_number() OVER (PARTITION BY mid
ORDER BY ts DESC) AS rn FROM core.flat) WHERE rn = 1;

-- name: scalar subquery
-- writes: append latest
-- columns: mid ts < flat.*; kwh < flat.kwh daily.kwh; prev <
-- conditions: JOIN meters.id; FILTER meters.kind
INSERT INTO mart.latest SELECT mid, ts, kwh / (SELECT max(kwh) FROM mart.daily), NULL FROM core.flat
WHERE mid IN (SELECT id FROM stage.meters WHERE kind = 'gas');

-- name: plain read
-- writes: nothing
-- columns: site kwh < daily.*
-- conditions: FILTER daily.peak
SELECT site, kwh FROM mart.daily WHERE peak > 1;

-- name: save path
-- writes: create p_m
-- columns: id serial < l_meters.*

-- name: save path append merge schema
-- writes: append p_m
-- columns: id < flat.mid; serial < flat.unit; kwh < flat.kwh

-- name: save path overwrite schema
-- writes: overwrite p_m
-- columns: id site < meters.*

-- name: read path
-- writes: nothing
-- columns: id site < p_m.*
-- conditions: FILTER p_m.id

-- name: sql path
-- writes: append p_m
-- columns: id site < meters.*
INSERT INTO delta.`{root}/lake/m` SELECT id, upper(site) FROM stage.meters;

-- name: external
-- writes: create ext
-- columns: id installed < meters.*
CREATE TABLE core.ext USING delta LOCATION '{root}/lake/ext' AS SELECT id, installed FROM stage.meters;

-- name: external by path
-- writes: append ext
-- columns: id installed < ext.*

-- name: save overwrite
-- writes: overwrite counts
-- columns: site < meters.site; count <

-- name: save overwrite again
-- writes: overwrite counts
-- columns: site < meters.site; count < meters.id

-- name: save ignore

-- name: writeTo append
-- writes: append counts
-- columns: site < sites.site; count < sites.n

-- name: writeTo createOrReplace
-- writes: overwrite means
-- columns: day < flat.day; mean < flat.kwh

-- name: writeTo replace
-- writes: overwrite means
-- columns: day < flat.day; mean < flat.kwh; unit < flat.unit

-- name: writeTo overwrite where
-- writes: overwrite means
-- columns: day < flat.day; mean < flat.lat; unit < flat.flag

-- name: replaceWhere
-- writes: overwrite flat_like
-- columns: mid ts kwh lat lng unit flag n < flat.*; day < flat.day
-- conditions: FILTER flat.kwh

-- name: insert replace where
-- writes: overwrite flat_like
-- columns: mid ts kwh lat lng n day < flat.*; unit < flat.flag; flag < flat.unit
INSERT INTO core.flat_like REPLACE WHERE n > 100 SELECT mid, ts, kwh, lat, lng, flag, unit, n + 101, day
FROM core.flat;

-- name: static partition
-- writes: overwrite flat_like
-- columns: mid ts kwh lat lng unit flag n < flat.*; day <
INSERT OVERWRITE core.flat_like PARTITION (day = '2026-01-09') SELECT mid, ts, kwh + 1, lat, lng, unit, flag, n
FROM core.flat;

-- name: dynamic on

-- name: dynamic sql
-- writes: overwrite flat_like
-- columns: mid ts kwh lat lng unit flag n day < flat.*
-- conditions: FILTER flat.mid
INSERT OVERWRITE core.flat_like SELECT mid, ts, kwh * 3, lat, lng, unit, flag, n, day FROM core.flat WHERE mid = 2;

-- name: dynamic frame
-- writes: overwrite flat_like
-- columns: mid ts kwh lat lng unit flag n day < flat.*

-- name: dynamic partitions
-- writes: overwrite flat_like
-- columns: mid ts kwh lat lng unit flag n day < flat.*
-- conditions: FILTER flat.lat

-- name: dynamic off

-- name: insert overwrite all
-- writes: overwrite both
-- columns: k < meters.id; v < meters.kind
INSERT OVERWRITE core.both SELECT id, kind FROM stage.meters;

-- name: insert table
-- writes: append both
-- columns: k v < both.*
INSERT INTO core.both TABLE core.both;

-- name: from insert
-- writes: append both
-- columns: k < flat.mid; v < flat.unit
-- writes: append counts
-- columns: site < flat.day; count < flat.n
FROM core.flat INSERT INTO core.both SELECT mid, unit INSERT INTO mart.counts SELECT day, n;

-- name: cached
-- writes: append both
-- columns: k < meters.id; v < meters.serial flat.flag

-- name: udf
-- writes: append both
-- columns: k < meters.id; v < meters.kind

-- name: parquet out
-- writes: overwrite out_daily
-- columns: site kwh < daily.*

-- name: parquet back
-- writes: create back
-- columns: site < out_daily.site; energy < out_daily.kwh

-- name: wide 30 ctas
-- writes: create w30
-- columns: c{1..30} < l_wide.*
CREATE TABLE stage.w30 USING delta AS
SELECT c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23,
c24, c25, c26, c27, c28, c29, c30 FROM parquet.`{root}/landing/wide`;

-- name: wide 60 save
-- writes: create w60
-- columns: {1..60: d{n} < l_wide.c{n} l_wide.c{n+1}}

-- name: wide 120 writeTo
-- writes: create w120
-- columns: c{1..120} < l_wide.*

-- name: wide 120 insert
-- writes: append w120
-- columns: c{1..120} < w120.*
-- conditions: FILTER w120.c7
INSERT INTO stage.w120 SELECT c1 * 2, c2 * 2, c3 * 2, c4 * 2, c5 * 2, c6 * 2, c7 * 2, c8 * 2, c9 * 2, c10 * 2,
c11 * 2, c12 * 2, c13 * 2, c14 * 2, c15 * 2, c16 * 2, c17 * 2, c18 * 2, c19 * 2, c20 * 2, c21 * 2, c22 * 2, c23 * 2,
c24 * 2, c25 * 2, c26 * 2, c27 * 2, c28 * 2, c29 * 2, c30 * 2, c31 * 2, c32 * 2, c33 * 2, c34 * 2, c35 * 2, c36 * 2,
c37 * 2, c38 * 2, c39 * 2, c40 * 2, c41 * 2, c42 * 2, c43 * 2, c44 * 2, c45 * 2, c46 * 2, c47 * 2, c48 * 2, c49 * 2,
c50 * 2, c51 * 2, c52 * 2, c53 * 2, c54 * 2, c55 * 2, c56 * 2, c57 * 2, c58 * 2, c59 * 2, c60 * 2, c61 * 2, c62 * 2,
c63 * 2, c64 * 2, c65 * 2, c66 * 2, c67 * 2, c68 * 2, c69 * 2, c70 * 2, c71 * 2, c72 * 2, c73 * 2, c74 * 2, c75 * 2,
c76 * 2, c77 * 2, c78 * 2, c79 * 2, c80 * 2, c81 * 2, c82 * 2, c83 * 2, c84 * 2, c85 * 2, c86 * 2, c87 * 2, c88 * 2,
c89 * 2, c90 * 2, c91 * 2, c92 * 2, c93 * 2, c94 * 2, c95 * 2, c96 * 2, c97 * 2, c98 * 2, c99 * 2, c100 * 2,
c101 * 2, c102 * 2, c103 * 2, c104 * 2, c105 * 2, c106 * 2, c107 * 2, c108 * 2, c109 * 2, c110 * 2, c111 * 2,
c112 * 2, c113 * 2, c114 * 2, c115 * 2, c116 * 2, c117 * 2, c118 * 2, c119 * 2, c120 * 2 FROM stage.w120
WHERE c7 > 3;

-- name: wide 60 rtas
-- writes: overwrite w60r
-- columns: d1 < w60.d1; {2..60: m{n} < w60.d{n}}
-- conditions: GROUP_BY w60.d1
CREATE OR REPLACE TABLE mart.w60r USING delta AS
SELECT d1, max(d2) AS m2, max(d3) AS m3, max(d4) AS m4, max(d5) AS m5, max(d6) AS m6, max(d7) AS m7, max(d8)
AS m8, max(d9) AS m9, max(d10) AS m10, max(d11) AS m11, max(d12) AS m12, max(d13) AS m13, max(d14) AS m14, max(d15)
AS m15, max(d16) AS m16, max(d17) AS m17, max(d18) AS m18, max(d19) AS m19, max(d20) AS m20, max(d21)
AS m21, max(d22) AS m22, max(d23) AS m23, max(d24) AS m24, max(d25) AS m25, max(d26) AS m26, max(d27)
AS m27, max(d28) AS m28, max(d29) AS m29, max(d30) AS m30, max(d31) AS m31, max(d32) AS m32, max(d33)
AS m33, max(d34) AS m34, max(d35) AS m35, max(d36) AS m36, max(d37) AS m37, max(d38) AS m38, max(d39)
AS m39, max(d40) AS m40, max(d41) AS m41, max(d42) AS m42, max(d43) AS m43, max(d44) AS m44, max(d45)
AS m45, max(d46) AS m46, max(d47) AS m47, max(d48) AS m48, max(d49) AS m49, max(d50) AS m50, max(d51)
AS m51, max(d52) AS m52, max(d53) AS m53, max(d54) AS m54, max(d55) AS m55, max(d56) AS m56, max(d57)
AS m57, max(d58) AS m58, max(d59) AS m59, max(d60) AS m60 FROM stage.w60 GROUP BY d1;

-- name: wide 60 save overwrite
-- writes: overwrite w90
-- columns: d{1..60} < w60.*; c{1..30} < w30.*
-- conditions: JOIN w60.d1; JOIN w30.c3

-- name: wide 60 path
-- writes: create p_w60
-- columns: d{1..60} < w60.*

-- name: wide 60 path overwrite
-- writes: overwrite p_w60
-- columns: d1 < w60.d60; d2 < w60.d59; d3 < w60.d58; d4 < w60.d57; d5 < w60.d56; d6 < w60.d55; d7 < w60.d54;
--   d8 < w60.d53; d9 < w60.d52; d10 < w60.d51; d11 < w60.d50; d12 < w60.d49; d13 < w60.d48; d14 < w60.d47;
--   d15 < w60.d46; d16 < w60.d45; d17 < w60.d44; d18 < w60.d43; d19 < w60.d42; d20 < w60.d41; d21 < w60.d40;
--   d22 < w60.d39; d23 < w60.d38; d24 < w60.d37; d25 < w60.d36; d26 < w60.d35; d27 < w60.d34; d28 < w60.d33;
--   d29 < w60.d32; d30 < w60.d31; d31 < w60.d30; d32 < w60.d29; d33 < w60.d28; d34 < w60.d27; d35 < w60.d26;
--   d36 < w60.d25; d37 < w60.d24; d38 < w60.d23; d39 < w60.d22; d40 < w60.d21; d41 < w60.d20; d42 < w60.d19;
--   d43 < w60.d18; d44 < w60.d17; d45 < w60.d16; d46 < w60.d15; d47 < w60.d14; d48 < w60.d13; d49 < w60.d12;
--   d50 < w60.d11; d51 < w60.d10; d52 < w60.d9; d53 < w60.d8; d54 < w60.d7; d55 < w60.d6; d56 < w60.d5; d57 < w60.d4;
--   d58 < w60.d3; d59 < w60.d2; d60 < w60.d1

-- name: wide 60 update
-- writes: update w60
-- columns: d60 < w60.d59; d2 < w60.d3
-- conditions: FILTER w60.d1
UPDATE stage.w60 SET d60 = d59 + 1, d2 = d3 WHERE d1 > 2;

-- name: wide 120 update
-- writes: update w120
-- columns: c120 < w120.c1; c60 < w120.c61 w120.c62
-- conditions: FILTER w120.c119
UPDATE stage.w120 SET c120 = c1, c60 = c61 * c62 WHERE c119 < 50;

-- name: wide 60 merge star
-- writes: merge w60
-- columns: d{1..60} < w60.*
MERGE INTO stage.w60 t USING (SELECT * FROM stage.w60 WHERE d1 < 100) s ON t.d1 = s.d1
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: wide 120 merge other
-- writes: merge w120
-- columns: c{1..4} c{6..118} c120 < l_wide.*; c119 < l_wide.c118 l_wide.c119; c5 < w120.c5 l_wide.c6 l_wide.c5
-- conditions: JOIN w120.c1; JOIN l_wide.c1
MERGE INTO stage.w120 t USING (SELECT c1 + 1 AS s1, c2 + 1 AS s2, c3 + 1 AS s3, c4 + 1 AS s4, c5 + 1 AS s5, c6 + 1
AS s6, c7 + 1 AS s7, c8 + 1 AS s8, c9 + 1 AS s9, c10 + 1 AS s10, c11 + 1 AS s11, c12 + 1 AS s12, c13 + 1
AS s13, c14 + 1 AS s14, c15 + 1 AS s15, c16 + 1 AS s16, c17 + 1 AS s17, c18 + 1 AS s18, c19 + 1 AS s19, c20 + 1
AS s20, c21 + 1 AS s21, c22 + 1 AS s22, c23 + 1 AS s23, c24 + 1 AS s24, c25 + 1 AS s25, c26 + 1 AS s26, c27 + 1
AS s27, c28 + 1 AS s28, c29 + 1 AS s29, c30 + 1 AS s30, c31 + 1 AS s31, c32 + 1 AS s32, c33 + 1 AS s33, c34 + 1
AS s34, c35 + 1 AS s35, c36 + 1 AS s36, c37 + 1 AS s37, c38 + 1 AS s38, c39 + 1 AS s39, c40 + 1 AS s40, c41 + 1
AS s41, c42 + 1 AS s42, c43 + 1 AS s43, c44 + 1 AS s44, c45 + 1 AS s45, c46 + 1 AS s46, c47 + 1 AS s47, c48 + 1
AS s48, c49 + 1 AS s49, c50 + 1 AS s50, c51 + 1 AS s51, c52 + 1 AS s52, c53 + 1 AS s53, c54 + 1 AS s54, c55 + 1
AS s55, c56 + 1 AS s56, c57 + 1 AS s57, c58 + 1 AS s58, c59 + 1 AS s59, c60 + 1 AS s60, c61 + 1 AS s61, c62 + 1
AS s62, c63 + 1 AS s63, c64 + 1 AS s64, c65 + 1 AS s65, c66 + 1 AS s66, c67 + 1 AS s67, c68 + 1 AS s68, c69 + 1
AS s69, c70 + 1 AS s70, c71 + 1 AS s71, c72 + 1 AS s72, c73 + 1 AS s73, c74 + 1 AS s74, c75 + 1 AS s75, c76 + 1
AS s76, c77 + 1 AS s77, c78 + 1 AS s78, c79 + 1 AS s79, c80 + 1 AS s80, c81 + 1 AS s81, c82 + 1 AS s82, c83 + 1
AS s83, c84 + 1 AS s84, c85 + 1 AS s85, c86 + 1 AS s86, c87 + 1 AS s87, c88 + 1 AS s88, c89 + 1 AS s89, c90 + 1
AS s90, c91 + 1 AS s91, c92 + 1 AS s92, c93 + 1 AS s93, c94 + 1 AS s94, c95 + 1 AS s95, c96 + 1 AS s96, c97 + 1
AS s97, c98 + 1 AS s98, c99 + 1 AS s99, c100 + 1 AS s100, c101 + 1 AS s101, c102 + 1 AS s102, c103 + 1
AS s103, c104 + 1 AS s104, c105 + 1 AS s105, c106 + 1 AS s106, c107 + 1 AS s107, c108 + 1 AS s108, c109 + 1
AS s109, c110 + 1 AS s110, c111 + 1 AS s111, c112 + 1 AS s112, c113 + 1 AS s113, c114 + 1 AS s114, c115 + 1
AS s115, c116 + 1 AS s116, c117 + 1 AS s117, c118 + 1 AS s118, c119 + 1 AS s119, c120 + 1 AS s120
FROM parquet.`{root}/landing/wide`) s ON t.c1 = s.s1
WHEN MATCHED THEN UPDATE SET t.c119 = s.s118, t.c5 = t.c5 + s.s6
WHEN NOT MATCHED THEN INSERT (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19,
c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42,
c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65,
c66, c67, c68, c69, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c80, c81, c82, c83, c84, c85, c86, c87, c88,
c89, c90, c91, c92, c93, c94, c95, c96, c97, c98, c99, c100, c101, c102, c103, c104, c105, c106, c107, c108, c109,
c110, c111, c112, c113, c114, c115, c116, c117, c118, c119, c120)
VALUES (s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7, s.s8, s.s9, s.s10, s.s11, s.s12, s.s13, s.s14, s.s15, s.s16,
s.s17, s.s18, s.s19, s.s20, s.s21, s.s22, s.s23, s.s24, s.s25, s.s26, s.s27, s.s28, s.s29, s.s30, s.s31, s.s32,
s.s33, s.s34, s.s35, s.s36, s.s37, s.s38, s.s39, s.s40, s.s41, s.s42, s.s43, s.s44, s.s45, s.s46, s.s47, s.s48,
s.s49, s.s50, s.s51, s.s52, s.s53, s.s54, s.s55, s.s56, s.s57, s.s58, s.s59, s.s60, s.s61, s.s62, s.s63, s.s64,
s.s65, s.s66, s.s67, s.s68, s.s69, s.s70, s.s71, s.s72, s.s73, s.s74, s.s75, s.s76, s.s77, s.s78, s.s79, s.s80,
s.s81, s.s82, s.s83, s.s84, s.s85, s.s86, s.s87, s.s88, s.s89, s.s90, s.s91, s.s92, s.s93, s.s94, s.s95, s.s96,
s.s97, s.s98, s.s99, s.s100, s.s101, s.s102, s.s103, s.s104, s.s105, s.s106, s.s107, s.s108, s.s109, s.s110, s.s111,
s.s112, s.s113, s.s114, s.s115, s.s116, s.s117, s.s118, s.s119, s.s120);

-- name: wide 120 delete
-- writes: delete w120
-- conditions: FILTER w120.c118; FILTER w120.c3
DELETE FROM stage.w120 WHERE c118 = 0 AND c3 > 2;

-- name: wide partitioned
-- writes: create w30p
-- columns: c{1..30} < w30.*

-- name: wide dynamic on

-- name: wide dynamic
-- writes: overwrite w30p
-- columns: c{1..30} < w30.*
INSERT OVERWRITE stage.w30p SELECT c1 + 1, c2 + 1, c3 + 1, c4 + 1, c5 + 1, c6 + 1, c7 + 1, c8 + 1, c9 + 1, c10 + 1,
c11 + 1, c12 + 1, c13 + 1, c14 + 1, c15 + 1, c16 + 1, c17 + 1, c18 + 1, c19 + 1, c20 + 1, c21 + 1, c22 + 1, c23 + 1,
c24 + 1, c25 + 1, c26 + 1, c27 + 1, c28 + 1, c29 + 1, c30 FROM stage.w30;

-- name: wide dynamic frame
-- writes: overwrite w30p
-- columns: {1..30: c{n} < w120.c{n+30}}

-- name: wide dynamic off

-- name: wide static
-- writes: overwrite w30p
-- columns: c{1..29} < w30.*; c30 <
-- conditions: FILTER w30.c2
INSERT OVERWRITE stage.w30p PARTITION (c30 = 5)
SELECT c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23,
c24, c25, c26, c27, c28, c29 FROM stage.w30 WHERE c2 > 0;

-- name: wide read
-- writes: nothing
-- columns: d{1..60} < w60.*
-- conditions: FILTER w60.d50

-- name: wide view
-- writes: create v60
-- columns: d{1..60} < w60.*
CREATE VIEW mart.v60 AS SELECT * FROM stage.w60;

-- name: wide from view
-- writes: create w60v
-- columns: d{1..60} < w60.*; extra < w60.d1 w60.d2
CREATE TABLE mart.w60v USING delta AS SELECT *, d1 + d2 AS extra FROM mart.v60;

-- name: wide struct
-- writes: create packed
-- columns: c1 < w120.c1; s < w120.c{1..40}
CREATE TABLE mart.packed USING delta AS
SELECT c1, struct(c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21,
c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40) AS s FROM stage.w120;

-- name: wide unpack
-- writes: create unpacked
-- columns: k < packed.c1; {1..40: c{n} < packed.s.c{n}}
CREATE TABLE mart.unpacked USING delta AS SELECT c1 AS k, s.* FROM mart.packed;

-- name: cdf device from readings
-- writes: append device
-- columns: id < flat.mid; name < flat.unit; battery < flat.kwh; note < flat.flag; place < flat.day flat.n
INSERT INTO core.device SELECT mid + 1000, unit, kwh, flag, named_struct('city', day, 'zip', n) FROM core.flat;

-- name: merge delta api
-- writes: merge device
-- columns: name < meters.serial; battery < device.battery meters.id; id < meters.id; note < meters.kind; place <
-- conditions: JOIN device.id; JOIN meters.id

-- name: merge by source
-- writes: merge device
-- columns: note < meters.site; battery < device.battery
-- conditions: JOIN device.id; JOIN meters.id
MERGE INTO core.device d USING stage.meters m ON d.id = m.id
WHEN MATCHED AND m.kind = 'gas' THEN UPDATE SET note = m.site WHEN NOT MATCHED BY SOURCE AND d.id > 1003 THEN DELETE
WHEN NOT MATCHED BY SOURCE THEN UPDATE SET battery = d.battery - 1;

-- name: merge insert only
-- writes: merge device
-- columns: id < meters.id; name < meters.serial; battery note place <
MERGE INTO core.device d USING (SELECT id + 5000 AS id, serial FROM stage.meters) m ON d.id = m.id
WHEN NOT MATCHED THEN INSERT (id, name) VALUES (m.id, m.serial);

-- name: merge delete only
-- writes: merge device
-- conditions: JOIN device.id; JOIN flat.mid; FILTER flat.kwh
MERGE INTO core.device d USING (SELECT DISTINCT mid FROM core.flat WHERE kwh > 100) f ON d.id = f.mid
WHEN MATCHED THEN DELETE;

-- name: merge nested field
-- writes: merge device
-- columns: place < device.place.zip meters.site
MERGE INTO core.device d USING stage.meters m ON d.id = m.id WHEN MATCHED THEN UPDATE SET d.place.city = m.site;

-- name: merge aggregated
-- writes: merge device
-- columns: battery < flat.kwh; note < device.note flat.flag
WITH s AS (SELECT mid, sum(kwh) AS total, max(flag) AS flag FROM core.flat
GROUP BY mid HAVING sum(kwh) > 0) MERGE INTO core.device d USING s ON d.id = s.mid + 1000
WHEN MATCHED THEN UPDATE SET battery = s.total, note = coalesce(d.note, s.flag);

-- name: merge union source
-- writes: merge both
-- columns: k < meters.id flat.mid; v < meters.serial flat.unit
MERGE INTO core.both t USING (SELECT id AS k, serial AS v FROM stage.meters UNION SELECT mid, unit
FROM core.flat) s ON t.k = s.k AND t.v = s.v WHEN NOT MATCHED THEN INSERT *;

-- name: merge into empty ddl
CREATE TABLE core.empty (mid BIGINT, kwh DOUBLE, seen STRING) USING delta;

-- name: merge into empty
-- writes: merge empty
-- columns: mid < flat.mid; kwh < empty.kwh flat.kwh; seen < flat.day
MERGE INTO core.empty e USING core.flat f ON e.mid = f.mid AND e.seen = f.day
WHEN MATCHED THEN UPDATE SET e.kwh = e.kwh + f.kwh
WHEN NOT MATCHED THEN INSERT (mid, kwh, seen) VALUES (f.mid, f.kwh, f.day);

-- name: merge view source
-- writes: merge empty
-- columns: kwh < flat.lat flat.lng
-- conditions: JOIN empty.mid; JOIN flat.mid

-- name: merge evolve on

-- name: merge evolve
-- writes: merge empty
-- columns: mid kwh volt < readings.*; seen < readings.day
MERGE INTO core.empty e USING (SELECT mid, kwh, day AS seen, volt FROM stage.readings) s ON e.mid = s.mid + 70
WHEN NOT MATCHED THEN INSERT *;

-- name: merge evolve off

-- name: update subquery
-- writes: update empty
-- columns: volt <
UPDATE core.empty SET volt = 230 WHERE mid IN (SELECT id FROM stage.meters WHERE site = 'site0');

-- name: update case
-- writes: update empty
-- columns: kwh seen < empty.*
UPDATE core.empty SET kwh = CASE WHEN volt > 100 THEN kwh * 2 ELSE 0 END, seen = concat(seen, '!');

-- name: update api
-- writes: update empty
-- columns: volt < empty.volt empty.kwh
-- conditions: FILTER empty.mid

-- name: delete api
-- writes: delete empty
-- conditions: FILTER empty.kwh

-- name: delete sql
-- writes: delete flat_like
DELETE FROM core.flat_like WHERE day = '2026-01-02';

-- name: delete subquery
-- writes: delete flat_like
DELETE FROM core.flat_like WHERE EXISTS (SELECT 1 FROM stage.meters m WHERE m.id = mid AND m.kind = 'power');

-- name: dv table
-- writes: create dv
-- columns: mid ts kwh unit < flat.*
CREATE TABLE core.dv USING delta
TBLPROPERTIES ('delta.enableDeletionVectors' = 'true', 'delta.enableChangeDataFeed' = 'true') AS
SELECT mid, ts, kwh, unit FROM core.flat;

-- name: dv update
-- writes: update dv
-- columns: unit < dv.unit; kwh < dv.kwh dv.mid
-- conditions: FILTER dv.mid
UPDATE core.dv SET unit = upper(unit), kwh = kwh + mid WHERE ts IS NOT NULL AND mid < 3;

-- name: dv delete
-- writes: delete dv
-- conditions: FILTER dv.mid
DELETE FROM core.dv WHERE mid = 4;

-- name: dv merge
-- writes: merge dv
-- columns: unit < meters.serial meters.kind; mid < meters.id; ts kwh <
MERGE INTO core.dv t USING stage.meters s ON t.mid = s.id
WHEN MATCHED AND s.kind = 'gas' THEN UPDATE SET unit = s.serial WHEN MATCHED THEN DELETE
WHEN NOT MATCHED THEN INSERT (mid, unit) VALUES (s.id, s.kind);

-- name: cdf read sql
-- writes: create changes
-- columns: mid kwh < dv.*; what < dv._change_type; v < dv._commit_version
-- conditions: FILTER dv.mid
CREATE TABLE mart.changes USING delta AS SELECT mid, kwh, _change_type AS what, _commit_version AS v
FROM table_changes('core.dv', 1) WHERE _change_type != 'update_preimage' AND mid > 0;

-- name: cdf read frame
-- writes: append changes
-- columns: mid kwh < dv.*; what < dv._change_type; v < dv._commit_version

-- name: alter table
-- writes: create alt
-- columns: id serial site kind < meters.*; s < meters.site meters.kind
CREATE TABLE core.alt USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS
SELECT id, serial, site, kind, struct(site AS a, kind AS b) AS s FROM stage.meters;

-- name: alter add
-- writes: alter alt
ALTER TABLE core.alt ADD COLUMNS (extra INT, more STRING COMMENT 'x' AFTER serial);

-- name: alter add nested
-- writes: alter alt
ALTER TABLE core.alt ADD COLUMN s.c DOUBLE;

-- name: alter rename
-- writes: alter alt
ALTER TABLE core.alt RENAME COLUMN kind TO sort;

-- name: alter rename nested
-- writes: alter alt
ALTER TABLE core.alt RENAME COLUMN s.b TO bb;

-- name: alter insert
-- writes: append alt
-- columns: id serial site < meters.*; more extra <; sort < meters.kind; s < meters.kind meters.site
INSERT INTO core.alt SELECT id, serial, 'm', site, kind, named_struct('a', kind, 'bb', site, 'c', 1.0D), 5
FROM stage.meters;

-- name: alter drop
-- writes: alter alt
ALTER TABLE core.alt DROP COLUMN more;

-- name: alter drop two
-- writes: alter alt
ALTER TABLE core.alt DROP COLUMNS (extra, site);

-- name: alter first
-- writes: alter alt
ALTER TABLE core.alt ALTER COLUMN sort FIRST;

-- name: alter after
-- writes: alter alt
ALTER TABLE core.alt ALTER COLUMN id AFTER serial;

-- name: alter comment
-- writes: alter alt
ALTER TABLE core.alt ALTER COLUMN id COMMENT 'key';

-- name: alter not null
-- writes: alter alt
ALTER TABLE core.alt ALTER COLUMN id DROP NOT NULL;

-- name: alter property
-- writes: alter alt
ALTER TABLE core.alt SET TBLPROPERTIES ('x' = 'y');

-- name: alter unset
-- writes: alter alt
ALTER TABLE core.alt UNSET TBLPROPERTIES ('x');

-- name: alter constraint
-- writes: alter alt
ALTER TABLE core.alt ADD CONSTRAINT positive CHECK (id >= 0);

-- name: alter drop constraint
-- writes: alter alt
ALTER TABLE core.alt DROP CONSTRAINT positive;

-- name: alter read
-- writes: nothing
-- columns: sort serial id < alt.*; bb < alt.s.bb
SELECT sort, serial, id, s.bb FROM core.alt;

-- name: alter copy
-- writes: create alt_copy
-- columns: sort serial id s < alt.*
CREATE TABLE mart.alt_copy USING delta AS SELECT * FROM core.alt;

-- name: widen table
CREATE TABLE core.wid (a INT, b FLOAT, c SHORT) USING delta TBLPROPERTIES ('delta.enableTypeWidening' = 'true');

-- name: widen insert
-- writes: append wid
-- columns: a c < flat.n; b < flat.kwh
INSERT INTO core.wid SELECT n, CAST(kwh AS FLOAT), CAST(n AS SHORT) FROM core.flat;

-- name: widen alter
-- writes: alter wid
ALTER TABLE core.wid ALTER COLUMN c TYPE INT;

-- name: evolve append
-- writes: append wid
-- columns: a c < flat.n; b < flat.lat; d < flat.unit

-- name: overwrite schema
-- writes: overwrite wid2
-- columns: word < wid.d; a < wid.a

-- name: overwrite schema again
-- writes: overwrite wid2
-- columns: c b < wid.*

-- name: rename table
ALTER TABLE core.wid2 RENAME TO core.wid3;

-- name: rename insert
-- writes: append wid3
-- columns: c < wid.a; b < wid.b
INSERT INTO core.wid3 SELECT a, b FROM core.wid;

-- name: comment on
-- writes: alter wid3
COMMENT ON TABLE core.wid3 IS 'widened';

-- name: drop table
DROP TABLE core.wid3;

-- name: recreate
-- writes: create wid3
-- columns: c < meters.id; kind < meters.kind
CREATE TABLE core.wid3 USING delta AS SELECT id AS c, kind FROM stage.meters;

-- name: replace ddl
CREATE OR REPLACE TABLE core.wid3 (c BIGINT, kind STRING, z INT) USING delta;

-- name: if not exists
CREATE TABLE IF NOT EXISTS core.wid3 (c BIGINT, kind STRING, z INT) USING delta;

-- name: after replace
-- writes: append wid3
-- columns: c < meters.id; kind < meters.kind; z <
INSERT INTO core.wid3 SELECT id, kind, 1 FROM stage.meters;

-- name: truncate
TRUNCATE TABLE core.wid3;

-- name: api create

-- name: api insert
-- writes: append api
-- columns: id < meters.id; site < meters.site; v <
INSERT INTO core.api SELECT id, site, 0.5D FROM stage.meters;

-- name: version sql
-- writes: create then
-- columns: id name battery < device.*
CREATE TABLE mart.then USING delta AS SELECT id, name, battery FROM core.device VERSION AS OF 2;

-- name: version join
-- writes: append then
-- columns: id name battery < device.*
-- conditions: JOIN device.id
INSERT INTO mart.then SELECT a.id, b.name, a.battery - b.battery
FROM core.device VERSION AS OF 5 a JOIN core.device VERSION AS OF 4 b ON a.id = b.id;

-- name: version frame
-- writes: append then
-- columns: id name battery < device.*

-- name: version path
-- writes: append then
-- columns: id < p_m.id; name < p_m.serial; battery < p_m.kwh

-- name: timestamp
-- writes: nothing
-- columns: id battery < device.*

-- name: current
-- writes: nothing
-- columns: id < then.id
-- conditions: FILTER then.name
SELECT id FROM mart.then WHERE name IS NULL;

-- name: restore
-- writes: maintenance then
RESTORE TABLE mart.then TO VERSION AS OF 1;

-- name: restored read
-- writes: nothing
-- columns: id battery < then.*
SELECT id, battery FROM mart.then;

-- name: shallow clone
-- writes: create cloned
-- columns: id name battery note place < device.*
CREATE TABLE mart.cloned SHALLOW CLONE core.device;

-- name: clone insert
-- writes: append cloned
-- columns: id < meters.id; name < meters.serial; battery note place <
INSERT INTO mart.cloned SELECT id, serial, NULL, NULL, NULL FROM stage.meters;

-- name: clone version
-- writes: create cloned
-- columns: id name battery note place < device.*
CREATE OR REPLACE TABLE mart.cloned SHALLOW CLONE core.device VERSION AS OF 3;

-- name: clone wide
-- writes: create w60c
-- columns: d{1..60} < w60.*
CREATE TABLE mart.w60c SHALLOW CLONE stage.w60;

-- name: clone read
-- writes: nothing
-- columns: name < cloned.name
SELECT name FROM mart.cloned;

-- name: optimize
-- writes: maintenance flat_like
OPTIMIZE core.flat_like;

-- name: zorder
-- writes: maintenance flat_like
OPTIMIZE core.flat_like ZORDER BY (mid);

-- name: vacuum
-- writes: maintenance flat_like
VACUUM core.flat_like RETAIN 200 HOURS;

-- name: analyze
ANALYZE TABLE core.flat COMPUTE STATISTICS;

-- name: history
DESCRIBE HISTORY core.flat;

-- name: detail
DESCRIBE DETAIL core.flat;

-- name: metadata count
-- writes: create numbers
-- columns: n <
CREATE TABLE mart.numbers USING delta AS SELECT count(*) AS n FROM core.flat;

-- name: metadata max
-- writes: append numbers
-- columns: n < flat.mid
INSERT INTO mart.numbers SELECT max(mid) FROM core.flat;

-- name: convert
CONVERT TO DELTA parquet.`{root}/out/daily`;

-- name: converted
-- writes: create conv
-- columns: site kwh < out_daily.*

-- name: deep copy
-- writes: overwrite deep
-- columns: id name battery note place < device.*

-- name: view
-- writes: create v_daily
-- columns: site < daily.site; twice < daily.kwh; kind < meters.kind
CREATE OR REPLACE VIEW mart.v_daily AS SELECT d.site, d.kwh * 2 AS twice, m.kind
FROM mart.daily d JOIN stage.meters m ON m.site = d.site WHERE d.kwh IS NOT NULL;

-- name: from view
-- writes: create from_view
-- columns: site < daily.site; top < daily.kwh
-- conditions: GROUP_BY daily.site; JOIN daily.site; JOIN meters.site
CREATE TABLE mart.from_view USING delta AS SELECT site, max(twice) AS top FROM mart.v_daily GROUP BY site;

-- name: view of view
-- writes: create v_top
-- columns: s < daily.site; twice < daily.kwh
CREATE VIEW mart.v_top AS SELECT site AS s, twice FROM mart.v_daily WHERE twice > 3;

-- name: temp views
-- writes: append from_view
-- columns: site < meters.site; top < flat.kwh
-- conditions: JOIN flat.mid; JOIN meters.id; FILTER flat.kwh

-- name: temp view named as table
-- writes: append from_view
-- columns: site < flat.unit; top < flat.lat

-- name: global temp
-- writes: append from_view
-- columns: site < meters.kind; top < meters.id

-- name: cte twice
-- writes: append from_view
-- columns: site < flat.unit; top < flat.kwh
INSERT INTO mart.from_view WITH a AS (SELECT mid, kwh, unit FROM core.flat), b AS (SELECT mid, max(kwh) AS k FROM a
GROUP BY mid) SELECT a.unit, b.k - a.kwh FROM a JOIN b ON a.mid = b.mid;

-- name: semi anti
-- writes: append from_view
-- columns: site < flat.unit flat.flag; top < flat.kwh flat.lat
-- conditions: JOIN meters.id; JOIN device.id
INSERT INTO mart.from_view SELECT f.unit, f.kwh FROM core.flat f LEFT ANTI JOIN stage.meters m ON f.mid = m.id
UNION ALL SELECT f.flag, f.lat FROM core.flat f LEFT SEMI JOIN core.device d ON d.id = f.mid;

-- name: except intersect
-- writes: append both
-- columns: k < meters.id; v < meters.serial
-- conditions: JOIN flat.mid; JOIN both.k
INSERT INTO core.both (SELECT id, serial FROM stage.meters EXCEPT SELECT mid, unit FROM core.flat) INTERSECT
SELECT k, v FROM core.both;

-- name: case conditions
-- writes: append both
-- columns: k < meters.id; v < meters.serial meters.site
INSERT INTO core.both SELECT id, CASE WHEN kind = 'gas' THEN serial
WHEN site IS NULL THEN 'none' ELSE lower(site) END FROM stage.meters;

-- name: top sorted
-- writes: append both
-- columns: k < flat.mid; v < flat.unit
-- conditions: SORT flat.kwh
INSERT INTO core.both SELECT mid, unit FROM core.flat ORDER BY kwh DESC LIMIT 3;

-- name: collect structs
-- writes: create lists
-- columns: site < meters.site; rows < flat.ts flat.kwh
CREATE TABLE mart.lists USING delta AS SELECT m.site, collect_list(named_struct('t', f.ts, 'k', f.kwh)) AS rows
FROM core.flat f JOIN stage.meters m ON f.mid = m.id GROUP BY m.site;

-- name: inline structs
-- writes: create inlined
-- columns: site < lists.site; t < lists.rows.t; k < lists.rows.k
CREATE TABLE mart.inlined USING delta AS SELECT site, t, k FROM mart.lists LATERAL VIEW inline(rows) r AS t, k;

-- name: lateral subquery
-- writes: create lateral_
-- columns: id < meters.id; top < flat.kwh
CREATE TABLE mart.lateral USING delta AS SELECT m.id, x.top FROM stage.meters m, LATERAL (SELECT max(kwh) AS top
FROM core.flat f WHERE f.mid = m.id) x;

-- name: odd names
-- writes: create odd
-- columns: `the id` < meters.id; a.b < meters.serial; x[0] < meters.site; k#1 < meters.kind; sum(id) < meters.id;
--   größe < meters.site
CREATE TABLE core.`odd_table` USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS
SELECT id AS `the id`, serial AS `a.b`, site AS `x[0]`, kind AS `k#1`, id + 1 AS `sum(id)`, site AS `größe`
FROM stage.meters;

-- name: odd insert
-- writes: append odd
-- columns: `the id` a.b x[0] k#1 sum(id) größe < odd.*
-- conditions: FILTER odd.`the id`
INSERT INTO core.`odd_table` SELECT `the id` * 2, `a.b`, upper(`x[0]`), `k#1`, `sum(id)`, `größe`
FROM core.`odd_table` WHERE `the id` > 1;

-- name: odd out
-- writes: create plain_names
-- columns: i < odd.`the id`; ab < odd.a.b; x < odd.x[0]; k < odd.k#1 odd.größe
CREATE TABLE core.plain_names USING delta AS SELECT `the id` AS i, `a.b` AS ab, `x[0]` AS x, `k#1` || `größe` AS k
FROM core.`odd_table`;

-- name: odd update
-- writes: update odd
-- columns: a.b < odd.k#1; `the id` < odd.sum(id)
UPDATE core.`odd_table` SET `a.b` = concat(`k#1`, 'z'), `the id` = `sum(id)` WHERE `x[0]` = 'site1';

-- name: odd merge
-- writes: merge odd
-- columns: a.b < plain_names.ab; x[0] < plain_names.x; `the id` < plain_names.i; größe < plain_names.k
MERGE INTO core.`odd_table` t USING core.plain_names s ON t.`the id` = s.i
WHEN MATCHED THEN UPDATE SET `a.b` = s.ab, `x[0]` = s.x
WHEN NOT MATCHED THEN INSERT (`the id`, `größe`) VALUES (s.i, s.k);

-- name: odd delete
-- writes: delete odd
-- conditions: FILTER odd.k#1
DELETE FROM core.`odd_table` WHERE `k#1` = 'zzz';

-- name: mixed case
-- writes: create mixedcase
-- columns: CamelId < meters.id; SerialNo < meters.serial
CREATE TABLE core.MixedCase USING delta AS SELECT id AS CamelId, serial AS SerialNo FROM stage.METERS;

-- name: mixed insert
-- writes: append mixedcase
-- columns: CamelId SerialNo < mixedcase.*
INSERT INTO core.mixedcase SELECT CAMELID + 1, serialno FROM core.mixedCASE;

-- name: aggregate names
-- writes: create agg_names
-- columns: unit < flat.unit; sum(kwh) < flat.kwh; avg(lat) < flat.lat

-- name: keyword names
-- writes: create select_
-- columns: from < meters.id; order < meters.site; table < meters.kind
CREATE TABLE core.`select` USING delta AS SELECT id AS `from`, site AS `order`, kind AS `table` FROM stage.meters;

-- name: keyword read
-- writes: append both
-- columns: k < select_.from; v < select_.table
-- conditions: SORT select_.order
INSERT INTO core.both SELECT `from`, `table` FROM core.`select` ORDER BY `order` LIMIT 2;

-- name: stream table
-- writes: append s_flat
-- columns: mid < flat.mid; twice < flat.kwh
-- conditions: FILTER flat.kwh

-- name: stream path
-- writes: append p_stream
-- columns: unit < flat.unit; n < flat.n

-- name: stream files
-- writes: append s_files
-- columns: mid < l_readings.mid; unit < l_readings.attrs; lat < l_readings.pos.lat

-- name: stream totals
-- writes: overwrite s_totals
-- columns: unit < flat.unit; total < flat.kwh
-- conditions: GROUP_BY flat.unit

-- name: stream cdf
-- writes: append s_cdf
-- columns: mid kwh < dv.*; what < dv._change_type

-- name: stream join
-- writes: append s_join
-- columns: mid < flat.mid; site < meters.site
-- conditions: JOIN flat.mid; JOIN meters.id

-- name: stream merge
-- writes: merge s_merge
-- columns: mid < flat.mid; kwh < flat.kwh
-- conditions: JOIN s_merge.mid

-- name: stream append batch
-- writes: create s_batch
-- columns: mid < flat.mid; day < flat.day; energy < flat.kwh

-- name: stream wide
-- writes: append s_wide
-- columns: {1..60: d{n} < w60.d{n}}

-- name: after stream
-- writes: append numbers
-- columns: n < s_flat.mid
-- conditions: FILTER s_flat.twice
INSERT INTO mart.numbers SELECT mid FROM stage.s_flat WHERE twice > 2;

-- name: after stream path
-- writes: append numbers
-- columns: n < p_stream.n
INSERT INTO mart.numbers SELECT n FROM delta.`{root}/lake/stream`;

-- name: drop view
DROP VIEW mart.v_top;

-- name: last read
-- writes: nothing
-- columns: mid < s_merge.mid; site < s_join.site
-- conditions: JOIN s_merge.mid; JOIN s_join.mid
SELECT a.mid, b.site FROM stage.s_merge a JOIN stage.s_join b ON a.mid = b.mid;

-- elsewhere: helper: wide
-- writes: create l_wide
-- columns: c{1..120} <
