"""The harvest as an application that `spark-submit` starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

import eventlog_lineage
from support.shared_classes import short_lived

PACKAGE = Path(eventlog_lineage.__file__).parent
LOG = Path(__file__).resolve().parents[2] / "sample_logs" / "nightly-sales-3-3"


def submit(*arguments: str) -> str:
    """What an application under `spark-submit` prints; fails with Spark's log if the application does."""
    home = Path(pyspark.__file__).parent
    python = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_HOME": str(home)}
    ran = subprocess.run(
        [str(home / "bin" / "spark-submit"), *arguments],
        env={**os.environ, **python, "PYTHONPATH": str(PACKAGE.parent), "SPARK_SUBMIT_OPTS": short_lived()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout


@pytest.mark.spark
def test_the_package_itself_can_be_submitted_and_runs_where_spark_submit_says(tmp_path: Path) -> None:
    """The harvest's own event log tells with which settings its Spark ran."""
    store, own_logs = tmp_path / "store", tmp_path / "logs"
    own_logs.mkdir()
    settings = {
        "spark.harvest.author": "ana",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": own_logs.as_uri(),
        "spark.eventLog.rolling.enabled": "true",
        "spark.eventLog.compress": "false",
    }
    conf = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    printed = submit(
        "--master", "local[1]", *conf, str(PACKAGE / "__main__.py"), "harvest", str(LOG), "--store", str(store)
    )
    assert "1 log read" in printed
    properties = spark_properties(own_logs)
    assert properties["spark.master"] == "local[1,4]"
    assert properties["spark.harvest.author"] == "ana"


def spark_properties(logs: Path) -> dict[str, str]:
    """The settings of the application whose event log a folder has."""
    lines = (line for log in logs.rglob("events_*") for line in log.read_text().splitlines())
    events = (json.loads(line) for line in lines)
    found = next(event for event in events if event["Event"] == "SparkListenerEnvironmentUpdate")
    return dict(found["Spark Properties"])
