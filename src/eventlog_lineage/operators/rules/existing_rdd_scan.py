"""`Scan ExistingRDD`: rows that another execution or the driver's program made."""

from __future__ import annotations

from ...plan.lexer import read_attribute
from ..flow import Flow, Output
from ..operation import Operation
from ..registry import operator


@operator("ExistingRDDScan", "LogicalRDD", "StreamingRelation", "StreamingRelationV2")
def existing_rdd_scan(at: Operation) -> Flow:
    """Outputs attributes that this plan does not explain; the statement may, from the application's other plans.

    A checkpoint keeps the ids of what it saved, so the execution that made them tells where they come from.
    """
    items = at.node.items("Output")
    attributes = [read_attribute(item) or (item, -1) for item in items]
    return Flow(outputs=tuple(Output(name, number, at.open_value(name, number)) for name, number in attributes))
