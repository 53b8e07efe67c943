"""Operators that occur only in logical trees, below commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, as_inferred
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.joins import equality, join_conditions
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import clauses
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.parser import split_alias
from eventlog_lineage.plan.tree.nodes import PlanNode


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
    left, right = op.sides
    compared = (
        equality(each.derivation, other.derivation, "<=>")
        for each, other in zip(left.outputs, right.outputs, strict=False)
    )
    return op.input.with_outputs(left.outputs).with_conditions(*compared)


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
    items = op.complete(op.node.listed("columns"), "columns")
    if found is None:
        return op.unbound(map(attribute_of, items))
    return found.with_outputs(op.relabeled(items, found.outputs[: len(items)]))


@operator("View")
def view(op: Operation) -> Flow:
    """Output a view's columns; in 3.1 they have other ids than its query's, by position.

    ``Arguments: `db`.`v`, [a#1, b#2]``, in 3.1 with a class and whether the view is temporary between the two
    (`View.output`; `EliminateView` looks the columns up by name where their number differs). A truncated list continues
    with consecutive ids.
    """
    below = _without_own_casts(op)
    columns = op.node.listed("columns")
    attributes = columns.attributes
    if all(expr_id in below.scope for _, expr_id in attributes):
        return below
    if columns.size != len(below.outputs):
        return _view_by_name(op, below, attributes)
    outputs = op.relabeled(columns.items, below.outputs[: len(attributes)])
    first, printed = attributes[0][1], len(outputs)
    rest = [
        Output(found.name, first + at, as_inferred(found.derivation))
        for at, found in enumerate(below.outputs[printed:], printed)
        if attributes[-1][1] == first + printed - 1
    ]
    return below.with_outputs((*outputs, *rest))


def _without_own_casts(op: Operation) -> Flow:
    """Return a view's query without the casts to the types that its columns had when it was created.

    `Project [cast(id#1L as bigint) AS id#5L, cast(k#2 as string) AS k#6]` is Spark's own (`SessionCatalog`, 3.2 to 4.3)
    below all views except those of `Dataset.createTempView`, whose names have no database either.
    """
    below = op.input
    project = next((each for each in op.node.children if each.operator == "Project" and each.children), None)
    inner = op.plan.flows.get(id(project.children[0])) if project is not None else None
    if project is None or inner is None:
        return below
    casts = [_cast_of(item, op) for item in project.columns]
    kept = _passed_on(filter(None, casts), inner) if _are_own(casts, op.node) else {}
    return below.with_outputs(
        replace(each, derivation=kept.get(each.expr_id, each.derivation)) for each in below.outputs
    )


def _are_own(casts: Sequence[_Cast | None], view: PlanNode) -> bool:
    """Return whether all columns are casts, and the view is one of SQL: it has a database, or a cast of no effect."""
    is_of_catalog = "." in view.text("Arguments").partition(", [")[0]
    return None not in casts and (is_of_catalog or any(each and each.is_bigint for each in casts))


def _passed_on(casts: Iterable[_Cast], inner: Flow) -> dict[int, Derivation]:
    """Return the values that casts pass on, by the ids of their names, with the types that they show."""
    scope = inner.scope
    passed = [each for each in casts if not each.widens and each.expr_id in scope]
    return {each.name_id: replace(scope[each.expr_id], data_type=each.data_type) for each in passed}


class _Cast(NamedTuple):
    """A cast of an attribute, `cast(id#1L as bigint) AS id#5L`.

    Attributes:
        is_long: The attribute is a bigint.
        data_type: What it is cast to.
    """

    expr_id: int
    name_id: int
    is_long: bool
    data_type: str

    @property
    def is_bigint(self) -> bool:
        """Whether it casts a bigint to its own type."""
        return self.is_long and self.data_type == "bigint"

    @property
    def widens(self) -> bool:
        """Whether it casts another type to bigint."""
        return not self.is_long and self.data_type == "bigint"


_CAST = re.compile(rf"cast\(.*#(?P<id>{NUMBER})(?P<long>L?) as (?P<type>[^#]*)\)", re.DOTALL)


def _cast_of(item: str, op: Operation) -> _Cast | None:
    """Return the cast of an attribute that a named expression is; None if it is another expression."""
    alias = split_alias(item, op.names)
    match = _CAST.fullmatch(alias[0]) if alias else None
    if alias is None or match is None:
        return None
    return _Cast(int(match["id"]), alias[2], bool(match["long"]), match["type"])


def _view_by_name(op: Operation, below: Flow, attributes: Sequence[tuple[str, int]]) -> Flow:
    known = {output.name: output.derivation for output in below.outputs}
    unknown = [name for name, _ in attributes if name not in known]
    if unknown:
        op.gap(GapReason.DANGLING_ATTRIBUTE, f"its query has no column {unknown[0]}")
    return below.with_outputs(Output(name, each, known[name]) for name, each in attributes if name in known)


@operator("MergeIntoTable")
def merge_into_table(op: Operation) -> Flow:
    """Assign the values of the clauses to target columns; the ON condition and those of the clauses influence all.

    `Arguments: (id#1L = id#7L), [updateaction(None, assignment(amount#3, amount#9))], [insertaction(…)]` over the table
    and the source: the parsed plan's clauses over the analyzed plan's join (`plan.unresolved.parsed_clauses`).
    """
    below = op.input
    parts = op.node.arguments
    sides = (op.inputs[0].scope, op.inputs[1].scope) if len(op.inputs) == 2 else None
    on = join_conditions(op, parts[0] if parts else "", below.scope, sides)
    conditions, values = clauses(op, parts[1:], below.scope)
    order = [output.name for output in op.inputs[0].outputs] if op.inputs else []
    values.sort(key=lambda value: order.index(value.name) if value.name in order else len(order))
    return below.with_outputs(values).with_conditions(*on, *conditions)


@operator("Aggregate")
def aggregate(op: Operation) -> Flow:
    """Output its results: `Arguments: [keys], [results]`, truncated as all arguments."""
    below = op.input
    items = op.complete(op.node.listed("columns"), "columns")
    keys = [] if _is_of_distinct(op.node) else filter(None, op.keys())
    conditions = op.conditions_of(keys, Transformation.GROUP_BY, below.scope)
    return below.with_outputs(op.outputs(items, below.scope)).with_conditions(*conditions)


def _is_of_distinct(node: PlanNode) -> bool:
    """Return whether an aggregation removes duplicates for several `count(DISTINCT x)`; another one groups by the keys.

    `Expand` adds `gid` (`RewriteDistinctAggregates`, 2.4 to 4.3), and for grouping sets `spark_grouping_id` as well.
    """
    names = set(node.listed("keys").names)
    is_expanded = any(child.operator == "Expand" for child in node.children)
    return is_expanded and "gid" in names and "spark_grouping_id" not in names


_NUMBER = re.compile(rf"lateral-subquery#({NUMBER})")


@operator("LateralJoin")
def lateral_join(op: Operation) -> Flow:
    """Output the input's columns and the subquery's: `Arguments: lateral-subquery#163 [v#144 && id#143L], Inner`.

    Physical plans have a join instead (`RewriteLateralSubquery`, `DecorrelateInnerQuery`, 3.2 to 4.3).
    """
    below = op.input
    text = op.node.text("Arguments")
    subquery_id = _NUMBER.match(text)
    found = op.subquery(int(subquery_id[1]), below.scope) if subquery_id else None
    if found is None:
        op.gap(GapReason.UNPARSED_PLAN, text)
        return below
    conditions = [
        condition
        for part in op.node.arguments[2:]
        for condition in join_conditions(op, part, {**below.scope, **found.scope}, (below.scope, found.scope))
    ]
    op.reads.extend(found.reads)
    flow = below.with_outputs((*below.outputs, *found.outputs))
    return flow.with_conditions(*found.conditions, *conditions)
