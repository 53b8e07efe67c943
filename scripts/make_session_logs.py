"""Make tests/session_logs: tables that commands print without a database, run on real Sparks and slimmed.

    python scripts/make_session_logs.py 3.0=PYTHON@JAVA_HOME 3.5=PYTHON …

A job description names the table that its statement makes: `like: shop.t`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from spark_logs import publish, run_job

_TARGET = Path(__file__).resolve().parent.parent / "tests" / "session_logs"
_ROOT = Path("/tmp/session_logs")
_JOB = """
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").appName("sessions").getOrCreate()


def run(description, sql, session=spark):
    spark.sparkContext.setJobDescription(description)
    session.sql(sql).collect()


run("setup", "CREATE DATABASE shop")
run("setup", "CREATE DATABASE other")
run("setup", "CREATE TABLE shop.s (id INT, name STRING) USING parquet")
run("like: default.early", "CREATE TABLE early LIKE shop.s")
run("use", "USE shop")
run("like: shop.t", "CREATE TABLE t LIKE s")
run("create: shop.made", "CREATE TABLE made (id INT) USING parquet")
run("ctas: shop.copied", "CREATE TABLE copied USING parquet AS SELECT id FROM s")
run("view: shop.seen", "CREATE VIEW seen AS SELECT id FROM s")
run("alter: shop.made", "ALTER TABLE made ADD COLUMNS (name STRING)")
run("rename: shop.made", "ALTER TABLE made RENAME TO remade")
run("drop: shop.t", "DROP TABLE t")
spark.sparkContext.setJobDescription("save: shop.saved")
spark.table("s").write.saveAsTable("saved")
spark.sparkContext.setJobDescription("append: shop.saved")
spark.table("s").write.mode("append").saveAsTable("saved")
spark.catalog.setCurrentDatabase("other")
run("like: other.u", "CREATE TABLE u LIKE shop.s")
second = spark.newSession()
run("use", "USE shop", second)
run("like: other.w", "CREATE TABLE w LIKE shop.s")
run("like: shop.x", "CREATE TABLE x LIKE s", second)
spark.stop()
"""


def main() -> None:
    """Makes a log for each `VERSION=PYTHON[@JAVA_HOME]` of the command line."""
    _TARGET.mkdir(parents=True, exist_ok=True)
    for argument in sys.argv[1:]:
        version, _, python = argument.partition("=")
        print(f"{version}: {make_log(version, python):,} bytes", flush=True)


def make_log(version: str, python: str) -> int:
    """Runs the statements on one Spark; returns the slimmed log's size in bytes."""
    shutil.rmtree(_ROOT, ignore_errors=True)
    written = run_job(["-c", _JOB], python, _ROOT)
    return publish(written, _TARGET / f"sessions-{version.replace('.', '-')}.zstd")


if __name__ == "__main__":
    main()
