"""The shop's frames and streams on each table format."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, HudiPaths, Job, Names

_HUDI = HudiPaths("id", "day", {"hoodie.metadata.enable": "false", "hoodie.embed.timeline.server": "false"})
_HUDI_MERGE = (
    "MERGE INTO shop.marked t USING changed s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET id = s.id, customer = s.label, amount = s.doubled, day = s.day"
    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, s.label, s.doubled, s.day)"
)
_MERGE = (
    "MERGE INTO {ns}.orders t USING changed s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET amount = s.amount"
    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, s.name, s.amount, s.day)"
)


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    return {"delta": _delta, "iceberg": _iceberg, "hudi": _hudi, "paimon": _paimon}.get(names.format, _hive)(names)


def _copied(job: Job, frame: DataFrame, using: str, table: str) -> None:
    """Run a stream into a table, by its name or its path, to the end of its source."""
    writer = job.stream(frame, "stream: copied").format(using)
    (writer.start(table) if "/" in table else writer.toTable(table)).awaitTermination()


def _merged(job: Job, frame: DataFrame, merge: str) -> None:
    """Run a stream whose batches are merged by a statement over the view `changed`."""

    def upsert(batch: DataFrame, _: int) -> None:
        batch.createOrReplaceTempView("changed")
        batch.sparkSession.sql(merge)

    job.stream(frame, "stream: merged").foreachBatch(upsert).start().awaitTermination()


def _shop(names: Names, job: Job, table: str, *columns: str) -> DataFrame:
    return names.table(job, f"{{ns}}.{table}").selectExpr(*columns)


def _delta(names: Names) -> Frames:
    orders = names.sql("{ns}.orders")

    def events(job: Job, mode: str, *columns: str, **options: str) -> None:
        rows = _shop(names, job, "updates", *columns).write.format("delta").mode(mode)
        rows.options(**options).save(f"{job.root}/lake/events")

    def changed(job: Job) -> DataFrame:
        return _shop(names, job, "updates", "id", "lower(customer) AS customer", "amount", "day")

    def totals(job: Job) -> None:
        found = names.table(job, "{ns}.updates").groupBy("day").agg(f.sum("amount").alias("total"))
        found.writeTo(names.sql("{ns}.totals")).using("delta").createOrReplace()

    def copied(job: Job) -> None:
        rows = job.spark.readStream.table("shop.saved").selectExpr("id", "amount * 2 AS doubled", "day")
        _copied(job, rows, "delta", "shop.copied")

    def kinds(job: Job) -> None:
        feed = job.spark.readStream.option("readChangeFeed", "true").option("startingVersion", 0)
        rows = feed.table(names.sql("{ns}.feed")).selectExpr("id", "name", "_change_type AS kind")
        _copied(job, rows, "delta", names.sql("{ns}.kinds"))

    def merged(job: Job) -> None:
        rows = job.spark.readStream.table("shop.saved")
        _merged(job, rows.selectExpr("id", "upper(customer) AS name", "amount", "day"), _MERGE.replace("{ns}", "shop"))

    return {
        "save: events": lambda j: events(j, "error", "id", "upper(op) AS kind"),
        "save: events, merge schema": lambda j: events(
            j, "append", "id", "op AS kind", "day AS at", mergeSchema="true"
        ),
        "save: events, overwrite": lambda j: events(j, "overwrite", "id", "op AS kind", "day AS at"),
        "read: events": lambda j: (
            j.spark.read.format("delta").load(f"{j.root}/lake/events").select("id", "at").collect()
        ),
        "table: saved": lambda j: names.table(j, "{ns}.orders").write.format("delta").saveAsTable("shop.saved"),
        "table: appended": lambda j: (
            _shop(names, j, "orders", "id + 5000 AS id", "customer", "amount", "day").writeTo("shop.saved").append()
        ),
        "save: plain": lambda j: _shop(names, j, "orders", "id", "amount").write.parquet(f"{j.root}/lake/plain"),
        "frame: append": lambda j: changed(j).writeTo(orders).append(),
        "frame: overwrite": lambda j: (
            changed(j).where("id = 6").writeTo(orders).overwrite(f.col("day") == "2026-11-03")
        ),
        "frame: overwrite partitions": lambda j: changed(j).where("id = 6").writeTo(orders).overwritePartitions(),
        "frame: create or replace": totals,
        "save: path": lambda j: (
            _shop(names, j, "updates", "id", "customer", "op").write.format("delta").save(f"{j.root}/lake/orders")
        ),
        "stream: copied": copied,
        "feed copied": kinds,
        "stream: merged": merged,
    }


def _iceberg(names: Names) -> Frames:
    def updates(job: Job, *columns: str) -> DataFrame:
        return job.spark.readStream.table(names.sql("{ns}.updates")).selectExpr(*columns)

    def widened(job: Job) -> None:
        rows = _shop(names, job, "updates", "id", "amount * 2 AS amount", "upper(op) AS reason")
        rows.writeTo(names.sql("{ns}.open")).option("mergeSchema", "true").append()

    return {
        "frame: new column": widened,
        "merge: not collected": lambda j: j.spark.sql(j.statement("merge: all clauses")),
        "stream: copied": lambda j: _copied(
            j, updates(j, "id", "amount * 2 AS doubled"), "iceberg", names.sql("{ns}.copied")
        ),
        "stream: merged": lambda j: _merged(
            j, updates(j, "id", "upper(customer) AS name", "amount", "day"), names.sql(_MERGE)
        ),
    }


def _hudi(names: Names) -> Frames:
    def events(job: Job, mode: str, *columns: str) -> None:
        _HUDI.save(_shop(names, job, "updates", *columns), job, "events", "upsert", mode)

    def stream(job: Job, *columns: str) -> DataFrame:
        return job.spark.readStream.format("hudi").load(f"{job.root}/lake/events").selectExpr(*columns)

    def copied(job: Job) -> None:
        writer = job.stream(stream(job, "id", "id * 2 AS doubled", "kind"), "stream: copied").format("hudi")
        writer.options(**HudiPaths("id", "doubled", _HUDI.options).written("copied"))
        writer.start(f"{job.root}/lake/copied").awaitTermination()

    since = {"hoodie.datasource.query.type": "incremental", "hoodie.datasource.read.begin.instanttime": "000"}
    kinds = ("id", "upper(op) AS kind", "day")
    return {
        "save: events": lambda j: events(j, "overwrite", *kinds),
        "save: events, upsert": lambda j: events(j, "append", *kinds),
        "read: events": lambda j: _HUDI.load(j, "events").select("id", "kind").collect(),
        "read: events, incremental": lambda j: _HUDI.load(j, "events", **since).select("id", "kind").collect(),
        "save: events, new column": lambda j: events(
            j, "append", "id", "lower(op) AS kind", "day", "amount * 2 AS doubled"
        ),
        "merge: not collected": lambda j: j.spark.sql(j.statement("merge: from aggregate")),
        "stream: copied": copied,
        "stream: merged": lambda j: _merged(
            j, stream(j, "id", "lower(kind) AS label", "id * 2.0 AS doubled", "day"), _HUDI_MERGE
        ),
    }


def _paimon(names: Names) -> Frames:
    def updates(job: Job, *columns: str) -> DataFrame:
        return job.spark.readStream.table(names.sql("{ns}.updates")).selectExpr(*columns)

    def place(job: Job, table: str) -> str:
        return f"{job.root}/lake/shop.db/{table}"

    def widened(job: Job) -> None:
        rows = _shop(names, job, "updates", "id", "amount * 2 AS amount", "upper(op) AS reason")
        writer = rows.write.format("paimon").mode("append").option("write.merge-schema", "true")
        writer.save(place(job, "open"))

    def made(job: Job) -> None:
        rows = job.spark.sparkContext.parallelize([(7, "gus", 70.0)])
        frame = job.spark.createDataFrame(rows, "id LONG, name STRING, amount DOUBLE")
        frame.writeTo(names.sql("{ns}.keyed")).append()

    def kept(job: Job) -> None:
        rows = _shop(names, job, "updates", "id", "lower(customer) AS name", "amount")
        job.spark.sparkContext.setJobDescription("checkpoint")
        checkpoint = rows.localCheckpoint()
        job.spark.sparkContext.setJobDescription(job.step)
        checkpoint.writeTo(names.sql("{ns}.keyed")).append()

    saved = names.sql("{ns}.saved")
    later = ("id + 5000 AS id", "customer", "amount", "day")
    upper = ("id", "upper(customer) AS customer", "amount", "day")
    return {
        "table: saved": lambda j: names.table(j, "{ns}.orders").write.format("paimon").saveAsTable(saved),
        "table: appended": lambda j: _shop(names, j, "orders", *later).writeTo(saved).append(),
        "table: inserted": lambda j: _shop(names, j, "updates", *upper).write.insertInto(saved),
        "save: new column": widened,
        "table: made": made,
        "table: kept": kept,
        "stream: copied": lambda j: _copied(j, updates(j, "id", "amount * 2 AS doubled"), "paimon", place(j, "copied")),
        "stream: merged": lambda j: _merged(
            j, updates(j, "id", "upper(customer) AS name", "amount", "day"), names.sql(_MERGE)
        ),
    }


def _hive(names: Names) -> Frames:
    def saved(job: Job) -> Any:
        return _shop(names, job, "updates", "id", "op AS kind", "day").write

    def inserted(job: Job) -> None:
        def insert(batch: DataFrame, _: int) -> None:
            batch.selectExpr("id", "kind", "'2026-11-21' AS day").write.insertInto("shop.saved")

        files = job.spark.readStream.schema("id BIGINT, op STRING").parquet(f"{job.root}/lake/landing")
        rows = files.selectExpr("id", "upper(op) AS kind")
        job.stream(rows, "stream: inserted").foreachBatch(insert).start().awaitTermination()

    return {
        "table: saved": lambda j: saved(j).format("hive").partitionBy("day").saveAsTable("shop.saved"),
        "table: appended": lambda j: saved(j).insertInto("shop.saved"),
        "save: landing": lambda j: _shop(names, j, "updates", "id", "op").write.parquet(f"{j.root}/lake/landing"),
        "stream: inserted": inserted,
    }
