"""A standalone cluster of Spark on this machine: its daemons, and their ends."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyspark

from support.shared_classes import short_lived

SPARK = Path(pyspark.__file__).parent
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"


@contextmanager
def daemon(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """One of Spark's daemons with all that it starts, until it is not needed any more."""
    folder.mkdir(exist_ok=True)
    variables = os.environ | {"SPARK_HOME": str(SPARK), "SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_IP": "127.0.0.1"}
    variables["SPARK_DAEMON_JAVA_OPTS"] = short_lived()
    variables["SPARK_WORKER_DIR"] = str(folder / "work")
    variables.pop("PYTHONPATH", None)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [str(SPARK / "bin" / "spark-class"), *words],
            env=variables,
            cwd=folder,
            stdout=log,
            stderr=log,
            start_new_session=True,
            umask=0o077,  # as strict systems have it: the driver may read nothing that executors write
        )
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Like a machine that goes: the daemon and the executors that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def wait_for(log: Path, words: str, seconds: float = 600) -> str:
    """The first line of a log with some words in it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = log.read_text() if log.exists() else ""
        for line in text.splitlines():
            if words in line:
                return line
        time.sleep(0.02)
    raise AssertionError(f"{log} never says {words!r}: {text[-2000:]}")
