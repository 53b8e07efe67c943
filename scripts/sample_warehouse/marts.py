"""From the staging tables to the marts, in SQL."""

from __future__ import annotations

from sample_warehouse.statements import Night, code, sql


def _order_archive(night: Night) -> None:
    """Dynamic partitions in SQL: the partition column stands last in the query."""
    night.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    night.spark.sql(
        """INSERT OVERWRITE TABLE sales.order_archive PARTITION (order_date)
           SELECT order_id, customer_id, status, amount, order_date
           FROM staging.orders WHERE status <> 'open'"""
    )
    night.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")


_DDL = [
    sql(
        "ddl: sales.daily_sales",
        """CREATE TABLE sales.daily_sales (
             order_date DATE, revenue DECIMAL(21,2), orders BIGINT, buyers BIGINT, run_date DATE) USING parquet""",
    ),
    sql(
        "ddl: sales.region_sales",
        """CREATE TABLE sales.region_sales (
             country STRING, revenue DECIMAL(20,2), best DECIMAL(10,2), average DECIMAL(14,6), order_date DATE)
           USING parquet PARTITIONED BY (order_date)""",
    ),
    sql(
        "ddl: sales.order_archive",
        """CREATE TABLE sales.order_archive (
             order_id BIGINT, customer_id BIGINT, status STRING, amount DECIMAL(10,2), order_date DATE)
           USING orc PARTITIONED BY (order_date)""",
    ),
    sql(
        "ddl: sales.repeat_buyers", "CREATE TABLE sales.repeat_buyers (customer_id BIGINT, buyer STRING) USING parquet"
    ),
    sql(
        "ddl: sales.order_sequence",
        """CREATE TABLE sales.order_sequence (
             order_id BIGINT, customer_id BIGINT, nth_order INT, running_revenue DECIMAL(20,2),
             previous_order TIMESTAMP, amount_rank INT) USING parquet""",
    ),
    sql(
        "ddl: sales.order_facts",
        """CREATE TABLE sales.order_facts (
             order_id BIGINT, net DECIMAL(11,2), is_paid INT, coupon STRING, is_big BOOLEAN,
             channel STRING, order_date DATE) USING parquet""",
    ),
    sql(
        "ddl: sales.customer_notes",
        "CREATE TABLE sales.customer_notes (customer_id BIGINT, note STRING, author STRING) USING parquet",
        thorough=True,
    ),
]

