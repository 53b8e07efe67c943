"""An Airflow DAG (2.4 and newer, 3.x): a harvest every night at 02:30 UTC, on workers that have `eventlog-lineage`.

The harvest itself finds out what is new, so that runs need no dates, are not caught up, and can be tried again at will.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

try:
    from airflow.providers.standard.operators.bash import BashOperator
except ImportError:  # Airflow 2 without the provider
    from airflow.operators.bash import BashOperator
from airflow import DAG

UNREADABLE = 3
"""The exit code of a harvest that is done, but for logs that could not be read: the task is shown as skipped."""

with DAG(
    dag_id="eventlog_lineage",
    description="Lineage from Spark's event logs",
    schedule="30 2 * * *",
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=15), "execution_timeout": timedelta(hours=8)},
    tags=["lineage"],
) as dag:
    BashOperator(
        task_id="harvest",
        bash_command="eventlog-lineage harvest --json --log-level info --log-format json",
        env={"EVENTLOG_LINEAGE_CONFIG": "/etc/eventlog-lineage.toml"},
        append_env=True,
        skip_on_exit_code=UNREADABLE,
    )
