"""Resolve the columns of parsed SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp

from eventlog_lineage.model import Influence, Transformation, merge, stepped

from .query_lineage import Query, QueryColumn, QueryCondition, SourceColumn, Uses, candidates, find_column, inferred
from .sql_values import alternatives_of, children_of, choice_of, group_keys, step_of

T = Transformation
_PSEUDO_COLUMNS = frozenset(("rownum", "sysdate", "systimestamp"))
"""Names without brackets, of which no table has a column (Oracle)."""

_DIALECTS = ("postgres", "mysql", "oracle", "tsql", "snowflake", "bigquery")
"""Dialects that are tried for SQL whose dialect is unknown and that sqlglot's own does not parse."""
_SAME_QUOTES = {"mysql": ("bigquery", "spark")}
"""Dialects that are tried for SQL whose quotes may be theirs and that the dialect of the key does not parse."""
_ALIASES_IN_WHERE = frozenset(("clickhouse", "duckdb", "redshift", "snowflake", "teradata"))
"""Dialects in which WHERE can name a column of the SELECT list; in others the name is a table's."""
_ALIASES_NOT_IN_HAVING = frozenset(("oracle", "postgres", "tsql"))
_ROWS = frozenset(("bigquery", "duckdb", "postgres"))
"""Dialects in which the alias of a relation is its row: `row_to_json(o)`."""

_LONGEST_TEXT = 1000
_MOST_STEPS = 200_000


@dataclass
class _Relation:
    """What a FROM item or a query returns."""

    columns: list[QueryColumn] = field(default_factory=list)
    tables: list[tuple[str, ...]] = field(default_factory=list)
    """The tables whose columns it returns under their own names, next to `columns`."""
    conditions: list[QueryCondition] = field(default_factory=list)
    reads: list[tuple[str, ...]] = field(default_factory=list)
    is_unlisted: bool = False
    """Whether its only column may be a structure, whose fields are the columns: `UNNEST(t.items) x`."""

    def named(self, name: str) -> QueryColumn | None:
        return find_column(self.columns, name)


class _Scope:
    """The relations that a SELECT can name, and those of the queries around it."""

    def __init__(self, ctes: Mapping[str, _Relation], outer: _Scope | None = None) -> None:
        self.ctes = dict(ctes)
        self.outer = outer
        self.relations: dict[str, _Relation] = {}
        self.aliases: dict[str, QueryColumn] = {}
        self.merged: dict[str, QueryColumn] = {}
        """The columns of `USING` and of NATURAL JOIN, one for both sides, by lower-case name."""
        self.windows: dict[str, exp.Window] = {}
        self.conditions: list[QueryCondition] = []
        self.reads: list[tuple[str, ...]] = []

    def nested(self) -> _Scope:
        """Return the scope of a query within this one, which can name the relations around it."""
        return _Scope(self.ctes, self)

    def outwards(self) -> Iterator[_Scope]:
        """Yield the scope and those around it."""
        yield self
        if self.outer is not None:
            yield from self.outer.outwards()

    def columns(self) -> Iterator[QueryColumn]:
        """Yield the columns that relations, joins and the SELECT list name."""
        yield from (column for each in self.relations.values() for column in each.columns)
        yield from (*self.aliases.values(), *self.merged.values())

    def relation(self, alias: str) -> _Relation | None:
        """Return the relation with an alias in lower case."""
        return next((relation for name, relation in self.relations.items() if name.strip() == alias), None)

    def take(self, relation: _Relation) -> None:
        """Add a relation's reads and conditions without repetitions: it can be named exponentially often."""
        known = set(map(id, self.conditions))
        self.conditions += [each for each in relation.conditions if id(each) not in known]
        self.reads = list(dict.fromkeys((*self.reads, *relation.reads)))

    def add(self, alias: str, relation: _Relation) -> None:
        name = alias.lower()
        while name in self.relations:
            name += " "
        self.relations[name] = relation
        self.take(relation)


def lineage_of(sql: str, dialect: str) -> Query:
    """Return the lineage of a query.

    Raises:
        sqlglot.errors.SqlglotError: It cannot be parsed.
    """
    reader, parsed = _Reader(dialect), _parsed(sql, dialect)
    relation = reader.query(parsed, _Scope({}))
    if not relation.reads and parsed.find(exp.Table) is not None:
        raise sqlglot.errors.ParseError("a function returns its rows")
    return Query(
        columns=tuple(relation.columns),
        conditions=tuple(_distinct(relation.conditions)),
        tables=tuple(dict.fromkeys(relation.reads)),
        star_tables=tuple(dict.fromkeys(relation.tables)),
        unresolved=tuple(dict.fromkeys(reader.unresolved)),
    )


