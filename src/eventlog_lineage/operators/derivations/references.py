"""Simple expressions, references, elements, structs, casts and wrappers, and the result of analyzing any expression."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.grammar.expression import (
    Alias,
    AttributeReference,
    Call,
    CaseWhen,
    Expression,
    GetField,
    GetItem,
    LambdaFunction,
    LambdaVariable,
    Literal,
    Phrase,
    SubqueryExpression,
    all_parts,
    field_path,
    parts_of,
    plain_text,
)
from eventlog_lineage.plan.grammar.types import element_type, struct_fields

from . import functions

T = Transformation
MAP_KEY, MAP_VALUE = "\0key", "\0value"
"""The names of the keys and of the values of a map that the statement builds; no field of a struct has them."""
_DEEPEST = 50
"""The most structs within each other that are followed."""


class FieldReference(NamedTuple):
    """A reference in an expression.

    Attributes:
        expr_id: The attribute's id, or the subquery's.
        path: The nested field that is read, outermost first.
        kind: The kind of its influence on the value.
        masking: Whether masking is applied between it and the value.
        subquery: Whether `expr_id` is a subquery's.
    """

    expr_id: int
    path: tuple[str, ...]
    kind: Transformation
    masking: bool
    subquery: bool = False


def unwrapped(expression: Expression, depth: int = 0) -> Expression:
    """Return an expression without aliases and wrappers that do not change a value."""
    while True:
        if isinstance(expression, Alias):
            expression = expression.child
        elif isinstance(expression, CaseWhen) and (struct := _rebuilt(expression, depth)) is not None:
            expression = struct
        elif isinstance(expression, Call) and expression.arguments and is_transparent(expression):
            expression = wrapped(expression)
        else:
            return expression


def _rebuilt(case_when: CaseWhen, depth: int) -> Expression | None:
    """Return the struct that a choice builds again from all of its own fields; None for other choices.

    A V2 write adapts the nullability of a struct's fields (`TableOutputResolver.resolveStructType`, 3.4 to 4.3):
    `if (isnull(addr#1)) null else named_struct(city, addr#1.city, zip, addr#1.zip)`.
    """
    built, tested = case_when.otherwise, _tested_for_null(case_when)
    if tested is None or depth > _DEEPEST or not isinstance(built, Call) or built.function != "named_struct":
        return None
    names, fields = built.arguments[0::2], built.arguments[1::2]
    if not names or len(names) != len(fields):
        return None
    struct = unwrapped(tested, depth + 1)
    pairs = zip(names, fields, strict=True)
    same = all(unwrapped(field, depth + 1) == GetField(struct, plain_text(name) or "") for name, field in pairs)
    return struct if same else None


def _tested_for_null(case_when: CaseWhen) -> Expression | None:
    """Return the value that a choice is null for where it is null: `if (isnull(addr#1)) null else …`."""
    if len(case_when.branches) != 1 or plain_text(case_when.branches[0][1]) != "null":
        return None
    test = case_when.branches[0][0]
    if isinstance(test, Phrase) and len(inner := [part for part in test.parts if not isinstance(part, Literal)]) == 1:
        test = inner[0]
    if not isinstance(test, Call) or test.function != "isnull" or len(test.arguments) != 1:
        return None
    return test.arguments[0]


def guarded_call(case_when: CaseWhen) -> Call | None:
    """Return the call of a Scala function that a choice guards against nulls; None for other choices.

    The analyzer adds the tests for arguments of primitive types (`HandleNullInputsForUDF`, 2.4 to 4.3):
    `if ((isnull(a#1) OR isnull(b#2))) null else f(knownnotnull(a#1), knownnotnull(b#2), c#3)`, in 2.4
    `if ((isnull(a#1) || isnull(b#2))) null else UDF:f(a#1, b#2, c#3)`.
    """
    call = case_when.otherwise
    if len(case_when.branches) != 1 or plain_text(case_when.branches[0][1]) != "null" or not isinstance(call, Call):
        return None
    known = _known_not_null(call)
    tested = _tested_values(case_when.branches[0][0])
    return call if tested and all(each in known for each in tested) else None


def _known_not_null(call: Call) -> list[Expression]:
    """Return the arguments that a call is not made with if they are null; in 2.4 any argument can be one."""
    guarded = (part for part in call.arguments if isinstance(part, Call) and part.function == "knownnotnull")
    own = call.arguments if call.function.partition(":")[0] == "UDF" else ()
    return [*own, *(part.arguments[0] for part in guarded)]


def _tested_values(condition: Expression) -> list[Expression]:
    """Return the values of `isnull(a) OR isnull(b)`; none if it has another test."""
    tested: list[Expression] = []
    pending = [condition]
    while pending:
        test = pending.pop()
        if isinstance(test, Phrase):
            pending += [part for part in test.parts if plain_text(part) not in {"(", " OR ", " || ", ")"}]
        elif isinstance(test, Call) and test.function == "isnull":
            tested += test.arguments
        else:
            return []
    return tested


def rebuilt_struct(expression: Expression) -> Call | None:
    """Return the struct of its own fields that a choice builds, which may lack some; None for other expressions.

    `Column.dropFields` prints what a write prints (`UpdateFields`, 3.1 to 4.3): the struct's type distinguishes them.
    """
    while isinstance(expression, Alias):
        expression = expression.child
    if not isinstance(expression, CaseWhen) or _rebuilt(expression, 0) is None:
        return None
    return expression.otherwise if isinstance(expression.otherwise, Call) else None


def rebuilt_array(expression: Expression) -> tuple[FieldReference, frozenset[str]] | None:
    """Return the array whose structs a call builds again, and the names of the fields that they get; None for others.

    A V2 write adapts the structs of an array (`TableOutputResolver.resolveArrayType`, 3.4 to 4.3), and so does Hudi:
    `transform(lines#1, lambdafunction(if (isnull(lambda e#2)) null else named_struct(a, lambda e#2.a), …))`.
    """
    function = _transformation(expression)
    if function is None or not isinstance(function.body, CaseWhen):
        return None
    element, built = unwrapped(function.body), rebuilt_struct(function.body)
    if not isinstance(element, LambdaVariable) or function.variables != (element.expr_id,) or built is None:
        return None
    reference = as_reference(unwrapped(parts_of(expression)[0]))
    return (reference, frozenset(plain_text(each) or "" for each in built.arguments[0::2])) if reference else None


def _transformation(expression: Expression) -> LambdaFunction | None:
    """Return the function of `transform(array, function)`; None for other expressions."""
    if not isinstance(expression, Call) or expression.function != "transform" or len(expression.arguments) != 2:
        return None
    function = expression.arguments[1]
    return function if isinstance(function, LambdaFunction) else None


def is_transparent(call: Call) -> bool:
    """Return whether a call is a wrapper that does not change its argument's value."""
    name = call.function.lower()
    if name in functions.TRANSPARENT:
        return True
    if name in {"staticinvoke", "static_invoke"}:
        return any(isinstance(part, Literal) and part.text.strip() in functions.CHECKS for part in call.arguments)
    return False


