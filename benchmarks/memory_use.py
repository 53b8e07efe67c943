"""How much memory the workers and the driver of a harvest need.

    PYTHONPATH=src python benchmarks/memory_use.py [--text 10000] [--statements 100000] [--logs 1]
    PYTHONPATH=src python benchmarks/memory_use.py --text 0 --statements 10000 --logs 100

The logs: statements with short plans, and between them task events, the same 2,000 again and again (made_logs.py):
most of --text megabytes each. Resident memory, looked at 20 times a second. Fails above --worker (512) or --driver
(1000) megabytes.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from made_logs import write_statements
from measuring import peak_memory, spark, timed_harvest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=int, default=10_000)
    parser.add_argument("--statements", type=int, default=100_000)
    parser.add_argument("--logs", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--worker", type=int, default=512)
    parser.add_argument("--driver", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, spark(arguments.cores):
        logs, text = Path(folder), 0
        for number in range(arguments.logs):
            name = logs / f"application_1700000000000_{number:06}.zstd"
            text += write_statements(name, number, arguments.statements, arguments.text * 1_000_000)
        with peak_memory() as peaks:
            seconds, _, result = timed_harvest(logs)
    print(
        f"{text / 1e6:.0f} MB of text in {arguments.logs} logs, {result.summary.executions} executions, {seconds:.0f} s"
    )
    for kind in ("worker", "driver", "jvm"):
        print(f"{kind:8} {peaks[kind] / 1e6:6.0f} MB")
    if peaks["worker"] > arguments.worker * 1e6 or peaks["driver"] > arguments.driver * 1e6:
        raise SystemExit("too much memory")


if __name__ == "__main__":
    main()
