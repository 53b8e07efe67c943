"""Other ways to write Delta: `python -m lakehouse.delta_writers NAME ROOT PACKAGES`."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import functions

from lakehouse import common
from lakehouse.session import Shop, Statement

CONF = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
NS = "spark_catalog.shop"
UPDATE_FROM_METADATA: Statement = (
    "update: from metadata",
    "UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates) WHERE id = 2",
)
"""Delta answers the subquery from the statistics of its files: formatted text does not say of which table."""


def main() -> None:
    """Runs all statements."""
    shop, root = common.opened(NS, "delta", lambda _: CONF)
    shop.run([common.STATIC_OVERWRITE])
    names(shop)
    changes(shop)
    frames(shop)
    paths(shop, str(root / "lake" / "orders"))
    feed(shop, root)
    shop.spark.stop()


def names(shop: Shop) -> None:
    """Columns in another order than the table's, or not all of them."""
    shop.run(
        [
            (
                "insert: by name",
                (
                    "INSERT INTO {ns}.orders BY NAME SELECT day, amount * 2 AS amount, upper(customer) AS customer, id"
                    " FROM {ns}.updates"
                ),
            ),
            (
                "insert: list of columns",
                "INSERT INTO {ns}.orders (day, id) SELECT concat(day, op), id + 1 FROM {ns}.updates",
            ),
            (
                "insert: replace where",
                (
                    "INSERT INTO {ns}.orders REPLACE WHERE day = '2026-11-01'"
                    " SELECT id, customer, amount + 1, day FROM {ns}.updates WHERE day = '2026-11-01'"
                ),
            ),
            (
                "merge: schema evolution",
                (
                    "MERGE WITH SCHEMA EVOLUTION INTO {ns}.orders t"
                    " USING (SELECT id, customer, amount, day, op AS reason FROM {ns}.updates) s"
                    " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                ),
            ),
        ]
    )


def changes(shop: Shop) -> None:
    """Values and answers of subqueries."""
    shop.run(
        [
            (
                "update: from subquery",
                (
                    "UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates WHERE op = 'u'),"
                    " customer = upper(customer) WHERE id = 1"
                ),
            ),
        ]
    )
    with shop.extended():
        shop.run([UPDATE_FROM_METADATA])


def frames(shop: Shop) -> None:
    """Writers of version 2, on a table that has one column more."""
    rows = shop.table("updates").selectExpr("id", "lower(customer) AS customer", "amount", "day")
    shop.step("frame: append", lambda: rows.writeTo(f"{NS}.orders").append())
    one = rows.where("id = 6")
    shop.step("frame: overwrite", lambda: one.writeTo(f"{NS}.orders").overwrite(functions.col("day") == "2026-11-03"))
    shop.step("frame: overwrite partitions", lambda: one.writeTo(f"{NS}.orders").overwritePartitions())
    totals = shop.table("updates").groupBy("day").agg(functions.sum("amount").alias("total"))
    shop.step("frame: create or replace", lambda: totals.writeTo(f"{NS}.totals").using("delta").createOrReplace())


def paths(shop: Shop, place: str) -> None:
    """A table without a name."""
    rows = shop.table("updates").select("id", "customer", "op")
    shop.step("save: path", lambda: rows.write.format("delta").save(place))
    shop.run(
        [
            (
                "merge: path",
                (
                    f"MERGE INTO delta.`{place}` t USING {{ns}}.updates s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET customer = concat(s.customer, t.op)"
                ),
            ),
            ("update: path", f"UPDATE delta.`{place}` SET customer = concat(customer, op) WHERE id = 1"),
            ("delete: path", f"DELETE FROM delta.`{place}` WHERE customer = 'nobody'"),
            ("manifest: path", f"GENERATE symlink_format_manifest FOR TABLE delta.`{place}`"),
        ]
    )


def feed(shop: Shop, root: Path) -> None:
    """The changes of a table as a stream."""
    spark = shop.spark
    shop.run(
        [
            (
                "create: feed",
                (
                    "CREATE TABLE {ns}.feed (id BIGINT, name STRING) USING delta"
                    " TBLPROPERTIES (delta.enableChangeDataFeed = true)"
                ),
            ),
            ("insert: feed", "INSERT INTO {ns}.feed SELECT id, customer FROM {ns}.updates"),
            ("update: feed", "UPDATE {ns}.feed SET name = upper(name) WHERE id = 1"),
        ]
    )
    spark.sparkContext.setJobDescription(None)
    changed = spark.readStream.option("readChangeFeed", "true").option("startingVersion", 0).table(f"{NS}.feed")
    copied = changed.selectExpr("id", "name", "_change_type AS kind")
    common.copy_stream(copied, "delta", f"{NS}.kinds", root / "checkpoint1")


if __name__ == "__main__":
    main()
