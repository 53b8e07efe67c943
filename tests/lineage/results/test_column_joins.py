"""The pairs of columns that joins compare, from plans of real Sparks in both text forms."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import Transformation
from support.goldens import FIXTURES
from support.stores.memory import MemoryStore
from support.stores.nights import Night

SAME = "orders.customer_id = customers.customer_id"

JOINS = {
    "join/inner": [SAME],
    "join/semi": [SAME],
    "join/anti": [SAME],
    "join/existence": [SAME],
    "join/full_using": ["orders.order_id = days.order_id"],
    "join/intersect": ["orders.order_id <=> customers.customer_id"],
    "join/not_equal": ["orders.customer_id < customers.customer_id"],
    "join/pruned": ["days.day = orders.customer_id"],
    "join/sort_merge": [SAME, "orders.status != customers.name"],
    "join/stream": ["events.order_id = events.order_id", "events.amount > events.amount", "events.at > events.at"],
    "lance/merge": ["orders.id = updates.id"],
    "lateral_join/correlated": ["customers.customer_id = orders.customer_id"],
    "logical_operators/except": ["customers.customer_id <=> orders.customer_id"],
    "logical_operators/exists": ["days.order_id = orders.order_id", "customers.customer_id = orders.customer_id"],
    "logical_operators/in_subquery": [SAME],
    "logical_operators/join": [SAME],
    "merge_rows/all_clauses": ["orders.id = updates.id"],
    "merge_rows/by_source": ["orders.id = updates.id"],
    "paimon/update_where_in": ["orders.cust = customers.id"],
    "reused_exchange/self_join": ["orders.customer_id = orders.customer_id"],
    "union/except_all": ["orders.customer_id <=> customers.customer_id", "orders.status <=> customers.name"],
    "union/intersect_all_extended": [
        "orders.customer_id <=> customers.customer_id",
        "orders.status <=> customers.name",
    ],
}
"""Fixture to its joins, by the query in `scripts/operator_cases`; all versions of Spark have the same."""


def last_word(dataset: str) -> str:
    """Give the name of a table or folder without what is before it."""
    return dataset.replace("/", ".").rpartition(".")[2]


@pytest.mark.parametrize("case", JOINS)
def test_a_join_has_the_columns_of_both_sides(case: str) -> None:
    plans = sorted(FIXTURES.glob(f"{case}.?.?.plan")) or sorted(FIXTURES.glob(f"{case}.*.plan"))
    assert plans
    for plan in plans:
        lineage = trace_texts(plan.read_text())
        found = [
            f"{last_word(each.left_dataset)}.{each.left_column} {each.operator} "
            f"{last_word(each.right_dataset)}.{each.right_column}"
            for each in lineage.joins
        ]
        assert found == JOINS[case], plan.name
        sources = {(edge.source_dataset, edge.source_column) for edge in lineage.edges if edge.target_column is None}
        for each in lineage.joins:
            assert {(each.left_dataset, each.left_column), (each.right_dataset, each.right_column)} <= sources


def is_join(transformation: Transformation | None) -> bool:
    """Give whether an edge is of a join's condition."""
    return transformation is Transformation.JOIN


def test_each_equality_is_one_condition_with_both_columns() -> None:
    lineage = trace_texts((FIXTURES / "join" / "sort_merge.3.5.plan").read_text())
    joins = [(edge.source_column, edge.expression) for edge in lineage.edges if is_join(edge.transformation)]
    equal, other = "(orders.customer_id = customers.customer_id)", "NOT (customers.name = orders.status)"
    assert joins == [("customer_id", equal), ("customer_id", equal), ("name", other), ("status", other)]


def test_the_joins_of_a_job_are_symmetric_and_count_its_succeeded_runs(new_store: MemoryStore) -> None:
    a, b = "spark_catalog.raw.a", "spark_catalog.raw.b"
    night = Night()
    night.app()
    edges = [(f"{a}!x", "y", "IDENTITY"), (f"{a}!k", "", "JOIN"), (f"{b}!k", "", "JOIN")]
    shape = night.statement(edges, target="spark_catalog.mart.c", minute=1)
    night.statement(edges, target="spark_catalog.mart.c", minute=2, execution=2, new=False)
    night.statement(edges, target="spark_catalog.mart.c", minute=3, execution=3, new=False, status="failed")
    night.add(
        "lineage_joins",
        lineage_fingerprint=shape,
        left_dataset=b,
        left_column="k",
        right_dataset=a,
        right_column="k",
        operator="<",
        expression="(b.k < a.k)",
    )
    night.harvest(new_store)
    joins = new_store.rows("SELECT * EXCLUDE (job_name, first_seen, last_seen) FROM column_joins")
    assert joins == [(a, "k", b, "k", ">", "(b.k < a.k)", 2)]
