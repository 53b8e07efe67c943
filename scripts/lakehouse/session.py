"""A Spark session for one format, and statements that are named by their job descriptions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

EXPLAIN_MODE = "spark.sql.ui.explainMode"
Statement = tuple[str, str]
"""A job description, and SQL in which `{ns}` stands for catalog and database."""


class Shop:
    """Runs statements and writes down which snapshots they read and made, as the format itself tells it.

    Args:
        spark: The session.
        namespace: Catalog and database, `lake.shop`.
        snapshot: A table's newest snapshot by its full name; None where it has none.
        record: The file for what is written down, one JSON object per statement.
    """

    def __init__(
        self, spark: SparkSession, namespace: str, snapshot: Callable[[str], str | None], record: Path
    ) -> None:
        self.spark = spark
        self.namespace = namespace
        self._snapshot = snapshot
        self._record = record.open("w", encoding="utf-8")

    def run(self, statements: Iterable[Statement], tables: Iterable[str] = ()) -> None:
        """Runs SQL statements, each collected as a client would."""
        for name, sql in statements:
            self.step(name, lambda sql=sql: self.spark.sql(sql.format(ns=self.namespace)).collect(), tables)

    def step(self, name: str, action: Callable[[], object], tables: Iterable[str] = ()) -> None:
        """Runs one action under a job description and writes down the tables' snapshots after it."""
        self.spark.sparkContext.setJobDescription(name)
        action()
        self.spark.sparkContext.setJobDescription("helper: snapshots")
        after = {table: self._snapshot(f"{self.namespace}.{table}") for table in tables}
        self._record.write(json.dumps({"statement": name, "after": after}) + "\n")
        self._record.flush()

    @contextmanager
    def extended(self) -> Iterator[None]:
        """Has executions that start within the block log extended text: formatted text hides their queries."""
        self.spark.conf.set(EXPLAIN_MODE, "extended")
        try:
            yield
        finally:
            self.spark.conf.unset(EXPLAIN_MODE)

    def table(self, name: str) -> DataFrame:
        """A table of the shop as a frame."""
        return self.spark.table(f"{self.namespace}.{name}")


def session(name: str, root: Path, packages: str, conf: dict[str, str]) -> SparkSession:
    """A local session with an uncompressed event log, the format's jars on its path.

    Args:
        name: The application's.
        root: The folder for all that it writes.
        packages: Maven coordinates, or paths of jars; comma-separated, may be empty.
        conf: The format's settings.
    """
    jars = {"spark.jars" if packages.endswith(".jar") else "spark.jars.packages": packages} if packages else {}
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.dir": f"file://{root}/logs",
        "spark.sql.warehouse.dir": f"{root}/warehouse",
        **jars,
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        **conf,
    }
    builder = SparkSession.builder.master("local[2]").appName(name)
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark
