"""A statement whatever its plans are like."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage import statements
from eventlog_lineage.lineage.statements import Statement, trace


def test_an_error_of_the_program_is_a_gap_of_that_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr(statements, "resolve", broken)
    lineage = trace(Statement(("== Physical Plan ==\nRange (1)\n\n\n(1) Range\n",), 1))
    (gap,) = lineage.gaps
    assert gap.reason == "internal_error"
    assert gap.detail.startswith("LookupError: no such thing (test_statements.py:")
    assert lineage.edges == ()


def test_an_execution_without_a_plan_is_a_gap() -> None:
    (gap,) = trace(Statement(("",), 1)).gaps
    assert gap.reason == "missing_plan"
