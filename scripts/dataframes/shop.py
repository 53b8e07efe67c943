"""A session with an event log, two tables and files to stream, and a name for each statement."""

from __future__ import annotations

import sys
import time
import traceback
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.default.parallelism": "1",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
    "spark.sql.streaming.statefulOperator.checkCorrectness.enabled": "false",
    "spark.sql.streaming.noDataMicroBatches.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


class Shop:
    """The shop's session.

    Attributes:
        spark: The session.
        root: The folder for all that is written.
    """

    def __init__(self, root: str, name: str, mode: str, connect: bool = False) -> None:
        """Start Spark and make the tables.

        Args:
            root: The folder for all that is written.
            name: The application's name.
            mode: `spark.sql.ui.explainMode`.
            connect: Take a Spark Connect session; its server runs in this process's JVM.
        """
        self.root = root
        self.connect = connect
        builder = SparkSession.builder.appName(name)
        places = {
            "spark.eventLog.dir": f"file://{root}/logs",
            "spark.sql.warehouse.dir": f"file:{root}/warehouse",
            "spark.sql.ui.explainMode": mode,
            "spark.checkpoint.dir": f"{root}/checkpoints",
        }
        for key, value in {**SETTINGS, **places}.items():
            builder = builder.config(key, value)
        self.spark = (builder.remote("local[2]") if connect else builder.master("local[2]")).getOrCreate()
        if not connect:
            self.spark.sparkContext.setCheckpointDir(f"{root}/checkpoints")
        self.describe("setup")
        self.sql("CREATE DATABASE shop")
        self.sql("CREATE TABLE shop.orders (id BIGINT, cust STRING, amount DOUBLE, status STRING) USING parquet")
        self.sql("CREATE TABLE shop.customers (cust STRING, region STRING) USING parquet")
        self.sql("INSERT INTO shop.orders VALUES (1, 'a', 10.0, 'open'), (2, 'b', 20.0, 'paid'), (3, 'a', 5.0, 'paid')")
        self.sql("INSERT INTO shop.customers VALUES ('a', 'north'), ('b', 'south')")
        rows = "SELECT id, cust, amount, timestamp '2026-11-20 10:00:00' AS ts FROM shop.orders"
        self.spark.sql(rows).coalesce(1).write.parquet(f"{root}/landing/clicks")

    def describe(self, name: str) -> None:
        """Name the statements that follow."""
        if not self.connect:  # its server describes all statements of a session as the session's
            self.spark.sparkContext.setJobDescription(name)

    def sql(self, text: str) -> None:
        """Run a statement to its end."""
        self.spark.sql(text).collect()

    def orders(self) -> DataFrame:
        """The orders."""
        return self.spark.table("shop.orders")

    def customers(self) -> DataFrame:
        """The customers."""
        return self.spark.table("shop.customers")

    def clicks(self) -> DataFrame:
        """The landing folder as a stream."""
        columns = "id BIGINT, cust STRING, amount DOUBLE, ts TIMESTAMP"
        return self.spark.readStream.schema(columns).parquet(f"{self.root}/landing/clicks")

    def save(self, name: str, frame: DataFrame, table: str) -> None:
        """Write a table."""
        self.describe(name)
        frame.write.mode("overwrite").saveAsTable(f"shop.{table}")

    def writer(self, name: str, frame: DataFrame, mode: str = "append") -> object:
        """A stream's writer; the query's name is the statement's."""
        place = f"{self.root}/checkpoints/{name.replace(' ', '_').replace(':', '')}"
        writer = frame.writeStream.queryName(name).outputMode(mode).option("checkpointLocation", place)
        return writer.trigger(availableNow=True)

    def land(self, number: int) -> None:
        """Add a file to the landing folder."""
        self.describe("setup")
        rows = f"SELECT {number}L AS id, 'a' AS cust, 3.5D AS amount, timestamp '2026-11-20 11:00:00' AS ts"
        self.spark.sql(rows).write.mode("append").parquet(f"{self.root}/landing/clicks")

    @staticmethod
    def wait(query: object) -> None:
        """Stop a stream that has no end, after a batch."""
        while not any(each["numInputRows"] for each in query.recentProgress):
            time.sleep(0.2)
        query.stop()

    def run(self, *parts: object) -> None:
        """Run functions of statements; what this Spark refuses is printed and left out."""
        for part in parts:
            for each in part.CONNECT if self.connect else part.STATEMENTS:
                try:
                    each(self)
                except Exception as error:  # the statement is in no log of this Spark
                    print(f"FAILED {each.__name__}: {' '.join(str(error).split())[:300]}", flush=True)
                    if "-v" in sys.argv:
                        traceback.print_exc()
        self.spark.stop()


def landed(root: str) -> Path:
    """The folder of the files that streams read."""
    return Path(root) / "landing"
