"""What the second workloads of Delta and Iceberg share: statements with their truth next to them.

A step is a statement, what it writes, and what every column of that is made of. `python -m lakehouse.workload_delta
--truth` writes the truth in the format of tests/medallion_logs/README.md; it needs no Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

_TRAVEL = re.compile(r"([\w.]+)(?:\.`[^`]+`)? VERSION AS OF (\d+)")
_WORDS = re.compile(r"(?:`[^`]*`|[^\s`])+")


class Job:
    """Runs steps, each under its name as the job description.

    Args:
        spark: The session.
        root: The folder for all that the job writes.
        state: Returns each table's current snapshot, read from the disk.
        log: The log's name; steps for other logs are left out.
    """

    def __init__(self, spark: SparkSession, root: Path, state: Callable[[], Mapping[str, str]], log: str) -> None:
        self.spark = spark
        self.root = root
        self._state = state
        self._log = log
        self._read: dict[str, str] = {}
        self._last: dict[str, str] = {}
        self.step = ""

    def run(self, steps: Iterable[Step]) -> None:
        """Run steps; a release may refuse one, which its record says."""
        for step in (each for each in steps if not each.only or self._log.endswith(tuple(each.only.split()))):
            self.step = step.name
            self.spark.sparkContext.setJobDescription(step.name)
            self._read = {}
            error = ""
            try:
                self._once(step)
            except Exception as found:
                lines = (line.strip() for line in str(found).splitlines())
                error = next(filter(None, lines), type(found).__name__)[:300]
                print(f"REFUSED {step.name}: {error}", flush=True)
            self.spark.sparkContext.setJobDescription("helper: snapshots")
            row = {"statement": step.name, "error": error, "read": self._read, "after": self._after()}
            with (self.root / "snapshots.jsonl").open("a", encoding="utf-8") as record:
                record.write(json.dumps(row) + "\n")

    def _after(self) -> dict[str, str]:
        """Return the tables' snapshots; those of before where a catalog is busy."""
        try:
            self._last = dict(self._state())
        except Exception as found:
            print(f"UNREAD after {self.step}: {found}", flush=True)
        return self._last

    def _once(self, step: Step) -> None:
        if isinstance(step.run, str):
            self.sql(step.run)
        else:
            step.run(self)

    def sql(self, text: str) -> DataFrame:
        """Run SQL and collect it; `{root}` is the job's folder."""
        for table, version in _TRAVEL.findall(text):
            self.pins(table, version)
        frame = self.spark.sql(text.replace("{root}", str(self.root)))
        frame.collect()
        return frame

    def pins(self, table: str, snapshot: object) -> str:
        """Write down a snapshot that the step reads, and return it for the step's text."""
        table = table.removeprefix("spark_catalog.")
        self._read[table] = f"{self._read.get(table, '')} {snapshot}".strip()
        return str(snapshot)

    def stream(self, frame: DataFrame, name: str, mode: str = "append") -> Any:
        """Return the writer of a stream that reads all there is, with its own checkpoint."""
        self.spark.sparkContext.setJobDescription(None)
        point = self.root / "points" / re.sub(r"\W", "_", name)
        writer = frame.writeStream.queryName(name).outputMode(mode).option("checkpointLocation", str(point))
        return writer.trigger(availableNow=True)


@dataclass(frozen=True)
class Step:
    """A statement and its truth.

    Attributes:
        name: Its job description, or its streaming query's name.
        run: SQL, or a function of the job.
        writes: Kind and dataset, `append orders`; empty for a query, `-` for what the truth does not list.
        columns: `id day < orders.*; total < orders.amount orders.tax; loaded <`: targets, and the DIRECT sources.
        conditions: `FILTER orders.day; JOIN orders.id`: INDIRECT edges that it has at least.
        only: The logs that hold it, by the ends of their names.
    """

    name: str
    run: str | Callable[[Job], object]
    writes: str = "-"
    columns: str = ""
    conditions: str = ""
    only: str = ""


