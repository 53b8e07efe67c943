"""The statements of `provenance.py`: queries whose result is the same at every run."""

STATEMENTS = [
    line.strip()
    for line in """
SELECT order_id, amount FROM orders
SELECT order_id, amount * (1 - discount) AS net FROM orders
SELECT order_id, amount FROM orders WHERE status = 'paid'
SELECT upper(status) AS s, length(place.city) AS n FROM orders
SELECT order_id, place.city, place.zip FROM orders
SELECT order_id, tags[0] AS first_tag, size(tags) AS n FROM orders
SELECT order_id, extra['k'] AS k FROM orders
SELECT order_id, CASE WHEN amount > 5 THEN status ELSE 'small' END AS label FROM orders
SELECT order_id, IF(discount > 0.3, amount, 0) AS paid FROM orders
SELECT order_id, coalesce(nullif(status, 'open'), 'none') AS s FROM orders
SELECT order_id, cast(amount AS INT) AS a, year(day) AS y FROM orders
SELECT order_id, tag FROM orders LATERAL VIEW explode(tags) t AS tag
SELECT order_id, pos, tag FROM orders LATERAL VIEW posexplode(tags) t AS pos, tag
SELECT order_id, x FROM orders LATERAL VIEW OUTER explode(filter(tags, e -> e > 'u')) t AS x
SELECT stack(2, order_id, status, customer_id, place.city) AS (a, b) FROM orders
SELECT transform(tags, e -> concat(e, status)) AS t FROM orders
SELECT order_id, struct(amount, status) AS s FROM orders
SELECT order_id, named_struct('a', amount, 'b', status).a AS a FROM orders
SELECT order_id, map('s', status)['s'] AS s FROM orders
SELECT md5(status) AS m, sha2(place.zip, 256) AS z FROM orders
SELECT DISTINCT status FROM orders
SELECT customer_id, sum(amount) AS total FROM orders GROUP BY customer_id
SELECT customer_id, count(*) AS n, avg(discount) AS d FROM orders GROUP BY customer_id
SELECT status, count(DISTINCT customer_id) AS n FROM orders GROUP BY status
SELECT status, count(DISTINCT customer_id) AS n, count(DISTINCT product_id) AS p, sum(amount) AS s FROM orders GROUP BY status
SELECT sum(amount) FILTER (WHERE status = 'paid') AS paid, max(discount) AS d FROM orders
SELECT customer_id, max_by(status, amount) AS s, min(day) AS d FROM orders GROUP BY customer_id
SELECT customer_id, sort_array(collect_list(status)) AS l FROM orders GROUP BY customer_id
SELECT status, customer_id, sum(amount) AS s FROM orders GROUP BY ROLLUP (status, customer_id)
SELECT status, product_id, sum(amount) AS s FROM orders GROUP BY GROUPING SETS ((status), (product_id))
SELECT customer_id, sum(amount) AS s FROM orders GROUP BY customer_id HAVING max(discount) > 0.3
SELECT sum(CASE WHEN status = 'paid' THEN amount ELSE 0 END) AS paid, sum(discount) AS d FROM orders
SELECT * FROM (SELECT status, customer_id, amount FROM orders) PIVOT (sum(amount) FOR status IN ('paid' AS p, 'open' AS o))
SELECT order_id, kind, value FROM (SELECT order_id, amount, discount FROM orders) UNPIVOT (value FOR kind IN (amount, discount))
SELECT order_id, sum(amount) OVER (PARTITION BY customer_id) AS s, status FROM orders
SELECT order_id, rank() OVER (PARTITION BY status ORDER BY amount, order_id) AS r, day FROM orders
SELECT order_id, lag(amount) OVER (ORDER BY order_id) AS before, discount FROM orders
SELECT order_id, sum(discount) OVER (PARTITION BY status ORDER BY day, order_id) AS d, amount FROM orders
SELECT order_id, amount FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY amount DESC, order_id) AS r FROM orders) WHERE r = 1
SELECT o.order_id, c.name FROM orders o JOIN customers c ON o.customer_id = c.customer_id
SELECT o.order_id, c.name, c.country FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id
SELECT o.order_id, c.name FROM orders o RIGHT JOIN customers c ON o.customer_id = c.customer_id AND o.amount > 3
SELECT coalesce(o.customer_id, c.customer_id) AS id, c.name, o.amount FROM orders o FULL JOIN customers c USING (customer_id)
SELECT o.order_id, c.name FROM orders o JOIN customers c ON o.customer_id < c.customer_id
SELECT c.name, p.title FROM customers c CROSS JOIN products p
SELECT name FROM customers WHERE customer_id IN (SELECT customer_id FROM orders WHERE amount > 5)
SELECT name FROM customers c WHERE EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.customer_id AND o.status = 'open')
SELECT name, country FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id)
SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)
SELECT order_id, amount / (SELECT max(amount) FROM orders) AS share FROM orders
SELECT c.name, (SELECT max(o.amount) FROM orders o WHERE o.customer_id = c.customer_id) AS most FROM customers c
SELECT name, customer_id IN (SELECT customer_id FROM orders WHERE status = 'open') OR country = 'DE' AS flag FROM customers WHERE customer_id IN (SELECT customer_id FROM orders) OR country = 'FR'
SELECT c.name, b.name AS boss FROM customers c JOIN customers b ON c.boss = b.customer_id
SELECT order_id AS id, status AS word FROM orders UNION ALL SELECT customer_id, name FROM customers
SELECT customer_id FROM orders INTERSECT SELECT customer_id FROM customers
SELECT customer_id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT customer_id FROM customers EXCEPT ALL SELECT product_id FROM products
SELECT order_id, amount, status FROM orders ORDER BY amount DESC, order_id LIMIT 5
SELECT order_id, status FROM orders ORDER BY day, order_id
WITH paid AS (SELECT * FROM orders WHERE status = 'paid'), best AS (SELECT customer_id, max(amount) AS m FROM paid GROUP BY customer_id) SELECT p.order_id, b.m FROM paid p JOIN best b ON p.customer_id = b.customer_id
SELECT c.country, p.title, sum(o.amount * p.price) AS turnover FROM orders o JOIN customers c USING (customer_id) JOIN products p USING (product_id) GROUP BY c.country, p.title
SELECT c.country, t.tag, count(*) AS n FROM orders o JOIN customers c USING (customer_id) LATERAL VIEW explode(o.tags) t AS tag WHERE o.discount < 0.5 GROUP BY c.country, t.tag
SELECT o.order_id, x.twice FROM orders o, LATERAL (SELECT o.amount * 2 AS twice, c.name FROM customers c WHERE c.customer_id = o.customer_id) x
WITH RECURSIVE chain(id, boss, depth) AS (SELECT customer_id, boss, 0 FROM customers WHERE boss < 0 UNION ALL SELECT c.customer_id, c.boss, h.depth + 1 FROM customers c JOIN chain h ON c.boss = h.id) SELECT id, depth FROM chain
SELECT a.status, a.s / b.s AS share FROM (SELECT status, sum(amount) AS s FROM orders GROUP BY status) a CROSS JOIN (SELECT sum(amount) AS s FROM orders) b
SELECT status, percentile_approx(amount, 0.5) AS med, stddev(discount) AS sd FROM orders GROUP BY status
SELECT first_value(status) OVER (PARTITION BY customer_id ORDER BY order_id) AS f, discount FROM orders
SELECT explode(map_keys(extra)) AS k, status FROM orders
SELECT inline(array(named_struct('a', order_id, 'b', status), named_struct('a', customer_id, 'b', place.city))) FROM orders
SELECT concat_ws('-', tags) AS t, regexp_replace(status, 'p', place.zip) AS r FROM orders
SELECT aggregate(tags, status, (acc, e) -> concat(acc, e)) AS folded, amount FROM orders
SELECT zip_with(tags, array(status, place.city), (a, b) -> concat(a, b)) AS z, day FROM orders
SELECT order_id, element_at(extra, 'k') AS e, array_contains(tags, 'u') AS has FROM orders
SELECT grouping(status) AS g, status, sum(amount) AS s FROM orders GROUP BY CUBE (status)
""".strip().splitlines()
]
