"""Analyze an expression: find the references that it depends on and their kinds, before binding.

One walk, without recursion, collects the references with their kinds (docs/semantics.md) and the text in pieces. Both
depend only on the text, so a plan analyses each distinct text once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.expressions.expression import (
    Expression,
)

from .analysis import Analysis
from .combined_arrays import combined_arrays, keeps_type
from .expression_walk import ExpressionWalk
from .kept_structs import kept_parts, kept_value
from .references import (
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
from .roles import Role

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
        expression: The expression.
        aggregate: Whether only aggregate functions are possible (a `Functions` list).
        variables: The bindings of lambda variables around the expression.
        masks: The user's masking functions, as `masks.mask_names` returns them.
    """
    root = unwrapped(expression)
    role = Role(T.AGGREGATION if aggregate else T.IDENTITY, masking=False)
    walk = ExpressionWalk(variables, masks)
    walk.run(root, role)
    passes = None
    if not aggregate and (reference := as_reference(root)):
        passes = reference
    parts = kept_parts(root) if aggregate else struct_parts(root) or kept_parts(root)
    known = walk.variables
    fields = None
    if parts is not None:
        fields = {
            name: analyze(part, aggregate=aggregate, variables=known, masks=masks) for name, part in parts.items()
        }
    found = None if passes else elements(root)
    kind = "" if aggregate else cast_type(root)
    kept, extreme = kept_value(root)
    others = () if aggregate or fields is not None else alternatives(root)
    built = rebuilt_struct(expression) if passes else None
    struct = analyze(built, variables=known, masks=masks) if built else None
    if struct and passes:
        struct = replace(struct, references=(*struct.references, passes._replace(kind=T.CONDITIONAL)))
    references, pieces = tuple(walk.references), tuple(walk.pieces)
    arrays = () if aggregate or passes or fields is not None or others else combined_arrays(root)
    combined = tuple(analyze(each, variables=known, masks=masks) for each in arrays)
    return Analysis(
        references,
        pieces,
        fields,
        passes,
        found,
        cast(root),
        kind,
        kept,
        extreme,
        others,
        struct,
        combined,
        keeps_type(root),
        None if aggregate else rebuilt_array(root),
    )
