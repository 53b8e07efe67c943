"""Hudi: `python -m lakehouse.hudi NAME ROOT PACKAGES`; copy-on-write and merge-on-read tables."""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, session

CONF = {
    "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
    "spark.sql.extensions": "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.hudi.catalog.HoodieCatalog",
    "spark.hadoop.hoodie.metadata.enable": "false",
    "hoodie.spark.sql.merge.into.partial.updates": "false",
    "spark.driver.memory": "2g",
}
NS = "spark_catalog.shop"
_OFF = "hoodie.metadata.enable = 'false', hoodie.embed.timeline.server = 'false'"
KEYED = f"TBLPROPERTIES (type = 'cow', primaryKey = 'id', preCombineField = 'amount', {_OFF})"
_MARKED = f"TBLPROPERTIES (type = 'mor', primaryKey = 'id', preCombineField = 'amount', {_OFF})"
INSERT_ONLY = (
    "merge: insert only",
    (
        "MERGE INTO {ns}.orders t USING (SELECT id + 1000 AS id, customer, amount, day FROM {ns}.updates) s"
        " ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, 'new', s.amount, s.day)"
    ),
)
_STREAM_MERGE = (
    "MERGE INTO shop.marked t USING changed s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET id = s.id, customer = s.label, amount = s.doubled, day = s.day"
    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, s.label, s.doubled, s.day)"
)
_COMPLETED = (".commit", ".deltacommit", ".replacecommit")


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, CONF)
    spark.sql("CREATE DATABASE shop")

    def instant(table: str) -> str | None:
        return newest_instant(root / "warehouse" / "shop.db" / table.rpartition(".")[2])

    shop = Shop(spark, NS, instant, root / "snapshots.jsonl")
    copy_on_write(shop, root)
    merge_on_read(shop)
    frames(shop, root)
    evolution(shop)
    maintenance(shop)
    streams(shop, root)
    spark.stop()


def newest_instant(table: Path) -> str | None:
    """The instant of the commit that completed last: `.hoodie/timeline/<instant>_<completion>.commit`.

    Before Hudi 1.0 it was `.hoodie/<instant>.commit`.
    """
    files = [*table.glob(".hoodie/timeline/*"), *table.glob(".hoodie/*")]
    commits = [path.stem.split("_") for path in files if path.suffix in _COMPLETED]
    completed = sorted((words[-1], words[0]) for words in commits)
    return completed[-1][1] if completed else None


def copy_on_write(shop: Shop, root: Path) -> None:
    """The default table type: inserts, overwrites, merges, updates, deletes, time travel."""
    spark, orders = shop.spark, ("orders",)
    rows = dict(common.first_tables("USING hudi"))
    shop.run(
        [
            (
                "create: orders",
                f"CREATE TABLE {{ns}}.orders ({common.ORDERS}) USING hudi {KEYED} PARTITIONED BY (day)",
            ),
            ("create: updates", f"CREATE TABLE {{ns}}.updates ({common.ORDERS}, op STRING) USING hudi {KEYED}"),
        ]
    )
    shop.run([(name, rows[name]) for name in ("insert: orders, values", "insert: updates, values")], orders)
    first = newest_instant(root / "warehouse" / "shop.db" / "orders")
    totals = f"TBLPROPERTIES (type = 'cow', primaryKey = 'day', {_OFF})"
    shop.run([("ctas: totals", rows["ctas: totals"].replace(" AS SELECT", f" {totals} AS SELECT"))], ("totals",))
    shop.run(common.WRITES[:1], orders)
    shop.run(common.WRITES[1:2], ("totals",))
    spark.conf.set("hoodie.datasource.overwrite.mode", "dynamic")
    shop.run(common.WRITES[2:], orders)
    spark.conf.unset("hoodie.datasource.overwrite.mode")
    refused = {"merge: from itself", "merge: insert only"}  # Hudi takes `t.key = s.key` of two tables, nothing else
    merges = {name: sql for name, sql in common.MERGES if name not in refused}
    computed = [("merge: from aggregate", merges.pop("merge: from aggregate")), INSERT_ONLY]
    shop.run([common.STATIC_OVERWRITE], orders)
    shop.run([*merges.items(), common.BY_SOURCE], orders)
    with shop.extended():
        shop.run(computed, orders)
    shop.run(common.CHANGES, orders)
    shop.run(common.READS)
    shop.run(
        [
            ("read: orders, first instant", f"SELECT id, customer FROM {{ns}}.orders TIMESTAMP AS OF '{first}'"),
            (
                "read: orders, changes",
                "SELECT id, amount FROM hudi_table_changes('shop.orders', 'latest_state', 'earliest')",
            ),
        ]
    )


