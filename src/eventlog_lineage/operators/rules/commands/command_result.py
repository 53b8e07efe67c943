"""`CommandResult`: the rows of a command's result, with the plan of the command."""

from __future__ import annotations

from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated


@operator("CommandResult")
def command_result(op: Operation) -> Flow:
    """Output rows without sources: the command below runs in its own execution, which has its lineage.

    The rows of commands such as `DESCRIBE HISTORY` can be a query's input; they come from no dataset.
    """
    named = op.node.attributes("Output")
    return Flow(tuple(Output(name, expr_id, generated(name)) for name, expr_id in named), command="CommandResult")
