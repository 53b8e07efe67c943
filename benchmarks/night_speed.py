"""A night end to end, against the best that Spark alone can do with the same files.

    PYTHONPATH=src python benchmarks/night_speed.py [--files 200] [--megabytes 1000] [--cores 2] [--repeats 3]

The logs: runs of the real application of tests/sample_logs (made_logs.py), plain text, filled up with task events.
The reference: spark.read.schema(…).json(files), filtered by the event's name, the plans collected; it understands
nothing. Both in one warm Spark, alternating; medians. Fails below --least (2.0).
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

from made_logs import write_run
from measuring import cpu_seconds, median, seconds_of, spark, timed_harvest

STATEMENTS = 30
"""Of each log: their events are 10 % of its text; the others are task events, which make up 85 to 95 % of real logs."""

START = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--least", type=float, default=2.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, spark(arguments.cores) as context:
        logs = Path(folder) / "logs"
        logs.mkdir()
        size = arguments.megabytes * 1_000_000 // arguments.files
        names = [logs / f"application_1700000000000_{number:06}" for number in range(arguments.files)]
        text = sum(write_run(name, number, size, STATEMENTS, compressed=False) for number, name in enumerate(names))
        session = SparkSession(context)

        def reference() -> None:
            events = session.read.schema("Event STRING, physicalPlanDescription STRING").json(str(logs))
            plans = events.where(events.Event == START).select("physicalPlanDescription").collect()
            assert len(plans) == STATEMENTS * arguments.files

        theirs, cpu, ours = [], [], []
        for _ in range(arguments.repeats):
            begin = cpu_seconds()
            theirs.append(seconds_of(reference))
            cpu.append(cpu_seconds() - begin)
            ours.append(timed_harvest(logs))
    ours.sort(key=lambda each: each[0])
    seconds, steps, result = ours[len(ours) // 2]
    summary = result.summary
    print(f"{text / 1e6:.0f} MB of text in {arguments.files} files, {summary.executions} executions")
    used = sum(steps.cpu.values())
    print(f"eventlog-lineage     {seconds:6.2f} s, of the processors {used:6.2f} s, {summary.edges} distinct edges")
    for step, took in steps.seconds.items():
        print(f"  {step:18} {took:6.2f} s                   {steps.cpu[step]:6.2f} s")
    print(f"spark.read…json      {median(theirs):6.2f} s, of the processors {median(cpu):6.2f} s")
    ratio = median(theirs) / seconds
    print(f"ratio                {ratio:6.2f}    of the processors {median(cpu) / used:6.2f}")
    if ratio < arguments.least:
        raise SystemExit(f"less than {arguments.least} times as fast")


if __name__ == "__main__":
    main()