def _distinct(conditions: Sequence[QueryCondition]) -> Iterator[QueryCondition]:
    seen = set()
    for each in conditions:
        key = (each.kind, each.text, frozenset(each.uses))
        if each.uses and key not in seen:
            seen.add(key)
            yield each


def _parsed(sql: str, dialect: str) -> exp.Expr:
    text = sql.strip().rstrip(";").strip()
    if not text.lower().startswith(("select", "with", "values", "table")):
        text = f"select * from {text}"
    found = _parsed_as(text, (dialect, *(_SAME_QUOTES.get(dialect, ()) if dialect else _DIALECTS)))
    if not isinstance(found, (exp.Query, exp.Subquery)):
        raise sqlglot.errors.ParseError("not a query")
    return found


def _parsed_as(text: str, dialects: Sequence[str]) -> exp.Expr:
    """Return a text parsed in the first dialect that it has; the error is that of the last one."""
    *others, last = dialects
    for dialect in others:
        with suppress(sqlglot.errors.SqlglotError):
            return sqlglot.parse_one(text, dialect=dialect or None)
    return sqlglot.parse_one(text, dialect=last or None)


def _operand(node: exp.Expr) -> exp.Expr:
    """Return an expression that keeps its meaning within a larger one of Spark: `(a + 1)` of `a + 1`."""
    is_open = isinstance(node, (exp.Binary, exp.Not)) and not isinstance(node, exp.Dot)
    return exp.paren(node) if is_open else node


