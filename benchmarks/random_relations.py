"""Random SELECT statements whose lineage is known, for `random_statements.py`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from random_values import NOTHING, SCALAR, Expressions, Names, Value, made

Rows = Mapping[str, Names]
"""FILTER, JOIN, GROUP_BY or SORT to the source columns that influence all rows; INFERRED to those in a filter that the
optimizer may add (`InferFiltersFromGenerate`)."""

PLAIN_NAMES = ("a", "b", "c", "total", "n", "label", "value", "k", "flag", "x", "y", "z", "s", "t", "u", "v", "w")
ODD_NAMES = (
    "x#1, y#2", "p[q", "w#3", "a b", "sum(v)", "c)", "AS d#4", "1", "count(1)", "q]", "it, em", "é", "(a + b)", "k#7L",
    "sum(qty#3)#12", "x AS y", "if (", "[k", "a#1L, b#2L", "... 3 more fields", "CASE WHEN x", "Scan parquet", "-", "#",
)  # fmt: skip
SCALARS = ("int", "double", "string", "date")


@dataclass(frozen=True)
class Relation:
    """A FROM item or a whole query.

    Attributes:
        sql: The query, without brackets around it.
        columns: What it gives, `Value.sql` being the bare, quoted name.
        rows: What influences its rows.
    """

    sql: str
    columns: tuple[Value, ...]
    rows: Rows = field(default_factory=dict)


def merged(*all_rows: Rows, **more: Iterable[str]) -> Rows:
    """Influences on rows together."""
    found: dict[str, Names] = {}
    for rows in (*all_rows, {kind: frozenset(names) for kind, names in more.items()}):
        for kind, names in rows.items():
            if names:
                found[kind] = found.get(kind, NOTHING) | names
    return found


def everything(values: Iterable[Value]) -> Names:
    """All sources of some values."""
    return frozenset().union(*(each.everything for each in values))


def name_of(name: str) -> str:
    """A quoted identifier."""
    return f"`{name}`"


def _column(table: str, name: str, kind: str, fields: Sequence[tuple[str, str]] = ()) -> Value:
    own = frozenset({f"{table}.{name}"})
    parts = {
        name_of(part): Value(f"{name_of(name)}.{name_of(part)}", of, frozenset({f"{table}.{name}.{part}"}))
        for part, of in fields
    }
    return Value(name_of(name), kind, own, fields=parts)


_ITEMS = (("sku", "string"), ("qty", "int"))
TABLES: Mapping[str, Sequence[tuple[str, str, Sequence[tuple[str, str]]]]] = {
    "orders": (
        ("id", "int", ()),
        ("cust", "int", ()),
        ("qty", "int", ()),
        ("amount", "double", ()),
        ("status", "string", ()),
        ("note", "string", ()),
        ("day", "date", ()),
        ("tags", "strings", ()),
        ("nums", "ints", ()),
        ("addr", "place", (("city", "string"), ("zip", "string"))),
        ("items", "items", _ITEMS),
        ("extra", "map", ()),
    ),
    "customers": (
        ("id", "int", ()),
        ("name", "string", ()),
        ("country", "string", ()),
        ("boss", "int", ()),
        ("score", "double", ()),
        ("since", "date", ()),
    ),
    "events": (("id", "int", ()), ("kind", "string", ()), ("v", "double", ()), ("dt", "string", ())),
    "odd": (
        ("x#1, y#2", "string", ()),
        ("p[q", "int", ()),
        ("w#3", "int", ()),
        ("a b", "string", ()),
        ("sum(v)", "double", ()),
        ("c)", "string", ()),
        ("x.y", "place", (("y.z", "string"), ("n", "int"))),
        ("AS d#4", "date", ()),
    ),
}
TYPES = {
    "int": "INT",
    "double": "DOUBLE",
    "string": "STRING",
    "date": "DATE",
    "strings": "ARRAY<STRING>",
    "ints": "ARRAY<INT>",
    "map": "MAP<STRING, STRING>",
}


def definitions() -> list[str]:
    """The statements that create the tables."""
    made_by = []
    for table, columns in TABLES.items():
        items = []
        for name, kind, fields in columns:
            inside = ", ".join(f"{name_of(part)}: {TYPES[of]}" for part, of in fields)
            of = {"place": f"STRUCT<{inside}>", "items": f"ARRAY<STRUCT<{inside}>>"}.get(kind) or TYPES[kind]
            items.append(f"{name_of(name)} {of}")
        partitioned = " PARTITIONED BY (dt)" if table == "events" else ""
        made_by.append(f"CREATE TABLE {table} ({', '.join(items)}) USING parquet{partitioned}")
    return made_by


def table(name: str) -> Relation:
    """A whole table."""
    columns = []
    for column, kind, fields in TABLES[name]:
        value = _column(name, column, kind, fields)
        if kind == "items":
            value = replace(value, fields={part.strip("`"): each for part, each in value.fields.items()})
        columns.append(value)
    return Relation(f"SELECT * FROM {name}", tuple(columns))


class Statements:
    """Makes random queries."""

    def __init__(self, seed: int, version: str, odd: float = 0.4) -> None:
        """Takes a seed, Spark's version, and how often names and literals look like plans."""
        self.rng = random.Random(seed)
        self.version = version
        self.odd = odd
        self._aliases = 0

    def query(self, depth: int) -> Relation:
        """A random query."""
        if depth <= 0:
            return self._base()
        return self.rng.choice(_MAKERS)(self, depth)

    def _base(self) -> Relation:
        return table(self.rng.choices(tuple(TABLES), (6, 3, 2, 2))[0])

    def _alias(self) -> str:
        self._aliases += 1
        return f"r{self._aliases}"

    def _name(self, taken: set[str]) -> str:
        while True:
            name = self.rng.choice(ODD_NAMES if self.rng.random() < self.odd / 3 else PLAIN_NAMES)
            if name.lower() not in taken:
                taken.add(name.lower())
                return name_of(name)

    def _from(self, relation: Relation) -> tuple[str, list[Value]]:
        """A relation as a FROM item, and its columns under its alias."""
        alias = self._alias()
        text = relation.sql.removeprefix("SELECT * FROM ")
        item = f"{text} {alias}" if text in TABLES else f"({relation.sql}) {alias}"
        return item, [each.named(f"{alias}.{each.sql}") for each in relation.columns]

    def _over(self, columns: Sequence[Value]) -> Expressions:
        return Expressions(self.rng, columns, self.version, self.odd)

    def _picked(self, columns: Sequence[Value], count: tuple[int, int], depth: int = 2) -> list[Value]:
        """Some columns as they are, and some expressions."""
        at = self._over(columns)
        kinds = ("int", "double", "string", "string", "date", "bool", "strings", "ints")
        return [
            self.rng.choice(list(columns)) if self.rng.random() < 0.45 else at.any(depth, kinds)
            for _ in range(self.rng.randint(*count))
        ]

    def _select(self, values: Sequence[Value]) -> tuple[str, tuple[Value, ...]]:
        """A select list, and its columns under their names."""
        taken: set[str] = set()
        names = [self._name(taken) for _ in values]
        items = [f"{each.sql} AS {name}" for each, name in zip(values, names, strict=True)]
        return ", ".join(items), tuple(each.named(name) for each, name in zip(values, names, strict=True))

    def project(self, depth: int) -> Relation:
        """`SELECT … FROM … WHERE …`."""
        below = self.query(depth - 1)
        item, columns = self._from(below)
        items, named = self._select(self._picked(columns, (2, 5)))
        where, rows = self._where(columns, 0.6)
        return Relation(f"SELECT {items} FROM {item}{where}", named, merged(below.rows, rows))

    def _where(self, columns: Sequence[Value], chance: float) -> tuple[str, Rows]:
        if self.rng.random() > chance:
            return "", {}
        condition = self._over(columns).condition(2)
        return f" WHERE {condition.sql}", {"FILTER": condition.everything}

    def join(self, depth: int) -> Relation:
        """Two relations side by side."""
        left, right = self.query(depth - 1), self.query(self.rng.randint(0, depth - 1))
        one, left_columns = self._from(left)
        two, right_columns = self._from(right)
        how = self.rng.choice(
            ("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN")
        )
        kind = self.rng.choice(("int", "string"))
        keys = [self._over(side).of(kind, self.rng.randint(0, 2)) for side in (left_columns, right_columns)]
        on = f"{keys[0].sql} = {keys[1].sql}"
        compared = list(keys)
        if self.rng.random() < 0.3:
            more = [self._over(side).of("int", 1) for side in (left_columns, right_columns)]
            on, compared = f"{on} AND {more[0].sql} < {more[1].sql}", [*keys, *more]
        one_sided = how.startswith(("LEFT SEMI", "LEFT ANTI"))
        both = [*left_columns] if one_sided else [*left_columns, *right_columns]
        items, named = self._select(self._picked(both, (2, 5), 1))
        rows = merged(left.rows, right.rows, JOIN=everything(compared))
        return Relation(f"SELECT {items} FROM {one} {how} {two} ON {on}", named, rows)

    def group(self, depth: int) -> Relation:
        """`SELECT keys, aggregates FROM … GROUP BY …`."""
        below = self.query(depth - 1)
        item, columns = self._from(below)
        at = self._over(columns)
        keys = [at.any(self.rng.randint(0, 2), SCALARS) for _ in range(self.rng.randint(0, 2))]
        keys = list({each.sql: each for each in keys if each.direct}.values())
        values = [self._aggregate(at) for _ in range(self.rng.randint(1, 4))]
        items, named = self._select([*keys, *values])
        having, filtered = "", NOTHING
        if self.rng.random() < 0.25:
            value = self._aggregate(at, ("int", "double"))
            having, filtered = f" HAVING {value.sql} > 3", value.everything
        if not keys:
            named = tuple(replace(each) for each in named)
        words = f" GROUP BY {', '.join(each.sql for each in keys)}" if keys else ""
        if len(keys) == 2 and self.rng.random() < 0.3:
            words = f" GROUP BY {self.rng.choice(('ROLLUP', 'CUBE'))} ({', '.join(each.sql for each in keys)})"
        where, rows = self._where(columns, 0.3)
        rows = merged(below.rows, rows, GROUP_BY=everything(keys), FILTER=filtered)
        return Relation(f"SELECT {items} FROM {item}{where}{words}{having}", named, rows)

    def _aggregate(
        self, at: Expressions, kinds: Sequence[str] = ("int", "double", "string", "date", "strings")
    ) -> Value:
        rng, kind = self.rng, self.rng.choice(list(kinds))
        inner = at.any(rng.randint(0, 2), SCALARS)
        number = at.of(rng.choice(("int", "double")), rng.randint(0, 2))
        other = at.any(1, ("int", "double", "date"))
        distinct = "DISTINCT " if rng.random() < 0.35 else ""
        condition = at.condition(1) if rng.random() < 0.15 else None
        filtered = f" FILTER (WHERE {condition.sql})" if condition else ""
        decided = [condition] if condition else []
        if kind == "int":
            inner = inner if inner.nullable else at.counted() or inner
            if not inner.nullable:
                return made(f"max({inner.sql})", inner.kind, [inner])
            if rng.random() < 0.2 and other.nullable and other.sql != inner.sql:
                text = f"count(DISTINCT {inner.sql}, {other.sql}){filtered}"
                return made(text, "int", [inner, other], decided=decided, nullable=False)
            text = f"count({distinct}{inner.sql}){filtered}"
            return made(text, "int", [inner], decided=decided, nullable=False)
        if kind == "double":
            function = rng.choice(("sum", "avg", "max", "min", "stddev"))
            return made(f"double({function}({distinct}{number.sql}){filtered})", "double", [number], decided=decided)
        if kind == "strings":
            text_value = at.of("string", 1)
            function = rng.choice(("collect_list", "collect_set"))
            text = f"{function}({distinct}{text_value.sql}){filtered}"
            return made(text, "strings", [text_value], decided=decided, nullable=False)
        value = at.of(kind, 1)
        if rng.random() < 0.3 and value.sql != other.sql:
            function = rng.choice(("max_by", "min_by"))
            return made(f"{function}({value.sql}, {other.sql})", kind, [value], decided=[other])
        if kind == "string" and self.version >= "4.1" and rng.random() < 0.3 and value.sql != other.sql:
            text = f"listagg({value.sql}, {at.literal()}) WITHIN GROUP (ORDER BY {other.sql})"
            listed = made(text, kind, [value])
            return replace(listed, ordered=listed.ordered | other.everything)
        return made(
            f"{rng.choice(('max', 'min', 'first', 'any_value'))}({value.sql}){filtered}", kind, [value], decided=decided
        )

    def window(self, depth: int) -> Relation:
        """Window functions."""
        below = self.query(depth - 1)
        item, columns = self._from(below)
        at = self._over(columns)
        values = self._picked(columns, (1, 3), 1)
        for _ in range(self.rng.randint(1, 3)):
            values.append(self._windowed(at))
        items, named = self._select(values)
        return Relation(f"SELECT {items} FROM {item}", named, below.rows)

    def _windowed(self, at: Expressions) -> Value:
        rng = self.rng
        partition = [at.any(rng.randint(0, 2), SCALARS) for _ in range(rng.randint(0, 2))]
        partition = [each for each in partition if each.direct]
        order = [each for each in [at.any(rng.randint(0, 2), SCALARS)] if each.direct]
        words = f"PARTITION BY {', '.join(each.sql for each in partition)}" if partition else ""
        direction = rng.choice(("", " DESC", " ASC NULLS LAST"))
        words += f" ORDER BY {order[0].sql}{direction}" if order else ""
        value = at.any(1, ("int", "double", "string"))
        kind, function, parts = value.kind, rng.choice(("max", "min", "first_value", "last_value")), [value]
        choice = rng.random()
        text = f"{function}({value.sql})"
        if order and choice < 0.4:
            text, kind, parts = rng.choice(("rank()", "row_number()", "dense_rank()", "ntile(4)")), "int", []
        elif order and choice < 0.6:
            text = f"{rng.choice(('lag', 'lead'))}({value.sql}, 2)"
        elif choice < 0.75:
            number = at.of("double", 1)
            text, kind, parts = f"sum({number.sql})", "double", [number]
        found = made(f"{text} OVER ({words})", kind, parts, nullable=bool(parts))
        return replace(found, windowed=found.windowed | everything([*partition, *order]))

    def union(self, depth: int) -> Relation:
        """UNION, INTERSECT and EXCEPT, with ALL and without."""
        width = self.rng.randint(1, 3)
        kinds = [self.rng.choice(("int", "double", "string", "date")) for _ in range(width)]
        sides = [self._aligned(depth - 1, kinds) for _ in range(2)]
        how = self.rng.choice(("UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"))
        left, right = sides
        sql = f"({left.sql}) {how} ({right.sql})"
        if how.startswith("UNION"):
            pairs = zip(left.columns, right.columns, strict=True)
            columns = tuple(made(one.sql, one.kind, [one, two], nullable=_both(one, two)) for one, two in pairs)
            rows = merged(left.rows, right.rows, GROUP_BY=everything(columns) if how == "UNION" else ())
            return Relation(sql, columns, rows)
        compared = everything([*left.columns, *right.columns])
        rows = merged(left.rows, right.rows, JOIN=compared)
        return Relation(sql, left.columns, rows)

    def _aligned(self, depth: int, kinds: Sequence[str]) -> Relation:
        below = self.query(depth)
        item, columns = self._from(below)
        at = self._over(columns)
        items, named = self._select([at.of(kind, 1) for kind in kinds])
        where, rows = self._where(columns, 0.3)
        return Relation(f"SELECT {items} FROM {item}{where}", named, merged(below.rows, rows))

    def distinct(self, depth: int) -> Relation:
        """`SELECT DISTINCT …`."""
        below = self.query(depth - 1)
        item, columns = self._from(below)
        values = [each for each in self._picked(columns, (1, 3)) if each.kind != "map" and each.direct] or [
            self._over(columns).bare("string")
        ]
        items, named = self._select(values)
        constant = ", 1 AS one" if self.rng.random() < 0.3 else ""
        columns_out = (*named, Value("`one`", "int", nullable=False)) if constant else named
        rows = merged(below.rows, GROUP_BY=everything(values))
        return Relation(f"SELECT DISTINCT {items}{constant} FROM {item}", columns_out, rows)

    def top(self, depth: int) -> Relation:
        """`ORDER BY … LIMIT`."""
        below = self.query(depth - 1)
        item, columns = self._from(below)
        at = self._over(columns)
        keys = [each for each in (at.any(2, SCALARS) for _ in range(2)) if each.direct] or [at.bare("int")]
        items, named = self._select(self._picked(columns, (2, 4)))
        order = ", ".join(f"{each.sql}{self.rng.choice(('', ' DESC'))}" for each in keys)
        rows = merged(below.rows, SORT=everything(keys))
        return Relation(f"SELECT {items} FROM {item} ORDER BY {order} LIMIT 7", named, rows)

    def explode(self, depth: int) -> Relation:
        """A generator over an array."""
        below = self.query(depth - 1)
        item, columns = self._from(below)
        at = self._over(columns)
        alias = self._alias()
        outer = self.rng.choice(("", "OUTER "))
        filtered: Rows = {}
        items = [each for each in columns if each.kind == "items"]
        if items and self.rng.random() < 0.6:
            own = self.rng.choice(items)
            new = [replace(own.fields[name], sql=f"{alias}.{name}") for name in ("sku", "qty")]
            generator = f"inline({own.sql}) {alias} AS sku, qty"
            filtered = {"INFERRED": own.everything}
        else:
            kind, element = self.rng.choice((("strings", "string"), ("ints", "int")))
            array = next(each for each in iter(lambda: at.of(kind, 2), None) if "filter(" not in each.sql)
            new = [replace(made(f"{alias}.e", element, [array]), nullable=False)]
            text = array.sql
            filtered = {"INFERRED": array.everything}
            if self.rng.random() < 0.3:
                other = at.of(element, 0)
                text = f"filter({text}, q -> q > {other.sql})"
                filtered = {"FILTER": array.everything | other.everything}
            generator = f"explode({text}) {alias} AS e"
            if self.rng.random() < 0.3:
                generator = f"posexplode({text}) {alias} AS pos, e"
        values = [*self._picked(columns, (1, 3), 1), *new]
        words, named = self._select(values)
        return Relation(
            f"SELECT {words} FROM {item} LATERAL VIEW {outer}{generator}", named, merged(below.rows, filtered)
        )

    def subquery(self, depth: int) -> Relation:
        """IN, EXISTS and scalar subqueries."""
        below, other = self.query(depth - 1), self.query(depth - 1)
        item, columns = self._from(below)
        inner, inner_columns = self._from(other)
        one, two = self._over(columns).of("int", 1), self._over(inner_columns).of("int", 1)
        values = self._picked(columns, (2, 3))
        choice = self.rng.random()
        if choice < 0.3:
            value = self._over(inner_columns).of("double", 1)
            text = f"(SELECT max({value.sql}) FROM {inner})"
            items, named = self._select([*values, made(text, "double", [value])])
            return Relation(f"SELECT {items} FROM {item}", named, merged(below.rows, other.rows))
        items, named = self._select(values)
        rows = merged(below.rows, other.rows, JOIN=everything([one, two]))
        negated = self.rng.choice(("", "NOT "))
        if choice < 0.7:
            text = f"{negated}EXISTS (SELECT 1 FROM {inner} WHERE {two.sql} = {one.sql})"
        else:
            text = f"{one.sql} {negated}IN (SELECT {two.sql} FROM {inner})"
        return Relation(f"SELECT {items} FROM {item} WHERE {text}", named, rows)


def _both(one: Value, two: Value) -> bool:
    return one.nullable and two.nullable


_S = Statements
_MAKERS: tuple[Callable[[Statements, int], Relation], ...] = (
    _S.project, _S.project, _S.project, _S.join, _S.join, _S.group, _S.group, _S.group, _S.window, _S.window, _S.union,
    _S.union, _S.distinct, _S.top, _S.explode, _S.subquery,
)  # fmt: skip
__all__ = ["SCALAR", "Relation", "Statements", "definitions"]
