"""Joins: combined rows of two inputs, or the left rows with or without a match."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.arguments import arguments, inner, is_list
from eventlog_lineage.operators.derivations.derivation import Derivation, merge
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.operator_names import JOIN_TYPES

T = Transformation

_EXISTENCE = re.compile(rf"ExistenceJoin\(((?:.|\n)*)#({NUMBER})\)")
_FULL_CONDITION = re.compile(r"^condition = \[ .*, full = (.*) \]$", re.DOTALL)


@operator("BroadcastHashJoin", "BroadcastNestedLoopJoin", "CartesianProduct", "ShuffledHashJoin", "SortMergeJoin")
def join(op: Operation) -> Flow:
    """Output left and right, or only the left for semi and anti joins; keys and condition influence all rows.

    Up to 3.3 the join type is only in the tree's line, `SortMergeJoin LeftOuter (13)`; later `Join type`
    repeats it. The sorts of a sort-merge join are required by the join.
    """
    if len(op.inputs) != 2:
        return _no_join(op)
    left, right = (
        _sorted_side(op, flow, side) for flow, side in zip(op.inputs, ("Left keys", "Right keys"), strict=True)
    )
    keys = (op.node.items("Left keys"), op.node.items("Right keys"))
    condition = op.node.text("Join condition")
    on = _conditions(op, (left, right), keys, "" if condition == "None" else condition)
    return _joined(left, right, on, op.node.text("Join type") or op.node.argument)


@operator("StreamingSymmetricHashJoin", "SortMergeAsOfJoin")
def join_by_arguments(op: Operation) -> Flow:
    """Join as `join` does; keys, type and condition are in the arguments.

    `Arguments: [id#1L], [id#2L], Inner, condition = [ leftOnly = null, …, full = (v#3 > w#4) ], state info [ … ], …`
    (`StreamingSymmetricHashJoinExec`, 2.3 to 4.3).
    """
    if len(op.inputs) != 2:
        return _no_join(op)
    left, right = (flow.completed().sorted_by_user() for flow in op.inputs)
    parts = arguments(op.node)
    keys = [tuple(split_items(inner(part))) for part in parts[:2] if is_list(part)]
    join_type = next((part for part in parts if part.startswith(JOIN_TYPES)), "")
    condition = next((match[1] for part in parts if (match := _FULL_CONDITION.search(part))), "null")
    on = _conditions(op, (left, right), keys, "" if condition == "null" else condition)
    return _joined(left, right, on, join_type)


def _no_join(op: Operation) -> Flow:
    op.gap(GapReason.UNPARSED_PLAN, f"a join of {len(op.inputs)} inputs", "please report it with the plan's text")
    return op.input.completed()


def _joined(left: Flow, right: Flow, conditions: list[Condition], join_type: str) -> Flow:
    both = combine((left, right))
    if existence := _EXISTENCE.search(join_type):
        # the existence of a match is a value that depends on the keys and the condition
        exists = Output(existence[1], int(existence[2]), _existence(conditions))
        return both.with_outputs((*left.outputs, exists)).with_conditions(*conditions)
    if join_type.startswith(("LeftSemi", "LeftAnti")):
        return both.with_outputs(left.outputs).with_conditions(*conditions)
    return both.with_conditions(*conditions)


def _sorted_side(op: Operation, flow: Flow, keys: str) -> Flow:
    settled = flow.completed()
    return settled.ordered_for(op.node.items(keys)) if op.node.operator == "SortMergeJoin" else settled


def _conditions(
    op: Operation, sides: tuple[Flow, Flow], keys: Sequence[Sequence[str]], condition: str
) -> list[Condition]:
    bound = [op.bind(key, side.scope) for side, own in zip(sides, keys, strict=False) for key in own]
    if condition:
        bound.append(op.bind(condition, combine(sides).scope))
    return [Condition(derivation, T.JOIN) for derivation in bound]


def _existence(conditions: list[Condition]) -> Derivation:
    sources = merge(condition.derivation.through(T.JOIN) for condition in conditions)
    return Derivation(sources, ("exists",))
