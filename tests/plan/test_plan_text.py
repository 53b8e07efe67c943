"""A plan text as a value: what is read from it is read once, and travels only as text or as a summary."""

from __future__ import annotations

import pickle

import pytest

from eventlog_lineage.plan import plan_text
from eventlog_lineage.plan.plan_text import NO_TEXT, PlanText, summary_of, views_of
from eventlog_lineage.plan.printed.sections import ViewRead
from support.goldens import FIXTURES

COMMAND = (FIXTURES / "delta" / "update.3.3.plan").read_text()


def test_each_part_of_a_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(text: str) -> object:
        calls.append(text)
        return split(text)

    split = plan_text.split_sections
    monkeypatch.setattr(plan_text, "split_sections", counted)
    plan = PlanText(COMMAND)
    assert plan.physical is plan.physical
    assert plan.summary is plan.summary
    assert plan.logical == plan.logical
    assert plan.views == plan.views == ()
    assert calls == [COMMAND]


def test_a_text_is_pickled_without_what_was_read_from_it() -> None:
    plan = PlanText(COMMAND)
    before = pickle.dumps(plan)
    assert plan.summary.command == "UpdateCommand"
    assert pickle.dumps(plan) == before
    assert pickle.loads(before) == plan


def test_a_summary_is_pickled_as_one_text_and_read_back_whole() -> None:
    summary = PlanText(COMMAND).summary
    packed = pickle.dumps(summary)
    assert pickle.loads(packed) == summary
    assert b"unpack_summary" in packed


def test_a_plan_has_its_summary_and_its_views_with_or_without_its_text() -> None:
    plan = PlanText(COMMAND)
    assert summary_of(plan.summary) == summary_of(plan)
    views = (ViewRead("`db`.`v`", ("a",)),)
    assert (views_of(views), views_of(plan)) == (views, ())
    assert summary_of(NO_TEXT).fingerprint == ""
