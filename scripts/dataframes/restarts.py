"""Streams that run again, run together, and write through functions of their own."""

from __future__ import annotations

from pyspark.sql import functions as F  # noqa: N812

from .streams import by_customer, finish


def tables(shop):
    """Tables with a location, made by a statement, by the stream, and by a writer's format."""
    shop.describe("ddl: t_external")
    shop.sql(
        f"CREATE TABLE shop.t_external (id BIGINT, cust STRING) USING parquet LOCATION '{shop.root}/lake/external'"
    )
    finish(shop.writer("again: external", shop.clicks().select("id", "cust")).toTable("shop.t_external"))
    place = f"{shop.root}/lake/chosen"
    finish(shop.writer("again: chosen", shop.clicks().select("id")).option("path", place).toTable("shop.t_by_path"))
    finish(shop.writer("again: orc", shop.clicks().select("id", "cust")).format("orc").toTable("shop.t_orc"))
    shop.describe("ddl: t_parted")
    shop.sql("CREATE TABLE shop.t_parted (id BIGINT, amount DOUBLE, cust STRING) USING parquet PARTITIONED BY (cust)")
    finish(shop.writer("again: parted", shop.clicks().select("id", "amount", "cust")).toTable("shop.t_parted"))


def triggers(shop):
    """Each trigger, sources of Spark's own."""
    frame = shop.clicks().selectExpr("id", "upper(cust) AS who")
    finish(shop.writer("again: once", frame).trigger(once=True).toTable("shop.t_once"))
    query = (
        shop.writer("again: timed", frame.where("id > 1")).trigger(processingTime="0 seconds").toTable("shop.t_timed")
    )
    query.processAllAvailable()
    query.stop()
    rate = shop.spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 3).load()
    query = shop.writer("again: rate", rate.selectExpr("value AS n", "timestamp AS at"))
    query = query.trigger(processingTime="0 seconds").toTable("shop.t_rate")
    shop.wait(query)
    joined = rate.join(shop.customers(), F.expr("value = length(region)")).select("region", "value")
    shop.wait(shop.writer("again: rate joined", joined).trigger(processingTime="0 seconds").toTable("shop.t_rated"))


def restarted(shop):
    """From its checkpoint, with new files between; another program does it again."""
    for number in range(2):
        shop.land(10 + number)
        finish(
            shop.writer("again: restarted", shop.clicks().where("amount > 1").select("id", "cust")).toTable(
                "shop.t_again"
            )
        )
        finish(
            shop.writer("again: counted", by_customer(shop), "complete").foreachBatch(overwrite("shop.t_sums")).start()
        )


def overwrite(table):
    """A batch's function that replaces a table."""

    def write(rows, number):
        rows.write.mode("overwrite").saveAsTable(table)

    return write


def together(shop):
    """Several at once, of one source."""
    queries = [
        shop.writer("again: first", shop.clicks().select("id", "cust")).toTable("shop.t_first"),
        shop.writer("again: second", shop.clicks().where("amount > 2").select("id", "amount")).toTable("shop.t_second"),
        shop.writer("again: third", by_customer(shop), "update").foreachBatch(append("shop.t_third")).start(),
        shop.writer("again: fourth", by_customer(shop), "complete").foreachBatch(overwrite("shop.t_fourth")).start(),
        shop.writer("again_fifth", by_customer(shop), "complete").format("memory").start(),
    ]
    for query in queries:
        finish(query)


def append(table):
    """A batch's function that appends to a table."""

    def write(rows, number):
        rows.write.mode("append").saveAsTable(table)

    return write


