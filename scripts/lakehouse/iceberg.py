"""Iceberg: `python -m lakehouse.iceberg NAME ROOT PACKAGES`; row-level changes copy files or mark rows."""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, session

_CONF = {
    "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
    "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.lake.type": "hadoop",
}
_NS = "lake.shop"
_MARKING = (
    "TBLPROPERTIES ('format-version'='2', 'write.merge.mode'='merge-on-read',"
    " 'write.update.mode'='merge-on-read', 'write.delete.mode'='merge-on-read')"
)


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, {**_CONF, "spark.sql.catalog.lake.warehouse": f"file://{root}/lake"})
    spark.sql("CREATE DATABASE lake.shop")

    def snapshot(table: str) -> str | None:
        newest = spark.sql(f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at DESC LIMIT 1").first()
        return str(newest[0]) if newest else None

    shop = Shop(spark, _NS, snapshot, root / "snapshots.jsonl")
    copy_on_write(shop)
    merge_on_read(shop)
    evolution(shop)
    maintenance(shop)
    streams(shop, root)
    spark.stop()


def copy_on_write(shop: Shop) -> None:
    """The default: inserts, overwrites, merges, updates, deletes, time travel."""
    spark, using, orders = shop.spark, "USING iceberg", ("orders", "updates")
    shop.run(common.first_tables(using)[:2])
    shop.run(common.first_tables(using)[2:4], orders)
    shop.run(common.first_tables(using)[4:], ("totals",))
    shop.run(common.WRITES[:1], orders)
    shop.run(common.WRITES[1:2], ("totals",))
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    shop.run(common.WRITES[2:], orders)
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "static")
    shop.run([(common.RTAS[0], common.RTAS[1].format(using=using))], ("totals",))
    shop.run([*common.MERGES, common.BY_SOURCE, *common.CHANGES], orders)
    shop.run(common.READS, orders)
    first = spark.sql("SELECT snapshot_id FROM lake.shop.orders.snapshots ORDER BY committed_at LIMIT 1").first()[0]
    shop.run(
        [("read: orders, first snapshot", f"SELECT id, customer FROM {{ns}}.orders VERSION AS OF {first}")], orders
    )
    shop.run([("delete: orders, partition", "DELETE FROM {ns}.orders WHERE day = '2026-11-03'")], orders)


def merge_on_read(shop: Shop) -> None:
    """Row-level changes as delete files."""
    shop.run(
        [
            (
                "ctas: marked",
                (
                    f"CREATE TABLE {{ns}}.marked USING iceberg {_MARKING} AS SELECT id, customer, amount, day"
                    " FROM {ns}.orders"
                ),
            ),
            (
                "merge: marked",
                (
                    "MERGE INTO {ns}.marked t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED AND s.op = 'd' THEN DELETE"
                    " WHEN MATCHED THEN UPDATE SET t.amount = t.amount + s.amount"
                    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day)"
                    " VALUES (s.id, lower(s.customer), s.amount, s.day)"
                ),
            ),
            ("update: marked", "UPDATE {ns}.marked SET amount = amount * 3 WHERE id = 3"),
            ("delete: marked", "DELETE FROM {ns}.marked WHERE amount < 12 AND id > 1"),
        ],
        ("marked",),
    )


def evolution(shop: Shop) -> None:
    """Schema changes and a change feed."""
    shop.run(common.ALTERS)
    shop.run([(name, sql.replace("{using}", "USING iceberg")) for name, sql in common.RENAMES])
    shop.run([("create: counts", "CREATE TABLE {ns}.counts (n INT) USING iceberg")])
    shop.run(
        [
            ("alter: widen", "ALTER TABLE {ns}.counts ALTER COLUMN n TYPE BIGINT"),
            ("alter: partition field", "ALTER TABLE {ns}.marked ADD PARTITION FIELD bucket(2, id)"),
            ("alter: branch", "ALTER TABLE {ns}.marked CREATE BRANCH audit"),
            (
                "insert: marked, branch",
                "INSERT INTO {ns}.marked.branch_audit SELECT id, customer, amount, day FROM {ns}.updates",
            ),
        ],
        ("marked",),
    )
    shop.run(
        [
            (
                "ctas: changes",
                (
                    "CREATE TABLE {ns}.changes USING iceberg AS"
                    " SELECT id, amount, _change_type AS kind FROM {ns}.orders.changes"
                ),
            )
        ],
        ("changes",),
    )


def maintenance(shop: Shop) -> None:
    """Upkeep that moves rows and changes none."""
    shop.run(
        [
            (
                "rewrite: orders",
                "CALL lake.system.rewrite_data_files(table => 'shop.orders', options => map('rewrite-all', 'true'))",
            ),
            ("rewrite: manifests", "CALL lake.system.rewrite_manifests('shop.orders')"),
            ("expire: orders", "CALL lake.system.expire_snapshots(table => 'shop.totals', retain_last => 1)"),
        ],
        ("orders",),
    )


def streams(shop: Shop, root: Path) -> None:
    """A stream from table to table, and one that merges its batches."""
    spark = shop.spark
    spark.sparkContext.setJobDescription(None)
    spark.sql("CREATE TABLE lake.shop.copied (id BIGINT, doubled DOUBLE) USING iceberg")
    copied = spark.readStream.table("lake.shop.updates").selectExpr("id", "amount * 2 AS doubled")
    common.copy_stream(copied, "iceberg", "lake.shop.copied", root / "checkpoint1")
    merged = spark.readStream.table("lake.shop.updates").selectExpr("id", "upper(customer) AS name", "amount", "day")
    common.merge_stream(merged, common.STREAM_MERGE.format(ns=_NS), root / "checkpoint2")


if __name__ == "__main__":
    main()
