"""Tracing has a limit of CPU time: a statement over it is a gap, and the others are traced."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import suppress
from typing import Any

import pytest

from eventlog_lineage.lineage import trace_statement
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.lineage.trace_statement import OVER_TIME, OutOfTimeError, TraceBudget, trace


def spin(seconds: float = 30) -> None:
    """Use CPU time as a plan does that is expensive to trace, whatever exceptions come."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        with suppress(Exception):
            sum(range(1000))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    traced = trace_statement._traced

    def slowed(statement: Statement, texts: Any) -> Any:
        if statement.members == (1,):
            spin()
        return traced(statement, texts)

    monkeypatch.setattr(trace_statement, "_traced", slowed)


def statement(number: int) -> Statement:
    return Statement((number,), ("p",), ())


@pytest.mark.usefixtures("slow")
def test_a_statement_over_the_limit_is_a_gap_and_the_others_are_traced() -> None:
    budget, before = TraceBudget(0.2), signal.getsignal(signal.SIGPROF)
    started = time.process_time()
    first, slowed, last = (trace(statement(number), {}, budget.limited("log")) for number in (0, 1, 2))
    assert time.process_time() - started < 5
    assert slowed.gaps == (OVER_TIME,)
    assert first.gaps == last.gaps != slowed.gaps
    assert signal.getsignal(signal.SIGPROF) is before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_statements_of_one_log_share_a_budget_and_have_a_second_each() -> None:
    budget = TraceBudget(2)
    with budget.limited("log"):
        spin(1.5)
    for log, seconds in (("log", 1.2), ("another", 2.2)):
        with pytest.raises(OutOfTimeError), budget.limited(log):
            spin(seconds)
        with budget.limited(log):
            spin(0.1)


def test_in_other_threads_there_is_no_limit() -> None:
    ended = []

    def traced() -> None:
        with TraceBudget(0.01).limited("log"):
            spin(0.1)
            ended.append(True)

    thread = threading.Thread(target=traced)
    thread.start()
    thread.join()
    assert ended
