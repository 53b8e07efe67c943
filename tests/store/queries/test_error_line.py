"""The one line of an error: its innermost cause, without a stack."""

from __future__ import annotations

import pytest

from eventlog_lineage.store.queries.open_store import error_line

STAGE = (
    "Job aborted due to stage failure: Task 0 in stage 116.0 failed 4 times, most recent failure: "
    "Lost task 0.3 in stage 116.0 (TID 84) (10.0.0.1 executor 2): "
)

CAUSE = """Caused by: java.lang.RuntimeException: amount too small
\tat x.Y.z(Unknown Source)
\t... 9 more

Driver stacktrace:"""
TRACEBACK = """Traceback (most recent call last):
  File "a.py", line 3, in f
    raise ValueError("bad day")
ValueError: bad day

\tat org.a.B.c(B.scala:1)"""

CASES = {
    "nothing": ("", ""),
    "an error of analysis": (
        "[TABLE_OR_VIEW_NOT_FOUND] no such table; line 1",
        "[TABLE_OR_VIEW_NOT_FOUND] no such table; line 1",
    ),
    "a task's cause": (
        f"{STAGE}org.apache.spark.SparkException: Task failed while writing rows.\n\tat org.a.B.c(B.scala:1)\n{CAUSE}",
        "RuntimeException: amount too small",
    ),
    "a lost executor": (
        f"{STAGE}ExecutorLostFailure (executor 2 exited)\nDriver stacktrace:",
        "ExecutorLostFailure (executor 2 exited)",
    ),
    "a Python worker": (f"An exception was thrown from the Python worker.\n{TRACEBACK}", "ValueError: bad day"),
    "a Python worker's task": (
        f"{STAGE}org.apache.spark.api.python.PythonException: {TRACEBACK}",
        "ValueError: bad day",
    ),
    "a Java class": ("java.io.IOException: disk is full\n\tat a.B.c(B.java:1)", "IOException: disk is full"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_innermost_cause_is_shown_without_its_stack(case: str) -> None:
    error, line = CASES[case]
    assert error_line(error) == line


def test_a_long_line_is_cut() -> None:
    assert len(error_line("x" * 5000)) == 300
