"""Tables of the store, for the log of a night that writes tables which an earlier night's application created."""

from __future__ import annotations

from pathlib import Path

import duckdb

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
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return connection.execute(TARGETS).fetchall()


def test_the_columns_of_an_earlier_nights_tables_name_the_objects_that_a_log_writes(tmp_path: Path) -> None:
    assert targets(tmp_path / "store", FIRST, SECOND) == WRITTEN


def test_a_log_whose_tables_the_store_does_not_have_keeps_its_gaps(tmp_path: Path) -> None:
    assert targets(tmp_path / "store", SECOND) == []