_SALES = [
    sql(
        "mart: daily_sales",
        """INSERT INTO sales.daily_sales
           SELECT o.order_date, sum(o.amount - o.discount) AS revenue, count(*) AS orders,
                  count(DISTINCT o.customer_id) AS buyers, current_date() AS run_date
           FROM staging.orders o JOIN staging.customers c ON o.customer_id = c.customer_id
           WHERE o.status = 'paid'
           GROUP BY o.order_date""",
    ),
    sql(
        "mart: region_sales",
        """INSERT OVERWRITE TABLE sales.region_sales PARTITION (order_date = DATE'{run_date}')
           SELECT c.addr.country, sum(o.amount), max(o.amount), avg(o.amount)
           FROM staging.orders o JOIN staging.customers c USING (customer_id)
           WHERE o.order_date = DATE'{run_date}'
           GROUP BY c.addr.country HAVING sum(o.amount) > 1""",
    ),
    code("mart: order_archive", _order_archive),
    sql(
        "mart: order_facts",
        """INSERT INTO sales.order_facts
           SELECT order_id, if(discount > 0, amount - discount, amount) AS net,
                  CASE status WHEN 'paid' THEN 1 ELSE 0 END AS is_paid,
                  coalesce(coupon, 'none') AS coupon, amount > 40 AS is_big, 'web' AS channel, order_date
           FROM staging.orders""",
    ),
    sql(
        "mart: weekly_kpis",
        """CREATE TABLE sales.weekly_kpis USING parquet AS
           SELECT date_trunc('WEEK', ordered_at) AS week, count(DISTINCT customer_id) AS buyers,
                  count(DISTINCT coupon) AS coupons, min(amount) AS smallest,
                  sum(CASE WHEN status = 'cancelled' THEN amount ELSE 0 END) AS cancelled
           FROM staging.orders
           GROUP BY date_trunc('WEEK', ordered_at)""",
    ),
    sql(
        "mart: sales_rollup",
        """CREATE TABLE sales.sales_rollup USING parquet AS
           SELECT p.category, o.status, grouping_id() AS level, sum(l.quantity * l.unit_price) AS revenue
           FROM staging.order_lines l
           JOIN staging.products p ON l.product_id = p.product_id
           JOIN staging.orders o ON l.order_id = o.order_id
           GROUP BY ROLLUP (p.category, o.status)""",
    ),
    sql(
        "mart: month_over_month",
        """CREATE TABLE sales.month_over_month USING parquet AS
           WITH monthly AS (
             SELECT date_trunc('MONTH', ordered_at) AS month, sum(amount) AS revenue
             FROM staging.orders GROUP BY date_trunc('MONTH', ordered_at))
           SELECT /*+ MERGE(prev) */ cur.month, cur.revenue, prev.revenue AS previous_revenue,
                  cur.revenue - prev.revenue AS growth
           FROM monthly cur LEFT JOIN monthly prev ON prev.month = add_months(cur.month, -1)""",
    ),
    sql(
        "mart: saturday_sales",
        """CREATE TABLE sales.saturday_sales USING parquet AS
           SELECT o.order_date, d.weekday, sum(o.amount) AS revenue
           FROM staging.orders o JOIN staging.calendar d ON o.order_date = d.day
           WHERE d.weekday = 'Saturday'
           GROUP BY o.order_date, d.weekday""",
        thorough=True,
    ),
    sql(
        "mart: sales_calendar",
        """CREATE TABLE sales.sales_calendar USING parquet AS
           SELECT d.day, nvl(s.revenue, 0) AS revenue
           FROM sales.daily_sales s RIGHT JOIN staging.calendar d ON s.order_date = d.day""",
        thorough=True,
    ),
]

_ORDERS = [
    sql(
        "mart: order_sequence",
        """INSERT INTO sales.order_sequence
           SELECT order_id, customer_id, row_number() OVER w AS nth_order, sum(amount) OVER w AS running_revenue,
                  lag(ordered_at) OVER w AS previous_order, rank() OVER (ORDER BY amount DESC) AS amount_rank
           FROM staging.orders
           WINDOW w AS (PARTITION BY customer_id ORDER BY ordered_at)""",
    ),
    sql(
        "mart: order_share",
        """CREATE TABLE sales.order_share USING parquet AS
           SELECT order_id, amount / (SELECT max(revenue) FROM sales.daily_sales) AS share_of_best_day
           FROM staging.orders""",
    ),
    sql(
        "mart: big_orders",
        """CREATE TABLE sales.big_orders USING parquet AS
           SELECT order_id, amount FROM staging.orders
           WHERE amount > (SELECT avg(amount) FROM staging.orders WHERE status = 'paid')""",
        thorough=True,
    ),
    sql(
        "mart: gift_orders",
        """CREATE TABLE sales.gift_orders USING parquet AS
           SELECT order_id, customer_id AS buyer_id FROM staging.orders
           WHERE order_id IN (SELECT order_id FROM staging.order_tags WHERE tag = 'gift')""",
        thorough=True,
    ),
    sql(
        "mart: priced_lines",
        """CREATE TABLE sales.priced_lines USING parquet AS
           SELECT l.order_id, l.line_no, b.band
           FROM staging.order_lines l JOIN staging.price_bands b ON l.unit_price >= b.low AND l.unit_price < b.high""",
    ),
    sql(
        "mart: order_documents",
        """CREATE TABLE sales.order_documents USING parquet AS
           SELECT /*+ MERGE(c) */ o.order_id, named_struct('id', c.customer_id, 'name', c.name) AS customer,
                  array(o.amount, o.discount) AS figures
           FROM staging.orders o JOIN staging.customers c ON o.customer_id = c.customer_id""",
    ),
]

