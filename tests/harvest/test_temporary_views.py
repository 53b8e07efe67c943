"""A temporary view is its application's: another application has another dataset under the same name."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.run import Listed, harvest_logs, read_in_process
from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.queries.paths import skipped_datasets

_PLAN = Path(__file__).parents[1] / "operators" / "fixtures" / "create_view" / "temporary.3.5.plan"
_UI = "org.apache.spark.sql.execution.ui.SparkListener"


def harvest_in_process(logs: Path, store: Path) -> None:
    """Harvest the logs of a folder without Spark."""
    found = tuple(find_logs([str(logs)]))
    harvest_logs(lambda _: Listed(len(found), found), store, {}, read_in_process, lambda *_: None)


def write_log(folder: Path, number: int, name: str, table: str = "orders") -> None:
    text = (
        _PLAN.read_text(encoding="utf-8")
        .replace("`orders`", f"`{table}`")
        .replace("default.orders", f"default.{table}")
    )
    start = {"physicalPlanDescription": text, "sparkPlanInfo": {}, "time": number * 1000 + 2, "details": ""}
    events = (
        {"Event": "SparkListenerLogStart", "Spark Version": "3.5.9"},
        {"Event": "SparkListenerApplicationStart", "App Name": name, "App ID": f"local-{number}", "Timestamp": number},
        {"Event": f"{_UI}SQLExecutionStart", "executionId": 0, "description": "prepare", **start},
        {"Event": f"{_UI}SQLExecutionEnd", "executionId": 0, "time": number * 1000 + 3, "errorMessage": ""},
        {"Event": "SparkListenerApplicationEnd", "Timestamp": number * 1000 + 4},
    )
    (folder / f"local-{number}").write_text("".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in events))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two nights of one application, and another application with a view of that name over another table."""
    folder = tmp_path_factory.mktemp("views")
    logs = folder / "logs"
    logs.mkdir()
    write_log(logs, 1, "north 2026-11-20")
    write_log(logs, 2, "north 2026-11-21")
    write_log(logs, 3, "eu/south.v2", "returns")
    harvest_in_process(logs, folder / "store")
    return folder / "store"


def ask(store: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return connection.execute(query).fetchall()


def test_views_of_two_applications_are_two_datasets(store: Path) -> None:
    assert ask(store, "SELECT dataset FROM datasets WHERE kind = 'temp_view' ORDER BY ALL") == [
        ("recent@eu-south-v2",),
        ("recent@north",),
    ]
    assert ask(
        store, "SELECT DISTINCT source_dataset, target_dataset FROM column_lineage WHERE is_current ORDER BY ALL"
    ) == [
        ("spark_catalog.default.orders", "recent@north"),
        ("spark_catalog.default.returns", "recent@eu-south-v2"),
    ]


def test_nights_of_one_application_have_one_view(store: Path) -> None:
    assert ask(store, "SELECT max(run_count) FROM column_lineage WHERE target_dataset = 'recent@north'") == [(2,)]
    assert ask(store, "SELECT * FROM lineage_changes") == []


@pytest.mark.parametrize(
    "name", ["pyspark-shell", "Spark shell", "SparkSQL::10.0.0.7", "0d5a0a6e-7d8b-4a5f-9a0e-3f1c2b4d5e6f"]
)
def test_applications_without_a_name_share_no_view(name: str, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    write_log(logs, 1, name)
    write_log(logs, 2, name, "returns")
    harvest_in_process(logs, tmp_path / "store")
    query = "SELECT DISTINCT source_dataset, target_dataset FROM column_lineage WHERE is_current ORDER BY ALL"
    assert ask(tmp_path / "store", query) == [
        ("spark_catalog.default.orders", "recent@local-1"),
        ("spark_catalog.default.returns", "recent@local-2"),
    ]


def test_a_job_is_named_by_the_short_name(store: Path) -> None:
    assert ask(store, "SELECT DISTINCT job_name FROM executions ORDER BY ALL") == [
        ("eu/south.v2: prepare: recent",),
        ("north: prepare: recent",),
    ]


def test_the_short_name_finds_the_views(store: Path) -> None:
    found = ask(store, "SELECT dataset FROM internal.find_names('recent') ORDER BY ALL")
    assert found == [("recent@eu-south-v2",), ("recent@north",)]
    with open_store(store) as opened:
        assert skipped_datasets(opened, ["recent"]) == {"recent@eu-south-v2", "recent@north"}
        assert skipped_datasets(opened, ["recent@north"]) == {"recent@north"}


def test_a_store_with_short_names_reads_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs before 0.3 named views by their short names: they keep their history, and the next run has the owner."""
    logs = tmp_path / "logs"
    logs.mkdir()
    write_log(logs, 1, "north 2026-11-20")
    with monkeypatch.context() as before:
        before.setattr("eventlog_lineage.harvest.extract.owner_of_views", lambda *_: "")
        harvest_in_process(logs, tmp_path / "store")
    write_log(logs, 2, "north 2026-11-21")
    harvest_in_process(logs / "local-2", tmp_path / "store")
    query = "SELECT DISTINCT target_dataset, job_name, is_current FROM column_lineage ORDER BY ALL"
    assert ask(tmp_path / "store", query) == [
        ("recent", "north: prepare: recent", True),
        ("recent@north", "north: prepare: recent", True),
    ]
    assert ask(tmp_path / "store", "SELECT * FROM lineage_changes") == []
    assert ask(tmp_path / "store", "SELECT dataset FROM internal.find_names('recent')") == [("recent",)]
