"""`Scan ExistingRDD`: rows that another execution or the driver program created."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated_rows, named_by_format
from eventlog_lineage.operators.streaming_sources import stream_flow
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of

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
    attributes = [attribute_of(item) for item in items]
    if named := named_by_format(op):
        return stream_flow(op, (named,), attributes)
    if _EMPTY in op.node.text("Arguments") and any(
        "Location" in node.fields for node in op.plan.operators_by_id.values()
    ):
        return generated_rows(attributes)
    return op.unbound(attributes)


def _listed(op: Operation) -> Sequence[str]:
    return op.complete(op.node.listed("columns"), "columns") if op.node.operator == "LogicalRDD" else ()
