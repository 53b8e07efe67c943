"""Time and memory per unit of a harvest at 1, 2 and 4 times the size: executions of one application, small logs.

    PYTHONPATH=src python benchmarks/linear_growth.py [--executions 250000] [--logs 25000] [--worst 1.25]

Each size is a process of its own with a Spark of one core, as Java keeps what an earlier harvest took. Prints CPU time
per unit (of all processes, Spark's workers too) and the peaks of the worker and the driver. Fails if a unit costs more
than --worst times as much CPU time at 4x as at 1x. The memory of the driver is bounded by DuckDB's limit, and that of a
worker by what `memory_use.py` allows; both may grow by the unit's rows, which are in the table of docs/performance.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from made_logs import write_statements
from measuring import cpu_seconds, peak_memory, spark, timed_harvest


def harvest(logs: int, executions: int) -> None:
    """Harvest so many logs of so many executions each; print CPU milliseconds, the peak bytes of worker and driver."""
    with tempfile.TemporaryDirectory() as folder, spark(1):
        for number in range(logs):
            write_statements(Path(folder, f"application_1700000000000_{number:06}.zstd"), number, executions)
        before = cpu_seconds()
        with peak_memory() as peaks:
            timed_harvest(Path(folder))
        print(round((cpu_seconds() - before) * 1e3), peaks["worker"], peaks["driver"])


def measured(call: Sequence[str]) -> tuple[float, int, int]:
    """Return the CPU seconds and the peaks that a harvest in a process of its own prints in its last line."""
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True)
    spent, worker, driver = map(int, done.stdout.split()[-3:])
    return spent / 1e3, worker, driver


def main() -> int:
    """Measure and print; return 1 if a unit's time grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--executions", type=int, default=250_000, metavar="N", help="1x of one application (250000)")
    parser.add_argument("--logs", type=int, default=25_000, metavar="N", help="1x of logs with two executions (25000)")
    parser.add_argument("--worst", type=float, default=1.25, metavar="X", help="most growth of a unit's time (1.25)")
    parser.add_argument("--one", nargs=2, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        harvest(*given.one)
        return 0
    grown = 0
    for name, sizes in (
        ("executions", [(1, given.executions * times) for times in (1, 2, 4)]),
        ("logs", [(given.logs * times, 2) for times in (1, 2, 4)]),
    ):
        units: list[float] = []
        for logs, executions in sizes:
            if not logs * executions:
                continue
            started = time.monotonic()
            call = [sys.executable, __file__, "--one", str(logs), str(executions)]
            seconds, worker, driver = measured(call)
            count = logs if name == "logs" else executions
            units.append(seconds / count)
            print(
                f"{count:9,} {name:10} {seconds:7.1f} s of CPU time, {units[-1] * 1e3:.3f} ms each;"
                f" worker {worker / 1e6:.0f} MB, driver {driver / 1e6:.0f} MB; {time.monotonic() - started:.0f} s",
                flush=True,
            )
        grown += bool(units) and units[-1] > units[0] * given.worst
    return int(bool(grown))


if __name__ == "__main__":
    sys.exit(main())
