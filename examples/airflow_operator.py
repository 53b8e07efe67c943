"""An Airflow operator (3.x) for a harvest, and a DAG with it: `python scripts/try_examples.py` runs both.

The harvest is a process of its own: workers need the command `eventlog-lineage`, Airflow's Python needs no package.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from airflow.sdk import DAG, BaseOperator

UNREADABLE = 3
"""The exit code of a harvest that is done, but for logs that could not be read."""


class HarvestOperator(BaseOperator):
    """Harvest what is new; the summary of the harvest is the task's result (XCom).

    Args:
        sources: Event logs, folders, globs, URIs.
        store: The store's folder or URL.
        options: More words for the command, such as `--declared owners.toml`.
        program: The command.
    """

    template_fields: Sequence[str] = ("sources", "store", "options")

    def __init__(
        self,
        *,
        sources: Sequence[str],
        store: str,
        options: Sequence[str] = (),
        program: str = "eventlog-lineage",
        **task: Any,
    ) -> None:
        super().__init__(**task)
        self.sources = list(sources)
        self.store = store
        self.options = list(options)
        self.program = program

    def execute(self, context: object) -> dict[str, Any]:
        """Run the harvest."""
        words = [self.program, "harvest", *self.sources, "--store", self.store, "--json", *self.options]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode not in {0, UNREADABLE}:
            raise RuntimeError(done.stderr.strip() or f"exit code {done.returncode}")
        summary: dict[str, Any] = json.loads(done.stdout)
        self.log.info("%s logs read, %s gaps", summary["logs_read"], summary["gaps"])
        return summary


with DAG(
    dag_id="lineage",
    schedule="30 2 * * *",
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
) as dag:
    HarvestOperator(task_id="harvest", sources=["hdfs:///spark-logs"], store="/data/lineage")
