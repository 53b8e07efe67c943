"""What a worker leaves out of its reports, and what it does not."""

from __future__ import annotations

from typing import Any

import pytest

from support.reports import FewMessages


@pytest.mark.parametrize(
    ("facts", "is_sent"),
    [
        ({"when": "setup"}, False),
        ({"when": "teardown"}, False),
        ({"when": "call"}, True),
        ({"when": "setup", "duration": 0.5}, True),
        ({"when": "setup", "outcome": "skipped"}, True),
        ({"when": "teardown", "outcome": "failed"}, True),
        ({"when": "setup", "sections": [("Captured stdout setup", "made")]}, True),
    ],
    ids=str,
)
def test_a_worker_leaves_out_setups_and_teardowns_that_passed_at_once(facts: dict[str, Any], is_sent: bool) -> None:
    known: dict[str, Any] = {"outcome": "passed", "duration": 0.0, "longrepr": None}
    report = pytest.TestReport("test", ("test.py", 1, "test"), {}, **(known | facts))
    assert (FewMessages().pytest_report_to_serializable(report) is None) == is_sent
