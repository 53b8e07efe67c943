"""Targets of writes that print an object, by the table on disk that changed while they ran."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.harvest.table_metadata import with_changed_tables
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.plan.plan_text import summary_of
from support.moved_logs import moved_log

WRITE = "n1 bronze.customers insertInto"


@pytest.fixture
def log(tmp_path: Path) -> AssembledLog:
    """The log of a warehouse below the test's folder; its write prints an object with the columns of no known table."""
    return moved_log("paimon-3-5", tmp_path, b"Impl(email,", b"Impl(mail,")


def commit(folder: Path, table: str, at: int) -> None:
    place = folder / "pai" / table / "snapshot"
    place.mkdir(parents=True)
    (place / "snapshot-1").write_text(json.dumps({"id": 1, "timeMillis": at}))


def time_of(log: AssembledLog) -> int:
    named = [each for each in log.executions if each.description == WRITE]
    return next(each.started_at or 0 for each in named if summary_of(each.plan).writes_unnamed_table)


def traced(log: AssembledLog) -> StatementLineage:
    named = [each for each in trace_log(with_changed_tables(log)) if each.root.description == WRITE]
    return next(each.lineage for each in named if each.lineage.command.startswith("AppendData"))


def test_the_one_table_that_changed_is_the_target(log: AssembledLog, tmp_path: Path) -> None:
    commit(tmp_path, "bronze.db/customers", time_of(log) + 1)
    commit(tmp_path, "bronze.db/orders", time_of(log) - 1)
    lineage = traced(log)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode) == ("pai.bronze.customers", "append")
    assert {(edge.target_column, str(edge.confidence)) for edge in lineage.edges if edge.target_column} == {
        ("id", "inferred"),
        ("name", "inferred"),
        ("email", "inferred"),
    }


def test_of_two_tables_that_changed_none_is_the_target(log: AssembledLog, tmp_path: Path) -> None:
    commit(tmp_path, "bronze.db/customers", time_of(log) + 1)
    commit(tmp_path, "bronze.db/orders", time_of(log) + 1)
    assert traced(log).target is None


def test_without_a_change_the_target_stays_unknown(log: AssembledLog) -> None:
    lineage = traced(log)
    assert lineage.target is None
    assert [str(gap.reason) for gap in lineage.gaps] == ["unknown_target"]


CALLED = "ver rollback"


@pytest.fixture
def called(tmp_path: Path) -> AssembledLog:
    """The log of procedures on Spark 4.1, whose plans are their results, with a warehouse below the test's folder."""
    return moved_log("workload_iceberg_two-4-1", tmp_path)


def rolled_back(folder: Path, table: str, at: int) -> None:
    place = folder / table / "metadata"
    place.mkdir(parents=True)
    log = {"snapshots": [], "snapshot-log": [{"snapshot-id": 1, "timestamp-ms": at}]}
    (place / "v2.metadata.json").write_text(json.dumps(log))


def lineage_of_call(log: AssembledLog) -> StatementLineage:
    named = (each for each in trace_log(with_changed_tables(log)) if each.root.description == CALLED)
    return next(each.lineage for each in named if each.lineage.command)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("lake/dwh/ver", "lake.dwh.ver"),
        ("gov/pub/daily", "gov.pub.daily"),
        ("lake/dwh/unprinted", "file://{}/lake/dwh/unprinted"),
    ],
)
def test_a_procedure_maintains_the_one_table_that_changed_before_its_result(
    called: AssembledLog, tmp_path: Path, folder: str, name: str
) -> None:
    begun = next(each.started_at or 0 for each in called.executions if each.description == CALLED)
    assert [gap.reason for gap in lineage_of_call(called).gaps] == ["unknown_target"]
    rolled_back(tmp_path, folder, begun - 1)
    rolled_back(tmp_path, "lake/dwh/cow", begun + 1)
    lineage = lineage_of_call(called)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode, lineage.gaps) == (name.format(tmp_path), "maintenance", ())


def test_a_procedure_while_which_several_tables_changed_is_a_gap(called: AssembledLog, tmp_path: Path) -> None:
    begun = next(each.started_at or 0 for each in called.executions if each.description == CALLED)
    for table in ("lake/dwh/ver", "lake/dwh/cow"):
        rolled_back(tmp_path, table, begun - 1)
    assert [gap.reason for gap in lineage_of_call(called).gaps] == ["unknown_target"]


def test_a_procedures_table_may_be_in_a_namespace_of_several_levels(tmp_path: Path) -> None:
    called = moved_log("workload_iceberg_two-4-1", tmp_path, b"gov.pub.", b"gov.eu.pub.")
    begun = next(each.started_at or 0 for each in called.executions if each.description == CALLED)
    rolled_back(tmp_path, "gov/eu/pub/daily", begun - 1)
    lineage = lineage_of_call(called)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode, lineage.gaps) == ("gov.eu.pub.daily", "maintenance", ())
