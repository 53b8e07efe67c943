"""`export`: each format says what it does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eventlog_lineage.cli.commands.export import export_command
from eventlog_lineage.cli.main import run

FORMATS = sorted(export_command.commands)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_help_with_an_example(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert run(["export", name, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"eventlog-lineage export {name}" in text.split("Usage:")[1]
    for word in ("Example", "--output", "--store", "--debug"):
        assert word in text


def test_without_a_format_the_help_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export"]) == 0
    text = capsys.readouterr().out
    assert run(["export", "--help"]) == 0
    assert capsys.readouterr().out == text
    assert all(f"\n  {name} " in text for name in FORMATS)
    assert "..." not in text.split("Commands:")[1]
    assert run(["export", "xml"]) == 2
    assert capsys.readouterr().err == "Error: No such command 'xml'; see eventlog-lineage export --help\n"


def test_help_of_a_format_imports_nothing_heavy() -> None:
    calls = "\n".join(f"run(['export', {name!r}, '--help'])" for name in FORMATS)
    script = (
        f"import sys\nfrom eventlog_lineage.cli.main import run\n{calls}\n"
        "heavy = {'duckdb', 'pyspark', 'pyarrow', 'rich', 'orjson'} & set(sys.modules)\nassert not heavy, heavy\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("name", FORMATS)
def test_a_store_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    assert run(["export", name, "--store", str(tmp_path / "none"), "--out", str(tmp_path / "out")]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert printed.err.startswith("Error: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["csv", "openlineage"])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, name: str) -> None:
    from support.stores.exports import RAW, night_of  # noqa: PLC0415 - the other tests need no store

    edges = [(f"{RAW}!c{n}", f"c{n}", "TRANSFORMATION", "x" * 10_000) for n in range(200)]
    night_of(*edges).harvest(tmp_path)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "eventlog_lineage", "export", name, "--store", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0
