"""Further steps of random DataFrame code whose lineage is known, for `random_statements.py`."""

from __future__ import annotations

from collections.abc import Callable

from random_columns import Column, code_of
from random_frames import Frame, Frames
from random_relations import everything, merged
from random_values import SCALAR, made


class Steps(Frames):
    """Makes random DataFrame code, a fourth of it of these steps."""

    def step(self, frame: Frame) -> Frame:
        """The frame after one step."""
        if self.rng.random() < 0.25:
            return self.rng.choice(STEPS)(self, frame)
        return super().step(frame)

    def with_columns(self, frame: Frame) -> Frame:
        """`withColumns`, several at once."""
        at = self._columns(frame)
        taken = {each.sql[1:-1].lower() for each in frame.columns}
        new = {self.made._name(taken): at.of(kind) for kind in ("string", "int")}
        words = ", ".join(f"{name[1:-1]!r}: {each.code}" for name, each in new.items())
        columns = [*frame.columns, *(each.value.named(name) for name, each in new.items())]
        return self._then(f"{frame.name}.withColumns({{{words}}})", columns, frame.rows)

    def select_expr(self, frame: Frame) -> Frame:
        """`selectExpr`."""
        values = self.made._picked(frame.columns, (2, 4))
        names, columns = self._named([Column("", each) for each in values])
        words = ", ".join(repr(f"{each.sql} AS {name}") for each, name in zip(values, names, strict=True))
        return self._then(f"{frame.name}.selectExpr({words})", columns, frame.rows)

    def self_join(self, frame: Frame) -> Frame:
        """A frame joined with itself, under two aliases."""
        alias = [f"a{len(self.lines)}", f"b{len(self.lines)}"]
        sides = [[each.named(f"{name}.{each.sql}") for each in frame.columns] for name in alias]
        keys = [self.made._over(side).bare("int") for side in sides]
        on = f"F.expr({keys[0].sql!r}) == F.expr({f'{keys[1].sql} + 1'!r})"
        columns = [
            Column(f"F.expr({each.sql!r})", each) for each in self.made._picked([*sides[0], *sides[1]], (2, 5), 1)
        ]
        names, values = self._named(columns)
        how = self.rng.choice(("inner", "left", "full"))
        code = f"{frame.name}.alias({alias[0]!r}).join({frame.name}.alias({alias[1]!r}), {on}, {how!r})"
        rows = merged(frame.rows, JOIN=everything(keys))
        return self._then(f"{code}.select({self._list(columns, names)})", values, rows)

    def observe(self, frame: Frame) -> Frame:
        """`observe`, whose metrics are no columns."""
        metric = self._columns(frame).plain("string")
        words = f"F.count(F.lit(1)).alias('x#1, y#2'), F.max({metric.code}).alias('p[q')"
        return self._then(f"{frame.name}.observe('seen {len(self.lines)} (', {words})", frame.columns, frame.rows)

    def unnamed_aggregates(self, frame: Frame) -> Frame:
        """`agg` without aliases: Spark names the columns after their expressions."""
        own = [each for each in frame.columns if each.kind in SCALAR and each.nullable and each.direct]
        own = [each for each in own if "." not in each.sql]
        if len(own) < 2:
            return frame
        chosen = self.rng.sample(own, min(len(own), self.rng.randint(1, 4)))
        functions = [self.rng.choice(("max", "min", "first", "count", "collect_set")) for _ in chosen]
        key = self._columns(frame).plain("int", 1)
        if not key.value.direct or key.value.sql in {each.sql for each in chosen}:
            return frame
        words = ", ".join(f"F.{name}({each.sql!r})" for each, name in zip(chosen, functions, strict=True))
        columns = [key.value.named("`the key of all`")]
        for each, name in zip(chosen, functions, strict=True):
            kind = {"count": "int", "collect_set": "sets"}.get(name, each.kind)
            value = made(f"`{name}({each.sql[1:-1]})`", kind, [each], nullable=name not in ("count", "collect_set"))
            columns.append(value)
        code = f"{frame.name}.groupBy({key.code}.alias('the key of all')).agg({words})"
        return self._then(code, columns, merged(frame.rows, GROUP_BY=key.value.everything))

    def filled_from(self, frame: Frame) -> Frame:
        """`withColumnsRenamed`, and a plain column added by `transform`."""
        old = self.rng.choice(frame.columns)
        name = self._fresh(frame)
        columns = [each.named(name) if each.sql == old.sql else each for each in frame.columns]
        code = f"{frame.name}.transform(lambda d: d.withColumnsRenamed({{{old.sql[1:-1]!r}: {name[1:-1]!r}}}))"
        return self._then(code, columns, frame.rows)

    def subtract(self, frame: Frame) -> Frame:
        """`subtract`, `exceptAll` and `intersect` with rows of another table."""
        own = [each for each in frame.columns if each.kind in SCALAR and each.everything][:2]
        if not own:
            return frame
        other = self._base()
        at = self.made._over(other.columns)
        values = [at.bare(each.kind) for each in own]
        words = ", ".join(f"F.col({each.sql!r})" for each in own)
        listed = ", ".join(f"{code_of(each)}.alias('o{place}')" for place, each in enumerate(values))
        how = self.rng.choice(("exceptAll", "intersectAll", "subtract", "intersect"))
        rows = merged(frame.rows, JOIN=everything([*own, *values]))
        return self._then(f"{frame.name}.select({words}).{how}({other.name}.select({listed}))", own, rows)


_P = Steps
STEPS: tuple[Callable[[Steps, Frame], Frame], ...] = (
    _P.with_columns, _P.select_expr, _P.self_join, _P.self_join, _P.observe, _P.unnamed_aggregates,
    _P.unnamed_aggregates, _P.filled_from, _P.subtract,
)  # fmt: skip
