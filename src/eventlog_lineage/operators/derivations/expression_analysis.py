"""Analyze an expression: find the references that it depends on and their kinds, before binding.

One walk, without recursion, collects the references with their kinds (docs/semantics.md) and the text in pieces. Both
depend only on the text, so a plan analyses each distinct text once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial

from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.grammar.expression import Expression

from .expression_walk import ExpressionWalk
from .functions import Role
from .kept_structs import combined_arrays, keeps_type, kept_parts, kept_value
from .references import (
    Analysis,
    FieldReference,
    alternatives,
    as_reference,
    cast,
    cast_type,
    elements,
    rebuilt_array,
    rebuilt_struct,
    struct_parts,
    unwrapped,
)

T = Transformation
_MAP_PARTS = {"map_keys": 0, "map_values": 1}


def analyze(
    expression: Expression,
    *,
    aggregate: bool = False,
    variables: Mapping[int, FieldReference] | None = None,
    masks: Collection[str] = (),
) -> Analysis:
    """Find an expression's references and their kinds.

    Args:
        aggregate: Whether only aggregate functions are possible (a `Functions` list).
        variables: The bindings of lambda variables around the expression.
        masks: The user's masking functions, as `masks.mask_names` returns them.
    """
    root = unwrapped(expression)
    walk = ExpressionWalk(variables, masks)
    walk.run(root, Role(T.AGGREGATION if aggregate else T.IDENTITY, masking=False))
    analyze_part = partial(analyze, variables=walk.variables, masks=masks)
    parts = kept_parts(root) if aggregate else struct_parts(root) or kept_parts(root)
    fields = {name: analyze_part(part, aggregate=aggregate) for name, part in (parts or {}).items()}
    kept, is_extreme = kept_value(root)
    found = Analysis(
        tuple(walk.references),
        tuple(walk.pieces),
        fields=None if parts is None else fields,
        elements=elements(root),
        cast=cast(root),
        kept=kept,
        is_extreme=is_extreme,
        keeps_type=keeps_type(root),
        expression=root,
    )
    return found if aggregate else _of_row(found, expression, root, analyze_part)


def _of_row(
    found: Analysis, expression: Expression, root: Expression, analyze_part: Callable[..., Analysis]
) -> Analysis:
    """Return the analysis of a value that is computed from one row, with what no aggregate function can be."""
    known = replace(found, data_type=cast_type(root), rebuilt_array=rebuilt_array(root))
    if passes := as_reference(root):
        known = replace(known, passes=passes, elements=None, rebuilt=_built_again(expression, passes, analyze_part))
    if found.fields is not None:
        return known
    if others := alternatives(root):
        return replace(known, alternatives=others)
    return known if passes else replace(known, combined=tuple(map(analyze_part, combined_arrays(root))))


def _built_again(
    expression: Expression, passes: FieldReference, analyze_part: Callable[..., Analysis]
) -> Analysis | None:
    """Return the analysis of a struct that is built again from the fields of the one that an expression passes on."""
    built = rebuilt_struct(expression)
    if built is None:
        return None
    struct = analyze_part(built)
    return replace(struct, references=(*struct.references, passes._replace(kind=T.CONDITIONAL)))
