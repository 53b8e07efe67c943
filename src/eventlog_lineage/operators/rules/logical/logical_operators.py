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
def distinct(at: Operation) -> Flow:
    """Pass on distinct rows: it groups by all columns."""
    below = at.input
    return below.under(*(Condition(output.derivation, Transformation.GROUP_BY) for output in below.outputs))


@operator("Except", "Except All", "ExceptAll", "Intersect", "Intersect All", "IntersectAll")
def set_operation(at: Operation) -> Flow:
    """Output the left rows that the right side does or does not contain; both sides' columns are join keys.

    The tree's line is `Intersect All` (up to 3.3 `IntersectAll`); `Arguments: true` for ALL. Physical plans have a join
    instead.
    """
    if len(at.inputs) != 2:
        at.gap(GapReason.UNPARSED_PLAN, f"{len(at.inputs)} inputs", "please report it with the plan's text")
        return at.input
    left, right = (flow.settled().sorted_by_user() for flow in at.inputs)
    compared = [Condition(output.derivation, Transformation.JOIN) for output in (*left.outputs, *right.outputs)]
    return combine((left, right)).with_outputs(left.outputs).under(*compared)


@operator("WithCTE")
def with_cte(at: Operation) -> Flow:
    """Pass on its last child; the others are the definitions for CTERelationRef.

    The definitions precede the query: `WithCTE +- CTERelationDef …, +- Project …`.
    """
    return at.inputs[-1].settled() if at.inputs else Flow()


@operator("CTERelationDef")
def cte_definition(at: Operation) -> Flow:
    """Pass on its query; references find it by its number: `Arguments: 3, false`."""
    return at.raw_input.settled()


@operator("CTERelationRef")
def cte_reference(at: Operation) -> Flow:
    """Output a definition's columns by position: `Arguments: 3, true, [a#1, b#2], false`."""
    cte_id = at.node.text("Arguments").partition(",")[0].strip()
    found = at.plan.definition(cte_id)
    attributes = lists(at.node)
    items = at.printed_items(split_items(attributes[0]), "columns") if attributes else []
    if found is None:
        named = [read_attribute(item) or (item, -1) for item in items]
        return Flow(outputs=tuple(Output(name, each, at.unbound_value(name, each)) for name, each in named))
    return found.with_outputs(at.relabelled(items, found.outputs[: len(items)]))


@operator("MergeIntoTable")
def merge_into_table(at: Operation) -> Flow:
    """Assign the values of the clauses to target columns; the ON condition and those of the clauses influence all.

    `Arguments: (id#1L = id#7L), [updateaction(None, assignment(amount#3, amount#9))], [insertaction(…)]` over the table
    and the source: the parsed plan's clauses over the analyzed plan's join (`plan.unresolved.parsed_clauses`).
    """
    below = combine([flow.settled().sorted_by_user() for flow in at.inputs])
    parts = arguments(at.node)
    on = [at.condition(part, Transformation.JOIN, below.scope) for part in parts[:1] if "#" in part]
    conditions, values = clauses(at, parts[1:], below.scope)
    order = [output.name for output in at.inputs[0].outputs] if at.inputs else []
    values.sort(key=lambda value: order.index(value.name) if value.name in order else len(order))
    return below.with_outputs(values).under(*on, *conditions)


@operator("Aggregate")
def aggregate(at: Operation) -> Flow:
    """Output its results: `Arguments: [keys], [results]`, truncated as all arguments."""
    below = at.input
    keys_and_results = lists(at.node)
    keys = keys_and_results[0] if len(keys_and_results) > 1 else ""
    results = keys_and_results[-1] if keys_and_results else ""
    items = at.printed_items(split_named(results, None), "columns")
    conditions = [Condition(at.bind(key, below.scope), Transformation.GROUP_BY) for key in split_items(keys) if key]
    return below.with_outputs(at.outputs(items, below.scope)).under(*conditions)


@operator("Join")
def join(at: Operation) -> Flow:
    """Join its inputs: `Arguments: Inner, (a#1 = b#2)`."""
    if len(at.inputs) != 2:
        at.gap(GapReason.UNPARSED_PLAN, f"a join of {len(at.inputs)} inputs", "please report it with the plan's text")
        return at.input.settled()
    left = at.inputs[0].settled()
    both = combine((left, *at.inputs[1:]))
    join_type, _, condition = at.node.text("Arguments").partition(", ")
    conditions = [at.condition(condition, Transformation.JOIN, both.scope)] if "#" in condition else []
    if join_type.startswith(("LeftSemi", "LeftAnti")):
        return both.with_outputs(left.outputs).under(*conditions)
    return both.under(*conditions)
