"""A statement whose own plan is all there is: no evidence, no links, an id made of its plan and its settings."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.lineage.application import statements_of
from eventlog_lineage.lineage.statement import NO_CONTEXT, Statement, lineage_id, settings_key

TESTS = Path(__file__).resolve().parents[2]
LOGS = [log for folder in ("sample_logs", "lakehouse_logs", "session_logs") for log in find_logs([str(TESTS / folder)])]


@cache
def found_in(log: EventLog) -> list[Statement]:
    read = read_log(log)
    return statements_of(read)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: Path(log.path).stem)
def test_a_plain_statement_is_named_by_its_plan_and_its_settings(log: EventLog) -> None:
    for statement in found_in(log):
        if statement.context == NO_CONTEXT and len(statement.fingerprints) == 1 and not statement.external:
            key = settings_key(statement.catalog_settings)
            assert statement.lineage_id == lineage_id(statement.fingerprints, 1, (), key)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: Path(log.path).stem)
def test_statements_of_one_name_have_the_same_plans_and_the_same_evidence(log: EventLog) -> None:
    found = Counter(
        (each.lineage_id, each.fingerprints, each.links, each.context, each.external) for each in found_in(log)
    )
    assert len({name for name, *_ in found}) == len(found)
