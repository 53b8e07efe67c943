"""The sample logs, and all rows of a store that was made of them."""

from __future__ import annotations

from pathlib import Path

import duckdb

from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

LOGS = Path(__file__).resolve().parents[2] / "sample_logs"
ROLLING = LOGS / "eventlog_v2_nightly-sales-4-3"


def contents(store: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of the public tables but those that tell of the harvest itself."""
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return {
            table.name: sorted(connection.execute(f"SELECT * FROM {table.name}").fetchall(), key=repr)
            for table in PUBLIC_TABLES
            if table.name not in {"harvests", "harvested_logs"}
        }
