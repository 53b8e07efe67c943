"""The `Arguments:` of an operator: values side by side, lists in brackets among them.

Source: `TreeNode.argString`: empty lists and missing options leave no trace, so places shift.
"""

from __future__ import annotations

from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import PlanNode

_DIRECTIONS = (" ASC NULLS FIRST", " ASC NULLS LAST", " DESC NULLS FIRST", " DESC NULLS LAST")


def arguments(node: PlanNode) -> list[str]:
    """The arguments of an operator, as printed."""
    text = node.text("Arguments")
    return split_items(text) if text else []


def is_list(argument: str) -> bool:
    """Is the argument a list in brackets?"""
    return argument.startswith("[") and argument.endswith("]")


def lists(node: PlanNode) -> list[str]:
    """The arguments that are lists, without their brackets."""
    return [argument[1:-1] for argument in arguments(node) if is_list(argument)]


def inner(argument: str) -> str:
    """A list without its brackets."""
    return argument[1:-1] if is_list(argument) else argument


def directionless(key: str) -> str:
    """A sort key without `ASC NULLS FIRST` and its like."""
    for direction in _DIRECTIONS:
        key = key.removesuffix(direction)
    return key
