"""Values that a function takes unchanged: from another row, one row of a group, or one of several references.

`first(addr#1)`, `lag(s#2)`, `coalesce(s#1, s#2)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.expressions.types import element_type, struct_fields

from .analysis import Analysis
from .derivation import DIRECT_KINDS, Derivation, Sources, merge, merged_fields
from .references import FieldReference

Resolve = Callable[[FieldReference], Derivation | None]
"""Returns the value of a reference; None if it is unknown."""


def kept_derivation(analysis: Analysis, whole: Derivation, resolve: Resolve) -> Derivation:
    """Return the derivation of such a value, whose fields are fields of the value in its own row.

    Args:
        analysis: The function, with the reference that it keeps.
        whole: Its derivation as a whole.
        resolve: Returns the value of a reference.
    """
    reference = analysis.kept
    value = resolve(reference) if reference is not None else None
    if reference is None or value is None:
        return whole
    steps = [each for each in analysis.references if each[:2] == reference[:2] and each.kind in DIRECT_KINDS]
    if len(steps) != 1:
        return whole
    others = [
        other.through(each.kind, masking=each.masking)
        for each in analysis.references
        if each not in steps and (other := resolve(each)) is not None
    ]
    if not analysis.is_extreme:
        return _kept(value, whole, steps[0].kind, merge(others))
    return _with_choosing_fields(value, whole, steps[0].kind, others) if value.fields else whole


def chosen_fields(analysis: Analysis, resolve: Resolve) -> dict[str, Derivation] | None:
    """Return the fields of a value that is one of several structs which the statement builds; None for others.

    Args:
        analysis: The choice, with the references of which the value is one.
        resolve: Returns the value of a reference.
    """
    values = [value for reference in analysis.alternatives if (value := resolve(reference)) is not None]
    fields = merged_fields(values)
    if not fields:
        return None
    choosing = [
        value.through(reference.kind, masking=reference.masking)
        for reference in analysis.references
        if reference.kind is Transformation.CONDITIONAL and (value := resolve(reference)) is not None
    ]
    return {
        name: Derivation(merge((part.through(Transformation.TRANSFORMATION), *choosing)), part.parts)
        for name, part in fields.items()
    }


def _with_choosing_fields(
    value: Derivation, whole: Derivation, kind: Transformation, others: Sequence[Sources]
) -> Derivation:
    """Return the greatest struct: each of its fields is that of a row that all others choose.

    Args:
        value: The struct.
        whole: The derivation of the function.
        kind: The kind of the function's step.
        others: What else chooses the row.
    """
    known = value.fields or {}
    fields = {}
    for name, part in known.items():
        choosing = [each.through(Transformation.CONDITIONAL) for other, each in known.items() if other != name]
        sources = merge((part.through(kind), *choosing, *others))
        fields[name] = Derivation(sources, (whole, f".{name}"))
    return Derivation(whole.sources, whole.parts, fields)


def _kept(value: Derivation, whole: Derivation, kind: Transformation, others: Sources) -> Derivation:
    """Return the derivation of a value and of its fields.

    Args:
        value: The value in its own row.
        whole: The derivation of the function.
        kind: The kind of the function's step.
        others: What chooses the row.
    """
    fields = value.fields and {
        name: _kept(part, Derivation(merge((part.through(kind), others)), (part,)), kind, others)
        for name, part in value.fields.items()
    }
    data_type = value.data_type if value.data_type.startswith(("struct<", "array<struct<")) else ""
    return Derivation(whole.sources, whole.parts, fields, value.column, data_type)


def of_same_type(analysis: Analysis, resolve: Callable[[FieldReference], Derivation | None]) -> Derivation | None:
    """Return what is cast to the type that it has, or an array built again of all its structs' fields; else None.

    Args:
        analysis: The expression.
        resolve: Returns the derivation of a reference.
    """
    if analysis.rebuilt_array is not None:
        reference, names = analysis.rebuilt_array
        array = resolve(reference)
        known = struct_fields(element_type(array.data_type)) if array is not None else ()
        return array if known and {name for name, _ in known} == names else None
    found = resolve(analysis.cast[0]) if analysis.cast is not None else None
    return found if found is not None and analysis.cast and found.data_type == analysis.cast[1] else None


def lacks_fields(rebuilt: Analysis, struct: Derivation) -> bool:
    """Return whether a struct that is built of a struct's fields has not all of them.

    Args:
        rebuilt: The analysis of the struct that is built.
        struct: The other struct.
    """
    known = {name for name, _ in struct_fields(struct.data_type)} or set(struct.fields or ())
    return bool(known - set(rebuilt.fields or ()))
