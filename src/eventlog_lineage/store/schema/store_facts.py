"""Facts of a store, rows of `store_facts`: its schema version, where its runs are, the rules that it keeps."""

from __future__ import annotations

from collections.abc import Mapping
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
    write_facts(connection, {fact: value})


def write_facts(connection: duckdb.DuckDBPyConnection, facts: Mapping[str, str]) -> None:
    """Write some facts as `write_fact` writes one, in fewer statements.

    Args:
        connection: The store's database.
        facts: Their values, by their names.
    """
    rows = connection.execute("SELECT fact, value FROM store_facts").fetchall()
    stored = {str(fact): str(value) for fact, value in rows if value is not None}
    changed = {fact: value for fact, value in facts.items() if stored.get(fact) != value}
    if not changed:
        return
    if any(fact in changed for fact, _ in rows):
        connection.execute("DELETE FROM store_facts WHERE list_contains(?, fact)", [list(changed)])
    values = ", ".join("(?, ?)" for _ in changed)
    connection.execute(f"INSERT INTO store_facts VALUES {values}", [word for pair in changed.items() for word in pair])
