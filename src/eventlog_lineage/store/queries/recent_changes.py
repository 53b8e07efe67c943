"""What changed since a time, what depends on it, and how the next runs that read it went."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from eventlog_lineage.store.schema.sql_files import sql_text

from .lookups import check_dataset
from .open_store import Answer, OpenStore

_WITHOUT_DEPENDANTS = frozenset({"column_added", "table_created"})


def changes(store: OpenStore, since: datetime | None, asked: str | None = None) -> Answer:
    """Return the changes of schemas and lineage, the oldest first.

    Args:
        store: The store.
        since: From this time on, UTC without a zone; None for all times.
        asked: The dataset, under the names that it had before, too; None for all datasets.

    Returns:
        changed_at, kind (`schema`, `lineage`), dataset, change, column_name, old_value, new_value, nature, confidence,
        job_name, app_id, attempt_id, execution_id; for a change of a schema also `depends`, the columns and datasets
        downstream that were made of it at that time, and `next_runs`, the first run after it of every job that reads
        the dataset: job_name, started_at, status, error (None if there was none yet).
    """
    dataset = check_dataset(store, asked) if asked is not None else None
    found = store.ask(sql_text("queries/changes"), {"since": since, "dataset": dataset})
    store.connection.execute(sql_text("queries/held_edges"))
    rows: list[tuple[object, ...]] = []
    known: dict[tuple[object, ...], tuple[list[str], list[dict[str, object]]]] = {}
    for row in found.records():
        if row["kind"] != "schema":
            rows.append((*row.values(), None, None))
            continue
        key = (row["dataset"], _before(row), row["changed_at"], row["execution_id"], row["change"])
        if key not in known:
            known[key] = (_depends(store, row), _next_runs(store, row))
        rows.append((*row.values(), *known[key]))
    return Answer((*found.names, "depends", "next_runs"), rows)


def _before(row: dict[str, Any]) -> object:
    """Return the column's name before the change."""
    return row["old_value"] if row["change"] == "column_renamed" else row["column_name"]


def _depends(store: OpenStore, row: dict[str, Any]) -> list[str]:
    if row["change"] in _WITHOUT_DEPENDANTS:
        return []
    dataset = row["old_value"] if row["change"] == "table_renamed" else row["dataset"]
    asked = {"dataset": dataset, "column": _before(row), "at": row["changed_at"]}
    found = store.connection.execute(sql_text("queries/dependants"), asked).fetchall()
    return [f"{target}.{column}" if column else str(target) for target, column in found]


def _next_runs(store: OpenStore, row: dict[str, Any]) -> list[dict[str, object]]:
    asked = {
        "dataset": row["dataset"],
        "other": row["old_value"] if row["change"] == "table_renamed" else row["dataset"],
        "at": row["changed_at"],
        "app": row["app_id"],
        "attempt": row["attempt_id"],
        "execution": row["execution_id"],
    }
    found = store.connection.execute(sql_text("queries/next_runs"), asked).fetchall()
    names = ("job_name", "started_at", "status", "error", "app_id", "execution_id")
    return [dict(zip(names, each, strict=True)) for each in found]
