"""`pack` writes what executors need that have Python and nothing else."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.harvest.spark import spark_checks


def test_the_archive_has_the_program_and_its_packages_without_tests(archive: Path) -> None:
    with tarfile.open(archive) as opened:
        names = opened.getnames()
    assert "eventlog_lineage/harvest/extract.py" in names
    assert {name.split("/")[0] for name in names} >= {"eventlog_lineage", "orjson", "zstandard", "pyarrow"}
    assert [name for name in names if "/tests/" in name or name.endswith(".pyc")] == []
    assert [path.name for path in archive.parent.iterdir()] == [archive.name]


def test_a_python_without_packages_imports_the_program_from_the_archive(archive: Path, tmp_path: Path) -> None:
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path)
    code = "import eventlog_lineage, orjson, pyarrow; print(eventlog_lineage.__file__)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path))


def test_pip_is_asked_for_other_machines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[list[str]] = []

    def pip(call: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        calls.append(call)
        target = Path(call[call.index("--target") + 1])
        (target / "orjson").mkdir()
        (target / "orjson" / "orjson.so").write_bytes(b"arm")
        return subprocess.CompletedProcess(call, 0, "", "")

    monkeypatch.setattr(spark_checks.subprocess, "run", pip)
    file = tmp_path / "arm.tar.gz"
    spark_checks.write_pack(file, "manylinux2014_aarch64", "3.11")
    assert calls[0][calls[0].index("--platform") + 1] == "manylinux2014_aarch64"
    assert calls[0][calls[0].index("--python-version") + 1] == "3.11"
    with tarfile.open(file) as opened:
        assert "orjson/orjson.so" in opened.getnames()


def test_what_cannot_be_done_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["pack", "--python", "3.11", "--out", str(tmp_path / "a.tar.gz")]) == 2
    assert "--python needs --platform" in capsys.readouterr().err
    assert run(["pack", "--out", str(tmp_path / "missing" / "a.tar.gz")]) == 1
    assert "cannot write the archive: No such file or directory" in capsys.readouterr().err
    failed = subprocess.CompletedProcess([], 1, "", "ERROR: No matching distribution found for orjson\n")
    monkeypatch.setattr(spark_checks.subprocess, "run", lambda *_, **__: failed)
    assert run(["pack", "--platform", "vax", "--out", str(tmp_path / "a.tar.gz")]) == 1
    assert "pip cannot fetch the packages for vax: ERROR: No matching distribution" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
