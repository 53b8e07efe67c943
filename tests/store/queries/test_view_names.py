"""A temporary view that is named like a table does not stand for the table."""

from __future__ import annotations

from pathlib import Path

from support.stores.content import rows
from support.stores.nights import Night

ORDERS, DAILY = "spark_catalog.staging.orders", "spark_catalog.sales.daily"


def store_of(path: Path) -> Path:
    """`orders` is a table, and a temporary view over it of one application."""
    made = Night()
    made.app()
    made.statement([(f"{ORDERS}!amount", "total", "AGGREGATION")], target=DAILY, execution=1)
    made.statement(
        [(f"{ORDERS}!amount", "amount", "IDENTITY")],
        target="orders",
        mode="create",
        command="CreateViewCommand",
        execution=2,
    )
    made.statement([(f"{ORDERS}!id", "id", "IDENTITY")], target="recent", command="CreateViewCommand", execution=3)
    for row in made.rows["shown_datasets"]:
        if row["dataset"] in {"orders", "recent"}:
            row["kind"] = "temp_view"
    made.harvest(path)
    return path


def test_a_table_takes_precedence_over_a_temporary_view_of_its_name(tmp_path: Path) -> None:
    store = store_of(tmp_path)
    assert (DAILY, "total") in rows(store, "SELECT target_dataset, target_column FROM downstream('orders.amount')")
    assert rows(store, "SELECT DISTINCT dataset FROM find_names('orders')") == [(ORDERS,)]
    assert rows(store, "SELECT DISTINCT dataset FROM find_names('ORDERS.amount')") == [(ORDERS,)]
    assert rows(store, "SELECT DISTINCT dataset FROM find_names('recent')") == [("recent",)]
