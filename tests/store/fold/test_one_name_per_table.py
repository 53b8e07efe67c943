"""Stores, and a store and OpenLineage's agent, have one name for each table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eventlog_lineage.connectors.connector import SourceRule
from eventlog_lineage.events.read_options import DEFAULT
from support.connector_logs import LOGS
from support.stores.memory import MemoryStore
from support.stores.nights import Night
from support.stores.staged_logs import harvest_logs

SERVER, MONGO = "postgres://127.0.0.1:5544", "mongodb://127.0.0.1:27098"
ORDERS, TOTALS = f"{SERVER}/shop.sales.orders", f"{SERVER}/shop.sales.totals"
RULES = replace(DEFAULT, source_rules=(SourceRule(SERVER, "shop", "jdbc", "sales.*"),))
AGENT = {
    ORDERS: (SERVER, "shop.sales.orders"),
    f"{MONGO}/depot.people": (f"{MONGO}/depot", "people"),
    "kafka://broker:9092/clicks": ("kafka://broker:9092", "clicks"),
    "s3://lake/raw": ("s3://lake", "raw"),
    "spark_catalog.shop.orders": ("s3://lake", "warehouse/shop.db/orders"),
}
"""What the agent (1.53) calls a table, a collection, a topic, a folder and a table of the session catalog."""


def names(store: MemoryStore) -> set[str]:
    return {str(name) for (name,) in store.rows("SELECT dataset FROM datasets")}


def event(reads: tuple[str, str], folder: Path) -> Path:
    """A file of an agent's event of a job that copies the column `id`."""
    source = {"namespace": reads[0], "name": reads[1]}
    lineage = {"fields": {"id": {"inputFields": [{**source, "field": "id"}]}}}
    written = {"namespace": "s3://lake", "name": "copies", "facets": {"columnLineage": lineage}}
    run = {"eventType": "COMPLETE", "eventTime": "2026-11-20T01:00:00Z", "run": {"runId": "copy-1"}}
    path = folder / "agent.ndjson"
    path.write_text(
        json.dumps({**run, "job": {"namespace": "agent", "name": "copy"}, "inputs": [source], "outputs": [written]})
    )
    return path


def test_two_stores_have_the_same_name_for_a_table_that_one_reads_by_its_url_and_one_by_a_catalog() -> None:
    by_url, by_catalog, by_request = MemoryStore(), MemoryStore(), MemoryStore()
    harvest_logs(by_url, [LOGS / "postgres-3.5.zstd"], read=RULES)
    harvest_logs(by_catalog, [LOGS / "postgres-4.1.zstd"])
    harvest_logs(by_request, [LOGS / "connect-4.0.zstd"])
    assert {ORDERS, TOTALS} <= names(by_url) & names(by_catalog)
    assert TOTALS in names(by_request)


def test_a_rule_names_the_server_of_topics_that_no_log_prints() -> None:
    store, named = MemoryStore(), MemoryStore()
    log = LOGS.parent / "lakehouse_logs" / "kafka-3-5.zstd"
    rules = (SourceRule("kafka://broker:9092", connector="kafka"),)
    harvest_logs(store, [log])
    harvest_logs(named, [log], read=replace(DEFAULT, source_rules=rules))
    topics = {name for name in names(store) if name.startswith("kafka://unknown/")}
    assert topics
    assert {name.replace("unknown", "broker:9092") for name in topics} <= names(named)
    assert not any("kafka://unknown" in name for name in names(named))


@pytest.mark.parametrize("name", AGENT)
def test_a_store_and_an_agent_have_one_dataset_for_what_both_read(
    new_store: MemoryStore, tmp_path: Path, name: str
) -> None:
    night = Night()
    night.app()
    night.statement([(f"{name}!id", "id", "IDENTITY")], target="spark_catalog.shop.daily")
    night.show_place("spark_catalog.shop.orders", "s3://lake/warehouse/shop.db/orders")
    night.harvest(new_store)
    harvest_logs(new_store, [event(AGENT[name], tmp_path)])
    targets = "SELECT DISTINCT source_dataset, target_dataset FROM column_lineage ORDER BY ALL"
    assert new_store.rows(targets) == [(name, "s3://lake/copies"), (name, "spark_catalog.shop.daily")]
