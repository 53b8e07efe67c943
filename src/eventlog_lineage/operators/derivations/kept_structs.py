"""The fields of a struct that a function returns unchanged: `max(struct(day, day#1, rate, rate#2)).rate`."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.plan.expressions.expression import (
    Call,
    Expression,
    FilteredAggregate,
    GetField,
    WindowExpression,
    plain_text,
)
from eventlog_lineage.plan.expressions.types import element_type, struct_fields

from . import functions
from .derivation import FIELD_AT
from .references import FieldReference, as_reference, cast, struct_parts, taken_from, unwrapped

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
    if isinstance(root, FilteredAggregate):
        kept = kept_parts(root.function)
        return kept and {name: FilteredAggregate(part, root.condition) for name, part in kept.items()}
    if isinstance(root, WindowExpression):
        kept = _of_other_row(root.function) or kept_parts(root.function)
        return kept and {name: replace(root, function=part) for name, part in kept.items()}
    if not isinstance(root, Call) or not root.arguments:
        return None
    name = functions.base_name(root.function)
    value, *others = root.arguments
    if name in functions.KEEPING or (name in functions.CHOOSING and len(others) == 1):
        return _with_first(root, struct_parts(value))
    return _extreme(root, _EXTREMES[name]) if name in _EXTREMES and not others else None


def kept_value(expression: Expression) -> tuple[FieldReference | None, bool]:
    """Return the reference that a function takes unchanged from its rows: `first(items#1)`, `lag(_w0#2, -1, null)`.

    Args:
        expression: An aggregate function, with a filter or over a window; a window function.

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
    keeps = (
        is_extreme
        or name in functions.KEEPING
        or (name in functions.CHOOSING and len(others) == 1)
        or (name in _SHIFTS and all(plain_text(each) is not None for each in others))
    )
    return as_reference(unwrapped(value)) if keeps else None, is_extreme


def kept_field(field: GetField) -> Expression | None:
    """Return a field of a value that a function keeps as the function of the field: `first(a#1).b` as `first(a#1.b)`.

    Logical plans and the names of aggregates print the field after the function.

    Args:
        field: The field.

    Returns:
        The function; None for fields of other values.
    """
    path: list[str] = []
    child: Expression = field
    while isinstance(child, GetField):
        path.append(child.name)
        child = child.child
    reference, is_extreme = kept_value(child)
    return None if reference is None or is_extreme else _of_field(unwrapped(child), path[::-1])


def _of_field(root: Expression, path: list[str]) -> Expression:
    if isinstance(root, (FilteredAggregate, WindowExpression)):
        return replace(root, function=_of_field(unwrapped(root.function), path))
    if not isinstance(root, Call):
        return root
    value = root.arguments[0]
    for name in path:
        value = GetField(value, name)
    return replace(root, arguments=(value, *root.arguments[1:]))


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
    return _with_first(function, struct_parts(value)) if all(plain_text(each) is not None for each in others) else None


def _with_first(call: Call, parts: dict[str, Expression] | None) -> dict[str, Expression] | None:
    """Return a call for each part, which is its first argument.

    Args:
        call: The call.
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
