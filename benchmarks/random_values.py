"""Random expressions whose sources are known, for `random_statements.py`.

Every value has its SQL text, its type and its true sources by docs/semantics.md. Constructs that Spark's optimizer
replaces by something with fewer sources (`count` of a value that is never null, constant conditions) are not made.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

Names = frozenset[str]
NOTHING: Names = frozenset()

LITERALS = (
    "[", "]", "(", ")", ":(", ":)", "range [0, ", "a, b", "(7) Project", "+- Filter (3)", "... 3 more fields", "x)",
    "(y", " AS z", "Input [2]: [a#1, b#2]", "CASE WHEN ", " THEN ", " END", "if (", " else ", "=", " = ", "#",
    "#12", "{", "}", "^", "$", "\\", "\\(", "\\[0-9]+\\)", ".", "null", "", " ", ", ", "AND", " NULLS FIRST",
    "lambda x", "it''s", "%", "Keys [1]: [k#3]", "f(a, b)", "((", "))", "])", "([", "):", '"q"', "`b`", "->", "* ",
    ":- ", "plain", "paid", "open",
)  # fmt: skip
"""Texts that look like parts of plans, and plain ones."""

PATTERNS = (r"\\(", r"[,(]", r"^\\[x\\]$", r"(a|b)+", r"\\d{2}\\)", ",", r"\\\\", r"a\\|b", "[)]", "x#1, ")
FORMATS = ("%s", "[%s", "%s)", "... 3 more fields %s", "(1) Project %s", "%s, x#1", "/%(%s")


@dataclass(frozen=True)
class Value:
    """A typed expression with its true sources.

    Attributes:
        sql: The expression.
        kind: Its type: int, double, string, date, bool, strings, ints, place, items, map.
        direct: Source columns that make it.
        chosen: Source columns in conditions that made it (CONDITIONAL).
        windowed: Source columns of its windows (WINDOW).
        ordered: Source columns that order what it lists (SORT).
        fields: The fields of a struct, or of an array's structs.
        nullable: Whether Spark takes it for nullable.
    """

    sql: str
    kind: str
    direct: Names = NOTHING
    chosen: Names = NOTHING
    windowed: Names = NOTHING
    ordered: Names = NOTHING
    fields: Mapping[str, Value] = field(default_factory=dict)
    nullable: bool = True

    @property
    def everything(self) -> Names:
        """All its sources, whatever their kind."""
        return self.direct | self.chosen | self.windowed | self.ordered

    def named(self, sql: str) -> Value:
        """The same value under a column's name."""
        fields = {name: replace(each, sql=f"{sql}.{name}") for name, each in self.fields.items()}
        return replace(self, sql=sql, fields=fields)


def made(sql: str, kind: str, parts: Iterable[Value], *, decided: Iterable[Value] = (), nullable: bool = True) -> Value:
    """A value made of others, and decided by more."""
    parts, decided = list(parts), list(decided)
    return Value(
        sql,
        kind,
        direct=frozenset().union(*(each.direct for each in parts)),
        chosen=frozenset().union(*(each.chosen for each in parts), *(each.everything for each in decided)),
        windowed=frozenset().union(*(each.windowed for each in parts)),
        ordered=frozenset().union(*(each.ordered for each in parts)),
        nullable=nullable,
    )


def quoted(text: str) -> str:
    """A string literal of SQL."""
    escaped = text.replace("''", "'").replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


Maker = Callable[["Expressions", int], Value]


