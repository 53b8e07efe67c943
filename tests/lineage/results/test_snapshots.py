"""The snapshots that statements read and made, against what the formats' own histories said after each statement."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.catalog.application_facts import catalog_settings_of
from eventlog_lineage.catalog.stream_tables import locate_streams
from eventlog_lineage.datasets.streams import snapshot_of
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import Execution, RunCost
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.lineage.application import execution_summaries
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.snapshot_uses import find_snapshots
from eventlog_lineage.plan.plan_text import PlanText, SummaryCache, summary_of
from eventlog_lineage.plan.summary.fingerprint import number_plan
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole, TableRef
from eventlog_lineage.plan.summary.plan_summary import pack_summary, unpack_summary

LOGS = Path(__file__).resolve().parents[2] / "lakehouse_logs"
NAMES = ("delta-3-5", "delta-4-1", "iceberg-4-1")
WRITES = (*NAMES, "delta-3-3", "hudi-3-4", "hudi-3-5", "paimon-3-5")
READS = (*NAMES, "paimon-3-5")
OLDER = ("read: orders, version 1", "read: orders, first snapshot", "insert: totals, time travel")
Use = tuple[str, str, str, str, str]


@cache
def found(name: str) -> tuple[Use, ...]:
    """(statement, table, direction, snapshot, confidence) of a log."""
    (log,) = find_logs([str(LOGS / f"{name}.zstd")])
    read = read_log(log)
    executions = {each.execution_id: each for each in read.executions}
    summaries = {number: summary_of(each.plan) for number, each in executions.items()}
    catalog_settings = catalog_settings_of(read.application.settings)
    groups = group_executions(
        execution_summaries(read.executions, read.application.settings), catalog_settings, locate_streams(read.progress)
    )
    uses = find_snapshots(groups, executions, summaries, catalog_settings, read.progress)
    return tuple(
        (
            executions[use.execution_id].description.partition("\n")[0],
            use.dataset.replace("/", ".").rpartition(".")[2],
            use.direction,
            use.snapshot_id,
            use.confidence,
        )
        for use in uses
    )


@cache
def after(name: str) -> dict[str, dict[str, str]]:
    """Statement to the newest snapshots of its tables right after it."""
    lines = (LOGS / f"{name}.snapshots").read_text(encoding="utf-8").splitlines()
    return {str(each["statement"]): each["after"] for each in map(json.loads, lines)}


@pytest.mark.parametrize("name", WRITES)
def test_what_a_write_is_said_to_have_made_is_what_its_table_had_after_it(name: str) -> None:
    told = [(each, after(name)[each[0]][each[1]]) for each in found(name)
            if each[2] == "write" and each[1] in after(name).get(each[0], {})]  # fmt: skip
    assert [each for each, truth in told if each[3] != truth] == []
    assert len(told) >= 8


@pytest.mark.parametrize("name", READS)
def test_what_a_statement_has_read_is_what_the_statement_before_it_left(name: str) -> None:
    newest: dict[str, str] = {}
    wrong = []
    compared = 0
    reads = {(each[0], each[1]): each for each in found(name) if each[2] == "read" and each[4] == "exact"}
    for statement, tables in after(name).items():
        for table, before in newest.items():
            read = reads.get((statement, table))
            if read and table in tables and statement not in OLDER:
                compared += 1
                wrong += [read] if read[3] != before else []
        newest.update(tables)
    assert wrong == []
    assert compared >= 8


@pytest.mark.parametrize("name", ["delta-3-5", "delta-4-1"])
def test_delta_names_the_version_of_every_table_that_a_batch_statement_reads(name: str) -> None:
    reads = {each[:2]: each[3:] for each in found(name) if each[2] == "read"}
    assert reads["ctas: totals", "orders"] == ("1", "exact")
    assert reads["read: orders, version 1", "orders"] == ("1", "exact")
    assert reads["insert: totals, time travel", "orders"] == ("2", "exact")
    assert reads["ctas: changes", "feed"] == ("4", "exact")
    assert reads["stream: copied", "saved"] == ("1", "exact")


@pytest.mark.parametrize("name", ["delta-3-5", "delta-4-1"])
def test_a_state_that_is_loaded_after_the_commit_makes_a_write_exact(name: str) -> None:
    writes = {each[:2]: each[3:] for each in found(name) if each[2] == "write"}
    assert writes["update: orders", "orders"] == ("10", "exact")
    assert writes["restore: totals", "totals"] == ("4", "exact")
    assert writes["merge: all clauses", "orders"] == ("5", "inferred")


@pytest.mark.parametrize("name", ["delta-3-5", "delta-4-1"])
def test_a_delete_that_finds_no_row_makes_no_version(name: str) -> None:
    assert after(name)["delete: orders"] == after(name)["update: orders"]
    assert ("delete: orders", "orders") not in {each[:2] for each in found(name) if each[2] == "write"}


def test_iceberg_names_the_snapshot_of_every_scan_from_1_11_on_spark_4_1_on() -> None:
    reads = {each[:2]: each[4] for each in found("iceberg-4-1") if each[2] == "read"}
    assert reads["merge: marked", "marked"] == "exact"
    assert reads["read: orders, first snapshot", "orders"] == "exact"
    batch = [each for each in found("iceberg-3-5") if not each[0].startswith("stream: ")]
    assert batch == []


@pytest.mark.parametrize(
    ("offset", "snapshot"),
    [
        (None, ""),
        ('{"logOffset":3}', ""),
        ('{"sourceVersion":1,"reservoirId":"r","reservoirVersion":4,"index":-1,"isStartingVersion":false}', "3"),
        ('{"sourceVersion":1,"reservoirId":"r","reservoirVersion":4,"index":2,"isStartingVersion":false}', "4"),
        ('{"sourceVersion":3,"reservoirId":"r","reservoirVersion":4,"index":9223372036854775707}', "4"),
        ('"{\\"sourceVersion\\":1,\\"reservoirVersion\\":4,\\"index\\":-1,\\"isStartingVersion\\":true}"', "4"),
        ('{"version":1,"snapshot_id":5179299526185056830,"position":2,"scan_all_files":false}', "5179299526185056830"),
        ('{"snapshotId":5,"index":3,"scanSnapshot":false}', "5"),
        ('{"offsetCommitTime":"20261121120626213"}', "20261121120626213"),
        ("not json", ""),
    ],
)
def test_an_offset_names_the_newest_snapshot_that_was_read(offset: str | None, snapshot: str) -> None:
    assert snapshot_of(offset) == snapshot


STATE = """== Physical Plan ==
* Scan ExistingRDD Delta Table State #{} - file:/w/orders/_delta_log (1)


