"""How the parts of an expression make or decide its value (SEMANTICS.md, "Edges")."""

from __future__ import annotations

from typing import NamedTuple

from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.expressions.expression import Call, Reference

from . import functions

T = Transformation
_IGNORING = (" ignore nulls", ", true)")
_DIRECT = frozenset((T.IDENTITY, T.TRANSFORMATION, T.AGGREGATION))
_ORDER = {T.IDENTITY: 0, T.TRANSFORMATION: 1, T.AGGREGATION: 2}


class Role(NamedTuple):
    """How a part makes or decides a value, and whether a mask lies between.

    Attributes:
        kind: The kind of the edge.
        masking: A mask lies between the part and the value.
    """

    kind: Transformation
    masking: bool

    def then(self, kind: Transformation, *, masking: bool = False) -> Role:
        """The role of a part that makes (or decides) the value in this way."""
        if self.kind not in _DIRECT:
            return self
        if kind in _DIRECT and _ORDER[kind] < _ORDER[self.kind]:
            kind = self.kind
        return Role(kind, self.masking or masking)


def is_counted_again(call: Call) -> bool:
    """Is it the `coalesce(first(count(x)#1) ignore nulls#2, 0)` around a count next to several DISTINCT aggregates?

    Source: `RewriteDistinctAggregates` (2.4 to 4.3).
    """
    first = call.arguments[0] if call.arguments else None
    return isinstance(first, Reference) and first.name.startswith("first(") and first.name.endswith(_IGNORING)


def argument_role(call: Call, name: str, index: int, role: Role, inner: Role) -> Role:
    """The role of an argument that only chooses or orders; of all others the function's own."""
    if name == "pivotfirst" and index == 0:  # the column that says which value goes where
        return role.then(T.CONDITIONAL)
    if name in functions.CHOOSING and index == len(call.arguments) - 1 and index > 0:
        return role.then(T.CONDITIONAL)
    if name in functions.LISTING and index > 1:  # `listagg(x#1, delimiter, order#2 ASC NULLS FIRST, 0, 0)`
        return role.then(T.SORT)
    return inner


def inner_role(name: str, role: Role) -> Role:
    """The role of a function's arguments, by the function's name."""
    if name in functions.AGGREGATES:
        return role.then(T.AGGREGATION, masking=name == "count")
    return role.then(T.TRANSFORMATION, masking=name in functions.MASKS)
