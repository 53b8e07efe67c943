"""Plan text of whatever explain mode to a plan."""

from __future__ import annotations

import re

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.plan.formatted.build_tree import read_formatted
from eventlog_lineage.plan.tree_string.read_tree import read_one_line
from eventlog_lineage.plan.unresolved.analyzer import with_attributes

from .nodes import Plan
from .plan_text import Mode, sections

_FEED = re.compile(
    r"DeltaCDFRelation\(SnapshotWithSchemaMode\(.*?,(?:Some\(\d+\)|None),(?:Some\(\d+\)|None)\)(?=\s)", re.DOTALL
)
"""The name of a scan of Delta's change feed has the table's whole state in it; from 4.0 on over many lines."""


def read_plan(text: str) -> Plan:
    """Reads a plan's text.

    Args:
        text: `physicalPlanDescription` of an execution: formatted, extended, cost or simple.

    Returns:
        The physical plan.

    Raises:
        PlanSyntaxError: The text is no plan at all.
    """
    if "DeltaCDFRelation(" in text:
        text = _FEED.sub("DeltaCDFRelation", text)
    parts = sections(text)
    if parts is None:
        raise PlanSyntaxError("this is no plan text", text[:200], 0, "set spark.sql.ui.explainMode=formatted")
    plan = read_formatted(text) if parts.mode is Mode.FORMATTED else read_one_line(parts)
    if plan.root is None:
        raise PlanSyntaxError("the plan has no operator", text[:200], 0, "please report it with the plan's text")
    return with_attributes(plan)
