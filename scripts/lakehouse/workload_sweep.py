"""Every kind of statement, by every API, on narrow and wide tables: cells whose truth the generator knows.

A cell is a kind, an API and a number of columns. Each column of a source (`s1`, `s2`, …) gets into the target's column of
its number by an expression that depends on the number, so a column in a wrong place is seen. With two Iceberg catalogs
(`two` in the log's name) the targets are in `jdb`, the sources in `ice`.
`python -m lakehouse.workload_sweep --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pyspark.sql import DataFrame

from lakehouse import workload_sweep_own
from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_nights import add_datasets
from lakehouse.workload_run import FEW_TASKS, Workload, layered, places_of
from lakehouse.workload_sweep_columns import Columns

WIDTHS = (6, 30, 64)
_LAYER = re.compile(r"\b([AB])\.(?=[\w`])")


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of sources (`A`) and targets (`B`)."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return {"A": f"{first}.cells", "B": "jdb.cells" if two else f"{first}.made"}


class Sweep:
    """The cells that all formats have.

    Args:
        fmt: The format of the tables.
        sql: Puts catalogs into a text.
        width: The columns of each table.
    """

    def __init__(self, fmt: str, sql: Callable[[str], str], width: int) -> None:
        self.fmt = fmt
        self.sql = sql
        self.names = CatalogNames(sql)
        self.columns = Columns(width)
        self.width = width

    def cell(self, name: str, text: str, writes: str, columns: str = "", conditions: str = "") -> Step:
        """Return the step of a statement, named after the width."""
        return self.names.step(f"{name} {self.width}", text, writes, columns, conditions)

    def framed(
        self,
        name: str,
        action: Callable[[Job, DataFrame], object],
        writes: str,
        source: str = "s",
        where: str = "",
    ) -> Step:
        """Return the step of a frame of the source's rows."""
        made = self.columns.made(f"a_{source}{self.width}")
        table = f"A.{source}{self.width}"

        def run(job: Job) -> None:
            rows = self.names.table(job, table)
            action(job, (rows.where(where) if where else rows).selectExpr(*self.columns.expressions()))

        return Step(f"{name} {self.width}", run, writes, made, f"FILTER a_{source}{self.width}.s2" if where else "")

    def sources(self) -> Iterator[Step]:
        """Yield the tables that the cells read: `s` with columns of its own, `m` with those of the targets."""
        for name, letter in (("s", "s"), ("m", "c")):
            listed = ", ".join(f"id + {n} AS {letter}{n}" for n in range(1, self.width - 1))
            text = f"CREATE TABLE A.{name}{self.width} USING {self.fmt} AS SELECT id, concat('k', id % 5) AS k, {listed} FROM range(40)"
            columns = " ".join(f"{letter}{n}" for n in range(1, self.width - 1))
            yield self.names.step(
                f"source {name}{self.width}", text, f"create a_{name}{self.width}", f"id k {columns} <"
            )

    def target(self, name: str, options: str = "", filled: bool = True) -> Iterator[Step]:
        """Yield a table and its first rows."""
        wide = self.width
        yield self.names.step(
            f"{name} ddl {wide}", f"CREATE TABLE B.{name}{wide} ({self.columns.ddl()}) USING {self.fmt} {options}"
        )
        if filled:
            yield self.cell(
                f"{name} filled", f"INSERT INTO B.{name}{wide} SELECT * FROM A.m{wide} WHERE id < 30",
                f"append b_{name}{wide}", self.columns.copied(f"a_m{wide}"), f"FILTER a_m{wide}.id",
            )  # fmt: skip

    def creations(self) -> Iterator[Step]:
        """Yield tables that statements and frames create."""
        w, made, query = self.width, self.columns.made(f"a_s{self.width}"), self.columns.query(f"A.s{self.width}")
        fmt, sql = self.fmt, self.sql
        yield self.cell(
            "ctas",
            f"CREATE TABLE B.ctas{w} USING {fmt} AS {query} WHERE s2 > 3",
            f"create b_ctas{w}",
            made,
            f"FILTER a_s{w}.s2",
        )
        yield self.cell(
            "ctas star",
            f"CREATE TABLE B.ctass{w} USING {fmt} AS SELECT * FROM A.m{w}",
            f"create b_ctass{w}",
            self.columns.copied(f"a_m{w}"),
        )
        yield self.cell(
            "ctas join",
            f"CREATE TABLE B.ctasj{w} USING {fmt} AS WITH x AS (SELECT * FROM A.m{w} WHERE c1 > 2) SELECT s.id, x.k, {self.columns.both('s', 'x')} FROM A.s{w} s JOIN x ON x.id = s.id",
            f"create b_ctasj{w}", self.columns.joined(f"a_s{w}", f"a_m{w}"), f"JOIN a_m{w}.id; FILTER a_m{w}.c1",
        )  # fmt: skip
        yield self.cell(
            "ctas grouped", f"CREATE TABLE B.ctasg{w} USING {fmt} AS SELECT k, {self.columns.aggregates()} FROM A.s{w} GROUP BY k",
            f"create b_ctasg{w}", self.columns.aggregated(f"a_s{w}"), f"GROUP_BY a_s{w}.k",
        )  # fmt: skip
        yield self.framed(
            "saveAsTable", lambda _, rows: rows.write.format(fmt).saveAsTable(sql(f"B.sat{w}")), f"create b_sat{w}"
        )
        yield self.framed(
            "saveAsTable append",
            lambda _, rows: rows.write.format(fmt).mode("append").saveAsTable(sql(f"B.sat{w}")),
            f"append b_sat{w}",
            where="s2 > 4",
        )
        yield self.framed(
            "saveAsTable overwrite",
            lambda _, rows: rows.write.format(fmt).mode("overwrite").saveAsTable(sql(f"B.sat{w}")),
            f"overwrite b_sat{w}",
            where="s2 > 4",
        )
        yield self.framed("insertInto", lambda _, rows: rows.write.insertInto(sql(f"B.sat{w}")), f"append b_sat{w}")
        yield self.framed(
            "insertInto overwrite",
            lambda _, rows: rows.write.mode("overwrite").insertInto(sql(f"B.sat{w}")),
            f"overwrite b_sat{w}",
        )

    def replacements(self) -> Iterator[Step]:
        """Yield the statements and frames that replace tables."""
        w, made, query = self.width, self.columns.made(f"a_s{self.width}"), self.columns.query(f"A.s{self.width}")
        fmt, sql = self.fmt, self.sql
        yield self.cell(
            "rtas",
            f"CREATE OR REPLACE TABLE B.ctas{w} USING {fmt} AS {query} WHERE s2 > 5",
            f"overwrite b_ctas{w}",
            made,
            f"FILTER a_s{w}.s2",
        )
        yield self.cell("replace", f"REPLACE TABLE B.ctas{w} USING {fmt} AS {query}", f"overwrite b_ctas{w}", made)
        yield self.framed(
            "writeTo create",
            lambda _, rows: rows.writeTo(sql(f"B.wt{w}")).using(fmt).create(),
            f"create b_wt{w}",
            where="s2 > 2",
        )
        yield self.framed("writeTo append", lambda _, rows: rows.writeTo(sql(f"B.wt{w}")).append(), f"append b_wt{w}")
        yield self.framed(
            "writeTo overwrite",
            lambda _, rows: rows.writeTo(sql(f"B.wt{w}")).overwrite(_id_above_9()),
            f"overwrite b_wt{w}",
        )
        yield self.framed(
            "writeTo partitions",
            lambda _, rows: rows.writeTo(sql(f"B.wt{w}")).overwritePartitions(),
            f"overwrite b_wt{w}",
        )
        yield self.framed(
            "writeTo replace",
            lambda _, rows: rows.writeTo(sql(f"B.wt{w}")).using(fmt).replace(),
            f"overwrite b_wt{w}",
            where="s2 > 2",
        )
        yield self.framed(
            "writeTo createOrReplace",
            lambda _, rows: rows.writeTo(sql(f"B.wt{w}")).using(fmt).createOrReplace(),
            f"overwrite b_wt{w}",
        )

    def inserts(self, name: str) -> Iterator[Step]:
        """Yield the INSERTs into a target."""
        w, target, table = self.width, f"b_{name}{self.width}", f"B.{name}{self.width}"
        source, made, query = f"a_s{w}", self.columns.made(f"a_s{self.width}"), self.columns.query(f"A.s{self.width}")
        last = self.width - 2
        yield self.cell(
            "insert", f"INSERT INTO {table} {query} WHERE s2 < 20", f"append {target}", made, f"FILTER {source}.s2"
        )
        yield self.cell(
            "insert columns",
            f"INSERT INTO {table} (c{last}, k, id) SELECT s1 - 1, lower(k), id FROM A.s{w}",
            f"append {target}",
            self.columns.some(source, {f"c{last}": "s1", "k": "k", "id": "id"}),
        )
        yield self.cell(
            "insert by name",
            f"INSERT INTO {table} BY NAME SELECT k, id, {self.columns.reversed()} FROM A.s{w}",
            f"append {target}",
            made,
        )
        yield self.cell(
            "insert union",
            f"INSERT INTO {table} {query} WHERE id = 3 UNION ALL SELECT * FROM A.m{w} WHERE c1 = 7",
            f"append {target}",
            self.columns.made(source, also=f"a_m{w}"),
        )
        yield self.cell("insert overwrite", f"INSERT OVERWRITE {table} {query}", f"overwrite {target}", made)
        yield self.cell(
            "insert self",
            f"INSERT INTO {table} SELECT * FROM {table} WHERE c1 > 3",
            f"append {target}",
            self.columns.copied(target),
            f"FILTER {target}.c1",
        )

    def merges(self, name: str, by_source: bool = True, insert_only: str = "append") -> Iterator[Step]:
        """Yield MERGEs into a target.

        Args:
            name: The target's.
            by_source: The format has `NOT MATCHED BY SOURCE`.
            insert_only: The kind of a MERGE that only inserts.
        """
        w, target, table, last = self.width, f"b_{name}{self.width}", f"B.{name}{self.width}", self.width - 2
        computed = f"({self.columns.query(f'A.s{w}')} WHERE s2 > 1) s"
        made, star = self.columns.made(f"a_s{w}"), "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        begin = f"MERGE INTO {table} t USING"
        on = "ON t.id = s.id"
        yield self.cell(
            f"{name}: merge star", f"{begin} A.m{w} s {on} {star}", f"merge {target}", self.columns.copied(f"a_m{w}")
        )
        yield self.cell(f"{name}: merge star computed", f"{begin} {computed} {on} {star}", f"merge {target}", made)
        yield self.cell(
            f"{name}: merge listed",
            f"{begin} A.s{w} s {on} WHEN MATCHED AND s.s1 > 4 THEN UPDATE SET {self.columns.assigned('t', 's')} WHEN NOT MATCHED THEN INSERT ({self.columns.listed()}) VALUES (s.id, s.k, {self.columns.values('s')})",
            f"merge {target}", self.columns.merged(target, f"a_s{w}"),
        )  # fmt: skip
        yield self.cell(
            f"{name}: merge few",
            f"{begin} A.s{w} s {on} WHEN MATCHED THEN UPDATE SET t.c{last} = t.c{last} + s.s1, t.k = s.k",
            f"merge {target}",
            f"c{last} < {target}.c{last} a_s{w}.s1; k < a_s{w}.k",
        )
        yield self.cell(
            f"{name}: merge delete",
            f"{begin} A.s{w} s {on} WHEN MATCHED AND s.s1 = 11 THEN DELETE WHEN MATCHED THEN UPDATE SET t.c1 = s.s2 * 3",
            f"merge {target}",
            f"c1 < a_s{w}.s2",
        )
        yield self.cell(
            f"{name}: merge insert",
            f"{begin} A.s{w} s ON t.id = s.id + 100 WHEN NOT MATCHED THEN INSERT ({self.columns.listed()}) VALUES (s.id + 100, s.k, {self.columns.values('s')})",
            f"{insert_only} {target}",
            self.columns.plain(f"a_s{w}"),
        )
        yield self.cell(
            f"{name}: merge itself",
            f"{begin} (SELECT id, max(k) AS k, sum(c1) AS c1 FROM {table} GROUP BY id) s {on} WHEN MATCHED AND s.c1 > 1 THEN UPDATE SET t.c{last} = s.c1, t.k = concat(t.k, s.k)",
            f"merge {target}",
            f"c{last} < {target}.c1; k < {target}.k",
        )
        if by_source:
            yield self.cell(
                f"{name}: merge by source",
                f"{begin} {computed} {on} WHEN MATCHED THEN UPDATE SET t.c1 = s.c1, t.c{last} = -s.c2 WHEN NOT MATCHED BY SOURCE AND t.c2 > 90 THEN DELETE WHEN NOT MATCHED BY SOURCE THEN UPDATE SET t.c2 = t.c1 + 1",
                f"merge {target}",
                self.columns.parts(f"a_s{w}", {"c1": 1, f"c{last}": 2}) + f"; c2 < {target}.c1",
            )

    def changes(self, name: str) -> Iterator[Step]:
        """Yield UPDATEs and DELETEs of a target."""
        w, target, table, last = self.width, f"b_{name}{self.width}", f"B.{name}{self.width}", self.width - 2
        yield self.cell(
            f"{name}: update one",
            f"UPDATE {table} SET c{last} = c1 + c2 WHERE c1 > 5",
            f"update {target}",
            f"c{last} < {target}.c1 {target}.c2",
            f"FILTER {target}.c1",
        )
        yield self.cell(
            f"{name}: update literal",
            f"UPDATE {table} SET k = 'x' WHERE id = 3",
            f"update {target}",
            "k <",
            f"FILTER {target}.id",
        )
        yield self.cell(
            f"{name}: update all",
            f"UPDATE {table} SET {self.columns.shifted()} WHERE k <> 'k1'",
            f"update {target}",
            self.columns.shifts(target),
            f"FILTER {target}.k",
        )
        yield self.cell(
            f"{name}: update everywhere",
            f"UPDATE {table} SET c1 = c{last} * 2, k = upper(k)",
            f"update {target}",
            f"c1 < {target}.c{last}; k < {target}.k",
        )
        yield self.cell(
            f"{name}: update in",
            f"UPDATE {table} SET c2 = c1 - 1 WHERE id IN (SELECT id FROM A.s{w} WHERE s1 > 30)",
            f"update {target}",
            f"c2 < {target}.c1",
            f"JOIN a_s{w}.id; FILTER a_s{w}.s1",
        )
        yield self.cell(
            f"{name}: update exists",
            f"UPDATE {table} t SET t.c2 = t.c1 + t.c{last} WHERE EXISTS (SELECT 1 FROM A.s{w} s WHERE s.id = t.id AND s.s1 > 30)",
            f"update {target}",
            f"c2 < {target}.c1 {target}.c{last}",
            f"JOIN a_s{w}.id",
        )
        yield self.cell(
            f"{name}: update scalar",
            f"UPDATE {table} SET k = concat(k, '!') WHERE c1 > (SELECT avg(s1) FROM A.s{w})",
            f"update {target}",
            f"k < {target}.k",
            f"FILTER {target}.c1; FILTER a_s{w}.s1",
        )
        yield self.cell(
            f"{name}: delete",
            f"DELETE FROM {table} WHERE c1 > 33 AND k LIKE 'k%'",
            f"delete {target}",
            "",
            f"FILTER {target}.c1",
        )
        yield self.cell(
            f"{name}: delete in",
            f"DELETE FROM {table} WHERE id IN (SELECT id FROM A.s{w} WHERE s2 = 9)",
            f"delete {target}",
            "",
            f"JOIN a_s{w}.id",
        )
        yield self.cell(
            f"{name}: delete exists",
            f"DELETE FROM {table} t WHERE NOT EXISTS (SELECT * FROM A.m{w} m WHERE m.id = t.id % 40)",
            f"delete {target}",
            "",
            f"JOIN a_m{w}.id",
        )

    def streams(self) -> Iterator[Step]:
        """Yield streams into tables that exist and that they create."""
        w, sql = self.width, self.sql
        source = f"A.m{w}"
        rows = lambda job: job.spark.readStream.table(sql(source))  # noqa: E731

        def appended(job: Job) -> None:
            job.stream(rows(job), f"stream append {w}").toTable(sql(f"B.streamed{w}")).awaitTermination()

        def counted(job: Job) -> None:
            found = rows(job).groupBy("k").agg(*_sums(self.width))
            job.stream(found, f"stream complete {w}", "complete").toTable(sql(f"B.sums{w}")).awaitTermination()

        def merged(job: Job) -> None:
            def apply(batch: DataFrame, number: int) -> None:
                batch.createOrReplaceTempView("arrived")
                batch.sparkSession.sql(sql(f"MERGE INTO B.streamed{w} t USING arrived s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"))  # fmt: skip

            job.stream(rows(job), f"stream merge {w}").foreachBatch(apply).start().awaitTermination()

        def both(job: Job) -> None:
            def apply(batch: DataFrame, number: int) -> None:
                batch.write.format(self.fmt).mode("append").saveAsTable(sql(f"B.streamed{w}"))

            job.stream(rows(job).where("c1 > 4"), f"stream batches {w}").foreachBatch(apply).start().awaitTermination()

        copied = self.columns.copied(f"a_m{w}")
        yield from self.target("streamed", filled=False)
        yield Step(f"stream append {w}", appended, f"append b_streamed{w}", copied)
        yield self.names.step(
            f"sums ddl {w}",
            f"CREATE TABLE B.sums{w} (k STRING, {', '.join(f'c{n} BIGINT' for n in range(1, w - 1))}) USING {self.fmt}",
        )
        yield Step(
            f"stream complete {w}",
            counted,
            f"overwrite b_sums{w}",
            "; ".join(f"{n} < a_m{w}.{n}" for n in ("k", *(f"c{n}" for n in range(1, w - 1)))),
        )
        yield Step(f"stream merge {w}", merged, f"merge b_streamed{w}", copied)
        yield Step(f"stream batches {w}", both, f"append b_streamed{w}", copied, f"FILTER a_m{w}.c1")


def _id_above_9():  # type: ignore[no-untyped-def]
    from pyspark.sql import functions as f

    return f.col("id") > 9


def _sums(width: int):  # type: ignore[no-untyped-def]
    from pyspark.sql import functions as f

    return [f.sum(f"c{n}").alias(f"c{n}") for n in range(1, width - 1)]


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the cells of a format, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    found: list[Step] = []
    for width in WIDTHS:
        found += workload_sweep_own.cells(fmt, Sweep(fmt, sql, width))
    return (*found, *workload_sweep_own.once(fmt, CatalogNames(sql)))


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    names: dict[str, str] = {}
    listed: Iterable[Step] = steps(fmt, two)
    add_datasets(names, listed, layers(fmt, two), f"file://{folder}")
    return truth_of(names, listed, workload_sweep_own.CHANGES.get(fmt, ""))


def main() -> None:
    """Run the cells, or write the truth."""
    Workload(
        Path("/tmp/lakehouse_sweep"),
        lambda _: None,
        places_of(layers),
        steps,
        truth,
        FEW_TASKS,
    ).main()


if __name__ == "__main__":
    main()
