"""The harvest is killed at random moments, again and again, while others read the store.

`scripts/attack/kills.py` kills more than CI does, and prints what it did
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, harvest
from support.processes import command, environment
from support.stores.readers import State, in_duckdb, in_parquet

KILLS = int(os.environ.get("KILLS", "3"))
SEED = int(os.environ.get("KILLS_SEED", "7"))

STEPS = {"": 1.0, "list": 0.1, "start": 5.0, "read": 3.0, "trace": 3.0, "store": 2.0}
"""The steps that a harvest tells of, and about how many seconds they take here; the publishing is the last."""

WAYS = ("machine", "driver", "Spark", "worker")
"""What is killed: all processes, the one that harvests, its JVM, one of the Python workers."""

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)

LOGGED = re.compile(r"\S+ (?:INFO|WARNING) ")

pytestmark = pytest.mark.spark


def test_killed_at_any_moment_the_store_is_as_before_or_complete_and_readers_never_notice(
    spark: SparkContext, nights: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    logs, first, second = nights
    allowed = [in_duckdb(folder / "lineage.duckdb") for folder in (first, second)]
    moments = random.Random(SEED)
    count: Counter[str] = Counter()
    left = KILLS
    while left:
        with copied(first, tmp_path / "store", allowed, count) as store:
            while left:
                left -= 1
                how, by = WAYS[left % len(WAYS)], SIGNALS[left // len(WAYS) % len(SIGNALS)]
                step = kill(logs, store, how, by, moments)
                state = state_of(store)
                count[f"{how} killed by {by.name}"] += 1
                count[f"killed in {step}"] += 1
                print(f"{KILLS - left}: {how} killed by {by.name} in {step}", flush=True)
                assert state in allowed, (how, by, step, differences(state, allowed))
                if state == allowed[1]:
                    count["complete"] += 1
                    break
                count["as before"] += 1
                if left == 0 or moments.random() < 0.2:
                    harvest([str(logs)], store, HarvestOptions())
                    count["finished by the next harvest"] += 1
                    break
            assert state_of(store) == allowed[1]
    print(f"\n{KILLS} kills: {dict(sorted(count.items()))}")


def differences(state: State, allowed: list[State]) -> list[list[str]]:
    """The tables that a store has otherwise than each of the allowed states."""
    return [[table for table in state if state[table] != each[table]] for each in allowed]


def state_of(store: Path) -> State:
    state = in_duckdb(store / "lineage.duckdb")
    assert in_parquet(store) == state
    return state


@contextmanager
def copied(first: Path, store: Path, allowed: list[State], count: Counter[str]) -> Iterator[Path]:
    """A copy of a store, which somebody reads all the time."""
    shutil.rmtree(store, ignore_errors=True)
    shutil.copytree(first, store, symlinks=True)
    file = store.with_suffix(".json")
    file.write_text(json.dumps(allowed))
    script = [
        sys.executable,
        str(Path(__file__).parents[1] / "support" / "stores" / "readers.py"),
        str(store),
        str(file),
    ]
    with subprocess.Popen(
        script, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as reader:
        try:
            yield store
        finally:
            said, errors = reader.communicate()
    assert reader.returncode == 0, errors
    count.update({f"read {how}": number for how, number in json.loads(said).items()})


def kill(logs: Path, store: Path, how: str, by: signal.Signals, moments: random.Random) -> str:
    """Starts a harvest and kills it at a random moment of a random step; gives the last step that it told of."""
    said = store.with_suffix(".log")
    with said.open("wb") as log:
        night = subprocess.Popen(command(logs, store), env=environment(), start_new_session=True, stderr=log)
    try:
        awaited = moments.choice(list(STEPS))
        while night.poll() is None and (f"step={awaited} " if awaited else "") not in said.read_text():
            time.sleep(0.002)
        with suppress(subprocess.TimeoutExpired):
            night.wait(moments.uniform(0, STEPS[awaited]))
        strike(night, how, by)
        night.wait()
        lines = said.read_text().splitlines()
        assert "Traceback (most recent call last):" not in lines, lines
        if how in ("Spark", "worker") and night.returncode != 0:
            assert night.returncode == 1, lines
            assert len([line for line in lines if line.startswith("Error: ")]) == 1, lines
            print(*(line for line in lines if not LOGGED.match(line)), sep="\n", flush=True)
    finally:
        strike(night, "machine", signal.SIGKILL)
        night.wait()
    steps = [line for line in said.read_text().splitlines() if "step=" in line]
    return steps[-1].partition("step=")[2].split()[0] if steps else "Python's start"


def strike(night: subprocess.Popen[bytes], how: str, by: signal.Signals) -> None:
    try:
        if how == "driver":
            night.send_signal(by)
        elif how == "machine":
            os.killpg(night.pid, by)
        elif how == "Spark":
            for child in children(night.pid):
                os.kill(child, by)
        else:
            daemons = [daemon for java in children(night.pid) for daemon in children(java)]
            for worker in [worker for daemon in daemons for worker in children(daemon)][:1]:
                os.kill(worker, by)
    except (ProcessLookupError, FileNotFoundError):
        pass


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]
