"""Two applications with one id are two, with a gap; a second copy of one application is still one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from eventlog_lineage.store.schema.staged_ids import staged_id
from support.stores.memory import MemoryStore
from support.stores.nights import START, Night, together
from support.stores.rows import rows

APPLICATIONS = "SELECT app_id, app_name, started_at FROM applications ORDER BY started_at NULLS LAST, app_name"
GAPS = "SELECT app_id, detail FROM gaps WHERE reason = 'repeated_application_id' ORDER BY ALL"
EDGES = "SELECT job_name, source_column, target_column FROM column_lineage ORDER BY ALL"


def run(
    name: str, *, hours: int | None = 0, column: str = "", log: str = "", app_id: str = "local-1", **facts: object
) -> Night:
    """A harvest of one log of an application, whose one statement fills a column."""
    night = Night()
    started = None if hours is None else START + timedelta(hours=hours)
    key = staged_id(app_id, None if started is None else int(started.timestamp()), name)
    night.app(key, name, started_at=started, log_path=log or f"/logs/{name}-{hours}", **facts)
    night.statement([("raw.t!a", column or name, "IDENTITY")], target=f"mart.{name}", app=key, description=name)
    return night


def ids(store: MemoryStore | Path) -> list[str]:
    return [row[0] for row in rows(store, APPLICATIONS)]


@pytest.mark.parametrize("other", [{"name": "billing", "hours": 0}, {"name": "sales", "hours": 1}])
def test_an_application_with_the_id_of_another_has_its_own_rows_and_a_gap(
    store: MemoryStore, other: dict[str, object]
) -> None:
    run("sales", column="total").begin(store)
    run(**other, column="owed").harvest(store)  # type: ignore[arg-type]
    first, second = sorted(ids(store), key=len)
    assert first == "local-1"
    assert second.startswith("local-1~")
    assert {target for _, _, target in rows(store, EDGES)} >= {"owed"}
    assert rows(store, "SELECT count(*) FROM executions") == [(2,)]
    ((app_id, detail),) = rows(store, GAPS)
    assert app_id == second
    started = START + timedelta(hours=int(str(other["hours"])))
    assert detail.startswith(f"local-1 is the id of '{other['name']}', started {started}")
    assert detail.endswith("and of 'sales', started 2026-11-18 01:00:00")


def test_both_keep_their_lineage_when_one_harvest_reads_them(store: MemoryStore) -> None:
    together(run("sales"), run("billing", hours=2), run("stock", hours=1)).begin(store)
    assert [name for _, name, _ in rows(store, APPLICATIONS)] == ["sales", "stock", "billing"]
    assert len(set(ids(store))) == 3
    assert ids(store)[0] == "local-1"
    assert [target for _, _, target in rows(store, EDGES)] == ["billing", "sales", "stock"]
    assert rows(store, "SELECT count(DISTINCT (app_id, execution_id)) FROM executions") == [(3,)]


def test_every_order_of_harvests_finds_the_same_applications_and_edges() -> None:
    """Each of three harvests comes first once, and last once."""
    first, second, third = run("sales"), run("billing"), run("sales", hours=3)
    found = []
    for order in ((first, second, third), (second, third, first), (third, first, second)):
        store = MemoryStore()
        for night in order:
            night.harvest(store)
        found.append(([row[1:] for row in rows(store, APPLICATIONS)], rows(store, EDGES)))
        store.close()
    assert all(each == found[0] for each in found)
    assert len(found[0][0]) == 3


SECOND_COPIES: dict[str, Callable[[str], Night]] = {
    "moved": lambda app_id: run("sales", app_id=app_id, log="/archive/sales"),
    "compressed": lambda app_id: run("sales", app_id=app_id, log=f"/logs/{app_id}.zstd"),
    "rolled": lambda app_id: run("sales", app_id=app_id, log=f"/logs/eventlog_v2_{app_id}"),
    "without its start": lambda app_id: run("sales", app_id=app_id, hours=None, log="/logs/cut"),
    "with a masked name, at the same path": lambda app_id: run("***", app_id=app_id, log=f"/logs/{app_id}"),
    "with a name that is masked from its middle": lambda app_id: run("sa***", app_id=app_id, log="/other"),
}


@pytest.mark.parametrize("first", [True, False], ids=["after it", "before it"])
def test_a_second_copy_of_an_application_is_the_same_application(store: MemoryStore, first: bool) -> None:
    """One application for each kind of copy."""
    originals = [run("sales", app_id=kind, log=f"/logs/{kind}") for kind in SECOND_COPIES]
    copies = [copy(kind) for kind, copy in SECOND_COPIES.items()]
    for logs in (originals, copies) if first else (copies, originals):
        together(*logs).harvest(store)
    assert sorted(ids(store)) == sorted(SECOND_COPIES)
    assert rows(store, GAPS) == []
    assert rows(store, "SELECT DISTINCT count(*) FROM executions GROUP BY app_id") == [(1,)]


def test_a_further_copy_of_the_second_application_has_its_id(store: MemoryStore) -> None:
    run("sales").begin(store)
    run("billing", complete=False).harvest(store)
    before = ids(store)
    run("billing", log="/archive/billing").harvest(store)
    assert ids(store) == before
    assert len(rows(store, GAPS)) == 1
    assert rows(store, "SELECT bool_and(complete) FROM applications") == [(True,)]


def test_harvesting_both_again_changes_nothing(store: MemoryStore) -> None:
    for _ in range(2):
        together(run("sales"), run("billing")).harvest(store)
        run("billing").harvest(store)
    assert len(ids(store)) == 2
    assert len(rows(store, GAPS)) == 1


def test_an_application_with_the_id_of_a_dropped_one_is_not_dropped_with_it(store: MemoryStore) -> None:
    run("sales").begin(store)
    late = run("billing", hours=24 * 40)
    late.day = 40
    late.harvest(store, keep_days=20)
    run("sales", log="/archive/sales").harvest(store)
    assert [name for _, name, _ in rows(store, APPLICATIONS)] == ["billing"]


FORGED = ["local-1\x1fabc", "local-1~00000000", "", "'", "\x1f\x1f"]


def test_ids_that_look_like_the_programs_own_are_ids_like_any_other(store: MemoryStore) -> None:
    night = together(run("sales"))
    for forged in FORGED:
        key = staged_id(forged, 5, "other")
        night.app(key, "other", log_path="/logs/forged")
        night.statement([("raw.t!a", "b", "IDENTITY")], target="mart.other", app=key, description="other")
    for _ in range(2):
        night.harvest(store)
    assert sorted(ids(store)) == sorted(["local-1", *FORGED])
    assert rows(store, GAPS) == []
