"""Resolve the clauses of a parsed MERGE by the attributes of its analyzed plan.

Spark rewrites the MERGE of a V2 connector to `MergeRows` over a join (3.5+). In tree strings, `MergeRows` prints only
its outputs; the parsed plan has the clauses, `[updateaction(None, assignment('t.amount, 's.amount))]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.extensions import contributions
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import Field, Plan, PlanNode, walk

from .scope import Column, ExprIds, Scope
from .unresolved_names import NameResolver

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
    parts = split_items(root.text("Arguments"))
    bound = [
        f"[{', '.join(_action(action, target, source, expr_ids) for action in split_items(part[1:-1]))}]"
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
    if root is None or root.operator not in contributions("merge_operator") or len(root.children) < 2:
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
        text: The clause.
        target: The target.
        source: The source.
        expr_ids: New ids for names that are not found.
    """
    found = _ACTION.match(text)
    if found is None:
        return text
    inserts = found["kind"] == "insert"
    keys = NameResolver(target.scope, None, {}, expr_ids)
    values = NameResolver(source.scope if inserts else target.scope.joined(source.scope), None, {}, expr_ids)
    items = split_items(found["rest"])
    if found["star"]:
        items += list(_of_all(target, source))
    return f"{found['kind']}action({', '.join(_item(item, keys, values) for item in items)})"


def _item(item: str, keys: NameResolver, values: NameResolver) -> str:
    match = ASSIGNMENT.match(item)
    if match is None:
        return values.text(item)
    key, *rest = split_items(match[1])
    return f"assignment({keys.text(key)}, {values.text(', '.join(rest))})"


def _of_all(target: _Side, source: _Side) -> Sequence[str]:
    """Expand `SET *` and `INSERT *`: each column of the target is set to the source's column with its name.

    Args:
        target: The target.
        source: The source.
    """
    names = {name.lower() for name, _ in source.columns}
    return [
        f"assignment('{target.alias}.{name}, '{source.alias}.{name})"
        for name, _ in target.columns
        if name.lower() in names
    ]
