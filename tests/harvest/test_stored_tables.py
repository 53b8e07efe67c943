"""Catalogs of one class, named by the warehouse that holds their tables (`--table-metadata`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.harvest.table_metadata import with_stored_tables
from support.moved_logs import moved_log


@pytest.fixture
def log(tmp_path: Path) -> AssembledLog:
    """The log of two catalogs of one class, whose warehouses are below the test's folder."""
    return moved_log("iceberg_two-4-1", tmp_path)


def hold(folder: Path) -> None:
    (folder / "metadata").mkdir(parents=True)
    (folder / "metadata" / "v1.metadata.json").write_text("{}")


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
