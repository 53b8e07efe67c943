"""Random SQL idioms whose lineage is known, for `random_statements.py`: pivots, laterals, grouping sets and more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from random_relations import Relation, Statements, everything, merged
from random_values import SCALAR, Value, made

SCALARS = ("int", "double", "string", "date")


class Idioms(Statements):
    """Makes random queries, some of them of an idiom."""

    def query(self, depth: int) -> Relation:
        """A random query."""
        if depth > 0 and self.rng.random() < 0.3:
            return self.rng.choice(IDIOMS)(self, depth)
        return super().query(depth)

    def _below(self, depth: int) -> tuple[Relation, str, list[Value]]:
        below = self.query(depth - 1)
        return (below, *self._from(below))

    def _wrapped(self, sql: str, values: Sequence[Value]) -> tuple[str, tuple[Value, ...]]:
        """A query with columns that Spark names, under names of its own: `SELECT * FROM (…) AS r1(a, b)`."""
        taken: set[str] = set()
        names = [self._name(taken) for _ in values]
        columns = tuple(each.named(name) for each, name in zip(values, names, strict=True))
        return f"SELECT * FROM ({sql}) AS {self._alias()}({', '.join(names)})", columns

    def distinct_counts(self, depth: int) -> Relation:
        """Several DISTINCT aggregates of expressions, whose columns Spark names after the expressions."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        keys = [each for each in [at.any(1, SCALARS)] if each.direct and self.rng.random() < 0.6]
        values = []
        for _ in range(self.rng.randint(2, 4)):
            inner = at.of(self.rng.choice(("string", "string", "int", "date")), 2)
            inner = inner if inner.nullable and inner.direct else at.counted() or inner
            if not inner.nullable:
                return self.group(depth)
            condition = at.condition(1) if self.rng.random() < 0.2 else None
            filtered = f" FILTER (WHERE {condition.sql})" if condition else ""
            text = f"count(DISTINCT {inner.sql}){filtered}"
            values.append(made(text, "int", [inner], decided=[condition] if condition else [], nullable=False))
        if self.rng.random() < 0.5:
            number = at.of("double", 1)
            values.append(made(f"double(sum({number.sql}))", "double", [number]))
        listed = ", ".join(each.sql for each in (*keys, *values))
        words = f" GROUP BY {', '.join(each.sql for each in keys)}" if keys else ""
        sql, named = self._wrapped(f"SELECT {listed} FROM {item}{words}", [*keys, *values])
        return Relation(sql, named, merged(below.rows, GROUP_BY=everything(keys)))

    def unnamed(self, depth: int) -> Relation:
        """Expressions without an alias."""
        below, item, columns = self._below(depth)
        values = self._picked(columns, (2, 4))
        sql, named = self._wrapped(f"SELECT {', '.join(each.sql for each in values)} FROM {item}", values)
        return Relation(sql, named, below.rows)

    def grouping_sets(self, depth: int) -> Relation:
        """`GROUPING SETS`."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        keys = list({each.sql: each for each in (at.any(1, SCALARS) for _ in range(2)) if each.direct}.values())
        if len(keys) < 2:
            return self.group(depth)
        value = self._aggregate(at)
        items, named = self._select([*keys, value])
        sets = f"(({keys[0].sql}, {keys[1].sql}), ({keys[0].sql}), ())"
        rows = merged(below.rows, GROUP_BY=everything(keys))
        return Relation(f"SELECT {items} FROM {item} GROUP BY GROUPING SETS {sets}", named, rows)

    def common(self, depth: int) -> Relation:
        """A common table expression that is read twice."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        key = at.bare("int")
        kept = [each for each in columns if each.kind in SCALAR][:3]
        items, named = self._select([key, *kept])
        name, one, two = self._alias(), self._alias(), self._alias()
        sides = [[each.named(f"{alias}.{each.sql}") for each in named] for alias in (one, two)]
        listed, found = self._select(self._picked([*sides[0], *sides[1]], (2, 4), 1))
        on = f"{sides[0][0].sql} = {sides[1][0].sql} + 1"
        sql = f"WITH {name} AS (SELECT {items} FROM {item}) SELECT {listed} FROM {name} {one} JOIN {name} {two} ON {on}"
        return Relation(sql, found, merged(below.rows, JOIN=key.everything))

    def pivot(self, depth: int) -> Relation:
        """`PIVOT`."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        key, by, value = at.bare("int"), at.bare("string"), at.bare("double")
        items = f"{key.sql} AS k, {by.sql} AS p, {value.sql} AS v"
        pivot = f"{self.rng.choice(('sum', 'max', 'min'))}(v) FOR p IN ({self.literal} AS w1, 'q' AS w2)"
        sql = f"SELECT * FROM (SELECT {items} FROM {item}) PIVOT ({pivot})"
        values = [made(f"`{name}`", "double", [value], decided=[by]) for name in ("w1", "w2")]
        rows = merged(below.rows, GROUP_BY=key.everything | by.everything)
        return Relation(sql, (key.named("`k`"), *values), rows)

    @property
    def literal(self) -> str:
        """A string literal other than `q`."""
        return self._over([]).literal()

    def unpivot(self, depth: int) -> Relation:
        """`UNPIVOT`."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        key, one, two = at.bare("int"), at.bare("string"), at.of("string", 1)
        items = f"{key.sql} AS k, {one.sql} AS `a b`, {two.sql} AS c"
        sql = f"SELECT * FROM (SELECT {items} FROM {item}) UNPIVOT INCLUDE NULLS (val FOR what IN (`a b`, c))"
        found = (key.named("`k`"), Value("`what`", "string", nullable=False), made("`val`", "string", [one, two]))
        return Relation(sql, found, below.rows)

    def stack(self, depth: int) -> Relation:
        """`stack`, a generator of rows."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        cells = [at.of("string", 1), at.bare("int"), at.of("string", 1), at.bare("int")]
        alias = self._alias()
        first, second = made(f"{alias}.e", "string", [cells[0], cells[2]]), made(f"{alias}.f", "int", cells[1::2])
        items, named = self._select([*self._picked(columns, (1, 2), 1), first, second])
        listed = ", ".join(each.sql for each in cells)
        return Relation(
            f"SELECT {items} FROM {item} LATERAL VIEW stack(2, {listed}) {alias} AS e, f", named, below.rows
        )

    def correlated(self, depth: int) -> Relation:
        """A correlated scalar subquery in the select list."""
        below, item, columns = self._below(depth)
        inner, inner_columns = self._from(self.query(0))
        one, two = self._over(columns).bare("int"), self._over(inner_columns).bare("int")
        value = self._over(inner_columns).of("double", 1)
        text = f"(SELECT max({value.sql}) FROM {inner} WHERE {two.sql} = {one.sql})"
        items, named = self._select([*self._picked(columns, (1, 3)), made(text, "double", [value])])
        return Relation(f"SELECT {items} FROM {item}", named, merged(below.rows, JOIN=everything([one, two])))

    def lateral(self, depth: int) -> Relation:
        """A lateral subquery."""
        below, item, columns = self._below(depth)
        inner, inner_columns = self._from(self.query(0))
        one, two = self._over(columns).bare("int"), self._over(inner_columns).bare("int")
        value, alias = self._over(inner_columns).of("string", 1), self._alias()
        listed = f"SELECT {value.sql} AS lv FROM {inner} WHERE {two.sql} = {one.sql}"
        items, named = self._select([*self._picked(columns, (1, 3)), value.named(f"{alias}.lv")])
        rows = merged(below.rows, JOIN=everything([one, two]))
        return Relation(f"SELECT {items} FROM {item}, LATERAL ({listed}) {alias}", named, rows)

    def structs(self, depth: int) -> Relation:
        """Fields of structs, of arrays of structs and of zipped arrays that the statement builds."""
        below, item, columns = self._below(depth)
        at, alias = self._over(columns), self._alias()
        one, two = at.of("string", 2), at.bare("int")
        both = [replace(one, sql=f"{alias}.p", nullable=True), replace(two, sql=f"{alias}.q", nullable=True)]
        items, named = self._select([*self._picked(columns, (1, 2), 1), *both])
        array = f"array(named_struct('p', {one.sql}, 'q', {two.sql}))"
        generator = f"inline({array}) {alias} AS p, q"
        return Relation(f"SELECT {items} FROM {item} LATERAL VIEW {generator}", named, below.rows)

    def chosen_rows(self, depth: int) -> Relation:
        """The first row of each group, by `row_number`."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        key, order = at.bare("int"), at.bare("string")
        kept = [each for each in columns if each.kind in SCALAR][:3]
        items, named = self._select(kept or [key])
        words = f"row_number() OVER (PARTITION BY {key.sql} ORDER BY {order.sql} DESC) AS `the rn`"
        rows = merged(below.rows, FILTER=everything([key, order]))
        listed = ", ".join(each.sql for each in named)
        return Relation(f"SELECT {listed} FROM (SELECT {items}, {words} FROM {item}) WHERE `the rn` = 1", named, rows)


_I = Idioms
IDIOMS: tuple[Callable[[Idioms, int], Relation], ...] = (
    _I.distinct_counts, _I.distinct_counts, _I.distinct_counts, _I.unnamed, _I.unnamed, _I.grouping_sets, _I.common,
    _I.pivot, _I.unpivot, _I.stack, _I.correlated, _I.lateral, _I.structs, _I.chosen_rows,
)  # fmt: skip
