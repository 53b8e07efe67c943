-- name: loans
-- writes: create loans
-- columns: id book reader fee at place tags props day < l_loans.*

-- name: readers
-- writes: create readers
-- columns: id name mail level < l_readers.*

-- name: loan ddl
CREATE TABLE lake.dwh.loan (id BIGINT, book STRING, reader BIGINT, fee DOUBLE, at TIMESTAMP, city STRING,
day STRING) USING iceberg PARTITIONED BY (day, bucket(2, id)) TBLPROPERTIES ('format-version' = '2');

-- name: loan insert
-- writes: append loan
-- columns: id book reader fee at day < loans.*; city < loans.place.city
INSERT INTO lake.dwh.loan SELECT id, upper(book), reader, fee, at, place.city, day FROM lake.raw.loans;

-- name: loan insert columns
-- writes: append loan
-- columns: id < readers.id; book reader fee at city day <
-- conditions: FILTER readers.level
INSERT INTO lake.dwh.loan (day, id, fee) SELECT '2026-02-07', id + 50, 1.5D FROM lake.raw.readers
WHERE level = 'gold';

-- name: loan by name
-- writes: append loan
-- columns: id reader < readers.id; city < readers.level; book < readers.name; fee at day <
INSERT INTO lake.dwh.loan BY NAME
SELECT level AS city, name AS book, id, id * 2 AS reader, 0.0D AS fee, current_timestamp() AS at, '2026-02-08'
AS day FROM lake.raw.readers;

-- name: tags
-- writes: create tags
-- columns: id < loans.id; tag < loans.tags; pos < loans.tags
CREATE TABLE lake.dwh.tags USING iceberg AS SELECT id, tag, pos
FROM lake.raw.loans LATERAL VIEW posexplode(tags) t AS pos, tag;

-- name: daily
-- writes: overwrite daily
-- columns: day < loan.day; level < readers.level; fees n < loan.fee
-- conditions: FILTER loan.fee; JOIN readers.id; JOIN loan.reader; GROUP_BY readers.level
CREATE OR REPLACE TABLE {g}.pub.daily USING iceberg AS WITH x AS (SELECT l.day, r.level, l.fee
FROM lake.dwh.loan l JOIN lake.raw.readers r ON r.id = l.reader WHERE l.fee > 0)
SELECT day, level, sum(fee) AS fees, count(fee) AS n FROM x GROUP BY day, level;

-- name: daily again
-- writes: overwrite daily
-- columns: day < loan.day; level < loan.city; fees < loan.fee; n <
INSERT OVERWRITE {g}.pub.daily SELECT day, city, max(fee), 1 FROM lake.dwh.loan
GROUP BY day, city HAVING max(fee) > 0;

-- name: same name here
-- writes: create pub_loan
-- columns: id book fee < loan.*
CREATE TABLE {g}.pub.loan USING iceberg AS SELECT id, book, fee FROM lake.dwh.loan;

-- name: same name raw
-- writes: create pub_readers
-- columns: id name < readers.*
CREATE TABLE {g}.pub.readers USING iceberg PARTITIONED BY (truncate(2, name)) AS SELECT id, name
FROM lake.raw.readers;

-- name: cross join
-- writes: append pub_loan
-- columns: id < loan.id; book < pub_readers.name; fee < loan.fee daily.fees
-- conditions: JOIN pub_readers.id; JOIN daily.day; JOIN loan.day
INSERT INTO {g}.pub.loan SELECT l.id, p.name, l.fee + d.fees
FROM lake.dwh.loan l JOIN {g}.pub.readers p ON p.id = l.reader JOIN {g}.pub.daily d ON d.day = l.day;

-- name: union types
-- writes: create ids
-- columns: id < readers.id loans.place.room; what < readers.name loans.place.city
CREATE TABLE lake.dwh.ids USING iceberg AS SELECT id, CAST(name AS STRING) AS what FROM lake.raw.readers UNION ALL
SELECT CAST(room AS BIGINT), city FROM (SELECT place.room, place.city FROM lake.raw.loans);

-- name: windowed
-- writes: create ranked
-- columns: reader fee < loan.*; r <; mean < loan.fee
CREATE TABLE {g}.pub.ranked USING iceberg AS
SELECT reader, fee, dense_rank() OVER (PARTITION BY day ORDER BY fee DESC) AS r, avg(fee) OVER (PARTITION BY reader)
AS mean FROM lake.dwh.loan;

-- name: qualify like
-- writes: overwrite newest
-- columns: reader < loan.reader; book < loan.book; at < loan.at

-- name: pivoted
-- writes: overwrite pivoted
-- columns: reader < loan.reader; X Y < loan.fee

-- name: scalar
-- writes: append ranked
-- columns: reader < loan.reader; fee < loan.fee daily.fees; r mean <
-- conditions: JOIN pub_readers.id
INSERT INTO {g}.pub.ranked SELECT reader, fee / (SELECT max(fees) FROM {g}.pub.daily), 0, NULL FROM lake.dwh.loan
WHERE reader NOT IN (SELECT id FROM {g}.pub.readers WHERE name LIKE 'Z%');

