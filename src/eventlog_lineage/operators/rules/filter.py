"""`Filter`: selects rows."""

from __future__ import annotations

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.flow import Condition, Flow
from eventlog_lineage.operators.joins import comparisons, conjunction, join_conditions, meant_parts, tested_parts
from eventlog_lineage.operators.operation import Operation, Scope
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.rules.python_rows import opaque
from eventlog_lineage.plan.tree.nodes import outer_ids

_CLOSURES = ("$Lambda$", "$Lambda/", "$anonfun$", "$Lambda@")
"""A typed filter's code, `Typed$$$Lambda$3329/0x00007f8538f49b10@4a4979bf.apply`: it may use the complete row."""

_IN_LIST = " IN (list#"
_WORDS = (" AND ", " OR ")
_PRUNING = ("might_contain(", "dynamicpruning")


@operator("Filter")
def filter_rows(op: Operation) -> Flow:
    """Pass on its input; every column in the condition influences all rows, except in a bloom filter.

    `Condition : (isnotnull(id#1L) AND (id#1L > 5))`. In an analyzed plan `cust#11L IN (list#69 [])` joins the two
    sides, as the optimizer's semi join does (`RewritePredicateSubquery`, 2.0 to 4.3). Parts with an attribute of the
    outer query, `(cid#16L = outer(cust#11L))`, are conditions of their own: see `attribute_links.bind_outer`.
    """
    below = op.input
    text = op.node.text("Condition") or op.node.text("Arguments")
    if any(mark in text for mark in _CLOSURES):
        return below.with_conditions(Condition(opaque(below.outputs, "function"), Transformation.FILTER))
    return below.with_conditions(*conditions_of(op, text))


def conditions_of(op: Operation, text: str) -> list[Condition]:
    """Return the conditions of a filter's text on the rows of its input."""
    parts = [part for part in _conjuncts(text) if not part.startswith(_PRUNING)]
    return [each for part in parts for each in _conditions(op, part, op.input.scope)]


def _conditions(op: Operation, part: str, scope: Scope) -> list[Condition]:
    if _IN_LIST in part:
        return join_conditions(op, part, scope)
    outer = outer_ids(part)
    compared = comparisons(op, part, scope) if outer else ()
    # Up to 3.1 both queries have the attributes of a table that both read: `(k#1 = outer(k#1))`
    kind = Transformation.JOIN if compared and outer & scope.keys() else Transformation.FILTER
    parts = conjuncts(part)
    if len(meant := meant_parts(op, parts, scope)) < len(parts):
        part = conjunction(meant)
    return [Condition(op.bind(part, scope), kind, compared, tested_parts(op, meant, scope))]


def _conjuncts(text: str) -> list[str]:
    """Return the parts of a conjunction with a runtime filter or a subquery; otherwise the complete condition."""
    if _IN_LIST in text:
        return [atom for part in conjuncts(text) for atom in (_parts(part, _WORDS) if _IN_LIST in part else [part])]
    if not any(word in text for word in _PRUNING) and not outer_ids(text):
        return [text]
    return conjuncts(text)


def conjuncts(text: str) -> list[str]:
    """Return the parts of a conjunction: `a` and `b` of `(a AND b)`.

    >>> conjuncts("((a#1 > 1) AND (b#2 = x))")
    ['(a#1 > 1)', '(b#2 = x)']
    """
    return _parts(text, (" AND ", " && "))


def _parts(text: str, words: tuple[str, ...]) -> list[str]:
    parts: list[str] = []
    stack = [text]
    while stack:
        part = stack.pop()
        split = next((found for word in words if (found := _split_at(part, word))), None)
        if split:
            stack.extend(reversed(split))
        else:
            parts.append(part)
    return parts


def _split_at(text: str, word: str) -> tuple[str, str] | None:
    """Split `(a AND b)` at its outermost AND; None if there is none.

    >>> _split_at("(a AND (b AND c))", " AND ")
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
        elif depth == 1 and text.startswith(word, index):
            at = index
    return (text[1:at], text[at + len(word) : -1]) if at else None
