"""What is written and never read."""

from __future__ import annotations

from datetime import datetime, timedelta

from eventlog_lineage.errors import DOCS
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.ddl import sql_text

CAVEAT = (
    "Only what the harvested logs show counts: reads by other engines, notebooks without event logs and runs that were "
    f"not harvested are not seen. See {DOCS}/questions.md#what-is-not-used."
)


def unused(store: OpenStore, since: datetime) -> Answer:
    """Return the datasets and columns that were written since a time and that no statement has read since then.

    Args:
        since: From this time on, UTC without a zone.

    Returns:
        kind (`dataset_never_read`, `column_never_read`, `column_read_for_nothing`: read, but nothing is made of it),
        dataset, column_name, last_written, last_read (of the dataset), jobs that write it, executor_seconds that its
        stored runs cost (a column: an equal share). A statement that reads what it writes does not count as a reader.
    """
    found = store.ask(sql_text("queries/unused"), {"since": since, "span": None})
    return found.without("ordinal", "first_written")


def unread(store: OpenStore, span: timedelta) -> Answer:
    """Return the datasets and columns that were not read for a span of time; what is newer than that is left out.

    Args:
        span: Counted back from the start of the newest run in the store, so that a store that was not harvested for a
            while returns the same answer.

    Returns:
        kind (`dataset_never_read`, `dataset_unread`, `column_never_read`, `column_unread`, `column_read_for_nothing`),
        dataset, column_name, first_written, last_written, last_read, jobs that write it, executor_seconds that its
        stored runs cost (a column: an equal share).
    """
    found = store.ask(sql_text("queries/unused"), {"since": None, "span": span})
    return found.without("ordinal")
