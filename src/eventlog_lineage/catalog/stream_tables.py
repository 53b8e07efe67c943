"""Where streaming queries read and write: progress events, options that plans print, tables that events only locate.

`DataStreamWriter.toTable` of a table of files is a `FileStreamSink` at the table's location (3.1 to 4.3), in the
classic API and in Spark Connect, whose server runs the same code. There, the job tag of the operation links the
creation of the table to the batches of the stream (3.5 to 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary
from eventlog_lineage.datasets import naming, streams
from eventlog_lineage.events.records import StreamProgress
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.write_targets import table_of
from eventlog_lineage.plan.grammar.symbols import is_list, items_of
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode

FOREACH_BATCH_SINK = "ForeachBatchSink"
"""The sink of a query that passes its batches to a user function, which runs statements of its own."""

_WRITES = frozenset({"WriteToMicroBatchDataSource", "WriteToMicroBatchDataSourceV1"})
_SERVERS = "kafka.bootstrap.servers"


@dataclass(frozen=True, slots=True)
class StreamLocations:
    """Where a streaming query reads and writes, according to its progress events.

    Attributes:
        sources: The datasets of each source; None for a connector that prints only its class.
        sink: The dataset that it writes; None if the sink keeps nothing, or if the connector prints only its class.
        unnamed_sink: Class of a sink that prints only its class; empty otherwise.
        servers: Brokers of an unnamed Kafka sink, if its options are known.
        has_batch_function: The batches are passed to a function (`foreachBatch`).
        is_complete: Each batch replaces what the sink holds: the query's output mode is `Complete`.
    """

    sources: tuple[tuple[Dataset, ...] | None, ...] = ()
    sink: Dataset | None = None
    unnamed_sink: str = ""
    servers: str = ""
    has_batch_function: bool = False
    is_complete: bool = False
    query: str = ""

    def with_sink_of_plans(self, logical: Iterable[Plan]) -> StreamLocations:
        """Return the locations with the table and the output mode that a logical plan prints.

        Args:
            logical: The batch's logical plans: extended text prints the sink's table, the query's options (3.1+),
                `path` and `topic` among them, and its output mode.
        """
        roots = [plan.root for plan in logical if plan.root is not None and plan.root.operator in _WRITES]
        known = self
        for root in roots[:1]:
            parts = root.arguments
            known = replace(known, is_complete=known.is_complete or "Complete" in parts)
            table = table_of(parts)
            if known.sink is not None and known.sink.kind == "path" and table is not None:
                known = known.with_table_sink(table)
        return known._with_named_sink(roots) if known.unnamed_sink else known

    def _with_named_sink(self, roots: Iterable[PlanNode]) -> StreamLocations:
        """Return the locations with the sink that a write names, if the progress events do not name it."""
        for parts, options in ((root.arguments, _options(root)) for root in roots):
            servers = options.get(_SERVERS, self.servers)
            if (sink := _sink(parts, options)) is not None:
                return replace(self, sink=sink, unnamed_sink="", servers=servers)
            if servers:
                return replace(self, servers=servers)
        return self

    def with_table_sink(self, table: Dataset) -> StreamLocations:
        """Return the locations with a table in place of the sink, which is the path of the table's files."""
        if self.sink is None:
            return self
        sink = replace(table, format=table.format or self.sink.format, location=self.sink.location or self.sink.name)
        return replace(self, sink=sink)


def locate_streams(progress: Iterable[StreamProgress]) -> dict[str, StreamLocations]:
    """Return the locations of every streaming query of an application, by the id of its run.

    Args:
        progress: The progress events of all its queries, in the log's order.
    """
    last: dict[str, StreamProgress] = {}
    offsets: dict[tuple[str, int], list[str | None]] = {}
    for each in progress:
        last[each.run_id] = each
        for index, (_, start, end, _) in enumerate(each.sources):
            offsets.setdefault((each.run_id, index), [])[:] = [start, end]
    return {run_id: _locations(each, offsets) for run_id, each in last.items()}


def _locations(progress: StreamProgress, offsets: Mapping[tuple[str, int], list[str | None]]) -> StreamLocations:
    sources = tuple(
        streams.stream_source(description, offsets.get((progress.run_id, index), ()))
        for index, (description, *_) in enumerate(progress.sources)
    )
    sink = streams.stream_sink(progress.sink, progress.name)
    unnamed = "" if sink or streams.keeps_nothing(progress.sink) else streams.class_of(progress.sink)
    has_function = FOREACH_BATCH_SINK in progress.sink
    return StreamLocations(sources, sink, unnamed, has_batch_function=has_function, query=progress.name)


def _options(node: PlanNode) -> dict[str, str]:
    """Return the query's options from ``[`cat`.`db`.`t`, ]<sink>@1f, <id>, [queryName=q, path=/x], Append, 0``."""
    items = (item.partition("=") for part in node.arguments if is_list(part) for item in items_of(part))
    return {key.lower(): value for key, _, value in items}


def _sink(parts: Sequence[str], options: Mapping[str, str]) -> Dataset | None:
    """Return the table, path or topic of a write with these arguments; None if they do not name it."""
    if (named := table_of(parts)) is not None:
        return named
    if "topic" in options and any(streams.class_of(part) == streams.KAFKA_SINK for part in parts):
        return streams.topic(options["topic"], options.get(_SERVERS, ""))
    return naming.path(options["path"], format=_format(parts)) if "path" in options else None


def _format(parts: Sequence[str]) -> str:
    """Return the table format of the sink among a write's arguments."""
    return next(filter(None, (streams.class_format(streams.class_of(part)) for part in parts)), "")


