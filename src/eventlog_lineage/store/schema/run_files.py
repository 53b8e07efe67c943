"""The Parquet files of single runs in a version's folder, and the views of `lineage.duckdb` over them."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from .ddl import column_list, quoted, text_literal
from .declaration import Table
from .internal_tables import RUN_TABLES
from .schemas import stored_name

RUNS = "runs"
"""The folder, in a version's, of the files that the views read: `runs/<table>/started_on=<day>/*.parquet`."""

INTERNAL = "internal"
"""The folder, in a version's, of tables that only `lineage.duckdb` has otherwise: `internal/<table>/*.parquet`."""

RUNS_FOLDER = "runs_folder"
"""The fact that names the version's folder in the views."""

RUN_COLUMNS = "run_columns"
"""The fact that names the columns of the files."""

TABLE_COLUMNS = "table_columns"
"""The fact that names the columns of the database's own tables."""

PARTITION = "started_on"
"""The hive partition of run-level tables: the day, in UTC, on which the application started."""

NO_DAY = "__HIVE_DEFAULT_PARTITION__"
"""The partition of applications whose start is not known, as Hive and Spark call it."""


def run_views(version: Path, *, temporary: bool = False) -> Iterator[str]:
    """Yield the statements that create the views over the runs of a version.

    Args:
        version: The version's folder, an absolute path.
        temporary: For the connection only; columns that the files of an older program lack are NULL.
    """
    kind = "TEMP VIEW" if temporary else "VIEW"
    for table in RUN_TABLES:
        files = f"{glob.escape(str(version / RUNS / table.name))}/*/*.parquet"
        source = f"read_parquet({text_literal(files)}, hive_partitioning = false)"
        columns = column_list(table.column_names)
        name = quoted(table.name) if temporary else stored_name(table)
        if temporary:
            source = f"({_no_rows(table)} UNION ALL BY NAME SELECT * FROM {source})"
        yield f"CREATE OR REPLACE {kind} {name} AS SELECT {columns} FROM {source}"


def listed_run_views(files: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the statements that create the views over listed files of runs.

    Args:
        files: Paths or URLs, by the table's name.
    """
    for table in RUN_TABLES:
        listed = ", ".join(map(text_literal, files.get(table.name, ())))
        source = f"read_parquet([{listed}], hive_partitioning = false)" if listed else f"({_no_rows(table)})"
        yield f"CREATE OR REPLACE VIEW {stored_name(table)} AS SELECT {column_list(table.column_names)} FROM {source}"


def empty_run_views() -> Iterator[str]:
    """Yield the statements that create the views over the runs of a version without runs, whatever they were before."""
    for table in RUN_TABLES:
        yield f"CREATE OR REPLACE VIEW {stored_name(table)} AS {_no_rows(table)}"


def completed_view(table: Table, known: Collection[str], source: str) -> str:
    """Return the statement that creates, for a connection, a table's view with all of its columns.

    Args:
        table: The table.
        known: The columns that the source has; the others are NULL.
        source: The relation of an older program, with its schema.
    """
    columns = ", ".join(
        quoted(column.name) if column.name in known else f"CAST(NULL AS {column.type}) AS {quoted(column.name)}"
        for column in table.columns
    )
    return f"CREATE OR REPLACE TEMP VIEW {quoted(table.name)} AS SELECT {columns} FROM {source}"


def _no_rows(table: Table) -> str:
    columns = ", ".join(f"CAST(NULL AS {column.type}) AS {quoted(column.name)}" for column in table.columns)
    return f"SELECT {columns} WHERE false"


def columns_digest(tables: Iterable[Table] = RUN_TABLES) -> str:
    """Return what names the columns of some tables, by default of the runs' files."""
    declared = [(table.name, column.name, column.type) for table in tables for column in table.columns]
    return hashlib.sha256(repr(declared).encode()).hexdigest()
