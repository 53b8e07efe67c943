"""`doctor` starts Spark, and asks an executor for its Python, its packages and its clock."""

from __future__ import annotations

import platform

import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.spark import spark_checks
from eventlog_lineage.harvest.spark.spark_checks import check_spark_start


@pytest.mark.spark
def test_a_spark_that_runs_answers_with_its_packages(spark: SparkContext) -> None:
    started, executors = check_spark_start(None, {}, None)
    assert (started.status, f"Spark {spark.version}" in started.detail) == ("ok", True)
    assert (executors.status, executors.detail.startswith(f"Python {platform.python_version()}, orjson ")) == (
        "ok",
        True,
    )


def test_executors_without_packages_or_with_another_python_fail() -> None:
    python = platform.python_version()
    packages = {"orjson": "3", "zstandard": "", "pyarrow": "9"}
    lacking = spark_checks._executors(python, packages)
    assert (lacking.status, lacking.detail) == ("failed", f"Python {python} without zstandard")
    other = spark_checks._executors("3.6.9", {**packages, "zstandard": "1"})
    assert (other.status, "PYSPARK_PYTHON" in other.hint) == ("failed", True)