-- name: read join
-- writes: nothing
-- columns: id < pub_loan.id; name < readers.name
-- conditions: FILTER pub_loan.fee; JOIN readers.id
SELECT a.id, b.name FROM {g}.pub.loan a JOIN lake.raw.readers b ON a.id = b.id WHERE a.fee > 1;

-- name: save append
-- writes: append newest
-- columns: reader book at < loan.*

-- name: insertInto
-- writes: append newest
-- columns: reader < loan.id; book < loan.city; at < loan.at

-- name: insertInto overwrite
-- writes: overwrite newest
-- columns: reader < loan.id; book at < loan.*

-- name: writeTo append
-- writes: append newest
-- columns: reader < readers.id; book < readers.mail; at <

-- name: writeTo partitions
-- writes: overwrite loan
-- columns: id book reader fee at city day < loan.*
-- conditions: FILTER loan.fee

-- name: writeTo where
-- writes: overwrite loan
-- columns: id reader fee at city day < loan.*; book < loan.city

-- name: writeTo partitioned
-- writes: create parted
-- columns: id < loan.id; at < loan.at; fee < loan.fee

-- name: writeTo replace
-- writes: overwrite parted
-- columns: id < readers.id; at < readers.name

-- name: static overwrite
-- writes: overwrite loan
-- columns: id book reader fee at city < loan.*; day <
INSERT OVERWRITE lake.dwh.loan PARTITION (day = '2026-02-20') SELECT id, book, reader, fee * 2, at, city
FROM lake.dwh.loan;

-- name: dynamic on

-- name: dynamic overwrite
-- writes: overwrite loan
-- columns: id book reader fee at city day < loan.*
-- conditions: FILTER loan.reader
INSERT OVERWRITE lake.dwh.loan SELECT id, lower(book), reader, fee, at, city, day FROM lake.dwh.loan
WHERE reader = 2;

-- name: dynamic off

-- name: like
-- writes: create loan_like
-- columns: id book reader fee at city day < loan.*
CREATE TABLE {g}.pub.loan_like USING iceberg AS SELECT * FROM lake.dwh.loan WHERE fee > 100;

-- name: like insert
-- writes: append loan_like
-- columns: id book reader fee at city day < loan.*
-- conditions: SORT loan.fee
INSERT INTO {g}.pub.loan_like SELECT * FROM lake.dwh.loan ORDER BY fee LIMIT 5;

-- name: cached
-- writes: append pub_readers
-- columns: id < readers.id loan.reader; name < readers.name loan.book

-- name: udf
-- writes: append pub_readers
-- columns: id < readers.id; name < readers.mail

-- name: parquet out
-- writes: overwrite out_daily
-- columns: day level fees n < daily.*

-- name: parquet in
-- writes: append daily
-- columns: day level n < out_daily.*; fees < out_daily.fees out_daily.n

-- name: values
-- writes: append readers
-- columns: id name mail level <
INSERT INTO lake.raw.readers VALUES (90, 'zoe', 'z@x.org', 'gold');

-- name: hidden days
CREATE TABLE lake.dwh.hidden (id BIGINT, at TIMESTAMP, book STRING) USING iceberg
PARTITIONED BY (days(at), bucket(4, id));

-- name: hidden insert
-- writes: append hidden
-- columns: id at < loans.*; book < loans.book loans.place.city
INSERT INTO lake.dwh.hidden SELECT id, at, concat_ws('/', book, place.city) FROM lake.raw.loans;

-- name: hidden filter
-- writes: create hid2
-- columns: book < hidden.book; id < hidden.id
-- conditions: FILTER hidden.at; FILTER hidden.id
CREATE TABLE lake.dwh.hid2 USING iceberg AS SELECT id, book FROM lake.dwh.hidden
WHERE at >= TIMESTAMP '2026-02-02 00:00:00' AND id = 4;

-- name: w30
-- writes: create w30
-- columns: c{1..30} < l_wide.*
CREATE TABLE lake.raw.w30 USING iceberg AS SELECT {1..30: c{n}} FROM parquet.`{root}/landing/wide`;

-- name: w60
-- writes: create w60
-- columns: {1..60: d{n} < l_wide.c{n} l_wide.c{n+1}}

-- name: w120 gov
-- writes: create w120
-- columns: c{1..120} < l_wide.*

-- name: w60 mor
-- writes: create w60m
-- columns: d{1..60} < w60.*
CREATE TABLE lake.raw.w60m USING iceberg
TBLPROPERTIES ('format-version' = '2', 'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read',
'write.delete.mode' = 'merge-on-read') AS SELECT * FROM lake.raw.w60;

-- name: w120 insert
-- writes: append w120
-- columns: c{1..120} < w120.*
-- conditions: FILTER w120.c9
INSERT INTO {g}.pub.w120 SELECT {1..120: c{n} * 2} FROM {g}.pub.w120 WHERE c9 > 3;

