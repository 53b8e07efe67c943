"""Link executions to their statement where the log does not: results of commands, maintenance of a CALL.

A caller that collects the result of a command gets an execution of its own, a `CommandResult` (3.2+). Spark 4 runs a
procedure while the statement is analyzed (`ResolveProcedures`): its executions have roots of their own, described by
the connector, and only the result of the CALL is an execution, a `CommandResult` of local rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from eventlog_lineage.extensions import find_command, formats
from eventlog_lineage.model import Dataset

from .execution_summary import ExecutionSummary


def link_command_results(ordered: Sequence[ExecutionSummary], roots: dict[int, int]) -> frozenset[int]:
    """Attach the result of a command to the command's statement, if its plan text contains more than the command's.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root; updated for the results.

    Returns:
        The ids of these results.
    """
    commands: dict[str, ExecutionSummary] = {}
    found: set[int] = set()
    for execution in ordered:
        analyzed, execution_id = execution.summary.analyzed, execution.execution_id
        if not analyzed:
            continue
        if not find_command(execution.summary.command).is_result:
            commands[analyzed] = execution
        elif (command := commands.get(analyzed)) is not None and roots[execution_id] == execution_id:
            roots[execution_id] = roots[command.execution_id]
            found.add(execution_id)
    return frozenset(found)


@lru_cache(maxsize=4096)  # descriptions repeat: most name a line of a program
def described_maintenance(description: str) -> Dataset | None:
    """Return the table that an execution maintains, by its description; None for other executions."""
    for each in formats():
        if name := each.maintained_table(description):
            return Dataset(name, "table", each.name)
    return None


def link_maintenance(ordered: Sequence[ExecutionSummary], roots: dict[int, int]) -> dict[int, Dataset]:
    """Attach maintenance executions to the CALL that ran them; a CALL without any may commit to a table itself.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root; updated for executions that a CALL's result follows.

    Returns:
        Root execution to the table that it maintains, for maintenance that is not part of another statement.
    """
    found: dict[int, Dataset] = {}
    unattached: list[ExecutionSummary] = []
    for execution in ordered:
        execution_id = execution.execution_id
        if roots[execution_id] != execution_id:
            continue
        if maintained := described_maintenance(execution.description):
            unattached.append(execution)
            found[execution_id] = maintained
        elif find_command(execution.summary.command).is_call and unattached:
            table = found[unattached[-1].execution_id]
            called = [each for each in unattached if found[each.execution_id] == table]
            for each in called:
                del found[each.execution_id]
                inner = [member for member, root in roots.items() if root == each.execution_id]
                roots.update((member, execution_id) for member in inner)
            found[execution_id] = table
            unattached = [each for each in unattached if each not in called]
        elif find_command(execution.summary.command).is_call and execution.commit_location:
            location = execution.commit_location
            found[execution_id] = Dataset(location, "path" if "/" in location else "table")
    return found
