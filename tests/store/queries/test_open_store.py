"""Stores that are opened in a DuckDB of the caller's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.queries.open_store import open_store


def test_one_duckdb_opens_one_store_after_another_damaged_ones_too(
    tmp_path: Path, small_stores: Callable[[Path, int], Path]
) -> None:
    damaged = small_stores(tmp_path / "damaged", 1)
    shutil.rmtree(damaged / ".versions" / "1" / "runs")
    with duckdb.connect() as duck:
        for nights in (1, 2):
            with open_store(small_stores(tmp_path / str(nights), nights), duck) as opened:
                assert opened.ask("SELECT count(*) FROM executions").rows == [(nights,)]
            with pytest.raises(StoreError, match="runs next to"), open_store(damaged, duck):
                pass
        assert duck.execute("SELECT count(*) FROM duckdb_databases() WHERE NOT internal").fetchone() == (1,)