-- name: w60 rtas
-- writes: overwrite w60r
-- columns: d1 < w60.d1; {2..60: m{n} < w60.d{n}}
-- conditions: GROUP_BY w60.d1
CREATE OR REPLACE TABLE {g}.pub.w60r USING iceberg AS SELECT d1, {2..60: max(d{n}) AS m{n}} FROM lake.raw.w60
GROUP BY d1;

-- name: w60 save overwrite
-- writes: overwrite w90
-- columns: d{1..60} < w60.*; c{1..30} < w30.*
-- conditions: JOIN w60.d1; JOIN w30.c3

-- name: w60 update cow
-- writes: update w60
-- columns: d60 < w60.d59; d2 < w60.d3
-- conditions: FILTER w60.d1
UPDATE lake.raw.w60 SET d60 = d59 + 1, d2 = d3 WHERE d1 > 2;

-- name: w60 update mor
-- writes: update w60m
-- columns: d60 < w60m.d59; d40 < w60m.d41 w60m.d42
-- conditions: FILTER w60m.d5
UPDATE lake.raw.w60m SET d60 = d59 + 1, d40 = d41 * d42 WHERE d5 > 2;

-- name: w60 merge cow
-- writes: merge w60
-- columns: d{1..60} < w60m.*
MERGE INTO lake.raw.w60 t USING (SELECT * FROM lake.raw.w60m WHERE d1 < 100) s ON t.d1 = s.d1
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: w60 merge mor
-- writes: merge w60m
-- columns: {1..4: d{n} < w120.c{n}}; {6..58: d{n} < w120.c{n}}; d60 < w120.c60; d59 < w120.c58 w120.c59;
--   d5 < w60m.d5 w120.c6 w120.c5
MERGE INTO lake.raw.w60m t USING (SELECT {1..60: c{n} + 1 AS s{n}} FROM {g}.pub.w120) s ON t.d1 = s.s1
WHEN MATCHED THEN UPDATE SET t.d59 = s.s58, t.d5 = t.d5 + s.s6
WHEN NOT MATCHED THEN INSERT ({1..60: d{n}}) VALUES ({1..60: s.s{n}});

-- name: w60 delete mor
-- writes: delete w60m
-- conditions: FILTER w60m.d58; FILTER w60m.d3
DELETE FROM lake.raw.w60m WHERE d58 = 3 AND d3 > 2;

-- name: w60 delete cow
-- writes: delete w60
-- conditions: FILTER w60.d57
DELETE FROM lake.raw.w60 WHERE d57 = 3;

-- name: w120 update cow
-- writes: update w120
-- columns: c120 < w120.c1; c60 < w120.c61 w120.c62
-- conditions: FILTER w120.c119
UPDATE {g}.pub.w120 SET c120 = c1, c60 = c61 + c62 WHERE c119 < 50;

-- name: w30 dynamic
-- writes: overwrite w30
-- columns: c{1..30} < w120.*
INSERT OVERWRITE lake.raw.w30 SELECT {1..30: c{n} + 1} FROM {g}.pub.w120;

-- name: w120 read
-- writes: nothing
-- columns: c{1..120} < w120.*
-- conditions: FILTER w120.c77
SELECT * FROM {g}.pub.w120 WHERE c77 > 2;

-- name: w120 struct
-- writes: create packed
-- columns: c1 < w120.c1; s < w120.c{1..40}
CREATE TABLE {g}.pub.packed USING iceberg AS SELECT c1, struct({1..40: c{n}}) AS s FROM {g}.pub.w120;

-- name: w40 unpack
-- writes: create unpacked
-- columns: k < packed.c1; {1..40: c{n} < packed.s.c{n}}
CREATE TABLE lake.dwh.unpacked USING iceberg AS SELECT c1 AS k, s.* FROM {g}.pub.packed;

-- name: w60 count
-- writes: append daily
-- columns: day level <; fees < w60.d60; n < w60.d44
INSERT INTO {g}.pub.daily SELECT '2026', 'w', sum(d60), count(d44) FROM lake.raw.w60;

-- name: cow
-- writes: create cow
-- columns: id book fee reader day < loan.*
CREATE TABLE lake.dwh.cow USING iceberg TBLPROPERTIES ('format-version' = '2') AS SELECT id, book, fee, reader, day
FROM lake.dwh.loan;

-- name: mor
-- writes: create mor
-- columns: id book fee reader day < loan.*
CREATE TABLE {g}.pub.mor USING iceberg
TBLPROPERTIES ('format-version' = '2', 'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read',
'write.delete.mode' = 'merge-on-read') AS SELECT id, book, fee, reader, day FROM lake.dwh.loan;

-- name: cow update
-- writes: update cow
-- columns: fee < cow.fee cow.reader; book < cow.book cow.day
-- conditions: FILTER cow.id; FILTER cow.reader
UPDATE lake.dwh.cow SET fee = fee + reader, book = concat(book, day) WHERE id > 2 AND reader < 4;

-- name: mor update
-- writes: update mor
-- columns: fee < mor.fee mor.reader; book < mor.book
-- conditions: FILTER mor.id
UPDATE {g}.pub.mor SET fee = fee * reader, book = lower(book) WHERE id > 2;

