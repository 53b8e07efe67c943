"""Attach maintenance executions to their CALL, which the log of Spark 4 does not link.

Spark 4 runs a procedure while the statement is analyzed (`ResolveProcedures`): its executions have roots of their own,
described by the connector, and only the result of the CALL is an execution, a `CommandResult` of local rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.extensions import commands_where, find_command, formats
from eventlog_lineage.lineage.grouping.execution_summary import ExecutionSummary
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Flow, Write

from .statement_trace import StatementTrace


def described_maintenance(description: str) -> Dataset | None:
    """Return the table that an execution maintains, by its description; None for other executions."""
    for each in formats():
        if name := each.maintained_table(description):
            return Dataset(name, "table", each.name)
    return None


def link_maintenance(ordered: Sequence[ExecutionSummary], roots: dict[int, int]) -> dict[int, Dataset]:
    """Attach maintenance executions to the CALL that ran them.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root; changed for executions that a CALL's result follows.

    Returns:
        Root execution to the table that it maintains, for maintenance that is not part of another statement.
    """
    found: dict[int, Dataset] = {}
    waiting: list[ExecutionSummary] = []
    for execution in ordered:
        if roots[execution.execution_id] != execution.execution_id:
            continue
        if maintained := described_maintenance(execution.description):
            waiting.append(execution)
            found[execution.execution_id] = maintained
        elif find_command(execution.summary.command).is_call and waiting:
            table = found[waiting[-1].execution_id]
            mine = [each for each in waiting if found[each.execution_id] == table]
            for each in mine:
                del found[each.execution_id]
                roots.update(
                    (inner, execution.execution_id) for inner, root in list(roots.items()) if root == each.execution_id
                )
            found[execution.execution_id] = table
            waiting = [each for each in waiting if each not in mine]
    return found


def replace_by_maintenance(trace: StatementTrace) -> StatementTrace:
    """Replace the flows of a maintenance statement by a write that keeps its table's rows."""
    table = trace.statement.context.maintained_table
    return replace(trace, flows=(_maintained(table),)) if table is not None else trace


def _maintained(table: Dataset) -> Flow:
    """Return the flow of a table's maintenance: its rows keep their values."""
    (call,) = commands_where("is_call")
    write = Write(table, "maintenance", (), node_name=call)
    return Flow(write=write, command=call)