class Expressions:
    """Makes expressions over some columns."""

    def __init__(self, rng: random.Random, columns: Iterable[Value], version: str, odd: float) -> None:
        """Takes the columns.

        Args:
            rng: Where the choices come from.
            columns: What expressions can refer to.
            version: Spark's.
            odd: How often literals look like plans.
        """
        self.rng = rng
        self.columns = list(columns)
        self.version = version
        self._odd = odd

    def literal(self) -> str:
        """A string literal."""
        return quoted(self.rng.choice(LITERALS) if self.rng.random() < self._odd else self.rng.choice(("paid", "x")))

    def filled(self, form: str, *values: Value) -> str:
        """A form with values and literals in its places."""
        for place, value in enumerate(values):
            form = form.replace(f"{{{place}}}", value.sql)
        while "{lit}" in form:
            form = form.replace("{lit}", self.literal(), 1)
        return form.replace("{pattern}", quoted(self.rng.choice(PATTERNS))).replace(
            "{lit2}", quoted(self.rng.choice(FORMATS))
        )

    def of(self, kind: str, depth: int) -> Value:
        """A value of a type."""
        own = [each for each in self.columns if each.kind == kind]
        own += [
            part for each in self.columns if each.kind == "place" for part in each.fields.values() if part.kind == kind
        ]
        if own and (depth <= 0 or self.rng.random() < 0.25):
            return self.rng.choice(own)
        makers = MAKERS.get(kind)
        if depth <= -3 or not makers:
            return self.rng.choice(own) if own else self.bare(kind)
        return self.rng.choice(makers)(self, depth - 1)

    def any(self, depth: int, kinds: Iterable[str] = ("int", "double", "string", "date", "bool")) -> Value:
        """A value of any of some types."""
        return self.of(self.rng.choice(list(kinds)), depth)

    def condition(self, depth: int) -> Value:
        """A condition that refers to a column."""
        for _ in range(20):
            value = self.of("bool", depth)
            if value.direct:
                return value
        return self.bare("bool")

    def bare(self, kind: str) -> Value:
        """A value of a column of any type, cast as needed."""
        column = self.rng.choice([each for each in self.columns if each.kind in SCALAR] or self.columns)
        text = column.sql if column.kind in SCALAR else f"to_json(struct({column.sql}))"
        forms = {
            "int": f"length(concat({text}, ''))",
            "double": f"double(length(concat({text}, '')))",
            "string": f"concat({text}, '-')",
            "date": f"date_add(DATE'2026-01-01', length(concat({text}, '')))",
            "bool": f"(length(concat({text}, '')) > 3)",
            "strings": f"split({text}, ',')",
            "ints": f"array(length(concat({text}, '')))",
        }
        return made(forms[kind], kind, [column], nullable=column.nullable)

    def counted(self) -> Value | None:
        """A value that can be null, whose count is no count of rows."""
        columns = [each for each in self.columns if each.kind in SCALAR and each.nullable and each.direct]
        if not columns:
            return None
        column = self.rng.choice(columns)
        return made(f"concat({column.sql}, '-')", "string", [column])


SCALAR = frozenset(("int", "double", "string", "date", "bool"))


_NEVER_NULL = ("<=>", "concat_ws", "format_string")


def _unary(kind: str, argument: str, *forms: str) -> list[Maker]:
    def maker(form: str) -> Maker:
        def make(at: Expressions, depth: int) -> Value:
            inner = at.of(argument, depth)
            nullable = inner.nullable and kind in SCALAR and argument in SCALAR
            nullable = nullable and not any(word in form for word in _NEVER_NULL)
            return made(at.filled(form, inner), kind, [inner], nullable=nullable)

        return make

    return [maker(form) for form in forms]


def _binary(kind: str, left: str, right: str, *forms: str) -> list[Maker]:
    def maker(form: str) -> Maker:
        def make(at: Expressions, depth: int) -> Value:
            one, two = at.of(left, depth), at.of(right, depth - 1)
            if one.sql == two.sql:  # Spark knows what `a > a` is
                two = at.bare(right)
            nullable = (
                one.nullable and two.nullable and not any(word in form for word in _NEVER_NULL) and left in SCALAR
            )
            return made(at.filled(form, one, two), kind, [one, two], nullable=nullable)

        return make

    return [maker(form) for form in forms]


def _nullable(*values: Value) -> bool:
    return all(each.nullable for each in values)


def _case(kind: str) -> Maker:
    def make(at: Expressions, depth: int) -> Value:
        conditions = [at.condition(depth - 1) for _ in range(at.rng.randint(1, 2))]
        values = [at.of(kind, depth - 1) for _ in conditions]
        branches = " ".join(f"WHEN {c.sql} THEN {v.sql}" for c, v in zip(conditions, values, strict=True))
        otherwise = at.of(kind, depth - 1)
        if len({each.sql for each in (*values, otherwise)}) <= len(values):
            return otherwise
        return made(
            f"CASE {branches} ELSE {otherwise.sql} END",
            kind,
            [*values, otherwise],
            decided=conditions,
            nullable=_nullable(*values, otherwise),
        )

    return make


def _if(kind: str) -> Maker:
    def make(at: Expressions, depth: int) -> Value:
        condition, one, two = at.condition(depth - 1), at.of(kind, depth - 1), at.of(kind, depth - 1)
        if one.sql == two.sql:
            return one
        return made(
            f"if({condition.sql}, {one.sql}, {two.sql})",
            kind,
            [one, two],
            decided=[condition],
            nullable=_nullable(one, two),
        )

    return make


def _coalesce(kind: str) -> Maker:
    def make(at: Expressions, depth: int) -> Value:
        values = [at.of(kind, depth - 1) for _ in range(2)]
        if not all(each.nullable for each in values) or values[0].sql == values[1].sql:
            return values[0]
        function = at.rng.choice(("coalesce", "nvl", "ifnull"))
        return made(f"{function}({values[0].sql}, {values[1].sql})", kind, values, decided=values)

    return make


