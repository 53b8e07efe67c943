"""The files that start a harvest every night say what the program understands."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

import click
import pytest

from eventlog_lineage.cli.common import settings_of
from eventlog_lineage.cli.main import commands
from eventlog_lineage.events.sources.history_server import AUTHORIZATION
from eventlog_lineage.store.remote.storage import VARIABLE as CACHE

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "scripts" / "schedule").iterdir())
PAGES = [*FILES, *sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "Dockerfile"]
CONTEXT = click.Context(commands)


PLACES = {"EVENTLOG_LINEAGE_CONFIG", "EVENTLOG_LINEAGE_PROFILE"}
ENVIRONMENT_ONLY = {*PLACES, "EVENTLOG_LINEAGE_COMPLETE", AUTHORIZATION, CACHE}
"""Where the file is and which of its profiles counts; what shells set for completion; a secret, which belongs on no
command line and in no file; where a machine keeps copies of remote stores, whichever command reads them."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_schedule_calls_the_harvest_with_options_that_it_has(file: Path) -> None:
    calls = re.findall(r"eventlog-lineage harvest((?: --[a-z-]+(?: [a-z]+)?)*)", file.read_text())
    harvest = commands.get_command(CONTEXT, "harvest")
    assert harvest is not None
    assert calls or file.suffix == ".timer"
    for words in calls:
        harvest.make_context("harvest", [*words.split(), "/logs"], parent=click.Context(commands, obj=None))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_variable_that_a_page_or_a_schedule_names_is_a_setting(page: Path) -> None:
    named = set(re.findall(r"EVENTLOG_LINEAGE_[A-Z_]*[A-Z]", page.read_text(encoding="utf-8")))
    variables = {parameter.variable() for parameter, _ in settings_of(commands, CONTEXT).values()}
    assert named <= {*variables, *ENVIRONMENT_ONLY}


def test_all_schedules_start_at_the_same_time_in_utc() -> None:
    texts = {file.name: file.read_text() for file in FILES}
    timer = configparser.ConfigParser(strict=False, interpolation=None)
    timer.optionxform = str  # type: ignore[assignment,method-assign]
    timer.read_string(texts["eventlog-lineage.timer"])
    assert timer["Timer"]["OnCalendar"] == "*-*-* 02:30:00 UTC"
    assert re.search(r"^CRON_TZ=UTC$", texts["eventlog-lineage.cron"], re.M)
    assert re.search(r"^30 2 \* \* \* lineage \S+/eventlog-lineage harvest", texts["eventlog-lineage.cron"], re.M)
    assert 'schedule: "30 2 * * *"\n  timeZone: Etc/UTC' in texts["kubernetes.yaml"]
    assert 'schedule="30 2 * * *"' in (ROOT / "examples" / "airflow_operator.py").read_text()
