"""Edges of conditions on all rows: several may have the same column."""

from __future__ import annotations

from eventlog_lineage.lineage.results.edges import build_edges
from eventlog_lineage.model import EXACT, OPAQUE, Confidence, Influence, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, Origin
from eventlog_lineage.operators.flow import Condition

T = Transformation
DAY = Origin("orders", "day", 1)


def condition(text: str, *, masking: bool = False, confidence: int = EXACT) -> Condition:
    return Condition(Derivation({(DAY, T.IDENTITY): Influence(masking, confidence)}, (text,)), T.FILTER)


def test_of_several_conditions_the_most_certain_one_counts() -> None:
    opaque, exact, other = condition("f(…)", confidence=OPAQUE), condition("day > 1"), condition("day < 9")
    (edge,) = build_edges((), (opaque, exact, other), "sums")
    assert (edge.confidence, edge.expression) == (Confidence.EXACT, "day > 1")


def test_an_influence_is_masked_if_it_is_in_each_condition() -> None:
    hidden, shown = condition("count(day) > 1", masking=True), condition("day > 1")
    (edge,) = build_edges((), (hidden, shown), "sums")
    assert (edge.masking, edge.expression) == (False, "day > 1")
    assert [each.masking for each in build_edges((), (hidden, hidden), "sums")] == [True]
