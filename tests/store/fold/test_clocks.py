"""Times later than the harvest are not trusted: they never win, they age, and a gap names them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from support.stores.memory import MemoryStore
from support.stores.nights import START, Night
from support.stores.rows import rows

FAR = datetime(9999, 12, 31, 23, 59, 59)
CURRENT = "SELECT source_column FROM column_lineage WHERE is_current ORDER BY ALL"
GAPS = "SELECT app_id, detail FROM gaps WHERE reason = 'later_than_harvest'"


def run(source: str, app: str, started: datetime | None, *, day: int = 0) -> Night:
    """A run of one job, which fills a column from another source than its other runs."""
    night = Night(day)
    night.app(app, "sales", started_at=started, ended_at=started)
    facts = {"started_at": started, "ended_at": started}
    night.statement([(f"raw.t!{source}", "x", "IDENTITY")], target="mart.t", app=app, description="fill", **facts)
    night.log(f"/logs/{app}", app_id=app)
    return night


@pytest.mark.parametrize("order", [("wrong", "right"), ("right", "wrong")], ids=" then ".join)
def test_a_run_dated_9999_is_not_current(store: MemoryStore, order: tuple[str, ...]) -> None:
    for each in order:
        run(each, each, FAR if each == "wrong" else START).harvest(store)
    assert rows(store, CURRENT) == [("right",)]
    assert rows(store, "SELECT started_at, ended_at FROM applications WHERE app_id = 'wrong'") == [(None, None)]
    assert rows(store, "SELECT started_at, ended_at, duration_ms FROM executions WHERE app_id = 'wrong'") == [
        (None, None, None)
    ]
    assert rows(store, GAPS) == [("wrong", "4 times are later than the harvest, the latest is 9999-12-31 23:59:59 UTC")]


def test_a_statement_dated_9999_has_the_start_of_its_application(store: MemoryStore) -> None:
    night = run("a", "app", FAR)
    night.rows["applications"][0]["started_at"] = START
    night.harvest(store)
    assert rows(store, "SELECT last_seen FROM column_lineage") == [(START,)]


def test_clocks_may_differ_by_some_minutes(store: MemoryStore) -> None:
    soon = datetime.now() + timedelta(days=400)
    night = run("a", "app", soon, day=(soon - START).days)
    published = START + timedelta(days=night.day, hours=12)
    for table in ("applications", "executions"):
        night.rows[table][0] |= {"started_at": published, "ended_at": published + timedelta(minutes=4)}
    night.harvest(store)
    assert rows(store, GAPS) == []
    assert rows(store, "SELECT started_at FROM applications") == [(published,)]


def test_applications_without_a_start_age_by_the_harvest_that_read_them(store: MemoryStore) -> None:
    for day, keep, left in ((0, 10, ["0"]), (5, 10, ["0", "5"]), (12, 10, ["12", "5"]), (40, 10, ["40"])):
        run("a", str(day), FAR if day else None, day=day).harvest(store, keep_days=keep)
        assert [app for (app,) in rows(store, "SELECT app_id FROM applications ORDER BY ALL")] == left
    assert rows(store, "SELECT run_count FROM column_lineage") == [(4,)]
    assert rows(store, "SELECT count(*) FROM gaps") == [(1,)]
