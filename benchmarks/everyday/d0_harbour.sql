# harbour: ships
CREATE TABLE ships (ship_id BIGINT, imo STRING, name STRING, flag STRING, built INT, dims STRUCT<length: DOUBLE, beam: DOUBLE>, tags ARRAY<STRING>) USING parquet
# harbour: calls
CREATE TABLE calls (call_id BIGINT, ship_id BIGINT, berth STRING, eta TIMESTAMP, ata TIMESTAMP, atd TIMESTAMP, status STRING, remarks STRING, day DATE) USING parquet
# harbour: boxes
CREATE TABLE boxes (box_id STRING, call_id BIGINT, kind STRING, weight DOUBLE, temp DOUBLE, contents STRING, moves ARRAY<STRUCT<at: TIMESTAMP, slot: STRING, crane: INT>>, props MAP<STRING, STRING>) USING parquet
# harbour: berths
CREATE TABLE berths (berth STRING, depth DOUBLE, `max len, m` DOUBLE, `crane#1` INT, `x) AS y` STRING, `[0] z` STRING) USING parquet
# harbour: invoices
CREATE TABLE invoices (invoice_id BIGINT, call_id BIGINT, item STRING, qty INT, price DOUBLE, paid_on DATE, q1 DOUBLE, q2 DOUBLE, q3 DOUBLE) USING parquet
# harbour: days
CREATE TABLE mart.port_days (day DATE, berth STRING, calls BIGINT, tonnes DOUBLE) USING parquet
# harbour: log
CREATE TABLE mart.port_log (call_id BIGINT, note STRING, source STRING) USING parquet PARTITIONED BY (source)
# harbour: rows of ships
INSERT INTO ships VALUES (1, '9074729', 'Anna', 'DE', 1999, struct(200D, 30D), array('lng')), (2, '9074730', 'Berta', 'NL', 2010, struct(100D, 20D), array())
# harbour: rows of calls
INSERT INTO calls VALUES (1, 1, 'A1', TIMESTAMP'2026-01-01 01:00:00', TIMESTAMP'2026-01-01 02:00:00', TIMESTAMP'2026-01-01 09:00:00', 'done', 'a (b', DATE'2026-01-01'), (2, 2, 'A2', TIMESTAMP'2026-01-02 01:00:00', TIMESTAMP'2026-01-02 02:00:00', NULL, 'open', 'c', DATE'2026-01-02')
# harbour: rows of boxes
INSERT INTO boxes VALUES ('B1', 1, 'reefer', 10, -18, 'fish', array(named_struct('at', TIMESTAMP'2026-01-01 03:00:00', 'slot', 's1', 'crane', 1)), map('un', '1993')), ('B2', 2, 'dry', 20, NULL, 'toys', array(), map())
# harbour: rows of berths
INSERT INTO berths VALUES ('A1', 12, 300, 2, 'v', 'w'), ('A2', 9, 150, 1, 'v', 'w')
# harbour: rows of invoices
INSERT INTO invoices VALUES (1, 1, 'pilot', 1, 100, DATE'2026-02-01', 1, 2, 3), (2, 1, 'tug', 2, 50, NULL, 4, 5, 6)
# harbour: trigonometry of a course
SELECT ship_id, degrees(atan2(sin(radians(dims.beam)), cos(radians(dims.length)))) AS course, cbrt(dims.length) + rint(dims.beam) AS a, log1p(dims.length) - expm1(dims.beam) AS b, positive(built) AS c, hypot(dims.length, dims.beam) AS d FROM ships
-> ship_id: ships.ship_id
-> course: ships.dims.beam, .dims.length
-> a: ships.dims.length, .dims.beam
-> b: ships.dims.length, .dims.beam
-> c: ships.built
-> d: ships.dims.length, .dims.beam
# harbour: texts padded and measured
SELECT rpad(lcase(name), 10, '[') AS a, char_length(remarks) AS b, bit_length(flag) + octet_length(imo) AS c, ucase(translate(name, '()[]', '    ')) AS d, overlay(imo PLACING '#1' FROM 2 FOR 2) AS e, split_part(remarks, '(', 2) AS f, position('(', remarks) AS g
FROM ships JOIN calls USING (ship_id)
-> a: ships.name
-> b: calls.remarks
-> c: ships.flag, .imo
-> d: ships.name
-> e: ships.imo
-> f: calls.remarks
-> g: calls.remarks
-> rows: JOIN ships.ship_id, calls.ship_id
# harbour: epochs of all units
SELECT call_id, unix_seconds(eta) AS s, unix_millis(ata) AS ms, unix_micros(atd) AS us, unix_date(day) AS d, timestamp_seconds(unix_seconds(eta)) AS back, date_diff(day, CAST(eta AS DATE)) AS late, timestampdiff(MINUTE, eta, ata) AS waited, timestampadd(HOUR, 2, ata) AS plan FROM calls
-> call_id: calls.call_id
-> s: calls.eta
-> ms: calls.ata
-> us: calls.atd
-> d: calls.day
-> back: calls.eta
-> late: calls.day, .eta
-> waited: calls.eta, .ata
-> plan: calls.ata
# harbour: a product and a bitwise fold
SELECT kind, product_of, bit_xor(crane) AS x, bit_and(crane) FILTER (WHERE crane > 0) AS y, every(crane < 9) AS z FROM (SELECT b.kind, exp(sum(ln(b.weight)) OVER (PARTITION BY b.kind)) AS product_of, m.crane FROM boxes b LATERAL VIEW OUTER explode(b.moves) e AS m) GROUP BY kind, product_of
-> kind: boxes.kind
-> product_of: boxes.weight; WINDOW boxes.kind
-> x: boxes.moves.crane
-> y: boxes.moves.crane; IF boxes.moves.crane
-> z: boxes.moves.crane
-> rows: GROUP_BY boxes.kind, .weight
# harbour: previous call within two days
SELECT ship_id, call_id, count(*) OVER (PARTITION BY ship_id ORDER BY eta RANGE BETWEEN INTERVAL '2' DAY PRECEDING AND CURRENT ROW) AS before,
  max(ata) OVER (PARTITION BY ship_id ORDER BY eta ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) AS last_ata, nth_value(berth, 2) IGNORE NULLS OVER (PARTITION BY ship_id ORDER BY eta, call_id DESC) AS second FROM calls
