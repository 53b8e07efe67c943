"""Stores without the runs that their views read."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.queries.open_store import open_store


def test_a_store_without_its_runs_is_damaged(tmp_path: Path, small_stores: Callable[[Path, int], Path]) -> None:
    damaged = small_stores(tmp_path / "damaged", 1)
    shutil.rmtree(damaged / ".versions" / "1" / "runs")
    with pytest.raises(StoreError, match="runs next to"), open_store(damaged):
        pass
