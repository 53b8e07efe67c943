"""Functions whose result has the elements of several arrays: `concat(a#1, b#2)`, `array_append(a#1, struct(…))`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.expressions.expression import Call, Expression, GetField, plain_text
from eventlog_lineage.plan.expressions.types import element_type, struct_fields

from .derivation import Derivation, merged_fields
from .references import as_reference, elements, struct_parts, taken_from, unwrapped

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
_SAME_TYPE = frozenset(
    "array_compact array_distinct array_sort filter reverse shuffle slice sort_array".split(),
)


def combined_arrays(expression: Expression, depth: int = 0) -> tuple[Expression, ...]:
    """Return the arrays, or single elements, whose elements an array has; empty for other expressions.

    Args:
        expression: The expression. Functions that take elements of such an array are skipped.
        depth: The number of such functions around it.
    """
    root = unwrapped(expression)
    while isinstance(root, Call) and elements_of(root) is None and (child := taken_from(root)) is not None:
        root = unwrapped(child)
    indexes = elements_of(root)
    if not isinstance(root, Call) or indexes is None:
        return ()
    parts = [unwrapped(root.arguments[index]) for index in indexes]
    arrays = [part for part in parts if part != Call("array", ()) and plain_text(part) not in _NOTHING]
    if len(arrays) < (2 if root.function in _OF_ALL and len(arrays) == len(parts) else 1):
        return ()
    known = depth < _DEEPEST and all(
        as_reference(each) or elements(each) or struct_parts(each) or combined_arrays(each, depth + 1)
        for each in arrays
    )
    return tuple(arrays) if known else ()


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

    Args:
        field: The field.

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
        for name in reversed(path):
            arguments[index] = GetField(arguments[index], name)
    return replace(child, arguments=tuple(arguments))


def keeps_type(expression: Expression) -> bool:
    """Return whether the value of an expression is an array of the same type as its array."""
    root = unwrapped(expression)
    while isinstance(root, Call) and root.function in _SAME_TYPE and root.arguments:
        root = unwrapped(root.arguments[0])
    return root != unwrapped(expression) and as_reference(root) is not None


def combined_fields(parts: Sequence[Derivation]) -> dict[str, Derivation] | None:
    """Return the fields of an array's elements by those of its parts; None unless all parts have as many.

    Args:
        parts: The arrays, or single elements.
    """
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