-- name: cow update in
-- writes: update cow
-- columns: book <
UPDATE lake.dwh.cow SET book = 'x' WHERE reader IN (SELECT id FROM lake.raw.readers WHERE level = 'gold');

-- name: mor update in
-- writes: update mor
-- columns: fee <
UPDATE {g}.pub.mor SET fee = 0 WHERE reader IN (SELECT id FROM {g}.pub.readers);

-- name: mor update case
-- writes: update mor
-- columns: fee < mor.fee mor.id
UPDATE {g}.pub.mor SET fee = CASE WHEN reader > 1 THEN fee ELSE id END;

-- name: cow delete
-- writes: delete cow
-- conditions: FILTER cow.fee
DELETE FROM lake.dwh.cow WHERE fee > 100 AND book = 'x';

-- name: mor delete
-- writes: delete mor
-- conditions: FILTER mor.fee
DELETE FROM {g}.pub.mor WHERE fee > 4.9;

-- name: delete partition
-- writes: delete loan
-- conditions: FILTER loan.day
DELETE FROM lake.dwh.loan WHERE day = '2026-02-20';

-- name: delete exists
-- writes: delete cow
DELETE FROM lake.dwh.cow c WHERE EXISTS (SELECT 1 FROM {g}.pub.readers r WHERE r.id = c.reader + 90);

-- name: cow merge
-- writes: merge cow
-- columns: book < readers.name readers.level; fee < cow.fee readers.id; id < readers.id; reader day <
-- conditions: JOIN cow.id; JOIN readers.id
MERGE INTO lake.dwh.cow t USING (SELECT id, name, level FROM lake.raw.readers
WHERE level != 'none') s ON t.id = s.id
WHEN MATCHED AND s.level = 'gold' THEN UPDATE SET t.book = s.name, t.fee = t.fee + s.id WHEN MATCHED THEN DELETE
WHEN NOT MATCHED THEN INSERT (id, book) VALUES (s.id, s.level);

-- name: mor merge
-- writes: merge mor
-- columns: fee < loan.fee mor.fee; id reader day < loan.*; book < loan.city
-- conditions: JOIN mor.id; JOIN loan.id
MERGE INTO {g}.pub.mor t USING lake.dwh.loan s ON t.id = s.id AND t.day = s.day
WHEN MATCHED THEN UPDATE SET fee = s.fee + t.fee
WHEN NOT MATCHED AND s.fee IS NOT NULL THEN INSERT (id, book, fee, reader, day)
VALUES (s.id, s.city, s.fee, s.reader, s.day);

-- name: merge star
-- writes: merge mor
-- columns: id book fee reader day < cow.*
MERGE INTO {g}.pub.mor t USING lake.dwh.cow s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;

-- name: merge by source
-- writes: merge cow
-- columns: book < pub_readers.name; fee < cow.fee
MERGE INTO lake.dwh.cow t USING {g}.pub.readers s ON t.reader = s.id WHEN MATCHED THEN UPDATE SET t.book = s.name
WHEN NOT MATCHED BY SOURCE AND t.fee > 3 THEN UPDATE SET t.fee = t.fee / 2
WHEN NOT MATCHED BY SOURCE AND t.fee < 0 THEN DELETE;

-- name: merge aggregated
-- writes: merge cow
-- columns: fee < loan.fee; day < loan.day cow.day
MERGE INTO lake.dwh.cow t USING (SELECT reader, sum(fee) AS f, max(day) AS d FROM lake.dwh.loan
GROUP BY reader) s ON t.id = s.reader WHEN MATCHED THEN UPDATE SET fee = s.f, day = coalesce(s.d, t.day);

-- name: merge insert only
-- writes: append mor
-- columns: id < readers.id; book < readers.name; fee reader day <
MERGE INTO {g}.pub.mor t USING (SELECT DISTINCT id + 700 AS id, name FROM lake.raw.readers) s ON t.id = s.id
WHEN NOT MATCHED THEN INSERT (id, book, fee, reader, day) VALUES (s.id, s.name, 0, NULL, 'd');

-- name: merge self
-- writes: merge cow
-- columns: reader < cow.fee
MERGE INTO lake.dwh.cow t USING (SELECT id, max(fee) AS fee FROM lake.dwh.cow GROUP BY id) s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET reader = CAST(s.fee AS BIGINT);

-- name: merge view
-- writes: merge cow
-- columns: book < loan.city

-- name: merge api
-- only: 4-1
-- writes: merge cow
-- columns: fee < loan.fee; id < loan.id; book reader day <

-- name: nested ddl
-- writes: create nest
-- columns: id place tags props < loans.*
CREATE TABLE lake.dwh.nest USING iceberg AS SELECT id, place, tags, props FROM lake.raw.loans;

-- name: nested update
-- writes: update nest
-- columns: place < nest.place.city nest.place.room
UPDATE lake.dwh.nest SET place.city = upper(place.city) WHERE id = 1;

-- name: nested read
-- writes: append ids
-- columns: id < nest.place.room; what < nest.props
INSERT INTO lake.dwh.ids SELECT place.room, props['lang'] FROM lake.dwh.nest;

