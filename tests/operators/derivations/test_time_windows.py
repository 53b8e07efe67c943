"""The bounds of `window(at, …)` have no condition: Spark computes them by a CASE, which no statement has."""

from __future__ import annotations

import pytest

from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.plan.grammar.parser import parse_expression

AT = "precisetimestampconversion(at#1, TimestampType, LongType)"
REST = f"(({AT} - 0) % 300000000)"
BUCKET = f"({AT} - CASE WHEN ({REST} < 0) THEN ({REST} + 300000000) ELSE {REST} END)"
CEILING = f"(cast(({AT} - 0) as double) / 3.0E8)"
OLDER = f"CASE WHEN (cast(CEIL({CEILING}) as double) = {CEILING}) THEN (CEIL({CEILING}) + 1) ELSE CEIL({CEILING}) END"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"named_struct(start, precisetimestampconversion({BUCKET}, LongType, TimestampType))", {"TRANSFORMATION"}),
        (OLDER, {"TRANSFORMATION"}),
        ("CASE WHEN (at#1 > 0) THEN at#1 END", {"CONDITIONAL", "TRANSFORMATION"}),
    ],
)
def test_the_bounds_of_a_window_depend_on_the_time_without_a_condition(text: str, kinds: set[str]) -> None:
    references = analyze(parse_expression(text, {1: ("at",)})).references
    assert {reference.kind for reference in references} == kinds
