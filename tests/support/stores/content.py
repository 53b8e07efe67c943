"""What a store holds, in a form that two stores can be compared by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb

from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.internal_tables import STORED_TABLES
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from support.stores.memory import MemoryStore
from support.stores.rows import asked, rows, shared_duckdb

__all__ = ["check_parquet", "content", "parquet_rows", "rows"]

Row = tuple[Any, ...]

_QUERIES = {"store_facts": "FROM store_facts WHERE fact NOT IN ('runs_folder', 'eventlog_lineage_version')"}
"""Queries for tables with rows that depend on where a store is."""


def content(
    store: Path | MemoryStore, without: tuple[str, ...] = ("harvests", "harvested_logs")
) -> dict[str, list[str]]:
    """All stored tables' rows in an order of their own; what names the order of harvests is left out."""
    if isinstance(store, MemoryStore):
        return _content(store.rows, without)
    with asked(store) as opened:
        return _content(lambda query: opened.ask(query).rows, without)


def _content(ask: Callable[[str], Sequence[Row]], without: tuple[str, ...]) -> dict[str, list[str]]:
    return {
        table.name: sorted(map(repr, ask(_QUERIES.get(table.name, f"FROM {table.name}"))))
        for table in STORED_TABLES
        if table.name not in {*without, "trace_edges"}
    }


def parquet_rows(store: Path, table: str) -> list[str]:
    """A public table's rows as other engines read them: from the Parquet files."""
    with duckdb.connect() as connection:
        return _parquet_rows(connection, store, next(each for each in PUBLIC_TABLES if each.name == table))


def check_parquet(store: Path) -> None:
    """Every public table has the same rows in Parquet as in DuckDB."""
    with asked(store) as opened, shared_duckdb().cursor() as connection:
        for table in PUBLIC_TABLES:
            expected = sorted(map(repr, opened.ask(f"SELECT {_columns(table)} FROM {table.name}").rows))
            assert _parquet_rows(connection, store, table) == expected, table.name


def _parquet_rows(connection: duckdb.DuckDBPyConnection, store: Path, table: Table) -> list[str]:
    files = f"read_parquet('{store}/{table.name}/**/*.parquet', hive_partitioning = true)"
    return sorted(map(repr, connection.execute(f"SELECT {_columns(table)} FROM {files}").fetchall()))


def _columns(table: Table) -> str:
    return ", ".join(f'"{name}"' for name in table.column_names)
