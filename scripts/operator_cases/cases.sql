CREATE TABLE orders (order_id BIGINT, customer_id BIGINT, amount DOUBLE, status STRING, tags ARRAY<STRING>, address
STRUCT<city: STRING, zip: STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, extra MAP<STRING, STRING>) USING
parquet;

INSERT INTO orders SELECT id, id % 5, id * 1.5, IF(id % 2 = 0, 'paid', 'open'), array('a', 'b'), named_struct('city',
concat('c', id), 'zip', 'z'), array(named_struct('sku', 's', 'qty', 1)), map('k', 'v') FROM range(20);

CREATE TABLE customers (customer_id BIGINT, name STRING, email STRING) USING parquet;

INSERT INTO customers SELECT id, concat('n', id), concat('e', id) FROM range(5);

CREATE TABLE days (order_id BIGINT, amount DOUBLE, day INT) USING parquet PARTITIONED BY (day);

INSERT INTO days SELECT order_id, amount, CAST(order_id % 3 AS INT) FROM orders;

CREATE TABLE target (order_id BIGINT, amount DOUBLE) USING parquet;

CREATE TABLE hive_orders (order_id BIGINT, status STRING) STORED AS TEXTFILE;

CREATE TABLE hive_days (order_id BIGINT, status STRING) PARTITIONED BY (day STRING) STORED AS TEXTFILE;

-- name: files

-- name: file_scan/table
-- versions: 3.1 3.5 4.3
SELECT order_id, amount FROM orders;

-- name: file_scan/path

-- name: file_scan/csv

-- name: file_scan/partition_filter
SELECT order_id FROM days WHERE day = 1;

-- name: file_scan/nested
-- versions: 3.1 3.5 4.3
SELECT address.city, items.sku, extra['k'] AS k FROM orders;

-- name: hive_scan/table
-- versions: 3.3 3.5
SELECT order_id, upper(status) AS status FROM hive_orders;

-- name: hive_scan/partition_filter
SELECT order_id FROM hive_days WHERE day = '2026-11-20';

-- name: local_table_scan/values
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(x, y);

-- name: local_table_scan/range
SELECT id, id * 2 AS twice FROM range(5);

-- name: local_table_scan/one_row
-- versions: 3.5 4.3
SELECT 1 AS one, uuid() AS u;

-- name: local_table_scan/empty
SELECT order_id FROM orders WHERE 1 = 0;

-- name: existing_rdd_scan/rows

-- name: existing_rdd_scan/checkpoint

-- name: batch_scan/files
-- set: spark.sql.sources.useV1SourceList=

-- name: batch_scan/footers
-- set: spark.sql.sources.useV1SourceList= spark.sql.parquet.aggregatePushdown=true

-- name: project/expressions
SELECT order_id, (amount * (1 - 0.1)) AS net, CAST(order_id AS STRING) AS text FROM orders;

-- name: project/choices
-- versions: 3.1 3.5 4.3
SELECT CASE WHEN status = 'paid' THEN amount ELSE amount + order_id END AS a, coalesce(status, address.city) AS b,
if(order_id > 3, amount, 0) AS c, nullif(status, 'x') AS d FROM orders;

-- name: project/masks
SELECT md5(status) AS a, sha2(status, 256) AS b, hash(order_id) AS c, upper(md5(status)) AS d FROM orders;

-- name: project/structs
SELECT named_struct('o', order_id, 'a', amount).a AS picked, struct(order_id, amount) AS s FROM orders;

-- name: project/lambdas
-- versions: 3.1 3.5 4.3
SELECT transform(items, x -> x.qty + 1) AS more, filter(items, x -> x.qty > order_id) AS some, exists(items, x ->
x.sku = status) AS e FROM orders;

-- name: project/odd_literals

-- name: project/odd_names

-- name: filter/conjunction
-- versions: 3.1 3.5
SELECT order_id FROM orders WHERE status = 'paid' AND amount > 3;

-- name: filter/having
SELECT customer_id, sum(amount) AS total FROM orders GROUP BY customer_id HAVING sum(amount) > 10;

-- name: filter/scalar_subquery
-- versions: 3.1 3.5 4.3
SELECT order_id FROM orders WHERE amount > (SELECT avg(amount) FROM orders WHERE status = 'paid');

-- name: project/scalar_subquery
SELECT order_id, amount / (SELECT max(amount) FROM days) AS share FROM orders;

-- name: generate/explode
-- versions: 3.1 3.5
SELECT order_id, tag FROM orders LATERAL VIEW explode(tags) t AS tag;

-- name: generate/posexplode_outer
SELECT order_id, p, tag FROM orders LATERAL VIEW OUTER posexplode(tags) t AS p, tag;

-- name: generate/inline
SELECT order_id, sku, qty FROM orders LATERAL VIEW inline(items) t AS sku, qty;

