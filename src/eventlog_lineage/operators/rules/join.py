"""Joins: rows of two inputs side by side, or the left ones that the right has or lacks."""

from __future__ import annotations

import re

from ...model import GapReason, Transformation
from ..derivation import Derivation, merge
from ..flow import Condition, Flow, Output, combine
from ..operation import Operation
from ..registry import operator

T = Transformation

_EXISTENCE = re.compile(r"ExistenceJoin\(((?:.|\n)*)#(\d+)\)")


@operator("BroadcastHashJoin", "BroadcastNestedLoopJoin", "CartesianProduct", "ShuffledHashJoin", "SortMergeJoin")
def join(at: Operation) -> Flow:
    """Outputs left and right, the left only for semi and anti joins; keys and condition influence all rows.

    Up to 3.3 the join type stands in the tree's line only, `SortMergeJoin LeftOuter (13)`; later `Join type`
    repeats it. The sorts of a sort-merge join are its own need.
    """
    if len(at.inputs) != 2:
        at.gap(GapReason.UNPARSED_PLAN, f"a join of {len(at.inputs)} inputs", "please report it with the plan's text")
        return at.input.settled()
    left, right = (_ready(at, flow, side) for flow, side in zip(at.inputs, ("Left keys", "Right keys"), strict=True))
    both = combine((left, right))
    conditions = _conditions(at, left, right, both)
    join_type = at.node.text("Join type") or at.node.argument
    if existence := _EXISTENCE.search(join_type):
        # whether the right side has a match is a value of its own: it is made of the keys and the condition
        exists = Output(existence[1], int(existence[2]), _existence(conditions))
        return both.with_outputs((*left.outputs, exists)).under(*conditions)
    if join_type.startswith(("LeftSemi", "LeftAnti")):
        return both.with_outputs(left.outputs).under(*conditions)
    return both.under(*conditions)


def _ready(at: Operation, flow: Flow, keys: str) -> Flow:
    settled = flow.settled()
    return settled.ordered_for(at.node.items(keys)) if at.node.operator == "SortMergeJoin" else settled


def _conditions(at: Operation, left: Flow, right: Flow, both: Flow) -> list[Condition]:
    bound = [at.bind(key, left.scope) for key in at.node.items("Left keys")]
    bound += [at.bind(key, right.scope) for key in at.node.items("Right keys")]
    condition = at.node.text("Join condition")
    if condition and condition != "None":
        bound.append(at.bind(condition, both.scope))
    return [Condition(derivation, T.JOIN) for derivation in bound]


def _existence(conditions: list[Condition]) -> Derivation:
    sources = merge(condition.derivation.through(T.JOIN) for condition in conditions)
    return Derivation(sources, ("exists",))
