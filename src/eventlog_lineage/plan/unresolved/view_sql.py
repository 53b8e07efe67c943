"""Translate the SQL text of a view into the parsed plan that Spark makes of it.

Views of V2 catalogs (Spark 4.0+, Iceberg's up to 3.5) print their query as text only, other views as text and as a
plan, whose lists Spark truncates. Queries without generators, lambdas and subqueries in expressions are translated;
their names are resolved as in every parsed plan. `*` has the names that the command lists of the query's columns.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.extensions import find_command
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import Field, Plan, PlanNode, walk

from .analyzer import with_attributes
from .sql_expressions import SqlExpression, read_expression, read_list
from .sql_tokens import Token, Tokens, unsupported

_START = re.compile(r", (?=\(*\s*(?:SELECT|WITH)\s)", re.IGNORECASE)
_END = re.compile(r", \[StructField\(|, (?:true|false), (?:true|false), (?:Persisted|LocalTemp|GlobalTemp)View\b")
_TRUNCATED = re.compile(r", \.\.\. \d{1,6} more fields\]$")
_AFTER_RELATION = frozenset(
    """
    JOIN INNER LEFT RIGHT FULL CROSS OUTER SEMI ANTI NATURAL ON USING WHERE GROUP HAVING ORDER LIMIT UNION EXCEPT
    INTERSECT MINUS LATERAL PIVOT UNPIVOT TABLESAMPLE WINDOW QUALIFY VERSION TIMESTAMP FOR SORT CLUSTER DISTRIBUTE
    OFFSET
    """.split()
)
_JOINS = {
    ("JOIN",): "Inner",
    ("INNER", "JOIN"): "Inner",
    ("CROSS", "JOIN"): "Cross",
    ("LEFT", "SEMI", "JOIN"): "LeftSemi",
    ("SEMI", "JOIN"): "LeftSemi",
    ("LEFT", "ANTI", "JOIN"): "LeftAnti",
    ("ANTI", "JOIN"): "LeftAnti",
    ("LEFT", "OUTER", "JOIN"): "LeftOuter",
    ("LEFT", "JOIN"): "LeftOuter",
    ("RIGHT", "OUTER", "JOIN"): "RightOuter",
    ("RIGHT", "JOIN"): "RightOuter",
    ("FULL", "OUTER", "JOIN"): "FullOuter",
    ("FULL", "JOIN"): "FullOuter",
}
_WORD = re.compile(r"[A-Za-z_]\w*")
_SAME_COLUMNS = frozenset({"SubqueryAlias", "Filter", "Distinct", "Sort", "Union", "Except", "Intersect"})
_MIN_PARTS = 3
_FIRST_ID = 2 * 10**15
"""Above the ids of `scope.ExprIds`."""


def with_view_query(plan: Plan) -> Plan:
    """Return a plan whose command has the query that it prints as SQL as input; the same plan if it is not translated.

    The names of the query are resolved, those of the command are kept, and so is a query whose plan lists all columns.

    Args:
        plan: The plan as read. The command is its root, or the only input below it.
    """
    root = _with_query(plan.root) if plan.root is not None else None
    return plan if root is None else replace(plan, root=root)


def sql_of_view(node: PlanNode) -> str:
    """Return the SQL that a command prints of its query; empty if it prints none."""
    text = node.text("Arguments")
    start = _START.search(text) if find_command(node.operator).query_as_sql else None
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
    try:
        query = with_attributes(Plan(_Query(Tokens(sql), _tables_of(node)).whole(_query_columns(node)))).root
    except (PlanSyntaxError, RecursionError):
        return None
    unknown = query is None or any({"Star", "Unqualified"} & each.fields.keys() for each in walk(query))
    return None if unknown or query is None else replace(node, children=(query,))


def _query_columns(node: PlanNode) -> tuple[str, ...]:
    """Return the names of a query's columns; empty if the command does not list them all.

    The last list of `CreateV2View` has them: `[StructField(…), …], [<names of the view>, <comments>,]? [id, total]`.
    """
    text = node.text("Arguments")
    ends = [found.end() for found in _END.finditer(text)]
    parts = split_items(text[text.rfind(", [", 0, ends[-1]) + 2 :]) if ends else []
    listed = [part for part in parts if part.startswith("[") and part.endswith("]")]
    fields = next((part for part in listed if part.startswith("[StructField(")), "")
    names = split_items(listed[-1][1:-1]) if fields and fields != listed[-1] else []
    return tuple(names) if len(names) == len(split_items(fields[1:-1])) and not _TRUNCATED.search(fields) else ()


def _lacks_columns(query: PlanNode) -> bool:
    """Return whether Spark truncated the columns of a query without views, which a plan replaces by their queries."""
    is_truncated = _TRUNCATED.search(query.text("Arguments")) is not None
    return is_truncated and not any(each.operator == "View" for each in walk(query))


def _tables_of(node: PlanNode) -> frozenset[str]:
    """Return the full names of the tables in the plan below a command."""
    aliases = (each.text("Arguments") for each in walk(node) if each.operator == "SubqueryAlias")
    return frozenset(each for each in aliases if each.count(".") >= _MIN_PARTS - 1)


@dataclass(frozen=True, slots=True)
class _Item:
    """An expression of a select list, its alias, and whether it is a star; the alias of a star is its relation's."""

    value: SqlExpression
    alias: str = ""
    is_star: bool = False

    @property
    def name(self) -> str:
        """The name of a column without an alias; empty for another expression."""
        return self.value.text.lstrip("'").rpartition(".")[2] if self.value.text.startswith("'") else ""


