"""Two cores against one.

    PYTHONPATH=src python benchmarks/cores_speed.py [--files 60] [--megabytes 50] [--repeats 3]

The logs: runs of the real application of tests/sample_logs (made_logs.py) with task events, compressed with zstd.
They are harvested by a warm Spark of one core and by one of two, alternating; what is measured are the steps that
Spark runs: reading and tracing. Medians. Fails below --least (1.8).
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from made_logs import write_run
from measuring import median, spark, timed_harvest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--least", type=float, default=1.8)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder)
        names = [logs / f"application_1700000000000_{number:06}.zstd" for number in range(arguments.files)]
        text = sum(write_run(name, number, arguments.megabytes * 1_000_000) for number, name in enumerate(names))
        print(f"{text / 1e6:.0f} MB of text in {arguments.files} files")
        found: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
        for _ in range(arguments.repeats):
            for cores, times in found.items():
                with spark(cores):
                    seconds, steps, _ = timed_harvest(logs)
                times.append((steps.seconds["read"] + steps.seconds["trace"], seconds))
    for cores, times in found.items():
        print(f"{cores} cores   Spark's steps {median([each[0] for each in times]):6.2f} s, all", end=" ")
        print(f"{median([each[1] for each in times]):6.2f} s")
    ratio = median([each[0] for each in found[1]]) / median([each[0] for each in found[2]])
    print(f"ratio    {ratio:6.2f}")
    if ratio < arguments.least:
        raise SystemExit(f"less than {arguments.least} times as fast")


if __name__ == "__main__":
    main()
