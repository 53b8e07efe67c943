"""Derive an aggregation's outputs from its consumer, if its details omit them, as Comet's do.

`CometHashAggregate` prints `Input`, `Keys` and `Functions` (0.5 to 0.12); its consumer's `Input` has the outputs.
Keys keep their ids there. The other outputs are derived from the functions, in their order.
"""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import INFERRED, OPAQUE, Derivation, merge
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute

from .flow import Output
from .operation import Operation


def unnamed_results(op: Operation, keys: Sequence[Output], functions: Sequence[Derivation]) -> tuple[Output, ...]:
    """Return the outputs of an aggregation from its consumer's input.

    Args:
        op: The aggregation.
        keys: Its grouping keys.
        functions: The derivations of its functions.

    Returns:
        The consumer's attributes: keys by id (exact) or by name, the others by position (inferred); if their number
        does not match the number of possible values, each may depend on all values (opaque).
    """
    consumed = op.node.consumer_input
    if consumed is None:
        op.gap(
            GapReason.DANGLING_ATTRIBUTE,
            "the plan does not print the outputs of this aggregation",
            "please report it with the plan's text",
            "no operator says what this aggregation puts out",
        )
        return tuple(keys)
    attributes = [read_attribute(item) or (item, -1) for item in consumed.items]
    by_id = {key.expr_id: key for key in keys}
    ids = {expr_id for _, expr_id in attributes}
    renamed = {key.name: key for key in keys if key.expr_id not in ids}
    found = [by_id.get(expr_id) or renamed.pop(name, None) for name, expr_id in attributes]
    derived = _derived(found.count(None), [key.derivation for key in renamed.values()], functions)
    return tuple(
        Output(name, expr_id, key.derivation if key else derived.pop(0))
        for (name, expr_id), key in zip(attributes, found, strict=True)
    )


def _derived(count: int, keys: Sequence[Derivation], functions: Sequence[Derivation]) -> list[Derivation]:
    """Return the derivations of `count` outputs: renamed keys first, as in GROUP BY queries, then functions.

    Args:
        count: The number of outputs.
        keys: The derivations of the keys with other ids.
        functions: The derivations of the functions.
    """
    for candidates in ([*keys, *functions], functions):
        if count == len(candidates) or (count and len(candidates) == 1):
            repeated = count if len(candidates) == 1 else 1
            return [_inferred(each) for each in candidates] * repeated
    candidates = [*keys, *functions]
    combined = merge(each.through(Transformation.IDENTITY, confidence=OPAQUE) for each in candidates)
    parts: list[str | Derivation] = []
    for each in candidates:
        parts.extend((", ", each) if parts else (each,))
    return [Derivation(combined, ("of(", *parts, ")")) for _ in range(count)]


def _inferred(derivation: Derivation) -> Derivation:
    return Derivation(derivation.through(Transformation.IDENTITY, confidence=INFERRED), (derivation,))
