"""The runs of jobs: of those that write a dataset, or of one job by its name."""

from __future__ import annotations

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.ddl import sql_text

from .asked_names import Target, find_target
from .error_line import with_error_lines


def writers(store: OpenStore, asked: str) -> Answer:
    """Return the jobs that write a dataset, or one job: who, when last, how long, how often it fails, how many rows.

    Raises:
        UsageError: The name is not a dataset or a job of the store.
    """
    return with_error_lines(store.ask(sql_text("queries/writers"), _named(store, asked)), "last_error")


def runs(store: OpenStore, asked: str | None, *, failed: bool) -> Answer:
    """Return the runs of statements, the newest first: status, user, seconds, rows and bytes, writes and reads.

    Args:
        asked: The dataset that they write, or their job; None for all runs.

    Raises:
        UsageError: The name is not a dataset or a job of the store.
    """
    named = _named(store, asked) if asked is not None else {"dataset": None, "job": None}
    return with_error_lines(store.ask(sql_text("queries/runs"), {**named, "failed": failed}), "error")


def _named(store: OpenStore, asked: str) -> dict[str, object]:
    target: Target = find_target(store, asked)
    if target.column:
        raise UsageError(f"{asked} is a column", hint=f"ask for the dataset {target.dataset}")
    return {"dataset": target.dataset or None, "job": target.job or None}
