"""Facts of a store, rows of `store_facts`: its schema version, where its runs are, the rules that it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


def read_fact(connection: duckdb.DuckDBPyConnection, fact: str) -> str | None:
    """Return the value of a fact; None if the store does not have it.

    Args:
        connection: The store's database; read-only is enough.
        fact: The fact's name.
    """
    row = connection.execute("SELECT value FROM store_facts WHERE fact = ?", [fact]).fetchone()
    return None if row is None else str(row[0])


def write_fact(connection: duckdb.DuckDBPyConnection, fact: str, value: str) -> None:
    """Write a fact, in place of its value before; one that has this value stays as it is.

    Args:
        connection: The store's database.
        fact: The fact's name.
        value: Its value.
    """
    if read_fact(connection, fact) != value:
        connection.execute("DELETE FROM store_facts WHERE fact = ?", [fact])
        connection.execute("INSERT INTO store_facts VALUES (?, ?)", [fact, value])
