"""A managed table of the session catalog lies in the warehouse, unless a log shows another place of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.stores.memory import MemoryStore
from support.stores.nights import Night

WAREHOUSE = "file:///data/wh"
LOCATED = "SELECT dataset, location, location_confidence FROM datasets ORDER BY ALL"


@pytest.fixture
def store() -> Iterator[MemoryStore]:
    made = MemoryStore()
    yield made
    made.close()


def table(name: str) -> str:
    return f"spark_catalog.{name}"


def night_of(target: str, source: str = "s3://lake/raw", day: int = 0) -> Night:
    night = Night(day)
    night.app()
    shape = night.statement([(f"{source}!id", "id", "IDENTITY")], target=target)
    night.show(shape, target, "id:bigint")
    facts = {"catalog": "spark_catalog", "namespace": "hive://m:9083", "warehouse": WAREHOUSE}
    night.add("seen_catalogs", **facts, shown_at=night.start)
    return night


def located(store: MemoryStore) -> dict[str, tuple[str, str | None]]:
    return {dataset: (location, confidence) for dataset, location, confidence in store.rows(LOCATED)}


@pytest.mark.parametrize(
    ("name", "location"), [("sales.daily", f"{WAREHOUSE}/sales.db/daily"), ("default.daily", f"{WAREHOUSE}/daily")]
)
def test_a_table_whose_files_no_log_prints_lies_in_the_warehouse(store: MemoryStore, name: str, location: str) -> None:
    night_of(table(name)).harvest(store)
    assert located(store)[table(name)] == (location, "inferred")
    ((namespace, named),) = store.rows(f"SELECT namespace, \"name\" FROM datasets WHERE dataset = '{table(name)}'")
    assert (namespace, named) == ("file", location.removeprefix("file://"))


def test_a_reader_of_the_inferred_path_reads_the_table(store: MemoryStore) -> None:
    night_of(table("sales.daily")).harvest(store)
    night_of(table("sales.totals"), source=f"{WAREHOUSE}/sales.db/daily", day=1).harvest(store)
    sources = store.rows("SELECT DISTINCT source_dataset FROM table_lineage WHERE target_dataset LIKE '%totals'")
    assert sources == [(table("sales.daily"),)]
    assert set(located(store)) == {table("sales.daily"), table("sales.totals"), "s3://lake/raw"}


def test_a_place_that_a_statement_shows_has_precedence(store: MemoryStore) -> None:
    night = night_of(table("sales.daily"))
    night.show_place(table("sales.daily"), "s3://lake/daily")
    night.harvest(store)
    assert located(store)[table("sales.daily")] == ("s3://lake/daily", "exact")


def test_another_table_of_the_database_shows_the_folder_of_the_database(store: MemoryStore) -> None:
    night = night_of(table("sales.daily"))
    night.statement([("s3://lake/raw!id", "id", "IDENTITY")], target=table("sales.known"), execution=2)
    night.show_place(table("sales.known"), "s3://lake/sales.db/known")
    night.harvest(store)
    assert located(store)[table("sales.daily")] == ("s3://lake/sales.db/daily", "inferred")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (table("sales.paid"), {"kind": "view", "format": ""}),
        (table("sales.remote"), {"kind": "table", "format": "jdbc"}),
        ("lake.sales.daily", {"kind": "table", "format": "iceberg"}),
    ],
)
def test_views_and_tables_of_other_systems_and_catalogs_have_no_files_there(
    store: MemoryStore, name: str, shown: dict[str, str]
) -> None:
    night = night_of(table("sales.other"), source=name)
    lineage_id = night.rows["executions"][-1]["lineage_id"]
    for row in night.rows["shown_datasets"]:
        if row["dataset"] == name and row["lineage_id"] == lineage_id:
            row.update(shown)
    night.harvest(store)
    assert located(store)[name] == ("", None)


def renamed(old: str, new: str, day: int = 1) -> Night:
    night = Night(day)
    night.app()
    shape = night.statement(target=old, mode="alter", command="Rename")
    night.show(shape, old, evidence="rename", extent="renamed", words=[new])
    return night


def test_a_renamed_managed_table_moves_in_the_warehouse(store: MemoryStore) -> None:
    night_of(table("sales.daily")).harvest(store)
    renamed(table("sales.daily"), table("sales.weekly")).harvest(store)
    night_of(table("sales.weekly"), day=2).harvest(store)
    assert located(store)[table("sales.weekly")] == (f"{WAREHOUSE}/sales.db/weekly", "inferred")


def test_a_renamed_external_table_stays_where_it_is(store: MemoryStore) -> None:
    night = night_of(table("sales.daily"))
    night.show_place(table("sales.daily"), "s3://lake/daily")
    night.harvest(store)
    renamed(table("sales.daily"), table("sales.weekly")).harvest(store)
    night_of(table("sales.weekly"), day=2).harvest(store)
    assert located(store)[table("sales.weekly")] == ("s3://lake/daily", "inferred")
