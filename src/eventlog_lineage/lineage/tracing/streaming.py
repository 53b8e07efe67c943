"""Trace micro-batches: the rows that a batch passes to a function, and a sink that the plan does not print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.catalog.stream_tables import StreamLocations
from eventlog_lineage.datasets.streams import KAFKA_SINK
from eventlog_lineage.extensions import Role, find_command
from eventlog_lineage.model import Dataset, Gap, GapReason
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.rules.typed import RDDS, ROW
from eventlog_lineage.operators.scans import column_names
from eventlog_lineage.operators.write_targets import columns_of, columns_of_topic, source_attributes, topic_of_rows
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.grammar.symbols import items_of
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, walk

from .statement_trace import StatementTrace

_ROWS = frozenset({"ExistingRDDScan", "LogicalRDD"})
_SAVES = frozenset({"StateStoreSave", "SessionWindowStateStoreSave"})


def apply_batch_filters(trace: StatementTrace) -> StatementTrace:
    """Add the conditions of the micro-batch to the executions of a `foreachBatch` function that read it."""
    batch = trace.statement.context.batch
    if batch is None or not trace.bindings:
        return trace
    conditions = trace.plans[batch].resolution.flow.conditions
    flows = [trace.root.with_conditions(*conditions)]
    for flow, plan in zip(trace.flows[1:], trace.plans[1:], strict=False):
        flows.append(flow.with_conditions(*conditions) if plan.inputs.batch_values else flow)
    return replace(trace, flows=tuple(flows))


def add_stream_sink(trace: StatementTrace) -> StatementTrace:
    """Add the write of a micro-batch: the plan omits it for V1 sinks and unnamed V2 writers."""
    stream = trace.statement.context.stream
    if stream is None:
        return trace
    locations = stream.with_sink_of_plans(trace.texts[0].logical)
    return trace.with_root(_into_sink(trace.root, trace.plans[0].plan, locations))


def _into_sink(flow: Flow, plan: Plan, locations: StreamLocations) -> Flow:
    """Return the flow of a batch's root with its write; the plan shows the output mode of an aggregation."""
    is_complete = locations.is_complete or _is_complete(plan)
    is_batch = find_command(flow.command).role is Role.MICRO_BATCH
    if flow.write is not None:
        return replace(flow, write=replace(flow.write, mode="overwrite")) if is_batch and is_complete else flow
    if flow.command and not is_batch:
        return flow
    target = _sink(flow, locations)
    if target is None:
        return _without_sink(flow, locations)
    mode = "overwrite" if is_complete and target.kind != "topic" else "append"
    write = Write(target, mode, columns_of(_written(flow.outputs, target)), location=target.location, node_name="sink")
    return replace(flow, outputs=(), write=write, command="MicroBatch")


def _without_sink(flow: Flow, locations: StreamLocations) -> Flow:
    if not locations.unnamed_sink:
        return replace(flow, command="")
    gap = Gap(
        GapReason.UNKNOWN_TARGET,
        locations.unnamed_sink,
        f"the sink {locations.unnamed_sink} does not print its target",
        "set spark.sql.ui.explainMode=extended before the query starts: the plan text then has the path or the topic; "
        "or write to a table by name (toTable)",
    )
    return replace(flow, command="", gaps=(*flow.gaps, gap))


def _is_complete(plan: Plan) -> bool:
    """Return whether a `StateStoreSave` outputs all groups in each batch: `[k#1], state info […], Complete, 0, 2`.

    Up to 3.5 the text of a micro-batch always has `Append` (`events.decoding.plan_info.outputs_all_groups`).
    """
    return any(node.operator in _SAVES and ", Complete," in node.text("Arguments") for node in walk(plan.root))


def _written(outputs: tuple[Output, ...], sink: Dataset) -> tuple[Output, ...]:
    return columns_of_topic(outputs) if sink.kind == "topic" else outputs


def batch_rows(plan: Plan, rows: Sequence[Output]) -> dict[int, Output]:
    """Return the attributes of a plan that hold a micro-batch's rows, matched by name.

    `ForeachBatchSink` passes the batch to the user's function as a relation of rows with the batch's columns; up to 3.3
    as objects, from which a plan extracts the columns that it needs, with new attribute ids. A MERGE may print only
    its attributes and no relation.
    """
    found: dict[int, Output] = {}
    for node in walk(plan.root if rows else None):
        found |= _rows_of_batch(node, rows)
    return found


def _sink(flow: Flow, locations: StreamLocations) -> Dataset | None:
    """Return the dataset that a query writes to: Kafka's topic may be in the rows."""
    if locations.sink is None and locations.unnamed_sink == KAFKA_SINK:
        return topic_of_rows(flow.outputs, locations.servers)
    return locations.sink


def _rows_of_batch(node: PlanNode, rows: Sequence[Output]) -> dict[int, Output]:
    by_name = {output.name: output for output in rows}
    attributes = _attributes(node)
    names = [name for name, _ in attributes]
    if node.operator in _ROWS and names == list(column_names(rows)):
        return {expr_id: row for (_, expr_id), row in zip(attributes, rows, strict=True)}
    if find_command(node.operator).attributes_only:
        return _named(source_attributes(node), by_name)
    is_whole = len(by_name) == len(rows) and by_name.keys() >= set(names)
    return _named(attributes, by_name) if is_whole and _are_objects(node) else {}


def _named(attributes: Iterable[tuple[str, int]], rows: Mapping[str, Output]) -> dict[int, Output]:
    return {expr_id: rows[name] for name, expr_id in attributes if name in rows}


def _attributes(node: PlanNode) -> list[tuple[str, int]]:
    listed = node.items("Output") or (node.consumer_input.items if node.consumer_input else ())
    items = listed or items_of(next(iter(node.arguments), ""))
    return [read_attribute(item.rpartition(" AS ")[2]) or (item, -1) for item in items]


def _are_objects(node: PlanNode) -> bool:
    """Return whether an operator is `SerializeFromObject` over rows of an RDD."""
    is_of_rdd = any(child.operator in RDDS for child in node.children)
    return node.operator == "SerializeFromObject" and is_of_rdd and ROW in node.text("Arguments")
