"""A night end to end, against the best that Spark alone can do with the same files.

    PYTHONPATH=src python benchmarks/night_speed.py [--files 200] [--megabytes 1000] [--cores 2] [--repeats 5]

The logs: runs of the real application of tests/sample_logs (made_logs.py), plain text, filled up with task events.
The reference: spark.read.schema(…).json(files), filtered by the event's name, the plans collected; it understands
nothing. Each measurement is a process of its own with a new Java, as cron starts one, Spark's start aside: Spark is up
and has run a first job (Python workers there, a query here) when the clock starts. The two alternate; medians. The
reference is also shown as it is when one Java reads the files a second time. Fails below --least (2.6).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from made_logs import write_run
from measuring import apart, cpu_seconds, measured_harvest, median, middle, print_steps, seconds_of

STATEMENTS = 30
"""Of each log: their events are 10 % of its text; the others are task events, which make up 85 to 95 % of real logs."""

START = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--least", type=float, default=2.6)
    parser.add_argument("--one", choices=["harvest", "reference"], help=argparse.SUPPRESS)
    parser.add_argument("--logs", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        measure = measured_harvest if arguments.one == "harvest" else measured_reference
        print(json.dumps(measure(arguments.logs, arguments.cores)))
        return
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        logs.mkdir()
        size = arguments.megabytes * 1_000_000 // arguments.files
        names = [logs / f"application_1700000000000_{number:06}" for number in range(arguments.files)]
        text = sum(write_run(name, number, size, STATEMENTS, compressed=False) for number, name in enumerate(names))
        found: dict[str, list[dict[str, Any]]] = {"reference": [], "harvest": []}
        for _ in range(arguments.repeats):
            for one, results in found.items():
                results.append(apart(__file__, "--one", one, "--logs", logs, "--cores", arguments.cores))
    ours, theirs = middle(found["harvest"]), middle(found["reference"])
    assert all(each["plans"] == STATEMENTS * arguments.files for each in found["reference"])
    print(f"{text / 1e6:.0f} MB of text in {arguments.files} files, {ours['executions']} executions")
    print(
        f"eventlog-lineage     {ours['seconds']:6.2f} s, of the processors {ours['cpu']:6.2f} s, {ours['edges']} edges"
    )
    print_steps(ours)
    print(f"spark.read…json      {theirs['seconds']:6.2f} s, of the processors {theirs['cpu']:6.2f} s")
    print(f"  a second time      {median([each['again'] for each in found['reference']]):6.2f} s")
    ratio = theirs["seconds"] / ours["seconds"]
    print(f"ratio                {ratio:6.2f}    of the processors {theirs['cpu'] / ours['cpu']:6.2f}")
    if ratio < arguments.least:
        raise SystemExit(f"less than {arguments.least} times as fast")


def measured_reference(logs: Path, cores: int) -> dict[str, Any]:
    """The reference in a Spark of its own, with Spark's own settings."""
    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.range(cores).collect()

    def reference() -> int:
        events = session.read.schema("Event STRING, physicalPlanDescription STRING").json(str(logs))
        return len(events.where(events.Event == START).select("physicalPlanDescription").collect())

    plans = 0

    def first() -> None:
        nonlocal plans
        plans = reference()

    begin = cpu_seconds()
    seconds = seconds_of(first)
    cpu = cpu_seconds() - begin
    again = seconds_of(reference)
    session.stop()
    return {"seconds": seconds, "cpu": cpu, "again": again, "plans": plans}


if __name__ == "__main__":
    main()
