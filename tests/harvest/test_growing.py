"""Logs that grow, end, are compacted or cleaned between two nights."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest import extract, job
from eventlog_lineage.harvest.job import run_job
from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from eventlog_lineage.store.schema.tables import APPLICATIONS
from eventlog_lineage.store.versions.folder import current_version
from support.stores.samples import LOGS, ROLLING, contents

APP = "nightly-sales-4-3"
STATUS = f"appstatus_{APP}"

pytestmark = pytest.mark.spark


def parts_until(folder: Path, last: int, *, ended: bool = False) -> Path:
    """The rolling log as it lay there when its part `last` was being written."""
    log = folder / ROLLING.name
    shutil.rmtree(log, ignore_errors=True)
    log.mkdir(parents=True)
    for number in range(1, last + 1):
        shutil.copy(ROLLING / f"events_{number}_{APP}.zstd", log)
    (log / (STATUS if ended else f"{STATUS}.inprogress")).touch()
    return log


@pytest.fixture(scope="module")
def night(spark: SparkContext) -> Callable[..., HarvestResult]:
    """A harvest of some logs into a store."""

    def run(store: Path, *logs: Path, **options: bool) -> HarvestResult:
        return harvest([str(log) for log in logs], store, HarvestOptions(**options))  # type: ignore[arg-type]

    return run


@pytest.fixture(scope="module")
def at_once(night: Callable[..., HarvestResult], tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[object]]:
    """What a store has that harvested the ended log once."""
    folder = tmp_path_factory.mktemp("at_once")
    night(folder / "store", parts_until(folder, 4, ended=True))
    return told(folder / "store")


def told(store: Path) -> dict[str, list[object]]:
    """The tables but for the log's path, which each test has its own of."""
    tables = contents(store)
    path = APPLICATIONS.column_names.index("log_path")
    tables["applications"] = [(*row[:path], *row[path + 1 :]) for row in tables["applications"]]
    return tables  # type: ignore[return-value]


def logs_of(store: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return connection.execute("SELECT log_path, state FROM harvested_logs ORDER BY ALL").fetchall()


def size_of(log: Path, *numbers: int) -> int:
    return sum((log / f"events_{number}_{APP}.zstd").stat().st_size for number in numbers)


@pytest.mark.parametrize("where", ["in one task", "spread", "on a cluster"])
def test_a_rolling_logs_finished_parts_are_read_once(
    night: Callable[..., HarvestResult],
    at_once: dict[str, list[object]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
) -> None:
    if where == "on a cluster":  # whose executors do not see the store
        monkeypatch.setattr(job, "run_job", lambda spark, due, *rest: run_job(spark, due.shipped(), *rest))
    if where == "spread":
        monkeypatch.setattr(extract, "_SPLIT_BYTES", 1)
        monkeypatch.setattr(extract, "_LEAST_DISTRIBUTED", 1)
        monkeypatch.setattr(extract, "_LOG_COST", 1)
    store = tmp_path / "store"
    log = parts_until(tmp_path, 2)
    first = night(store, log)
    assert (first.summary.facts.bytes_read, first.states) == (size_of(log, 1, 2), {"in_progress": 1})

    second = night(store, parts_until(tmp_path, 3))
    assert second.summary.facts.bytes_read == size_of(log, 2, 3)
    third = night(store, parts_until(tmp_path, 4, ended=True))
    assert (third.summary.facts.bytes_read, third.states) == (size_of(log, 3, 4), {"complete": 1})
    assert told(store) == at_once
    version = current_version(store)
    assert version is not None
    assert list((version / ".checkpoints").iterdir()) == []


def test_a_log_that_was_compacted_after_a_harvest_loses_nothing(
    night: Callable[..., HarvestResult], at_once: dict[str, list[object]], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    night(store, parts_until(tmp_path, 3))
    log = parts_until(tmp_path, 4, ended=True)
    (log / f"events_1_{APP}.zstd").unlink()
    shutil.copy(LOGS / "eventlog_v2_nightly-sales-4-3" / f"events_2_{APP}.zstd", log / f"events_2_{APP}.zstd.compact")
    (log / f"events_2_{APP}.zstd").unlink()
    result = night(store, log)

    assert result.states == {"complete": 1}
    assert told(store) == at_once


@pytest.mark.parametrize("reprocess", [False, True])
def test_parts_that_were_removed_after_a_harvest_stay_in_the_store(
    night: Callable[..., HarvestResult], tmp_path: Path, reprocess: bool
) -> None:
    """Reprocessing reads what is left from its beginning, where statements are that belong to some that are gone."""
    store = tmp_path / "store"
    night(store, parts_until(tmp_path, 4))
    before = contents(store)
    log = parts_until(tmp_path, 4)
    for number in (1, 2):
        (log / f"events_{number}_{APP}.zstd").unlink()
    night(store, log, reprocess=reprocess)
    after = contents(store)
    for table in ("applications", "executions", "column_lineage", "dataset_io"):
        assert len(after[table]) == len(before[table])

    shutil.rmtree(log)
    log.mkdir()
    night(store, log)
    assert contents(store) == after


def test_a_log_in_progress_is_harvested_as_far_as_it_goes_and_completed_later(
    night: Callable[..., HarvestResult], tmp_path: Path
) -> None:
    ended = LOGS / "nightly-sales-3-5.zstd"
    together, apart = tmp_path / "together", tmp_path / "apart"
    logs = tmp_path / "logs"
    logs.mkdir()
    shutil.copy(ended, logs)
    night(together, logs)

    running = logs / f"{ended.name}.inprogress"
    (logs / ended.name).unlink()
    running.write_bytes(ended.read_bytes()[: ended.stat().st_size * 2 // 3])
    assert night(apart, logs).states == {"in_progress": 1}
    with duckdb.connect(str(apart / "lineage.duckdb"), read_only=True) as connection:
        counts = connection.execute("SELECT count(*), count(*) FILTER (status = 'succeeded') FROM executions")
        number, succeeded = counts.fetchone() or (0, 0)
    assert 0 < succeeded <= number
    running.unlink()
    shutil.copy(ended, logs)
    assert night(apart, logs).states == {"complete": 1}
    assert contents(apart) == contents(together)
    assert logs_of(apart) == [(str(logs / ended.name), "complete")]


def test_running_again_leaves_every_table_file_as_it_was(
    night: Callable[..., HarvestResult], rolling_store: Path, tmp_path: Path
) -> None:
    store = shutil.copytree(rolling_store, tmp_path / "store", symlinks=True)
    before = files_of(store)
    night(store, ROLLING)
    after = files_of(store)
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == {
        "harvested_logs/part-1-0.parquet",
        "harvested_logs/part-2-0.parquet",
        "harvests/part-1.parquet",
        "harvests/part-2.parquet",
    }
    assert after["harvested_logs/part-2-0.parquet"] == before["harvested_logs/part-1-0.parquet"]


def files_of(store: Path) -> dict[str, bytes]:
    version = current_version(store)
    assert version is not None
    return {str(file.relative_to(version)): file.read_bytes() for file in version.rglob("*.parquet")}


def test_a_log_that_could_not_be_read_is_tried_again(night: Callable[..., HarvestResult], tmp_path: Path) -> None:
    log, store = tmp_path / "application_1_0001", tmp_path / "store"
    log.write_text("x" * (LOGS / "nightly-sales-3-3").stat().st_size)
    assert len(night(store, log).unreadable) == 1
    assert len(night(store, log).unreadable) == 1
    log.write_bytes((LOGS / "nightly-sales-3-3").read_bytes())
    assert night(store, log).unreadable == ()
