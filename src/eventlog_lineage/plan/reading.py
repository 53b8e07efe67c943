"""Plan text of whatever explain mode to a plan."""

from __future__ import annotations

from ..errors import PlanSyntaxError
from .modes import Mode, sections
from .nodes import Plan
from .one_line import read_one_line
from .tree import read_formatted


def read_plan(text: str) -> Plan:
    """Reads a plan's text.

    Args:
        text: `physicalPlanDescription` of an execution: formatted, extended, cost or simple.

    Returns:
        The physical plan.

    Raises:
        PlanSyntaxError: The text is no plan at all.
    """
    parts = sections(text)
    if parts is None:
        raise PlanSyntaxError("this is no plan text", text[:200], 0, "set spark.sql.ui.explainMode=formatted")
    plan = read_formatted(text) if parts.mode is Mode.FORMATTED else read_one_line(parts)
    if plan.root is None:
        raise PlanSyntaxError("the plan has no operator", text[:200], 0, "please report it with the plan's text")
    return plan
