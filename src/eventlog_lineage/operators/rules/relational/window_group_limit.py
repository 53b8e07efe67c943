"""`WindowGroupLimit` (3.5+): keeps the first rows of each group, for a filter on a rank above."""

from __future__ import annotations

from eventlog_lineage.operators.arguments import directionless, lists
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.lists import split_items


@operator("WindowGroupLimit")
def window_group_limit(op: Operation) -> Flow:
    """Pass on its input: the rank and the filter above have the lineage.

    `Arguments: [k#1L], [v#2 DESC NULLS LAST], row_number(), 2, Partial`
    """
    keys = [key for text in lists(op.node) for key in split_items(text)]
    return op.raw_input.completed().ordered_for(directionless(key) for key in keys)
