# museum: works
CREATE TABLE works (id BIGINT, artist_id BIGINT, title STRING, made INT, price DECIMAL(12,2), size STRUCT<w: DOUBLE, h: DOUBLE, unit: STRUCT<name: STRING, factor: DOUBLE>>,
  tags ARRAY<STRING>, marks MAP<STRING, ARRAY<STRUCT<who: STRING, at: TIMESTAMP, note: STRING>>>, grid ARRAY<ARRAY<INT>>, acquired DATE, label STRING) USING parquet
# museum: artists
CREATE TABLE artists (id BIGINT, name STRING, born INT, country STRING, bio STRING, teacher_id BIGINT) USING parquet
# museum: tickets
CREATE TABLE tickets (tid BIGINT, guest STRING, room STRING, at TIMESTAMP, spent DOUBLE, kind STRING, raw STRING, day DATE) USING parquet PARTITIONED BY (day)
# museum: rooms
CREATE TABLE rooms (room STRING, floor INT, wing STRING, work_ids ARRAY<BIGINT>, open STRING) USING parquet
# museum: loans
CREATE TABLE loans (work_id BIGINT, lender STRING, borrower STRING, since DATE, until DATE, fee DOUBLE) USING parquet
# museum: rows of works
INSERT INTO works (id, artist_id, title, made, price, label) VALUES (1, 1, 'a', 1900, 2.5, 'x'), (2, 1, 'b', 1950, 7.5, 'y')
# museum: rows of artists
INSERT INTO artists (id, name, born, country, teacher_id) VALUES (1, 'n', 1870, 'FR', NULL), (2, 'm', 1890, 'NL', 1)
# museum: rows of tickets
INSERT INTO tickets (tid, guest, room, at, spent, kind, raw, day) VALUES (1, 'g', 'r1', TIMESTAMP'2026-01-02 10:00:00', 3.0, 'full', '{"a": 1}', DATE'2026-01-02'), (2, 'h', 'r2', TIMESTAMP'2026-01-03 10:00:00', 4.0, 'kid', '{"a": 2}', DATE'2026-01-03')
# museum: rows of rooms
INSERT INTO rooms VALUES ('r1', 1, 'east', array(1, 2), '9-17'), ('r2', 2, 'west', array(2), '10-18')
# museum: rows of loans
INSERT INTO loans VALUES (1, 'us', 'them', DATE'2026-01-01', DATE'2026-03-01', 9.0)
# museum: by room
CREATE TABLE mart.by_room (room STRING, n BIGINT, spent DOUBLE) USING parquet
# museum: by guest
CREATE TABLE mart.by_guest (guest STRING, last TIMESTAMP) USING parquet
# museum: by day
CREATE TABLE mart.ticket_days (room STRING, spent DOUBLE, kind STRING, day DATE) USING parquet PARTITIONED BY (kind, day)
# museum writes: two inserts from one source
FROM (SELECT t.room, t.guest, t.spent, t.at, r.wing FROM tickets t JOIN rooms r ON t.room = r.room) s
INSERT INTO mart.by_room SELECT s.room, count(*), sum(s.spent) WHERE s.wing = 'east' GROUP BY s.room
INSERT OVERWRITE TABLE mart.by_guest SELECT guest, max(at) WHERE spent > 1 GROUP BY guest
-> room: tickets.room
-> n: -
-> spent: tickets.spent
-> rows: JOIN tickets.room, rooms.room; FILTER rooms.wing; GROUP_BY tickets.room
-> to: mart.by_room
-> guest: tickets.guest
-> last: tickets.at
-> rows: JOIN tickets.room, rooms.room; FILTER tickets.spent; GROUP_BY tickets.guest
-> to: mart.by_guest
# museum writes: two inserts from a named subquery with a lateral view
FROM (SELECT room, floor, w FROM rooms LATERAL VIEW explode(work_ids) v AS w) r
INSERT INTO mart.by_room SELECT r.room, count(r.w), avg(r.floor) GROUP BY r.room
INSERT INTO mart.by_guest SELECT concat(r.room, '-', r.w), TIMESTAMP'2026-01-01' WHERE r.w > 1
-> room: rooms.room
-> n: rooms.work_ids
-> spent: rooms.floor
-> rows: GROUP_BY rooms.room; MAY rooms.work_ids
-> to: mart.by_room
-> guest: rooms.room, .work_ids
-> last: -
-> rows: FILTER rooms.work_ids
-> to: mart.by_guest
# museum writes: static and dynamic partition together
INSERT OVERWRITE mart.ticket_days PARTITION (kind = 'full', day) SELECT room, sum(spent), day FROM tickets WHERE kind = 'full' GROUP BY room, day
-> room: tickets.room
-> spent: tickets.spent
-> kind: -
-> day: tickets.day
-> rows: FILTER tickets.kind; GROUP_BY tickets.room, .day
-> to: mart.ticket_days
# museum writes: only partitions that do not exist
INSERT OVERWRITE mart.ticket_days PARTITION (kind = 'kid', day = DATE'2026-01-03') IF NOT EXISTS SELECT upper(room), spent FROM tickets WHERE kind = 'kid'
-> room: tickets.room
-> spent: tickets.spent
-> kind: -
-> day: -
-> rows: FILTER tickets.kind
-> to: mart.ticket_days
# museum writes: a directory of json
INSERT OVERWRITE DIRECTORY '/tmp/everyday_sql_museum' USING json SELECT title, price * 2 AS twice FROM works WHERE made > 1900
-> title: works.title
-> twice: works.price
-> rows: FILTER works.made
-> to: file:///tmp/everyday_sql_museum
# museum writes: a table from a table
INSERT INTO mart.by_room TABLE mart.by_room
-> = by_room: room, n, spent
-> to: mart.by_room
# museum subqueries: correlated in the list, the condition and HAVING
SELECT a.country, max((SELECT max(w.price) FROM works w WHERE w.artist_id = a.id)) AS dearest, count(*) AS n FROM artists a
WHERE a.born > (SELECT avg(b.born) FROM artists b WHERE b.country = a.country) GROUP BY a.country, a.id HAVING count(*) >= (SELECT count(DISTINCT l.lender) FROM loans l)
-> country: artists.country
-> dearest: works.price
-> n: -
-> rows: FILTER artists.born, loans.lender; JOIN artists.country, .id, works.artist_id; GROUP_BY artists.country, .id; MAY artists.born
# museum subqueries: exists and not exists with two keys
SELECT w.title FROM works w WHERE EXISTS (SELECT 1 FROM loans l WHERE l.work_id = w.id AND l.fee > w.price) AND NOT EXISTS (SELECT 1 FROM rooms r WHERE array_contains(r.work_ids, w.id))
-> title: works.title
-> rows: JOIN works.id, loans.work_id, .fee, works.price, rooms.work_ids
# museum subqueries: not in with nulls and pairs
SELECT a.name FROM artists a WHERE a.teacher_id NOT IN (SELECT teacher_id FROM artists WHERE born > 1800) AND (a.id, a.country) NOT IN (SELECT artist_id, label FROM works)
-> name: artists.name
-> rows: JOIN artists.teacher_id, .id, .country, works.artist_id, .label; FILTER artists.born
# museum subqueries: in or a condition
SELECT tid, guest IN (SELECT lender FROM loans) AS lends, CASE WHEN room IN (SELECT room FROM rooms WHERE floor > 1) OR spent > 3 THEN kind ELSE raw END AS k FROM tickets
-> tid: tickets.tid
-> lends: ?tickets.guest, ?loans.lender
-> k: tickets.kind, .raw; IF ?tickets.room, ?rooms.room, tickets.spent
-> rows: JOIN tickets.guest, loans.lender, tickets.room, rooms.room; MAY rooms.floor
# museum subqueries: named ones within named ones
WITH base AS (WITH dear AS (SELECT * FROM works WHERE price > 5), old AS (SELECT * FROM dear WHERE made < 1950) SELECT id, artist_id, title FROM old),
named AS (SELECT b.title, a.name FROM base b JOIN artists a ON a.id = b.artist_id),
base2 AS (SELECT title, count(*) OVER (PARTITION BY name) AS n FROM named) SELECT title, n + 1 AS n FROM base2 WHERE n > 1
-> title: works.title
-> n: -; WINDOW artists.name
-> rows: FILTER works.price, .made, artists.name; JOIN artists.id, works.artist_id
# museum pivots: two columns and three aggregates
SELECT * FROM (SELECT room, kind, month(day) AS m, spent, guest FROM tickets) PIVOT (sum(spent) AS s, count(DISTINCT guest) AS g, max(spent) AS x FOR (kind, m) IN (('full', 1) AS full_jan, ('kid', 2) AS kid_feb))
-> room: tickets.room
-> full_jan_s: tickets.spent; IF tickets.kind, .day
-> full_jan_g: tickets.guest; IF tickets.kind, .day
-> full_jan_x: tickets.spent; IF tickets.kind, .day
-> kid_feb_s: tickets.spent; IF tickets.kind, .day
-> kid_feb_g: tickets.guest; IF tickets.kind, .day
-> kid_feb_x: tickets.spent; IF tickets.kind, .day
-> rows: GROUP_BY tickets.room; MAY tickets.kind, .day, .guest
# museum pivots: unpivot of pairs with names
SELECT * FROM (SELECT work_id, lender, borrower, since, until FROM loans) UNPIVOT INCLUDE NULLS ((who, on) FOR role IN ((lender, since) AS gives, (borrower, until) AS takes))
-> work_id: loans.work_id
-> role: -
-> who: loans.lender, .borrower
-> on: loans.since, .until
# museum groups: sets, grouping and conditions
SELECT country, born DIV 100 AS century, count(*) AS n, max(name) FILTER (WHERE bio IS NOT NULL) AS m, grouping(country) AS g FROM artists GROUP BY GROUPING SETS ((country, born DIV 100), (country), ()) HAVING grouping(country) = 0 OR count(*) > 3 ORDER BY n DESC, country NULLS LAST
-> country: artists.country
-> century: artists.born
-> n: -
-> m: artists.name; IF artists.bio
-> g: -; IF ?artists.country
-> rows: GROUP_BY artists.country, .born; SORT artists.country; MAY artists.country, .born
# museum groups: a cube over a join with distinct counts
SELECT r.wing, t.kind, count(DISTINCT t.guest) AS g, count(DISTINCT date_trunc('HOUR', t.at)) AS h, sum(t.spent) AS s FROM tickets t JOIN rooms r USING (room) GROUP BY CUBE (r.wing, t.kind)
-> wing: rooms.wing
-> kind: tickets.kind
-> g: tickets.guest
-> h: tickets.at
-> s: tickets.spent
-> rows: JOIN tickets.room, rooms.room; GROUP_BY rooms.wing, tickets.kind; MAY tickets.guest, .at
# museum lambdas: nested arrays
SELECT id, transform(grid, row -> aggregate(row, 0, (a, c) -> a + c * made)) AS sums, flatten(transform(grid, (row, i) -> filter(row, c -> c > i AND c < artist_id))) AS flat, exists(grid, row -> forall(row, c -> c > 0)) AS e FROM works
-> id: works.id
-> sums: works.grid, .made
-> flat: works.grid, .artist_id
-> e: works.grid
# museum lambdas: maps of arrays of structs
SELECT id, transform_values(marks, (k, v) -> transform(v, m -> concat(m.who, ':', m.note, label))) AS a, map_keys(map_filter(marks, (k, v) -> size(v) > 1 AND k <> title)) AS b, transform(marks['x'], m -> m.at)[0] AS c, aggregate(map_values(marks), '', (acc, v) -> concat(acc, v[0].who)) AS d FROM works
-> id: works.id
-> a: works.marks, .label, ?.marks.who, ?.marks.note
-> b: works.marks, .title
-> c: works.marks.at, ?.marks
-> d: works.marks, ?.marks.who
# museum lambdas: entries exploded twice
SELECT w.id, k, m.who, m.at FROM works w LATERAL VIEW explode(marks) x AS k, v LATERAL VIEW OUTER explode(v) y AS m WHERE m.note LIKE '%)%' OR k = title
-> id: works.id
-> k: works.marks
-> who: works.marks.who, ?.marks
-> at: works.marks.at, ?.marks
-> rows: FILTER works.marks.note, .title; MAY works.marks
# museum windows: frames with several orders
SELECT tid, sum(spent) OVER (PARTITION BY room ORDER BY at, tid DESC ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS a, sum(spent) OVER (PARTITION BY room ORDER BY at DESC NULLS LAST, kind) AS b,
 last_value(kind) IGNORE NULLS OVER (PARTITION BY guest ORDER BY day, at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS c, avg(spent) OVER (ORDER BY CAST(day AS TIMESTAMP) RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW) AS d FROM tickets
-> tid: tickets.tid
-> a: tickets.spent; WINDOW tickets.room, .at, .tid
-> b: tickets.spent; WINDOW tickets.room, .at, .kind
-> c: tickets.kind; WINDOW tickets.guest, .day, .at
-> d: tickets.spent; WINDOW tickets.day
# museum windows: over groups
SELECT room, sum(spent) AS s, rank() OVER (PARTITION BY max(kind) ORDER BY sum(spent) DESC, room) AS r, sum(sum(spent)) OVER () AS total, sum(spent) / sum(sum(spent)) OVER (PARTITION BY min(day)) AS part FROM tickets GROUP BY room
-> room: tickets.room
-> s: tickets.spent
-> r: -; WINDOW tickets.kind, .spent, .room
-> total: tickets.spent
-> part: tickets.spent; WINDOW tickets.day
-> rows: GROUP_BY tickets.room
# museum laterals: of a subquery with a limit and of a generator [from 4.0]
SELECT a.name, w.title, t.tag FROM artists a LEFT JOIN LATERAL (SELECT title, tags FROM works w WHERE w.artist_id = a.id AND w.made > a.born ORDER BY w.price DESC LIMIT 2) w ON true LEFT JOIN LATERAL explode(w.tags) AS t(tag)
-> name: artists.name
-> title: works.title
-> tag: works.tags
-> rows: JOIN works.artist_id, artists.id, works.made, artists.born; MAY works.price, .tags
# museum laterals: an aggregate per row
SELECT r.room, s.n, s.total FROM rooms r, LATERAL (SELECT count(*) AS n, sum(w.price) AS total FROM works w WHERE array_contains(r.work_ids, w.id)) s WHERE r.floor > 0
-> room: rooms.room
-> n: -; IF ?rooms.work_ids, ?works.id
-> total: works.price; IF ?rooms.work_ids, ?works.id
-> rows: JOIN rooms.work_ids, ?works.id; FILTER rooms.floor; MAY works.id, rooms.work_ids
# museum recursion: teachers of teachers [from 4.1]
WITH RECURSIVE line(id, name, top, depth) AS (SELECT id, name, country, 0 FROM artists WHERE teacher_id IS NULL UNION ALL SELECT a.id, a.name, l.top, l.depth + 1 FROM artists a JOIN line l ON a.teacher_id = l.id)
SELECT l.name, l.top, l.depth, w.title FROM line l LEFT JOIN works w ON w.artist_id = l.id
-> name: artists.name
-> top: artists.country
-> depth: -
-> title: works.title
-> rows: FILTER artists.teacher_id; JOIN artists.teacher_id, .id, works.artist_id
# museum pipes: a window, an unpivot and a set [from 4.0]
FROM loans |> WHERE fee > 2 |> EXTEND row_number() OVER (PARTITION BY lender ORDER BY since DESC) AS n |> WHERE n = 1 |> SELECT work_id, lender, borrower |> UNPIVOT (who FOR role IN (lender, borrower)) |> UNION ALL (SELECT id, 'artist', name FROM artists) |> ORDER BY who, role
-> work_id: loans.work_id, artists.id
-> role: -
-> who: loans.lender, .borrower, artists.name
-> rows: FILTER loans.fee, .lender, .since; SORT loans.lender, .borrower, artists.name; MAY loans.lender, .borrower
# museum pipes: aggregated twice and joined [from 4.0]
FROM tickets |> AGGREGATE sum(spent) AS s, max(at) AS last GROUP BY guest, room |> AGGREGATE count(*) AS rooms, avg(s) AS mean GROUP BY guest |> AS g |> LEFT JOIN loans l ON l.lender = g.guest |> SELECT g.guest, g.mean, l.fee
-> guest: tickets.guest
-> mean: tickets.spent
-> fee: loans.fee
-> rows: GROUP_BY tickets.guest, .room; JOIN loans.lender, tickets.guest
# museum functions: a masking one [from 4.0]
CREATE OR REPLACE FUNCTION shown(g STRING, k STRING DEFAULT 'full') RETURNS STRING RETURN CASE WHEN k = 'full' THEN sha2(g, 256) ELSE concat(left(g, 1), '(…)') END
-> none
# museum functions: one that reads a table [from 4.0]
CREATE OR REPLACE FUNCTION floor_of(r STRING) RETURNS INT RETURN (SELECT max(floor) FROM rooms WHERE rooms.room = floor_of.r)
-> none
# museum functions: both called [from 4.0]
SELECT shown(guest, kind) AS g, shown(guest) AS h, floor_of(room) AS f FROM tickets WHERE shown(raw, 'x') <> '('
-> g: tickets.guest; IF tickets.kind
-> h: tickets.guest
-> f: rooms.floor
-> rows: JOIN tickets.room, rooms.room; FILTER tickets.raw
# museum variables: declared [from 4.0]
DECLARE OR REPLACE VARIABLE least DOUBLE DEFAULT 1.0
-> none
# museum variables: set by a query [from 4.0]
SET VAR least = (SELECT avg(spent) FROM tickets)
-> none
# museum variables: in lists and conditions [from 4.0]
SELECT tid, spent - least AS over, if(kind = 'kid', session.least, spent) AS b FROM tickets WHERE spent > least
-> tid: tickets.tid
-> over: tickets.spent
-> b: tickets.spent; IF tickets.kind
-> rows: FILTER tickets.spent
# museum names: identifiers of columns and tables
SELECT IDENTIFIER('w.title') AS t, max(IDENTIFIER('w' || '.price')) AS p FROM IDENTIFIER('default.works') w JOIN IDENTIFIER('artists') a ON a.id = IDENTIFIER('w.artist_id') GROUP BY IDENTIFIER('w.title')
-> t: works.title
-> p: works.price
-> rows: JOIN artists.id, works.artist_id; GROUP_BY works.title
# museum scripts: rows through a program
SELECT TRANSFORM (id, upper(title), made) USING 'cat' AS (a STRING, b STRING, c STRING) FROM works WHERE price > 1
-> a: works.id, .title, .made
-> b: works.id, .title, .made
-> c: works.id, .title, .made
-> rows: FILTER works.price
# museum scripts: a program's rows joined
SELECT x.b, count(*) AS n FROM (SELECT TRANSFORM (guest, room) USING 'cat' AS (a, b) FROM tickets) x JOIN rooms r ON r.room = x.b GROUP BY x.b
-> b: tickets.guest, .room
-> n: -
-> rows: JOIN rooms.room, tickets.guest, .room; GROUP_BY tickets.guest, .room
# museum samples: buckets, percentages and rows
SELECT a.name, w.title, l.fee FROM artists TABLESAMPLE (BUCKET 1 OUT OF 4) a JOIN works TABLESAMPLE (20 PERCENT) w ON w.artist_id = a.id LEFT JOIN (SELECT * FROM loans TABLESAMPLE (3 ROWS)) l ON l.work_id = w.id
-> name: artists.name
-> title: works.title
-> fee: loans.fee
-> rows: JOIN artists.id, works.artist_id, .id, loans.work_id
# museum stacks: of rows and of expressions
SELECT s.what, sum(s.v) AS v FROM (SELECT stack(3, 'w', size.w * size.unit.factor, 'h', size.h, upper(label), CAST(price AS DOUBLE)) AS (what, v) FROM works) s WHERE s.v > 0 GROUP BY s.what
-> what: works.label
-> v: works.size.w, .size.unit.factor, .size.h, .price
-> rows: GROUP_BY works.label; FILTER works.size.w, .size.unit.factor, .size.h, .price
# museum parsing: json and csv with schemas
SELECT tid, j.a, j.b.c AS c, j.d[0].e AS e, x._c1 AS x, to_json(named_struct('k', kind, 's', spent)) AS o, to_csv(named_struct('r', room, 'd', day)) AS v FROM (SELECT tid, from_json(raw, 'a INT, b STRUCT<c: STRING>, d ARRAY<STRUCT<e: DOUBLE>>') AS j, from_csv(room, '_c0 STRING, _c1 INT', map('sep', ')')) AS x, kind, spent, room, day FROM tickets)
-> tid: tickets.tid
-> a: tickets.raw
-> c: tickets.raw
-> e: tickets.raw
-> x: tickets.room
-> o: tickets.kind, .spent
-> v: tickets.room, .day
# museum parsing: a nested JSON list in a lateral
SELECT t.tid, e.n AS n, e.p * t.spent AS p FROM tickets t LATERAL VIEW explode(from_json(raw, 'struct<items: array<struct<n: string, p: double>>>').items) x AS e WHERE e.n NOT IN ('(', '),', kind)
-> tid: tickets.tid
-> n: tickets.raw
-> p: tickets.raw, .spent
-> rows: FILTER tickets.raw, .kind
# museum joins: natural, using, full and by ranges
SELECT coalesce(room, 'none') AS room, t.kind, r.wing, l.lender FROM tickets t NATURAL FULL JOIN rooms r LEFT JOIN loans l ON t.day BETWEEN l.since AND coalesce(l.until, current_date()) AND t.guest <> l.lender
-> room: tickets.room, rooms.room; IF tickets.room, rooms.room
-> kind: tickets.kind
-> wing: rooms.wing
-> lender: loans.lender
-> rows: JOIN tickets.room, rooms.room, tickets.day, loans.since, .until, tickets.guest, loans.lender
# museum joins: a chain of semi and anti
SELECT w.title, a.name FROM works w LEFT SEMI JOIN loans l ON l.work_id = w.id LEFT ANTI JOIN rooms r ON array_contains(r.work_ids, w.id) AND r.floor > 1 CROSS JOIN artists a WHERE w.artist_id = a.id
-> title: works.title
-> name: artists.name
-> rows: JOIN loans.work_id, works.id, rooms.work_ids, works.artist_id, artists.id; FILTER rooms.floor
# museum views: a view with a window, read twice
CREATE OR REPLACE VIEW mart.last_tickets AS SELECT * FROM (SELECT guest, room, spent, row_number() OVER (PARTITION BY guest ORDER BY at DESC) AS rn FROM tickets) WHERE rn = 1
-> none
# museum views: compared with itself
SELECT a.guest, a.spent - b.spent AS diff FROM mart.last_tickets a JOIN mart.last_tickets b ON a.room = b.room AND a.guest > b.guest
-> guest: tickets.guest
-> diff: tickets.spent
-> rows: JOIN tickets.room, .guest; FILTER tickets.guest, .at
# museum sets: a union of three with types and limits
(SELECT title AS t, price AS p FROM works ORDER BY price DESC LIMIT 3) UNION (SELECT lender, CAST(fee AS DECIMAL(12,2)) FROM loans) UNION ALL SELECT 'none', -1 ORDER BY p
-> t: works.title, loans.lender
-> p: works.price, loans.fee
-> rows: GROUP_BY works.title, .price, loans.lender, .fee; SORT works.price, loans.fee
# museum sets: except within intersect
SELECT id FROM works INTERSECT (SELECT work_id FROM loans EXCEPT SELECT explode(work_ids) FROM rooms)
-> id: works.id
-> rows: JOIN works.id, loans.work_id, rooms.work_ids; GROUP_BY works.id; MAY loans.work_id, rooms.work_ids
# museum reports: shares, running totals and ranks in one
WITH m AS (SELECT date_trunc('MONTH', day) AS month, room, sum(spent) AS s, count(DISTINCT guest) AS g FROM tickets WHERE kind <> 'free' GROUP BY 1, 2)
SELECT month, room, s, round(100 * s / sum(s) OVER (PARTITION BY month), 1) AS share, sum(s) OVER (PARTITION BY room ORDER BY month) AS running, s - lag(s, 1, 0) OVER (PARTITION BY room ORDER BY month) AS change, dense_rank() OVER (PARTITION BY month ORDER BY g DESC) AS place FROM m
-> month: tickets.day
-> room: tickets.room
-> s: tickets.spent
-> share: tickets.spent; WINDOW tickets.day
-> running: tickets.spent; WINDOW tickets.room, .day
-> change: tickets.spent; WINDOW tickets.room, .day
-> place: -; WINDOW tickets.day, .guest
-> rows: FILTER tickets.kind; GROUP_BY tickets.day, .room; MAY tickets.guest
# museum reports: many conditions counted
SELECT room, count(CASE WHEN spent > 10 THEN 1 END) AS a, sum(CASE kind WHEN 'full' THEN spent WHEN 'kid' THEN spent / 2 ELSE 0 END) AS b, count_if(raw IS NULL OR raw = '))') AS c, max(CASE WHEN kind = '(' THEN guest END) AS d, avg(nullif(spent, 0)) AS e FROM tickets GROUP BY room
-> room: tickets.room
-> a: -; IF tickets.spent
-> b: tickets.spent; IF tickets.kind
-> c: tickets.raw; IF ?tickets.raw
-> d: tickets.guest; IF tickets.kind
-> e: tickets.spent; IF tickets.spent
-> rows: GROUP_BY tickets.room
