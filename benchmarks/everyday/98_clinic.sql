# clinic: patients
CREATE TABLE patients (pid BIGINT, mrn STRING, full_name STRING, ssn STRING, dob DATE, zip STRING,
  contact STRUCT<phone: STRING, mails: ARRAY<STRING>, home: STRUCT<city: STRING, floor: INT>>,
  allergies ARRAY<STRING>, flags MAP<STRING, INT>) USING parquet
# clinic: visits
CREATE TABLE visits (vid BIGINT, pid BIGINT, ward STRING, arrived TIMESTAMP, gone TIMESTAMP, cost DOUBLE, notes STRING,
  codes ARRAY<STRUCT<sys: STRING, code: STRING, rank: INT>>, tests ARRAY<STRING>, vals ARRAY<DOUBLE>) USING parquet
# clinic: labs
CREATE TABLE labs (vid BIGINT, test STRING, val DOUBLE, unit STRING, taken TIMESTAMP, raw STRING) USING parquet
# clinic: names that look like plans
CREATE TABLE forms (`a#1` INT, `b AS c` STRING, `d, e#2L` STRING, `(f)` INT, `[g]` INT, `h.i` INT, `count(1)` BIGINT,
  `sum(val#3)` DOUBLE, `k``q` STRING, `x ASC NULLS FIRST` INT, `s.t` STRUCT<`u.v`: INT, w: STRING>) USING parquet
