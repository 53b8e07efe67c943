"""`Filter`: selects rows."""

from __future__ import annotations

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.flow import Condition, Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.rules.code.python_rows import opaque

_CLOSURES = ("$Lambda$", "$Lambda/", "$anonfun$", "$Lambda@")
"""A typed filter's code, `Typed$$$Lambda$3329/0x00007f8538f49b10@4a4979bf.apply`: it may use the complete row."""

_PRUNING = ("might_contain(", "dynamicpruning")


@operator("Filter")
def filter_rows(op: Operation) -> Flow:
    """Pass on its input; every column in the condition influences all rows, except in a bloom filter.

    `Condition : (isnotnull(id#1L) AND (id#1L > 5))`
    """
    below = op.input
    text = op.node.text("Condition") or op.node.text("Arguments")
    if any(mark in text for mark in _CLOSURES):
        return below.with_conditions(Condition(opaque(below.outputs, "function"), Transformation.FILTER))
    conditions = [
        Condition(op.bind(part, below.scope), Transformation.FILTER)
        for part in _conjuncts(text)
        if not part.startswith(_PRUNING)
    ]
    return below.with_conditions(*conditions)


def _conjuncts(text: str) -> list[str]:
    """Return the parts of a conjunction that contains a runtime filter; otherwise the complete condition."""
    if not any(word in text for word in _PRUNING):
        return [text]
    return conjuncts(text)


def conjuncts(text: str) -> list[str]:
    """Return the parts of a conjunction: `a` and `b` of `(a AND b)`.

    >>> conjuncts("((a#1 > 1) AND (b#2 = x))")
    ['(a#1 > 1)', '(b#2 = x)']
    """
    parts: list[str] = []
    stack = [text]
    while stack:
        part = stack.pop()
        split = _split_and(part)
        if split:
            stack.extend(reversed(split))
        else:
            parts.append(part)
    return parts


def _split_and(text: str) -> tuple[str, str] | None:
    """Split `(a AND b)` at its outermost AND; None if there is none.

    >>> _split_and("(a AND (b AND c))")
    ('a', '(b AND c)')
    """
    if not (text.startswith("(") and text.endswith(")")):
        return None
    depth = 0
    at = 0
    for index, char in enumerate(text):
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif depth == 1 and text.startswith(" AND ", index):
            at = index
    return (text[1:at], text[at + 5 : -1]) if at else None
