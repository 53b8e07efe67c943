"""Make tests/lakehouse_logs: event logs of table formats, run on real Sparks and slimmed.

One log after the other (one to four minutes each; Java 17 is needed; Spark fetches the formats' jars itself,
through `spark.jars.packages`, into what `--ivy` names; `--jar paimon-3-5=PATH` takes a jar instead):

    python scripts/make_lakehouse_logs.py --python 3.5=/opt/spark35/bin/python --python 4.1=/opt/spark41/bin/python

`--only NAME` makes one log. The statements are in `scripts/lakehouse/`. A log keeps the lines that are read: no
tasks, no submitted stages, no later adaptive plans. MergeEvidence it stands `NAME.snapshots`: which snapshot each
statement left its tables at, as the format itself tells it. What a log must show is written by hand in
tests/lakehouse_logs/*.truth. Logs of medallion workloads (`--only medallion-delta-3-5`) are in tests/medallion_logs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import zstandard

from eventlog_lineage.harvest.table_metadata import read_commits
from eventlog_lineage.observed_schemas import TableSchema

_SCRIPTS = Path(__file__).resolve().parent
_TARGET = _SCRIPTS.parent / "tests" / "lakehouse_logs"
_MEDALLIONS = _TARGET.with_name("medallion_logs")
_SNAPSHOTS = _TARGET.with_name("snapshot_logs")
_FOLDERS = {"medallion-": _MEDALLIONS, "snapshots-": _SNAPSHOTS}
"""The folder of logs whose names have a prefix."""
_IDIOMS = "workload_idioms"
_CATALOGS = {"warehouse/tel.db": "spark_catalog", "lake/tel": "lake", "pai/tel.db": "pai"}
_ROOT = Path("/tmp/lakehouse_shop")
_FLEET = Path("/tmp/lakehouse_fleet")
_LAKE = Path("/tmp/lakehouse_fleet_paimon")
_TOPICS = Path("/tmp/lakehouse_topics")
_HARBOUR = Path("/tmp/lakehouse_harbour")
_COORDINATED = Path("/tmp/lakehouse_coordinated")
_PARCELS = Path("/tmp/lakehouse_parcels")
_CLINIC = Path("/tmp/lakehouse_clinic")
_LIBRARY = Path("/tmp/lakehouse_library")
_KEPT = (
    b"SparkListenerLogStart",
    b"SparkListenerApplicationStart",
    b"SparkListenerApplicationEnd",
    b"SparkListenerEnvironmentUpdate",
    b"SparkListenerJobStart",
    b"SparkListenerStageCompleted",
    b"org.apache.spark.sql.",
)
_DROPPED = (
    b"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptive",
    b"org.apache.spark.sql.streaming.StreamingQueryListener$QueryIdleEvent",
)
_SQLITE = "org.xerial:sqlite-jdbc:3.46.1.3"
_BEGIN = b'{"Event":"'
_HEAD = 140
"""The first bytes of a line, which name its event."""


@dataclass(frozen=True)
class Log:
    """A log to make.

    Attributes:
        name: Its name.
        spark: The Spark it runs on.
        module: The module of `lakehouse`; `MODULE:FUNCTION,…` for some of its functions only.
        packages: The jars it needs, Maven coordinates.
        lenient: Leave out what the release refuses (`lakehouse.lenient`).
        root: The folder for all that the job writes.
        keep: Pattern of the statements that the log keeps; empty for all.
        continues: The tables of the log before it stay.
    """

    name: str
    spark: str
    module: str
    packages: str
    lenient: bool = False
    root: Path = _ROOT
    keep: str = ""
    continues: bool = False


_KEEP = {
    "clinic_iceberg_two-4-1": r"A\.patients saved|B\.(patients|cities|tuple) \w+|chart( \w+)?|odd( insert)?"
    r"|both catalogs|first \w+|view window|from view",
    "library_delta-4-1": r"kept ddl|night 3: packed( merge)?|packed \w+",
    "bazaar_delta_n2-4-1": r"add columns|channels|clone( update)?",
    "bazaar_hudi_n1-3-5": r"orders in|spent",
    "bazaar_hudi_n2-3-5": r"items in|spent",
    "bazaar_iceberg_two_n2-4-1": r"trends|branch.*|audited|main read|increment",
    "bazaar_iceberg_two_n2-3-5": r"orders|rejected|branch.*|forward|compact|mirrored",
    "bazaar_iceberg_two_n3-3-5": r"lines|top|rolled back|after rollback|expire",
    "rail_delta-4-1": r"stops .*|tickets( view| ddl)?",
    "rail_paimon-3-5": r"tickets.*|clean|visits.*|mood.*|total|no last",
    "grid_iceberg_two-4-1": r"n\d: slots( merge)?",
    "grid_hudi-3-5": r"n1: (history close|profile|days|report|fix)|(live|last) stream",
    "grid_paimon-3-5": r"(clean|invoices) ddl|n\d: invoices",
    "sweep_delta-4-1": r"dv (ddl|filled) 30|dv: (update|delete) .* 30",
    "sweep_iceberg_two-3-5": r"source m64|ins (ddl|filled) 64|compact|changelog.*",
    "sweep_paimon-3-5": r"plain (ddl|filled) 6|plain: (update|delete) .* 6",
    "airline_iceberg_two-4-1": r"sheet( merge)?",
    "insurer_delta-3-5": r"(B|S)\.claims ddl|n1: claims( in)?",
    "insurer_hudi-3-5": r"S\.scores ddl|n1: scores( in)?",
    "kinds_hudi-3-5": r"toTable at .*|first toTable|items",
    "theatre_paimon_n1-3-5": r"(bad|hub|sat) ddl|notes in|bad|hub|sat",
    "theatre_paimon_n2-3-5": r"notes in|bad|hub|sat|good new|renamed|renamed insert",
    "theatre_delta_n2-4-1": r"evolved|clone",
    "theatre_delta_n3-4-1": r"recursive",
    "theatre_hudi_n1-3-5": r"good|merged",
    "theatre_hudi_n3-3-5": r"overwrite self",
    "theatre_iceberg_two_n3-3-5": r"events in|totals|history|reshaped|late merge|test relationship",
}
"""Logs of which a part is in the repository: the statements whose kinds no other log has."""

_SIX = (
    ("delta", "3.5", "io.delta:delta-spark_2.12:3.3.3"),
    ("hudi", "3.5", "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"),
    ("iceberg_two", "3.5", "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0"),
    ("iceberg_two", "4.1", "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"),
    ("paimon", "3.5", "org.apache.paimon:paimon-spark-3.5:0.9.0"),
    ("delta", "4.1", "io.delta:delta-spark_4.1_2.13:4.4.0"),
)
"""The logs of a workload with two Iceberg catalogs on both Sparks: name, Spark, packages."""

LOGS = (
    Log("delta-3-5", "3.5", "delta", "io.delta:delta-spark_2.12:3.3.3"),
    Log("delta-4-1", "4.1", "delta", "io.delta:delta-spark_4.1_2.13:4.3.1"),
    Log("iceberg-3-5", "3.5", "iceberg", "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.11.0"),
    Log("iceberg-4-1", "4.1", "iceberg", "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0"),
    Log("hudi-3-5", "3.5", "hudi", "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"),
    Log("paimon-3-5", "3.5", "paimon", "org.apache.paimon:paimon-spark-3.5_2.12:1.4.2"),
    Log("lance-3-5", "3.5", "lance", "org.lance:lance-spark-3.5_2.12:0.4.0"),
    Log("hive-3-5", "3.5", "hive", ""),
    Log("delta-writers-4-1", "4.1", "delta_writers", "io.delta:delta-spark_4.1_2.13:4.3.1"),
    Log("iceberg-writers-3-5", "3.5", "iceberg_writers", "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.11.0"),
    Log("paimon-writers-3-5", "3.5", "paimon_writers", "org.apache.paimon:paimon-spark-3.5_2.12:1.4.2"),
    Log("delta-extended-4-1", "4.1", "delta_extended", "io.delta:delta-spark_4.1_2.13:4.3.1"),
    Log("iceberg-extended-3-5", "3.5", "iceberg_extended", "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.11.0"),
    Log("hudi-extended-3-5", "3.5", "hudi_extended", "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"),
    Log("paimon-extended-3-5", "3.5", "paimon_extended", "org.apache.paimon:paimon-spark-3.5_2.12:1.4.2"),
    Log("delta-3-3", "3.3", "delta:batch", "io.delta:delta-core_2.12:2.1.1", lenient=True),
    Log(
        "iceberg-3-3",
        "3.3",
        "iceberg:copy_on_write,merge_on_read",
        "org.apache.iceberg:iceberg-spark-runtime-3.3_2.12:1.4.3",
        lenient=True,
    ),
    Log("hudi-3-4", "3.4", "hudi:copy_on_write", "org.apache.hudi:hudi-spark3.4-bundle_2.12:0.14.0", lenient=True),
    Log("delta-formatted-4-1", "4.1", "delta_formatted", "io.delta:delta-spark_4.1_2.13:4.3.1"),
    Log(
        "iceberg-formatted-3-5", "3.5", "iceberg_formatted", "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.11.0"
    ),
    Log("hudi-formatted-3-5", "3.5", "hudi_formatted", "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"),
    Log("paimon-formatted-3-5", "3.5", "paimon_formatted", "org.apache.paimon:paimon-spark-3.5_2.12:1.4.2"),
    Log(
        "iceberg-catalogs-4-1",
        "4.1",
        "iceberg_catalogs",
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
    ),
    Log(
        "kafka-3-5",
        "3.5",
        "kafka",
        "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.7,org.apache.kafka:kafka_2.12:3.9.1",
    ),
    Log("medallion-delta-3-5", "3.5", "medallion_delta", "io.delta:delta-spark_2.12:3.3.3"),
    Log("medallion-delta-4-1", "4.1", "medallion_delta", "io.delta:delta-spark_4.1_2.13:4.4.0"),
    Log(
        "medallion-iceberg-3-5",
        "3.5",
        "medallion_iceberg",
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0",
    ),
    Log(
        "medallion-iceberg_two-4-1",
        "4.1",
        "medallion_iceberg",
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0,org.xerial:sqlite-jdbc:3.46.1.3",
    ),
    Log(
        "medallion-iceberg_v3-4-1",
        "4.1",
        "medallion_iceberg_v3",
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
    ),
    Log("medallion-delta_features-4-1", "4.1", "workload_delta_features", "io.delta:delta-spark_4.1_2.13:4.4.0"),
    Log("medallion-workload_delta-3-5", "3.5", "workload_delta", "io.delta:delta-spark_2.12:3.3.3"),
    Log("medallion-workload_delta-4-1", "4.1", "workload_delta", "io.delta:delta-spark_4.1_2.13:4.4.0"),
    Log(
        "medallion-workload_iceberg-3-5",
        "3.5",
        "workload_iceberg",
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0",
    ),
    Log(
        "medallion-workload_iceberg_two-4-1",
        "4.1",
        "workload_iceberg",
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0,org.xerial:sqlite-jdbc:3.46.1.3",
    ),
    Log("medallion-idioms_delta-4-1", "4.1", "workload_idioms", "io.delta:delta-spark_4.1_2.13:4.4.0"),
    Log(
        "medallion-idioms_iceberg-3-5",
        "3.5",
        "workload_idioms",
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0",
    ),
    Log(
        "medallion-idioms_iceberg-4-1",
        "4.1",
        "workload_idioms",
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
    ),
    Log("medallion-idioms_paimon-3-5", "3.5", "workload_idioms", "org.apache.paimon:paimon-spark-3.5:0.9.0"),
    Log("medallion-hudi-3-5", "3.5", "medallion_hudi", "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"),
    Log("medallion-paimon-3-5", "3.5", "medallion_paimon", "org.apache.paimon:paimon-spark-3.5:0.9.0"),
    Log(
        "medallion-hudi_fleet-3-5",
        "3.5",
        "medallion_hudi_fleet",
        "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0",
        root=_FLEET,
    ),
    Log(
        "medallion-paimon_fleet-3-5",
        "3.5",
        "medallion_paimon_fleet",
        "org.apache.paimon:paimon-spark-3.5:0.9.0",
        root=_LAKE,
    ),
    Log(
        "medallion-kafka-3-5",
        "3.5",
        "medallion_kafka",
        "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.7,org.apache.spark:spark-avro_2.12:3.5.7,"
        "org.apache.kafka:kafka_2.12:3.9.1",
        root=_TOPICS,
    ),
    Log(
        "medallion-kafka-4-1",
        "4.1",
        "medallion_kafka",
        "org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.1,org.apache.spark:spark-avro_2.13:4.1.1,"
        "org.apache.kafka:kafka_2.13:3.9.1",
        root=_TOPICS,
    ),
    *(
        Log(
            f"medallion-coordinated_{name}",
            spark,
            "workload_coordinated",
            f"{packages},com.amazonaws:aws-java-sdk-dynamodb:1.12.797",
            root=_COORDINATED,
        )
        for name, spark, packages in (
            ("delta-3-5", "3.5", "io.delta:delta-spark_2.12:3.3.3"),
            ("delta-4-1", "4.1", "io.delta:delta-spark_4.1_2.13:4.4.0"),
        )
    ),
    *(
        Log(
            f"medallion-{workload}_{name}",
            spark,
            f"workload_{workload}",
            packages,
            root=root,
            keep=_KEEP.get(f"{workload}_{name}", ""),
        )
        for workload, root in (("harbour", _HARBOUR), ("parcels", _PARCELS), ("clinic", _CLINIC), ("library", _LIBRARY))
        for name, spark, packages in (
            ("delta-3-5", "3.5", "io.delta:delta-spark_2.12:3.3.3"),
            ("delta-4-1", "4.1", "io.delta:delta-spark_4.1_2.13:4.4.0"),
            ("iceberg-3-5", "3.5", "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0"),
            (
                "iceberg_two-4-1",
                "4.1",
                "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0,org.xerial:sqlite-jdbc:3.46.1.3",
            ),
            ("hudi-3-5", "3.5", "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"),
            ("paimon-3-5", "3.5", "org.apache.paimon:paimon-spark-3.5:0.9.0"),
        )
    ),
    *(
        Log(
            f"medallion-{workload}_{name}_n{night}-{spark.replace('.', '-')}",
            spark,
            f"workload_{workload}",
            f"{packages},{_SQLITE}",
            root=Path(f"/tmp/lakehouse_{workload}_{name}"),
            keep=_KEEP.get(f"{workload}_{name}_n{night}-{spark.replace('.', '-')}", ""),
            continues=night > 1,
        )
        for workload in ("bazaar", "theatre")
        for name, spark, packages in _SIX
        for night in (1, 2, 3)
    ),
    *(
        Log(
            f"medallion-brewery_{name}_n{night}-{spark.replace('.', '-')}",
            spark,
            "workload_brewery",
            ",".join(
                (
                    packages,
                    _SQLITE,
                    *(each for kind, on, each in _SIX if name == "delta" and on == spark and "ice" in kind),
                )
            ),
            root=Path(f"/tmp/lakehouse_brewery_{name}"),
            keep=_KEEP.get(f"brewery_{name}_n{night}-{spark.replace('.', '-')}", ""),
            continues=night > 1,
        )
        for name, spark, packages in _SIX
        for night in ((1, 2) if name == "paimon" else (1,))
    ),
    *(
        Log(
            f"medallion-{workload}_{name}-{spark.replace('.', '-')}",
            spark,
            f"workload_{workload}",
            f"{packages},{_SQLITE}",
            root=Path(f"/tmp/lakehouse_{workload}"),
            keep=_KEEP.get(f"{workload}_{name}-{spark.replace('.', '-')}", ""),
        )
        for workload in ("orchard", "quay", "rail", "depot", "grid", "sweep", "insurer", "kinds", "airline")
        for name, spark, packages in _SIX
    ),
    *(
        Log(
            f"snapshots-idle_{name}-{spark.replace('.', '-')}",
            spark,
            "workload_idle",
            f"{packages},{_SQLITE}",
            root=Path("/tmp/lakehouse_idle"),
        )
        for name, spark, packages in _SIX
    ),
    Log(
        "snapshots-grid_delta-4-1",
        "4.1",
        "workload_grid",
        "io.delta:delta-spark_4.1_2.13:4.4.0",
        root=Path("/tmp/lakehouse_grid"),
        keep=r"(live|last) stream|n1: last ddl|n2: (fan out|live site)",
    ),
)


def main() -> int:
    """Makes the logs that the command line asks for; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--python", action="append", default=[], metavar="SPARK=PATH", help="a Python with that PySpark"
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="make this log only; repeatable")
    parser.add_argument("--ivy", default="/tmp/lakehouse_ivy", help="where the jars are kept between runs")
    parser.add_argument(
        "--jar", action="append", default=[], metavar="NAME=PATH", help="a log's jar, in place of what Maven has"
    )
    arguments = parser.parse_args()
    jars = dict(item.split("=", 1) for item in arguments.jar)
    pythons = dict(item.split("=", 1) for item in arguments.python)
    for log in LOGS:
        if arguments.only and log.name not in arguments.only:
            continue
        if log.spark not in pythons:
            parser.error(f"{log.name} needs --python {log.spark}=PATH")
        size = make_log(replace(log, packages=jars.get(log.name, log.packages)), pythons[log.spark], arguments.ivy)
        print(f"{log.name}: {size:,} bytes", flush=True)
    return 0