class _Reader:
    """Reads queries; counts its steps, as a query can name a relation exponentially often."""

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect or None
        self._steps = 0
        self.unresolved: list[str] = []
        """What depends on columns that the text does not list."""

    def query(self, node: exp.Expr, scope: _Scope) -> _Relation:
        self._step()
        ctes = _Scope(scope.ctes, scope.outer)
        ctes.relations = scope.relations
        ctes = self._with_definitions(node, ctes)
        if isinstance(node, exp.Subquery):
            return self.query(node.this, ctes)
        if isinstance(node, exp.SetOperation):
            return self._combined(node, ctes)
        if isinstance(node, exp.Select):
            return self._select(node, ctes)
        if isinstance(node, exp.Values):
            return _Relation()
        if isinstance(node, exp.Table):
            return self._table(node, ctes)
        raise sqlglot.errors.ParseError(f"{type(node).__name__} is not a query")

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > _MOST_STEPS:
            raise sqlglot.errors.ParseError("the query has too many parts")

    def _with_definitions(self, node: exp.Expr, scope: _Scope) -> _Scope:
        clause = node.args.get("with_")
        is_recursive = clause is not None and clause.args.get("recursive")
        for cte in clause.expressions if clause is not None else ():
            name = cte.alias.lower()
            names = [each.name for each in cte.args["alias"].args.get("columns") or ()]
            scope.ctes[name] = _Relation()
            if is_recursive and isinstance(cte.this, exp.Union):  # the rows that it begins with
                scope.ctes[name] = _renamed(self.query(cte.this.left, scope), names)
            scope.ctes[name] = _renamed(self.query(cte.this, scope), names)
        return scope

    def _combined(self, node: exp.SetOperation, scope: _Scope) -> _Relation:
        left, right = self.query(node.left, scope), self.query(node.right, scope)
        both = _Scope({})
        both.take(left)
        both.take(right)
        result = _Relation([], [*left.tables], both.conditions, both.reads)
        if isinstance(node, exp.Union):
            result.columns += self._united(node, left, right)
            result.tables += right.tables
        else:
            result.columns += left.columns
            result.conditions += [
                QueryCondition(T.JOIN, stepped(each.uses, T.JOIN), each.name) for each in right.columns
            ]
        ordered = _Scope(scope.ctes, scope.outer)
        ordered.add("", _Relation(result.columns, result.tables))
        result.conditions += self._order(node, ordered)
        return result

    def _united(self, node: exp.Union, left: _Relation, right: _Relation) -> Iterator[QueryColumn]:
        """Yield the listed columns of a UNION; columns of a star over a table pair by name, `inferred`."""
        by_name = bool(node.args.get("by_name"))
        if right.columns and left.tables and not by_name:
            self.unresolved.append("the columns that a star in the first part of a UNION has before its other columns")
        for index, column in enumerate(left.columns):
            listed = right.named(column.name) if by_name else next(iter(right.columns[index : index + 1]), None)
            other = listed.uses if listed is not None else inferred(_found([right], column.name))
            yield QueryColumn(column.name, merge((column.uses, other)), column.text)
        yield from (each for each in right.columns if by_name and left.named(each.name) is None)

    def _select(self, node: exp.Select, scope: _Scope) -> _Relation:
        own = _Scope(scope.ctes, scope if scope.relations or scope.outer else scope.outer)
        self._sources(node, own)
        own.windows = {each.name.lower(): each for each in node.args.get("windows") or ()}
        result = _Relation()
        for projection in node.expressions:
            self._project(projection, own, result)
        aliases = {each.name.lower(): each for each in result.columns if each.name}
        own.aliases = aliases if self._dialect in _ALIASES_IN_WHERE else {}
        own.conditions += self._filters(node, own, "where")
        own.aliases = aliases if self._dialect not in _ALIASES_NOT_IN_HAVING else {}
        own.conditions += self._filters(node, own, "having")
        own.aliases = aliases
        own.conditions += self._filters(node, own, "qualify")
        own.conditions += self._hierarchy(node.args.get("connect"), own)
        own.conditions += self._groups(node, own, result)
        own.conditions += self._order(node, own)
        result.conditions, result.reads = own.conditions, own.reads
        return result

    def _filters(self, node: exp.Select, scope: _Scope, clause: str) -> list[QueryCondition]:
        found = node.args.get(clause)
        return self._conditions(found.this, scope, T.FILTER) if found is not None else []

    def _sources(self, node: exp.Select, scope: _Scope) -> None:
        clause = node.args.get("from_")
        if clause is not None:
            self._source(clause.this, scope)
        joins = node.args.get("joins") or ()
        for join in joins:
            if join.kind == "ARRAY":  # ClickHouse's: elements of a column of the relations before
                value, name = self._value(join.this.unalias(), scope), join.this.alias_or_name
                scope.add(name, _Relation([QueryColumn(name, stepped(value, T.TRANSFORMATION), name)]))
                continue
            self._joined_source(join, scope)
        for item in node.args.get("laterals") or ():
            self._source(item, scope)
        for join in joins:
            self._joined(join, scope)

    def _hierarchy(self, connect: exp.Expr | None, scope: _Scope) -> Iterator[QueryCondition]:
        """Yield the conditions of CONNECT BY and START WITH."""
        parts = connect.args if connect is not None else {}
        for part, kind in (("connect", T.JOIN), ("start", T.FILTER)):
            if parts.get(part) is not None:
                yield from self._conditions(parts[part], scope, kind)

    def _source(self, node: exp.Expr, scope: _Scope) -> None:
        if isinstance(node, exp.Final):
            self._source(node.this, scope)
            return
        if node.args.get("pivots"):
            raise sqlglot.errors.ParseError("PIVOT makes columns of values")
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table) and not node.alias:
            self._source(node.this, scope)  # of `(a JOIN b ON …)`, both names are visible outside of the brackets
            self._joins(node, scope)
            return
        names = node.alias_column_names
        relation = self._source_relation(node, scope) or self._function_rows(node, names, scope)
        scope.add(node.alias or node.name or "", _renamed(relation, names))
        self._joins(node, scope)

    def _function_rows(self, node: exp.Expr, names: list[str], scope: _Scope) -> _Relation:
        if any(isinstance(each.this, exp.Identifier) for each in node.find_all(exp.Table)):
            raise sqlglot.errors.ParseError(f"{type(node).__name__} in FROM is unknown")
        uses = stepped(self._value(node.this if isinstance(node, exp.Lateral) else node, scope), T.TRANSFORMATION)
        columns = [QueryColumn(name, uses, name) for name in names or [node.alias or "value"]]
        return _Relation(columns, is_unlisted=len(columns) == 1)

    def _joins(self, node: exp.Expr, scope: _Scope) -> None:
        for each in node.args.get("joins") or ():
            self._joined_source(each, scope)
            self._joined(each, scope)

    def _source_relation(self, node: exp.Expr, scope: _Scope) -> _Relation | None:
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            return self._table(node, scope)
        if isinstance(node, (exp.Subquery, exp.Query)):
            return self.query(node, scope)
        if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            return self.query(node.this, scope.nested())
        return None

    def _table(self, node: exp.Table, scope: _Scope) -> _Relation:
        parts = tuple(part.name for part in node.parts)
        known = scope.ctes.get(parts[0].lower()) if len(parts) == 1 else None
        return known if known is not None else _Relation([], [parts], [], [parts])

    def _joined(self, join: exp.Join, scope: _Scope) -> None:
        condition = join.args.get("on")
        if condition is not None:
            scope.conditions += self._conditions(condition, scope, T.JOIN)
        for column in join.args.get("using") or ():
            names = list(scope.relations)
            at = names.index(alias) if (alias := join.this.alias_or_name.lower()) in names else len(names) - 1
            left, right = (list(scope.relations.values())[part] for part in (slice(at), slice(at, at + 1)))
            merged = scope.merged.get(column.name.lower())
            sides = (merged.uses if merged is not None else _found(left, column.name), _found(right, column.name))
            self._merge(scope, join, column.name, sides, f"USING ({column.name})")

    def _merge(self, scope: _Scope, join: exp.Join, name: str, sides: tuple[Uses, Uses], text: str) -> None:
        """Add the key of a join whose sides have it under one name, and the column that both are then."""
        both = merge(sides)
        self._step(len(both))
        scope.conditions.append(QueryCondition(T.JOIN, stepped(both, T.JOIN), text))
        if join.side == "FULL":  # COALESCE(left, right)
            value: Uses = merge((stepped(both, T.TRANSFORMATION), stepped(both, T.CONDITIONAL)))
        else:
            value = sides[1] if join.side == "RIGHT" else sides[0]
        scope.merged[name.lower()] = QueryColumn(name, value, name)

    def _joined_source(self, join: exp.Join, scope: _Scope) -> None:
        """Add the right side of a join, and the keys of a NATURAL JOIN if all columns of both sides are known."""
        left = list(scope.relations.values())
        self._source(join.this, scope)
        if join.method != "NATURAL":
            return
        right = list(scope.relations.values())[len(left) :]
        if any(each.tables for each in (*left, *right)):
            name = f"NATURAL JOIN {join.alias_or_name}".strip()
            self.unresolved.append(f"the keys of {name}, the columns that both tables have")
            return
        for column in [column for each in right for column in each.columns]:
            if any(each.named(column.name) is not None for each in left):
                sides = (_found(left, column.name), column.uses)
                self._merge(scope, join, column.name, sides, f"NATURAL JOIN ({column.name})")

    def _project(self, node: exp.Expr, scope: _Scope, result: _Relation) -> None:
        star = node.this if isinstance(node, exp.Column) else node
        if not isinstance(star, exp.Star):
            result.columns.append(self._projected(node, scope))
            return
        found = self._everything(node.table.lower() if isinstance(node, exp.Column) else "", scope)
        result.columns += self._changed(star, found.columns, scope)
        result.tables = list(dict.fromkeys((*result.tables, *found.tables)))

    def _projected(self, node: exp.Expr, scope: _Scope) -> QueryColumn:
        return QueryColumn(_name_of(node), self._value(node, scope), self._text(_operand(node.unalias())))

    def _changed(self, star: exp.Star, columns: Sequence[QueryColumn], scope: _Scope) -> Iterator[QueryColumn]:
        """Yield the columns of `* EXCEPT (a) REPLACE (b + 1 AS b) RENAME (c AS d)` that are listed or new."""
        hidden, replacing, renaming = (star.args.get(name) or () for name in ("except_", "replace", "rename"))
        hidden = {each.name.lower() for each in hidden}
        replaced = {each.alias.lower(): each for each in replacing}
        replaced |= {each.this.name.lower(): each for each in renaming}
        for column in columns:
            new = replaced.pop(column.name.lower(), None)
            if new is not None:
                yield self._projected(new, scope)
            elif column.name.lower() not in hidden:
                yield column
        yield from (self._projected(each, scope) for each in replaced.values())

    def _everything(self, table: str, scope: _Scope) -> _Relation:
        """Return the columns that a star has, of a table or of all."""
        own = scope.relation(table) if table else _joined_relation(scope)
        if own is None or own.is_unlisted:  # the fields of a structure
            value = self._value(exp.column(table), scope) if own is None else own.columns[0].uses
            own = _Relation([QueryColumn("", stepped(value, T.TRANSFORMATION), f"{table}.*")])
        self._step(len(own.columns))
        return own

    def _text(self, node: exp.Expr) -> str:
        return node.sql(dialect=self._dialect, comments=False)[:_LONGEST_TEXT]

    def _conditions(self, node: exp.Expr, scope: _Scope, kind: Transformation) -> list[QueryCondition]:
        found = []
        for part in node.flatten() if isinstance(node, exp.And) else [node]:
            each = part.unnest()
            if isinstance(each, exp.And):
                found += self._conditions(each, scope, kind)
                continue
            uses = self._value(each, scope)
            own = T.JOIN if kind is T.FILTER and _is_join(each, uses) else kind
            found.append(QueryCondition(own, stepped(uses, own), self._text(each)))
        return found

    def _groups(self, node: exp.Select, scope: _Scope, result: _Relation) -> Iterator[QueryCondition]:
        group = node.args.get("group")
        for key in group_keys(node, group) if group is not None else ():
            uses, text = self._key(key, scope, result)
            yield QueryCondition(T.GROUP_BY, stepped(uses, T.GROUP_BY), text)
        distinct = node.args.get("distinct")
        if distinct is not None and distinct.args.get("on") is not None:
            for key in distinct.args["on"].expressions:
                yield QueryCondition(T.GROUP_BY, stepped(self._value(key, scope), T.GROUP_BY), self._text(key))
        elif distinct is not None:
            for column in result.columns:
                yield QueryCondition(T.GROUP_BY, stepped(column.uses, T.GROUP_BY), column.text)

    def _order(self, node: exp.Expr, scope: _Scope) -> list[QueryCondition]:
        order = node.args.get("order")
        found = []
        result = _Relation(list(scope.aliases.values()))
        for key in order.expressions if order is not None else ():
            uses, text = self._key(key.this if isinstance(key, exp.Ordered) else key, scope, result)
            found.append(QueryCondition(T.SORT, stepped(uses, T.SORT), text))
        return found

    def _key(self, node: exp.Expr, scope: _Scope, result: _Relation) -> tuple[Uses, str]:
        if isinstance(node, exp.Literal) and node.is_int and 0 < int(node.this) <= len(result.columns):
            column = result.columns[int(node.this) - 1]
            return column.uses, column.text
        return self._value(node, scope), self._text(node)

    def _value(self, node: exp.Expr | None, scope: _Scope) -> Uses:
        self._step()
        if node is None or isinstance(node, (exp.Literal, exp.Star, exp.DataType)):
            return {}
        if isinstance(node, exp.Columns):
            raise sqlglot.errors.ParseError("COLUMNS chooses columns by a pattern")
        if isinstance(node, exp.Column):
            return self._column(node, scope)
        if isinstance(node, (exp.Alias, exp.Paren, exp.Ordered)):
            return self._value(node.this, scope)
        if isinstance(node, (exp.Subquery, exp.Query)):
            return self._subquery(node, scope)
        if isinstance(node, exp.Exists):
            self._subquery(node.this, scope)
            return {}
        return self._call(node, scope) if (special := self._chosen(node, scope)) is None else special

    def _call(self, node: exp.Expr, scope: _Scope) -> Uses:
        kind, masks = step_of(node)
        return stepped(merge(self._value(each, scope) for each in children_of(node)), kind, masking=masks)

    def _chosen(self, node: exp.Expr, scope: _Scope) -> Uses | None:
        """Return the value of an expression some of whose parts only choose it; None for others."""
        if isinstance(node, exp.In) and node.args.get("query") is not None:
            return merge((self._value(node.this, scope), self._subquery(node.args["query"], scope)))
        if (chosen := choice_of(node, scope.windows)) is not None:
            keys, kind = chosen
            value, placed = self._value(node.this, scope), merge(self._value(each, scope) for each in keys)
            value = stepped(value, T.AGGREGATION) if isinstance(node, exp.AggFunc) else value
            return merge((value, stepped(placed, kind)))
        if (parts := alternatives_of(node)) is not None:
            direct, choosing = (merge(self._value(each, scope) for each in some) for some in parts)
            return merge((stepped(direct, T.TRANSFORMATION), stepped(choosing, T.CONDITIONAL)))
        return None

    def _subquery(self, node: exp.Expr, scope: _Scope) -> Uses:
        relation = self.query(node, scope.nested())
        scope.take(relation)
        return merge(each.uses for each in relation.columns)

    def _column(self, node: exp.Column, scope: _Scope) -> Uses:
        name, table = node.name, node.table.lower()
        if table:
            relation = next(filter(None, (at.relation(table) for at in scope.outwards())), None)
            return self._of_full_name(node, scope) if relation is None else self._lookup_in(relation, name)
        if name.lower() in _PSEUDO_COLUMNS:
            return {}
        self._report_row(scope.relation(name.lower()), name)
        if found := next(filter(None, (self._unqualified(at, name) for at in scope.outwards())), None):
            return found
        return self._unnamed([column for at in scope.outwards() for column in at.columns()], name)

    def _report_row(self, relation: _Relation | None, alias: str) -> None:
        """Report a name that may be a row; the alias that is the name of the table is rather a column's."""
        if self._dialect not in _ROWS or relation is None or relation.is_unlisted:
            return
        if relation.named(alias) is None and alias not in {table[-1] for table in relation.tables}:
            self.unresolved.append(f"the columns of the row {alias}")

    def _unnamed(self, columns: Sequence[QueryColumn], name: str) -> Uses:
        """Return the column of a name, or the expressions without one; a column that is neither is unresolved."""
        if columns and all(each.name and each.name.lower() != name.lower() for each in columns):
            self.unresolved.append(f"a column {name}")
        return Query(tuple(columns)).column(name).uses

    @staticmethod
    def _of_full_name(node: exp.Column, scope: _Scope) -> Uses:
        """Return a column whose table is not in scope: a table by its last name, or a field of a column."""
        relations = scope.relations.values()
        tables = [table for each in relations for table in each.tables]
        same = next((table for table in tables if table[-1].lower() == node.table.lower()), None)
        if same is not None:
            return {(SourceColumn(same, node.name), T.IDENTITY): Influence()}
        named = [found for each in relations if (found := each.named(node.table)) is not None]
        if named:
            return merge(stepped(each.uses, T.TRANSFORMATION) for each in named)
        return _found(list(relations), f"{node.table}.{node.name}")

    @staticmethod
    def _unqualified(scope: _Scope, name: str) -> Uses:
        relations, alias = list(scope.relations.values()), scope.aliases.get(name.lower())
        merged = scope.merged.get(name.lower())
        if merged is None and alias is not None and all(each.named(name) is None for each in relations):
            return alias.uses
        return merged.uses if merged is not None else _found(relations, name)

    def _lookup_in(self, relation: _Relation, name: str) -> Uses:
        if relation.is_unlisted and relation.named(name) is None:  # a field of what a function returns
            return stepped(relation.columns[0].uses, T.TRANSFORMATION)
        return _found([relation], name) or self._unnamed(relation.columns, name)


