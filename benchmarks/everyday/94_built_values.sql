# built: a map below a generator
SELECT id, mk, mv FROM (SELECT id, map(cust, qty, status, v) AS m FROM li) LATERAL VIEW explode(m) t AS mk, mv
-> id: li.id
-> mk: li.cust, .status
-> mv: li.qty, .v
-> rows: MAY li.cust, .status, .qty, .v
# built: positions of a map
SELECT p, mk, mv FROM li LATERAL VIEW posexplode(map_from_arrays(array(cust, status), array(qty, v))) t AS p, mk, mv
-> p: li.cust, .status, .qty, .v
-> mk: li.cust, .status
-> mv: li.qty, .v
-> rows: MAY li.cust, .status, .qty, .v
# built: maps together
SELECT mk, mv FROM li LATERAL VIEW OUTER explode(map_concat(map(cust, qty), map(status, v))) t AS mk, mv
-> mk: li.cust, .status
-> mv: li.qty, .v
-> rows: MAY li.cust, .status, .qty, .v
# built: a filtered map
SELECT mk, mv FROM li LATERAL VIEW explode(map_filter(map(cust, qty), (a, b) -> b > y)) t AS mk, mv
-> mk: li.cust
-> mv: li.qty
-> rows: FILTER li.y, .qty; MAY li.cust
# built: entries of a map
SELECT e.key AS a, e.value AS b FROM li LATERAL VIEW explode(map_entries(map(cust, qty))) t AS e
-> a: li.cust
-> b: li.qty
-> rows: MAY li.cust, .qty
# built: a map of entries
SELECT mk, mv FROM li LATERAL VIEW explode(map_from_entries(array(named_struct('p', cust, 'q', qty), named_struct('p', status, 'q', v)))) t AS mk, mv
-> mk: li.cust, .status
-> mv: li.qty, .v
-> rows: MAY li.cust, .status, .qty, .v
# built: keys and values
SELECT map_keys(map(cust, qty)) AS a, map_values(map(cust, qty, status, v)) AS b FROM li
-> a: li.cust
-> b: li.qty, .v
# built: maps of a union
SELECT mk, mv FROM (SELECT map(cust, qty) AS m FROM li UNION ALL SELECT map(k, v) FROM li) LATERAL VIEW explode(m) t AS mk, mv
-> mk: li.cust, .k
-> mv: li.qty, .v
-> rows: MAY li.cust, .k, .qty, .v
# built: structs in structs
SELECT s.a.b AS x, s.c AS z, s.a AS w FROM (SELECT named_struct('a', named_struct('b', qty, 'd', v), 'c', cust) AS s FROM li)
-> x: li.qty
-> z: li.cust
-> w: li.qty, .v
# built: structs of a choice
SELECT s.a AS a, s.b AS b FROM (SELECT CASE WHEN y > 1 THEN named_struct('a', qty, 'b', cust) ELSE named_struct('a', v, 'b', status) END AS s, row_number() OVER (ORDER BY id) AS n FROM li) WHERE n < 9
-> a: li.qty, .v; IF li.y
-> b: li.cust, .status; IF li.y
-> rows: FILTER li.id
# built: structs of an if without else
SELECT s.a AS a, s.b AS b FROM (SELECT if(y > 1, named_struct('a', qty, 'b', cust), NULL) AS s, row_number() OVER (ORDER BY id) AS n FROM li) WHERE n < 9
-> a: li.qty; IF li.y
-> b: li.cust; IF li.y
-> rows: FILTER li.id
# built: structs of a coalesce
SELECT s.a AS a, s.b AS b FROM (SELECT coalesce(l.s, r.s) AS s FROM (SELECT id, struct(qty AS a, cust AS b) AS s FROM li) l FULL JOIN (SELECT id, struct(v AS a, status AS b) AS s FROM li) r ON l.id = r.id)
-> a: li.qty, .v; IF li.qty, .cust, .v, .status
-> b: li.cust, .status; IF li.qty, .cust, .v, .status
-> rows: JOIN li.id
# built: elements of an array of structs
SELECT a[0].p AS x, a.q AS z FROM (SELECT array(named_struct('p', qty, 'q', cust), named_struct('p', v, 'q', status)) AS a FROM li)
-> x: li.qty, ?.v
-> z: li.cust, .status
# built: structs of a transform
SELECT n, c FROM li LATERAL VIEW inline(transform(nums, e -> named_struct('n', e, 'c', cust))) t AS n, c
-> n: li.nums
-> c: li.cust
-> rows: MAY li.nums, .cust
# built: collected structs
SELECT cust, e.v AS w, e.day AS d FROM (SELECT cust, collect_list(struct(day, v)) AS l FROM li GROUP BY cust) LATERAL VIEW explode(l) t AS e
-> cust: li.cust
-> w: li.v
-> d: li.day
-> rows: GROUP_BY li.cust; MAY li.day, .v
# built: a collected struct
SELECT k, element_at(array_agg(struct(qty, cust)), 1).cust AS c, array_agg(struct(qty, cust))[0].qty AS q FROM li GROUP BY k
-> k: li.k
-> c: li.cust
-> q: li.qty
-> rows: GROUP_BY li.k
# built: a struct of all columns
SELECT s.cust AS c, s.arr[0] AS a FROM (SELECT struct(*) AS s FROM li)
-> c: li.cust
-> a: li.arr
# built: all fields of a struct
SELECT m.* FROM (SELECT named_struct('a', qty, 'b', cust) AS m, row_number() OVER (ORDER BY id) AS n FROM li) WHERE n = 1
-> a: li.qty
-> b: li.cust
-> rows: FILTER li.id
# built: a cast struct
SELECT CAST(named_struct('a', qty, 'b', cust) AS STRUCT<y: STRING, z: STRING>).z AS z FROM li
-> z: li.cust
# built: a struct as a key
SELECT s.a AS a, count(*) AS n, max(s.b) AS b FROM (SELECT named_struct('a', cust, 'b', qty) AS s FROM li) GROUP BY s
-> a: li.cust
-> n: -
-> b: li.qty
-> rows: GROUP_BY li.cust, .qty
# built: a struct in a window
SELECT first_value(struct(cust, qty)) OVER (PARTITION BY k ORDER BY day).qty AS q FROM li
-> q: li.qty; WINDOW li.k, .day
# built: a struct through a join
SELECT x.s.a AS a, z.s.b AS b FROM (SELECT id, struct(qty AS a, cust AS b) AS s FROM li) x JOIN (SELECT id, struct(v AS a, status AS b) AS s FROM li) z ON x.id = z.id AND x.s.b = z.s.b
-> a: li.qty
-> b: li.status
-> rows: JOIN li.id, .cust, .status
# built: a struct of a subquery
SELECT id, (SELECT struct(max(v) AS a, min(qty) AS b) FROM li z WHERE z.cust = l.k).a AS a FROM li l
-> id: li.id
-> a: li.v, ?.qty
-> rows: JOIN li.cust, .k
# built: zipped arrays
SELECT z.arr AS a, z.nums AS n FROM li LATERAL VIEW explode(arrays_zip(arr, nums)) t AS z
-> a: li.arr
-> n: li.nums
-> rows: MAY li.arr, .nums
# built: a stack
SELECT n, x FROM li LATERAL VIEW stack(2, cust, qty, status, v) t AS n, x
-> n: li.cust, .status
-> x: li.qty, .v
# built: structs of JSON
SELECT p, q FROM li LATERAL VIEW inline(from_json(email, 'array<struct<p:int,q:string>>')) t AS p, q
-> p: li.email
-> q: li.email
-> rows: MAY li.email
# built: lateral column aliases
SELECT qty * 2 AS a, a + v AS b, named_struct('p', a, 'q', cust) AS s, s.q AS c FROM li
-> a: li.qty
-> b: li.qty, .v
-> s: li.qty, .cust
-> c: li.cust
# built: structs in a set operation
SELECT s.a AS a, s.b AS b FROM (SELECT named_struct('a', qty, 'b', cust) AS s FROM li INTERSECT SELECT named_struct('a', v, 'b', k) FROM li)
-> a: li.qty
-> b: li.cust
-> rows: GROUP_BY li.qty, .cust; JOIN li.qty, .cust, .v, .k
# built: folded lines
SELECT aggregate(lines, 0D, (t, l) -> t + l.price * l.qty) AS t, exists(lines, l -> l.sku = note) AS e, transform(lines, l -> l.price)[0] AS p, lines.sku AS s FROM orders
-> t: orders.lines.price, .lines.qty
-> e: orders.lines.sku, .note
-> p: orders.lines.price
-> s: orders.lines.sku
# built: a map in code [code]
made = spark.table("li").select("id", F.create_map("cust", "qty", "status", "v").alias("m")).where("id > 1")
frame = made.select("id", F.explode("m").alias("a", "b"))
-> id: li.id
-> a: li.cust, .status
-> b: li.qty, .v
-> rows: FILTER li.id; MAY li.cust, .status, .qty, .v
# built: a struct in code [code]
made = spark.table("li").select(F.when(F.col("y") > 1, F.struct("qty", "cust")).otherwise(F.struct(F.col("v").alias("qty"), F.col("status").alias("cust"))).alias("s")).limit(7)
frame = made.select("s.*")
-> qty: li.qty, .v; IF li.y
-> cust: li.cust, .status; IF li.y
