"""A stream."""

from __future__ import annotations

from pyspark.sql import DataFrame

from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""

    def live(job: Job) -> None:
        job.spark.sql(
            "CREATE TABLE pai.gold.live (star_id BIGINT, flux DOUBLE) TBLPROPERTIES ('primary-key' = 'star_id')"
        )

        def write(batch: DataFrame, _: int) -> None:
            batch.createOrReplaceTempView("fresh")
            batch.sparkSession.sql("INSERT INTO pai.gold.live SELECT star_id, max(flux) FROM fresh GROUP BY star_id")

        frame = job.spark.readStream.format("paimon").table("pai.raw.seen")
        job.stream(frame, "live").foreachBatch(write).start().awaitTermination()

    return {"live": live}
