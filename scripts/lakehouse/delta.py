"""Delta Lake: `python -m lakehouse.delta NAME ROOT PACKAGES`."""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, session

_CONF = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.databricks.delta.retentionDurationCheck.enabled": "false",
}
_NS = "spark_catalog.shop"


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, _CONF)
    spark.sql("CREATE DATABASE shop")

    def version(table: str) -> str | None:
        bare = table.replace("spark_catalog.", "")  # what Delta 2 takes
        return str(spark.sql(f"DESCRIBE HISTORY {bare} LIMIT 1").select("version").first()[0])

    shop = Shop(spark, _NS, version, root / "snapshots.jsonl")
    batch(shop)
    paths(shop, root)
    evolution(shop)
    evolving(shop)
    maintenance(shop, root)
    streams(shop, root)
    spark.stop()


def batch(shop: Shop) -> None:
    """Inserts, overwrites, merges, updates, deletes, time travel."""
    spark = shop.spark
    using = "USING delta"
    orders = ("orders",)
    shop.run(common.first_tables(using)[:2])
    shop.run(common.first_tables(using)[2:])
    shop.run(common.WRITES[:1], orders)
    shop.run(common.WRITES[1:2], ("totals",))
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    shop.run(common.WRITES[2:], orders)
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "static")
    shop.run([(common.RTAS[0], common.RTAS[1].format(using=using))], ("totals",))
    shop.run([*common.MERGES, common.BY_SOURCE, *common.CHANGES], orders)
    shop.run(common.READS)
    shop.run(
        [
            ("read: orders, version 1", "SELECT id, customer FROM {ns}.orders VERSION AS OF 1"),
            (
                "insert: totals, time travel",
                (
                    "INSERT INTO {ns}.totals SELECT day, sum(amount), max(amount) FROM {ns}.orders VERSION AS OF 2"
                    " GROUP BY day"
                ),
            ),
            (
                "replace where: orders",
                (
                    "INSERT INTO {ns}.orders REPLACE WHERE day = '2026-11-01'"
                    " SELECT id, customer, amount, day FROM {ns}.updates WHERE day = '2026-11-01'"
                ),
            ),
        ]
    )


def paths(shop: Shop, root: Path) -> None:
    """Tables by path, through frames."""
    place = str(root / "lake" / "events")
    frame = shop.table("updates").selectExpr("id", "upper(op) AS kind")
    shop.step("save: events", lambda: frame.write.format("delta").save(place))
    more = shop.table("updates").selectExpr("id", "op AS kind", "day AS at")
    shop.step(
        "save: events, merge schema",
        lambda: more.write.format("delta").mode("append").option("mergeSchema", "true").save(place),
    )
    shop.step("save: events, overwrite", lambda: more.write.format("delta").mode("overwrite").save(place))
    shop.step("read: events", lambda: shop.spark.read.format("delta").load(place).select("id", "at").collect())
    shop.step("table: saved", lambda: shop.table("orders").write.format("delta").saveAsTable("shop.saved"))
    later = shop.table("orders").selectExpr("id + 5000 AS id", "customer", "amount", "day")
    shop.step("table: appended", lambda: later.writeTo("shop.saved").append())


def evolution(shop: Shop) -> None:
    """Change feed, deletion vectors, schema changes."""
    mapping = (
        "TBLPROPERTIES ('delta.columnMapping.mode'='name','delta.minReaderVersion'='2','delta.minWriterVersion'='5')"
    )
    shop.run(common.ALTERS)
    shop.run([("alter: properties", f"ALTER TABLE {{ns}}.updates SET {mapping}")])
    shop.run([(name, sql.replace("{using}", "USING delta")) for name, sql in common.RENAMES])
    shop.run(
        [
            (
                "create: feed",
                (
                    "CREATE TABLE {ns}.feed (id BIGINT, amount DOUBLE) USING delta"
                    " TBLPROPERTIES ('delta.enableChangeDataFeed'='true','delta.enableDeletionVectors'='true')"
                ),
            ),
            ("insert: feed", "INSERT INTO {ns}.feed SELECT id, amount FROM {ns}.orders"),
            ("update: feed", "UPDATE {ns}.feed SET amount = amount + 1 WHERE id = 3"),
            ("delete: feed", "DELETE FROM {ns}.feed WHERE id = 4"),
            (
                "merge: feed, deletion vectors",
                (
                    "MERGE INTO {ns}.feed t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET amount = s.amount"
                    " WHEN NOT MATCHED THEN INSERT (id, amount) VALUES (s.id, s.amount)"
                ),
            ),
            (
                "ctas: changes",
                (
                    "CREATE TABLE {ns}.changes USING delta AS"
                    " SELECT id, amount, _change_type AS kind FROM table_changes('{ns}.feed', 1)"
                ),
            ),
        ],
    )


def evolving(shop: Shop) -> None:
    """Schemas that a write widens: a MERGE that adds columns, a column of a wider type."""
    shop.run(
        [
            ("ctas: evolved", "CREATE TABLE {ns}.evolved USING delta AS SELECT id, amount FROM {ns}.orders"),
            (
                "create: counts",
                "CREATE TABLE {ns}.counts (n SMALLINT) USING delta TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
            ),
            ("alter: widen", "ALTER TABLE {ns}.counts ALTER COLUMN n TYPE INT"),
            ("alter: table", "ALTER TABLE {ns}.counts RENAME TO shop.numbers"),
        ]
    )
    shop.spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")
    shop.run(
        [
            (
                "merge: new columns",
                (
                    "MERGE INTO {ns}.evolved t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                ),
            )
        ]
    )
    shop.spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled")


def maintenance(shop: Shop, root: Path) -> None:
    """Upkeep that moves rows and changes none."""
    shop.run(
        [
            ("optimize: orders", "OPTIMIZE {ns}.orders"),
            ("optimize: orders, zorder", "OPTIMIZE {ns}.orders ZORDER BY (id)"),
            ("vacuum: orders", "VACUUM {ns}.orders RETAIN 168 HOURS"),
            ("restore: totals", "RESTORE TABLE {ns}.totals TO VERSION AS OF 1"),
            ("describe: history", "DESCRIBE HISTORY {ns}.orders"),
            ("clone: orders", "CREATE TABLE {ns}.cloned SHALLOW CLONE {ns}.orders"),
        ]
    )
    plain = str(root / "lake" / "plain")
    shop.step("save: plain", lambda: shop.table("orders").select("id", "amount").write.parquet(plain))
    shop.run([("convert: plain", f"CONVERT TO DELTA parquet.`{plain}`")])


def streams(shop: Shop, root: Path) -> None:
    """A stream from table to table, and one that merges its batches."""
    spark = shop.spark
    spark.sparkContext.setJobDescription(None)
    copied = spark.readStream.table("shop.saved").selectExpr("id", "amount * 2 AS doubled", "day")
    spark.sql("CREATE TABLE shop.copied (id BIGINT, doubled DOUBLE, day STRING) USING delta")
    common.copy_stream(copied, "delta", "shop.copied", root / "checkpoint1")
    merged = spark.readStream.table("shop.saved").selectExpr("id", "upper(customer) AS name", "amount", "day")
    common.merge_stream(merged, common.STREAM_MERGE.format(ns="shop"), root / "checkpoint2")


if __name__ == "__main__":
    main()
