"""A depot's parts: a smaller workload after the railway's, of builders, external tables, state, and SQL in all spellings.

Written before any of its statements was traced. In SQL `A.t` and `B.t` are tables of two layers; in the truth they are
`a_t` and `b_t`. With two catalogs (`two` in the log's name) the layers are `ice.depot` and `jdb.depot`.
`python -m lakehouse.workload_depot --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_nights import add_datasets
from lakehouse.workload_run import Workload, layered, places_of

_LAYER = re.compile(r"\b([AB])\.(?=[\w`])")
_PARTS = "part_id BIGINT, kind STRING, dims STRUCT<w: DOUBLE, h: DOUBLE, box: STRUCT<id: STRING>>, stock INT, cost DECIMAL(10,2), tags ARRAY<STRING>, seen TIMESTAMP"
_COLUMNS = "part_id kind dims stock cost tags seen"
_MOVES = "part_id BIGINT, qty INT, shelf STRING, at TIMESTAMP"


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of the layers, by their letters."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return {"A": f"{first}.depot", "B": "jdb.depot" if two else f"{first}.shop"}


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


def common(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the steps that all formats run."""
    names = CatalogNames(sql)
    step, table = names.step, names.table

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
        rows = table(job, "A.parts").groupBy("kind").agg(
            *(f.expr(f"{name}({column}) AS {column}_{name}") for column in ("stock", "cost") for name in ("min", "stddev")),
            f.map_from_entries(f.collect_list(f.struct("part_id", "stock"))).alias("stocks"),
        )  # fmt: skip
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

    def made(name: str, query: str, columns: str, conditions: str = "") -> Step:
        return step(name, f"CREATE TABLE B.{name} USING {fmt} AS {query}", f"create b_{name}", columns, conditions)

    return (
        Step("parts", parts, "create a_parts", f"{_COLUMNS} < json.*"),
        Step("shelves stream", windowed),  # its first batch creates the table, the next one appends
        Step("described", described, "create b_described", "kind < a_parts.kind; stock_min stock_stddev < a_parts.stock; cost_min cost_stddev < a_parts.cost; stocks < a_parts.part_id a_parts.stock", "GROUP_BY a_parts.kind"),
        Step("structs", structs, "create b_sized", "part_id < a_parts.part_id; dims < a_parts.dims.w a_parts.dims.h; area < a_parts.dims.w a_parts.dims.h"),
        Step("limited", limited, "create b_dear", "part_id cost < a_parts.*; n <", "SORT a_parts.cost"),
        Step("counted", counted, "create b_doubled", "kind twice < a_parts.kind a_parts.stock"),
        made("ranges", "SELECT p.part_id, d.part_id AS near FROM A.parts p JOIN B.dear d ON p.cost BETWEEN d.cost - 1 AND d.cost + 1 AND p.part_id <> d.part_id", "part_id < a_parts.part_id; near < b_dear.part_id", "JOIN a_parts.cost; JOIN b_dear.cost"),
        made("anyof", "SELECT kind, any_value(tags[0]) AS tag, bool_or(stock > 50) AS much, count_if(cost > 9) AS n, mode(stock) AS usual FROM A.parts GROUP BY ALL HAVING count_if(stock > 1) > 0", "kind < a_parts.kind; tag < a_parts.tags; much < a_parts.stock; n < a_parts.cost; usual < a_parts.stock", "GROUP_BY a_parts.kind"),
        made("unnested", "SELECT part_id, tag, pos FROM A.parts LATERAL VIEW posexplode(array_distinct(tags)) AS pos, tag WHERE NOT array_contains(tags, 'g0') DISTRIBUTE BY part_id SORT BY tag", "part_id < a_parts.part_id; tag < a_parts.tags; pos < a_parts.tags", "FILTER a_parts.tags"),
        made("tabled", "TABLE B.dear UNION ALL SELECT part_id, stock, -1 FROM A.parts WHERE kind RLIKE '^g' EXCEPT SELECT part_id, cost, n FROM B.dear WHERE n > 90", "part_id < b_dear.part_id a_parts.part_id; cost < b_dear.cost a_parts.stock; n < b_dear.n", "FILTER a_parts.kind"),
        made("stacked", "SELECT part_id, stack(2, 'w', dims.w, 'h', dims.h) AS (what, size) FROM A.parts", "part_id < a_parts.part_id; what <; size < a_parts.dims.w a_parts.dims.h"),
        made("first_last", "SELECT kind, first_value(part_id) IGNORE NULLS OVER w AS f, last_value(seen) OVER w AS l, ntile(3) OVER (ORDER BY cost) AS t, cost - lag(cost, 1, 0) OVER w AS d FROM A.parts WINDOW w AS (PARTITION BY kind ORDER BY seen)", "kind < a_parts.kind; f < a_parts.part_id; l < a_parts.seen; t <; d < a_parts.cost"),
        step("values", "INSERT INTO B.dear (cost, part_id) SELECT cost + x.add, part_id FROM A.parts JOIN (VALUES ('bolt', 1), ('nut', 2)) AS x(kind, add) USING (kind)", "append b_dear", "part_id < a_parts.part_id; cost < a_parts.cost; n <", "JOIN a_parts.kind"),
        step("nested query", "SELECT kind, (SELECT max(s.area) FROM B.sized s WHERE s.part_id = p.part_id) AS area FROM A.parts p WHERE cost > (SELECT avg(cost) FROM B.dear) AND EXISTS (SELECT 1 FROM B.dear d WHERE d.part_id = p.part_id)", "", "kind < a_parts.kind; area < b_sized.area", "FILTER a_parts.cost; JOIN b_dear.part_id"),
    )  # fmt: skip


