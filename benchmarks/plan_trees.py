"""What a plan's tree says of its columns: read from Spark's objects (`TreeNode.toJSON`), not from the plan's text.

The second opinion of `random_statements.py --classify`: it knows attributes by their ids only, and has no names or
literals to take for structure. Roles are coarse: whatever stands in a condition is CONDITIONAL.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DIRECT, CONDITIONAL, WINDOW, SORT = "DIRECT", "CONDITIONAL", "WINDOW", "SORT"
NOT_NULL = "NOT NULL"
"""Filters that are a check of an attribute for NULL: the optimizer adds them below joins."""
Sources = Mapping[str, frozenset[str]]
"""Role to source columns."""
Scope = dict[int, Sources]
"""Id of an attribute to its sources."""


@dataclass(frozen=True)
class Tree:
    """A node: an operator or an expression."""

    kind: str
    fields: Mapping[str, Any]
    children: tuple[Tree, ...]

    @property
    def expr_id(self) -> int:
        """The id of an attribute or alias."""
        return int(self.fields["exprId"]["id"])


class UnreadError(Exception):
    """A tree has what this reader does not know."""


@dataclass
class Read:
    """What a plan says.

    Attributes:
        columns: The sources of each output.
        rows: FILTER, NOT NULL, JOIN, GROUP_BY or SORT to what influences all rows.
        types: Columns of relations to their types: the optimizer takes away fields that nothing reads.
    """

    columns: list[Sources] = field(default_factory=list)
    rows: dict[str, set[str]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)


def read_plan(text: str) -> Read:
    """What a plan says, from its `toJSON`."""
    reader = _Reader()
    scope, outputs = reader.read(tree_of(json.loads(text)), {})
    return Read([_known(scope, each) for each in outputs], reader.rows, reader.types)


def tree_of(nodes: Sequence[Mapping[str, Any]]) -> Tree:
    """The tree of nodes in the order of `toJSON`, each before its children."""
    stack: list[Tree] = []
    for node in reversed(nodes):
        count = node["num-children"]
        own = tuple(stack[len(stack) - count :][::-1]) if count else ()
        del stack[len(stack) - count :]
        stack.append(Tree(node["class"].rpartition(".")[2], node, own))
    return stack[0]


def merged(all_sources: Iterable[Sources]) -> Sources:
    """Sources together."""
    found: dict[str, frozenset[str]] = {}
    for sources in all_sources:
        for role, names in sources.items():
            found[role] = found.get(role, frozenset()) | names
    return found


def everything(sources: Sources) -> frozenset[str]:
    """Sources of any role."""
    return frozenset().union(*sources.values())


def _as(role: str, sources: Sources) -> Sources:
    return {role: everything(sources)}


def _known(scope: Scope, expr_id: int) -> Sources:
    if expr_id not in scope:
        raise UnreadError(f"attribute #{expr_id}")
    return scope[expr_id]


def _expressions(value: object) -> Iterator[Tree]:
    """The expressions of an operator's field: one, or a list of them."""
    if isinstance(value, list) and value:
        if isinstance(value[0], dict) and "class" in value[0]:
            yield tree_of(value)
        elif isinstance(value[0], list):
            for each in value:
                yield from _expressions(each)


def _names(value: object) -> set[str]:
    """The names of attributes in a list; `gid` is one of the optimizer's, for several DISTINCT aggregates."""
    return {str(each.fields.get("name")) for each in _expressions(value)}


