"""Making a page fit: what is left out, and in which order, where a store is too big for it."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.store.queries.open_store import OpenStore


@dataclass(frozen=True, slots=True)
class Cut:
    """Something that a page can do without.

    Attributes:
        what: As the page and the command name it; `{}` is the number of rows.
        count: A query for that number.
        statements: What takes it out of the temporary tables.
    """

    what: str
    count: str
    statements: tuple[str, ...]


CUTS = (
    Cut(
        "the expressions of {} INDIRECT edges",
        "SELECT count(*) FROM report_edges WHERE dependency = 'INDIRECT' AND expression <> ''",
        ("UPDATE report_edges SET expression = '' WHERE dependency = 'INDIRECT'",),
    ),
    Cut(
        "{} edges that no longer hold",
        "SELECT count(*) FROM report_edges WHERE NOT is_current",
        ("DELETE FROM report_edges WHERE NOT is_current",),
    ),
    Cut(
        "{} changes of schemas and lineage",
        "SELECT (SELECT count(*) FROM report_schema_changes) + (SELECT count(*) FROM report_lineage_changes)",
        (
            "DELETE FROM report_schema_changes",
            "DELETE FROM report_lineage_changes",
            "DELETE FROM report_schema WHERE valid_to IS NOT NULL",
        ),
    ),
    Cut(
        "{} INDIRECT edges",
        "SELECT count(*) FROM report_edges WHERE dependency = 'INDIRECT'",
        ("DELETE FROM report_edges WHERE dependency = 'INDIRECT'",),
    ),
    Cut(
        "the expressions of {} DIRECT edges",
        "SELECT count(*) FROM report_edges WHERE expression <> ''",
        ("UPDATE report_edges SET expression = ''",),
    ),
)
"""From what is missed least to what is missed most."""


def make_cut(store: OpenStore, cut: Cut) -> str:
    """Remove one kind of content.

    Args:
        store: The store.
        cut: The kind of content.

    Returns:
        What was removed; empty if there was none.
    """
    count = int(str(store.ask(cut.count).rows[0][0]))
    for statement in cut.statements:
        store.connection.execute(statement)
    return cut.what.format(f"{count:,}") if count else ""