-- name: generate/stack
SELECT stack(2, order_id, status, customer_id, address.city) AS (a, b) FROM orders;

-- name: generate/exploded_struct
SELECT order_id, item.sku FROM (SELECT order_id, explode(items) AS item FROM orders);

-- name: expand/rollup
-- versions: 3.1 3.5
SELECT customer_id, status, sum(amount) AS total FROM orders GROUP BY ROLLUP (customer_id, status);

-- name: pass_through/repartition

-- name: pass_through/limit

-- name: pass_through/observe

-- name: project/brackets_in_literals
-- versions: 3.5 4.1 4.3
-- text: formatted extended
SELECT concat(status, '[') AS a, order_id, concat('range [0, ', order_id) AS b, split(status, '\\(')[0] AS c,
format_string('... 3 more fields %s)', status) AS d, customer_id, concat_ws('((', status, address.city) AS e, CASE
WHEN status = ':(' THEN address.zip WHEN status = ') END' THEN ' AS z' ELSE address.city END AS f, '\\' AS g,
if(status = 'if (', amount, order_id) AS h, amount FROM orders;

-- name: filter/brackets_in_literals
-- versions: 3.5 4.3
-- text: formatted extended
SELECT order_id, amount FROM orders WHERE status = ':(' AND concat(address.city, ')') <> '[' OR customer_id = 3;

-- name: aggregate/brackets_in_literals
-- versions: 3.5 4.3
-- text: formatted extended
SELECT concat(status, '(') AS k, count(DISTINCT concat(address.city, '[')) AS n, max(split(status, '[)]')[0]) AS m,
sum(amount) AS s FROM orders GROUP BY concat(status, '(');

-- name: window/brackets_in_literals
-- versions: 3.5 4.3
-- text: formatted extended
SELECT order_id, rank() OVER (PARTITION BY concat(status, '[') ORDER BY concat(address.city, '(')) AS r,
max(concat(status, ')')) OVER (PARTITION BY customer_id ORDER BY amount) AS m FROM orders;

-- name: generate/brackets_in_literals
-- versions: 3.5 4.3
-- text: formatted extended
SELECT order_id, w FROM orders LATERAL VIEW explode(split(status, '\\(')) t AS w;

-- name: project/plan_like_names
-- versions: 3.5 4.1 4.3
-- text: formatted extended
SELECT `x#1, y#2`, upper(`p[q`) AS `w#3`, `a AS b` AS `(z`, `it, em` FROM (SELECT status AS `x#1, y#2`, address.city
AS `p[q`, amount + order_id AS `a AS b`, customer_id AS `it, em` FROM orders WHERE rand() > 0);

-- name: window/odd_names
-- versions: 3.5 4.3
-- text: formatted extended
SELECT `p[q`, sum(`c)`) OVER (PARTITION BY `x#1, y#2` ORDER BY `p[q`) AS `w#3`, `c)` FROM (SELECT order_id AS `p[q`,
status AS `x#1, y#2`, amount AS `c)` FROM orders);

-- name: odd names
-- from: 3.3

-- name: file_scan/odd_names
-- versions: 3.5 4.1 4.3
-- from: 3.3
-- text: formatted extended
SELECT `p[q` AS k, `x#1, y#2` AS v, `x.y`.`y.z` AS z FROM parquet.`{root}/data/odd` WHERE `x.y`.n > 3;

-- from: 4.1
CREATE TABLE vt (id BIGINT, vj VARIANT, s STRUCT<v: VARIANT, n: INT>) USING parquet;

-- name: file_scan/variant_paths
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
-- set: spark.sql.variant.pushVariantIntoScan=true
SELECT id, variant_get(vj, '$.a', 'int') AS a, vj:b::string AS b, try_variant_get(vj, '$.c[0].d', 'double') AS d FROM
vt WHERE vj:e::int > 3;

-- name: file_scan/variant_paths_and_copy
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
-- set: spark.sql.variant.pushVariantIntoScan=true
SELECT variant_get(vj, '$.a', 'int') AS a, vj:b::string AS b, try_variant_get(vj, '$.c[0].d', 'double') AS d, vj AS
whole, s.v:f::int AS f, s.n FROM vt;

-- name: join/variant_paths
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
-- set: spark.sql.variant.pushVariantIntoScan=true
SELECT o.status, max(v.vj:a::int) AS m FROM vt v JOIN orders o ON v.vj:k::bigint = o.order_id GROUP BY o.status;

-- name: file_scan/variant_paths_unpushed
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
-- set: spark.sql.variant.pushVariantIntoScan=false
SELECT id, variant_get(vj, '$.a', 'int') AS a, vj:b::string AS b, try_variant_get(vj, '$.c[0].d', 'double') AS d FROM
vt WHERE vj:e::int > 3;

