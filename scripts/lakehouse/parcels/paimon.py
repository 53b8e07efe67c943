"""Frames and streams of the workload."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.parcels.iceberg import appended
from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    sql = names.sql
    table = names.table

    def cdc_stream(job: Job) -> None:

        def apply(batch: DataFrame, number: int) -> None:
            batch.groupBy("parcel_id").agg(
                f.max("kg").alias("kg"), f.max("sender").alias("sender")
            ).createOrReplaceTempView("cdc_latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.keyed t USING cdc_latest s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg WHEN NOT MATCHED THEN INSERT (parcel_id, sender, kg, n) VALUES (s.parcel_id, s.sender, s.kg, 0)"
                )
            )

        source = job.spark.readStream.format("paimon").table(sql("A.parcels"))
        job.stream(source, "cdc stream").foreachBatch(apply).start().awaitTermination()

    def table_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("paimon")
            .table(sql("A.scans"))
            .selectExpr("upper(hub) AS hub", "n_events * 2 AS n")
        )
        job.stream(rows, "table stream").format("paimon").toTable(sql("B.echo")).awaitTermination()

    def dynamic(job: Job) -> None:
        job.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
        try:
            table(job, "A.parcels").where("day <> '2026-07-02'").selectExpr(
                "parcel_id", "kg + 1 AS kg", "day"
            ).write.mode("overwrite").insertInto(sql("B.daily"))
        finally:
            job.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")

    [f"m{n:02d}" for n in range(1, 70)]
    return {
        "append mode": appended(names),
        "cdc stream": cdc_stream,
        "table stream": table_stream,
        "dynamic": dynamic,
        "frame overwrite": lambda j: (
            table(j, "B.by_hub")
            .selectExpr("hub", "outs AS ins", "ins AS outs")
            .write.format("paimon")
            .mode("overwrite")
            .saveAsTable(sql("B.by_hub2"))
        ),
    }