@dataclass(frozen=True)
class CatalogNames:
    """Steps and tables whose names have letters for catalogs.

    Attributes:
        sql: Puts the catalogs into a text.
    """

    sql: Callable[[str], str]

    def step(self, name: str, text: str, writes: str = "-", *truth: str, only: str = "") -> Step:
        """Return the step of a statement."""
        return Step(name, self.sql(text), writes, *truth, only=only)

    def table(self, job: Job, name: str) -> DataFrame:
        """Return the rows of a table."""
        return job.spark.table(self.sql(name))

    def call(self, layer: str, procedure: str, arguments: str) -> str:
        """Return a CALL of a procedure of a layer's catalog; `@` in the arguments is the layer's database."""
        catalog, _, database = self.sql(f"{layer}.x").removesuffix(".x").partition(".")
        return f"CALL {catalog}.system.{procedure}({arguments.replace('@', database)})"

    def asked(self, job: Job, query: str) -> str:
        """Return a value that a step looks up, without a trace in the log."""
        job.spark.sparkContext.setJobDescription("helper: snapshots")
        found = str(job.spark.sql(self.sql(query)).collect()[0][0])
        job.spark.sparkContext.setJobDescription(job.step)
        return found


@dataclass(frozen=True)
class HudiPaths:
    """Hudi tables that are written by their paths, in the folder `lake` of the job.

    Attributes:
        key: The column of the record key.
        order: The column that decides between rows of a key.
        options: Other options of all writes.
    """

    key: str
    order: str
    options: Mapping[str, str] = field(default_factory=dict)

    def save(self, frame: DataFrame, job: Job, name: str, operation: str, mode: str = "append", **more: str) -> None:
        """Write rows into a path."""
        options = {
            "hoodie.table.name": name,
            "hoodie.datasource.write.recordkey.field": self.key,
            "hoodie.datasource.write.precombine.field": self.order,
            "hoodie.datasource.write.operation": operation,
            **self.options,
            **more,
        }
        frame.write.format("hudi").options(**options).mode(mode).save(f"{job.root}/lake/{name}")

    def load(self, job: Job, name: str, **options: str) -> DataFrame:
        """Return the rows of a path."""
        return job.spark.read.format("hudi").options(**options).load(f"{job.root}/lake/{name}")


def truth_of(datasets: Mapping[str, str], steps: Iterable[Step], changes: str) -> str:
    """Return the truth about steps as JSON.

    Args:
        datasets: Short names to full names.
        steps: All of them.
        changes: A line per change, `orders: column_added note`, with ` @4-1` for one log only.
    """
    content = {
        "datasets": dict(datasets),
        "statements": [_true(step) for step in steps if step.writes != "-"],
        "schema_changes": [_change(line) for line in changes.strip().splitlines()],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _true(step: Step) -> dict[str, Any]:
    columns = {}
    for part in filter(None, (part.strip() for part in step.columns.split(";"))):
        targets, _, sources = part.partition("<")
        found = _WORDS.findall(sources)
        columns[targets.strip()] = found[0] if len(found) == 1 else found
    item: dict[str, Any] = {"name": step.name, "in": step.only, "writes": step.writes, "columns": columns}
    item["conditions"] = [each.strip() for each in step.conditions.split(";") if each.strip()]
    return {key: value for key, value in item.items() if value}


def _change(line: str) -> dict[str, str]:
    text, _, logs = line.partition(" @")
    table, _, change = text.strip().partition(": ")
    kind, _, columns = change.partition(" ")
    return {"table": table, kind: columns, **({"in": logs} if logs else {})}


def numbered(last: int, text: str, first: int = 1) -> str:
    """Return a list of columns: `numbered(2, "c{n} + 1 AS d{n}")` is `c1 + 1 AS d1, c2 + 1 AS d2`."""
    return ", ".join(text.replace("{n}", str(number)) for number in range(first, last + 1))
