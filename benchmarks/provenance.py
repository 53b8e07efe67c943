"""Changes one source column at a time and looks which target columns change with it, on a real Spark.

If a statement's target column has neither a DIRECT nor an INDIRECT edge from a source column, then other values in
that source column must leave it as it is. For each statement the lineage is told from its plan; then each column
without an INDIRECT edge (those may change everything) is given other values, the statement runs again, and each
target column's values are compared as multisets; of a statement with a generator as sets, because how often
`explode` repeats a row is no edge (docs/semantics.md).

Usage: `python benchmarks/provenance.py`, with the Python that has the project and PySpark.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from eventlog_lineage.lineage.tracing.resolve_plan import resolve
from eventlog_lineage.plan.plan_text import read_plan
from provenance_statements import STATEMENTS

ORDERS = """
    SELECT id AS order_id, id % 4 AS customer_id, id % 3 AS product_id, (id * 37 % 11) * 1.5D AS amount,
        (id * 5 % 7) * 0.1D AS discount, IF(id % 3 = 0, 'open', 'paid') AS status,
        date_add(DATE'2026-11-01', int(id % 5)) AS day, array(concat('t', id % 3), 'u') AS tags,
        named_struct('city', concat('c', id % 4), 'zip', concat('z', id)) AS place,
        map('k', concat('v', id % 5)) AS extra
    FROM range(24)
"""
CUSTOMERS = """
    SELECT id AS customer_id, concat('n', id) AS name, IF(id % 2 = 0, 'DE', 'FR') AS country, id - 1 AS boss
    FROM range(6)
"""
PRODUCTS = "SELECT id AS product_id, concat('p', id) AS title, id * 2.5D + 1 AS price FROM range(3)"
TABLES = {"orders": ORDERS, "customers": CUSTOMERS, "products": PRODUCTS}
OTHER = {
    "bigint": "{0} + 2",
    "double": "{0} * -3 + 100",
    "string": "concat('x', reverse({0}))",
    "date": "date_add({0}, 40)",
    "array": "transform({0}, e -> concat('y', e))",
    "struct": "named_struct('city', concat('x', {0}.city), 'zip', concat('x', {0}.zip))",
    "map": "transform_values({0}, (k, v) -> concat('x', v))",
}


@dataclass
class Tally:
    """What was tried."""

    statements: int = 0
    changes: int = 0
    kept: int = 0
    moved: int = 0
    wrong: list[str] = field(default_factory=list)


def make_warehouse(spark: SparkSession) -> dict[str, dict[str, str]]:
    """The tables, and for each column a database in which it alone has other values.

    Returns:
        Table to column to the word that the column's type begins with.
    """
    columns = {}
    for table, rows in TABLES.items():
        spark.sql(f"CREATE TABLE {table} USING parquet AS {rows}")
        fields = spark.table(table).schema.fields
        columns[table] = {field.name: field.dataType.simpleString().partition("<")[0] for field in fields}
    for table, column, kind in ((t, c, kind) for t, own in columns.items() for c, kind in own.items()):
        spark.sql(f"CREATE DATABASE {table}_{column}")
        for other, own in columns.items():
            items = ", ".join(
                f"{OTHER[kind].format(name)} AS {name}" if (other, name) == (table, column) else name for name in own
            )
            spark.sql(f"CREATE VIEW {table}_{column}.{other} AS SELECT {items} FROM default.{other}")
    return columns


def values(frame: DataFrame) -> list[Counter[str]]:
    """The values of each column."""
    rows = frame.collect()
    return [Counter(repr(row[at]) for row in rows) for at in range(len(frame.columns))]


def edges(frame: DataFrame) -> tuple[set[tuple[str, str]], list[set[tuple[str, str]]]]:
    """The source columns that influence all rows, and those of each target column, as (table, column)."""
    execution = frame._jdf.queryExecution()
    mode = frame.sparkSession._jvm.org.apache.spark.sql.execution.ExplainMode.fromString("formatted")
    flow = resolve(read_plan(execution.explainString(mode))).flow
    assert not flow.gaps, flow.gaps

    def word(dataset: str, column: str) -> tuple[str, str]:
        return dataset.rpartition(".")[2], column.partition(".")[0]

    rows = {word(*origin[:2]) for condition in flow.conditions for origin, _ in condition.derivation.sources}
    return rows, [{word(*origin[:2]) for origin, _ in output.derivation.sources} for output in flow.outputs]


def check(spark: SparkSession, statement: str, columns: dict[str, dict[str, str]], tally: Tally) -> None:
    """Tries all columns on one statement."""
    spark.catalog.setCurrentDatabase("default")
    frame = spark.sql(statement)
    on_rows, on_columns = edges(frame)
    before = values(frame)
    tally.statements += 1
    for table, own in columns.items():
        for column in own:
            if (table, column) in on_rows:
                continue
            spark.catalog.setCurrentDatabase(f"{table}_{column}")
            after = values(spark.sql(statement))
            tally.changes += 1
            for name, sources, was, now in zip(frame.columns, on_columns, before, after, strict=True):
                known = (table, column) in sources
                same = set(was) == set(now) if "explode(" in statement else was == now
                tally.kept += not known and same
                tally.moved += known and not same
                if not known and not same:
                    tally.wrong.append(f"{statement}: {name} changes with {table}.{column} and has no edge from it")
                    print(tally.wrong[-1], flush=True)


def main() -> None:
    """Prints what was tried, and every target column that changed without an edge."""
    folder = tempfile.mkdtemp()
    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
    )
    builder = builder.config("spark.sql.shuffle.partitions", "1").config("spark.log.level", "ERROR")
    spark = builder.config("spark.sql.warehouse.dir", str(Path(folder) / "warehouse")).getOrCreate()
    columns = make_warehouse(spark)
    tally = Tally()
    for statement in STATEMENTS:
        check(spark, statement, columns, tally)
    spark.stop()
    print(f"{tally.statements} statements, {tally.changes} changes of one source column:")
    print(f"  {tally.kept} target columns without an edge stayed as they were, {len(tally.wrong)} did not;")
    print(f"  {tally.moved} with a DIRECT edge changed")


if __name__ == "__main__":
    main()
