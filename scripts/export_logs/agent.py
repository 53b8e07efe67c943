"""A small shop under OpenLineage's agent: `python agent.py ROOT`.

Each statement's job description names what it writes. Tables lie in the warehouse, outside of it, in an Iceberg catalog
and in Delta; paths are read and written; a statement fails.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

from pyspark.sql import SparkSession

ROOT = Path(sys.argv[1])
STATEMENTS = (
    ("setup", "CREATE DATABASE sales"),
    ("setup", "CREATE TABLE customers (id BIGINT, name STRING, region STRING) USING parquet"),
    ("insert: customers", "INSERT INTO customers VALUES (1, 'ann', 'north'), (2, 'bob', 'south')"),
    (
        "ctas: sales.daily",
        (
            "CREATE TABLE sales.daily USING parquet AS SELECT c.region, o.day, sum(o.amount - o.discount) AS revenue"
            " FROM landing o JOIN customers c ON o.customer_id = c.id WHERE o.amount > 0 GROUP BY c.region, o.day"
        ),
    ),
    (
        "ctas: sales.external",
        (
            f"CREATE TABLE sales.external USING orc LOCATION '{ROOT}/elsewhere/external'"
            " AS SELECT region, revenue * 2 AS revenue FROM sales.daily"
        ),
    ),
    ("setup", "CREATE VIEW sales.rich AS SELECT region, revenue FROM sales.external WHERE revenue > 1"),
    ("overwrite: sales.daily", "INSERT OVERWRITE sales.daily SELECT region, DATE'2026-11-21', revenue FROM sales.rich"),
    ("directory", f"INSERT OVERWRITE DIRECTORY '{ROOT}/exports/daily' USING json SELECT * FROM sales.daily"),
    ("setup", "CREATE NAMESPACE lake.mart"),
    (
        "ctas: lake.mart.loyal",
        (
            "CREATE TABLE lake.mart.loyal USING iceberg AS SELECT sha2(c.name, 256) AS who, d.revenue"
            " FROM customers c JOIN sales.daily d ON c.region = d.region"
        ),
    ),
    ("ctas: sales.versions", "CREATE TABLE sales.versions USING delta AS SELECT who, revenue FROM lake.mart.loyal"),
    ("insert: sales.versions", "INSERT INTO sales.versions SELECT name, CAST(id AS DOUBLE) FROM customers"),
)


def main() -> None:
    """Run the statements."""
    spark = SparkSession.builder.master("local[1]").appName("shop with agent").getOrCreate()
    spark.sparkContext.setJobDescription("write: landing")
    orders = spark.range(4).selectExpr(
        "id % 2 + 1 AS customer_id", "CAST(id AS DOUBLE) AS amount", "0.5D AS discount", "'2026-11-20' AS day"
    )
    orders.write.partitionBy("day").csv(f"{ROOT}/landing/orders", header=True)
    landing = spark.read.csv(f"{ROOT}/landing/orders", header=True, inferSchema=True)
    landing.createOrReplaceTempView("landing")
    for description, statement in STATEMENTS:
        spark.sparkContext.setJobDescription(description)
        spark.sql(statement).collect()
    spark.sparkContext.setJobDescription("fail: sales.daily")
    with contextlib.suppress(Exception):
        spark.sql(
            "INSERT INTO sales.daily SELECT region, day, CAST(raise_error('no revenue') AS DOUBLE) FROM sales.daily"
        ).collect()
    spark.stop()


if __name__ == "__main__":
    main()