def wrapped(call: Call) -> Expression:
    """Return the argument of such a wrapper."""
    if call.function.lower() in functions.TRANSPARENT:
        return call.arguments[0]
    for part in call.arguments:
        if not isinstance(part, Literal) and not (isinstance(part, Call) and part.function == "ObjectType"):
            return part
    return call.arguments[0]


def as_reference(expression: Expression) -> FieldReference | None:
    """Return a reference, or a nested field of one."""
    value, path = field_path(expression)
    if isinstance(value, AttributeReference):
        return FieldReference(value.expr_id, path, T.IDENTITY, masking=False)
    if isinstance(value, SubqueryExpression):
        return FieldReference(value.expr_id, path, T.IDENTITY, masking=False, subquery=True)
    return None


def alternatives(expression: Expression) -> tuple[FieldReference, ...]:
    """Return the references of which a value is one: of `coalesce`, of CASE and IF; empty for other values."""
    if isinstance(expression, CaseWhen):
        values = _not_null(expression.values)
    elif isinstance(expression, Call) and expression.function == "coalesce":
        values = _not_null(expression.arguments)
    else:
        return ()
    found = [as_reference(unwrapped(each)) for each in values]
    known = tuple(each for each in found if each is not None)
    return known if len(known) == len(found) else ()


