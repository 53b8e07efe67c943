"""Compares what Kyuubi's lineage plugin and what this program tell of the sample warehouse's night, with the truth.

The plugin runs inside the driver and writes its answers into the event log, which this program reads afterwards. Run
the job with the plugin's jar (Spark 3.5, Java 17), then compare:

    python benchmarks/kyuubi_accuracy.py run PYTHON KYUUBI.jar LOG
    PYTHONPATH=src python benchmarks/kyuubi_accuracy.py compare LOG

Per statement, the sources of each target column are held against the DIRECT edges of tests/sample_logs/warehouse.truth,
which was written by hand from the SQL. The columns of CASE conditions and windows may be among the plugin's (it counts
them); a nested field is compared by the column that it is in (the plugin tells no fields); `count(*)` and literals have
no source in the truth. A statement's kind is what it reads and writes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.sample_logs_truth import Statement, load_truth  # noqa: E402 - its folder is on the path only now

SHOP = Path("/tmp/sample_warehouse")
LISTENER = "org.apache.kyuubi.plugin.lineage.SparkOperationLineageQueryExecutionListener"
SAMPLE = "nightly-sales-3-5.zstd"
COUNTED_TOO = {"CONDITIONAL", "WINDOW"}
Columns = Mapping[str, set[str]]
"""Target column to its sources, `dataset.column`, both in lower case and without the session catalog."""


def run(python: str, jar: str, log: str) -> None:
    """Runs the nightly job under the plugin and keeps its event log."""
    shutil.rmtree(SHOP, ignore_errors=True)
    (SHOP / "logs").mkdir(parents=True)
    conf = {"spark.driver.extraClassPath": str(Path(jar).absolute()), "spark.sql.queryExecutionListeners": LISTENER}
    command = [python, str(ROOT / "scripts" / "sample_warehouse" / "nightly.py"), "nightly-sales 2026-11-18"]
    command += [
        "2026-11-18",
        "--thorough",
        *(word for key, value in conf.items() for word in ("--conf", f"{key}={value}")),
    ]
    subprocess.run(command, check=True, cwd=SHOP, env=os.environ | {"PYSPARK_PYTHON": python, "SPARK_USER": "etl"})
    (written,) = (path for path in (SHOP / "logs").iterdir() if not path.name.startswith("."))
    shutil.copyfile(written, log)


def compare(log: str) -> None:
    """Prints a row per kind of statement, the statements on which the two differ, and the totals."""
    (found,) = find_logs([log])
    read = read_log(found)
    truths = {
        each.description: each
        for each in load_truth(ROOT / "tests" / "sample_logs" / "warehouse.truth")
        if SAMPLE in each.logs
    }
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    tables: dict[str, str] = {}
    for traced in trace_log(read):
        tables |= {place: table for table, place in traced.lineage.aliases}
        truth = truths.get(traced.root.description)
        if truth is None or truth.kind != "write" or not truth.columns:
            continue
        told, counted = by_truth(truth)
        theirs, ours = by_plugin(traced, read.external_lineages), by_us(traced, tables)
        verdict = verdict_of(ours, theirs, counted)
        row = rows[kind_of(truth)]
        row["statements"] += 1
        row[verdict] += 1
        row["plugin right"] += is_right(theirs, told, counted)
        row["right"] += is_right(ours, told, counted)
        if verdict != "agree":
            print(f"{truth.description}: {verdict}; {'; '.join(differences(ours, theirs))}")
    print_table(rows)


def by_truth(truth: Statement) -> tuple[Columns, Columns]:
    """The DIRECT sources of each column, and the ones that may be counted with them."""
    direct: dict[str, set[str]] = {column.lower(): set() for column in truth.columns}
    counted: dict[str, set[str]] = {column.lower(): set() for column in truth.columns}
    for edge in truth.edges:
        if edge.target_column and edge.source_dataset:
            source = plain(edge.source_dataset, edge.source_column or "")
            if edge.dependency == "DIRECT":
                direct[edge.target_column.lower()].add(source)
            elif edge.transformation in COUNTED_TOO:
                counted[edge.target_column.lower()].add(source)
    return direct, counted


def by_us(traced: TracedStatement, tables: Mapping[str, str]) -> Columns:
    """The same by this program; a table that is read by its place is that table, as in the store."""
    told: dict[str, set[str]] = defaultdict(set)
    for edge in traced.lineage.edges:
        if edge.target_column is not None:
            sources = told[edge.target_column.lower()]
            if edge.source_dataset and edge.dependency == "DIRECT":
                dataset = tables.get(edge.source_dataset, edge.source_dataset)
                sources.add(plain(dataset, edge.source_column or ""))
    return told


def by_plugin(traced: TracedStatement, answers: Iterable[ExternalLineage]) -> Columns:
    """The same by the plugin's answers to the statement's executions."""
    members = {execution.execution_id for execution in traced.members}
    told: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        for column, origins in answer.columns if answer.execution_id in members else ():
            own = next(
                (column[len(table) + 1 :] for table in answer.output_tables if column.startswith(f"{table}.")), column
            )
            real = (each for each in origins if not each.endswith("__count__") and not each.startswith("__local__"))
            told[own.lower()].update(plain(*each.rpartition(".")[::2]) for each in real)
    return told


def is_right(told: Columns, truth: Columns, counted: Columns) -> bool:
    """Are all columns there, with their true sources and none but what may be counted?"""
    return told.keys() == truth.keys() and all(
        truth[column] <= told[column] <= truth[column] | counted[column] for column in truth
    )


def verdict_of(ours: Columns, theirs: Columns, counted: Columns) -> str:
    """Who tells more."""
    we = any(sources - theirs.get(column, set()) or column not in theirs for column, sources in ours.items())
    they = any(
        sources - ours.get(column, set()) - counted.get(column, set()) or column not in ours
        for column, sources in theirs.items()
    )
    return "both tell more" if we and they else "we tell more" if we else "they tell more" if they else "agree"


def differences(ours: Columns, theirs: Columns) -> list[str]:
    """What is told by one alone, for a person."""
    if not theirs:
        return ["the plugin has no column"]
    lines = []
    for column in sorted(ours.keys() | theirs.keys()):
        we, they = ours.get(column), theirs.get(column)
        if we is None or they is None:
            lines.append(f"{column} only {'the plugin' if we is None else 'we'}")
        elif we != they:
            lines.append(f"{column} only we {sorted(we - they)}, only the plugin {sorted(they - we)}")
    return lines


def kind_of(truth: Statement) -> str:
    """What a statement reads and writes."""
    if any("/" in source for source in truth.sources):
        return "reads files by their path"
    if truth.target is not None and "/" in truth.target:
        return "writes files by their path"
    if truth.target is not None and truth.target.count(".") < 2:
        return "temporary view, cache"
    return "new table or view" if truth.mode == "create" else "INSERT"


def plain(dataset: str, column: str) -> str:
    """A top-level column: its dataset without the session catalog, all without case."""
    return f"{dataset.lower().replace('`', '').removeprefix('spark_catalog.')}.{column.lower().partition('.')[0]}"


def print_table(rows: Mapping[str, Counter[str]]) -> None:
    """The table of docs/accuracy.md."""
    verdicts = ("agree", "we tell more", "they tell more", "both tell more")
    print(f"| kind of statement | statements | {' | '.join(verdicts)} | right: the plugin | right: this program |")
    print("|---|" + "---|" * 7)
    total: Counter[str] = Counter()
    for kind in sorted(rows):
        total.update(rows[kind])
    for kind, row in [*sorted(rows.items()), ("all", total)]:
        cells = [row["statements"], *(row[verdict] for verdict in verdicts), row["plugin right"], row["right"]]
        print(f"| {kind} | {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    {"run": run, "compare": compare}[sys.argv[1]](*sys.argv[2:])
