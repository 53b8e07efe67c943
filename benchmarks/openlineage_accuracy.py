"""Compares what OpenLineage's agent and what this program tell of the statements of scripts/lakehouse, with the truth.

The agent runs inside the driver while the statements run; this program reads the event log afterwards. Run a format's
statements with the agent (Java 17; Spark fetches the jars), then compare, with the event log of the run:

    PYTHONPATH=src python benchmarks/openlineage_accuracy.py run iceberg PYTHON EVENTS.ndjson [JAR]
    PYTHONPATH=src python benchmarks/openlineage_accuracy.py compare iceberg EVENTS.ndjson /tmp/lakehouse_shop/logs/LOG

Compared are the DIRECT column edges of each statement that writes values of columns, whatever their subtype. That a
column of the changed table stays what it was (`orders.id` from `orders.id`) is counted neither way: the two differ in
that convention.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import Execution
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]

import make_lakehouse_logs  # noqa: E402 - its folder is on the path only now
from lakehouse import loader  # noqa: E402 - likewise
from support.sample_logs_truth import load_truth  # noqa: E402 - likewise

SHOP = Path("/tmp/lakehouse_shop")
AGENT = "io.openlineage:openlineage-spark_2.12:1.53.0"
FORMATS = {
    "iceberg": ("iceberg-3-5", "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.11.0"),
    "delta": ("delta-3-5", "io.delta:delta-spark_2.12:3.3.3"),
    "hudi": ("hudi-3-5", "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"),
    "paimon": ("paimon-3-5", "org.apache.paimon:paimon-spark-3.5_2.12:1.4.2"),
    "hive": ("hive-3-5", ""),
    "kafka": ("kafka-3-5", "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.7,org.apache.kafka:kafka_2.12:3.9.1"),
}
Edge = tuple[str, str, str]
"""Source dataset's last word, source column, target column."""


def run(module: str, python: str, events: str, jar: str = "") -> None:
    """Runs a format's statements under the agent, which writes its events to a file.

    Args:
        module: The format.
        python: With PySpark 3.5.
        events: The file for the agent's events.
        jar: The format's jar, in place of what Maven has.
    """
    name, packages = FORMATS[module]
    conf = {
        "spark.jars.ivy": "/tmp/lakehouse_ivy",
        "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
        "spark.openlineage.transport.type": "file",
        "spark.openlineage.transport.location": str(Path(events).absolute()),
        "spark.openlineage.namespace": "lake",
        "spark.openlineage.columnLineage.datasetLineageEnabled": "true",
        **({"spark.jars": jar} if jar else {}),
    }
    submitted = " ".join(f"--conf {key}={value}" for key, value in conf.items())
    jars = ",".join([packages] * bool(packages and not jar) + [AGENT])
    make_lakehouse_logs.run(loader.load("shop", module), name, python, jars, submitted)


def theirs(events: str, log: str) -> dict[str, dict[str, set[Edge]]]:
    """Job description to target to edges, over all events of the runs whose execution, or whose jobs, bear it."""
    lines = [json.loads(line) for line in Path(events).read_text(encoding="utf-8").splitlines()]
    names = named(lines, descriptions(log))
    told: dict[str, dict[str, set[Edge]]] = defaultdict(lambda: defaultdict(set))
    for event in lines:
        for output in event.get("outputs", []):
            edges = told[names.get(event["run"]["runId"], "")][last(output["name"])]
            for column, field in output.get("facets", {}).get("columnLineage", {}).get("fields", {}).items():
                edges.update(
                    (last(source["name"]), source["field"], column)
                    for source in field["inputFields"]
                    if any(each.get("type", "DIRECT") == "DIRECT" for each in source.get("transformations") or [{}])
                )
    return told


def descriptions(log: str) -> dict[int, str]:
    """When each execution of the run's event log began (epoch milliseconds), and its statement's description."""
    (found,) = find_logs([log])
    read = read_log(found)
    executions = {execution.execution_id: execution for execution in read.executions}
    queries = {progress.run_id: progress.name for progress in read.progress}
    known = {}
    for execution in executions.values():
        root = executions.get(execution.root_execution_id or -1, execution)
        if execution.started_at is not None:
            known[execution.started_at] = title(root, queries)
    return known


