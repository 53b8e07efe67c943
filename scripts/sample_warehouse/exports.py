"""From the marts to files that leave the warehouse, and the night's last looks at it."""

from __future__ import annotations

from pyspark.sql import functions as F  # noqa: N812 - PySpark's own habit

from sample_warehouse.statements import ROOT, Night, code, sql

_EXPORTS = f"{ROOT}/exports"


def _daily_sales(night: Night) -> None:
    night.spark.table("sales.daily_sales").write.parquet(f"{_EXPORTS}/daily_sales")


def _top_customers(night: Night) -> None:
    """Top-k through the view: sort and limit."""
    top = night.spark.sql(
        """SELECT customer_id, sum(net) AS revenue FROM sales.paid_orders
           GROUP BY customer_id ORDER BY revenue DESC, customer_id LIMIT 3"""
    )
    top.write.mode("overwrite").option("header", "true").csv(f"{_EXPORTS}/top_customers")


def _products(night: Night) -> None:
    products = night.spark.table("staging.products").withColumnRenamed("product_name", "title")
    products.select("product_id", "title", "category").write.partitionBy("category").csv(f"{_EXPORTS}/products")


def _orders(night: Night) -> None:
    """A global sort that the user asked for."""
    orders = night.spark.table("staging.orders").select("order_id", "amount", "order_date")
    orders.orderBy(F.col("order_date"), F.col("amount").desc()).write.mode("append").orc(f"{_EXPORTS}/orders")


def _customers(night: Night) -> None:
    """A sort within each file that the user asked for."""
    customers = night.spark.table("staging.customers").select("customer_id", "name", "addr")
    customers.repartition(2).sortWithinPartitions("name").write.parquet(f"{_EXPORTS}/customers")


def _order_lines(night: Night) -> None:
    lines = night.spark.table("staging.order_lines").groupBy("order_id")
    documents = lines.agg(F.collect_list(F.struct("product_id", "quantity")).alias("lines"))
    documents.write.mode("overwrite").json(f"{_EXPORTS}/order_lines")


def _exported_lines(night: Night) -> None:
    schema = "order_id BIGINT, lines ARRAY<STRUCT<product_id: BIGINT, quantity: BIGINT>>"
    exported = night.spark.read.schema(schema).json(f"{_EXPORTS}/order_lines")
    exported.where("size(lines) > 1").select("order_id").collect()


def _row_count(night: Night) -> None:
    night.spark.table("staging.orders").count()


def _countries(night: Night) -> None:
    night.spark.sql(
        """SELECT addr.country AS country, count(*) AS customers FROM staging.customers
           GROUP BY addr.country ORDER BY customers DESC, country"""
    ).collect()


def _orphans(night: Night) -> None:
    night.spark.sql(
        """SELECT o.order_id FROM staging.orders o LEFT ANTI JOIN staging.customers c
           ON o.customer_id = c.customer_id"""
    ).collect()


def _archive_by_month(night: Night) -> None:
    night.spark.sql(
        """SELECT month(order_date) AS month, avg(amount) AS average FROM sales.order_archive
           GROUP BY month(order_date)"""
    ).toPandas()


STATEMENTS = [
    code("export: daily_sales", _daily_sales),
    code("export: top_customers", _top_customers),
    code("export: products", _products),
    code("export: orders", _orders),
    code("export: customers", _customers, thorough=True),
    code("export: order_lines", _order_lines),
    sql(
        "export: order_facts",
        """INSERT OVERWRITE DIRECTORY '{exports}/order_facts' USING json
           SELECT order_id, net, order_date AS day FROM sales.order_facts WHERE is_paid = 1""",
        thorough=True,
    ),
    code("check: exported order_lines", _exported_lines, thorough=True),
    code("check: row count of orders", _row_count),
    code("report: countries", _countries),
    code("check: orders without a customer", _orphans, thorough=True),
    code("report: archive by month", _archive_by_month, thorough=True),
]
