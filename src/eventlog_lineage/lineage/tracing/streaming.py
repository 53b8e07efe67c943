"""Streaming queries: what their micro-batches read and write beyond what the plans say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.streams import KAFKA_SINK, class_of, keeps_nothing, stream_sink, stream_source, topic
from eventlog_lineage.events.records import StreamProgress
from eventlog_lineage.model import Dataset, Gap, GapReason
from eventlog_lineage.operators.arguments import arguments, inner, is_list
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.write_targets import columns_of, table_of
from eventlog_lineage.plan.expressions.lexer import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import Plan, PlanNode, walk

from . import hudi_merge

NESTING = "ForeachBatchSink"
"""The sink of a query whose batches are handed to the user's function, which runs statements of its own."""


_WRITES = frozenset({"WriteToMicroBatchDataSource", "WriteToMicroBatchDataSourceV1"})
_ROWS = frozenset({"ExistingRDDScan", "LogicalRDD"})
_SERVERS = "kafka.bootstrap.servers"


@dataclass(frozen=True, slots=True)
class StreamPlaces:
    """Where a streaming query reads and writes, as its progress events tell it.

    Attributes:
        sources: Per source the datasets behind it; None for a connector that prints its class only.
        sink: What it writes; None where nothing is kept or the connector prints its class only.
        unnamed_sink: The class of a sink that prints nothing else; empty otherwise.
        servers: Of an unnamed sink of Kafka's, where its options are known.
        nests: The batches are handed to a function (`foreachBatch`).
    """

    sources: tuple[tuple[Dataset, ...] | None, ...] = ()
    sink: Dataset | None = None
    unnamed_sink: str = ""
    servers: str = ""
    nests: bool = False

    def told_by(self, logical: Iterable[Plan]) -> StreamPlaces:
        """With the sink that a logical plan of a batch names, where the progress events do not.

        Args:
            logical: The batch's logical plans: extended text prints the query's options (3.1+), `path` and `topic`
                among them.
        """
        if not self.unnamed_sink:
            return self
        roots = (plan.root for plan in logical if plan.root is not None and plan.root.operator in _WRITES)
        for parts, options in ((arguments(root), _options(root)) for root in roots):
            servers = options.get(_SERVERS, self.servers)
            if (sink := _sink(parts, options)) is not None:
                return replace(self, sink=sink, unnamed_sink="", servers=servers)
            if servers:
                return replace(self, servers=servers)
        return self

    def inside(self) -> StreamPlaces:
        """For a statement that a batch's function runs: it reads the stream and writes elsewhere."""
        return StreamPlaces(self.sources)


def stream_places(progress: Iterable[StreamProgress]) -> dict[str, StreamPlaces]:
    """ExecutionSummary id to the places of its query.

    Args:
        progress: Of all queries of an application, in the log's order.
    """
    last: dict[str, StreamProgress] = {}
    offsets: dict[tuple[str, int], list[str | None]] = {}
    for each in progress:
        last[each.run_id] = each
        for place, (_, start, end, _) in enumerate(each.sources):
            offsets.setdefault((each.run_id, place), [])[:] = [start, end]
    return {run_id: _places(each, offsets) for run_id, each in last.items()}


def _places(progress: StreamProgress, offsets: Mapping[tuple[str, int], list[str | None]]) -> StreamPlaces:
    sources = tuple(
        stream_source(description, offsets.get((progress.run_id, place), ()))
        for place, (description, *_) in enumerate(progress.sources)
    )
    sink = stream_sink(progress.sink, progress.name)
    unnamed = "" if sink or keeps_nothing(progress.sink) else class_of(progress.sink)
    return StreamPlaces(sources, sink, unnamed, nests=NESTING in progress.sink)


def into_sink(flow: Flow, plan: Plan | None, places: StreamPlaces) -> Flow:
    """A micro-batch's flow with its write: V1 sinks and unnamed V2 writers leave it out of the plan.

    Args:
        flow: Of the batch's root execution.
        plan: Its plan, for the output mode that an aggregation's state prints.
        places: Of its query.
    """
    if flow.write is not None or (flow.command and flow.command != "WriteToDataSourceV2"):
        return flow
    target = places.sink or _topic_of_rows(flow.outputs, places)
    if target is None:
        return _without_sink(flow, places)
    mode = "overwrite" if plan is not None and _is_complete(plan) else "append"
    write = Write(target, mode, columns_of(_written(flow.outputs, target)), node_name="sink")
    return replace(flow, outputs=(), write=write, command="MicroBatch", _scope={})


