"""Hive tables: `python -m lakehouse.hive NAME ROOT PACKAGES`; Spark's built-in Hive with Derby as its metastore."""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, session

_NS = "spark_catalog.shop"
_DERBY = "-Dderby.system.home={root}/derby -Dderby.stream.error.file={root}/derby.log"


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    conf = {
        "spark.sql.catalogImplementation": "hive",
        "spark.hadoop.hive.exec.dynamic.partition.mode": "nonstrict",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={root}/metastore;create=true",
        "spark.driver.extraJavaOptions": _DERBY.format(root=root),
    }
    spark = session(name, root, packages, conf)
    spark.sql("CREATE DATABASE shop")
    shop = Shop(spark, _NS, lambda _: None, root / "snapshots.jsonl")
    tables(shop)
    writes(shop)
    definitions(shop, root)
    streams(shop, root)
    spark.stop()


def tables(shop: Shop) -> None:
    """Tables of three formats and their first rows."""
    rows = dict(common.first_tables(""))
    shop.run(
        [
            (
                "create: orders",
                (
                    "CREATE TABLE {ns}.orders (id BIGINT, customer STRING, amount DOUBLE)"
                    " PARTITIONED BY (day STRING) STORED AS ORC"
                ),
            ),
            (
                "create: updates",
                (
                    f"CREATE TABLE {{ns}}.updates ({common.ORDERS}, op STRING)"
                    " ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS TEXTFILE"
                ),
            ),
            ("insert: orders, values", rows["insert: orders, values"]),
            ("insert: updates, values", rows["insert: updates, values"]),
            (
                "ctas: totals",
                (
                    "CREATE TABLE {ns}.totals STORED AS PARQUET AS SELECT day, sum(amount) AS total,"
                    " count(id) AS orders FROM {ns}.orders GROUP BY day"
                ),
            ),
        ]
    )


def writes(shop: Shop) -> None:
    """Static and dynamic partitions, directories, text."""
    shop.run(common.WRITES[:2])
    shop.run(
        [
            (
                "overwrite: orders, static partition",
                (
                    "INSERT OVERWRITE TABLE {ns}.orders PARTITION (day = '2026-11-03')"
                    " SELECT id, customer, amount + 1 FROM {ns}.updates WHERE day = '2026-11-03'"
                ),
            ),
            (
                "overwrite: orders, dynamic partition",
                (
                    "INSERT OVERWRITE TABLE {ns}.orders PARTITION (day)"
                    " SELECT id, customer, amount * 2, day FROM {ns}.updates WHERE op = 'i'"
                ),
            ),
            (
                "insert: updates, from orders",
                (
                    "INSERT INTO {ns}.updates SELECT o.id, lower(o.customer), o.amount, o.day, u.op"
                    " FROM {ns}.orders o JOIN {ns}.updates u ON o.id = u.id"
                ),
            ),
            (
                "overwrite: directory",
                (
                    "INSERT OVERWRITE DIRECTORY '/tmp/lakehouse_shop/lake/out' STORED AS ORC"
                    " SELECT id, upper(customer) AS customer FROM {ns}.orders"
                ),
            ),
            ("read: orders", "SELECT id, amount FROM {ns}.orders WHERE day = '2026-11-02' AND customer IS NOT NULL"),
        ]
    )
    frame = shop.table("updates").selectExpr("id", "op AS kind", "day")
    shop.step("table: saved", lambda: frame.write.format("hive").partitionBy("day").saveAsTable("shop.saved"))
    shop.step("table: appended", lambda: frame.write.insertInto("shop.saved"))


def definitions(shop: Shop, root: Path) -> None:
    """Schema changes and what needs no rows."""
    shop.run(
        [
            ("alter: add", "ALTER TABLE {ns}.updates ADD COLUMNS (note STRING)"),
            ("alter: partition", "ALTER TABLE {ns}.orders ADD PARTITION (day = '2026-11-09')"),
            ("alter: rename", "ALTER TABLE {ns}.totals RENAME TO shop.sums"),
            ("read: sums", "SELECT day, total FROM {ns}.sums"),
            (
                "insert: updates, with note",
                "INSERT INTO {ns}.updates SELECT id, customer, amount, day, 'n', upper(customer) FROM {ns}.orders",
            ),
            ("read: notes", "SELECT id, note FROM {ns}.updates WHERE note IS NOT NULL"),
            ("create: view", "CREATE VIEW {ns}.big AS SELECT id, amount * 2 AS doubled FROM {ns}.orders"),
            (
                "ctas: from view",
                "CREATE TABLE {ns}.bigger STORED AS ORC AS SELECT id, doubled + 1 AS more FROM {ns}.big",
            ),
            ("repair: orders", "MSCK REPAIR TABLE {ns}.orders"),
            ("truncate: sums", "TRUNCATE TABLE {ns}.sums"),
        ]
    )


def streams(shop: Shop, root: Path) -> None:
    """A stream of files into a Hive table, by a batch's function."""
    spark = shop.spark
    landing = str(root / "lake" / "landing")
    shop.step("save: landing", lambda: shop.table("updates").select("id", "op").write.parquet(landing))

    def insert(batch: object, number: int) -> None:
        batch.selectExpr("id", "kind", "'2026-11-21' AS day").write.insertInto("shop.saved")  # type: ignore[attr-defined]

    source = spark.readStream.schema("id BIGINT, op STRING").parquet(landing).selectExpr("id", "upper(op) AS kind")
    writer = source.writeStream.foreachBatch(insert).option("checkpointLocation", str(root / "checkpoint1"))
    spark.sparkContext.setJobDescription(None)
    writer.queryName("stream: inserted").trigger(availableNow=True).start().awaitTermination()


if __name__ == "__main__":
    main()
