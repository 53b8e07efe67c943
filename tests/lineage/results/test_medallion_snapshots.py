"""The versions that the statements of Delta's medallion make: as the table's own history says, or unknown."""

from __future__ import annotations

import json

import pytest

from eventlog_lineage.catalog.application_facts import catalog_settings_of
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import execution_summaries
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.snapshot_uses import find_snapshots
from eventlog_lineage.plan.plan_text import summary_of
from support.lakehouse.medallions import MEDALLION_LOGS
from support.lakehouse.snapshots import score_snapshots

pytestmark = pytest.mark.slow

SNAPSHOT_LOGS = MEDALLION_LOGS.with_name("snapshot_logs")


def written(name: str) -> dict[tuple[str, str], str]:
    """(statement, table) to the version that it makes, of a log's batch statements."""
    (log,) = find_logs([str(MEDALLION_LOGS / f"{name}.zstd")])
    read = read_log(log)
    executions = {each.execution_id: each for each in read.executions}
    summaries = {number: summary_of(each.plan) for number, each in executions.items()}
    settings = catalog_settings_of(read.application.settings)
    groups = group_executions(execution_summaries(read.executions, read.application.settings), settings)
    return {
        (executions[use.execution_id].description, use.dataset.rpartition("/")[2]): use.snapshot_id
        for use in find_snapshots(groups, executions, summaries, settings)
        if use.direction == "write"
    }


@pytest.mark.parametrize("name", ["delta-3-5", "delta-4-1"])
def test_a_write_makes_the_version_that_its_table_has_after_it_or_an_unknown_one(name: str) -> None:
    found = written(name)
    lines = (MEDALLION_LOGS / f"{name}.snapshots").read_text(encoding="utf-8").splitlines()
    after = [
        (statement["statement"], table.rpartition(".")[2], version)
        for statement in map(json.loads, lines)
        for table, version in statement["after"].items()
    ]
    known = [(statement, table, version) for statement, table, version in after if (statement, table) in found]
    assert [each for each in known if found[each[:2]] != each[2]] == []
    assert len(known) >= 8
    assert ("n1: gold daily, create again", "daily") not in found
    assert ("n1: builder if not exists", "built") not in found


@pytest.mark.parametrize("name", ["workload_delta-3-5", "workload_delta-4-1"])
def test_each_version_of_the_second_workload_is_that_of_its_table_or_unknown(name: str) -> None:
    right, wrong = score_snapshots(name)
    # RESTORE compares the version that it restores with the current one, and reads both
    assert [each for each in wrong if not each.startswith("restore:")] == []
    assert right >= 347


@pytest.mark.parametrize("name", ["harbour_delta-3-5", "harbour_delta-4-1"])
def test_each_version_of_the_harbours_tables_is_theirs_or_unknown(name: str) -> None:
    right, wrong = score_snapshots(name)
    # The record lacks the version in a path, the current one next to another, those of RESTORE, and those of streams.
    unrecorded = ("time path:", "time diff:", "restore:", "restore sql:", "file stream:")
    assert [each for each in wrong if not each.startswith(unrecorded)] == []
    assert right >= 146


@pytest.mark.parametrize("name", ["coordinated_delta-3-5", "coordinated_delta-4-1"])
def test_each_version_of_a_table_with_a_commit_coordinator_is_its_own(name: str) -> None:
    right, wrong = score_snapshots(name)
    assert wrong == ["travel join: read mill.grain 1,4; 4 before it, 4 after it, 1 asked for"]  # it reads both
    assert right >= 50


@pytest.mark.parametrize(("name", "known"), [("idle_delta-3-5", 120), ("idle_delta-4-1", 119)])
def test_statements_that_commit_nothing_make_no_version(name: str, known: int) -> None:
    assert score_snapshots(name, SNAPSHOT_LOGS) == (known, [])


def test_statements_that_commit_nothing_make_no_snapshot() -> None:
    right, wrong = score_snapshots("idle_iceberg_two-4-1", SNAPSHOT_LOGS)
    # The record lacks tables of metadata; two statements are called `b: read`.
    assert [each for each in wrong if not each.startswith(("manifests:", "expire:", "orphans:", "b: read:"))] == []
    assert right >= 85


@pytest.mark.parametrize(("name", "known"), [("bazaar_delta_n2-4-1", 6), ("bazaar_iceberg_two_n2-4-1", 6)])
def test_clones_branches_and_tags_have_the_snapshots_of_the_tables_own_metadata(name: str, known: int) -> None:
    assert score_snapshots(name) == (known, [])


def test_a_write_into_an_audited_branch_has_no_snapshot_of_main() -> None:
    right, wrong = score_snapshots("rail_iceberg_two-4-1")
    # The record lacks tables of metadata, and what branches have.
    unrecorded = ("manifests:", "expire:", "orphans:", "partitions table:", "audit read:")
    assert [each for each in wrong if not each.startswith(unrecorded)] == []
    assert right >= 65


def test_a_stream_that_starts_again_loads_an_old_version_and_refutes_no_write() -> None:
    _, wrong = score_snapshots("grid_delta-4-1", SNAPSHOT_LOGS)
    assert [each for each in wrong if not each.startswith(("live stream", "last stream"))] == []  # names of several
