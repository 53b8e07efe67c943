"""`Sort`: the user's order, or an order that another operator requires."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.flow import Condition, Flow, Ordering
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator


@operator("Sort")
def sort(op: Operation) -> Flow:
    """Pass on its input; a global sort is the user's, so is a sort within partitions that no operator above requires.

    `Arguments: [amount#1 DESC NULLS LAST], true, 0`: keys, global, …
    """
    below = op.raw_input.sorted_by_user()
    keys = op.node.listed("keys")
    bound = tuple(op.bind(key, below.scope) for key in keys)
    if op.node.value("is_global") == "true":
        return below.completed().with_conditions(*(Condition(key, Transformation.SORT) for key in bound))
    return replace(below, ordering=Ordering(keys.items, bound))  # an aggregation may continue above its own sort
