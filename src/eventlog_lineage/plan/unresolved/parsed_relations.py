"""Replace parsed operators by the operators that analysis replaces them with."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import Field, PlanNode

from .scope import Column, ExprIds, Scope
from .unresolved_names import NameResolver, without_wrappers

ROWS = frozenset({"UnresolvedInlineTable", "UnresolvedTableValuedFunction"})
"""`VALUES …` and `range(5)`: rows without a source dataset."""


def rows_of(node: PlanNode, expr_ids: ExprIds) -> tuple[PlanNode, Scope]:
    """Return rows without a source as a `LocalRelation`: `[col1, col2], [List(1, a)]`, or a function with arguments.

    Args:
        node: One of `ROWS`.
        expr_ids: New ids for the plan's attributes.
    """
    parts = split_items(node.text("Arguments"))
    is_table = node.operator == "UnresolvedInlineTable" and parts and parts[0].startswith("[")
    names = split_items(parts[0][1:-1]) if is_table else ["id"]
    columns = [Column("", name, f"{name}#{expr_ids.new()}") for name in names]
    listed = ", ".join(column.attribute for column in columns)
    return PlanNode("LocalRelation", node.name, "", node.operator_id, {"Arguments": Field(f"[{listed}]")}), Scope(
        columns
    )


def renamed(scope: Scope, names: list[str]) -> Scope:
    """Return the columns of `t(a, b)` with these names; unchanged if the number of columns differs or is unknown.

    Args:
        scope: The columns of `t`.
        names: The new names.
    """
    if len(names) != len(scope.columns):
        return scope
    return Scope([replace(column, name=name) for column, name in zip(scope.columns, names, strict=True)])


def pivoted(node: PlanNode, scope: Scope, names: NameResolver) -> tuple[PlanNode, Scope]:
    """Return a pivot as an aggregate: `'status, [paid AS paid#1, open AS open#2], ['sum('amount)]`.

    The columns that it does not name are its grouping keys (`ResolvePivot` of 3.0 and 3.1).

    Args:
        node: The pivot.
        scope: The columns of its input.
        names: Resolves its names.
    """
    parts = split_items(node.text("Arguments"))
    if len(parts) < 3:
        return node, scope
    column = names.text(parts[-3])
    functions = [names.text(without_wrappers(each)) for each in split_items(parts[-1][1:-1])]
    groups = [each for each in scope.columns if not any(each.attribute in text for text in (column, *functions))]
    pivots: list[Column] = []
    for value in split_items(parts[-2][1:-1]):
        literal, _, attribute = value.rpartition(" AS ")
        for index, function in enumerate(functions):
            name = attribute.partition("#")[0] or value
            shown = name if len(functions) == 1 else f"{name}_{function}"
            expr_id = attribute.partition("#")[2] if attribute and not index else str(names.new_id())
            call = f"pivotfirst({column}, {function}, {literal or value}, 0, 0)[0]"
            pivots.append(Column("", shown, f"{call} AS {shown}#{expr_id}"))
    keys = ", ".join((*(each.attribute for each in groups), column))
    results = ", ".join(each.attribute for each in (*groups, *pivots))
    fields = {**node.fields, "Arguments": Field(f"[{keys}], [{results}]")}
    out = [Column("", each.name, each.attribute.rpartition(" AS ")[2] or each.attribute) for each in (*groups, *pivots)]
    return replace(node, operator="Aggregate", fields=fields), Scope(out)
