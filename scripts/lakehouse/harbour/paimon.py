"""Frames and streams of the workload."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    sql = names.sql
    table = names.table

    def place(name: str) -> str:
        return "{root}/pai/" + name.replace(".", ".db/")

    def upsert_stream(job: Job) -> None:

        def upsert(batch: DataFrame, number: int) -> None:
            batch.groupBy("ship_id").agg(f.max("hours").cast("double").alias("due")).createOrReplaceTempView("latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO gold.balance t USING latest s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET due = s.due WHEN NOT MATCHED THEN INSERT (ship_id, due) VALUES (s.ship_id, s.due)"
                )
            )

        source = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        job.stream(source, "upsert stream").foreachBatch(upsert).start().awaitTermination()

    def sink(job: Job) -> None:
        source = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        frame = source.selectExpr("ship_id", "CAST(hours AS DOUBLE) AS due")
        job.stream(frame, "sink stream").format("paimon").start(
            place("gold.sunk").replace("{root}", str(job.root))
        ).awaitTermination()

    def copied(job: Job) -> None:
        source = job.spark.readStream.format("paimon").table(sql("gold.sunk"))
        job.stream(source.selectExpr("ship_id AS id", "due + 1 AS due"), "copy stream").format("paimon").toTable(
            sql("gold.copied")
        ).awaitTermination()

    return {
        "dynamic": lambda j: (
            j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
            j.sql(sql("INSERT OVERWRITE gold.daily SELECT visit_id, length(agent), day FROM raw.visits")),
            j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode"),
        ),
        "save path": lambda j: (
            table(j, "raw.ships")
            .selectExpr("ship_id", "tons AS due")
            .write.format("paimon")
            .mode("append")
            .save(place("gold.dues").replace("{root}", str(j.root)))
        ),
        "load path": lambda j: (
            j.spark.read.format("paimon")
            .load(place("raw.ships").replace("{root}", str(j.root)))
            .where("built > 1991")
            .selectExpr("ship_id", "built * 1.0D AS due")
            .write.insertInto(sql("gold.dues"))
        ),
        "increment": lambda j: (
            j.spark.read.format("paimon")
            .option("incremental-between", "1,3")
            .table(sql("gold.balance"))
            .where("due > 1")
            .write.mode("append")
            .insertInto(sql("gold.dues"))
        ),
        "upsert stream": upsert_stream,
        "sink stream": sink,
        "copy stream": copied,
        "replace": lambda j: (
            table(j, "raw.ships")
            .groupBy("flag")
            .agg(f.count("*").alias("n"), f.max("built").alias("top"))
            .write.format("paimon")
            .mode("overwrite")
            .saveAsTable(sql("gold.flags"))
        ),
    }
