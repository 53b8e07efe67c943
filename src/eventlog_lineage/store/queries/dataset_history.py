"""One dataset's story: its versions, and what changed in its schema and in the lineage that makes it."""

from __future__ import annotations

from datetime import datetime

from eventlog_lineage.store.schema.sql_files import sql_text

from .lookups import check_dataset
from .open_store import Answer, OpenStore


def story(store: OpenStore, asked: str, since: datetime | None = None) -> Answer:
    """Return the history of a dataset, the oldest first, including its earlier names.

    Args:
        store: The store.
        asked: The dataset, or the end of its name.
        since: Leave out what is older, UTC without a zone; None for all of it.

    Returns:
        changed_at, kind (`version`, `schema`, `lineage`), dataset, version, change, column_name, old_value, new_value,
        evidence, confidence, job_name, app_id, attempt_id, execution_id.

    Raises:
        UsageError: The name is not a dataset of the store.
    """
    found = store.ask(sql_text("queries/history"), [check_dataset(store, asked)])
    if since is None:
        return found
    at = found.names.index("changed_at")
    return Answer(found.names, [row for row in found.rows if row[at] is not None and row[at] >= since], found.types)  # type: ignore[operator]
