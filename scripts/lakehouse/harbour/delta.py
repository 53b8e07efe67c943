"""Frames and streams of the workload."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""

    def api_merge(job: Job) -> None:
        source = (
            job.spark.table("raw.visits")
            .groupBy("ship_id")
            .agg(f.max("hours").alias("most"), f.max("day").alias("seen"))
        )
        job.delta(f"{job.root}/lake/berths").alias("t").merge(
            source.alias("s"), "t.ship_id = s.ship_id"
        ).whenMatchedUpdate(
            condition="s.most > t.hours", set={"hours": "s.most", "note": f.concat(f.col("t.note"), f.col("s.seen"))}
        ).whenNotMatchedInsert(
            values={"ship_id": "s.ship_id", "hours": "s.most + 1", "note": f.lit("new")}
        ).whenNotMatchedBySourceUpdate(
            condition="t.hours < 0", set={"note": f.lit("gone")}
        ).whenNotMatchedBySourceDelete(condition="t.hours < -5").execute()

    def api_all(job: Job) -> None:
        source = job.spark.table("gold.dues").groupBy("ship_id").agg(f.sum("due").alias("due"))
        table = job.delta("gold.balance")
        table.alias("b").merge(
            source.alias("d"), f.expr("b.ship_id = d.ship_id AND b.ship_id > 0")
        ).whenMatchedUpdateAll(condition="d.due <> b.due").whenNotMatchedInsertAll().execute()

    def api_update(job: Job) -> None:
        job.delta("gold.balance").update(condition=f.col("due") > 10, set={"due": f.col("due") * f.col("ship_id")})

    def api_delete(job: Job) -> None:
        job.delta(f"{job.root}/lake/berths").delete("hours > 900")

    def replace_where(job: Job) -> None:
        frame = (
            job.spark.table("raw.visits")
            .where("day = '2026-05-01'")
            .selectExpr("visit_id", "hours * 2 AS hours", "day")
        )
        frame.write.format("delta").mode("overwrite").option("replaceWhere", "day = '2026-05-01'").saveAsTable(
            "gold.daily"
        )

    def dynamic(job: Job) -> None:
        frame = (
            job.spark.table("raw.visits").selectExpr("visit_id", "ship_id AS hours", "day").where("day = '2026-05-02'")
        )
        frame.write.format("delta").mode("overwrite").option("partitionOverwriteMode", "dynamic").insertInto(
            "gold.daily"
        )

    def scd2(job: Job) -> None:
        job.sql(
            "MERGE INTO gold.history t USING (SELECT ship_id AS key, ship_id, name, tons, day FROM staged UNION ALL SELECT NULL AS key, s.ship_id, s.name, s.tons, s.day FROM staged s JOIN gold.history h ON s.ship_id = h.ship_id WHERE h.current AND s.tons <> h.tons) u ON t.ship_id = u.key WHEN MATCHED AND t.current AND t.tons <> u.tons THEN UPDATE SET current = false, until = u.day WHEN NOT MATCHED THEN INSERT (ship_id, name, tons, since, until, current) VALUES (u.ship_id, u.name, u.tons, u.day, NULL, true)"
        )

    def staged(job: Job) -> None:
        job.spark.table("raw.ships").join(job.spark.table("raw.visits"), "ship_id").groupBy("ship_id", "name").agg(
            f.max("tons").alias("tons"), f.max("day").alias("day")
        ).createOrReplaceTempView("staged")

    def cdf_batch(job: Job) -> None:
        frame = job.spark.read.option("readChangeFeed", "true").option("startingVersion", 1).table("gold.tracked")
        changed = frame.where("_change_type != 'update_preimage'").selectExpr("ship_id", "due", "_change_type AS op")
        changed.write.format("delta").mode("append").saveAsTable("gold.audit")

    def cdf_stream(job: Job) -> None:
        frame = job.spark.readStream.option("readChangeFeed", "true").option("startingVersion", 0).table("gold.tracked")
        out = frame.where("_change_type = 'insert'").select("ship_id", (f.col("due") + 1).alias("due"))
        job.stream(out, "feed stream").toTable("gold.fed").awaitTermination()

    def each_batch(job: Job) -> None:
        def upsert(batch: DataFrame, number: int) -> None:
            latest = batch.groupBy("ship_id").agg(f.max("hours").alias("due"))
            job.delta("gold.balance").alias("t").merge(latest.alias("s"), "t.ship_id = s.ship_id").whenMatchedUpdate(
                set={"due": "t.due + s.due"}
            ).whenNotMatchedInsertAll().execute()

        job.stream(job.spark.readStream.table("raw.visits"), "upsert stream").foreachBatch(
            upsert
        ).start().awaitTermination()

    def two_sinks(job: Job) -> None:

        def write(batch: DataFrame, number: int) -> None:
            options = {"txnAppId": "harbour", "txnVersion": str(number)}
            batch.select("visit_id", "agent").write.format("delta").options(**options).mode("append").save(
                f"{job.root}/lake/crew"
            )
            batch.groupBy("day").count().write.format("delta").mode("append").saveAsTable("gold.counts")

        job.stream(job.spark.readStream.table("raw.visits"), "two sinks").foreachBatch(write).start().awaitTermination()

    def path_stream(job: Job) -> None:
        frame = (
            job.spark.readStream.format("delta")
            .load(f"{job.root}/lake/berths")
            .selectExpr("ship_id AS id", "upper(note) AS note")
        )
        writer = job.stream(frame, "path stream").format("delta")
        writer.start(f"{job.root}/lake/copied").awaitTermination()

    def file_stream(job: Job) -> None:
        frame = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        counts = frame.groupBy("ship_id").agg(f.sum("hours").alias("hours"), f.count("*").alias("n"))
        job.stream(counts, "file stream", "complete").format("delta").toTable("gold.totals").awaitTermination()

    def restore(job: Job) -> None:
        job.delta("gold.balance").restoreToVersion(0)

    def evolve_merge(job: Job) -> None:
        job.spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")
        try:
            job.sql(
                "MERGE INTO gold.history t USING (SELECT ship_id, name, tons, day AS since, 'a' AS grade FROM staged) s ON t.ship_id = s.ship_id AND t.current WHEN MATCHED THEN UPDATE SET t.grade = s.grade, t.tons = s.tons WHEN NOT MATCHED THEN INSERT *"
            )
        finally:
            job.spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled")

    return {
        "berths": lambda j: (
            j.spark.table("raw.visits")
            .groupBy("ship_id")
            .agg(f.min("hours").alias("hours"), f.lit("-").alias("note"))
            .write.format("delta")
            .save(f"{j.root}/lake/berths")
        ),
        "api merge": api_merge,
        "api delete": api_delete,
        "api all": api_all,
        "api update": api_update,
        "replace where": replace_where,
        "dynamic": dynamic,
        "overwrite api": lambda j: (
            j.spark.table("raw.visits")
            .selectExpr("visit_id", "length(agent) AS hours", "day")
            .writeTo("gold.daily")
            .overwrite(f.col("day") == "2026-05-01")
        ),
        "stage": staged,
        "scd2": scd2,
        "evolve merge": evolve_merge,
        "w60 overwrite": lambda j: (
            j.spark.table("raw.w60")
            .write.format("delta")
            .mode("overwrite")
            .option("overwriteSchema", "true")
            .saveAsTable("gold.w60j")
        ),
        "time option": lambda j: (
            j.spark.read.format("delta")
            .option("versionAsOf", int(j.pins("gold.balance", 1)))
            .table("gold.balance")
            .write.insertInto("gold.dues")
        ),
        "time path": lambda j: (
            j.spark.read.format("delta")
            .load(f"{j.root}/lake/berths@v0")
            .selectExpr("ship_id", "hours AS due")
            .write.mode("append")
            .format("delta")
            .saveAsTable("gold.dues")
        ),
        "restore": restore,
        "feed": cdf_batch,
        "feed stream": cdf_stream,
        "upsert stream": each_batch,
        "two sinks": two_sinks,
        "path stream": path_stream,
        "file stream": file_stream,
        "registry merge schema": lambda j: (
            j.spark.table("raw.ships")
            .selectExpr("ship_id", "name", "'n' AS note", "flag AS nation", "built AS remark")
            .write.format("delta")
            .mode("append")
            .option("mergeSchema", "true")
            .saveAsTable("gold.registry")
        ),
        "crew": lambda j: (
            j.spark.table("raw.visits")
            .selectExpr("visit_id", "agent", "ship_id AS rank")
            .write.format("delta")
            .mode("append")
            .option("mergeSchema", "true")
            .save(f"{j.root}/lake/crew")
        ),
        "tariffs": lambda j: (
            j.spark.table("raw.ships").select("flag", "tons").write.parquet(f"{j.root}/landing/tariffs")
        ),
        "swap": lambda j: (
            j.spark.table("gold.swapped")
            .selectExpr("k", "c1 + c2 AS c1", "c2 AS extra")
            .writeTo("gold.swapped")
            .using("delta")
            .createOrReplace()
        ),
        "save ignore": lambda j: (
            j.spark.table("raw.ships").write.format("delta").mode("ignore").saveAsTable("gold.fresh")
        ),
    }
