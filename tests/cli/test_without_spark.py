"""Asking needs no PySpark: questions, pages, exports and `explain` run, and a harvest names what to install."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eventlog_lineage.harvest.run import HarvestResult

ROOT = Path(__file__).resolve().parents[2]
LOG = ROOT / "tests" / "sample_logs" / "nightly-sales-3-5.zstd"
PROGRAM = "import sys; sys.modules['pyspark'] = None; from eventlog_lineage.cli.main import main; main()"
"""The program where an import of PySpark fails."""


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "JAVA_HOME": "/nonexistent"}
    call = [sys.executable, "-c", PROGRAM, *map(str, words)]
    return subprocess.run(call, env=environment, capture_output=True, text=True, check=False)


def test_a_harvest_names_what_to_install(tmp_path: Path) -> None:
    done = run("harvest", LOG, "--store", tmp_path / "store")
    assert done.returncode == 2
    assert "pip install 'eventlog-lineage[spark]'" in done.stderr
    assert not (tmp_path / "store").exists()


def test_doctor_reports_the_missing_package(tmp_path: Path) -> None:
    done = run("doctor", LOG, "--store", tmp_path / "store")
    assert done.returncode == 1
    assert "eventlog-lineage[spark]" in done.stdout


def test_explain_reads_a_log() -> None:
    done = run("explain", LOG, "--execution", "18")
    assert (done.returncode, "phone_book" in done.stdout) == (0, True)


@pytest.mark.spark
def test_a_store_answers(sample_store: tuple[Path, HarvestResult], tmp_path: Path) -> None:
    store = ("--store", sample_store[0])
    for words in (
        ("upstream", "sales.daily_sales.revenue"),
        ("jobs", "sales.daily_sales"),
        ("sql", "SELECT count(*) FROM executions"),
        ("export", "openlineage", "--out", tmp_path / "events.ndjson"),
        ("report", "--out", tmp_path / "page.html"),
        ("check",),
    ):
        done = run(*words, *store)
        assert done.returncode == 0, (words, done.stderr)


def test_an_interrupt_while_modules_are_imported_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt")
    call = [sys.executable, "-m", "eventlog_lineage", "--version"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "Error: interrupted\n")