-- name: truncate
TRUNCATE TABLE lake.dwh.hid2;

-- name: alt
CREATE TABLE lake.dwh.alt (id INT, name STRING, v FLOAT, amount DECIMAL(8, 2), s STRUCT<a: INT, b: STRING>,
l ARRAY<STRUCT<x: INT>>) USING iceberg;

-- name: alt insert
-- writes: append alt
-- columns: id < loan.id; name < loan.book; v amount < loan.fee; s < loan.city; l <
INSERT INTO lake.dwh.alt SELECT CAST(id AS INT), book, CAST(fee AS FLOAT), CAST(fee
AS DECIMAL(8, 2)), named_struct('a', 1, 'b', city), array(named_struct('x', 1)) FROM lake.dwh.loan;

-- name: alt add
-- writes: alter alt
ALTER TABLE lake.dwh.alt ADD COLUMNS (note STRING COMMENT 'n', rank INT AFTER name);

-- name: alt add first
-- writes: alter alt
ALTER TABLE lake.dwh.alt ADD COLUMN code STRING FIRST;

-- name: alt add nested
-- writes: alter alt
ALTER TABLE lake.dwh.alt ADD COLUMN s.c DOUBLE;

-- name: alt add element
-- writes: alter alt
ALTER TABLE lake.dwh.alt ADD COLUMN l.element.y STRING;

-- name: alt rename
-- writes: alter alt
ALTER TABLE lake.dwh.alt RENAME COLUMN note TO remark;

-- name: alt rename nested
-- writes: alter alt
ALTER TABLE lake.dwh.alt RENAME COLUMN s.b TO bb;

-- name: alt widen
-- writes: alter alt
ALTER TABLE lake.dwh.alt ALTER COLUMN id TYPE BIGINT;

-- name: alt widen float
-- writes: alter alt
ALTER TABLE lake.dwh.alt ALTER COLUMN v TYPE DOUBLE;

-- name: alt widen decimal
-- writes: alter alt
ALTER TABLE lake.dwh.alt ALTER COLUMN amount TYPE DECIMAL(18, 2);

-- name: alt after
-- writes: alter alt
ALTER TABLE lake.dwh.alt ALTER COLUMN remark AFTER id;

-- name: alt first
-- writes: alter alt
ALTER TABLE lake.dwh.alt ALTER COLUMN v FIRST;

-- name: alt comment
-- writes: alter alt
ALTER TABLE lake.dwh.alt ALTER COLUMN v COMMENT 'value';

-- name: alt use
-- writes: append alt
-- columns: v name amount s l rank <; code < loan.city; id < loan.id; remark < loan.book
INSERT INTO lake.dwh.alt (id, code, remark, rank) SELECT id, city, book, 3 FROM lake.dwh.loan;

-- name: alt drop
-- writes: alter alt
ALTER TABLE lake.dwh.alt DROP COLUMN rank;

-- name: alt drop two
-- writes: alter alt
ALTER TABLE lake.dwh.alt DROP COLUMNS (code, s.c);

-- name: alt partition
-- writes: alter alt
ALTER TABLE lake.dwh.alt ADD PARTITION FIELD bucket(4, id);

-- name: alt partition named
-- writes: alter alt
ALTER TABLE lake.dwh.alt ADD PARTITION FIELD truncate(3, name) AS short;

-- name: alt replace partition
-- writes: alter alt
ALTER TABLE lake.dwh.alt REPLACE PARTITION FIELD short WITH truncate(2, name) AS shorter;

-- name: alt drop partition
-- writes: alter alt
ALTER TABLE lake.dwh.alt DROP PARTITION FIELD shorter;

-- name: alt order
-- writes: alter alt
ALTER TABLE lake.dwh.alt WRITE ORDERED BY name, id DESC;

-- name: alt distribute
-- writes: alter alt
ALTER TABLE lake.dwh.alt WRITE DISTRIBUTED BY PARTITION;

-- name: alt not null
-- writes: alter alt
ALTER TABLE lake.dwh.alt SET TBLPROPERTIES ('x' = 'y');

-- name: alt unset
-- writes: alter alt
ALTER TABLE lake.dwh.alt UNSET TBLPROPERTIES ('x');

-- name: alt copy
-- writes: create alt_copy
-- columns: v id remark name amount s l < alt.*
CREATE TABLE {g}.pub.alt_copy USING iceberg AS SELECT * FROM lake.dwh.alt;

-- name: alt other catalog
-- writes: alter alt_copy
ALTER TABLE {g}.pub.alt_copy ADD COLUMN checked BOOLEAN;

-- name: alt other rename
-- writes: alter alt_copy
ALTER TABLE {g}.pub.alt_copy RENAME COLUMN remark TO said;

-- name: alt other read
-- writes: nothing
-- columns: said checked < alt_copy.*
SELECT said, checked FROM {g}.pub.alt_copy;

-- name: rtas other shape
-- writes: overwrite alt_copy
-- columns: id < alt.id; called < alt.name
CREATE OR REPLACE TABLE {g}.pub.alt_copy USING iceberg AS SELECT id, name AS called FROM lake.dwh.alt;