def _not_null(values: Iterable[Expression]) -> list[Expression]:
    return [each for each in values if plain_text(each) != "null"]


def used_variables(expression: Expression) -> set[int]:
    """Return the lambda variables in an expression."""
    return {part.expr_id for part in all_parts(expression) if isinstance(part, LambdaVariable)}


def is_of_time_window(case_when: CaseWhen) -> bool:
    """Return whether a choice computes the bounds of `window(at#1, …)` (`TimeWindowing`, 2.4 to 4.3)."""
    conditions = (part for when, _ in case_when.branches[:1] for part in all_parts(when))
    return any(isinstance(part, Call) and part.function == "precisetimestampconversion" for part in conditions)


def struct_parts(expression: Expression, depth: int = 0) -> dict[str, Expression] | None:
    """Return the parts of a struct, or of the structs that are the elements of an array, by name.

    `named_struct(a, x#1, b, y#2)` and `struct(a, x#1, b, y#2)` print names and values alternately,
    `arrays_zip(x#1, y#2, a, b)` the arrays and then the names (3.0 to 4.3). A map has its keys and its values.
    """
    expression = unwrapped(expression)
    if isinstance(expression, CaseWhen):
        return _chosen_parts(expression, depth)
    return _call_parts(expression) if isinstance(expression, Call) else None


def _call_parts(call: Call) -> dict[str, Expression] | None:
    if inner := _cast_parts(call):
        return _renamed(struct_parts(inner[0]), cast_type(call))
    if call.function in _ELEMENT_FUNCTIONS and call.arguments:
        return struct_parts(call.arguments[0])
    if call.function == "array":
        return _parts_by_position([struct_parts(each) for each in call.arguments])
    if "map" in call.function or call.function == "arrays_zip":
        return _container_parts(call)
    if (function := _transformation(call)) is not None:
        return struct_parts(function.body)
    return _struct_arguments(call.arguments) if call.function in {"named_struct", "struct"} else None


def _struct_arguments(arguments: Sequence[Expression]) -> dict[str, Expression] | None:
    """Return the parts of a struct by name, from the alternating names and values that a call prints."""
    if len(arguments) % 2 or any(plain_text(name) is None for name in arguments[0::2]):
        return {part.name: part for part in arguments if isinstance(part, AttributeReference)} or None
    parts = {}
    for name, value in zip(arguments[0::2], arguments[1::2], strict=False):
        text = plain_text(name)
        if text is not None and "more fields" not in text:
            parts[text] = value
    return parts


def _container_parts(call: Call) -> dict[str, Expression] | None:
    """Return the arrays that a call zips, by the fields' names; the keys and values of a map, or of its entries."""
    if call.function == "arrays_zip":
        return _zipped_parts(call.arguments)
    if call.function == "map_entries" and len(call.arguments) == 1:
        entries = map_entries(unwrapped(call.arguments[0]))
        return {"key": entries[0], "value": entries[1]} if entries else None
    entries = map_entries(call)
    return {MAP_KEY: entries[0], MAP_VALUE: entries[1]} if entries else None


def _zipped_parts(arguments: Sequence[Expression]) -> dict[str, Expression] | None:
    """Return the arrays that `arrays_zip` zips, by the fields' names; 2.4 prints no names, as they follow."""
    half = len(arguments) // 2
    names = [plain_text(each) for each in arguments[half:]]
    if None in names:  # 2.4: the name of an attribute, the number of another expression
        return {
            each.name if isinstance(each, AttributeReference) else str(index): each
            for index, each in enumerate(arguments)
        }
    return {name: each for name, each in zip(names, arguments[:half], strict=False) if name is not None} or None


