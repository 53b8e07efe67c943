"""Files and streams."""

from __future__ import annotations

from pyspark.sql import DataFrame

from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""

    def pq(job: Job) -> None:
        job.spark.table("ice.raw.seen").select("sid", "flux").write.parquet(f"{job.root}/landing/pq")

    def live(job: Job) -> None:
        job.spark.sql("CREATE TABLE IF NOT EXISTS ice.gold.live (star_id BIGINT, flux DOUBLE) USING iceberg")

        def upsert(batch: DataFrame, _: int) -> None:
            batch.createOrReplaceTempView("fresh")
            batch.sparkSession.sql(
                "MERGE INTO ice.gold.live t USING (SELECT star_id, max(flux) AS flux FROM fresh GROUP BY star_id) s "
                "ON t.star_id = s.star_id WHEN MATCHED THEN UPDATE SET flux = t.flux + s.flux "
                "WHEN NOT MATCHED THEN INSERT *"
            )

        frame = job.spark.readStream.format("iceberg").load("ice.raw.seen")
        job.stream(frame, "live").foreachBatch(upsert).start().awaitTermination()

    def feed_stream(job: Job) -> None:
        job.spark.sql("CREATE TABLE ice.gold.log (star_id BIGINT, flux DOUBLE) USING iceberg")
        frame = job.spark.readStream.format("iceberg").load("ice.gold.live").where("flux > 1")
        job.stream(frame, "feed stream").toTable("ice.gold.log").awaitTermination()

    return {"pq": pq, "live": live, "feed stream": feed_stream}
