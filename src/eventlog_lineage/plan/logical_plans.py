"""The logical plans of extended and cost text.

A physical plan can stop where a query goes on: at the RDD of a connector, at rows that were computed from statistics.
The analyzed plan above it has the whole query, under the same attribute ids.
"""

from __future__ import annotations

from collections.abc import Iterator

from .modes import sections
from .nodes import Plan
from .one_line import read_logical
from .unresolved import with_attributes


def logical_plans(text: str) -> Iterator[Plan]:
    """Reads the logical plans of a plan text, the one first that says most.

    Args:
        text: `physicalPlanDescription`.

    Yields:
        The analyzed plan, then the optimized one, as far as the text has them; none of formatted and simple text.
    """
    parts = sections(text)
    for tree in (parts.analyzed, parts.optimized) if parts is not None else ():
        if tree.strip():
            plan = read_logical(tree)
            if plan.root is not None:
                yield plan


def parsed_plan(text: str) -> Plan | None:
    """Reads the plan of extended text as it was parsed, its names made attributes (`unresolved.with_attributes`).

    Args:
        text: `physicalPlanDescription`.

    Returns:
        The plan; None where the text has none.

    Raises:
        PlanSyntaxError: The query is nested deeper than a person writes.
    """
    parts = sections(text)
    plan = read_logical(parts.parsed) if parts is not None and parts.parsed.strip() else None
    return with_attributes(plan) if plan is not None and plan.root is not None else None
