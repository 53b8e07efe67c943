"""Compares what OpenLineage's agent and what this program tell of the sample warehouse's night, with the truth.

The agent runs inside the driver; this program reads the event log afterwards. Run the job with the agent's jar
(Spark 3.5, Java 17), then compare:

    python benchmarks/openlineage_warehouse.py run PYTHON openlineage-spark.jar EVENTS.ndjson LOG
    PYTHONPATH=src python benchmarks/openlineage_warehouse.py compare EVENTS.ndjson LOG

The kinds of statements and the rules are those of `kyuubi_accuracy.py`: the DIRECT sources of each target column, by
tests/sample_logs/warehouse.truth; the agent's sources count as DIRECT unless all their transformations say INDIRECT.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import kyuubi_accuracy as plugin
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from openlineage_accuracy import descriptions, named
from support.sample_logs_truth import load_truth

SHOP = plugin.SHOP
LISTENER = "io.openlineage.spark.agent.OpenLineageSparkListener"
_MANAGED = re.compile(r"/warehouse/(\w+)\.db/(\w+)$")


def run(python: str, jar: str, events: str, log: str) -> None:
    """Runs the nightly job under the agent; keeps its events and the event log."""
    shutil.rmtree(SHOP, ignore_errors=True)
    (SHOP / "logs").mkdir(parents=True)
    Path(events).unlink(missing_ok=True)
    conf = {
        "spark.driver.extraClassPath": str(Path(jar).absolute()),
        "spark.extraListeners": LISTENER,
        "spark.openlineage.transport.type": "file",
        "spark.openlineage.transport.location": str(Path(events).absolute()),
        "spark.openlineage.namespace": "warehouse",
        "spark.openlineage.columnLineage.datasetLineageEnabled": "true",
    }
    command = [python, str(plugin.ROOT / "scripts" / "sample_warehouse" / "nightly.py"), "nightly-sales 2026-11-18"]
    command += ["2026-11-18", "--thorough"]
    command += [word for key, value in conf.items() for word in ("--conf", f"{key}={value}")]
    subprocess.run(command, check=True, cwd=SHOP, env=os.environ | {"PYSPARK_PYTHON": python, "SPARK_USER": "etl"})
    (written,) = (path for path in (SHOP / "logs").iterdir() if not path.name.startswith("."))
    shutil.copyfile(written, log)


def compare(events: str, log: str) -> None:
    """Prints a row per kind of statement, the statements on which the two differ, and the totals."""
    (found,) = find_logs([log])
    agent = by_agent(events, log)
    truths = {
        each.description: each
        for each in load_truth(plugin.ROOT / "tests" / "sample_logs" / "warehouse.truth")
        if plugin.SAMPLE in each.logs
    }
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    statements = list(trace_log(read_log(found)))
    tables = {place: table for traced in statements for table, place in traced.lineage.aliases}
    for traced in statements:
        truth = truths.get(traced.root.description)
        if truth is None or truth.kind != "write" or not truth.columns or truth.target is None:
            continue
        told, counted = plugin.by_truth(truth)
        told_by_agent = agent.get((truth.description, word(truth.target)), {})
        theirs = {column: {plain_of(source, tables) for source in sources} for column, sources in told_by_agent.items()}
        ours = plugin.by_us(traced, tables)
        verdict = plugin.verdict_of(ours, theirs, counted)
        row = rows[plugin.kind_of(truth)]
        row["statements"] += 1
        row[verdict] += 1
        row["plugin right"] += plugin.is_right(theirs, told, counted)
        row["right"] += plugin.is_right(ours, told, counted)
        if verdict != "agree":
            print(f"{truth.description}: {verdict}; {'; '.join(plugin.differences(ours, theirs))}")
    plugin.print_table(rows)


def by_agent(events: str, log: str) -> dict[tuple[str, str], dict[str, set[tuple[str, str]]]]:
    """(statement, last word of the target) to column to (dataset, column), over all events of the statement's runs."""
    lines = [json.loads(line) for line in Path(events).read_text(encoding="utf-8").splitlines()]
    names = named(lines, descriptions(log))
    told: dict[tuple[str, str], dict[str, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
    for event in lines:
        for output in event.get("outputs", []):
            columns = told[names.get(event["run"]["runId"], ""), word(output["name"])]
            facets = output.get("facets", {})
            for field in facets.get("schema", {}).get("fields", []):
                columns[field["name"].lower()] |= set()
            for column, field in facets.get("columnLineage", {}).get("fields", {}).items():
                columns[column.lower()] |= {
                    (f"{source['namespace']}:{source['name']}", source["field"])
                    for source in field["inputFields"]
                    if is_direct(source)
                }
    return told


def is_direct(source: dict[str, Any]) -> bool:
    """Does the agent count a source among those of the value?"""
    return any(each.get("type", "DIRECT") == "DIRECT" for each in source.get("transformations") or [{}])


def plain_of(source: tuple[str, str], tables: dict[str, str]) -> str:
    """A source as the truth names it: the table of a place in the warehouse, else the path."""
    place = "file:///" + source[0].removeprefix("file:").lstrip("/:")
    if managed := _MANAGED.search(place):
        return plugin.plain(f"{managed[1]}.{managed[2]}", source[1])
    return plugin.plain(tables.get(place, place), source[1])


def word(name: str) -> str:
    """The last word of a dataset's name, without case."""
    return name.rstrip("/").replace("/", ".").rpartition(".")[2].lower()


if __name__ == "__main__":
    {"run": run, "compare": compare}[sys.argv[1]](*sys.argv[2:])
