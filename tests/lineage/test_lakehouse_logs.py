"""Every statement of the lakehouse logs, traced without Spark, against the truth that was written by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.storage import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log
from sample_logs_truth import Statement, load_truth
from truth import FoundEdge, FoundStatement, differences

LOGS = Path(__file__).resolve().parent.parent / "lakehouse_logs"
TRUTH = [statement for path in sorted(LOGS.glob("*.truth")) for statement in load_truth(path)]
CASES = [(name, truth) for truth in TRUTH if truth.kind != "helper" for name in truth.logs]
OPEN = frozenset((LOGS / "open.txt").read_text(encoding="utf-8").split("\n"))
"""The statements that are not told yet, each `log/description`; a statement that is told must leave the list."""

TOLD = [case for case in CASES if f"{case[0]}/{case[1].description}" not in OPEN]
UNTOLD = [case for case in CASES if f"{case[0]}/{case[1].description}" in OPEN]


@cache
def traced(name: str) -> tuple[TracedStatement, ...]:
    (log,) = find_logs([str(LOGS / name)])
    return tuple(trace_log(read_log(log)))


@cache
def places(name: str) -> dict[str, str]:
    return {place: table for statement in traced(name) for table, place in statement.lineage.aliases}


@cache
def queries(name: str) -> dict[str, str]:
    """Run id to the streaming query's name: Hudi's sources take it out of the descriptions."""
    (log,) = find_logs([str(LOGS / name)])
    return {progress.run_id: progress.name for progress in read_log(log).progress}


def named(name: str, statement: TracedStatement) -> str:
    return queries(name).get(statement.root.stream_run_id) or statement.root.description.partition("\n")[0]


def wrong(name: str, truth: Statement) -> list[str]:
    """What is wrong with what the program tells of a statement."""
    candidates = [
        statement
        for statement in traced(name)
        if named(name, statement) == truth.description
        and (statement.lineage.edges or not truth.edges)
        and (statement.lineage.target is not None) == (truth.kind == "write")
    ]
    if len(candidates) != 1:
        return [f"{len(candidates)} statements: {[each.lineage.command for each in candidates]}"]
    return differences(truth, found(name, candidates[0]))


def found(name: str, statement: TracedStatement) -> FoundStatement:
    lineage = statement.lineage

    def canonical(dataset: str | None) -> str | None:
        return places(name).get(dataset, dataset) if dataset else None

    edges = tuple(
        FoundEdge(
            canonical(edge.source_dataset),
            edge.source_column,
            edge.target_column,
            edge.target_ordinal,
            edge.dependency and str(edge.dependency),
            edge.transformation and str(edge.transformation),
            edge.masking,
            str(edge.confidence),
        )
        for edge in lineage.edges
    )
    return FoundStatement(
        target=canonical(lineage.target.name) if lineage.target else None,
        mode=lineage.mode,
        status=statement.root.status,
        edges=edges,
        sources=frozenset(canonical(use.dataset.name) or "" for use in lineage.uses if use.direction == "read"),
        gaps=tuple(f"{gap.reason}: {gap.detail}" for gap in lineage.gaps),
    )


def identify(cases: list[tuple[str, Statement]]) -> list[str]:
    return [f"{name}/{truth.description}" for name, truth in cases]


@pytest.mark.parametrize(("name", "truth"), TOLD, ids=identify(TOLD))
def test_a_statement_is_told_as_its_author_wrote_it_down(name: str, truth: Statement) -> None:
    assert wrong(name, truth) == []


def test_what_is_told_is_not_listed_as_open() -> None:
    assert [f"{name}/{truth.description}" for name, truth in UNTOLD if not wrong(name, truth)] == []


def test_only_statements_of_the_truth_are_listed_as_open() -> None:
    assert OPEN - {""} - set(identify(CASES)) == set()
