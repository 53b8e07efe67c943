"""Surveys logs without a truth: per log its statements, what they write, what could not be told, what looks wrong.

    PYTHONPATH=src python benchmarks/survey.py LOG...

Looked for are operators without a rule, statements on which the program fails, targets, and lineage from a table to
itself: a MERGE, an UPDATE or an INSERT of the user's own has that, upkeep and helpers must not.
"""

from __future__ import annotations

import sys
from collections import Counter

from eventlog_lineage.errors import LogError
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log

OWN = frozenset({"merge", "update"})
"""Modes that change a table's rows by themselves."""


def survey(path: str) -> None:
    """Prints the survey of all logs at a path."""
    for log in find_logs([path]):
        name = log.path.rpartition("/")[2]
        try:
            statements = list(trace_log(read_log(log)))
        except LogError as error:
            print(f"{name}: {error}")
            continue
        modes = Counter(statement.lineage.mode for statement in statements if statement.lineage.target is not None)
        gaps = Counter(str(gap.reason) for statement in statements for gap in statement.lineage.gaps)
        print(f"{name}: {len(statements)} statements")
        print(f"  write: {_listed(modes)}")
        print(f"  gaps: {_listed(gaps)}")
        targets = dict.fromkeys(target_of(statement) for statement in statements)
        print(f"  targets: {', '.join(sorted(filter(None, targets)))}")
        for statement in statements:
            if from_itself(statement):
                print(
                    f"  from itself: {statement.root.execution_id} {statement.lineage.command} {target_of(statement)}"
                )


def from_itself(statement: TracedStatement) -> bool:
    """Does a statement that is no change of rows give a table its own columns?"""
    target = target_of(statement)
    return statement.lineage.mode not in OWN and any(
        edge.source_dataset == target and edge.dependency == "DIRECT" for edge in statement.lineage.edges if target
    )


def target_of(statement: TracedStatement) -> str:
    """The name of what it writes; empty for a query."""
    return statement.lineage.target.name if statement.lineage.target is not None else ""


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{word} {count}" for word, count in sorted(counts.items())) or "none"


if __name__ == "__main__":
    for each in sys.argv[1:]:
        survey(each)
