"""The task of a scheduler that ran an application or a statement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SchedulerTask:
    """A task of a scheduler.

    Attributes:
        scheduler: `airflow`, `databricks`, `dataproc`, `dbt`, `glue`, `oozie`, `synapse`; `openlineage` for a parent
            job that OpenLineage's properties name.
        task: The task, as the scheduler names it: `nightly.load_orders`, `model.shop.orders`, a job's number.
        run: Its run, as the scheduler names it; empty if the log does not show it.
    """

    scheduler: str
    task: str
    run: str = ""
