"""Frames and streams of the workload."""

from __future__ import annotations

import json
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse.runner import Frames, Job, Names

_SCHEMA = "parcel_id BIGINT, sender STRING, recipient STRING, kg DOUBLE, price DOUBLE, day STRING"


def land(root: Path) -> None:
    """Write the landing files."""
    for folder in ("parcels", "scans", "late"):
        (root / "landing" / folder).mkdir(parents=True, exist_ok=True)
    rows = [f"{n},s{n % 4},r{n % 5},{n * 1.5},{n * 2.25},2026-07-0{n % 3 + 1}" for n in range(1, 25)]
    header = "parcel_id,sender,recipient,kg,price,day"
    (root / "landing" / "parcels" / "day.csv").write_text("\n".join([header, *rows]) + "\n")
    (root / "landing" / "late" / "day.csv").write_text("\n".join([header, *rows[3:9]]) + "\n")
    scans = [
        {
            "parcel_id": n,
            "at": f"2026-07-0{n % 3 + 1}T0{n % 9}:00:00",
            "hub": {"code": f"h{n % 3}", "geo": {"lat": 1.0 * n, "lon": 2.0}},
            "events": [{"kind": "in", "ms": n}, {"kind": "out", "ms": n * 2}],
            "tags": {"prio": "x" if n % 2 else None, "box": "b"},
        }
        for n in range(1, 25)
    ]
    (root / "landing" / "scans" / "day.json").write_text("".join(json.dumps(row) + "\n" for row in scans))


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    fmt = names.format
    sql = names.sql
    table = names.table

    def short(name: str) -> str:
        return name[2:] if name.startswith("A.") else f"b_{name[2:]}"

    saved = names.saved

    def parcels(job: Job) -> None:
        frame = job.spark.read.schema(_SCHEMA).option("header", True).csv(f"{job.root}/landing/parcels")
        frame = frame.withColumn("recipient", f.initcap(f.trim("recipient"))).withColumn(
            "net", f.col("price") / f.lit(1.19)
        )
        frame.write.format(fmt).partitionBy("day").saveAsTable(sql("A.parcels"))

    def sessions(job: Job) -> DataFrame:
        order = Window.partitionBy("hub").orderBy("at")
        frame = table(job, "A.scans").withColumn("gap", f.col("n_events") - f.lag("n_events", 1, 0).over(order))
        frame = frame.withColumn("session", f.sum(f.when(f.col("gap") > 1, 1).otherwise(0)).over(order))
        return frame.groupBy("hub", "session").agg(
            f.min("at").alias("opened"), f.collect_set("parcel_id").alias("ids"), f.count(f.lit(1)).alias("n")
        )

    def enriched(job: Job) -> DataFrame:
        p, s = (table(job, "A.parcels").alias("p"), table(job, "A.scans").alias("s"))
        joined = p.join(s, f.expr("p.parcel_id = s.parcel_id AND p.kg > 2"), "left").drop(f.col("s.parcel_id"))
        return joined.select(
            "parcel_id", f.coalesce("s.hub", f.lit("?")).alias("hub"), f.struct("p.kg", "p.price").alias("m")
        ).hint("rebalance")

    def flattened(job: Job) -> DataFrame:
        return (
            table(job, "B.enriched")
            .select("parcel_id", "m.*")
            .withColumnRenamed("kg", "weight")
            .dropDuplicates(["parcel_id"])
        )

    def scored(job: Job) -> DataFrame:

        def score(frame):
            return frame.assign(score=frame.kg * 2)[["sender", "score"]]

        return (
            table(job, "A.parcels")
            .select("sender", "kg")
            .groupBy("sender")
            .applyInPandas(score, "sender STRING, score DOUBLE")
        )

    def measured(job: Job) -> DataFrame:
        double = f.udf(lambda kg: None if kg is None else kg * 2, "double")
        return (
            table(job, "A.parcels")
            .withColumn("twice", double("kg"))
            .filter(double("price") > 3)
            .select("parcel_id", "twice")
        )

    def wide(job: Job) -> DataFrame:
        return table(job, "A.parcels").selectExpr(
            "parcel_id AS pk", *(f"kg * {n} + net AS m{n:02d}" for n in range(1, 70))
        )

    def narrowed(job: Job) -> DataFrame:
        frame = table(job, "B.wide70")
        total = sum((f.col(f"m{n:02d}") for n in range(40, 70)), f.lit(0.0))
        return frame.withColumn("total", total).drop(*(f"m{n:02d}" for n in range(30, 70)))

    def both(job: Job) -> DataFrame:
        kept = table(job, "A.parcels").where("kg > 3").select("sender", "kg").persist()
        heavy = kept.groupBy("sender").agg(f.max("kg").alias("top"))
        light = kept.where("kg < 9").selectExpr("upper(sender)", "kg")
        return kept.join(heavy, "sender").where("kg = top").select("sender", "top").union(light)

    def views(job: Job) -> None:
        table(job, "A.parcels").createOrReplaceTempView("one")
        job.spark.sql("CREATE OR REPLACE TEMP VIEW two AS SELECT sender, kg AS mass, day FROM one WHERE price > 4")
        job.spark.sql("CREATE OR REPLACE TEMP VIEW three AS SELECT sender, sum(mass) AS mass FROM two GROUP BY sender")
        job.sql(sql("INSERT INTO B.loads SELECT t.sender, t.mass, 'v' FROM three t JOIN two w ON w.sender = t.sender"))

    def loop(job: Job) -> None:
        for hub in ("h0", "h1"):
            table(job, "A.scans").where(f.col("hub") == hub).selectExpr(
                "hub", "CAST(n_events AS DOUBLE)", "prio"
            ).write.insertInto(sql("B.loads"))

    appended = {
        "append mode": lambda j: (
            table(j, "A.parcels")
            .groupBy(f.col("recipient").alias("who"))
            .agg(f.expr("max(kg) AS load"), f.lit("m").alias("role"))
            .write.format(fmt)
            .mode("append")
            .saveAsTable(sql("B.loads"))
        )
    }
    appended = () if fmt == "hudi" else appended
    return {
        "A.parcels saved": parcels,
        "B.sessions saved": saved("B.sessions", sessions),
        "B.enriched saved": saved("B.enriched", enriched),
        "B.flat saved": saved("B.flat", flattened),
        "B.scores saved": saved("B.scores", scored),
        "B.measured saved": saved("B.measured", measured),
        "B.tops saved": saved("B.tops", both),
        "B.wide70 saved": saved("B.wide70", wide),
        "B.narrow saved": saved("B.narrow", narrowed),
        "views": views,
        "loop": loop,
    }
