"""Where streaming queries read and write, from their progress events and the options that plans print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.streams import (
    KAFKA_SINK,
    class_format,
    class_of,
    keeps_nothing,
    stream_sink,
    stream_source,
    topic,
)
from eventlog_lineage.events.records import StreamProgress
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.write_targets import table_of
from eventlog_lineage.plan.grammar.symbols import is_list, items_of
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode

FOREACH_BATCH_SINK = "ForeachBatchSink"
"""The sink of a query that passes its batches to a user function, which runs statements of its own."""

_WRITES = frozenset({"WriteToMicroBatchDataSource", "WriteToMicroBatchDataSourceV1"})
_COMPLETE = "Complete"
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
            known = replace(known, is_complete=known.is_complete or _COMPLETE in parts)
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

    def in_complete_mode(self) -> StreamLocations:
        """Return the locations of a query that outputs all groups in each batch."""
        return replace(self, is_complete=True)

    def without_sink(self) -> StreamLocations:
        """Return the locations without the sink, for a statement of a `foreachBatch` function: it writes elsewhere."""
        return StreamLocations(self.sources)


def locate_streams(progress: Iterable[StreamProgress]) -> dict[str, StreamLocations]:
    """Return the locations of every streaming query of an application.

    Args:
        progress: The progress events of all its queries, in the log's order.

    Returns:
        Run id of the query to its locations.
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
        stream_source(description, offsets.get((progress.run_id, index), ()))
        for index, (description, *_) in enumerate(progress.sources)
    )
    sink = stream_sink(progress.sink, progress.name)
    unnamed = "" if sink or keeps_nothing(progress.sink) else class_of(progress.sink)
    return StreamLocations(sources, sink, unnamed, has_batch_function=FOREACH_BATCH_SINK in progress.sink)


def _options(node: PlanNode) -> dict[str, str]:
    """Return the query's options from ``[`cat`.`db`.`t`, ]<sink>@1f, <id>, [queryName=q, path=/x], Append, 0``."""
    items = (item.partition("=") for part in node.arguments if is_list(part) for item in items_of(part))
    return {key.lower(): value for key, _, value in items}


def _sink(parts: Sequence[str], options: Mapping[str, str]) -> Dataset | None:
    """Return the table, path or topic of a write with these arguments; None if they do not name it."""
    if (named := table_of(parts)) is not None:
        return named
    if "topic" in options and any(class_of(part) == KAFKA_SINK for part in parts):
        return topic(options["topic"], options.get(_SERVERS, ""))
    return naming.path(options["path"], format=_format(parts)) if "path" in options else None


def _format(parts: Sequence[str]) -> str:
    """Return the table format of the sink among a write's arguments."""
    return next(filter(None, (class_format(class_of(part)) for part in parts)), "")
