"""Make tests/export/logs: logs that the tests of the exports read, run on a real Spark and slimmed.

    python scripts/make_export_logs.py PYTHON

PYTHON has PySpark 4.1; Java 17 is needed. Spark fetches OpenLineage's agent, Iceberg and Delta from Maven Central
(`spark.jars.packages`, kept in /tmp/export_logs_ivy).

* `agent.zstd`: the job of scripts/export_logs/agent.py under OpenLineage's agent; `agent.ndjson`: the agent's events,
  with the facets that name datasets only.
* `field_lineage.zstd`: the documented cases of scripts/export_logs/field_lineage.py.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import zstandard

from make_lakehouse_logs import counts

_SCRIPTS = Path(__file__).resolve().parent
_TARGET = _SCRIPTS.parent / "tests" / "export" / "logs"
_ROOT = Path("/tmp/export_logs")
_PACKAGES = (
    "io.openlineage:openlineage-spark_2.13:1.53.0",
    "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0",
    "io.delta:delta-spark_4.1_2.13:4.3.1",
)
_SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.eventLog.compress": "false",
    "spark.eventLog.dir": f"file://{_ROOT}/logs",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.rolling.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.warehouse.dir": f"{_ROOT}/warehouse",
    "spark.ui.enabled": "false",
}
_AGENT = {
    "spark.jars.ivy": "/tmp/export_logs_ivy",
    "spark.jars.packages": ",".join(_PACKAGES),
    "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
    "spark.openlineage.columnLineage.datasetLineageEnabled": "true",
    "spark.openlineage.namespace": "warehouse",
    "spark.openlineage.transport.location": f"{_ROOT}/agent.ndjson",
    "spark.openlineage.transport.type": "file",
    "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.lake.type": "hadoop",
    "spark.sql.catalog.lake.warehouse": f"{_ROOT}/lake",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension,"
    "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
}
_FACETS = ("columnLineage", "schema", "symlinks")
"""The facets of the agent's datasets that are kept: those with names, columns and types."""


def main() -> None:
    """Make the logs with the Python that the command line names."""
    _TARGET.mkdir(parents=True, exist_ok=True)
    python = sys.argv[1]
    print(f"field_lineage: {make_log('field_lineage', python, {}):,} bytes", flush=True)
    print(f"agent: {make_log('agent', python, _AGENT):,} bytes", flush=True)
    lines = (_ROOT / "agent.ndjson").read_text(encoding="utf-8").splitlines()
    kept = [json.dumps(slim(json.loads(line)), sort_keys=True) for line in lines]
    text = "".join(f"{line}\n" for line in dict.fromkeys(kept))
    (_TARGET / "agent.ndjson").write_text(text, encoding="utf-8")
    print(f"agent.ndjson: {len(kept)} events, {len(text):,} bytes")


def make_log(name: str, python: str, settings: dict[str, str]) -> int:
    """Run a job of `export_logs`; return the slimmed log's size in bytes."""
    shutil.rmtree(_ROOT, ignore_errors=True)
    (_ROOT / "logs").mkdir(parents=True)
    job = _ROOT / f"{name}.py"
    shutil.copyfile(_SCRIPTS / "export_logs" / job.name, job)
    submitted = " ".join(f"--conf {key}={value}" for key, value in (_SETTINGS | settings).items())
    environment = {key: os.environ[key] for key in ("PATH", "JAVA_HOME", "LANG", "HOME") if key in os.environ}
    environment |= {"PYSPARK_PYTHON": python, "PYSPARK_SUBMIT_ARGS": f"{submitted} pyspark-shell", "SPARK_USER": "etl"}
    with (_ROOT / "driver.out").open("w") as output:
        command = [python, str(job), str(_ROOT)]
        done = subprocess.run(command, env=environment, cwd=_ROOT, stdout=output, stderr=output, check=False)
    if done.returncode:
        raise RuntimeError(f"{name} failed; see {_ROOT / 'driver.out'}")
    (written,) = (path for path in (_ROOT / "logs").iterdir() if not path.name.startswith("."))
    with written.open("rb") as lines:
        text = b"".join(line for line in lines if counts(line))
    target = _TARGET / f"{name}.zstd"
    target.write_bytes(zstandard.ZstdCompressor(level=19).compress(text))
    return target.stat().st_size


def slim(event: dict[str, Any]) -> dict[str, Any]:
    """Return what an event of the agent says of datasets, without what it says of the machine."""
    kept: dict[str, Any] = {
        "eventType": event["eventType"],
        "job": event["job"]["name"],
        "description": event["run"]["facets"].get("spark_jobDetails", {}).get("jobDescription", ""),
    }
    for side in ("inputs", "outputs"):
        kept[side] = [
            {
                "namespace": dataset["namespace"],
                "name": dataset["name"],
                "facets": {name: facet for name, facet in dataset.get("facets", {}).items() if name in _FACETS},
            }
            for dataset in event.get(side, [])
        ]
    return kept


if __name__ == "__main__":
    main()
