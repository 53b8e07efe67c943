"""Queries that write nothing are consumers of what they read: in `downstream`, `impact` and the view `consumers`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from support.stores.content import rows
from support.stores.memory import MemoryStore
from support.stores.nights import Night

RAW, SALES = "spark_catalog.db.raw", "spark_catalog.db.sales"
ASKED = "SELECT job_name, user_name, CAST(last_read AS VARCHAR), columns, dependency, depth, source_dataset"


@pytest.fixture(scope="module")
def store() -> Iterator[MemoryStore]:
    """Raw feeds sales; a dashboard reads sales, an analyst filters raw by region and counts its rows.

    One statement is of another user of the server.
    """
    made = Night()
    made.app()
    made.app("server", "thrift-server", user_name="ana")
    edges = [(f"{RAW}!amount", "total", "AGGREGATION"), (f"{RAW}!email", "h", "TRANSFORMATION", "sha2(raw.email)")]
    made.statement(edges, target=SALES)
    for row in made.rows["lineage_edges"]:
        row["masking"] = row["expression"] == "sha2(raw.email)"
    served = {"app": "server"}
    made.statement([(f"{SALES}!total", "total", "IDENTITY")], **served, execution=1, description="dashboard", minute=9)
    made.statement([(f"{SALES}!h", "h", "IDENTITY")], **served, execution=2, description="list", minute=10)
    made.statement([(f"{RAW}!region", "", "FILTER")], **served, execution=3, description="count", minute=11)
    made.statement([(f"{RAW}!amount", "a", "IDENTITY")], **served, execution=4, description="broken", status="failed")
    made.rows["executions"][-3]["user_name"] = "bo"  # the server's statement of another user
    kept = MemoryStore()
    made.harvest(kept)
    yield kept
    kept.close()


def test_downstream_lists_who_reads_a_derived_column(store: MemoryStore) -> None:
    found = rows(store, f"{ASKED} FROM downstream('raw.amount') WHERE target_dataset IS NULL")
    job = "thrift-server: dashboard"
    assert found == [(job, "ana", "2026-11-18 01:09:00", ["total"], "DIRECT", 2, SALES)]


def test_a_reader_that_only_filters_is_a_consumer_by_influence(store: MemoryStore) -> None:
    found = rows(store, f"{ASKED} FROM downstream('raw.region') WHERE target_dataset IS NULL")
    assert [(row[0], row[3], row[4], row[5]) for row in found] == [("thrift-server: count", ["region"], "INDIRECT", 1)]
    assert rows(store, "FROM downstream('raw.region', direct_only := true)") == []


def test_a_failed_query_is_no_consumer(store: MemoryStore) -> None:
    assert rows(store, "SELECT DISTINCT job_name FROM consumers WHERE job_name LIKE '%broken%'") == []


def test_a_dataset_has_the_consumers_of_all_its_columns_and_of_what_it_feeds(store: MemoryStore) -> None:
    query = "SELECT DISTINCT job_name, source_dataset, columns FROM downstream('db.raw') WHERE target_dataset IS NULL"
    assert {(job.rpartition(" ")[2], name, *columns) for job, name, columns in rows(store, query)} == {
        ("count", RAW, "region"),
        ("dashboard", SALES, "total"),
        ("list", SALES, "h"),
    }


def test_impact_has_a_row_per_consumer_with_whether_it_sees_masked_values(store: MemoryStore) -> None:
    query = "SELECT kind, dataset, jobs, reads, user_name, last_read, masked, dependency FROM impact('raw.email')"
    assert rows(store, query) == [
        ("column", SALES, ["nightly sales: sales InsertInto"], None, None, None, True, "DIRECT"),
        ("consumer", None, ["thrift-server: list"], SALES, "bo", datetime(2026, 11, 18, 1, 10), True, "DIRECT"),
    ]


def test_a_consumer_beyond_the_depth_is_left_out(store: MemoryStore) -> None:
    query = "FROM downstream('raw.amount', max_depth := 1) WHERE target_dataset IS NULL"
    assert rows(store, query) == []


def test_the_view_of_consumers_has_a_row_per_job_user_and_dataset(store: MemoryStore) -> None:
    found = rows(store, "SELECT dataset, job_name, user_name, columns FROM consumers ORDER BY job_name")
    assert found == [
        (RAW, "thrift-server: count", "ana", ["region"]),
        (SALES, "thrift-server: dashboard", "ana", ["total"]),
        (SALES, "thrift-server: list", "bo", ["h"]),
    ]
