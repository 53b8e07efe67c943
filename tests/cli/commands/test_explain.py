"""`explain`: what a log does not give is said, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with a plan of a little more than 1 MiB and a line that is none."""
    table = "== Physical Plan ==\nScan hive db.t (1)\n\n\n(1) Scan hive db.t\nOutput [1]: [a#1]\n"
    start = {
        "Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
        "executionId": 0,
        "description": "large",
        "physicalPlanDescription": table + " " * (1 << 20),
        "sparkPlanInfo": {},
        "time": 2,
    }
    application = {"Event": "SparkListenerApplicationStart", "App Name": "a", "App ID": "local-1", "Timestamp": 1}
    lines = [json.dumps(event, separators=(",", ":")) for event in (application, start)]
    path = tmp_path / "local-1"
    path.write_text("\n".join(['{"Event":"SparkListenerApplicationStart",is broken', *lines, ""]))
    return path


def test_a_limit_can_be_set_and_what_is_beyond_it_is_said(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", str(log), "--max-plan", "1"]) == 0
    told = capsys.readouterr()
    assert "db.t" not in told.out
    assert "gap limit_exceeded of the log: " in told.err
    assert run(["explain", str(log), "--max-plan", "2"]) == 0
    told = capsys.readouterr()
    assert "db.t" in told.out
    assert "limit_exceeded" not in told.err


def test_lines_that_cannot_be_read_are_said(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["explain", str(log)])
    assert "gap bad_event of the log: 1 line" in capsys.readouterr().err