def title(root: Execution, queries: Mapping[str, str]) -> str:
    """The statement's description, or its streaming query's name: Hudi's sources take that out of descriptions."""
    return queries.get(root.stream_run_id) or root.description.partition("\n")[0]


def named(events: list[dict[str, Any]], known: dict[int, str]) -> dict[str, str]:
    """Run id to description: by the time of its first event, else by its jobs."""
    names: dict[str, str] = {}
    for event in events:
        began = round(datetime.fromisoformat(event["eventTime"].replace("Z", "+00:00")).timestamp() * 1000)
        described = event["run"]["facets"].get("spark_jobDetails", {}).get("jobDescription", "")
        name = known.get(began, "") if event["eventType"] == "START" else ""
        if name or described:
            names.setdefault(event["run"]["runId"], name or described.partition("\n")[0].removeprefix("Delta: "))
    return names


def ours(name: str) -> dict[str, dict[str, set[Edge]]]:
    """The same from the event log, by this program."""
    told: dict[str, dict[str, set[Edge]]] = defaultdict(lambda: defaultdict(set))
    (log,) = find_logs([str(ROOT / "tests" / "lakehouse_logs" / f"{name}.zstd")])
    read = read_log(log)
    queries = {progress.run_id: progress.name for progress in read.progress}
    for statement in trace_log(read):
        if statement.lineage.target is not None:
            edges = told[title(statement.root, queries)][last(statement.lineage.target.name)]
            edges.update(
                (last(edge.source_dataset), edge.source_column or "", edge.target_column)
                for edge in statement.lineage.edges
                if edge.source_dataset and edge.target_column and edge.dependency == "DIRECT"
            )
    return told


def last(name: str) -> str:
    """The last word of a dataset's name."""
    return name.replace("/", ".").rpartition(".")[2]


def verdict(told: dict[str, dict[str, set[Edge]]], statement: str, target: str, truth: set[Edge]) -> str:
    """`right`, or what is wrong."""
    found: dict[str, set[Edge]] = defaultdict(set)
    for name, targets in told.items():
        if name == statement or name.startswith((f"{statement} - ", f"{statement}: ")):
            for each, edges in targets.items():
                found[each] |= edges
    if target not in found:
        return "no target"
    kept = {edge for edge in found[target] - truth if not (edge[0] == target and edge[1] == edge[2])}
    lacking = len(truth - found[target])
    words = [f"lacks {lacking} of {len(truth)}"] * bool(lacking) + [f"{len(kept)} wrong"] * bool(kept)
    return ", ".join(words) or "right"


def compare(module: str, events: str, run_log: str) -> None:
    """Prints a row per writing statement, and the totals."""
    name = FORMATS[module][0]
    agent, log = theirs(events, run_log), ours(name)
    rows = []
    for truth in load_truth(ROOT / "tests" / "lakehouse_logs" / f"{module}.truth"):
        if truth.kind == "write" and truth.mode != "maintenance" and f"{name}.zstd" in truth.logs and truth.target:
            edges = {
                (last(edge.source_dataset), edge.source_column or "", edge.target_column)
                for edge in truth.edges
                if edge.source_dataset and edge.target_column and edge.dependency == "DIRECT"
            }
            target = last(truth.target)
            if edges:
                found = [verdict(told, truth.description, target, edges) for told in (agent, log)]
                rows.append((truth.description, *found))
    for row in rows:
        print("| {} | {} | {} |".format(*row))
    print(f"{len(rows)} statements: {sum(row[1] == 'right' for row in rows)} right by the agent, "
          f"{sum(row[2] == 'right' for row in rows)} by this program")  # fmt: skip


if __name__ == "__main__":
    (run if sys.argv[1] == "run" else compare)(*sys.argv[2:])