class _Query:
    """Reads a query from its tokens."""

    def __init__(self, tokens: Tokens, known: frozenset[str] = frozenset()) -> None:
        self._tokens = tokens
        self._known = known
        self._expr_ids = itertools.count(_FIRST_ID)
        self._tables: dict[str, tuple[str, ...]] = {}
        self._depth = 0
        self._selected: list[tuple[PlanNode, tuple[str, ...]]] = []

    def whole(self, columns: tuple[str, ...] = ()) -> PlanNode:
        """Return the query's plan.

        Args:
            columns: The names of the query's columns; empty if they are unknown.

        Raises:
            PlanSyntaxError: The query has a form that is not translated.
        """
        query = self._query(columns)
        if self._tokens.peek().kind != "end":
            raise unsupported(self._tokens.peek().text)
        return query

    def _query(self, columns: tuple[str, ...] = ()) -> PlanNode:
        tables: list[PlanNode] = []
        before = dict(self._tables)
        while self._tokens.accept("WITH") if not tables else self._tokens.accept(","):
            name = self._name()
            if len(name) > 1 or not (self._tokens.accept("AS", "(") or self._tokens.accept("(")):
                raise unsupported(".".join(name))
            query = self._nested()
            tables.append(_node("SubqueryAlias", name[0], query))
            self._tables[name[0].lower()] = self._names_of(query)
        query = self._ordered(self._set(columns))
        self._tables = before
        return _node("With", "", *tables, query) if tables else query

    def _nested(self, columns: tuple[str, ...] = ()) -> PlanNode:
        """Return the query up to the bracket that closes it: a common table expression, or a relation of FROM."""
        self._depth += 1
        query = self._query(columns)
        self._tokens.expect(")")
        self._depth -= 1
        return query

    def _ordered(self, query: PlanNode) -> PlanNode:
        if self._tokens.accept("ORDER", "BY"):
            orders = []
            for each in iter(lambda: read_expression(self._tokens), None):
                if each.text.isdigit():
                    raise unsupported(each.text)  # the number of an item
                self._tokens.accept("ASC") or self._tokens.accept("DESC")
                self._tokens.accept("NULLS", "FIRST") or self._tokens.accept("NULLS", "LAST")
                orders.append(f"{each.text} ASC NULLS FIRST")
                if not self._tokens.accept(","):
                    break
            query = _node("Sort", f"[{', '.join(orders)}], true", query)
        if self._tokens.accept("LIMIT"):
            read_expression(self._tokens)
        return query

    def _set(self, columns: tuple[str, ...]) -> PlanNode:
        query = self._term(columns)
        while self._tokens.peek().keyword in {"UNION", "EXCEPT", "INTERSECT", "MINUS"}:
            word = self._tokens.next().keyword.capitalize()
            every = self._tokens.accept("ALL")
            if not every:
                self._tokens.accept("DISTINCT")
            operator = "Except" if word == "Minus" else word
            query = _node(operator, "false, false" if operator == "Union" else str(every).lower(), query, self._term())
            if operator == "Union" and not every:
                query = _node("Distinct", "", query)
        return query

    def _term(self, columns: tuple[str, ...] = ()) -> PlanNode:
        if self._tokens.accept("("):
            query = self._query(columns)
            self._tokens.expect(")")
            return query
        return self._select(columns)

    def _select(self, columns: tuple[str, ...]) -> PlanNode:
        self._tokens.expect("SELECT")
        distinct = self._tokens.accept("DISTINCT")
        self._tokens.accept("ALL")
        items = [self._item()]
        while self._tokens.accept(","):
            items.append(self._item())
        self._tokens.expect("FROM")
        starred = _starred(items, columns)
        below = self._relations(starred)
        starred = starred or self._names_of(below)
        items = [each for item in items for each in (_expanded(item, starred, below) if item.is_star else (item,))]
        if self._tokens.accept("WHERE"):
            below = _node("Filter", read_expression(self._tokens).text, below)
        query = self._listed(items, below)
        return _node("Distinct", "", query) if distinct else query

    def _listed(self, items: list[_Item], below: PlanNode) -> PlanNode:
        printed = ", ".join(self._printed(each) for each in items)
        keys: list[str] | None = None
        if self._tokens.accept("GROUP", "BY"):
            if self._tokens.accept("ALL"):
                keys = [each.value.text for each in items if not each.value.aggregates]
            else:
                keys = [_key(each.text, items) for each in read_list(self._tokens)]
        elif any(each.value.aggregates for each in items):
            keys = []
        is_whole = keys is None and self._depth > 0 and [each.is_star and not each.alias for each in items] == [True]
        query = (
            below if is_whole else _node("Project", f"[{printed}]", below)
        )  # `SELECT * FROM t WHERE …` has t's names
        if keys is not None:
            query = _node("Aggregate", f"[{', '.join(keys)}], [{printed}]", below)
        self._selected.append((query, () if is_whole else tuple(each.alias or each.name for each in items)))
        if self._tokens.accept("HAVING"):
            query = _node("UnresolvedHaving", read_expression(self._tokens).text, query)
        return query

    def _names_of(self, query: PlanNode) -> tuple[str, ...]:
        """Return the names of the columns of a query or of a common table expression; empty if they are unknown."""
        found = next((names for node, names in self._selected if node is query), None)
        if found is None and query.operator == "UnresolvedRelation":
            found = self._tables.get(query.text("Arguments").partition("]")[0][1:].lower())
        elif found is None and query.operator in _SAME_COLUMNS:
            found = self._names_of(query.children[0])
        return found if found and all(map(_WORD.fullmatch, found)) else ()

    def _item(self) -> _Item:
        if self._tokens.accept("*"):
            return _Item(SqlExpression("*"), is_star=True)
        if [self._tokens.peek(n).text for n in (1, 2)] == [".", "*"]:
            qualifier = self._tokens.next().text
            self._tokens.next()
            self._tokens.next()
            return _Item(SqlExpression(f"ArrayBuffer({qualifier}).*"), qualifier, is_star=True)
        value = read_expression(self._tokens)
        explicit = self._tokens.accept("AS")
        following = self._tokens.peek()
        if explicit or _is_alias(following):
            return _Item(value, self._tokens.next().text)
        return _Item(value)

    def _printed(self, item: _Item) -> str:
        if item.alias:
            return f"{item.value.text} AS {item.alias}#{next(self._expr_ids)}"
        return item.value.text

    def _relations(self, columns: tuple[str, ...] = ()) -> PlanNode:
        left = self._relation(columns)
        while True:
            if self._tokens.accept(","):
                left = _node("Join", "Inner", left, self._relation())
                continue
            kind = next((kind for words, kind in _JOINS.items() if self._tokens.accept(*words)), None)
            if kind is None:
                return left
            right = self._relation()
            if self._tokens.accept("ON"):
                kind += f", {read_expression(self._tokens).text}"
            elif self._tokens.accept("USING"):
                self._tokens.expect("(")
                names = ", ".join(each.text.lstrip("'") for each in read_list(self._tokens))
                self._tokens.expect(")")
                kind = f"UsingJoin({kind},List({names}))"
            left = _node("Join", kind, left, right)

    def _relation(self, columns: tuple[str, ...] = ()) -> PlanNode:
        if self._tokens.accept("("):
            relation = self._nested(columns)
        else:
            name = self._full_name(self._name())
            relation = _node("UnresolvedRelation", f"[{', '.join(name)}], [], false")
        explicit = self._tokens.accept("AS")
        if explicit or _is_alias(self._tokens.peek()):
            relation = _node("SubqueryAlias", self._tokens.next().text, relation)
        return relation

    def _full_name(self, name: list[str]) -> list[str]:
        """Return the name of a table with its catalog, which is the session's if the query omits it."""
        if len(name) >= _MIN_PARTS or (len(name) == 1 and name[0].lower() in self._tables):
            return name
        ending = f".{'.'.join(name)}".lower()
        found = [each for each in self._known if each.lower().endswith(ending)]
        if len(found) != 1:
            raise unsupported(".".join(name))
        return found[0].split(".")

    def _name(self) -> list[str]:
        words = [self._tokens.next()]
        while self._tokens.accept("."):
            words.append(self._tokens.next())
        if any(each.kind not in {"word", "name"} or "," in each.text for each in words):
            raise unsupported(words[0].text)
        return [each.text for each in words]


