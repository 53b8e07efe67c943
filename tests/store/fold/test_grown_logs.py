"""Logs of one night that the next one reads again: they have grown, or are read by a newer program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from eventlog_lineage.store.fold import counts
from support.stores.content import check_parquet, content, rows
from support.stores.jobs import application, edges, run, source, target
from support.stores.nights import Night, together


def growing() -> Night:
    made = application("grown", complete=False, ended_at=None)
    facts = {"app": "grown-0", "status": "running", "rows_written": None}
    made.statement(edges("grown"), target=target("grown"), **facts)  # type: ignore[arg-type]
    return made


def grown() -> Night:
    made = application("grown", user_name="")
    facts = {"app": "grown-0", "new": False, "rows_written": 7, "description": ""}
    made.statement(edges("grown"), target=target("grown"), **facts)  # type: ignore[arg-type]
    made.statement(edges("grown"), target=target("grown twice"), app="grown-0", execution=2)
    return made


def cut() -> Night:
    made = application("cut", complete=False)
    facts = {"reason": "truncated_log", "operator": "", "detail": "", "hint": ""}
    made.add("gaps", app_id="cut-0", attempt_id="", **facts)
    return made


def traced_better() -> Night:
    made = run("traced")
    made.rows["lineage_edges"][0]["expression"] = "better"
    made.rows["lineage_io"][0]["columns"] = ["amount", "tax"]
    return made


def with_all_facts() -> Night:
    made = run("equal", 0, ("amount", "tax"))
    made.place(source("equal"), "file:///wh/equal")
    execution = {"app_id": "equal-0", "attempt_id": "", "execution_id": 1}
    made.add("io_metrics", **execution, dataset=source("equal"), direction="read", rows=3)
    made.add("gaps", **execution, reason="bad_event", operator="", detail="", hint="")
    return made


def second_night() -> Night:
    logs = (run("linked", 1), grown(), run("cut"), traced_better(), with_all_facts())
    return together(*logs, day=1)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store after the first night, by a program before 0.3.0: it lost a lineage, and did not notice."""
    store = tmp_path_factory.mktemp("before")
    logs = (run("linked", new=False), growing(), cut(), run("traced"), with_all_facts())
    with pytest.MonkeyPatch.context() as older:
        older.setattr(counts, "_count_without", lambda *_: 0)
        older.setattr(counts, "write_fact", lambda *_: None)
        together(*logs).harvest(store)
    return store


@pytest.fixture(scope="module")
def after(before: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store after the second night."""
    store = tmp_path_factory.mktemp("after")
    copy(before, store)
    second_night().harvest(store)
    check_parquet(store)
    return store


def copy(store: Path, target: Path) -> None:
    shutil.copytree(store, target, symlinks=True, dirs_exist_ok=True)


def test_a_lineage_that_comes_later_than_its_executions_is_linked(before: Path, after: Path) -> None:
    query = "SELECT lineage_fingerprint FROM executions WHERE app_id = 'linked-0'"
    assert rows(before, query) == [(None,)]
    assert rows(after, query) != [(None,)]
    assert rows(after, "SELECT run_count FROM column_lineage WHERE target_dataset = ?", target("linked")) == [(2,)]


def test_a_log_that_has_grown_completes_what_was_there(after: Path) -> None:
    query = (
        "SELECT execution_id, status, duration_ms, rows_written, description[:7] FROM executions "
        "WHERE app_id = 'grown-0' ORDER BY 1"
    )
    assert rows(after, query) == [
        (1, "succeeded", 30_000, 7, "save at"),
        (2, "succeeded", 30_000, None, "save at"),
    ]
    assert rows(after, "SELECT user_name, complete FROM applications WHERE app_id = 'grown-0'") == [("etl", True)]


def test_what_is_traced_again_replaces_what_an_older_program_told(before: Path, after: Path) -> None:
    query = "SELECT expression FROM column_lineage WHERE target_dataset = ?"
    assert rows(before, query, target("traced")) == [("amount",)]
    assert rows(after, query, target("traced")) == [("better",)]


def test_a_log_that_has_its_end_now_is_not_cut_any_more(before: Path, after: Path) -> None:
    assert rows(before, "SELECT reason FROM gaps WHERE app_id = 'cut-0'") == [("truncated_log",)]
    assert rows(after, "SELECT reason FROM gaps WHERE app_id = 'cut-0'") == []


def test_the_same_harvest_again_and_one_of_nothing_change_nothing(after: Path, tmp_path: Path) -> None:
    expected = content(after)
    copy(after, tmp_path)
    for night, harvests in ((second_night(), 3), (Night(2), 4)):
        summary = night.harvest(tmp_path)
        assert summary.harvest_id == harvests
        assert content(tmp_path) == expected
        check_parquet(tmp_path)
    assert not summary.changed
