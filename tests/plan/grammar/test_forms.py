"""Arguments of operators whose literals and names have commas: an Expand's rows have as many cells as its output."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.grammar.attribute_ids import unescaped
from eventlog_lineage.plan.grammar.forms import argument_form

KNOWN = {"w#5", "n#8", "a b#6"}


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (
            "0, substr(substr(a b#6, w#5, 7), n#8, 7), null, 3",
            ["0", "substr(substr(a b#6, w#5, 7), n#8, 7)", "null", "3"],
        ),
        ("null, substr(x, w#5, 7), null, 3", ["null", "substr(x, w#5, 7)", "null", "3"]),
        ("w#5, a, b, n#8, 3", ["w#5", "a, b", "n#8", "3"]),
        ("w#5, a, (b, n#8, 3", ["w#5", "a, (b", "n#8", "3"]),
    ],
)
def test_a_call_with_columns_is_one_cell_of_an_expand_and_so_is_what_stands_between_its_columns(
    row: str, cells: list[str]
) -> None:
    parts = argument_form(f"[[{row}]], [a#1, b#2, c#3, gid#4]", lambda text: text.split(", "), KNOWN)
    assert parts is not None
    assert [unescaped(cell) for cell in parts[1].items] == cells
