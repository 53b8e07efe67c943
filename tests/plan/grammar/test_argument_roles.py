"""The arguments of operators by their roles, whatever Spark omits."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.grammar.forms import FORMS, read_form
from eventlog_lineage.plan.grammar.symbols import Field
from eventlog_lineage.plan.tree.nodes import PlanNode


def node(operator: str, arguments: str) -> PlanNode:
    return PlanNode(operator, operator, "", 1, {"Arguments": Field(arguments)})


@pytest.mark.parametrize(
    ("operator", "arguments", "expected"),
    [
        ("Sort", "[a#1 ASC NULLS FIRST, b#2 DESC NULLS LAST], true, 0", {"keys": ("a#1", "b#2")}),
        ("TakeOrderedAndProject", "5, [a#1 ASC NULLS FIRST]", {"keys": ("a#1",), "columns": ()}),
        ("Window", "[f(a#1) AS b#2], [k#3]", {"columns": ("f(a#1) AS b#2",), "partition": ("k#3",), "order": ()}),
        ("Window", "[f(a#1) AS b#2], [k#3 ASC NULLS FIRST]", {"partition": (), "order": ("k#3",)}),
        ("WindowGroupLimit", "[k#1L], [v#2 DESC NULLS LAST], row_number(), 2, Partial", {"partition": ("k#1L",)}),
        ("Aggregate", "[max(a#1) AS b#2]", {"keys": (), "columns": ("max(a#1) AS b#2",)}),
        ("Generate", "explode(a#1), false, [b#2]", {"required": (), "columns": ("b#2",)}),
        ("Generate", "explode(a#1), [c#3], false, [b#2]", {"required": ("c#3",), "columns": ("b#2",)}),
        ("AggregateInPandas", "[f(v#2)#3], [f(v#2)#3 AS m#4]", {"keys": (), "calls": ("f(v#2)#3",)}),
        ("HiveScriptTransformation", "[a#1], cat, [b#2], Schema()", {"input": ("a#1",), "columns": ("b#2",)}),
    ],
)
def test_each_argument_has_its_role(operator: str, arguments: str, expected: dict[str, tuple[str, ...]]) -> None:
    read = node(operator, arguments)
    assert {role: read.listed(role).items for role in expected} == expected


def test_a_truncated_list_has_the_number_of_its_missing_items() -> None:
    columns = node("Project", "[a#1, upper(b#2) AS c#3, ... 2 more fields]").listed("columns")
    assert (columns.items, columns.missing, columns.size) == (("a#1", "upper(b#2) AS c#3"), 2, 4)


def test_the_rows_of_an_expand_are_lists_in_both_of_sparks_forms() -> None:
    new, old = (
        node("Expand", "[[a#1, 0], [a#1, 1]], [b#2, c#3]"),
        node("Expand", "[List(a#1, 0), List(a#1, 1)], [b#2, c#3]"),
    )
    assert (
        [row.items for row in new.rows("rows")]
        == [row.items for row in old.rows("rows")]
        == [("a#1", "0"), ("a#1", "1")]
    )


def test_an_operator_without_a_form_has_no_roles() -> None:
    assert read_form("Coalesce", "1") == {}
    assert node("Coalesce", "1").arguments == ["1"]


def test_the_roles_of_an_operator_are_distinct() -> None:
    assert {name: form for name, form in FORMS.items() if len({slot.role for slot in form}) < len(form)} == {}
