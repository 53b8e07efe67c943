"""The text of a plan as a log prints it."""

from __future__ import annotations

from eventlog_lineage.events.records import Execution
from eventlog_lineage.plan.plan_text import PlanText


def text_of(execution: Execution) -> str:
    """The plan text of an execution that `read_log` read; a harvest's workers keep a summary of it only."""
    assert isinstance(execution.plan, PlanText)
    return execution.plan.text
