"""Further random SQL whose lineage is known, for `random_statements.py`: what Spark's dialect has since 3.4.

Lateral column aliases, pipes, `GROUP BY ALL`, `ORDER BY ALL`, `* EXCEPT`, recursive common table expressions, windows
of time and sessions, `json_tuple`, arguments by name, `nullif`, `nvl2` and `decode`.
"""

from __future__ import annotations

from collections.abc import Callable

from random_idioms import Idioms
from random_relations import SCALARS, Relation, everything, merged
from random_values import Expressions, Value, made

ALIASES = ("`step one`", "`la#5`", "`p(q#6`", "`m, n#7`", "`step_two`")


class Dialect(Idioms):
    """Makes random queries, some of them of the dialect."""

    def query(self, depth: int) -> Relation:
        """A random query."""
        if depth > 0 and self.rng.random() < 0.3:
            makers = [make for least, make in DIALECT if self.version >= least]
            return self.rng.choice(makers)(self, depth)
        return super().query(depth)

    def lateral_alias(self, depth: int) -> Relation:
        """A column that is made of an alias of the same list."""
        below, item, columns = self._below(depth)
        first = self._over(columns).any(2, ("int", "string", "date"))
        alias = self.rng.choice(ALIASES)
        if not first.direct or any(each.sql.endswith(alias) for each in columns):
            return self.project(depth)
        at = self._over([first.named(alias)])
        items, named = self._select([*self._picked(columns, (1, 2), 1), at.of("string", 1), at.of("int", 1)])
        if any(each.sql == alias for each in named):
            return self.project(depth)
        return Relation(f"SELECT {first.sql} AS {alias}, {items} FROM {item}", (first.named(alias), *named), below.rows)

    def pipes(self, depth: int) -> Relation:
        """`FROM … |> WHERE … |> EXTEND … |> SELECT …`, and `|> AGGREGATE … GROUP BY …`."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        condition = at.condition(1)
        rows = merged(below.rows, FILTER=condition.everything)
        start = f"FROM {item} |> WHERE {condition.sql}"
        if self.rng.random() < 0.5:
            key, value = at.bare("int"), self._aggregate(at)
            sql = f"{start} |> AGGREGATE {value.sql} AS `the value` GROUP BY {key.sql} AS `the key`"
            return Relation(
                sql, (key.named("`the key`"), value.named("`the value`")), merged(rows, GROUP_BY=key.everything)
            )
        new = at.any(2, ("int", "string", "date"))
        items, named = self._select([*self._picked(columns, (1, 3), 1), new.named("`ext (1`")])
        return Relation(f"{start} |> EXTEND {new.sql} AS `ext (1` |> SELECT {items}", named, rows)

    def group_all(self, depth: int) -> Relation:
        """`GROUP BY ALL`."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        keys = [each for each in (at.any(2, SCALARS) for _ in range(2)) if each.direct]
        items, named = self._select([*keys, *(self._aggregate(at) for _ in range(2))])
        rows = merged(below.rows, GROUP_BY=everything(keys))
        return Relation(f"SELECT {items} FROM {item} GROUP BY ALL", named, rows)

    def order_all(self, depth: int) -> Relation:
        """`ORDER BY ALL … LIMIT`."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        values = [each for each in (at.any(2, SCALARS) for _ in range(3)) if each.direct] or [at.bare("int")]
        items, named = self._select(values)
        rows = merged(below.rows, SORT=everything(values))
        return Relation(f"SELECT {items} FROM {item} ORDER BY ALL LIMIT 7", named, rows)

    def star_except(self, depth: int) -> Relation:
        """`* EXCEPT (…)`."""
        below, item, columns = self._below(depth)
        if len(columns) < 3 or any(each.sql.endswith(".`more (x`") for each in columns):
            return self.project(depth)
        gone = self.rng.choice(columns)
        alias, _, name = gone.sql.partition(".")
        kept = [each.named(each.sql.partition(".")[2]) for each in columns if each is not gone]
        new = self._over(columns).any(1, ("int", "string"))
        sql = f"SELECT {alias}.* EXCEPT ({name}), {new.sql} AS `more (x` FROM {item}"
        return Relation(sql, (*kept, new.named("`more (x`")), below.rows)

    def recursive(self, depth: int) -> Relation:
        """A recursive common table expression."""
        below, item, columns = self._below(depth)
        at, alias = self._over(columns), self._alias()
        number, text = at.bare("int"), at.bare("string")
        step = f"SELECT n + 1, concat(s, {at.literal()}) FROM {alias} WHERE n < 50"
        sql = (
            f"WITH RECURSIVE {alias}(n, s) AS (SELECT {number.sql}, {text.sql} FROM {item} UNION ALL {step})"
            f" SELECT n AS `n#1`, s AS `the s` FROM {alias}"
        )
        rows = merged(below.rows, FILTER=number.everything)
        return Relation(sql, (number.named("`n#1`"), text.named("`the s`")), rows)

    def time_window(self, depth: int) -> Relation:
        """Groups of a window of time, or of a session."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        dates = [each for each in columns if each.kind == "date" and each.direct]
        if not dates:
            return self.group_all(depth)
        day = self.rng.choice(dates)
        items, named = self._select([self._aggregate(at) for _ in range(2)])
        function = self.rng.choice(("window", "session_window"))
        sql = f"SELECT {items} FROM {item} GROUP BY {function}(timestamp({day.sql}), '7 days')"
        return Relation(sql, named, merged(below.rows, GROUP_BY=day.everything))

    def json_tuple(self, depth: int) -> Relation:
        """`json_tuple`, a generator of several columns."""
        below, item, columns = self._below(depth)
        at, alias = self._over(columns), self._alias()
        text = at.of("string", 1)
        new = [made(f"{alias}.{name}", "string", [text]) for name in ("e", "f")]
        items, named = self._select([*self._picked(columns, (1, 2), 1), *new])
        generator = f"json_tuple({text.sql}, {at.literal()}, 'b') {alias} AS e, f"
        return Relation(f"SELECT {items} FROM {item} LATERAL VIEW {generator}", named, below.rows)

    def choices(self, depth: int) -> Relation:
        """`nullif`, `nvl2`, `decode`, and an argument by name."""
        below, item, columns = self._below(depth)
        at = self._over(columns)
        items, named = self._select([self._choice(at) for _ in range(3)])
        return Relation(f"SELECT {items} FROM {item}", named, below.rows)

    def _choice(self, at: Expressions) -> Value:
        one, two = at.of("string", 1), at.of("string", 1)
        by = at.of("string", 1)
        if len({one.sql, two.sql, by.sql}) < 3 or not (one.nullable and two.nullable and by.nullable and by.direct):
            return one
        how = self.rng.choice(("nullif", "nvl2", "decode", "mask"))
        if how == "nullif":
            return made(f"nullif({one.sql}, {by.sql})", "string", [one], decided=[one, by])
        if how == "nvl2":
            return made(f"nvl2({by.sql}, {one.sql}, {two.sql})", "string", [one, two], decided=[by])
        if how == "decode":
            text = f"decode({by.sql}, {at.literal()}, {one.sql}, {two.sql})"
            return made(text, "string", [one, two], decided=[by])
        return made(f"mask({one.sql}, otherChar => '[')", "string", [one])


_D = Dialect
DIALECT: tuple[tuple[str, Callable[[Dialect, int], Relation]], ...] = (
    ("3.4", _D.lateral_alias), ("3.4", _D.lateral_alias), ("3.4", _D.group_all), ("3.4", _D.order_all),
    ("3.4", _D.time_window), ("3.4", _D.json_tuple), ("3.4", _D.choices), ("3.4", _D.choices), ("4.0", _D.pipes),
    ("4.0", _D.pipes), ("4.0", _D.star_except), ("4.1", _D.recursive),
)  # fmt: skip
"""The first release that has an idiom, and what makes it."""
