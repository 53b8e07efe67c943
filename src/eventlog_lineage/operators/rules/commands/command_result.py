"""`CommandResult`: the rows that a command gave, printed again with the plan that was run before."""

from __future__ import annotations

from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute


@operator("CommandResult")
def command_result(at: Operation) -> Flow:
    """Outputs nothing of the tables: the command below it ran in an execution of its own, and counts there.

    The rows of one that shows something, such as `DESCRIBE HISTORY`, can be a query's input: no dataset gives them.
    """
    named = [read_attribute(item) or (item, -1) for item in at.node.items("Output")]
    return Flow(tuple(Output(name, number, generated(name)) for name, number in named), command="CommandResult")
