"""The harvest as a whole: what is new, what fails, and that slicing changes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.errors import LogError, SparkLostError, StoreError
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest import extract, job
from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from eventlog_lineage.harvest.spark import task_failures
from support.stores.samples import LOGS, ROLLING, contents

PLAIN = LOGS / "nightly-sales-3-3"

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def together(spark: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two logs, harvested at once."""
    store = tmp_path_factory.mktemp("together") / "store"
    harvest([str(ROLLING), str(PLAIN)], store, HarvestOptions())
    return store


def copied(store: Path, folder: Path) -> Path:
    """A copy of a store, for a test that changes it."""
    return shutil.copytree(store, folder / "store", symlinks=True)


def test_each_step_is_told_in_its_turn_and_to_its_end(spark: SparkContext, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    harvest([str(PLAIN)], tmp_path, HarvestOptions(), lambda *words: told.append(words))

    assert list(dict.fromkeys(step for step, *_ in told)) == ["list", "start", "read", "trace", "store"]
    ends = {step: (done, of) for step, done, of in told}
    assert all(done == of for done, of in ends.values())


def test_a_second_harvest_reads_nothing_and_changes_nothing(spark: SparkContext, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = harvest([str(ROLLING)], store, HarvestOptions())
    before = contents(store)
    second = harvest([str(ROLLING)], store, HarvestOptions())

    assert (first.summary.facts.logs_read, second.summary.facts.logs_read) == (1, 0)
    assert second.summary.facts.logs_unchanged == 1
    assert contents(store) == before


def test_the_parts_of_a_log_that_are_spread_give_what_they_give_together(
    spark: SparkContext, together: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extract, "_SPLIT_BYTES", 1)
    monkeypatch.setattr(extract, "_LEAST_DISTRIBUTED", 1)
    monkeypatch.setattr(extract, "_LOG_COST", 1)
    assert extract.split_logs(list(find_logs([str(ROLLING)])), 2).distributed
    harvest([str(ROLLING), str(PLAIN)], tmp_path, HarvestOptions())

    assert contents(tmp_path) == contents(together)


@pytest.mark.parametrize("partitions", [(1, 1), (25, 1000)])
def test_the_number_of_partitions_changes_nothing(
    spark: SparkContext,
    sample_store: tuple[Path, HarvestResult],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    partitions: tuple[int, int],
) -> None:
    per_core, at_once = partitions
    monkeypatch.setattr(extract, "_SPLITS_PER_CORE", per_core)
    monkeypatch.setattr(job, "_TRACERS_PER_CORE", per_core)
    monkeypatch.setattr(job, "_SPLITS_AT_ONCE", at_once)
    harvest([str(LOGS)], tmp_path, HarvestOptions())

    assert contents(tmp_path) == contents(sample_store[0])


def test_logs_harvested_one_after_another_give_what_they_give_together(
    spark: SparkContext, together: Path, rolling_store: Path, tmp_path: Path
) -> None:
    apart = copied(rolling_store, tmp_path)
    harvest([str(PLAIN)], apart, HarvestOptions())

    assert contents(apart) == contents(together)


def test_known_lineages_are_broadcast_and_none_is_traced_again(
    spark: SparkContext, together: Path, rolling_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broadcast: list[frozenset[str]] = []
    original = SparkContext.broadcast

    def noted(context: SparkContext, value: Any) -> Any:
        broadcast.append(value)
        return original(context, value)

    monkeypatch.setattr(SparkContext, "broadcast", noted)
    store = copied(rolling_store, tmp_path)
    harvest([str(PLAIN)], store, HarvestOptions())

    assert len(broadcast) == 1
    assert len(broadcast[0]) > 0
    assert contents(store) == contents(together)


def test_reprocessing_gives_the_same_again(spark: SparkContext, rolling_store: Path, tmp_path: Path) -> None:
    store = copied(rolling_store, tmp_path)
    before = contents(store)
    again = harvest([str(ROLLING)], store, HarvestOptions(reprocess=True))

    assert again.summary.facts.logs_read == 1
    assert contents(store) == before


@pytest.mark.parametrize("lost", [1, 5000])
def test_results_that_break_off_are_a_failure_and_leave_the_store_alone(
    spark: SparkContext, rolling_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: int
) -> None:
    """PySpark takes the end of a connection for the end of the results: here a Spark that goes meanwhile."""
    store = copied(rolling_store, tmp_path)
    before = contents(store)
    whole = SparkContext.runJob

    def broken_off(*arguments: Any) -> list[Any]:
        return whole(*arguments)[:-lost]

    monkeypatch.setattr(SparkContext, "runJob", broken_off)
    monkeypatch.setattr(task_failures, "_LAST_SECONDS", 0.1)  # for a Java that ends: this one does not
    with pytest.raises(SparkLostError, match="results are incomplete"):
        harvest([str(PLAIN)], store, HarvestOptions())
    assert contents(store) == before


@pytest.mark.parametrize("lost_at", ["read", "store"])
def test_a_store_whose_file_system_goes_in_the_middle_is_as_it_was_when_it_is_back(
    spark: SparkContext, rolling_store: Path, tmp_path: Path, lost_at: str
) -> None:
    store, elsewhere = copied(rolling_store, tmp_path), tmp_path / "elsewhere"
    before = contents(store)

    def lose(step: str, *_: int) -> None:
        if step == lost_at and store.exists():
            store.rename(elsewhere)

    with pytest.raises(StoreError, match=r"cannot be (?:written|updated): .*it is as it was|the store is as it was"):
        harvest([str(PLAIN)], store, HarvestOptions(), lose)
    assert not store.exists()
    elsewhere.rename(store)
    assert contents(store) == before
    harvest([], store, HarvestOptions())
    assert not (store / ".staging").exists()


def test_a_file_that_is_no_log_is_named_and_the_others_are_harvested(spark: SparkContext, tmp_path: Path) -> None:
    bad = tmp_path / "application_1_0001"
    bad.write_text("this is no event log\n")
    result = harvest([str(bad), str(ROLLING)], tmp_path / "store", HarvestOptions())

    assert [path for path, _ in result.unreadable] == [str(bad)]
    assert result.states == {"complete": 1, "unreadable": 1}


def test_a_strict_harvest_fails_on_such_a_file_and_leaves_the_store_alone(
    spark: SparkContext, rolling_store: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "application_1_0001"
    bad.write_text("this is no event log\n")
    store = copied(rolling_store, tmp_path)
    before = contents(store)

    with pytest.raises(LogError, match="cannot be read"):
        harvest([str(bad)], store, HarvestOptions(strict=True))
    assert contents(store) == before


def test_an_operator_that_nobody_knows_drops_nothing_and_leaves_a_gap(spark: SparkContext, tmp_path: Path) -> None:
    invented = tmp_path / "logs" / "app-1"
    invented.parent.mkdir()
    shutil.copyfile(PLAIN, invented)
    invented.write_text(invented.read_text().replace("Generate", "Teleport"))
    store = tmp_path / "store"
    harvest([str(invented)], store, HarvestOptions())

    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        gaps = connection.execute(
            "SELECT DISTINCT operator, detail FROM gaps WHERE reason = 'unknown_operator'"
        ).fetchall()
        tags = connection.execute(
            "SELECT target_column, list(DISTINCT confidence) FROM execution_column_lineage"
            " WHERE target_dataset = 'spark_catalog.staging.order_tags' AND target_column IS NOT NULL"
            " GROUP BY ALL ORDER BY 1"
        ).fetchall()
    assert gaps == [("Teleport", "no rule for Teleport")]
    assert tags == [("order_id", ["opaque"]), ("position", ["opaque"]), ("tag", ["opaque"])]


def test_paths_that_differ_in_a_secret_only_are_two_logs(spark: SparkContext, tmp_path: Path) -> None:
    paths = [tmp_path / f"token={word}" / PLAIN.name for word in ("hunter2abc", "hunter3abc")]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        path.write_text(PLAIN.read_text().replace('"App ID":"', f'"App ID":"{number}'))
    store = tmp_path / "store"
    assert harvest([str(path) for path in paths], store, HarvestOptions()).summary.facts.logs_read == 2
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        logs = [str(path) for (path,) in connection.execute("SELECT log_path FROM harvested_logs").fetchall()]
    assert len(set(logs)) == 2
    assert not any("hunter" in path for path in logs)
    assert harvest([str(path) for path in paths], store, HarvestOptions()).summary.facts.logs_unchanged == 2