# clinic: documents [from 4.0]
CREATE TABLE docs (id INT, doc VARIANT, s STRING, ward STRING) USING parquet
# clinic keys: two distinct counts of expressions
SELECT ward, count(DISTINCT date_trunc('MONTH', arrived)) AS months, count(DISTINCT pid % 10, lower(notes)) AS pairs, avg(DISTINCT round(cost, 0)) AS c FROM visits GROUP BY ward
-> ward: visits.ward
-> months: visits.arrived
-> pairs: visits.pid, .notes
-> c: visits.cost
-> rows: GROUP_BY visits.ward
# clinic keys: distinct counts without keys
SELECT count(DISTINCT substr(mrn, 1, 3)) AS a, count(DISTINCT contact.home.city) AS b, sum(DISTINCT size(allergies)) AS c, count(DISTINCT flags['x']) AS d FROM patients WHERE dob IS NOT NULL
-> a: patients.mrn
-> b: patients.contact.home.city
-> c: patients.allergies
-> d: patients.flags
-> rows: FILTER patients.dob
# clinic keys: one distinct count of a field with a filter
SELECT upper(ward) AS w, count(DISTINCT codes[0].code) FILTER (WHERE cost > 3) AS n FROM visits GROUP BY upper(ward) HAVING count(DISTINCT year(arrived)) > 1
-> w: visits.ward
-> n: visits.codes.code; IF visits.cost
-> rows: GROUP_BY visits.ward; FILTER visits.arrived
# clinic keys: distinct expressions below a limit
SELECT DISTINCT upper(zip) || ', z#1' AS z, 'x' AS k, year(dob) FROM patients ORDER BY z DESC LIMIT 4
-> z: patients.zip
-> k: -
-> year(dob): patients.dob
-> rows: GROUP_BY patients.zip, .dob; SORT patients.zip
# clinic keys: unnamed expressions through two levels
SELECT `upper(ward)`, max(`round(cost, 1)`) FROM (SELECT upper(ward), round(cost, 1), vid FROM visits) GROUP BY `upper(ward)`
-> upper(ward): visits.ward
-> max(round(cost, 1)): visits.cost
-> rows: GROUP_BY visits.ward
# clinic keys: an aggregate's name as a column
SELECT `count(1)` + 1 AS n, `sum(val#3)`, sum(`sum(val#3)`) OVER (PARTITION BY `count(1)`) AS t FROM forms
-> n: forms.count(1)
-> sum(val#3): forms.sum(val#3)
-> t: forms.sum(val#3); WINDOW forms.count(1)
# clinic keys: group by a name that is an alias
SELECT `b AS c`, max(`a#1`) AS `m AS n`, count(DISTINCT upper(`d, e#2L`)) AS `u#9` FROM forms GROUP BY `b AS c`
-> b AS c: forms.b AS c
-> m AS n: forms.a#1
-> u#9: forms.d%2C e#2L
-> rows: GROUP_BY forms.b AS c
# clinic keys: rollup of expressions with a distinct count
SELECT date_format(arrived, 'yyyy-MM') AS m, ward, count(DISTINCT pid * 2) AS p, sum(cost) AS c FROM visits GROUP BY ROLLUP (date_format(arrived, 'yyyy-MM'), ward)
-> m: visits.arrived
-> ward: visits.ward
-> p: visits.pid
-> c: visits.cost
-> rows: GROUP_BY visits.arrived, .ward
# clinic keys: cast and coalesce as keys
SELECT cast(coalesce(unit, '-') AS VARCHAR(3)) AS u, count(DISTINCT CAST(val AS INT)) AS n, count(DISTINCT raw IS NULL) AS k FROM labs GROUP BY cast(coalesce(unit, '-') AS VARCHAR(3))
-> u: labs.unit; IF labs.unit
-> n: labs.val
-> k: labs.raw
-> rows: GROUP_BY labs.unit
# clinic evaluators: json in a filter and a key [from 4.0]
SELECT to_json(named_struct('w', ward, 'c', cost)) AS j, count(*) AS n FROM visits WHERE get_json_object(notes, '$.a') = to_json(codes) GROUP BY to_json(named_struct('w', ward, 'c', cost))
-> j: visits.ward, .cost
-> n: -
-> rows: FILTER visits.notes, .codes; GROUP_BY visits.ward, .cost
# clinic evaluators: xpath in a window and a join [from 4.0]
SELECT l.val, rank() OVER (PARTITION BY xpath_int(l.raw, 'a/b') ORDER BY xpath_string(v.notes, 'c')) AS r FROM labs l JOIN visits v ON xpath_long(l.raw, 'vid') = v.vid
-> val: labs.val
-> r: -; WINDOW labs.raw, visits.notes
-> rows: JOIN labs.raw, visits.vid
# clinic evaluators: urls below aggregates [from 4.0]
SELECT count(DISTINCT parse_url(notes, 'HOST')) AS h, max(try_parse_url(notes, 'QUERY', ward)) AS q, max_by(url_decode(notes), parse_url(ward, 'PATH')) AS m FROM visits HAVING min(parse_url(notes, 'REF')) <> 'x'
-> h: visits.notes
-> q: visits.notes, .ward
-> m: visits.notes; IF visits.ward
-> rows: FILTER visits.notes
# clinic evaluators: several in one order [from 4.0]
SELECT vid FROM visits ORDER BY to_json(codes), parse_url(notes, 'HOST') DESC NULLS LAST LIMIT 3
-> vid: visits.vid
-> rows: SORT visits.codes, .notes
# clinic evaluators: json parsed and made [from 4.0]
SELECT from_json(raw, 'a INT, b STRING').a AS a, schema_of_json('{"x": 1}') AS s, json_array_length(raw) AS l, json_object_keys(raw) AS k, to_csv(struct(unit, val)) AS c, from_csv(raw, 'p INT').p AS p, to_xml(struct(test AS t)) AS x FROM labs
-> a: labs.raw
-> s: -
-> l: labs.raw
-> k: labs.raw
-> c: labs.unit, .val
-> p: labs.raw
-> x: labs.test
# clinic evaluators: utf-8 [from 4.0]
SELECT make_valid_utf8(full_name) AS a, validate_utf8(zip) AS b, is_valid_utf8(mrn) AS c, try_validate_utf8(ssn) AS d FROM patients WHERE is_valid_utf8(contact.phone)
-> a: patients.full_name
-> b: patients.zip
-> c: patients.mrn
-> d: patients.ssn
-> rows: FILTER patients.contact.phone
# clinic variant: paths in a list [from 4.0]
SELECT id, doc:a.b::int AS ab, variant_get(doc, '$.c[0]', 'string') AS c0, try_variant_get(doc, '$.d', 'double') AS d FROM docs
-> id: docs.id
-> ab: docs.doc~a.b
-> c0: docs.doc~c
-> d: docs.doc~d
# clinic variant: a copy and a path [from 4.0]
SELECT doc AS whole, variant_get(doc, '$.a', 'int') AS a, upper(s) AS u FROM docs WHERE doc:k::string = 'x'
-> whole: docs.doc
-> a: docs.doc~a
-> u: docs.s
-> rows: FILTER docs.doc~k
# clinic variant: parsed and made [from 4.0]
SELECT parse_json(s):x.y::date AS d, to_variant_object(struct(id, ward)) AS o, schema_of_variant(doc) AS t, is_variant_null(doc) AS n, to_json(doc) AS j FROM docs
-> d: docs.s
-> o: docs.id, .ward
-> t: docs.doc
-> n: docs.doc
-> j: docs.doc
# clinic variant: exploded [from 4.0]
SELECT id, e.pos AS p, e.value::string AS v FROM docs, LATERAL variant_explode(doc:items) AS e WHERE e.key IS NULL
-> id: docs.id
-> p: docs.doc~items
-> v: docs.doc~items
-> rows: FILTER docs.doc~items
# clinic variant: grouped by a path [from 4.0]
SELECT doc:kind::string AS k, max(doc:n::int) AS m, count(DISTINCT doc:w::string) AS w, schema_of_variant_agg(doc) AS s FROM docs GROUP BY doc:kind::string
-> k: docs.doc~kind
-> m: docs.doc~n
-> w: docs.doc~w
-> s: docs.doc
-> rows: GROUP_BY docs.doc~kind; MAY docs.doc~w
# clinic variant: paths only, in every clause [from 4.0]
SELECT a.doc:x::int AS x, sum(b.doc:y::double) AS y FROM docs a JOIN docs b ON a.doc:id::int = b.id WHERE b.doc:z::string <> '(' GROUP BY a.doc:x::int ORDER BY max(b.doc:o::int) LIMIT 5
-> x: docs.doc~x
-> y: docs.doc~y
-> rows: JOIN docs.doc~id, .id; FILTER docs.doc~z; GROUP_BY docs.doc~x; SORT docs.doc~o; MAY docs.doc
# clinic literals: an open bracket in each place
SELECT concat('[', ward, '(') AS a, ward = ')' AS b, nullif(notes, '{') AS c, replace(notes, '[', ']') AS d, split_part(notes, '](', 2) AS e FROM visits WHERE notes <> '],' AND ward > '(' ORDER BY instr(notes, '[') LIMIT 2
-> a: visits.ward
-> b: visits.ward
-> c: visits.notes; IF visits.notes
-> d: visits.notes
-> e: visits.notes
-> rows: FILTER visits.notes, .ward; SORT visits.notes
# clinic literals: backslashes
SELECT replace(ward, '\\', '/') AS a, '\\' AS b, concat(notes, '\\\\') AS c, ward RLIKE '\\\\$' AS d, notes LIKE '%\\\\%' AS e, split(notes, '\\|')[0] AS f FROM visits
-> a: visits.ward
-> b: -
-> c: visits.notes
-> d: visits.ward
-> e: visits.notes
-> f: visits.notes
# clinic literals: identifiers in text
SELECT concat(ward, ', pid#1, cost#2') AS a, concat(notes, ' AS b#3') AS b, cost AS c, if(ward = 'x#4 AS y#5, [', notes, 'vid#1L]') AS d FROM visits
-> a: visits.ward
-> b: visits.notes
-> c: visits.cost
-> d: visits.notes; IF visits.ward
# clinic literals: lines of a plan
SELECT vid, concat(notes, '\n(1) Scan parquet spark_catalog.default.labs\nOutput [1]: [val#1]\n') AS n, ward FROM visits WHERE notes <> '\n+- *(1) Project [pid#1]'
-> vid: visits.vid
-> n: visits.notes
-> ward: visits.ward
-> rows: FILTER visits.notes
# clinic literals: cut lists
SELECT format_string('... %s more fields', cost) AS a, concat(ward, ', ... 3 more fields]') AS b, notes AS c, concat('... 2 more fields', notes) AS d FROM visits
-> a: visits.cost
-> b: visits.ward
-> c: visits.notes
-> d: visits.notes
# clinic literals: in sets, cases and pivots
SELECT * FROM (SELECT ward, notes, cost FROM visits WHERE notes IN ('[', '], [', ')', 'a#1 AS b#2')) PIVOT (sum(cost) AS s, max(ward) AS w FOR notes IN ('[' AS `o[`, ')' AS `c)`))
-> o[_s: visits.cost; IF visits.notes
-> o[_w: visits.ward; IF visits.notes
-> c)_s: visits.cost; IF visits.notes
-> c)_w: visits.ward; IF visits.notes
-> rows: FILTER visits.notes; MAY visits.notes, .ward
# clinic literals: generators of patterns
SELECT vid, w, p FROM visits LATERAL VIEW posexplode(split(concat(notes, ' ['), '[(\\[]')) t AS p, w WHERE w NOT IN ('', '(', ', w#1')
-> vid: visits.vid
-> w: visits.notes
-> p: visits.notes
-> rows: FILTER visits.notes
# clinic literals: maps and arrays of brackets
SELECT map('[', ward, '(', notes)['('] AS m, array(ward, '[', ']')[1] AS a, element_at(array(notes, '('), 1) AS e, named_struct('a[', ward, 'b(', notes).`b(` AS s FROM visits
-> m: visits.notes, ?visits.ward
-> a: ?visits.ward
-> e: visits.notes
-> s: visits.notes
# clinic names: every odd name
SELECT `a#1`, `b AS c`, `d, e#2L`, `(f)`, `[g]`, `h.i`, `k``q`, `x ASC NULLS FIRST`, `s.t`.`u.v` AS uv, `s.t`.w FROM forms
-> a#1: forms.a#1
-> b AS c: forms.b AS c
-> d, e#2L: forms.d%2C e#2L
-> (f): forms.(f)
-> [g]: forms.[g]
-> h.i: forms.h.i
-> k`q: forms.k`q
-> x ASC NULLS FIRST: forms.x ASC NULLS FIRST
-> uv: forms.s.t.u.v
-> w: forms.s.t.w
# clinic names: odd names as keys and orders
SELECT `(f)`, `x ASC NULLS FIRST`, max(`[g]`) AS `g]` FROM forms WHERE `h.i` > 3 GROUP BY `(f)`, `x ASC NULLS FIRST` ORDER BY `x ASC NULLS FIRST` DESC, `(f)` LIMIT 3
-> (f): forms.(f)
-> x ASC NULLS FIRST: forms.x ASC NULLS FIRST
-> g]: forms.[g]
-> rows: FILTER forms.h.i; GROUP_BY forms.(f), .x ASC NULLS FIRST; SORT forms.x ASC NULLS FIRST, .(f)
# clinic names: odd names joined
SELECT l.`d, e#2L`, r.`b AS c`, l.`a#1` + r.`a#1` AS `l + r` FROM forms l LEFT JOIN forms r ON l.`(f)` = r.`[g]` AND l.`h.i` < r.`h.i`
-> d, e#2L: forms.d%2C e#2L
-> b AS c: forms.b AS c
-> l + r: forms.a#1
-> rows: JOIN forms.(f), .[g], .h.i
# clinic names: odd names in windows
SELECT `a#1`, lag(`b AS c`) OVER (PARTITION BY `d, e#2L`, `[g]` ORDER BY `x ASC NULLS FIRST`) AS `lag(b) OVER (x)`, sum(`(f)`) OVER (ORDER BY `h.i`) AS s FROM forms
-> a#1: forms.a#1
-> lag(b) OVER (x): forms.b AS c; WINDOW forms.d%2C e#2L, .[g], .x ASC NULLS FIRST
-> s: forms.(f); WINDOW forms.h.i
# clinic names: odd target
CREATE TABLE mart.odd_target (`x AS y` INT, `p, q#1` STRING, `count(1)` BIGINT) USING parquet
# clinic names: insert into an odd target
INSERT INTO mart.odd_target SELECT `a#1`, `d, e#2L`, `count(1)` FROM forms
-> x AS y: forms.a#1
-> p, q#1: forms.d%2C e#2L
-> count(1): forms.count(1)
-> to: mart.odd_target
# clinic names: insert aggregates into an odd target
INSERT OVERWRITE mart.odd_target SELECT max(`(f)`), `b AS c`, count(1) FROM forms GROUP BY `b AS c`
-> x AS y: forms.(f)
-> p, q#1: forms.b AS c
-> count(1): -
-> rows: GROUP_BY forms.b AS c
-> to: mart.odd_target
# clinic names: a table of odd names
CREATE TABLE mart.odd_made USING parquet AS SELECT `a#1` AS `x AS y`, upper(`k``q`) AS `upper(k)`, `h.i` AS `h.i`, count(*) OVER () AS `count(1) AS n#3` FROM forms
-> x AS y: forms.a#1
-> upper(k): forms.k`q
-> h.i: forms.h.i
-> count(1) AS n#3: -
-> to: mart.odd_made
# clinic names: except all of odd names
SELECT `(f)` AS `f AS g`, `a#1` FROM forms EXCEPT ALL SELECT `[g]`, `h.i` FROM forms
-> f AS g: forms.(f)
-> a#1: forms.a#1
-> rows: JOIN forms.[g], .h.i; MAY forms.(f), .a#1
# clinic sets: except all of joins
SELECT p.pid, v.ward FROM patients p JOIN visits v ON p.pid = v.pid EXCEPT ALL SELECT vid, upper(test) FROM labs WHERE val > 2
-> pid: patients.pid
-> ward: visits.ward
-> rows: JOIN patients.pid, visits.pid, labs.vid, .test; MAY visits.ward, labs.val
# clinic sets: intersect all of groups
SELECT pid, count(*) AS n FROM visits GROUP BY pid INTERSECT ALL SELECT vid, count(DISTINCT unit) FROM labs GROUP BY vid
-> pid: visits.pid
-> n: -
-> rows: GROUP_BY visits.pid; JOIN labs.vid, .unit; MAY visits.pid, labs.vid
# clinic sets: except all inside a derived table
SELECT w, count(*) AS n FROM (SELECT ward AS w FROM visits EXCEPT ALL SELECT unit FROM labs INTERSECT ALL SELECT zip FROM patients) GROUP BY w HAVING w <> '['
-> w: visits.ward
-> n: -
-> rows: GROUP_BY visits.ward; JOIN labs.unit, patients.zip; FILTER visits.ward; MAY visits.ward, labs.unit, patients.zip
# clinic sets: minus and union distinct
(SELECT pid FROM patients MINUS SELECT pid FROM visits WHERE cost > 9) UNION SELECT vid FROM labs
-> pid: patients.pid, labs.vid
-> rows: JOIN patients.pid, visits.pid; GROUP_BY patients.pid, labs.vid; MAY visits.cost
# clinic generators: structs in arrays
SELECT v.vid, c.code, c.rank FROM visits v LATERAL VIEW explode(codes) t AS c WHERE c.sys = 'icd'
-> vid: visits.vid
-> code: visits.codes.code
-> rank: visits.codes.rank
-> rows: FILTER visits.codes.sys; MAY visits.codes
# clinic generators: inline of a filtered array
SELECT vid, sys, code, rank FROM visits LATERAL VIEW OUTER inline(filter(codes, c -> c.rank > cost)) t AS sys, code, rank
-> vid: visits.vid
-> sys: visits.codes.sys
-> code: visits.codes.code
-> rank: visits.codes.rank
-> rows: FILTER visits.codes.rank, .cost; MAY visits.codes, .codes.sys, .codes.code
# clinic generators: zipped with names
SELECT vid, z.tests AS t, z.vals AS v, z.`2` AS k FROM visits LATERAL VIEW explode(arrays_zip(tests, vals, transform(codes, c -> c.code))) x AS z
-> vid: visits.vid
-> t: visits.tests
-> v: visits.vals
-> k: visits.codes.code
-> rows: MAY visits.tests, .vals, .codes, .codes.code
# clinic generators: built rows
SELECT vid, m.name, m.value FROM visits LATERAL VIEW inline(array(struct('cost' AS name, cost AS value), struct('stay' AS name, CAST(gone AS DOUBLE) - CAST(arrived AS DOUBLE) AS value), struct(ward AS name, 1.0D AS value))) m AS name, value
-> vid: visits.vid
-> name: visits.ward
-> value: visits.cost, .gone, .arrived
# clinic generators: sorted and sliced
SELECT vid, e.code FROM visits LATERAL VIEW explode(slice(array_sort(codes, (a, b) -> a.rank - b.rank), 1, 2)) t AS e
-> vid: visits.vid
-> code: visits.codes.code, ?visits.codes.rank
-> rows: MAY visits.codes, .codes.rank, .codes.code
# clinic generators: a generator in a select list with others
SELECT pid, explode_outer(allergies) AS a, upper(zip) AS z FROM patients WHERE exists(allergies, x -> x = zip)
-> pid: patients.pid
-> a: patients.allergies
-> z: patients.zip
-> rows: FILTER patients.allergies, .zip
# clinic generators: a map's entries with a condition
SELECT pid, k, sum(v) AS t FROM patients LATERAL VIEW explode(flags) f AS k, v WHERE k LIKE 'r[%' GROUP BY pid, k
-> pid: patients.pid
-> k: patients.flags
-> t: patients.flags
-> rows: FILTER patients.flags; GROUP_BY patients.pid, .flags
# clinic generators: nested generators
SELECT vid, w, c FROM visits LATERAL VIEW explode(codes) a AS x LATERAL VIEW explode(split(x.code, '\\.')) b AS w LATERAL VIEW OUTER explode(sequence(1, x.rank)) d AS c
-> vid: visits.vid
-> w: visits.codes.code
-> c: visits.codes.rank
-> rows: MAY visits.codes, .codes.code, .codes.rank
# clinic generators: groups of a struct's fields
SELECT s.k AS k, max(s.v) AS m FROM (SELECT explode(array(struct(ward AS k, cost AS v), struct(notes AS k, -cost AS v))) AS s FROM visits WHERE pid > 1) GROUP BY s.k
-> k: visits.ward, .notes
-> m: visits.cost
-> rows: FILTER visits.pid; GROUP_BY visits.ward, .notes
# clinic choices: max by and min by of expressions
SELECT pid, max_by(struct(ward, cost), arrived) AS a, min_by(notes, cost - vid) AS b, max_by(ward, arrived).x AS c FROM (SELECT vid, pid, struct(ward AS x) AS ward, cost, arrived, notes FROM visits) GROUP BY pid
-> pid: visits.pid
-> a: visits.ward, .cost; IF visits.arrived
-> b: visits.notes; IF visits.cost, .vid
-> c: visits.ward; IF visits.arrived
-> rows: GROUP_BY visits.pid
# clinic choices: lists in order [from 4.0]
SELECT ward, listagg(DISTINCT upper(notes), '[') WITHIN GROUP (ORDER BY upper(notes)) AS a, string_agg(notes, ', ') WITHIN GROUP (ORDER BY cost DESC, vid) AS b, listagg(ward) AS c FROM visits GROUP BY ward
-> ward: visits.ward
-> a: visits.notes; SORT visits.notes
-> b: visits.notes; SORT visits.cost, .vid
-> c: visits.ward
-> rows: GROUP_BY visits.ward
# clinic choices: percentiles and modes
SELECT unit, percentile_cont(0.5) WITHIN GROUP (ORDER BY val) AS p, percentile_disc(0.9) WITHIN GROUP (ORDER BY val DESC) AS q, mode(test) AS m, median(val) AS d FROM labs GROUP BY unit
-> unit: labs.unit
-> p: labs.val
-> q: labs.val
-> m: labs.test
-> d: labs.val
-> rows: GROUP_BY labs.unit
# clinic choices: max by over a window
SELECT vid, max_by(notes, cost) OVER (PARTITION BY pid) AS n, first_value(ward) IGNORE NULLS OVER (PARTITION BY pid ORDER BY arrived) AS f, nth_value(cost, 2) OVER (PARTITION BY ward ORDER BY gone) AS c FROM visits
-> vid: visits.vid
-> n: visits.notes; IF visits.cost; WINDOW visits.pid
-> f: visits.ward; WINDOW visits.pid, .arrived
-> c: visits.cost; WINDOW visits.ward, .gone
# clinic choices: any, every and filters
SELECT pid, bool_and(cost > 0) AS a, every(notes IS NULL) AS e, count_if(ward = '[') AS c, any_value(notes) FILTER (WHERE gone > arrived) AS v FROM visits GROUP BY pid
-> pid: visits.pid
-> a: visits.cost
-> e: visits.notes
-> c: visits.ward; IF ?visits.ward
-> v: visits.notes; IF visits.gone, .arrived
-> rows: GROUP_BY visits.pid
# clinic files: metadata of files in keys and windows
SELECT _metadata.file_path AS f, max(vid) AS m, count(DISTINCT _metadata.file_modification_time) AS t FROM visits GROUP BY _metadata.file_path
-> f: visits._metadata.file_path
-> m: visits.vid
-> t: visits._metadata.file_modification_time
-> rows: GROUP_BY visits._metadata.file_path
# clinic files: metadata in conditions
SELECT vid, _metadata.row_index AS r, input_file_name() AS f FROM visits WHERE _metadata.file_size > 10 AND _metadata.file_name <> '['
-> vid: visits.vid
-> r: visits._metadata.row_index
-> f: -
-> rows: FILTER visits._metadata.file_size, ._metadata.file_name
# clinic laterals: aggregates of other tables
SELECT p.full_name, t.n, t.last FROM patients p, LATERAL (SELECT count(*) AS n, max(arrived) AS last FROM visits v WHERE v.pid = p.pid AND v.ward <> '(') t WHERE t.n > 1
-> full_name: patients.full_name
-> n: -
-> last: visits.arrived
-> rows: JOIN patients.pid, visits.pid; MAY visits.ward, .pid
# clinic laterals: left with a limit [from 4.0]
SELECT p.pid, t.ward, t.cost FROM patients p LEFT JOIN LATERAL (SELECT ward, cost FROM visits v WHERE v.pid = p.pid ORDER BY v.arrived DESC LIMIT 1) t
-> pid: patients.pid
-> ward: visits.ward
-> cost: visits.cost
-> rows: JOIN patients.pid, visits.pid; MAY visits.arrived, .pid
# clinic laterals: chained
SELECT v.vid, a.x, b.y FROM visits v, LATERAL (SELECT upper(v.ward) AS x, v.cost * 2 AS c) a, LATERAL (SELECT concat(a.x, '[', v.notes) AS y) b WHERE a.c > 1
-> vid: visits.vid
-> x: visits.ward
-> y: visits.ward, .notes
-> rows: FILTER visits.cost
# clinic laterals: a table function of a lateral
SELECT v.vid, s.p, s.c FROM visits v, LATERAL posexplode(v.tests) AS s(p, c), LATERAL (SELECT max(l.val) AS top FROM labs l WHERE l.vid = v.vid AND l.test = s.c) t WHERE t.top > 3
-> vid: visits.vid
-> p: visits.tests
-> c: visits.tests
-> rows: JOIN visits.vid, .tests, labs.vid, .test; FILTER labs.val
# clinic views: a temporary view with a filter
CREATE TEMPORARY VIEW long_stays AS SELECT vid, pid, ward, gone - arrived AS stay FROM visits WHERE gone > arrived
# clinic views: a view over that one
CREATE OR REPLACE TEMPORARY VIEW ward_stays (w, longest) AS SELECT ward, max(stay) FROM long_stays GROUP BY ward
# clinic views: both views
SELECT s.w, s.longest, l.vid FROM ward_stays s JOIN long_stays l ON s.w = l.ward AND s.longest = l.stay
-> w: visits.ward
-> longest: visits.gone, .arrived
-> vid: visits.vid
-> rows: FILTER visits.gone, .arrived; GROUP_BY visits.ward; JOIN visits.ward, .gone, .arrived
# clinic views: a temporary view named like a table
CREATE TEMPORARY VIEW labs AS SELECT vid, upper(ward) AS test, cost AS val FROM visits
# clinic views: the view hides the table
SELECT test, sum(val) AS v FROM labs GROUP BY test
-> test: visits.ward
-> v: visits.cost
-> rows: GROUP_BY visits.ward
# clinic views: the table by its database
SELECT a.test, b.test AS t FROM default.labs a JOIN labs b ON a.vid = b.vid
-> test: labs.test
-> t: visits.ward
-> rows: JOIN labs.vid, visits.vid
# clinic views: the view is dropped
DROP VIEW labs
# clinic views: the table again
SELECT test, unit FROM labs WHERE val > 3
-> test: labs.test
-> unit: labs.unit
-> rows: FILTER labs.val
# clinic writes: a hash
CREATE TABLE mart.masked USING parquet AS SELECT pid, sha2(ssn, 256) AS ssn, mask(mrn) AS mrn, md5(concat(full_name, '[')) AS n, contact.phone AS phone FROM patients
-> pid: patients.pid
-> ssn: patients.ssn
-> mrn: patients.mrn
-> n: patients.full_name
-> phone: patients.contact.phone
-> to: mart.masked
# clinic writes: multi insert first target
CREATE TABLE mart.cheap (vid BIGINT, w STRING, c DOUBLE) USING parquet
# clinic writes: partitioned by an expression
CREATE TABLE mart.by_month USING parquet PARTITIONED BY (m) AS SELECT vid, cost, date_format(arrived, 'yyyy-MM') AS m FROM visits DISTRIBUTE BY m SORT BY vid
-> vid: visits.vid
-> cost: visits.cost
-> m: visits.arrived
-> rows: MAY visits.vid
-> to: mart.by_month
# clinic writes: insert with defaults and casts
INSERT INTO mart.cheap (c, vid) SELECT CAST(val AS DECIMAL(8, 2)), vid FROM labs WHERE unit IN (SELECT ward FROM visits WHERE cost < 2)
-> vid: labs.vid
-> w: -
-> c: labs.val
-> rows: JOIN labs.unit, visits.ward; MAY visits.cost
-> to: mart.cheap
# clinic writes: insert from a values join
INSERT INTO mart.cheap SELECT v.vid, coalesce(m.label, v.ward), v.cost * m.f FROM visits v LEFT JOIN VALUES ('a[', 'b(', 2.0), ('c', ')', 3.0) AS m(ward, label, f) ON m.ward = v.ward
-> vid: visits.vid
-> w: visits.ward; IF visits.ward
-> c: visits.cost
-> rows: JOIN visits.ward
-> to: mart.cheap
# clinic mixed: recursion [from 4.1]
WITH RECURSIVE tree(id, boss, depth) AS (SELECT id, boss_id, 0 FROM staff WHERE boss_id IS NULL UNION ALL SELECT s.id, s.boss_id, t.depth + 1 FROM staff s JOIN tree t ON s.boss_id = t.id) SELECT id, boss, depth FROM tree
-> id: staff.id
-> boss: staff.boss_id
-> depth: -
-> rows: FILTER staff.boss_id; JOIN staff.boss_id, .id
# clinic mixed: pipes [from 4.0]
FROM visits |> WHERE cost > 2 |> EXTEND cost * 2 AS twice |> AGGREGATE sum(twice) AS t, count(DISTINCT upper(notes)) AS n GROUP BY ward |> ORDER BY t |> LIMIT 3
-> ward: visits.ward
-> t: visits.cost
-> n: visits.notes
-> rows: FILTER visits.cost; GROUP_BY visits.ward; SORT visits.cost
# clinic mixed: a scalar subquery in a case and a lambda
SELECT vid, CASE WHEN cost > (SELECT avg(val) FROM labs) THEN ward ELSE notes END AS a, transform(vals, x -> x * (cost + 1)) AS b, aggregate(vals, cost, (s, x) -> s + x, s -> s / vid) AS c FROM visits
-> vid: visits.vid
-> a: visits.ward, .notes; IF visits.cost, labs.val
-> b: visits.vals, .cost
-> c: visits.vals, .cost, .vid
# clinic mixed: sessions and gaps
SELECT pid, session_window.start AS s, count(*) AS n, max(cost) AS c FROM visits GROUP BY pid, session_window(arrived, '30 minutes')
-> pid: visits.pid
-> s: visits.arrived
-> n: -
-> c: visits.cost
-> rows: GROUP_BY visits.pid, .arrived
# clinic mixed: time windows that slide
SELECT window(arrived, '1 hour', '10 minutes').end AS e, ward, approx_count_distinct(pid) AS p FROM visits GROUP BY window(arrived, '1 hour', '10 minutes'), ward
-> e: visits.arrived
-> ward: visits.ward
-> p: visits.pid
-> rows: GROUP_BY visits.arrived, .ward; MAY visits.arrived
# clinic mixed: a chain of lateral aliases
SELECT cost * 2 AS a, a + vid AS b, upper(concat(ward, '[')) AS w, concat(w, notes) AS x, length(x) + b AS s FROM visits
-> a: visits.cost
-> b: visits.cost, .vid
-> w: visits.ward
-> x: visits.ward, .notes
-> s: visits.cost, .vid, .ward, .notes
# clinic mixed: not in with nulls, and a semi join
SELECT v.vid FROM visits v LEFT SEMI JOIN patients p ON p.pid = v.pid AND p.zip = v.ward LEFT ANTI JOIN labs l ON l.vid = v.vid AND l.val > v.cost
-> vid: visits.vid
-> rows: JOIN visits.pid, patients.pid, patients.zip, visits.ward, labs.vid, visits.vid, labs.val, visits.cost
# clinic mixed: an unpivot of odd names
SELECT `a#1`, k, v FROM forms UNPIVOT INCLUDE NULLS (v FOR k IN (`(f)` AS `x#1, y`, `[g]` AS `]`, `h.i`))
-> a#1: forms.a#1
-> k: -
-> v: forms.(f), .[g], .h.i
# clinic mixed: a histogram and sketches
SELECT ward, histogram_numeric(cost, 5) AS h, hll_sketch_estimate(hll_sketch_agg(pid)) AS e, count_min_sketch(notes, 0.1D, 0.9D, 1) AS m, collect_set(struct(ward, vid)).vid AS s FROM visits GROUP BY ward
-> ward: visits.ward
-> h: visits.cost
-> e: visits.pid
-> m: visits.notes
-> s: visits.vid
-> rows: GROUP_BY visits.ward
# clinic mixed: grouping sets with a filter and a distinct expression
SELECT ward, year(arrived) AS y, grouping(ward) AS g, count(DISTINCT lower(notes)) FILTER (WHERE cost > 1) AS n FROM visits GROUP BY GROUPING SETS ((ward), (year(arrived)), ())
-> ward: visits.ward
-> y: visits.arrived
-> g: -
-> n: visits.notes; IF visits.cost
-> rows: GROUP_BY visits.ward, .arrived
# clinic mixed: an asof search by a window
SELECT l.vid, l.val, last(v.cost, true) OVER (PARTITION BY l.vid ORDER BY l.taken, v.arrived ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS c FROM labs l FULL OUTER JOIN visits v USING (vid)
-> vid: labs.vid
-> val: labs.val
-> c: visits.cost; WINDOW labs.vid, .taken, visits.arrived
-> rows: JOIN labs.vid, visits.vid
# clinic mixed: identifiers and parameters [from 4.0]
SELECT IDENTIFIER('ward') AS w, max(IDENTIFIER('co' || 'st')) AS c FROM IDENTIFIER('vis' || 'its') GROUP BY 1
-> w: visits.ward
-> c: visits.cost
-> rows: GROUP_BY visits.ward
# clinic mixed: structs compared and ordered
SELECT struct(ward, cost) AS s, struct(vid AS a, notes AS b) > struct(pid AS a, ward AS b) AS g FROM visits ORDER BY struct(arrived, gone) DESC LIMIT 2
-> s: visits.ward, .cost
-> g: visits.vid, .notes, .pid, .ward
-> rows: SORT visits.arrived, .gone
# clinic mixed: a union whose sides are computed
SELECT 'v[' AS kind, vid AS id, cost AS x FROM visits UNION ALL SELECT concat('l', unit), vid, val FROM labs UNION ALL SELECT zip, pid, NULL FROM patients
-> kind: labs.unit, patients.zip
-> id: visits.vid, labs.vid, patients.pid
-> x: visits.cost, labs.val
# clinic mixed: time travel by a cross of dates
SELECT d, count(v.vid) AS n FROM (SELECT explode(sequence(min(CAST(arrived AS DATE)), max(CAST(gone AS DATE)))) AS d FROM visits) LEFT JOIN visits v ON d BETWEEN CAST(v.arrived AS DATE) AND CAST(v.gone AS DATE) GROUP BY d
-> d: visits.arrived, .gone
-> n: visits.vid
-> rows: JOIN visits.arrived, .gone; GROUP_BY visits.arrived, .gone
