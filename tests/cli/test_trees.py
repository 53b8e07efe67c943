"""Traces as trees and graphs."""

from __future__ import annotations

import io

import pytest

from eventlog_lineage.cli.drawing import Trace, cells, draw_tree
from eventlog_lineage.cli.output import Shown, show
from eventlog_lineage.store.queries.open_store import Answer

FIELDS = (
    "depth source_dataset source_column target_dataset target_column dependency transformation masking expression "
    "confidence job_name masked user_name last_read columns"
).split()


def edge(
    source: str, target: str | None, kind: str = "IDENTITY", expression: str = "", **facts: object
) -> dict[str, object]:
    """An edge; ends are `dataset!column`."""
    source_dataset, _, source_column = source.partition("!")
    target_dataset, _, target_column = (target or "").partition("!")
    known = {
        "source_dataset": source_dataset,
        "source_column": source_column or None,
        "target_dataset": target_dataset or None,
        "target_column": target_column or None,
        "dependency": "DIRECT" if kind in {"IDENTITY", "AGGREGATION", "TRANSFORMATION"} else "INDIRECT",
        "transformation": kind,
        "expression": expression,
        "job_name": "job",
    }
    return dict.fromkeys(FIELDS) | known | facts


def tree(edges: list[dict[str, object]], asked: str, *, up: bool = True, width: int | None = None) -> str:
    dataset, _, column = asked.partition("!")
    return "\n".join(draw_tree(edges, Trace(dataset, column, up), width))


SALES, ORDERS, RAW = "c.sales.daily", "c.staging.orders", "c.raw.orders"
TRACE = [
    edge(f"{ORDERS}!amount", f"{SALES}!total", "AGGREGATION", "sum(orders.amount)"),
    edge(f"{ORDERS}!day", SALES, "GROUP_BY", "orders.day"),
    edge(f"{RAW}!amount", f"{ORDERS}!amount", "TRANSFORMATION", "cast(orders.amount as int)", masked=True),
    edge(f"{RAW}!day", f"{ORDERS}!day"),
    edge(f"{RAW}!id", ORDERS, "FILTER", "isnotnull(orders.id)"),
]


def test_upstream_is_a_tree_of_sources_with_their_expressions() -> None:
    assert tree(TRACE, f"{SALES}!total") == (
        "sales.daily.total\n"
        "├─ staging.orders.amount  AGGREGATION\n"
        "│  │  sum(orders.amount)\n"
        "│  ├─ raw.orders.amount  TRANSFORMATION; masked\n"
        "│  │     cast(orders.amount as int)\n"
        "│  └─ raw.orders.id  FILTER\n"
        "│        isnotnull(orders.id)\n"
        "└─ staging.orders.day  GROUP_BY\n"
        "   │  orders.day\n"
        "   └─ raw.orders.day  IDENTITY"
    )


def test_downstream_shows_consumers_and_whole_datasets() -> None:
    reader = edge(RAW, None, "", job_name="dashboard", user_name="ana", columns=["id", "day"])
    assert tree([TRACE[4], reader], f"{RAW}!id", up=False) == (
        "raw.orders.id\n"
        "├─ staging.orders (all columns)  FILTER\n"
        "│     isnotnull(orders.id)\n"
        "└─ ◇ dashboard (ana) reads id, day"
    )


def test_what_is_drawn_already_is_not_drawn_again() -> None:
    edges = [
        edge("c.d.b!x", "c.d.a!x"),
        edge("c.d.c!x", "c.d.a!x"),
        edge("c.d.c!x", "c.d.b!x"),
        edge("c.d.a!x", "c.d.c!x"),
    ]
    assert tree(edges, "c.d.a!x") == (
        "d.a.x\n"
        "├─ d.b.x  IDENTITY\n"
        "│  └─ d.c.x  IDENTITY\n"
        "│     └─ d.a.x  IDENTITY (see above)\n"
        "└─ d.c.x  IDENTITY (see above)"
    )


def test_a_temporary_view_is_labelled() -> None:
    trace = Trace("c.d.a", "x", up=True, views=frozenset({"recent"}))
    assert list(draw_tree([edge("recent!x", "c.d.a!x")], trace))[1] == "└─ recent.x (temporary view)  IDENTITY"


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_chain_of_a_thousand_tables_fits_the_terminal(width: int) -> None:
    edges = [edge(f"c.schema.table_{n + 1}!x", f"c.schema.table_{n}!x", "IDENTITY", "y " * 99) for n in range(1000)]
    lines = tree(edges, "c.schema.table_0!x", width=width).splitlines()
    assert max(map(cells, lines)) <= width
    assert sum("table_" in line for line in lines) == 1001


def drawn(form: str, edges: list[dict[str, object]], asked: str, detail: str = "auto") -> str:
    dataset, _, column = asked.partition("!")
    rows = [tuple(edge.values()) for edge in edges]
    out = io.StringIO()
    show(Shown(Answer(tuple(FIELDS), rows), form, trace=Trace(dataset, column, up=False), detail=detail), out)
    return out.getvalue()


WIDE = [edge(f"c.d.t{n}!x{k}", f"c.d.t{n + 1}!x{k}") for n in range(200) for k in range(3)]


def test_many_tables_are_drawn_without_their_columns_and_the_asked_one_is_marked() -> None:
    text = drawn("mermaid", WIDE, "c.d.t0!x1")
    assert "%% 201 tables: columns are left out, --detail columns draws them" in text
    assert text.count("-->") == 200
    assert "subgraph" not in text
    assert "  class n0 asked\n" in text
    assert drawn("dot", WIDE, "c.d.t0!x1").count("->") == 200


def test_columns_of_many_tables_are_drawn_if_asked_for() -> None:
    assert drawn("mermaid", WIDE, "c.d.t0!x1", "columns").count("subgraph") == 201


def test_a_consumer_is_drawn_outside_of_the_tables() -> None:
    reader = edge(RAW, None, "", job_name="dashboard", user_name="ana", columns=["id"])
    text = drawn("mermaid", [TRACE[4], reader], f"{RAW}!id")
    assert '(["dashboard (ana)"])' in text
    assert 'label="dashboard (ana)", shape=ellipse' in drawn("dot", [TRACE[4], reader], f"{RAW}!id")
