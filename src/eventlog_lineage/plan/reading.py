"""Plan text of whatever explain mode to a plan."""

from __future__ import annotations

from ..errors import PlanSyntaxError
from .nodes import Plan
from .tree import read_formatted

_FORMATTED = "== Physical Plan ==\n"


def read_plan(text: str) -> Plan:
    """Reads a plan's text.

    Args:
        text: `physicalPlanDescription` of an execution.

    Returns:
        The plan.

    Raises:
        PlanSyntaxError: The text is of a mode that says too little, or no plan at all.
    """
    if not text.startswith(_FORMATTED):
        raise PlanSyntaxError(
            "this is not the formatted explain text", text[:200], 0, "set spark.sql.ui.explainMode=formatted"
        )
    plan = read_formatted(text)
    if plan.root is None:
        raise PlanSyntaxError("the plan has no operator", text[:200], 0, "please report it with the plan's text")
    return plan
