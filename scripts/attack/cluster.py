"""Harvest on a standalone cluster with speculation while executors, Python workers and the driver are killed.

    python scripts/attack/cluster.py [--logs 300] [--harvests 5] [--kills 4] [--seed 7]

A master and two workers of one core each run on this machine. Each harvest of the logs loses up to `--kills` processes
by SIGKILL at random moments: executors and Python workers, alternately; the driver of every second harvest is killed,
too, and the harvest runs again without kills. The store must have the rows of a local, undisturbed harvest.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attack import options
from eventlog_lineage.store.administration import check_store
from made_logs import write_run
from support.clusters import MASTER, WORKER, daemon, kill, wait_for
from support.processes import environment
from support.stores.samples import contents

STATEMENTS = 4
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "512m",
    "spark.speculation": "true",
    "spark.speculation.quantile": "0.1",
    "spark.speculation.multiplier": "1.01",
    "spark.task.maxFailures": "50",
    "spark.deploy.maxExecutorRetries": "-1",
}


@contextmanager
def harvest(master: str, logs: Path, store: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a harvest, and end it with the block."""
    words = ["harvest", str(logs), "--store", str(store), "--master", master, "--quiet"]
    words += [word for key, value in SETTINGS.items() for word in ("--conf", f"{key}={value}")]
    call = [sys.executable, "-m", "eventlog_lineage", *words]
    process = subprocess.Popen(call, env=environment(), stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    try:
        yield process
    finally:
        kill(process)


def victims(folder: Path, kind: str) -> list[int]:
    """Return the processes of a cluster below a folder: executors (`java`) or Python workers (`python`)."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes()
            below = str((process / "cwd").readlink()).startswith(str(folder))
            if below and (b"CoarseGrainedExecutorBackend" if kind == "java" else b"daemon") in words:
                found.append(int(process.name))
    return found


def disturb(night: subprocess.Popen[str], folder: Path, chance: random.Random, kills: int) -> int:
    """Kill processes of a cluster until a harvest ends; return how many."""
    killed = 0
    while night.poll() is None and killed < kills:
        time.sleep(chance.uniform(0.2, 2))
        found = victims(folder, "java" if killed % 2 else "python")
        if found and night.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(found), signal.SIGKILL)
                killed += 1
    return killed


def main() -> int:
    """Run the attack; return 1 if rows differ."""
    given = options(__doc__, logs=300, harvests=5, kills=4, seed=7)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))  # daemons have sessions of their own: end them
    chance, findings, killed = random.Random(given.seed), 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "logs").mkdir()
        for number in range(given.logs):
            write_run(folder / "logs" / f"application_1700000000000_{number:06}", number, executions=STATEMENTS)
        with harvest("local[2]", folder / "logs", folder / "whole") as night:
            assert night.wait() == 0
        whole = contents(folder / "whole")
        with daemon(folder / "master", MASTER, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"):
            line = wait_for(folder / "master" / "log", "Starting Spark master at")
            master = next(word for word in line.split() if word.startswith("spark://"))
            worker = [WORKER, "--cores", "1", "--memory", "1g", "--host", "127.0.0.1", "--webui-port", "0", master]
            with daemon(folder / "one", *worker), daemon(folder / "two", *worker):
                for number in range(given.harvests):
                    store = folder / f"store{number}"
                    with harvest(master, folder / "logs", store) as night:
                        killed += disturb(night, folder, chance, given.kills)
                        if number % 2:
                            night.kill()
                        night.wait()
                    if night.returncode != 0:
                        killed += number % 2
                        with harvest(master, folder / "logs", store) as night:
                            night.wait()
                    differing = [table for table, rows in contents(store).items() if rows != whole[table]]
                    flaws = check_store(store).flaws
                    findings += bool(night.returncode or differing or flaws)
                    print(f"harvest {number}: {night.returncode} {differing} {flaws}", flush=True)
        statements = len(whole["executions"])
    print(
        f"{given.harvests} harvests of {given.logs} logs, {statements} statements, {killed} kills: {findings} findings"
    )
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
