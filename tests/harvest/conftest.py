"""One Spark and one harvested store for all tests of the job."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from eventlog_lineage.harvest.spark.session import spark_context
from support.processes import run

LOGS = Path(__file__).resolve().parent.parent / "sample_logs"
APP = "nightly-sales-4-3"
ROLLING = LOGS / f"eventlog_v2_{APP}"
STATUS = f"appstatus_{APP}"


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkContext]:
    with spark_context("local[2]", {"spark.driver.host": "127.0.0.1"}, "tests") as context:
        yield context


@pytest.fixture(scope="session")
def sample_store(spark: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, HarvestResult]:
    store = tmp_path_factory.mktemp("store") / "lineage"
    return store, harvest([str(LOGS)], store, HarvestOptions())


@pytest.fixture
def store(sample_store: tuple[Path, HarvestResult]) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(sample_store[0] / "lineage.duckdb"), read_only=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Logs, a store after the first night, and one after the second, undisturbed."""
    folder = tmp_path_factory.mktemp("nights")
    logs, first, second = folder / "logs", folder / "first", folder / "second"
    rolling = logs / ROLLING.name
    rolling.mkdir(parents=True)
    shutil.copy(LOGS / "nightly-sales-3-3", logs)
    for number in (1, 2):
        shutil.copy(ROLLING / f"events_{number}_{APP}.zstd", rolling)
    (rolling / f"{STATUS}.inprogress").touch()
    assert run(logs, first).returncode == 0

    for number in (3, 4):
        shutil.copy(ROLLING / f"events_{number}_{APP}.zstd", rolling)
    (rolling / f"{STATUS}.inprogress").rename(rolling / STATUS)
    shutil.copy(LOGS / "nightly-sales-3-5.zstd", logs)
    shutil.copytree(first, second, symlinks=True)
    assert run(logs, second).returncode == 0
    return logs, first, second