-> ship_id: calls.ship_id
-> call_id: calls.call_id
-> before: -; WINDOW calls.ship_id, .eta
-> last_ata: calls.ata; WINDOW calls.ship_id, .eta
-> second: calls.berth; WINDOW calls.ship_id, .eta, .call_id
# harbour: a frame around each row
SELECT day, sum(weight) OVER (PARTITION BY kind ORDER BY day, box_id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS around, weight / sum(weight) OVER (PARTITION BY kind) AS share, percent_rank() OVER (ORDER BY temp NULLS LAST) AS p, cume_dist() OVER (PARTITION BY day ORDER BY weight) AS c
FROM boxes NATURAL JOIN calls
-> day: calls.day
-> around: boxes.weight; WINDOW boxes.kind, calls.day, boxes.box_id
-> share: boxes.weight; WINDOW boxes.kind
-> p: -; WINDOW boxes.temp
-> c: -; WINDOW calls.day, boxes.weight
-> rows: JOIN boxes.call_id, calls.call_id
# harbour: names of berths that look like plans
SELECT `crane#1` + 1 AS `crane#1`, `max len, m` AS `len (m)`, concat(`x) AS y`, '(', `[0] z`) AS `p[0] AS q#7`, max(`x) AS y`) OVER (PARTITION BY `[0] z` ORDER BY `max len, m`) AS `w) OVER (x` FROM berths WHERE `[0] z` <> '[0] z#3'
-> crane#1: berths.crane#1
-> len (m): berths.max len%2C m
-> p[0] AS q#7: berths.x) AS y, berths.[0] z
-> w) OVER (x: berths.x) AS y; WINDOW berths.[0] z, berths.max len%2C m
-> rows: FILTER berths.[0] z
# harbour: odd names as keys with several distinct counts
SELECT `[0] z`, concat(`x) AS y`, '#1') AS `k#2, j`, count(DISTINCT `crane#1`) AS a, count(DISTINCT upper(berth), depth) AS b, sum(DISTINCT `max len, m`) FILTER (WHERE depth > 3) AS c FROM berths GROUP BY 1, 2
-> [0] z: berths.[0] z
-> k#2, j: berths.x) AS y
-> a: berths.crane#1
-> b: berths.berth, .depth
-> c: berths.max len%2C m; IF berths.depth
-> rows: GROUP_BY berths.[0] z, berths.x) AS y
# harbour: an unpivot of quarters
SELECT invoice_id, quarter, value FROM invoices UNPIVOT INCLUDE NULLS (value FOR quarter IN (q1 AS `Q#1, 26`, q2 AS `Q(2)`, q3)) WHERE value IS NULL OR value > 1
-> invoice_id: invoices.invoice_id
-> quarter: -
-> value: invoices.q1, .q2, .q3
-> rows: FILTER invoices.q1, .q2, .q3
# harbour: a pivot of items with two aggregates
SELECT * FROM (SELECT call_id, item, qty, price FROM invoices) PIVOT (sum(qty * price) AS total, max(price) AS top FOR item IN ('pilot' AS p, 'tug (2)' AS `t#1`))
-> call_id: invoices.call_id
-> p_total: invoices.qty, .price; IF invoices.item
-> p_top: invoices.price; IF invoices.item
-> t#1_total: invoices.qty, .price; IF invoices.item
-> t#1_top: invoices.price; IF invoices.item
-> rows: GROUP_BY invoices.call_id; MAY invoices.item
# harbour: a pivot over an unpivot
SELECT * FROM (SELECT item, quarter, value FROM invoices UNPIVOT (value FOR quarter IN (q1, q2, q3))) PIVOT (avg(value) FOR quarter IN ('q1' AS first, 'q3' AS third))
-> item: invoices.item
-> first: invoices.q1, ?.q2, ?.q3
-> third: invoices.q3, ?.q1, ?.q2
-> rows: GROUP_BY invoices.item; FILTER invoices.q1, .q2, .q3
# harbour: a lateral view of positions with a condition
SELECT b.box_id, p.n, p.m.slot AS slot, lag(p.m.slot) OVER (PARTITION BY b.box_id ORDER BY p.n) AS came_from FROM boxes b LATERAL VIEW posexplode(b.moves) p AS n, m WHERE p.m.crane BETWEEN 1 AND 4 AND b.props['un'] IS NOT NULL
-> box_id: boxes.box_id
-> n: boxes.moves
-> slot: boxes.moves.slot
-> came_from: boxes.moves.slot; WINDOW boxes.box_id, .moves
-> rows: FILTER boxes.moves.crane, .props; MAY boxes.moves
# harbour: laterals that use each other
SELECT s.name, c.n, d.longest FROM ships s, LATERAL (SELECT count(*) AS n, max(k.call_id) AS newest FROM calls k WHERE k.ship_id = s.ship_id) c, LATERAL (SELECT max(b.weight) AS longest FROM boxes b WHERE b.call_id = c.newest) d
-> name: ships.name
-> n: -; IF ?calls.ship_id
-> longest: boxes.weight
-> rows: JOIN ships.ship_id, calls.ship_id, boxes.call_id, calls.call_id; MAY calls.ship_id, boxes.call_id
# harbour: pipes with a pivot and a window [from 4.0]
FROM invoices |> WHERE price > 10 |> EXTEND qty * price AS total |> AGGREGATE sum(total) AS total, count(DISTINCT invoice_id) AS n GROUP BY call_id, item |> EXTEND rank() OVER (PARTITION BY item ORDER BY total DESC) AS r |> WHERE r < 3 |> SET n = n + 1 |> DROP r |> ORDER BY total
-> call_id: invoices.call_id
-> item: invoices.item
-> total: invoices.qty, .price
-> n: invoices.invoice_id
-> rows: FILTER invoices.price, .item, .qty; GROUP_BY invoices.call_id, .item; SORT invoices.qty, .price
# harbour: pipes that join and union [from 4.0]
FROM ships |> AS s |> JOIN calls c ON s.ship_id = c.ship_id AND c.status <> ')' |> SELECT s.name, c.berth |> UNION ALL (FROM berths |> SELECT `x) AS y`, berth) |> EXTEND concat(name, '|> ', berth) AS `both |> x`
-> name: ships.name, berths.x) AS y
-> berth: calls.berth, berths.berth
-> both |> x: ships.name, calls.berth, berths.x) AS y, berths.berth
-> rows: JOIN ships.ship_id, calls.ship_id; FILTER calls.status
# harbour: declared [from 4.0]
DECLARE OR REPLACE VARIABLE heavy DOUBLE DEFAULT 15
# harbour: a variable set by a table [from 4.0]
SET VARIABLE heavy = (SELECT avg(weight) FROM boxes WHERE kind <> 'x')
# harbour: a variable in a choice and a condition [from 4.0]
SELECT box_id, if(weight > heavy, 'heavy', contents) AS what FROM boxes WHERE weight + heavy > 0
-> box_id: boxes.box_id
-> what: boxes.contents; IF boxes.weight
-> rows: FILTER boxes.weight
# harbour: executed immediately with parameters [from 4.0]
EXECUTE IMMEDIATE 'INSERT INTO mart.port_days SELECT day, berth, count(*), sum(:factor * weight) FROM calls JOIN boxes USING (call_id) WHERE status = :s GROUP BY ALL' USING 2.0 AS factor, 'a "[(" b' AS s
-> day: calls.day
-> berth: calls.berth
-> calls: -
-> tonnes: boxes.weight
-> rows: JOIN calls.call_id, boxes.call_id; FILTER calls.status; GROUP_BY calls.day, .berth
-> to: mart.port_days
# harbour: a script that branches and inserts [from 4.0]
BEGIN
  DECLARE n BIGINT DEFAULT 0;
  SET n = (SELECT count(*) FROM boxes);
  IF n > 100000 THEN
    INSERT INTO mart.port_days SELECT NULL, 'many', n, 0;
  ELSE
    INSERT INTO mart.port_days SELECT c.day, upper(c.berth), n, max(b.weight) FROM calls c LEFT JOIN boxes b ON b.call_id = c.call_id GROUP BY c.day, upper(c.berth);
  END IF;
