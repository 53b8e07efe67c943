"""Redaction changes no lineage: plans whose columns have the names of secrets, before and after it."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.redaction import without_secrets

LOGS = Path(__file__).parent.parent / "sample_logs"
COLUMN = re.compile(r"(?<![\w`.])([a-z_]\w*)#\d")
NAMES = ("password", "api_token", "pwd")


@cache
def plans() -> list[str]:
    logs = find_logs([str(LOGS)])
    read = (execution.plan for log in logs for execution in read_log(log, ReadOptions(plans_as_logged=True)).executions)
    return sorted({plan.text for plan in read if isinstance(plan, PlanText)})


def lineage(plan: str) -> tuple[Counter[tuple[object, ...]], Counter[str]]:
    traced = trace_texts(plan)
    edges = (
        (each.source_dataset, each.source_column, each.target_column, each.transformation) for each in traced.edges
    )
    return Counter(edges), Counter(str(gap.reason) for gap in traced.gaps)


@pytest.mark.parametrize("place", range(len(NAMES)))
def test_a_column_with_the_name_of_a_secret_keeps_its_lineage(place: int) -> None:
    changed = 0
    for plan in plans():
        names = [name for name, _ in Counter(COLUMN.findall(plan)).most_common(len(NAMES))]
        if place >= len(names):
            continue
        named = re.sub(rf"(?<!\w){names[place]}(?!\w)", NAMES[place], plan)
        redacted = without_secrets(named)
        changed += redacted != named
        assert redacted == named or lineage(redacted) == lineage(named), (names[place], redacted)
    assert changed > 20
