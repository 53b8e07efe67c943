"""Translate the SQL text of a view into the parsed plan that Spark makes of it.

Views of V2 catalogs (Spark 4.0+, Iceberg's up to 3.5) print their query as text only, other views as text and as a
plan, whose lists Spark truncates. sqlglot parses the text. Queries without generators, lambdas and subqueries in
expressions are translated; their names are resolved as in every parsed plan. `*` has the names that the command lists
of the query's columns.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from eventlog_lineage.datasets.naming import table_name
from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.extensions import Query, find_command
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.forms import read_role
from eventlog_lineage.plan.grammar.parser import split_alias
from eventlog_lineage.plan.grammar.symbols import EMPTY, Field, Listed, hidden_items, is_list, read_arguments
from eventlog_lineage.plan.grammar.types import schema_names
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, walk
from eventlog_lineage.plan.tree.tree_strings import TRUNCATED_LIST

from .analyzer import with_attributes
from .sql_expressions import WORD, aggregates, only, parse_query, read_expression, read_list, sort_keys, unsupported

if TYPE_CHECKING:
    from sqlglot import exp

_START = re.compile(r", (?=\(*\s*(?:SELECT|WITH)\s)", re.IGNORECASE)
_END = re.compile(
    r", \[StructField\(|, (?:true|false), (?:true|false), (?:Persisted|LocalTemp|GlobalTemp)View\b"
    r"|, (?:Aggregate|Distinct|Filter|Generate|GlobalLimit|Join|Project|Sort|Union|Window|WithCTE)\b[^#]*#"
)
_PRINTED_QUERY = re.compile(
    r"(?P<operator>\w+) (?P<arguments>.*?)(?:, (?:true|false), (?:true|false), \w[\w ]*)?", re.DOTALL
)
_JOINS = {
    ("", ""): "Inner",
    ("", "INNER"): "Inner",
    ("", "CROSS"): "Cross",
    ("", "SEMI"): "LeftSemi",
    ("", "ANTI"): "LeftAnti",
    ("LEFT", ""): "LeftOuter",
    ("LEFT", "OUTER"): "LeftOuter",
    ("LEFT", "SEMI"): "LeftSemi",
    ("LEFT", "ANTI"): "LeftAnti",
    ("RIGHT", ""): "RightOuter",
    ("RIGHT", "OUTER"): "RightOuter",
    ("FULL", ""): "FullOuter",
    ("FULL", "OUTER"): "FullOuter",
}
"""Side and kind of a join, as sqlglot names them."""
_JOINED = ("this", "side", "kind", "on", "using")
_ORDERED = ("with_", "order", "limit")
_SELECT = ("expressions", "distinct", "from_", "joins", "where", "group", "having", "hint")
_SETS = frozenset({"Union", "Except", "Intersect"})
_MIN_PARTS = 3
_FIRST_ID = 2 * 10**15
"""Above the ids of `parsed_clauses.new_ids`."""


def with_view_query(plan: Plan) -> Plan:
    """Return a plan whose command has the query that it prints as SQL as input; the same plan if it is not translated.

    The names of the query are resolved, those of the command are kept, and so is a query whose plan lists all columns.

    Args:
        plan: The plan as read. The command is its root, or the only input below it.
    """
    root = _with_query(plan.root) if plan.root is not None else None
    return plan if root is None else replace(plan, root=root)


def with_stars(plan: Plan, views: Collection[str]) -> Plan:
    """Return a plan with the columns of stored views that are `SELECT *` of one relation; Spark truncates their lists.

    A view that is read prints all of its columns (2.4, 3.0), or its relation prints the schema of its table (3.1).

    Args:
        views: The full names of such views.
    """
    completed: dict[int, PlanNode] = {}
    for node in walk(plan.root) if views else ():
        if node.operator == "View" and table_name(node.text("Arguments").partition(", ")[0]) in views:
            completed |= _starred_view(node)
    if not completed or plan.root is None:
        return plan
    built: dict[int, PlanNode] = {}
    for node in reversed(list(walk(plan.root))):
        inputs = tuple(built[id(child)] for child in node.children)
        built[id(node)] = replace(completed.get(id(node), node), children=inputs)
    return replace(plan, root=built[id(plan.root)])


def _starred_view(view: PlanNode) -> dict[int, PlanNode]:
    """Return the view's projection and relation with all columns, by the identity of the nodes; none if unknown."""
    below = [node for node in walk(view) if node.operator not in {"Filter", "SubqueryAlias", "View"}]
    if [node.operator for node in below] != ["Project", "LogicalRelation"]:
        return {}
    project, relation = below
    printed, own = project.columns, next(iter(relation.lists), EMPTY)
    columns, ids, count = view.listed("columns"), own.relation_ids, len(printed)
    names = _whole_names(columns, relation)
    starts = own.items[:count] == printed.items and names[: len(own)] == own.names
    if not starts or not count < own.size == len(names) == len(ids):
        return {}
    found = {id(node): _listing(node, names, ids, count) for node in below}
    if columns.missing and (own_ids := columns.relation_ids):
        found[id(view)] = _listing(view, names, own_ids, count)
    return found


