"""Trace maintenance statements, which keep the rows of their table."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.extensions import commands_where, find_command
from eventlog_lineage.model import Dataset, Gap, GapReason
from eventlog_lineage.operators.flow import Flow, Write

from .statement_trace import StatementTrace

_IMPORTED = frozenset({"added_files_count", "imported_files_count", "migrated_files_count"})
"""Results of Iceberg's `add_files`, `snapshot` and `migrate` (1.4 to 1.12)."""


def replace_by_maintenance(trace: StatementTrace) -> StatementTrace:
    """Replace the flows of a maintenance statement by a write that keeps its table's rows."""
    table = trace.statement.context.maintained_table
    if table is not None:
        imports = table.kind == "path" and any(output.name in _IMPORTED for output in trace.root.outputs)
        return replace(trace, flows=(_imported(table) if imports else _maintained(table),))
    is_named = trace.root.write is not None or any(gap.reason is GapReason.UNKNOWN_TARGET for gap in trace.root.gaps)
    is_result = not trace.root.command or find_command(trace.root.command).is_result
    if is_named or not is_result or not find_command(trace.texts[0].summary.command).is_call:
        return trace
    return replace(trace, flows=(Flow(command=_call(), gaps=(_unnamed(trace.root),)),))


def _unnamed(result: Flow) -> Gap:
    """Return the gap of a procedure whose plan contains only its result, as on Spark 4."""
    names = ", ".join(output.name for output in result.outputs)
    return Gap(
        GapReason.UNKNOWN_TARGET,
        _call(),
        f"the plan has only the result of a procedure, {names}"[:500],
        "set the CALL's SQL as the job description (spark-sql and Thrift servers do), or harvest with --table-metadata,"
        " which reads the table's snapshots",
    )


def _imported(table: Dataset) -> Flow:
    """Return the flow of a procedure that adds files of unknown origin to a table."""
    gap = Gap(
        GapReason.UNKNOWN_SOURCE,
        _call(),
        "a procedure imports files that the plan does not name",
        "set the CALL's SQL as the job description (spark-sql and Thrift servers do)",
    )
    return Flow(write=Write(table, "append", (), node_name=_call()), command=_call(), gaps=(gap,))


def _maintained(table: Dataset) -> Flow:
    """Return the flow of a table's maintenance."""
    write = Write(table, "maintenance", (), node_name=_call())
    return Flow(write=write, command=_call())


def _call() -> str:
    (call,) = commands_where("is_call")
    return call
