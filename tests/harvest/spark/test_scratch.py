"""The folder for what Spark writes while it runs is there as long as its process, and no longer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eventlog_lineage.harvest.spark.session import scratch_folder

HOLD = """
import sys
from eventlog_lineage.harvest.spark.session import scratch_folder
with scratch_folder() as folder:
    (folder / "blocks").write_bytes(b"x")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_a_killed_process_leaves_a_folder_that_the_next_one_removes_and_a_living_one_keeps_its_own(
    tmp_path: Path,
) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
    with subprocess.Popen([sys.executable, "-c", HOLD], **pipes) as holder:  # type: ignore[call-overload]
        left = Path(holder.stdout.readline().strip())
        with scratch_folder() as mine:
            assert left.is_dir()
            assert mine != left
        holder.kill()
    assert left.is_dir()
    with scratch_folder() as mine:
        assert list(tmp_path.iterdir()) == [mine]
    assert list(tmp_path.iterdir()) == []


def test_what_others_put_there_under_a_like_name_stays(tmp_path: Path) -> None:
    (tmp_path / "eventlog-lineage-scratch-file").write_text("not a folder")
    (tmp_path / "eventlog-lineage-spark-1.log").write_text("the log of a Spark that did not start")
    with scratch_folder():
        pass
    assert len(list(tmp_path.iterdir())) == 2
