"""A quay's containers on every format: a small workload after the theatre's, of frames, nested values and reports.

Written before any of its statements was traced, after the corrections that the theatre led to. In SQL `A.t` and `B.t` are
tables of two layers; in the truth they are `a_t` and `b_t`. With two catalogs (`two` in the log's name) the layers are
`ice.port` and `jdb.port`. `python -m lakehouse.workload_quay --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse.workload import CatalogNames, Job, Step, numbered, truth_of
from lakehouse.workload_run import Workload, layered, named_datasets

_LAYER = re.compile(r"\b([AB])\.(?=[\w`])")
_MOVES = (
    "move_id BIGINT, ship STRING, crane INT, tons DOUBLE, cargo ARRAY<STRUCT<code: STRING, kg: DOUBLE>>,"
    " tags MAP<STRING, STRING>, doc STRING, at TIMESTAMP"
)
_COLUMNS = "move_id ship crane tons cargo tags doc at"


def layers(fmt: str, two: bool) -> tuple[str, str]:
    """Return catalog and database of the two layers."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return f"{first}.port", "jdb.port" if two else f"{first}.yard"


def land(root: Path) -> None:
    """Write the landing files."""
    (root / "landing" / "moves").mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "move_id": n,
            "ship": f"s{n % 5}" if n % 7 else None,
            "crane": n % 4,
            "tons": n / 3,
            "cargo": [{"code": f"c{n % 3}", "kg": n * 2.0}, {"code": "z", "kg": 1.5}],
            "tags": {"lane": str(n % 3), "flag": "NL"},
            "doc": json.dumps({"who": f"p{n % 6}", "fee": n % 9}),
            "at": f"2026-08-{10 + n % 9}T0{n % 9}:00:00",
        }
        for n in range(1, 70)
    ]
    (root / "landing" / "moves" / "all.json").write_text("".join(json.dumps(each) + "\n" for each in rows))