def _choices(kind: str) -> list[Maker]:
    return [_case(kind), _if(kind), _coalesce(kind)]


def _string_case(at: Expressions, depth: int) -> Value:
    """`CASE status WHEN '(' THEN …`."""
    subject, value, otherwise = at.of("string", depth), at.of("string", depth - 1), at.of("string", depth - 1)
    if value.sql == otherwise.sql:
        return value
    text = (
        f"CASE {subject.sql} WHEN {at.literal()} THEN {value.sql} WHEN 'b' THEN {at.literal()} ELSE {otherwise.sql} END"
    )
    return made(text, "string", [value, otherwise], decided=[subject])


def _concat(at: Expressions, depth: int) -> Value:
    parts = [at.any(depth - 1, ("string", "string", "int")) for _ in range(at.rng.randint(1, 3))]
    texts = [each.sql for each in parts] + [at.literal() for _ in range(at.rng.randint(1, 2))]
    at.rng.shuffle(texts)
    return made(f"concat({', '.join(texts)})", "string", parts, nullable=_nullable(*parts))


def _array(kind: str, element: str) -> Maker:
    def make(at: Expressions, depth: int) -> Value:
        parts = [at.of(element, depth - 1) for _ in range(at.rng.randint(1, 3))]
        return made(f"array({', '.join(each.sql for each in parts)})", kind, parts, nullable=False)

    return make


def _struct_field(at: Expressions, depth: int) -> Value:
    one, two = at.of("string", depth - 1), at.of("int", depth - 1)
    return replace(one, sql=f"named_struct('p', {one.sql}, 'q', {two.sql}).p")


def _map_value(at: Expressions, depth: int) -> Value:
    maps = [each for each in at.columns if each.kind == "map"]
    if not maps:
        return at.of("string", depth - 1)
    own = at.rng.choice(maps)
    return made(f"{own.sql}[{at.literal()}]", "string", [own])


def _size(at: Expressions, depth: int) -> Value:
    """The size of an array is never null."""
    array = at.of(at.rng.choice(("strings", "ints")), depth - 1)
    if array.sql.startswith("array(") or not array.nullable:  # Spark may know its size
        return at.of("int", depth - 1)
    return made(f"cardinality({array.sql})", "int", [array], nullable=False)


def _item_field(kind: str, name: str, form: str) -> Maker:
    """A field of an array's structs: only that field is read."""

    def make(at: Expressions, depth: int) -> Value:
        own = [each for each in at.columns if each.kind == "items"]
        if not own:
            return at.of(kind, depth - 1)
        container = at.rng.choice(own)
        text = form.replace("{0}", container.sql)
        return made(text, kind, [container.fields[name]], nullable=False)

    return make


