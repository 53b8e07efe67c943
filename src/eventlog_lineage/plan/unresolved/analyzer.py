"""Replace names by attributes in plans that are logged before analysis.

`CREATE VIEW` and `CACHE TABLE … AS` of Spark 2.4 to 3.1 print the parsed query: `'o.customer_id` over
`UnresolvedRelation [orders], [], false`. Every name gets an attribute, so that the rules for analyzed trees apply: a
table has the columns that the query names. A name that can belong to several tables is an unbound attribute.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import takewhile

from eventlog_lineage.datasets.naming import split_name
from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.plan.grammar.attribute_ids import SUBQUERY_PATTERN, name_before_id, read_attribute
from eventlog_lineage.plan.grammar.symbols import NAMED, Field, inner, is_list, read_arguments, split
from eventlog_lineage.plan.printed.operator_lines import list_field
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, Subquery

from .parsed_clauses import (
    ROWS,
    Column,
    NameResolver,
    Relation,
    Scope,
    alias_of,
    new_ids,
    pivoted,
    renamed,
    rows_of,
    without_wrappers,
)

_USING = re.compile(r"^UsingJoin\((\w+),(?:\w*Buffer|List)\((.*)\)\)$")
_STAR = re.compile(r"^(?:\w*(?:Buffer|List)\((.*)\)\.)?\*$")
_DATABASE = re.compile(r"^`((?:[^`]|``)+)`\.`(?:[^`]|``)+`")
_LISTS = frozenset({"Project", "Aggregate", "GroupingSets"})
_SET = re.compile(r"^\w*(?:Buffer|List)\((.*)\)$", re.DOTALL)
_ANALYTIC = re.compile(r"('?(?:cube|rollup)\()(.*)\)", re.DOTALL)
_SETS = frozenset({"Union", "Except", "Except All", "ExceptAll", "Intersect", "Intersect All", "IntersectAll"})
_WITH = frozenset({"With", "CTE"})
_TRANSPARENT = frozenset({"WithWindowDefinition", "UnresolvedHint"})
_HINT = "Spark 3.2 and later print views analyzed"
_COMMANDS = ("Command", "Execute", "Statement")


@dataclass(frozen=True, slots=True)
class _Resolved:
    """A node with resolved names, and the scope of the operator above it."""

    node: PlanNode
    scope: Scope


@dataclass(frozen=True, slots=True)
class _Environment:
    """The environment of a node: the scope of the outer query, common table expressions, window definitions."""

    outer: Scope | None = None
    tables: Mapping[str, _Resolved] = field(default_factory=dict)
    windows: Mapping[str, str] = field(default_factory=dict)


def with_attributes(plan: Plan) -> Plan:
    """Replace every name of an unresolved plan by an attribute.

    Returns:
        The same plan if it is analyzed; otherwise one whose relations list the columns that the query names.

    Raises:
        PlanSyntaxError: The query is nested too deeply for Python's stack.
    """
    if not any(node.operator.startswith("Unresolved") for node in plan.nodes()):
        return plan
    try:
        return _Resolver(plan).plan()
    except RecursionError:
        raise PlanSyntaxError("a parsed query is nested too deeply", "", 0, _HINT) from None


class _Resolver:
    """Replaces the names of one plan, from the leaves to the root."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._expr_ids = new_ids()
        self._relations: list[tuple[Relation, dict[str, Field]]] = []
        self._subqueries = {each.expr_id: each for each in plan.subqueries}
        self._resolved: dict[int | None, PlanNode] = {}
        self._database = ""

    def plan(self) -> Plan:
        """Return the plan with attributes, and relations that list their columns."""
        assert self._plan.root is not None
        root = self._visit(self._plan.root, _Environment()).node
        for relation, fields in self._relations:
            fields["Output"] = list_field([f"{name}#{expr_id}" for name, expr_id in relation.columns.values()])
            if relation.unqualified:
                fields["Unqualified"] = list_field(relation.unqualified)
            if relation.is_starred:
                fields["Star"] = Field("*")
        subqueries = tuple(
            Subquery(each.expr_id, each.host, each.expression, self._resolved.get(each.expr_id, each.root))
            for each in self._plan.subqueries
        )
        return replace(self._plan, root=root, subqueries=subqueries)

    def _by_itself(self, node: PlanNode, environment: _Environment) -> _Resolved | None:
        """Resolve a node that has no inputs, or decides how they are resolved; return None for others."""
        if node.operator in _WITH and len(node.children) > 1:
            return self._with(node, environment)
        if node.operator == "UnresolvedRelation":
            return self._relation(node, environment)
        if node.operator in ROWS:
            return _Resolved(*rows_of(node, self._expr_ids))
        if node.operator in _TRANSPARENT and node.children:
            windows = _windows(node) if node.operator == "WithWindowDefinition" else environment.windows
            return self._visit(node.children[0], replace(environment, windows=windows))
        return None

    def _visit(self, node: PlanNode, environment: _Environment) -> _Resolved:
        """Resolve a node and all nodes below it, recursively: a parsed query is as deep as the user wrote it."""
        if (own := self._by_itself(node, environment)) is not None:
            return own
        if node.operator.endswith("Command") and (match := _DATABASE.match(node.text("Arguments"))):
            self._database = match[1]
        below = [self._visit(child, environment) for child in node.children]
        scope = _joined([each.scope for each in below])
        node = replace(node, children=tuple(each.node for each in below))
        if node.operator.startswith(_COMMANDS) or node.operator.endswith(_COMMANDS):
            return _Resolved(node, scope)
        return self._operator(node, scope, below, environment)

    def _equal(self, keys: str, below: list[_Resolved]) -> str:
        """Return the condition of a join by `USING (keys)`."""
        sides = [NameResolver(each.scope, None, {}, self._expr_ids) for each in below]
        return " AND ".join(f"({' = '.join(side.name(each) for side in sides)})" for each in keys.split(", "))

    def _operator(self, node: PlanNode, scope: Scope, below: list[_Resolved], environment: _Environment) -> _Resolved:
        self._host(node, scope, environment)
        names = NameResolver(scope, environment.outer, environment.windows, self._expr_ids)
        text = node.text("Arguments")
        if node.operator == "SubqueryAlias":
            return _Resolved(node, scope.named(_alias(text)))
        if node.operator == "UnresolvedSubqueryColumnAliases" and node.children:
            return _Resolved(node.children[0], renamed(scope, read_arguments(text[1:-1])))
        if node.operator == "Pivot":
            return _Resolved(*pivoted(node, scope, names))
        if node.operator in _SETS:
            return _Resolved(node, Scope([*below[0].scope.columns]) if below else scope)
        if node.operator in _LISTS:
            return self._list(node, text, scope, names)
        if node.operator == "Generate":
            return self._generate(node, text, scope, names)
        if node.operator == "Join" and (using := _USING.match(text)):
            return _Resolved(_with_text(node, f"{using[1]}, {self._equal(using[2], below)}"), scope)
        resolved = _with_text(node, names.text(_sorted(text, scope) if node.operator == "Sort" else text))
        if node.operator == "UnresolvedHaving":
            resolved = replace(resolved, operator="Filter")
        if not scope.added:
            return _Resolved(resolved, scope)
        return _Resolved(_with_hidden_columns(resolved, scope), Scope(scope.columns, hidden=scope.hidden))

    def _list(self, node: PlanNode, text: str, scope: Scope, names: NameResolver) -> _Resolved:
        lists = list(map(inner, filter(is_list, read_arguments(text))))
        if node.operator == "GroupingSets":
            node, lists = replace(node, operator="Aggregate"), [_keys_of_sets(lists[:-1]), *lists[-1:]]
        columns: list[Column] = []
        items = split(NAMED, lists[-1]) if lists else []
        keys = [_grouped(keys, items) for keys in lists[:-1]]
        for item in items:
            star = _STAR.match(item)
            columns += scope.star((star[1] or "").lower()) if star else [self._column(item, names)]
        out = [replace(each, attribute=each.attribute.rpartition(" AS ")[2]) for each in columns]
        listed = ", ".join(column.attribute for column in columns)
        printed = ", ".join(f"[{each}]" for each in (*map(names.text, keys), listed))
        return _Resolved(_with_text(node, printed), Scope(out, hidden=scope))

    def _column(self, item: str, names: NameResolver) -> Column:
        """Resolve one expression of a list; an unnamed one gets the name that Spark generates."""
        unwrapped = without_wrappers(item)
        text = names.text(unwrapped)
        if alias := alias_of(text):
            return Column("", alias, text)
        attribute = read_attribute(text)
        name = unwrapped.rpartition(".")[2].lstrip("'") if "(" not in unwrapped else unwrapped.replace("'", "")
        qualifier = item.lstrip("'").rpartition(".")[0].lower()
        if attribute and attribute[0].lower() == name.lower():
            return Column(qualifier, attribute[0], text)
        return Column(qualifier if attribute else "", name, f"{text} AS {name}#{next(self._expr_ids)}")

    def _generate(self, node: PlanNode, text: str, scope: Scope, names: NameResolver) -> _Resolved:
        parts = read_arguments(text)
        if len(parts) < 3 or not parts[-1].startswith("["):
            return _Resolved(_with_text(node, names.text(text)), scope)
        generated = [f"{item.lstrip(chr(39))}#{next(self._expr_ids)}" for item in read_arguments(parts[-1][1:-1])]
        columns = [Column(parts[-2].lower(), name_before_id(each), each) for each in generated]
        printed = ", ".join((names.text(parts[0]), *parts[1:-1], f"[{', '.join(generated)}]"))
        return _Resolved(_with_text(node, printed), scope.joined(Scope(columns)))

    def _relation(self, node: PlanNode, environment: _Environment) -> _Resolved:
        listed = re.match(r"\[(.*?)\]", node.text("Arguments"))
        parts = tuple(listed[1].split(", ") if listed else split_name(node.text("Arguments"))) or ("",)
        if len(parts) == 1 and (known := environment.tables.get(parts[0].lower())):
            return known
        relation = Relation((self._database, *parts) if len(parts) == 1 and self._database else parts, self._expr_ids)
        fields = {"Name": Field(".".join(f"`{part}`" for part in relation.parts))}
        self._relations.append((relation, fields))
        return _Resolved(replace(node, fields=fields), Scope(relations=[(parts[-1].lower(), relation)]))

    def _with(self, node: PlanNode, environment: _Environment) -> _Resolved:
        """Resolve common table expressions, visible to later ones and to the query, which is the last child."""
        tables = dict(environment.tables)
        for child in node.children[:-1]:
            name = _alias(child.text("Arguments")).lower()
            tables[name] = self._visit(child, replace(environment, tables=dict(tables)))
        return self._visit(node.children[-1], replace(environment, tables=tables))

    def _host(self, node: PlanNode, scope: Scope, environment: _Environment) -> None:
        for expr_id in map(int, SUBQUERY_PATTERN.findall(node.text("Arguments"))):
            subquery = self._subqueries.get(expr_id)
            if subquery is not None and subquery.root is not None and expr_id not in self._resolved:
                self._resolved[expr_id] = self._visit(subquery.root, replace(environment, outer=scope)).node


