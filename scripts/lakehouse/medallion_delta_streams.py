"""The third night: streams into and out of Delta tables, and the batch statements that read what they wrote."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, functions

from lakehouse.medallion_landing import ORDERS
from lakehouse.session import Shop


def streams(shop: Shop, root: Path) -> None:
    """All of it; a stream is known by its query's name."""
    spark = shop.spark
    spark.sparkContext.setJobDescription(None)
    landed = spark.readStream.schema(ORDERS).json(f"{root}/landing/orders")
    _run(root, "n3: stream landing", landed.selectExpr("id", "amount", "upper(status) AS status"), "bronze.streamed")
    orders = spark.readStream.table("bronze.streamed")
    _run(
        root,
        "n3: stream silver",
        orders.where("amount > 10").selectExpr("id", "amount * 2 AS doubled"),
        "silver.streamed",
    )
    feed = spark.readStream.option("readChangeFeed", "true").option("startingVersion", 1).table("silver.dv")
    _run(root, "n3: stream feed", feed.selectExpr("id", "amount", "_change_type AS kind"), "gold.stream_feed")
    totals = orders.groupBy("status").agg(functions.sum("amount").alias("total"))
    _run(root, "n3: stream totals", totals, "gold.stream_totals", "complete")
    wide = spark.readStream.table("silver.wide_doubled")
    _run(root, "n3: stream wide", wide, "gold.stream_wide")
    path = wide.selectExpr("id", "c60 + 1 AS c60").writeStream.format("delta").queryName("n3: stream path")
    path.option("checkpointLocation", f"{root}/points/path").trigger(availableNow=True).start(
        f"{root}/lake/stream"
    ).awaitTermination()
    _batches(shop, root, orders)
    shop.run(
        [
            (
                "n3: gold",
                (
                    "INSERT OVERWRITE {ns}.gold.daily SELECT o.day, sum(s.doubled), count(s.id), max(o.amount)"
                    " FROM {ns}.silver.streamed s JOIN {ns}.silver.orders o ON s.id = o.id GROUP BY o.day"
                ),
            ),
        ],
        ("gold.daily",),
    )


def _run(root: Path, name: str, frame: DataFrame, table: str, mode: str = "append") -> None:
    writer = frame.writeStream.format("delta").queryName(name).outputMode(mode).trigger(availableNow=True)
    writer.option("checkpointLocation", f"{root}/points/{table}").toTable(table).awaitTermination()


def _batches(shop: Shop, root: Path, orders: DataFrame) -> None:
    """Batches that a function merges and appends."""
    shop.spark.sql("CREATE TABLE silver.upserted (id BIGINT, amount DOUBLE, status STRING) USING delta")

    def upsert(batch: DataFrame, number: int) -> None:
        batch.createOrReplaceTempView("changed")
        batch.sparkSession.sql(
            "MERGE INTO silver.upserted t USING changed s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = s.amount"
            " WHEN NOT MATCHED THEN INSERT *"
        )

    writer = orders.selectExpr("id", "amount + 1 AS amount", "status").writeStream.foreachBatch(upsert)
    writer = writer.queryName("n3: stream merge").option("checkpointLocation", f"{root}/points/upserted")
    writer.trigger(availableNow=True).start().awaitTermination()

    def append(batch: DataFrame, number: int) -> None:
        batch.selectExpr("id", "status").write.format("delta").mode("append").saveAsTable("silver.appended")

    writer = orders.writeStream.foreachBatch(append).queryName("n3: stream append")
    writer = writer.option("checkpointLocation", f"{root}/points/appended")
    writer.trigger(availableNow=True).start().awaitTermination()
