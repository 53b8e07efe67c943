"""Run the plan of a workload on Spark: `python -m lakehouse.runner ROOT`.

`make_lakehouse_logs.py` writes `ROOT/plan.json`. A statement without SQL is a function of the job, found by its name.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib
import json
import re
import sqlite3
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from lakehouse.loader import layered

_TRAVEL = re.compile(r"([\w.]+)(?:\.`[^`]+`)? VERSION AS OF (\d+)")
_HELPER = "helper: snapshots"
_COMPLETED = (".commit", ".deltacommit", ".replacecommit")


class Job:
    """Runs statements, each under its name as the job description.

    Args:
        spark: The session.
        root: The folder for all that the job writes.
        statements: SQL by the names of the statements.
    """

    def __init__(self, spark: SparkSession, root: Path, statements: Mapping[str, str]) -> None:
        self.spark = spark
        self.root = root
        self.statement = statements.__getitem__
        self.step = ""
        self._read: dict[str, str] = {}
        self._last: dict[str, str] = {}

    def run(self, step: Mapping[str, Any], action: Callable[[Job], object]) -> None:
        """Run a statement and write down what it leaves; a release may refuse it, which its record says."""
        self.step = step["name"]
        self._read = {}
        error = ""
        asked = self.asked(step["asks"]) if step["asks"] else ""
        self.spark.sparkContext.setJobDescription(self.step)
        for key, value in step["settings"]:
            self.spark.conf.set(key, value)
        try:
            if step["sql"]:
                self.sql(step["sql"].replace("{asked}", asked))
            else:
                action(self)
        except Exception as found:
            lines = (line.strip() for line in str(found).splitlines())
            error = next(filter(None, lines), type(found).__name__)[:300]
            print(f"REFUSED {self.step}: {error}", flush=True)
        for key, _ in step["settings"]:
            self.spark.conf.unset(key)
        self.spark.sparkContext.setJobDescription(_HELPER)
        row = {"statement": self.step, "error": error, "read": self._read, "after": self._after()}
        if step["snapshots"]:
            row["after"] = {each: self._newest(each) for each in step["snapshots"].split()}
        with (self.root / "snapshots.jsonl").open("a", encoding="utf-8") as record:
            record.write(json.dumps(row) + "\n")

    def _newest(self, table: str) -> str | None:
        return next((value for name, value in self._last.items() if name.rpartition(".")[2] == table), None)

    def _after(self) -> dict[str, str]:
        """Return the tables' snapshots; those of before where a catalog is busy."""
        try:
            self._last = snapshots(self.root)
        except Exception as found:
            print(f"UNREAD after {self.step}: {found}", flush=True)
        return self._last

    def sql(self, text: str) -> DataFrame:
        """Run SQL and collect it; `{root}` is the job's folder."""
        for table, version in _TRAVEL.findall(text):
            self.pins(table, version)
        frame = self.spark.sql(text.replace("{root}", str(self.root)))
        frame.collect()
        return frame

    def pins(self, table: str, snapshot: object) -> str:
        """Write down a snapshot that the step reads, and return it for the step's text."""
        table = table[len("spark_catalog.") :] if table.startswith("spark_catalog.") else table
        self._read[table] = f"{self._read.get(table, '')} {snapshot}".strip()
        return str(snapshot)

    def asked(self, query: str) -> str:
        """Return a value that a step looks up, without a trace in the log."""
        self.spark.sparkContext.setJobDescription(_HELPER)
        found = str(self.spark.sql(query).collect()[0][0])
        self.spark.sparkContext.setJobDescription(self.step)
        return found

    def delta_api(self) -> Any:
        """Return the class of Delta's API."""
        return importlib.import_module("delta.tables").DeltaTable

    def delta(self, table: str) -> Any:
        """Return the API of a table, by its name or its path."""
        api = self.delta_api()
        name = table[len("spark_catalog.") :] if table.startswith("spark_catalog.") else table
        return (api.forPath if "/" in table else api.forName)(self.spark, name)

    def stream(self, frame: DataFrame, name: str, mode: str = "append") -> Any:
        """Return the writer of a stream that reads all there is, with its own checkpoint."""
        self.spark.sparkContext.setJobDescription(None)
        point = self.root / "points" / re.sub(r"\W", "_", name)
        writer = frame.writeStream.queryName(name).outputMode(mode).option("checkpointLocation", str(point))
        once = "once" if self.spark.version < "3.3" else "availableNow"
        return writer.trigger(**{once: True})


Frames = "dict[str, Callable[[Job], object]]"
"""Functions of the job by the names of their statements."""


