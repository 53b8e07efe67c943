"""Holds the lineage of every function of Spark against the columns that it is called with, on real Sparks.

    python benchmarks/function_sweep.py FOLDER 3.5=PYTHON 4.1=PYTHON 4.3=PYTHON

takes the examples of `DESCRIBE FUNCTION EXTENDED` for every name of `SHOW FUNCTIONS` and replaces their literals by
columns (`sweep_statements.py`). The columns must be the sources of the result, and no other column; so must they in
conditions and keys, for functions that Spark evaluates by a class (`invoke(…Evaluator…)`, 4.0 to 4.3). A column that no
scan of the plan reads was removed by the optimizer: the function does not depend on it. Folders that have plans already
are compared only; `--show` prints what differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from plan_texts import text_of

RUNNER = Path(__file__).resolve().parent / "sweep_statements.py"
KINDS = {"WHERE": "FILTER", "JOIN": "JOIN", "GROUP BY": "GROUP_BY", "ORDER BY": "SORT", "PARTITION BY": "WINDOW"}


def sources(lineage: StatementLineage, place: str) -> set[str]:
    """The columns that a statement's lineage names for where the function is used."""
    kind = KINDS.get(place)
    own = [
        (edge.source_column.partition(".")[0], edge)
        for edge in lineage.edges
        if edge.source_column and "sweep_other" not in (edge.source_dataset or "")
    ]
    if kind is None:
        return {column for column, edge in own if edge.target_column is not None}
    return {column for column, edge in own if edge.transformation == kind} - {"k"}


def read_columns(text: str) -> set[str]:
    """The columns that a plan's scans read."""
    found: set[str] = set()
    for line in text.split("\n"):
        _, marker, schema = line.rpartition("ReadSchema: ")
        if marker:
            found.update(part.rpartition("<")[2].rpartition(",")[2] for part in schema.split(":")[:-1])
    return found


def compared(folder: Path) -> Iterator[tuple[str, dict[str, object], set[str], set[str], set[str], list[str], str]]:
    """Mode, statement, missing, removed and extra columns, gaps and plan text of each statement."""
    statements = {}
    for line in (folder / "statements.jsonl").read_text(encoding="utf-8").splitlines():
        statement = json.loads(line)
        statements[statement["name"]] = statement
    for log in find_logs([str(folder / "logs")]):
        read = read_log(log)
        texts = {execution.description: text_of(execution) for execution in read.executions}
        for traced in trace_log(read):
            statement = statements.get(traced.root.description)
            if statement is None:
                continue  # it failed in one of the modes
            found = sources(traced.lineage, statement["place"])
            wanted = set(statement["columns"])
            text = texts[traced.root.description]
            missing = (wanted - found) & read_columns(text)
            gaps = [f"{gap.reason} {gap.operator}: {gap.detail}" for gap in traced.lineage.gaps]
            removed = wanted - found - missing
            yield read.application.app_name, statement, missing, removed, found - wanted, gaps, text


def compare(folder: Path, *, show: bool) -> None:
    """Prints how many functions and statements are right."""
    counts: dict[str, Counter[str]] = {}
    functions: dict[str, set[str]] = {}
    wrong: dict[str, set[str]] = {}
    for mode, statement, missing, removed, extra, gaps, text in compared(folder):
        function = str(statement["function"])
        functions.setdefault(mode, set()).add(function)
        is_wrong = bool(missing or extra)
        tally = counts.setdefault(mode, Counter())
        tally.update({"statements": 1, "wrong": is_wrong, "gap": bool(gaps), "removed by the optimizer": bool(removed)})
        if removed and show:
            print(f"--- {folder.name} {mode} {statement['name']}: no scan reads {sorted(removed)}")
            print(f"    {statement['sql']}\n    {plan_line(text, function)}")
        if is_wrong or gaps:
            wrong.setdefault(mode, set()).add(function)
            if show:
                words = [f"misses {sorted(missing)}"] * bool(missing) + [f"has extra {sorted(extra)}"] * bool(extra)
                print(f"--- {folder.name} {mode} {statement['name']}: {', '.join([*words, *gaps])[:400]}")
                print(f"    {statement['sql']}\n    {plan_line(text, function)}")
    for mode, tally in counts.items():
        counted = ", ".join(f"{word} {count}" for word, count in tally.items())
        right = len(functions[mode] - wrong.get(mode, set()))
        print(f"{folder.name} {mode}: {right} of {len(functions[mode])} functions right; {counted}", flush=True)


def plan_line(text: str, function: str) -> str:
    """The first line of a plan that has a function, or what looks like its values."""
    physical = text.rpartition("== Physical Plan ==")[2].split("\n")
    lines = [line for line in physical if line.startswith(("Output", "Condition", "Results", "Functions", "Arguments"))]
    return next((line for line in lines or physical if function in line or " AS " in line), "")[:400]


def main() -> None:
    """Plans and compares."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("sparks", nargs="+", metavar="VERSION=PYTHON")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    for argument in options.sparks:
        version, _, python = argument.partition("=")
        folder = options.folder / version
        if not (folder / "logs").exists():
            folder.mkdir(parents=True)
            command = [python, str(RUNNER), str(folder / "statements.jsonl"), str(folder), "--explain"]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            (folder / "functions.json").write_text(ran.stdout, encoding="utf-8")
            if ran.returncode:
                raise SystemExit(ran.stderr[-2000:])
        compare(folder, show=options.show)


if __name__ == "__main__":
    main()
