"""A plan knows every attribute that some list of it prints."""

from __future__ import annotations

from eventlog_lineage.plan.grammar.symbols import Field
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, Subquery, attribute_names


def node(**lists: tuple[str, ...] | str) -> PlanNode:
    """An operator with some lists and arguments."""
    fields = {
        label.replace("_", " "): Field(value) if isinstance(value, str) else Field(", ".join(value), len(value), value)
        for label, value in lists.items()
    }
    return PlanNode("X", "X", "", 1, fields)


def test_lists_name_attributes() -> None:
    plan = Plan(node(Output=("id#1L", "sum(v#2)#3", "x, y#4"), Input=("v#2",)))
    assert attribute_names(plan) == {1: ("id",), 2: ("v",), 3: ("sum(v#2)",), 4: ("x, y",)}


def test_an_alias_names_what_no_list_of_attributes_does() -> None:
    plan = Plan(node(Output=("(v#2 * 2) AS twice#5", "a#1 AS b AS c#6"), Input=("a#1", "b AS c#6")))
    assert attribute_names(plan)[5] == ("twice",)
    assert attribute_names(plan)[6] == ("b AS c",)


def test_one_id_may_have_several_names() -> None:
    plan = Plan(node(Input=("Total#1", "total#1", "Total#1")))
    assert attribute_names(plan) == {1: ("Total", "total")}


def test_arguments_name_what_nothing_else_does() -> None:
    plan = Plan(node(Arguments="[id#1L, (v#2 + 1) AS w#3, x(y)#4], parquet", Input=("ID#1L",)))
    assert attribute_names(plan) == {1: ("ID",), 3: ("w",)}


def test_a_sign_is_part_of_a_name_only_if_no_list_has_the_attribute_without_it() -> None:
    update = node(Arguments="table, [id#1L, -amount#2, ~flags#3], (id#1L = 2)")
    relation = node(Arguments="parquet, [id#1L, amount#2, flags#3, -odd#4], false")
    names = {1: ("id",), 2: ("amount",), 3: ("flags",), 4: ("-odd",)}
    assert attribute_names(Plan(update, (), (relation,))) == names


def test_subqueries_and_orphans_count() -> None:
    subquery = Subquery(7, 1, "Subquery subquery#7", node(Output=("b#2",)))
    plan = Plan(node(Output=("a#1",)), (subquery, Subquery(8, 1, "ReusedSubquery", None)), (node(Output=("c#3",)),))
    assert attribute_names(plan) == {1: ("a",), 2: ("b",), 3: ("c",)}


def test_numbers_that_are_no_ids_name_nothing() -> None:
    assert attribute_names(Plan(node(Output=(f"a#{'9' * 5000}", "a#", "a#1x")))) == {}
    assert attribute_names(Plan(None)) == {}