_TO_TABLE = frozenset({"toTable", "table"})
"""Call sites of a stream that creates its table first."""
_DATABASE = ".db"
_CREATION = re.compile(r"\s*CREATE\s+(?:EXTERNAL\s+)?TABLE\b.*?\bLOCATION\s+(['\"])(.+?)\1", re.IGNORECASE | re.DOTALL)
_DEFAULT_WAREHOUSE = "spark-warehouse"
"""The folder of `spark.sql.warehouse.dir` unless it is set (`StaticSQLConf.WAREHOUSE_PATH`)."""


def location_in_sql(sql: str) -> str:
    """Return the location of the table that a statement creates; empty for other statements.

    >>> location_in_sql("CREATE TABLE shop.t (id INT) USING parquet LOCATION '/lake/t'")
    '/lake/t'
    """
    match = _CREATION.match(sql) if sql else None
    return match[2] if match else ""


def table_of_flow(query: str, path: str, settings: CatalogSettings) -> str:
    """Return the table that a flow of a declarative pipeline writes (4.1+); empty for other queries.

    The pipeline creates its tables without a statement, and starts a query on the path of the table
    (`StreamingTableWrite`). Its query is `catalog.database.flow`; a table's own flow has the table's name. The path is
    as `naming.path_name` returns it.
    """
    database, _, flow = query.rpartition(".")
    name = path.rpartition("/")[2]
    table = naming.table_name(f"{database}.{name}")
    is_own = flow.lower() == name.lower()
    return table if database.count(".") == 1 and (is_own or settings.managed_location(table) == path) else ""


class StreamTables:
    """The tables that streaming queries write, by the paths of their sinks.

    `apply` takes the executions in the order of their ids; `resolve` answers when all are applied.

    Args:
        settings: The settings that the plans are read with. A location without a scheme is a local one only if the
            warehouse is.
        sinks: Run id of a query to the path that it writes.
    """

    def __init__(self, settings: CatalogSettings, sinks: Mapping[str, str]) -> None:
        self._settings = settings
        self._sinks = sinks
        self._is_local = settings.warehouse.startswith("file:") if settings.warehouse else True
        self._changed: dict[str, None] = {}
        self._created: dict[str, None] = {}
        self._located: dict[str, str] = {}
        self._of_operation: dict[str, set[str]] = {}
        self._operations: dict[str, str] = {}
        self._seen: set[str] = set()
        self._waiting: dict[str, None] = {}
        self._started: list[str] = []
        self._following: dict[str, str] = {}

    def apply(self, execution: ExecutionSummary) -> None:
        """Add the tables that an execution creates or changes, and the query that it starts."""
        tables = dict.fromkeys(map(naming.table_name, execution.changed))
        self._changed |= tables
        if execution.location and len(tables) == 1 and (self._is_local or ":/" in execution.location):
            self._located[naming.path_name(execution.location)] = next(iter(tables))
        if execution.call in _TO_TABLE:
            self._created |= tables
            if not execution.stream_run_id:
                self._apply_creation(execution, tables)
        if execution.stream_run_id:
            self._apply_batch(execution)

    def _apply_creation(self, execution: ExecutionSummary, tables: Mapping[str, None]) -> None:
        if execution.operation:
            self._of_operation.setdefault(execution.operation, set()).update(tables)
        if tables:
            if self._started:
                self._follow()
            self._waiting |= tables

    def _apply_batch(self, execution: ExecutionSummary) -> None:
        run_id = execution.stream_run_id
        sink = self._sinks.get(run_id, "")
        tables = self._of_operation.get(execution.operation, ())
        if sink and len(tables) == 1:
            self._operations.setdefault(sink, *tables)
        if run_id not in self._seen:
            self._seen.add(run_id)
            if sink and self._waiting and execution.call in _TO_TABLE:
                self._started.append(sink)

    def _follow(self) -> None:
        """Keep the table of a query that started right after `toTable` created one table (3.1 to 4.3).

        With several tables or several new queries between two creations, nothing shows which belongs to which.
        """
        if len(self._waiting) == len(self._started) == 1:
            self._following[self._started[0]] = next(iter(self._waiting))
        self._waiting, self._started = {}, []

    def resolve(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the tables of the session catalog whose files are at the paths of sinks; empty for other paths.

        A query that follows the creation of a table writes it unless another path is that table's.
        """
        self._follow()
        found = {path: self._located.get(path) or self._table_at(path) for path in paths}
        known = frozenset(found.values())
        started = {path: table for path, table in self._following.items() if table not in known}
        return {path: table or self._operations.get(path) or started.get(path, "") for path, table in found.items()}

    def managed(self, path: str) -> str:
        """Return the table that `toTable` created and whose default location is a path; empty if there is none."""
        location = path.rstrip("/")
        return next((each for each in self._created if self._settings.managed_location(each) == location), "")

    def _table_at(self, path: str) -> str:
        """Return the table whose files are at a path, by the path's folders; empty if the path belongs to no table.

        Args:
            path: As `naming.path_name` returns it.
        """
        for table in self._changed:
            if self._settings.managed_location(table) == path:
                return table
        parent, _, name = path.rpartition("/")
        own = [table for table in self._created if table.rpartition(".")[2].lower() == name.lower()]
        if len(own) == 1:
            return own[0]
        warehouse, _, folder = parent.rpartition("/")
        is_set = warehouse == self._settings.warehouse != ""
        is_default = warehouse.rpartition("/")[2] == _DEFAULT_WAREHOUSE
        if (is_set or is_default) and folder.endswith(_DATABASE) and name:
            return f"{naming.SESSION_CATALOG}.{folder.removesuffix(_DATABASE)}.{name}"
        return ""
