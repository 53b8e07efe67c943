"""The version of an application's code is read from what spark-submit was given, without paths and credentials."""

from __future__ import annotations

import pytest

from eventlog_lineage.events.decoding.core_events import code_version_of

IMAGE = "spark.kubernetes.driver.container.image"


@pytest.mark.parametrize(
    ("properties", "version"),
    [
        ({}, None),
        ({"spark.app.version": "1.4.2"}, "1.4.2"),
        ({"spark.app.version": "1.4 of <b>"}, None),
        ({"spark.kubernetes.driver.label.app.kubernetes.io/version": "v2"}, "v2"),
        ({IMAGE: "user:secret@registry.acme.io:5000/etl/sales:3f9c2ab"}, "sales:3f9c2ab"),
        ({IMAGE: f"registry/sales:1.0@sha256:{'0a' * 32}"}, "sales@sha256:0a0a0a0a0a0a"),
        ({IMAGE: "registry/sales:latest"}, None),
        ({IMAGE: "registry:5000/sales"}, None),
        (
            {"spark.submit.pyFiles": "s3://k:s@lake/lib.zip,s3://lake/code/etl-0.3.1-py3-none-any.whl"},
            "etl-0.3.1-py3-none-any.whl",
        ),
        ({"spark.yarn.dist.archives": "hdfs:///env/env-9f86d08.tar.gz#env"}, "env-9f86d08.tar.gz"),
        ({"spark.jars": "/lib/delta-core_2.12-2.4.0.jar,/apps/sales-jobs-1.4.2.jar"}, "sales-jobs-1.4.2.jar"),
        ({"spark.jars": "/lib/delta-core_2.12-2.4.0.jar,/apps/jobs.jar"}, None),
        ({"spark.files": "conf-deadbeef.json,app-20261127.conf"}, None),
        ({"spark.submit.pyFiles": 7}, None),
    ],
)
def test_the_first_setting_that_names_a_version_counts(properties: dict[str, object], version: str | None) -> None:
    assert code_version_of(properties) == version