def map_entries(built: Expression) -> tuple[Expression, Expression] | None:
    """Return the keys and the values of a map that an expression builds: `map(email, mail#1, phone, tel#2)`."""
    if not isinstance(built, Call) or not built.arguments:
        return None
    if built.function in {"map_from_arrays", "map_from_entries"}:
        entries = (struct_parts(built.arguments[0]) or {}).values()
        parts = built.arguments if built.function == "map_from_arrays" else tuple(entries)
        return (parts[0], parts[1]) if len(parts) == 2 else None
    found = [_map_of(each) for each in (built.arguments if built.function == "map_concat" else (built,))]
    if not all(found):
        return None
    arguments = tuple(chain.from_iterable(filter(None, found)))
    return Call("array", arguments[0::2]), Call("array", arguments[1::2])


def _map_of(built: Expression) -> tuple[Expression, ...] | None:
    """Return the keys and values, alternately, of `map(email, mail#1, phone, tel#2)`; None for other expressions."""
    if not isinstance(built, Call) or built.function != "map" or len(built.arguments) % 2:
        return None
    return built.arguments or None


def _chosen_parts(case_when: CaseWhen, depth: int) -> dict[str, Expression] | None:
    """Return the parts of a CASE or an IF of structs, each as the choice between the structs' parts."""
    built = _not_null(case_when.values)
    parts = _parts_of_each(built, depth)
    if not parts or {len(each) for each in parts} != {len(parts[0])} or not parts[0]:
        return None
    known = {id(each): list(own.values()) for each, own in zip(built, parts, strict=True)}

    def part(value: Expression, index: int) -> Expression:
        return known[id(value)][index] if id(value) in known else value

    return {
        name: CaseWhen(
            tuple((condition, part(value, index)) for condition, value in case_when.branches),
            part(case_when.otherwise, index) if case_when.otherwise is not None else None,
        )
        for index, name in enumerate(parts[0])
    }


def _parts_of_each(structs: Sequence[Expression], depth: int) -> list[dict[str, Expression]]:
    """Return the parts of each struct; empty if one of them is neither a call nor a choice."""
    if depth > _DEEPEST or not all(isinstance(unwrapped(each), (Call, CaseWhen)) for each in structs):
        return []
    return [struct_parts(each, depth + 1) or {} for each in structs]


def _renamed(parts: dict[str, Expression] | None, kind: str) -> dict[str, Expression] | None:
    """Return the parts of a struct that is cast to another struct, by the names in that struct."""
    names = [name for name, _ in struct_fields(element_type(kind))]
    return dict(zip(names, parts.values(), strict=True)) if parts and len(names) == len(parts) else None


def _parts_by_position(all_parts: Sequence[Mapping[str, Expression] | None]) -> dict[str, Expression] | None:
    structs = [parts for parts in all_parts if parts is not None]
    if not structs or len(structs) < len(all_parts) or len({len(parts) for parts in structs}) > 1:
        return None
    rows = zip(*(parts.values() for parts in structs), strict=True)
    return {
        name: Call("array", tuple(row)) if len(row) > 1 else row[0] for name, row in zip(structs[0], rows, strict=True)
    }


def elements(expression: Expression) -> FieldReference | None:
    """Return the array or map whose elements the value is."""
    if isinstance(expression, GetItem):
        return as_reference(expression.child)
    if isinstance(expression, GetField):  # `arr#1[0].p`, `element_at(arr#1, 1).p`: a field of an element
        path: list[str] = []
        while (child := taken_from(expression)) is not None:
            if isinstance(expression, GetField):
                path.append(expression.name)
            expression = child
        reference = as_reference(expression)
        return reference._replace(path=(*reference.path, *reversed(path))) if reference else None
    if not _returns_elements(expression):
        return None
    while isinstance(expression, Call) and _returns_elements(expression):  # `explode(slice(arr#1, 1, 3))`
        expression = expression.arguments[0]
    return as_reference(expression)


