"""Values that functions take unchanged, and the fields of structs among them.

`first(addr#1)`, `lag(s#2)`, `coalesce(s#1, s#2)`, `max(struct(day, day#1)).day`, `concat(a#1, b#2)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import filterfalse

from eventlog_lineage.model import Transformation, merge
from eventlog_lineage.plan.grammar.expression import (
    Call,
    Expression,
    FilteredAggregate,
    GetField,
    WindowExpression,
    field_path,
    plain_text,
)
from eventlog_lineage.plan.grammar.types import element_type, struct_fields

from . import functions
from .derivation import DIRECT_KINDS, FIELD_AT, Derivation, Sources, merged_fields
from .references import Analysis, FieldReference, as_reference, cast, elements, struct_parts, taken_from, unwrapped

_EXTREMES = {"max": "max_by", "min": "min_by"}
_SHIFTS = frozenset(("lag", "lead", "nth_value"))


def kept_parts(expression: Expression) -> dict[str, Expression] | None:
    """Return the parts of the struct that a function takes from its rows, each as the function's value of that part.

    The greatest struct is that of a row, which all its parts choose: `max(struct(a, b)).b` is `max_by(b, array(a))`.

    Args:
        expression: An aggregate function, with a filter or over a window; a window function.

    Returns:
        Name to value; None for other expressions.
    """
    root = unwrapped(expression)
    if isinstance(root, (FilteredAggregate, WindowExpression)):
        kept = _of_other_row(root.function) or kept_parts(root.function)
        return kept and {name: replace(root, function=part) for name, part in kept.items()}
    if not isinstance(root, Call) or not root.arguments:
        return None
    name = functions.base_name(root.function)
    value, *others = root.arguments
    if _keeps_value(name, others):
        return _with_first(root, struct_parts(value))
    return _extreme(root, _EXTREMES[name]) if name in _EXTREMES and not others else None


def kept_value(expression: Expression) -> tuple[FieldReference | None, bool]:
    """Return the reference that a function takes unchanged from its rows: `first(items#1)`, `lag(_w0#2, -1, null)`.

    Returns:
        The reference, None for other expressions; whether it is the extreme one, whose fields choose the row.
    """
    root = unwrapped(expression)
    while isinstance(root, (FilteredAggregate, WindowExpression)):
        root = unwrapped(root.function)
    if not isinstance(root, Call) or not root.arguments:
        return None, False
    value, *others = root.arguments
    name = functions.base_name(root.function)
    is_extreme = name in _EXTREMES and not others
    keeps = is_extreme or _keeps_value(name, others) or (name in _SHIFTS and _are_plain(others))
    return as_reference(unwrapped(value)) if keeps else None, is_extreme


def _keeps_value(name: str, others: Sequence[Expression]) -> bool:
    """Return whether an aggregate function has the value of one of its rows, or an array of such values.

    `first(a)`, `collect_list(a)`, `max_by(a, b)`; the three greatest are `max_by(a, b, 3, false, 0, 0)` (4.2+).
    """
    return name in functions.KEEPING or (name in functions.CHOOSING and len(others) in {1, 2, 5})


def _are_plain(expressions: Sequence[Expression]) -> bool:
    return all(plain_text(each) is not None for each in expressions)


def kept_field(field: GetField) -> Expression | None:
    """Return a field of a value that a function keeps as the function of the field: `first(a#1).b` as `first(a#1.b)`.

    Logical plans and the names of aggregates print the field after the function.

    Returns:
        The function; None for fields of other values.
    """
    child, path = field_path(field)
    reference, is_extreme = kept_value(child)
    return None if reference is None or is_extreme else _of_field(unwrapped(child), path)


def _of_field(root: Expression, path: Sequence[str]) -> Expression:
    if isinstance(root, (FilteredAggregate, WindowExpression)):
        return replace(root, function=_of_field(unwrapped(root.function), path))
    if not isinstance(root, Call):
        return root
    return replace(root, arguments=(reduce(GetField, path, root.arguments[0]), *root.arguments[1:]))


def _extreme(call: Call, function: str) -> dict[str, Expression] | None:
    parts = struct_parts(call.arguments[0])
    if parts is None or len(parts) < 2:
        return _with_first(call, parts)
    others = {name: tuple(part for at, part in parts.items() if at != name) for name in parts}
    return {name: Call(function, (part, Call("array", others[name]))) for name, part in parts.items()}


def _of_other_row(function: Expression) -> dict[str, Expression] | None:
    """Return the parts of the struct of another row without a default: `lag(struct(…), -1, null)`."""
    if not isinstance(function, Call) or function.function not in _SHIFTS or not function.arguments:
        return None
    value, *others = function.arguments
    return _with_first(function, struct_parts(value)) if _are_plain(others) else None


def _with_first(call: Call, parts: dict[str, Expression] | None) -> dict[str, Expression] | None:
    """Return a call for each part, which is its first argument.

    Args:
        parts: The parts of the struct that is its first argument; None for other arguments.
    """
    return parts and {name: replace(call, arguments=(part, *call.arguments[1:])) for name, part in parts.items()}


def field_of_cast(expression: GetField) -> FieldReference | None:
    """Return the field that a field of a cast struct is, by position: `cast(s#1 as struct<a:int,b:int>).b`.

    The elements of an array of structs are cast in the same way, `cast(items#1 as array<struct<a:int>>)[0].a`.
    """
    child: Expression = expression.child
    while not isinstance(child, GetField) and (container := taken_from(child)) is not None:
        child = container
    found = cast(child)
    if found is None:
        return None
    reference, kind = found
    names = [name for name, _ in struct_fields(element_type(kind))]
    if expression.name not in names or names.count(expression.name) > 1:
        return None
    return reference._replace(path=(*reference.path, f"{FIELD_AT}{names.index(expression.name)}"))


_ELEMENTS = {
    "array_append": (0, 1),
    "array_except": (0, 1),
    "array_insert": (0, 2),
    "array_intersect": (0, 1),
    "array_prepend": (0, 1),
    "array_remove": (0,),
    "array_repeat": (0,),
}
"""The arguments whose elements, or which themselves, are elements of the result (2.4 to 4.3)."""
_OF_ALL = frozenset(("array_union", "coalesce", "concat"))
_DEEPEST = 20
"""The most such functions within each other that are followed."""
_NOTHING = ("[]", "null")
_SAME_TYPE = frozenset("array_compact array_distinct array_sort filter reverse shuffle slice sort_array".split())


def _is_empty(array: Expression) -> bool:
    return array == Call("array", ()) or plain_text(array) in _NOTHING


def combined_arrays(expression: Expression, depth: int = 0) -> tuple[Expression, ...]:
    """Return the arrays, or single elements, whose elements an array has; empty for other expressions.

    Args:
        expression: The expression. Functions that take elements of such an array are skipped.
    """
    root = _combination(unwrapped(expression))
    indexes = elements_of(root)
    if not isinstance(root, Call) or indexes is None or depth >= _DEEPEST:
        return ()
    parts = [unwrapped(root.arguments[index]) for index in indexes]
    arrays = tuple(filterfalse(_is_empty, parts))
    least = 2 if root.function in _OF_ALL and len(arrays) == len(parts) else 1
    return arrays if len(arrays) >= least and all(_has_parts(each, depth) for each in arrays) else ()


def _combination(root: Expression) -> Expression:
    while isinstance(root, Call) and elements_of(root) is None and (child := taken_from(root)) is not None:
        root = unwrapped(child)
    return root


def _has_parts(array: Expression, depth: int) -> bool:
    return bool(as_reference(array) or elements(array) or struct_parts(array) or combined_arrays(array, depth + 1))


def elements_of(expression: Expression) -> Sequence[int] | None:
    """Return the indexes of the arguments that have the elements of a call's result; None for other expressions."""
    if not isinstance(expression, Call):
        return None
    indexes = _ELEMENTS.get(expression.function)
    if expression.function in _OF_ALL:
        return range(len(expression.arguments))
    return indexes if indexes and indexes[-1] < len(expression.arguments) else None


