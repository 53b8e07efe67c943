"""Names that are the text of their expression."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.grammar.name_evidence import names_of_children, with_names_of_children


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[concat(#1, a#2) AS concat(#1, a)#3]\n[concat(#1, a)#3, concat(#1, a)#4]", {3, 4}),
        ("[a#2, concat(x#1, a#2) AS concat(x#1, a)#3L, b#5]", {3}),
        ("[f():, a#2, b#5) AS f():, a#2, b#5)#6, c#7]\n[[f():, a#2, b#5)#6, null]]", {6}),
    ],
)
def test_a_name_that_is_its_expression_ends_where_that_ends(text: str, names: set[int]) -> None:
    assert names_of_children(text).keys() == names


@pytest.mark.parametrize(
    "text",
    [
        "[upper(a#1) AS upper(a)#2]",
        "keys=[upper(a#1) AS upper(a#1)#2]",
        "[concat(x#1, a#2) AS y#3, concat(x#1, a)#4]",
    ],
)
def test_other_names_are_left_to_the_reader_of_lists(text: str) -> None:
    assert names_of_children(text) == {}


def test_parts_of_such_names_and_of_calls_with_columns_are_no_names() -> None:
    text = "[concat(#1, a#2) AS concat(#1, a)#3]"
    found = {1: "concat(#1", 2: "a#2", 12: "f(c)#7, x#12"}
    assert with_names_of_children(found, text, ["c)#7"]) == {2: "a#2", 3: "concat(#1, a)#3"}
