"""Statements of an application with many executions are found in linear time."""

from __future__ import annotations

import time
from dataclasses import replace

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import statements_of
from support.event_logs import LOGS


def _repeated(log: AssembledLog, count: int) -> AssembledLog:
    """Return a log with the first execution so many times, each a statement of its own."""
    first = log.executions[0]
    numbered = (replace(first, execution_id=number, root_execution_id=number) for number in range(count))
    return replace(log, executions=tuple(numbered))


def test_a_statement_of_many_takes_no_longer_than_one_of_few() -> None:
    (found,) = find_logs([str(LOGS / "none-4.3.0")])
    log = read_log(found)
    seconds = []
    for count in (4_000, 16_000):
        many = _repeated(log, count)
        started = time.process_time()
        assert len(statements_of(many, view_owner="app-1")) == count
        seconds.append(time.process_time() - started)
    assert seconds[1] < 8 * max(seconds[0], 0.05), seconds
