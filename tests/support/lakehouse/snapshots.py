"""Compares the snapshots that the program finds in a workload's log with those that the tables had on disk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from eventlog_lineage.catalog.application_facts import catalog_settings_of
from eventlog_lineage.catalog.stream_tables import locate_streams
from eventlog_lineage.lineage.application import execution_summaries
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.snapshot_uses import find_snapshots
from eventlog_lineage.plan.plan_text import summary_of
from support.lakehouse.medallions import MEDALLION_LOGS
from support.lakehouse.statements import TracedLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MANAGED = "/warehouse/"
_DIGITS = 9
"""A longer number is an id: Delta counts its versions, Iceberg's snapshots have random ids."""


def score_snapshots(name: str, folder: Path = MEDALLION_LOGS) -> tuple[int, list[str]]:
    """Return how many snapshots of a log are right, and a line for each that is not.

    A read of a table must have the snapshot that was current before its statement, or the one that the statement asked
    for; a write the one that it made. Streams may have any that was made until their end.

    Args:
        name: The log; `NAME.snapshots` has what its tables had on disk after each statement.
        folder: The folder of both.
    """
    lines = (folder / f"{name}.snapshots").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    before: dict[str, str] = {}
    known: dict[str, tuple[dict[str, str], dict[str, Any]]] = {}
    for record in records:
        known[record["statement"]] = (before, record)
        before = record["after"]
    right, wrong = 0, []
    for statement, table, direction, snapshot in _found(folder / f"{name}.zstd"):
        if statement not in known:
            continue
        earlier, record = known[statement]
        if _fits(direction, snapshot, earlier.get(table), record, table):
            right += 1
        else:
            asked = record["read"].get(table)
            wrong.append(
                f"{statement}: {direction} {table} {snapshot}; {earlier.get(table)} before it,"
                f" {record['after'].get(table)} after it, {asked or 'none'} asked for"
            )
    return right, wrong


def _fits(direction: str, snapshot: str, before: str | None, record: Any, table: str) -> bool:
    after = record["after"].get(table)
    is_counted = all(value is None or len(value) < _DIGITS for value in (before, after))
    if direction == "write":
        return int(before or -1) < int(snapshot) <= int(after or -1) if is_counted else snapshot != before
    asked = record["read"].get(table, "").split()
    if asked:
        return set(snapshot.split(",")) <= set(asked)
    if record["statement"].startswith("stream "):
        return not is_counted or int(snapshot) <= int(after or -1)
    return snapshot == before


def _found(log: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield (statement, table, direction, snapshot)."""
    read = TracedLog(log).read
    executions = {each.execution_id: each for each in read.executions}
    summaries = {number: summary_of(each.plan) for number, each in executions.items()}
    settings = catalog_settings_of(read.application.settings)
    groups = group_executions(
        execution_summaries(read.executions, read.application.settings), settings, locate_streams(read.progress)
    )
    for use in find_snapshots(groups, executions, summaries, settings, read.progress):
        if use.snapshot_id is not None:
            statement = executions[use.execution_id].description.partition("\n")[0]
            yield statement, _key(use.dataset), use.direction, use.snapshot_id


def _key(dataset: str) -> str:
    """Return `core.flat` for the session catalog's table and its folder, and a path without its scheme."""
    if dataset.startswith("spark_catalog."):
        return dataset.removeprefix("spark_catalog.")
    path = dataset.removeprefix("file://").removeprefix("file:")
    if _MANAGED in path:
        database, _, table = path.rpartition(_MANAGED)[2].partition("/")
        return f"{database.removesuffix('.db')}.{table}"
    return path
