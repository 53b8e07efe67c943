"""Tables that commands print without a database, on real Sparks."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log

LOGS = sorted((Path(__file__).resolve().parent.parent / "session_logs").glob("*.zstd"))
TABLES = """
    shop.s
    default.early shop.t shop.made shop.copied shop.seen shop.made shop.made shop.t shop.saved shop.saved
    other.u other.w shop.x
""".split()
"""What the statements of scripts/make_session_logs.py write, in their order."""


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_each_table_has_the_database_that_its_session_was_in(path: Path) -> None:
    (log,) = find_logs([str(path)])
    told = [each.lineage for each in trace_log(read_log(log))]
    assert [each.target.name for each in told if each.target] == [f"spark_catalog.{table}" for table in TABLES]
    assert [gap for each in told for gap in each.gaps] == []


def test_there_are_logs_of_extended_and_of_formatted_text() -> None:
    assert {path.stem for path in LOGS} >= {"sessions-2-4", "sessions-3-0", "sessions-3-5", "sessions-4-1"}