def common(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:  # noqa: C901 - functions of steps
    """Return the steps that all formats run."""
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def made(name: str, query: str, columns: str, conditions: str = "") -> Step:
        return step(name, f"CREATE TABLE B.{name} USING {fmt} AS {query}", f"create b_{name}", columns, conditions)

    def saved(name: str, make: Callable[[Job], DataFrame], columns: str, conditions: str = "") -> Step:
        def run(job: Job) -> None:
            make(job).write.format(fmt).saveAsTable(sql(f"B.{name}"))

        return Step(name, run, f"create b_{name}", columns, conditions)

    def moves(job: Job) -> DataFrame:
        return job.spark.read.schema(_MOVES).json(f"{job.root}/landing/moves")

    def cleaned(job: Job) -> DataFrame:
        rows = table(job, "A.moves").na.fill({"ship": "none"}).na.drop(subset=["crane"]).replace("s1", "S-1", "ship")
        return (
            rows.withColumnsRenamed({"move_id": "id", "tons": "weight"})
            .drop("cargo", "tags", "doc")
            .dropDuplicates(["id"])
        )

    def melted(job: Job) -> DataFrame:
        rows = table(job, "A.moves").selectExpr("move_id", "tons", "CAST(crane AS DOUBLE) AS crane")
        return rows.unpivot("move_id", ["tons", "crane"], "what", "value").where("value > 1")

    def split(job: Job) -> None:
        first, second = table(job, "B.cleaned").select("id", "weight").randomSplit([0.5, 0.5], 3)
        first.write.format(fmt).saveAsTable(sql("B.train"))
        del second

    def pandas(job: Job) -> DataFrame:
        @f.pandas_udf("double")
        def scaled(tons: pd.Series, crane: pd.Series) -> pd.Series:
            return tons / (crane + 1)

        @f.pandas_udf("double")
        def middle(tons: pd.Series) -> float:
            return float(tons.median())

        rows = table(job, "A.moves").withColumn("scaled", scaled("tons", "crane"))
        return rows.groupBy("ship").agg(middle("scaled").alias("mid"), f.max("at").alias("last"))

    def mapped(job: Job) -> DataFrame:
        def keep(frames):  # type: ignore[no-untyped-def]
            for frame in frames:
                yield frame[["move_id", "tons"]]

        return table(job, "A.moves").select("move_id", "tons", "crane").mapInPandas(keep, "move_id long, tons double")

    def rolled(job: Job) -> DataFrame:
        rows = table(job, "A.moves").withColumn("day", f.to_date("at"))
        return (
            rows.rollup("ship", "day").agg(f.sum("tons").alias("tons"), f.grouping_id().alias("g")).hint("coalesce", 1)
        )

    def ranked(job: Job) -> DataFrame:
        spec = Window.partitionBy("crane").orderBy(f.col("tons").desc())
        wide = Window.partitionBy("crane").rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing)
        return table(job, "A.moves").select(
            "move_id",
            f.percent_rank().over(spec).alias("p"),
            f.collect_set("ship").over(wide).alias("ships"),
            (f.col("tons") / f.sum("tons").over(wide)).alias("part"),
            f.nth_value("doc", 2).over(spec).alias("second"),
        )

    def global_view(job: Job) -> None:
        table(job, "A.moves").where("tons > 2").groupBy("crane").agg(
            f.avg("tons").alias("mean")
        ).createOrReplaceGlobalTempView("busy")
        job.sql(sql("INSERT INTO B.means SELECT crane, mean, 'view' FROM global_temp.busy WHERE mean < 1000"))

    def local(job: Job) -> None:
        rows = job.spark.createDataFrame([(0, "north"), (1, "south")], "crane int, side string")
        rows.join(table(job, "A.moves"), "crane", "right").groupBy("side").agg(
            f.count("move_id").alias("n"), f.first("crane").alias("crane")
        ).select("crane", "n", "side").write.format(fmt).saveAsTable(sql("B.sides"))

    k40 = [f"k{n}" for n in range(1, 41)]
    return (
        Step("moves in", lambda j: moves(j).write.format(fmt).saveAsTable(sql("A.moves")), "create a_moves", f"{_COLUMNS} < json.*"),
        saved("cleaned", cleaned, "id < a_moves.move_id; ship crane at < a_moves.*; weight < a_moves.tons", "FILTER a_moves.crane; GROUP_BY a_moves.move_id"),
        saved("melted", melted, "move_id < a_moves.move_id; what <; value < a_moves.tons a_moves.crane"),
        Step("split", split, "create b_train", "id weight < b_cleaned.*"),
        saved("pandas", pandas, "ship < a_moves.ship; mid < a_moves.tons a_moves.crane; last < a_moves.at", "GROUP_BY a_moves.ship"),
        saved("mapped", mapped, "move_id tons < a_moves.move_id a_moves.tons a_moves.crane"),
        saved("rolled", rolled, "ship < a_moves.ship; day < a_moves.at; tons < a_moves.tons; g <", "GROUP_BY a_moves.ship"),
        saved("ranked", ranked, "move_id < a_moves.move_id; p <; ships < a_moves.ship; part < a_moves.tons; second < a_moves.doc"),
        step("means ddl", f"CREATE TABLE B.means (crane INT, mean DOUBLE, src STRING) USING {fmt}"),
        Step("global view", global_view, "append b_means", "crane < a_moves.crane; mean < a_moves.tons; src <", "FILTER a_moves.tons; GROUP_BY a_moves.crane"),
        Step("sides", local, "create b_sides", "crane < a_moves.crane; side <; n < a_moves.move_id", "JOIN a_moves.crane"),
        made(
            "staged",
            "WITH source AS (SELECT * FROM A.moves), renamed AS (SELECT move_id AS id, upper(ship) AS vessel, tons, tags['lane'] AS lane, get_json_object(doc, '$.who') AS who, size(cargo) AS n FROM source), final AS (SELECT *, tons * 1000 AS kg FROM renamed WHERE vessel IS NOT NULL) SELECT * FROM final",
            "id < a_moves.move_id; vessel < a_moves.ship; tons < a_moves.tons; lane < a_moves.tags; who < a_moves.doc; n < a_moves.cargo; kg < a_moves.tons",
            "FILTER a_moves.ship",
        ),
        made(
            "parsed",
            "SELECT move_id, j.who, j.fee * 2 AS fee, map_keys(transform_values(tags, (k, v) -> upper(v))) AS keys, arrays_zip(cargo.code, cargo.kg) AS pairs, exists(cargo, c -> c.kg > 50) AS heavy FROM (SELECT *, from_json(doc, 'who STRING, fee INT') AS j FROM A.moves)",
            "move_id < a_moves.move_id; who fee < a_moves.doc; keys < a_moves.tags; pairs < a_moves.cargo.code a_moves.cargo.kg; heavy < a_moves.cargo.kg",
        ),
        made(
            "exploded",
            "SELECT m.move_id, c.code, c.kg, t.key AS tag, t.value AS val FROM A.moves m LATERAL VIEW explode(m.cargo) x AS c LATERAL VIEW OUTER explode(m.tags) t AS key, value WHERE c.kg > 3",
            "move_id < a_moves.move_id; code < a_moves.cargo.code; kg < a_moves.cargo.kg; tag val < a_moves.tags",
            "FILTER a_moves.cargo.kg",
        ),
        made(
            "lateral",
            "SELECT m.ship, m.tons, best.who FROM B.staged s JOIN A.moves m ON m.move_id = s.id, LATERAL (SELECT max(p.who) AS who FROM B.parsed p WHERE p.move_id = m.move_id AND p.heavy) best WHERE s.lane = '1'",
            "ship tons < a_moves.*; who < b_parsed.who",
            "JOIN a_moves.move_id; JOIN b_parsed.move_id; FILTER b_staged.lane; FILTER b_parsed.heavy",
        ),
        made(
            "sets",
            "SELECT ship, crane, count(DISTINCT move_id, doc) AS n, sum(tons) FILTER (WHERE tags['flag'] = 'NL') AS nl FROM A.moves GROUP BY GROUPING SETS ((ship, crane), (ship), ())",
            "ship crane < a_moves.*; n < a_moves.move_id a_moves.doc; nl < a_moves.tons",
            "GROUP_BY a_moves.crane",
        ),
        made(
            "wide",
            f"SELECT move_id, ship, {numbered(40, 'tons + {n} AS k{n}')} FROM A.moves WHERE crane < 3",
            "move_id ship < a_moves.*; k{1..40} < a_moves.tons",
            "FILTER a_moves.crane",
        ),
        step(
            "wide self",
            "INSERT OVERWRITE B.wide SELECT a.move_id, coalesce(a.ship, b.ship) AS ship, " + numbered(39, "greatest(a.k{n}, b.k{n}) AS k{n}") + ", a.k40 FROM B.wide a LEFT JOIN B.wide b ON b.move_id = a.move_id + 1 WHERE a.k39 > 0",
            "overwrite b_wide",
            "move_id k40 < b_wide.*; ship < b_wide.ship; k{1..39} < b_wide.*",
            "JOIN b_wide.move_id; FILTER b_wide.k39",
        ),
        Step(
            "wide stats",
            lambda j: table(j, "B.wide").select(*(f.round(f.col(each), 1).alias(f"r_{each}") for each in k40)).where("r_k40 > 5").distinct().limit(5).collect(),
            "",
            "; ".join(f"r_{each} < b_wide.{each}" for each in k40),
            "GROUP_BY b_wide.k1; FILTER b_wide.k40",
        ),
        step(
            "set ops",
            "INSERT INTO B.means SELECT crane, tons, ship FROM A.moves WHERE tons > 20 INTERSECT SELECT crane, weight, ship FROM B.cleaned UNION ALL (SELECT crane, mean, 'm' FROM B.means MINUS SELECT n, 0D, side FROM B.sides)",
            "append b_means",
            "crane < a_moves.crane b_means.crane; mean < a_moves.tons b_means.mean; src < a_moves.ship",
            "JOIN b_cleaned.weight",
        ),
        step(
            "calendar",
            "INSERT INTO B.means BY NAME SELECT d.n AS crane, 'cal' AS src, (SELECT avg(weight) FROM B.cleaned c WHERE c.crane = d.n) AS mean FROM (SELECT explode(sequence(0, 3)) AS n) d",
            "append b_means",
            "crane src <; mean < b_cleaned.weight",
            "JOIN b_cleaned.crane",
        ),
        step(
            "report",
            "SELECT s.vessel, sum(s.kg) OVER (PARTITION BY s.vessel) AS total, CASE WHEN m.mean IS NULL THEN 'none' WHEN m.mean > 5 THEN m.src ELSE s.who END AS label FROM B.staged s LEFT JOIN B.means m ON m.crane = s.n AND m.src <> 'x' WHERE s.id NOT IN (SELECT id FROM B.train WHERE id IS NOT NULL) ORDER BY total DESC NULLS LAST LIMIT 7",
            "",
            "vessel < b_staged.vessel; total < b_staged.kg; label < b_means.src b_staged.who",
            "JOIN b_means.crane; JOIN b_train.id",
        ),
        Step(
            "empties",
            lambda j: table(j, "B.exploded").crossJoin(table(j, "B.sides").select("side")).where("side = 'north' AND val IS NOT NULL").groupBy("code").pivot("tag", ["lane", "flag"]).agg(f.sum("kg")).collect(),
            "",
            "code < b_exploded.code; lane flag < b_exploded.kg",
            "GROUP_BY b_exploded.code; FILTER b_sides.side",
        ),
    )  # fmt: skip


