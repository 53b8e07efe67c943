"""Which cells of the sweep a format has, and those that only it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, Job, Step

if TYPE_CHECKING:
    from lakehouse.workload_sweep import Sweep

CHANGES = {"delta": "b_cow6: column_added extra\nb_cow30: column_added extra\nb_cow64: column_added extra"}


def cells(fmt: str, sweep: Sweep) -> tuple[Step, ...]:
    """Return the cells of a format for one width."""
    return tuple({"delta": _delta, "iceberg": _iceberg, "hudi": _hudi, "paimon": _paimon}[fmt](sweep))


def once(fmt: str, names: CatalogNames) -> tuple[Step, ...]:
    """Return the cells without a width."""
    return tuple({"delta": _delta_once, "iceberg": _iceberg_once, "hudi": _none, "paimon": _none}[fmt](names))


def _none(names: CatalogNames) -> Iterator[Step]:
    yield from ()


def _delta(sweep: Sweep) -> Iterator[Step]:
    w, columns = sweep.width, sweep.columns
    yield from sweep.sources()
    yield from sweep.creations()
    yield from sweep.replacements()
    for name, options in (
        ("cow", ""),
        ("dv", "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true', 'delta.enableChangeDataFeed' = 'true')"),
    ):
        yield from sweep.target(name, options)
        yield from sweep.merges(name, insert_only="merge")
        yield from sweep.changes(name)
    yield from sweep.target("ins", "PARTITIONED BY (k)")
    yield from sweep.inserts("ins")
    yield from sweep.streams()
    yield from _delta_api(sweep)
    made = columns.made(f"a_s{w}")
    query = columns.query(f"A.s{w}")
    yield sweep.cell(
        "replace where",
        f"INSERT INTO B.ins{w} REPLACE WHERE id > 20 {query} WHERE id > 20",
        f"overwrite b_ins{w}",
        made,
        f"FILTER a_s{w}.id",
    )
    yield sweep.cell(
        "static",
        f"INSERT OVERWRITE B.ins{w} PARTITION (k = 'K1') SELECT id, {', '.join(columns.expressions()[2:])} FROM A.s{w}",
        f"overwrite b_ins{w}",
        "k <; " + made.replace(f"k < a_s{w}.k; ", ""),
    )
    yield sweep.framed(
        "dynamic",
        lambda _, rows: (
            rows.write.mode("overwrite")
            .format("delta")
            .option("partitionOverwriteMode", "dynamic")
            .saveAsTable(sweep.sql(f"B.ins{w}"))
        ),
        f"overwrite b_ins{w}",
    )
    yield sweep.framed(
        "save", lambda job, rows: rows.write.format("delta").save(f"{job.root}/lake/saved{w}"), f"create p_saved{w}"
    )
    yield sweep.framed(
        "save append",
        lambda job, rows: rows.write.format("delta").mode("append").save(f"{job.root}/lake/saved{w}"),
        f"append p_saved{w}",
        where="s2 > 7",
    )
    yield sweep.framed(
        "save overwrite",
        lambda job, rows: (
            rows.write.format("delta")
            .mode("overwrite")
            .option("replaceWhere", "id > 5")
            .save(f"{job.root}/lake/saved{w}")
        ),
        f"overwrite p_saved{w}",
        where="s2 > 5",
    )
    yield sweep.cell(
        "path update",
        f"UPDATE delta.`{{root}}/lake/saved{w}` SET c1 = c2 + 1 WHERE id > 4",
        f"update p_saved{w}",
        f"c1 < p_saved{w}.c2",
    )
    yield sweep.cell(
        "path ctas",
        f"CREATE TABLE B.frompath{w} USING delta AS SELECT * FROM delta.`{{root}}/lake/saved{w}` VERSION AS OF 0",
        f"create b_frompath{w}",
        columns.copied(f"p_saved{w}"),
    )
    feed = "id, k, " + ", ".join(f"c{n}" for n in columns.numbers)
    yield sweep.cell(
        "feed",
        f"CREATE TABLE B.feed{w} USING delta AS SELECT {feed}, _change_type AS op FROM table_changes('made.dv{w}', 1) WHERE id > 3",
        f"create b_feed{w}",
        columns.copied(f"b_dv{w}") + f"; op < b_dv{w}._change_type",
    )
    yield sweep.cell(
        "clone",
        f"CREATE OR REPLACE TABLE B.clone{w} SHALLOW CLONE B.cow{w}",
        f"overwrite b_clone{w}",
        columns.copied(f"b_cow{w}"),
    )
    yield sweep.cell(
        "evolve",
        f"MERGE WITH SCHEMA EVOLUTION INTO B.cow{w} t USING (SELECT *, id * 2 AS extra FROM A.m{w}) s ON s.id = t.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        f"merge b_cow{w}",
        columns.copied(f"a_m{w}") + f"; extra < a_m{w}.id",
    )


def _delta_api(sweep: Sweep) -> Iterator[Step]:
    w, columns, last = sweep.width, sweep.columns, sweep.width - 2
    name = f"B.cow{w}"

    def table(job: Job):  # type: ignore[no-untyped-def]
        from delta.tables import DeltaTable

        return DeltaTable.forName(job.spark, sweep.sql(name).removeprefix("spark_catalog.")).alias("t")

    def merge_all(job: Job) -> None:
        rows = sweep.names.table(job, f"A.s{w}").selectExpr(*columns.expressions()).alias("s")
        table(job).merge(rows, "t.id = s.id").whenMatchedUpdateAll("s.c1 > 3").whenNotMatchedInsertAll().execute()

    def merge_set(job: Job) -> None:
        rows = sweep.names.table(job, f"A.s{w}").alias("s")
        sets = {f"c{n}": f"s.s{n} + t.c{n}" for n in columns.numbers}
        inserts = {"id": "s.id", **{f"c{n}": f"s.s{n}" for n in columns.numbers}}
        table(job).merge(rows, "t.id = s.id").whenMatchedUpdate(set=sets).whenNotMatchedInsert(
            values=inserts
        ).whenNotMatchedBySourceDelete("t.c1 > 1000").execute()

    def update(job: Job) -> None:
        table(job).update(f.col("c1") > 7, {f"c{n}": f.col(f"c{n}") * 2 for n in columns.numbers})

    def delete(job: Job) -> None:
        table(job).delete(f.col(f"c{last}") > 1000)

    own = "; ".join(f"c{n} < b_cow{w}.c{n} a_s{w}.s{n}" for n in columns.numbers)
    yield Step(f"api merge all {w}", merge_all, f"merge b_cow{w}", columns.made(f"a_s{w}"))
    yield Step(f"api merge set {w}", merge_set, f"merge b_cow{w}", f"id < a_s{w}.id; k <; {own}")
    yield Step(
        f"api update {w}",
        update,
        f"update b_cow{w}",
        "; ".join(f"c{n} < b_cow{w}.c{n}" for n in columns.numbers),
        f"FILTER b_cow{w}.c1",
    )
    yield Step(f"api delete {w}", delete, f"delete b_cow{w}", "", f"FILTER b_cow{w}.c{last}")


def _delta_once(names: CatalogNames) -> Iterator[Step]:
    step = names.step
    columns = " ".join(("id", "k", *(f"c{n}" for n in range(1, 5))))
    yield step(
        "truncated ctas",
        "CREATE TABLE B.short USING delta AS SELECT * FROM B.cow6",
        "create b_short",
        f"{columns} extra < b_cow6.*",
        only="4-1",
    )
    yield step(
        "short ctas",
        "CREATE TABLE B.short USING delta AS SELECT * FROM B.cow6",
        "create b_short",
        f"{columns} < b_cow6.*",
        only="3-5",
    )
    yield step("truncate", "TRUNCATE TABLE B.short", "truncate b_short", only="4-1")
    yield step("restore", "RESTORE TABLE B.short TO VERSION AS OF 0", "maintenance b_short", only="4-1")
    yield step("rename table", "ALTER TABLE B.short RENAME TO B.shorter")
    yield step(
        "renamed insert",
        "INSERT INTO B.shorter SELECT *, 7 FROM A.m6",
        "append b_shorter",
        f"{columns} < a_m6.*; extra <",
    )
    yield step(
        "convert ddl",
        "CREATE TABLE B.plain USING parquet AS SELECT * FROM A.m30",
        "create b_plain",
        " ".join(("id", "k", *(f"c{n}" for n in range(1, 29)))) + " < a_m30.*",
    )
    yield step("convert", "CONVERT TO DELTA B.plain")
    yield step(
        "converted read",
        "SELECT k, max(c28) AS m FROM B.plain GROUP BY k",
        "",
        "k < b_plain.k; m < b_plain.c28",
        "GROUP_BY b_plain.k",
    )
    yield step("optimize", "OPTIMIZE B.cow64", "maintenance b_cow64")
    yield step("vacuum", "VACUUM B.cow64", "maintenance b_cow64")


def _iceberg(sweep: Sweep) -> Iterator[Step]:
    w, columns = sweep.width, sweep.columns
    yield from sweep.sources()
    yield from sweep.creations()
    yield from sweep.replacements()
    mor = "TBLPROPERTIES ('format-version' = '2', 'write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read')"
    for name, options in (("cow", ""), ("mor", mor)):
        yield from sweep.target(name, options)
        yield from sweep.merges(name)
        yield from sweep.changes(name)
    yield from sweep.target("ins", "PARTITIONED BY (k)")
    yield from sweep.inserts("ins")
    yield from sweep.streams()
    made = columns.made(f"a_s{w}")
    yield sweep.cell(
        "static",
        f"INSERT OVERWRITE B.ins{w} PARTITION (k = 'K1') SELECT id, {', '.join(columns.expressions()[2:])} FROM A.s{w}",
        f"overwrite b_ins{w}",
        "k <; " + made.replace(f"k < a_s{w}.k; ", ""),
    )
    yield sweep.names.step(f"branch ddl {w}", f"ALTER TABLE B.cow{w} CREATE BRANCH b1")
    yield sweep.cell(
        "branch insert", f"INSERT INTO B.cow{w}.branch_b1 {columns.query(f'A.s{w}')}", f"append b_cow{w}", made
    )
    yield sweep.cell(
        "branch update",
        f"UPDATE B.cow{w}.branch_b1 SET {columns.shifted()} WHERE k = 'K1'",
        f"update b_cow{w}",
        columns.shifts(f"b_cow{w}"),
    )
    yield sweep.cell(
        "branch merge",
        f"MERGE INTO B.cow{w}.branch_b1 t USING ({columns.query(f'A.s{w}')}) s ON s.id = t.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        f"merge b_cow{w}",
        made,
    )
    yield sweep.cell(
        "branch read",
        f"CREATE TABLE B.frombranch{w} USING iceberg AS SELECT * FROM B.cow{w} VERSION AS OF 'b1'",
        f"create b_frombranch{w}",
        columns.copied(f"b_cow{w}"),
    )


def _iceberg_once(names: CatalogNames) -> Iterator[Step]:
    step = names.step
    columns = " ".join(("id", "k", *(f"c{n}" for n in range(1, 5))))
    wide = " ".join(("id", "k", *(f"c{n}" for n in range(1, 63))))

    def rolled(job: Job) -> None:
        at = names.asked(job, "SELECT snapshot_id FROM B.mor6.snapshots ORDER BY committed_at LIMIT 1")
        job.sql(names.call("B", "rollback_to_snapshot", f"'@.mor6', {at}"))

    def current(job: Job) -> None:
        at = names.asked(job, "SELECT snapshot_id FROM B.mor30.snapshots ORDER BY committed_at LIMIT 1")
        job.sql(names.call("B", "set_current_snapshot", f"table => '@.mor30', snapshot_id => {at}"))

    yield step(
        "truncated ctas",
        "CREATE TABLE B.short USING iceberg AS SELECT * FROM B.cow6",
        "create b_short",
        f"{columns} < b_cow6.*",
    )
    yield step("truncate", "TRUNCATE TABLE B.short", "truncate b_short")
    yield step("rename table", "ALTER TABLE B.short RENAME TO B.shorter")
    yield step("renamed insert", "INSERT INTO B.shorter SELECT * FROM A.m6", "append b_shorter", f"{columns} < a_m6.*")
    yield step(
        "max all",
        "CREATE TABLE B.maxima USING iceberg AS SELECT max(id) AS id, min(c60) AS c, count(*) AS n FROM A.m64",
        "create b_maxima",
        "id < a_m64.id; c < a_m64.c60; n <",
    )
    yield step(
        "max where",
        "CREATE TABLE B.maxima2 USING iceberg AS SELECT max(id) AS id, count(c2) AS n FROM B.ins64 WHERE k = 'K1'",
        "create b_maxima2",
        "id < b_ins64.id; n < b_ins64.c2",
        "FILTER b_ins64.k",
    )
    yield step(
        "compact",
        names.call(
            "B",
            "rewrite_data_files",
            "table => '@.ins64', options => map('min-input-files', '1', 'rewrite-all', 'true')",
        ),
        "maintenance b_ins64",
    )
    yield step("manifests", names.call("B", "rewrite_manifests", "'@.cow64'"), "maintenance b_cow64")
    yield step(
        "expire", names.call("B", "expire_snapshots", "table => '@.cow64', retain_last => 2"), "maintenance b_cow64"
    )
    yield Step("rolled", rolled, "maintenance b_mor6")
    yield Step("current", current, "maintenance b_mor30")
    yield step("changelog", names.call("B", "create_changelog_view", "table => '@.ins64', changelog_view => 'seen64'"))
    yield step(
        "changelog read",
        f"CREATE TABLE B.changes USING iceberg AS SELECT {wide.replace(' ', ', ')}, _change_type AS op FROM seen64",
        "create b_changes",
        f"{wide} < b_ins64.*; op < b_ins64._change_type",
    )


def _hudi(sweep: Sweep) -> Iterator[Step]:
    yield from sweep.sources()
    yield from sweep.creations()
    keyed = "TBLPROPERTIES (primaryKey = 'id', preCombineField = 'c1'{})"
    for name, options in (("cow", keyed.format("")), ("mor", keyed.format(", type = 'mor'"))):
        yield from sweep.target(name, options)
        yield from sweep.merges(name, by_source=False, insert_only="merge")
        yield from sweep.changes(name)
    yield from sweep.target("ins")
    yield from sweep.inserts("ins")
    yield from _hudi_paths(sweep)


def _hudi_paths(sweep: Sweep) -> Iterator[Step]:
    w, columns = sweep.width, sweep.columns

    def options(operation: str) -> dict[str, str]:
        return {
            "hoodie.table.name": f"saved{w}",
            "hoodie.datasource.write.recordkey.field": "id",
            "hoodie.datasource.write.precombine.field": "c1",
            "hoodie.datasource.write.operation": operation,
        }

    def saved(operation: str, mode: str):  # type: ignore[no-untyped-def]
        def run(job: Job, rows: DataFrame) -> None:
            rows.write.format("hudi").options(**options(operation)).mode(mode).save(f"{job.root}/lake/saved{w}")

        return run

    def again(job: Job) -> None:
        rows = (
            job.spark.read.format("hudi")
            .load(f"{job.root}/lake/saved{w}")
            .select("id", "k", *(f"c{n}" for n in columns.numbers))
        )
        saved("upsert", "append")(job, rows.where("c1 > 5").withColumn("c2", f.col("c1") * 2))

    yield sweep.framed("save", saved("bulk_insert", "overwrite"), f"overwrite p_saved{w}")
    yield sweep.framed("save upsert", saved("upsert", "append"), f"append p_saved{w}", where="s2 > 7")
    yield sweep.framed("save insert", saved("insert", "append"), f"append p_saved{w}", where="s2 > 3")
    yield Step(
        f"save again {w}",
        again,
        f"append p_saved{w}",
        columns.copied(f"p_saved{w}").replace(f"c2 < p_saved{w}.c2;", f"c2 < p_saved{w}.c1;"),
        f"FILTER p_saved{w}.c1",
    )


def _paimon(sweep: Sweep) -> Iterator[Step]:
    w = sweep.width
    yield from sweep.sources()
    yield from sweep.creations()
    keyed = "TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '2')"
    for name, options in (("keyed", keyed), ("plain", "")):
        yield from sweep.target(name, options)
        yield from sweep.merges(name, by_source=False, insert_only="merge")
        yield from sweep.changes(name)
    yield from sweep.target("ins")
    yield from sweep.inserts("ins")
    yield from sweep.streams()
    yield sweep.framed(
        "writeTo append", lambda _, rows: rows.writeTo(sweep.sql(f"B.ins{w}")).append(), f"append b_ins{w}"
    )
