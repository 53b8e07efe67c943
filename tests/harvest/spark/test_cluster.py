"""A real cluster on this machine: a standalone master, two workers, a Python there that has only what we pack."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyspark
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, harvest
from support.processes import environment
from support.shared_classes import short_lived
from support.stores.samples import contents

SPARK = Path(pyspark.__file__).parent
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"

pytestmark = pytest.mark.spark


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


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python of this version without packages: what a cluster's machines have."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return str(folder / "bin" / "python")


def test_a_cluster_gives_the_tables_that_a_local_harvest_gives_when_it_loses_a_worker(
    spark: SparkContext, nights: tuple[Path, Path, Path], bare_python: str, archive: Path, tmp_path: Path
) -> None:
    """The logs are three, one of them in parts: more than the two workers read at once."""
    logs, local = nights[0], tmp_path / "local"
    harvest([str(logs)], local, HarvestOptions())
    with daemon(tmp_path / "master", MASTER, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0") as _:
        line = wait_for(tmp_path / "master" / "log", "Starting Spark master at")
        master = next(word for word in line.split() if word.startswith("spark://"))
        worker = [WORKER, "--cores", "1", "--memory", "1g", "--host", "127.0.0.1", "--webui-port", "0", master]
        with daemon(tmp_path / "one", *worker), daemon(tmp_path / "two", *worker) as second:
            for name in ("one", "two"):
                wait_for(tmp_path / name / "log", "Successfully registered with master")
            harvest_on(master, logs, tmp_path / "store", (bare_python, str(archive)), second)
    assert contents(tmp_path / "store") == contents(local)


def harvest_on(master: str, logs: Path, store: Path, python: tuple[str, str], lost: subprocess.Popen[bytes]) -> None:
    """Harvests on a cluster, and kills a worker once the first logs are read."""
    words = ["harvest", str(logs), "--store", str(store), "--master", master, "--pack", python[1], "--quiet"]
    words += ["--log-level", "debug", "--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.executor.memory=512m"]
    words += ["--conf", "spark.driver.bindAddress=127.0.0.1"]
    for which in ("driver", "executor"):
        words += ["--conf", f"spark.{which}.extraJavaOptions={short_lived()}"]
    said = store.with_suffix(".log")
    with said.open("wb") as log:
        night = subprocess.Popen(
            [sys.executable, "-m", "eventlog_lineage", *words],
            env=environment() | {"PYSPARK_PYTHON": python[0]},
            stderr=log,
        )
    try:
        wait_for(said, "step=read done=0")
        kill(lost)
        assert night.wait() == 0, said.read_text()[-3000:]
    finally:
        night.kill()
