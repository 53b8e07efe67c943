"""Paimon with extended text: `python -m lakehouse.paimon_extended NAME ROOT PACKAGES`.

The statements whose query no formatted text has, under `spark.sql.ui.explainMode=extended`; others beside them.
"""

from __future__ import annotations

from pathlib import Path

from lakehouse import common, paimon_writers
from lakehouse.session import Shop


def main() -> None:
    """Runs all statements."""
    shop, root = common.opened(paimon_writers.NS, "paimon", paimon_writers.settings, "extended")
    dynamic_buckets(shop)
    rows_of_the_driver(shop)
    others(shop)
    streams(shop, root)
    shop.spark.stop()


def dynamic_buckets(shop: Shop) -> None:
    """Rows that are handed over as an RDD: their query stands in the analyzed plan."""
    shop.run(
        [
            paimon_writers.CREATE_KEYED,
            *paimon_writers.KEYED,
            (
                "insert: keyed, common table",
                (
                    "WITH best AS (SELECT id, customer, rank() OVER (PARTITION BY day ORDER BY amount) AS place"
                    " FROM {ns}.orders) INSERT INTO {ns}.keyed SELECT b.id, b.customer, u.amount FROM best b"
                    " LEFT JOIN {ns}.updates u ON b.id = u.id"
                    " WHERE b.place = 1 AND b.id IN (SELECT id FROM {ns}.updates WHERE op = 'u')"
                ),
            ),
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
    shop.run([*paimon_writers.FROM_OTHERS, common.MERGES[1]])


def streams(shop: Shop, root: Path) -> None:
    """A stream into a path: the sink prints its class only, the batch's text has the query's options."""
    spark = shop.spark
    spark.sparkContext.setJobDescription(None)
    spark.sql("CREATE TABLE paimon.shop.copied (id BIGINT, doubled DOUBLE) USING paimon")
    copied = spark.readStream.table("paimon.shop.updates").selectExpr("id", "amount * 2 AS doubled")
    common.copy_stream(copied, "paimon", str(root / "lake" / "shop.db" / "copied"), root / "checkpoint1")


if __name__ == "__main__":
    main()
