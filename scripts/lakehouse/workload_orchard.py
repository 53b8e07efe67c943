"""An orchard's picks on every format: a small workload after the bazaar's, of arrays, odd names, copies, procedures.

Written before any of its statements was traced, after the corrections that the bazaar led to. In SQL `A.t` and `B.t` are
tables of two layers; in the truth they are `a_t` and `b_t`. With two catalogs (`two` in the log's name) the layers are
`ice.farm` and `jdb.farm`. `python -m lakehouse.workload_orchard --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse.workload import CatalogNames, Job, Step, numbered, truth_of
from lakehouse.workload_run import Workload, layered, named_datasets

_LAYER = re.compile(r"\b([AB])\.(?=[\w`])")
_PICKS = (
    "pick_id BIGINT, tree_id BIGINT, kg DOUBLE, by STRING, parts ARRAY<STRUCT<grade: STRING, kg: DOUBLE>>, day DATE"
)


def layers(fmt: str, two: bool) -> tuple[str, str]:
    """Return catalog and database of the two layers."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return f"{first}.farm", "jdb.farm" if two else f"{first}.shop"


def land(root: Path) -> None:
    """Write the landing files."""
    (root / "landing" / "picks").mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "pick_id": n,
            "tree_id": n % 40,
            "kg": n / 4,
            "by": None if n % 5 == 0 else f"p{n % 3}",
            "parts": [{"grade": "ab"[n % 2], "kg": n / 8}, {"grade": "c", "kg": 0.5}],
            "day": f"2026-09-{10 + n % 9}",
        }
        for n in range(1, 60)
    ]
    (root / "landing" / "picks" / "all.json").write_text("".join(json.dumps(each) + "\n" for each in rows))


