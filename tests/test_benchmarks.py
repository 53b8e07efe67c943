"""The benchmarks run: a release measures with them, and what they patch and call changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eventlog_lineage.store.queries.open_store import open_store

ROOT = Path(__file__).parent.parent


def printed(name: str, *words: str | Path) -> str:
    """Return what a benchmark prints."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    call = (sys.executable, ROOT / "benchmarks" / name, *words)
    return subprocess.run(
        call, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ).stdout


@pytest.mark.spark
def test_a_night_is_measured_step_by_step() -> None:
    text = printed("night_speed.py", "--files", "2", "--megabytes", "2", "--repeats", "1", "--least", "0")
    assert "2 MB of text in 2 files, 60 executions" in text
    for step in ("list", "read", "trace", "store", "ratio"):
        assert f"\n  {step} " in text or f"\n{step} " in text, text


@pytest.mark.slow
def test_questions_are_measured_and_look_up_the_edges_that_they_find(tmp_path: Path) -> None:
    store = tmp_path / "store"
    text = printed("ask_speed.py", "--store", store, "--tables", "100", "--layers", "3")
    assert "110000 edges" in text
    assert "$ eventlog-lineage upstream layer_2.table_77.column_5" in text
    with open_store(store) as opened:
        for question in ("upstream('layer_2.table_77.column_5')", "downstream('layer_0.table_77.column_5')"):
            plan = json.loads(opened.ask(f"EXPLAIN (FORMAT json) SELECT * FROM {question}").rows[0][1])
            joins = [node for node in nodes(plan) if "rowid" in str(node["extra_info"].get("Conditions"))]
            assert len(joins) == 1
            probed, built = joins[0]["children"]
            assert tables(probed) == ["column_lineage"]
            assert "column_lineage" not in tables(built)  # all edges in memory: 3 GB for ten million


def nodes(plan: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for node in plan:
        yield node
        yield from nodes(node["children"])


def tables(node: dict[str, Any]) -> list[str]:
    scans = (str(each["extra_info"].get("Table", "")).rpartition(".")[2] for each in nodes([node]))
    return [name for name in scans if name]
