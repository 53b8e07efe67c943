"""Which Python executors are told to run."""

from __future__ import annotations

import sys

import pytest
from pyspark import SparkConf

from eventlog_lineage.harvest.spark.session import executors_python


@pytest.mark.parametrize(
    ("conf", "variable", "python"),
    [
        ({"spark.master": "local[2]"}, None, sys.executable),
        ({"spark.master": "yarn"}, None, sys.executable),
        ({"spark.master": "k8s://https://host:443"}, None, "python3"),
        ({"spark.master": "k8s://https://host:443"}, "/venv/bin/python", "/venv/bin/python"),
        ({"spark.master": "yarn", "spark.pyspark.python": "/usr/bin/python3.11"}, "python3", "/usr/bin/python3.11"),
    ],
)
def test_it_is_the_one_that_is_told_else_this_one_where_that_can_be_and_the_images_own_on_kubernetes(
    monkeypatch: pytest.MonkeyPatch, conf: dict[str, str], variable: str | None, python: str
) -> None:
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    if variable:
        monkeypatch.setenv("PYSPARK_PYTHON", variable)
    settings = SparkConf(loadDefaults=False)
    for key, value in conf.items():
        settings.set(key, value)
    assert executors_python(settings) == python