-- name: replace ddl
CREATE OR REPLACE TABLE {g}.pub.alt_copy (id BIGINT, called STRING, x INT) USING iceberg;

-- name: if not exists
CREATE TABLE IF NOT EXISTS {g}.pub.alt_copy (id BIGINT) USING iceberg;

-- name: after ddl
-- writes: append alt_copy
-- columns: id < readers.id; called < readers.name; x <
INSERT INTO {g}.pub.alt_copy SELECT id, name, 1 FROM lake.raw.readers;

-- name: rename
-- only: 4-1
ALTER TABLE {g}.pub.alt_copy RENAME TO {g}.pub.alt_final;

-- name: rename read
-- only: 4-1
-- writes: nothing
-- columns: called < alt_final.called
SELECT called FROM {g}.pub.alt_final;

-- name: drop
DROP TABLE lake.dwh.ids;

-- name: create again
-- writes: create ids
-- columns: id < loan.reader; day < loan.day
CREATE TABLE lake.dwh.ids USING iceberg AS SELECT reader AS id, day FROM lake.dwh.loan;

-- name: merge schema
-- writes: append ids
-- columns: id < readers.id; day < readers.name; mail < readers.mail

-- name: ver
-- writes: create ver
-- columns: id fee < loans.*
CREATE TABLE lake.dwh.ver USING iceberg AS SELECT id, fee FROM lake.raw.loans WHERE fee < 2;

-- name: ver two
-- writes: append ver
-- columns: id fee < loans.*
INSERT INTO lake.dwh.ver SELECT id, fee FROM lake.raw.loans WHERE fee >= 2;

-- name: ver three
-- writes: append ver
-- columns: id < readers.id; fee <
INSERT INTO lake.dwh.ver SELECT id, 0.0D FROM lake.raw.readers;

-- name: ver id
-- writes: nothing
-- columns: id < ver.id

-- name: ver id write
-- writes: append ids
-- columns: id < ver.id; day mail <

-- name: ver option
-- writes: nothing
-- columns: id fee < ver.*

-- name: ver tag
-- writes: alter ver
ALTER TABLE lake.dwh.ver CREATE TAG first_tag;

-- name: ver branch
-- writes: alter ver
ALTER TABLE lake.dwh.ver CREATE BRANCH dev;

-- name: ver branch write
-- writes: append ver
-- columns: id fee < loans.*
INSERT INTO lake.dwh.ver.branch_dev SELECT id + 1000, fee FROM lake.raw.loans;

-- name: ver main after branch
-- writes: nothing
-- columns: id fee < ver.*
-- conditions: FILTER ver.id
SELECT id, fee FROM lake.dwh.ver WHERE id > 1;

-- name: ver read branch
-- writes: nothing
-- columns: id < ver.id

-- name: ver read tag
-- writes: nothing
-- columns: id < ver.id

-- name: ver branch update
-- writes: update ver
-- columns: fee < ver.id
UPDATE lake.dwh.ver.branch_dev SET fee = id * 2 WHERE id > 1000;

-- name: ver fast forward
-- writes: maintenance ver
CALL lake.system.fast_forward('dwh.ver', 'main', 'dev');

-- name: ver read forward
-- writes: nothing
-- columns: fee < ver.fee
SELECT fee FROM lake.dwh.ver;

-- name: ver rollback
-- writes: maintenance ver

-- name: ver read rolled
-- writes: nothing
-- columns: id < ver.id
SELECT id FROM lake.dwh.ver;

-- name: ver set current
-- writes: maintenance ver

-- name: ver write after
-- writes: append ver
-- columns: id < loans.reader; fee < loans.fee
INSERT INTO lake.dwh.ver SELECT reader, fee FROM lake.raw.loans;

-- name: wap on
-- writes: alter ver
ALTER TABLE lake.dwh.ver SET TBLPROPERTIES ('write.wap.enabled' = 'true');

-- name: wap write
-- writes: append ver
-- columns: id < readers.id; fee <

-- name: wap publish
-- writes: maintenance ver
CALL lake.system.publish_changes('dwh.ver', 'wap1');

-- name: wap read
-- writes: nothing
-- columns: id fee < ver.*
SELECT id, fee FROM lake.dwh.ver;

-- name: wap branch write
-- writes: append ver
-- columns: id < readers.id; fee < readers.id

-- name: cherry-pick
-- writes: maintenance ver

-- name: ver drop branch
-- writes: alter ver
ALTER TABLE lake.dwh.ver DROP BRANCH dev;

-- name: ver replace tag
-- writes: alter ver
ALTER TABLE lake.dwh.ver CREATE OR REPLACE TAG first_tag;

-- name: ver drop tag
-- writes: alter ver
ALTER TABLE lake.dwh.ver DROP TAG first_tag;

-- name: ver incremental
-- writes: append ids
-- columns: id < ver.id; day < ver.fee; mail <

-- name: audit snapshots
-- writes: create audit
-- columns: snapshot_id operation < ver_snapshots.*
CREATE TABLE {g}.pub.audit USING iceberg AS SELECT snapshot_id, operation FROM lake.dwh.ver.snapshots;

