"""What ties an execution to its command before Spark says it itself (3.4)."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.grouping.statement_groups import described_within

CALL_SITE = "sql at NativeMethodAccessorImpl.java:0"


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("load orders", "load orders"),
        ("load orders", "Delta: load orders: Writing merged data"),
        ("load orders", "Delta: Delta: load orders: Writing merged data: Filtering files for query"),
        (CALL_SITE, CALL_SITE),
        (CALL_SITE, "Delta: Writing merged data"),
        ("q\nid = 1\nrunId = 2\nbatch = 0", "Delta: q\nid = 1\nrunId = 2\nbatch = 0: Writing merged data"),
    ],
)
def test_an_execution_is_its_commands_whatever_delta_puts_around_the_description(outer: str, inner: str) -> None:
    assert described_within(outer, inner)


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("load orders", "load customers"),
        ("load orders", "Delta: load customers: Writing merged data"),
        ("load orders", "Delta: load orders again: Writing merged data"),
        ("load orders", CALL_SITE),
        (CALL_SITE, "collect at job.py:3"),
    ],
)
def test_an_execution_of_another_description_is_none_of_the_commands(outer: str, inner: str) -> None:
    assert not described_within(outer, inner)
