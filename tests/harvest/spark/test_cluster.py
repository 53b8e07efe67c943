"""A real cluster on this machine: a standalone master, two workers, a Python there that has only what we pack."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, harvest
from support.clusters import MASTER, WORKER, daemon, kill, wait_for
from support.processes import environment
from support.shared_classes import short_lived
from support.stores.samples import contents

pytestmark = pytest.mark.spark


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
