"""Statements of one execution take a short way to their names; it must lead where the long way leads."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.event_log import EventLog
from eventlog_lineage.lineage.application import runs_of
from eventlog_lineage.lineage.grouping import statement_groups
from eventlog_lineage.lineage.tracing.catalog_settings import catalog_settings_of
from eventlog_lineage.lineage.tracing.streaming import stream_places
from eventlog_lineage.plan.summary.plan_summary import summarize_plan

TESTS = Path(__file__).resolve().parent.parent
LOGS = [log for folder in ("sample_logs", "lakehouse_logs", "session_logs") for log in find_logs([str(TESTS / folder)])]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: Path(log.path).stem)
def test_the_short_way_gives_the_statements_that_the_long_way_gives(
    log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_log(log)
    heads = {each.execution_id: summarize_plan(each.plan) for each in read.executions}
    told = (
        runs_of(read.executions, heads),
        catalog_settings_of(read.application.settings),
        stream_places(read.progress),
    )
    short = statement_groups.group_executions(*told)
    monkeypatch.setattr(statement_groups, "_is_plain", lambda draft: False)
    assert statement_groups.group_executions(*told) == short
