"""Frames and streams of the workload."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    fmt = names.format
    sql = names.sql
    at = sql("tel.x")[:-1]

    def table(job: Job, name: str) -> DataFrame:
        return job.spark.table(at + name)

    def frame(name: str, make: Callable[[Job], DataFrame]) -> Callable[[Job], object]:
        return lambda job: make(job).writeTo(at + name).using(fmt).create()

    def pdf(j: Job) -> DataFrame:

        def up(it: Any) -> Any:
            for p in it:
                p["cost"] = p["cost"] + 1
                yield p[["id", "cost"]]

        return table(j, "calls").select("id", "cost").mapInPandas(up, "id long, cost double")

    def grouped(j: Job) -> DataFrame:

        def g(p: Any) -> Any:
            return p.groupby("sub", as_index=False).agg({"secs": "sum"})

        return table(j, "calls").select("sub", "secs").groupBy("sub").applyInPandas(g, "sub long, secs long")

    def udf(j: Job) -> DataFrame:
        u = f.udf(lambda a, b: f"{a}{b}", "string")
        return table(j, "calls").select("id", u("sub", "cell").alias("u"))

    def checkpointed(j: Job) -> DataFrame:
        j.spark.sparkContext.setCheckpointDir(f"{j.root}/cp")
        return (
            table(j, "calls")
            .where("secs > 7")
            .select("id", "cost")
            .checkpoint()
            .withColumn("double", f.expr("cost * 2"))
        )

    def sdedup(j: Job) -> None:
        src = (
            j.spark.readStream.format(fmt).table(at + "calls2")
            if fmt != "iceberg"
            else j.spark.readStream.format("iceberg").load(at + "calls2")
        )
        d = (
            src.withWatermark("at", "1 hour")
            .dropDuplicates(["id", "at"])
            .selectExpr("id", "secs * 2 AS secs", "loc.city AS city")
        )
        j.stream(d, "s dedup").format(fmt).toTable(at + "s_dedup").awaitTermination()

    def sstatic(j: Job) -> None:
        src = j.spark.readStream.table(at + "calls2").alias("a")
        d = src.join(table(j, "subs").alias("b"), f.expr("a.sub = b.sub_id"), "left").selectExpr(
            "a.id", "b.name", "a.cost"
        )
        j.stream(d, "s static").format(fmt).toTable(at + "s_static").awaitTermination()

    def swin(j: Job) -> None:
        src = (
            j.spark.readStream.table(at + "calls2")
            .withWatermark("at", "10 minutes")
            .groupBy(f.window("at", "1 hour").alias("w"), "cell")
            .agg(f.sum("cost").alias("total"), f.approx_count_distinct("sub").alias("subs"))
        )
        j.stream(src.selectExpr("w.start AS begun", "cell", "total", "subs"), "s win", "complete").format(fmt).toTable(
            at + "s_win"
        ).awaitTermination()

    def seach(j: Job) -> None:

        def fn(b: DataFrame, _: int) -> None:
            b.persist()
            b.groupBy("sub").agg(f.max("cost").alias("cost")).createOrReplaceTempView("bb")
            b.sparkSession.sql(
                sql(
                    "MERGE INTO tel.bal t USING bb s ON t.sub = s.sub WHEN MATCHED AND s.cost > t.cost THEN UPDATE SET cost = s.cost WHEN NOT MATCHED THEN INSERT (sub, cost, note) VALUES (s.sub, s.cost, 'stream')"
                )
            ).collect()
            b.unpersist()

        j.stream(j.spark.readStream.table(at + "calls2"), "s each").foreachBatch(fn).start().awaitTermination()

    return {
        "dyn on": lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
        "dyn frame": lambda j: (
            table(j, "calls")
            .selectExpr("id", "cost", "loc.city AS note", "day")
            .where("id > 3")
            .write.insertInto(at + "acc", overwrite=True)
        ),
        "dyn off": lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "static"),
        "overwrite cond": lambda j: (
            table(j, "calls")
            .selectExpr("id", "cost", "'oc' AS note", "day")
            .where("day = '0'")
            .writeTo(at + "acc")
            .overwrite(f.expr("day = '0'"))
        ),
        "f_pivot": frame(
            "f_pivot", lambda j: table(j, "calls").groupBy("sub").pivot("cell", [0, 1]).agg(f.sum("cost"))
        ),
        "f_melt": frame(
            "f_melt",
            lambda j: (
                table(j, "calls")
                .selectExpr("id", "CAST(secs AS DOUBLE) AS secs", "cost")
                .melt(["id"], ["secs", "cost"], "var", "val")
            ),
        ),
        "f_union": frame(
            "f_union",
            lambda j: (
                table(j, "subs")
                .select("name", "region")
                .unionByName(table(j, "cells").select("region", "lat"), allowMissingColumns=True)
            ),
        ),
        "f_drop": frame(
            "f_drop",
            lambda j: (
                table(j, "calls")
                .drop("tags", "attrs", "loc", "at")
                .na.fill(0)
                .withColumnRenamed("secs", "s2")
                .dropDuplicates(["sub"])
            ),
        ),
        "f_with": frame(
            "f_with",
            lambda j: (
                table(j, "calls")
                .select("id", "cost", "loc")
                .withColumns({"cost": f.col("cost") * 3, "x": f.col("loc.x")})
                .withColumn("loc", f.col("loc").dropFields("x").withField("z", f.col("cost")))
            ),
        ),
        "f_join": frame(
            "f_join",
            lambda j: (
                table(j, "calls")
                .alias("a")
                .join(f.broadcast(table(j, "cells").alias("b")), f.expr("a.cell = b.cell_id"), "left_anti")
                .select("a.id")
            ),
        ),
        "f_desc": frame(
            "f_desc",
            lambda j: (
                table(j, "calls")
                .groupBy()
                .agg(f.min("cost").alias("lo"), f.stddev("secs").alias("sd"), f.countDistinct("sub", "cell").alias("n"))
            ),
        ),
        "f_udf": frame("f_udf", udf),
        "f_pdf": frame("f_pdf", pdf),
        "f_grp": frame("f_grp", grouped),
        "f_cp": frame("f_cp", checkpointed),
        "f_rep": frame(
            "f_rep",
            lambda j: (
                table(j, "calls")
                .repartition(3, "sub")
                .sortWithinPartitions("cost")
                .select("sub", f.struct("id", "cost").alias("st"))
            ),
        ),
        "f_expl": frame(
            "f_expl",
            lambda j: (
                table(j, "calls")
                .select("id", f.explode_outer("tags").alias("t"))
                .groupBy("t")
                .agg(f.collect_set("id").alias("ids"))
            ),
        ),
        "f_save": lambda j: (
            table(j, "calls").select("id", "cost").write.format(fmt).mode("overwrite").saveAsTable(at + "f_save")
        ),
        "f_save2": lambda j: (
            table(j, "calls")
            .selectExpr("id", "cost + secs AS cost")
            .write.format(fmt)
            .mode("overwrite")
            .saveAsTable(at + "f_save")
        ),
        "f_cor": lambda j: (
            table(j, "subs")
            .selectExpr("sub_id AS id", "name AS n2")
            .writeTo(at + "f_save")
            .using(fmt)
            .createOrReplace()
        ),
        "m temp": lambda j: (
            table(j, "calls").groupBy("sub").agg(f.avg("cost").alias("a")).createOrReplaceTempView("avgs"),
            j.sql(
                sql("MERGE INTO tel.bal t USING avgs ON t.sub = avgs.sub WHEN MATCHED THEN UPDATE SET cost = avgs.a")
            ),
        ),
        "ev over": lambda j: (
            table(j, "calls")
            .selectExpr("id", "CAST(cost AS STRING) AS money")
            .write.format("delta")
            .mode("overwrite")
            .option("overwriteSchema", "true")
            .saveAsTable(at + "ev")
        ),
        "s dedup": sdedup,
        "s static": sstatic,
        "s win": swin,
        "s each": seach,
    }
