"""Frames and streams of the workload."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, HudiPaths, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""

    def saved(frame: DataFrame, job: Job, target: str, operation: str, mode: str = "append", **more: str) -> None:
        name, key = target.split()
        HudiPaths(key, "hours").save(frame, job, name, operation, mode, **more)

    def upsert_stream(job: Job) -> None:

        def upsert(batch: DataFrame, number: int) -> None:
            batch.groupBy("ship_id").agg(f.max("hours").alias("hours")).createOrReplaceTempView("latest")
            batch.sparkSession.sql(
                "MERGE INTO gold.balance t USING (SELECT ship_id, CAST(hours AS DOUBLE) AS due, 1L AS ts FROM latest) s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET due = s.due, ts = s.ts WHEN NOT MATCHED THEN INSERT *"
            )

        source = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        job.stream(source, "upsert stream").foreachBatch(upsert).start().awaitTermination()

    def incremental(job: Job) -> None:
        frame = (
            job.spark.read.format("hudi")
            .option("hoodie.datasource.query.type", "incremental")
            .option("hoodie.datasource.read.begin.instanttime", "000")
            .load(f"{job.root}/lake/berths")
        )
        saved(frame.selectExpr("ship_id", "hours + 1 AS hours"), job, "grown ship_id", "insert")

    return {
        "berths": lambda j: saved(
            j.spark.table("raw.visits")
            .groupBy("ship_id")
            .agg(f.max("hours").alias("hours"), f.max("agent").alias("agent")),
            j,
            "berths ship_id",
            "bulk_insert",
            "overwrite",
        ),
        "berths upsert": lambda j: saved(
            j.spark.table("raw.ships").selectExpr("ship_id", "built AS hours", "name AS agent").where("ship_id > 4"),
            j,
            "berths ship_id",
            "upsert",
        ),
        "berths read": lambda j: (
            j.spark.read.format("hudi").load(f"{j.root}/lake/berths").where("hours > 5").select("agent").collect()
        ),
        "incremental": incremental,
        "dynamic": lambda j: saved(
            j.spark.table("raw.visits").selectExpr("visit_id", "hours", "agent", "day"),
            j,
            "agents visit_id",
            "insert_overwrite",
            **{"hoodie.datasource.write.partitionpath.field": "day"},
        ),
        "deletes": lambda j: saved(
            j.spark.read.format("hudi")
            .load(f"{j.root}/lake/agents")
            .where("agent IS NULL")
            .select("visit_id", "hours", "agent", "day"),
            j,
            "agents visit_id",
            "delete",
            **{"hoodie.datasource.write.partitionpath.field": "day"},
        ),
        "w60 saved": lambda j: saved(
            j.spark.table("raw.w60").selectExpr("k", "k AS hours", *(f"c{n} + 1 AS c{n}" for n in range(1, 59))),
            j,
            "w60s k",
            "upsert",
        ),
        "upsert stream": upsert_stream,
    }