def make_log(log: Log, python: str, ivy: str) -> int:
    """Runs a log's statements and puts the slimmed log into tests/lakehouse_logs or tests/medallion_logs.

    Returns:
        The new log's size in bytes.

    Raises:
        RuntimeError: A statement failed.
    """
    if log.continues:
        (log.root / "snapshots.jsonl").unlink(missing_ok=True)
    written = run_statements(log, python, ivy, log.root, log.continues)
    prefix = next((each for each in _FOLDERS if log.name.startswith(each)), "")
    folder, name = _FOLDERS.get(prefix, _TARGET), log.name.removeprefix(prefix)
    if prefix != "snapshots-" and (truth := log.root / "truth.json").exists():
        shutil.copyfile(truth, folder / f"{name.partition('-')[0]}.json")
    if log.module == _IDIOMS:
        write_schemas(log.root, folder / f"{name}.schemas")
    return publish(name, written, log.root / "snapshots.jsonl", folder, log.keep)


def write_schemas(root: Path, target: Path) -> None:
    """Writes the schemas in the metadata of a job's tables; those of a table with one schema are left out."""
    rows = []
    for database, catalog in _CATALOGS.items():
        for folder in sorted((root / database).iterdir()) if (root / database).is_dir() else ():
            found = [each for each in read_commits(f"file://{folder}") if isinstance(each, TableSchema)]
            rows += [
                {
                    "table": f"{catalog}.tel.{folder.name}",
                    "schema": each.schema_id,
                    "changed_at": each.changed_at,
                    "columns": {column.name: column.data_type for column in each.columns},
                    "comments": list(each.comments),
                }
                for each in (found if len(found) > 1 else ())
            ]
    target.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def run_statements(log: Log, python: str, ivy: str, root: Path, continues: bool = False) -> Path:
    """Runs a log's statements.

    Args:
        log: What to run.
        python: A Python with the PySpark to run it on; `PYTHON@JAVA_HOME` where it needs another Java.
        ivy: Where the jars are kept between runs.
        root: The folder for all that the job writes; it is emptied before.
        continues: It is not emptied.

    Returns:
        The event log.

    Raises:
        RuntimeError: A statement failed.
    """
    python, _, java = python.partition("@")
    shutil.rmtree(root / "logs" if continues else root, ignore_errors=True)
    (root / "logs").mkdir(parents=True)
    _copy_job(root)
    kept = {key: os.environ[key] for key in ("PATH", "JAVA_HOME", "LANG", "HOME", "MOTO_PYTHON") if key in os.environ}
    environment = {
        **kept,
        **({"JAVA_HOME": java, "PATH": f"{java}/bin:{kept.get('PATH', '')}"} if java else {}),
        "PYTHONPATH": str(root / "job"),
        "PYSPARK_PYTHON": python,
        "PYTHONDONTWRITEBYTECODE": "1",
        "SPARK_USER": "etl",
        "SPARK_LOCAL_HOSTNAME": "localhost",
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # the applications are short
        "PYSPARK_SUBMIT_ARGS": f"--conf spark.jars.ivy={ivy} pyspark-shell",
    }
    module = ["lakehouse.lenient", log.module] if log.lenient else [f"lakehouse.{log.module}"]
    with (root / "driver.out").open("w") as output:
        command = [python, "-m", *module, log.name, str(root), log.packages]
        done = subprocess.run(command, env=environment, cwd=root, stdout=output, stderr=output, check=False)
    if done.returncode:
        raise RuntimeError(f"{log.name} failed; see {root / 'driver.out'}")
    (written,) = (path for path in (root / "logs").iterdir() if not path.name.startswith("."))
    return written


