"""Lists and expressions whose names and literals look like structure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.plan.grammar.attribute_ids import escaped, unescaped
from eventlog_lineage.plan.grammar.literals import escape_literals
from eventlog_lineage.plan.grammar.readings import (
    argument_cost,
    best_items,
    best_readings,
    call_cost,
    is_suspicious,
    named_cost,
)


@pytest.mark.parametrize(
    ("items", "count"),
    [
        (["concat((, status#2) AS x#9", "b#3"], None),
        (["concat(range [0, , qty#3) AS w#5", "b#10"], None),
        (["concat(a#1, () AS x#4", "concat(b#2, [) AS y#5", "concat(b#2, )) AS z#6"], None),
        (["sequence(w#236, (w#236 + 3), None) AS v#9", "sum(v)#238 AS x#1, y#2#92", "p#240 AS c)#93"], 3),
    ],
)
def test_a_list_is_cut_where_its_items_are_most_plausible(items: list[str], count: int | None) -> None:
    assert best_items(", ".join(items), count, named_cost) == items


def test_known_attributes_end_their_items() -> None:
    items = ["x#1, y#2#97", "d#104"]
    assert best_items(", ".join(items), 2, lambda: named_cost({"d#104"})) == items


def test_functions_and_arguments_are_cut_at_their_brackets() -> None:
    functions = ["partial_count(concat(a#1, ())", "partial_max(b#2)"]
    assert best_items(", ".join(functions), 2, call_cost) == functions
    arguments = [r"explode(split(status#5, \())", "[id#1]", "false", "[x#9]"]
    assert best_items(", ".join(arguments), None, argument_cost) == arguments


@pytest.mark.parametrize(
    ("text", "structure"),
    [
        ("CASE WHEN (status#1 = :() THEN a#2 ELSE b#3 END", "CASE WHEN (status#1 = :_) THEN a#2 ELSE b#3 END"),
        ("concat(CASE WHEN , a#1)", "concat(CASE_WHEN_, a#1)"),
        ("CASE WHEN (a#1 = x) THEN  END ELSE b#3 END", "CASE WHEN (a#1 = x) THEN _END ELSE b#3 END"),
        (r"split(status#5, \()", r"split(status#5, \_)"),
        ("replace(country#2, paid, (y)", "replace(country#2, paid, _y)"),
        ("sort_array(array(b#1, )), true)", "sort_array(array(b#1, _), true)"),
        (
            "sequence(cast(f(z#1, if () as int), (cast(f(z#1, if () as int) + 3), None, Some(Etc/UTC))",
            "sequence(cast(f(z#1, if__) as int), (cast(f(z#1, if__) as int) + 3), None, Some(Etc/UTC))",
        ),
        (
            "transform(t#1, lambdafunction(concat(lambda e#6, ):), lambda e#6, false))",
            "transform(t#1, lambdafunction(concat(lambda e#6, _:), lambda e#6, false))",
        ),
    ],
)
def test_brackets_and_keywords_that_fit_nowhere_are_literals(text: str, structure: str) -> None:
    found = escape_literals(text).text
    assert "".join(char if unescaped(char) == char else "_" for char in found) == structure
    assert unescaped(found) == text


@given(st.text(alphabet="ab(),[]# .:<>é表", max_size=40))
def test_escapes_are_undone_and_keep_the_length(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert len(escaped(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("endswith(CASE WHEN contains(s#1, () THEN a#2 ELSE b#3 END, s))", True),
        ("concat_ws((y), a#1, :(, b#2))", True),
        ("(a#1 + f(b#2)) IN (1,2,3)", False),
        ("*(1) Filter (isnotnull(a#1) AND NOT (b#2 = x))", False),
    ],
)
def test_brackets_of_literals_that_cancel_each_other_are_suspicious(text: str, expected: bool) -> None:
    assert is_suspicious(text) is expected


@pytest.mark.parametrize(
    "items",
    [
        ["exists(a#1, ((, false) AS s#2", "b#3 INSET a, b, c, d, e, f, g, h AS y#4"],
        ["regexp_extract(a#1, (x)\\(, 1) AS sum(q#3)#12#7", "replace(b#2, ):, plain) AS w#8"],
    ],
)
def test_a_list_is_split_at_the_ends_of_aliases_whose_expressions_have_open_brackets(items: list[str]) -> None:
    assert best_items(", ".join(items), None, named_cost) == items


def test_an_attribute_of_the_plan_is_not_the_end_of_a_name() -> None:
    items = ["concat_ws(:), c#1, plain) AS w#2", "d#3 AS v#4"]
    assert best_items(", ".join(items), 2, lambda: named_cost(["c#1", "d#3"])) == items


def test_an_alias_that_nothing_uses_is_part_of_a_literal() -> None:
    text = "k#1, concat(a#2,  AS z#9, x) AS y#3"
    assert best_items(text, None, lambda: named_cost(unused=["z#9"])) == ["k#1", "concat(a#2,  AS z#9, x) AS y#3"]


def test_of_two_readings_as_cheap_the_other_one_is_known() -> None:
    assert best_readings("a, b, c", 2, argument_cost) == (["a", "b, c"], ["a, b", "c"])
    assert best_readings("a#1, b#2", 2, named_cost)[1] == []
