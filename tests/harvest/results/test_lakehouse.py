"""The store that a harvest of table formats' logs makes: snapshots, micro-batches, Paimon's views."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, harvest

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "make_snapshot_docs.py"

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_snapshot_docs", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def lake(spark: SparkContext, docs: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("lake") / "lineage"
    harvest(docs.LOGS, store, HarvestOptions())
    return store


def rows(lake: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(lake / "lineage.duckdb"), read_only=True) as connection:
        return connection.execute(query).fetchall()


def test_the_answers_in_the_page_on_snapshots_are_todays(docs: ModuleType, lake: Path) -> None:
    page = docs.PAGE.read_text(encoding="utf-8")
    assert docs.answered(page, lake) == page, "run scripts/make_snapshot_docs.py, read the diff"


def test_the_snapshots_of_a_statement_stand_beside_its_reads_and_writes(lake: Path) -> None:
    found = rows(
        lake,
        "SELECT dataset, direction, snapshot_id, snapshot_confidence FROM dataset_io JOIN executions"
        " USING (app_id, attempt_id, execution_id)"
        " WHERE description = 'merge: all clauses' AND dataset LIKE 'spark_catalog.%' ORDER BY 2, 1",
    )
    assert found == [
        ("spark_catalog.shop.orders", "read", "4", "exact"),
        ("spark_catalog.shop.updates", "read", "1", "exact"),
        ("spark_catalog.shop.orders", "write", "5", "inferred"),
    ]


def test_parquet_has_the_snapshots_and_the_batches_too(lake: Path) -> None:
    for table in ("dataset_io", "stream_batches"):
        count = f"SELECT count(*) FROM {table}"
        files = f"SELECT count(*) FROM read_parquet('{lake}/{table}/**/*.parquet')"
        assert rows(lake, count) == duckdb.sql(files).fetchall()
    snapshots = f"SELECT count(snapshot_id) FROM read_parquet('{lake}/dataset_io/**/*.parquet')"
    assert duckdb.sql(snapshots).fetchall() == rows(lake, "SELECT count(snapshot_id) FROM dataset_io")


def test_a_micro_batch_keeps_its_offsets(lake: Path) -> None:
    found = rows(
        lake,
        "SELECT query_name, stream_batch_id, source_dataset, end_offset LIKE '%\"reservoirVersion\":2%', input_rows,"
        " sink_dataset FROM stream_batches WHERE source_dataset LIKE 'spark_catalog.%' ORDER BY started_at",
    )
    assert found == [
        ("stream: copied", 0, "spark_catalog.shop.saved", True, 10, "spark_catalog.shop.copied"),
        ("stream: merged", 0, "spark_catalog.shop.saved", True, 10, None),
    ]
