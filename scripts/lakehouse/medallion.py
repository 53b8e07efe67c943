"""What the medallion workloads of Iceberg, Hudi and Paimon share: landing files, named statements, wide frames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from lakehouse.session import Statement

WIDE = [f"c{number}" for number in range(60)]
"""The columns of a wide table."""

WIDE_LIST = ", ".join(WIDE)
"""The same as SQL."""


class Night:
    """Runs a night's statements, each named by its job description.

    Args:
        spark: The session.
        root: The folder for all that the job writes.
        gold: The catalog of the gold tables.
        record: The open file for the snapshots.
    """

    def __init__(self, spark: SparkSession, root: Path, gold: str, record: Path) -> None:
        self.spark = spark
        self.root = root
        self.gold = gold
        self._record = record

    def sql(self, *statements: Statement) -> None:
        """Run SQL statements; `{gold}` is the catalog of the gold tables."""
        for name, text in statements:
            self.step(name, lambda text=text: self.spark.sql(self.filled(text)).collect())

    def filled(self, text: str) -> str:
        """Return SQL with its catalog and its folders."""
        return text.replace("{gold}", self.gold).replace("{root}", str(self.root))

    def step(self, name: str, action: Callable[[], object]) -> None:
        """Run one action under a job description, and write down its table's main snapshot after it."""
        self.spark.sparkContext.setJobDescription(name)
        error = ""
        try:
            action()
        except Exception as found:  # a release that refuses a statement: the log has it as failed, or not at all
            error = str(found).split("\n")[0][:200]
            print(f"REFUSED {name}: {error}", flush=True)
        self.spark.sparkContext.setJobDescription("helper: snapshots")
        row = {"statement": name, "error": error, "at": int(datetime.now(timezone.utc).timestamp() * 1000)}
        with self._record.open("a", encoding="utf-8") as record:
            record.write(json.dumps(row) + "\n")

    def snapshots(self, table: str) -> list[int]:
        """Return the ids of a table's snapshots, oldest first."""
        self.spark.sparkContext.setJobDescription("helper: snapshots")
        rows = self.spark.sql(f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at").collect()
        return [row[0] for row in rows]


def land(root: Path, night: int) -> None:
    """Write the files of a night."""
    base = night * 10
    orders = (
        {"id": base + k, "cust": k % 3, "amount": 10.5 * k, "addr": {"city": "X", "zip": k}, "day": f"2026-11-0{night}"}
        for k in range(6)
    )
    _write(root / f"landing/orders/n{night}.json", map(json.dumps, orders))
    customers = (f"{k},name{k}-{night},mail{k}@x.org" for k in range(4))
    _write(root / f"landing/customers/n{night}.csv", ("id,name,email", *customers))
    events = ({"eid": base + k, "kind": "ab"[k % 2], "v": k * 1.5} for k in range(5))
    _write(root / f"landing/events/n{night}.json", map(json.dumps, events))


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def customers(night: Night, number: int) -> DataFrame:
    """Return the customers in the file of a night.

    Args:
        night: Has the session and the folder.
        number: Which night's.
    """
    rows = night.spark.read.option("header", "true").csv(f"{night.root}/landing/customers/n{number}.csv")
    return rows.select(f.col("id").cast("bigint").alias("id"), "name", "email")


def events(night: Night) -> DataFrame:
    """Return the stream of all landed events: the columns eid, kind and v, the last two computed."""
    rows = night.spark.readStream.schema("eid BIGINT, kind STRING, v DOUBLE").json(f"{night.root}/landing/events")
    return rows.select("eid", f.upper("kind").alias("kind"), (f.col("v") + 1).alias("v"))


def merge_batches(night: Night, name: str, rows: DataFrame, merge: str) -> None:
    """Run a stream to its end whose function merges each batch.

    Args:
        night: Has the folder for the checkpoint.
        name: The name of the query.
        rows: The stream's rows.
        merge: The MERGE; the view `batch` has the batch's rows.
    """

    def process(batch: DataFrame, _: int) -> None:
        batch.createOrReplaceTempView("batch")
        batch.sparkSession.sql(merge)

    stream = rows.writeStream.queryName(name).trigger(availableNow=True)
    query = stream.option("checkpointLocation", f"{night.root}/ck/merged").foreachBatch(process).start()
    query.awaitTermination()


def wide(frame: DataFrame) -> DataFrame:
    """Return 60 columns made of `id`."""
    return frame.select(*[(f.col("id") + number).alias(name) for number, name in enumerate(WIDE)])
