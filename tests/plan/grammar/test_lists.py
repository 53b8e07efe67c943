"""Lists are cut into their items, whatever the items hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.plan.grammar.symbols import (
    split_functions,
    split_items,
    split_named,
    without_truncation,
)
from support.plans.strategies import literals, names

texts = st.one_of(literals, st.text(), st.lists(names, max_size=5).map(", ".join))
counts = st.one_of(st.none(), st.integers(0, 6))


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("", []),
        ("a#1", ["a#1"]),
        ("a#1, b#2L", ["a#1", "b#2L"]),
        ("coalesce(a#1, b#2) AS c#3, d#4", ["coalesce(a#1, b#2) AS c#3", "d#4"]),
        ("[a#1, b#2], 3", ["[a#1, b#2]", "3"]),
        ("f(g(a#1, 2), [b#2, 3]), x", ["f(g(a#1, 2), [b#2, 3])", "x"]),
        ("a), b", ["a)", "b"]),
    ],
)
def test_brackets_keep_an_item_together(text: str, items: list[str]) -> None:
    assert split_items(text) == items


@pytest.mark.parametrize(
    ("items", "why"),
    [
        (["a, b#1", "c#2"], "a name with a comma"),
        (["(p#1", "q)#2"], "names with brackets that do not close"),
        (["sum(v#1)#2", "c#3L"], "a name that looks like a call"),
        (["mean(v#1162)#1163#1164", "k#1"], "a name that holds two ids"),
        (["k#1 INSET 1, 2 AS b#2", "c#3"], "a set without brackets"),
        (["concat(a#1, , [x], #5 ) AS c#2", "a#1"], "a literal with commas and brackets"),
        (["cast(a#1 as int) AS x#2", "CAST(b#3 AS DECIMAL(12,2))#4", "c#5"], "an AS inside a name"),
        (["ts#1-T600000ms", "b#2"], "an attribute with a watermark"),
    ],
)
def test_a_count_tells_which_comma_is_an_items_own(items: list[str], why: str) -> None:
    assert split_named(", ".join(items), len(items)) == items, why


def test_functions_have_no_names() -> None:
    assert split_functions("sum(a#1), count(distinct b#2, c#3)", 2) == ["sum(a#1)", "count(distinct b#2, c#3)"]
    assert split_functions("max(concat(a#1, ()), min(b#2)", 2) == ["max(concat(a#1, ())", "min(b#2)"]


def test_cut_lists_say_how_much_is_missing() -> None:
    assert without_truncation(["a#1", "b#2", "... 37 more fields"]) == (["a#1", "b#2"], 37)
    assert without_truncation(["... 37 more fields", "a#1"]) == (["... 37 more fields", "a#1"], 0)
    assert without_truncation([]) == ([], 0)


@given(texts, counts)
def test_items_are_the_whole_text(text: str, count: int | None) -> None:
    assert ", ".join(split_items(text, count)) == text
    assert ", ".join(split_named(text, count)) == text
    assert ", ".join(split_functions(text, count)) == text


@given(st.lists(names, min_size=1, max_size=6))
def test_attributes_of_any_name_are_told_apart_by_their_count(found: list[str]) -> None:
    items = [f"{name}#{index}" for index, name in enumerate(found)]
    text = ", ".join(items)
    assert split_named(text, len(items)) == items


def test_values_of_a_set_belong_to_their_item_also_in_a_list_without_a_count() -> None:
    text = "t#1 AS v#2, t#1 INSET a, b, x AS x#3, w#4"
    assert split_named(text, None) == ["t#1 AS v#2", "t#1 INSET a, b, x AS x#3", "w#4"]
