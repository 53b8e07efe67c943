"""Runs the examples for Airflow and Dagster against the real packages.

    python scripts/try_examples.py [--venvs FOLDER]

Makes a virtual environment for each (packages from PyPI), and runs a harvest of a sample log with the operator and with
the asset and its check. The harvest itself is that of this checkout. The exit code is 0 if both work.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "tests" / "sample_logs" / "nightly-sales-3-5.zstd"
PACKAGES = {"airflow": ["apache-airflow-task-sdk"], "dagster": ["dagster"]}

PROGRAMS = {
    "airflow": """
import sys
from airflow_operator import HarvestOperator, dag
assert [task.task_id for task in dag.tasks] == ["harvest"]
program, log, store = sys.argv[1:]
task = HarvestOperator(task_id="try", sources=[log], store=store, program=program)
execute = getattr(HarvestOperator.execute, "__wrapped__", HarvestOperator.execute)
summary = execute(task, {})
assert summary["logs_read"] == 1, summary
print("airflow:", summary["executions"], "executions")
""",
    "dagster": """
import sys
from dagster import materialize
from dagster_asset import lineage_store, no_personal_data_unmasked
program, log, store = sys.argv[1:]
config = {"config": {"sources": [log], "store": store}}
ops = {"lineage_store": config, "lineage_store_no_personal_data_unmasked": config}
done = materialize([lineage_store, no_personal_data_unmasked], run_config={"ops": ops})
(made,) = done.asset_materializations_for_node("lineage_store")
(check,) = done.get_asset_check_evaluations()
assert made.metadata["logs_read"].value == 1
print("dagster:", made.metadata["executions"].value, "executions; check passed:", check.passed)
""",
}


def main() -> int:
    """Run the examples and print what each does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venvs", type=Path, help="a folder for the environments, which stay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.venvs or Path(temporary)
        return max(run_example(name, folder, Path(temporary)) for name in PACKAGES)


def run_example(name: str, venvs: Path, scratch: Path) -> int:
    """Run an example in its environment; return the exit code."""
    python = venvs / name / "bin" / "python"
    if not python.exists():
        venv.create(venvs / name, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES[name]], check=True)
    program = scratch / "eventlog-lineage"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT / "src"} exec {sys.executable} -m eventlog_lineage "$@"\n')
    program.chmod(0o755)
    settings = {**os.environ, "PYTHONPATH": str(ROOT / "examples"), "EVENTLOG_LINEAGE_PROGRAM": str(program)}
    settings |= {"AIRFLOW_HOME": str(scratch / "airflow"), "DAGSTER_HOME": ""}
    words = [python, "-c", PROGRAMS[name], program, LOG, scratch / name]
    return subprocess.run(list(map(str, words)), env=settings, check=False, cwd=scratch).returncode


if __name__ == "__main__":
    sys.exit(main())
