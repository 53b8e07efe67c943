"""Start a Spark of one core that writes its event log, and write the results of statements, for the programs here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pyspark.sql import SparkSession

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.rolling.enabled": "false",
    "spark.eventLog.compress": "true",
    "spark.eventLog.compression.codec": "zstd",
}


def start(name: str, work: Path, settings: Mapping[str, str], *, connect: bool = False) -> SparkSession:
    """Start an application whose log and warehouse are in a folder; with `connect`, through Spark Connect."""
    builder = SparkSession.builder.remote("local[1]") if connect else SparkSession.builder.master("local[1]")
    folders = {"spark.sql.warehouse.dir": f"file://{work}/warehouse", "spark.eventLog.dir": f"file://{work}/logs"}
    for key, value in {**_SETTINGS, **folders, **settings}.items():
        builder = builder.config(key, value)
    return builder.appName(name).getOrCreate()


def save(work: Path, name: str, frame) -> None:
    """Write a data frame to the folder of a statement, under its name."""
    frame.sparkSession.sparkContext.setJobDescription(name)
    frame.write.mode("overwrite").parquet(f"{work}/out/{name.replace(' ', '_')}")
