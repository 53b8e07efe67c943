"""`--table-metadata`: targets of writes that print none, by the one table on disk that changed while they ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.datasets.naming import path_name
from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.records import AssembledLog, Execution
from eventlog_lineage.events.sources.discovery import storage_of
from eventlog_lineage.events.table_commits import TableCommit
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.catalog_settings import catalog_settings_of
from eventlog_lineage.plan.plan_text import summary_of

from .table_metadata import read_commits

_CATALOG, _WAREHOUSE = "spark.sql.catalog.", ".warehouse"


def with_changed_tables(log: AssembledLog) -> AssembledLog:
    """Return a log in which writes and procedures without a target commit to the table that changed meanwhile.

    A write changes its table while it runs. Spark 4 runs a procedure while it analyzes the CALL, before the execution
    that prints its result (`ResolveProcedures`). The tables are those of the application's catalogs that are folders,
    for procedures also those in the folders of warehouses. A statement during which several tables changed, or none,
    keeps its gap.

    Args:
        log: The log's content.
    """
    settings = log.application.settings
    folders = [pattern for _, pattern in catalog_settings_of(settings).folders]
    spans = dict(_spans(log.executions))
    if any(map(_is_call, (each for each in log.executions if each.execution_id in spans))):
        folders += _warehouses(settings)
    if not folders or not spans:
        return log
    changes = set(_changes(folders))
    executions = tuple(
        _committing(each, spans[each.execution_id], changes) if each.execution_id in spans else each
        for each in log.executions
    )
    return replace(log, executions=executions)


def _spans(executions: Sequence[Execution]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield execution id and (begin, end) of the statements without a target: when their table changes."""
    for each in executions:
        if each.job_facts.commit is not None or each.status != "succeeded":
            continue
        if summary_of(each.plan).writes_unnamed_table:
            if each.started_at is not None and each.ended_at is not None:
                yield each.execution_id, (each.started_at, each.ended_at)
        elif _is_call(each) and (span := _before(each, executions)) is not None:
            yield each.execution_id, span


def _is_call(execution: Execution) -> bool:
    return find_command(summary_of(execution.plan).command).is_call


def _before(call: Execution, executions: Iterable[Execution]) -> tuple[int, int] | None:
    """Return the time between a CALL's result and the execution before it; None if others run in it."""
    start = call.started_at
    if start is None:
        return None
    earlier = [each for each in executions if each.started_at is not None and each.started_at < start]
    ends = [each.ended_at for each in earlier]
    if not ends or any(end is None or end > start for end in ends):
        return None
    return max(end for end in ends if end is not None), start


def _warehouses(settings: Mapping[str, str]) -> Iterator[str]:
    """Yield the patterns of the tables in the folders of the application's catalogs."""
    for key, value in settings.items():
        if key.startswith(_CATALOG) and key.endswith(_WAREHOUSE) and value:
            yield f"{path_name(value).replace('{', '{{').replace('}', '}}')}/{{database}}/{{table}}"


def _changes(patterns: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield (location, epoch milliseconds) of all commits to the tables of folders that can be read."""
    for pattern in dict.fromkeys(patterns):
        with suppress(LogError, UsageError, OSError):
            files = storage_of(pattern)
            for location in files.matches(files.canonical(pattern.format(database="*", table="*"))):
                yield from _commits(path_name(location))


def _commits(location: str) -> Iterator[tuple[str, int]]:
    with suppress(LogError, OSError, RecursionError):
        for each in read_commits(location):
            if isinstance(each, Commit):
                yield location, each.committed_at


def _committing(execution: Execution, span: tuple[int, int], changes: Iterable[tuple[str, int]]) -> Execution:
    begin, end = span
    changed = {location for location, at in changes if begin <= at <= end}
    if len(changed) != 1:
        return execution
    location = changed.pop()
    commit = TableCommit(location.rstrip("/").rpartition("/")[2], location)
    return replace(execution, job_facts=replace(execution.job_facts, commit=commit))
