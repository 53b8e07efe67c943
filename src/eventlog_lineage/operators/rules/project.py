"""`Project` and `TakeOrderedAndProject` (`ORDER BY … LIMIT n`): compute columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.grammar.symbols import Listed

_PARTITION_KEY = " AS hash_partition_key#"
"""The column that Gluten adds between two steps of an aggregation, for the shuffle."""


@operator("Project")
def project(op: Operation) -> Flow:
    """Output its expressions over the input; a logical tree has them in `Arguments`, truncated.

    `Output [2]: [id#1L, (amount#2 * 2) AS twice#3]`
    """
    items = op.node.items("Output")
    over_window = [child.operator for child in op.node.children] == ["Window"]  # its sort may serve a window above
    below = op.raw_input if over_window or any(_PARTITION_KEY in item for item in items[:1]) else op.input
    if (ordering := op.raw_input.ordering) is not None and ordering.has_all:  # below the samples of a random split
        below = op.raw_input.completed()
    if not items and "Arguments" in op.node.fields:
        items = op.complete(op.node.listed("columns"), "columns")
    return below.with_outputs(op.outputs(items, below.scope))


@operator("TakeOrderedAndProject")
def take_ordered(op: Operation) -> Flow:
    """Output its projection; the order is the user's.

    `Arguments: 5, [v2#1 DESC NULLS LAST], [id#2L, v2#1]`; a truncated projection continues with the consumer's names.
    Spark prints no second list if only the rows count (`TreeNode.argString` omits empty lists, 2.4 to 4.3).
    """
    below = op.input
    keys, columns = op.keys(), op.node.listed("columns")
    if not keys:
        op.gap(GapReason.UNPARSED_PLAN, op.node.text("Arguments"))
    conditions = op.conditions_of(keys, Transformation.SORT, below.scope)
    outputs = op.outputs(_join_split_names(columns, below), below.scope)
    if columns.missing:
        outputs = (*outputs, *_rest(op, outputs, columns.missing, below))
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


def _rest(op: Operation, printed: Sequence[Output], missing: int, below: Flow) -> list[Output]:
    """Return the truncated columns: by the consumer's names, or else by an input that has all of them."""
    count = len(printed) + missing
    found: list[Output] = []
    if len(op.consumed) == count:
        known = op.consumed[len(printed) :]
        found = [Output(name, expr_id, below.scope[expr_id]) for name, expr_id in known if expr_id in below.scope]
    elif len(below.outputs) >= count and all(
        own.expr_id == other.expr_id for own, other in zip(printed, below.outputs, strict=False)
    ):
        found = list(below.outputs[len(printed) : count])
    if len(found) < missing:
        op.complete(Listed(("",) * (len(printed) + len(found)), missing - len(found)), "columns")
    return found
