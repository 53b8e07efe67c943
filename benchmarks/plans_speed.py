"""Many executions of few plans, against the few: a night repeats its plans, and each is understood once.

    PYTHONPATH=src python benchmarks/plans_speed.py [--runs 100] [--plans 100] [--repeats 3]

The logs: runs of the real application of tests/sample_logs (made_logs.py), its first 100 statements, each with a plan
of its own; in each run the attributes have other ids. One run's harvest is the reference; added to it is what reading
the logs of all runs costs by itself (`read_part`, over as many processes). Medians. Fails above --most (1.3).
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from eventlog_lineage.events.reading import read_part
from eventlog_lineage.events.storage import find_logs
from made_logs import write_run
from measuring import median, seconds_of, spark, timed_harvest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--plans", type=int, default=100)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--most", type=float, default=1.3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, spark(arguments.cores) as context:
        many, few = Path(folder) / "many", Path(folder) / "few"
        many.mkdir()
        few.mkdir()
        for number in range(arguments.runs):
            write_run(many / f"application_1700000000000_{number:06}.zstd", number, executions=arguments.plans)
        write_run(few / "application_1700000000000_000000.zstd", 0, executions=arguments.plans)
        logs = list(find_logs([str(many)]))

        def extract() -> None:
            context.parallelize(logs, 8).map(lambda log: sum(1 for part in log.parts for _ in read_part(part))).sum()

        times: dict[str, list[float]] = {"many": [], "few": [], "extract": []}
        for _ in range(arguments.repeats):
            seconds, steps, result = timed_harvest(many)
            times["many"].append(seconds)
            times["few"].append(timed_harvest(few)[0])
            times["extract"].append(seconds_of(extract))
    middle = {name: median(values) for name, values in times.items()}
    print(f"{result.summary.executions} executions of {arguments.plans} plans   {middle['many']:6.2f} s")
    for step, took in steps.seconds.items():
        print(f"  {step:18} {took:6.2f} s")
    print(f"one run of each plan            {middle['few']:6.2f} s")
    print(f"reading the logs alone          {middle['extract']:6.2f} s")
    ratio = (middle["many"] - middle["extract"]) / middle["few"]
    print(f"ratio, reading apart            {ratio:6.2f}")
    if ratio > arguments.most:
        raise SystemExit(f"more than {arguments.most}")


if __name__ == "__main__":
    main()
