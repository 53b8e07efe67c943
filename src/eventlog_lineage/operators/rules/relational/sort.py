"""`Sort`: the user's order, or an order that another operator requires."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.arguments import arguments, directionless, inner
from eventlog_lineage.operators.flow import Condition, Flow, Ordering
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.lists import split_items


@operator("Sort")
def sort(op: Operation) -> Flow:
    """Pass on its input; a global sort is the user's, so is a sort within partitions that no operator above requires.

    `Arguments: [amount#1 DESC NULLS LAST], true, 0`: keys, global, …
    """
    below = op.raw_input.sorted_by_user()
    parts = arguments(op.node)
    texts = [directionless(key) for key in split_items(inner(parts[0]))] if parts else []
    bound = tuple(op.bind(text, below.scope) for text in texts)
    if "true" in parts[1:2]:
        return below.completed().with_conditions(*(Condition(key, Transformation.SORT) for key in bound))
    return replace(below, ordering=Ordering(tuple(texts), bound))  # an aggregation may continue above its own sort
