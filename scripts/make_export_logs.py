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
import shutil
import sys
from pathlib import Path
from typing import Any

from spark_logs import options, publish, run_job

_SCRIPTS = Path(__file__).resolve().parent
_TARGET = _SCRIPTS.parent / "tests" / "export" / "logs"
_ROOT = Path("/tmp/export_logs")
EVENTS = _ROOT / "agent.ndjson"
PACKAGES = {
    "3.5": (
        "io.openlineage:openlineage-spark_2.12:1.53.0",
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.11.0",
        "io.delta:delta-spark_2.12:3.3.3",
    ),
    "4.1": (
        "io.openlineage:openlineage-spark_2.13:1.53.0",
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0",
        "io.delta:delta-spark_4.1_2.13:4.3.1",
    ),
}
"""The agent and the table formats for a version of Spark."""
AGENT = {
    "spark.jars.ivy": "/tmp/export_logs_ivy",
    "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
    "spark.openlineage.columnLineage.datasetLineageEnabled": "true",
    "spark.openlineage.namespace": "warehouse",
    "spark.openlineage.transport.location": str(EVENTS),
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
    print(f"field_lineage: {publish(run('field_lineage', python, {}), _TARGET / 'field_lineage.zstd'):,} bytes")
    written = run("agent", python, AGENT | {"spark.jars.packages": ",".join(PACKAGES["4.1"])})
    print(f"agent: {publish(written, _TARGET / 'agent.zstd'):,} bytes", flush=True)
    lines = EVENTS.read_text(encoding="utf-8").splitlines()
    kept = [json.dumps(slim(json.loads(line)), sort_keys=True) for line in lines]
    text = "".join(f"{line}\n" for line in dict.fromkeys(kept))
    (_TARGET / "agent.ndjson").write_text(text, encoding="utf-8")
    print(f"agent.ndjson: {len(kept)} events, {len(text):,} bytes")


def run(name: str, python: str, settings: dict[str, str], *arguments: str) -> Path:
    """Run a job of `export_logs`; return its log."""
    shutil.rmtree(_ROOT, ignore_errors=True)
    _ROOT.mkdir(parents=True)
    job = _ROOT / f"{name}.py"
    shutil.copyfile(_SCRIPTS / "export_logs" / job.name, job)
    submitted = options({"spark.sql.shuffle.partitions": "1", **settings})
    return run_job([str(job), str(_ROOT), *arguments], python, _ROOT, submitted)


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
