"""A table of a database's catalog has the name of its database, and the catalog's as an alias."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.export.dashboards import csv_lines
from eventlog_lineage.export.datasets import Datasets, Name
from eventlog_lineage.export.runs import Selection, hive_lineage
from eventlog_lineage.store.queries.inventory import datasets
from support.stores.memory import MemoryStore
from support.stores.staged_logs import harvest_logs

LOG = Path(__file__).resolve().parents[2] / "connector_logs" / "postgres-4.1.zstd"
SERVER = "postgres://127.0.0.1:5544"
ORDERS, TOTALS = f"{SERVER}/shop.sales.orders", f"{SERVER}/shop.sales.totals"
WITHOUT_URL = ("jdbc:sales.customers", "jdbc:sales.orders", "jdbc:sales.Order Notes", "jdbc:sales.totals")


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    made = MemoryStore()
    harvest_logs(made, [LOG])
    return made


def test_the_catalogs_name_of_a_table_is_stored_next_to_its_own(store: MemoryStore) -> None:
    query = "SELECT alias, dataset FROM dataset_aliases WHERE kind = 'catalog' ORDER BY 1"
    assert store.rows(query) == [("pg.sales.orders", ORDERS), ("pg.sales.totals", TOTALS)]


def test_a_question_finds_the_table_by_either_name(store: MemoryStore) -> None:
    query = "SELECT DISTINCT source_dataset, target_dataset FROM downstream(?) WHERE depth = 1 ORDER BY 2"
    by_catalog = store.rows(query, "pg.sales.orders")
    assert (ORDERS, TOTALS) in by_catalog
    assert by_catalog == store.rows(query, ORDERS)
    assert [row[0] for row in datasets(store.opened, "pg.sales.*").rows] == [ORDERS, TOTALS]


def test_an_export_has_the_catalogs_name_as_a_symlink(store: MemoryStore) -> None:
    names = Datasets(store.opened, {})
    assert names.name(ORDERS) == Name(SERVER, "shop.sales.orders")
    assert names.symlinks(ORDERS) == [Name("pg", "sales.orders")]
    assert names.symlinks("jdbc:sales.customers") == []


def test_ls_names_the_system_of_a_dataset(store: MemoryStore) -> None:
    listed = {row[0]: row[1] for row in datasets(store.opened, "").rows}
    assert listed[ORDERS] == "postgres"
    assert listed["jdbc:sales.customers"] == "jdbc"
    assert listed["file:///tmp/connector_logs/4.1/out/top"] == "path"


@pytest.mark.parametrize(
    ("dataset", "kind", "form", "system"),
    [
        ("mongodb://m1/shop.orders", "other", "mongodb", "mongodb"),
        ("bigquery:acme.shop.orders", "other", "bigquery", "bigquery"),
        ("redis:unknown@local-1/0a", "other", "redis", "redis"),
        ("kafka://k1:9092/orders", "topic", "", "kafka"),
        ("pg.sales.orders", "jdbc", "jdbc", "jdbc"),
        ("spark_catalog.default.orders", "table", "delta", "delta"),
        ("s3://lake/orders", "path", "parquet", "s3"),
    ],
)
def test_the_system_of_a_dataset_is_the_scheme_of_its_name_or_its_format(
    store: MemoryStore, dataset: str, kind: str, form: str, system: str
) -> None:
    assert store.rows("SELECT system_of(?, ?, ?)", dataset, kind, form) == [(system,)]


def test_the_name_of_a_relation_that_nothing_names_is_printable(new_store: MemoryStore) -> None:
    harvest_logs(new_store, [LOG.with_name("postgres-3.5.zstd")])
    names = new_store.rows("SELECT dataset FROM datasets WHERE contains(dataset, 'unknown@')")
    assert names
    assert all(name.isprintable() for (name,) in names)


def test_every_export_shows_the_system_of_a_table_of_a_database(store: MemoryStore) -> None:
    systems = dict(store.rows("SELECT dataset, system FROM datasets WHERE kind IN ('jdbc', 'other')"))
    assert systems == {ORDERS: "postgres", TOTALS: "postgres", **dict.fromkeys(WITHOUT_URL, "jdbc")}
    names = Datasets(store.opened, {})
    assert {name: names.name(name).namespace.partition(":")[0] for name in systems} == systems
    statements = [each for each in hive_lineage(store.opened, Selection()) if "edges" in each]
    vertices = {vertex["vertexId"] for each in statements for vertex in each["vertices"]}
    shown = {vertex.partition(":")[0] for vertex in vertices}
    assert {"postgres", "jdbc"} <= shown
    (header, *rows) = [line.rstrip().split(",") for line in csv_lines(store.opened, "table_lineage")]
    at = header.index("source_dataset"), header.index("source_system")
    assert {row[at[0]]: row[at[1]] for row in rows if row[at[0]] in systems}.items() <= systems.items()
