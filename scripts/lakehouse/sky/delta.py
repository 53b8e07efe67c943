"""Generated columns and streams."""

from __future__ import annotations

import importlib

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""

    def nights(job: Job) -> None:
        identity = importlib.import_module("delta.tables").IdentityGenerator()
        table = job.delta_api().create(job.spark).tableName("gold.nights").addColumn("sid", "BIGINT")
        table = table.addColumn("night", "DATE").addColumn("year", "INT", generatedAlwaysAs="year(night)")
        table.addColumn("nid", dataType="BIGINT", generatedAlwaysAs=identity).execute()

    def live(job: Job) -> None:
        job.spark.sql("CREATE TABLE IF NOT EXISTS gold.live (star_id BIGINT, flux DOUBLE) USING delta")

        def upsert(batch: DataFrame, _: int) -> None:
            found = batch.groupBy("star_id").agg(f.max("flux").alias("flux"))
            target = job.delta("gold.live").alias("t")
            target.merge(found.alias("s"), "t.star_id = s.star_id").whenMatchedUpdate(
                set={"flux": "t.flux + s.flux"}
            ).whenNotMatchedInsertAll().execute()

        job.stream(job.spark.readStream.table("raw.seen"), "live").foreachBatch(upsert).start().awaitTermination()

    def feed_stream(job: Job) -> None:
        frame = job.spark.readStream.table("gold.live").where("flux > 1")
        job.stream(frame, "feed stream").toTable("gold.log").awaitTermination()

    return {"nights": nights, "live": live, "feed stream": feed_stream}
