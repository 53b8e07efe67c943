"""Names in the store: datasets by a pattern, whatever has a word in it, and how a shell completes a name."""

from __future__ import annotations

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.ddl import sql_text


def datasets(
    store: OpenStore, pattern: str, *, unread: bool = False, unwritten: bool = False, temporary: bool = False
) -> Answer:
    """List datasets.

    Args:
        pattern: A part of the name, or a pattern with `*`, `?` and `[…]` for the whole name or an ending of it; case
            does not count. Empty for all.
        temporary: Also temporary views, which belong to one application; they come last.

    Returns:
        dataset, kind, format, columns (how many), last_written, last_read, writers and readers (jobs), location.
    """
    chosen = {"pattern": pattern, "unread": unread, "unwritten": unwritten, "temporary": temporary}
    return store.ask(sql_text("queries/ls"), chosen)


def find(store: OpenStore, word: str) -> Answer:
    """Find the datasets, columns, jobs and expressions with a word in them; case does not count.

    Returns:
        kind (`dataset`, `column`, `job`, `expression`), name, detail (a type, an alias, an expression). The name of an
        expression is that of the column that it makes. Names that are or begin with the word come first.
    """
    if not word.strip():
        raise UsageError("no word to find", hint="give a part of a name or of an expression")
    return store.ask(sql_text("queries/find"), {"word": word})


def names_with(store: OpenStore, written: str, *, columns: bool, most: int) -> list[str]:
    """Return the names that a user may be about to write.

    Args:
        written: What is written so far.
        columns: Suggest columns once the name of a dataset is written.
    """
    asked = {"written": written, "columns": columns, "most": most}
    return [str(name) for (name,) in store.ask(sql_text("queries/names_with"), asked).rows]