(1) Scan ExistingRDD Delta Table State #{} - file:/w/orders/_delta_log [codegen id : 1]
Output [2]: [txn#1, add#2]
"""


@pytest.mark.slow
@pytest.mark.parametrize("log", list(find_logs([str(LOGS)])), ids=lambda log: Path(log.path).stem)
def test_of_plans_that_come_again_in_any_order_the_marks_are_those_of_their_own_texts(log: EventLog) -> None:
    texts = [each.plan.text for each in read_log(log).executions]
    for ordered in (texts, texts[::-1]):
        known = SummaryCache(str)
        assert [known.read(PlanText(text)).facts for text in ordered] == [
            PlanText(text).summary.facts for text in ordered
        ]


def test_a_plan_of_another_version_is_the_same_plan_and_keeps_its_version() -> None:
    first, second = STATE.format(7, 7), STATE.format(12, 12)
    assert number_plan(first).fingerprint == number_plan(second).fingerprint
    assert PlanText(first).facts == (
        SnapshotRef(SnapshotRole.LOADED, TableRef("file:///w/orders", format="delta"), "7"),
    )
    assert unpack_summary(pack_summary(PlanText(second).summary)).facts == PlanText(second).facts


@pytest.mark.parametrize(
    "text", ["", "== Physical Plan ==\nRange (1)\n", "Delta[version=x, file:/a]", "Iceberg(branch="]
)
def test_texts_that_name_no_snapshot_have_no_mark(text: str) -> None:
    assert PlanText(text).facts == ()


WRITTEN = """== Physical Plan ==
AppendDataExecV1 (1)


(1) AppendDataExecV1
Arguments: DeltaTableV2(org.apache.spark.sql.SparkSession@7,file:/wh/core.db/t,Some(CatalogTable(
Catalog: spark_catalog
Database: core
Table: t
)),Some(core.t),None,Map()), Project [id#4L], x

"""
QUERY = """== Physical Plan ==
Scan parquet {table} (1)


(1) Scan parquet {table}
Output [1]: [id#4L]
Location: {index} [file:/wh/{folder}]
ReadSchema: struct<id:bigint>

"""
LOADED_STATE = """== Physical Plan ==
Scan ExistingRDD Delta Table State #{version} - file:/wh/core.db/t/_delta_log (1)


(1) Scan ExistingRDD Delta Table State #{version} - file:/wh/core.db/t/_delta_log
Output [2]: [txn#1, add#2]

"""


def snapshots(*texts: tuple[int, str, str], wrote: int = 1) -> list[tuple[int, str, str]]:
    """Return (statement, direction, version); each execution is its root, its description and its plan."""
    executions = {
        number: replace(
            Execution(number, root, words, number * 10, number * 10 + 5, "succeeded", "", PlanText(text)),
            cost=RunCost(10, records_written=wrote) if root != number else None,
        )
        for number, (root, words, text) in enumerate(texts)
    }
    summaries = {number: summary_of(each.plan) for number, each in executions.items()}
    settings = catalog_settings_of({})
    groups = group_executions(execution_summaries(tuple(executions.values()), {}), settings)
    uses = find_snapshots(groups, executions, summaries, settings)
    return [(use.execution_id, use.direction, use.snapshot_id) for use in uses]


@pytest.mark.parametrize(("wrote", "found"), [(1, [(0, "read", "3"), (2, "write", "4")]), (0, [(0, "read", "3")])])
def test_an_append_makes_a_version_if_its_tasks_write_rows(wrote: int, found: list[tuple[int, str, str]]) -> None:
    texts = (
        (0, "read", QUERY.format(table="core.t", index="PreparedDeltaFileIndex", folder="core.db/t")),
        (0, "Delta: read: Filtering files for query", LOADED_STATE.format(version=3)),
        (2, "append", WRITTEN),
        (2, "append", QUERY.format(table="spark_catalog.stage.s", index="PreparedDeltaFileIndex", folder="stage.db/s")),
    )
    assert snapshots(*texts, wrote=wrote) == found


def test_a_compaction_after_a_write_reads_what_the_write_made() -> None:
    source = QUERY.format(table="spark_catalog.stage.s", index="PreparedDeltaFileIndex", folder="stage.db/s")
    texts = (
        (0, "read", QUERY.format(table="core.t", index="PreparedDeltaFileIndex", folder="core.db/t")),
        (0, "Delta: read: Filtering files for query", LOADED_STATE.format(version=3)),
        (2, "packed", WRITTEN),
        (2, "packed", source),
        (2, "Delta: packed: Filtering files for query", LOADED_STATE.format(version=4)),
        (2, "<br/>Optimizing 2 files", QUERY.format(table="", index="TahoeBatchFileIndex", folder="core.db/t")),
        (2, "packed", LOADED_STATE.format(version=5)),
        (7, "read", QUERY.format(table="core.t", index="PreparedDeltaFileIndex", folder="core.db/t")),
        (7, "Delta: read: Filtering files for query", LOADED_STATE.format(version=5)),
    )
    assert snapshots(*texts) == [(0, "read", "3"), (2, "write", "4"), (7, "read", "5")]
