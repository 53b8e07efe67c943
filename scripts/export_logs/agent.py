"""A small shop under OpenLineage's agent: `python agent.py ROOT [PORT]`.

Each statement's job description names what it writes. Tables lie in the warehouse, outside of it, in an Iceberg catalog
and in Delta; paths are read and written; a statement fails. With the port of a PostgreSQL that has the tables of
`connectors/make_logs.py`, renamed, replaced and merged tables follow, and those of the database.
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

CHANGES = (
    ("ctas: sales.draft", "CREATE TABLE sales.draft USING parquet AS SELECT id, upper(name) AS name FROM customers"),
    ("setup", "ALTER TABLE sales.draft RENAME TO sales.final"),
    ("insert: sales.final", "INSERT INTO sales.final SELECT id + 1, region FROM customers"),
    ("ctas: sales.copy", "CREATE TABLE sales.copy USING parquet AS SELECT id, name FROM sales.final"),
    (
        "replace: sales.replaced",
        (
            "CREATE OR REPLACE TABLE sales.replaced USING delta AS SELECT region, count(*) AS customers,"
            " max(name) AS last FROM customers GROUP BY region"
        ),
    ),
    (
        "merge: sales.replaced",
        (
            "MERGE INTO sales.replaced t USING sales.daily s ON t.region = s.region"
            " WHEN MATCHED THEN UPDATE SET customers = CAST(s.revenue AS BIGINT)"
            " WHEN NOT MATCHED THEN INSERT (region, customers, last) VALUES (s.region, 0, s.day)"
        ),
    ),
    ("update: lake.mart.loyal", "UPDATE lake.mart.loyal SET revenue = revenue + 1 WHERE who IS NOT NULL"),
    (
        "insert: lake.mart.loyal",
        (
            "INSERT INTO lake.mart.loyal SELECT c.name, CASE WHEN d.revenue > 2 THEN d.revenue ELSE e.revenue END"
            " FROM customers c JOIN sales.daily d ON c.region = d.region LEFT JOIN sales.external e USING (region)"
        ),
    ),
    (
        "ctas: lake.mart.ranked",
        (
            "CREATE TABLE lake.mart.ranked USING iceberg AS SELECT region, revenue, row_number() OVER"
            " (PARTITION BY region ORDER BY revenue DESC) AS rank FROM sales.external"
        ),
    ),
    (
        "union: sales.names",
        "CREATE TABLE sales.names USING parquet AS SELECT name FROM sales.final UNION SELECT who FROM sales.versions",
    ),
)


def run_changes(spark: SparkSession, port: str) -> None:
    """Run what changes tables, and what reads and writes the database."""
    for description, statement in CHANGES:
        spark.sparkContext.setJobDescription(description)
        spark.sql(statement).collect()
    spark.sparkContext.setJobDescription("save: sales.saved")
    coded = spark.table("sales.final").selectExpr("id", "sha2(name, 256) AS code")
    coded.write.format("delta").saveAsTable("sales.saved")
    login = {"url": f"jdbc:postgresql://127.0.0.1:{port}/shop", "user": "spark", "driver": "org.postgresql.Driver"}
    orders = spark.read.format("jdbc").options(**login, dbtable="sales.orders").load()
    spark.sparkContext.setJobDescription("write: stock")
    orders.selectExpr("id", "amount - discount AS net").write.parquet(f"{ROOT}/landing/stock")
    query = "SELECT o.id, c.name FROM sales.orders o JOIN sales.customers c ON c.id = o.customer_id"
    spark.sparkContext.setJobDescription("write: people")
    spark.read.format("jdbc").options(**login, query=query).load().write.parquet(f"{ROOT}/landing/people")
    spark.sparkContext.setJobDescription("append: totals")
    totals = orders.groupBy("status").agg({"amount": "sum"}).toDF("status", "total")
    totals.write.format("jdbc").options(**login, dbtable="sales.totals").mode("append").save()


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
    if len(sys.argv) > 2:
        run_changes(spark, sys.argv[2])
    spark.stop()


if __name__ == "__main__":
    main()