-- name: file_scan/variant_paths_unpushed_and_copy
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
-- set: spark.sql.variant.pushVariantIntoScan=false
SELECT variant_get(vj, '$.a', 'int') AS a, vj:b::string AS b, try_variant_get(vj, '$.c[0].d', 'double') AS d, vj AS
whole, s.v:f::int AS f, s.n FROM vt;

-- name: join/variant_paths_unpushed
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
-- set: spark.sql.variant.pushVariantIntoScan=false
SELECT o.status, max(v.vj:a::int) AS m FROM vt v JOIN orders o ON v.vj:k::bigint = o.order_id GROUP BY o.status;

-- name: project/variant_path_names
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
-- set: spark.sql.variant.pushVariantIntoScan=false
SELECT variant_get(vj, '$["a b"].c', 'int') AS quoted, variant_get(vj, "$['x, y'][0]['z(']", 'string') AS odd,
vj:a.b:c AS chained, variant_get(vj, '$', 'string') AS root, variant_get(vj, '$[0]', 'string') AS element,
variant_get(vj, concat('$.', id), 'string') AS dynamic, variant_get(parse_json(cast(vj AS string)), '$.p', 'int') AS
parsed, transform(array(vj, s.v), x -> variant_get(x, '$.l', 'int')) AS listed, coalesce(vj:m::int, s.v:n::int) AS
chosen FROM vt;

-- name: generate/variant_paths
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
-- set: spark.sql.variant.pushVariantIntoScan=false
SELECT id, t.key, t.value:w::int AS w FROM vt, LATERAL variant_explode(vj:items) t WHERE exists(cast(vj:flags AS
array<variant>), f -> f:on::boolean);

-- name: file_scan/variant_copies
-- versions: 4.1 4.3
-- from: 4.1
-- text: formatted extended
SELECT id, vj, s FROM vt WHERE is_variant_null(vj);

-- name: project/struct_without_fields
-- versions: 3.5 4.3
-- text: formatted extended

-- name: aggregate/distinct_of_expressions
-- versions: 3.5 4.1 4.3
-- text: formatted extended
SELECT customer_id, count(DISTINCT upper(status)) AS n FROM orders GROUP BY customer_id;

-- name: aggregate/distincts_of_expressions
-- versions: 3.5 4.1 4.3
-- text: formatted extended
SELECT customer_id, count(DISTINCT upper(status)) AS n, sum(DISTINCT amount * 2) AS s, avg(order_id) AS a FROM orders
GROUP BY customer_id HAVING count(DISTINCT address.city) > 1;

-- name: aggregate/distinct_number
-- versions: 3.5 4.1 4.3
-- text: formatted extended
SELECT status, avg(DISTINCT amount) AS a FROM orders GROUP BY status;

-- name: aggregate/distinct_with_a_literal
-- versions: 3.5 4.1 4.3
SELECT DISTINCT status, 1 AS one FROM orders;

-- name: aggregate/listagg
-- versions: 4.1 4.3
SELECT status, listagg(address.city, ', ') WITHIN GROUP (ORDER BY amount DESC) AS l FROM orders GROUP BY status;

-- name: project/lambdas_over_several
-- versions: 3.5 4.3
SELECT aggregate(items, 0, (a, e) -> a + e.qty) AS q, zip_with(tags, tags, (x, y) -> concat(x, y, status)) AS z,
array_sort(items, (l, r) -> l.qty - r.qty) AS s, transform(filter(items, e -> e.qty > order_id), f -> f.sku) AS k,
transform_values(extra, (k, v) -> concat(v, status)) AS m FROM orders;

-- name: join/correlated_aggregate
-- versions: 4.3
-- text: formatted extended
SELECT c.name, t.total
FROM customers c, LATERAL (SELECT sum(o.amount) AS total FROM orders o WHERE o.customer_id = c.customer_id) t;

-- name: union/except_all
-- versions: 3.5 4.1 4.3
-- text: formatted extended
SELECT customer_id, status FROM orders EXCEPT ALL SELECT customer_id, name FROM customers;

-- name: union/intersect_all
-- versions: 3.5 4.1 4.3
-- text: formatted extended
SELECT customer_id, status FROM orders INTERSECT ALL SELECT customer_id, name FROM customers;

-- name: union/except_all_of_nothing
-- versions: 3.5 4.3
-- text: formatted extended
SELECT customer_id, status FROM orders WHERE false EXCEPT ALL SELECT customer_id, name FROM customers;

-- name: union/intersect_all_of_nothing
-- versions: 3.5 4.3
-- text: formatted extended
SELECT customer_id FROM orders WHERE false INTERSECT ALL SELECT customer_id FROM customers;

-- name: join/tested_keys
-- versions: 3.5 4.3
-- text: formatted extended
SELECT o.order_id, c.name FROM orders o JOIN customers c ON o.customer_id = c.customer_id AND upper(o.status) = c.name
WHERE o.customer_id IS NOT NULL AND o.amount > 1;