def _copy_job(root: Path) -> None:
    """Puts the statements into the root, at home there and readable to Python 3.7."""
    for path in (_SCRIPTS / "lakehouse").glob("*.py"):
        text = path.read_text(encoding="utf-8").replace(str(_ROOT), str(root))
        copy = root / "job" / "lakehouse" / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text.replace("= tuple[str, str]\n", "= tuple\n"), encoding="utf-8")


def publish(name: str, written: Path, snapshots: Path, folder: Path, keep: str = "") -> int:
    """Write the lines of a log that count, and the snapshots next to it.

    Args:
        name: The log's name.
        written: The event log.
        snapshots: The record of the tables' snapshots.
        folder: Where to write.
        keep: Pattern of the statements to keep; empty for all.

    Returns:
        The log's size in bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    asked: set[int] = set()
    with written.open("rb") as lines:
        counted = [line for line in lines if counts(line) and not _asks_for_snapshots(line, asked)]
    target = folder / f"{name}.zstd"
    text = b"".join(_of_statements(counted, re.compile(keep)) if keep else counted)
    target.write_bytes(zstandard.ZstdCompressor(level=19).compress(text))
    rows = [json.loads(line) for line in snapshots.read_text(encoding="utf-8").splitlines()]
    for row in rows if keep else ():
        if not re.fullmatch(keep, row["statement"]):
            row["error"] = "left out"
    (folder / f"{name}.snapshots").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return target.stat().st_size


def _of_statements(lines: Sequence[bytes], keep: re.Pattern[str]) -> Iterator[bytes]:
    """Yield the lines of some statements, and those of none.

    Args:
        lines: Of an event log.
        keep: Pattern of the statements' descriptions.
    """
    starts = {
        event["executionId"]: event
        for event in (json.loads(line) for line in lines if b"SparkListenerSQLExecutionStart" in line[:_HEAD])
    }
    roots = {each: starts.get(event.get("rootExecutionId", each), event) for each, event in starts.items()}
    kept = {each for each, root in roots.items() if keep.fullmatch((root.get("description") or "").split("\n")[0])}
    stages: set[int] = set()
    for line in lines:
        event = json.loads(line)
        execution = event.get("executionId", (event.get("Properties") or {}).get("spark.sql.execution.id"))
        if "Stage Info" in event:
            if event["Stage Info"]["Stage ID"] in stages:
                yield line
        elif execution is None or int(execution) in kept:
            stages.update(event.get("Stage IDs", ()))
            yield line


def counts(line: bytes) -> bool:
    """Is it one of the lines that are read?"""
    event = line.removeprefix(_BEGIN)
    if event.startswith(b"SparkListenerStageCompleted"):
        return b'"Metadata":"sql"' in line
    return event.startswith(_KEPT) and not event.startswith(_DROPPED)


def _asks_for_snapshots(line: bytes, asked: set[int]) -> bool:
    """Is it about an execution that the script ran to write down snapshots?"""
    if b'"executionId":' not in line:
        return b'"spark.job.description":"helper: snapshots"' in line
    event = json.loads(line)
    mine = event.get("description") == "helper: snapshots" or event.get("rootExecutionId") in asked
    if mine:
        asked.add(event["executionId"])
    return event["executionId"] in asked


if __name__ == "__main__":
    sys.exit(main())