MAKERS: Mapping[str, list[Maker]] = {
    "int": [
        *_unary("int", "string", "length({0})", "ascii({0})", "instr({0}, {lit})", "levenshtein({0}, {lit})"),
        *_unary("int", "date", "year({0})", "month({0})", "dayofweek({0})", "datediff({0}, DATE'2020-01-01')"),
        *_unary("int", "strings", "int(array_position({0}, {lit}))"),
        *_unary("int", "ints", "slice({0}, 1, 2)[0]", "element_at({0}, 1)", "array_max({0})", "try_element_at({0}, 2)"),
        *_unary("int", "int", "abs({0})", "(-{0})", "int(bigint({0}))", "({0} % 7)", "bit_count({0})"),
        *_binary("int", "int", "int", "({0} + {1})", "({0} - {1} * 2)", "greatest({0}, {1})", "pmod({0}, {1} + 1)"),
        *_binary("int", "ints", "int", "aggregate({0}, {1}, (a, e) -> a + e)"),
        *_choices("int"),
        _size,
        _item_field("int", "qty", "{0}[0].qty"),
        _item_field("int", "qty", "aggregate({0}, 0, (a, e) -> a + e.qty)"),
    ],
    "double": [
        *_unary("double", "int", "double({0})", "sqrt({0})", "({0} / 3)"),
        *_unary("double", "double", "round({0}, 2)", "abs({0})", "(-{0})", "floor({0}) * 1.5D", "log10({0})"),
        *_unary("double", "string", "try_to_number({0}, '999.99') * 1D", "double({0})"),
        *_binary("double", "double", "double", "({0} + {1})", "({0} * {1})", "({0} - {1})", "least({0}, {1})"),
        *_binary("double", "double", "int", "({0} * (1 - {1}))", "pow({0}, {1})"),
        *_choices("double"),
    ],
    "string": [
        *_unary("string", "string", "upper({0})", "trim({0})", "substring({0}, 2, 3)", "reverse({0})", "initcap({0})"),
        *_unary("string", "string", "md5({0})", "sha2({0}, 256)", "replace({0}, {lit}, {lit})", "{0} || {lit}"),
        *_unary("string", "string", "regexp_replace({0}, {pattern}, '-')", "regexp_extract({0}, '([a-z]+)\\\\(', 1)"),
        *_unary("string", "string", "split({0}, {pattern})[0]", "lpad({0}, 5, {lit})", "translate({0}, '()', '[]')"),
        *_unary(
            "string", "string", "split_part({0}, ',', 1)", "concat_ws({lit}, {0}, {lit})", "format_string({lit2}, {0})"
        ),
        *_unary("string", "date", "date_format({0}, 'yyyy-MM')", "string({0})", "date_format({0}, '[yyyy] (EEE)')"),
        *_unary("string", "int", "string({0})", "concat('range [0, ', {0})", "format_number({0}, 2)"),
        *_unary(
            "string",
            "strings",
            "concat_ws(',', {0})",
            "array_join({0}, {lit})",
            "element_at({0}, 1)",
            "slice({0}, 1, 3)[1]",
        ),
        *_binary("string", "string", "string", "concat({0}, {1})", "concat_ws('(', {0}, {1})", "({0} || {lit} || {1})"),
        *_binary(
            "string",
            "string",
            "int",
            "substr({0}, int({1}))",
            "repeat({0}, int({1}))",
            "format_string('%s [%d', {0}, {1})",
        ),
        *_choices("string"),
        _string_case,
        _concat,
        _concat,
        _struct_field,
        _map_value,
        _item_field("string", "sku", "{0}[0].sku"),
        _item_field("string", "sku", "element_at({0}, -1).sku"),
        _item_field("string", "sku", "array_join(transform({0}, e -> e.sku), ')')"),
    ],
    "date": [
        *_unary("date", "date", "date_add({0}, 3)", "last_day({0})", "trunc({0}, 'MM')", "next_day({0}, 'Mon')"),
        *_unary("date", "date", "{0} + INTERVAL '1' MONTH"),
        *_unary("date", "string", "to_date({0}, 'yyyy(MM)dd')", "to_date({0})"),
        *_binary("date", "date", "int", "date_add({0}, int({1}))", "add_months({0}, int({1}))"),
        *_choices("date"),
    ],
    "bool": [
        *_unary("bool", "string", "({0} = {lit})", "({0} LIKE '%(%')", "{0} RLIKE {pattern}", "startswith({0}, {lit})"),
        *_unary("bool", "string", "{0} IN ({lit}, 'b', {lit})", "contains({0}, {lit})", "({0} <=> {lit})"),
        *_unary("bool", "string", "{0} IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', {lit}, 'k')"),
        *_unary("bool", "string", "({0} LIKE {lit2} ESCAPE '/')", "NOT ({0} = {lit})"),
        *_unary("bool", "int", "({0} > 3)", "({0} BETWEEN 2 AND 9)", "{0} IN (1, 2, 3)", "({0} % 2 = 0)"),
        *_unary("bool", "double", "({0} > 3.5)", "NOT ({0} < 1)"),
        *_unary("bool", "date", "({0} > DATE'2026-01-01')"),
        *_unary("bool", "strings", "array_contains({0}, {lit})", "exists({0}, e -> e = {lit})"),
        *_binary("bool", "int", "int", "({0} > {1} + 100)", "({0} <> {1} * 2)"),
        *_binary("bool", "string", "string", "({0} > {1})", "({0} = concat({1}, {lit}))"),
        *_binary("bool", "bool", "bool", "({0} AND {1})", "({0} OR {1})"),
    ],
    "strings": [
        *_unary("strings", "string", "split({0}, {pattern})", "split({0}, ',')", "array({0}, {lit})"),
        *_unary(
            "strings", "strings", "transform({0}, e -> concat(e, {lit}))", "array_distinct({0})", "sort_array({0})"
        ),
        *_unary("strings", "strings", "filter({0}, e -> e <> {lit})", "slice({0}, 1, 2)", "array_append({0}, {lit})"),
        *_binary(
            "strings", "strings", "string", "array_remove({0}, {1})", "transform({0}, (e, i) -> concat(e, i, {1}))"
        ),
        *_binary(
            "strings", "strings", "strings", "array_union({0}, {1})", "zip_with({0}, {1}, (a, b) -> concat(a, b))"
        ),
        _array("strings", "string"),
    ],
    "ints": [
        *_unary("ints", "ints", "transform({0}, e -> e + 1)", "array_sort({0})", "filter({0}, e -> e > 2)"),
        *_unary("ints", "int", "sequence({0}, {0} + 3)", "array({0}, 7)"),
        *_binary("ints", "ints", "int", "transform({0}, e -> e * {1})", "filter({0}, e -> e > {1})"),
        _array("ints", "int"),
    ],
}
