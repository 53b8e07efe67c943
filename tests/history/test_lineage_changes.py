from __future__ import annotations

import pytest

from eventlog_lineage.history.evolution import KnownEdge, Renames, compare

ORDERS = "spark_catalog.shop.orders"


def edge(source: str, target: str, kind: str = "IDENTITY", pattern: str = "", dataset: str = ORDERS) -> KnownEdge:
    direct = kind in {"IDENTITY", "TRANSFORMATION", "AGGREGATION"}
    text = pattern or f"orders.{source}"
    return KnownEdge(dataset, source, target or None, "DIRECT" if direct else "INDIRECT", kind, text, text)


def words(*changes: object) -> list[str]:
    return [f"{each.change} {each.source_column} {each.target_column}" for each in changes]  # type: ignore[attr-defined]


def test_equal_edges_are_no_change() -> None:
    assert compare([edge("a", "x")], [edge("A", "X")], "t") == []


def test_edges_come_and_go() -> None:
    found = compare([edge("a", "x"), edge("b", "", "FILTER")], [edge("a", "x"), edge("c", "y")], "t")
    assert words(*found) == ["edge_added c y", "edge_removed b None"]


def test_another_expression_over_the_same_columns_is_a_changed_expression() -> None:
    before, after = edge("a", "x", "AGGREGATION", "sum(orders.a)"), edge("a", "x", "AGGREGATION", "max(orders.a)")
    (change,) = compare([before], [after], "t")
    assert (change.change, change.old_value, change.new_value) == (
        "expression_changed",
        "sum(orders.a)",
        "max(orders.a)",
    )


def test_a_cast_more_keeps_the_edge() -> None:
    after = edge("a", "x", "TRANSFORMATION", "cast(orders.a as bigint)")
    assert words(*compare([edge("a", "x")], [after], "t")) == ["expression_changed None x"]


def test_a_column_without_a_source_is_no_edge() -> None:
    made = KnownEdge(None, None, "day", None, None, "?", "?")
    assert compare([], [made], "t") == []


def test_a_renamed_column_is_the_same_one() -> None:
    renames = Renames({}, {(ORDERS, "a"): "amount"})
    before = [edge("a", "x", "AGGREGATION", "sum(orders.a)"), edge("a.b", "y")]
    after = [edge("amount", "x", "AGGREGATION", "sum(orders.amount)"), edge("amount.b", "y")]
    assert compare(before, after, "t", renames) == []


def test_a_renamed_target_column_is_the_same_one() -> None:
    assert compare([edge("a", "x")], [edge("a", "z")], "t", Renames({}, {("t", "x"): "z"})) == []


def test_a_renamed_table_is_the_same_one() -> None:
    new = "spark_catalog.shop.sales"
    after = edge("a", "x", pattern="sales.a", dataset=new)
    assert compare([edge("a", "x")], [after], "t", Renames({ORDERS: new}, {})) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum((cast(o.a as decimal(11,2)) - cast(o.d as decimal(11,2))))", "sum((o.a - o.d))"),
        ("cast(cast((avg(o.a) / ?) as decimal(14,6)) as decimal(14,6))", "cast((avg(o.a) / ?) as decimal(14,6))"),
        ("collect_list(struct(id, o.a), ?, ?)", "collect_list(struct(id, o.a), ?, ?, ?)"),
        ("cast(o.a as decimal(20,2)))", "o.a)"),
    ],
)
def test_what_another_version_of_spark_prints_otherwise_is_no_change(old: str, new: str) -> None:
    before, after = edge("a", "x", "AGGREGATION", old), edge("a", "x", "AGGREGATION", new)
    assert compare([before], [after], "t", other_spark=True) == []
    assert words(*compare([before], [after], "t")) == ["expression_changed None x"]


def test_another_expression_under_another_version_of_spark_is_a_change_all_the_same() -> None:
    before, after = edge("a", "x", "AGGREGATION", "sum(o.a)"), edge("a", "x", "AGGREGATION", "max(o.a)")
    assert words(*compare([before], [after], "t", other_spark=True)) == ["expression_changed None x"]