def _returns_elements(expression: Expression) -> bool:
    return isinstance(expression, Call) and bool(expression.arguments) and expression.function in _ELEMENT_FUNCTIONS


def taken_from(expression: Expression) -> Expression | None:
    """Return the container of a field, an element or a part of an array; None for other expressions."""
    if isinstance(expression, (GetField, GetItem)):
        return expression.child
    if isinstance(expression, Call) and expression.arguments and expression.function in _ELEMENT_FUNCTIONS:
        return expression.arguments[0]
    return None


_ELEMENT_FUNCTIONS = frozenset(
    """
    explode posexplode inline filter array_sort sort_array shuffle reverse slice element_at try_element_at get flatten
    array_distinct array_compact
    """.split()
)


def cast_type(expression: Expression) -> str:
    """Return the type of an expression that is a cast, as printed; empty for other expressions."""
    parts = _cast_parts(expression)
    kind = plain_text(parts[-1]) or "" if parts else ""
    return kind.rpartition(" as ")[2].strip() if " as " in kind else ""


def cast(expression: Expression) -> tuple[FieldReference, str] | None:
    """Return attribute and type of `cast(name#1 as string)` (`ansicast(…)` up to 3.3); None for others."""
    parts = _cast_parts(expression)
    if not parts:
        return None
    reference = as_reference(parts[0])
    kind = "".join(plain_text(part) or "?" for part in parts[1:])
    return (reference, kind.removeprefix(" as ")) if reference is not None and kind.startswith(" as ") else None


def _cast_parts(expression: Expression) -> tuple[Expression, ...]:
    """Return the parts of a cast, the value first; empty for other expressions."""
    if not (isinstance(expression, Call) and expression.function in {"cast", "ansi_cast"} and expression.arguments):
        return ()
    text = expression.arguments[0]
    return text.parts if isinstance(text, Phrase) and len(text.parts) >= 2 else ()


Piece = str | FieldReference
"""A piece of an expression's text, or a reference in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The references in an expression.

    Attributes:
        references: The references with their kinds; an attribute can have several.
        pieces: The text, in pieces of text and references.
        fields: The parts of a struct that the expression builds.
        passes: The reference that is passed on unchanged; None for computed values.
        elements: The array or map that the value is an element or a part of (`explode`, `filter`).
        kept: The reference that a function takes from one row of a group (`first`) or from another row (`lag`).
        is_extreme: Whether that row is the one with the greatest or least value: all fields choose the row.
        cast: A reference that is only cast, and the type: no change if it already has the type.
        data_type: The type of the outermost cast; empty if there is none.
        alternatives: The references one of which is the value (`coalesce(s#1, s#2)`).
        rebuilt: The struct that is built of fields of `passes`; None for others. It is `passes` if it has all of them.
        combined: The arrays whose elements the value has, or is one of (`concat(a#1, b#2)`).
        keeps_type: Whether the value is an array of the type of `elements`.
        rebuilt_array: An array whose structs are built again, and their fields: the value is it if these are all.
        expression: The expression itself, from which its type follows when the types of its attributes are known.
    """

    references: tuple[FieldReference, ...]
    pieces: tuple[Piece, ...]
    fields: Mapping[str, Analysis] | None = None
    passes: FieldReference | None = None
    elements: FieldReference | None = None
    cast: tuple[FieldReference, str] | None = None
    data_type: str = ""
    kept: FieldReference | None = None
    is_extreme: bool = False
    alternatives: tuple[FieldReference, ...] = ()
    rebuilt: Analysis | None = None
    combined: tuple[Analysis, ...] = ()
    keeps_type: bool = False
    rebuilt_array: tuple[FieldReference, frozenset[str]] | None = None
    expression: Expression | None = None