-- name: join/tested_keys_of_a_left_join
-- versions: 3.5 4.3
-- text: formatted extended
SELECT o.order_id, c.name FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id WHERE o.customer_id IS
NOT NULL;

-- name: bin_by/plain
-- versions: 4.3
-- text: formatted extended
-- set: spark.sql.binByRelationOperator.enabled=true
SELECT order_id, s, v FROM (SELECT order_id, timestamp_seconds(order_id) AS s, timestamp_seconds(customer_id) AS e,
amount AS v FROM orders) BIN BY (RANGE s TO e BIN WIDTH INTERVAL '5' MINUTE DISTRIBUTE UNIFORM (v));

-- name: bin_by/named
-- versions: 4.3
-- text: formatted extended
-- set: spark.sql.binByRelationOperator.enabled=true
SELECT b, r, sum(v) AS v FROM (SELECT order_id, timestamp_seconds(order_id) AS s, timestamp_seconds(customer_id) AS e,
amount AS v FROM orders) BIN BY (RANGE s TO e BIN WIDTH INTERVAL '5' MINUTE DISTRIBUTE UNIFORM (v) BIN_START AS b
BIN_DISTRIBUTE_RATIO AS r) GROUP BY b, r;

-- name: bin_by/all
-- versions: 4.3
-- text: formatted extended
-- set: spark.sql.binByRelationOperator.enabled=true
SELECT * FROM (SELECT order_id, timestamp_seconds(order_id) AS s, timestamp_seconds(customer_id) AS e, amount AS v
FROM orders) BIN BY (RANGE s TO e BIN WIDTH INTERVAL '5' MINUTE DISTRIBUTE UNIFORM (v));

-- name: bin_by/filtered
-- versions: 4.3
-- text: formatted extended
-- set: spark.sql.binByRelationOperator.enabled=true
SELECT bin_end, v FROM (SELECT order_id, timestamp_seconds(order_id) AS s, timestamp_seconds(customer_id) AS e, amount
AS v FROM orders) BIN BY (RANGE s TO e BIN WIDTH INTERVAL '5' MINUTE DISTRIBUTE UNIFORM (v)) WHERE bin_start > s;

-- name: join/as_of
-- versions: 4.3
-- text: formatted extended
-- set: spark.sql.join.asofJoin.enabled=true
SELECT o.order_id, d.amount FROM orders o LEFT ASOF JOIN days d MATCH_CONDITION (o.amount >= d.amount) ON o.customer_id =
d.order_id;

-- name: join/as_of_below_a_view
-- versions: 4.3
-- set: spark.sql.join.asofJoin.enabled=true
CREATE VIEW priced AS SELECT o.order_id, d.amount FROM orders o ASOF JOIN days d MATCH_CONDITION (o.amount >= d.amount)
ON o.customer_id = d.order_id;

-- name: join/nearest
-- versions: 4.3
-- text: formatted extended
SELECT o.order_id, d.day FROM orders o JOIN days d APPROX NEAREST 2 BY DISTANCE abs(o.amount - d.amount);

-- name: join/nearest_below_a_view
-- versions: 4.3
CREATE VIEW near AS SELECT o.order_id, d.day FROM orders o JOIN days d APPROX NEAREST 2 BY DISTANCE
abs(o.amount - d.amount);

-- name: generate/unnest
-- versions: 4.3
-- text: formatted extended
SELECT order_id, tag, item.sku, place FROM orders, LATERAL UNNEST(tags, items) WITH ORDINALITY AS t(tag, item, place);

-- name: generate/filtered
-- versions: 3.5 4.1 4.3
SELECT order_id, explode(filter(items, e -> e.qty > customer_id)) AS e FROM orders;

-- name: generate/built_structs
-- versions: 3.5 4.1 4.3
SELECT order_id, e.p, e.q FROM (SELECT order_id, explode(array(named_struct('p', status, 'q', amount))) AS e FROM
orders);

-- name: generate/inline_built
-- versions: 3.5 4.1 4.3
SELECT order_id, p, q FROM orders LATERAL VIEW inline(array(named_struct('a', status, 'b', amount), named_struct('a',
address.city, 'b', order_id))) t AS p, q;

-- name: generate/inline_renamed
SELECT s, q FROM orders LATERAL VIEW inline(items) t AS s, q;

-- name: generate/arrays_zip
-- versions: 3.5 4.1 4.3
SELECT z.tags AS a, z.`1` AS b FROM (SELECT explode(arrays_zip(tags, transform(items, e -> e.sku))) AS z FROM orders);

-- name: aggregate/group_by
-- versions: 3.1 3.5 4.3
SELECT customer_id, sum(amount) AS total, count(*) AS n, count(status) AS c, avg(amount) AS mean FROM orders GROUP BY
customer_id;

