"""Lineages that a harvest lost: the harvest fails; a store that an older program left so is found and completed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark import SparkContext

from eventlog_lineage.errors import StoreError
from eventlog_lineage.harvest.row_batches import unpack
from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from eventlog_lineage.harvest.staging import Staging
from eventlog_lineage.store.administration import check_store
from eventlog_lineage.store.fold import counts, pipeline
from support.stores.samples import LOGS, contents

pytestmark = pytest.mark.spark

OF_LINEAGES = {"lineages", "lineage_schemas", "shown_datasets"}


@pytest.fixture
def losing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A harvest loses every second lineage of those that it traces, as one did whose last task traced too early."""
    add = Staging.add

    def lossy(staging: Staging, table: str, payload: bytes) -> None:
        if table not in OF_LINEAGES:
            add(staging, table, payload)
            return
        rows = unpack(payload)
        kept = pa.array(int(name.as_py()[:8], 16) % 2 == 0 for name in rows["lineage_id"])
        with monkeypatch.context() as patched:
            patched.setattr("eventlog_lineage.harvest.staging.unpack", lambda _: rows.filter(kept))
            add(staging, table, payload)

    monkeypatch.setattr(Staging, "add", lossy)


def test_a_harvest_that_loses_lineages_fails_and_leaves_the_store_alone(
    spark: SparkContext, losing: None, rolling_store: Path, tmp_path: Path
) -> None:
    store = shutil.copytree(rolling_store, tmp_path / "store", symlinks=True)
    with pytest.raises(StoreError, match=r"the lineages of \d+ statements were lost in this harvest"):
        harvest([str(LOGS)], store, HarvestOptions())
    assert contents(store) == contents(rolling_store)


def test_a_store_that_lacks_lineages_is_found_and_completed_by_the_next_harvest(
    spark: SparkContext,
    losing: None,
    sample_store: tuple[Path, HarvestResult],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = tmp_path / "store"
    unchecked = tuple(step for step in pipeline.MERGE_STEPS if step is not counts.check_lineages)
    monkeypatch.setattr(pipeline, "MERGE_STEPS", unchecked)
    harvest([str(LOGS)], store, HarvestOptions())
    checked = check_store(store)
    assert any("executions.lineage_id are not in lineages.lineage_id" in flaw for flaw in checked.flaws)
    assert checked.hint.startswith("run the harvest again")

    monkeypatch.undo()
    again = harvest([str(LOGS)], store, HarvestOptions())
    assert again.summary.facts.logs_read > 0
    assert contents(store) == contents(sample_store[0])
    assert check_store(store).flaws == ()
    assert harvest([str(LOGS)], store, HarvestOptions()).summary.facts.logs_read == 0
