"""Exchange rows with the database by column name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from eventlog_lineage.store.schema.ddl import arrow_schema, column_list, quoted
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.rows import Row

if TYPE_CHECKING:
    import duckdb

_ROWS_AT_ONCE = 10_000

_FEW_ROWS = 10_000
"""Rows that are inserted as lists: the first Arrow array of a process imports pandas where it is installed."""


def insert_rows(connection: duckdb.DuckDBPyConnection, table: Table, rows: Iterable[Row]) -> None:
    """Insert rows into a table.

    Args:
        connection: The store's database.
        table: The table; it exists.
        rows: Rows as `table.row` makes them, with Python's types.
    """
    listed = list(rows)
    if not listed:
        return
    columns = list(zip(*listed, strict=True))
    if len(listed) <= _FEW_ROWS:
        lists = ", ".join(f"unnest(CAST(? AS {column.type}[]))" for column in table.columns)
        names = column_list(table.column_names)
        connection.execute(
            f"INSERT INTO {quoted(table.name)} ({names}) SELECT {lists}", [list(each) for each in columns]
        )
        return
    import pyarrow as pa  # noqa: PLC0415 - the commands start without it

    schema = arrow_schema(table)
    arrays = [pa.array(values, type=field.type) for values, field in zip(columns, schema, strict=True)]
    connection.register("inserted_rows", pa.Table.from_arrays(arrays, schema=schema))
    connection.execute(f"INSERT INTO {quoted(table.name)} BY NAME SELECT * FROM inserted_rows")
    connection.unregister("inserted_rows")


def read_records(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Sequence[object] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a query as column name to value, in bounded memory.

    Args:
        connection: The store's database; no other query may run on it until the last row is read.
        query: SQL.
        parameters: Values for its `?`.
    """
    cursor = connection.execute(query, list(parameters))
    names = [str(column[0]) for column in cursor.description or ()]
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        for row in rows:
            yield dict(zip(names, row, strict=True))
