"""Other writes of Paimon: `python -m lakehouse.paimon_writers NAME ROOT PACKAGES`."""

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
    }
    spark = session(name, root, packages, conf)
    spark.sql("CREATE DATABASE paimon.shop")
    shop = Shop(spark, _NS, lambda _: None, root / "snapshots.jsonl")
    shop.run(common.first_tables("USING paimon")[:4])
    shop.run(
        [
            (
                "insert: by name",
                "INSERT INTO {ns}.orders BY NAME SELECT day, amount, op AS customer, id FROM {ns}.updates",
            ),
            ("insert: list of columns", "INSERT INTO {ns}.orders (id, day) SELECT id, op FROM {ns}.updates"),
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
            ("branch: orders", "CALL paimon.sys.create_branch('shop.orders', 'dev')"),
            (
                "insert: branch",
                "INSERT INTO {ns}.`orders$branch_dev` SELECT id, lower(customer), amount, day FROM {ns}.updates",
            ),
            ("ctas: branch", "CREATE TABLE {ns}.tried USING paimon AS SELECT id, amount FROM {ns}.`orders$branch_dev`"),
        ]
    )
    dynamic_buckets(shop)
    spark.stop()


def dynamic_buckets(shop: Shop) -> None:
    """Rows that are handed over as an RDD, with all that a name tells of their query, and with less."""
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
                "insert: keyed, named",
                "INSERT INTO {ns}.keyed SELECT id + 1 AS id, concat(customer, op) AS name, amount FROM {ns}.updates",
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
            ("overwrite: keyed", "INSERT OVERWRITE {ns}.keyed SELECT id, customer, amount FROM {ns}.updates"),
        ]
    )


if __name__ == "__main__":
    main()
