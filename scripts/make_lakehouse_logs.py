"""Make the event logs of table formats: workloads that run on real Sparks, slimmed to the lines that are read.

One log after the other (one to four minutes each; Java 17 is needed; Spark fetches the formats' jars itself,
through `spark.jars.packages`, into what `--ivy` names; `--jar paimon-3-5=PATH` takes a jar instead):

    python scripts/make_lakehouse_logs.py --python 3.5=/opt/spark35/bin/python --python 4.1=/opt/spark41/bin/python

`--only NAME` makes one log, `--out FOLDER` puts it elsewhere. `scripts/lakehouse/logs.toml` lists the logs; each
workload is a folder of SQL files (`scripts/lakehouse/loader.py` describes them). A log keeps the lines that are read:
no tasks, no submitted stages, no later adaptive plans. `NAME.snapshots` has the snapshot each statement left its tables
at, as the format itself records it, and what the release refused.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from eventlog_lineage.harvest.table_metadata import read_commits
from eventlog_lineage.observed_schemas import TableSchema
from lakehouse import loader
from spark_logs import counts, run_job
from spark_logs import publish as publish_log

_SCRIPTS = Path(__file__).resolve().parent
_TESTS = _SCRIPTS.parent / "tests"
_FOLDERS = {"shop": _TESTS / "lakehouse_logs", "idle": _TESTS / "snapshot_logs"}
"""Workloads whose logs are not in `tests/medallion_logs`."""
_CATALOGS = {"warehouse/tel.db": "spark_catalog", "lake/tel": "lake", "pai/tel.db": "pai"}
_SQLITE = "org.xerial:sqlite-jdbc:3.46.1.3"


def main() -> int:
    """Make the logs that the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--python", action="append", default=[], metavar="SPARK=PATH", help="a Python with that PySpark"
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="make this log only; repeatable")
    parser.add_argument("--ivy", default="/tmp/lakehouse_ivy", help="where the jars are kept between runs")
    parser.add_argument("--out", type=Path, help="the folder for the logs")
    parser.add_argument(
        "--jar", action="append", default=[], metavar="NAME=PATH", help="a log's jar, in place of what Maven has"
    )
    arguments = parser.parse_args()
    jars = dict(item.split("=", 1) for item in arguments.jar)
    pythons = dict(item.split("=", 1) for item in arguments.python)
    logs = loader.read_toml(_SCRIPTS / "lakehouse" / "logs.toml")
    for name, log in logs.items():
        if arguments.only and name not in arguments.only:
            continue
        spark = ".".join(name.split("-")[-2:])
        if spark not in pythons:
            parser.error(f"{name} needs --python {spark}=PATH")
        workload = loader.of_log(name)
        root = Path(workload.root)
        packages = jars.get(name, log.get("packages", ""))
        written = run(workload, name, pythons[spark], packages, f"--conf spark.jars.ivy={arguments.ivy}")
        folder = arguments.out or _FOLDERS.get(workload.name, _TESTS / "medallion_logs")
        if workload.name == "idioms":
            write_schemas(root, folder / f"{name}.schemas")
        print(f"{name}: {publish(name, written, root / 'snapshots.jsonl', folder):,} bytes", flush=True)
    return 0


def write_schemas(root: Path, target: Path) -> None:
    """Write the schemas in the metadata of a job's tables; those of a table with one schema are left out."""
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


def run(workload: loader.Workload, name: str, python: str, packages: str, submit: str) -> Path:
    """Run a workload.

    Args:
        workload: What to run.
        name: The name of the log: steps for other logs are left out.
        python: A Python with the PySpark to run it on; `PYTHON@JAVA_HOME` where it needs another Java.
        packages: Maven coordinates, or paths of jars; comma-separated.
        submit: Options of `spark-submit`.

    Returns:
        The event log, in the workload's folder, which is emptied before.

    Raises:
        RuntimeError: The job failed.
    """
    root = Path(workload.root)
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(_SCRIPTS / "lakehouse", root / "job" / "lakehouse", ignore=shutil.ignore_patterns("*.sql"))
    if "two" in name and packages and "sqlite" not in packages:
        packages = f"{packages},{_SQLITE}"
    steps = [
        {
            "name": each.name,
            "file": workload.module or each.file,
            **{key: getattr(each, key) for key in ("sql", "frame", "settings", "asks", "snapshots")},
        }
        for each in workload.steps
        if not each.elsewhere and (not each.only or name.endswith(tuple(each.only.split())))
    ]
    plan = {
        "workload": workload.name,
        "name": name,
        "packages": packages,
        "steps": steps,
        **{key: getattr(workload, key) for key in ("format", "layers", "words", "settings", "namespaces")},
    }
    (root / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    return run_job(
        ["-m", "lakehouse.runner", str(root)],
        python,
        root,
        submit,
        PYTHONPATH=str(root / "job"),
        JAVA_TOOL_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # the applications are short
    )


def publish(name: str, written: Path, snapshots: Path, folder: Path) -> int:
    """Write the lines of a log that count, and the snapshots next to it.

    Args:
        name: The log's name.
        written: The event log.
        snapshots: The record of the tables' snapshots.
        folder: Where to write.

    Returns:
        The log's size in bytes.
    """
    asked: set[int] = set()
    target = folder / f"{name}.zstd"
    size = publish_log(written, target, lambda line: counts(line) and not _asks_for_snapshots(line, asked))
    rows = [json.loads(line) for line in snapshots.read_text(encoding="utf-8").splitlines()]
    (folder / f"{name}.snapshots").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return size


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
