"""`CommandResult`: the rows that a command gave, printed again with the plan that was run before."""

from __future__ import annotations

from ..flow import Flow
from ..operation import Operation
from ..registry import operator


@operator("CommandResult")
def command_result(at: Operation) -> Flow:
    """Outputs nothing of the tables: the command below it ran in an execution of its own, and counts there."""
    return Flow(command="CommandResult")
