"""Columns of executions: the statement's SQL, the scheduler's task, the cost."""

from __future__ import annotations

from .declaration import LONG, TEXT, Column

STATEMENT_FACTS = (
    Column("sql_text", TEXT, "The statement's SQL, redacted and cut at 10,000 characters; NULL if the log omits it."),
    Column(
        "user_name",
        TEXT,
        "Who sent the statement to a server (Connect, Thrift); NULL: the user of its application, if it is known.",
    ),
    Column("scheduler", TEXT, "airflow, dbt, databricks, oozie, synapse, glue …; NULL if no property names one."),
    Column("scheduler_task", TEXT, "The scheduler's task that ran it: `nightly.load_orders`, `model.shop.orders`."),
    Column("scheduler_run", TEXT, "The task's run, as the scheduler names it; dbt's target."),
)
"""Where a statement comes from: its SQL and its scheduler."""

COST = (
    Column(
        "executor_run_ms", LONG, "Time of executors in tasks; a root has that of its whole statement. NULL: unknown."
    ),
    Column("executor_cpu_ms", LONG, "CPU time of tasks, without native engines and Python workers."),
    Column("input_bytes", LONG, "Bytes read from storage."),
    Column("shuffle_read_bytes", LONG, "Bytes read from shuffles."),
    Column("shuffle_write_bytes", LONG, "Bytes written to shuffles."),
    Column("memory_spilled_bytes", LONG, "Bytes spilled to disk, as they were in memory."),
    Column("disk_spilled_bytes", LONG, "The same bytes, as they are on disk."),
)
"""What it costs; the fields of `RunCost`."""
