"""`CommandResult`: the rows that a command gave, printed again with the plan that was run before."""

from __future__ import annotations

from ...plan.lexer import read_attribute
from ..flow import Flow, Output
from ..operation import Operation
from ..registry import operator
from ..relations import generated


@operator("CommandResult")
def command_result(at: Operation) -> Flow:
    """Outputs nothing of the tables: the command below it ran in an execution of its own, and counts there.

    The rows of one that shows something, such as `DESCRIBE HISTORY`, can be a query's input: no dataset gives them.
    """
    named = [read_attribute(item) or (item, -1) for item in at.node.items("Output")]
    return Flow(tuple(Output(name, number, generated(name)) for name, number in named), command="CommandResult")