@dataclass(frozen=True)
class Names:
    """What the frames of a variant share: its format, and what puts catalogs into a text."""

    format: str
    sql: Callable[[str], str]

    def table(self, job: Job, name: str) -> DataFrame:
        """Return the rows of a table."""
        return job.spark.table(self.sql(name))

    def asked(self, job: Job, query: str) -> str:
        """Return a value that a step looks up, without a trace in the log."""
        return job.asked(self.sql(query))

    def saved(self, name: str, make: Callable[[Job], DataFrame]) -> Callable[[Job], object]:
        """Return what saves a frame as a table."""
        return lambda job: make(job).write.format(self.format).saveAsTable(self.sql(name))


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

    def written(self, name: str) -> dict[str, str]:
        """Return the options of all writes of a table."""
        return {
            "hoodie.table.name": name,
            "hoodie.datasource.write.recordkey.field": self.key,
            "hoodie.datasource.write.precombine.field": self.order,
            **self.options,
        }

    def save(self, frame: DataFrame, job: Job, name: str, operation: str, mode: str = "append", **more: str) -> None:
        """Write rows into a path."""
        options = {**self.written(name), "hoodie.datasource.write.operation": operation, **more}
        frame.write.format("hudi").options(**options).mode(mode).save(f"{job.root}/lake/{name}")

    def load(self, job: Job, name: str, **options: str) -> DataFrame:
        """Return the rows of a path."""
        return job.spark.read.format("hudi").options(**options).load(f"{job.root}/lake/{name}")


def snapshots(root: Path) -> dict[str, str]:
    """Return the current snapshots of all tables, read from the disk.

    Delta's by `database.table` or path; commits of a coordinator that are not backfilled yet count. Iceberg's of main,
    of catalogs in folders (`ice/`) and in databases (`jdb.db`). Hudi's are the instants of the commits that completed
    last: `.hoodie/timeline/<instant>_<completion>.commit`, before Hudi 1.0 `.hoodie/<instant>.commit`.
    """
    found: dict[str, int | str] = {}
    for log in root.rglob("_delta_log"):
        folder = log.parent
        name = f"{folder.parent.name[:-3]}.{folder.name}" if folder.parent.name.endswith(".db") else str(folder)
        versions = [int(path.stem) for path in log.glob("*.json") if path.stem.isdigit()]
        staged = [int(path.name.split(".")[0]) for path in log.glob("_staged_commits/*.json")]
        if versions or staged:
            found[name] = max([*versions, *staged])
    for hoodie in root.rglob(".hoodie"):
        files = [path for path in (*hoodie.glob("timeline/*"), *hoodie.glob("*")) if path.suffix in _COMPLETED]
        commits = sorted((words[-1], words[0]) for words in (path.stem.split("_") for path in files))
        if commits:
            found[f"{hoodie.parent.parent.name.replace('.db', '')}.{hoodie.parent.name}"] = commits[-1][1]
    for newest in root.rglob("snapshot/LATEST"):
        found[f"{newest.parents[2].name.replace('.db', '')}.{newest.parents[1].name}"] = newest.read_text().strip()
    for hint in root.rglob("version-hint.text"):
        text = (hint.parent / f"v{hint.read_text().strip()}.metadata.json").read_text(encoding="utf-8")
        place = hint.parent.parent.relative_to(root)
        found[".".join(place.parts)] = json.loads(text).get("current-snapshot-id")
    for catalog in root.glob("*.db"):
        with contextlib.suppress(sqlite3.Error), sqlite3.connect(catalog) as database:
            rows = database.execute("SELECT table_namespace, table_name, metadata_location FROM iceberg_tables")
            for namespace, name, location in rows.fetchall():
                content = Path(re.sub("^file:", "", location)).read_bytes() if location else b"{}"
                text = (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode()
                found[f"{catalog.stem}.{namespace}.{name}"] = json.loads(text).get("current-snapshot-id")
    return {key: str(value) for key, value in found.items() if value not in {None, -1}}


def session(name: str, packages: str, conf: dict[str, str]) -> SparkSession:
    """A local session with the format's jars on its path; `spark_logs.run_job` gives it an event log.

    Args:
        name: The application's.
        packages: Maven coordinates, or paths of jars; comma-separated, may be empty.
        conf: The format's settings.
    """
    jars = {"spark.jars" if packages.endswith(".jar") else "spark.jars.packages": packages} if packages else {}
    settings = {
        **jars,
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
        **conf,
    }
    builder = SparkSession.builder.master("local[2]").appName(name)
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def main() -> None:
    """Run the plan in the folder that the command line names."""
    root = Path(sys.argv[1])
    plan = json.loads((root / "plan.json").read_text(encoding="utf-8"))
    names = Names(plan["format"], layered(plan["layers"], plan["words"]))
    modules = {file: _module(plan["workload"], file) for file in {step["file"] for step in plan["steps"]}}
    frames = {file: module.frames(names) if hasattr(module, "frames") else {} for file, module in modules.items()}
    for module in modules.values():
        if hasattr(module, "land"):
            module.land(root)
    around = next((module.around for module in modules.values() if hasattr(module, "around")), contextlib.nullcontext)
    settings = {key: value.replace("{root}", str(root)) for key, value in plan["settings"].items()}
    with around():
        spark = session(plan["name"], plan["packages"], settings)
        for namespace in plan["namespaces"]:
            spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {namespace}")
        job = Job(spark, root, {step["name"]: step["sql"] for step in plan["steps"]})
        for module in modules.values():
            if hasattr(module, "prepare"):
                module.prepare(job)
        for step in plan["steps"]:
            job.run(step, frames[step["file"]].get(step["frame"] or step["name"], _missing))
        spark.stop()


def _missing(job: Job) -> None:
    raise LookupError(f"no function for {job.step}")


def _module(workload: str, file: str) -> Any:
    try:
        return importlib.import_module(f"lakehouse.{workload}.{file}")
    except ModuleNotFoundError:
        return None


if __name__ == "__main__":
    main()
