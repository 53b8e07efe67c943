"""Read a harvest's staging folder as views over its Parquet files."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from eventlog_lineage.store.schema.ddl import quoted, text_literal
from eventlog_lineage.store.schema.declaration import TIME, Column, Table
from eventlog_lineage.store.schema.tables import HARVEST_TABLES

from .steps import Fold, python_step

if TYPE_CHECKING:
    import duckdb

_SMALL = 1 << 20
"""Bytes of Parquet up to which the rows are read into a table: the files would be opened again by every step."""

_DEFAULTS = {"app_id": "''", "attempt_id": "''", "root_execution_id": "execution_id"}
"""Values in place of NULL in columns that rows are joined by."""


@python_step(makes=" ".join(f"staged_{table.name}" for table in HARVEST_TABLES))
def view_staging(fold: Fold) -> None:
    """Make a temporary view `staged_<table>` for each table of the harvest, or a table where the rows are few.

    Columns that the files lack are NULL. Times with a zone and times without one are both read as UTC. A table without
    files has no rows.
    """
    for table in HARVEST_TABLES:
        _view(fold.connection, fold.staging / table.name, table)


def _view(connection: duckdb.DuckDBPyConnection, folder: Path, table: Table) -> None:
    files = sorted(folder.glob("*.parquet")) if folder.is_dir() else []
    if files:
        source = f"read_parquet({text_literal(f'{glob.escape(str(folder))}/*.parquet')}, union_by_name = true)"
        found = {name for file in files for name in pq.read_schema(file).names}
        selected = f"SELECT {', '.join(_column(column, found) for column in table.columns)} FROM {source}"
    else:
        selected = f"SELECT {', '.join(_column(column, set()) for column in table.columns)} WHERE false"
    small = files and sum(file.stat().st_size for file in files) <= _SMALL
    kind = "TABLE" if small else "VIEW"
    connection.execute(f"CREATE TEMP {kind} {quoted(f'staged_{table.name}')} AS {selected}")


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
