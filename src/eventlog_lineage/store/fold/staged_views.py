"""A harvest's staging folder, as views over its Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from eventlog_lineage.store.schema.ddl import quoted, text_literal
from eventlog_lineage.store.schema.declaration import TIME, Column, Table
from eventlog_lineage.store.schema.tables import HARVEST_TABLES

if TYPE_CHECKING:
    import duckdb

_SMALL = 1 << 20
"""Bytes of Parquet that are read once for all: to open so few rows' files costs more than to read them."""

_DEFAULTS = {"app_id": "''", "attempt_id": "''", "root_execution_id": "execution_id"}
"""What stands for NULL in columns that rows are joined by."""


def view_staging(connection: duckdb.DuckDBPyConnection, staging: Path) -> set[str]:
    """Make a temporary view `handed_<table>` for each table of a hand-over, or a table where the rows are few.

    Columns that the files lack are NULL; times may be with or without a zone (UTC is meant either way).

    Args:
        connection: The store's database.
        staging: `STAGING/<table>/*.parquet`; a folder that is missing stands for no rows.

    Returns:
        The names of the tables that have files.
    """
    return {table.name for table in HARVEST_TABLES if _view(connection, staging, table)}


def _view(connection: duckdb.DuckDBPyConnection, staging: Path, table: Table) -> bool:
    folder = staging / table.name
    files = sorted(folder.glob("*.parquet")) if folder.is_dir() else []
    if files:
        source = f"read_parquet({text_literal(str(folder / '*.parquet'))}, union_by_name = true)"
        found = {name for file in files for name in pq.read_schema(file).names}
        selected = f"SELECT {', '.join(_column(column, found) for column in table.columns)} FROM {source}"
    else:
        selected = f"SELECT {', '.join(_column(column, set()) for column in table.columns)} WHERE false"
    small = files and sum(file.stat().st_size for file in files) <= _SMALL
    kind = "TABLE" if small else "VIEW"
    connection.execute(f"CREATE TEMP {kind} {quoted(f'handed_{table.name}')} AS {selected}")
    return bool(files)


def _column(column: Column, found: set[str]) -> str:
    name = quoted(column.name)
    if column.name not in found:
        value = f"CAST({_DEFAULTS.get(column.name, 'NULL') if found else 'NULL'} AS {column.type})"
    elif column.type == TIME:
        value = f"make_timestamp(epoch_us({name}))"
    else:
        value = f"CAST({name} AS {column.type})"
    if column.name in found and column.name in _DEFAULTS:
        value = f"coalesce({value}, {_DEFAULTS[column.name]})"
    return f"{value} AS {name}"
