"""The next version of a store: small nights are tuned for few rows, others are not; one that fails is closed."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store import writer
from eventlog_lineage.store.writer import HarvestFacts, begin_fold, make_next_version, open_for_harvest

REPEATED = {"plan_fingerprint": "plan", "operator": "Filter", "detail": "Condition : isnotnull(amount#46)"}


@pytest.mark.parametrize(
    ("rows", "texts", "few"),
    [
        (1, 1, True),
        (150_000, 150_000, True),
        pytest.param(250_000, 1, True, id="many rows in a quarter of a megabyte"),
        pytest.param(250_000, 250_000, False, id="many rows in less than 32 MB"),
    ],
)
def test_a_night_has_few_rows_by_their_number_and_by_their_size(
    tmp_path: Path, rows: int, texts: int, few: bool
) -> None:
    """Rows with equal texts are a few megabytes of Parquet, however many there are."""
    store, folder = tmp_path / "store", tmp_path / "staging" / "plan_nodes"
    (store / ".versions").mkdir(parents=True)
    folder.mkdir(parents=True)
    columns = {name: pa.array([text] * rows) for name, text in REPEATED.items()}
    numbers = pa.array([number % texts for number in range(rows)], pa.int32())
    pq.write_table(pa.table(columns | {"node_id": numbers}), folder / "part.parquet")
    begun = make_next_version(store, tmp_path / "scratch")
    with begun.connection as connection:
        begin_fold(begun, tmp_path / "staging", datetime(2026, 11, 20), None, None)
        (left_out,) = connection.execute("SELECT current_setting('disabled_optimizers')").fetchone() or ("",)
    assert bool(left_out) == few


def test_a_next_version_that_fails_at_its_last_step_closes_its_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB attaches no file twice in one program: the next harvest could not begin the version again."""
    store = tmp_path / "store"

    def lost(*_: Path) -> None:
        raise FileNotFoundError("the file system is gone")

    with open_for_harvest(store) as new:
        new.publish(HarvestFacts(datetime(2026, 11, 20)))
    with open_for_harvest(store) as again:
        with monkeypatch.context() as patched:
            patched.setattr(writer, "files_to_carry", lost)
            with pytest.raises(StoreError, match="the file system is gone"):
                again.publish(HarvestFacts(datetime(2026, 11, 21)))
        assert again.publish(HarvestFacts(datetime(2026, 11, 21))).harvest_id == 2
