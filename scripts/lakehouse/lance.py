"""Lance: `python -m lakehouse.lance NAME ROOT PACKAGES`; a catalog of folders, row-level commands, filled columns.

Plans of Spark 3.5 do not print the table of an INSERT into Lance in formatted text: these run with extended text.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, session

NS = "lake.shop"
JOINED = (
    "SELECT o.id, o.amount, u.op FROM {ns}.orders o JOIN {ns}.updates u ON o.id = u.id"
    " WHERE o.amount > 5 AND u.op IN ('u', 'i')"
)
OPENED = ("java.nio", "sun.nio.ch")
"""Packages of Java that Arrow's memory needs."""


def settings(root: Path) -> dict[str, str]:
    """Lance's catalog `lake`, below a folder."""
    return {
        "spark.sql.extensions": "org.lance.spark.extensions.LanceSparkSessionExtensions",
        "spark.sql.catalog.lake": "org.lance.spark.LanceNamespaceSparkCatalog",
        "spark.sql.catalog.lake.impl": "dir",
        "spark.sql.catalog.lake.root": f"{root}/lake",
        "spark.driver.extraJavaOptions": " ".join(f"--add-opens=java.base/{each}=ALL-UNNAMED" for each in OPENED),
    }


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, settings(root))
    spark.sql(f"CREATE NAMESPACE {NS}")
    shop = Shop(spark, NS, lambda _: None, root / "snapshots.jsonl")
    first_rows(shop)
    changes(shop)
    columns(shop)
    maintenance(shop)
    spark.stop()


def first_rows(shop: Shop) -> None:
    """Tables and their rows; Lance has no partitions."""
    first = dict(common.first_tables(""))
    shop.run(
        [
            ("create: orders", f"CREATE TABLE {{ns}}.orders ({common.ORDERS})"),
            ("create: updates", first["create: updates"]),
        ]
    )
    with shop.extended():
        shop.run([(name, first[name]) for name in ("insert: orders, values", "insert: updates, values")])
    shop.run([("ctas: totals", first["ctas: totals"])])
    with shop.extended():
        shop.run(common.WRITES[:2])
        shop.run([("read: joined, extended", JOINED)])
    shop.run(
        [
            (common.RTAS[0], common.RTAS[1].format(using="")),
            ("read: joined", JOINED),
            (
                "ctas: elsewhere",
                (
                    "CREATE TABLE spark_catalog.default.copied USING parquet AS"
                    " SELECT id, upper(customer) AS name FROM {ns}.orders WHERE day LIKE '2026-11%'"
                ),
            ),
        ]
    )


def changes(shop: Shop) -> None:
    """UPDATE, DELETE and MERGE, through Spark's row-level commands; a MERGE that only inserts is an append."""
    *merges, insert_only = common.MERGES
    shop.run([*common.CHANGES, *merges])
    with shop.extended():
        shop.run([insert_only])
    shop.run(
        [
            (
                "delete: where in",
                "DELETE FROM {ns}.orders WHERE id IN (SELECT id FROM {ns}.updates WHERE op = 'd')",
            ),
        ]
    )


def columns(shop: Shop) -> None:
    """Columns that are filled by a query over the rows' addresses."""
    query = "SELECT _rowaddr, _fragid, concat(customer, day) AS tag, amount * 2 AS doubled FROM {ns}.orders"
    shop.spark.sql(f"CREATE TEMPORARY VIEW filled AS {query.format(ns=NS)}")
    shop.run([("fill: tag", "ALTER TABLE {ns}.orders ADD COLUMNS tag, doubled FROM filled")])


def maintenance(shop: Shop) -> None:
    """An index, compaction, the removal of old versions; at last a table is dropped."""
    shop.run(
        [
            ("index: orders", "ALTER TABLE {ns}.orders CREATE INDEX by_id USING btree (id)"),
            ("optimize: orders", "OPTIMIZE {ns}.orders"),
            ("vacuum: orders", "VACUUM {ns}.orders"),
            ("drop: totals", "DROP TABLE {ns}.totals"),
        ]
    )


if __name__ == "__main__":
    main()
