"""Streaming queries that write the files of a session catalog's table: progress events name the location only.

`DataStreamWriter.toTable` of a table of files is a `FileStreamSink` at the table's location (3.1 to 4.3), in the
classic API and in Spark Connect, whose server runs the same code. There, the job tag of the operation links the
creation of the table to the batches of the stream (3.5 to 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import formats
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.lineage.stream_locations import StreamLocations
from eventlog_lineage.model import Dataset
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole

from .execution_summary import ExecutionSummary
from .micro_batches import Batches

_TO_TABLE = frozenset({"toTable", "table"})
"""Call sites of a stream that creates its table first."""
_DATABASE = ".db"
_CREATION = re.compile(r"\s*CREATE\s+(?:EXTERNAL\s+)?TABLE\b.*?\bLOCATION\s+(['\"])(.+?)\1", re.IGNORECASE | re.DOTALL)
_DEFAULT_WAREHOUSE = "spark-warehouse"
"""The folder of `spark.sql.warehouse.dir` unless it is set (`StaticSQLConf.WAREHOUSE_PATH`)."""


def with_table_sinks(
    streams: Mapping[str, StreamLocations], ordered: Sequence[ExecutionSummary], settings: CatalogSettings
) -> Mapping[str, StreamLocations]:
    """Return the locations of streaming queries, with a table for each sink that is a table's location.

    Args:
        streams: Run id of a query to where it reads and writes. The location of a table of a table format is known to
            be its table from the format's own plans.
        ordered: All executions of the application.
        settings: Its catalog settings.
    """
    sinks = [each.sink for each in streams.values() if each.sink is not None]
    paths = [sink for sink in sinks if sink.kind == "path" and not sink.format]
    unnamed = {each.name for each in formats() if each.hides_stream_table}
    with_format = [sink for sink in sinks if sink.kind == "path" and sink.format in unnamed]
    if not paths and not with_format:
        return streams
    changed = {_name(table) for execution in ordered for table in execution.changed}
    created = {_name(table) for execution in ordered if execution.call in _TO_TABLE for table in execution.changed}
    located = _located(ordered, settings)
    tables = {path.name: located.get(path.name) or _table_at(path.name, changed, created, settings) for path in paths}
    started = {**_started_after(streams, ordered, frozenset(tables.values())), **_of_operations(streams, ordered)}
    for path, table in started.items():
        if path in tables:  # of other sinks with a format, the format's own plans know the table
            tables[path] = tables[path] or table
    for sink in with_format:
        own = (table for table in created if settings.managed_location(table) == sink.name.rstrip("/"))
        tables[sink.name] = next(own, "")
    return {
        run_id: each.with_table_sink(Dataset(tables[each.sink.name], "table"))
        if each.sink is not None and tables.get(each.sink.name)
        else each
        for run_id, each in streams.items()
    }


def with_scanned_sources(batches: Batches, by_id: Mapping[int, ExecutionSummary]) -> Batches:
    """Return micro-batches, with the tables that other batches of their query scan.

    A batch without new data has an empty relation instead of its scan, and progress events of Iceberg and Paimon have
    only the class of the source.

    Args:
        batches: Root execution to the locations of its query; only the ones without tables of their own change.
        by_id: All executions of the application.
    """
    unnamed = {
        root: by_id[root]
        for root, (locations, reader) in batches.items()
        if reader is None and locations.sources and not any(locations.sources)
    }
    if not unnamed:
        return batches
    scanned: dict[str, tuple[str, ...]] = {}
    for execution in unnamed.values():
        if names := _streamed(execution):
            scanned.setdefault(execution.stream_run_id, names)
    found = dict(batches)
    for root, execution in unnamed.items():
        locations, reader = batches[root]
        names = scanned.get(execution.stream_run_id, ())
        if not _streamed(execution) and len(names) == len(locations.sources):
            sources = tuple((Dataset(name, "table"),) for name in names)
            found[root] = replace(locations, sources=sources), reader
    return found


def _streamed(execution: ExecutionSummary) -> tuple[str, ...]:
    """Return the full names of the tables that the scans of a micro-batch name."""
    facts = (each for each in execution.summary.facts if isinstance(each, SnapshotRef))
    names = (each.table.name for each in facts if each.role is SnapshotRole.STREAMED)
    return tuple(dict.fromkeys(name for name in names if name.count(".") > 1))


def _table_at(path: str, changed: Iterable[str], created: Iterable[str], settings: CatalogSettings) -> str:
    """Return the table whose files are at a path; empty if the path belongs to no table.

    Args:
        path: As `naming.path_name` returns it.
        changed: The session catalog's tables that the application created or changed.
        created: Those of them that `toTable` of a streaming query created.
        settings: The application's catalog settings.
    """
    managed = [table for table in changed if settings.managed_location(table) == path]
    if managed:
        return managed[0]
    parent, _, name = path.rpartition("/")
    own = [table for table in created if table.rpartition(".")[2].lower() == name.lower()]
    if len(own) == 1:
        return own[0]
    warehouse, _, folder = parent.rpartition("/")
    known = {settings.warehouse} if settings.warehouse else set()
    in_warehouse = warehouse in known or warehouse.rpartition("/")[2] == _DEFAULT_WAREHOUSE
    if in_warehouse and folder.endswith(_DATABASE) and name:
        return f"{naming.SESSION_CATALOG}.{folder.removesuffix(_DATABASE)}.{name}"
    return ""


def _started_after(
    streams: Mapping[str, StreamLocations], ordered: Sequence[ExecutionSummary], known: frozenset[str]
) -> dict[str, str]:
    """Return the table of each sink whose query started right after `toTable` created one table.

    `toTable` creates the table, then starts its query (3.1 to 4.3). With several tables or several new queries between
    two creations, nothing shows which belongs to which.

    Args:
        streams: Run id of a query to where it reads and writes.
        ordered: All executions of the application.
        known: The tables whose sinks are known.
    """
    found: dict[str, str] = {}
    seen: set[str] = set()
    created: list[str] = []
    started: list[str] = []
    for execution in (*ordered, None):
        run_id = execution.stream_run_id if execution is not None else ""
        is_new = bool(run_id) and run_id not in seen
        creates = execution is not None and not run_id and execution.call in _TO_TABLE and execution.changed
        if execution is None or (creates and started):
            if len(created) == len(started) == 1:
                found[started[0]] = created[0]
            created, started = [], []
        if execution is not None and creates:
            created += [name for name in map(_name, execution.changed) if name not in created]
        elif execution is not None and is_new:
            seen.add(run_id)
            sink = streams[run_id].sink if run_id in streams else None
            if created and execution.call in _TO_TABLE and sink is not None and sink.kind == "path":
                started.append(sink.name)
    return {path: table for path, table in found.items() if table not in known}


def location_in_sql(sql: str) -> str:
    """Return the location of the table that a statement creates; empty for other statements.

    >>> location_in_sql("CREATE TABLE shop.t (id INT) USING parquet LOCATION '/lake/t'")
    '/lake/t'
    """
    match = _CREATION.match(sql) if sql else None
    return match[2] if match else ""


def _located(ordered: Sequence[ExecutionSummary], settings: CatalogSettings) -> dict[str, str]:
    """Return the tables by the locations that the SQL which created them names.

    Args:
        ordered: All executions of the application.
        settings: Its catalog settings. A location without a scheme is a local one only if the warehouse is.
    """
    is_local = settings.warehouse.startswith("file:") if settings.warehouse else True
    return {
        naming.path_name(each.location): _name(each.changed[0])
        for each in ordered
        if each.location and len(each.changed) == 1 and (is_local or ":/" in each.location)
    }


def _of_operations(streams: Mapping[str, StreamLocations], ordered: Sequence[ExecutionSummary]) -> dict[str, str]:
    """Return the table of each sink whose query was started by the Connect operation that created one table.

    Args:
        streams: Run id of a query to where it reads and writes.
        ordered: All executions of the application.
    """
    created: dict[str, set[str]] = {}
    found: dict[str, str] = {}
    for execution in ordered:
        if execution.call in _TO_TABLE and execution.operation and not execution.stream_run_id:
            created.setdefault(execution.operation, set()).update(map(_name, execution.changed))
        locations = streams.get(execution.stream_run_id)
        tables = created.get(execution.operation, ())
        if locations is not None and locations.sink is not None and locations.sink.kind == "path" and len(tables) == 1:
            found.setdefault(locations.sink.name, *tables)
    return found


def _name(table: str) -> str:
    """Return the full name of a table of the session catalog, `` `database`.`table` ``."""
    return naming.table_name(table)