_CUSTOMERS = [
    sql(
        "mart: repeat_buyers",
        """INSERT OVERWRITE sales.repeat_buyers
           SELECT c.customer_id, c.name FROM staging.customers c
           WHERE EXISTS (SELECT 1 FROM staging.orders o WHERE o.customer_id = c.customer_id AND o.status = 'paid')""",
    ),
    sql(
        "mart: lapsed_customers",
        """CREATE TABLE sales.lapsed_customers USING parquet AS
           SELECT c.customer_id, c.name FROM staging.customers c
           WHERE NOT EXISTS (SELECT 1 FROM staging.orders o
                             WHERE o.customer_id = c.customer_id AND o.order_date >= DATE'2026-11-01')""",
    ),
    sql(
        "mart: never_sold",
        """CREATE TABLE sales.never_sold USING parquet AS
           SELECT product_id, product_name FROM staging.products
           WHERE product_id NOT IN (SELECT product_id FROM staging.order_lines)""",
        thorough=True,
    ),
    sql(
        "mart: customer_360",
        """CREATE TABLE sales.customer_360 USING parquet AS
           SELECT customer_id, c.name, r.refunds
           FROM staging.customers c FULL OUTER JOIN (
             SELECT o.customer_id, sum(t.refund) AS refunds
             FROM staging.returns t JOIN staging.orders o ON t.order_id = o.order_id
             GROUP BY o.customer_id) r USING (customer_id)""",
    ),
    sql(
        "mart: customer_best",
        """CREATE TABLE sales.customer_best USING parquet AS
           SELECT c.customer_id, c.name,
                  (SELECT max(o.amount) FROM staging.orders o WHERE o.customer_id = c.customer_id) AS best_order
           FROM staging.customers c""",
    ),
    sql(
        "mart: referrals",
        """CREATE TABLE sales.referrals USING parquet AS
           SELECT c.name AS customer, r.name AS referrer
           FROM staging.customers c JOIN staging.customers r ON c.referrer_id = r.customer_id""",
        thorough=True,
    ),
    # both sides of the join are the same: without adaptive execution the second one is a ReusedExchange
    sql(
        "mart: neighbours",
        """CREATE TABLE sales.neighbours USING parquet AS
           SELECT /*+ MERGE(b) */ a.name AS customer, b.name AS neighbour
           FROM staging.customers a JOIN staging.customers b
             ON a.addr.city = b.addr.city AND a.customer_id < b.customer_id""",
    ),
    sql(
        "mart: contact_points",
        """CREATE TABLE sales.contact_points USING parquet AS
           SELECT customer_id, 'email' AS channel, email AS address FROM staging.customers WHERE email IS NOT NULL
           UNION ALL
           SELECT customer_id, kind, number FROM staging.phone_book""",
        thorough=True,
    ),
    sql(
        "mart: mobile_numbers",
        """CREATE TABLE sales.mobile_numbers USING parquet AS
           SELECT customer_id, phone.number AS mobile
           FROM staging.customers LATERAL VIEW explode(phones) exploded AS phone""",
    ),
    sql(
        "mart: market_matrix",
        """CREATE TABLE sales.market_matrix USING parquet AS
           SELECT DISTINCT p.category, c.addr.country FROM staging.products p CROSS JOIN staging.customers c""",
    ),
    # `author` is not in the column list: Spark fills it with its default, NULL
    sql(
        "mart: customer_notes",
        """INSERT INTO sales.customer_notes (customer_id, note)
           SELECT customer_id, concat(name, ' of ', addr.city) FROM staging.customers""",
        thorough=True,
    ),
    sql(
        "mart: refund_reasons",
        """CREATE TABLE sales.refund_reasons STORED AS TEXTFILE AS
           SELECT reason, count(order_id) AS returns, sum(refund) AS refunds
           FROM staging.returns GROUP BY reason""",
    ),
    sql(
        "view: paid_orders",
        """CREATE VIEW sales.paid_orders AS
           SELECT o.order_id, o.customer_id, o.amount - o.discount AS net, o.order_date AS day
           FROM staging.orders o WHERE o.status = 'paid'""",
    ),
    sql(
        "mart: buyer_days",
        """CREATE TABLE sales.buyer_days USING parquet AS
           SELECT DISTINCT p.day, c.name FROM sales.paid_orders p JOIN staging.customers c USING (customer_id)""",
        thorough=True,
    ),
]

STATEMENTS = [*_DDL, *_SALES, *_ORDERS, *_CUSTOMERS]
