"""Calls whose arguments Spark cut."""

from __future__ import annotations

import time

import pytest

from eventlog_lineage.plan.grammar.symbols import completed, truncated_calls


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("coalesce(a#1L, b#2L, ... 36 more fields) AS co#4", [("coalesce", 36)]),
        ("hash(upper(concat(a#1, b#2, ... 3 more fields)), c#3)", [("concat", 3)]),
        ("(a#1 + greatest(b#2, f(c#3, 4), ... 7 more fields))", [("greatest", 7)]),
        ("(a#1 AND b#2 INSET 0, 1, 10, ... 76 more fields)", []),
        ("if(b#2 INSET 0, 1, 10, ... 76 more fields, a#1, c#3)", []),
        ("5 IN (a#1,b#2L,... 5 more fields)", [("IN", 5)]),
        ("a#1 IN (1,2,... 5 more fields)", []),
        ("upper(a#1)", []),
        ("concat(a#1, , ... 36 more fields) AS odd#5", [("concat", 36)]),
        (", ... 36 more fields)", []),
    ],
)
def test_a_cut_call_is_found_and_a_cut_set_of_literals_is_none(text: str, found: list[tuple[str, int]]) -> None:
    assert [(call.function, call.missing) for call in truncated_calls(text)] == found


def test_hostile_brackets_cost_little_time() -> None:
    text = ")" * 300_000 + ", ... 1 more fields)" * 3_000
    begin = time.process_time()
    assert list(truncated_calls(text)) == []
    assert time.process_time() - begin < 5


INPUT = {number: f"c{number}" for number in range(1, 8)}


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("hash(c1#1L, c2#2L, c3#3L, ... 3 more fields) AS h#9", "hash(c1#1L, c2#2L, c3#3L, c4#4, c5#5) AS h#9"),
        (
            "concat_ws(-, cast(c1#1 as string), cast(c2#2 as string), cast(c3#3 as string), ... 1 more fields)",
            "concat_ws(-, cast(c1#1 as string), cast(c2#2 as string), cast(c3#3 as string), cast(c4#4 as string))",
        ),
        (
            "struct(c1, c1#1, c2, c2#2, c3, c3#3, ... 4 more fields)",
            "struct(c1, c1#1, c2, c2#2, c3, c3#3, c4, c4#4, c5, c5#5)",
        ),
        (
            "struct(c1, c1#1, c2, c2#2, c3, c3#3, c4, ... 1 more fields)",
            "struct(c1, c1#1, c2, c2#2, c3, c3#3, c4, c4#4)",
        ),
        ("hash(c1#1, c2#2, c3#3, ... 9 more fields)", None),
        ("hash(c3#3, c2#2, c1#1, ... 2 more fields)", None),
        ("hash(c1#1, c2#2, upper(c3#3), ... 2 more fields)", None),
        ("hash(c1#1, c2#2, ... 2 more fields)", None),
        ("hash((c1#1 + c2#2), (c2#2 + c3#3), (c3#3 + c4#4), ... 2 more fields)", None),
    ],
)
def test_arguments_that_follow_the_inputs_columns_tell_those_that_are_missing(text: str, whole: str | None) -> None:
    (call,) = truncated_calls(text)
    assert completed(text, call, INPUT) == whole


def test_the_order_of_a_sorted_input_is_not_that_of_the_arguments() -> None:
    """A cached table's scan orders its columns by name (3.1), `c1, c10, c11`; the relation's ids follow each other."""
    names = sorted(f"c{number}" for number in range(1, 31))
    text = f"greatest({', '.join(f'c{number}#{number}' for number in range(1, 25))}, ... 3 more fields)"
    (call,) = truncated_calls(text)
    whole = completed(text, call, {int(name[1:]): name for name in names})
    assert whole is not None
    assert whole.endswith("c24#24, c25#25, c26#26, c27#27)")
