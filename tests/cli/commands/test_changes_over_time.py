"""The commands on schemas and lineage over time, on three nights of a small shop."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import UsageError
from eventlog_lineage.user_input import read_time
from support.stores.nights import Night

RAW, ORDERS, MART, SPARE = (f"spark_catalog.s.{name}" for name in ("raw", "orders", "mart", "spare"))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two nights, the second one with a column dropped: the mart's job fails on it."""
    folder = tmp_path_factory.mktemp("store")
    for day, columns in enumerate((("a:int", "b:int", "c:int"), ("a:int", "c:int"))):
        night = Night(day)
        night.app()
        shape = night.statement([(f"{RAW}!a", "a", "IDENTITY")], target=ORDERS, description="orders")
        night.show(shape, ORDERS, *columns, literal="")
        status = "failed" if day else "succeeded"
        edges = [(f"{ORDERS}!b", "total", "AGGREGATION"), (f"{ORDERS}!a", "a", "IDENTITY")]
        shape = night.statement(edges, target=MART, execution=2, description="mart", status=status)
        night.show(shape, MART, "total", "a")
        shape = night.statement([(f"{MART}!total", "t", "IDENTITY")], target=SPARE, execution=3, description="spare")
        night.show(shape, SPARE, "t")
        night.rows["lineage_schemas"] = [
            {**row, "lineage_id": f"{row['lineage_id']}{day}"} for row in night.rows["lineage_schemas"]
        ]
        for table in ("executions", "lineages"):
            for row in night.rows[table]:
                row["lineage_id"] += str(day)
        night.harvest(folder)
    return str(folder)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(words) == 0
    return capsys.readouterr().out


def test_changes_tells_what_depends_on_it_and_whether_the_next_runs_failed(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(answer(capsys, "changes", "--since", "2026-11-19", "--json", "--store", store))
    (dropped,) = (each for each in told if each["change"] == "column_dropped")
    assert (dropped["dataset"], dropped["column_name"]) == (ORDERS, "b")
    assert dropped["depends"] == [f"{MART}.total", f"{SPARE}.t"]
    assert [(each["job_name"], each["status"]) for each in dropped["next_runs"]] == [("nightly sales: mart", "failed")]


def test_changes_as_text_says_which_job_failed(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = answer(capsys, "changes", "--since", "2026-11-19", "--store", store)
    assert "column_dropped" in text
    assert "nightly sales: mart: failed" in text


def test_nothing_changed_says_so(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "changes", "--since", "2030-01-01", "--store", store).startswith("No changes since")


def test_history_tells_a_datasets_versions_and_changes(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(answer(capsys, "history", "s.orders", "--json", "--store", store))
    assert [(each["kind"], each["change"], each["new_value"]) for each in told] == [
        ("version", "version 1", "a int, b int, c int"),
        ("schema", "column_dropped", None),
        ("version", "version 2", "a int, c int"),
    ]


def test_unused_tells_what_is_written_and_never_read(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(answer(capsys, "unused", "--since", "2026-11-01", "--json", "--store", store))
    found: list[tuple[Any, ...]] = [(each["kind"], each["dataset"], each["column_name"]) for each in told]
    assert found == [
        ("dataset_never_read", SPARE, None),
        ("column_never_read", MART, "a"),
        ("column_never_read", ORDERS, "c"),
    ]


def test_columns_have_their_types(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(answer(capsys, "columns", "s.orders", "--format", "json", "--store", store))
    assert [(each["column_name"], each["data_type"]) for each in told] == [("a", "int"), ("c", "int")]


NOW = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-01", datetime(2026, 11, 1)),
        ("2026-11-01T04:00", datetime(2026, 11, 1, 4)),
        ("2026-11-01T04:00:00+02:00", datetime(2026, 11, 1, 2)),
        ("2026-11-01T04:00:00Z", datetime(2026, 11, 1, 4)),
        ("24h", datetime(2026, 11, 19, 12)),
        ("7d", datetime(2026, 11, 13, 12)),
        ("2 W", datetime(2026, 11, 20, 12) - timedelta(days=14)),
        ("today", datetime(2026, 11, 20)),
        ("yesterday", datetime(2026, 11, 19)),
    ],
)
def test_a_time_is_read_as_people_write_it(text: str, moment: datetime) -> None:
    assert read_time(text, NOW) == moment


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(UsageError, match="invalid time"):
        read_time("soon", NOW)


def test_a_harvest_takes_the_rule_for_job_names_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = tmp_path / "names.txt"
    rule.write_text("(unclosed", encoding="utf-8")
    words = ("harvest", str(tmp_path), "--job-names", str(rule), "--store", str(tmp_path / "store"))
    assert run(words) == 2
    assert "not a regular expression" in capsys.readouterr().err