def _joined_relation(scope: _Scope) -> _Relation:
    """Return all columns of a scope; a column that a join merges is the first, and one."""
    relations = scope.relations.values()
    listed = [column for each in relations for column in each.columns if column.name.lower() not in scope.merged]
    return _Relation([*scope.merged.values(), *listed], [table for each in relations for table in each.tables])


def _found(relations: Sequence[_Relation], name: str) -> Uses:
    """Return the column of a name without a table: of a relation that lists it, or of any table, `inferred`."""
    named = [found for each in relations if (found := each.named(name)) is not None]
    if named:
        return merge(each.uses for each in named)
    return candidates([table for each in relations for table in each.tables], name)


def _name_of(projection: exp.Expr) -> str:
    """Return the name of a column of a query; empty for an expression, which each database names in another way."""
    if isinstance(projection, (exp.Alias, exp.Subquery)):
        return projection.alias
    bare = projection.unnest()
    while isinstance(bare, exp.Cast):
        bare = bare.this.unnest()
    return bare.name if isinstance(bare, (exp.Column, exp.Dot)) else ""


def _renamed(relation: _Relation, names: Sequence[str]) -> _Relation:
    if not names:
        return relation
    columns = [QueryColumn(name, each.uses, each.text) for name, each in zip(names, relation.columns, strict=False)]
    return _Relation(
        [*columns, *relation.columns[len(columns) :]], relation.tables, relation.conditions, relation.reads
    )


def _is_join(node: exp.Expr, uses: Uses) -> bool:
    """Return whether a filter compares columns of two tables, or looks up rows of another query (IN, EXISTS)."""
    if isinstance(node, exp.EQ) and isinstance(node.left, exp.Column) and isinstance(node.right, exp.Column):
        return len({source.table for source, _ in uses}) > 1
    lookups = node.find_all(exp.Exists, exp.In)
    return any(isinstance(each, exp.Exists) or each.args.get("query") is not None for each in lookups)
