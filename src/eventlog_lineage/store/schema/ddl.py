"""From the declared tables to DuckDB's DDL and Arrow's schemas; pure text and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .declaration import FLAG, LONG, NUMBER, OUTPUTS, SHOWN, TEXT, TEXTS, TIME, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa


_COMPRESSION = {TEXT: " USING COMPRESSION fsst", LONG: " USING COMPRESSION bitpacking"}
_COMPRESSION |= dict.fromkeys((NUMBER, TIME), _COMPRESSION[LONG])
"""DuckDB's compression of columns by their type, whatever the setting `force_compression` is."""


def create_table(table: Table, name: str | None = None, *, replace: bool = False, temporary: bool = False) -> str:
    """Return the statement that makes a table in DuckDB.

    Args:
        table: The table.
        name: What to call it, as SQL, if not by its own name.
        replace: Drop one that is there.
        temporary: Of the connection only.
    """
    methods = _COMPRESSION if table.is_compressed and not temporary else {}
    columns = ", ".join(
        f"{quoted(column.name)} {column.type}{methods.get(column.type, '')}" for column in table.columns
    )
    words = [
        "CREATE",
        "OR REPLACE" if replace else "",
        "TEMP" if temporary else "",
        "TABLE",
        name or quoted(table.name),
    ]
    return f"{' '.join(word for word in words if word)} ({columns})"


def comment_on(table: Table, name: str | None = None, *, view: bool = False) -> str:
    """Return the statements that set the comments of a table and its columns (`duckdb_tables()`, `SHOW`).

    Args:
        table: The table.
        name: What it is called, as SQL, if not by its own name.
        view: It is a view.
    """
    kind, name = "VIEW" if view else "TABLE", name or quoted(table.name)
    lines = [f"COMMENT ON {kind} {name} IS {text_literal(f'One row is {table.meaning}.')}"]
    lines += [
        f"COMMENT ON COLUMN {name}.{quoted(column.name)} IS {text_literal(column.sentence)}" for column in table.columns
    ]
    return "; ".join(lines)


def quoted(name: str) -> str:
    """Return a name as a quoted SQL identifier: `rows` is a keyword."""
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """Return a text as an SQL literal, where DuckDB accepts no parameter."""
    return "'" + text.replace("'", "''") + "'"


def column_list(names: Iterable[str], prefix: str = "") -> str:
    """Return names as a list in SQL.

    Args:
        names: The names.
        prefix: The table's alias; empty for none.
    """
    return ", ".join(f"{prefix}.{quoted(name)}" if prefix else quoted(name) for name in names)


def arrow_schema(table: Table) -> pa.Schema:
    """Return a table's schema in Arrow, as in the Parquet files; timestamps are UTC in microseconds, without a zone."""
    import pyarrow as pa  # noqa: PLC0415 - the commands start without it

    types = {
        TEXT: pa.string(),
        LONG: pa.int64(),
        NUMBER: pa.int32(),
        FLAG: pa.bool_(),
        TIME: pa.timestamp("us"),
        TEXTS: pa.list_(pa.string()),
        SHOWN: pa.list_(pa.struct([(name, pa.string()) for name in ("name", "data_type", "derivation")])),
        OUTPUTS: pa.list_(pa.struct([("id", pa.int64()), ("name", pa.string())])),
    }
    return pa.schema([(column.name, types[column.type]) for column in table.columns])
