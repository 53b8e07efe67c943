"""`--table-metadata`: snapshots and schemas from the tables' own metadata, and the tables that warehouses hold.

A warehouse that alone holds a table names its catalog, where several catalogs share a class.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from eventlog_lineage.catalog.application_facts import CatalogSettings, catalog_settings_of, warehouses
from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.datasets.naming import path_name, split_name, table_name
from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.records import AssembledLog, Execution, TableCommit
from eventlog_lineage.events.sources.discovery import storage_of
from eventlog_lineage.events.sources.files import TableFolder
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.extensions import Role, find_command, formats
from eventlog_lineage.observed_schemas import StoredTable, TableSchema
from eventlog_lineage.plan.plan_text import summary_of
from eventlog_lineage.plan.summary.plan_facts import CatalogObject, SnapshotRef
from eventlog_lineage.store.schema.declaration import Row, Table
from eventlog_lineage.store.schema.tables import SEEN_SCHEMAS, TABLE_COMMITS

if TYPE_CHECKING:  # executors import this module, and have no DuckDB
    from eventlog_lineage.store.writer import StoreWriter


def known_tables(writer: StoreWriter) -> tuple[StoredTable, ...]:
    """Return the store's tables of the formats whose writes may print an object in place of a name."""
    return tuple(writer.known_tables([each.name for each in formats() if each.tables.objects is not None]))


def logs_to_read_again(
    writer: StoreWriter, before: Collection[StoredTable], logs: Sequence[EventLog]
) -> tuple[EventLog, ...]:
    """Return the logs with writes to unknown tables, if the harvest found tables that may be theirs.

    Plans of some formats print an object in place of the table that they write. The columns of the store's tables name
    it (`TableResolver.objects`); those of tables that another log of the harvest creates are in the store only
    afterwards.

    Args:
        writer: The store's writer, which has published the harvest.
        before: The tables that were known while the logs were read.
    """
    if not set(known_tables(writer)) - set(before):
        return ()
    waiting = set(writer.logs_without_targets())
    return tuple(log for log in logs if log.path in waiting)


_LOG = logging.getLogger(__name__)


def metadata_rows(locations: Iterable[str]) -> Iterator[tuple[Table, Row]]:
    """Yield the rows of `table_commits` and `seen_schemas`, each with its table.

    A table whose metadata has one schema only has no row of it: no change leads to it.

    Args:
        locations: URIs of tables' files; those that are not a table's, or cannot be read, have no rows.
    """
    for location in sorted(set(locations)):
        try:
            found = list(read_commits(location))
        except (LogError, OSError, RecursionError) as error:  # types that are nested too deeply
            _LOG.info("cannot read the table's metadata", extra={"facts": {"location": location, "error": str(error)}})
            continue
        for commit in found:
            if isinstance(commit, Commit):
                yield TABLE_COMMITS, _commit_row(location, commit)
        schemas = [each for each in found if isinstance(each, TableSchema)]
        for schema in schemas if len(schemas) > 1 else ():
            columns, comments = [asdict(column) for column in schema.columns], list(schema.comments)
            yield SEEN_SCHEMAS, SEEN_SCHEMAS.row.of(schema, location=location, columns=columns, comments=comments)


def _commit_row(location: str, commit: Commit) -> Row:
    ids = {"app_id": commit.app_id or None, "stream_query_id": commit.query_id or None}
    own = {"location": location, "stream_batch_id": commit.batch_id, "bytes": commit.size}
    return TABLE_COMMITS.row.of(commit, **ids, **own)


def read_commits(location: str) -> Iterator[Commit | TableSchema]:
    """Yield the snapshots and schemas of a table of any format.

    Raises:
        LogError: The storage cannot be read.
    """
    files = storage_of(location)
    table = TableFolder(files, files.canonical(location).rstrip("/"))
    for each in sorted(formats(), key=lambda each: each.metadata.is_published_too):
        commits: Iterator[Commit | TableSchema] | None = each.metadata.read_commits(table)
        if commits is not None:
            yield from commits
            return


def with_stored_tables(log: AssembledLog) -> AssembledLog:
    """Return a log with the tables that the warehouses of its catalogs hold.

    Only tables that commands name through the object of a catalog whose class several catalogs have are looked up. A
    catalog without a `warehouse` setting, or whose warehouse cannot be read, holds none.
    """
    settings = log.application.settings
    known = catalog_settings_of(settings)
    shared = dict(known.shared)
    if not shared:
        return log
    facts = (fact for each in log.executions for fact in summary_of(each.plan).facts)
    named = {
        (name, fact.table)
        for fact in facts
        if isinstance(fact, CatalogObject)
        for name in shared.get(fact.class_name, ())
    }
    held = ((name, table) for name, table in sorted(named) if _is_held(_locations(name, table, known, settings)))
    return replace(log, stored_tables=tuple(held))


