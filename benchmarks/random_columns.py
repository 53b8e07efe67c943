"""Random columns in Python, `F.transform(…)` and the like, whose sources are known, for `random_frames.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from random_values import Expressions, Value, made


@dataclass(frozen=True)
class Column:
    """A column in Python with its true sources, whose `sql` is not used."""

    code: str
    value: Value


def code_of(value: Value) -> str:
    """An SQL expression in Python; `F.col` for a column's name."""
    is_name = value.sql.startswith("`") and value.sql.endswith("`") and value.sql.count("`") == 2
    return f"F.col({value.sql!r})" if is_name else f"F.expr({value.sql!r})"


class Columns:
    """Makes columns in Python over some columns of a frame."""

    def __init__(self, at: Expressions) -> None:
        """Takes what makes the SQL expressions in them."""
        self.at = at
        self.rng = at.rng

    def of(self, kind: str) -> Column:
        """A column of a type: a function of Python, or an SQL expression."""
        makers = MAKERS.get(kind)
        if makers and self.rng.random() < 0.6:
            return self.rng.choice(makers)(self)
        return self.plain(kind, 2)

    def plain(self, kind: str, depth: int = 1) -> Column:
        """An SQL expression, or a column."""
        value = self.at.of(kind, depth)
        return Column(code_of(value), value)

    def literal(self) -> str:
        """A string in Python."""
        text = self.at.literal()[1:-1].replace("\\'", "'").replace("\\\\", "\\")
        return f"F.lit({text!r})"

    def container(self, kind: str) -> Value | None:
        """A column that is a struct, an array of structs or a map."""
        own = [each for each in self.at.columns if each.kind == kind and each.sql.count("`") == 2]
        return self.rng.choice(own) if own else None


Maker = Callable[[Columns], Column]


def _form(kind: str, arguments: Sequence[str], *forms: str, nullable: bool = True) -> list[Maker]:
    """Makers that fill `{0}`, `{1}` with columns, and `{lit}` with strings."""

    def maker(form: str) -> Maker:
        def make(at: Columns) -> Column:
            parts = [at.plain(argument) for argument in arguments]
            if len(parts) > 1 and parts[0].value.sql == parts[1].value.sql:
                bare = at.at.bare(arguments[1])
                parts[1] = Column(code_of(bare), bare)
            code = form
            for place, part in enumerate(parts):
                code = code.replace(f"{{{place}}}", part.code)
            while "{lit}" in code:
                code = code.replace("{lit}", at.literal(), 1)
            values = [part.value for part in parts]
            if form.startswith("F.size(") and not values[0].nullable:  # Spark may know its size
                return at.plain("int")
            known = nullable and not form.startswith(("F.concat_ws", "F.format_string"))
            return Column(code, made(code, kind, values, nullable=known and all(each.nullable for each in values)))

        return make

    return [maker(form) for form in forms]


def _when(kind: str) -> Maker:
    def make(at: Columns) -> Column:
        condition = at.at.condition(1)
        one, two = at.plain(kind), at.plain(kind)
        if one.value.sql == two.value.sql:
            return one
        code = f"F.when({code_of(condition)}, {one.code}).otherwise({two.code})"
        nullable = one.value.nullable and two.value.nullable
        return Column(code, made(code, kind, [one.value, two.value], decided=[condition], nullable=nullable))

    return make


def _coalesce(kind: str) -> Maker:
    def make(at: Columns) -> Column:
        one, two = at.plain(kind), at.plain(kind)
        if one.value.sql == two.value.sql or not (one.value.nullable and two.value.nullable):
            return one
        code = f"F.coalesce({one.code}, {two.code})"
        return Column(code, made(code, kind, [one.value, two.value], decided=[one.value, two.value]))

    return make


def _of_struct(at: Columns) -> Column:
    """A field of a struct that a step before changed: `withField`, `dropFields`."""
    place = at.container("place")
    if place is None:
        return at.plain("string")
    names = [name for name, each in place.fields.items() if each.kind == "string"]
    name = at.rng.choice(names)
    bare = name.strip("`")
    new = at.plain("string")
    changed = f"F.col({place.sql!r}).withField({name!r}, {new.code})"
    if at.rng.random() < 0.5:
        return Column(f"{changed}[{bare!r}]", replace(new.value, sql=""))
    others = [each for each in place.fields if each != name]
    other = at.rng.choice(others)
    if at.rng.random() < 0.4:
        changed = f"F.col({place.sql!r}).dropFields({name!r})"
    value = place.fields[other]
    code = f"{changed}[{other.strip('`')!r}]"
    return Column(code if value.kind == "string" else f"{code}.cast('string')", made(code, "string", [value]))


def _built(at: Columns) -> Column:
    """A field of a struct that the column builds."""
    one, two = at.plain("string"), at.plain("int")
    return Column(f"F.struct({one.code}.alias('p'), {two.code}.alias('q'))['p']", replace(one.value, sql=""))


