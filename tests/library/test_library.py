"""The package as a library: the names that notebooks and jobs use."""

from __future__ import annotations

import importlib
import subprocess
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest

import eventlog_lineage as el
from eventlog_lineage.errors import QueryError, StoreError, UsageError
from support.stores.shop import open_shop

LOG = Path(__file__).resolve().parents[1] / "sample_logs" / "nightly-sales-3-5.zstd"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("library") / "store"
    open_shop(made)
    return made


def test_every_question_has_rows_as_tuples_dictionaries_and_frames(folder: Path) -> None:
    with el.open_store(folder) as store:
        results = {
            "upstream": store.upstream("daily_sales.revenue", direct_only=True),
            "downstream": store.downstream("staging.orders", depth=1),
            "impact": store.impact("staging.orders.amount"),
            "columns": store.columns("daily_sales"),
            "history": store.history("daily_sales"),
            "changes": store.changes(datetime(2000, 1, 1, tzinfo=timezone.utc)),
            "unused": store.unused(timedelta(days=36500)),
            "changes as text": store.changes("2000-01-01", "today"),
            "changes by day": store.changes(date(2000, 1, 1), kind="schema"),
            "unused as text": store.unused("99999d"),
            "gaps": store.gaps(every=True),
            "jobs": store.jobs(),
            "sql": store.sql("SELECT count(*) AS edges FROM column_lineage"),
        }
    for name, result in results.items():
        rows = result.fetchall()
        assert rows, name
        assert result.records() == list(result) == [dict(zip(result.columns, row, strict=True)) for row in rows]
        assert result.arrow().num_rows == len(result) == len(rows)


def test_answers_become_data_frames(folder: Path) -> None:
    with el.open_store(folder) as store:
        result = store.upstream("daily_sales.revenue")
    assert type(result.df()) is importlib.import_module("pandas").DataFrame
    assert type(result.pl()) is importlib.import_module("polars").DataFrame
    assert list(result.df().columns) == result.pl().columns == list(result.columns)


def test_a_data_frame_without_its_package_is_an_error_that_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with el.open_store(folder) as store:
        result = store.gaps()
    for package, frame in (("pandas", result.df), ("polars", result.pl)):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(UsageError, match=f"{package} is not installed; pip install {package}"):
            frame()


def test_a_store_that_is_not_there_and_a_name_that_is_wrong_are_errors_with_a_hint(folder: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        el.open_store(folder / "nowhere")
    with el.open_store(folder) as store:
        with pytest.raises(UsageError, match="did you mean"):
            store.upstream("daily_sails")
        with pytest.raises(QueryError, match="SELEC"):
            store.sql("SELEC 1")


def test_a_log_is_explained_without_spark_and_without_a_store() -> None:
    statements = list(el.explain(LOG))
    targets = {each.lineage.target.name for each in statements if each.lineage.target is not None}
    assert "spark_catalog.sales.paid_orders" in targets
    assert any(each.lineage.edges for each in statements)


def test_an_unknown_option_of_a_harvest_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown option 'keep'"):
        el.harvest(LOG, tmp_path / "store", keep=30)


def test_harvest_can_be_called_whatever_was_imported_before() -> None:
    code = "import eventlog_lineage.harvest.run, eventlog_lineage as el; print(callable(el.harvest))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "True"


def test_importing_the_package_imports_neither_spark_nor_duckdb() -> None:
    code = "import sys, eventlog_lineage; print({'pyspark', 'duckdb', 'pyarrow', 'click'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"