-- name: aggregate/distinct
SELECT DISTINCT status, customer_id FROM orders;

-- name: aggregate/count_distinct
SELECT customer_id, count(DISTINCT status) AS d, sum(amount) AS s FROM orders GROUP BY customer_id;

-- name: aggregate/count_distincts
-- versions: 3.1 3.5
SELECT customer_id, count(DISTINCT status) AS d, count(DISTINCT order_id) AS e, max(amount) AS m FROM orders GROUP BY
customer_id;

-- name: aggregate/filtered
SELECT sum(amount) FILTER (WHERE status = 'paid') AS paid FROM orders;

-- name: aggregate/collect
SELECT customer_id, collect_list(status) AS l, max_by(status, amount) AS m FROM orders GROUP BY customer_id;

-- name: aggregate/sort_aggregate
SELECT customer_id, max(status) AS m FROM orders GROUP BY customer_id;

-- name: window/functions
-- versions: 3.1 3.5 4.3
SELECT order_id, row_number() OVER (PARTITION BY customer_id ORDER BY amount DESC) AS n, sum(amount) OVER (PARTITION
BY customer_id) AS total, lag(status) OVER (PARTITION BY customer_id ORDER BY order_id) AS before, rank() OVER (ORDER
BY amount) AS r FROM orders;

-- name: window/frame
SELECT avg(amount) OVER (PARTITION BY customer_id ORDER BY order_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS m
FROM orders;

-- name: window_group_limit/first_row
SELECT order_id FROM (SELECT order_id, row_number() OVER (PARTITION BY customer_id ORDER BY amount) AS n FROM orders)
WHERE n = 1;

-- name: sort/global
SELECT order_id, amount FROM orders ORDER BY amount DESC, order_id;

-- name: sort/within_partitions

-- name: take_ordered/top
SELECT order_id, amount * 2 AS twice FROM orders ORDER BY twice DESC LIMIT 3;

-- name: take_ordered/wide

-- name: window/wide

-- name: join/inner
-- versions: 3.1 3.5
SELECT o.order_id, c.name FROM orders o JOIN customers c ON o.customer_id = c.customer_id;

-- name: join/full_using
-- versions: 3.1 3.5
SELECT * FROM (SELECT order_id, amount FROM orders) FULL JOIN (SELECT order_id, day FROM days) USING (order_id);

-- name: join/semi
-- versions: 3.1 3.5
SELECT order_id FROM orders WHERE customer_id IN (SELECT customer_id FROM customers WHERE name > 'n1');

-- name: join/anti
SELECT order_id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM customers c WHERE c.customer_id = o.customer_id);

-- name: join/existence
-- versions: 3.1 3.5
SELECT order_id FROM orders WHERE customer_id IN (SELECT customer_id FROM customers) OR amount > 3;

-- name: join/not_equal
SELECT o.order_id, c.name FROM orders o JOIN customers c ON o.customer_id < c.customer_id;

-- name: join/sort_merge
-- versions: 3.1 3.5
-- set: spark.sql.autoBroadcastJoinThreshold=-1
SELECT o.order_id, c.name FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id AND c.name <> o.status;

-- name: reused_exchange/self_join
-- versions: 3.1 3.5
-- set: spark.sql.autoBroadcastJoinThreshold=-1 spark.sql.adaptive.enabled=false
WITH t AS (SELECT customer_id, sum(amount) AS s FROM orders GROUP BY customer_id) SELECT a.customer_id, a.s, b.s AS
again FROM t a JOIN t b ON a.customer_id = b.customer_id;

SET spark.sql.adaptive.enabled = true;

-- name: join/pruned
SELECT d.order_id FROM days d JOIN orders o ON d.day = o.customer_id WHERE o.amount > 20;

-- name: union/all
-- versions: 3.1 3.5
SELECT order_id, status FROM orders UNION ALL SELECT customer_id, name FROM customers;

-- name: union/self
SELECT x, count(*) AS n FROM (SELECT order_id AS x FROM orders UNION ALL SELECT customer_id FROM orders) GROUP BY x;

-- name: union/multi_insert
-- versions: 3.1 3.5 4.1 4.3
FROM orders INSERT INTO target SELECT order_id, amount WHERE status = 'paid' INSERT OVERWRITE TABLE hive_orders SELECT
order_id, upper(status) WHERE amount > 3;

-- name: join/intersect
SELECT order_id FROM orders INTERSECT SELECT customer_id FROM customers;

-- name: join/except
SELECT order_id FROM orders EXCEPT SELECT customer_id FROM customers;

-- name: python_eval/scalar
-- versions: 3.1 3.5

-- name: python_eval/pandas

-- name: python_eval/aggregate
-- versions: 3.1 3.3 3.5

-- name: python_eval/aggregates
-- versions: 3.1 3.3 3.5 4.3

-- name: window/pandas

-- name: python_rows/map_in_pandas

