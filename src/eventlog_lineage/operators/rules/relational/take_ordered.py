"""`TakeOrderedAndProject`: `ORDER BY … LIMIT n`."""

from __future__ import annotations

from collections.abc import Iterable

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.grammar.symbols import Listed


@operator("TakeOrderedAndProject")
def take_ordered(op: Operation) -> Flow:
    """Output its projection; the order is the user's.

    `Arguments: 5, [v2#1 DESC NULLS LAST], [id#2L, v2#1]`; a truncated projection continues with the consumer's names.
    Spark prints no second list if only the rows count (`TreeNode.argString` omits empty lists, 2.4 to 4.3).
    """
    below = op.input
    keys, columns = op.node.listed("keys"), op.node.listed("columns")
    if not keys:
        op.gap(GapReason.UNPARSED_PLAN, op.node.text("Arguments"), "please report it with the plan's text")
    conditions = [Condition(op.bind(key, below.scope), Transformation.SORT) for key in keys]
    outputs = op.outputs(_join_split_names(columns, below), below.scope)
    if columns.missing:
        outputs = (*outputs, *_rest(op, len(outputs), columns.missing, below))
    return below.with_outputs(outputs).with_conditions(*conditions)


def _join_split_names(items: Iterable[str], below: Flow) -> list[str]:
    """Join an attribute that is not in the input with the alias before it: `day#1 AS a`, `b#2`, of the name `a, b`."""
    joined: list[str] = []
    for item in items:
        attribute = read_attribute(item)
        is_name = attribute is not None and " AS " not in item and attribute[1] not in below.scope
        if is_name and joined and " AS " in joined[-1]:
            joined[-1] = f"{joined[-1]}, {item}"
        else:
            joined.append(item)
    return joined


def _rest(op: Operation, printed: int, missing: int, below: Flow) -> list[Output]:
    """Return the truncated columns: by the consumer's names, or else the input's columns at their positions."""
    consumed = op.node.consumer_input
    if consumed is not None and len(consumed.items) == printed + missing:
        known = [read_attribute(item) for item in consumed.items[printed:]]
        found = [
            Output(name, expr_id, below.scope[expr_id])
            for name, expr_id in filter(None, known)
            if expr_id in below.scope
        ]
    else:
        found = list(below.outputs[printed : printed + missing])
    if len(found) < missing:
        op.complete(Listed(("",) * (printed + len(found)), missing - len(found)), "columns")
    return found
