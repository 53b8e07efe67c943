"""The rows of a version: the same number in Parquet as in the database, and no reference to a row that is not there."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from pathlib import Path

import duckdb

from eventlog_lineage.store.publish.database import DATABASE_NAME, DamagedError, open_for_reading
from eventlog_lineage.store.schema.ddl import quoted, text_literal
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

_REFERENCES = (
    ("executions", "plan_fingerprint", "plan_nodes", "plan_fingerprint"),
    ("executions", "lineage_fingerprint", "lineages", "lineage_fingerprint"),
    ("dataset_io", "dataset", "datasets", "dataset"),
    ("dataset_aliases", "dataset", "datasets", "dataset"),
    ("column_lineage", "source_dataset", "datasets", "dataset"),
    ("column_lineage", "target_dataset", "datasets", "dataset"),
    ("table_lineage", "source_dataset", "datasets", "dataset"),
    ("table_lineage", "target_dataset", "datasets", "dataset"),
    ("schema_versions", "dataset", "datasets", "dataset"),
    ("harvested_logs", "harvest_id", "harvests", "harvest_id"),
)
"""Table and column, and the table and column in which each value but NULL and the empty text is found."""


def count_rows(version: Path) -> dict[str, int]:
    """Return the number of rows of each public table in a version's database.

    Raises:
        DamagedError: The database cannot be read.
    """
    return {table.name: _ask(version, f"SELECT count(*) FROM {quoted(table.name)}") for table in PUBLIC_TABLES}


def row_count_flaws(version: Path) -> Iterator[str]:
    """Give the tables with other numbers of rows in Parquet than in the database, a phrase each.

    Raises:
        DamagedError: The database cannot be read.
    """
    with duckdb.connect() as connection:
        for table, expected in count_rows(version).items():
            files = f"{glob.escape(str(version / table))}/**/*.parquet"
            try:
                row = connection.execute(f"SELECT count(*) FROM read_parquet({text_literal(files)})").fetchone()
            except duckdb.Error as error:
                yield f"the Parquet files of {table} cannot be read: {str(error).splitlines()[0]}"
                continue
            found = int(row[0]) if row else 0
            if found != expected:
                yield f"{table} has {found} rows in Parquet and {expected} in {DATABASE_NAME}"


def reference_flaws(version: Path) -> Iterator[str]:
    """Give the columns with values that the table they refer to does not have, a phrase each.

    Raises:
        DamagedError: The database cannot be read.
    """
    for table, column, other, key in _REFERENCES:
        values = f"SELECT DISTINCT {column} AS value FROM {table} WHERE CAST({column} AS VARCHAR) <> ''"
        missing = _ask(version, f"SELECT count(*) FROM ({values}) v ANTI JOIN {other} o ON o.{key} = v.value")
        if missing:
            yield f"{missing} values of {table}.{column} are not in {other}.{key}"


def _ask(version: Path, query: str) -> int:
    with open_for_reading(version / DATABASE_NAME) as connection:
        try:
            row = connection.execute(query).fetchone()
        except duckdb.Error as error:
            words = str(error).splitlines()[0]
            raise DamagedError(f"{DATABASE_NAME} cannot be read: {words}", str(version)) from None
    return int(row[0]) if row else 0