def merge_on_read(shop: Shop) -> None:
    """Row-level changes as log files."""
    shop.run(
        [
            (
                "ctas: marked",
                (
                    f"CREATE TABLE {{ns}}.marked USING hudi {_MARKED} AS SELECT id, customer, amount, day"
                    " FROM {ns}.orders"
                ),
            ),
            (
                "merge: marked",
                (
                    "MERGE INTO {ns}.marked t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED AND s.op = 'd' THEN DELETE"
                    " WHEN MATCHED THEN UPDATE SET id = s.id, customer = s.customer, amount = s.amount + 1, day = s.day"
                    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day)"
                    " VALUES (s.id, lower(s.customer), s.amount, s.day)"
                ),
            ),
            ("update: marked", "UPDATE {ns}.marked SET amount = amount * 3 WHERE id = 3"),
            ("delete: marked", "DELETE FROM {ns}.marked WHERE amount < 12 AND id > 1"),
            ("read: marked", "SELECT id, amount FROM {ns}.marked WHERE day = '2026-11-02'"),
        ],
        ("marked",),
    )


def frames(shop: Shop, root: Path) -> None:
    """Tables by path, through frames; an incremental read."""
    place = str(root / "lake" / "events")
    frame = shop.table("updates").selectExpr("id", "upper(op) AS kind", "day")
    options = {
        "hoodie.table.name": "events",
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.precombine.field": "day",
        "hoodie.metadata.enable": "false",
        "hoodie.embed.timeline.server": "false",
    }
    writer = frame.write.format("hudi").options(**options)
    shop.step("save: events", lambda: writer.mode("overwrite").save(place))
    shop.step("save: events, upsert", lambda: writer.mode("append").save(place))
    shop.step("read: events", lambda: shop.spark.read.format("hudi").load(place).select("id", "kind").collect())
    reader = shop.spark.read.format("hudi").option("hoodie.datasource.query.type", "incremental")
    since = reader.option("hoodie.datasource.read.begin.instanttime", "000").load(place)
    shop.step("read: events, incremental", lambda: since.select("id", "kind").collect())
    wider = shop.table("updates").selectExpr("id", "lower(op) AS kind", "day", "amount * 2 AS doubled")
    wider_writer = wider.write.format("hudi").options(**options)
    shop.step("save: events, new column", lambda: wider_writer.mode("append").save(place))


def evolution(shop: Shop) -> None:
    """Schema changes, the last of them by schema on read."""
    shop.spark.conf.set("hoodie.schema.on.read.enable", "true")
    shop.spark.conf.set("hoodie.datasource.write.schema.allow.auto.evolution.column.drop", "true")
    shop.run(
        [
            ("alter: add", "ALTER TABLE {ns}.updates ADD COLUMNS (note STRING)"),
            ("alter: rename", "ALTER TABLE {ns}.updates RENAME COLUMN note TO remark"),
            (
                "ctas: remarks",
                (
                    f"CREATE TABLE {{ns}}.remarks USING hudi TBLPROPERTIES (primaryKey = 'id', {_OFF}) AS"
                    " SELECT id, remark, amount FROM {ns}.updates"
                ),
            ),
            ("alter: drop", "ALTER TABLE {ns}.updates DROP COLUMN remark"),
            ("alter: properties", "ALTER TABLE {ns}.remarks SET TBLPROPERTIES (note = 'kept')"),
            ("alter: table", "ALTER TABLE {ns}.remarks RENAME TO shop.notes"),
        ]
    )
    shop.spark.conf.unset("hoodie.schema.on.read.enable")


def maintenance(shop: Shop) -> None:
    """Upkeep that moves rows and changes none."""
    shop.run(
        [
            ("compact: marked", "CALL run_compaction(op => 'scheduleAndExecute', table => 'shop.marked')"),
            ("cluster: orders", "CALL run_clustering(table => 'shop.orders')"),
            ("clean: orders", "CALL run_clean(table => 'shop.orders')"),
        ],
    )


def streams(shop: Shop, root: Path) -> None:
    """A stream from table to table, and one that merges its batches."""
    spark = shop.spark
    place, options = str(root / "lake" / "copied"), {"hoodie.metadata.enable": "false"}
    options |= {
        "hoodie.table.name": "copied",
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.precombine.field": "doubled",
        "hoodie.embed.timeline.server": "false",
    }

    def copy() -> None:
        source = spark.readStream.format("hudi").load(str(root / "lake" / "events"))
        frame = source.selectExpr("id", "id * 2 AS doubled", "kind")
        writer = frame.writeStream.format("hudi").options(**options).outputMode("append")
        writer = writer.option("checkpointLocation", str(root / "checkpoint1")).queryName("stream: copied")
        writer.trigger(availableNow=True).start(place).awaitTermination()

    spark.sparkContext.setJobDescription(None)
    copy()
    source = spark.readStream.format("hudi").load(str(root / "lake" / "events"))
    merged = source.selectExpr("id", "lower(kind) AS label", "id * 2.0 AS doubled", "day")
    common.merge_stream(merged, _STREAM_MERGE, root / "checkpoint2")


if __name__ == "__main__":
    main()
