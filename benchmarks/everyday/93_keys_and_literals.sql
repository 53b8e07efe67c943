# literals: tables
CREATE TABLE li (cust STRING, status STRING, qty INT, y INT, arr ARRAY<INT>, day DATE, nums ARRAY<INT>, id INT, email STRING, k STRING, v INT) USING parquet
# literals: odd tables
CREATE TABLE lo (`x#1, y#2` STRING, `p[q` INT, `w#3` INT, `x.y` STRUCT<`y.z`: STRING, n: INT>) USING parquet
# literals: keys of expressions
SELECT cust, count(DISTINCT upper(status)) AS a, sum(DISTINCT qty * 2) AS b, count(DISTINCT arr[0]) AS c, count(DISTINCT date_format(day, 'yyyy')) AS d, count(DISTINCT CAST(qty AS STRING)) AS e FROM li GROUP BY cust HAVING count(DISTINCT lower(k)) > 2
-> cust: li.cust
-> a: li.status
-> b: li.qty
-> c: li.arr
-> d: li.day
-> e: li.qty
-> rows: GROUP_BY li.cust; FILTER li.k
# literals: one distinct key
SELECT cust, count(DISTINCT upper(status)) AS a FROM li GROUP BY cust
-> cust: li.cust
-> a: li.status
-> rows: GROUP_BY li.cust
# literals: distinct with a constant
SELECT DISTINCT y, 1 AS one FROM li
-> y: li.y
-> one: -
-> rows: GROUP_BY li.y
# literals: evaluators [from 4.0]
SELECT to_json(struct(cust, qty)) AS a, parse_url(status, 'HOST') AS b, try_parse_url(status, 'QUERY', k) AS c, xpath_string(status, 'a/b') AS d, make_valid_utf8(status) AS e FROM li WHERE parse_url(email, 'HOST') = 'x'
-> a: li.cust, .qty
-> b: li.status
-> c: li.status, .k
-> d: li.status
-> e: li.status
-> rows: FILTER li.email
# literals: evaluators in keys and orders [from 4.0]
SELECT parse_url(status, 'HOST') AS h, max(v) OVER (PARTITION BY parse_url(email, 'HOST')) AS m FROM li ORDER BY parse_url(k, 'HOST') LIMIT 3
-> h: li.status
-> m: li.v; WINDOW li.email
-> rows: SORT li.k
# literals: evaluators in groups and joins [from 4.0]
SELECT parse_url(a.status, 'HOST') AS h, count(*) AS n FROM li a JOIN lo b ON parse_url(a.email, 'HOST') = CAST(b.`w#3` AS STRING) GROUP BY parse_url(a.status, 'HOST')
-> h: li.status
-> n: -
-> rows: GROUP_BY li.status; JOIN li.email, lo.w#3
# literals: brackets and backslashes
SELECT concat(status, '[') AS a, concat('range [0, ', qty) AS b, status = ':(' AS c, concat(k, '\\') AS d, format_string('... 3 more fields', qty) AS e, email AS f FROM li
-> a: li.status
-> b: li.qty
-> c: li.status
-> d: li.k
-> e: li.qty
-> f: li.email
# literals: a generator of a split at brackets
SELECT id, e FROM li LATERAL VIEW explode(split(status, '\\(')) t AS e
-> id: li.id
-> e: li.status
-> rows: MAY li.status
# literals: odd names
SELECT `w#3`, rank() OVER (ORDER BY `p[q`) AS r, `x.y`.`y.z` AS z FROM lo
-> w#3: lo.w#3
-> r: -; WINDOW lo.p[q
-> z: lo.x.y.y.z
# literals: except all of odd names
SELECT `w#3`, `p[q` FROM lo EXCEPT ALL SELECT qty, v FROM li
-> w#3: lo.w#3
-> p[q: lo.p[q
-> rows: JOIN lo.w#3, lo.p[q, li.qty, .v; MAY lo.w#3, lo.p[q
# literals: intersect all
SELECT qty FROM li INTERSECT ALL SELECT `w#3` FROM lo
-> qty: li.qty
-> rows: JOIN lo.w#3, li.qty; MAY li.qty
# literals: fields of built structs
SELECT s.p, s.q FROM (SELECT explode(array(named_struct('p', v, 'q', k))) AS s FROM li)
-> p: li.v
-> q: li.k
# literals: inline of built structs
SELECT p, q FROM li LATERAL VIEW inline(array(named_struct('p', v, 'q', k))) t AS p, q
-> p: li.v
-> q: li.k
# literals: zipped arrays
SELECT z.arr AS a, z.nums AS n FROM (SELECT explode(arrays_zip(arr, nums)) AS z FROM li)
-> a: li.arr
-> n: li.nums
-> rows: MAY li.arr, .nums
# literals: a generator's filter
SELECT id, e FROM li LATERAL VIEW explode(filter(nums, e -> e > id)) t AS e
-> id: li.id
-> e: li.nums
-> rows: FILTER li.nums, .id
# literals: what orders and chooses [from 4.0]
SELECT cust, listagg(status, ',') WITHIN GROUP (ORDER BY qty) AS l, max_by(v, y) AS m FROM li GROUP BY cust
-> cust: li.cust
-> l: li.status; SORT li.qty
-> m: li.v; IF li.y
-> rows: GROUP_BY li.cust
# literals: what chooses
SELECT max_by(v, y) AS m FROM li
-> m: li.v; IF li.y
# literals: names of files
SELECT id, _metadata.file_name AS f FROM li
-> id: li.id
-> f: li._metadata.file_name
# literals: lateral [from 4.0]
SELECT a.id, b.v FROM li a, LATERAL (SELECT v FROM li c WHERE c.id = a.y) b
-> id: li.id
-> v: li.v
-> rows: JOIN li.id, .y
# literals: variants [from 4.0]
CREATE TABLE lv (vj VARIANT, id INT) USING parquet
# literals: paths of variants [from 4.0]
SELECT id, vj FROM lv WHERE variant_get(vj, '$.a', 'int') > 3
-> id: lv.id
-> vj: lv.vj
-> rows: FILTER lv.vj; MAY lv.vj.a