def functions(shop):
    """What functions of batches do: insert, save, query a view of the batch, join, write twice."""
    shop.describe("ddl: t_inserted")
    shop.sql("CREATE TABLE shop.t_inserted (cust STRING, total DOUBLE) USING parquet")
    updates = by_customer(shop)

    def insert(rows, number):
        rows.write.insertInto("shop.t_inserted")

    finish(shop.writer("again: insert", updates, "update").foreachBatch(insert).start())

    def files(rows, number):
        rows.write.mode("append").partitionBy("cust").parquet(f"{shop.root}/lake/batches")

    finish(shop.writer("again: files", updates, "update").foreachBatch(files).start())

    def view(rows, number):
        rows.createOrReplaceTempView("batch")
        rows.sparkSession.sql("INSERT INTO shop.t_viewed SELECT cust, total * 2 FROM batch WHERE total > 2")

    shop.describe("ddl: t_viewed")
    shop.sql("CREATE TABLE shop.t_viewed (cust STRING, twice DOUBLE) USING parquet")
    finish(shop.writer("again: view", updates, "update").foreachBatch(view).start())

    def joined(rows, number):
        rows.join(shop.customers(), "cust").select("region", "total").write.mode("append").saveAsTable("shop.t_regions")

    finish(shop.writer("again: joined", updates, "update").foreachBatch(joined).start())

    def twice(rows, number):
        rows.where("id > 1").select("id").write.mode("append").saveAsTable("shop.t_ids")
        rows.groupBy("cust").agg(F.max("amount").alias("top")).write.mode("overwrite").saveAsTable("shop.t_tops")

    finish(shop.writer("again: twice", shop.clicks().where("amount > 1")).foreachBatch(twice).start())

    def merged(rows, number):
        known = rows.sparkSession.table("shop.t_known")
        fresh = rows.select("id", "cust").join(known.select("id"), "id", "left_anti")
        known.union(fresh).localCheckpoint().write.mode("overwrite").saveAsTable("shop.t_known_next")

    shop.describe("ddl: t_known")
    shop.sql("CREATE TABLE shop.t_known (id BIGINT, cust STRING) USING parquet")
    finish(shop.writer("again: merged", shop.clicks()).foreachBatch(merged).start())


def states(shop):
    """Duplicates, joins of streams, unions."""
    clicks = shop.clicks().withWatermark("ts", "1 minute")
    finish(
        shop.writer("again: distinct", shop.clicks().select("id", "cust").dropDuplicates(["id"])).toTable(
            "shop.t_dedup"
        )
    )
    if hasattr(clicks, "dropDuplicatesWithinWatermark"):
        within = clicks.dropDuplicatesWithinWatermark(["id"]).select("id", "amount")
        finish(shop.writer("again: within", within).toTable("shop.t_within"))
    other = shop.clicks().withWatermark("ts", "1 minute").selectExpr("id AS other", "cust AS who", "ts AS at")
    near = F.expr("id = other AND at BETWEEN ts AND ts + INTERVAL 1 MINUTE")
    frame = clicks.join(other, near, "left_outer").select("id", F.coalesce("who", "cust").alias("who"))
    finish(shop.writer("again: outer", frame).toTable("shop.t_outer"))
    frame = clicks.join(other, near, "left_semi").select("id", "amount")
    finish(shop.writer("again: semi", frame).toTable("shop.t_semi"))
    more = shop.clicks().where("amount > 2").selectExpr("id * 2 AS id", "cust")
    united = shop.clicks().select("id", "cust").union(more)
    finish(shop.writer("again: united", united).toTable("shop.t_united"))
    frame = clicks.groupBy(F.session_window("ts", "5 minutes").alias("w"), "cust").agg(F.max("amount").alias("top"))
    frame = frame.select("cust", "top", F.col("w.start").alias("begin"))
    finish(shop.writer("again: sessions", frame, "append").toTable("shop.t_sessions"))
    sliding = clicks.groupBy(F.window("ts", "10 minutes", "5 minutes").alias("w")).agg(
        F.approx_count_distinct("cust").alias("n")
    )
    finish(
        shop.writer("again: sliding", sliding.select("w.end", "n"), "update")
        .foreachBatch(append("shop.t_sliding"))
        .start()
    )
    chained = clicks.groupBy(F.window("ts", "5 minutes"), "cust").agg(F.sum("amount").alias("s"))
    chained = chained.groupBy(F.window("window", "10 minutes")).agg(F.max("s").alias("top")).select("top")
    finish(shop.writer("again: chained", chained, "append").toTable("shop.t_chained"))


STATEMENTS = (tables, triggers, restarted, together, functions, states)
AGAIN = (restarted,)
"""What another application does again, from the same checkpoints."""
