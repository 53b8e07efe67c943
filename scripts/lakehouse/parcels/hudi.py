"""Frames and streams of the workload."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, HudiPaths, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    sql = names.sql
    table = names.table
    paths = HudiPaths("parcel_id", "kg")
    save, load = (paths.save, paths.load)

    def cdc_stream(job: Job) -> None:

        def apply(batch: DataFrame, number: int) -> None:
            batch.selectExpr("parcel_id", "sender", "kg * 2 AS kg").createOrReplaceTempView("cdc_latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.keyed t USING cdc_latest s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg WHEN NOT MATCHED THEN INSERT (parcel_id, sender, kg) VALUES (s.parcel_id, s.sender, s.kg)"
                )
            )

        schema = "parcel_id BIGINT, sender STRING, recipient STRING, kg DOUBLE, price DOUBLE, day STRING"
        source = job.spark.readStream.schema(schema).option("header", True).csv(f"{job.root}/landing/late")
        job.stream(source, "cdc stream").foreachBatch(apply).start().awaitTermination()

    def path_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("hudi")
            .load(f"{job.root}/lake/boxes")
            .selectExpr("parcel_id", "upper(sender) AS sender", "kg")
        )
        options = {
            "hoodie.table.name": "echo",
            "hoodie.datasource.write.recordkey.field": "parcel_id",
            "hoodie.datasource.write.precombine.field": "kg",
        }
        job.stream(rows, "path stream").format("hudi").options(**options).start(
            f"{job.root}/lake/echo"
        ).awaitTermination()

    return {
        "cdc stream": cdc_stream,
        "boxes": lambda j: save(
            table(j, "A.parcels").select("parcel_id", "sender", "kg", "day"), j, "boxes", "bulk_insert", "overwrite"
        ),
        "boxes upsert": lambda j: save(
            table(j, "A.scans").selectExpr("parcel_id", "hub AS sender", "lat AS kg", "at AS day").where("kg > 3"),
            j,
            "boxes",
            "upsert",
        ),
        "boxes joined": lambda j: save(
            table(j, "A.parcels")
            .join(table(j, "A.scans"), "parcel_id")
            .groupBy("parcel_id")
            .agg(f.max("hub").alias("sender"), f.sum("kg").alias("kg"), f.min("day").alias("day")),
            j,
            "boxes",
            "insert",
        ),
        "boxes read": lambda j: (
            load(j, "boxes").where("sender = 's1'").groupBy("sender").agg(f.sum("kg").alias("kg")).collect()
        ),
        "boxes to table": lambda j: (
            load(j, "boxes").selectExpr("sender AS who", "kg AS load", "day AS role").write.insertInto(sql("B.loads"))
        ),
        "boxes deletes": lambda j: save(
            table(j, "B.parcels").where("kg > 20").selectExpr("parcel_id", "sender", "kg", "'x' AS day"),
            j,
            "boxes",
            "delete",
        ),
        "path stream": path_stream,
    }
