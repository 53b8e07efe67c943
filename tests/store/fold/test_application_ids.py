"""Two applications with one id are two, with a gap; a second copy of one application is still one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from eventlog_lineage.store.schema.declaration import staged_id
from support.stores.memory import MemoryStore
from support.stores.nights import START, Night, together
from support.stores.rows import rows

APPLICATIONS = "SELECT app_id, app_name, started_at FROM applications {} ORDER BY started_at NULLS LAST, app_name"
GAPS = "SELECT app_id, detail FROM gaps WHERE reason = 'repeated_application_id' {} ORDER BY ALL"
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


def having(app_id: str) -> str:
    """The condition that a row is of an application with an id, or of another one with the same id."""
    return f"(app_id = '{app_id}' OR app_id LIKE '{app_id}~%')"


def ids(store: MemoryStore | Path, app_id: str = "") -> list[str]:
    """The ids in the store, all or those of the applications with an id."""
    return [row[0] for row in rows(store, APPLICATIONS.format(f"WHERE {having(app_id)}" if app_id else ""))]


def gaps(store: MemoryStore, app_id: str) -> list[tuple[object, ...]]:
    """The gaps of the applications with an id."""
    return rows(store, GAPS.format(f"AND {having(app_id)}"))


SECOND_COPIES: dict[str, Callable[[str], Night]] = {
    "moved": lambda app_id: run("sales", app_id=app_id, log="/archive/sales"),
    "compressed": lambda app_id: run("sales", app_id=app_id, log=f"/logs/{app_id}.zstd"),
    "rolled": lambda app_id: run("sales", app_id=app_id, log=f"/logs/eventlog_v2_{app_id}"),
    "without its start": lambda app_id: run("sales", app_id=app_id, hours=None, log="/logs/cut"),
    "with a masked name, at the same path": lambda app_id: run("***", app_id=app_id, log=f"/logs/{app_id}"),
    "with a name that is masked from its middle": lambda app_id: run("sa***", app_id=app_id, log="/other"),
}

FORGED = ["local-1\x1fabc", "local-1~00000000", "", "'", "\x1f\x1f"]


def with_forged_ids() -> Night:
    night = run("sales")
    for forged in FORGED:
        key = staged_id(forged, 5, "other")
        night.app(key, "other", log_path="/logs/forged")
        night.statement([("raw.t!a", "b", "IDENTITY")], target="mart.other", app=key, description="other")
    return night


def copies(order: str) -> list[Night]:
    """A second copy of each kind, of applications of their own."""
    return [copy(f"{kind} {order}") for kind, copy in SECOND_COPIES.items()]


def originals(order: str) -> list[Night]:
    """Their first copies."""
    ids_of_kinds = (f"{kind} {order}" for kind in SECOND_COPIES)
    return [run("sales", app_id=app_id, log=f"/logs/{app_id}") for app_id in ids_of_kinds]


@pytest.fixture(scope="module")
def second_night() -> dict[str, list[str]]:
    """Ids after the second of the three harvests, by the id in the log."""
    return {}


@pytest.fixture(scope="module")
def history(second_night: dict[str, list[str]]) -> Iterator[MemoryStore]:
    """The store after three harvests of applications that have nothing to do with each other but by their ids."""
    store = MemoryStore()
    together(
        run("sales", app_id="named", column="total"),
        run("sales", app_id="later", column="total"),
        *(run(name, app_id="three", hours=hours) for name, hours in (("sales", 0), ("billing", 2), ("stock", 1))),
        *originals("after"),
        *copies("before"),
        run("sales", app_id="further"),
        *(run(name, app_id="both") for name in ("sales", "billing")),
        with_forged_ids(),
    ).harvest(store)
    together(
        run("billing", app_id="named", column="owed"),
        run("sales", app_id="later", column="owed", hours=1),
        *copies("after"),
        *originals("before"),
        run("billing", app_id="further", complete=False),
        run("billing", app_id="both"),
        with_forged_ids(),
    ).harvest(store)
    second_night["further"] = ids(store, "further")
    together(
        run("billing", app_id="further", log="/archive/billing"),
        *(run(name, app_id="both") for name in ("sales", "billing")),
    ).harvest(store)
    run("billing", app_id="both").harvest(store)
    yield store
    store.close()


@pytest.mark.parametrize(("app_id", "name", "hours"), [("named", "billing", 0), ("later", "sales", 1)])
def test_an_application_with_the_id_of_another_has_its_own_rows_and_a_gap(
    history: MemoryStore, app_id: str, name: str, hours: int
) -> None:
    first, second = sorted(ids(history, app_id), key=len)
    assert first == app_id
    assert second.startswith(f"{app_id}~")
    query = "SELECT app_id, target_column FROM execution_column_lineage WHERE app_id IN (?, ?) ORDER BY ALL"
    assert rows(history, query, first, second) == [(first, "total"), (second, "owed")]
    ((of_gap, detail),) = gaps(history, app_id)
    assert of_gap == second
    assert str(detail).startswith(f"{app_id} is the id of '{name}', started {START + timedelta(hours=hours)}")
    assert str(detail).endswith("and of 'sales', started 2026-11-18 01:00:00")


def test_both_keep_their_lineage_when_one_harvest_reads_them(history: MemoryStore) -> None:
    found = rows(history, APPLICATIONS.format(f"WHERE {having('three')}"))
    assert [name for _, name, _ in found] == ["sales", "stock", "billing"]
    assert len(set(ids(history, "three"))) == 3
    assert ids(history, "three")[0] == "three"
    query = f"SELECT target_column FROM execution_column_lineage WHERE {having('three')} ORDER BY ALL"
    assert rows(history, query) == [("billing",), ("sales",), ("stock",)]
    assert {target for _, _, target in rows(history, EDGES)} >= {"billing", "sales", "stock"}


@pytest.mark.parametrize("order", ["after", "before"])
def test_a_second_copy_of_an_application_is_the_same_application(history: MemoryStore, order: str) -> None:
    """One application for each kind of copy, which comes after the first one or before it."""
    kinds = [f"{kind} {order}" for kind in SECOND_COPIES]
    condition = f"app_id LIKE '% {order}%'"
    assert sorted(row[0] for row in rows(history, APPLICATIONS.format(f"WHERE {condition}"))) == sorted(kinds)
    assert rows(history, GAPS.format(f"AND {condition}")) == []
    query = f"SELECT DISTINCT count(*) FROM executions WHERE {condition} GROUP BY app_id"
    assert rows(history, query) == [(1,)]


def test_a_further_copy_of_the_second_application_has_its_id(
    history: MemoryStore, second_night: dict[str, list[str]]
) -> None:
    assert len(ids(history, "further")) == 2
    assert ids(history, "further") == second_night["further"]
    assert len(gaps(history, "further")) == 1
    query = f"SELECT bool_and(complete) FROM applications WHERE {having('further')}"
    assert rows(history, query) == [(True,)]


def test_harvesting_both_again_changes_nothing(history: MemoryStore) -> None:
    assert len(ids(history, "both")) == 2
    assert len(gaps(history, "both")) == 1


def test_ids_that_look_like_the_programs_own_are_ids_like_any_other(history: MemoryStore) -> None:
    found = [app_id for app_id in ids(history) if app_id in {*FORGED, "local-1"} or app_id.startswith("local-1")]
    assert sorted(found) == sorted(["local-1", *FORGED])
    assert rows(history, "FROM gaps WHERE app_id IN (SELECT unnest(?))", ["local-1", *FORGED]) == []


def test_every_order_of_harvests_finds_the_same_applications_and_edges() -> None:
    """Each of three harvests comes first once, and last once."""
    first, second, third = run("sales"), run("billing"), run("sales", hours=3)
    found = []
    for order in ((first, second, third), (second, third, first), (third, first, second)):
        store = MemoryStore()
        for night in order:
            night.harvest(store)
        found.append(([row[1:] for row in rows(store, APPLICATIONS.format(""))], rows(store, EDGES)))
        store.close()
    assert all(each == found[0] for each in found)
    assert len(found[0][0]) == 3


def test_an_application_with_the_id_of_a_dropped_one_is_not_dropped_with_it(store: MemoryStore) -> None:
    run("sales").begin(store)
    late = run("billing", hours=24 * 40)
    late.day = 40
    late.harvest(store, keep_days=20)
    run("sales", log="/archive/sales").harvest(store)
    assert [name for _, name, _ in rows(store, APPLICATIONS.format(""))] == ["billing"]