def field_of_parts(field: GetField) -> Expression | None:
    """Return the function of the parts' fields that a field is: `concat(a#1, b#2)[0].x` as `concat(a#1.x, b#2.x)`.

    Returns:
        The function; None for fields of other values.
    """
    path: list[str] = []
    child: Expression = field
    while (inner := taken_from(child)) is not None:
        if isinstance(child, GetField):
            path.append(child.name)
        child = unwrapped(inner)
    if not isinstance(child, Call) or not combined_arrays(child):
        return None
    arguments = list(child.arguments)
    for index in elements_of(child) or ():
        arguments[index] = reduce(GetField, reversed(path), arguments[index])
    return replace(child, arguments=tuple(arguments))


def keeps_type(expression: Expression) -> bool:
    """Return whether the value of an expression is an array of the same type as its array."""
    root = unwrapped(expression)
    while isinstance(root, Call) and root.function in _SAME_TYPE and root.arguments:
        root = unwrapped(root.arguments[0])
    return root != unwrapped(expression) and as_reference(root) is not None


def combined_fields(parts: Sequence[Derivation]) -> dict[str, Derivation] | None:
    """Return the fields of an array's elements by those of its parts; None unless all parts have as many."""
    fields = merged_fields([_with_fields(part) for part in parts])
    return fields and {
        name: Derivation(part.through(Transformation.TRANSFORMATION), part.parts, part.fields)
        for name, part in fields.items()
    }