def common(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the steps that all formats run."""
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def made(name: str, query: str, columns: str, conditions: str = "") -> Step:
        return step(name, f"CREATE TABLE B.{name} USING {fmt} AS {query}", f"create b_{name}", columns, conditions)

    def saved(name: str, make: Callable[[Job], DataFrame], columns: str, conditions: str = "") -> Step:
        def run(job: Job) -> None:
            make(job).write.format(fmt).saveAsTable(sql(f"B.{name}"))

        return Step(name, run, f"create b_{name}", columns, conditions)

    def landed(job: Job) -> DataFrame:
        return job.spark.read.schema(_PICKS).json(f"{job.root}/landing/picks")

    def arrays(job: Job) -> DataFrame:
        return table(job, "A.picks").select(
            "pick_id",
            f.transform("parts", lambda part: part.dropFields("kg")).alias("grades"),
            f.array_max(f.transform("parts", lambda part: part["kg"])).alias("best"),
            f.transform("parts", lambda part: part.withField("kg", f.lit(1.0))).alias("ones"),
            f.sort_array(f.col("parts.grade")).alias("sorted"),
        )

    def marked(job: Job) -> DataFrame:
        mark = f.udf(lambda name, kg: f"{name}:{kg}", "string")
        spec = Window.partitionBy("tree_id").orderBy("day", "pick_id").rowsBetween(-2, 0)
        return table(job, "A.picks").select(
            "pick_id", mark("by", f.col("parts")[0]["kg"]).alias("mark"), f.avg("kg").over(spec).alias("usual")
        )

    def joined(job: Job) -> DataFrame:
        left = table(job, "A.picks").alias("l")
        right = table(job, "B.picks").withColumnRenamed("kg", "was").alias("r")
        rows = left.join(right, f.expr("l.pick_id = r.pick_id AND l.day >= r.day"), "left_outer")
        return rows.join(table(job, "A.trees"), f.col("l.tree_id") == f.col("trees.tree_id")).selectExpr(
            "l.pick_id", "l.kg - coalesce(r.was, 0) AS more", "trees.kind", "trees.at.x AS x"
        )

    k30 = [f"k{n}" for n in range(1, 31)]
    return (
        step(
            "trees",
            f"CREATE TABLE A.trees USING {fmt} AS SELECT id AS tree_id, concat('sort', id % 4) AS kind, CAST(id AS DOUBLE) / 3 AS tall,"
            " array(named_struct('row', CAST(id % 7 AS INT), 'tag', concat('t', id))) AS spots, named_struct('x', id, 'y', id * 2) AS at FROM range(40)",
            "create a_trees",
            "tree_id kind tall spots at <",
        ),
        Step(
            "picks in",
            lambda j: landed(j).write.format(fmt).saveAsTable(sql("A.picks")),
            "create a_picks",
            "pick_id tree_id kg by parts day < json.*",
        ),
        Step(
            "picks more",
            lambda j: landed(j).where("kg > 3").withColumn("by", f.upper("by")).write.insertInto(sql("A.picks")),
            "append a_picks",
            "pick_id tree_id kg by parts day < json.*",
            "FILTER json.kg",
        ),
        made(
            "picks",
            "SELECT * FROM A.picks WHERE kg > 1",
            "pick_id tree_id kg by parts day < a_picks.*",
            "FILTER a_picks.kg",
        ),
        made(
            "graded",
            "SELECT pick_id, p.grade, p.kg FROM A.picks LATERAL VIEW explode(filter(parts, x -> x.kg > 1)) e AS p",
            "pick_id < a_picks.pick_id; grade < a_picks.parts.grade; kg < a_picks.parts.kg",
            "FILTER a_picks.parts.kg",
        ),
        saved(
            "arrays",
            arrays,
            "pick_id < a_picks.pick_id; grades < a_picks.parts.grade; best < a_picks.parts.kg; ones < a_picks.parts.grade; sorted < a_picks.parts.grade",
        ),
        saved("marked", marked, "pick_id < a_picks.pick_id; mark < a_picks.by a_picks.parts.kg; usual < a_picks.kg"),
        made(
            "ranked",
            "SELECT tree_id, pick_id, kg FROM (SELECT *, rank() OVER (PARTITION BY tree_id ORDER BY kg DESC) AS r FROM A.picks WHERE day IS NOT NULL) WHERE r <= 2",
            "tree_id pick_id kg < a_picks.*",
            "FILTER a_picks.day",
        ),
        made(
            "totals",
            "SELECT t.kind, month(p.day) AS month, sum(p.kg) AS kg, count(DISTINCT p.by) AS people, max(t.at.y) AS y FROM A.picks p JOIN A.trees t ON t.tree_id = p.tree_id GROUP BY ROLLUP (t.kind, month(p.day))",
            "kind < a_trees.kind; month < a_picks.day; kg < a_picks.kg; people < a_picks.by; y < a_trees.at.y",
            "JOIN a_trees.tree_id",
        ),
        made(
            "nulls",
            "SELECT pick_id, nvl2(by, kg, 0D) AS known, ifnull(by, 'nobody') AS who, nullif(tree_id, 3) AS tree, kg <=> 2 AS two FROM A.picks",
            "pick_id < a_picks.pick_id; known < a_picks.kg; who < a_picks.by; tree < a_picks.tree_id; two < a_picks.kg",
        ),
        made(
            "odd",
            "SELECT pick_id AS _pos, by AS _file, kg AS file_size, day AS rowkind FROM A.picks",
            "_pos < a_picks.pick_id; _file < a_picks.by; file_size < a_picks.kg; rowkind < a_picks.day",
        ),
        step(
            "odd read",
            "SELECT _file, max(file_size) AS m, min(rowkind) AS k FROM B.odd WHERE _pos > 3 GROUP BY _file",
            "",
            "_file < b_odd._file; m < b_odd.file_size; k < b_odd.rowkind",
            "FILTER b_odd._pos",
        ),
        step(
            "union",
            "INSERT INTO B.ranked SELECT tree_id, -1, tall FROM A.trees WHERE tall > 2 UNION ALL SELECT max(tree_id), pick_id, kg FROM B.graded g JOIN A.picks p USING (pick_id, kg) GROUP BY pick_id, kg",
            "append b_ranked",
            "tree_id < a_trees.tree_id a_picks.tree_id; pick_id < b_graded.pick_id; kg < a_trees.tall b_graded.kg",
        ),
        saved(
            "joined",
            joined,
            "pick_id < a_picks.pick_id; more < a_picks.kg b_picks.kg; kind < a_trees.kind; x < a_trees.at.x",
            "JOIN b_picks.pick_id; JOIN a_trees.tree_id",
        ),
        made(
            "wide",
            f"SELECT pick_id, {numbered(30, 'kg * {n} AS k{n}')} FROM A.picks",
            "pick_id < a_picks.pick_id; k{1..30} < a_picks.kg",
        ),
        made(
            "few",
            f"SELECT k30 - k29 AS last, greatest({', '.join(k30[20:])}) AS top, pick_id FROM B.wide WHERE k28 > 1",
            "last < b_wide.k30 b_wide.k29; top < "
            + " ".join(f"b_wide.{each}" for each in k30[20:])
            + "; pick_id < b_wide.pick_id",
            "FILTER b_wide.k28",
        ),
        step(
            "lookup",
            "SELECT kind, tall FROM A.trees t WHERE tree_id IN (SELECT tree_id FROM A.picks WHERE kg > 9) AND NOT EXISTS (SELECT 1 FROM B.ranked r WHERE r.tree_id = t.tree_id AND r.kg < 0) ORDER BY tall DESC",
            "",
            "kind tall < a_trees.*",
            "JOIN a_picks.tree_id; JOIN b_ranked.tree_id; SORT a_trees.tall",
        ),
        Step(
            "summary",
            lambda j: (
                table(j, "B.totals")
                .groupBy("kind")
                .agg(f.first("month", ignorenulls=True).alias("m"), f.stddev("kg").alias("s"))
                .collect()
            ),
            "",
            "kind < b_totals.kind; m < b_totals.month; s < b_totals.kg",
            "GROUP_BY b_totals.kind",
        ),
    )


_MERGE = (
    "MERGE INTO B.picks t USING (SELECT pick_id, max(kg) AS kg, max_by(by, kg) AS by FROM A.picks WHERE day > DATE'2026-09-12' GROUP BY pick_id) s ON t.pick_id = s.pick_id"
    " WHEN MATCHED AND s.kg > t.kg THEN UPDATE SET kg = s.kg, by = concat(t.by, s.by) WHEN NOT MATCHED THEN INSERT (pick_id, kg, by) VALUES (s.pick_id, s.kg, s.by)"
)
_MERGED = "pick_id < a_picks.pick_id; kg < a_picks.kg; by < b_picks.by a_picks.by; tree_id parts day <"


def _keyed(step: Callable[..., Step]) -> tuple[Step, ...]:
    """Return the statements that change a table with a key, in Hudi's words and in Paimon's."""
    return (
        step(
            "keyed",
            "INSERT INTO B.keyed SELECT pick_id, kg, by FROM A.picks WHERE tree_id > 2",
            "append b_keyed",
            "pick_id kg by < a_picks.*",
            "FILTER a_picks.tree_id",
        ),
        step(
            "keyed merge",
            "MERGE INTO B.keyed t USING B.picks s ON t.pick_id = s.pick_id WHEN MATCHED AND s.kg > 9 THEN DELETE WHEN MATCHED THEN UPDATE SET kg = s.kg + t.kg, by = s.by WHEN NOT MATCHED THEN INSERT (pick_id, kg, by) VALUES (s.pick_id, s.kg, s.by)",
            "merge b_keyed",
            "pick_id by < b_picks.*; kg < b_picks.kg b_keyed.kg",
        ),
        step(
            "keyed update",
            "UPDATE B.keyed SET by = concat(by, pick_id) WHERE kg > 1",
            "update b_keyed",
            "by < b_keyed.by b_keyed.pick_id",
            "FILTER b_keyed.kg",
        ),
        step("keyed delete", "DELETE FROM B.keyed WHERE by IS NULL", "delete b_keyed", "", "FILTER b_keyed.by"),
    )


def own(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the steps in the words of a format."""
    names = CatalogNames(sql)
    step, table = names.step, names.table
    update = step(
        "update",
        "UPDATE B.picks SET kg = kg + size(parts), by = lower(by) WHERE tree_id % 2 = 0",
        "update b_picks",
        "kg < b_picks.kg b_picks.parts; by < b_picks.by",
        "FILTER b_picks.tree_id",
    )
    delete = step(
        "delete", "DELETE FROM B.picks WHERE kg > 12 AND by = 'p1'", "delete b_picks", "", "FILTER b_picks.kg"
    )
    merge = step("merge", _MERGE, "merge b_picks", _MERGED, "FILTER a_picks.day")
    if fmt == "delta":
        return (
            merge,
            update,
            delete,
            step("renamed", "ALTER TABLE B.few RENAME TO shop.some"),
            step(
                "mapped",
                "ALTER TABLE A.trees SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name', 'delta.minReaderVersion' = '2', 'delta.minWriterVersion' = '5')",
            ),
            step("rename column", "ALTER TABLE A.trees RENAME COLUMN tall TO height", "alter a_trees"),
            step(
                "grown",
                "UPDATE A.trees SET height = height * 2 WHERE kind = 'sort1'",
                "update a_trees",
                "height < a_trees.height",
                "FILTER a_trees.kind",
            ),
            step(
                "clone",
                "CREATE TABLE B.trees SHALLOW CLONE A.trees",
                "create b_trees",
                "tree_id kind height spots at < a_trees.*",
            ),
            step(
                "clone read",
                "SELECT kind, max(height) AS h FROM B.trees GROUP BY kind",
                "",
                "kind < b_trees.kind; h < b_trees.height",
            ),
            Step(
                "replace where",
                lambda j: (
                    table(j, "A.picks")
                    .where("by = 'P1'")
                    .select("tree_id", "pick_id", "kg")
                    .write.format("delta")
                    .mode("overwrite")
                    .option("replaceWhere", "pick_id > 30")
                    .option("spark.databricks.delta.replaceWhere.constraintCheck.enabled", "false")
                    .saveAsTable(sql("B.ranked"))
                ),
                "overwrite b_ranked",
                "tree_id pick_id kg < a_picks.*",
                "FILTER a_picks.by",
            ),
            step("optimize", "OPTIMIZE B.picks", "maintenance b_picks"),
        )
    if fmt == "iceberg":

        def rolled(job: Job) -> None:
            first = names.asked(job, "SELECT snapshot_id FROM A.picks.snapshots ORDER BY committed_at LIMIT 1")
            job.spark.sql(
                names.call("A", "rollback_to_snapshot", f"table => '@.picks', snapshot_id => {first}")
            ).collect()

        return (
            step(
                "on read",
                "ALTER TABLE B.picks SET TBLPROPERTIES ('write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read')",
            ),
            merge,
            update,
            delete,
            step(
                "trees copied",
                "CREATE TABLE B.trees USING iceberg AS SELECT *, tall > 5 AS big FROM A.trees",
                "create b_trees",
                "tree_id kind tall spots at < a_trees.*; big < a_trees.tall",
            ),
            Step(
                "compact b",
                names.call("B", "rewrite_data_files", "table => '@.picks', options => map('rewrite-all', 'true')"),
                "maintenance b_picks",
            ),
            Step("manifests a", names.call("A", "rewrite_manifests", "'@.picks'"), "maintenance a_picks"),
            Step("rolled a", rolled, "maintenance a_picks"),
            step(
                "after roll",
                "SELECT by, kg FROM A.picks WHERE pick_id = 7",
                "",
                "by kg < a_picks.*",
                "FILTER a_picks.pick_id",
            ),
            step("branch", "ALTER TABLE B.ranked CREATE BRANCH tried"),
            step(
                "branch write",
                "INSERT INTO B.ranked.branch_tried SELECT tree_id, pick_id, kg * 2 FROM A.picks",
                "append b_ranked",
                "tree_id pick_id kg < a_picks.*",
            ),
            Step(
                "dropped rows",
                lambda j: (
                    table(j, "A.picks")
                    .where("kg < 4")
                    .select("tree_id", "pick_id", "kg")
                    .writeTo(sql("B.ranked"))
                    .overwrite(f.col("pick_id") > 30)
                ),
                "overwrite b_ranked",
                "tree_id pick_id kg < a_picks.*",
                "FILTER a_picks.kg",
            ),
        )
    if fmt == "hudi":
        return (
            step(
                "keyed ddl",
                "CREATE TABLE B.keyed (pick_id BIGINT, kg DOUBLE, by STRING) USING hudi TBLPROPERTIES (primaryKey = 'pick_id', preCombineField = 'kg')",
            ),
            *_keyed(step),
            step(
                "overwrite",
                "INSERT OVERWRITE B.graded SELECT pick_id, by AS grade, kg FROM B.keyed",
                "overwrite b_graded",
                "pick_id kg < b_keyed.*; grade < b_keyed.by",
            ),
        )
    return (
        step(
            "keyed ddl",
            "CREATE TABLE B.keyed (pick_id BIGINT, kg DOUBLE, by STRING) USING paimon TBLPROPERTIES ('primary-key' = 'pick_id', 'bucket' = '1')",
        ),
        *_keyed(step),
        step(
            "overwrite",
            "INSERT OVERWRITE B.graded SELECT pick_id, by, kg FROM B.keyed",
            "overwrite b_graded",
            "pick_id kg < b_keyed.*; grade < b_keyed.by",
        ),
        step("compact", "CALL pai.sys.compact(table => 'shop.keyed')", "maintenance b_keyed"),
    )


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, dict(zip("AB", layers(fmt, two), strict=True)))
    return (*common(fmt, sql), *own(fmt, sql))


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    listed = steps(fmt, two)
    first, second = layers(fmt, two)
    names = {"json": f"file://{folder}/landing/picks"}
    for name in sorted(named_datasets(listed)):
        names.setdefault(name, f"{first if name.startswith('a_') else second}.{name[2:]}")
    return truth_of(names, listed, "a_trees: column_renamed height" if fmt == "delta" else "")


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(Path("/tmp/lakehouse_orchard"), land, layers, steps, truth).main()


if __name__ == "__main__":
    main()