def _whole_names(columns: Listed, relation: PlanNode) -> list[str]:
    """Return the names of a view's columns, or those of its relation; empty if they are unknown or no words."""
    names = schema_names(relation.text("Arguments")) if columns.missing else columns.names
    return names if len(names) == columns.size and all(map(WORD.fullmatch, names)) else []


def _listing(node: PlanNode, names: Sequence[str], ids: range, printed: int) -> PlanNode:
    """Return a projection, relation or view that lists attributes of which it printed the first ones."""
    whole = f"[{', '.join(f'{name}#{expr_id}' for name, expr_id in zip(names, ids, strict=True))}]"
    text = whole if node.operator == "Project" else TRUNCATED_LIST.sub(lambda _: whole, node.text("Arguments"), 1)
    fields = {label: field for label, field in node.fields.items() if label != "Output"} | {"Arguments": Field(text)}
    return replace(node, fields=fields, inferred=node.inferred | frozenset(ids[printed:]))


def sql_of_view(node: PlanNode) -> str:
    """Return the SQL that a command prints of its query; empty if it prints none."""
    text = node.text("Arguments")
    start = _START.search(text) if Query.SQL in find_command(node.operator).query else None
    ends = [found.start() for found in _END.finditer(text)]
    return text[start.end() : ends[-1]] if start is not None and ends and start.end() < ends[-1] else ""


def _with_query(node: PlanNode) -> PlanNode | None:
    """Return a node with the translated query; None if nothing is translated."""
    sql = sql_of_view(node)
    if not sql and len(node.children) == 1:
        below = _with_query(node.children[0])
        return None if below is None else replace(node, children=(below,))
    if not sql or (node.children and not _lacks_columns(node.children[0])):
        return None
    query = _translated(node, sql)
    return None if query is None else replace(node, children=(query,))


def _translated(node: PlanNode, sql: str) -> PlanNode | None:
    """Return the query of a command; None if a form of it is not translated, or if a name or a star is unclear."""
    try:
        query = with_attributes(Plan(_Translator(_tables_of(node)).query(parse_query(sql), _query_columns(node)))).root
    except (PlanSyntaxError, RecursionError):
        return None
    if query is None or any({"Star", "Unqualified"} & each.fields.keys() for each in walk(query)):
        return None
    return query


def _query_columns(node: PlanNode) -> tuple[str, ...]:
    """Return the names of a query's columns; empty if the command does not list them all.

    The last list of `CreateV2View` has them: `[StructField(…), …], [<names of the view>, <comments>,]? [id, total]`;
    Spark's own prints the operator at the root of the query (4.2+).
    """
    text = node.text("Arguments")
    if printed := printed_columns(text):
        return printed
    ends = [found.end() for found in _END.finditer(text)]
    parts = read_arguments(text[text.rfind(", [", 0, ends[-1]) + 2 :]) if ends else []
    listed = list(filter(is_list, parts))
    fields = next((part for part in listed if part.startswith("[StructField(")), "")
    names = read_arguments(listed[-1][1:-1]) if fields and fields != listed[-1] else []
    return tuple(names) if len(names) == len(read_arguments(fields[1:-1])) and not hidden_items(fields) else ()


def printed_columns(arguments: str) -> tuple[str, ...]:
    """Return the names of the columns that the root of a view's query prints; empty if it does not print them all.

    `<Catalog>@hash, ns.v, SELECT …, Project [id#1, upper(name#2) AS n#3], false, false, COMPENSATION` (4.2+).
    """
    starts = [found.start() + len(", ") for found in _END.finditer(arguments)]
    match = _PRINTED_QUERY.fullmatch(arguments, starts[-1]) if starts else None
    columns = read_role(match["operator"], match["arguments"], "columns") if match else EMPTY
    aliases = (split_alias(item, {}) or (item, *attribute_of(item)) for item in columns)
    return () if columns.missing else tuple(name for _, name, _ in aliases)


