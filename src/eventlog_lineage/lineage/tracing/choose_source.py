"""Choose the execution whose plan holds the written values, and the one that names the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.extensions import find_command
from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.plan.expressions.attribute_ids import ids_in
from eventlog_lineage.plan.nodes import walk

from .statement_trace import StatementTrace

_LOOP = "UnionLoop"
_ROW = "obj"
"""The output of `DeserializeToObject`: rows for a program, as those of a change feed that Delta reads by an RDD."""


def source_flow(flows: Sequence[Flow]) -> Flow:
    """Return the flow that the written values come from.

    A command with only a logical tree names the target. The execution below it that writes, or whose rows are written,
    has the physical plan, with the optimizer's columns and paths.

    Args:
        flows: The flows of the statement's executions, the root's first.
    """
    root = flows[0]
    if root.write is None and _hides_target(root):
        return _inner_writes(flows)[-1] if _inner_writes(flows) else root
    if root.write is None or _holds_rows(root):
        return root
    if root.write.columns == ():
        return root  # a definition: nothing is written
    if inner := _inner_writes(flows):
        return inner[-1]
    queries = [flow for flow in flows[1:] if not flow.command and flow.outputs]
    declared = root.write.names or [column.name for column in root.write.columns or ()]
    fitting = [flow for flow in queries if _fits(_rows(flow), declared, is_truncated=root.write.is_truncated)]
    command = find_command(root.command)
    if command.v1_fallback and not fitting:
        fitting = [flow for flow in queries if _is_by_name([row.name for row in _rows(flow)], declared)]
    if command.fills_new_table and not fitting and len(queries) == 1:
        fitting = queries  # the line of the query cannot be parsed: the rows have the names of the new table's columns
    resolved = [flow for flow in fitting if not any(gap.reason is GapReason.UNKNOWN_SOURCE for gap in flow.gaps)]
    found = resolved or ([] if root.write.columns else fitting)
    kept = [flow for flow in found if all(output.name != _ROW for output in flow.outputs)]
    return next(reversed(kept or found), root)


def leave_out_iterations(trace: StatementTrace) -> StatementTrace:
    """Return a trace without the rows of the executions that are the anchor or an iteration of a recursive CTE (4.1+).

    Spark executes each of them on its own (`UnionLoopExec.doExecute`); the plan with the loop has all of the rows.
    """
    plans = [each.plan.root if each.plan else None for each in trace.plans]
    nodes = [node for root in plans if root is not None for node in walk(root) if node.operator == _LOOP]
    if not nodes:
        return trace
    inputs = [each for node in nodes for each in node.children]
    ids = {expr_id for node in inputs for part in node.fields.values() for expr_id in ids_in(part.text)}
    flows = (
        Flow(reads=flow.reads) if not flow.command and flow.outputs and ids.issuperset(_ids(flow)) else flow
        for flow in trace.flows[1:]
    )
    return replace(trace, flows=(trace.root, *flows))


def _ids(flow: Flow) -> set[int]:
    return {output.expr_id for output in flow.outputs}


def _fits(rows: Sequence[Output], declared: Sequence[str], *, is_truncated: bool) -> bool:
    """Return whether rows can be the columns that a command prints: by their number, or by name if it is truncated.

    Args:
        rows: The outputs of a query.
        declared: The names of the columns that the command prints.
        is_truncated: Whether Spark truncated this list.
    """
    if not declared:
        return True
    if not is_truncated:
        return len(rows) == len(declared)
    first = [row.name.lower() for row in rows[: len(declared)]]
    return first == [name.lower() for name in declared]


def _inner_writes(flows: Sequence[Flow]) -> list[Flow]:
    """Return the flows of the statement's inner executions that write and whose plans hold the written rows."""
    return [flow for flow in flows[1:] if _holds_rows(flow) and flow.write is not None]


def _holds_rows(flow: Flow) -> bool:
    """Return whether a flow's command has the physical plan of its rows below it, in every Spark version."""
    command = find_command(flow.command)
    return command.holds_physical_write or command.row_level


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

    Args:
        inner: The write of the inner execution.
        outer: The write of the root execution.
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
    columns = tuple((source.write.columns if source.write is not None else _rows(source)) or ())
    declared = tuple(column.name for column in write.columns or ()) or write.names
    if source.write is write or write.is_truncated or len(declared) != len(columns):
        return columns
    if find_command(write.node_name).v1_fallback and _is_by_name([each.name for each in columns], declared):
        return columns
    return tuple(Output(name, each.expr_id, each.derivation) for name, each in zip(declared, columns, strict=True))


def _is_by_name(rows: Sequence[str], declared: Sequence[str]) -> bool:
    """Return whether a statement writes the target's columns by name: in another order, or only some of them.

    Delta reorders the rows of `INSERT … BY NAME`, of column lists and of data frames to the table's order, and adds
    generated columns, NULLs and defaults (`DeltaAnalysis.resolveQueryColumnsByName`, 2.3 to 4.3).

    Args:
        rows: The names of the query's outputs.
        declared: The names of the target's columns.
    """
    named = [name.lower() for name in rows]
    return len(set(named)) == len(named) and {name.lower() for name in declared} <= set(named)
