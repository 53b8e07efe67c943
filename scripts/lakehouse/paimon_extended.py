"""Paimon with extended text: `python -m lakehouse.paimon_extended NAME ROOT PACKAGES`.

The statements whose query no formatted text has, under `spark.sql.ui.explainMode=extended`; others beside them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, session

_NS = "paimon.shop"


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    conf = {
        "spark.sql.extensions": "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions",
        "spark.sql.catalog.paimon": "org.apache.paimon.spark.SparkCatalog",
        "spark.sql.catalog.paimon.warehouse": f"file://{root}/lake",
        "spark.sql.ui.explainMode": "extended",
    }
    spark = session(name, root, packages, conf)
    spark.sql("CREATE DATABASE paimon.shop")
    shop = Shop(spark, _NS, lambda _: None, root / "snapshots.jsonl")
    shop.run(common.first_tables("USING paimon")[:4])
    dynamic_buckets(shop)
    rows_of_the_driver(shop)
    others(shop)
    streams(shop, root)
    spark.stop()


def dynamic_buckets(shop: Shop) -> None:
    """Rows that are handed over as an RDD: their query stands in the analyzed plan."""
    shop.run(
        [
            (
                "create: keyed",
                (
                    "CREATE TABLE {ns}.keyed (id BIGINT, name STRING, amount DOUBLE) USING paimon"
                    " TBLPROPERTIES ('primary-key' = 'id')"
                ),
            ),
            (
                "insert: keyed, computed",
                "INSERT INTO {ns}.keyed SELECT id, upper(customer), amount * 2 FROM {ns}.updates WHERE op <> 'd'",
            ),
            (
                "insert: keyed, aggregated",
                (
                    "INSERT INTO {ns}.keyed SELECT id, max(customer) AS name, sum(amount) AS amount"
                    " FROM {ns}.updates GROUP BY id"
                ),
            ),
            (
                "insert: keyed, joined",
                (
                    "INSERT INTO {ns}.keyed SELECT u.id, o.customer AS name, u.amount"
                    " FROM {ns}.updates u JOIN {ns}.orders o ON u.id = o.id"
                ),
            ),
            (
                "insert: keyed, common table",
                (
                    "WITH best AS (SELECT id, customer, rank() OVER (PARTITION BY day ORDER BY amount) AS place"
                    " FROM {ns}.orders) INSERT INTO {ns}.keyed SELECT b.id, b.customer, u.amount FROM best b"
                    " LEFT JOIN {ns}.updates u ON b.id = u.id"
                    " WHERE b.place = 1 AND b.id IN (SELECT id FROM {ns}.updates WHERE op = 'u')"
                ),
            ),
            ("overwrite: keyed", "INSERT OVERWRITE {ns}.keyed SELECT id, customer, amount FROM {ns}.updates"),
            (
                "merge: keyed",
                (
                    "MERGE INTO {ns}.keyed t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET name = concat(t.name, s.op)"
                    " WHEN NOT MATCHED THEN INSERT (id, name, amount) VALUES (s.id, s.customer, s.amount)"
                ),
            ),
            (
                "merge: keyed, insert only",
                (
                    "MERGE INTO {ns}.keyed t USING (SELECT id, max(customer) AS best FROM {ns}.orders GROUP BY id) s"
                    " ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, name, amount) VALUES (s.id, s.best, 0.0)"
                ),
            ),
        ]
    )


def rows_of_the_driver(shop: Shop) -> None:
    """Rows that have no query in any plan, and rows that were kept in the middle of one."""
    spark = shop.spark
    made = spark.createDataFrame(
        spark.sparkContext.parallelize([(7, "gus", 70.0)]), "id LONG, name STRING, amount DOUBLE"
    )
    shop.step("table: made", lambda: made.writeTo("paimon.shop.keyed").append())
    rows = shop.table("updates").selectExpr("id", "lower(customer) AS name", "amount")
    spark.sparkContext.setJobDescription("checkpoint")
    kept = rows.localCheckpoint()
    shop.step("table: kept", lambda: kept.writeTo("paimon.shop.keyed").append())


def others(shop: Shop) -> None:
    """Statements that formatted text tells, too: subqueries, tables by their bare names, copied files."""
    shop.run(
        [
            (
                "update: from subquery",
                (
                    "UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates WHERE op = 'u')"
                    " WHERE id IN (SELECT id FROM {ns}.updates)"
                ),
            ),
            ("delete: where in", "DELETE FROM {ns}.orders WHERE id IN (SELECT id FROM {ns}.updates WHERE op = 'd')"),
            (
                "ctas: system table",
                "CREATE TABLE {ns}.made USING paimon AS SELECT snapshot_id, commit_kind FROM {ns}.`orders$snapshots`",
            ),
            common.MERGES[1],
        ]
    )


def streams(shop: Shop, root: Path) -> None:
    """A stream into a path: the sink prints its class only, the batch's text has the query's options."""
    spark = shop.spark
    spark.sparkContext.setJobDescription(None)
    spark.sql("CREATE TABLE paimon.shop.copied (id BIGINT, doubled DOUBLE) USING paimon")
    copied = spark.readStream.table("paimon.shop.updates").selectExpr("id", "amount * 2 AS doubled")
    common.copy_stream(copied, "paimon", str(root / "lake" / "shop.db" / "copied"), root / "checkpoint1")


if __name__ == "__main__":
    main()
