"""`--table-metadata`: targets of writes that print none, by the one table on disk that changed while they ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.datasets.naming import path_name
from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.records import AssembledLog, Execution
from eventlog_lineage.events.sources.discovery import storage_of
from eventlog_lineage.events.table_commits import TableCommit
from eventlog_lineage.lineage.catalog_settings import catalog_settings_of
from eventlog_lineage.plan.plan_text import summary_of

from .table_metadata import read_commits


def with_changed_tables(log: AssembledLog) -> AssembledLog:
    """Return a log in which writes without a target commit to the table that changed while they ran.

    The tables are those of the application's catalogs that are folders. A write while which several tables changed,
    or none, keeps its gap.

    Args:
        log: The log's content.
    """
    folders = [pattern for _, pattern in catalog_settings_of(log.application.settings).folders]
    if not folders or not any(map(_is_unnamed, log.executions)):
        return log
    changes = list(_changes(folders))
    executions = tuple(_committing(each, changes) if _is_unnamed(each) else each for each in log.executions)
    return replace(log, executions=executions)


def _is_unnamed(execution: Execution) -> bool:
    is_open = execution.job_facts.commit is None and execution.status == "succeeded"
    return is_open and summary_of(execution.plan).writes_unnamed_table


def _changes(patterns: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield (location, epoch milliseconds) of all commits to the tables of folders that can be read."""
    for pattern in patterns:
        with suppress(LogError, UsageError, OSError):
            files = storage_of(pattern)
            for location in files.matches(files.canonical(pattern.format(database="*", table="*"))):
                yield from _commits(path_name(location))


def _commits(location: str) -> Iterator[tuple[str, int]]:
    with suppress(LogError, OSError):
        for each in read_commits(location):
            if isinstance(each, Commit):
                yield location, each.committed_at


def _committing(execution: Execution, changes: Iterable[tuple[str, int]]) -> Execution:
    start, end = execution.started_at, execution.ended_at
    if start is None or end is None:
        return execution
    changed = {location for location, at in changes if start <= at <= end}
    if len(changed) != 1:
        return execution
    location = changed.pop()
    commit = TableCommit(location.rstrip("/").rpartition("/")[2], location)
    return replace(execution, job_facts=replace(execution.job_facts, commit=commit))