-- name: audit files
-- writes: append audit
-- columns: snapshot_id < mor_files.record_count; operation < mor_files.file_path
INSERT INTO {g}.pub.audit SELECT record_count, file_path FROM {g}.pub.mor.files;

-- name: history
-- writes: nothing
-- columns: made_current_at snapshot_id < ver_history.*
SELECT made_current_at, snapshot_id FROM lake.dwh.ver.history;

-- name: rewrite files
-- writes: maintenance cow
CALL lake.system.rewrite_data_files(table => 'dwh.cow', options => map('min-input-files', '1', 'rewrite-all',
'true'));

-- name: rewrite sorted
-- writes: maintenance mor
CALL {g}.system.rewrite_data_files(table => 'pub.mor', strategy => 'sort', sort_order => 'id DESC',
options => map('rewrite-all', 'true'));

-- name: rewrite deletes
-- writes: maintenance w60m
CALL lake.system.rewrite_position_delete_files(table => 'raw.w60m', options => map('rewrite-all', 'true'));

-- name: rewrite manifests
-- writes: maintenance loan
CALL lake.system.rewrite_manifests('dwh.loan');

-- name: expire
-- writes: maintenance loan
CALL lake.system.expire_snapshots(table => 'dwh.loan', retain_last => 2);

-- name: changelog view

-- name: changelog read
-- writes: create changes
-- columns: id fee < cow.*; what < cow._change_type
CREATE TABLE {g}.pub.changes USING iceberg AS SELECT id, fee, _change_type AS what FROM cow_changes WHERE id > 0;

-- name: after rewrite
-- writes: nothing
-- columns: book < cow.book
-- conditions: FILTER cow.fee
SELECT book FROM lake.dwh.cow WHERE fee > 0;

-- name: count star
-- writes: append daily
-- columns: day level fees n <
INSERT INTO {g}.pub.daily SELECT 'c', 'd', 0.0D, count(*) FROM lake.dwh.cow;

-- name: max min
-- writes: create bounds
-- columns: hi lo < cow.id
CREATE TABLE {g}.pub.bounds USING iceberg AS SELECT max(id) AS hi, min(id) AS lo FROM lake.dwh.cow;

-- name: time
-- writes: nothing
-- columns: id < ver.id

-- name: temp view
-- writes: append pub_loan
-- columns: id < loan.id; book < readers.name; fee < loan.fee
-- conditions: JOIN loan.reader; JOIN readers.id

-- name: shadow
-- writes: append pub_loan
-- columns: id < readers.id; book < readers.mail; fee <

-- name: cte
-- writes: append pub_loan
-- columns: id < loan.reader; book < pub_readers.name; fee < loan.fee
INSERT INTO {g}.pub.loan WITH a AS (SELECT reader, fee FROM lake.dwh.loan), b AS (SELECT reader, max(fee) AS m
FROM a GROUP BY reader) SELECT a.reader, r.name, b.m - a.fee
FROM a JOIN b ON a.reader = b.reader LEFT JOIN {g}.pub.readers r ON r.id = a.reader;

-- name: except
-- writes: append pub_readers
-- columns: id name < readers.*
-- conditions: JOIN pub_loan.id
INSERT INTO {g}.pub.readers SELECT id, name FROM lake.raw.readers EXCEPT SELECT id, book FROM {g}.pub.loan;

-- name: semi anti
-- writes: append pub_readers
-- columns: id < loan.id loan.reader; name < loan.book loan.city
-- conditions: JOIN pub_loan.id; JOIN readers.id
INSERT INTO {g}.pub.readers SELECT l.id, l.book FROM lake.dwh.loan l LEFT ANTI JOIN {g}.pub.loan p ON p.id = l.id
UNION ALL SELECT l.reader, l.city FROM lake.dwh.loan l LEFT SEMI JOIN lake.raw.readers r ON r.id = l.reader;

-- name: case
-- writes: append pub_readers
-- columns: id < readers.id; name < readers.name readers.mail
INSERT INTO {g}.pub.readers SELECT id, CASE WHEN level = 'gold' THEN name
WHEN mail IS NULL THEN '-' ELSE lower(mail) END FROM lake.raw.readers;

-- name: rollup
-- writes: append daily
-- columns: day < loan.day; level < loan.city; fees < loan.fee; n <
INSERT INTO {g}.pub.daily SELECT day, city, sum(fee), count(*) FROM lake.dwh.loan GROUP BY CUBE (day, city);

-- name: lists
-- writes: create lists
-- columns: reader < loan.reader; rows < loan.book loan.fee
CREATE TABLE {g}.pub.lists USING iceberg AS SELECT reader, collect_list(named_struct('b', book, 'f', fee)) AS rows
FROM lake.dwh.loan GROUP BY reader;

-- name: inlined
-- writes: create inlined
-- columns: reader < lists.reader; b < lists.rows.b; f < lists.rows.f
CREATE TABLE lake.dwh.inlined USING iceberg AS SELECT reader, r.b, r.f
FROM {g}.pub.lists LATERAL VIEW explode(rows) x AS r;