def _alias(text: str) -> str:
    """Return the name that a `SubqueryAlias` prints, the last part of `cx.scans`; 2.4 prints it as an identifier."""
    return text.rpartition(".")[2].strip("`")


def _with_text(node: PlanNode, text: str) -> PlanNode:
    return replace(node, fields={**node.fields, "Arguments": Field(text)})


def _keys_of_sets(lists: Sequence[str]) -> str:
    """Return the distinct keys of `GROUPING SETS`: of `ArrayBuffer('a, 'b), ArrayBuffer()`, and those of `GROUP BY`."""
    items = (_SET.sub(r"\1", item) for each in lists for item in split(NAMED, each))
    return ", ".join(dict.fromkeys(key for each in items for key in split(NAMED, each)))


def _grouped(keys: str, items: Sequence[str]) -> str:
    """Return the keys of an aggregate, with the expressions of those that are a position or an alias of its list.

    So are those within `rollup('a, 'b)`. An alias is the column of its name if its expression names this column:
    `upper(k) AS k … GROUP BY k`. Of other expressions Spark accepts no column that is not grouped.
    """
    named = [without_wrappers(item).rpartition(" AS ") for item in items]
    known = {str(at): value or name for at, (value, _, name) in enumerate(named, 1)}
    known |= {f"'{name_before_id(name)}".lower(): value for value, _, name in named if value}

    def replaced(key: str) -> str:
        if match := _ANALYTIC.fullmatch(key):
            return f"{match[1]}{', '.join(map(replaced, split(NAMED, match[2])))})"
        value = known.get(key.lower(), key)
        return key if _names(key, value) else value

    return ", ".join(map(replaced, split(NAMED, keys)))


