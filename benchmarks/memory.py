"""What a worker holds while it reads a large log: the peak of a process that does what a Spark task does.

Usage: `PYTHONPATH=src:scripts python benchmarks/memory.py [--gigabytes 2] [--log LOG]`; ends with 1 beyond 512 MiB.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from make_large_log import SAMPLE, write

MOST = 512


def main() -> None:
    """Make a log, read it in a process of its own, and print that one's peak."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--log", type=Path, help="read this one")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        read(options.log)
        return
    with tempfile.TemporaryDirectory() as folder:
        log = options.log or Path(folder) / "local-1"
        if options.log is None:
            with log.open("wb") as out:
                write(out, SAMPLE, int(options.gigabytes * 1e9), packed=False)
        told = subprocess.run(
            [sys.executable, __file__, "--worker", "--log", str(log)], check=True, capture_output=True, text=True
        ).stdout
    print(told, end="")
    peak = int(told.rsplit("peak ", 1)[1].split()[0])
    sys.exit(0 if peak < MOST else 1)


def read(log: Path) -> None:
    """Read a log as a task does, and let go of what goes to the driver and to the next pass."""
    from eventlog_lineage.events.sources.discovery import find_logs  # noqa: PLC0415 - counted in the worker alone
    from eventlog_lineage.harvest.extract import extract_split  # noqa: PLC0415
    from eventlog_lineage.harvest.input_splits import SplitPart  # noqa: PLC0415

    started = time.monotonic()
    (found,) = find_logs([str(log)])
    records = sum(1 for _ in extract_split([SplitPart(found, 0, (0,))], {}))
    seconds = time.monotonic() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{found.size / 1e6:.0f} MB in {seconds:.0f} s, {records} records, peak {peak} MiB")


if __name__ == "__main__":
    main()
