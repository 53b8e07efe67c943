"""Tables of the store, for the log of a night that writes tables which an earlier night's application created."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, harvest
from eventlog_lineage.observed_schemas import StoredTable
from support.lakehouse.medallions import MEDALLION_LOGS
from support.stores.staged_logs import harvest_logs

FIRST, SECOND = (MEDALLION_LOGS / f"theatre_paimon_n{night}-3-5.zstd" for night in (1, 2))
TARGETS = """
    SELECT DISTINCT e.description, i.dataset
    FROM executions e JOIN applications a USING (app_id, attempt_id)
    LEFT JOIN dataset_io i ON i.app_id = e.app_id AND i.execution_id = e.execution_id AND i.direction = 'write'
    WHERE a.app_name LIKE '%_n2-%' AND e.execution_id = e.root_execution_id AND i.mode = 'append'
    ORDER BY e.description
"""
WRITTEN = [
    ("bad", "pai.stage.bad"),
    ("hub", "pai.mart.hub"),
    ("notes in", "pai.raw.notes"),
    ("renamed insert", "pai.mart.good_live"),
    ("sat", "pai.mart.sat"),
]


def targets(store: Path, *harvests: Path) -> list[tuple[str, str]]:
    for log in harvests:
        harvest_logs(store, [log])
    return written(store)


def written(store: Path) -> list[tuple[str, str]]:
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return connection.execute(TARGETS).fetchall()


def test_the_columns_of_an_earlier_nights_tables_name_the_objects_that_a_log_writes(tmp_path: Path) -> None:
    assert targets(tmp_path / "store", FIRST, SECOND) == WRITTEN


def test_a_log_whose_tables_the_store_does_not_have_keeps_its_gaps(tmp_path: Path) -> None:
    assert targets(tmp_path / "store", SECOND) == []


@pytest.mark.spark
def test_a_night_knows_the_tables_of_an_earlier_night_of_the_same_harvest(spark: SparkContext, tmp_path: Path) -> None:
    result = harvest([str(SECOND), str(FIRST)], tmp_path / "store", HarvestOptions())
    assert written(tmp_path / "store") == WRITTEN
    assert result.summary.gaps > 0
    assert result.again is not None
    assert (result.again.facts.logs_read, result.again.gaps) == (1, 0)


@pytest.mark.spark
def test_a_harvest_whose_tables_name_no_other_logs_targets_reads_no_log_again(
    spark: SparkContext, tmp_path: Path
) -> None:
    assert harvest([str(SECOND)], tmp_path / "store", HarvestOptions()).again is None


def test_a_night_does_not_know_the_tables_of_a_later_one(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    harvest_logs(before, [FIRST])
    harvest_logs(after, [SECOND])
    harvest_logs(after, [FIRST])
    assert all_written(after) == all_written(before)


def all_written(store: Path) -> list[tuple[str, str]]:
    query = "SELECT description, dataset FROM dataset_io i JOIN executions e USING (app_id, execution_id)"
    query += " JOIN applications a USING (app_id) WHERE i.direction = 'write' AND a.app_name LIKE '%_n1-%'"
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return connection.execute(f"{query} ORDER BY ALL").fetchall()


def test_a_version_of_a_table_holds_from_its_beginning_to_its_end() -> None:
    ended = StoredTable("pai.shop.orders", ("id",), valid_from=10, valid_to=20)
    assert [ended.held(at) for at in (9, 10, 19, 20, None)] == [False, True, True, False, False]
    assert StoredTable("pai.shop.orders", ("id",), valid_from=10).held(None)
