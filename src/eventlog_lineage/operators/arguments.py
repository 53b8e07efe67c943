"""Parse the `Arguments:` of an operator: a sequence of values and of lists in brackets.

Source: `TreeNode.argString`, which omits empty lists and missing options, so that positions shift.
"""

from __future__ import annotations

from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import PlanNode

_DIRECTIONS = (" ASC NULLS FIRST", " ASC NULLS LAST", " DESC NULLS FIRST", " DESC NULLS LAST")


def arguments(node: PlanNode) -> list[str]:
    """Return the arguments of an operator, as printed."""
    text = node.text("Arguments")
    return split_items(text) if text else []


def is_list(argument: str) -> bool:
    """Return whether an argument is a list in brackets.

    >>> is_list("[a#1, b#2]"), is_list("a#1")
    (True, False)
    """
    return argument.startswith("[") and argument.endswith("]")


def lists(node: PlanNode) -> list[str]:
    """Return the arguments that are lists, without their brackets."""
    return [argument[1:-1] for argument in arguments(node) if is_list(argument)]


def inner(argument: str) -> str:
    """Return a list without its brackets.

    >>> inner("[a#1, b#2]")
    'a#1, b#2'
    """
    return argument[1:-1] if is_list(argument) else argument


def directionless(key: str) -> str:
    """Return a sort key without its direction.

    >>> directionless("a#1 ASC NULLS FIRST")
    'a#1'
    """
    for direction in _DIRECTIONS:
        key = key.removesuffix(direction)
    return key