def _of_items(name: str, kind: str, form: str) -> Maker:
    def make(at: Columns) -> Column:
        items = at.container("items")
        if items is None:
            return at.plain(kind)
        code = form.replace("{0}", f"F.col({items.sql!r})")
        return Column(code, made(code, kind, [items.fields[name]], nullable=False))

    return make


def _of_map(kind: str, form: str) -> Maker:
    def make(at: Columns) -> Column:
        own = at.container("map")
        if own is None:
            return at.plain(kind)
        code = form.replace("{0}", f"F.col({own.sql!r})")
        while "{lit}" in code:
            code = code.replace("{lit}", at.literal(), 1)
        return Column(code, made(code, kind, [own], nullable=False))

    return make


MAKERS: Mapping[str, list[Maker]] = {
    "string": [
        *_form("string", ["string"], "F.upper({0})", "F.regexp_replace({0}, r'[(]', '-')", "{0}.substr(1, 2)"),
        *_form("string", ["string"], "F.concat({0}, {lit})", "F.concat_ws(',', {0}, {lit})", "F.sha2({0}, 256)"),
        *_form("string", ["string"], "F.udf(lambda a: a, 'string')({0})"),
        *_form("string", ["string", "int"], "F.concat({0}, {lit}, {1})", "F.format_string('%s [%d', {0}, {1})"),
        *_form("string", ["string", "string"], "F.udf(lambda a, b: a, 'string')({0}, {1})"),
        *_form("string", ["strings"], "F.array_join(F.transform({0}, lambda e: F.concat(e, {lit})), ',')"),
        *_form("string", ["strings"], "F.element_at(F.filter({0}, lambda e: e != {lit}), 1)"),
        *_form("string", ["strings", "string"], "F.array_join(F.transform({0}, lambda e, i: F.concat(e, {1})), '(')"),
        _when("string"),
        _coalesce("string"),
        _of_struct,
        _of_struct,
        _built,
        _of_items("sku", "string", "F.col('x')[0]['sku']".replace("F.col('x')", "{0}")),
        _of_items("sku", "string", "F.array_join(F.transform({0}, lambda e: e['sku']), ')')"),
        _of_map("string", "F.array_join(F.map_values(F.transform_values({0}, lambda k, v: F.concat(k, v))), ',')"),
        _of_map("string", "F.array_join(F.map_keys(F.map_filter({0}, lambda k, v: v != {lit})), ',')"),
        _of_map("string", "{0}[{lit}]"),
    ],
    "int": [
        *_form("int", ["string"], "F.length({0})", "F.instr({0}, '(')"),
        *_form("int", ["ints"], "F.aggregate({0}, F.lit(0), lambda a, e: a + e)", "F.size({0})", nullable=False),
        *_form("int", ["ints", "int"], "F.size(F.filter({0}, lambda e: e > {1}))", nullable=False),
        *_form("int", ["ints", "ints"], "F.size(F.zip_with({0}, {1}, lambda a, b: a + b))", nullable=False),
        *_form("int", ["int"], "({0} + 1)", "F.abs({0})", "(-{0})"),
        *_form("int", ["int", "int"], "({0} + {1})", "F.greatest({0}, {1})"),
        _when("int"),
        _coalesce("int"),
        _of_items("qty", "int", "F.aggregate({0}, F.lit(0), lambda a, e: a + e['qty'])"),
        _of_items("qty", "int", "{0}[0]['qty']"),
    ],
    "double": [
        *_form("double", ["double"], "F.round({0}, 2)", "({0} * 2)"),
        *_form("double", ["double", "int"], "({0} * {1})"),
        _when("double"),
    ],
    "bool": [
        *_form("bool", ["string"], "{0}.like('%(%')", "{0}.isin('(', 'b', ', ')", "{0}.eqNullSafe({lit})"),
        *_form("bool", ["string"], "({0} == {lit})", "{0}.startswith({lit})", "{0}.contains({lit})"),
        *_form("bool", ["strings"], "F.exists({0}, lambda e: e == {lit})", "F.forall({0}, lambda e: e != {lit})"),
        *_form("bool", ["int"], "{0}.between(2, 9)", "(~({0} > 3))"),
        *_form("bool", ["int", "int"], "({0} > {1} + 100)"),
    ],
    "strings": [
        *_form("strings", ["string"], "F.split({0}, '[(]')", "F.array({0}, {lit})"),
        *_form("strings", ["strings"], "F.transform({0}, lambda e: F.upper(e))", "F.array_distinct({0})"),
        *_form("strings", ["strings"], "F.filter({0}, lambda e: e != {lit})"),
    ],
    "ints": [*_form("ints", ["ints", "int"], "F.transform({0}, lambda e: e * {1})")],
}
