"""Names in the store: datasets by a pattern, whatever has a word in it, and how a shell completes a name."""

from __future__ import annotations

from eventlog_lineage.store.schema.sql_files import sql_text

from .open_store import Answer, OpenStore


def datasets(store: OpenStore, pattern: str, *, unread: bool = False, unwritten: bool = False) -> Answer:
    """List datasets, those that are views of one application last.

    Args:
        store: The store.
        pattern: A part of the name, or a pattern with `*`, `?` and `[…]` for the whole name or an ending of it; case
            does not count. Empty for all.
        unread: Only those that no statement reads.
        unwritten: Only those that no statement writes.

    Returns:
        dataset, kind, format, columns (how many), last_written, last_read, writers and readers (jobs), location.
    """
    return store.ask(sql_text("queries/ls"), {"pattern": pattern, "unread": unread, "unwritten": unwritten})


def find(store: OpenStore, word: str) -> Answer:
    """Find the datasets, columns, jobs and expressions with a word in them; case does not count.

    Args:
        store: The store.
        word: The word, or a part of one.

    Returns:
        kind (`dataset`, `column`, `job`, `expression`), name, detail (a type, an alias, an expression). The name of an
        expression is that of the column that it makes. Names that are or begin with the word come first.
    """
    return store.ask(sql_text("queries/find"), {"word": word})


def names_with(store: OpenStore, written: str, *, columns: bool, most: int) -> list[str]:
    """Return the names that a user may be about to write.

    Args:
        store: The store.
        written: What is written so far.
        columns: Suggest columns once the name of a dataset is written.
        most: The most names to return.
    """
    asked = {"written": written, "columns": columns, "most": most}
    return [str(name) for (name,) in store.ask(sql_text("queries/names_with"), asked).rows]
