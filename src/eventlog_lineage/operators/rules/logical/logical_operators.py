"""Operators that occur only in logical trees, below commands."""

from __future__ import annotations

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.arguments import arguments, lists
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.merge_clauses import clauses
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, split_named


@operator("Distinct")
def distinct(op: Operation) -> Flow:
    """Pass on distinct rows: it groups by all columns."""
    below = op.input
    return below.with_conditions(*(Condition(output.derivation, Transformation.GROUP_BY) for output in below.outputs))


@operator("Except", "Except All", "ExceptAll", "Intersect", "Intersect All", "IntersectAll")
def set_operation(op: Operation) -> Flow:
    """Output the left rows that the right side does or does not contain; both sides' columns are join keys.

    The tree's line is `Intersect All` (up to 3.3 `IntersectAll`); `Arguments: true` for ALL. Physical plans have a join
    instead.
    """
    if len(op.inputs) != 2:
        op.gap(GapReason.UNPARSED_PLAN, f"{len(op.inputs)} inputs", "please report it with the plan's text")
        return op.input
    left, right = (flow.completed().sorted_by_user() for flow in op.inputs)
    compared = [Condition(output.derivation, Transformation.JOIN) for output in (*left.outputs, *right.outputs)]
    return combine((left, right)).with_outputs(left.outputs).with_conditions(*compared)


@operator("WithCTE")
def with_cte(op: Operation) -> Flow:
    """Pass on its last child; the others are the definitions for CTERelationRef.

    The definitions precede the query: `WithCTE +- CTERelationDef …, +- Project …`.
    """
    return op.inputs[-1].completed() if op.inputs else Flow()


@operator("CTERelationDef")
def cte_definition(op: Operation) -> Flow:
    """Pass on its query; references find it by its number: `Arguments: 3, false`."""
    return op.raw_input.completed()


@operator("CTERelationRef")
def cte_reference(op: Operation) -> Flow:
    """Output a definition's columns by position: `Arguments: 3, true, [a#1, b#2], false`."""
    cte_id = op.node.text("Arguments").partition(",")[0].strip()
    found = op.plan.definition(cte_id)
    attributes = lists(op.node)
    items = op.printed_items(split_items(attributes[0]), "columns") if attributes else []
    if found is None:
        named = [read_attribute(item) or (item, -1) for item in items]
        return Flow(outputs=tuple(Output(name, each, op.unbound_value(name, each)) for name, each in named))
    return found.with_outputs(op.relabeled(items, found.outputs[: len(items)]))


@operator("MergeIntoTable")
def merge_into_table(op: Operation) -> Flow:
    """Assign the values of the clauses to target columns; the ON condition and those of the clauses influence all.

    `Arguments: (id#1L = id#7L), [updateaction(None, assignment(amount#3, amount#9))], [insertaction(…)]` over the table
    and the source: the parsed plan's clauses over the analyzed plan's join (`plan.unresolved.parsed_clauses`).
    """
    below = combine([flow.completed().sorted_by_user() for flow in op.inputs])
    parts = arguments(op.node)
    on = [op.condition(part, Transformation.JOIN, below.scope) for part in parts[:1] if "#" in part]
    conditions, values = clauses(op, parts[1:], below.scope)
    order = [output.name for output in op.inputs[0].outputs] if op.inputs else []
    values.sort(key=lambda value: order.index(value.name) if value.name in order else len(order))
    return below.with_outputs(values).with_conditions(*on, *conditions)


@operator("Aggregate")
def aggregate(op: Operation) -> Flow:
    """Output its results: `Arguments: [keys], [results]`, truncated as all arguments."""
    below = op.input
    keys_and_results = lists(op.node)
    keys = keys_and_results[0] if len(keys_and_results) > 1 else ""
    results = keys_and_results[-1] if keys_and_results else ""
    items = op.printed_items(split_named(results, None), "columns")
    conditions = [Condition(op.bind(key, below.scope), Transformation.GROUP_BY) for key in split_items(keys) if key]
    return below.with_outputs(op.outputs(items, below.scope)).with_conditions(*conditions)


@operator("Join")
def join(op: Operation) -> Flow:
    """Join its inputs: `Arguments: Inner, (a#1 = b#2)`."""
    if len(op.inputs) != 2:
        op.gap(GapReason.UNPARSED_PLAN, f"a join of {len(op.inputs)} inputs", "please report it with the plan's text")
        return op.input.completed()
    left = op.inputs[0].completed()
    both = combine((left, *op.inputs[1:]))
    join_type, _, condition = op.node.text("Arguments").partition(", ")
    conditions = [op.condition(condition, Transformation.JOIN, both.scope)] if "#" in condition else []
    if join_type.startswith(("LeftSemi", "LeftAnti")):
        return both.with_outputs(left.outputs).with_conditions(*conditions)
    return both.with_conditions(*conditions)