-- name: python_rows/apply

-- name: python_rows/cogroup

-- name: python_rows/table_function
-- from: 3.5

-- name: attach_distributed_sequence/index
-- versions: 3.3 3.5 4.3

-- name: script_transformation/cat
-- versions: 3.1 3.5
SELECT TRANSFORM (order_id, status) USING 'cat' AS (a, b) FROM orders;

-- name: typed/rdd_round_trip

-- name: in_memory_scan/first
-- versions: 3.1 3.5 4.3

-- name: filled cache

-- name: in_memory_scan/filled
-- versions: 3.1 3.5 4.3

-- name: no_lineage/cache_table
CACHE TABLE paid AS SELECT order_id FROM orders WHERE status = 'paid';

-- name: in_memory_scan/named
SELECT order_id AS o FROM paid;

-- name: in_memory_scan/brackets
-- versions: 3.1

-- name: in_memory_scan/several
-- versions: 3.1

-- name: in_memory_scan/nested
-- versions: 3.1

-- name: insert_into_files/path
-- versions: 3.1 3.3 3.5 4.3

-- name: insert_into_files/insert
-- versions: 3.1 3.3 3.5 4.3
INSERT INTO target SELECT order_id, amount * 2 FROM orders WHERE status = 'paid';

-- name: insert_into_files/overwrite
INSERT OVERWRITE target SELECT customer_id, max(amount) FROM orders GROUP BY customer_id;

-- name: insert_into_files/static_partition
-- versions: 3.1 3.3 3.5 4.3
INSERT OVERWRITE days PARTITION (day = 7) SELECT order_id, amount FROM orders;

-- name: insert_into_files/dynamic_partition
-- versions: 3.1 3.3 3.5 4.3
INSERT INTO days SELECT order_id, amount, CAST(customer_id AS INT) FROM orders;

-- name: insert_into_files/sorted_by_user

-- name: insert_into_files/wide
-- versions: 3.3 3.5

-- name: create_table_as_select/sql
-- versions: 3.1 3.3 3.5 4.3
CREATE TABLE totals USING parquet AS SELECT customer_id, sum(amount) AS total FROM orders GROUP BY customer_id;

-- name: create_table_as_select/save_as_table
-- versions: 3.1 3.3 3.5 4.3

-- name: create_table_as_select/hive
-- versions: 3.3 3.5
CREATE TABLE hive_copy STORED AS TEXTFILE AS SELECT order_id, status FROM orders;

-- name: insert_into_hive/table
-- versions: 3.3 3.5
INSERT INTO hive_orders SELECT order_id, status FROM orders;

-- name: insert_into_hive/static_partition
-- versions: 3.3 3.5
INSERT OVERWRITE TABLE hive_days PARTITION (day = '2026-11-20') SELECT order_id, status FROM orders;

-- name: insert_into_hive/directory
INSERT OVERWRITE DIRECTORY '{root}/data/dir' USING parquet SELECT order_id FROM orders;

-- name: insert_into_hive/local_directory
INSERT OVERWRITE LOCAL DIRECTORY '{root}/data/local' STORED AS TEXTFILE SELECT order_id FROM orders;

-- name: create_view/view
-- versions: 3.1 3.3 3.5 4.3
CREATE VIEW paid_orders (id, net) AS SELECT order_id, amount * 0.9 AS reduced FROM orders WHERE status = 'paid';

-- name: create_view/metric
-- versions: 4.3
-- set: spark.sql.metricView.enabled=true
CREATE VIEW totals WITH METRICS LANGUAGE YAML AS $${version: "0.1", source: orders, dimensions: [{name: state, expr:
"upper(status)"}], measures: [{name: total, expr: "sum(amount)"}]}$$;

-- name: create_view/metric_read
-- versions: 4.3
-- set: spark.sql.metricView.enabled=true
CREATE TABLE totals_by_state USING parquet AS SELECT state, MEASURE(total) AS total FROM totals GROUP BY state;

-- name: create_view/through
SELECT id, net FROM paid_orders WHERE net > 1;

-- name: create_view/of_view
-- versions: 3.5
CREATE VIEW small_orders AS SELECT id, net, net / 2 AS half FROM paid_orders WHERE net < 9;

-- name: create_view/temporary
CREATE TEMPORARY VIEW recent AS SELECT order_id, status FROM orders WHERE order_id > 3;

-- name: create_view/of_frame
-- versions: 3.5

-- name: create_view/on_path

-- name: load_data/local
LOAD DATA LOCAL INPATH '{root}/data/local' INTO TABLE hive_copy;

-- name: v2_write/noop
-- versions: 3.5 4.3

-- name: pass_through/pipe
-- versions: 4.3
CREATE VIEW piped AS FROM orders |> WHERE amount > 1 |> EXTEND amount * 2 AS twice |> SELECT order_id, twice;

