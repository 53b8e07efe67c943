"""Marts that are made with the DataFrame API: saveAsTable in all its modes, caches, Python functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from pyspark.sql import functions as F  # noqa: N812 - PySpark's own habit

from sample_warehouse.statements import ROOT, Night, code, sql

if TYPE_CHECKING:
    from collections.abc import Iterator


def _customer_orders(night: Night) -> None:
    orders = night.spark.table("staging.orders").groupBy("customer_id")
    totals = orders.agg(F.count("order_id").alias("orders"), F.sum("amount").alias("revenue"))
    joined = night.spark.table("staging.customers").join(totals, "customer_id", "left")
    tier = F.when(F.col("revenue") >= 200, "gold").when(F.col("revenue") >= 100, "silver").otherwise("basic")
    marts = joined.select(
        "customer_id",
        F.col("name").alias("customer_name"),
        F.coalesce("orders", F.lit(0)).alias("orders"),
        tier.alias("tier"),
        F.col("addr.country").alias("country"),
    )
    marts.write.format("parquet").partitionBy("country").saveAsTable("sales.customer_orders")


def _product_revenue_first(night: Night) -> None:
    lines = night.spark.table("staging.order_lines").groupBy("product_id")
    totals = lines.agg(F.sum(F.expr("quantity * unit_price")).alias("revenue"))
    totals.write.format("parquet").saveAsTable("sales.product_revenue")


def _product_revenue(night: Night) -> None:
    """The cached frame is made here; it feeds this statement and the two after it."""
    paid = night.spark.sql(
        """SELECT l.product_id, o.order_date, l.quantity * l.unit_price AS value
           FROM staging.order_lines l JOIN staging.orders o ON l.order_id = o.order_id
           WHERE o.status = 'paid'"""
    ).cache()
    night.frames["paid_lines"] = paid
    totals = paid.groupBy("product_id").agg(F.sum("value").alias("revenue"))
    totals.write.format("parquet").mode("overwrite").saveAsTable("sales.product_revenue")


def _paid_lines(night: Night) -> None:
    paid = night.frames["paid_lines"]
    paid.repartition(1).write.mode("overwrite").parquet(f"{ROOT}/exports/paid_lines")


def _paid_lines_check(night: Night) -> None:
    night.frames["paid_lines"].groupBy("order_date").agg(F.max("value").alias("best")).collect()
    night.frames.pop("paid_lines").unpersist()


def _product_revenue_append(night: Night) -> None:
    never_sold = night.spark.sql(
        """SELECT p.product_id, CAST(0 AS DECIMAL(38,2)) AS revenue
           FROM staging.products p LEFT ANTI JOIN staging.order_lines l ON p.product_id = l.product_id"""
    )
    never_sold.write.format("parquet").mode("append").saveAsTable("sales.product_revenue")


def _product_labels(night: Night) -> None:
    def label(name: str, category: str) -> str:
        return f"{name.title()} ({category.lower()})"

    make_label = F.udf(label, "string")
    products = night.spark.table("staging.products")
    labels = products.select("product_id", make_label("product_name", "category").alias("label"))
    labels.write.format("parquet").saveAsTable("sales.product_labels")


def _net_prices(night: Night) -> None:
    def without_tax(price: pd.Series) -> pd.Series:
        return price / 1.25

    net = F.pandas_udf(without_tax, "double")
    products = night.spark.table("staging.products").withColumn("price", F.col("list_price").cast("double"))
    products.select("product_name", net("price").alias("net_price")).write.format("orc").saveAsTable("sales.net_prices")


def _basket_scores(night: Night) -> None:
    def score(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            amount = batch["amount"].astype(float)
            yield pd.DataFrame({"order_id": batch["order_id"], "score": amount / (1 + batch["customer_id"])})

    baskets = night.spark.table("staging.orders").where("status = 'paid'").select("order_id", "customer_id", "amount")
    scores = baskets.mapInPandas(score, "order_id BIGINT, score DOUBLE")
    scores.write.format("parquet").saveAsTable("sales.basket_scores")


def _demand_forecast(night: Night) -> None:
    def forecast(lines: pd.DataFrame) -> pd.DataFrame:
        product = lines["product_id"].iloc[0]
        return pd.DataFrame({"product_id": [product], "expected": [float(lines["quantity"].mean()) * 1.1]})

    lines = night.spark.table("staging.order_lines").select("product_id", "quantity")
    expected = lines.groupBy("product_id").applyInPandas(forecast, "product_id BIGINT, expected DOUBLE")
    expected.write.format("parquet").saveAsTable("sales.demand_forecast")


def _median_price(night: Night) -> None:
    def median(price: pd.Series) -> float:
        return float(price.median())

    middle = F.pandas_udf(median, "double", F.PandasUDFType.GROUPED_AGG)
    products = night.spark.table("staging.products").withColumn("price", F.col("list_price").cast("double"))
    prices = products.groupBy("category").agg(middle("price").alias("median_price"))
    prices.write.format("parquet").saveAsTable("sales.median_price")


def _rollup_by_path(night: Night) -> None:
    """Reads, by its path, what a table write made."""
    rollup = night.spark.read.parquet(f"{ROOT}/warehouse/sales.db/sales_rollup")
    totals = rollup.where("level = 3").select(F.col("revenue").alias("total_revenue"))
    totals.write.format("parquet").saveAsTable("sales.grand_total")


def _region_by_path(night: Night) -> None:
    """Reads one partition of a table by its path: the partition column is not among the columns then."""
    path = f"{ROOT}/warehouse/sales.db/region_sales/order_date={night.run_date}"
    night.spark.read.parquet(path).select("country", "revenue").collect()


STATEMENTS = [
    code("mart: customer_orders", _customer_orders),
    code("mart: product_revenue, first load", _product_revenue_first),
    code("mart: product_revenue", _product_revenue),
    code("export: paid_lines", _paid_lines),
    code("check: paid_lines", _paid_lines_check),
    code("mart: product_revenue, never sold", _product_revenue_append),
    sql(
        "cache: recent_orders",
        """CACHE LAZY TABLE recent_orders AS
           SELECT order_id, status, amount FROM staging.orders WHERE order_date >= DATE'2026-11-14'""",
        thorough=True,
    ),
    sql(
        "mart: recent_status",
        """CREATE TABLE sales.recent_status USING parquet AS
           SELECT status, count(*) AS orders, min(amount) AS smallest FROM recent_orders GROUP BY status""",
        thorough=True,
    ),
    code("mart: product_labels", _product_labels),
    code("mart: net_prices", _net_prices),
    code("mart: basket_scores", _basket_scores),
    code("mart: demand_forecast", _demand_forecast, thorough=True),
    code("mart: median_price", _median_price, thorough=True),
    code("mart: grand_total", _rollup_by_path),
    code("check: region_sales of the day", _region_by_path, thorough=True),
    sql(
        "mart: order_quality",
        """CREATE TABLE sales.order_quality USING parquet AS
           SELECT order_id, CASE WHEN amount > 20 THEN amount ELSE raise_error('amount too small') END AS amount
           FROM staging.orders""",
        fails=True,
    ),
]
