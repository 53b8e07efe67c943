"""Many executions of few plans, against the few: a night repeats its plans, and each is understood once.

    PYTHONPATH=src python benchmarks/plans_speed.py [--runs 100] [--plans 100] [--repeats 5]

The logs: runs of the real application of tests/sample_logs (made_logs.py), its first 100 statements, each with a plan
of its own; in each run the attributes have other ids. One run's harvest is the reference; added to it is what
extracting the events of all runs costs by itself (`read_part` in a Spark of as many cores). Each measurement is a
process of its own; medians. The ratio is told of whole harvests, and with Spark's start and end aside, which leaves
nothing but what grows with executions and plans. Fails where the former is above --most (1.3).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from eventlog_lineage.events.reading import read_part
from eventlog_lineage.events.sources.discovery import find_logs
from made_logs import write_run
from measuring import apart, measured_harvest, middle, print_steps, seconds_of, spark


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--plans", type=int, default=100)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--most", type=float, default=1.3)
    parser.add_argument("--one", choices=["harvest", "extract"], help=argparse.SUPPRESS)
    parser.add_argument("--logs", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        measure = measured_harvest if arguments.one == "harvest" else measured_extraction
        print(json.dumps(measure(arguments.logs, arguments.cores)))
        return
    with tempfile.TemporaryDirectory() as folder:
        many, few = Path(folder) / "many", Path(folder) / "few"
        many.mkdir()
        few.mkdir()
        for number in range(arguments.runs):
            write_run(many / f"application_1700000000000_{number:06}.zstd", number, executions=arguments.plans)
        write_run(few / "application_1700000000000_000000.zstd", 0, executions=arguments.plans)
        found: dict[str, list[dict[str, Any]]] = {"many": [], "few": [], "extract": []}
        for _ in range(arguments.repeats):
            for name, one, logs in (("many", "harvest", many), ("few", "harvest", few), ("extract", "extract", many)):
                found[name].append(apart(__file__, "--one", one, "--logs", logs, "--cores", arguments.cores))
    result = {name: middle(results) for name, results in found.items()}
    print(f"{result['many']['executions']} executions of {arguments.plans} plans   {result['many']['seconds']:6.2f} s")
    print_steps(result["many"])
    print(f"one run of each plan            {result['few']['seconds']:6.2f} s")
    print_steps(result["few"])
    print(f"extracting all runs alone       {result['extract']['seconds']:6.2f} s")
    print(f"Spark's start and end           {result['many']['spark'][0]:6.2f} s and {result['few']['spark'][0]:6.2f} s")
    aside = (result["many"]["seconds"] - result["extract"]["seconds"]) / result["few"]["seconds"]
    whole = [result[name]["seconds"] + result[name]["spark"][0] for name in ("many", "few")]
    ratio = (whole[0] - result["extract"]["seconds"]) / whole[1]
    print(f"ratio, extracting apart         {ratio:6.2f}, Spark's start aside {aside:6.2f}")
    if ratio > arguments.most:
        raise SystemExit(f"more than {arguments.most}")


def measured_extraction(folder: Path, cores: int) -> dict[str, Any]:
    """What it takes to read the events of all logs, by as many processes."""
    logs = list(find_logs([str(folder)]))
    with spark(cores) as context:
        parts = context.parallelize(logs, cores * 6)
        seconds = seconds_of(lambda: parts.map(lambda log: sum(1 for part in log.parts for _ in read_part(part))).sum())
    return {"seconds": seconds}


if __name__ == "__main__":
    main()
