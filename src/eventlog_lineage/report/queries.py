"""The queries of the page: SQL files of this package, run on an open store."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eventlog_lineage.store.queries.open_store import OpenStore

_SQL = Path(__file__).parent / "sql"

Rows = list[tuple[Any, ...]]


def query(name: str) -> str:
    """Return the text of one of this package's SQL files."""
    return (_SQL / f"{name}.sql").read_text(encoding="utf-8")


def run(store: OpenStore, name: str, parameters: Mapping[str, object] | None = None) -> None:
    """Run a file of statements that make temporary tables.

    Args:
        store: The store.
        name: The file's name without `.sql`.
        parameters: Values for the statements' `$name`.
    """
    store.connection.execute(query(name), parameters)


def rows(store: OpenStore, name: str) -> Rows:
    """Return the rows of a file with one query.

    Args:
        store: The store.
        name: The file's name without `.sql`.
    """
    return store.connection.execute(query(name)).fetchall()


def columns(store: OpenStore, name: str, width: int) -> list[list[Any]]:
    """Return the columns of a file with one query.

    Args:
        store: The store.
        name: The file.
        width: How many columns it has; so many empty ones if there are no rows.
    """
    found = rows(store, name)
    return [list(column) for column in zip(*found, strict=True)] if found else [[] for _ in range(width)]


def numbers(store: OpenStore, query: str) -> list[array[int]]:
    """Return the columns of a query, all of them INTEGER without NULL: half a million rows take no Python objects."""
    found = store.connection.sql(query).to_arrow_table().combine_chunks()
    lists = []
    for column in found.columns:
        values = array("i")
        for chunk in column.chunks:
            values.frombytes(memoryview(chunk.buffers()[1])[4 * chunk.offset : 4 * (chunk.offset + len(chunk))])
        lists.append(values)
    return lists
