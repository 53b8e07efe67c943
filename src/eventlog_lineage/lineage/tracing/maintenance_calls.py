"""Upkeep of Iceberg tables whose executions and whose CALL the log does not tie together.

Spark 4 runs a procedure while the statement is analysed (`ResolveProcedures`): what it runs has roots of its own,
described by Iceberg's actions, and of the CALL only the result is an execution, a `CommandResult` of local rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.extensions import commands_where, find_command
from eventlog_lineage.lineage.grouping.execution_summary import ExecutionSummary
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Flow, Write

from .statement_trace import StatementTrace

_UPKEEP = re.compile(r"^(?:Rewriting|Expiring|Removing|Deleting)\b[^\n]* in ([\w-]+(?:\.[\w-]+){2,})$")


def tended_table(description: str) -> str:
    """The table in `Rewriting 1 files (…) in lake.shop.orders`, Iceberg's words for a job; empty for others."""
    match = _UPKEEP.match(description)
    return match[1] if match else ""


def link_maintenance(ordered: Sequence[ExecutionSummary], roots: dict[int, int]) -> dict[int, str]:
    """Finds what ran for a CALL.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root; changed for upkeep that a CALL's result follows.

    Returns:
        Root execution to the table that was tended, for upkeep that is no part of another statement.
    """
    found: dict[int, str] = {}
    waiting: list[ExecutionSummary] = []
    for run in ordered:
        if roots[run.execution_id] != run.execution_id:
            continue
        if tended_table(run.description):
            waiting.append(run)
            found[run.execution_id] = tended_table(run.description)
        elif find_command(run.head.command).is_call and waiting:
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
    return replace(trace, flows=(maintained(table),)) if table else trace


def maintained(table: str) -> Flow:
    """The flow of a table's upkeep: its rows keep their values."""
    (call,) = commands_where("is_call")
    write = Write(Dataset(table, "table", "iceberg"), "maintenance", (), node_name=call)
    return Flow(write=write, command=call)
