"""`WindowGroupLimit` (3.5+): keeps the first rows of each group, for a filter on a rank above."""

from __future__ import annotations

from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator


@operator("WindowGroupLimit")
def window_group_limit(op: Operation) -> Flow:
    """Pass on its input: the rank and the filter above have the lineage.

    `Arguments: [k#1L], [v#2 DESC NULLS LAST], row_number(), 2, Partial`
    """
    return op.raw_input.completed().ordered_for((*op.node.listed("partition"), *op.node.listed("order")))
