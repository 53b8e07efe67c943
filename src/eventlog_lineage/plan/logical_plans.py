"""The logical plans of extended and cost text.

A physical plan can stop where a query goes on: at the RDD of a connector, at rows that were computed from statistics.
The analyzed plan above it has the whole query, under the same attribute ids.
"""

from __future__ import annotations

from collections.abc import Iterator

from eventlog_lineage.plan.tree_string.read_tree import read_logical

from .nodes import Plan
from .plan_text import sections

_ROWS = "LocalTableScan ["
_VALUES = "LocalRelation ["


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


def answers_a_query(text: str) -> bool:
    """Does a physical plan have rows in place of a query, as connectors answer aggregates from their metadata?

    Args:
        text: `physicalPlanDescription`.
    """
    parts = sections(text) if _ROWS in text else None
    return parts is not None and bool(parts.analyzed) and parts.physical.count(_ROWS) > parts.analyzed.count(_VALUES)


def parsed_plan(text: str) -> Plan | None:
    """Reads the plan of extended text as it was parsed.

    Args:
        text: `physicalPlanDescription`.

    Returns:
        The plan, its names as they were written; `unresolved.with_attributes` makes attributes of them. None where the
        text has none.
    """
    parts = sections(text)
    plan = read_logical(parts.parsed) if parts is not None and parts.parsed.strip() else None
    return plan if plan is not None and plan.root is not None else None
