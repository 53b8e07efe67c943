"""What Spark's start costs, with the archive of its classes and without one: clock and processors, alternately.

    PYTHONPATH=src python benchmarks/start_speed.py [--repeats 5] [--most 3.5]

A start is a process of its own, as cron starts it, up to the end of a first job. The archive is made before the clock
runs, in a cache of its own. Medians; fails if a start with the archive takes longer than --most seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measuring import cpu_seconds, median

_WRITTEN = 600
"""Seconds to wait for the archive at most."""


def started() -> dict[str, Any]:
    """Start Spark and run a job; give the seconds of both by the clock and of the processors."""
    from eventlog_lineage.harvest.spark.session import spark_context  # noqa: PLC0415 - counted in the process alone

    moments = [(time.perf_counter(), cpu_seconds())]
    with spark_context("local[2]", {"spark.driver.host": "127.0.0.1"}, "benchmark") as context:
        moments.append((time.perf_counter(), cpu_seconds()))
        context.parallelize(range(2), 2).map(str).collect()
        moments.append((time.perf_counter(), cpu_seconds()))
    begin, ready, done = moments
    return {
        "start": [ready[0] - begin[0], ready[1] - begin[1]],
        "first job": [done[0] - ready[0], done[1] - ready[1]],
        "together": [done[0] - begin[0], done[1] - begin[1]],
    }


def apart(cache: Path, options: str = "") -> dict[str, Any]:
    """Start Spark in a process with a cache."""
    call = [sys.executable, __file__, "--one"]
    environment = {**os.environ, "EVENTLOG_LINEAGE_CACHE": str(cache), "SPARK_SUBMIT_OPTS": options}
    printed = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found


def make_archive(cache: Path) -> None:
    """Start Spark until its archive is used.

    Raises:
        SystemExit: There is none: Java is too old, or has no archive of its own.
    """
    apart(cache)
    for _ in range(_WRITTEN // 12):
        time.sleep(12)  # Java writes after this process's child has ended; it is taken up 10 s later
        apart(cache)
        if list(cache.glob("java/*.jsa")):
            return
    raise SystemExit("this Java makes no archive")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--most", type=float, default=3.5)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(started()))
        return
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        make_archive(cache)
        runs = [(apart(cache, "-Xshare:auto"), apart(cache)) for _ in range(arguments.repeats)]
    together = 0.0
    for what, place in (("without the archive", 0), ("with it", 1)):
        print(what)
        for part in runs[0][0]:
            clock, used = (median([run[place][part][kind] for run in runs]) for kind in (0, 1))
            print(f"  {part:10} {clock:6.2f} s, of the processors {used:6.2f} s")
            together = clock
    raise SystemExit(int(together > arguments.most))


if __name__ == "__main__":
    main()
