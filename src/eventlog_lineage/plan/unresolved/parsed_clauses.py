"""Resolve what parsed plans contain: the clauses of a MERGE, and operators that analysis replaces.

Spark rewrites the MERGE of a V2 connector to `MergeRows` over a join (3.5+). In tree strings, `MergeRows` prints only
its outputs; the parsed plan has the clauses, `[updateaction(None, assignment('t.amount, 's.amount))]`, and the aliases
that distinguish the target's attributes from the source's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.extensions import contributions
from eventlog_lineage.plan.grammar.attribute_ids import WORD, name_before_id, read_attribute
from eventlog_lineage.plan.grammar.symbols import Field, read_arguments
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, walk

from .scope import Column, ExprIds, NameResolver, Scope, without_wrappers

MERGE_COMMAND = "MergeIntoTable"
_ACTION = re.compile(r"^(?P<kind>\w+?)(?P<star>star)?action\((?P<rest>.*)\)$", re.DOTALL)
ASSIGNMENT = re.compile(r"^assignment\((.*)\)$", re.DOTALL)
"""An assignment in a clause of a MERGE, in parsed and analyzed plans: `assignment(amount#3, amount#9)`."""
_FROM_TARGET = "__row_from_target"
_ADDED = frozenset({_FROM_TARGET, "__row_from_source", "__row_id"})


@dataclass(frozen=True, slots=True)
class _Side:
    """The target or the source of a MERGE: its qualifier in lower case, and (name, attribute) of its columns."""

    alias: str
    columns: tuple[tuple[str, str], ...]

    @property
    def scope(self) -> Scope:
        return Scope([Column(self.alias, name, attribute) for name, attribute in self.columns])


def analyzed_merge(parsed: Plan, analyzed: Plan) -> Plan | None:
    """Return a MERGE with the clauses of its parsed plan over the join of its analyzed plan.

    Args:
        parsed: The parsed plan, with names as the user wrote them.
        analyzed: The analyzed plan, with `MergeRows`.

    Returns:
        `MergeIntoTable (id#1L = id#7L), [updateaction(None, assignment(amount#3, amount#9))], …` over the table and the
        source; None if the plans are not such a MERGE.
    """
    root, join = parsed.root, _join(analyzed)
    if root is None or root.operator != MERGE_COMMAND or len(root.children) != 2 or join is None:
        return None
    sides = join.children if _outputs(join.children[0], _FROM_TARGET) else join.children[::-1]
    target, source = (_side(one, other) for one, other in zip(root.children, sides, strict=True))
    expr_ids = ExprIds()
    both = NameResolver(target.scope.joined(source.scope), None, {}, expr_ids)
    parts = read_arguments(root.text("Arguments"))
    bound = [
        f"[{', '.join(_action(action, target, source, expr_ids) for action in read_arguments(part[1:-1]))}]"
        if part.startswith("[") and part.endswith("]")
        else both.text(part)
        for part in parts
    ]
    node = replace(root, fields={"Arguments": Field(", ".join(bound))}, children=tuple(sides))
    return Plan(node, analyzed.subqueries)


def kept_merge(analyzed: Plan) -> Plan | None:
    """Return the MERGE that a connector's analyzed plan contains next to the rewritten plan, up to Spark 3.4.

    Args:
        analyzed: `MergeIntoIcebergTable (id#1L = id#7L), [updateaction(…)], …` over the table, the source and the
            rewritten plan (`RewriteMergeIntoTable` of Iceberg's extensions for 3.2 to 3.4).

    Returns:
        The MERGE over the table and the source; None for other plans.
    """
    root = analyzed.root
    if root is None or root.operator not in contributions("text.merge_operator") or len(root.children) < 2:
        return None
    return Plan(replace(root, operator=MERGE_COMMAND, children=root.children[:2]), analyzed.subqueries)


def _join(analyzed: Plan) -> PlanNode | None:
    for node in walk(analyzed.root) if analyzed.root is not None else ():
        if node.operator.startswith("MergeRows") and node.children and len(node.children[0].children) == 2:
            return node.children[0]
    return None


def alias_of_side(parsed: PlanNode) -> str:
    """Return the qualifier of a MERGE's side, in lower case: the alias, or the last part of the table's name."""
    words = parsed.text("Arguments").strip("[]").partition("]")[0].rpartition(".")[2].rpartition(", ")[2]
    return words.strip("`").lower()


def _side(parsed: PlanNode, analyzed: PlanNode) -> _Side:
    return _Side(alias_of_side(parsed), tuple(_columns(analyzed)))


def _columns(node: PlanNode) -> Iterator[tuple[str, str]]:
    for item in node.items("Output"):
        attribute = item.rpartition(" AS ")[2]
        found = read_attribute(attribute)
        if found and found[0] not in _ADDED:
            yield found[0], attribute


def _outputs(node: PlanNode, name: str) -> bool:
    return any(f" AS {name}#" in item for item in node.items("Output"))


def _action(text: str, target: _Side, source: _Side, expr_ids: ExprIds) -> str:
    """Resolve a clause: keys in the target, inserted values in the source, other expressions in both sides.

    Args:
        expr_ids: New ids for names that are not found.
    """
    found = _ACTION.match(text)
    if found is None:
        return text
    inserts = found["kind"] == "insert"
    keys = NameResolver(target.scope, None, {}, expr_ids)
    values = NameResolver(source.scope if inserts else target.scope.joined(source.scope), None, {}, expr_ids)
    items = read_arguments(found["rest"])
    if found["star"]:
        items += list(_of_all(target, source))
    return f"{found['kind']}action({', '.join(_item(item, keys, values) for item in items)})"


def _item(item: str, keys: NameResolver, values: NameResolver) -> str:
    match = ASSIGNMENT.match(item)
    if match is None:
        return values.text(item)
    key, *rest = read_arguments(match[1])
    return f"assignment({keys.text(key)}, {values.text(', '.join(rest))})"


def _of_all(target: _Side, source: _Side) -> Sequence[str]:
    """Expand `SET *` and `INSERT *`: each column of the target is set to the source's column with its name."""
    names = {name.lower() for name, _ in source.columns}
    return [
        f"assignment('{target.alias}.{name}, '{source.alias}.{name})"
        for name, _ in target.columns
        if name.lower() in names
    ]


ROWS = frozenset({"UnresolvedInlineTable", "UnresolvedTableValuedFunction"})
"""`VALUES …` and `range(5)`: rows without a source dataset."""


def rows_of(node: PlanNode, expr_ids: ExprIds) -> tuple[PlanNode, Scope]:
    """Return rows without a source as a `LocalRelation`: `[col1, col2], [List(1, a)]`, or a function with arguments.

    Args:
        node: One of `ROWS`.
    """
    parts = read_arguments(node.text("Arguments"))
    is_table = node.operator == "UnresolvedInlineTable" and parts and parts[0].startswith("[")
    names = read_arguments(parts[0][1:-1]) if is_table else ["id"]
    columns = [Column("", name, f"{name}#{expr_ids.new()}") for name in names]
    listed = ", ".join(column.attribute for column in columns)
    return PlanNode("LocalRelation", node.name, "", node.operator_id, {"Arguments": Field(f"[{listed}]")}), Scope(
        columns
    )


def renamed(scope: Scope, names: list[str]) -> Scope:
    """Return the columns of `t(a, b)` with these names; unchanged if the number of columns differs or is unknown.

    Args:
        scope: The columns of `t`.
    """
    if len(names) != len(scope.columns):
        return scope
    return Scope([replace(column, name=name) for column, name in zip(scope.columns, names, strict=True)])


def pivoted(node: PlanNode, scope: Scope, names: NameResolver) -> tuple[PlanNode, Scope]:
    """Return a pivot as an aggregate: `'status, [paid AS paid#1, open AS open#2], ['sum('amount)]`.

    The columns that it does not name are its grouping keys (`ResolvePivot` of 3.0 and 3.1).
    """
    parts = read_arguments(node.text("Arguments"))
    if len(parts) < 3:
        return node, scope
    column = names.text(parts[-3])
    functions = [names.text(without_wrappers(each)) for each in read_arguments(parts[-1][1:-1])]
    groups = [each for each in scope.columns if not any(each.attribute in text for text in (column, *functions))]
    values = _pivot_values(read_arguments(parts[-2][1:-1]))
    pivots = [each for value in values for each in _pivoted_value(value, column, functions, names)]
    keys = ", ".join((*(each.attribute for each in groups), column))
    results = ", ".join(each.attribute for each in (*groups, *pivots))
    fields = {**node.fields, "Arguments": Field(f"[{keys}], [{results}]")}
    out = [Column("", each.name, each.attribute.rpartition(" AS ")[2] or each.attribute) for each in (*groups, *pivots)]
    return replace(node, operator="Aggregate", fields=fields), Scope(out)


def _pivot_values(pieces: Sequence[str]) -> Iterator[str]:
    """Yield the values of a pivot; a name with commas, `paid AS late, paid#1`, ends with its id."""
    held = ""
    for piece in pieces:
        held = f"{held}, {piece}" if held else piece
        if " AS " not in held or _NUMBERED.search(held):
            yield held
            held = ""
    if held:
        yield held


def _pivoted_value(value: str, column: str, functions: Sequence[str], names: NameResolver) -> Iterator[Column]:
    """Yield the columns of a pivot's value, one for each function.

    Args:
        value: The value as printed, `paid AS paid#1`.
    """
    literal, _, attribute = value.rpartition(" AS ")
    for index, function in enumerate(functions):
        name = attribute.partition("#")[0] or value
        shown = name if len(functions) == 1 else f"{name}_{function}"
        expr_id = ("" if index else attribute.partition("#")[2]) or str(names.new_id())
        call = f"pivotfirst({column}, {function}, {literal or value}, 0, 0)[0]"
        yield Column("", shown, f"{call} AS {shown}#{expr_id}")


_WORD = re.compile(rf"'((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?![\w(])|(?<!'){WORD}")
_NUMBERED = re.compile(r"#\d+L?$")
_CALLED = re.compile(r"^\w+ (?=\()")
_ACTION_ITEMS = re.compile(r"^(\w+)action\((.*)\)$", re.DOTALL)


def target_attributes(parsed: PlanNode, command: PlanNode) -> dict[int, str]:
    """Return the attributes of a MERGE's target: id to name.

    Args:
        parsed: `MergeIntoTable ('t.id = 's.id), [updateaction(…)], …` over the table and the source.
        command: The analyzed command, `MergeIntoTable (id#1L = id#7L), [updateaction(…)], …`, after any other
            arguments.
    """
    alias = alias_of_side(parsed.children[0]) if parsed.children else ""
    written, bound = (dict(_pieces(node.text("Arguments"))) for node in (parsed, command))
    found: dict[int, str] = {}
    for key in written.keys() & bound.keys():
        names = [match[1].split(".") for match in _WORD.finditer(written[key]) if match[1]]
        attributes = [(match[2], int(match[3])) for match in _WORD.finditer(bound[key]) if match[3]]
        if [words[-1].lower() for words in names] != [name.lower() for name, _ in attributes]:
            continue  # the analyzer replaced a name by another expression
        for words, (name, expr_id) in zip(names, attributes, strict=True):
            if len(words) > 1 and words[-2].lower() == alias:
                found[expr_id] = name
    return found


def _pieces(text: str) -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield the expressions of a MERGE, with keys that its parsed and its analyzed plan share."""
    lists = 0
    for part in read_arguments(text):
        if part.startswith("[") and "action(" in part:
            lists += 1
            for index, action in enumerate(read_arguments(part[1:-1])):
                found = _ACTION_ITEMS.match(action)
                for item in read_arguments(found[2]) if found else []:
                    assignment = ASSIGNMENT.match(item)
                    key, *value = read_arguments(assignment[1]) if assignment else ["", item]
                    name = name_before_id(key.lstrip("'").rpartition(".")[2]).lower()
                    yield (lists, index, name), ", ".join(value)
        elif (condition := _CALLED.sub("", part)).startswith("(") and not lists:
            yield ("on",), condition