def _starred(items: list[_Item], columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of the only star of a select list; empty if they are unknown.

    Args:
        items: The select list.
        columns: The names of its columns; empty if they are unknown.
    """
    stars = [index for index, item in enumerate(items) if item.is_star]
    if len(stars) != 1 or not columns:
        return ()
    after = len(columns) - (len(items) - stars[0] - 1)
    return columns[stars[0] : after] if all(_WORD.fullmatch(name) for name in columns[stars[0] : after]) else ()


def _expanded(star: _Item, names: tuple[str, ...], below: PlanNode) -> list[_Item]:
    """Return the columns of a star; the star if its relation is unclear.

    Args:
        star: `*` or `t.*`.
        names: The names of its columns; empty if they are unknown.
        below: The relations of the query.
    """
    if not names or (below.operator == "Join" and not star.alias):
        return [star]
    qualifier = f"{star.alias}." if star.alias else ""
    return [_Item(SqlExpression(f"'{qualifier}{name}")) for name in names]


def _is_alias(token: Token) -> bool:
    return token.kind == "name" or (token.kind == "word" and token.keyword not in _AFTER_RELATION | {"FROM", "AS"})


def _key(text: str, items: list[_Item]) -> str:
    """Return a grouping key; the number or the alias of an item is replaced by the item.

    Args:
        text: The key.
        items: The items of the select list.
    """
    if text.isdigit() and 0 < int(text) <= len(items):
        return items[int(text) - 1].value.text
    return next((each.value.text for each in items if each.alias and f"'{each.alias}".lower() == text.lower()), text)


def _node(operator: str, text: str, *children: PlanNode) -> PlanNode:
    return PlanNode(operator, operator, "", None, {"Arguments": Field(text)} if text else {}, children)
