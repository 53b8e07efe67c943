"""A second harvest of many unchanged logs, against one of an empty folder.

    PYTHONPATH=src python benchmarks/unchanged_speed.py [--logs 10000] [--repeats 5]

The logs: small ones with a statement each, harvested once. Then `eventlog-lineage harvest` is called as cron calls
it, on them and on an empty folder with a store of its own, alternating; medians. Fails above --most (2 s).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from made_logs import write_statements
from measuring import median, seconds_of


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--most", type=float, default=2.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        logs, empty = Path(folder) / "logs", Path(folder) / "empty"
        logs.mkdir()
        empty.mkdir()
        for number in range(arguments.logs):
            write_statements(logs / f"application_1700000000000_{number:06}.zstd", number, 1)

        def harvest(source: Path) -> None:
            call = [sys.executable, "-m", "eventlog_lineage", "harvest", str(source), "--quiet"]
            subprocess.run([*call, "--store", f"{source}-store"], check=True)

        print(f"first harvest of {arguments.logs} logs   {seconds_of(lambda: harvest(logs)):6.2f} s")
        harvest(empty)
        unchanged, nothing = [], []
        for _ in range(arguments.repeats):
            unchanged.append(seconds_of(lambda: harvest(logs)))
            nothing.append(seconds_of(lambda: harvest(empty)))
    above = median(unchanged) - median(nothing)
    print(f"again, unchanged            {median(unchanged):6.2f} s")
    print(f"an empty folder             {median(nothing):6.2f} s")
    print(f"above                       {above:6.2f} s")
    if above > arguments.most:
        raise SystemExit(f"more than {arguments.most} s")


if __name__ == "__main__":
    main()