def own(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the steps in the words of a format."""
    step = CatalogNames(sql).step
    keyed = {
        "hudi": " TBLPROPERTIES (primaryKey = 'id', preCombineField = 'kg')",
        "paimon": " TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '2')",
    }.get(fmt, "")
    prefix = "" if fmt == "paimon" else "t."
    steps = (
        step("keyed ddl", f"CREATE TABLE B.keyed (id BIGINT, vessel STRING, kg DOUBLE) USING {fmt}{keyed}"),
        step(
            "keyed",
            "INSERT INTO B.keyed (kg, id, vessel) SELECT max(kg), id, max(vessel) FROM B.staged WHERE lane IN ('1', '2') GROUP BY id",
            "append b_keyed",
            "id vessel kg < b_staged.*",
            "FILTER b_staged.lane; GROUP_BY b_staged.id",
        ),
        step(
            "keyed merge",
            f"MERGE INTO B.keyed t USING B.staged s ON t.id = s.id WHEN MATCHED AND s.kg > 9000 THEN DELETE WHEN MATCHED THEN UPDATE SET {prefix}vessel = concat_ws('-', t.vessel, s.vessel), {prefix}kg = s.kg WHEN NOT MATCHED THEN INSERT (id, vessel, kg) VALUES (s.id, s.vessel, s.kg)",
            "merge b_keyed",
            "id kg < b_staged.*; vessel < b_keyed.vessel b_staged.vessel",
        ),
        step(
            "keyed update",
            "UPDATE B.keyed SET vessel = nvl(vessel, 'v') WHERE kg BETWEEN 2000 AND 4000 OR vessel LIKE 'S%'",
            "update b_keyed",
            "vessel < b_keyed.vessel",
            "FILTER b_keyed.kg; FILTER b_keyed.vessel",
        ),
        step("keyed delete", "DELETE FROM B.keyed WHERE kg IS NULL OR id % 10 = 9", "delete b_keyed", "", "FILTER b_keyed.kg; FILTER b_keyed.id"),
        step(
            "replaced",
            "INSERT OVERWRITE B.keyed SELECT id, vessel, kg + 1 FROM B.keyed WHERE id > 3",
            "overwrite b_keyed",
            "id vessel kg < b_keyed.*",
            "FILTER b_keyed.id",
        ),
        step("truncated", "TRUNCATE TABLE B.train", "truncate b_train"),
    )  # fmt: skip
    if fmt in {"delta", "iceberg"}:
        steps += (
            step(
                "replaced table",
                f"REPLACE TABLE B.sides USING {fmt} AS SELECT ship AS side, sum(crane) AS total FROM A.moves GROUP BY ship",
                "overwrite b_sides",
                "side < a_moves.ship; total < a_moves.crane",
                "GROUP_BY a_moves.ship",
            ),
            step(
                "by version",
                "SELECT n.vessel, o.kg FROM B.keyed n JOIN B.staged o ON o.id = n.id WHERE o.lane = (SELECT max(lane) FROM B.staged)",
                "",
                "vessel < b_keyed.vessel; kg < b_staged.kg",
                "JOIN b_keyed.id; FILTER b_staged.lane",
            ),
        )
    return steps


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, dict(zip("AB", layers(fmt, two), strict=True)))
    return (*common(fmt, sql), *own(fmt, sql))


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    listed = steps(fmt, two)
    first, second = layers(fmt, two)
    names = {"json": f"file://{folder}/landing/moves"}
    for name in sorted(named_datasets(listed)):
        names.setdefault(name, f"{first if name.startswith('a_') else second}.{name[2:]}")
    changes = "b_sides: column_added total\nb_sides: column_dropped n\nb_sides: column_dropped crane"
    return truth_of(names, listed, changes if fmt in {"delta", "iceberg"} else "")


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(Path("/tmp/lakehouse_quay"), land, layers, steps, truth).main()


if __name__ == "__main__":
    main()
