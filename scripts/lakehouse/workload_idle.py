"""Statements that commit nothing among those that do, on every format: which snapshot each of them leaves.

Each is followed by a write, with a read between them or without. The truth is the record of snapshots: it has no
column. In SQL `T.t` is a table. `python -m lakehouse.workload_idle --truth FORMAT` writes the truth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_run import FEW_TASKS, Workload, layered

_LAYER = re.compile(r"\b(T)\.(?=[\w`])")
_COLUMNS = "id BIGINT, v DOUBLE, day STRING"
_NONE = "SELECT id, v, day FROM T.src WHERE v > 1000"
_PAIRS = "SELECT a.id, b.v, a.day FROM T.src a JOIN T.src b ON a.id = b.id + 1000"


def _place(fmt: str) -> str:
    return {"iceberg": "ice.idle", "paimon": "pai.idle"}.get(fmt, "spark_catalog.idle")


def _tables(fmt: str, names: CatalogNames) -> tuple[Step, ...]:
    keyed = {
        "hudi": " TBLPROPERTIES (primaryKey = 'id', preCombineField = 'v')",
        "paimon": " TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1')",
    }.get(fmt, "")
    more = {
        "iceberg": " TBLPROPERTIES ('write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read')",
        "delta": " TBLPROPERTIES ('delta.enableDeletionVectors'='true')",
    }.get(fmt, keyed)
    return (
        names.step("src ddl", f"CREATE TABLE T.src ({_COLUMNS}) USING {fmt}"),
        names.step("src", "INSERT INTO T.src SELECT id, id * 1.5D, concat('d', id % 2) FROM range(1, 9)"),
        *(names.step(f"{name} ddl", f"CREATE TABLE T.{name} ({_COLUMNS}) USING {fmt}{keyed}") for name in ("a", "b")),
        names.step("c ddl", f"CREATE TABLE T.c ({_COLUMNS}) USING {fmt}{more}"),
        names.step("p ddl", f"CREATE TABLE T.p ({_COLUMNS}) USING {fmt} PARTITIONED BY (day){keyed.replace(chr(39) + 'id' + chr(39), chr(39) + 'id,day' + chr(39)) if fmt == 'paimon' else keyed}"),
    )  # fmt: skip


def _appends(fmt: str, names: CatalogNames) -> tuple[Step, ...]:
    step, table = names.step, names.table

    def frame(job: Job) -> None:
        table(job, "T.src").where("v > 2000").writeTo(names.sql("T.a")).append()

    def saved(job: Job) -> None:
        table(job, "T.src").where("v > 2000").write.format(fmt).mode("append").saveAsTable(names.sql("T.a"))

    def rows(job: Job) -> None:
        job.spark.createDataFrame([], _COLUMNS).writeTo(names.sql("T.a")).append()

    def aggregate(job: Job) -> None:
        found = table(job, "T.src").where("v > 3000").groupBy("id", "day").sum("v")
        found.selectExpr("id", "`sum(v)` AS v", "day").write.insertInto(names.sql("T.a"))

    good = "INSERT INTO T.a SELECT id, v + {n}, day FROM T.src WHERE id = {n}"
    wrote = iter(range(1, 9))

    def write(name: str) -> Step:
        return step(name, good.replace("{n}", str(next(wrote))))

    return (
        step("none first", f"INSERT INTO T.a {_NONE}"),
        write("write 1"),
        step("none", f"INSERT INTO T.a {_NONE}"),
        step("read 1", "SELECT count(id), max(v) FROM T.a WHERE v > 0"),
        step("none join", f"INSERT INTO T.a {_PAIRS}"),
        write("write 2"),
        step("none again", f"INSERT INTO T.a {_NONE}"),
        step("none twice", f"INSERT INTO T.a {_PAIRS}"),
        write("write 3"),
        step("read 2", "SELECT sum(v) FROM T.a WHERE id > 1"),
        Step("none frame", frame),
        write("write 4"),
        Step("none saved", saved),
        write("write 5"),
        Step("none rows", rows),
        write("write 6"),
        Step("none groups", aggregate),
        step("into b", "INSERT INTO T.b SELECT id, v, day FROM T.a WHERE v > 2"),
        write("write 7"),
        step("none values", "INSERT INTO T.a SELECT * FROM VALUES (1L, 2D, 'x') AS t(id, v, day) WHERE id > 5"),
        write("write 8"),
    )


def _changes(fmt: str, names: CatalogNames, name: str) -> tuple[Step, ...]:
    step = names.step
    prefix = "" if fmt == "paimon" else "t."
    merge = f"MERGE INTO T.{name} t USING ({{}}) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET {prefix}id = s.id, {prefix}v = s.v, {prefix}day = s.day"
    added = " WHEN NOT MATCHED THEN INSERT (id, v, day) VALUES (s.id, s.v, s.day)"
    listed = (
        ("fill", f"INSERT INTO T.{name} SELECT * FROM T.src"),
        ("update none", f"UPDATE T.{name} SET v = 0 WHERE v > 4000"),
        ("write 1", f"INSERT INTO T.{name} SELECT id + 20, v, day FROM T.src WHERE id = 1"),
        ("delete none", f"DELETE FROM T.{name} WHERE v > 4000 AND id > 2"),
        ("write 2", f"INSERT INTO T.{name} SELECT id + 30, v, day FROM T.src WHERE id = 1"),
        ("delete by v", f"DELETE FROM T.{name} WHERE abs(v) > 5000"),
        ("delete one", f"DELETE FROM T.{name} WHERE id = 31"),
        ("merge none", merge.format("SELECT id + 100 AS id, v, day FROM T.src")),
        ("update one", f"UPDATE T.{name} SET v = v + 1 WHERE id = 3"),
        ("merge empty", merge.format("SELECT * FROM T.src WHERE v > 5000") + added),
        ("merge", merge.format("SELECT id, v + 1 AS v, day FROM T.src WHERE id < 4") + added),
        ("read", f"SELECT id FROM T.{name} WHERE v > 3"),
        ("delete none again", f"DELETE FROM T.{name} WHERE id IN (SELECT id + 500 FROM T.src)"),
        ("read again", f"SELECT day, max(v) FROM T.{name} GROUP BY day"),
    )
    return tuple(step(f"{name}: {title}", text) for title, text in listed)


def _overwrites(fmt: str, names: CatalogNames) -> tuple[Step, ...]:
    step = names.step

    def mode(value: str) -> Callable[[Job], None]:
        return lambda job: job.spark.conf.set("spark.sql.sources.partitionOverwriteMode", value)

    return (
        step("p: overwrite none", f"INSERT OVERWRITE T.p {_NONE}"),
        step("p: fill", "INSERT INTO T.p SELECT * FROM T.src"),
        Step("dynamic", mode("dynamic")),
        step("p: dynamic none", f"INSERT OVERWRITE T.p {_NONE}"),
        step("p: dynamic", "INSERT OVERWRITE T.p SELECT id, v + 1, day FROM T.src WHERE day = 'd1'"),
        Step("static", mode("static")),
        step("p: partition none", "INSERT OVERWRITE T.p PARTITION (day = 'zz') SELECT id, v FROM T.src WHERE v > 6000"),
        step("p: write", "INSERT INTO T.p SELECT id + 50, v, day FROM T.src WHERE id < 3"),
        step("p: overwrite all", f"INSERT OVERWRITE T.p {_NONE}"),
        step("p: overwrite again", f"INSERT OVERWRITE T.p {_NONE}"),
        step("p: read", "SELECT * FROM T.p"),
        step("p: truncate", "TRUNCATE TABLE T.p"),
        step("p: write again", "INSERT INTO T.p SELECT id, v, day FROM T.src"),
        step("p: if not exists", f"CREATE TABLE IF NOT EXISTS T.p ({_COLUMNS}) USING {fmt}"),
        step("p: write last", "INSERT INTO T.p SELECT id + 70, v, day FROM T.src WHERE id = 2"),
    )


def _streams(fmt: str, names: CatalogNames) -> tuple[Step, ...]:
    step = names.step

    def stream(job: Job, condition: str, name: str) -> None:
        rows = job.spark.readStream.table(names.sql("T.src")).where(condition)
        job.stream(rows, name).format(fmt).toTable(names.sql("T.b")).awaitTermination()

    def batches(job: Job) -> None:
        def run(rows, number):  # type: ignore[no-untyped-def]
            rows.where("v > 7000").write.format(fmt).mode("append").saveAsTable(names.sql("T.b"))

        rows = job.spark.readStream.table(names.sql("T.src"))
        job.stream(rows, "batch none").foreachBatch(run).start().awaitTermination()

    return (
        Step("stream none", lambda job: stream(job, "v > 7000", "stream none")),
        step("b: append 1", "INSERT INTO T.b SELECT id + 300, v, day FROM T.src WHERE id = 1"),
        Step("stream rows", lambda job: stream(job, "v > 1", "stream rows")),
        Step("stream rows again", lambda job: stream(job, "v > 1", "stream rows")),
        step("b: append 2", "INSERT INTO T.b SELECT id + 400, v, day FROM T.src WHERE id = 1"),
        Step("batch none", batches),
        step("b: append 3", "INSERT INTO T.b SELECT id + 500, v, day FROM T.src WHERE id = 1"),
        step("b: last", "SELECT max(v) FROM T.b WHERE id > 0"),
    )


def _own(fmt: str, names: CatalogNames) -> tuple[Step, ...]:
    """Return the steps in the words of a format."""
    step, call = names.step, names.call

    def replace_where(job: Job) -> None:
        rows = names.table(job, "T.src").where("v > 8000")
        rows.write.format(fmt).mode("overwrite").option("replaceWhere", "id > 9000").saveAsTable(names.sql("T.a"))

    def saved(job: Job) -> None:
        names.table(job, "T.src").write.format(fmt).save(f"{job.root}/lake/path")

    def appended(job: Job) -> None:
        names.table(job, "T.src").where("v > 8000").write.format(fmt).mode("append").save(f"{job.root}/lake/path")

    def api(job: Job) -> None:
        from delta.tables import DeltaTable

        DeltaTable.forName(job.spark, names.sql("T.a")).delete("v > 8000")

    def restored(job: Job) -> None:
        version = names.asked(job, "SELECT max(version) FROM (DESCRIBE HISTORY T.a)")
        job.sql(names.sql(f"RESTORE TABLE T.a TO VERSION AS OF {version}"))

    last = step("a: write last", "INSERT INTO T.a SELECT id + 90, v, day FROM T.src WHERE id = 2")
    again = step("a: write again", "INSERT INTO T.a SELECT id + 80, v, day FROM T.src WHERE id = 2")
    one = step("a: write one", "INSERT INTO T.a SELECT id + 70, v, day FROM T.src WHERE id = 2")
    found = {
        "delta": (
            step("optimize", "OPTIMIZE T.a"),
            step("optimize again", "OPTIMIZE T.a"),
            again,
            step("vacuum", "VACUUM T.a"),
            step("set property", "ALTER TABLE T.a SET TBLPROPERTIES ('x' = '1')"),
            one,
            Step("replace nothing", replace_where),
            Step("api none", api),
            last,
            Step("path", saved),
            Step("path none", appended),
            step("path write", "INSERT INTO delta.`{root}/lake/path` SELECT id + 5, v, day FROM T.src"),
            step("read a", "SELECT * FROM T.a"),
        ),
        "iceberg": (
            step("compact", call("T", "rewrite_data_files", "table => '@.a'")),
            step("compact again", call("T", "rewrite_data_files", "table => '@.a'")),
            again,
            step("manifests", call("T", "rewrite_manifests", "table => '@.a'")),
            step("expire", call("T", "expire_snapshots", "table => '@.a', retain_last => 50")),
            one,
            step("orphans", call("T", "remove_orphan_files", "table => '@.a'")),
            step("set property", "ALTER TABLE T.a SET TBLPROPERTIES ('x' = '1')"),
            last,
            step("read a", "SELECT * FROM T.a"),
        ),
    }
    return found.get(fmt, (again, last, step("read a", "SELECT * FROM T.a")))


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    del two
    names = CatalogNames(layered(_LAYER, {"T": _place(fmt)}))
    return (
        *_tables(fmt, names),
        *_appends(fmt, names),
        *_changes(fmt, names, "b"),
        *_changes(fmt, names, "c"),
        *_overwrites(fmt, names),
        *_streams(fmt, names),
        *_own(fmt, names),
    )


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(
        Path("/tmp/lakehouse_idle"),
        lambda _: None,
        lambda fmt, _: [_place(fmt)],
        steps,
        lambda *_: truth_of({}, (), ""),
        FEW_TASKS,
    ).main()


if __name__ == "__main__":
    main()
