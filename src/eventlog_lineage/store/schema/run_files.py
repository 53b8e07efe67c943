"""The Parquet files of single runs in a version's folder, and the views of `lineage.duckdb` over them."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from .ddl import column_list, quoted, text_literal
from .declaration import Table
from .internal_tables import RUN_TABLES
from .schemas import stored_name

RUNS = "runs"
"""The folder, in a version's, of the files that the views read: `runs/<table>/<day>.*.parquet`.

They have no folders of days: to make one takes twenty times as long as to link a file (ext4), and each version has all
days. Older programs wrote `runs/<table>/started_on=<day>/*.parquet`; days that did not change since are there still.
"""

INTERNAL = "internal"
"""The folder, in a version's, of tables that only `lineage.duckdb` has otherwise: `internal/<table>/*.parquet`."""

RUNS_FOLDER = "runs_folder"
"""The fact that names the version's folder in the views."""

RUNS_VARIABLE = "eventlog_lineage_version"
"""The variable of a DuckDB connection that leads the views to the runs of another folder, whose glob characters are
escaped; and the fact that names the folder of views that look at the variable."""

RUN_COLUMNS = "run_columns"
"""The fact that names the columns of the files."""

FACTS_OF_RUNS = (RUNS_FOLDER, RUNS_VARIABLE, RUN_COLUMNS)
"""The facts that belong to the views over runs, not to what a store knows."""

TABLE_COLUMNS = "table_columns"
"""The fact that names the columns of the database's own tables."""

PARTITION = "started_on"
"""The hive partition of run-level tables: the day, in UTC, on which the application started."""

NO_DAY = "__HIVE_DEFAULT_PARTITION__"
"""The partition of applications whose start is not known, as Hive and Spark call it."""


_FOLDER = f"CAST(getvariable('{RUNS_VARIABLE}') AS VARCHAR)"
_NO_PARTITIONS = "hive_partitioning = false"


def run_views(version: Path, *, temporary: bool = False) -> Iterator[str]:
    """Yield the statements that create the views over the runs of a version.

    Args:
        version: The version's folder, an absolute path.
        temporary: For the connection only; columns that the files of an older program lack are NULL.
    """
    for table in RUN_TABLES:
        columns = column_list(table.column_names)
        if temporary:
            files = text_literal(f"{glob.escape(str(version))}{_files_of(table)}")
            source = f"({no_rows(table)} UNION ALL BY NAME SELECT * FROM read_parquet({files}, {_NO_PARTITIONS}))"
            yield f"CREATE OR REPLACE TEMP VIEW {quoted(table.name)} AS SELECT {columns} FROM {source}"
        else:
            folder = f"coalesce({_FOLDER}, {text_literal(glob.escape(str(version)))})"
            source = f"read_parquet({folder} || {text_literal(_files_of(table))}, {_NO_PARTITIONS})"
            yield f"CREATE OR REPLACE VIEW {stored_name(table)} AS SELECT {columns} FROM {source}"


def follow_folder(folder: str) -> str:
    """Return the statement that leads a connection's views to the runs of a version, wherever they looked before.

    Args:
        folder: The value of `RUNS_VARIABLE`: the version's folder, an absolute path, with its glob characters escaped.
    """
    return f"SET VARIABLE {RUNS_VARIABLE} = {text_literal(folder)}"


def listed_run_views(files: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the statements that create the views over listed files of runs.

    Args:
        files: Paths or URLs, by the table's name.
    """
    for table in RUN_TABLES:
        listed = ", ".join(map(text_literal, files.get(table.name, ())))
        found = f"CASE WHEN {_FOLDER} IS NULL THEN [{listed}] ELSE [{_FOLDER} || {text_literal(_files_of(table))}] END"
        source = f"read_parquet({found}, {_NO_PARTITIONS})" if listed else f"({no_rows(table)})"
        yield f"CREATE OR REPLACE VIEW {stored_name(table)} AS SELECT {column_list(table.column_names)} FROM {source}"


def empty_run_views() -> Iterator[str]:
    """Yield the statements that create the views over the runs of a version without runs, whatever they were before."""
    for table in RUN_TABLES:
        yield f"CREATE OR REPLACE VIEW {stored_name(table)} AS {no_rows(table)}"


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


def day_files(version: Path | str, table: Table) -> Iterator[tuple[str, str]]:
    """Yield the files of a table's runs with their days, as the names of partitions have them, in order.

    Args:
        version: The version's folder; folders that cannot be read have no files.
        table: The table.
    """
    folder = f"{version}/{RUNS}/{table.name}"
    for name in _listed(folder):
        if name.startswith(f"{PARTITION}="):
            of_day = (each for each in _listed(f"{folder}/{name}") if each.endswith(".parquet"))
            yield from ((day_of(name), f"{folder}/{name}/{each}") for each in of_day)
        elif name.endswith(".parquet"):
            yield day_of(name), f"{folder}/{name}"


def day_of(name: str) -> str:
    """Return the day of a file, or of an older program's folder, in that of a table's runs.

    Args:
        name: Its name.
    """
    return name.removeprefix(f"{PARTITION}=") if name.startswith(f"{PARTITION}=") else name.partition(".")[0]


def _listed(folder: str) -> list[str]:
    with suppress(OSError):
        return sorted(os.listdir(folder))  # noqa: PTH208 - faster for years of days
    return []


def _files_of(table: Table) -> str:
    return f"/{RUNS}/{table.name}/**/*.parquet"


def no_rows(table: Table) -> str:
    """Return a query with the columns of a table and no rows."""
    columns = ", ".join(f"CAST(NULL AS {column.type}) AS {quoted(column.name)}" for column in table.columns)
    return f"SELECT {columns} WHERE false"


def columns_digest(tables: Iterable[Table] = RUN_TABLES) -> str:
    """Return what names the columns of some tables, by default of the runs' files, and how they are stored."""
    declared: list[tuple[str, ...]] = [(table.name, each.name, each.type) for table in tables for each in table.columns]
    declared += [(table.name, "compressed") for table in tables if table.is_compressed]
    return hashlib.sha256(repr(declared).encode()).hexdigest()
