"""Compares our lineage of the 22 TPC-H queries with an independent tool's, query by query.

The other answers come from the analyzed plan (Kyuubi's lineage plugin): they count window keys and CASE
conditions among a column's sources, and write `__count__` for `count(*)`; ours are compared with both of these
taken into account, and each column where only that convention makes the difference is named.

Usage: `python benchmarks/tpch_accuracy.py LOG ANSWERS.json`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

_BY_CONVENTION = {"WINDOW", "CONDITIONAL"}


@dataclass(slots=True)
class Count:
    """How the columns compare."""

    columns: int = 0
    equal: int = 0
    by_convention: int = 0
    different: int = 0


def main(log: str, answers: str) -> None:
    """Prints a line per difference and the totals."""
    theirs = json.loads(Path(answers).read_text())
    count = Count()
    (found,) = find_logs([log])
    for statement in trace_log(read_log(found)):
        lineage = statement.lineage
        if lineage.target is not None and lineage.target.name in theirs and lineage.edges:
            compare(lineage, theirs.pop(lineage.target.name), count)
    for table in theirs:
        print(f"{table}: no lineage of ours")
    print(
        f"{count.columns} columns: {count.equal} equal, {count.by_convention} equal but for the convention, "
        f"{count.different} different"
    )


def compare(lineage: StatementLineage, theirs: dict[str, Any], count: Count) -> None:
    """Compares one target's columns and inputs."""
    target = lineage.target.name if lineage.target else ""
    for name, sources in theirs["columns"]:
        column = name.rpartition(".")[2]
        wanted = {source for source in sources if not source.endswith(".__count__")}
        edges = [edge for edge in lineage.edges if edge.target_column == column and edge.source_dataset]
        direct = {f"{edge.source_dataset}.{edge.source_column}" for edge in edges if edge.dependency == "DIRECT"}
        loose = direct | {
            f"{edge.source_dataset}.{edge.source_column}" for edge in edges if edge.transformation in _BY_CONVENTION
        }
        count.columns += 1
        if wanted == direct:
            count.equal += 1
        elif wanted == loose:
            count.by_convention += 1
            print(f"{target}.{column}: {sorted(wanted - direct)} is a condition, not a source")
        else:
            count.different += 1
            print(f"{target}.{column}: only theirs {sorted(wanted - loose)}, only ours {sorted(loose - wanted)}")
    inputs = {use.dataset.name for use in lineage.accesses if use.direction == "read"}
    if inputs != set(theirs["inputs"]):
        only_ours, only_theirs = sorted(inputs - set(theirs["inputs"])), sorted(set(theirs["inputs"]) - inputs)
        print(f"{target}: inputs only ours {only_ours}, only theirs {only_theirs}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
