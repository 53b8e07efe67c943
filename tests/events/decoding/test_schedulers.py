"""The scheduler's task is found in the properties that schedulers set, and in dbt's comment."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from eventlog_lineage.events import listener_events
from eventlog_lineage.events.decoding.core_events import dbt_task, scheduler_of
from eventlog_lineage.events.decoding.decoders import decode
from eventlog_lineage.events.decoding.sql_descriptions import is_sql
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.records import SchedulerTask
from support.event_logs import UI, line

AIRFLOW = SchedulerTask("airflow", "nightly.load_orders", "scheduled__2026-11-20")


@pytest.mark.parametrize(
    ("properties", "task"),
    [
        (
            {
                "spark.yarn.appMasterEnv.AIRFLOW_CTX_DAG_ID": "nightly",
                "spark.yarn.appMasterEnv.AIRFLOW_CTX_TASK_ID": "load_orders",
                "spark.yarn.appMasterEnv.AIRFLOW_CTX_DAG_RUN_ID": "scheduled__2026-11-20",
                "spark.yarn.tags": "dataproc_job_ab12",
            },
            AIRFLOW,
        ),
        (
            {
                "spark.kubernetes.driver.label.dag_id": "nightly",
                "spark.kubernetes.driver.label.task_id": "load_orders",
                "spark.kubernetes.driver.label.run_id": "scheduled__2026-11-20",
            },
            AIRFLOW,
        ),
        (
            {
                "spark.hadoop.airflow.ctx.dag_id": "nightly",
                "spark.hadoop.airflow.ctx.task_id": "load_orders",
                "spark.hadoop.airflow.ctx.dag_run_id": "scheduled__2026-11-20",
            },
            AIRFLOW,
        ),
        (
            {"spark.openlineage.parentJobName": "nightly.load_orders", "spark.openlineage.parentRunId": "0193"},
            SchedulerTask("openlineage", "nightly.load_orders", "0193"),
        ),
        (
            {"spark.oozie.action.id": "0000202-170613162811875-oozie-root-W@load"},
            SchedulerTask("oozie", "load", "0000202-170613162811875-oozie-root-W"),
        ),
        (
            {
                "spark.oozie.action.id": "0000202-oozie-W@load",
                "spark.oozie.job.info": "wf.id=0000202-oozie-W,wf.name=nightly,action.type=spark,action.name=load",
            },
            SchedulerTask("oozie", "nightly.load", "0000202-oozie-W"),
        ),
        (
            {
                "spark.databricks.job.id": "42",
                "spark.databricks.job.taskKey": "load",
                "spark.databricks.job.parentRunId": "77",
                "spark.databricks.job.runId": "78",
            },
            SchedulerTask("databricks", "42.load", "77"),
        ),
        (
            {"spark.databricks.clusterUsageTags.clusterName": "job-42-run-77-main"},
            SchedulerTask("databricks", "42", "77"),
        ),
        (
            {"spark.synapse.context.activityname": "load", "spark.synapse.context.pipelinejobid": "a-b"},
            SchedulerTask("synapse", "load", "a-b"),
        ),
        ({"spark.glue.JOB_NAME": "load", "spark.glue.JOB_RUN_ID": "jr_1"}, SchedulerTask("glue", "load", "jr_1")),
        ({"spark.yarn.tags": "a,dataproc_job_ab-12,b"}, SchedulerTask("dataproc", "ab-12")),
        ({"spark.databricks.clusterUsageTags.clusterName": "shared"}, None),
        ({"spark.oozie.action.id": ""}, None),
        ({"spark.yarn.tags": ["x"], "spark.glue.JOB_NAME": None}, None),
        ({}, None),
    ],
)
def test_a_scheduler_is_known_by_its_properties(properties: Mapping[str, object], task: SchedulerTask | None) -> None:
    assert scheduler_of(properties) == task


def test_applications_and_jobs_have_the_task_that_ran_them() -> None:
    glue = {"spark.glue.JOB_NAME": "load"}
    environment = decode(line("SparkListenerEnvironmentUpdate", Spark_Properties=glue, Hadoop_Properties={}))
    assert isinstance(environment, listener_events.Environment)
    assert environment.scheduler == SchedulerTask("glue", "load")
    properties = {"spark.sql.execution.id": "3", "spark.databricks.job.id": "42"}
    job = decode(line("SparkListenerJobStart", Job_ID=1, Stage_IDs=[1], Properties=properties))
    assert isinstance(job, listener_events.JobStart)
    assert job.scheduler == SchedulerTask("databricks", "42")


@pytest.mark.parametrize(
    ("sql", "task"),
    [
        (
            '/* {"app": "dbt", "target_name": "prod", "node_id": "model.shop.orders"} */ create table t as select 1',
            "prod",
        ),
        (
            'create table t as select 1 /* {"app": "dbt", "node_id": "model.shop.orders", "target_name": "prod"} */',
            "prod",
        ),
        ('/*{"app":"dbt","node_id":"model.shop.orders"}*/ select 1', ""),
    ],
)
def test_dbt_names_its_node_in_a_comment(sql: str, task: str) -> None:
    assert dbt_task(sql) == SchedulerTask("dbt", "model.shop.orders", task)


@pytest.mark.parametrize(
    "sql",
    [
        "select 'dbt'",
        '/* {"app": "dbt"} */ select 1',
        '/* {"app": "dbt", "node_id": } */ select 1',
        '/* {"app": "dbt" ',
    ],
)
def test_other_comments_name_no_task(sql: str) -> None:
    assert dbt_task(sql) is None


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "select a from t",
        "-- nightly\n/* load */ (SELECT * FROM t)",
        "with x as (select 1) select * from x",
        "INSERT OVERWRITE TABLE t SELECT 1",
        "merge into t using s on t.k = s.k when matched then delete",
        "UPDATE t AS x SET a = 1",
        "delete from t",
        "CREATE OR REPLACE TEMPORARY VIEW v AS SELECT 1",
        "create external table t (a int)",
        "from orders insert into t select a",
        "CALL cat.system.expire_snapshots('db.t')",
        "OPTIMIZE db.orders",
        "drop table t",
    ],
)
def test_statements_are_sql(text: str) -> None:
    assert is_sql(text)


@pytest.mark.parametrize(
    "text",
    [
        "insert at Load.scala:12",
        "save at NativeMethodAccessorImpl.java:0",
        "Select customers",
        "Update the totals",
        "with care",
        "from here to there",
        "Optimize joins",
        "call me",
        "/* select 1",
        "(" * 5000,
        "",
    ],
)
def test_sentences_and_call_sites_are_not_sql(text: str) -> None:
    assert not is_sql(text)


def test_a_description_that_is_sql_is_kept_at_length_without_secrets_and_literals() -> None:
    sql = "SELECT 'x' AS a, " + ", ".join(f"c{n}" for n in range(400)) + " FROM t WHERE password = 'hunter2'"
    event = decode(line(f"{UI}SQLExecutionStart", executionId=1, description=sql, physicalPlanDescription="p", time=1))
    assert isinstance(event, listener_events.ExecutionStart)
    assert (len(event.description), event.described_sql) == (1000, sql)
    redacted = ReadOptions(mask_literals=True).event(event)
    assert isinstance(redacted, listener_events.ExecutionStart)
    assert redacted.described_sql.startswith("SELECT ? AS a, c0")
    assert "hunter2" not in redacted.described_sql
    other = decode(
        line(f"{UI}SQLExecutionStart", executionId=1, description="load", physicalPlanDescription="p", time=1)
    )
    assert isinstance(other, listener_events.ExecutionStart)
    assert other.described_sql == ""
