"""The library harvests on a session that runs already, as in a notebook."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

import eventlog_lineage as el
from eventlog_lineage.errors import UsageError

LOG = Path(__file__).resolve().parents[1] / "sample_logs" / "nightly-sales-3-5.zstd"


def test_a_harvest_runs_on_the_session_of_a_notebook_and_leaves_it_running(spark: SparkContext, tmp_path: Path) -> None:
    session = SparkSession(spark)
    result = el.harvest(LOG, tmp_path / "store", spark=session)
    assert result.unreadable == ()
    assert session.range(3).count() == 3
    with el.open_store(tmp_path / "store") as store:
        assert len(store.upstream("paid_orders.net")) > 0


def test_a_connect_session_is_refused_with_advice(tmp_path: Path) -> None:
    session = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
    with pytest.raises(UsageError, match="a Spark Connect session cannot run a harvest; use a classic session"):
        el.harvest(LOG, tmp_path / "store", spark=session)
