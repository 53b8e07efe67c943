"""One Spark and one harvested store for all tests of the job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from eventlog_lineage.harvest.session import spark_context

LOGS = Path(__file__).resolve().parent.parent / "sample_logs"


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