def _lacks_columns(query: PlanNode) -> bool:
    """Return whether Spark truncated the columns of a query without views, which a plan replaces by their queries."""
    is_truncated = hidden_items(query.text("Arguments")) > 0
    return is_truncated and not any(each.operator == "View" for each in walk(query))


def _tables_of(node: PlanNode) -> frozenset[str]:
    """Return the full names of the tables in the plan below a command."""
    aliases = (each.text("Arguments") for each in walk(node) if each.operator == "SubqueryAlias")
    return frozenset(each for each in aliases if each.count(".") >= _MIN_PARTS - 1)


class _Item(NamedTuple):
    """An expression of a select list, its alias, and whether it is a star; the alias of a star is its relation's."""

    value: str
    alias: str = ""
    is_star: bool = False
    aggregates: bool = False


class _Translator:
    """Translates a parsed query.

    Args:
        known: The full names of the tables in the plan below the command.
    """

    def __init__(self, known: frozenset[str] = frozenset()) -> None:
        self._known = known
        self._expr_ids = itertools.count(_FIRST_ID)
        self._tables: frozenset[str] = frozenset()
        self._depth = 0

    def query(self, query: exp.Expr, columns: tuple[str, ...] = ()) -> PlanNode:
        """Return the query's plan.

        Args:
            columns: The names of the query's columns; empty if they are unknown.

        Raises:
            PlanSyntaxError: The query has a form that is not translated.
        """
        tables: list[PlanNode] = []
        before = self._tables
        defined = query.args.get("with_")
        for each in only(defined, "expressions").expressions if defined else ():
            name = only(only(each, "this", "alias").args["alias"], "this").name
            tables.append(_node("SubqueryAlias", name, self._nested(each.this)))
            self._tables |= {name.lower()}
        found = self._set(query, columns)
        if order := query.args.get("order"):
            keys = sort_keys(only(order, "expressions"))
            if any(key.partition(" ")[0].isdigit() for key in keys):
                raise unsupported("the number of an item")
            found = _node("Sort", f"[{', '.join(keys)}], true", found)
        self._tables = before
        return _node("With", "", *tables, found) if tables else found

    def _nested(self, query: exp.Expr, columns: tuple[str, ...] = ()) -> PlanNode:
        """Return the plan of a common table expression, or of a relation of FROM."""
        self._depth += 1
        found = self.query(query, columns)
        self._depth -= 1
        return found

    def _set(self, query: exp.Expr, columns: tuple[str, ...]) -> PlanNode:
        kind = type(query).__name__
        if kind == "Select":
            return self._select(query, columns)
        if kind == "Subquery":
            return self.query(only(query, "this", *_ORDERED).this, columns)
        if kind not in _SETS:
            raise unsupported(kind)
        distinct = only(query, "this", "expression", "distinct", *_ORDERED).args.get("distinct")
        text = "false, false" if kind == "Union" else str(not distinct).lower()
        found = _node(kind, text, self.query(query.this, columns), self.query(query.expression))
        return _node("Distinct", "", found) if kind == "Union" and distinct else found

    def _select(self, query: exp.Expr, columns: tuple[str, ...]) -> PlanNode:
        distinct = only(query, *_SELECT, *_ORDERED).args.get("distinct")
        relation = query.args.get("from_")
        if relation is None:
            raise unsupported("a query without FROM")
        items = list(map(self._item, query.expressions))
        starred = _starred(items, columns)
        below = self._relations(relation.this, query.args.get("joins") or (), starred)
        items = [each for item in items for each in (_expanded(item, starred, below) if item.is_star else (item,))]
        if where := query.args.get("where"):
            below = _node("Filter", read_expression(where.this), below)
        found = self._listed(query, items, below)
        return _node("Distinct", "", found) if distinct and only(distinct) else found

    def _grouping_keys(self, query: exp.Expr, items: list[_Item]) -> list[str] | None:
        """Return the keys of the query's GROUP BY; None for a query that does not aggregate.

        Spark allows no star next to the number of an item (`STAR_GROUP_BY_POS`).
        """
        group = query.args.get("group")
        if group is None:
            return [] if any(each.aggregates for each in items) else None
        if only(group, "expressions", "all").args.get("all"):
            if any(each.is_star for each in items):
                raise unsupported("GROUP BY ALL of a star")
            return [each.value for each in items if not each.aggregates]
        return [_key(each, items) for each in read_list(group.expressions)]

    def _listed(self, query: exp.Expr, items: list[_Item], below: PlanNode) -> PlanNode:
        named = (f"{each.value} AS {each.alias}#{next(self._expr_ids)}" if each.alias else each.value for each in items)
        printed = ", ".join(named)
        keys = self._grouping_keys(query, items)
        is_whole = keys is None and self._depth > 0 and [each.is_star and not each.alias for each in items] == [True]
        found = below if is_whole else _node("Project", f"[{printed}]", below)  # `SELECT * FROM t` has t's names
        if keys is not None:
            found = _node("Aggregate", f"[{', '.join(keys)}], [{printed}]", below)
        if having := query.args.get("having"):
            found = _node("UnresolvedHaving", read_expression(having.this), found)
        return found

    def _item(self, node: exp.Expr) -> _Item:
        kind = type(node).__name__
        if kind == "Star":
            return _Item(only(node).name, is_star=True)
        if kind == "Column" and type(node.this).__name__ == "Star":
            qualifier = only(node, "this", "table").args["table"].name
            return _Item(f"ArrayBuffer({qualifier}).*", qualifier, is_star=True)
        text = read_expression(node.this if kind == "Alias" else node)
        return _Item(text, node.alias if kind == "Alias" else "", aggregates=aggregates(node))

    def _relations(self, first: exp.Expr, joins: Iterable[exp.Expr], columns: tuple[str, ...]) -> PlanNode:
        left = self._relation(first, columns)
        for join in joins:
            words = tuple(str(only(join, *_JOINED).args.get(each) or "") for each in ("side", "kind"))
            if words not in _JOINS:
                raise unsupported(" ".join(words))
            kind, on, using = _JOINS[words], join.args.get("on"), join.args.get("using")
            if on:
                kind += f", {read_expression(on)}"
            elif using:
                names = ", ".join(each.name for each in using)
                kind = f"UsingJoin({kind},List({names}))"
            left = _node("Join", kind, left, self._relation(join.this))
        return left

    def _relation(self, node: exp.Expr, columns: tuple[str, ...] = ()) -> PlanNode:
        if type(node).__name__ == "Subquery":
            found = self._nested(only(node, "this", "alias", *_ORDERED).this, columns)
        elif type(node).__name__ == "Table":
            table: Any = only(node, "this", "db", "catalog", "alias")
            name = self._full_name([part.name for part in table.parts])
            found = _node("UnresolvedRelation", f"[{', '.join(name)}], [], false")
        else:
            raise unsupported(type(node).__name__)
        alias = node.args.get("alias")
        return _node("SubqueryAlias", only(alias, "this").name, found) if alias else found

    def _full_name(self, name: list[str]) -> list[str]:
        """Return the name of a table with its catalog, which is the session's if the query omits it."""
        if any("," in word or not word for word in name):
            raise unsupported(".".join(name))
        if len(name) >= _MIN_PARTS or (len(name) == 1 and name[0].lower() in self._tables):
            return name
        ending = f".{'.'.join(name)}".lower()
        found = [each for each in self._known if each.lower().endswith(ending)]
        if len(found) != 1:
            raise unsupported(".".join(name))
        return found[0].split(".")


