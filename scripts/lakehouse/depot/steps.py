"""Frames and streams of the workload."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names

_LAYER = re.compile("\\b([AB])\\.(?=[\\w`])")
_PARTS = "part_id BIGINT, kind STRING, dims STRUCT<w: DOUBLE, h: DOUBLE, box: STRUCT<id: STRING>>, stock INT, cost DECIMAL(10,2), tags ARRAY<STRING>, seen TIMESTAMP"
_MOVES = "part_id BIGINT, qty INT, shelf STRING, at TIMESTAMP"


def land(root: Path) -> None:
    """Write the landing files."""
    parts = [
        {
            "part_id": n,
            "kind": ("bolt", "nut", "gear")[n % 3],
            "dims": {"w": n / 2, "h": n * 1.5, "box": {"id": f"b{n % 4}"}},
            "stock": n * 3,
            "cost": n + 0.25,
            "tags": [f"g{n % 2}", "all"],
            "seen": f"2026-09-{10 + n % 9}T08:00:00",
        }
        for n in range(1, 31)
    ]
    moves = [
        {"part_id": n % 30, "qty": n % 7 - 2, "shelf": f"x{n % 5}", "at": f"2026-09-12T{10 + n % 9}:0{n % 9}:00"}
        for n in range(60)
    ]
    for name, rows in (("parts", parts), ("moves", moves)):
        folder = root / "landing" / name / "2026" / "09"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}_20260912.json").write_text("".join(json.dumps(each) + "\n" for each in rows))


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    fmt = names.format
    sql = names.sql
    table = names.table

    def parts(job: Job) -> None:
        rows = job.spark.read.schema(_PARTS).json(f"{job.root}/landing/parts/2026/09/parts_20260912.json")
        rows.write.format(fmt).saveAsTable(sql("A.parts"))

    def windowed(job: Job) -> None:
        rows = job.spark.readStream.schema(_MOVES).json(f"{job.root}/landing/moves/*/*/")
        rows = (
            rows.withWatermark("at", "1 hour")
            .groupBy(f.window("at", "2 hours"), "shelf")
            .agg(f.sum("qty").alias("qty"))
        )

        def apply(batch: DataFrame, number: int) -> None:
            batch.select("shelf", "qty", f.col("window.start").alias("since")).write.format(fmt).mode(
                "append"
            ).saveAsTable(sql("B.shelves"))

        job.stream(rows, "shelves stream", "update").foreachBatch(apply).start().awaitTermination()

    def described(job: Job) -> None:
        rows = (
            table(job, "A.parts")
            .groupBy("kind")
            .agg(
                *(
                    f.expr(f"{name}({column}) AS {column}_{name}")
                    for column in ("stock", "cost")
                    for name in ("min", "stddev")
                ),
                f.map_from_entries(f.collect_list(f.struct("part_id", "stock"))).alias("stocks"),
            )
        )
        rows.write.format(fmt).saveAsTable(sql("B.described"))

    def structs(job: Job) -> None:
        rows = table(job, "A.parts").withColumn(
            "dims", f.col("dims").withField("area", f.expr("dims.w * dims.h")).dropFields("box")
        )
        rows.select("part_id", "dims", f.col("dims.area").alias("area")).write.format(fmt).saveAsTable(sql("B.sized"))

    def limited(job: Job) -> None:
        rows = (
            table(job, "A.parts")
            .orderBy(f.desc("cost"))
            .limit(5)
            .select("part_id", "cost", f.monotonically_increasing_id().alias("n"))
        )
        rows.write.format(fmt).saveAsTable(sql("B.dear"))

    def counted(job: Job) -> None:
        rows = job.spark.sql(sql("SELECT kind, stock FROM A.parts WHERE stock > 3")).rdd.map(
            lambda row: (row[0], row[1] * 2)
        )
        job.spark.createDataFrame(rows, "kind string, twice int").write.format(fmt).saveAsTable(sql("B.doubled"))

    def branch(job: Job) -> None:
        table(job, "A.parts").where("kind = 'nut'").selectExpr("part_id", "cost", "CAST(stock AS BIGINT) AS n").writeTo(
            sql("B.dear.branch_test")
        ).append()

    def increment(job: Job) -> None:
        first = names.asked(job, "SELECT min_by(snapshot_id, committed_at) FROM B.dear.snapshots")
        rows = job.spark.read.format("iceberg").option("start-snapshot-id", first).load(sql("B.dear"))
        rows.groupBy("part_id").agg(f.sum("cost").alias("cost")).writeTo(sql("A.increment")).using("iceberg").create()

    return {
        "parts": parts,
        "shelves stream": windowed,
        "described": described,
        "structs": structs,
        "limited": limited,
        "counted": counted,
        "branch append": branch,
        "increment": increment,
    }
