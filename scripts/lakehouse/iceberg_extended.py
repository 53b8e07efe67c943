"""Iceberg with extended text: `python -m lakehouse.iceberg_extended NAME ROOT PACKAGES`.

Aggregates that are answered from metadata, whose table stands in the analyzed plan only; MERGE, whose clauses no plan
prints in this mode but the parsed one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, session

_NS = "lake.shop"


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    conf = {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": f"file://{root}/lake",
        "spark.sql.ui.explainMode": "extended",
    }
    spark = session(name, root, packages, conf)
    spark.sql("CREATE NAMESPACE lake.shop")
    shop = Shop(spark, _NS, lambda _: None, root / "snapshots.jsonl")
    shop.run(common.first_tables("USING iceberg")[:4])
    shop.run(
        [
            (
                "ctas: from metadata",
                "CREATE TABLE {ns}.counted USING iceberg AS SELECT count(*) AS n, max(id) AS last FROM {ns}.updates",
            ),
            (
                "insert: from metadata",
                "INSERT INTO {ns}.counted SELECT count(id) AS n, max(id) + 1 AS last FROM {ns}.orders",
            ),
            ("read: from metadata", "SELECT min(amount) AS least, max(amount) AS most FROM {ns}.updates"),
        ]
    )
    shop.run([*common.MERGES[:4], common.BY_SOURCE])
    marked = ", ".join(f"'write.{each}.mode' = 'merge-on-read'" for each in ("merge", "update", "delete"))
    shop.run(
        [
            ("alter: marked", f"ALTER TABLE {{ns}}.orders SET TBLPROPERTIES ({marked})"),
            (
                "merge: marked",
                (
                    "MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED AND s.op = 'd' THEN DELETE"
                    " WHEN MATCHED THEN UPDATE SET t.amount = t.amount + s.amount"
                    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day)"
                    " VALUES (s.id, lower(s.customer), s.amount, s.day)"
                ),
            ),
            *common.CHANGES,
        ]
    )
    spark.sparkContext.setJobDescription("merge: not collected")
    spark.sql(common.MERGES[1][1].format(ns=_NS))
    spark.stop()


if __name__ == "__main__":
    main()
