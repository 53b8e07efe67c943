"""The SQL of the store: DDL and Arrow schemas of declared tables, and the files of `store/sql`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.store.schema.declaration import FLAG, LONG, NUMBER, OUTPUTS, SHOWN, TEXT, TEXTS, TIME, Table
from eventlog_lineage.store.schema.tables import EDGE_COLUMNS, EDGE_KEY

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa


_COMPRESSION = {TEXT: " USING COMPRESSION fsst", LONG: " USING COMPRESSION bitpacking"}
_COMPRESSION |= dict.fromkeys((NUMBER, TIME), _COMPRESSION[LONG])
"""DuckDB's compression of columns by their type, whatever the setting `force_compression` is."""


def create_table(table: Table, name: str | None = None, *, replace: bool = False, temporary: bool = False) -> str:
    """Return the statement that makes a table in DuckDB.

    Args:
        name: What to call it, as SQL, if not by its own name.
        temporary: Of the connection only.
    """
    methods = _COMPRESSION if table.is_compressed and not temporary else {}
    columns = ", ".join(
        f"{quoted(column.name)} {column.type}{methods.get(column.type, '')} DEFAULT {column.older}"
        for column in table.columns
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
        name: What it is called, as SQL, if not by its own name.
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


_FOLDER = Path(__file__).parents[1] / "sql"
_PLACEHOLDER = re.compile(r"\{(\w+)(?: of (\w+))?\}")

COLUMN_LISTS = {
    "edge_columns": EDGE_COLUMNS,
    "edge_key": EDGE_KEY,
    "hop_columns": tuple(name for name in EDGE_COLUMNS if name != "target_ordinal"),
    "edge_values": tuple(name for name in EDGE_COLUMNS if name not in EDGE_KEY),
}
"""Placeholder to columns: `{edge_columns}` becomes a list of names, `{edge_columns of e}` one of `e.name`."""


@cache
def raw_sql(name: str) -> str:
    """Return the text of an SQL file as it is, with its placeholders.

    Args:
        name: The file's path below `store/sql`, without `.sql`.
    """
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def sql_text(name: str, **values: object) -> str:
    """Return the text of an SQL file with its placeholders filled.

    Args:
        name: The file's path below `store/sql`, without `.sql`.
        values: Placeholder to value. They are put into the text as they are, so they must come from the program.

    Raises:
        KeyError: The text has a placeholder without a value.
    """

    def filled(match: re.Match[str]) -> str:
        placeholder, alias = match.groups()
        columns = COLUMN_LISTS.get(placeholder)
        return column_list(columns, alias or "") if columns else str(values[placeholder])

    return _PLACEHOLDER.sub(filled, raw_sql(name))
