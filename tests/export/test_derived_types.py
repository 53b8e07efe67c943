"""Types that follow from the expressions that make a column, whichever statement shows those of its sources."""

from __future__ import annotations

import pytest

from eventlog_lineage.export.datasets import Column, Made, derived_types

ORDERS, LINES = "spark_catalog.shop.orders", "postgres://db1:5432/shop.sales.lines"
KNOWN: dict[Column, str] = {
    (ORDERS, "amount"): "decimal(10,2)",
    (ORDERS, "id"): "bigint",
    (ORDERS, "address.city"): "string",
    (LINES, "price"): "double",
    ("t", "made"): "",
}


def no_user(function: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("expression", "sources", "kind"),
    [
        ("", [(ORDERS, "amount")], "decimal(10,2)"),
        ("sum(orders.amount)", [(ORDERS, "amount")], "decimal(20,2)"),
        ("max(Orders.ID)", [(ORDERS, "id")], "bigint"),
        ("upper(orders.note)", [(ORDERS, "note")], "string"),
        ("(shop.sales.lines.price * 2.0)", [(LINES, "price")], "double"),
        ("max(orders.address.city)", [(ORDERS, "address.city")], "string"),
        (
            "CASE WHEN (orders.id = 1) THEN orders.amount ELSE 0.00 END",
            [(ORDERS, "amount"), (ORDERS, "id")],
            "decimal(10,2)",
        ),
        ("cast(sum(orders.amount) as decimal(20,2))", [(ORDERS, "amount")], "decimal(20,2)"),
        ("sum(orders.note)", [(ORDERS, "note")], ""),
        ("max(orders.amount)", [(ORDERS, "id")], ""),
        ("max(orders.id.part)", [(ORDERS, "id")], ""),
        ("max(orders.amount) | orders …", [(ORDERS, "amount")], ""),
        ("sum(orders.amount) | max(orders.id)", [(ORDERS, "amount"), (ORDERS, "id")], ""),
    ],
)
def test_a_type_follows_from_the_expression(expression: str, sources: list[Column], kind: str) -> None:
    made = {("t", "made"): {Made(expression, tuple(sources))}}
    assert derived_types(KNOWN, made, no_user).get(("t", "made"), "") == kind


def test_a_function_of_a_user_has_no_type() -> None:
    made = {("t", "made"): {Made("median(shop.sales.lines.price)", ((LINES, "price"),))}}
    assert derived_types(KNOWN, made, no_user)["t", "made"] == "double"
    assert ("t", "made") not in derived_types(KNOWN, made, "median".__eq__)


def test_types_follow_over_several_steps_and_only_where_all_ways_agree() -> None:
    made = {
        ("a", "x"): {Made("", ((ORDERS, "id"),))},
        ("b", "x"): {Made("sum(a.x)", (("a", "x"),))},
        ("c", "x"): {Made("", (("b", "x"),)), Made("", ((ORDERS, "amount"),))},
    }
    found = derived_types(KNOWN, made, no_user)
    assert (found["a", "x"], found["b", "x"]) == ("bigint", "bigint")
