"""Compare the lineage of logs with other systems with its truth: which statements, columns and names are right.

    python benchmarks/connectors_accuracy.py LOGS [--names] [--verbose]

LOGS has `<log>.zstd` and `<log>.json`: per statement its target, the sources of each column, and columns that influence
all rows. A source is right if it ends in the truth's `dataset.column`; with `--names` its dataset must also have
OpenLineage's namespace and name. What a log does not have is not asked for (`target: null`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from eventlog_lineage.connectors.connector import read_rule
from eventlog_lineage.datasets.openlineage import openlineage_name
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log
from eventlog_lineage.model import Edge

AGENT = {
    "jdbc-pg-v1-3.5": "14 of 29",
    "jdbc-v2-two-4.1": "12 of 28",
    "files-3.5": "4 of 11",
    "bigquery-3.5": "names only",
    "mongo-3.5": "nothing",
    "cassandra-3.5": "nothing",
    "redis-3.5": "nothing",
    "python-source-4.1": "nothing",
}
"""OpenLineage's Spark agent 1.53.0 in the same applications: statements right."""


@dataclass
class Score:
    """Statements and columns of a log that are right, and what is wrong."""

    statements: int = 0
    right_statements: int = 0
    columns: int = 0
    right_columns: int = 0
    wrong: list[str] = field(default_factory=list)


def score(path: Path, *, names: bool = False, sources: Sequence[str] = ()) -> Score:
    """Return the score of a log.

    Args:
        path: The log, next to its truth.
        names: Also compare OpenLineage's names.
        sources: Where tables are that the log does not place.
    """
    rules = tuple(map(read_rule, sources))
    truth = json.loads(path.with_suffix(".json").read_text())
    traced = [each for log in find_logs([str(path)]) for each in trace_log(replace(read_log(log), source_rules=rules))]
    found = Score()
    for name, expected in _expected(truth):
        statements = [each for each in traced if _is(each, name)]
        found.statements += 1
        problems = _problems(statements, expected, truth, found, names=names)
        found.right_statements += not problems
        found.wrong += [f"{name}: {problem}" for problem in problems]
    return found


def _expected(truth: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from truth["statements"].items()
    for target, expected in truth.get("by_target", {}).items():
        yield f"target:{target}", {"target": target, **expected}


def _is(statement: TracedStatement, name: str) -> bool:
    if name.startswith("target:"):
        target = statement.lineage.target
        return target is not None and target.name.endswith(name.removeprefix("target:"))
    return statement.root.description.partition("\n")[0] == name


def _problems(
    statements: list[TracedStatement],
    expected: Mapping[str, Any],
    truth: Mapping[str, Any],
    found: Score,
    *,
    names: bool,
) -> list[str]:
    columns = expected["columns"]
    found.columns += len(columns)
    if not statements:
        return ["no statement"]
    attempts = [_compare(each, expected, truth, names=names) for each in statements]
    right, problems = max(attempts, key=lambda each: (-len(each[1]), each[0]))
    found.right_columns += right
    return problems


def _compare(
    statement: TracedStatement, expected: Mapping[str, Any], truth: Mapping[str, Any], *, names: bool
) -> tuple[int, list[str]]:
    lineage, problems, right = statement.lineage, [], 0
    if (target := expected["target"]) is not None:
        name = lineage.target.name if lineage.target else ""
        if not _ends(name, _location(target, truth)):
            problems.append(f"target {name or '-'}, not {target}")
    elif not lineage.gaps:
        problems.append("no gap for the target that the log does not have")
    for column, sources in expected["columns"].items():
        own = [each for each in lineage.edges if each.target_column == column and each.source_dataset]
        if "expect" in expected and not sources:
            right += 1
            continue
        wrong = list(_different(own, [_location(each, truth) for each in sources]))
        right += not wrong
        problems += [f"{column}: {each}" for each in wrong]
    rows = [_name(each) for each in lineage.edges if each.target_column is None and each.source_dataset]
    for source in expected["rows"]:
        if not any(_ends(each, _location(source, truth)) for each in rows):
            problems.append(f"rows: {source} is missing")
    shared = {each.name for each in lineage.datasets if each.name == expected.get("not") or each.name in SHARED}
    problems += [f"the dataset {name}" for name in shared]
    if names:
        problems += _names(statement, truth)
    return right, problems


SHARED = ("jdbc:unknown", "other:unknown", "unknown")


def _names(statement: TracedStatement, truth: Mapping[str, Any]) -> Iterator[str]:
    wanted = {tuple(each) for each in truth["datasets"].values()}
    if not wanted:
        return
    for dataset in statement.lineage.datasets:
        name = openlineage_name(dataset)
        if dataset.kind in {"jdbc", "other"} and "unknown@" not in dataset.name and name not in wanted:
            yield f"name {name}"


def _different(edges: list[Edge], sources: list[str]) -> Iterator[str]:
    names = [_name(each) for each in edges]
    yield from (f"{source} is missing" for source in sources if not any(_ends(name, source) for name in names))
    yield from (f"{name} is wrong" for name in names if not any(_ends(name, source) for source in sources))


def _name(edge: Edge) -> str:
    return f"{edge.source_dataset}.{edge.source_column}"


def _ends(name: str, expected: str) -> bool:
    return name == expected or (name.endswith(expected) and name[-len(expected) - 1] in "./:")


def _location(name: str, truth: Mapping[str, Any]) -> str:
    kind, colon, rest = name.partition(":")
    if colon and kind == "out":
        return f"out/{truth['app']}-{'.'.join(truth['spark'].split('.')[:2])}/{rest}"
    return f"data-{'.'.join(truth['spark'].split('.')[:2])}/{rest}" if colon and kind == "data" else name


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--source", action="append", default=[], help="where tables are, as of the option of harvest")
    parser.add_argument("--names", action="store_true", help="also compare OpenLineage's names")
    parser.add_argument("--verbose", action="store_true", help="print what is wrong")
    options = parser.parse_args()
    if not (logs := sorted(options.logs.glob("*.zstd"))):
        sys.exit(f"no logs in {options.logs}")
    print(f"{'log':<22} {'statements':>12} {'columns':>12}  agent: statements")
    failed = False
    for path in logs:
        found = score(path, names=options.names, sources=options.source)
        failed |= bool(found.wrong)
        statements = f"{found.right_statements} of {found.statements}"
        columns = f"{found.right_columns} of {found.columns}"
        print(f"{path.stem:<22} {statements:>12} {columns:>12}  {AGENT.get(path.stem, '')}")
        if options.verbose:
            print("".join(f"    {each}\n" for each in found.wrong), end="")
    sys.exit(failed)


if __name__ == "__main__":
    main()
