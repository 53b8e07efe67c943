"""Trace Hudi's UPDATE and DELETE up to 0.x: the command prints no table, and a separate execution saves the rows."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.operators.assigned_columns import assigned
from eventlog_lineage.operators.flow import Flow, Write

MODES = {"UpdateHoodieTableCommand": "update", "DeleteHoodieTableCommand": "delete"}
"""The commands, with the modes of their writes."""

_SAVES = "SaveIntoDataSourceCommand"
_OWN = "_hoodie_"


def add_saved_changes(trace: StatementTrace) -> StatementTrace:
    """Add the write of Hudi's UPDATE or DELETE from the execution that saves the rows."""
    return trace.with_root(changed(trace.flows)) if trace.root.command in MODES else trace


def changed(flows: Sequence[Flow]) -> Flow:
    """Return the command's flow with the saved write.

    The rows are those of the table's relation, with its conditions; columns that are saved unchanged are not assigned
    (`UpdateHoodieTableCommand.run`, 0.11 to 0.15).

    Args:
        flows: The flows of the statement's executions, the command's first.

    Returns:
        The command's flow unchanged, if it has a write, or if nothing is saved.
    """
    root = flows[0]
    saved = next((flow for flow in flows[1:] if flow.command == _SAVES and flow.write is not None), None)
    if root.write is not None or saved is None or saved.write is None:
        return root
    tables = list(dict.fromkeys(read.dataset for read in saved.reads if any(_is_own(name) for name in read.columns)))
    target = tables[0] if tables else saved.write.target
    mode = MODES[root.command]
    values = [each for each in saved.write.columns or () if not _is_own(each.name)]
    columns = assigned(values, target.name) if mode == "update" else ()
    write = Write(target, mode, columns, location=saved.write.target.location, node_name=root.command)
    return Flow(conditions=saved.conditions, reads=saved.reads, write=write, command=root.command, gaps=saved.gaps)


def _is_own(name: str) -> bool:
    return name.startswith(_OWN)
