"""The reader of the medallion logs' truth."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import support.lakehouse.score as scoring
from support.lakehouse import medallions as medallion_truth

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

TRUTH = {
    "datasets": {"orders": "cat.silver.orders", "orders.raw": "file:///raw"},
    "statements": [
        {
            "name": "load",
            "writes": "append orders",
            "columns": {"id c{1..2}": "orders.raw.*", "total": ["orders.a", "orders.b.c"], "loaded": []},
            "conditions": ["FILTER orders.raw.day"],
        },
        {"name": "only on 4.1", "in": "4-1"},
    ],
    "schema_changes": [{"table": "orders", "column_added": "x y", "in": "4-1"}],
}


def loaded(folder: Path, monkeypatch: pytest.MonkeyPatch, log: str) -> medallion_truth.Medallion:
    (folder / "delta.json").write_text(json.dumps(TRUTH))
    monkeypatch.setattr(medallion_truth, "MEDALLION_LOGS", folder)
    return medallion_truth.load_medallion(log)


def test_a_key_stands_for_each_of_its_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (statement,) = loaded(tmp_path, monkeypatch, "delta-3-5").statements
    assert (statement.kind, statement.target) == ("append", "cat.silver.orders")
    assert {column: sorted(sources) for column, sources in statement.columns.items()} == {
        "id": ["file:///raw.id"],
        "c1": ["file:///raw.c1"],
        "c2": ["file:///raw.c2"],
        "total": ["cat.silver.orders.a", "cat.silver.orders.b.c"],
        "loaded": [],
    }
    assert statement.conditions == {("FILTER", "file:///raw.day")}


def test_statements_and_changes_may_be_of_some_logs_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older, newer = (loaded(tmp_path, monkeypatch, name) for name in ("delta-3-5", "delta-4-1"))
    assert [each.name for each in newer.statements] == ["load", "only on 4.1"]
    assert newer.statements[1].kind == "read"
    assert newer.statements[1].target is None
    assert older.schema_changes == set()
    assert newer.schema_changes == {("cat.silver.orders", "column_added", each) for each in "xy"}


def test_each_write_of_a_name_is_compared_with_the_truth_of_its_target() -> None:
    """Batches of `two sinks` write two tables; a truth that lists one of two targets leaves the other unlisted."""
    truth = medallion_truth.load_medallion("harbour_delta-3-5")
    sinks = [each for each in truth.statements if each.name == "two sinks"]
    assert [each.target for each in sinks] == ["spark_catalog.gold.crew_table", "spark_catalog.gold.counts"]
    score = scoring.score_log(medallion_truth.Medallion(tuple(sinks), None), "harbour_delta-3-5")
    assert [each.verdict for each in score.statements] == ["right", "right"]
    elsewhere = replace(sinks[1], target="spark_catalog.gold.elsewhere")
    score = scoring.score_log(medallion_truth.Medallion((sinks[0], elsewhere), None), "harbour_delta-3-5")
    assert [each.verdict for each in score.statements] == ["right", "silent"]
    assert "two sinks: create spark_catalog.gold.counts" in score.unlisted
