"""`--out` and `--output` leave what exists what it is: a FIFO, a device, a link, a mode."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from support.stores import shop

COMMANDS = {
    "csv": ["export", "csv", "--out"],
    "hive": ["export", "hive", "--out"],
    "duckdb": ["export", "duckdb", "--out"],
    "superset": ["export", "superset", "--out"],
    "report": ["report", "--out"],
    "answer": ["ls", "--output"],
    "parquet": ["ls", "--format", "parquet", "--output"],
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("shop")
    shop.open_shop(made)
    return str(made)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_exists_stays_what_it_is(store: str, tmp_path: Path, name: str) -> None:
    fifo, link, target, absent, dangling = (
        tmp_path / each for each in ("fifo", "link", "target", "absent", "dangling")
    )
    os.mkfifo(fifo)
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    dangling.symlink_to(absent)
    *words, option = COMMANDS[name]
    call = [*words, "--store", store, option]

    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(fifo.read_bytes)
        assert run([*call, str(fifo)]) == 0
        assert len(received.result(timeout=60)) > 100
    assert stat.S_ISFIFO(fifo.stat().st_mode)

    for path, written in ((link, target), (dangling, absent)):
        assert run([*call, str(path)]) == 0
        assert path.is_symlink()
        assert written.stat().st_size > 100
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["absent", "dangling", "fifo", "link", "target"]


@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="no device that is always full")
def test_a_full_device_is_an_error_and_stays(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    device = tmp_path / "full"
    device.symlink_to("/dev/full")
    assert run(["export", "csv", "--store", store, "--out", str(device)]) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert stat.S_ISCHR(device.stat().st_mode)


def test_the_standard_output_has_a_name(store: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("before\n")
    call = [sys.executable, "-m", "eventlog_lineage", "export", "csv", "--store", store, "--out", "/dev/stdout"]
    with out.open("a") as appended:
        subprocess.run(call, check=True, stdout=appended)
    assert out.read_text().startswith("before\n")
    assert out.read_text().count("\n") > 2


@pytest.mark.parametrize(
    "words",
    [["check"], ["export", "duckdb", "--out", "made.duckdb"], ["ls", "--output", "fifo"]],
    ids=["check", "duckdb", "fifo"],
)
def test_a_temporary_folder_that_cannot_be_used_is_named_with_a_way_out(
    store: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert run([*words, "--store", store]) == 1
    expected = f"the temporary folder cannot be used: No such file or directory ({tmp_path}/gone); check its mode"
    assert expected in capsys.readouterr().err