class _Reader:
    def __init__(self) -> None:
        self.rows: dict[str, set[str]] = {}
        self.types: dict[str, str] = {}
        self._loops: list[list[Sources]] = []

    def read(self, node: Tree, outer: Scope) -> tuple[Scope, list[int]]:
        """The sources of all attributes below an operator's outputs, and the ids of its outputs."""
        if node.kind == "UnionLoop":
            return self._loop(node, outer)
        scope: Scope = dict(outer)
        sides: list[list[int]] = []
        for child in node.children:
            own, outputs = self.read(child, outer)
            scope |= own
            sides.append(outputs)
        below = [each for side in sides for each in side]
        outputs = self._outputs(node, scope, below, sides)
        self._influences(node, scope, sides)
        return scope, outputs

    def _loop(self, node: Tree, outer: Scope) -> tuple[Scope, list[int]]:
        scope, outputs = self.read(node.children[0], outer)
        columns = [_known(scope, each) for each in outputs]
        self._loops.append(columns)
        other, _ = self.read(node.children[1], outer)
        own = [int(each["id"]) for each in node.fields.get("outputAttrIds") or []] or outputs
        return {**scope, **other, **dict(zip(own, columns, strict=True))}, own

    def _outputs(self, node: Tree, scope: Scope, below: list[int], sides: list[list[int]]) -> list[int]:
        if not node.children:
            return self._leaf(node, scope)
        if (made := self._made(node, scope, below)) is not None:
            return made
        if node.kind == "Union":
            columns = [merged(_known(scope, each) for each in column) for column in zip(*sides, strict=True)]
            scope.update(zip(sides[0], columns, strict=True))
            return sides[0]
        if node.kind in {"Intersect", "Except"} or (node.kind == "Join" and self._is_half(node)):
            return sides[0]
        if node.kind == "Join" and (exists := _exists(node.fields.get("joinType"))) is not None:
            scope[exists] = {}
            return [*sides[0], exists]
        if "output" in node.fields:
            return self._listed(node, scope, below)
        return below

    def _made(self, node: Tree, scope: Scope, below: list[int]) -> list[int] | None:
        """The outputs of an operator that makes columns; None for others."""
        fields = node.fields
        if node.kind in {"Project", "Aggregate"}:
            return [self._named(each, scope) for each in self._list(node, "projectList", "aggregateExpressions")]
        if node.kind == "Window":
            return [*below, *(self._named(each, scope) for each in self._list(node, "windowExpressions"))]
        if node.kind == "LateralJoin":
            right = tree_of(fields["right"])
            inner, outputs = self.read(tree_of(right.fields["plan"]), scope)
            scope.update(inner)
            return [*below, *outputs]
        if node.kind == "Generate":
            generator = next(_expressions(fields["generator"]))
            made = [each.expr_id for each in _expressions(fields["generatorOutput"])]
            values = _built_fields(generator, len(made)) or [[generator]] * len(made)
            scope.update(
                (one, merged(self.sources(each, scope) for each in cells))
                for one, cells in zip(made, values, strict=True)
            )
            return [*below, *made]
        if node.kind in {"ArrowEvalPython", "BatchEvalPython"}:
            made = [each.expr_id for each in _expressions(fields["resultAttrs"])]
            calls = list(_expressions(fields["udfs"]))
            scope.update({one: self.sources(call, scope) for one, call in zip(made, calls, strict=True)})
            return [*below, *made]
        return None

    def _listed(self, node: Tree, scope: Scope, below: list[int]) -> list[int]:
        """The outputs of an operator that lists them: an `Expand`, or one whose outputs are made of all its inputs."""
        made = [each.expr_id for each in _expressions(node.fields["output"])]
        if projections := node.fields.get("projections"):
            lists = [[self.sources(each, scope) for each in _expressions(one)] for one in projections]
            scope.update({one: merged(cells) for one, cells in zip(made, zip(*lists, strict=True), strict=True)})
        elif not set(made) <= set(below):
            scope.update(dict.fromkeys(made, merged(_known(scope, each) for each in below)))
        return made

    def _leaf(self, node: Tree, scope: Scope) -> list[int]:
        attributes = list(_expressions(node.fields.get("output", [])))
        made = [each.expr_id for each in attributes]
        if node.kind == "UnionLoopRef":
            scope.update(zip(made, self._loops[-1], strict=True))
        elif node.kind in {"LocalRelation", "OneRowRelation", "Range", "EmptyRelation"}:
            scope.update((each, {}) for each in made)
        elif name := _table(node.fields):
            names = [f"{name}.{each.fields['name']}" for each in attributes]
            scope.update((one, {DIRECT: frozenset([each])}) for one, each in zip(made, names, strict=True))
            kinds = [json.dumps(each.fields["dataType"]) for each in attributes]
            self.types.update(zip(names, kinds, strict=True))
        else:
            raise UnreadError(node.kind)
        return made

    def _list(self, node: Tree, *names: str) -> list[Tree]:
        return list(_expressions(next(node.fields[name] for name in names if name in node.fields)))

    def _named(self, expression: Tree, scope: Scope) -> int:
        if expression.kind == "Alias":
            scope[expression.expr_id] = self.sources(expression.children[0], scope)
        elif expression.kind != "AttributeReference":
            raise UnreadError(expression.kind)
        return expression.expr_id

    def _is_half(self, node: Tree) -> bool:
        return str(node.fields.get("joinType")).rstrip("$'}").endswith(("LeftSemi", "LeftAnti"))

    def _influences(self, node: Tree, scope: Scope, sides: list[list[int]]) -> None:
        fields = node.fields
        if node.kind == "Filter":
            for each in _conditions(tree_of(fields["condition"])):
                kind = NOT_NULL if _is_check_of_attribute(each) else "FILTER"
                self._influence(kind, [self.sources(each, scope)])
        elif node.kind == "Join":
            self._add("JOIN", scope, fields.get("condition"))
        elif node.kind == "Aggregate" and "gid" not in _names(fields["groupingExpressions"]):
            self._add("GROUP_BY", scope, fields["groupingExpressions"])
        elif node.kind == "Sort" and fields.get("global"):
            self._add("SORT", scope, fields["order"])
        elif node.kind in {"Distinct", "Deduplicate"}:
            self._influence("GROUP_BY", (_known(scope, each) for each in sides[0]))
        elif node.kind in {"Intersect", "Except"}:
            self._influence("JOIN", (_known(scope, each) for side in sides for each in side))

    def _add(self, kind: str, scope: Scope, value: object) -> None:
        self._influence(kind, (self.sources(each, scope) for each in _expressions(value)))

    def _influence(self, kind: str, found: Iterable[Sources]) -> None:
        known = self.rows.setdefault(kind, set())
        for each in found:
            known |= everything(each)

    def sources(self, node: Tree, scope: Scope) -> Sources:
        """The sources of an expression."""
        if node.kind == "AttributeReference":
            return _known(scope, node.expr_id)
        if node.kind == "OuterReference":
            return self.sources(tree_of(node.fields["e"]), scope)
        if isinstance(node.fields.get("plan"), list):
            inner, outputs = self.read(tree_of(node.fields["plan"]), scope)
            tests = [self.sources(each, scope) for each in node.children]
            return merged([*tests, *(_known(inner, each) for each in outputs)])
        inner_ones = [self.sources(each, scope) for each in node.children]
        if node.kind in {"GetStructField", "GetArrayStructFields"}:
            return _field(node, inner_ones[0])
        return merged(_with_roles(node, inner_ones))


