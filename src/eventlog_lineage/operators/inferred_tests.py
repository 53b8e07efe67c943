"""Tests `isnotnull(k#1)` that the optimizer adds for a join above (`InferFiltersFromConstraints`, 2.0 to 4.3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.operators.flow import Conjunct
from eventlog_lineage.operators.operation import Operation, Scope
from eventlog_lineage.plan.grammar.tokens import find_attributes

_TEST = "isnotnull("
_ALONE = re.compile(rf"[^()]*#{NUMBER}L?\)")


def tested_parts(op: Operation, parts: Sequence[str], scope: Scope) -> tuple[Conjunct, ...]:
    """Return the parts of a conjunction with a test `isnotnull(k#1)` of an attribute that no other part names.

    A test that the analyzed plan prints, too, is the user's.
    """
    if not any(part.startswith(_TEST) for part in parts):
        return ()
    if any(part in op.plan.ambiguous or " more fields)" in part for part in (*parts, _conjunction(parts))):
        return ()
    ids = [{token.expr_id for token in find_attributes(part, op.names)} for part in parts]
    used = Counter(chain.from_iterable(ids))
    found = (_tested(part, own, used) for part, own in zip(parts, ids, strict=True))
    tested = [-1 if each in op.plan.user_tests else each for each in found]
    if scope.keys().isdisjoint(tested):
        return ()
    return tuple(Conjunct(op.bind(part, scope), scope.get(each)) for part, each in zip(parts, tested, strict=True))


def _conjunction(parts: Sequence[str]) -> str:
    whole = parts[0]
    for part in parts[1:]:
        whole = f"({whole} AND {part})"
    return whole


def _tested(part: str, ids: set[int], used: Mapping[int, int]) -> int:
    """Return the attribute of `isnotnull(k#1)`; -1 for other parts, and for one whose attribute another part names."""
    (expr_id,) = ids if len(ids) == 1 else (-1,)
    is_test = part.startswith(_TEST) and _ALONE.fullmatch(part, len(_TEST)) is not None
    return expr_id if is_test and used[expr_id] == 1 else -1
