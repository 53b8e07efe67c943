"""`--table-metadata`: targets of writes that print none, by the one table on disk that changed while they ran."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.datasets.naming import path_name
from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.records import AssembledLog, Execution
from eventlog_lineage.events.sources.discovery import storage_of
from eventlog_lineage.events.table_commits import TableCommit
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.catalog_settings import catalog_settings_of, warehouses
from eventlog_lineage.plan.plan_text import summary_of
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef

from .table_metadata import read_commits

_NEVER = 2**63
"""The end of an execution without one, in place of epoch milliseconds."""


def with_changed_tables(log: AssembledLog) -> AssembledLog:
    """Return a log in which writes and procedures without a target commit to the table that changed meanwhile.

    A write changes its table while it runs. Spark 4 runs a procedure while it analyzes the CALL, before the execution
    that prints its result (`ResolveProcedures`). The tables are those of the application's file system catalogs,
    for procedures also those in the folders of warehouses. A statement during which several tables changed, or none,
    keeps its gap.

    Args:
        log: The log's content.
    """
    settings = log.application.settings
    folders = [pattern for _, pattern in catalog_settings_of(settings).folders]
    spans = dict(_spans(log.executions))
    if any(map(_is_call, (each for each in log.executions if each.execution_id in spans))):
        folders += (f"{location}/{{namespace}}/{{table}}" for _, location in warehouses(settings))
    if not folders or not spans:
        return log
    printed = _printed_names(log.executions)
    changes = set(_changes(folders, {1, *(each.count(".") - 1 for each in printed if each.count(".") > 1)}))
    executions = tuple(
        _committing(each, spans[each.execution_id], changes) if each.execution_id in spans else each
        for each in log.executions
    )
    named = partial(_named, printed, tuple(warehouses(settings)))
    return replace(log, executions=tuple(named(each) if _is_call(each) else each for each in executions))


def _printed_names(executions: Iterable[Execution]) -> frozenset[str]:
    """Return the names of the tables whose snapshots plans read or write."""
    facts = (fact for each in executions for fact in summary_of(each.plan).facts)
    return frozenset(fact.table.name for fact in facts if isinstance(fact, SnapshotRef))


def _named(printed: Container[str], catalogs: Sequence[tuple[str, str]], execution: Execution) -> Execution:
    """Return a procedure with the name of its table in place of the location, if the log prints that name.

    A table of a JDBC or REST catalog is below the catalog's warehouse unless its location was chosen.

    Args:
        printed: The result of `_printed_names`.
        catalogs: The result of `warehouses`.
        execution: The procedure.
    """
    commit = execution.job_facts.commit
    if commit is None:
        return execution
    names = {
        f"{catalog}.{match[1].replace('/', '.')}"
        for catalog, pattern in catalogs
        if (match := re.fullmatch(rf"{re.escape(pattern.format())}/(.+/[^/]+)", commit.location))
    }
    found = [name for name in names if name in printed]
    if len(found) != 1:
        return execution
    return replace(execution, job_facts=replace(execution.job_facts, commit=replace(commit, location=found[0])))


def _spans(executions: Sequence[Execution]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield execution id and (begin, end) of the statements without a target: when their table changes."""
    pauses = _pauses(executions)
    for each in executions:
        if each.job_facts.commit is not None or each.status != "succeeded" or each.started_at is None:
            continue
        if summary_of(each.plan).writes_unnamed_table:
            if each.ended_at is not None:
                yield each.execution_id, (each.started_at, each.ended_at)
        elif each.started_at in pauses and _is_call(each):
            yield each.execution_id, (pauses[each.started_at], each.started_at)


def _is_call(execution: Execution) -> bool:
    return find_command(summary_of(execution.plan).command).is_call


def _pauses(executions: Iterable[Execution]) -> dict[int, int]:
    """Return the starts at which no earlier execution runs, with the end of the last one before."""
    times = ((each.started_at, _NEVER if each.ended_at is None else each.ended_at) for each in executions)
    started = sorted((start, end) for start, end in times if start is not None)
    found: dict[int, int] = {}
    latest = 0
    for start, group in groupby(started, key=itemgetter(0)):
        if 0 < latest <= start:
            found[start] = latest
        latest = max(latest, *(end for _, end in group))
    return found


def _changes(patterns: Iterable[str], levels: Iterable[int]) -> Iterator[tuple[str, int]]:
    """Yield (location, epoch milliseconds) of all commits to the tables of folders that can be read.

    Args:
        patterns: Of the tables' locations.
        levels: Numbers of levels that the namespaces of the log's tables have.
    """
    namespaces = ["/".join("*" * level) for level in sorted(levels)]
    every = (each.format(database="*", namespace=name, table="*") for each in patterns for name in namespaces)
    for pattern in dict.fromkeys(every):
        with suppress(LogError, UsageError, OSError):
            files = storage_of(pattern)
            for location in files.matches(files.canonical(pattern)):
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
