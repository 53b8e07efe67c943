"""The harvest as an application that `spark-submit` starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

import eventlog_lineage

PACKAGE = Path(eventlog_lineage.__file__).parent
LOG = Path(__file__).resolve().parents[2] / "sample_logs" / "nightly-sales-3-3"
PROBE = """
from eventlog_lineage.harvest.spark.session import spark_context
with spark_context(None, {"spark.ui.enabled": "false"}, "probe") as context:
    print("MASTER", context.master, "AUTHOR", context.getConf().get("spark.harvest.author"))
"""


def submit(*arguments: str) -> str:
    """What an application under `spark-submit` prints; fails with Spark's log if the application does."""
    home = Path(pyspark.__file__).parent
    python = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_HOME": str(home)}
    ran = subprocess.run(
        [str(home / "bin" / "spark-submit"), *arguments],
        env={**os.environ, **python, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout


@pytest.mark.spark
def test_a_submitted_harvest_runs_where_spark_submit_says(tmp_path: Path) -> None:
    probe = tmp_path / "probe.py"
    probe.write_text(PROBE)
    assert "MASTER local[1,4] AUTHOR ana" in submit(
        "--master", "local[1]", "--conf", "spark.harvest.author=ana", str(probe)
    )


@pytest.mark.spark
def test_the_package_itself_can_be_submitted(tmp_path: Path) -> None:
    printed = submit(
        "--master", "local[1]", str(PACKAGE / "__main__.py"), "harvest", str(LOG), "--store", str(tmp_path)
    )
    assert "1 log read" in printed
