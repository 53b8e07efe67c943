"""Find the scheduler's task in Spark properties, and in the comment that dbt writes into SQL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from eventlog_lineage.events.records import SchedulerTask

from .json_fields import UnreadableLine, label, parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_AIRFLOW_PREFIXES = (
    "spark.yarn.appMasterEnv.AIRFLOW_CTX_",
    "spark.kubernetes.driverEnv.AIRFLOW_CTX_",
    "spark.executorEnv.AIRFLOW_CTX_",
)
"""Where the variables that Airflow sets for a task are passed to a driver (`context_to_airflow_vars`)."""
_AIRFLOW_HADOOP = "spark.hadoop.airflow.ctx."
"""The same as properties of Hadoop, as Airflow's hooks for Hive pass them."""
_KUBERNETES_LABEL = "spark.kubernetes.driver.label."
"""Labels of the driver: `SparkKubernetesOperator` sets dag_id, task_id and run_id."""
_JOB_CLUSTER = re.compile(r"job-(\d{1,30})-run-(\d{1,30})")
"""The name of a job's own cluster on Databricks."""
_DATAPROC_TAG = re.compile(r"dataproc_job_([\w-]{1,300})")
_DBT = re.compile(r"/\*\s{0,8}(\{[^{}*]{0,2000}\"app\":\s{0,8}\"dbt\"[^{}*]{0,2000}\})\s{0,8}\*/")


def scheduler_of(properties: Mapping[str, Any]) -> SchedulerTask | None:
    """Return the scheduler's task that the properties of an application or a job name; None if they name none.

    The scheduler that knows more about the task has precedence: Airflow over the cluster service that runs its job.

    Args:
        properties: Spark properties (`SparkListenerEnvironmentUpdate`), or the local properties of a job.
    """
    if _NAMES.isdisjoint(properties):  # most jobs
        return None
    return next((task for find in _FINDERS if (task := find(properties)) is not None), None)


def dbt_task(sql: str) -> SchedulerTask | None:
    """Return dbt's node in the comment that dbt writes into each statement (`query-comment`); None if there is none.

    >>> dbt_task('/* {"app": "dbt", "node_id": "model.shop.orders"} */ create table t as select 1').task
    'model.shop.orders'
    """
    found = _DBT.search(sql) if '"dbt"' in sql else None
    if found is None:
        return None
    try:
        fields = parsed(found[1].encode("utf-8", "replace"))
    except UnreadableLine:
        return None
    node, target = label(fields.get("node_id")), label(fields.get("target_name"))
    return SchedulerTask("dbt", node, target) if node else None


def _airflow(properties: Mapping[str, Any]) -> SchedulerTask | None:
    for prefix in _AIRFLOW_PREFIXES:
        if f"{prefix}DAG_ID" in properties:
            names = (f"{prefix}DAG_ID", f"{prefix}TASK_ID", f"{prefix}DAG_RUN_ID")
            return _named(properties, "airflow", *names)
    if f"{_AIRFLOW_HADOOP}dag_id" in properties:
        names = (f"{_AIRFLOW_HADOOP}dag_id", f"{_AIRFLOW_HADOOP}task_id", f"{_AIRFLOW_HADOOP}dag_run_id")
        return _named(properties, "airflow", *names)
    if f"{_KUBERNETES_LABEL}dag_id" in properties:
        names = (f"{_KUBERNETES_LABEL}dag_id", f"{_KUBERNETES_LABEL}task_id", f"{_KUBERNETES_LABEL}run_id")
        return _named(properties, "airflow", *names)
    return None


def _oozie(properties: Mapping[str, Any]) -> SchedulerTask | None:
    """Return the action of a workflow; Oozie passes its properties with the prefix `spark.` (`SparkArgsExtractor`).

    `oozie.action.id` is `<workflow>@<action>`. `oozie.job.info` (if `oozie.action.jobinfo.enable` is set) has the
    workflow's name as well.
    """
    workflow, _, action = label(properties.get("spark.oozie.action.id")).partition("@")
    facts = label(properties.get("spark.oozie.job.info")).split(",")
    info = dict(fact.split("=", 1) for fact in facts if "=" in fact)
    action = info.get("action.name", action)
    return _task("oozie", info.get("wf.name", ""), action, info.get("wf.id", workflow))


def _openlineage(properties: Mapping[str, Any]) -> SchedulerTask | None:
    """Return the parent job that Airflow and others inject for OpenLineage's listener; Airflow's is `<dag>.<task>`."""
    return _named(properties, "openlineage", "", "spark.openlineage.parentJobName", "spark.openlineage.parentRunId")


def _databricks(properties: Mapping[str, Any]) -> SchedulerTask | None:
    """Return the job in a Databricks job's local properties, or in the name of its own cluster."""
    job = label(properties.get("spark.databricks.job.id"))
    if job:
        run = properties.get("spark.databricks.job.parentRunId") or properties.get("spark.databricks.job.runId")
        return _task("databricks", job, label(properties.get("spark.databricks.job.taskKey")), label(run))
    cluster = _JOB_CLUSTER.match(label(properties.get("spark.databricks.clusterUsageTags.clusterName")))
    return _task("databricks", "", cluster[1], cluster[2]) if cluster else None


def _synapse(properties: Mapping[str, Any]) -> SchedulerTask | None:
    """Return the activity of a pipeline in Synapse or Fabric, or the notebook."""
    prefix = "spark.synapse.context."
    activity = label(properties.get(f"{prefix}activityname")) or label(properties.get(f"{prefix}notebookname"))
    return _task("synapse", "", activity, label(properties.get(f"{prefix}pipelinejobid")))


def _glue(properties: Mapping[str, Any]) -> SchedulerTask | None:
    return _named(properties, "glue", "", "spark.glue.JOB_NAME", "spark.glue.JOB_RUN_ID")


def _dataproc(properties: Mapping[str, Any]) -> SchedulerTask | None:
    tag = _DATAPROC_TAG.search(label(properties.get("spark.yarn.tags")))
    return _task("dataproc", "", tag[1], "") if tag else None


_FINDERS: tuple[Callable[[Mapping[str, Any]], SchedulerTask | None], ...] = (
    _airflow,
    _oozie,
    _openlineage,
    _databricks,
    _synapse,
    _glue,
    _dataproc,
)


_NAMES = frozenset(
    (
        *(f"{prefix}DAG_ID" for prefix in _AIRFLOW_PREFIXES),
        f"{_AIRFLOW_HADOOP}dag_id",
        f"{_KUBERNETES_LABEL}dag_id",
        "spark.oozie.action.id",
        "spark.oozie.job.info",
        "spark.openlineage.parentJobName",
        "spark.databricks.job.id",
        "spark.databricks.clusterUsageTags.clusterName",
        "spark.synapse.context.activityname",
        "spark.synapse.context.notebookname",
        "spark.glue.JOB_NAME",
        "spark.yarn.tags",
    )
)
"""The properties of which each scheduler sets at least one."""


def _named(properties: Mapping[str, Any], scheduler: str, group: str, task: str, run: str) -> SchedulerTask | None:
    """Return a task by the names of the properties that hold its group, its name and its run.

    Args:
        run: The property that holds the run; empty if there is none.
    """
    return _task(scheduler, *(label(properties.get(name)) if name else "" for name in (group, task, run)))


def _task(scheduler: str, group: str, task: str, run: str) -> SchedulerTask | None:
    name = ".".join(filter(None, (group, task)))
    return SchedulerTask(scheduler, name, run) if name else None
