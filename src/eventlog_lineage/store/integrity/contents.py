"""The rows of a version: the same number in Parquet as in the database, and no reference to a row that is not there."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from eventlog_lineage.store.fold.creation import use_current_views
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


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a version.

    Attributes:
        count: The number of rows of all public tables in the database.
        flaws: What is wrong with them, a phrase each.
    """

    count: int
    flaws: tuple[str, ...]


def check_rows(version: Path) -> Rows:
    """Compare the rows of a version's Parquet files and database, and follow its references.

    Raises:
        DamagedError: The database cannot be read.
    """
    with open_for_reading(version / DATABASE_NAME) as connection:
        try:
            use_current_views(connection, tables_only=True)
            known = table_names(connection)
            names = (table.name for table in PUBLIC_TABLES if table.name in known)
            counts = {name: _count(connection, f"FROM {quoted(name)}") for name in names}
            flaws = (*_count_flaws(connection, version, counts), *_reference_flaws(connection))
        except duckdb.Error as error:
            words = str(error).splitlines()[0]
            raise DamagedError(f"{DATABASE_NAME} cannot be read: {words}", str(version)) from None
    return Rows(sum(counts.values()), flaws)


def table_names(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """Return the names of a database's tables and views, and of temporary ones; one of an older program may lack some.

    Raises:
        DamagedError: The database cannot be read.
    """
    try:
        rows = connection.execute(  # faster than information_schema
            "SELECT table_name FROM duckdb_tables() WHERE database_name IN (current_database(), 'temp') "
            "UNION ALL SELECT view_name FROM duckdb_views() WHERE database_name IN (current_database(), 'temp')"
        ).fetchall()
    except duckdb.Error as error:
        raise DamagedError(f"{DATABASE_NAME} cannot be read: {str(error).splitlines()[0]}") from None
    return frozenset(str(name) for (name,) in rows)


def _count_flaws(connection: duckdb.DuckDBPyConnection, version: Path, counts: Mapping[str, int]) -> Iterator[str]:
    for table, expected in counts.items():
        files = f"{glob.escape(str(version / table))}/**/*.parquet"
        try:
            found = _count(connection, f"FROM read_parquet({text_literal(files)})")
        except duckdb.Error as error:
            yield f"the Parquet files of {table} cannot be read: {str(error).splitlines()[0]}"
            continue
        if found != expected:
            yield f"{table} has {found} rows in Parquet and {expected} in {DATABASE_NAME}"


def _reference_flaws(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    for table, column, other, key in _REFERENCES:
        values = f"SELECT DISTINCT {column} AS value FROM {table} WHERE CAST({column} AS VARCHAR) <> ''"
        if missing := _count(connection, f"FROM ({values}) v ANTI JOIN {other} o ON o.{key} = v.value"):
            yield f"{missing} values of {table}.{column} are not in {other}.{key}"


def _count(connection: duckdb.DuckDBPyConnection, rows: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) {rows}").fetchone() or (0,)
    return int(count)