def _with_fields(part: Derivation) -> Derivation:
    names = [name for name, _ in struct_fields(element_type(part.data_type))] if part.column is not None else []
    if part.fields or not names:
        return part
    return Derivation(part.sources, part.parts, {name: part.field(name) for name in names}, part.column, part.data_type)


Resolve = Callable[[FieldReference], Derivation | None]
"""Returns the value of a reference; None if it is unknown."""


def kept_derivation(analysis: Analysis, whole: Derivation, resolve: Resolve) -> Derivation:
    """Return the derivation of such a value, whose fields are fields of the value in its own row."""
    reference = analysis.kept
    if reference is None or (value := resolve(reference)) is None:
        return whole
    steps = [each for each in analysis.references if each[:2] == reference[:2] and each.kind in DIRECT_KINDS]
    if len(steps) != 1:
        return whole
    others = _resolved([each for each in analysis.references if each not in steps], resolve)
    if not analysis.is_extreme:
        return _kept(value, whole, steps[0].kind, merge(others))
    return _with_choosing_fields(value, whole, steps[0].kind, others)


def _resolved(references: Sequence[FieldReference], resolve: Resolve) -> list[Sources]:
    """Return the sources of references through their kinds, without those of unknown attributes."""
    found = ((each, resolve(each)) for each in references)
    return [value.through(each.kind, masking=each.masking) for each, value in found if value is not None]


def chosen_fields(analysis: Analysis, resolve: Resolve) -> dict[str, Derivation] | None:
    """Return the fields of a value that is one of several structs which the statement builds; None for others."""
    values = [value for reference in analysis.alternatives if (value := resolve(reference)) is not None]
    fields = merged_fields(values)
    if not fields:
        return None
    conditions = [each for each in analysis.references if each.kind is Transformation.CONDITIONAL]
    choosing = _resolved(conditions, resolve)
    return {
        name: Derivation(merge((part.through(Transformation.TRANSFORMATION), *choosing)), part.parts)
        for name, part in fields.items()
    }


def _with_choosing_fields(
    value: Derivation, whole: Derivation, kind: Transformation, others: Sequence[Sources]
) -> Derivation:
    """Return the greatest struct: each of its fields is that of a row that all others choose."""
    known = value.fields or {}
    if not known:
        return whole
    fields = {}
    for name, part in known.items():
        choosing = [each.through(Transformation.CONDITIONAL) for other, each in known.items() if other != name]
        sources = merge((part.through(kind), *choosing, *others))
        fields[name] = Derivation(sources, (whole, f".{name}"))
    return Derivation(whole.sources, whole.parts, fields)


def _kept(value: Derivation, whole: Derivation, kind: Transformation, others: Sources) -> Derivation:
    fields = value.fields and {
        name: _kept(part, Derivation(merge((part.through(kind), others)), (part,)), kind, others)
        for name, part in value.fields.items()
    }
    data_type = value.data_type if value.data_type.startswith(("struct<", "array<struct<")) else ""
    return Derivation(whole.sources, whole.parts, fields, value.column, data_type)


def of_same_type(analysis: Analysis, resolve: Callable[[FieldReference], Derivation | None]) -> Derivation | None:
    """Return what is cast to the type that it has, or an array built again of all its structs' fields; else None."""
    if analysis.rebuilt_array is not None:
        reference, names = analysis.rebuilt_array
        array = resolve(reference)
        known = struct_fields(element_type(array.data_type)) if array is not None else ()
        return array if known and {name for name, _ in known} == names else None
    found = resolve(analysis.cast[0]) if analysis.cast is not None else None
    return found if found is not None and analysis.cast and found.data_type == analysis.cast[1] else None


def lacks_fields(rebuilt: Analysis, struct: Derivation) -> bool:
    """Return whether a struct that is built of a struct's fields has not all of them, or not all of a field's."""
    known = {name for name, _ in struct_fields(struct.known_type)} or set(struct.fields or ())
    built = rebuilt.fields or {}
    return bool(known - built.keys()) or any(
        part.rebuilt is not None and lacks_fields(part.rebuilt, struct.field(name)) for name, part in built.items()
    )