def _options(node: PlanNode) -> dict[str, str]:
    """The query's options, of ``[`cat`.`db`.`t`, ]PaimonSink@1f, <id>, [queryName=q, path=/x], Append, 0``."""
    items = (item.partition("=") for part in arguments(node) if is_list(part) for item in split_items(inner(part)))
    return {key.lower(): value for key, _, value in items}


def _sink(parts: Sequence[str], options: Mapping[str, str]) -> Dataset | None:
    """The table, the place or the topic of a write with these arguments; None where they do not say it."""
    if (named := table_of(parts)) is not None:
        return named
    if "topic" in options and any(class_of(part) == KAFKA_SINK for part in parts):
        return topic(options["topic"], options.get(_SERVERS, ""))
    return naming.path(options["path"], format=_format(parts)) if "path" in options else None


def _format(parts: Sequence[str]) -> str:
    """The format of a sink's class: Paimon's is the one that prints nothing else."""
    return "paimon" if any("PaimonSink@" in part for part in parts) else ""


def _without_sink(flow: Flow, places: StreamPlaces) -> Flow:
    if not places.unnamed_sink:
        return replace(flow, command="")
    gap = Gap(
        GapReason.UNKNOWN_TARGET,
        places.unnamed_sink,
        f"the sink {places.unnamed_sink} does not say what it writes to",
        "set spark.sql.ui.explainMode=extended before the query starts: its text has the options, with the path or the "
        "topic; or write to a table by its name (toTable)",
    )
    return replace(flow, command="", gaps=(*flow.gaps, gap))


def _is_complete(plan: Plan) -> bool:
    """Does a `StateStoreSave` put out all groups each time (`Arguments: [k#1], state info […], Complete, 0, 2`)?"""
    return plan.root is not None and any(
        node.operator == "StateStoreSave" and ", Complete," in node.text("Arguments") for node in walk(plan.root)
    )


def _topic_of_rows(outputs: Iterable[Output], places: StreamPlaces) -> Dataset | None:
    """The topic, where every row names the same one in its `topic` column; it counts where no option names one."""
    for output in outputs if places.unnamed_sink == KAFKA_SINK else ():
        if output.name == "topic" and not output.derivation.sources:
            words = [str(getattr(part, "text", part)) for part in output.derivation.parts]
            if len(words) == 1 and words[0].strip():
                return topic(words[0].strip(), places.servers)
    return None


def _written(outputs: tuple[Output, ...], sink: Dataset) -> tuple[Output, ...]:
    """A topic's columns: the one that names the topic is no column of it."""
    if sink.kind != "topic":
        return outputs
    return tuple(output for output in outputs if output.name != "topic")


def handed_over(plan: Plan | None, rows: Sequence[Output]) -> dict[int, Output]:
    """The attributes of a plan that are a micro-batch's rows, by their names.

    `ForeachBatchSink` hands the batch to the user's function as a relation of rows with the batch's columns; up to
    3.3 as objects of which a plan takes the columns that it needs, under new attribute ids. Hudi's MERGE prints no
    relation, its attributes only.

    Args:
        plan: Of an execution that the function ran.
        rows: What the batch outputs.
    """
    found: dict[int, Output] = {}
    by_name = {output.name: output for output in rows}
    names = [output.name for output in rows]
    for node in walk(plan.root) if plan is not None and plan.root is not None and rows else ():
        attributes = _attributes(node)
        if node.operator in _ROWS and [name for name, _ in attributes] == names:
            found |= {number: output for (_, number), output in zip(attributes, rows, strict=True)}
        elif node.operator == hudi_merge.COMMAND:
            found |= {number: by_name[name] for name, number in hudi_merge.source_attributes(node) if name in by_name}
        elif _are_objects(node) and len(by_name) == len(names) and by_name.keys() >= {name for name, _ in attributes}:
            found |= {number: by_name[name] for name, number in attributes}
    return found


def _attributes(node: PlanNode) -> list[tuple[str, int]]:
    listed = node.items("Output") or (node.consumer_input.items if node.consumer_input else ())
    items = listed or tuple(split_items(inner(next(iter(arguments(node)), ""))))
    return [read_attribute(item.rpartition(" AS ")[2]) or (item, -1) for item in items]


def _are_objects(node: PlanNode) -> bool:
    """Is it `SerializeFromObject` of rows that an RDD holds?"""
    rows = [child for child in node.children if child.operator == "ExternalRDDScan"]
    return node.operator == "SerializeFromObject" and any(".Row," in child.text("Arguments") for child in rows)
