"""Maintenance of tables whose executions and whose CALL the log does not link.

Spark 4 runs a procedure while the statement is analysed (`ResolveProcedures`): what it runs has roots of its own,
described by the connector, and of the CALL only the result is an execution, a `CommandResult` of local rows.
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
    """The table that an execution maintains, by its description; None for other executions."""
    for each in formats():
        if name := each.maintained_table(description):
            return Dataset(name, "table", each.name)
    return None


def link_maintenance(ordered: Sequence[ExecutionSummary], roots: dict[int, int]) -> dict[int, Dataset]:
    """Finds what ran for a CALL.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root; changed for upkeep that a CALL's result follows.

    Returns:
        Root execution to the table that was tended, for upkeep that is no part of another statement.
    """
    found: dict[int, Dataset] = {}
    waiting: list[ExecutionSummary] = []
    for run in ordered:
        if roots[run.execution_id] != run.execution_id:
            continue
        if maintained := described_maintenance(run.description):
            waiting.append(run)
            found[run.execution_id] = maintained
        elif find_command(run.summary.command).is_call and waiting:
            table = found[waiting[-1].execution_id]
            mine = [each for each in waiting if found[each.execution_id] == table]
            for each in mine:
                del found[each.execution_id]
                roots.update(
                    (inner, run.execution_id) for inner, root in list(roots.items()) if root == each.execution_id
                )
            found[run.execution_id] = table
            waiting = [each for each in waiting if each not in mine]
    return found


def replace_by_maintenance(trace: StatementTrace) -> StatementTrace:
    """Replace the flows of a maintenance statement by a write that keeps its table's rows."""
    table = trace.statement.context.maintained_table
    return replace(trace, flows=(_maintained(table),)) if table is not None else trace


def _maintained(table: Dataset) -> Flow:
    """The flow of a table's upkeep: its rows keep their values."""
    (call,) = commands_where("is_call")
    write = Write(table, "maintenance", (), node_name=call)
    return Flow(write=write, command=call)