def _starred(items: list[_Item], columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of the only star of a select list; empty if they are unknown.

    Args:
        columns: The names of its columns; empty if they are unknown.
    """
    stars = [index for index, item in enumerate(items) if item.is_star]
    if len(stars) != 1 or not columns:
        return ()
    after = len(columns) - (len(items) - stars[0] - 1)
    return columns[stars[0] : after] if all(WORD.fullmatch(name) for name in columns[stars[0] : after]) else ()


def _expanded(star: _Item, names: tuple[str, ...], below: PlanNode) -> list[_Item]:
    """Return the columns of a star; the star if its relation is unclear.

    Args:
        star: `*` or `t.*`.
    """
    if not names or (below.operator == "Join" and not star.alias):
        return [star]
    qualifier = f"{star.alias}." if star.alias else ""
    return [_Item(f"'{qualifier}{name}") for name in names]


def _key(text: str, items: list[_Item]) -> str:
    """Return a grouping key; the number or the alias of an item is replaced by the item."""
    if text.isdigit() and 0 < int(text) <= len(items):
        return items[int(text) - 1].value
    return next((each.value for each in items if each.alias and f"'{each.alias}".lower() == text.lower()), text)


def _node(operator: str, text: str, *children: PlanNode) -> PlanNode:
    return PlanNode(operator, operator, "", None, {"Arguments": Field(text)} if text else {}, children)
