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
def existing_rdd_scan(at: Operation) -> Flow:
    """Output unbound attributes; other plans of the application may bind them.

    A checkpoint keeps the ids of its columns, so the execution that created them binds them. A streaming source without
    new rows is an `EmptyRDD`; next to scans of files, it is a part of these without rows; some print their location
    (`formats/*/tables.py`). Below a command's logical plan, `LogicalRDD` prints them as its first argument.
    """
    items = at.node.items("Output") or _listed(at)
    attributes = [read_attribute(item) or (item, -1) for item in items]
    if named := named_by_format(at):
        return stream_flow(at, (named,), attributes)
    if _EMPTY in at.node.text("Arguments") and any(
        "Location" in node.fields for node in at.plan.operators_by_id.values()
    ):
        return Flow(outputs=tuple(Output(name, expr_id, generated(name)) for name, expr_id in attributes))
    return Flow(outputs=tuple(Output(name, expr_id, at.unbound_value(name, expr_id)) for name, expr_id in attributes))


def _listed(at: Operation) -> Sequence[str]:
    listed = lists(at.node) if at.node.operator == "LogicalRDD" else []
    return at.printed_items(split_items(listed[0]), "columns") if listed else ()
