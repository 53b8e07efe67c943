"""Two catalogs of one class: `python -m lakehouse.iceberg_catalogs NAME ROOT PACKAGES`; DDL prints the class only."""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse.session import Shop, Statement, session

CATALOGS = ("ice", "vault")
COLUMNS = "id BIGINT, amount DOUBLE, day STRING"


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    settings = {"spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"}
    for catalog in CATALOGS:
        settings |= {
            f"spark.sql.catalog.{catalog}": "org.apache.iceberg.spark.SparkCatalog",
            f"spark.sql.catalog.{catalog}.type": "hadoop",
            f"spark.sql.catalog.{catalog}.warehouse": f"file://{root}/{catalog}",
        }
    spark = session(name, root, packages, settings)
    for catalog in CATALOGS:
        spark.sql(f"CREATE DATABASE {catalog}.shop")
    shop = Shop(spark, "ice.shop", lambda _: None, root / "snapshots.jsonl")
    shop.run(statements())
    frames(shop)
    spark.stop()


def statements() -> list[Statement]:
    """The same names in both catalogs, and a table that nothing else names."""
    made: list[Statement] = []
    for catalog in CATALOGS:
        made += [
            (f"{catalog}: create: orders", f"CREATE TABLE {catalog}.shop.orders ({COLUMNS}) USING iceberg"),
            (f"{catalog}: insert: orders", f"INSERT INTO {catalog}.shop.orders VALUES (1, 10.0, 'a'), (2, 5.0, 'b')"),
        ]
    return [
        *made,
        (
            "ice: ctas: totals",
            (
                "CREATE TABLE ice.shop.totals USING iceberg AS"
                " SELECT day, sum(amount) AS total FROM vault.shop.orders GROUP BY day"
            ),
        ),
        (
            "vault: ctas: totals",
            (
                "CREATE TABLE vault.shop.totals USING iceberg AS"
                " SELECT day, max(amount) AS total FROM ice.shop.orders GROUP BY day"
            ),
        ),
        (
            "vault: rtas: totals",
            (
                "CREATE OR REPLACE TABLE vault.shop.totals USING iceberg AS"
                " SELECT day, min(amount) AS least FROM ice.shop.orders GROUP BY day"
            ),
        ),
        ("vault: alter: orders", "ALTER TABLE vault.shop.orders ADD COLUMN note STRING"),
        ("ice: rename: orders", "ALTER TABLE ice.shop.orders RENAME COLUMN amount TO price"),
        ("vault: create: lonely", "CREATE TABLE vault.shop.lonely (id BIGINT) USING iceberg"),
        ("ice: read: orders", "SELECT id, price FROM ice.shop.orders"),
        ("vault: read: totals", "SELECT day, least FROM vault.shop.totals"),
        ("vault: drop: lonely", "DROP TABLE vault.shop.lonely"),
    ]


def frames(shop: Shop) -> None:
    """The DataFrame API: `saveAsTable`, `writeTo`."""
    spark = shop.spark
    spark.sparkContext.setJobDescription("vault: save: copied")
    spark.table("ice.shop.orders").write.format("iceberg").saveAsTable("vault.shop.copied")
    spark.sparkContext.setJobDescription("ice: write: copied")
    spark.table("vault.shop.orders").select("id", "note").writeTo("ice.shop.copied").using("iceberg").create()
    spark.sparkContext.setJobDescription("ice: replace: copied")
    spark.table("vault.shop.orders").select("id").writeTo("ice.shop.copied").using("iceberg").createOrReplace()


if __name__ == "__main__":
    main()