def own(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the steps that one format has in its own words."""
    return {"delta": _delta, "iceberg": _iceberg, "hudi": _hudi, "paimon": _paimon}[fmt](CatalogNames(sql))


def _delta(names: CatalogNames) -> tuple[Step, ...]:
    step, sql, table = names.step, names.sql, names.table

    def api(job: Job, name: str):  # type: ignore[no-untyped-def]
        from delta.tables import DeltaTable

        return DeltaTable.forName(job.spark, sql(name).removeprefix("spark_catalog."))

    def external(job: Job) -> None:
        rows = table(job, "A.parts").select("part_id", "kind", "cost")
        rows.write.format("delta").option("path", f"{job.root}/lake/outside").saveAsTable(sql("B.outside"))

    def dynamic(job: Job) -> None:
        rows = (
            table(job, "A.parts").where("kind = 'nut'").selectExpr("part_id + 0 AS part_id", "kind", "cost * 2 AS cost")
        )
        rows.write.format("delta").mode("overwrite").option("partitionOverwriteMode", "dynamic").insertInto(
            sql("B.byday")
        )

    def updated(job: Job) -> None:
        api(job, "B.outside").update(
            "cost > 10", {"cost": "cost + part_id", "kind": f.concat(f.col("kind"), f.lit("*"))}
        )

    def builder(job: Job) -> None:
        from delta.tables import DeltaTable

        built = DeltaTable.createOrReplace(job.spark).tableName(sql("B.built").removeprefix("spark_catalog."))
        built.addColumn("id", "BIGINT").addColumn("label", "STRING").addColumn("at", "TIMESTAMP").execute()
        table(job, "A.parts").selectExpr("part_id AS id", "kind AS label", "seen AS at").write.insertInto(
            sql("B.built")
        )

    return (
        Step("external", external, "create b_outside", "part_id kind cost < a_parts.*"),
        Step("api update", updated, "update b_outside", "cost < b_outside.cost b_outside.part_id; kind < b_outside.kind", "FILTER b_outside.cost"),
        step("outside path", "INSERT INTO delta.`{root}/lake/outside` SELECT part_id, tag, 1.5 FROM B.unnested", "append b_outside", "part_id < b_unnested.part_id; kind < b_unnested.tag; cost <"),
        step("outside read", "SELECT o.kind, n.cost FROM B.outside VERSION AS OF 0 o JOIN B.outside n USING (part_id)", "", "kind cost < b_outside.*", "JOIN b_outside.part_id"),
        step("byday ddl", "CREATE TABLE B.byday (part_id BIGINT, kind STRING, cost DECIMAL(12,2)) USING delta PARTITIONED BY (kind) TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true')"),
        step("byday", "INSERT INTO B.byday TABLE B.outside", "append b_byday", "part_id kind cost < b_outside.*"),
        Step("dynamic", dynamic, "overwrite b_byday", "part_id kind cost < a_parts.*", "FILTER a_parts.kind"),
        step("byday delete", "DELETE FROM B.byday WHERE kind LIKE 'b%' AND part_id > 6", "delete b_byday", "", "FILTER b_byday.kind; FILTER b_byday.part_id"),
        step("byday merge", "MERGE INTO B.byday USING B.described ON byday.kind = described.kind WHEN MATCHED AND described.stock_min < 4 THEN DELETE WHEN MATCHED THEN UPDATE SET cost = byday.cost + described.cost_min", "merge b_byday", "cost < b_byday.cost b_described.cost_min"),
        step("feed", "CREATE TABLE B.feed USING delta AS SELECT kind, _change_type AS op, count(*) AS n, max(_commit_version) AS v FROM table_changes('shop.byday', 0) GROUP BY kind, _change_type", "create b_feed", "kind < b_byday.kind; op < b_byday._change_type; n <; v < b_byday._commit_version", "GROUP_BY b_byday.kind"),
        Step("built", builder, "append b_built", "id < a_parts.part_id; label < a_parts.kind; at < a_parts.seen"),
        step("field", "ALTER TABLE A.parts ADD COLUMNS (dims.depth DOUBLE, note STRING FIRST)", "alter a_parts"),
        step("field update", "UPDATE A.parts SET dims.depth = dims.w * 2, note = upper(kind) WHERE stock > 10", "update a_parts", "dims < a_parts.dims.w a_parts.dims.h a_parts.dims.box; note < a_parts.kind", "FILTER a_parts.stock"),
        step("replaced", "CREATE OR REPLACE TABLE B.dear USING delta PARTITIONED BY (kind) AS SELECT note, kind, dims.depth AS depth FROM A.parts WHERE note IS NOT NULL", "overwrite b_dear", "note kind < a_parts.*; depth < a_parts.dims.depth", "FILTER a_parts.note"),
    )  # fmt: skip


def _iceberg(names: CatalogNames) -> tuple[Step, ...]:
    step, sql, table, call = names.step, names.sql, names.table, names.call

    def branch(job: Job) -> None:
        table(job, "A.parts").where("kind = 'nut'").selectExpr("part_id", "cost", "CAST(stock AS BIGINT) AS n").writeTo(
            sql("B.dear.branch_test")
        ).append()

    def increment(job: Job) -> None:
        first = names.asked(job, "SELECT min_by(snapshot_id, committed_at) FROM B.dear.snapshots")
        rows = job.spark.read.format("iceberg").option("start-snapshot-id", first).load(sql("B.dear"))
        rows.groupBy("part_id").agg(f.sum("cost").alias("cost")).writeTo(sql("A.increment")).using("iceberg").create()

    return (
        step("wide types", "ALTER TABLE A.parts ALTER COLUMN stock TYPE BIGINT", "alter a_parts"),
        step("field", "ALTER TABLE A.parts ADD COLUMNS (dims.depth DOUBLE AFTER w, note STRING FIRST)", "alter a_parts"),
        step("field update", "UPDATE A.parts SET dims = named_struct('w', dims.w, 'depth', dims.w * 2, 'h', dims.h, 'box', dims.box), note = upper(kind) WHERE stock > 10", "update a_parts", "dims < a_parts.dims.w a_parts.dims.h a_parts.dims.box; note < a_parts.kind", "FILTER a_parts.stock"),
        step("field read", "SELECT note, sum(dims.depth) AS depth FROM A.parts WHERE dims.box.id = 'b1' GROUP BY note", "", "note < a_parts.note; depth < a_parts.dims.depth", "FILTER a_parts.dims.box.id; GROUP_BY a_parts.note"),
        step("branch", "ALTER TABLE B.dear CREATE BRANCH test"),
        Step("branch append", branch, "append b_dear", "part_id cost < a_parts.*; n < a_parts.stock", "FILTER a_parts.kind"),
        step("branch merge", "MERGE INTO B.dear.branch_test t USING B.ranges s ON t.part_id = s.near WHEN MATCHED THEN UPDATE SET cost = t.cost + s.part_id WHEN NOT MATCHED THEN INSERT (part_id, n) VALUES (s.near, s.part_id)", "merge b_dear", "part_id < b_ranges.near; cost < b_dear.cost b_ranges.part_id; n < b_ranges.part_id"),
        step("main read", "SELECT m.part_id, b.cost - m.cost AS d FROM B.dear m JOIN B.dear FOR VERSION AS OF 'test' b USING (part_id)", "", "part_id < b_dear.part_id; d < b_dear.cost", "JOIN b_dear.part_id"),
        step("part replace", "ALTER TABLE B.unnested ADD PARTITION FIELD truncate(2, tag) AS t2"),
        step("part write", "INSERT OVERWRITE B.unnested SELECT part_id, concat(kind, '!'), 7 FROM A.parts WHERE cost < 9", "overwrite b_unnested", "part_id < a_parts.part_id; tag < a_parts.kind; pos <", "FILTER a_parts.cost"),
        Step("increment", increment, "create a_increment", "part_id cost < b_dear.*", "GROUP_BY b_dear.part_id"),
        step("equal", "CREATE TABLE B.parts USING iceberg AS SELECT p.part_id, p.note, i.cost FROM A.parts p LEFT JOIN A.increment i USING (part_id) WHERE p.note <> 'BOLT'", "create b_parts", "part_id note < a_parts.*; cost < a_increment.cost", "JOIN a_parts.part_id; FILTER a_parts.note"),
        step("equal delete", "DELETE FROM B.parts WHERE part_id IN (SELECT part_id FROM A.parts WHERE stock < 20)", "delete b_parts", "", "JOIN a_parts.part_id; FILTER a_parts.stock"),
        step("history", "SELECT made_current_at, is_current_ancestor FROM B.dear.history"),
        step("delete files", call("B", "rewrite_data_files", "table => '@.dear', options => map('min-input-files', '1')"), "maintenance b_dear"),
    )  # fmt: skip


def _hudi(names: CatalogNames) -> tuple[Step, ...]:
    step = names.step
    return (
        step("keyed ddl", "CREATE TABLE B.keyed (part_id BIGINT, kind STRING, cost DOUBLE, seen TIMESTAMP) USING hudi PARTITIONED BY (kind) TBLPROPERTIES (primaryKey = 'part_id', preCombineField = 'seen')"),
        step("keyed", "INSERT INTO B.keyed (part_id, cost, seen, kind) SELECT part_id, CAST(cost AS DOUBLE), seen, kind FROM A.parts", "append b_keyed", "part_id cost seen kind < a_parts.*"),
        step("keyed merge", "MERGE INTO B.keyed t USING (SELECT part_id, 'nut' AS kind, max(cost) AS cost, current_timestamp() AS seen FROM B.dear GROUP BY part_id) s ON t.part_id = s.part_id WHEN MATCHED THEN UPDATE SET cost = t.cost + s.cost WHEN NOT MATCHED THEN INSERT *", "merge b_keyed", "part_id < b_dear.part_id; cost < b_keyed.cost b_dear.cost; kind seen <"),
        step("keyed ctas", "CREATE TABLE B.copied USING hudi TBLPROPERTIES (primaryKey = 'part_id') AS SELECT part_id, kind, cost / 2 AS cost FROM B.keyed WHERE seen IS NOT NULL", "create b_copied", "part_id kind cost < b_keyed.*", "FILTER b_keyed.seen"),
        step("copied update", "UPDATE B.copied SET cost = cost * length(kind) WHERE part_id % 2 = 0", "update b_copied", "cost < b_copied.cost b_copied.kind", "FILTER b_copied.part_id"),
    )  # fmt: skip


def _paimon(names: CatalogNames) -> tuple[Step, ...]:
    step = names.step
    return (
        step("keyed ddl", "CREATE TABLE B.keyed (part_id BIGINT, kind STRING, cost DOUBLE, seen TIMESTAMP) USING paimon TBLPROPERTIES ('primary-key' = 'part_id', 'bucket' = '-1', 'deletion-vectors.enabled' = 'true')"),
        step("keyed", "INSERT INTO B.keyed (part_id, cost, seen, kind) SELECT part_id, CAST(cost AS DOUBLE), seen, kind FROM A.parts", "append b_keyed", "part_id cost seen kind < a_parts.*"),
        step("keyed merge", "MERGE INTO B.keyed t USING (SELECT part_id, max(cost) AS cost FROM B.dear GROUP BY part_id) s ON t.part_id = s.part_id WHEN MATCHED AND t.cost > 3 THEN DELETE WHEN MATCHED THEN UPDATE SET cost = t.cost + s.cost WHEN NOT MATCHED THEN INSERT (part_id, kind, cost, seen) VALUES (s.part_id, 'new', s.cost, current_timestamp())", "merge b_keyed", "part_id < b_dear.part_id; cost < b_keyed.cost b_dear.cost; kind seen <"),
        step("keyed ctas", "CREATE TABLE B.copied USING paimon TBLPROPERTIES ('primary-key' = 'part_id', 'bucket' = '1') AS SELECT part_id, kind, cost / 2 AS cost FROM B.keyed WHERE seen IS NOT NULL", "create b_copied", "part_id kind cost < b_keyed.*", "FILTER b_keyed.seen"),
        step("copied update", "UPDATE B.copied SET cost = cost * length(kind) WHERE part_id % 2 = 0", "update b_copied", "cost < b_copied.cost b_copied.kind", "FILTER b_copied.part_id"),
        step("field", "ALTER TABLE A.parts ADD COLUMNS (note STRING)", "alter a_parts"),
        step("noted", "INSERT INTO A.parts (part_id, note) SELECT part_id, concat_ws('-', kind, cost) FROM B.keyed", "append a_parts", "part_id < b_keyed.part_id; kind dims stock cost tags seen <; note < b_keyed.kind b_keyed.cost"),
    )  # fmt: skip


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    return (*common(fmt, sql), *own(fmt, sql))


CHANGES = {
    "delta": "a_parts: column_added note\na_parts: column_added dims.depth\n"
    "b_dear: column_added note\nb_dear: column_added kind\nb_dear: column_added depth\n"
    "b_dear: column_dropped part_id\nb_dear: column_dropped cost\nb_dear: column_dropped n",
    "iceberg": "a_parts: column_added note\na_parts: column_added dims.depth\na_parts: type_changed stock",
    "paimon": "a_parts: column_added note",
}


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    root = f"file://{folder}"
    names = {"json": f"{root}/landing/parts"}
    listed = steps(fmt, two)
    add_datasets(names, listed, layers(fmt, two), root)
    return truth_of(names, listed, CHANGES.get(fmt, ""))


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(Path("/tmp/lakehouse_depot"), land, places_of(layers), steps, truth).main()


if __name__ == "__main__":
    main()
