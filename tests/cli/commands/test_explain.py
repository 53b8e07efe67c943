"""`explain`: what a log does not give is said, too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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


def test_invisible_characters_in_a_description_are_escaped_in_valid_json(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hidden = "a\U000e0041\ufe0fb"
    log.write_text(log.read_text().replace('"large"', json.dumps(hidden)))
    assert run(["explain", str(log), "--format", "json"]) == 0
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert hidden in {each["description"] for each in json.loads(printed)}


def test_python_without_docstrings_gives_the_same() -> None:
    sample = str(Path(__file__).parents[2] / "sample_logs" / "nightly-sales-3-3")
    call = [sys.executable, "-m", "eventlog_lineage", "explain", sample]
    printed = [
        subprocess.run(call, check=True, capture_output=True, env=os.environ | {"PYTHONOPTIMIZE": level}).stdout
        for level in ("", "2")
    ]
    assert printed[0] == printed[1]


def test_a_log_without_sql_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "local-1"
    log.write_text('{"Event":"SparkListenerApplicationStart","App Name":"a","App ID":"local-1","Timestamp":1}\n')
    assert run(["explain", str(log)]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err.splitlines()[-1]) == ("", "No SQL execution in the log.")


def test_a_description_that_begins_with_a_line_break_is_shown(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_text(log.read_text().replace('"large"', json.dumps("\n  \n  night load\n  of orders")))
    run(["explain", str(log), "--lineage-only"])
    assert "# execution 0: night load (" in capsys.readouterr().out
