"""Every statement of the sample logs, traced without Spark, against the truth that was written by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from support.lakehouse.statements import TracedLog
from support.sample_logs_truth import Statement, load_truth
from support.truth import FoundStatement, differences

LOGS = Path(__file__).resolve().parent.parent / "sample_logs"
TRUTH = [statement for path in sorted(LOGS.glob("*.truth")) for statement in load_truth(path)]
CASES = [(name, truth) for truth in TRUTH if truth.kind != "helper" for name in truth.logs]


@cache
def traced_log(name: str) -> TracedLog:
    return TracedLog(LOGS / name)


def found(name: str, truth: Statement) -> FoundStatement:
    candidates = [
        statement
        for statement in traced_log(name).traced
        if statement.root.description == truth.description
        and statement.lineage.edges
        and (statement.lineage.target is not None) == (truth.kind == "write")
    ]
    assert len(candidates) == 1, [statement.lineage.command for statement in candidates]
    return traced_log(name).found(candidates[0])


@pytest.mark.parametrize(("name", "truth"), CASES, ids=[f"{name}/{truth.description}" for name, truth in CASES])
def test_a_statement_is_told_as_its_author_wrote_it_down(name: str, truth: Statement) -> None:
    assert differences(truth, found(name, truth)) == []
