"""Arrays that have the elements of several arrays."""

from __future__ import annotations

import pytest

from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.operators.derivations.kept_structs import combined_arrays
from eventlog_lineage.plan.grammar.parser import parse_expression

NAMES = {1: ("a",), 2: ("b",), 3: ("n",)}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("concat(a#1, b#2)", 2),
        ("explode(concat(a#1, slice(b#2, 1, 3)))", 2),
        ("array_insert(a#1, n#3, named_struct(x, n#3))", 2),
        ("array_remove(a#1, b#2)", 1),
        ("coalesce(a#1, [])", 1),
        ("concat(a#1, upper(b#2))", 0),
        ("upper(a#1)", 0),
        ("array_append(a#1)", 0),
    ],
)
def test_the_arrays_of_a_function_are_its_arguments_with_elements(text: str, count: int) -> None:
    assert len(combined_arrays(parse_expression(text, NAMES))) == count


def test_a_field_of_such_an_array_is_that_field_of_each() -> None:
    found = analyze(parse_expression("array_union(a#1, b#2)[0].x", NAMES))
    assert [(each.expr_id, each.path) for each in found.references] == [(1, ("x",)), (2, ("x",))]


def test_deeply_nested_arrays_are_not_followed() -> None:
    text = "concat(" * 3000 + "a#1, b#2" + ", a#1)" * 2999 + ")"
    assert analyze(parse_expression(text, NAMES)).combined == ()
