"""A log of a real Spark Connect over PostgreSQL and a Python data source.

The request of a save names its server. Connect blanks the options of reads that are deep in a request
(`ProtoUtils.abbreviate`, 4.0): the server of `sales.orders` is a gap.
"""

from __future__ import annotations

from functools import cache

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, source_gaps, trace_log
from support.connector_logs import LOGS, edges

SERVER = "postgres://127.0.0.1:5544/shop.sales"
OUT = "file:///tmp/connector_logs/connect-4.0/out"
ORDERS = "jdbc:sales.orders"
TRUTH = {
    f"{OUT}/table": {
        f"id {ORDERS}.id IDENTITY",
        f"twice {ORDERS}.amount TRANSFORMATION",
        f"* {ORDERS}.amount FILTER",
    },
    f"{SERVER}.totals": {
        f"status {ORDERS}.status IDENTITY",
        f"total {ORDERS}.amount AGGREGATION",
        f"* {ORDERS}.status GROUP_BY",
    },
    f"{OUT}/ledger": {"id python:ledger.id IDENTITY", "more python:ledger.amount TRANSFORMATION"},
}


@cache
def log() -> AssembledLog:
    (found,) = find_logs([str(LOGS / "connect-4.0.zstd")])
    return read_log(found)


@cache
def statements() -> dict[str, TracedStatement]:
    traced = {each.lineage.target.name: each for each in trace_log(log()) if each.lineage.target is not None}
    return {name: each for name, each in traced.items() if each.lineage.edges}


@pytest.mark.parametrize("target", TRUTH)
def test_a_statement_has_the_servers_of_its_request(target: str) -> None:
    assert edges(statements()[target]) == TRUTH[target]


def test_only_what_requests_do_not_name_is_a_gap() -> None:
    assert [gap.detail for gap in source_gaps(log())] == [
        "the log does not print the URL of these JDBC tables: sales.orders",
        "the log does not print the options of these Python data source tables: ledger",
    ]


def test_a_password_in_a_request_is_kept_nowhere() -> None:
    assert "kept-secret" not in str([log(), *statements().values()])
