"""The played nights, harvested by the job itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, harvest
from eventlog_lineage.history.job_names import DEFAULT_PATTERNS, JobNameRule
from support.stores.nights_truth import LOGS, told, truth
from support.stores.rows import rows


@pytest.mark.spark
def test_a_harvest_of_the_nights_tells_what_changed(spark: SparkContext, tmp_path: Path) -> None:
    harvest([str(LOGS[0].parent)], tmp_path, HarvestOptions())
    assert told("schema", tmp_path) == truth("schema")
    assert told("lineage", tmp_path) == truth("lineage")
    harvest([str(LOGS[0].parent)], tmp_path, HarvestOptions(job_rule=JobNameRule(("nightly-", *DEFAULT_PATTERNS))))
    (names,) = rows(tmp_path, "SELECT list(DISTINCT split_part(job_name, ':', 1)) FROM column_lineage")
    assert names == (["shop"],)
