"""Two cores against one.

    PYTHONPATH=src python benchmarks/cores_speed.py [--files 200] [--megabytes 50] [--repeats 3]

The logs: runs of the real application of tests/sample_logs (made_logs.py) with task events, compressed with zstd.
They are harvested by a Spark of one core and by one of two, each in a process of its own, alternating; what is measured
are the steps that Spark runs: reading and tracing. Medians. Fails below --least (1.8).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from made_logs import write_run
from measuring import apart, measured_harvest, middle, print_steps


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--least", type=float, default=1.8)
    parser.add_argument("--cores", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--logs", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.logs:
        result = measured_harvest(arguments.logs, arguments.cores)
        print(json.dumps({**result, "all": result["seconds"], "seconds": _spark_steps(result)}))
        return
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder)
        names = [logs / f"application_1700000000000_{number:06}.zstd" for number in range(arguments.files)]
        text = sum(write_run(name, number, arguments.megabytes * 1_000_000) for number, name in enumerate(names))
        print(f"{text / 1e6:.0f} MB of text in {arguments.files} files")
        found: dict[int, list[dict[str, Any]]] = {1: [], 2: []}
        for _ in range(arguments.repeats):
            for cores, results in found.items():
                results.append(apart(__file__, "--cores", cores, "--logs", logs))
    for cores, results in found.items():
        result = middle(results)
        print(f"{cores} cores   Spark's steps {result['seconds']:6.2f} s, all {result['all']:6.2f} s")
        print_steps(result)
    ratio = middle(found[1])["seconds"] / middle(found[2])["seconds"]
    print(f"ratio    {ratio:6.2f}")
    if ratio < arguments.least:
        raise SystemExit(f"less than {arguments.least} times as fast")


def _spark_steps(result: dict[str, Any]) -> float:
    return float(sum(result["steps"][step][0] for step in ("read", "trace")))


if __name__ == "__main__":
    main()
