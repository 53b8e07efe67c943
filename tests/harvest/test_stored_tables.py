"""`--table-metadata`: tables in the warehouses of catalogs, which name catalogs of one class and resolve ALTERs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eventlog_lineage.events.read_options import DEFAULT
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.harvest.table_metadata import stored_places, with_stored_tables
from support.moved_logs import moved_log
from support.stores.memory import MemoryStore
from support.stores.staged_logs import harvest_logs


@pytest.fixture
def log(tmp_path: Path) -> AssembledLog:
    """The log of two catalogs of one class, whose warehouses are below the test's folder."""
    return moved_log("iceberg_two-4-1", tmp_path)


def hold(folder: Path, content: object = None) -> None:
    (folder / "metadata").mkdir(parents=True)
    (folder / "metadata" / "v1.metadata.json").write_text(json.dumps(content or {}))


def test_the_warehouses_of_catalogs_of_one_class_are_searched_for_their_tables(
    log: AssembledLog, tmp_path: Path
) -> None:
    hold(tmp_path / "ice" / "silver" / "orders")
    hold(tmp_path / "jdb" / "gold" / "totals")
    hold(tmp_path / "jdb" / "elsewhere" / "orders")
    held = with_stored_tables(log).stored_tables
    assert ("ice", "silver.orders") in held
    assert all((tmp_path / catalog / table.replace(".", "/")).is_dir() for catalog, table in held)


def test_an_application_without_such_catalogs_is_left_as_it_is(log: AssembledLog) -> None:
    assert with_stored_tables(log).stored_tables == ()


def test_a_table_of_a_jdbc_catalog_is_below_its_warehouse(log: AssembledLog, tmp_path: Path) -> None:
    hold(tmp_path / "jdb" / "gold" / "cust")
    hold(tmp_path / "jdb" / "elsewhere" / "cust")
    held: dict[str, bool] = {}
    assert list(stored_places(log, held)) == [("jdb.gold.cust", f"file://{tmp_path}/jdb/gold/cust")]
    assert [location for location, is_table in held.items() if is_table] == [f"file://{tmp_path}/jdb/gold/cust"]


def test_a_warehouse_of_several_catalogs_names_no_table(log: AssembledLog, tmp_path: Path) -> None:
    hold(tmp_path / "jdb" / "gold" / "cust")
    settings = {**log.application.settings, "spark.sql.catalog.ice.warehouse": f"file://{tmp_path}/jdb"}
    shared = replace(log, application=replace(log.application, settings=settings))
    assert list(stored_places(shared, {})) == []


def test_a_table_that_plans_print_without_a_name_is_not_looked_up(tmp_path: Path) -> None:
    held: dict[str, bool] = {}
    assert list(stored_places(moved_log("paimon-3-5", tmp_path), held)) == []
    assert held == {}


COLUMNS = [
    {"id": 1, "name": "cust", "type": "long"},
    {"id": 2, "name": "name", "type": "string"},
    {"id": 3, "name": "total", "type": "double"},
]


def test_the_schemas_of_a_table_in_a_jdbc_catalog_resolve_its_alters(log: AssembledLog, tmp_path: Path) -> None:
    described = [*COLUMNS[:2], {**COLUMNS[2], "doc": "sum"}]
    orders = (COLUMNS, described, [described[2], *described[:2]])
    schemas = [{"type": "struct", "schema-id": number, "fields": fields} for number, fields in enumerate(orders)]
    hold(tmp_path / "jdb" / "gold" / "cust", {"schemas": schemas})
    store = MemoryStore()
    harvest_logs(store, [tmp_path / "log"], read=replace(DEFAULT, table_metadata=True))
    changes = (
        "SELECT change, column_name, confidence FROM schema_changes WHERE dataset = 'jdb.gold.cust' ORDER BY version"
    )
    assert store.rows(changes) == [("table_created", None, "exact"), ("column_moved", "total", "exact")]
    gaps = "SELECT count(*) FROM gaps WHERE reason = 'unknown_change' AND starts_with(detail, 'jdb.gold.cust: ')"
    assert store.rows(gaps) == [(0,)]
