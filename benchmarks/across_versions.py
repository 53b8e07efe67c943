"""Runs the statements of scripts/operator_cases on several Sparks and compares the edges, statement by statement.

Every statement that a version has is run there, whatever the versions whose text is a fixture. Edges are compared
with their kind and their masking; the expressions are not (versions print casts and functions differently).

Usage: `python benchmarks/across_versions.py 3.1=PYTHON[@JAVA_HOME] 3.3=… 3.5=… 4.0=… 4.3=…`; `--keep FOLDER` keeps the
logs there and reads those that are there already.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.model import Edge, Transformation

RUN = Path(__file__).resolve().parent.parent / "scripts" / "operator_cases" / "run.py"
WORK = Path("/tmp/across_versions")
DIRECT = {Transformation.IDENTITY, Transformation.TRANSFORMATION, Transformation.AGGREGATION}

Lines = frozenset[str]


def run(python: str, logs: Path) -> None:
    """Runs the statements on one Spark and keeps its event log."""
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "logs").mkdir(parents=True)
    python, _, java_home = python.partition("@")
    environment = {**os.environ, "EVERY_VERSION": "1", "PYSPARK_PYTHON": python}
    environment |= {"JAVA_HOME": java_home} if java_home else {}
    ran = subprocess.run([python, str(RUN), str(WORK)], capture_output=True, text=True, env=environment, check=False)
    for line in ran.stdout.splitlines():
        if line.startswith("FAILED"):
            print(f"  {line[:160]}")
    if ran.returncode:
        raise SystemExit(ran.stderr[-2000:])
    shutil.copytree(WORK / "logs", logs)
    shutil.rmtree(WORK, ignore_errors=True)


def statements(logs: Path) -> dict[str, tuple[Lines, Lines]]:
    """Statement to its DIRECT and its INDIRECT edges, as lines."""
    found: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for log in find_logs([str(logs)]):
        for traced in trace_log(read_log(log)):
            name = traced.root.description.partition("\n")[0]
            if "/" not in name or " " in name:
                continue
            for edge in traced.lineage.edges:
                if edge.source_column and edge.transformation is not None:
                    found[name][edge.transformation not in DIRECT].add(_line(edge))
            found[name][0].update(f"gap {gap.reason.value}: {gap.detail}" for gap in traced.lineage.gaps)
    return {name: (frozenset(direct), frozenset(indirect)) for name, (direct, indirect) in found.items()}


def _line(edge: Edge) -> str:
    masked = " masked" if edge.masking else ""
    kind = edge.transformation.value if edge.transformation else ""
    return f"{edge.target_dataset}.{edge.target_column} <- {edge.source_dataset}.{edge.source_column} {kind}{masked}"


def main() -> None:
    """Prints how many statements have the same edges everywhere, and the others."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sparks", nargs="+", metavar="VERSION=PYTHON[@JAVA_HOME]")
    parser.add_argument("--keep", type=Path, default=Path("/tmp/across_versions_logs"))
    options = parser.parse_args()
    by_version: dict[str, dict[str, tuple[Lines, Lines]]] = {}
    for argument in options.sparks:
        version, _, python = argument.partition("=")
        logs = options.keep / version
        if not logs.exists():
            print(f"Spark {version}", flush=True)
            run(python, logs)
        by_version[version] = statements(logs)
    report(by_version)


def report(by_version: dict[str, dict[str, tuple[Lines, Lines]]]) -> None:
    """Compares each statement with the newest version that has it."""
    names = sorted({name for found in by_version.values() for name in found})
    compared = direct_equal = all_equal = 0
    for name in names:
        there = {version: found[name] for version, found in by_version.items() if name in found}
        if len(there) < 2:
            continue
        compared += 1
        newest = list(there)[-1]
        direct = {version: edges[0] for version, edges in there.items()}
        every = {version: edges[0] | edges[1] for version, edges in there.items()}
        direct_equal += len(set(direct.values())) == 1
        all_equal += len(set(every.values())) == 1
        for version, edges in every.items():
            for line in sorted(edges ^ every[newest]):
                print(f"{name}: {version} {'has' if line in edges else 'lacks'} {line}")
    versions = ", ".join(by_version)
    print(f"{compared} statements on Spark {versions}: {direct_equal} with the same DIRECT edges, {all_equal} with all")


if __name__ == "__main__":
    main()
