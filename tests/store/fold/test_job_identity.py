"""A statement that a night lacks gives its name to no other statement."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.stores.memory import MemoryStore
from support.stores.nights import Night

ORDERS = "spark_catalog.raw.orders"
RUNS = "SELECT job_name, lineage_fingerprint, count(*) FROM executions GROUP BY ALL ORDER BY ALL"


@pytest.fixture
def store() -> Iterator[MemoryStore]:
    made = MemoryStore()
    yield made
    made.close()


def night_of(day: int, *, drops: bool) -> Night:
    """A night that loads the orders and counts them under one description, with or without a DROP before."""
    night = Night(day)
    night.app()
    facts = {"description": "load orders"}
    if drops:
        night.statement(target=ORDERS, mode="drop", command="DropTable", execution=1, **facts)
    night.statement([("s3://lake/raw!id", "id", "IDENTITY")], target=ORDERS, execution=2, **facts)
    night.statement([(f"{ORDERS}!id", "n", "AGGREGATION")], execution=3, **facts)
    return night


@pytest.mark.parametrize("nights", [(True, False), (False, True)])
def test_a_drop_that_finds_nothing_shifts_no_name(store: MemoryStore, nights: tuple[bool, bool]) -> None:
    for day, drops in enumerate(nights):
        night_of(day, drops=drops).harvest(store)
    names = {name: runs for name, _, runs in store.rows(RUNS)}
    expected = {"load orders": 2, "load orders (drop)": 1, "load orders #2": 2}
    assert names == {f"nightly sales: {name}": runs for name, runs in expected.items()}


def test_statements_with_equal_names_are_numbered(store: MemoryStore) -> None:
    night = night_of(0, drops=False)
    night.statement([("s3://lake/more!id", "id", "IDENTITY")], target=ORDERS, execution=4, description="load orders")
    night.harvest(store)
    assert "nightly sales: load orders #3" in {name for name, *_ in store.rows(RUNS)}