-- name: view
-- only: 4-1
-- writes: create v
-- columns: id < loan.id; twice < loan.fee
CREATE VIEW gov.pub.v AS SELECT id, fee * 2 AS twice FROM lake.dwh.loan;

-- name: view read
-- only: 4-1
-- writes: append ver
-- columns: id < loan.id; fee < loan.fee
INSERT INTO lake.dwh.ver SELECT id, twice FROM gov.pub.v;

-- name: odd
-- writes: create odd
-- columns: `the id` < readers.id; x[0] < readers.name; k#1 < readers.mail; sum(id) < readers.id; größe < readers.level
CREATE TABLE lake.dwh.`odd-table` USING iceberg AS
SELECT id AS `the id`, name AS `x[0]`, mail AS `k#1`, id + 1 AS `sum(id)`, level AS `größe` FROM lake.raw.readers;

-- name: odd insert
-- writes: append odd
-- columns: `the id` x[0] k#1 sum(id) größe < odd.*
-- conditions: FILTER odd.`the id`
INSERT INTO lake.dwh.`odd-table` SELECT `the id` * 2, upper(`x[0]`), `k#1`, `sum(id)`, `größe`
FROM lake.dwh.`odd-table` WHERE `the id` > 1;

-- name: odd update
-- writes: update odd
-- columns: x[0] < odd.k#1; `the id` < odd.sum(id)
-- conditions: FILTER odd.größe
UPDATE lake.dwh.`odd-table` SET `x[0]` = concat(`k#1`, 'z'), `the id` = `sum(id)` WHERE `größe` = 'gold';

-- name: odd merge
-- writes: merge odd
-- columns: x[0] < pub_readers.name; `the id` < pub_readers.id; k#1 < pub_readers.name; sum(id) größe <
MERGE INTO lake.dwh.`odd-table` t USING {g}.pub.readers s ON t.`the id` = s.id
WHEN MATCHED THEN UPDATE SET `x[0]` = s.name
WHEN NOT MATCHED THEN INSERT (`the id`, `x[0]`, `k#1`, `sum(id)`, `größe`) VALUES (s.id, 'a', s.name, 0, 'b');

-- name: odd out
-- writes: create odd_out
-- columns: a.b < odd.`the id`; k < odd.k#1 odd.größe
CREATE TABLE {g}.pub.`out table` USING iceberg AS SELECT `the id` AS `a.b`, `k#1` || `größe` AS k
FROM lake.dwh.`odd-table`;

-- name: odd back
-- writes: append pub_readers
-- columns: id < odd_out.a.b; name < odd_out.k
INSERT INTO {g}.pub.readers SELECT `a.b`, k FROM {g}.pub.`out table`;

-- name: mixed case
-- writes: create camel
-- columns: CamelId < readers.id; FullName < readers.name
CREATE TABLE lake.dwh.CamelTable USING iceberg AS SELECT id AS CamelId, name AS FullName FROM lake.raw.readers;

-- name: mixed read
-- writes: append camel
-- columns: CamelId FullName < camel.*
INSERT INTO lake.dwh.CamelTable SELECT CAMELID + 1, fullname FROM lake.dwh.CamelTable;

-- name: stream target
CREATE TABLE lake.dwh.s_flat (id BIGINT, twice DOUBLE) USING iceberg;

-- name: stream table
-- writes: append s_flat
-- columns: id < loans.id; twice < loans.fee
-- conditions: FILTER loans.fee

-- name: stream target two
CREATE TABLE lake.dwh.s_files (book STRING, city STRING) USING iceberg;

-- name: stream files
-- writes: append s_files
-- columns: book < l_loans.book; city < l_loans.place.city

-- name: stream target three
CREATE TABLE lake.dwh.s_totals (book STRING, total DOUBLE) USING iceberg;

-- name: stream totals
-- writes: overwrite s_totals
-- columns: book < loans.book; total < loans.fee
-- conditions: GROUP_BY loans.book

-- name: stream merge
-- writes: merge s_merge
-- columns: id < loans.id; fee < loans.fee
-- conditions: JOIN s_merge.id

-- name: stream batch
-- writes: append s_flat
-- columns: id < loans.reader; twice < loans.fee

-- name: after stream
-- writes: append ver
-- columns: id < s_flat.id; fee < s_flat.twice
-- conditions: FILTER s_flat.twice
INSERT INTO lake.dwh.ver SELECT id, twice FROM lake.dwh.s_flat WHERE twice > 1;

-- name: add files
CALL lake.system.add_files(table => 'dwh.s_files', source_table => '`parquet`.`{root}/out/books`');

-- name: drop purge
DROP TABLE lake.dwh.CamelTable PURGE;

-- name: last read
-- writes: nothing
-- columns: id < s_merge.id; book < s_totals.book
-- conditions: JOIN s_merge.fee; JOIN s_totals.total
SELECT a.id, b.book FROM lake.dwh.s_merge a JOIN lake.dwh.s_totals b ON a.fee < b.total;

-- elsewhere: helper: wide
-- writes: create l_wide
-- columns: c{1..120} <
