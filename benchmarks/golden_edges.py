"""Compare the edges and gaps that two versions of the program compute from golden explain texts, edge by edge.

    python benchmarks/golden_edges.py --before CHECKOUT FOLDER [--show N]

FOLDER holds one folder per project, as for `plan_goldens.py`. Each text is the plan of an execution in an event log of
its own, which both versions explain (`explain --format json`), each in a process of its own. An edge is a target column
with a source column and the kind; prints per project the edges that both have, those whose masking, confidence or
expression differs, and those that only one has, by kind, with `--show` examples of each.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from plan_goldens import PADDED, numbered

ROOT = Path(__file__).resolve().parent.parent

EXPLAIN = """
import contextlib, io, json, sys
from pathlib import Path
from eventlog_lineage.cli.main import main
for log in sorted(Path(sys.argv[1]).iterdir()):
    answer = io.StringIO()
    try:
        with contextlib.redirect_stdout(answer):
            main(["explain", str(log), "--format", "json"])
    except SystemExit as end:
        if end.code:
            raise
    for statement in json.loads(answer.getvalue() or "[]"):
        print(json.dumps([log.name, statement["edges"], statement["gaps"]]))
"""
"""Runs with either version's sources: prints the edges and gaps of each log."""

SPARK = {"v3.2": "3.2.4", "comet": "3.5.1", "gluten": "3.3.1"}
"""The version of Spark of a project's texts, by a part of its name; 3.5.1 for the others."""

Edge = tuple[str, str, str, str]
"""Target column (`*` for all rows), source dataset, source column, transformation."""
Explained = tuple[list[dict[str, str]], list[dict[str, str]]]
"""The edges and the gaps of a text."""


def main() -> None:
    """Print what differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as logs:
        names = dict(write_logs(options.folder, Path(logs)))
        before, now = (explained(checkout, Path(logs)) for checkout in (options.before, ROOT))
    projects: dict[str, Counts] = defaultdict(Counts)
    for log, name in names.items():
        counts = projects[name.partition("/")[0]]
        counts.add(name, before[log], now[log])
    for project, counts in projects.items():
        counts.report(project, options.show)
    compare_plans({name: now[log][0] for log, name in names.items()})


def compare_plans(edges: Mapping[str, list[dict[str, str]]]) -> None:
    """Print in how many queries all of Spark's plans of the query have the same edges of columns.

    Spark's suites have a query's plan for two sizes of tables (`q1`, `q1.sf100`), and for two of its versions.

    Args:
        edges: Name of a text to the edges of its plan.
    """
    queries: dict[tuple[str, str], list[frozenset[Edge]]] = defaultdict(list)
    for name, rows in edges.items():
        suite, query, _ = name.split("/")[-3:]
        if name.startswith("plan-stability"):
            columns = frozenset((each[0].lower(), *each[1:]) for each in _edges(rows) if each[0] != "*")
            queries[suite, query.removesuffix(".sf100")].append(columns)
    several = {query: found for query, found in queries.items() if len(found) > 1}
    different = [" ".join(query) for query, found in several.items() if len(set(found)) > 1]
    print(f"{len(several)} queries with several plans: {len(several) - len(different)} with the same edges of columns")
    for query in different:
        print(f"  {query}")


def write_logs(folder: Path, logs: Path) -> Iterator[tuple[str, str]]:
    """Write an event log per text, and yield its name and the name of the text."""
    for number, path in enumerate(sorted(folder.rglob("*.txt"))):
        name = str(path.relative_to(folder))
        text = path.read_text()
        text = numbered(text) if "gluten" in name else PADDED.sub(r"\1", text)
        spark = next((version for part, version in SPARK.items() if part in name), "3.5.1")
        start, end = 1_700_000_000_000, 1_700_000_001_000
        events: list[dict[str, object]] = [
            {"Event": "SparkListenerLogStart", "Spark Version": spark},
            {
                "Event": "SparkListenerApplicationStart",
                "App Name": name,
                "App ID": f"golden-{number}",
                "Timestamp": start,
                "User": "golden",
            },
            {
                "Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
                "executionId": 0,
                "description": name,
                "details": "",
                "physicalPlanDescription": text,
                "sparkPlanInfo": {"nodeName": "", "simpleString": "", "children": [], "metadata": {}, "metrics": []},
                "time": start,
            },
            {"Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd", "executionId": 0, "time": end},
            {"Event": "SparkListenerApplicationEnd", "Timestamp": end},
        ]
        log = f"golden-{number:04}"
        (logs / log).write_text("".join(f"{json.dumps(event, separators=(',', ':'))}\n" for event in events))
        yield log, name


def explained(checkout: Path, logs: Path) -> dict[str, Explained]:
    """Return edges and gaps by log, as a checkout's program explains them."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    command = [sys.executable, "-c", EXPLAIN, str(logs)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return {name: (edges, gaps) for name, edges, gaps in map(json.loads, done.stdout.splitlines())}


class Counts:
    """The differences of one project's texts."""

    def __init__(self) -> None:
        self.texts = self.same = self.edges = 0
        self.changes: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = defaultdict(list)

    def add(self, name: str, before: Explained, now: Explained) -> None:
        """Count the differences of one text."""
        self.texts += 1
        old, new = _edges(before[0]), _edges(now[0])
        self.edges += len(old.keys() & new.keys())
        changes = [
            (f"only {which}: {edge[3] or 'no source'}", f"{edge[0]} <- {edge[1]}.{edge[2]}")
            for which, edges, others in (("before", old, new), ("now", new, old))
            for edge in sorted(edges.keys() - others.keys())
        ]
        for edge in sorted(old.keys() & new.keys()):
            for attribute in ("masking", "confidence", "expression"):
                values = old[edge][attribute], new[edge][attribute]
                if values[0] != values[1]:
                    kind = attribute if attribute == "expression" else f"{attribute} {values[0]}, now {values[1]}"
                    changes.append((kind, f"{edge[0]} <- {edge[1]}.{edge[2]}: {values[0]} | {values[1]}"))
        gaps = [Counter(f"{gap['reason']}: {gap['detail']}" for gap in each[1]) for each in (before, now)]
        changes += [("gap only before", gap) for gap in (gaps[0] - gaps[1]).elements()]
        changes += [("gap only now", gap) for gap in (gaps[1] - gaps[0]).elements()]
        self.same += not changes
        for kind, example in changes:
            self.changes[kind] += 1
            self.examples[kind].append(f"{name}: {example}")

    def report(self, project: str, show: int) -> None:
        """Print the counts."""
        print(f"{project}: {self.texts} texts, {self.same} without a difference; {self.edges} edges in both")
        for kind, count in sorted(self.changes.items()):
            print(f"  {count} x {kind}")
            for example in self.examples[kind][:show]:
                print(f"      {example}")


def _edges(rows: list[dict[str, str]]) -> Mapping[Edge, dict[str, str]]:
    return {
        (
            row["target_column"] or "*",
            row["source_dataset"] or "",
            row["source_column"] or "",
            row["transformation"] or "",
        ): row
        for row in rows
    }


if __name__ == "__main__":
    main()
