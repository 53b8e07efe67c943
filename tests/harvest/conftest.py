"""Stores that the tests of the job share."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from support.processes import environment

LOGS = Path(__file__).resolve().parent.parent / "sample_logs"
APP = "nightly-sales-4-3"
ROLLING = LOGS / f"eventlog_v2_{APP}"
STATUS = f"appstatus_{APP}"


@pytest.fixture
def store(sample_store: tuple[Path, HarvestResult]) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(sample_store[0] / "lineage.duckdb"), read_only=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def rolling_store(spark: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the rolling log; tests that change it copy it."""
    store = tmp_path_factory.mktemp("rolling") / "store"
    harvest([str(ROLLING)], store, HarvestOptions())
    return store


@pytest.fixture(scope="session")
def nights(spark: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Logs, a store after the first night, and one after the second, undisturbed."""
    folder = tmp_path_factory.mktemp("nights")
    logs, first, second = folder / "logs", folder / "first", folder / "second"
    rolling = logs / ROLLING.name
    rolling.mkdir(parents=True)
    shutil.copy(LOGS / "nightly-sales-3-3", logs)
    for number in (1, 2):
        shutil.copy(ROLLING / f"events_{number}_{APP}.zstd", rolling)
    (rolling / f"{STATUS}.inprogress").touch()
    harvest([str(logs)], first, HarvestOptions())

    for number in (3, 4):
        shutil.copy(ROLLING / f"events_{number}_{APP}.zstd", rolling)
    (rolling / f"{STATUS}.inprogress").rename(rolling / STATUS)
    shutil.copy(LOGS / "nightly-sales-3-5.zstd", logs)
    shutil.copytree(first, second, symlinks=True)
    harvest([str(logs)], second, HarvestOptions())
    return logs, first, second


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `eventlog-lineage pack` packs, as the script of a checkout runs it."""
    file = tmp_path_factory.mktemp("pack") / "pack.tar.gz"
    script = Path(__file__).parents[2] / "scripts" / "pack.py"
    subprocess.run(
        [sys.executable, str(script), "--out", str(file)], env=environment(), check=True, capture_output=True
    )
    return file
