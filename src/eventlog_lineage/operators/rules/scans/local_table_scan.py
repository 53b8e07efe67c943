"""`LocalTableScan`: literal rows in the query, or rows that the optimizer computes from statistics."""

from __future__ import annotations

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.arguments import lists
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.metadata_aggregates import ANSWERED, FROM_METADATA, answered_flow, metadata_hint
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated
from eventlog_lineage.operators.streaming_sources import datasets_of, stream_flow
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items


@operator(
    "LocalTableScan",
    "LocalRelation",
    "Range",
    "OneRowRelation",
    "EmptyRelation",
    "ShowTables",
    "ShowNamespaces",
)
def local_table_scan(op: Operation) -> Flow:
    """Output values without a source: `VALUES (1)`, `range(10)`.

    `Arguments: <empty>, [a#1, b#2]` is an empty relation that the optimizer replaced (`PropagateEmptyRelation`): its
    attributes keep their ids, and other plans of the application may bind them.
    A logical tree has the attributes in the arguments, `[x#387, y#388]` or `0, 5, 1, [id#386L], false`. Rows of
    only aggregates are answered by a connector: Iceberg (`SparkScanBuilder`), Paimon and Delta
    (`OptimizeMetadataOnlyDeltaQuery`) compute them from the statistics of their files.
    """
    printed = next((each for each in lists(op.node) if "#" in each), "")
    items = op.node.items("Output") or split_items(printed)
    attributes = [read_attribute(item) or (item, -1) for item in items]
    if op.node.text("Arguments").startswith("<empty>"):
        if datasets := datasets_of(op):
            return stream_flow(op, datasets, attributes)
        return Flow(
            outputs=tuple(Output(name, expr_id, op.unbound_value(name, expr_id)) for name, expr_id in attributes)
        )
    if attributes and op.plan.tables.answered:
        scans = [node for node in op.plan.operators_by_id.values() if node.operator == op.node.operator]
        if flow := answered_flow(op.plan.tables, attributes, is_only=len(scans) < 2):
            return flow
        if not op.plan.tables.aggregates:
            op.gap(
                GapReason.UNKNOWN_SOURCE,
                f"{', '.join(name for name, _ in attributes)}: {FROM_METADATA}"[:500],
                metadata_hint(),
            )
            return Flow(outputs=tuple(Output(name, expr_id, generated(name)) for name, expr_id in attributes))
    answered = [name for name, _ in attributes if ANSWERED.match(name)]
    if attributes and len(answered) == len(attributes):
        op.gap(GapReason.UNKNOWN_SOURCE, f"{', '.join(answered)}: {FROM_METADATA}"[:500], metadata_hint())
    return Flow(outputs=tuple(Output(name, expr_id, generated(name)) for name, expr_id in attributes))


@operator("PlanLater")
def plan_later(op: Operation) -> Flow:
    """Output the columns of an empty relation: a state without initial values.

    `Output: []`, `Arguments: LocalRelation <empty>`: `TransformWithStateInPySparkExec` (4.0 to 4.3) hides its second
    input from the planner. For other relations, the plan has one line.
    """
    if not op.node.text("Arguments").startswith("LocalRelation <empty>"):
        op.gap(
            GapReason.UNKNOWN_SOURCE,
            f"the plan has one line of {op.node.text('Arguments')}",
            "please report it with the plan's text",
        )
    attributes = [read_attribute(item) or (item, -1) for item in op.node.items("Output")]
    return Flow(outputs=tuple(Output(name, expr_id, op.unbound_value(name, expr_id)) for name, expr_id in attributes))