def stored_places(log: AssembledLog, held: MutableMapping[str, bool]) -> Iterator[tuple[str, str]]:
    """Yield (table, location) of the tables of a log that are below the warehouses of their catalogs by their names.

    JDBC catalogs of Iceberg, and others that are not folders, decide the locations of their tables, which plans do not
    print. `JdbcCatalog.defaultWarehouseLocation` (Iceberg 1.12) is `<warehouse>/<namespace>/<table>`. A warehouse that
    several catalogs have yields none.

    Args:
        held: Location to whether it is a table, of the locations that were looked up; receives the others.
    """
    settings = log.application.settings
    known = catalog_settings_of(settings)
    folders = dict(known.folders)
    roots = {name: pattern.format() for name, pattern in warehouses(settings)}
    shared = Counter(roots.values())
    for table in sorted(_named_tables(log, known)):
        catalog, *words = split_name(table)
        root = roots.get(catalog, "")
        if len(words) < 2 or ":/" not in root or shared[root] > 1 or catalog in folders:
            continue
        location = "/".join((root, *words))
        if location not in held:
            held[location] = _is_held([location])
        if held[location]:
            yield table_name(table), location


def _named_tables(log: AssembledLog, known: CatalogSettings) -> set[str]:
    """Return the tables that plans name, with each catalog that a catalog's object may be."""
    names = {class_name: (name,) for class_name, name in known.catalogs} | dict(known.shared)
    found: set[str] = set()
    for execution in log.executions:
        for fact in summary_of(execution.plan).facts:
            if isinstance(fact, SnapshotRef) and fact.table.name:
                found.add(fact.table.name)
            elif isinstance(fact, CatalogObject):
                found.update(f"{name}.{fact.table}" for name in names.get(fact.class_name, ()))
    return found


def _locations(catalog: str, table: str, known: CatalogSettings, settings: Mapping[str, str]) -> Iterator[str]:
    """Yield the folders that a catalog may keep a table in: by its layout, else below its warehouse by its name."""
    location = known.managed_location(f"{catalog}.{table}")
    warehouse = settings.get(f"spark.sql.catalog.{catalog}.warehouse", "").rstrip("/")
    if location:
        yield location
    elif warehouse:
        yield "/".join((warehouse, *split_name(table)))


def _is_held(locations: Iterable[str]) -> bool:
    """Return whether one of these folders is a table of any format."""
    for location in locations:
        with suppress(LogError, UsageError, OSError):
            files = storage_of(location)
            folder = TableFolder(files, files.canonical(location).rstrip("/"))
            if any(each.metadata.read_commits(folder) is not None for each in formats()):
                return True
    return False


_NEVER = 2**63
"""The end of an execution without one, in place of epoch milliseconds."""


def with_changed_tables(log: AssembledLog) -> AssembledLog:
    """Return a log in which writes and procedures without a target commit to the table that changed meanwhile.

    A write changes its table while it runs. Spark 4 runs a procedure while it analyzes the CALL, before the execution
    that prints its result (`ResolveProcedures`). The tables are those of the application's file system catalogs,
    for procedures also those in the folders of warehouses. A statement during which several tables changed, or none,
    keeps its gap.
    """
    settings = log.application.settings
    folders = [pattern for _, pattern in catalog_settings_of(settings).folders]
    spans = dict(_spans(log.executions))
    if any(each.execution_id in spans and _is_call(each) for each in log.executions):
        folders += (f"{location}/{{namespace}}/{{table}}" for _, location in warehouses(settings))
    if not folders or not spans:
        return log
    printed = _printed_names(log.executions)
    changes = set(_changes(folders, {1, *(each.count(".") - 1 for each in printed if each.count(".") > 1)}))
    named = partial(_named, printed, tuple(warehouses(settings)))

    def resolved(execution: Execution) -> Execution:
        span = spans.get(execution.execution_id)
        found = execution if span is None else _committing(execution, span, changes)
        return named(found) if _is_call(found) else found

    return replace(log, executions=tuple(map(resolved, log.executions)))


def _printed_names(executions: Iterable[Execution]) -> frozenset[str]:
    """Return the names of the tables whose snapshots plans read or write."""
    facts = (fact for each in executions for fact in summary_of(each.plan).facts)
    return frozenset(fact.table.name for fact in facts if isinstance(fact, SnapshotRef))


def _named(printed: Container[str], catalogs: Sequence[tuple[str, str]], execution: Execution) -> Execution:
    """Return a procedure with the name of its table in place of the location, if the log prints that name.

    A table of a JDBC or REST catalog is below the catalog's warehouse unless its location was chosen.
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
    return find_command(summary_of(execution.plan).command).role is Role.CALL


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
    """Yield (location, epoch milliseconds) of all commits to the tables of folders that can be read."""
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
