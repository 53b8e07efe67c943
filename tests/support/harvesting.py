"""Processes that harvest made-up nights, for tests that kill or crowd them.

python harvesting.py STORE DAY [DAY...]  harvests nights
python harvesting.py STORE hold          holds the store until its standard input ends
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import datetime
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from unittest.mock import patch

import duckdb

from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.stores.nights import Night

STEPS = ("copy", "fold", "export", "sync", "switch", "clean")


PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["support.harvesting", "support.harvested_once"])


def elsewhere(function: Callable[..., None], *arguments: object) -> int | None:
    """Run a function in another process; gives its exit code, -9 where it was killed."""
    with patch.dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)):  # the server ignores what it cannot import
        ensure_running()
    process = PROCESSES.Process(target=function, args=arguments)
    process.start()
    process.join()
    return process.exitcode


def harvest_in(zone: str, store: Path) -> None:
    """Harvest two nights as on a machine of a time zone, for a process of its own."""
    os.environ["TZ"] = zone
    time.tzset()
    assert duckdb.execute("SELECT current_setting('TimeZone')").fetchone() == (zone,)
    for day in (0, 1):
        harvest_until(store, day)


def small_night(day: int) -> Night:
    """A night with a table made from another, and one column more each night."""
    made = Night(day)
    made.app()
    edges = [("spark_catalog.raw.orders!amount", f"total_{number}", "AGGREGATION") for number in range(day + 1)]
    made.statement(edges, target="spark_catalog.sales.daily")
    made.log(f"/logs/{day}")
    return made


def harvest_until(store: Path, day: int, last: str = "") -> None:
    """Harvest a night; die like kill -9 at a step of `publish`."""

    def die(step: str) -> None:
        if step == last:
            os.kill(os.getpid(), signal.SIGKILL)

    with open_for_harvest(store) as writer:
        small_night(day).write(writer.staging_dir)
        writer.publish(HarvestFacts(started_at=datetime(2026, 11, 20)), on_step=die)


def main() -> None:
    """Do what the arguments say."""
    store, *words = Path(sys.argv[1]), *sys.argv[2:]
    if words != ["hold"]:
        for day in words:
            harvest_until(store, int(day))
        return
    with open_for_harvest(store):
        print("held", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
