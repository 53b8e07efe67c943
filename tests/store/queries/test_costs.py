"""What runs cost, by job, dataset and column, and what is written and never read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from eventlog_lineage.store.panels import PANELS
from eventlog_lineage.store.queries.inventory import unread
from support.stores.memory import MemoryStore
from support.stores.nights import Night
from support.stores.rows import rows

RAW, SALES, COPY = "spark_catalog.db.raw", "spark_catalog.db.sales", "spark_catalog.db.copy"


def cost(seconds: float, **more: int) -> dict[str, int]:
    """The columns of an execution that took so many seconds of executors."""
    names = ("input_bytes", "shuffle_read_bytes", "shuffle_write_bytes", "memory_spilled_bytes", "disk_spilled_bytes")
    return {
        "executor_run_ms": round(seconds * 1000),
        "executor_cpu_ms": round(seconds * 500),
        **dict.fromkeys(names, 0),
        **more,
    }


@pytest.fixture(scope="module")
def store() -> Iterator[MemoryStore]:
    """Sales is made of raw for 100 s and read by a query, except its column note; copy, for 40 s, is never read."""
    night = Night()
    night.app()
    edges = [(f"{RAW}!amount", "total", "AGGREGATION"), (f"{RAW}!note", "note", "IDENTITY")]
    spent = cost(100, shuffle_read_bytes=7, shuffle_write_bytes=5, disk_spilled_bytes=3)
    shape = night.statement(edges, target=SALES, execution=1, description="make sales", **spent)
    night.show(shape, SALES, "total:bigint", "note:string")
    night.statement(edges[:1], target=COPY, execution=2, description="make copy", **cost(40))
    night.statement([(f"{SALES}!total", "total", "IDENTITY")], execution=3, description="dashboard", **cost(1))
    night.statement(edges, target=SALES, execution=4, description="make sales", status="failed", new=False, **cost(9))
    kept = MemoryStore()
    night.harvest(kept)
    yield kept
    kept.close()


def test_a_job_costs_what_its_runs_cost_failed_ones_included(store: MemoryStore) -> None:
    query = (
        "SELECT job_name, runs, failed_runs, executor_run_ms, executor_cpu_ms, failed_run_ms, shuffle_write_bytes "
        "FROM job_costs ORDER BY executor_run_ms DESC"
    )
    found = [(job.rpartition(": ")[2], *rest) for job, *rest in rows(store, query)]
    assert found == [
        ("make sales", 2, 1, 109_000, 54_500, 9_000, 5),
        ("make copy", 1, 0, 40_000, 20_000, None, 0),
        ("dashboard", 1, 0, 1_000, 500, None, 0),
    ]


def test_a_dataset_costs_what_its_writers_cost(store: MemoryStore) -> None:
    query = "SELECT dataset, runs, executor_run_ms, last_read IS NOT NULL FROM dataset_costs ORDER BY dataset"
    assert rows(store, query) == [(COPY, 1, 40_000, False), (SALES, 2, 109_000, True)]


def test_columns_share_the_cost_of_their_dataset(store: MemoryStore) -> None:
    query = f"SELECT column_name, executor_run_ms, last_read IS NOT NULL FROM column_costs WHERE dataset = '{SALES}'"
    assert sorted(rows(store, query)) == [("note", 54_500, False), ("total", 54_500, True)]


def test_what_nobody_reads_has_its_cost(store: MemoryStore) -> None:
    query = "SELECT kind, dataset, column_name, executor_run_ms FROM unread_costs ORDER BY ALL"
    assert rows(store, query) == [("column", SALES, "note", 54_500), ("dataset", COPY, None, 40_000)]
    found = unread(store.opened, timedelta(0))
    assert {(row["dataset"], row["column_name"], row["executor_seconds"]) for row in found.records()} == {
        (COPY, None, 40.0),
        (SALES, "note", 54.5),
    }


def test_several_targets_of_a_statement_share_its_cost(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    shape = night.statement([(f"{RAW}!amount", "a", "IDENTITY")], target=SALES, **cost(10))
    night.add("lineage_io", lineage_fingerprint=shape, dataset=COPY, direction="write", mode="append", columns=["a"])
    night.harvest(new_store)
    assert rows(new_store, "SELECT dataset, executor_run_ms FROM dataset_costs ORDER BY 1") == [
        (COPY, 5000),
        (SALES, 5000),
    ]
    panel = next(panel.query for panel in PANELS if panel.name == "cost")
    found = rows(new_store, f"SELECT name, executor_seconds FROM ({panel}) WHERE kind = 'dataset' ORDER BY name")
    assert found == [(COPY, 5.0), (SALES, 5.0)]


def test_the_cost_panel_orders_by_executor_time(store: MemoryStore) -> None:
    panel = next(panel.query for panel in PANELS if panel.name == "cost")
    found = rows(store, f"SELECT kind, executor_seconds, cpu_seconds, shuffle_bytes, spilled_bytes FROM ({panel})")
    assert [row for row in found if row[0] == "job"] == [
        ("job", 109.0, 54.5, 7, 3),
        ("job", 40.0, 20.0, 0, 0),
        ("job", 1.0, 0.5, 0, 0),
    ]


def test_sums_beyond_64_bits_are_unknown_and_no_error(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    for number in range(3):
        huge = {"executor_run_ms": 2**63 - 1, "input_bytes": 2**63 - 1}
        night.statement([(f"{RAW}!a", "a", "IDENTITY")], target=SALES, execution=number, new=not number, **huge)
    night.harvest(new_store)
    assert rows(new_store, "SELECT executor_run_ms, input_bytes FROM job_costs") == [(None, None)]
    assert rows(new_store, "SELECT executor_run_ms FROM dataset_costs") == [(None,)]


def test_without_task_metrics_costs_are_unknown(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    night.statement([(f"{RAW}!a", "a", "IDENTITY")], target=SALES)
    night.harvest(new_store)
    assert rows(new_store, "SELECT executor_run_ms, executor_cpu_ms FROM job_costs") == [(None, None)]
    assert rows(new_store, "SELECT executor_run_ms FROM unread_costs") == [(None,)]
