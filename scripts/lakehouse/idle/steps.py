"""Frames and streams of the workload."""

from __future__ import annotations

from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    fmt = names.format
    sql = names.sql
    table = names.table

    def frame(job: Job) -> None:
        table(job, "T.src").where("v > 2000").writeTo(sql("T.a")).append()

    def none_saved(job: Job) -> None:
        table(job, "T.src").where("v > 2000").write.format(fmt).mode("append").saveAsTable(sql("T.a"))

    def rows(job: Job) -> None:
        job.spark.createDataFrame([], "id BIGINT, v DOUBLE, day STRING").writeTo(sql("T.a")).append()

    def aggregate(job: Job) -> None:
        found = table(job, "T.src").where("v > 3000").groupBy("id", "day").sum("v")
        found.selectExpr("id", "`sum(v)` AS v", "day").write.insertInto(sql("T.a"))

    def stream(job: Job, condition: str, name: str) -> None:
        rows = job.spark.readStream.table(sql("T.src")).where(condition)
        job.stream(rows, name).format(fmt).toTable(sql("T.b")).awaitTermination()

    def batches(job: Job) -> None:

        def run(rows, number):
            rows.where("v > 7000").write.format(fmt).mode("append").saveAsTable(sql("T.b"))

        rows = job.spark.readStream.table(sql("T.src"))
        job.stream(rows, "batch none").foreachBatch(run).start().awaitTermination()

    def replace_where(job: Job) -> None:
        rows = table(job, "T.src").where("v > 8000")
        rows.write.format(fmt).mode("overwrite").option("replaceWhere", "id > 9000").saveAsTable(sql("T.a"))

    def path_saved(job: Job) -> None:
        table(job, "T.src").write.format(fmt).save(f"{job.root}/lake/path")

    def appended(job: Job) -> None:
        table(job, "T.src").where("v > 8000").write.format(fmt).mode("append").save(f"{job.root}/lake/path")

    def api(job: Job) -> None:
        job.delta(sql("T.a")).delete("v > 8000")

    def restored(job: Job) -> None:
        version = names.asked(job, "SELECT max(version) FROM (DESCRIBE HISTORY T.a)")
        job.sql(sql(f"RESTORE TABLE T.a TO VERSION AS OF {version}"))

    return {
        "none frame": frame,
        "none saved": none_saved,
        "none rows": rows,
        "none groups": aggregate,
        "dynamic": lambda job: job.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
        "static": lambda job: job.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "static"),
        "stream none": lambda job: stream(job, "v > 7000", "stream none"),
        "stream rows": lambda job: stream(job, "v > 1", "stream rows"),
        "stream rows again": lambda job: stream(job, "v > 1", "stream rows"),
        "batch none": batches,
        "replace nothing": replace_where,
        "api none": api,
        "path": path_saved,
        "path none": appended,
    }
