"""What the workloads share around their statements: settings of the formats, names in their truth, the run."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lakehouse import workload_coordinated
from lakehouse.session import session
from lakehouse.workload import Job, Step

ICEBERG = "org.apache.iceberg.spark.SparkCatalog"
CONF = {
    "delta": {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    },
    "iceberg": {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.ice": ICEBERG,
        "spark.sql.catalog.ice.type": "hadoop",
        "spark.sql.catalog.ice.warehouse": "file://{root}/ice",
    },
    "two": {
        "spark.sql.catalog.jdb": ICEBERG,
        "spark.sql.catalog.jdb.type": "jdbc",
        "spark.sql.catalog.jdb.uri": "jdbc:sqlite:{root}/jdb.db",
        "spark.sql.catalog.jdb.jdbc.schema-version": "V1",
        "spark.sql.catalog.jdb.warehouse": "file://{root}/jdb",
    },
    "paimon": {
        "spark.sql.extensions": "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions",
        "spark.sql.catalog.pai": "org.apache.paimon.spark.SparkCatalog",
        "spark.sql.catalog.pai.warehouse": "file://{root}/pai",
    },
    "hudi": {
        "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
        "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
        "spark.sql.extensions": "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.hudi.catalog.HoodieCatalog",
        "spark.driver.memory": "2g",
    },
}
FEW_TASKS = {"spark.databricks.delta.snapshotPartitions": "2"}
"""Delta computes its snapshots in two tasks instead of fifty."""
LASTING = {
    "spark.sql.catalogImplementation": "hive",
    "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:;databaseName={root}/metastore;create=true",
    "spark.driver.extraJavaOptions": "-Dderby.system.home={root}/derby -Dderby.stream.error.file={root}/derby.log",
    **FEW_TASKS,
}
"""A catalog of the session that the next application has, too."""


@dataclass(frozen=True)
class Workload:
    """A workload that runs on each format, with one catalog or two.

    Attributes:
        root: The folder of the truth that is printed without a run.
        land: Writes the landing files.
        places: Returns the namespaces with their catalogs, of a format and whether there are two catalogs.
        steps: Returns the steps of the same.
        truth: Returns their truth, for a folder.
        settings: Settings of the session that it has for all formats.
    """

    root: Path
    land: Callable[[Path], None]
    places: Callable[[str, bool], Iterable[str]]
    steps: Callable[[str, bool], Iterable[Step]]
    truth: Callable[[str, bool, Path], str]
    settings: Mapping[str, str] = field(default_factory=dict)

    def main(self) -> None:
        """Run the steps of `NAME ROOT PACKAGES`, or print the truth of `--truth FORMAT [two]`."""
        if sys.argv[1] == "--truth":
            print(self.truth(sys.argv[2], "two" in sys.argv, self.root), end="")
            return
        name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
        fmt, two = variant(name)
        self.land(root)
        (root / "truth.json").write_text(self.truth(fmt, two, root), encoding="utf-8")
        conf = {**CONF[fmt], **(CONF["two"] if two else {}), **self.settings}
        spark = session(name, root, packages, {key: value.replace("{root}", str(root)) for key, value in conf.items()})
        states: dict[str, Callable[[], Mapping[str, str]]] = {
            "delta": lambda: workload_coordinated.versions(root),
            "iceberg": lambda: snapshots(root),
        }
        for place in self.places(fmt, two):
            if place.count(".") > 1:
                spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {place.rpartition('.')[0]}")
            spark.sql(f"CREATE NAMESPACE {place}")
        Job(spark, root, states.get(fmt, dict), name).run(self.steps(fmt, two))
        spark.stop()


def places_of(layers: Callable[[str, bool], Mapping[str, str]]) -> Callable[[str, bool], list[str]]:
    """What gives a workload's namespaces: those of its layers, each once."""
    return lambda fmt, two: sorted(set(layers(fmt, two).values()))


def variant(name: str) -> tuple[str, bool]:
    """Return a log's format, and whether it has two catalogs."""
    return next(each for each in CONF if each in name), "two" in name


def layered(pattern: re.Pattern[str], places: Mapping[str, str]) -> Callable[[str], str]:
    """Return what puts catalogs into a text.

    Args:
        pattern: Its first group is a layer in a text.
        places: Catalog and database of each layer.
    """
    return lambda text: pattern.sub(lambda match: f"{places[match[1]]}.", text)


def named_datasets(listed: Iterable[Step]) -> set[str]:
    """Return the datasets that steps name."""
    listed = list(listed)
    words = " ".join(f"{step.columns} {step.conditions}" for step in listed)
    found = set(re.findall(r"(?<![\w.`])[a-z]\w*(?=\.)", words))
    return found | {step.writes.partition(" ")[2] for step in listed if " " in step.writes}


def snapshots(root: Path, first: str = "ice", second: str = "jdb") -> dict[str, str]:
    """Return the current snapshot of main of every Iceberg table.

    Args:
        root: The job's folder.
        first: The catalog in the folder of this name.
        second: The catalog in the database of this name.
    """
    found = {}
    for hint in (root / first).rglob("version-hint.text"):
        text = (hint.parent / f"v{hint.read_text().strip()}.metadata.json").read_text(encoding="utf-8")
        place = hint.parent.parent.relative_to(root / first)
        found[f"{first}.{'.'.join(place.parts)}"] = str(json.loads(text).get("current-snapshot-id"))
    if (root / f"{second}.db").exists():
        with sqlite3.connect(root / f"{second}.db") as database:
            rows = database.execute(
                "SELECT table_namespace, table_name, metadata_location FROM iceberg_tables"
            ).fetchall()
        for namespace, name, location in rows:
            content = Path(location.removeprefix("file:")).read_bytes() if location else b"{}"
            text = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
            found[f"{second}.{namespace}.{name}"] = str(json.loads(text).get("current-snapshot-id"))
    return {key: value for key, value in found.items() if value not in {"None", "-1"}}
