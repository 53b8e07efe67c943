"""Random statements over 45 columns, more than Spark prints by default (25), for `random_statements.py --wide`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from random_idioms import Idioms
from random_relations import ODD_NAMES, Relation, everything, merged, name_of
from random_values import Value, made

KINDS = ("int", "double", "string", "string", "date")
WIDTH = 45
TYPES = {"int": "INT", "double": "DOUBLE", "string": "STRING", "date": "DATE"}


def wide_definitions() -> list[str]:
    """The statements that create the tables."""
    columns = ", ".join(f"{name_of(_named(place))} {TYPES[_kind(place)]}" for place in range(WIDTH))
    return [f"CREATE TABLE {table} ({columns}) USING parquet" for table in ("wide", "other")]


def _kind(place: int) -> str:
    return KINDS[place % len(KINDS)]


def _named(place: int) -> str:
    return ("x#1, y#2", "p[q", "c)")[place // 15] if place % 15 == 7 else f"c{place}"


class Wide(Idioms):
    """Makes random queries of 26 to 45 columns."""

    def query(self, depth: int) -> Relation:
        """A random query."""
        if depth <= 0:
            return self._base()
        return self.rng.choice(MAKERS)(self, depth)

    def _base(self) -> Relation:
        table = self.rng.choice(("wide", "wide", "other"))
        columns = [
            Value(name_of(_named(place)), _kind(place), frozenset({f"{table}.{_named(place)}"}))
            for place in range(WIDTH)
        ]
        return Relation(f"SELECT * FROM {table}", tuple(columns))

    def _from(self, relation: Relation) -> tuple[str, list[Value]]:
        alias = self._alias()
        columns = [each.named(f"{alias}.{each.sql}") for each in relation.columns]
        return f"({relation.sql}) {alias}", columns

    def _name(self, taken: set[str]) -> str:
        odd = [each for each in ODD_NAMES if each.lower() not in taken]
        name = self.rng.choice(odd) if odd and self.rng.random() < 0.15 else f"w{len(taken)}"
        taken.add(name.lower())
        return name_of(name)

    def _picked(self, columns: Sequence[Value], count: tuple[int, int], depth: int = 2) -> list[Value]:
        if self.rng.random() < 0.75:
            count = (26, WIDTH)
        at = self._over(columns)
        kinds = ("int", "double", "string", "string", "date")
        return [
            self.rng.choice(list(columns)) if self.rng.random() < 0.6 else at.any(min(depth, 1), kinds)
            for _ in range(self.rng.randint(*count))
        ]

    def many_aggregates(self, depth: int) -> Relation:
        """26 to 40 aggregates."""
        below = self.query(depth - 1)
        item, columns = self._from(below)
        at = self._over(columns)
        keys = [each for each in (at.any(1, ("int", "string")) for _ in range(2)) if each.direct]
        keys = list({each.sql: each for each in keys}.values())
        values = [self._wide_aggregate(columns) for _ in range(self.rng.randint(26, 40))]
        items, named = self._select([*keys, *values])
        words = f" GROUP BY {', '.join(each.sql for each in keys)}" if keys else ""
        rows = merged(below.rows, GROUP_BY=everything(keys))
        return Relation(f"SELECT {items} FROM {item}{words}", named, rows)

    def _wide_aggregate(self, columns: Sequence[Value]) -> Value:
        value = self.rng.choice([each for each in columns if each.direct and each.kind in TYPES] or list(columns))
        function = self.rng.choice(("max", "min", "first", "max"))
        return made(f"{function}({value.sql})", value.kind, [value])

    def many_pairs(self, depth: int) -> Relation:
        """All columns of two relations."""
        left, right = self.query(depth - 1), self.query(0)
        one, left_columns = self._from(left)
        two, right_columns = self._from(right)
        keys = [self._over(side).of("string", 0) for side in (left_columns, right_columns)]
        items, named = self._select([*left_columns[:30], *right_columns[:30]])
        rows = merged(left.rows, right.rows, JOIN=everything(keys))
        how = self.rng.choice(("JOIN", "LEFT JOIN", "FULL JOIN"))
        return Relation(f"SELECT {items} FROM {one} {how} {two} ON {keys[0].sql} = {keys[1].sql}", named, rows)

    def united(self, depth: int) -> Relation:
        """A union of two wide queries, by position."""
        left, right = self.query(depth - 1), self._base()
        item, columns = self._from(right)
        at = self._over(columns)
        values = [at.of(each.kind, 0) for each in left.columns]
        items, named = self._select(values)
        pairs = zip(left.columns, named, strict=True)
        united = tuple(made(one.sql, one.kind, [one, two]) for one, two in pairs)
        sql = f"({left.sql}) UNION ALL (SELECT {items} FROM {item})"
        return Relation(sql, united, left.rows)

    def distinct_rows(self, depth: int) -> Relation:
        """`SELECT DISTINCT` of many columns."""
        below = self.query(depth - 1)
        item, columns = self._from(below)
        values = [each for each in columns[: self.rng.randint(26, WIDTH)] if each.direct]
        if not values:
            return below
        items, named = self._select(values)
        return Relation(f"SELECT DISTINCT {items} FROM {item}", named, merged(below.rows, GROUP_BY=everything(values)))


_W = Wide
MAKERS: tuple[Callable[[Wide, int], Relation], ...] = (
    _W.project, _W.project, _W.window, _W.many_aggregates, _W.many_aggregates, _W.many_pairs, _W.united,
    _W.distinct_rows, _W.top,
)  # fmt: skip
