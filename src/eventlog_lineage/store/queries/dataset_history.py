"""One dataset's story: its versions, and what changed in its schema and in the lineage that makes it."""

from __future__ import annotations

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.schema.sql_files import sql_text

from .lookups import check_name
from .open_store import Answer, OpenStore


def story(store: OpenStore, asked: str) -> Answer:
    """What happened to a dataset, the oldest first; under the names that it had before, too.

    Args:
        store: The store.
        asked: The dataset, or the end of its name.

    Returns:
        changed_at, kind (`version`, `schema`, `lineage`), dataset, version, change, column_name, old_value, new_value,
        evidence, confidence, job_name, app_id, attempt_id, execution_id.

    Raises:
        UsageError: The name is no dataset of the store.
    """
    dataset, column = check_name(store, asked)
    if column:
        raise UsageError(f"{asked} is a column", hint=f"ask for the dataset {dataset}")
    return store.ask(sql_text("queries/history"), [dataset])
