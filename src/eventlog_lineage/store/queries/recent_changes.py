"""Changes of schemas and lineage: of all datasets since a time, and the history of one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.asked_names import check_dataset
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.ddl import sql_text

_KINDS = frozenset(
    """
    schema lineage table_created table_replaced table_dropped table_renamed column_added column_dropped column_renamed
    column_moved type_changed schema_conflict edge_added edge_removed expression_changed
    """.split()
)
_WITHOUT_DEPENDANTS = frozenset({"column_added", "table_created"})


def changes(  # noqa: PLR0913 - what a question can ask for
    store: OpenStore,
    since: datetime | None,
    asked: str | None = None,
    *,
    until: datetime | None = None,
    kind: str | None = None,
    depends: bool = True,
) -> Answer:
    """Return the changes of schemas and lineage, the oldest first.

    Args:
        since: From this time on, UTC without a zone; None for all times.
        asked: The dataset, under the names that it had before, too; None for all datasets.
        until: Before this time; None for now.
        kind: `schema`, `lineage` or a change such as `column_dropped`; None for all.

    Returns:
        changed_at, kind (`schema`, `lineage`), dataset, change, column_name, old_value, new_value, nature, confidence,
        job_name, user_name, app_name, app_id, attempt_id, execution_id; with `depends`, for a change of a schema also
        `depends`, the columns and datasets downstream that were made of it at that time, and `next_runs`, the first run
        after it of every job that reads the dataset: job_name, started_at, status, error (None if there was none yet).

    Raises:
        UsageError: The kind is unknown.
    """
    _check_kinds([kind] if kind else (), _KINDS)
    dataset = check_dataset(store, asked) if asked is not None else None
    wanted = {"since": since, "until": until, "kind": kind, "dataset": dataset}
    found = store.ask(sql_text("queries/changes"), wanted)
    if not depends:
        return found
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


BREAKING = frozenset({"column_dropped", "column_renamed", "table_dropped", "table_renamed", "type_changed"})
"""Changes that break what depends on a column or table."""


def failing(answer: Answer, levels: Sequence[str]) -> int:
    """Return how many changes make a check fail.

    Args:
        answer: From `changes`, with what depends on each.
        levels: `any`, `schema`, `lineage`, a change such as `column_dropped`, `breaking`.

    Raises:
        UsageError: A level is unknown.
    """
    _check_kinds(levels, _KINDS | {"any", "breaking"})
    return sum(_fails(row, levels) for row in answer.records())


def _check_kinds(asked: Sequence[str], known: Collection[str]) -> None:
    for each in asked:
        if each not in known:
            raise UsageError(f"unknown kind of change {each!r}", hint=f"use one of {', '.join(sorted(known))}")


def _fails(row: Mapping[str, object], levels: Sequence[str]) -> bool:
    is_breaking = row["change"] in BREAKING and bool(row.get("depends"))
    return any(
        level in {"any", row["kind"], row["change"]} or (level == "breaking" and is_breaking) for level in levels
    )


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


def story(store: OpenStore, asked: str, since: datetime | None = None) -> Answer:
    """Return the history of a dataset, the oldest first, including its earlier names.

    Args:
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
