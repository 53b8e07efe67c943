"""Kinds of statements that the sweep lacks: ALTERs of columns, views, clones, procedures, paths, first batches.

Each cell has its truth. In SQL `A.t` are sources and `B.t` targets; with two Iceberg catalogs (`two` in the log's name)
targets are in `jdb`. `python -m lakehouse.workload_kinds --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse import workload_kinds_own
from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_nights import add_datasets
from lakehouse.workload_run import FEW_TASKS, Workload, layered, places_of

_LAYER = re.compile(r"\b([AB])\.(?=[\w`])")
WIDE = tuple(f"w{n:02d}" for n in range(1, 33))


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of sources (`A`) and targets (`B`)."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return {"A": f"{first}.given", "B": "jdb.given" if two else f"{first}.made"}


def land(root: Path) -> None:
    """Write files for streams."""
    for number in range(2):
        path = root / "landing" / "news" / f"news_{number}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = ({"id": n, "grp": f"g{n % 3}", "amount": n * 1.5} for n in range(number * 10, number * 10 + 10))
        path.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")


class Kinds:
    """The cells that several formats have.

    Args:
        fmt: The format of the tables.
        sql: Puts catalogs into a text.
    """

    def __init__(self, fmt: str, sql: Callable[[str], str]) -> None:
        self.fmt = fmt
        self.sql = sql
        self.names = CatalogNames(sql)
        self.step = self.names.step

    def sources(self) -> Iterator[Step]:
        """Yield the tables that the cells read."""
        wide = ", ".join(f"id * {n} AS {name}" for n, name in enumerate(WIDE))
        yield self.step(
            "items",
            f"CREATE TABLE A.items USING {self.fmt} AS SELECT id, concat('g', id % 3) AS grp, id * 1.5D AS amount, date_add(DATE'2026-01-01', CAST(id AS INT)) AS day FROM range(40)",
            "create a_items",
            "id grp amount day <",
        )
        yield self.step(
            "wide", f"CREATE TABLE A.wide USING {self.fmt} AS SELECT id, {wide} FROM range(20)", "create a_wide", f"id {' '.join(WIDE)} <"
        )  # fmt: skip

    def table(
        self, name: str, options: str = "", columns: str = "id BIGINT, grp STRING, amount DOUBLE"
    ) -> Iterator[Step]:
        """Yield a table and its first rows."""
        yield self.step(f"{name} ddl", f"CREATE TABLE B.{name} ({columns}) USING {self.fmt} {options}")
        yield self.step(
            f"{name} filled",
            f"INSERT INTO B.{name} SELECT id, grp, amount FROM A.items WHERE amount > 3",
            f"append b_{name}",
            "id grp amount < a_items.*",
            "FILTER a_items.amount",
        )

    def by_source(self, name: str) -> Iterator[Step]:
        """Yield MERGEs with clauses for rows that are only in the target."""
        yield self.step(
            f"{name} by source",
            f"MERGE INTO B.{name} t USING A.items s ON t.id = s.id WHEN MATCHED AND s.day > DATE'2026-01-10' THEN UPDATE SET t.amount = s.amount + t.amount WHEN NOT MATCHED THEN INSERT (id, grp, amount) VALUES (s.id, upper(s.grp), s.amount) WHEN NOT MATCHED BY SOURCE AND t.id > 10 THEN UPDATE SET t.grp = concat(t.grp, '-') WHEN NOT MATCHED BY SOURCE THEN DELETE",
            f"merge b_{name}",
            f"id < a_items.id; grp < a_items.grp b_{name}.grp; amount < a_items.amount b_{name}.amount",
            "JOIN a_items.id",
        )

    def deletions(self, name: str, not_in: bool = True) -> Iterator[Step]:
        """Yield DELETEs with subqueries."""
        yield self.step(
            f"{name} delete in",
            f"DELETE FROM B.{name} WHERE id IN (SELECT id FROM A.items WHERE day < DATE'2026-01-05')",
            f"delete b_{name}",
            "",
            f"JOIN a_items.id; JOIN b_{name}.id; FILTER a_items.day",
        )
        yield self.step(
            f"{name} delete exists",
            f"DELETE FROM B.{name} t WHERE EXISTS (SELECT 1 FROM A.wide w WHERE w.id = t.id AND w.w03 > 30)",
            f"delete b_{name}",
            "",
            "JOIN a_wide.id; FILTER a_wide.w03",
        )
        yield self.step(
            f"{name} delete scalar",
            f"DELETE FROM B.{name} WHERE amount > (SELECT max(amount) FROM A.items)",
            f"delete b_{name}",
            "",
            f"FILTER b_{name}.amount; FILTER a_items.amount",
        )
        if not_in:
            yield self.step(
                f"{name} delete not in",
                f"DELETE FROM B.{name} WHERE id NOT IN (SELECT id FROM A.items WHERE grp <> 'g1')",
                f"delete b_{name}",
                "",
                "JOIN a_items.id; FILTER a_items.grp",
            )

    def overwrites(self) -> Iterator[Step]:
        """Yield overwrites of partitions and replacements."""
        yield self.step(
            "parts ddl",
            f"CREATE TABLE B.parts (id BIGINT, amount DOUBLE, grp STRING) USING {self.fmt} PARTITIONED BY (grp)",
        )
        yield self.step(
            "parts filled",
            "INSERT INTO B.parts SELECT id, amount, grp FROM A.items",
            "append b_parts",
            "id amount grp < a_items.*",
        )
        yield self.step(
            "parts static",
            "INSERT OVERWRITE B.parts PARTITION (grp = 'g1') SELECT id + 1, -amount FROM A.items WHERE grp = 'g2'",
            "overwrite b_parts",
            "id amount < a_items.*; grp <",
            "FILTER a_items.grp",
        )
        yield self.step("dynamic on", "SET spark.sql.sources.partitionOverwriteMode=dynamic")
        yield self.step(
            "parts dynamic",
            "INSERT OVERWRITE B.parts SELECT id, amount * 2, lower(grp) FROM A.items WHERE id < 9",
            "overwrite b_parts",
            "id amount grp < a_items.*",
            "FILTER a_items.id",
        )
        yield self.step("dynamic off", "RESET spark.sql.sources.partitionOverwriteMode")
        yield self.step(
            "wide replaced",
            f"CREATE OR REPLACE TABLE B.wide USING {self.fmt} AS SELECT id, {', '.join(f'w.{each} + i.amount AS {each}' for each in WIDE)} FROM A.wide w JOIN A.items i USING (id)",
            "overwrite b_wide",
            "id < a_wide.id; " + "; ".join(f"{each} < a_wide.{each} a_items.amount" for each in WIDE),
            "JOIN a_items.id",
        )

    def streams(self) -> Iterator[Step]:
        """Yield streams whose first batch creates their table."""

        def first(job: Job) -> None:
            rows = job.spark.readStream.schema("id BIGINT, grp STRING, amount DOUBLE").json(f"{job.root}/landing/news")
            rows = rows.where("amount > 1").select(
                "id", f.upper("grp").alias("grp"), (f.col("amount") * 2).alias("twice")
            )
            job.stream(rows, "first toTable").format(self.fmt).toTable(self.sql("B.streamed")).awaitTermination()

        def batched(job: Job) -> None:
            def apply(batch: DataFrame, number: int) -> None:
                rows = batch.groupBy("grp").agg(f.sum("amount").alias("amount"))
                rows.write.format(self.fmt).mode("append").saveAsTable(self.sql("B.batched"))

            rows = job.spark.readStream.schema("id BIGINT, grp STRING, amount DOUBLE").json(f"{job.root}/landing/news")
            job.stream(rows, "first batch").foreachBatch(apply).start().awaitTermination()

        yield Step(
            "first toTable", first, "append b_streamed", "id grp < news.*; twice < news.amount", "FILTER news.amount"
        )
        kind = "append" if self.fmt == "hudi" else "create"
        yield Step("first batch", batched, f"{kind} b_batched", "grp amount < news.*", "GROUP_BY news.grp")

    def through_rdd(self) -> Step:
        """Return a frame that is made of another one's RDD."""

        def run(job: Job) -> None:
            rows = self.names.table(job, "A.items").select("id", "amount")
            again = job.spark.createDataFrame(
                rows.rdd.map(lambda row: (row[0], row[1] * 2)), "id BIGINT, amount DOUBLE"
            )
            again.write.format(self.fmt).mode("overwrite").saveAsTable(self.sql("B.again"))

        return Step("through rdd", run, "overwrite b_again", "id amount < a_items.id a_items.amount")


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the cells of a format, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    return tuple(workload_kinds_own.cells(fmt, Kinds(fmt, sql)))


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    root = f"file://{folder}"
    names = {
        "news": f"{root}/landing/news",
        "flat": "spark_catalog.default.flat",
        "v_sums": "spark_catalog.default.sums",
    }
    listed = steps(fmt, two)
    add_datasets(names, listed, layers(fmt, two), root)
    return truth_of(names, listed, workload_kinds_own.CHANGES.get(fmt, ""))


def main() -> None:
    """Run the cells, or write the truth."""
    Workload(Path("/tmp/lakehouse_kinds"), land, places_of(layers), steps, truth, FEW_TASKS).main()


if __name__ == "__main__":
    main()
