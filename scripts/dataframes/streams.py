"""Streams: modes and sinks."""

from __future__ import annotations

from pyspark.sql import functions as F  # noqa: N812


def finish(query):
    """Wait for a stream's end."""
    query.awaitTermination()


def by_customer(shop):
    """Totals by customer."""
    return shop.clicks().where("amount > 1").groupBy("cust").agg(F.sum("amount").alias("total"))


def managed_table(shop):
    """Into a managed table that nothing ever reads: the stream creates it, or it is there."""
    finish(shop.writer("stream: table", shop.clicks().select("id", "amount")).toTable("shop.t_made"))
    shop.describe("ddl: t_there")
    shop.sql("CREATE TABLE shop.t_there (id BIGINT, twice DOUBLE) USING parquet")
    frame = shop.clicks().where("amount > 2").selectExpr("id", "amount * 2 AS twice")
    finish(shop.writer("stream: there", frame).toTable("shop.t_there"))
    frame = shop.clicks().select("id", "amount", "cust")
    finish(shop.writer("stream: parts", frame).partitionBy("cust").format("json").toTable("shop.t_parts"))
    finish(shop.writer("stream: bare", shop.clicks().select("id")).toTable("t_bare"))
    place = f"{shop.root}/lake/outside"
    finish(shop.writer("stream: outside", shop.clicks().select("id")).option("path", place).toTable("shop.t_outside"))


def files(shop):
    """Into files, by partition and not."""
    finish(shop.writer("stream: files", shop.clicks().select("id", "cust")).start(f"{shop.root}/lake/files"))
    parts = shop.writer("stream: json", shop.clicks().select("id", "cust")).format("json").partitionBy("cust")
    finish(parts.start(f"{shop.root}/lake/json"))


def memory(shop):
    """Into memory, in each mode."""
    for mode in ("complete", "update"):
        finish(shop.writer(f"memory_{mode}", by_customer(shop), mode).format("memory").start())
    finish(shop.writer("memory_append", shop.clicks().select("id")).format("memory").start())
    finish(shop.writer("memory_sorted", by_customer(shop).orderBy("total"), "complete").format("memory").start())
    frame = shop.clicks().groupBy("cust", "id").agg(F.max("amount").alias("top")).groupBy("cust").count()
    finish(shop.writer("memory_twice", frame, "complete").format("memory").start())


def elsewhere(shop):
    """Into sinks that keep nothing."""
    finish(shop.writer("stream: console", shop.clicks().select("id")).format("console").start())
    finish(shop.writer("stream: noop", by_customer(shop), "complete").format("noop").start())


def windows(shop):
    """With a watermark: windows, sessions, duplicates, and a join of two streams."""
    clicks = shop.clicks().withWatermark("ts", "1 minute")
    frame = clicks.groupBy(F.window("ts", "5 minutes"), "cust").agg(F.count("id").alias("n"))
    frame = frame.select("window.start", "cust", "n")
    finish(shop.writer("stream: windows", frame, "append").toTable("shop.t_windows"))
    frame = clicks.dropDuplicates(["id", "ts"]).select("id", "amount")
    finish(shop.writer("stream: distinct", frame).toTable("shop.t_distinct"))
    frame = clicks.groupBy(F.session_window("ts", "5 minutes"), "cust").agg(F.sum("amount").alias("total"))
    finish(shop.writer("memory_sessions", frame.select("cust", "total"), "complete").format("memory").start())
    other = shop.clicks().withWatermark("ts", "1 minute").selectExpr("id AS other", "amount AS worth", "ts AS at")
    frame = clicks.join(other, F.expr("id = other AND at BETWEEN ts AND ts + INTERVAL 1 MINUTE")).select("id", "worth")
    finish(shop.writer("stream: joined", frame).toTable("shop.t_joined"))
    frame = clicks.join(shop.customers(), "cust").select("id", "region")
    finish(shop.writer("stream: static", frame).toTable("shop.t_static"))


def batches(shop):
    """A function for each batch."""

    def each(rows, number):
        rows.where("id > 1").write.mode("append").saveAsTable("shop.t_each")

    frame = shop.clicks().where("amount > 1").select("id", "amount")
    finish(shop.writer("stream: each", frame).foreachBatch(each).start())

    def whole(rows, number):
        rows.write.mode("overwrite").saveAsTable("shop.t_whole")

    finish(shop.writer("stream: whole", by_customer(shop), "complete").foreachBatch(whole).start())

    def counted(rows, number):
        rows.persist()
        rows.groupBy("cust").count().write.mode("overwrite").saveAsTable("shop.t_counted")
        rows.unpersist()

    finish(shop.writer("stream: counted", shop.clicks().where("amount > 1")).foreachBatch(counted).start())

    def copied(rows, number):
        rows.localCheckpoint().where("id > 2").write.mode("overwrite").saveAsTable("shop.t_copied")

    frame = shop.clicks().where("amount > 1").select("id", "cust")
    finish(shop.writer("stream: copied", frame).foreachBatch(copied).start())


STATEMENTS = (managed_table, files, memory, elsewhere, windows, batches)
CONNECT = (managed_table, files, memory, windows, batches)
"""What is run through Spark Connect as well."""
