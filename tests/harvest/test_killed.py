"""The whole harvest as a process: its worker killed, its disk full."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from test_growing import APP, STATUS
from test_run import LOGS, ROLLING, contents

SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""A JVM that lives for seconds does not earn back what compiling well costs."""

pytestmark = pytest.mark.spark


def command(logs: Path, store: Path, *words: str) -> list[str]:
    harvest = [sys.executable, "-m", "eventlog_lineage", "harvest", str(logs), "--store", str(store)]
    settings = ["spark.driver.host=127.0.0.1", f"spark.driver.extraJavaOptions={SHORT_LIVED}"]
    conf = [word for setting in settings for word in ("--conf", setting)]
    return [*harvest, "--master", "local[2]", *conf, "--log-level", "info", *words]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def run(logs: Path, store: Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command(logs, store), env=environment(), capture_output=True, text=True, check=False, **options
    )


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Logs, a store after the first night, and one after the second, undisturbed."""
    folder = tmp_path_factory.mktemp("nights")
    logs, first, second = folder / "logs", folder / "first", folder / "second"
    rolling = logs / ROLLING.name
    rolling.mkdir(parents=True)
    shutil.copy(LOGS / "nightly-sales-3-3", logs)
    for number in (1, 2):
        shutil.copy(ROLLING / f"events_{number}_{APP}.zstd", rolling)
    (rolling / f"{STATUS}.inprogress").touch()
    assert run(logs, first).returncode == 0

    for number in (3, 4):
        shutil.copy(ROLLING / f"events_{number}_{APP}.zstd", rolling)
    (rolling / f"{STATUS}.inprogress").rename(rolling / STATUS)
    shutil.copy(LOGS / "nightly-sales-3-5.zstd", logs)
    shutil.copytree(first, second, symlinks=True)
    assert run(logs, second).returncode == 0
    return logs, first, second


def test_a_worker_that_is_killed_costs_a_retry_and_nothing_else(
    nights: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    logs, first, second = nights
    store = tmp_path / "store"
    shutil.copytree(first, store, symlinks=True)
    night = subprocess.Popen(command(logs, store), env=environment(), start_new_session=True, stderr=subprocess.PIPE)
    killed = _kill_worker(lambda: night.poll() is None, night.pid)
    _, said = night.communicate()
    assert killed
    assert night.returncode == 0, said.decode()
    assert contents(store) == contents(second)


def _kill_worker(goes_on: Callable[[], bool], harvest: int) -> bool:
    """Kills the first Python worker that a harvest's Spark has."""
    while goes_on():
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, ValueError):
                words = (process / "cmdline").read_bytes().split(b"\0")
                if b"pyspark.daemon" in words and harvest in _ancestors(int(process.name)):
                    parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                    forked = b"pyspark.daemon" in (Path("/proc") / str(parent) / "cmdline").read_bytes()
                    if forked:  # the first of them is what forks the workers
                        os.kill(int(process.name), signal.SIGKILL)
                        return True
        time.sleep(0.002)
    return False


def _ancestors(pid: int) -> Iterator[int]:
    while pid > 1:
        pid = int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
        yield pid


@pytest.mark.parametrize("kilobytes", [8, 700])
def test_a_disk_that_is_full_leaves_the_store_as_it_was_and_is_said_in_a_line(
    nights: tuple[Path, Path, Path], tmp_path: Path, kilobytes: int
) -> None:
    """A limit on the size of files stands for the disk: whoever writes more is told that it is full."""
    logs, first, second = nights
    store = tmp_path / "store"
    shutil.copytree(first, store, symlinks=True)

    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, resource.RLIM_INFINITY))

    failed = run(logs, store, preexec_fn=fill)
    assert failed.returncode == 1, failed.stdout
    assert failed.stderr.strip().splitlines()[-1].startswith("Error: ")
    assert contents(store) == contents(first)
    assert run(logs, store).returncode == 0
    assert contents(store) == contents(second)
