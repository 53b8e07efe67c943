"""Frames and streams of the workload."""

from __future__ import annotations

from pyspark.sql import DataFrame

from lakehouse.runner import Frames, Job, Names


def _save(job: Job, query: str, path: str, mode: str = "error", parts: str = "") -> None:
    writer = job.spark.sql(query).write.format("delta").mode(mode)
    (writer.partitionBy(parts) if parts else writer).save(f"{job.root}/lake/{path}")


def _built(job: Job) -> None:
    table = job.delta_api().create(job.spark).location(f"{job.root}/lake/built")
    table.addColumn("id", "BIGINT").addColumn("n", "STRING").partitionedBy("n").execute()


def _evolved(job: Job) -> None:
    rows: DataFrame = job.spark.sql("SELECT fid AS k, fid AS v, fare AS x FROM air.flight")
    rows.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable("air.wide_types")


def _stream(job: Job) -> None:
    rows = job.spark.readStream.table("air.flight").selectExpr("fid", "fare * 2 AS fare")
    job.stream(rows, "stream tracked").toTable("air.s_tracked").awaitTermination()


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    del names
    return {
        "extremes saved": lambda j: _save(j, "SELECT max(fid) AS top, count(1) AS n FROM air.flight", "top"),
        "parts saved": lambda j: _save(j, "SELECT fid, fare, day FROM air.flight", "parts", parts="day"),
        "parts ignored": lambda j: _save(j, "SELECT fid FROM air.flight", "parts", "ignore"),
        "built": _built,
        "types evolve": _evolved,
        "stream tracked": _stream,
    }
