"""Tables of the store, for the log of a night that writes tables which an earlier night's application created."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, harvest
from eventlog_lineage.observed_schemas import StoredTable
from support.event_logs import UI, line, log_text
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


LOAD = """== Physical Plan ==
Execute LoadDataCommand (1)
   +- LoadDataCommand (2)


(1) Execute LoadDataCommand
Output: []

(2) LoadDataCommand
Arguments: `spark_catalog`.`shop`.`visits`, /data/visits, false, false

"""
MADE = """== Physical Plan ==
Execute InsertIntoHiveTable (2)
+- Scan hive spark_catalog.raw.clicks (1)


(1) Scan hive spark_catalog.raw.clicks
Output [2]: [id#1, city#2]
Arguments: [id#1, city#2], HiveTableRelation [`spark_catalog`.`raw`.`clicks`, org.apache.Serde, \
Data Cols: [id#1, city#2], Partition Cols: []]

(2) Execute InsertIntoHiveTable
Input [2]: [id#1, city#2]
Arguments: `spark_catalog`.`shop`.`visits`, org.apache.hadoop.hive.ql.io.orc.OrcSerde, true, false, [id, city]

"""


def log_of(folder: Path, hour: int, plan: str) -> Path:
    """The log of an application with one statement."""
    at, name = 1_795_000_000_000 + hour * 3_600_000, f"application_1_000{hour}"
    info = {"nodeName": "x", "simpleString": "x", "children": [], "metadata": {}, "metrics": []}
    path = folder / name
    path.write_bytes(
        log_text(
            line("SparkListenerLogStart", Spark_Version="3.5.9"),
            line("SparkListenerApplicationStart", App_Name="load", App_ID=name, Timestamp=at, User="ann"),
            line(
                f"{UI}SQLExecutionStart",
                executionId=0,
                rootExecutionId=0,
                description="load",
                details="",
                time=at,
                physicalPlanDescription=plan,
                sparkPlanInfo=info,
                modifiedConfigs={},
            ),
            line(f"{UI}SQLExecutionEnd", executionId=0, time=at + 1, errorMessage=""),
            line("SparkListenerApplicationEnd", Timestamp=at + 2),
        )
    )
    return path


def loaded_columns(store: Path) -> list[tuple[str, str]]:
    query = "SELECT source_dataset, target_column FROM column_lineage WHERE source_dataset LIKE '%/visits' ORDER BY ALL"
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return connection.execute(query).fetchall()


def test_the_columns_of_a_table_that_files_are_loaded_into_are_those_of_an_earlier_night(tmp_path: Path) -> None:
    store, first, second, third = tmp_path / "store", *(log_of(tmp_path, n, LOAD if n else MADE) for n in range(3))
    harvest_logs(store, [first])
    harvest_logs(store, [second])
    assert loaded_columns(store) == [], "nobody knew yet that files are loaded into it"
    harvest_logs(store, [third])
    assert loaded_columns(store) == [("file:///data/visits", "city"), ("file:///data/visits", "id")]


@pytest.mark.spark
def test_the_first_load_is_read_again_in_the_same_harvest(spark: SparkContext, tmp_path: Path) -> None:
    logs = [str(log_of(tmp_path, number, LOAD if number else MADE)) for number in range(2)]
    harvest(logs, tmp_path / "store", HarvestOptions())
    assert loaded_columns(tmp_path / "store") == [("file:///data/visits", "city"), ("file:///data/visits", "id")]