-- name: pass_through/pipe_aggregate
-- versions: 4.3
CREATE VIEW totals AS FROM orders |> AGGREGATE sum(amount) AS total GROUP BY status |> ORDER BY total;

-- name: pass_through/sql_function
-- versions: 4.3

-- name: logical_operators/distinct
CREATE TABLE d1 USING parquet AS SELECT DISTINCT status FROM orders;

-- name: logical_operators/cte
-- versions: 3.5 4.3
CREATE TABLE d2 USING parquet AS WITH a AS (SELECT order_id AS x, rand() AS r FROM orders) SELECT a.x, b.r FROM a JOIN
a b ON a.x = b.x;

-- name: logical_operators/join
-- versions: 3.1 3.3 3.5 4.3
CREATE VIEW joined AS SELECT o.order_id, c.name FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id
WHERE o.amount > 1 ORDER BY c.name LIMIT 5;

-- name: logical_operators/union_window
-- versions: 3.1 3.3 3.5 4.3
CREATE VIEW unioned AS SELECT order_id, row_number() OVER (ORDER BY order_id) AS n FROM (SELECT order_id FROM orders
UNION ALL SELECT order_id FROM days);

-- name: logical_operators/explode
-- versions: 3.1 3.3 3.5 4.3
CREATE VIEW tagged AS SELECT order_id, explode(tags) AS tag FROM orders;

-- name: logical_relation/cte
-- versions: 3.1 3.5
CREATE VIEW parsed_cte AS WITH a AS (SELECT order_id AS x FROM orders), b AS (SELECT x FROM a) SELECT a.x, b.x AS y
FROM a JOIN b ON a.x = b.x;

-- name: logical_relation/having
-- versions: 3.1
CREATE VIEW parsed_having AS SELECT customer_id, sum(amount) AS total, count(*) FROM orders GROUP BY customer_id
HAVING max(order_id) > 3;

-- name: logical_relation/star
-- versions: 3.1
CREATE VIEW parsed_star AS SELECT x.*, upper(x.status) FROM (SELECT order_id, status FROM orders) x;

-- name: logical_relation/star_of_a_table
-- versions: 3.1 3.5
CREATE VIEW parsed_star_of_a_table AS SELECT c.*, order_id FROM customers c JOIN orders o USING (customer_id);

-- name: logical_relation/fields
-- versions: 3.1 3.5
CREATE VIEW parsed_fields AS SELECT o.address.city, address.zip AS z, t.tag FROM orders o LATERAL VIEW OUTER
explode(o.tags) t AS tag;

-- name: logical_relation/windows
-- versions: 3.1 3.5
CREATE VIEW parsed_windows AS SELECT order_id, rank() OVER w AS r FROM orders WINDOW w AS (PARTITION BY status ORDER
BY amount DESC);

-- name: logical_relation/hidden_sort
-- versions: 3.1 3.5
CREATE VIEW parsed_hidden_sort AS SELECT status FROM default.orders ORDER BY amount, lower(status);

-- name: logical_relation/rollup
-- versions: 3.1 3.5
CREATE VIEW parsed_rollup AS SELECT status, customer_id, count(1) c FROM orders GROUP BY ROLLUP(status, customer_id);

-- name: logical_relation/whose
-- versions: 3.1 3.5
CREATE VIEW parsed_whose AS SELECT o.order_id, name FROM orders o, customers c WHERE o.customer_id = c.customer_id;

-- name: logical_relation/correlated
-- versions: 3.1 3.5
CREATE VIEW parsed_correlated AS SELECT order_id, (SELECT max(c.name) FROM customers c WHERE c.customer_id =
o.customer_id) AS name FROM orders o WHERE EXISTS (SELECT * FROM customers d WHERE d.customer_id = o.order_id);

-- name: logical_relation/lambda
-- versions: 3.1 3.5
CREATE VIEW parsed_lambda AS SELECT `order_id` AS `odd id`, transform(tags, t -> concat(t, status, ' it''s')) AS tt
FROM orders;

-- name: logical_relation/renamed
-- versions: 3.1 3.5
CREATE VIEW parsed_renamed AS SELECT /*+ COALESCE(1) */ a, b FROM (SELECT order_id, amount FROM orders) AS t(a, b);

-- name: logical_relation/values
-- versions: 3.1 3.5
CREATE VIEW parsed_values AS SELECT v.*, r.id FROM VALUES (1, 'a') AS v(x, y) JOIN range(5) r ON r.id = v.x;

-- name: logical_relation/altered
-- versions: 3.1 3.5
ALTER VIEW parsed_cte AS SELECT status FROM orders;

CREATE TEMPORARY VIEW halves AS SELECT order_id, amount / 2 AS half FROM orders WHERE status <> '(';

CREATE TEMPORARY VIEW shown_halves AS SELECT half AS h, order_id FROM halves WHERE half > 1;

