"""Frames and streams of the workload."""

from __future__ import annotations

import json
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse.runner import Frames, Job, Names


def land(root: Path, night: int = 1) -> None:
    """Write a night's files."""
    ships = root / "landing" / "ships"
    visits = root / "landing" / "visits"
    for folder in (ships, visits):
        folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{n},ship {n},{('NL' if n % 2 else 'PA')},{n * 1000},{1990 + n}" for n in range(1, 7)]
    (ships / f"2026-05-0{night}.csv").write_text("\n".join(["ship_id,name,flag,tons,built", *lines]) + "\n")
    rows = [
        {
            "visit_id": night * 100 + n,
            "ship_id": n % 6 + 1,
            "berth": {"code": f"b{n % 3}", "depth": 8.5 + n},
            "arrived": f"2026-05-0{night}T0{n}:00:00",
            "hours": n * 2,
            "cargo": [{"kind": "ore", "tons": n * 10.0}, {"kind": "oil", "tons": 5.0}],
            "agent": None if n == 3 else f"agent {n}",
        }
        for n in range(1, 9)
    ]
    (visits / f"2026-05-0{night}.json").write_text("".join(json.dumps(row) + "\n" for row in rows))


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    fmt = names.format
    sql = names.sql
    table = names.table

    saved = names.saved

    def read_visits(job: Job) -> DataFrame:
        schema = "visit_id BIGINT, ship_id BIGINT, berth STRUCT<code: STRING, depth: DOUBLE>, arrived TIMESTAMP, hours INT, cargo ARRAY<STRUCT<kind: STRING, tons: DOUBLE>>, agent STRING"
        return job.spark.read.schema(schema).json(f"{job.root}/landing/visits")

    def visits(job: Job) -> None:
        frame = read_visits(job).withColumn("day", f.date_format("arrived", "yyyy-MM-dd"))
        frame.write.format(fmt).partitionBy("day").saveAsTable(sql("raw.visits"))

    def scores(job: Job) -> DataFrame:
        spec = Window.partitionBy("ship_id").orderBy(f.desc("arrived"))
        return (
            table(job, "raw.visits")
            .withColumn("rank", f.row_number().over(spec))
            .withColumn("gap", f.col("hours") - f.lag("hours").over(spec))
            .where("rank <= 3")
            .groupBy("ship_id")
            .agg(f.sum("gap").alias("gaps"), f.first("agent", ignorenulls=True).alias("agent"))
        )

    def labelled(job: Job) -> DataFrame:
        ships = table(job, "raw.ships").cache()
        big = ships.where("tons > 2000").select("ship_id", f.lit("big").alias("label"), "tons")
        small = ships.where("tons <= 2000").selectExpr("ship_id", "concat(flag, '-small') AS label", "tons / 2 AS tons")
        return big.unionByName(small)

    def grouped(job: Job) -> DataFrame:
        names = {"ore": f.sum(f.when(f.col("c.kind") == "ore", f.col("c.tons"))), "lots": f.count("*")}
        exploded = table(job, "raw.visits").select("ship_id", f.explode("cargo").alias("c"))
        return exploded.groupBy("ship_id").agg(*(value.alias(name) for name, value in names.items()))

    def driver_rows(job: Job) -> DataFrame:
        rows = job.spark.createDataFrame([("NL", 1.5), ("PA", 2.0)], "flag string, factor double")
        return (
            table(job, "raw.ships").join(rows, "flag").select("ship_id", (f.col("tons") * f.col("factor")).alias("due"))
        )

    return {
        "ships": lambda j: (
            j.spark.read.option("header", True)
            .csv(f"{j.root}/landing/ships")
            .selectExpr(
                "CAST(ship_id AS BIGINT) AS ship_id",
                "name",
                "flag",
                "CAST(tons AS DOUBLE) AS tons",
                "CAST(built AS INT) AS built",
            )
            .write.format(fmt)
            .saveAsTable(sql("raw.ships"))
        ),
        "visits": visits,
        "scores": saved("gold.scores", scores),
        "labels": saved("gold.labels", labelled),
        "cargo": saved("gold.cargo", grouped),
        "dues": saved("gold.dues", driver_rows),
        "insert into": lambda j: (
            table(j, "gold.labels").select("ship_id", f.abs("tons").alias("x")).write.insertInto(sql("gold.dues"))
        ),
        "night 2": lambda j: (
            land(j.root, 2),
            read_visits(j)
            .where("visit_id >= 200")
            .withColumn("day", f.expr("substr(CAST(arrived AS STRING), 1, 10)"))
            .write.format(fmt)
            .mode("append")
            .saveAsTable(sql("raw.visits")),
        ),
        "temp view": lambda j: (
            table(j, "raw.visits").where("hours > 2").createOrReplaceTempView("longer"),
            j.spark.sql("CACHE TABLE kept AS SELECT ship_id, hours FROM longer"),
            j.sql(sql("INSERT INTO gold.dues SELECT k.ship_id, sum(k.hours) FROM kept k GROUP BY k.ship_id")),
            j.spark.sql("UNCACHE TABLE kept"),
        ),
        "w60 chain": lambda j: (
            table(j, "raw.w60")
            .withColumnsRenamed({f"c{n}": f"d{n}" for n in range(1, 60)})
            .withColumn("d59", f.expr("d59 + d1"))
            .write.format(fmt)
            .saveAsTable(sql("gold.w60b"))
        ),
    }
