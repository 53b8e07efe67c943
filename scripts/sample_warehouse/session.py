"""The Spark session of the sample jobs: everything stays below the working folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import SparkSession

from sample_warehouse.statements import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable

_CONF = {
    "spark.master": "local[1]",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.warehouse.dir": f"file://{ROOT}/warehouse",
    "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={ROOT}/metastore;create=true",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.dir": f"file://{ROOT}/logs",
}


def start(app_name: str, conf: Iterable[str]) -> SparkSession:
    """Start Spark with Hive support.

    Args:
        app_name: The application's name.
        conf: More settings, `key=value` each; they win over the usual ones.
    """
    builder = SparkSession.builder.appName(app_name)
    for key, value in {**_CONF, **dict(setting.split("=", 1) for setting in conf)}.items():
        builder = builder.config(key, value)
    return builder.enableHiveSupport().getOrCreate()
