"""Time zones and daylight saving change nothing: all times are UTC, wherever the harvest and the reader run."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.harvesting import elsewhere, harvest_in
from support.stores.content import content, rows


@pytest.fixture(scope="module")
def utc(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What a store of two nights holds that a machine in UTC wrote."""
    store = tmp_path_factory.mktemp("utc")
    assert elsewhere(harvest_in, "UTC", store) == 0
    return content(store)


@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu"])
def test_a_store_is_the_same_in_every_time_zone(zone: str, utc: dict[str, list[str]], tmp_path: Path) -> None:
    assert elsewhere(harvest_in, zone, tmp_path) == 0
    assert content(tmp_path) == utc
    assert rows(tmp_path, "SELECT min(started_at)::VARCHAR FROM harvests") == [("2026-11-20 00:00:00",)]
    days = sorted(path.name for path in (tmp_path / "executions").iterdir())
    assert days == ["started_on=2026-11-18", "started_on=2026-11-19"]
