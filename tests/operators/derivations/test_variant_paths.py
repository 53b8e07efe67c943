"""Paths of VARIANTs as nested fields."""

from __future__ import annotations

import pytest

from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.plan.grammar.parser import parse_expression


def fields(text: str) -> list[tuple[int, str]]:
    names = {1: ("v",), 2: ("k",)}
    return [
        (reference.expr_id, ".".join(reference.path)) for reference in analyze(parse_expression(text, names)).references
    ]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("$.a", "a"),
        ("$.a.b[0].c", "a.b.c"),
        ("$['a b']", "a b"),
        ('$["x, y"].z', "x, y.z"),
        ("$", ""),
        ("$[3]", ""),
        ("$.größe", "größe"),
        ("a.b", ""),
        ("$.", ""),
    ],
)
def test_a_literal_path_is_a_nested_field(path: str, field: str) -> None:
    text = f"variant_get(v#1, {path}, DecimalType(10,2), true, Some(Etc/UTC))"
    assert fields(text) == [(1, field)]


def test_the_path_of_a_path_is_nested_in_it() -> None:
    inner = "variant_get(v#1, $.a, VariantType, true, None)"
    assert fields(f"try_variant_get({inner}, $.b[1].c, IntegerType, false, None)") == [(1, "a.b.c")]


def test_an_element_of_an_array_of_variants_has_the_field_and_the_index() -> None:
    assert fields("variant_get(v#1[k#2], $.a, IntegerType, true, None)") == [(1, "a"), (2, "")]


def test_a_computed_path_and_the_variant_are_sources() -> None:
    text = "variant_get(v#1, concat($., k#2), IntegerType, true, None)"
    assert fields(text) == [(1, ""), (2, "")]
