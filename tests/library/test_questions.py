"""Every question is a method of the library, with rows, JSON and a view for notebooks."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import eventlog_lineage as el
from eventlog_lineage.library import answer_rows as records
from eventlog_lineage.library.answers import Explanation, Result, Trace
from support.stores.shop import open_shop

JOB = "nightly-sales: loyal customers"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("methods") / "store"
    open_shop(made)
    return made


def test_every_method_answers_and_shows_in_a_notebook(folder: Path) -> None:
    with el.open_store(folder) as store:
        results = {
            "why": store.why("daily_sales.revenue"),
            "why_late": store.why_late(JOB),
            "downstream": store.downstream("staging.orders.amount", at=datetime(2026, 11, 19, 12)),
            "path": store.path("staging.orders.amount", "daily_sales.revenue"),
            "datasets": store.datasets("sales.*"),
            "find": store.find("revenue"),
            "keys": store.keys(),
            "erasure": store.erasure("staging.customers.id"),
            "jobs": store.jobs(JOB),
            "runs": store.runs(JOB, failed=True),
            "compare_runs": store.compare_runs(JOB),
            "changes": store.changes(until=datetime(2027, 1, 1), kind="schema"),
            "diff": store.diff(datetime(2026, 11, 19, 12)),
            "nights": store.nights(),
            "failures": store.failures(),
            "late": store.late(),
            "costs": store.costs(),
            "trust": store.trust(),
            "hot": store.hot(),
            "panel": store.panel("do_not_break"),
        }
        assert store.unread(timedelta(days=30)).fetchall() == []
        assert store.cycles().fetchall() == []
        assert store.erd().startswith("erDiagram\n")
    for name, result in results.items():
        assert len(result) > 0, name
        assert json.loads(result.json())[0].keys() == set(result.columns), name
        shown = result._repr_html_()
        assert f"<th>{result.columns[0]}</th>" in shown, name
    assert {name for name, result in results.items() if isinstance(result, Trace)} == {"downstream"}
    assert results["downstream"]._repr_html_().startswith("<svg")


def test_the_records_of_each_question_have_its_columns_and_types(folder: Path) -> None:
    with el.open_store(folder) as store:
        answers: list[tuple[type, Result[Any]]] = [
            (records.Evidence, store.why("daily_sales.revenue")),
            (records.Lateness, store.why_late(JOB)),
            (records.Edge, store.upstream("daily_sales.revenue")),
            (records.Reach, store.downstream("staging.orders.amount")),
            (records.Dependant, store.impact("staging.orders")),
            (records.Step, store.path("staging.orders.amount", "daily_sales.revenue")),
            (records.Column, store.columns("daily_sales")),
            (records.Dataset, store.datasets()),
            (records.Match, store.find("revenue")),
            (records.Key, store.keys()),
            (records.Place, store.erasure("staging.customers.id")),
            (records.Job, store.jobs()),
            (records.Writer, store.jobs("daily_sales")),
            (records.Run, store.runs()),
            (records.Comparison, store.compare_runs(JOB)),
            (records.Event, store.history("daily_sales")),
            (records.Change, store.changes(depends=True)),
            (records.Difference, store.diff(datetime(2026, 11, 19, 12))),
            (records.Unused, store.unused(datetime(2026, 1, 1))),
            (records.Unread, store.unread(timedelta(days=1))),
            (records.Cycle, store.cycles()),
            (records.Function, store.udfs()),
            (records.Gap, store.gaps()),
            (records.EveryGap, store.gaps(every=True)),
            (records.Night, store.nights()),
            (records.Failure, store.failures()),
            (records.Late, store.late()),
            (records.PersonalData, store.personal_data()),
            (records.Tag, store.tags()),
            (records.Cost, store.costs()),
            (records.Trust, store.trust()),
            (records.Hot, store.hot()),
        ]
    for kind, answer in answers:
        hints = get_type_hints(kind)
        assert sorted(hints) == sorted(answer.columns), kind
        for row in answer:
            for name, value in row.items():
                assert _is(value, hints[name]), (kind, name, value)
    assert {
        name
        for name, each in vars(records).items()
        if isinstance(each, type) and each.__module__ == records.Edge.__module__
    } == {kind.__name__ for kind, _ in answers} | {"ChangeFacts", "ChangeOfDataset", "NextRun"}


def _is(value: object, hint: Any) -> bool:
    """Whether a value has a type of a record."""
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return any(isinstance(value, get_origin(each) or each) for each in kinds if each is not records.NextRun)


def test_an_explanation_has_sentences(folder: Path) -> None:
    with el.open_store(folder) as store:
        then = store.why("daily_sales.revenue", at=datetime(2026, 11, 19, 12))
        now = store.why("daily_sales.revenue")
    assert isinstance(now, Explanation)
    assert "sum(orders.amount)." in str(now)
    assert "sum((orders.amount - orders.discount))." in str(then)
    assert now._repr_html_().startswith("<p>revenue is a column")


def test_changes_have_what_depends_on_them_only_if_asked(folder: Path) -> None:
    with el.open_store(folder) as store:
        assert "depends" not in store.changes(timedelta(days=36500)).columns
        assert "depends" in store.changes(depends=True).columns


def test_text_of_a_log_is_escaped_in_a_notebook(folder: Path) -> None:
    with el.open_store(folder) as store:
        shown = store.sql("SELECT '<script>' AS a")._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