def _with_roles(node: Tree, children: Sequence[Sources]) -> Iterator[Sources]:
    """The sources of an expression's parts, as what the expression makes of them."""
    for place, each in enumerate(children):
        is_last = place == len(children) - 1
        if node.kind == "CaseWhen":
            yield _as(CONDITIONAL, each) if place % 2 == 0 and not (is_last and len(children) % 2) else each
        elif (node.kind == "If" and place == 0) or (node.kind in {"MaxBy", "MinBy", "AggregateExpression"} and place):
            yield _as(CONDITIONAL, each)
        elif node.kind in {"Coalesce", "NaNvl", "NullIf"}:
            yield merged([each, _as(CONDITIONAL, each)])
        elif node.kind == "WindowSpecDefinition":
            yield _as(WINDOW, each)
        elif node.kind == "SortOrder":
            yield merged([each, _as(SORT, each)])
        else:
            yield each


def _field(node: Tree, below: Sources) -> Sources:
    """The sources of a field of a struct: a field of the column, if the struct is one."""
    name = node.fields.get("name") or (node.fields.get("field") or {}).get("name")
    child = node.children[0]
    kind = child.fields.get("dataType") if child.kind == "AttributeReference" else None
    if not name and isinstance(kind, dict) and "fields" in kind:
        name = kind["fields"][int(node.fields["ordinal"])]["name"]
    direct = below.get(DIRECT, frozenset())
    if not name or set(below) - {DIRECT} or len(direct) != 1 or "." not in next(iter(direct)):
        return below
    return {DIRECT: frozenset(f"{each}.{name}" for each in direct)}


def _built_fields(generator: Tree, count: int) -> list[list[Tree]]:
    """The expressions of each field of `inline(array(named_struct('p', …)))`; empty for other generators."""
    array = generator.children[0] if generator.kind == "Inline" else generator
    rows = array.children if array.kind == "CreateArray" else ()
    if not rows or any(row.kind != "CreateNamedStruct" or len(row.children) != 2 * count for row in rows):
        return []
    return [[row.children[2 * place + 1] for row in rows] for place in range(count)]


def _conditions(condition: Tree) -> Iterator[Tree]:
    """The conditions that a filter combines with AND."""
    parts = [condition]
    while parts:
        part = parts.pop()
        if part.kind == "And":
            parts += part.children
        else:
            yield part


def _is_check_of_attribute(condition: Tree) -> bool:
    return condition.kind == "IsNotNull" and condition.children[0].kind == "AttributeReference"


def _exists(value: object) -> int | None:
    """The id of the result of an `ExistenceJoin`."""
    if isinstance(value, dict) and isinstance(value.get("exists"), list):
        return tree_of(value["exists"]).expr_id
    return None


def _table(fields: Mapping[str, Any]) -> str:
    """The name of a relation's table, without its database."""
    value = fields.get("catalogTable") or fields.get("tableMeta")
    identifier = value.get("identifier") if isinstance(value, dict) else None
    return str(identifier.get("table")) if isinstance(identifier, dict) else ""
