"""Frames and streams of the workload."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    sql = names.sql
    table = names.table

    def snapshot(job: Job, name: str, number: int) -> int:
        rows = job.spark.sql(f"SELECT snapshot_id FROM {sql(name)}.snapshots ORDER BY committed_at").collect()
        return int(rows[number][0])

    def quiet(job: Job, name: str, number: int) -> int:
        job.spark.sparkContext.setJobDescription("helper: snapshots")
        found = snapshot(job, name, number)
        job.spark.sparkContext.setJobDescription(job.step)
        job.pins(sql(name), found)
        return found

    def partitioned(job: Job) -> None:
        frame = table(job, "raw.visits").selectExpr(
            "visit_id", "ship_id", "arrived", "hours", "agent AS pilot_name", "day"
        )
        frame.writeTo(sql("raw.calls")).using("iceberg").partitionedBy(
            f.days("arrived"), f.bucket(4, "ship_id")
        ).tableProperty("write.update.mode", "merge-on-read").tableProperty(
            "write.merge.mode", "merge-on-read"
        ).tableProperty("write.delete.mode", "merge-on-read").create()

    def at_snapshot(job: Job) -> None:
        number = quiet(job, "gold.balance", 0)
        job.spark.read.option("snapshot-id", number).table(sql("gold.balance")).writeTo(sql("gold.dues")).append()

    def sql_version(job: Job) -> None:
        number = quiet(job, "gold.balance", 0)
        job.spark.sql(sql(f"INSERT INTO gold.dues SELECT ship_id, due FROM gold.balance VERSION AS OF {number}"))

    def incremental(job: Job) -> None:
        first = quiet(job, "gold.dues", 0)
        frame = job.spark.read.format("iceberg").option("start-snapshot-id", first).load(sql("gold.dues"))
        frame.selectExpr("ship_id", "due * 2 AS due").writeTo(sql("gold.grown")).using("iceberg").create()

    def rollback(job: Job) -> None:
        number = quiet(job, "gold.balance", 0)
        catalog = sql("gold.x").partition(".")[0]
        job.spark.sql(f"CALL {catalog}.system.rollback_to_snapshot('gold.balance', {number})").collect()

    def call(text: str) -> Callable[[Job], None]:

        def run(job: Job) -> None:
            job.spark.sql(
                text.replace("@g", sql("gold.x").partition(".")[0])
                .replace("@r", sql("raw.x").partition(".")[0])
                .replace("{root}", str(job.root))
            ).collect()

        return run

    def changelog(job: Job) -> None:
        catalog = sql("raw.x").partition(".")[0]
        job.spark.sql(
            f"CALL {catalog}.system.create_changelog_view(table => 'raw.calls', changelog_view => 'calls_log', identifier_columns => array('visit_id'))"
        ).collect()
        job.spark.sql(
            sql(
                "CREATE TABLE gold.log USING iceberg AS SELECT visit_id, hours, _change_type AS op FROM calls_log WHERE _change_type <> 'DELETE'"
            )
        )

    def upsert_stream(job: Job) -> None:

        def upsert(batch: DataFrame, number: int) -> None:
            batch.groupBy("ship_id").agg(f.max("hours").cast("double").alias("due")).createOrReplaceTempView("latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO gold.balance t USING latest s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET due = t.due + s.due WHEN NOT MATCHED THEN INSERT *"
                )
            )

        source = job.spark.readStream.format("iceberg").load(sql("raw.visits"))
        job.stream(source, "upsert stream").foreachBatch(upsert).start().awaitTermination()

    def copy_stream(job: Job) -> None:
        source = (
            job.spark.readStream.format("iceberg")
            .load(sql("raw.visits"))
            .selectExpr("visit_id AS id", "upper(agent) AS who", "berth.code AS berth")
        )
        job.stream(source.where("id > 101"), "copy stream").format("iceberg").option("fanout-enabled", "true").toTable(
            sql("gold.streamed")
        ).awaitTermination()

    def file_stream(job: Job) -> None:
        frame = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        counts = frame.groupBy("ship_id").agg(f.sum("hours").alias("hours"), f.count("*").alias("n"))
        job.stream(counts, "file stream", "complete").format("iceberg").toTable(sql("gold.totals")).awaitTermination()

    def staged(job: Job) -> None:
        table(job, "raw.ships").join(table(job, "raw.visits"), "ship_id").groupBy("ship_id", "name").agg(
            f.max("tons").alias("tons"), f.max("day").alias("day")
        ).createOrReplaceTempView("staged")

    def merge_into(job: Job) -> None:
        table(job, "raw.visits").groupBy("ship_id").agg(f.min("hours").cast("double").alias("low")).alias(
            "s"
        ).mergeInto(sql("gold.balance"), f.expr(sql("gold.balance") + ".ship_id = s.ship_id")).whenMatched(
            f.expr("s.low > 4")
        ).update({"due": f.col("s.low")}).whenNotMatched().insert(
            {"ship_id": f.col("s.ship_id"), "due": f.col("s.low") + 1}
        ).merge()

    return {
        "calls": partitioned,
        "stage": staged,
        "merge into api": merge_into,
        "overwrite partitions": lambda j: (
            table(j, "raw.visits")
            .where("day = '2026-05-02'")
            .selectExpr("visit_id", "CAST(ship_id AS INT) AS hours", "day")
            .writeTo(sql("gold.daily"))
            .overwritePartitions()
        ),
        "overwrite api": lambda j: (
            table(j, "raw.visits")
            .selectExpr("visit_id", "length(agent) AS hours", "day")
            .where("day = '2026-05-01'")
            .writeTo(sql("gold.daily"))
            .overwrite(f.col("day") == "2026-05-01")
        ),
        "dynamic": lambda j: (
            j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
            j.sql(sql("INSERT OVERWRITE gold.daily SELECT visit_id, hours + 1, day FROM raw.calls WHERE hours > 1")),
            j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode"),
        ),
        "branch option": lambda j: (
            table(j, "raw.visits").select("visit_id", "hours", "day").writeTo(sql("gold.daily.branch_audit")).append()
        ),
        "fast forward": call("CALL @g.system.fast_forward('gold.daily', 'main', 'audit')"),
        "at snapshot": at_snapshot,
        "sql version": sql_version,
        "incremental": incremental,
        "rollback": rollback,
        "rewrite": call(
            "CALL @r.system.rewrite_data_files(table => 'raw.calls', options => map('min-input-files', '1'))"
        ),
        "manifests": call("CALL @g.system.rewrite_manifests('gold.daily')"),
        "expire": call("CALL @g.system.expire_snapshots(table => 'gold.dues', retain_last => 1)"),
        "orphans": call("CALL @r.system.remove_orphan_files(table => 'raw.visits')"),
        "changelog": changelog,
        "save overwrite": lambda j: (
            table(j, "raw.ships")
            .groupBy("flag")
            .agg(f.count("*").alias("n"), f.max("built").alias("h"), f.lit(1.0).alias("mean"))
            .write.format("iceberg")
            .mode("overwrite")
            .saveAsTable(sql("gold.flags"))
        ),
        "swap": lambda j: (
            table(j, "gold.swapped")
            .selectExpr("k", "c1 + c2 AS c1", "c2 AS extra")
            .writeTo(sql("gold.swapped"))
            .using("iceberg")
            .createOrReplace()
        ),
        "merge schema": lambda j: (
            table(j, "raw.ships")
            .selectExpr("ship_id AS id", "name AS note", "flag AS extra")
            .writeTo(sql("gold.notes"))
            .option("mergeSchema", "true")
            .append()
        ),
        "upsert stream": upsert_stream,
        "copy stream": copy_stream,
        "file stream": file_stream,
    }
