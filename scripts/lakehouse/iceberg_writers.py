"""Other writes of Iceberg: `python -m lakehouse.iceberg_writers NAME ROOT PACKAGES`; orders, branches, subqueries."""

from __future__ import annotations

from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, Statement

NS = "lake.shop"
ROW_LEVEL = ", ".join(f"'write.{each}.mode' = 'merge-on-read'" for each in ("merge", "update", "delete"))

CTAS_FROM_METADATA: Statement = (
    "ctas: from metadata",
    "CREATE TABLE {ns}.counted USING iceberg AS SELECT count(*) AS n, max(id) AS last FROM {ns}.updates",
)
"""Iceberg answers it from its metadata: formatted text does not say of which table."""


def settings(root: Path) -> dict[str, str]:
    """Iceberg's catalog `lake`, below a folder."""
    return {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": f"file://{root}/lake",
    }


def main() -> None:
    """Runs all statements."""
    shop, _ = common.opened(NS, "iceberg", settings)
    shop.run([common.STATIC_OVERWRITE])
    orders(shop)
    branches(shop)
    subqueries(shop)
    shop.run(
        [
            (
                "ctas: system table",
                "CREATE TABLE {ns}.made USING iceberg AS SELECT snapshot_id, operation FROM {ns}.orders.snapshots",
            ),
        ]
    )
    with shop.extended():
        shop.run([CTAS_FROM_METADATA])
    evolving(shop)
    shop.spark.stop()


def evolving(shop: Shop) -> None:
    """A write that widens the table's schema."""
    shop.run(
        [
            (
                "create: open",
                (
                    "CREATE TABLE {ns}.open (id BIGINT, amount DOUBLE) USING iceberg"
                    " TBLPROPERTIES ('write.spark.accept-any-schema' = 'true')"
                ),
            )
        ]
    )
    rows = shop.table("updates").selectExpr("id", "amount * 2 AS amount", "upper(op) AS reason")
    writer = rows.writeTo(f"{NS}.open").option("mergeSchema", "true")
    shop.step("frame: new column", writer.append)
    shop.run([("ctas: new column", "CREATE TABLE {ns}.reasons USING iceberg AS SELECT id, reason FROM {ns}.open")])


def orders(shop: Shop) -> None:
    """Sorts that the table asks for."""
    shop.run(
        [
            (
                "create: sorted",
                (
                    f"CREATE TABLE {{ns}}.sorted ({common.ORDERS}) USING iceberg"
                    " PARTITIONED BY (bucket(4, id), truncate(7, day))"
                ),
            ),
            ("alter: ordered", "ALTER TABLE {ns}.sorted WRITE ORDERED BY customer, bucket(4, id)"),
            (
                "insert: sorted",
                "INSERT INTO {ns}.sorted SELECT id + 10, upper(customer), amount * 2, day FROM {ns}.updates",
            ),
            ("alter: distributed", "ALTER TABLE {ns}.sorted WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY amount"),
            (
                "insert: by name",
                "INSERT INTO {ns}.sorted BY NAME SELECT day, op AS customer, amount, id FROM {ns}.updates",
            ),
            ("update: sorted", "UPDATE {ns}.sorted SET customer = concat(customer, day) WHERE id = 1"),
        ]
    )


def branches(shop: Shop) -> None:
    """A branch and a tag, written and read."""
    shop.run(
        [
            ("alter: branch", "ALTER TABLE {ns}.orders CREATE BRANCH dev"),
            (
                "insert: branch",
                "INSERT INTO {ns}.orders.branch_dev SELECT id, lower(customer), amount, day FROM {ns}.updates",
            ),
            (
                "merge: branch",
                (
                    "MERGE INTO {ns}.orders.branch_dev t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET t.amount = s.amount"
                ),
            ),
            (
                "ctas: branch",
                "CREATE TABLE {ns}.tried USING iceberg AS SELECT id, amount FROM {ns}.orders VERSION AS OF 'dev'",
            ),
        ]
    )


def subqueries(shop: Shop) -> None:
    """Changes whose condition or value is a subquery: files copied, and rows marked."""
    shop.run(
        [
            (
                "update: where in",
                "UPDATE {ns}.orders SET customer = upper(day) WHERE id IN (SELECT id FROM {ns}.updates)",
            ),
            (
                "update: literal where in",
                "UPDATE {ns}.orders SET customer = 'q' WHERE id IN (SELECT id FROM {ns}.updates)",
            ),
            (
                "delete: where exists",
                (
                    "DELETE FROM {ns}.orders t"
                    " WHERE EXISTS (SELECT 1 FROM {ns}.updates s WHERE s.id = t.id AND s.op = 'd')"
                ),
            ),
            (
                "create: marked",
                (
                    f"CREATE TABLE {{ns}}.marked (id BIGINT, customer STRING, amount DOUBLE) USING iceberg"
                    f" TBLPROPERTIES ('format-version' = '2', {ROW_LEVEL})"
                ),
            ),
            ("insert: marked", "INSERT INTO {ns}.marked SELECT id, customer, amount FROM {ns}.updates"),
            (
                "update: marked, from subquery",
                ("UPDATE {ns}.marked SET amount = (SELECT max(amount) FROM {ns}.updates WHERE op = 'u') WHERE id = 1"),
            ),
            (
                "delete: marked, where in",
                "DELETE FROM {ns}.marked WHERE id IN (SELECT id FROM {ns}.updates WHERE op = 'd')",
            ),
        ]
    )


if __name__ == "__main__":
    main()
