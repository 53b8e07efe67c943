"""Choose the execution whose plan holds the written values, and the one that names the target."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from eventlog_lineage.datasets.naming import is_unnamed
from eventlog_lineage.extensions import Rows, find_command
from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.scans import column_names
from eventlog_lineage.operators.write_targets import columns_of as named_columns
from eventlog_lineage.operators.write_targets import lacks_name, listed_columns
from eventlog_lineage.plan.grammar.attribute_ids import ids_in
from eventlog_lineage.plan.tree.nodes import walk

from .statement_trace import StatementTrace

_LOOP = "UnionLoop"
_ROW = "obj"
"""The output of `DeserializeToObject`: rows for a program, as those of a change feed that Delta reads by an RDD."""


def source_flow(flows: Sequence[Flow]) -> Flow:
    """Return the flow that the written values come from.

    A command with only a logical tree names the target. The execution below it that writes, or whose rows are written,
    has the physical plan, with the optimizer's columns and paths. If it names no table, its rows may be encoded
    (Hudi's bulk insert up to 3.5), and the command's own query is better.

    Args:
        flows: The flows of the statement's executions, the root's first.
    """
    root = flows[0]
    inner = _inner_writes(flows)
    if root.write is None:
        return inner[-1] if inner and _hides_target(root) else root
    if root.write.columns == () or _holds_rows(root):  # a definition has no rows
        return root
    if root.write.columns:
        inner = [flow for flow in inner if flow.write is None or not is_unnamed(flow.write.target.name)]
    return inner[-1] if inner else _query_below(root, root.write, flows[1:]) or root


def _query_below(root: Flow, write: Write, below: Sequence[Flow]) -> Flow | None:
    """Return the last execution whose rows can be those that a command writes, if one has their sources."""
    fitting = _fitting_queries(root, write, [flow for flow in below if not flow.command and flow.outputs])
    resolved = [flow for flow in fitting if not any(gap.reason is GapReason.UNKNOWN_SOURCE for gap in flow.gaps)]
    found = resolved or ([] if write.columns else fitting)
    kept = [flow for flow in found if all(output.name != _ROW for output in flow.outputs)]
    return next(reversed(kept or found), None)


def _fitting_queries(root: Flow, write: Write, queries: Sequence[Flow]) -> Sequence[Flow]:
    """Return the queries whose rows can be those that a command writes, by position or by name."""
    declared = write.names or [_printed_name(column) for column in write.columns or ()]
    if fitting := [flow for flow in queries if _fits(_rows(flow), declared, is_truncated=write.is_truncated)]:
        return fitting
    command = find_command(root.command)
    if command.rows is Rows.ELSEWHERE:
        fitting = [flow for flow in queries if _is_by_name([row.name for row in _rows(flow)], declared)]
    if command.fills_new_table and not fitting and len(queries) == 1:
        return queries  # the line of the query cannot be parsed: the rows have the names of the new table's columns
    return fitting


def _printed_name(column: Output) -> str:
    """Return a column's name; empty for one that Spark truncated, which has any name."""
    return "" if column.expr_id < 0 and column.derivation.is_truncated else column.name


def leave_out_iterations(trace: StatementTrace) -> StatementTrace:
    """Return a trace without the rows of the executions that are the anchor or an iteration of a recursive CTE (4.1+).

    Spark executes each of them on its own (`UnionLoopExec.doExecute`); the plan with the loop has all of the rows.
    """
    roots = (each.plan.root for each in trace.plans if each.plan is not None)
    inputs = [each for root in roots for node in walk(root) if node.operator == _LOOP for each in node.children]
    if not inputs:
        return trace
    ids = {expr_id for node in inputs for part in node.fields.values() for expr_id in ids_in(part.text)}
    flows = (Flow(reads=flow.reads) if _is_iteration(flow, ids) else flow for flow in trace.flows[1:])
    return replace(trace, flows=(trace.root, *flows))


def _is_iteration(flow: Flow, ids: Set[int]) -> bool:
    """Return whether a query's rows are those of an input of a loop, whose attributes are `ids`."""
    return not flow.command and bool(flow.outputs) and all(output.expr_id in ids for output in flow.outputs)


def _fits(rows: Sequence[Output], declared: Sequence[str], *, is_truncated: bool) -> bool:
    """Return whether rows can be the columns that a command prints: by their number, or by name if it is truncated.

    Args:
        declared: The names of the columns that the command prints; empty for hidden ones.
    """
    if not declared:
        return True
    if not is_truncated:
        return len(rows) == len(declared)
    return len(rows) >= len(declared) and all(
        not name or row.name.lower() == name.lower() for row, name in zip(rows, declared, strict=False)
    )


def _inner_writes(flows: Sequence[Flow]) -> list[Flow]:
    """Return the flows of the statement's inner executions that write and whose plans hold the written rows."""
    return [flow for flow in flows[1:] if _holds_rows(flow) and flow.write is not None]


def _holds_rows(flow: Flow) -> bool:
    """Return whether a flow's command has the physical plan of its rows below it, in every Spark version."""
    return find_command(flow.command).has_rows


def _hides_target(flow: Flow) -> bool:
    """Return whether the log lacks the arguments of a flow's command (`sparkPlanInfo` has none below `Execute`)."""
    return any(gap.reason is GapReason.UNKNOWN_TARGET for gap in flow.gaps)


def _rows(flow: Flow) -> tuple[Output, ...]:
    """Return a query's outputs without `obj`, to which a JDBC write or `foreach` converts each row."""
    return tuple(output for output in flow.outputs if output.name != _ROW) or flow.outputs


def target_of(flows: Sequence[Flow]) -> Write | None:
    """Return the outer execution's write, with the target's name from an inner execution if that is more precise.

    Args:
        flows: The flows of the statement's executions, the root's first.
    """
    write = flows[0].write
    if write is None:
        inner_writes = _inner_writes(flows) if _hides_target(flows[0]) else []
        return inner_writes[-1].write if inner_writes else None
    for inner in (flow.write for flow in flows[1:] if flow.write is not None):
        if _names_target(inner, write):
            write = replace(write, target=inner.target, is_database_assumed=False)
    return write


def _names_target(inner: Write, outer: Write) -> bool:
    """Return whether an inner execution names the target more precisely.

    `SaveAsV1TableCommand` (4.1+) and others print a name without its database, directory commands a path without its
    scheme.
    """
    if outer.target.kind == "path":
        return inner.target.kind == "path"
    if not outer.is_database_assumed or inner.is_database_assumed or inner.target.kind != "table":
        return False
    return inner.target.name.rpartition(".")[2] == outer.target.name.rpartition(".")[2]


def columns_of(source: Flow, write: Write | None) -> tuple[Output, ...]:
    """Return the target's columns, or a query's outputs.

    Args:
        source: The result of `source_flow`.
        write: The result of `target_of`.
    """
    if write is None:
        return () if source.command else _rows(source)
    columns = source.written if source.write is not None else _rows(source)
    declared = column_names(write.columns or ()) or write.names
    is_elsewhere = find_command(write.node_name).rows is Rows.ELSEWHERE
    if source.write is write or write.is_truncated or (is_elsewhere and _is_by_name(column_names(columns), declared)):
        return columns
    return listed_columns(columns, declared) if any(map(lacks_name, columns)) else named_columns(columns, declared)


def _is_by_name(rows: Sequence[str], declared: Sequence[str]) -> bool:
    """Return whether a statement writes the target's columns by name: in another order, or only some of them.

    Delta reorders the rows of `INSERT … BY NAME`, of column lists and of data frames to the table's order, and adds
    generated columns, NULLs and defaults (`DeltaAnalysis.resolveQueryColumnsByName`, 2.3 to 4.3).
    """
    named = [name.lower() for name in rows]
    return len(set(named)) == len(named) and {name.lower() for name in declared} <= set(named)