END
-> day: calls.day
-> berth: calls.berth
-> calls: ?boxes.box_id
-> tonnes: boxes.weight
-> rows: JOIN calls.call_id, boxes.call_id; GROUP_BY calls.day, .berth
-> to: mart.port_days
# harbour: a script that loops over rows [from 4.1]
BEGIN
  FOR r AS SELECT DISTINCT berth FROM berths WHERE depth > 10 DO
    INSERT INTO mart.port_log PARTITION (source = 'loop') SELECT call_id, concat(remarks, ' at ', r.berth) FROM calls WHERE berth = r.berth;
  END FOR;
END
-> call_id: calls.call_id
-> note: calls.remarks
-> source: -
-> rows: FILTER calls.berth
-> to: mart.port_log
# harbour: a script with a handler and a dynamic statement [from 4.1]
BEGIN
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN INSERT INTO mart.port_log VALUES (0, 'failed', 'handler'); END;
  EXECUTE IMMEDIATE 'CREATE OR REPLACE TEMPORARY VIEW open_calls AS SELECT * FROM calls WHERE atd IS NULL';
  INSERT INTO mart.port_log BY NAME SELECT 'script' AS source, call_id, coalesce(remarks, status) AS note FROM open_calls;
END
-> call_id: calls.call_id
-> note: calls.remarks, .status; IF calls.remarks, .status
-> source: -
-> rows: FILTER calls.atd
-> to: mart.port_log
# harbour: inserted by name [from 3.5]
INSERT INTO mart.port_days BY NAME SELECT sum(b.weight) AS tonnes, c.berth, c.day, count(DISTINCT c.call_id) AS calls FROM calls c JOIN boxes b ON c.call_id = b.call_id GROUP BY c.berth, c.day
-> day: calls.day
-> berth: calls.berth
-> calls: calls.call_id
-> tonnes: boxes.weight
-> rows: JOIN calls.call_id, boxes.call_id; GROUP_BY calls.berth, .day
-> to: mart.port_days
# harbour: a partition overwritten with a list of columns
INSERT OVERWRITE mart.port_log PARTITION (source = 'a, b#1') (note, call_id) SELECT trim(BOTH '"' FROM remarks), call_id FROM calls WHERE remarks RLIKE '^\\(?[a-z]+\\)?$'
-> call_id: calls.call_id
-> note: calls.remarks
-> source: -
-> rows: FILTER calls.remarks
-> to: mart.port_log
# harbour: from one join into two tables
FROM (SELECT c.call_id, c.day, c.berth, c.remarks, b.weight FROM calls c JOIN boxes b ON b.call_id = c.call_id) j
INSERT INTO mart.port_days SELECT day, berth, count(1), sum(weight) WHERE weight > 0 GROUP BY day, berth
INSERT OVERWRITE mart.port_log PARTITION (source = 'multi') SELECT call_id, concat_ws('; ', berth, remarks) WHERE remarks IS NOT NULL
-> day: calls.day
-> berth: calls.berth
-> calls: -
-> tonnes: boxes.weight
-> rows: JOIN calls.call_id, boxes.call_id; FILTER boxes.weight; GROUP_BY calls.day, .berth
-> to: mart.port_days
-> call_id: calls.call_id
-> note: calls.berth, .remarks
-> source: -
-> rows: JOIN calls.call_id, boxes.call_id; FILTER calls.remarks
-> to: mart.port_log
# harbour: a view with names of its own
CREATE OR REPLACE VIEW mart.late_calls (id, `late (min)`, flagged) AS SELECT c.call_id, (unix_seconds(c.ata) - unix_seconds(c.eta)) / 60 AS late, s.flag IN ('PA', 'LR') AS flagged FROM calls c JOIN ships s ON s.ship_id = c.ship_id WHERE c.ata > c.eta
-> id: calls.call_id
-> late (min): calls.ata, .eta
-> flagged: ships.flag
-> rows: JOIN calls.ship_id, ships.ship_id; FILTER calls.ata, .eta
-> to: mart.late_calls
# harbour: read through the view
SELECT flagged, avg(`late (min)`) AS late, percentile_cont(0.5) WITHIN GROUP (ORDER BY `late (min)`) AS median FROM mart.late_calls GROUP BY flagged HAVING count(*) > 0
-> flagged: ships.flag
-> late: calls.ata, .eta
-> median: calls.ata, .eta
-> rows: JOIN calls.ship_id, ships.ship_id; FILTER calls.ata, .eta; GROUP_BY ships.flag
# harbour: cached as a name
CACHE TABLE big_ships AS SELECT ship_id, upper(name) AS name FROM ships WHERE dims.length > 150
# harbour: a cached name joined with its table
SELECT a.name, s.flag, b.name AS other FROM big_ships a JOIN ships s ON s.ship_id = a.ship_id LEFT JOIN big_ships b ON b.ship_id = s.built
-> name: ships.name
-> flag: ships.flag
-> other: ships.name
-> rows: JOIN ships.ship_id, .built; FILTER ships.dims.length
# harbour: literals of brackets, hashes and backslashes
SELECT concat('Project [', name, ']') AS a, replace(remarks, '\\', '#12') AS b, CASE WHEN remarks = '((' THEN '[a#1, b#2L]' WHEN status LIKE '%)\\_%' THEN ')' ELSE berth END AS c, concat_ws('], [', flag, imo) AS d, remarks IN ('#12', '(x', 'y), z') AS e
FROM ships s JOIN calls c ON s.ship_id = c.ship_id AND c.remarks NOT IN (']', ' AS z#4')
-> a: ships.name
-> b: calls.remarks
-> c: calls.berth; IF calls.remarks, .status
-> d: ships.flag, .imo
-> e: calls.remarks
-> rows: JOIN ships.ship_id, calls.ship_id; FILTER calls.remarks
# harbour: a long list of odd literals
SELECT box_id FROM boxes WHERE contents IN ('a', 'b#1', '#12', 'c, d', '(e', 'f]', '[g', 'h)', 'i AS j', 'k#2L', '\\', '"', 'x#12, y', 'INSET', '1', '2', '3')
-> box_id: boxes.box_id
-> rows: FILTER boxes.contents
# harbour: grouped by literals and names like plans
SELECT concat(kind, ': x#1') AS a, `n#3L, m#4` , max(v) AS `max(v#5) AS w` FROM (SELECT kind, upper(contents) AS `n#3L, m#4`, weight AS v FROM boxes) GROUP BY concat(kind, ': x#1'), `n#3L, m#4` HAVING max(v) > 1
-> a: boxes.kind
-> n#3L, m#4: boxes.contents
-> max(v#5) AS w: boxes.weight
-> rows: GROUP_BY boxes.kind, .contents; FILTER boxes.weight
# harbour: expressions without a name over names like plans
SELECT `n#3L, m#4` + 1, count(DISTINCT `n#3L, m#4` * 2), sum(`n#3L, m#4`) OVER (ORDER BY `n#3L, m#4`) FROM (SELECT built AS `n#3L, m#4`, name FROM ships) GROUP BY `n#3L, m#4`
-> (n#3L, m#4 + 1): ships.built
-> count(DISTINCT (n#3L, m#4 * 2)): ships.built
-> sum(n#3L, m#4) OVER (ORDER BY n#3L, m#4 ASC NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW): ships.built; WINDOW ships.built
-> rows: GROUP_BY ships.built
# harbour: only literals
SELECT 'x' AS `y AS z#1`, 'a AS b#2' AS c, '#3' AS `d#4` FROM ships WHERE flag = 'DE'
-> y AS z#1: -
-> c: -
-> d#4: -
-> rows: FILTER ships.flag
# harbour: merged sessions of calls
SELECT ship_id, session_window.start AS began, session_window.end - session_window.start AS lasted, collect_list(berth) AS berths, sum(weight) AS weight FROM calls JOIN boxes USING (call_id) GROUP BY ship_id, session_window(eta, CASE WHEN status = '(' THEN '1 hour' ELSE '2 hours' END)
-> ship_id: calls.ship_id
-> began: calls.eta
-> lasted: calls.eta; IF calls.status
-> berths: calls.berth
-> weight: boxes.weight
-> rows: JOIN calls.call_id, boxes.call_id; GROUP_BY calls.ship_id, .eta; MAY calls.status; FILTER calls.eta, calls.status
# harbour: merged sessions that only count
SELECT count(*) AS n FROM (SELECT ship_id FROM calls GROUP BY ship_id, session_window(eta, '30 minutes'))
-> n: -
-> rows: GROUP_BY calls.ship_id, .eta; MAY calls.eta
# harbour: windows of time over windows of time
SELECT window(window, '1 day').start AS day, sum(n) AS n FROM (SELECT window, count(*) AS n FROM calls GROUP BY window(eta, '1 hour')) GROUP BY window(window, '1 day')
-> day: calls.eta
-> n: -
-> rows: GROUP_BY calls.eta; MAY calls.eta
# harbour: subqueries in every clause
SELECT s.name, (SELECT max(weight) FROM boxes b JOIN calls k ON k.call_id = b.call_id WHERE k.ship_id = s.ship_id) AS top, s.built > (SELECT avg(built) FROM ships) AS young FROM ships s
WHERE s.ship_id IN (SELECT ship_id FROM calls WHERE status = 'done') AND EXISTS (SELECT 1 FROM calls c WHERE c.ship_id = s.ship_id AND c.berth IN (SELECT berth FROM berths WHERE depth > 10))
-> name: ships.name
-> top: boxes.weight
-> young: ships.built
-> rows: JOIN ships.ship_id, calls.ship_id, .call_id, boxes.call_id, berths.berth, calls.berth; FILTER calls.status, berths.depth; MAY calls.ship_id
# harbour: a recursion over slots [from 4.1]
WITH RECURSIVE path(box_id, slot, n) AS (SELECT box_id, moves[0].slot, 1 FROM boxes WHERE size(moves) > 0 UNION ALL SELECT p.box_id, get(b.moves, p.n).slot, p.n + 1 FROM path p JOIN boxes b ON b.box_id = p.box_id WHERE p.n < 5) SELECT box_id, concat('[', slot, ']') AS slot, n FROM path
-> box_id: boxes.box_id
-> slot: boxes.moves.slot
-> n: -
-> rows: FILTER boxes.moves; JOIN boxes.box_id
# harbour: sets of odd columns
(SELECT berth, `x) AS y` AS `a#1` FROM berths EXCEPT ALL SELECT berth, remarks FROM calls) INTERSECT SELECT berth, status FROM calls WHERE day > DATE'2025-01-01'
-> berth: berths.berth
-> a#1: berths.x) AS y
-> rows: JOIN calls.berth, .remarks, .status; FILTER calls.day; MAY berths.berth, berths.x) AS y
# harbour: grouping sets with labels
SELECT coalesce(s.flag, 'all [flags]') AS flag, decode(grouping_id(s.flag, c.berth), 0, 'both', 1, 'flag', 'none') AS level, count(DISTINCT c.call_id) AS n, sum(b.weight) FILTER (WHERE b.kind = 'reefer') AS cold FROM ships s JOIN calls c USING (ship_id) JOIN boxes b USING (call_id) GROUP BY GROUPING SETS ((s.flag, c.berth), (s.flag), ())
-> flag: ships.flag; IF ships.flag
-> level: -
-> n: calls.call_id
-> cold: boxes.weight; IF boxes.kind
-> rows: JOIN ships.ship_id, calls.ship_id, .call_id, boxes.call_id; GROUP_BY ships.flag, calls.berth
# harbour: maps folded and filtered
SELECT box_id, aggregate(map_values(props), '', (acc, v) -> concat(acc, v), acc -> concat('(', acc)) AS joined, map_filter(props, (k, v) -> v > contents) AS own, transform_keys(props, (k, v) -> concat(k, '#1')) AS tagged, exists(moves, m -> m.crane > weight) AS strong, forall(moves, m -> m.slot IS NOT NULL) AS complete, array_sort(transform(moves, m -> m.slot), (a, b) -> length(a) - length(b)) AS slots FROM boxes
-> box_id: boxes.box_id
-> joined: boxes.props
-> own: boxes.props, .contents
-> tagged: boxes.props
-> strong: boxes.moves.crane, .weight
-> complete: boxes.moves.slot
-> slots: boxes.moves.slot
# harbour: an inline outer of moves
SELECT box_id, slot, crane + 1 AS next FROM boxes LATERAL VIEW OUTER inline(filter(moves, m -> m.crane > 0 AND contents <> '(')) i AS moved, slot, crane
-> box_id: boxes.box_id
-> slot: boxes.moves.slot
-> next: boxes.moves.crane
-> rows: FILTER boxes.moves.crane, .contents; MAY boxes.moves
# harbour: choices of choices [from 4.0]
SELECT call_id, iff, nvl2(atd, 'left', coalesce(nullif(remarks, ''), berth)) AS state, equal_null(ata, eta) AS on_time, zeroifnull(n) AS n FROM (SELECT *, if(status = 'open', if(day > DATE'2026-01-01', 'new', remarks), berth) AS iff, length(remarks) AS n FROM calls)
-> call_id: calls.call_id
-> iff: calls.remarks, .berth; IF calls.status, .day
-> state: calls.remarks, .berth; IF calls.atd, .remarks, .berth
-> on_time: calls.ata, .eta
-> n: calls.remarks; IF calls.remarks
# harbour: reflected and typed
SELECT typeof(weight) AS t, java_method('java.lang.Math', 'abs', CAST(weight AS INT)) AS a, to_number(contents, '999') AS n, to_char(weight, '999.9') AS c, try_to_number(props['un'], '9,999') AS u, luhn_check(box_id) AS l FROM boxes WHERE contents RLIKE '^[0-9]+$'
-> t: -
-> a: boxes.weight
-> n: boxes.contents
-> c: boxes.weight
-> u: boxes.props
-> l: boxes.box_id
-> rows: FILTER boxes.contents
# harbour: a keyed digest and a checked text [from 4.3]
SELECT hmac(CAST(contents AS BINARY), CAST(box_id AS BINARY), 'SHA256') AS h, jaro_winkler_similarity(kind, contents) AS j, to_base32(CAST(kind AS BINARY)) AS b FROM boxes
-> h: boxes.contents, .box_id
-> j: boxes.kind, .contents
-> b: boxes.kind
# harbour: buckets of time [from 4.3]
SELECT time_bucket(INTERVAL '15' MINUTE, eta) AS slot, count(*) AS n, timestamp_millis(max(unix_millis(ata))) AS last FROM calls GROUP BY 1
-> slot: calls.eta
-> n: -
-> last: calls.ata
-> rows: GROUP_BY calls.eta
# harbour: vectors [from 4.3]
SELECT ship_id, vector_norm(v, 2.0F) AS norm, vector_cosine_similarity(v, w) AS near FROM (SELECT ship_id, array(CAST(dims.length AS FLOAT), CAST(dims.beam AS FLOAT)) AS v, array(CAST(built AS FLOAT), 1.0F) AS w FROM ships)
-> ship_id: ships.ship_id
-> norm: ships.dims.length, .dims.beam
-> near: ships.dims.length, .dims.beam, .built
# harbour: lists with an order and a separator like a plan [from 4.0]
SELECT ship_id, listagg(DISTINCT berth, '], [') WITHIN GROUP (ORDER BY berth DESC) AS berths, string_agg(status, '#1, ') WITHIN GROUP (ORDER BY eta, call_id) AS states, max_by(berth, struct(eta, call_id)) AS last FROM calls GROUP BY ship_id
-> ship_id: calls.ship_id
-> berths: calls.berth; SORT calls.berth
-> states: calls.status; SORT calls.eta, .call_id
-> last: calls.berth; IF calls.eta, .call_id
-> rows: GROUP_BY calls.ship_id
# harbour: a table function in a lateral of a pipe [from 4.0]
FROM boxes |> JOIN LATERAL explode(moves) AS e(m) |> SELECT box_id, m.slot AS `slot(m#1)` |> AGGREGATE count(DISTINCT `slot(m#1)`) AS n GROUP BY box_id
-> box_id: boxes.box_id
-> n: boxes.moves.slot
-> rows: GROUP_BY boxes.box_id; MAY boxes.moves, .moves.slot
# harbour: a table of computed partitions
CREATE TABLE mart.box_stats USING parquet PARTITIONED BY (kind, bucket) AS SELECT avg(weight) AS `avg(weight)`, kind, CAST(floor(weight / 10) AS INT) AS bucket FROM boxes GROUP BY kind, CAST(floor(weight / 10) AS INT)
-> avg(weight): boxes.weight
-> kind: boxes.kind
-> bucket: boxes.weight
-> rows: GROUP_BY boxes.kind, .weight
-> to: mart.box_stats
# harbour: a replaced view over a table of its parts
ALTER VIEW mart.late_calls AS SELECT call_id AS id, 0 AS `late (min)`, atd IS NULL AS flagged FROM calls
-> id: calls.call_id
-> late (min): -
-> flagged: calls.atd
-> to: mart.late_calls
# harbour: partition transforms of text
SELECT date_format(eta, "yyyy-MM-dd'T('HH") AS hour, regexp_replace(remarks, '([\\[\\]()])', '\\\\$1') AS escaped, regexp_extract_all(remarks, '\\((\\w+)', 1) AS words, sentences(remarks) AS s, printf('%s, [%d]', berth, call_id) AS p, elt(2, berth, status) AS second FROM calls
-> hour: calls.eta
-> escaped: calls.remarks
-> words: calls.remarks
-> s: calls.remarks
-> p: calls.berth, .call_id
-> second: calls.status, ?.berth; IF ?calls.berth, ?.status
# harbour: a chain of windows
SELECT call_id, sum(gap) OVER (PARTITION BY ship_id ORDER BY eta) AS total, avg(gap) OVER (PARTITION BY flag ORDER BY eta ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS mean FROM (SELECT c.*, s.flag, unix_seconds(eta) - unix_seconds(lag(atd, 1, ata) OVER (PARTITION BY c.ship_id ORDER BY eta)) AS gap FROM calls c JOIN ships s ON s.ship_id = c.ship_id)
-> call_id: calls.call_id
-> total: calls.eta, .atd, .ata; WINDOW calls.ship_id, .eta
-> mean: calls.eta, .atd, .ata; WINDOW ships.flag, calls.eta, .ship_id
-> rows: JOIN calls.ship_id, ships.ship_id
