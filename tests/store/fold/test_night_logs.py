"""A shop's real nights: what changed is exactly what was written down by hand, in whatever order the logs come."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.stores.content import check_parquet, content, rows
from support.stores.memory import MemoryStore
from support.stores.nights_truth import LOGS, told, truth
from support.stores.staged_logs import harvest_logs

SAMPLES = [
    path
    for path in (Path(__file__).resolve().parents[2] / "sample_logs").iterdir()
    if path.name.startswith(("nightly", "eventlog")) and path.suffix != ".truth"
]
KINDS = ["schema", "lineage"]


@pytest.fixture(scope="module")
def one_by_one() -> Iterator[MemoryStore]:
    """Night by night, the sixth one's log late."""
    store = MemoryStore()
    late = next(log for log in LOGS if log.stem == "night-06")
    order = [log for log in LOGS if log != late]
    order.insert(9, late)
    for log in order:
        harvest_logs(store, [log])
    yield store
    store.close()


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All nights in one harvest."""
    store = tmp_path_factory.mktemp("at_once")
    harvest_logs(store, LOGS)
    return store


@pytest.mark.parametrize("kind", KINDS)
def test_nights_harvested_at_once_tell_what_changed(at_once: Path, kind: str) -> None:
    assert told(kind, at_once) == truth(kind)
    check_parquet(at_once)


@pytest.mark.parametrize("kind", KINDS)
def test_nights_harvested_one_by_one_with_a_late_one_tell_the_same(one_by_one: MemoryStore, kind: str) -> None:
    assert told(kind, one_by_one) == truth(kind)


def test_nights_in_a_random_order_make_the_same_store(tmp_path: Path, at_once: Path) -> None:
    shuffled = list(LOGS)
    random.Random(7).shuffle(shuffled)
    for first in range(0, len(shuffled), 3):
        harvest_logs(tmp_path, shuffled[first : first + 3])
    check_parquet(tmp_path)
    found, wanted = content(tmp_path), content(at_once)
    for table in ("schema_versions", "schema_changes", "lineage_changes", "table_lineage"):
        assert found[table] == wanted[table]


def test_the_same_job_on_four_versions_of_spark_is_no_change(tmp_path: Path) -> None:
    harvest_logs(tmp_path, SAMPLES)
    assert rows(tmp_path, "SELECT count(DISTINCT spark_version) FROM applications") == [(4,)]
    assert rows(tmp_path, "FROM lineage_changes") == []
    assert rows(tmp_path, "SELECT DISTINCT change FROM schema_changes") == [("table_created",)]