-- name: logical_operators/view
-- versions: 3.1
INSERT OVERWRITE DIRECTORY '{root}/data/halves' USING json SELECT h + 1 AS more FROM shown_halves;

-- name: logical_operators/except
-- versions: 3.1 3.5 4.3
CREATE VIEW never AS SELECT customer_id FROM customers EXCEPT SELECT customer_id FROM orders;

-- name: logical_operators/intersect_all
-- versions: 3.1 3.3 3.5 4.3
CREATE VIEW always AS SELECT customer_id FROM customers INTERSECT ALL SELECT customer_id FROM orders;

-- name: logical_operators/in_subquery
-- versions: 3.1 3.5 4.3
CREATE VIEW known AS SELECT order_id FROM orders WHERE customer_id IN (SELECT customer_id FROM customers WHERE name >
'A');

-- name: logical_operators/exists
-- versions: 3.1 3.5 4.3
CREATE VIEW placed AS SELECT order_id, (SELECT max(c.name) FROM customers c WHERE c.customer_id = o.customer_id) AS
name FROM orders o WHERE EXISTS (SELECT * FROM days d WHERE d.order_id = o.order_id);

-- name: logical_operators/pivot
-- versions: 3.1 3.3 3.5 4.3
CREATE VIEW sides AS SELECT * FROM (SELECT status, customer_id, amount FROM orders) PIVOT (sum(amount) FOR status IN
('paid' AS paid, 'open' AS open));

-- name: lateral_join/correlated
-- versions: 3.5 4.3
CREATE VIEW doubled AS SELECT o.order_id, x.twice FROM orders o, LATERAL (SELECT o.amount * 2 AS twice, c.name FROM
customers c WHERE c.customer_id = o.customer_id) x;

-- name: union_loop/bosses
-- versions: 4.3
WITH RECURSIVE chain(id, boss, depth) AS (SELECT order_id, customer_id, 0 FROM orders WHERE status = 'paid' UNION ALL
SELECT o.order_id, c.id, c.depth + 1 FROM orders o JOIN chain c ON o.customer_id = c.boss WHERE c.depth < 3) SELECT
id, boss, depth FROM chain;

-- name: deduplicate/logical

-- name: no_lineage/variable
-- versions: 4.3
DECLARE VARIABLE latest BIGINT DEFAULT 5;

-- name: no_lineage/set_variable
-- versions: 4.3
SET VARIABLE latest = (SELECT max(order_id) FROM orders);

-- name: definitions/recover
ALTER TABLE days RECOVER PARTITIONS;

-- name: events

-- name: deduplicate/stream
-- versions: 3.5 4.3

-- name: deduplicate/within_watermark
-- versions: 3.5 4.3

-- name: aggregate/session
-- versions: 3.5 4.3

-- name: aggregate/streamlined
-- versions: 4.3
-- text: formatted extended
-- set: spark.sql.streaming.useStreamlineAggregator=true

-- name: join/stream
-- versions: 3.5 4.3

-- name: pass_through/stream_limit
-- versions: 3.5 4.3

-- name: save_into_data_source/jdbc
-- versions: 3.3 3.5 4.3

-- name: relation_scan/jdbc
-- versions: 3.3 3.5

-- name: derby

CREATE OR REPLACE TEMPORARY VIEW people USING jdbc OPTIONS (url 'jdbc:derby:{root}/derbydb;create=true', driver
'org.apache.derby.jdbc.EmbeddedDriver', dbtable 'PEOPLE');

-- name: insert_into_data_source/jdbc
-- versions: 3.5 4.3
INSERT INTO people SELECT customer_id, upper(name) FROM customers;

-- name: v2_write/jdbc_append
-- versions: 3.3 3.5
-- from: 3.3

-- name: v2_write/jdbc_create
-- versions: 3.3 3.5
-- from: 3.3
CREATE TABLE derby.APP.COPY AS SELECT customer_id, name FROM customers;

-- name: relation_scan/pushed_aggregate
-- versions: 3.5 4.3
SELECT name, count(customer_id) AS n FROM derby.APP.PEOPLE GROUP BY name;

-- name: definitions/create_table
-- versions: 3.3 3.5
CREATE TABLE made (a INT, b STRING) USING parquet;

-- name: definitions/add_column
-- versions: 3.3 3.5
ALTER TABLE made ADD COLUMNS (c DOUBLE);

-- name: definitions/rename
-- versions: 3.3 3.5
ALTER TABLE made RENAME TO remade;

-- name: definitions/truncate
-- versions: 3.3 3.5
TRUNCATE TABLE remade;

-- name: definitions/drop
-- versions: 3.3 3.5
DROP TABLE remade;

-- name: no_lineage/analyze
ANALYZE TABLE orders COMPUTE STATISTICS;

-- name: command_result/show
SHOW TABLES;
