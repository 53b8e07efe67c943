"""`ReplaceData` and `WriteDelta`: UPDATE, DELETE and MERGE through V2 connectors; `DeleteFromTable`."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, Transformation
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import filters_on, predicate_columns
from eventlog_lineage.operators.write_targets import (
    assigned,
    name_in_write,
    row_columns,
    without_required_order,
    written_table,
)
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of, closing_bracket
from eventlog_lineage.plan.grammar.parser import split_alias
from eventlog_lineage.plan.tree.nodes import PlanNode, first_branch, walk

_CARRIERS = frozenset({"Exchange", "AQEShuffleRead", "ShuffleQueryStage", "Sort", "AdaptiveSparkPlan", "ColumnarToRow"})
_COLUMN_PREDICATE = re.compile(r"(?:^|[(, ])([A-Za-z_][\w.]*) (?:<=>|<=|>=|!=|=|<|>|IN |IS |LIKE )")


@operator("ReplaceData", "WriteDelta")
def row_level(op: Operation) -> Flow:
    """Write the rows that a row-level command changes, including the other rows of copied files.

    The operators below show the command: `MergeRows`, new values, or fewer rows. `WriteDelta` of a connector that
    prints no name (`SparkPositionDeltaWrite@…` up to Spark 4.1) writes the table that it reads with row ids.
    """
    below = _without_connector_order(without_required_order(op.raw_input))
    target = op.known(_target(op), "this connector does not print the table", below)
    outputs, conditions = _assignments(op)
    merges = next((op.below(node) for node in walk(op.node) if node.operator == "MergeRows"), None)
    if merges is not None and merges.assigned is not None:
        assigned_ids = merges.assigned
        columns = assigned([each for each in below.outputs if each.expr_id in assigned_ids], "")
    else:
        columns = assigned(outputs or below.outputs, target.name)
    mode = "merge" if merges is not None else "update" if columns else "delete"
    return op.writes(Write(target, mode, columns), below.with_conditions(*conditions))


def _without_connector_order(flow: Flow) -> Flow:
    kept = [
        each
        for each in flow.conditions
        if not each.derivation.sources
        or any(origin.column not in row_columns() for origin, _ in each.derivation.sources)
    ]
    return replace(flow, conditions=tuple(kept))


def _target(op: Operation) -> Dataset | None:
    name = op.node.argument or name_in_write(op.node.text("Arguments")) or _changed_table(op)
    return written_table(op, name) if name else None


def _changed_table(op: Operation) -> str:
    """Return the table that is read with row ids, or for a wide one, whose list hides them, as the first input."""
    marked = [node for node in walk(op.node) if _reads_row_ids(node)]
    side = marked[-1] if marked else _changed_side(op.node)
    read = {each.dataset.name for each in op.below(side).reads} if side is not op.node else set()
    return (side.argument if marked else "") or (read.pop() if len(read) == 1 else "")


def _changed_side(node: PlanNode) -> PlanNode:
    """Return the input with the rows of the target: the left side of a join (`RewriteRowLevelCommand`, 3.4 to 4.3)."""
    branch = first_branch(node)
    return branch.children[0] if branch.children else branch


def _reads_row_ids(node: PlanNode) -> bool:
    names = (attribute_of(item)[0] for item in node.items("Output")) if node.operator == "BatchScan" else ()
    return not row_columns().isdisjoint(names)


def _assignments(op: Operation) -> tuple[list[Output], list[Condition]]:
    """Return the assignments of an UPDATE that copies files: `if (cond) value else column AS column`.

    A projection above drops the columns that the connector requires for an exchange.
    """
    node = _assigning_projection(op, op.node)
    if node.operator == "Project" and node.children and _is_union(node.children[0]):
        node = _below(node.children[0], "Union")
    if node.operator == "Union":
        return _assignments_of_union(op, node.children[0]), []
    if node.operator != "Project" or not node.children:
        return [], []
    scope = op.below(node.children[0]).scope
    outputs, conditions = [], {}
    for item in node.columns:
        alias = split_alias(item, op.names)
        if alias and (choice := choice_of(alias[0])):
            outputs.append(Output(alias[1], alias[2], op.bind(choice[1], scope)))
            conditions[choice[0]] = Condition(op.bind(choice[0], scope), Transformation.FILTER)
    return outputs, list(conditions.values())


def _assigning_projection(op: Operation, node: PlanNode) -> PlanNode:
    """Return the first projection with assignments in a chain of inputs; else the first one, or the chain's end."""
    first: PlanNode | None = None
    while True:
        if node.operator == "Project":
            first = first or node
            if _assigns(op, node):
                return node
        child = node.only_child
        if child is None or (first is not None and node.operator not in {*_CARRIERS, "Project"}):
            return first or node
        node = child


def _assigns(op: Operation, project: PlanNode) -> bool:
    """Return whether a projection assigns values to some rows: by a condition, or to one side of a union."""
    if project.children and _is_union(project.children[0]):
        return True
    aliases = (split_alias(item, op.names) for item in project.columns)
    return any(alias and choice_of(alias[0]) for alias in aliases)


def _is_union(node: PlanNode) -> bool:
    return _below(node, "Union").operator == "Union"


def _below(node: PlanNode, operator: str) -> PlanNode:
    """Return the first operator with a name below a chain of exchanges and sorts; else the chain's end."""
    while node.operator != operator and len(node.children) == 1 and node.operator in _CARRIERS:
        node = node.children[0]
    return node


def _assignments_of_union(op: Operation, branch: PlanNode) -> list[Output]:
    """Return the assignments of an UPDATE with a subquery as condition: the union's first input has the changed rows.

    Source: `RewriteUpdateTable.buildReplaceDataWithUnionPlan` (3.4 to 4.3): `value AS column` for all columns.
    """
    branch = _below(branch, "Project")
    if branch.operator != "Project" or not branch.children:
        return []
    scope = op.below(branch.children[0]).scope
    found = (split_alias(item, op.names) for item in branch.columns)
    return [Output(alias[1], alias[2], op.bind(alias[0], scope)) for alias in found if alias]


def choice_of(text: str) -> tuple[str, str] | None:
    """Return condition and value of `if ((id#1L = 3)) (amount#2 * 3.0) else amount#2`.

    >>> choice_of("if ((id#1L = 3)) (amount#2 * 3.0) else amount#2")
    ('(id#1L = 3)', '(amount#2 * 3.0)')
    """
    end = closing_bracket(text, 3) if text.startswith("if (") else -1
    value, otherwise, _ = text[end + 2 :].rpartition(" else ")
    return (text[4:end], value) if otherwise and end >= 0 else None


@operator("DeleteFromTable")
def delete_from_table(op: Operation) -> Flow:
    """Delete complete files or partitions by predicates, without reading rows: `Arguments: cat.db.t, [day = 'x'], …`.

    Up to Spark 3.3 the predicates are V1 filters: `[EqualTo(day,x), LessThan(amount,12.0)]`.
    """
    parts = op.node.arguments
    if len(parts) < 2 or "." not in parts[0] or "@" in parts[0]:
        return op.unknown_target("this connector does not print the table")
    target = naming.table(parts[0])
    names = (*_COLUMN_PREDICATE.findall(parts[1].strip("[]")), *predicate_columns(parts[1]))
    rows = Flow(reads=(Read(target, (), op.node.name),)).with_conditions(*filters_on(target, names, parts[1]))
    return op.writes(Write(target, "delete"), rows)
