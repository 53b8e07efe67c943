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
UNTOLD = {
    head: tuple(sorted(lines))
    for head, *lines in (
        part.split("\n") for part in (LOGS / "untold.txt").read_text(encoding="utf-8").strip().split("\n\n")
    )
}
"""`log/description` of the statements that their logs do not tell wholly, with what is missing and the gap for it."""

TOLD = [case for case in CASES if f"{case[0]}/{case[1].description}" not in UNTOLD]
MISSING = [case for case in CASES if f"{case[0]}/{case[1].description}" in UNTOLD]


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
    named_so = [
        statement
        for statement in traced(name)
        if named(name, statement) == truth.description and (statement.lineage.edges or not truth.edges)
    ]
    of_kind = [each for each in named_so if (each.lineage.target is not None) == (truth.kind == "write")]
    of_target = [each for each in of_kind if each.lineage.target and each.lineage.target.kind != "temp_view"]
    candidates = of_target or of_kind or named_so
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


@pytest.mark.parametrize(("name", "truth"), MISSING, ids=identify(MISSING))
def test_what_a_log_does_not_tell_is_a_gap_and_nothing_else_is_missing(name: str, truth: Statement) -> None:
    found = [line for each in wrong(name, truth) for line in each.split("\n")]
    assert tuple(sorted(found)) == UNTOLD[f"{name}/{truth.description}"]
    assert any(line.startswith("gap unknown_") for line in found)


def test_only_statements_of_the_truth_are_listed_as_untold() -> None:
    assert UNTOLD.keys() - set(identify(CASES)) == set()


def test_extended_logs_are_told_in_full() -> None:
    assert [head for head in UNTOLD if "-extended-" in head] == []
    assert sum("-extended-" in name for name, _ in TOLD) > 35
