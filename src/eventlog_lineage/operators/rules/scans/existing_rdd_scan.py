"""`Scan ExistingRDD`: rows that another execution or the driver program created."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.operators.arguments import lists
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated, named_by_format
from eventlog_lineage.operators.streaming_sources import stream_flow
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items

_EMPTY = " EmptyRDD["


@operator("ExistingRDDScan", "LogicalRDD", "StreamingRelation", "StreamingRelationV2")
def existing_rdd_scan(op: Operation) -> Flow:
    """Output unbound attributes; other plans of the application may bind them.

    A checkpoint keeps the ids of its columns, so the execution that created them binds them. A streaming source without
    new rows is an `EmptyRDD`, and so is a part of a table without rows next to scans of its files; some sources print
    their location (`formats/*/tables.py`). Below a command's logical plan, `LogicalRDD` prints the attributes as its
    first argument.
    """
    items = op.node.items("Output") or _listed(op)
    attributes = [read_attribute(item) or (item, -1) for item in items]
    if named := named_by_format(op):
        return stream_flow(op, (named,), attributes)
    if _EMPTY in op.node.text("Arguments") and any(
        "Location" in node.fields for node in op.plan.operators_by_id.values()
    ):
        return Flow(outputs=tuple(Output(name, expr_id, generated(name)) for name, expr_id in attributes))
    return Flow(outputs=tuple(Output(name, expr_id, op.unbound_value(name, expr_id)) for name, expr_id in attributes))


def _listed(op: Operation) -> Sequence[str]:
    listed = lists(op.node) if op.node.operator == "LogicalRDD" else []
    return op.printed_items(split_items(listed[0]), "columns") if listed else ()