def _names(name: str, expression: str) -> bool:
    """Return whether an expression names a column by this name, `'k`."""
    quoted = expression.lower().split("'")[1:]
    return name.lower()[1:] in (
        "".join(takewhile(lambda each: each.isalnum() or each in "_.", word)) for word in quoted
    )


def _sorted(text: str, scope: Scope) -> str:
    """Return the arguments of a sort, with columns for the positions that it names: `[2 DESC NULLS LAST], true`."""
    orders, *others = read_arguments(text) or [text]
    known = {str(at): column.attribute for at, column in enumerate(scope.columns, 1)}
    split_orders = (order.partition(" ") for order in split(NAMED, inner(orders)))
    named = ", ".join(f"{known.get(key, key)}{space}{rest}" for key, space, rest in split_orders)
    return ", ".join((f"[{named}]", *others))


def _windows(node: PlanNode) -> dict[str, str]:
    """Return the window definitions of `[w=windowspecdefinition(…)]` by name."""
    pairs = (item.partition("=") for item in read_arguments(node.text("Arguments")[1:-1]))
    return {name: definition for name, _, definition in pairs}


def _with_hidden_columns(node: PlanNode, scope: Scope) -> PlanNode:
    """Complete the list below a sort or a HAVING that names columns outside the list.

    The columns are added to the list, and a projection above drops them.
    """
    widened = replace(node, children=(_widened(node.children[0], ", ".join(dict.fromkeys(scope.added))),))
    kept = ", ".join(column.attribute for column in scope.columns)
    return PlanNode("Project", "Project", "", None, {"Arguments": Field(f"[{kept}]")}, (widened,))


def _widened(node: PlanNode, more: str) -> PlanNode:
    """Return a query with more columns in its list, and in that below a HAVING whose columns it drops."""
    is_list, below = node.operator in _LISTS, node.children[0] if node.children else None
    if below is not None and (not is_list or _is_having(below)):
        node = replace(node, children=(_widened(below, more), *node.children[1:]))
    if not is_list:
        return node
    *keys, last = read_arguments(node.text("Arguments"))
    return _with_text(node, ", ".join((*keys, f"{last[:-1]}{', ' if len(last) > 2 else ''}{more}]")))


def _is_having(node: PlanNode) -> bool:
    return node.operator == "Filter" and bool(node.children) and node.children[0].operator in _LISTS


def _joined(scopes: list[Scope]) -> Scope:
    """Return the scope above children; that of an only child keeps its hidden columns."""
    return scopes[0] if len(scopes) == 1 else reduce(Scope.joined, scopes, Scope())
