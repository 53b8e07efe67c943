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
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, harvest
from support.processes import command, environment, run
from support.stores.samples import contents

pytestmark = pytest.mark.spark

DAEMON = b"eventlog_lineage.harvest.spark.daemon"


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
                if DAEMON in words and harvest in _ancestors(int(process.name)):
                    parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                    forked = DAEMON in (Path("/proc") / str(parent) / "cmdline").read_bytes()
                    if forked:  # the first of them is what forks the workers
                        os.kill(int(process.name), signal.SIGKILL)
                        return True
        time.sleep(0.002)
    return False


def _ancestors(pid: int) -> Iterator[int]:
    while pid > 1:
        pid = int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
        yield pid


def test_a_disk_that_is_full_leaves_the_store_as_it_was_and_is_said_in_a_line(
    spark: SparkContext, nights: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """A limit on the size of files stands for the disk: whoever writes more is told that it is full."""
    logs, first, second = nights
    store = tmp_path / "store"
    shutil.copytree(first, store, symlinks=True)
    for kilobytes in (8, 700):  # full while Spark starts; while the store is written
        failed = run(logs, store, preexec_fn=lambda: limit_files(kilobytes * 1024))  # noqa: B023 - called at once
        assert failed.returncode == 1, failed.stdout
        assert failed.stderr.strip().splitlines()[-1].startswith("Error: ")
        assert contents(store) == contents(first)
    harvest([str(logs)], store, HarvestOptions())
    assert contents(store) == contents(second)


def test_tasks_write_no_files_that_the_driver_would_have_to_read(
    nights: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """Executors may run as another user with umask 077: rows travel by Spark. Here they cannot write a byte."""
    logs, first, second = nights
    store, python = tmp_path / "store", tmp_path / "python"
    shutil.copytree(first, store, symlinks=True)
    python.write_text(f'#!/bin/sh\nulimit -f 0\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    night = subprocess.run(
        command(logs, store),
        env=environment() | {"PYSPARK_PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert night.returncode == 0, night.stderr[-3000:]
    assert contents(store) == contents(second)


def limit_files(most: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
