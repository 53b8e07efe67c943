"""Insert rows made in Python into the store's tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eventlog_lineage.store.schema.ddl import arrow_schema, quoted
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.rows import Row

if TYPE_CHECKING:
    import duckdb


def insert_rows(connection: duckdb.DuckDBPyConnection, table: Table, rows: Iterable[Row]) -> None:
    """Insert rows into a table.

    Args:
        connection: The store's database.
        table: The table; it exists.
        rows: Rows as `table.row` makes them, with Python's types.
    """
    import pyarrow as pa  # noqa: PLC0415 - the commands start without it

    columns = list(zip(*rows, strict=True))
    if not columns:
        return
    schema = arrow_schema(table)
    arrays = [pa.array(values, type=field.type) for values, field in zip(columns, schema, strict=True)]
    connection.register("inserted_rows", pa.Table.from_arrays(arrays, schema=schema))
    connection.execute(f"INSERT INTO {quoted(table.name)} BY NAME SELECT * FROM inserted_rows")
    connection.unregister("inserted_rows")
