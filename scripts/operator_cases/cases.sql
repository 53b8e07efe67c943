-- name: file_scan/partition_filter
SELECT order_id FROM days WHERE day = 1;

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

-- name: project/expressions
SELECT order_id, (amount * (1 - 0.1)) AS net, CAST(order_id AS STRING) AS text FROM orders;

-- name: project/choices
-- versions: 3.1 3.5 4.3
SELECT CASE WHEN status = 'paid' THEN amount ELSE amount + order_id END AS a, coalesce(status, address.city)
AS b, if(order_id > 3, amount, 0) AS c, nullif(status, 'x') AS d FROM orders;

-- name: project/masks
SELECT md5(status) AS a, sha2(status, 256) AS b, hash(order_id) AS c, upper(md5(status)) AS d FROM orders;

-- name: project/structs
SELECT named_struct('o', order_id, 'a', amount).a AS picked, struct(order_id, amount) AS s FROM orders;

-- name: project/lambdas
-- versions: 3.1 3.5 4.3
SELECT transform(items, x -> x.qty + 1) AS more, filter(items, x -> x.qty > order_id)
AS some, exists(items, x -> x.sku = status) AS e FROM orders;

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

-- name: aggregate/group_by
-- versions: 3.1 3.5 4.3
SELECT customer_id, sum(amount) AS total, count(*) AS n, count(status) AS c, avg(amount) AS mean FROM orders
GROUP BY customer_id;

-- name: aggregate/distinct
SELECT DISTINCT status, customer_id FROM orders;

-- name: aggregate/count_distinct
SELECT customer_id, count(DISTINCT status) AS d, sum(amount) AS s FROM orders GROUP BY customer_id;

-- name: aggregate/count_distincts
-- versions: 3.1 3.5
SELECT customer_id, count(DISTINCT status) AS d, count(DISTINCT order_id) AS e, max(amount) AS m FROM orders
GROUP BY customer_id;

-- name: aggregate/filtered
SELECT sum(amount) FILTER (WHERE status = 'paid') AS paid FROM orders;

-- name: aggregate/collect
SELECT customer_id, collect_list(status) AS l, max_by(status, amount) AS m FROM orders GROUP BY customer_id;

-- name: aggregate/sort_aggregate
SELECT customer_id, max(status) AS m FROM orders GROUP BY customer_id;

-- name: window/functions
-- versions: 3.1 3.5 4.3
SELECT order_id, row_number() OVER (PARTITION BY customer_id ORDER BY amount DESC)
AS n, sum(amount) OVER (PARTITION BY customer_id) AS total, lag(status) OVER (PARTITION BY customer_id
ORDER BY order_id) AS before, rank() OVER (ORDER BY amount) AS r FROM orders;

