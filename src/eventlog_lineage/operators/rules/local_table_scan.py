"""`LocalTableScan`: literal rows in the query, or rows that the optimizer computes from statistics."""

from __future__ import annotations

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import (
    ANSWERED,
    FROM_METADATA,
    answered_flow,
    columns_flow,
    datasets_of,
    generated_rows,
    metadata_hint,
)
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of


@operator("LocalTableScan", "LocalRelation", "Range", "OneRowRelation", "EmptyRelation", "ShowTables", "ShowNamespaces")
def local_table_scan(op: Operation) -> Flow:
    """Output values without a source: `VALUES (1)`, `range(10)`.

    `Arguments: <empty>, [a#1, b#2]` is an empty relation that the optimizer replaced (`PropagateEmptyRelation`): its
    attributes keep their ids, and other plans of the application may bind them.
    A logical tree has the attributes in the arguments, `[x#387, y#388]` or `0, 5, 1, [id#386L], false`. Rows of
    only aggregates are answered by a connector: Iceberg (`SparkScanBuilder`), Paimon and Delta
    (`OptimizeMetadataOnlyDeltaQuery`) compute them from the statistics of their files.
    """
    items = op.node.items("Output") or next(
        (each.items for each in op.node.lists if any("#" in item for item in each)), ()
    )
    attributes = [attribute_of(item) for item in items]
    if op.node.text("Arguments").startswith("<empty>"):
        if datasets := datasets_of(op):
            return columns_flow(op, datasets, attributes)
        return op.unbound(attributes)
    return _from_metadata(op, attributes) or generated_rows(attributes)


def _from_metadata(op: Operation, attributes: list[tuple[str, int]]) -> Flow | None:
    """Return the flow of rows that a connector answers from statistics; None, maybe with a gap, for others."""
    names = ", ".join(name for name, _ in attributes)
    is_answered = bool(attributes) and all(ANSWERED.match(name) for name, _ in attributes)
    if attributes and op.plan.tables.answered:
        scans = [node for node in op.plan.operators_by_id.values() if node.operator == op.node.operator]
        if flow := answered_flow(op.plan.tables, attributes, is_only=len(scans) < 2):
            return flow
        is_answered |= not op.plan.tables.aggregates
    if is_answered:
        op.gap(GapReason.UNKNOWN_SOURCE, f"{names}: {FROM_METADATA}"[:500], metadata_hint())
    return None


@operator("PlanLater")
def plan_later(op: Operation) -> Flow:
    """Output the columns of an empty relation: a state without initial values.

    `Output: []`, `Arguments: LocalRelation <empty>`: `TransformWithStateInPySparkExec` (4.0 to 4.3) hides its second
    input from the planner. For other relations, the plan has one line.
    """
    if not op.node.text("Arguments").startswith("LocalRelation <empty>"):
        op.gap(GapReason.UNKNOWN_SOURCE, f"the plan has one line of {op.node.text('Arguments')}")
    attributes = op.node.attributes("Output")
    return op.unbound(attributes)
