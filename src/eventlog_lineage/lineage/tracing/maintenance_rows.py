"""Trace maintenance statements, which keep the rows of their table."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.extensions import commands_where
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Flow, Write

from .statement_trace import StatementTrace


def replace_by_maintenance(trace: StatementTrace) -> StatementTrace:
    """Replace the flows of a maintenance statement by a write that keeps its table's rows."""
    table = trace.statement.context.maintained_table
    return replace(trace, flows=(_maintained(table),)) if table is not None else trace


def _maintained(table: Dataset) -> Flow:
    """Return the flow of a table's maintenance."""
    (call,) = commands_where("is_call")
    write = Write(table, "maintenance", (), node_name=call)
    return Flow(write=write, command=call)
