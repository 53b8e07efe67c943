"""The roles of an expression's parts: how they make or influence its value (docs/semantics.md)."""

from __future__ import annotations

from typing import NamedTuple

from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.expressions.expression import (
    AttributeReference,
    Call,
    Expression,
    Literal,
    Phrase,
)

from . import functions

T = Transformation
_IGNORING = (" ignore nulls", ", true)")
_OF_GROUP = " FILTER (WHERE (gid#"
_DIRECT = frozenset((T.IDENTITY, T.TRANSFORMATION, T.AGGREGATION))
_ORDER = {T.IDENTITY: 0, T.TRANSFORMATION: 1, T.AGGREGATION: 2}


class Role(NamedTuple):
    """The influence of a part on a value.

    Attributes:
        kind: The kind of the edge.
        masking: Whether masking is applied between the part and the value.
    """

    kind: Transformation
    masking: bool

    def then(self, kind: Transformation, *, masking: bool = False) -> Role:
        """Return the role of a part of this part.

        Args:
            kind: The kind of its influence on this part.
            masking: Whether this part masks it.
        """
        if self.kind not in _DIRECT:
            return self
        if kind in _DIRECT and _ORDER[kind] < _ORDER[self.kind]:
            kind = self.kind
        return Role(kind, self.masking or masking)


def is_counted_again(call: Call) -> bool:
    """Return whether a call wraps a count next to DISTINCT aggregates: `coalesce(first(count(x)#1) ignore nulls#2, 0)`.

    Source: `RewriteDistinctAggregates` (2.4 to 4.3). Several DISTINCT aggregates add ` FILTER (WHERE (gid#3 = 0))`.
    """
    first = call.arguments[0] if call.arguments else None
    if not isinstance(first, AttributeReference) or not first.name.startswith("first("):
        return False
    return first.name.partition(_OF_GROUP)[0].endswith(_IGNORING)


def argument_role(call: Call, name: str, index: int, role: Role, inner: Role) -> Role:
    """Return the role of a function's argument.

    Args:
        call: The call.
        name: The function's name.
        index: The argument's index.
        role: The role of the call.
        inner: The role of arguments that neither choose nor order.
    """
    if name == "pivotfirst" and index == 0:  # the column that chooses the target of each value
        return role.then(T.CONDITIONAL)
    if name in functions.CHOOSING and index == len(call.arguments) - 1 and index > 0:
        return role.then(T.CONDITIONAL)
    if name in functions.LISTING and (index > 1 or _is_sort_key(call.arguments[index])):
        return role.then(T.SORT)  # `listagg(x#1, delimiter, order#2 ASC NULLS FIRST, 0, 0)`
    return inner


def _is_sort_key(argument: Expression) -> bool:
    """Return whether an argument has a direction; a delimiter such as `)` can be read as part of another argument."""
    last = argument.parts[-1] if isinstance(argument, Phrase) else None
    return isinstance(last, Literal) and last.text.endswith((" NULLS FIRST", " NULLS LAST"))


def inner_role(name: str, role: Role, *, masking: bool) -> Role:
    """Return the role of a function's arguments.

    Args:
        name: The function's name.
        role: The role of the call.
        masking: Whether the function masks (`masks.is_mask`); `count` always does.
    """
    if name in functions.AGGREGATES:
        return role.then(T.AGGREGATION, masking=masking or name == "count")
    return role.then(T.TRANSFORMATION, masking=masking)
