"""Random DataFrame code whose lineage is known, for `random_statements.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from random_columns import Column, Columns, code_of
from random_relations import SCALARS, Rows, Statements, everything, merged
from random_values import SCALAR, Value, made

TYPES = {"int": "int", "double": "double", "string": "string", "date": "date", "bool": "boolean"}


@dataclass(frozen=True)
class Frame:
    """A data frame: the variable that has it, its columns, and what influences its rows."""

    name: str
    columns: tuple[Value, ...]
    rows: Rows = field(default_factory=dict)


class Frames:
    """Makes random DataFrame code."""

    def __init__(self, seed: int, version: str, odd: float = 0.4) -> None:
        """Takes a seed, Spark's version, and how often names and literals look like plans."""
        self.made = Statements(seed, version, odd)
        self.rng = self.made.rng
        self.version = version
        self.lines: list[str] = []

    def code(self, steps: int) -> tuple[str, Frame]:
        """Code that leaves a data frame in `frame`, and the frame."""
        frame = self._base()
        for _ in range(steps):
            frame = self.step(frame)
        frame = self.select(frame) if self.rng.random() < 0.3 else frame
        return "\n".join([*self.lines, f"frame = {frame.name}"]), frame

    def step(self, frame: Frame) -> Frame:
        """The frame after one step."""
        return self.rng.choice(STEPS)(self, frame)

    def _base(self) -> Frame:
        relation = self.made.query(0)
        name = relation.sql.rpartition(" ")[2]
        return self._then(f"spark.table({name!r})", relation.columns, {})

    def _then(self, code: str, columns: Iterable[Value], rows: Rows) -> Frame:
        name = f"f{len(self.lines) + 1}"
        self.lines.append(f"{name} = {code}")
        return Frame(name, tuple(columns), rows)

    def _columns(self, frame: Frame) -> Columns:
        return Columns(self.made._over(frame.columns))

    def _picked(self, frame: Frame, least: int, most: int) -> list[Column]:
        at = self._columns(frame)
        kinds = ("int", "double", "string", "string", "date", "bool", "strings", "ints")
        found = []
        for _ in range(self.rng.randint(least, most)):
            if self.rng.random() < 0.4:
                value = self.rng.choice(frame.columns)
                found.append(Column(code_of(value), value))
            else:
                found.append(at.of(self.rng.choice(kinds)))
        return found

    def _named(self, columns: Sequence[Column]) -> tuple[list[str], tuple[Value, ...]]:
        taken: set[str] = set()
        names = [self.made._name(taken) for _ in columns]
        return names, tuple(each.value.named(name) for each, name in zip(columns, names, strict=True))

    def _list(self, columns: Sequence[Column], names: Sequence[str]) -> str:
        """Columns under their names, each by an alias; or without, as arguments of `toDF`."""
        return ", ".join(f"{each.code}.alias({name[1:-1]!r})" for each, name in zip(columns, names, strict=True))

    def select(self, frame: Frame) -> Frame:
        """`select`, with aliases; or without, and `toDF`."""
        columns = self._picked(frame, 2, 5)
        names, values = self._named(columns)
        if self.rng.random() < 0.25:
            listed = ", ".join(each.code for each in columns)
            words = ", ".join(repr(name[1:-1]) for name in names)
            return self._then(f"{frame.name}.select({listed}).toDF({words})", values, frame.rows)
        return self._then(f"{frame.name}.select({self._list(columns, names)})", values, frame.rows)

    def _fresh(self, frame: Frame) -> str:
        return self.made._name({each.sql[1:-1].lower() for each in frame.columns})

    def with_column(self, frame: Frame) -> Frame:
        """`withColumn`, of a new name or of a known one."""
        new = self._columns(frame).of(self.rng.choice(SCALARS))
        if self.rng.random() < 0.4:
            name = self.rng.choice([each.sql for each in frame.columns])
            columns = [new.value.named(name) if each.sql == name else each for each in frame.columns]
        else:
            name = self._fresh(frame)
            columns = [*frame.columns, new.value.named(name)]
        return self._then(f"{frame.name}.withColumn({name[1:-1]!r}, {new.code})", columns, frame.rows)

    def rename(self, frame: Frame) -> Frame:
        """`withColumnRenamed`, and `drop`."""
        old, name = self.rng.choice(frame.columns), self._fresh(frame)
        columns = [each.named(name) if each.sql == old.sql else each for each in frame.columns]
        code = f"{frame.name}.withColumnRenamed({old.sql[1:-1]!r}, {name[1:-1]!r})"
        if len(columns) > 2 and self.rng.random() < 0.5:
            gone = columns.pop(self.rng.randrange(len(columns)))
            code += f".drop({gone.sql[1:-1]!r})"
        return self._then(code, columns, frame.rows)

    def where(self, frame: Frame) -> Frame:
        """`where`."""
        condition = self._columns(frame).of("bool")
        if not condition.value.direct:
            return frame
        rows = merged(frame.rows, FILTER=condition.value.everything)
        return self._then(f"{frame.name}.where({condition.code})", frame.columns, rows)

    def group(self, frame: Frame) -> Frame:
        """`groupBy`, `rollup` and `cube` with `agg`."""
        at = self._columns(frame)
        keys = [at.plain(self.rng.choice(SCALARS), self.rng.randint(0, 2)) for _ in range(self.rng.randint(0, 2))]
        keys = list({each.value.sql: each for each in keys if each.value.direct}.values())
        values = [self._aggregate(at) for _ in range(self.rng.randint(1, 4))]
        names, columns = self._named([*keys, *values])
        how = self.rng.choice(("groupBy", "groupBy", "groupBy", "rollup", "cube")) if keys else "groupBy"
        grouped = ", ".join(f"{each.code}.alias({name[1:-1]!r})" for each, name in zip(keys, names, strict=False))
        rows = merged(frame.rows, GROUP_BY=everything(each.value for each in keys))
        own = names[len(keys) :]
        if self.rng.random() < 0.3:
            listed = ", ".join(each.code for each in values)
            words = ", ".join(repr(name[1:-1]) for name in names)
            code = f"{frame.name}.{how}({grouped}).agg({listed}).toDF({words})"
        else:
            code = f"{frame.name}.{how}({grouped}).agg({self._list(values, own)})"
        return self._then(code, columns, rows)

    def _aggregate(self, at: Columns) -> Column:
        if self.rng.random() < 0.5:
            value = self.made._aggregate(at.at)
            return Column(f"F.expr({value.sql!r})", value)
        function = self.rng.choice(("sum", "max", "countDistinct", "count_distinct", "sum_distinct", "collect_set"))
        if function in ("countDistinct", "count_distinct"):
            inner = [at.of("string")]
            if not inner[0].value.nullable or "udf" in inner[0].code:
                counted = at.at.counted()
                if counted is None:
                    return Column(f"F.max({inner[0].code})", made("", "string", [inner[0].value]))
                inner = [Column(code_of(counted), counted)]
            if self.rng.random() < 0.3 and (other := at.at.counted()) is not None:
                inner.append(Column(code_of(other), other))
            code = f"F.countDistinct({', '.join(each.code for each in inner)})"
            return Column(code, made(code, "int", [each.value for each in inner], nullable=False))
        if function == "collect_set":
            one = at.of("string")
            return Column(f"F.collect_set({one.code})", made("", "strings", [one.value], nullable=False))
        one = at.of(self.rng.choice(("int", "double")))
        code = f"F.{function}({one.code}).cast('double')"
        return Column(code, made(code, "double", [one.value]))

    def join(self, frame: Frame) -> Frame:
        """`join` on a condition, with aliases; `select` renames the columns."""
        other = self._base()
        if self.rng.random() < 0.5:
            other = self.rng.choice((Frames.select, Frames.group, Frames.where))(self, other)
        alias = [f"l{len(self.lines)}", f"r{len(self.lines)}"]
        sides = [
            [each.named(f"{name}.{each.sql}") for each in of.columns]
            for name, of in zip(alias, (frame, other), strict=True)
        ]
        how = self.rng.choice(("inner", "inner", "left", "right", "full", "left_semi", "left_anti"))
        kind = self.rng.choice(("int", "string"))
        keys = [self.made._over(side).of(kind, self.rng.randint(0, 2)) for side in sides]
        on = f"F.expr({keys[0].sql!r}) == F.expr({keys[1].sql!r})"
        both = sides[0] if how in ("left_semi", "left_anti") else [*sides[0], *sides[1]]
        columns = [Column(f"F.expr({each.sql!r})", each) for each in self.made._picked(both, (2, 5), 1)]
        names, values = self._named(columns)
        code = f"{frame.name}.alias({alias[0]!r}).join({other.name}.alias({alias[1]!r}), {on}, {how!r})"
        rows = merged(frame.rows, other.rows, JOIN=everything(keys))
        return self._then(f"{code}.select({self._list(columns, names)})", values, rows)

    def join_using(self, frame: Frame) -> Frame:
        """`join` on a common name: inner and left joins have the left side's key."""
        key = self._columns(frame).plain("int", 0)
        if "`the key`" in [each.sql for each in frame.columns]:
            return frame
        own = self._then(f"{frame.name}.select({key.code}.alias('the key'), '*')", frame.columns, frame.rows)
        kept = [each for each in frame.columns if each.kind in SCALAR][:3]
        words = ", ".join(f"F.col({each.sql!r})" for each in kept)
        other = self._base()
        right = self._columns(other).plain("int", 0)
        value = self.made._over(other.columns).bare("string")
        listed = f"{right.code}.alias('the key'), {code_of(value)}.alias('the other')"
        two = self._then(f"{other.name}.select({listed})", (), {})
        how = self.rng.choice(("inner", "left", "left_semi"))
        found = [key.value.named("`the key`"), *kept]
        listed = f"'`the key`'{', ' if words else ''}{words}"
        if how != "left_semi":
            listed += ", '`the other`'"
            found.append(value.named("`the other`"))
        rows = merged(frame.rows, JOIN=key.value.everything | right.value.everything)
        return self._then(f"{own.name}.join({two.name}, 'the key', {how!r}).select({listed})", found, rows)

    def window(self, frame: Frame) -> Frame:
        """Functions over a window, of SQL and of Python."""
        at = self._columns(frame)
        if self.rng.random() < 0.5:
            value = self.made._windowed(at.at)
            new = Column(f"F.expr({value.sql!r})", value)
        else:
            keys, order = at.of("string"), at.of("int")
            if "udf" in keys.code + order.code or not (keys.value.direct and order.value.direct):
                return frame
            number = at.plain("double")
            ranks = self.rng.random() < 0.4
            function = self.rng.choice(("F.row_number()", "F.rank()")) if ranks else f"F.sum({number.code})"
            direction = self.rng.choice((".desc()", ".asc_nulls_last()", ""))
            spec = f"Window.partitionBy({keys.code}).orderBy({order.code}{direction})"
            found = made("", "int" if ranks else "double", [] if ranks else [number.value], nullable=not ranks)
            windowed = found.windowed | everything([keys.value, order.value])
            new = Column(f"{function}.over({spec})", replace(found, windowed=windowed))
        name = self._fresh(frame)
        code = f"{frame.name}.withColumn({name[1:-1]!r}, {new.code})"
        return self._then(code, [*frame.columns, new.value.named(name)], frame.rows)

    def pivot(self, frame: Frame) -> Frame:
        """`groupBy().pivot().agg()`."""
        at = self._columns(frame)
        key, by, value = at.plain("int", 0), at.plain("string", 1), at.plain("double", 1)
        if not (key.value.direct and by.value.direct) or "`the key`" in [each.sql for each in frame.columns]:
            return frame
        words = [at.literal()[6:-1] for _ in range(2)]
        words = list(dict.fromkeys(words)) if len({each.strip().lower() for each in words}) > 1 else [words[0]]
        function = self.rng.choice(("sum", "max", "min"))
        code = (
            f"{frame.name}.select({key.code}.alias('k'), {by.code}.alias('p'), {value.code}.alias('v'))"
            f".groupBy('k').pivot('p', [{', '.join(words)}]).agg(F.{function}('v'))"
        )
        names = ["`k`", *(f"`v{place}`" for place in range(len(words)))]
        listed = ", ".join(repr(each[1:-1]) for each in names)
        values = [made("", "double", [value.value], decided=[by.value]).named(each) for each in names[1:]]
        rows = merged(frame.rows, GROUP_BY=key.value.everything | by.value.everything)
        return self._then(f"{code}.toDF({listed})", [key.value.named("`k`"), *values], rows)

    def unpivot(self, frame: Frame) -> Frame:
        """`unpivot` of columns of one type."""
        kinds = [kind for kind in ("int", "string", "double") if sum(e.kind == kind for e in frame.columns) > 1]
        if not kinds:
            return frame
        own = [each for each in frame.columns if each.kind == kinds[0]]
        ids = [each for each in frame.columns if each.kind in SCALAR and each not in own][:2]
        quoted = [f"[{', '.join(repr(each.sql) for each in of)}]" for of in (ids, own)]
        columns = [each.named(f"`i{place}`") for place, each in enumerate(ids)]
        columns += [Value("`what`", "string", nullable=False), made("`val`", kinds[0], own)]
        words = ", ".join(repr(each.sql[1:-1]) for each in columns)
        code = f"{frame.name}.unpivot({quoted[0]}, {quoted[1]}, 'what', 'val').toDF({words})"
        return self._then(code, columns, frame.rows)

    def explode(self, frame: Frame) -> Frame:
        """`explode`, `explode_outer`, `posexplode` and `inline`."""
        at = self._columns(frame)
        kept = [each for each in frame.columns if each.kind in SCALAR][:3]
        words = [each.sql for each in kept]
        items = at.container("items")
        if items is not None and self.rng.random() < 0.5:
            columns = [replace(items.fields[name], sql="").named(f"`new {name}`") for name in ("sku", "qty")]
            inferred = items.everything
            code = f"F.inline(F.col({items.sql!r})).alias('new sku', 'new qty')"
        else:
            kind, element = self.rng.choice((("strings", "string"), ("ints", "int")))
            array = next(each for each in iter(lambda: at.of(kind), None) if "filter(" not in each.code)
            columns = [replace(made("`new one`", element, [array.value]), nullable=False)]
            inferred = array.value.everything
            code = f"F.{self.rng.choice(('explode', 'explode_outer'))}({array.code}).alias('new one')"
        if {each.sql for each in columns} & set(words):
            return frame
        listed = ", ".join([*(f"F.col({each!r})" for each in words), code])
        return self._then(f"{frame.name}.select({listed})", [*kept, *columns], merged(frame.rows, INFERRED=inferred))

    def duplicates(self, frame: Frame) -> Frame:
        """`dropDuplicates` by some columns, and `distinct`."""
        kept = [each for each in frame.columns if each.kind != "map"]
        listed = ", ".join(f"F.col({each.sql!r})" for each in kept)
        keys = self.rng.sample(kept, min(len(kept), 2))
        keys = [each for each in keys if each.everything]
        if not kept or not keys:
            return frame
        if self.rng.random() < 0.3:
            if not all(each.direct for each in kept):
                return frame
            rows = merged(frame.rows, GROUP_BY=everything(kept))
            return self._then(f"{frame.name}.select({listed}).distinct()", kept, rows)
        words = ", ".join(repr(each.sql[1:-1]) for each in keys)
        rows = merged(frame.rows, GROUP_BY=everything(keys))
        return self._then(f"{frame.name}.select({listed}).dropDuplicates([{words}])", kept, rows)

    def union(self, frame: Frame) -> Frame:
        """`union` and `unionByName`, with missing columns."""
        own = [each for each in frame.columns if each.kind in SCALAR][:4]
        other = self._base()
        at = self.made._over(other.columns)
        values = [at.of(each.kind, 1) for each in own]
        if not own:
            return frame
        words = ", ".join(f"F.col({each.sql!r})" for each in own)
        pairs = list(zip(values, own, strict=True))
        how = self.rng.choice(("union", "unionByName", "missing"))
        columns = [made(one.sql, one.kind, [one, two], nullable=one.nullable and two.nullable) for two, one in pairs]
        if how != "union":
            self.rng.shuffle(pairs)
        if how == "missing" and len(pairs) > 1:
            gone = pairs.pop()[1]
            columns = [gone if each.sql == gone.sql else each for each in columns]
        listed = ", ".join(f"{code_of(each)}.alias({of.sql[1:-1]!r})" for each, of in pairs)
        method = "union" if how == "union" else "unionByName"
        more = ", allowMissingColumns=True" if how == "missing" else ""
        code = f"{frame.name}.select({words}).{method}({other.name}.select({listed}){more})"
        code += ".limit(99)" if how == "missing" else ""  # else Spark folds what is made of the missing column
        return self._then(code, columns, merged(frame.rows, other.rows))

    def fill(self, frame: Frame) -> Frame:
        """`fillna`, `na.replace` and `na.drop` of a column of strings."""
        own = [each for each in frame.columns if each.kind == "string" and each.nullable and each.direct]
        if not own or any("." in each.sql for each in own):
            return frame
        one = self.rng.choice(own)
        how = self.rng.choice(("fill", "replace", "drop"))
        text = self._columns(frame).literal()[6:-1]
        if how == "drop":
            rows = merged(frame.rows, FILTER=one.everything)
            return self._then(f"{frame.name}.na.drop(subset=[{one.sql!r}])", frame.columns, rows)
        changed = made(one.sql, "string", [one], decided=[one], nullable=how == "replace")
        columns = [changed if each.sql == one.sql else each for each in frame.columns]
        if how == "fill":
            return self._then(f"{frame.name}.fillna({text}, subset=[{one.sql[1:-1]!r}])", columns, frame.rows)
        return self._then(f"{frame.name}.na.replace({{'a': {text}}}, subset=[{one.sql!r}])", columns, frame.rows)

    def top(self, frame: Frame) -> Frame:
        """`orderBy` with `limit`."""
        key = self._columns(frame).of(self.rng.choice(("int", "string")))
        if not key.value.direct or "udf" in key.code:
            return frame
        rows = merged(frame.rows, SORT=key.value.everything)
        return self._then(f"{frame.name}.orderBy({key.code}.desc()).limit(9)", frame.columns, rows)

    def passed(self, frame: Frame) -> Frame:
        """What changes no lineage."""
        how = self.rng.choice(("repartition(3)", "coalesce(1)", "sample(0.5, 1)", "limit(5)", "hint('broadcast')"))
        return self._then(f"{frame.name}.{how}", frame.columns, frame.rows)


_F = Frames
STEPS: tuple[Callable[[Frames, Frame], Frame], ...] = (
    _F.select, _F.select, _F.select, _F.with_column, _F.with_column, _F.rename, _F.where, _F.group, _F.group, _F.group,
    _F.join, _F.join, _F.join_using, _F.window, _F.window, _F.pivot, _F.unpivot, _F.explode, _F.duplicates, _F.union,
    _F.fill, _F.top, _F.passed,
)  # fmt: skip
