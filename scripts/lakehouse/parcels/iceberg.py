"""Frames and streams of the workload."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names


def appended(names: Names) -> Callable[[Job], object]:
    """Return what appends by the columns' names."""
    return lambda j: (
        names.table(j, "A.parcels")
        .groupBy(f.col("recipient").alias("who"))
        .agg(f.expr("max(kg) AS load"), f.lit("m").alias("role"))
        .write.format(names.format)
        .mode("append")
        .saveAsTable(names.sql("B.loads"))
    )


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    sql = names.sql
    table = names.table
    quietly = names.asked

    def schema_merge(job: Job) -> None:
        table(job, "A.parcels").selectExpr("parcel_id", "kg", "substr(sender, 1, 1) AS grade").writeTo(
            sql("B.merged")
        ).option("mergeSchema", "true").append()

    def dynamic(job: Job) -> None:
        table(job, "A.parcels").where("day <> '2026-07-02'").selectExpr("parcel_id", "kg + 1 AS kg", "day").writeTo(
            sql("B.daily")
        ).overwritePartitions()

    def wap(job: Job) -> None:
        job.spark.sql(sql("ALTER TABLE B.daily SET TBLPROPERTIES ('write.wap.enabled' = 'true')"))
        job.spark.conf.set("spark.wap.branch", "audit_july")
        try:
            job.sql(
                sql("INSERT INTO B.daily SELECT parcel_id + 500, lat, '2026-07-20' FROM A.scans WHERE n_events > 1")
            )
        finally:
            job.spark.conf.unset("spark.wap.branch")

    def travel(job: Job) -> None:
        first = job.pins(
            sql("B.fed"), quietly(job, "SELECT snapshot_id FROM B.fed.snapshots ORDER BY committed_at LIMIT 1")
        )
        job.spark.sql(
            sql(
                f"CREATE TABLE B.moved USING iceberg AS SELECT n.parcel_id, n.kg - o.kg AS moved FROM B.fed n JOIN B.fed VERSION AS OF {first} o ON o.parcel_id = n.parcel_id"
            )
        ).collect()

    def rollback(job: Job) -> None:
        first = quietly(job, "SELECT snapshot_id FROM B.fed.snapshots ORDER BY committed_at LIMIT 1")
        job.spark.sql(
            sql(
                f"CALL {{B.catalog}}.system.rollback_to_snapshot(table => '{{B.database}}.fed', snapshot_id => {first})"
            )
        ).collect()

    def cdc_stream(job: Job) -> None:

        def apply(batch: DataFrame, number: int) -> None:
            latest = batch.groupBy("parcel_id").agg(f.max("kg").alias("kg"), f.max_by("sender", "day").alias("sender"))
            latest.createOrReplaceTempView("cdc_latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.parcels t USING cdc_latest s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg + t.kg WHEN NOT MATCHED THEN INSERT (parcel_id, sender, kg) VALUES (s.parcel_id, s.sender, s.kg)"
                )
            )

        source = job.spark.readStream.format("iceberg").load(sql("A.parcels"))
        job.stream(source, "cdc stream").foreachBatch(apply).start().awaitTermination()

    def table_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("iceberg")
            .load(sql("A.scans"))
            .selectExpr("upper(hub) AS hub", "n_events * 2 AS n")
        )
        job.stream(rows, "table stream").format("iceberg").toTable(sql("B.echo")).awaitTermination()

    def load_stream(job: Job) -> None:
        rows = job.spark.readStream.format("iceberg").load(sql("A.scans")).groupBy("hub").agg(f.count("*").alias("n"))
        job.stream(rows, "count stream", "complete").format("iceberg").option(
            "path", sql("B.echo")
        ).start().awaitTermination()

    return {
        "append mode": appended(names),
        "merged": lambda j: (
            table(j, "A.parcels")
            .select("parcel_id", "kg")
            .writeTo(sql("B.merged"))
            .using("iceberg")
            .tableProperty("write.spark.accept-any-schema", "true")
            .create()
        ),
        "schema merge": schema_merge,
        "dynamic": dynamic,
        "overwrite where": lambda j: (
            table(j, "A.scans")
            .selectExpr("parcel_id", "lat AS kg", "'2026-07-03' AS day")
            .writeTo(sql("B.daily"))
            .overwrite(f.expr("day = '2026-07-03'"))
        ),
        "travel": travel,
        "rollback": rollback,
        "wap": wap,
        "table stream": table_stream,
        "count stream": load_stream,
        "cdc stream": cdc_stream,
        "frame replace": lambda j: (
            table(j, "B.by_hub")
            .withColumn("rate", f.expr("ins / nullif(outs, 0)"))
            .writeTo(sql("B.rates"))
            .using("iceberg")
            .partitionedBy("hub")
            .createOrReplace()
        ),
    }
