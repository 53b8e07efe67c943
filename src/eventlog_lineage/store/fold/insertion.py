"""Rows that Python makes, into the store's tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eventlog_lineage.store.schema.ddl import arrow_schema
from eventlog_lineage.store.schema.declaration import Table

if TYPE_CHECKING:
    import duckdb


def insert_rows(connection: duckdb.DuckDBPyConnection, table: Table, rows: Iterable[dict[str, object]]) -> None:
    """Insert rows into a table.

    Args:
        connection: The store's database.
        table: The table, which is there.
        rows: Column to value, in Python's types; columns that are missing are NULL.
    """
    import pyarrow as pa  # noqa: PLC0415 - the commands start without it

    found = list(rows)
    if found:
        connection.register("told_rows", pa.Table.from_pylist(found, schema=arrow_schema(table)))
        connection.execute(f"INSERT INTO {table.name} BY NAME SELECT * FROM told_rows")
        connection.unregister("told_rows")
