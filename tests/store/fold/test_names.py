"""A table and its location are one dataset, in whichever application and night (SEMANTICS.md, "Datasets")."""

from __future__ import annotations

from pathlib import Path

from support.stores.content import check_parquet, rows
from support.stores.memory import MemoryStore
from support.stores.nights import Night

ORDERS, DAILY, OTHER = "spark_catalog.raw.orders", "spark_catalog.sales.daily", "spark_catalog.raw.other"
PLACE = "file:///wh/orders"


def reader(day: int, source: str, target: str = DAILY, place: tuple[str, str] | None = None) -> Night:
    """A night with a statement that reads `source`."""
    made = Night(day)
    made.app(name=f"reads {source.rpartition('/')[2].rpartition('.')[2]} as {'path' if ':/' in source else 'table'}")
    made.statement([(f"{source}!amount", "total", "IDENTITY")], target=target)
    if place:
        made.place(*place)
    return made


def test_a_place_that_comes_to_be_known_rewrites_what_earlier_nights_stored(tmp_path: Path) -> None:
    reader(0, PLACE).harvest(tmp_path)
    assert rows(tmp_path, "SELECT dataset, kind FROM datasets ORDER BY 1") == [(PLACE, "path"), (DAILY, "table")]
    reader(1, OTHER, place=(ORDERS, PLACE)).harvest(tmp_path)
    assert rows(tmp_path, "SELECT DISTINCT source_dataset FROM column_lineage ORDER BY 1") == [(ORDERS,), (OTHER,)]
    assert rows(tmp_path, "SELECT dataset FROM dataset_io WHERE app_id = 'app-0' AND direction = 'read'") == [(ORDERS,)]
    assert rows(tmp_path, "SELECT kind, location FROM datasets WHERE dataset = ?", ORDERS) == [("table", PLACE)]
    assert rows(tmp_path, "SELECT DISTINCT source_dataset FROM execution_column_lineage ORDER BY 1") == [
        (ORDERS,),
        (OTHER,),
    ]
    assert (ORDERS, PLACE, "location") in rows(tmp_path, "FROM dataset_aliases")
    check_parquet(tmp_path)


def test_a_place_known_from_an_earlier_night_names_tonights_paths(tmp_path: Path) -> None:
    reader(0, ORDERS, place=(ORDERS, PLACE)).harvest(tmp_path)
    reader(1, PLACE).harvest(tmp_path)
    assert rows(tmp_path, "SELECT DISTINCT source_dataset FROM table_lineage") == [(ORDERS,)]
    check_parquet(tmp_path)


def test_a_statement_that_reads_a_table_by_both_names_reads_it_once(store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement([(f"{PLACE}!a", "a", "IDENTITY"), (f"{ORDERS}!a", "a", "IDENTITY")], target=DAILY)
    made.place(ORDERS, PLACE)
    for dataset in (PLACE, ORDERS):
        made.add("io_metrics", app_id="app-0", attempt_id="", execution_id=1, dataset=dataset, direction="read", rows=5)
    made.harvest(store)
    assert rows(store, "SELECT source_dataset, source_column, run_count FROM column_lineage") == [(ORDERS, "a", 1)]
    assert rows(store, "SELECT dataset, rows FROM dataset_io WHERE direction = 'read'") == [(ORDERS, 10)]


def test_two_tables_at_one_place_stay_two_and_the_path_is_that_of_the_one_used_last(tmp_path: Path) -> None:
    reader(0, ORDERS, place=(ORDERS, PLACE)).harvest(tmp_path)
    reader(1, OTHER, place=(OTHER, PLACE)).harvest(tmp_path)
    reader(2, PLACE, "spark_catalog.mart.m").harvest(tmp_path)
    found = rows(tmp_path, "SELECT source_dataset, target_dataset FROM table_lineage ORDER BY ALL")
    assert found == [(ORDERS, DAILY), (OTHER, "spark_catalog.mart.m"), (OTHER, DAILY)]
    assert rows(tmp_path, "SELECT dataset FROM dataset_aliases WHERE kind = 'location'") == [(OTHER,)]
    reader(3, ORDERS).harvest(tmp_path)
    assert rows(tmp_path, "SELECT dataset FROM dataset_aliases WHERE kind = 'location'") == [(ORDERS,)]
    check_parquet(tmp_path)


def test_a_place_that_a_table_has_left_is_that_of_the_table_that_is_there_now(store: MemoryStore) -> None:
    reader(0, ORDERS, place=(ORDERS, PLACE)).harvest(store)
    reader(1, OTHER, place=(OTHER, PLACE)).harvest(store)
    reader(2, ORDERS, place=(ORDERS, "file:///wh/new")).harvest(store)
    assert rows(store, "SELECT alias, dataset FROM dataset_aliases WHERE kind = 'location' ORDER BY 1") == [
        ("file:///wh/new", ORDERS),
        (PLACE, OTHER),
    ]
    assert rows(store, "SELECT location FROM datasets WHERE dataset = ?", ORDERS) == [("file:///wh/new",)]


def test_a_place_that_nobody_else_has_stays_with_the_table_that_left_it(store: MemoryStore) -> None:
    reader(0, ORDERS, place=(ORDERS, PLACE)).harvest(store)
    reader(1, ORDERS, place=(ORDERS, "file:///wh/new")).harvest(store)
    assert rows(store, "SELECT count(*) FROM dataset_aliases WHERE kind = 'location'") == [(2,)]


def test_datasets_have_openlineages_names_and_when_they_were_used(store: MemoryStore) -> None:
    made = reader(0, "s3://lake/raw/orders")
    made.harvest(store)
    reader(1, "s3://lake/raw/orders").harvest(store)
    found = rows(store, "SELECT namespace, name, kind, format, first_seen, last_seen FROM datasets ORDER BY 1")
    starts = [Night(day).start.replace(minute=1) for day in (0, 1)]
    assert found == [
        ("s3://lake", "raw/orders", "path", "parquet", *starts),
        ("spark_catalog", "sales.daily", "table", "parquet", *starts),
    ]
