"""A harbour's visits on every format, in forms of statements that the other workloads lack, with their truth.

Written before any of its statements was traced. `python -m lakehouse.workload_harbour --truth FORMAT [two]` writes the
truth; it needs no Spark. A name with `two` has two Iceberg catalogs of one class: `ice` holds `raw`, `jdb` holds `gold`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse import workload_harbour_delta, workload_harbour_iceberg, workload_harbour_rest
from lakehouse.workload import CatalogNames, Job, Step, numbered, truth_of
from lakehouse.workload_run import Workload


def catalogs(fmt: str, two: bool) -> tuple[str, str]:
    """Return the catalogs of `raw` and `gold`, with a dot."""
    first = {"iceberg": "ice.", "paimon": "pai."}.get(fmt, "spark_catalog.")
    return first, "jdb." if two else first


def land(root: Path, night: int) -> None:
    """Write a night's files."""
    ships = root / "landing" / "ships"
    visits = root / "landing" / "visits"
    for folder in (ships, visits):
        folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{n},ship {n},{'NL' if n % 2 else 'PA'},{n * 1000},{1990 + n}" for n in range(1, 7)]
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


def common(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the steps that all formats run.

    Args:
        fmt: The format.
        sql: Puts catalogs into a text.
    """
    table = CatalogNames(sql).table

    def made(name: str, query: str, columns: str, conditions: str = "") -> Step:
        target = name.partition(".")[2]
        return Step(target, sql(f"CREATE TABLE {name} USING {fmt} AS {query}"), f"create {target}", columns, conditions)

    def saved(name: str, make: Callable[[Job], DataFrame], columns: str, conditions: str = "") -> Step:
        target = name.partition(".")[2]

        def run(job: Job) -> None:
            make(job).write.format(fmt).saveAsTable(sql(name))

        return Step(target, run, f"create {target}", columns, conditions)

    def read_visits(job: Job) -> DataFrame:
        schema = (
            "visit_id BIGINT, ship_id BIGINT, berth STRUCT<code: STRING, depth: DOUBLE>, arrived TIMESTAMP, hours INT,"
            " cargo ARRAY<STRUCT<kind: STRING, tons: DOUBLE>>, agent STRING"
        )
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

    return (
        Step(
            "ships",
            lambda j: (
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
            "create ships",
            "ship_id name flag tons built < csv.*",
        ),
        Step(
            "visits",
            visits,
            "create visits",
            "visit_id ship_id berth arrived hours cargo agent < json.*; day < json.arrived",
        ),
        made(
            "gold.fees",
            "SELECT v.visit_id, s.name, v.berth.code AS berth, v.hours * CASE WHEN s.tons > 3000 THEN 2.0D ELSE 1.0D END"
            " AS fee, v.day FROM raw.visits v JOIN raw.ships s ON s.ship_id = v.ship_id WHERE s.built > 1900",
            "visit_id < visits.visit_id; name < ships.name; berth < visits.berth.code; fee < visits.hours; day < visits.day",
            "JOIN ships.ship_id; FILTER ships.built",
        ),
        made(
            "gold.tonnage",
            "SELECT ship_id, c.kind, sum(c.tons) AS tons, count(DISTINCT day) AS days FROM raw.visits"
            " LATERAL VIEW explode(cargo) x AS c GROUP BY ship_id, c.kind HAVING sum(c.tons) > 1",
            "ship_id < visits.ship_id; kind < visits.cargo.kind; tons < visits.cargo.tons; days < visits.day",
        ),
        saved("gold.scores", scores, "ship_id < visits.ship_id; gaps < visits.hours; agent < visits.agent"),
        saved(
            "gold.labels",
            labelled,
            "ship_id < ships.ship_id; label < ships.flag; tons < ships.tons",
            "FILTER ships.tons",
        ),
        saved("gold.cargo", grouped, "ship_id < visits.ship_id; ore < visits.cargo.tons; lots <"),
        saved("gold.dues", driver_rows, "ship_id < ships.ship_id; due < ships.tons"),
        made(
            "gold.flags",
            "WITH a AS (SELECT flag, count(*) AS n FROM raw.ships GROUP BY flag), b AS (SELECT s.flag, sum(v.hours) AS h"
            " FROM raw.visits v JOIN raw.ships s USING (ship_id) GROUP BY s.flag)"
            " SELECT a.flag, a.n, b.h, b.h / a.n AS mean FROM a LEFT JOIN b ON a.flag = b.flag",
            "flag < ships.flag; n <; h mean < visits.hours",
        ),
        made(
            "gold.ranks",
            "SELECT ship_id, day, hours, rank() OVER (PARTITION BY day ORDER BY hours DESC) AS r,"
            " avg(hours) OVER (PARTITION BY ship_id) AS usual, hours > (SELECT avg(hours) FROM raw.visits) AS long"
            " FROM raw.visits QUALIFYING".replace(" QUALIFYING", ""),
            "ship_id day hours < visits.*; r <; usual < visits.hours; long < visits.hours",
        ),
        Step(
            "insert columns",
            sql("INSERT INTO gold.dues (due, ship_id) SELECT tons * 3, ship_id FROM raw.ships WHERE flag = 'NL'"),
            "append dues",
            "ship_id < ships.ship_id; due < ships.tons",
            "FILTER ships.flag",
        ),
        Step(
            "insert cte",
            sql(
                "WITH m AS (SELECT ship_id, max(hours) AS h FROM raw.visits GROUP BY ship_id)"
                " INSERT INTO gold.dues SELECT m.ship_id, m.h * s.tons FROM m JOIN raw.ships s ON s.ship_id = m.ship_id"
            ),
            "append dues",
            "ship_id < visits.ship_id; due < visits.hours ships.tons",
            "JOIN ships.ship_id",
        ),
        Step(
            "insert union",
            sql(
                "INSERT INTO gold.dues SELECT ship_id, tons FROM raw.ships UNION ALL"
                " SELECT ship_id, CAST(hours AS DOUBLE) FROM raw.visits WHERE agent IS NULL"
            ),
            "append dues",
            "ship_id < ships.ship_id visits.ship_id; due < ships.tons visits.hours",
            "FILTER visits.agent",
        ),
        Step(
            "insert into",
            lambda j: (
                table(j, "gold.labels").select("ship_id", f.abs("tons").alias("x")).write.insertInto(sql("gold.dues"))
            ),
            "append dues",
            "ship_id < labels.ship_id; due < labels.tons",
        ),
        Step(
            "night 2",
            lambda j: (
                land(j.root, 2),
                read_visits(j)
                .where("visit_id >= 200")
                .withColumn("day", f.expr("substr(CAST(arrived AS STRING), 1, 10)"))
                .write.format(fmt)
                .mode("append")
                .saveAsTable(sql("raw.visits")),
            ),
            "append visits",
            "visit_id ship_id berth arrived hours cargo agent < json.*; day < json.arrived",
            "FILTER json.visit_id",
        ),
        Step(
            "temp view",
            lambda j: (
                table(j, "raw.visits").where("hours > 2").createOrReplaceTempView("longer"),
                j.spark.sql("CACHE TABLE kept AS SELECT ship_id, hours FROM longer"),
                j.sql(sql("INSERT INTO gold.dues SELECT k.ship_id, sum(k.hours) FROM kept k GROUP BY k.ship_id")),
                j.spark.sql("UNCACHE TABLE kept"),
            ),
            "append dues",
            "ship_id < visits.ship_id; due < visits.hours",
        ),
        Step(
            "w60",
            sql(
                f"CREATE TABLE raw.w60 USING {fmt} AS SELECT ship_id AS k, {numbered(59, 'tons + {n} AS c{n}')} FROM raw.ships"
            ),
            "create w60",
            "k < ships.ship_id; c{1..59} < ships.tons",
        ),
        Step(
            "w60 chain",
            lambda j: (
                table(j, "raw.w60")
                .withColumnsRenamed({f"c{n}": f"d{n}" for n in range(1, 60)})
                .withColumn("d59", f.expr("d59 + d1"))
                .write.format(fmt)
                .saveAsTable(sql("gold.w60b"))
            ),
            "create w60b",
            "k < w60.k; " + "; ".join(f"d{n} < w60.c{n}" for n in range(1, 59)) + "; d59 < w60.c59 w60.c1",
        ),
        Step(
            "w60 join",
            sql(
                f"CREATE TABLE gold.w60j USING {fmt} AS SELECT a.k, {numbered(30, 'a.c{n} + b.d{n} AS e{n}')}, s.name"
                " FROM raw.w60 a JOIN gold.w60b b ON a.k = b.k LEFT JOIN raw.ships s ON s.ship_id = a.k WHERE b.d58 > 1"
            ),
            "create w60j",
            "k < w60.k; name < ships.name; " + "; ".join(f"e{n} < w60.c{n} w60b.d{n}" for n in range(1, 31)),
            "JOIN w60b.k; FILTER w60b.d58",
        ),
        Step(
            "read joined",
            sql("SELECT f.name, t.tons FROM gold.fees f JOIN gold.tonnage t ON t.days = f.visit_id"),
            "",
            "name < fees.name; tons < tonnage.tons",
            "JOIN tonnage.days",
        ),
        Step(
            "count read",
            sql("SELECT day, count(*) AS n FROM raw.visits WHERE hours BETWEEN 2 AND 9 GROUP BY day ORDER BY n"),
            "",
            "day < visits.day; n <",
            "FILTER visits.hours",
        ),
    )


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order.

    Args:
        fmt: `delta`, `iceberg`, `hudi` or `paimon`.
        two: Does another catalog hold `gold`?
    """
    raw, gold = catalogs(fmt, two)

    def sql(text: str) -> str:
        text = re.sub(r"(?<![\w./])raw\.(?=\w)", f"{raw}raw.", text)
        return re.sub(r"(?<![\w./])gold\.(?=\w)", f"{gold}gold.", text)

    own = {
        "delta": workload_harbour_delta.steps,
        "iceberg": workload_harbour_iceberg.steps,
        "hudi": workload_harbour_rest.hudi,
        "paimon": workload_harbour_rest.paimon,
    }[fmt]
    return (*common(fmt, sql), *own(sql))


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    raw, gold = catalogs(fmt, two)
    listed = steps(fmt, two)
    words = " ".join(f"{step.writes} {step.columns} {step.conditions}" for step in listed)
    texts = " ".join(step.run for step in listed if isinstance(step.run, str))
    root = f"file://{folder}"
    names = {"csv": f"{root}/landing/ships", "json": f"{root}/landing/visits"}
    layers = {
        "delta": workload_harbour_delta.RAW,
        "iceberg": workload_harbour_iceberg.RAW,
    }.get(fmt, workload_harbour_rest.RAW)
    if fmt in {"delta", "hudi"}:
        names |= {name: path.replace("{root}", root) for name, path in workload_harbour_delta.PATHS.items()}
    used = {word.partition(".")[0] for word in re.findall(r"[\w]+(?=\.)", words)} | {
        step.writes.partition(" ")[2] for step in listed if " " in step.writes
    }
    for name in sorted(used | set(re.findall(r"gold\.(\w+)", texts))):
        layer = f"{raw}raw" if name in layers else f"{gold}gold"
        names.setdefault(name, f"{layer}.{name}")
    changes = {
        "delta": workload_harbour_delta.CHANGES,
        "iceberg": workload_harbour_iceberg.CHANGES,
        **workload_harbour_rest.CHANGES,
    }
    return truth_of(names, listed, changes.get(fmt, ""))


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(
        Path("/tmp/lakehouse_harbour"),
        lambda root: land(root, 1),
        lambda fmt, two: [f"{at}{name}" for at, name in zip(catalogs(fmt, two), ("raw", "gold"), strict=True)],
        steps,
        truth,
    ).main()


if __name__ == "__main__":
    main()
