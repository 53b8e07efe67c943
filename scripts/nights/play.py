"""`python -m nights.play NIGHT ROOT [JAR]`: one night of the shop, one application.

What a night changes is written down by hand in tests/night_logs/nights.truth.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import SparkSession

from nights.statements import NIGHTS, Shop

_CONF = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
    "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.lake.type": "hadoop",
}


def main() -> None:
    """Plays the night that the command line names."""
    name, root, jar = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    night = NIGHTS[name]
    places = {
        "spark.sql.warehouse.dir": f"file://{root}/warehouse",
        "spark.sql.catalog.lake.warehouse": f"file://{root}/lake",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={root}/metastore;create=true",
        "spark.jars": jar,
    }
    builder = SparkSession.builder.master("local[2]").appName(night.app_name)
    for key, value in {**_CONF, **places, **night.conf}.items():
        builder = builder.config(key, value)
    spark = builder.enableHiveSupport().getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    night.play(Shop(spark, root, night.day))
    spark.stop()


if __name__ == "__main__":
    main()
