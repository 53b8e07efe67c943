"""The settings of DuckDB's connections."""

from __future__ import annotations

from pathlib import Path

from eventlog_lineage.store.schema.database import connect_for_writing


def test_a_long_fold_prints_no_progress_into_the_summary_of_a_harvest(tmp_path: Path) -> None:
    with connect_for_writing(tmp_path) as connection:
        assert connection.execute("SELECT current_setting('enable_progress_bar')").fetchone() == (False,)