-- name: window/frame
SELECT avg(amount) OVER (PARTITION BY customer_id ORDER BY order_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS m
FROM orders;

-- name: window_group_limit/first_row
SELECT order_id FROM (SELECT order_id, row_number() OVER (PARTITION BY customer_id ORDER BY amount) AS n
FROM orders) WHERE n = 1;

-- name: sort/global
SELECT order_id, amount FROM orders ORDER BY amount DESC, order_id;

-- name: take_ordered/top
SELECT order_id, amount * 2 AS twice FROM orders ORDER BY twice DESC LIMIT 3;

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
SELECT o.order_id, c.name FROM orders o
LEFT JOIN customers c ON o.customer_id = c.customer_id AND c.name <> o.status;

-- name: reused_exchange/self_join
-- versions: 3.1 3.5
WITH t AS (SELECT customer_id, sum(amount) AS s FROM orders GROUP BY customer_id)
SELECT a.customer_id, a.s, b.s AS again FROM t a JOIN t b ON a.customer_id = b.customer_id;

-- name: join/pruned
SELECT d.order_id FROM days d JOIN orders o ON d.day = o.customer_id WHERE o.amount > 20;

-- name: union/all
-- versions: 3.1 3.5
SELECT order_id, status FROM orders UNION ALL SELECT customer_id, name FROM customers;

-- name: union/self
SELECT x, count(*) AS n FROM (SELECT order_id AS x FROM orders UNION ALL SELECT customer_id FROM orders) GROUP BY x;

-- name: union/multi_insert
-- versions: 3.1 3.5 4.1 4.3
FROM orders INSERT INTO target SELECT order_id, amount WHERE status = 'paid' INSERT OVERWRITE TABLE hive_orders
SELECT order_id, upper(status) WHERE amount > 3;

-- name: join/intersect
SELECT order_id FROM orders INTERSECT SELECT customer_id FROM customers;

-- name: join/except
SELECT order_id FROM orders EXCEPT SELECT customer_id FROM customers;

-- name: script_transformation/cat
-- versions: 3.1 3.5
SELECT TRANSFORM (order_id, status) USING 'cat' AS (a, b) FROM orders;

-- name: no_lineage/cache_table
CACHE TABLE paid AS SELECT order_id FROM orders WHERE status = 'paid';

-- name: in_memory_scan/named
SELECT order_id AS o FROM paid;

-- name: insert_into_files/overwrite
INSERT OVERWRITE target SELECT customer_id, max(amount) FROM orders GROUP BY customer_id;

-- name: create_table_as_select/hive
-- versions: 3.3 3.5
CREATE TABLE hive_copy STORED AS TEXTFILE AS SELECT order_id, status FROM orders;

-- name: insert_into_hive/table
-- versions: 3.3 3.5
INSERT INTO hive_orders SELECT order_id, status FROM orders;

-- name: insert_into_hive/static_partition
-- versions: 3.3 3.5
INSERT OVERWRITE TABLE hive_days PARTITION (day = '2026-11-20') SELECT order_id, status FROM orders;

-- name: create_view/through
SELECT id, net FROM paid_orders WHERE net > 1;

-- name: create_view/temporary
CREATE TEMPORARY VIEW recent AS SELECT order_id, status FROM orders WHERE order_id > 3;

-- name: pass_through/pipe
-- versions: 4.3
CREATE VIEW piped AS FROM orders |> WHERE amount > 1 |> EXTEND amount * 2 AS twice |> SELECT order_id, twice;

-- name: pass_through/pipe_aggregate
-- versions: 4.3
CREATE VIEW totals AS FROM orders |> AGGREGATE sum(amount) AS total GROUP BY status |> ORDER BY total;

-- name: logical_operators/distinct
CREATE TABLE d1 USING parquet AS SELECT DISTINCT status FROM orders;

-- name: logical_operators/cte
-- versions: 3.5 4.3
CREATE TABLE d2 USING parquet AS WITH a AS (SELECT order_id AS x, rand() AS r FROM orders) SELECT a.x, b.r
FROM a JOIN a b ON a.x = b.x;

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

-- name: aggregate/listagg
-- versions: 4.1 4.3
SELECT status, listagg(address.city, ', ') WITHIN GROUP (ORDER BY amount DESC) AS l FROM orders GROUP BY status;

-- name: project/lambdas_over_several
-- versions: 3.5 4.3
SELECT aggregate(items, 0, (a, e) -> a + e.qty) AS q, zip_with(tags, tags, (x, y) -> concat(x, y, status))
AS z, array_sort(items, (l, r) -> l.qty - r.qty) AS s, transform(filter(items, e -> e.qty > order_id), f -> f.sku)
AS k, transform_values(extra, (k, v) -> concat(v, status)) AS m FROM orders;

-- name: generate/inline_renamed
SELECT s, q FROM orders LATERAL VIEW inline(items) t AS s, q;

-- name: logical_relation/altered
-- versions: 3.1 3.5
ALTER VIEW parsed_cte AS SELECT status FROM orders;

-- name: logical_operators/intersect_all
-- versions: 3.1 3.3 3.5 4.3
CREATE VIEW always AS SELECT customer_id FROM customers INTERSECT ALL SELECT customer_id FROM orders;

-- name: logical_operators/in_subquery
-- versions: 3.1 3.5 4.3
CREATE VIEW known AS SELECT order_id FROM orders WHERE customer_id IN (SELECT customer_id FROM customers
WHERE name > 'A');

-- name: logical_operators/pivot
-- versions: 3.1 3.3 3.5 4.3
CREATE VIEW sides AS SELECT * FROM (SELECT status, customer_id, amount
FROM orders) PIVOT (sum(amount) FOR status IN ('paid' AS paid, 'open' AS open));

-- name: union_loop/bosses
-- versions: 4.3
WITH RECURSIVE chain(id, boss, depth) AS (SELECT order_id, customer_id, 0 FROM orders WHERE status = 'paid'
UNION ALL SELECT o.order_id, c.id, c.depth + 1 FROM orders o JOIN chain c ON o.customer_id = c.boss
WHERE c.depth < 3) SELECT id, boss, depth FROM chain;

-- name: no_lineage/variable
-- versions: 4.3
DECLARE VARIABLE latest BIGINT DEFAULT 5;

-- name: no_lineage/set_variable
-- versions: 4.3
SET VARIABLE latest = (SELECT max(order_id) FROM orders);

-- name: definitions/recover
ALTER TABLE days RECOVER PARTITIONS;

-- name: insert_into_data_source/jdbc
-- versions: 3.5 4.3
INSERT INTO people SELECT customer_id, upper(name) FROM customers;

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
