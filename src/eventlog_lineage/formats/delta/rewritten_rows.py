"""Complete an UPDATE of a wide table: Spark truncates the command's list, and a nested execution rewrites the rows.

The execution `Rewriting N files for UPDATE operation` (2.x to 4.x) projects all columns:
`if (__condition__#1) value else column AS column`, or only the value if the command has no condition; columns that are
not assigned are unchanged. With deletion vectors (3.x) only changed rows are projected, with the same columns.
With a change feed the rows are fields of a struct that a generator makes of the rows before and after
(`CDCReader.packedUpdates`): its text is truncated as well, so what the command does not print remains a gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from eventlog_lineage.lineage.tracing.statement_trace import PlanTrace, StatementTrace
from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.assigned_columns import assigned
from eventlog_lineage.operators.flow import Output
from eventlog_lineage.operators.rules.writes.row_level import choice_of
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.nodes import Field, PlanNode

_COMMANDS = frozenset({"UpdateCommand", "UpdateCommandEdge"})

_OF_FEED = "__is_cdc"
"""The column of rows that distinguishes those of the change feed (`CDCReader.CDC_PARTITION_COL`)."""


def add_truncated_values(trace: StatementTrace) -> StatementTrace:
    """Add the truncated values of an UPDATE, from the execution that rewrites the rows."""
    write = trace.root.write
    if trace.root.command not in _COMMANDS or write is None or not write.is_truncated:
        return trace
    for plan in reversed(trace.plans[1 : trace.statement.size]):
        rows = plan.resolution.flow.outputs
        if any(row.name == _OF_FEED for row in rows):
            continue
        if len(rows) > len(write.names) and tuple(row.name for row in rows[: len(write.names)]) == write.names:
            values = _values(trace, plan)
            if values is None:
                continue
            columns = assigned(values, write.target.name)
            gaps = tuple(gap for gap in trace.root.gaps if gap.reason is not GapReason.TRUNCATED_FIELDS)
            updated = replace(write, columns=columns, names=(), is_truncated=False)
            return trace.with_root(replace(trace.root, write=updated, gaps=gaps))
    return trace


def _values(trace: StatementTrace, plan: PlanTrace) -> tuple[Output, ...] | None:
    """Return the new values of all columns; None if the plan projects none.

    Args:
        trace: The statement.
        plan: The plan of the rewritten rows.
    """
    root = plan.plan.root if plan.plan is not None else None
    while root is not None and root.operator != "Project" and len(root.children) == 1:
        root = root.children[0]
    if root is None or root.operator != "Project" or plan.plan is None:
        return None
    items = tuple(_without_old_values(root))
    field = Field(", ".join(items), len(items), items)
    project = replace(root, fields={**root.fields, "Output": field}, consumer_input=None)
    return trace.resolve(replace(plan.plan, root=project), (), plan.inputs).flow.outputs


def _without_old_values(project: PlanNode) -> Iterator[str]:
    """Yield the items of a projection, without the value that a row keeps if the condition is false."""
    for item in project.items("Output"):
        value, alias, name = item.rpartition(" AS ")
        choice = choice_of(value) if alias else None
        attribute = read_attribute(name)
        yield f"{choice[1]} AS {name}" if choice is not None and attribute is not None else item
