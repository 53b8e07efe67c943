"""Every statement of the lakehouse logs, traced without Spark, against the truth that was written by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.plan.printed.sections import Mode, split_sections
from support.lakehouse.statements import TracedLog
from support.sample_logs_truth import Statement, load_truth

LOGS = Path(__file__).resolve().parent.parent / "lakehouse_logs"
TRUTH = [statement for path in sorted(LOGS.glob("*.truth")) for statement in load_truth(path)]
CASES = [(name, truth) for truth in TRUTH if truth.kind != "helper" for name in truth.logs]
UNRESOLVED = {
    head: tuple(sorted(lines))
    for head, *lines in (
        part.split("\n")
        for part in (LOGS / "unresolved.txt").read_text(encoding="utf-8").strip().split("\n\n")
        if not part.startswith("#")  # why nothing has the answer
    )
}
"""`log/description` of the statements that their logs do not tell wholly, with what is missing and the gap for it."""

RESOLVED = [case for case in CASES if f"{case[0]}/{case[1].description}" not in UNRESOLVED]
MISSING = [case for case in CASES if f"{case[0]}/{case[1].description}" in UNRESOLVED]


@cache
def traced_log(name: str) -> TracedLog:
    return TracedLog(LOGS / name)


def identify(cases: list[tuple[str, Statement]]) -> list[str]:
    return [f"{name}/{truth.description}" for name, truth in cases]


@pytest.mark.parametrize(("name", "truth"), RESOLVED, ids=identify(RESOLVED))
def test_a_statement_is_told_as_its_author_wrote_it_down(name: str, truth: Statement) -> None:
    assert traced_log(name).wrong(truth) == []


@pytest.mark.parametrize(("name", "truth"), MISSING, ids=identify(MISSING))
def test_what_a_log_does_not_tell_is_a_gap_and_nothing_else_is_missing(name: str, truth: Statement) -> None:
    found = [line for each in traced_log(name).wrong(truth) for line in each.split("\n")]
    assert tuple(sorted(found)) == UNRESOLVED[f"{name}/{truth.description}"]
    assert any(line.startswith("gap unknown_") for line in found)


def test_only_statements_of_the_truth_are_listed_as_unresolved() -> None:
    assert UNRESOLVED.keys() - set(identify(CASES)) == set()


def test_all_logs_are_told_in_full_but_those_of_statements_that_formatted_text_hides() -> None:
    resolved = {"delta-formatted-4-1.zstd"}  # internal queries name the tables and columns of its aggregates
    formatted = {name for name, _ in CASES if "-formatted-" in name}
    assert {head.partition("/")[0] for head in UNRESOLVED} == formatted - resolved
    assert sum("-formatted-" not in name for name, _ in RESOLVED) > 300


@pytest.mark.parametrize("name", ["delta-writers-4-1", "hudi-3-5", "iceberg-writers-3-5", "kafka-3-5", "paimon-3-5"])
def test_an_application_may_change_its_texts_form_between_statements(name: str) -> None:
    forms = {Mode.FORMATTED, Mode.EXTENDED}
    texts = (execution.plan.text for each in traced_log(f"{name}.zstd").traced for execution in each.members)
    assert {parts.mode for parts in map(split_sections, texts) if parts is not None} == forms
