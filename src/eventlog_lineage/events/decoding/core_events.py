"""Decode events of Spark's core: `org.apache.spark.scheduler.SparkListener*` as `JsonProtocol` writes them.

The version of an application's code follows from what `spark-submit` was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from eventlog_lineage.events.decoding.line_filter import (
    UnreadableLine,
    items,
    label,
    mapping,
    needed,
    number,
    parsed,
    words,
)
from eventlog_lineage.events.listener_events import (
    ApplicationEnd,
    ApplicationStart,
    Environment,
    JobFailed,
    JobStart,
    LogStart,
    StageMetrics,
)
from eventlog_lineage.events.records import MOST, JobFacts, RddRows, RunCost, SchedulerTask
from eventlog_lineage.redaction import shortened

from .spark_conf import agents_of, engine_of, kept_settings, platform_of, session_sources
from .sql_descriptions import is_sql

if TYPE_CHECKING:
    from collections.abc import Callable

_AIRFLOW = tuple(
    tuple(f"{prefix}{name}" for name in names.split())
    for prefix, names in (
        ("spark.yarn.appMasterEnv.AIRFLOW_CTX_", "DAG_ID TASK_ID DAG_RUN_ID"),
        ("spark.kubernetes.driverEnv.AIRFLOW_CTX_", "DAG_ID TASK_ID DAG_RUN_ID"),
        ("spark.executorEnv.AIRFLOW_CTX_", "DAG_ID TASK_ID DAG_RUN_ID"),
        ("spark.hadoop.airflow.ctx.", "dag_id task_id dag_run_id"),
        ("spark.kubernetes.driver.label.", "dag_id task_id run_id"),
    )
)
"""The properties of Airflow's DAG, task and run, wherever they are passed to a driver.

The first three are variables that Airflow sets for a task (`context_to_airflow_vars`), the fourth those that its hooks
for Hive pass as properties of Hadoop, the last the labels that `SparkKubernetesOperator` sets.
"""
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
    names = next((each for each in _AIRFLOW if each[0] in properties), None)
    return _task("airflow", *(label(properties.get(name)) for name in names)) if names else None


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


def _dataproc(properties: Mapping[str, Any]) -> SchedulerTask | None:
    tag = _DATAPROC_TAG.search(label(properties.get("spark.yarn.tags")))
    return _task("dataproc", "", tag[1], "") if tag else None


_NAMES = frozenset(
    (
        *(dag for dag, *_ in _AIRFLOW),
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


def _named(scheduler: str, task: str, run: str, properties: Mapping[str, Any]) -> SchedulerTask | None:
    """Return a task by the names of the properties that hold its name and its run."""
    return _task(scheduler, "", label(properties.get(task)), label(properties.get(run)))


def _task(scheduler: str, group: str, task: str, run: str) -> SchedulerTask | None:
    name = ".".join(filter(None, (group, task)))
    return SchedulerTask(scheduler, name, run) if name else None


_FINDERS: tuple[Callable[[Mapping[str, Any]], SchedulerTask | None], ...] = (
    _airflow,
    _oozie,
    partial(_named, "openlineage", "spark.openlineage.parentJobName", "spark.openlineage.parentRunId"),
    _databricks,
    _synapse,
    partial(_named, "glue", "spark.glue.JOB_NAME", "spark.glue.JOB_RUN_ID"),
    _dataproc,
)
"""OpenLineage's is the parent job that Airflow and others inject for its listener; Airflow's is `<dag>.<task>`."""


_SQL_RDD = "SQLExecutionRDD"
"""`QueryExecution.toRdd` (3.1+)."""
_CALLS = ("javaToPython", "rdd at ")
_JAVA_CALL = "JavaRDD at "
"""Call sites of RDDs that leave Spark SQL, among others (2.x, 3.0)."""
_SCAN = re.compile(r"(?:Batch)?Scan (?!ExistingRDD)")
_STAGE = re.compile(r"WholeStageCodegen \((\d{1,9})\)")
_MOST_RDDS = 500


class _Rdd(NamedTuple):
    """An RDD of a job.

    Attributes:
        scopes: The operator or method that made it, and those around that (`RDDOperationScope`).
    """

    number: int
    name: str
    scopes: tuple[str, ...]
    call_site: str
    parents: tuple[int, ...]

    @property
    def scope(self) -> str:
        """Return the operator or method that made it: `SparkPlan.execute` names it by the operator."""
        return self.scopes[0] if self.scopes else ""

    @property
    def leaves(self) -> bool:
        """Return whether its rows are outside Spark SQL."""
        is_call = self.call_site.startswith(_CALLS) or _JAVA_CALL in self.call_site
        return self.name == _SQL_RDD or (is_call and self.scope.startswith("map"))


def rdds_of(stages: Iterable[object]) -> Iterator[_Rdd]:
    """Yield the RDDs of a job's stages; one of several stages several times."""
    for rdd in (mapping(each) for stage in stages for each in items(mapping(stage).get("RDD Info"))):
        parents = tuple(each for each in map(number, items(rdd.get("Parent IDs"))) if each is not None)
        scopes = tuple(_scopes(words(rdd.get("Scope"))))
        yield _Rdd(needed(rdd, "RDD ID"), words(rdd.get("Name")), scopes, words(rdd.get("Callsite")), parents)


def _scopes(text: str) -> Iterator[str]:
    """Yield the names of a scope, JSON within JSON, and of the scopes around it."""
    try:
        scope = mapping(orjson.loads(text or "null"))
    except orjson.JSONDecodeError:
        return
    while scope:
        yield words(scope.get("name"))
        scope = mapping(scope.get("parent"))


def rdd_rows(found: Iterable[_Rdd]) -> tuple[RddRows, ...]:
    """Return the RDDs of a job that hold rows of scans outside Spark SQL, with these scans."""
    rdds = {rdd.number: rdd for rdd in found}
    if len(rdds) > _MOST_RDDS or not any(rdd.leaves for rdd in rdds.values()):
        return ()
    return tuple(rows for rdd in sorted(rdds) if (rows := _rows_of(rdd, rdds)))


def _rows_of(rdd: int, rdds: Mapping[int, _Rdd]) -> RddRows | None:
    made_of = _ancestors(rdd, rdds)
    outside = [each for each in made_of if rdds[each].leaves]
    scans = [rdds[each].scope for each in sorted(made_of) if _is_scan(rdds[each], rdds)]
    if not outside or not scans:
        return None
    names = tuple(dict.fromkeys(name.strip() for name in scans))
    return RddRows(rdd, names, any(_lacks_stages(_ancestors(each, rdds), rdds) for each in outside))


def _is_scan(rdd: _Rdd, rdds: Mapping[int, _Rdd]) -> bool:
    """Return whether an RDD reads a source; `Scan mine` reads the RDD that the program names `mine`."""
    names = {rdds[each].name for each in rdd.parents if each in rdds}
    return _SCAN.match(rdd.scope) is not None and rdd.scope.removeprefix("Scan ").strip() not in names


def _ancestors(number: int, rdds: Mapping[int, _Rdd]) -> set[int]:
    """Return an RDD and all RDDs of the job that it is made of."""
    found: set[int] = set()
    waiting = [number]
    while waiting:
        each = waiting.pop()
        if each in rdds and each not in found:
            found.add(each)
            waiting.extend(rdds[each].parents)
    return found


def _lacks_stages(made_of: set[int], rdds: Mapping[int, _Rdd]) -> bool:
    """Return whether an RDD is not made of all stages of its query: a side of a join is broadcast by another job.

    Spark numbers the stages of a query from 1 (`CodegenContext`, `CollapseCodegenStages`).
    """
    stages = {int(match[1]) for each in made_of if (match := _STAGE.match(rdds[each].scope))}
    return bool(stages) and len(stages) < max(stages)


_STATED = ("spark.app.version", "spark.app.commit", "spark.app.gitCommit", "spark.app.revision", "spark.app.build")
"""Settings that name nothing else; Spark itself has none of them."""
_LABELS = ("spark.kubernetes.driver.label.app.kubernetes.io/version", "spark.kubernetes.driver.label.version")
_IMAGES = ("spark.kubernetes.driver.container.image", "spark.kubernetes.container.image")
_CODE = (
    "spark.submit.pyFiles",
    "spark.yarn.dist.pyFiles",
    "spark.archives",
    "spark.yarn.dist.archives",
    "spark.yarn.dist.files",
    "spark.files",
)
_JARS = "spark.jars"
"""`SparkSubmit` appends the application's own jar to those of `--jars` and `--packages` (2.4 to 4.3)."""

_VERSION = re.compile(r"[\w.+-]{1,100}")
_IMAGE = re.compile(
    r"(?:.*/)?(?P<name>[\w.-]{1,100})(?::(?P<tag>[\w.-]{1,128}))?(?:@sha256:(?P<digest>[0-9a-f]{12})[0-9a-f]*)?"
)
_MOVING = frozenset({"latest", "stable", "main", "master", "dev", "prod", "production"})
"""Tags that name no version."""
_FILE = re.compile(r"(?:.*/)?(?P<file>[\w.+-]{1,200}?)(?:#.*)?")
_NUMBERED = re.compile(r"[-_.](?:v?\d+(?:\.\d+)+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![0-9a-z]))")


def code_version_of(properties: Mapping[str, object]) -> str | None:
    """Return the version of the application's code; None if no setting names one.

    The first of: a setting or label for it (`1.4.2`), the driver's image (`sales:1.4.2`, `sales@sha256:3f9c…`), the
    Python files, archives and files that were submitted, the application's jar (`sales-1.4.2.jar`), if their names have
    a version or a hash. Folders, registries and their credentials are left out.
    """
    return next(_versions({key: value for key, value in properties.items() if isinstance(value, str)}), None)


def _versions(properties: Mapping[str, str]) -> Iterator[str]:
    stated = (properties.get(key, "").strip() for key in (*_STATED, *_LABELS))
    yield from (value for value in stated if _VERSION.fullmatch(value))
    yield from filter(None, (_image_version(properties.get(key, "").strip()) for key in _IMAGES))
    files = ",".join(properties.get(key, "") for key in _CODE).split(",")
    yield from filter(None, map(_numbered_file, (*files, properties.get(_JARS, "").rpartition(",")[2])))


def _image_version(name: str) -> str:
    image = _IMAGE.fullmatch(name)
    if image and image["digest"]:
        return f"{image['name']}@sha256:{image['digest']}"
    return f"{image['name']}:{image['tag']}" if image and (image["tag"] or "latest").lower() not in _MOVING else ""


def _numbered_file(path: str) -> str:
    """Return the name of a file with a version or a hash in it; empty for others."""
    found = _FILE.fullmatch(path.strip().partition("?")[0])
    return found["file"] if found and _NUMBERED.search(found["file"]) else ""


ERROR_LENGTH = 4000
"""Longest stored error message, in characters: its first lines; stack traces follow."""

DESCRIPTION_LENGTH = 2000
"""Longest stored description of a job, in characters: Hudi's list paths, and the first one is sufficient."""

STATEMENT_LENGTH = 10_000
"""Longest stored SQL of a statement, in characters."""

_COSTS = {
    "internal.metrics.executorRunTime": 0,
    "internal.metrics.executorCpuTime": 1,
    "internal.metrics.input.bytesRead": 2,
    "internal.metrics.shuffle.read.localBytesRead": 3,
    "internal.metrics.shuffle.read.remoteBytesRead": 3,
    "internal.metrics.shuffle.write.bytesWritten": 4,
    "internal.metrics.memoryBytesSpilled": 5,
    "internal.metrics.diskBytesSpilled": 6,
    "internal.metrics.output.recordsWritten": 7,
}
"""Accumulators of `TaskMetrics` (`InternalAccumulator`, 2.0 to 4.3) to the field of `RunCost` that they add to.

Each attempt of a stage has its own; accumulators without a value are not printed (`DAGScheduler.updateAccumulators`).
"""
_INHERITED = ("fs.defaultFS", "hive.metastore.uris")
_SCANS = 50
"""Limit of the scans that are kept per job."""


def log_start(line: bytes) -> LogStart:
    """Read `SparkListenerLogStart`."""
    return LogStart(label(parsed(line).get("Spark Version")))


def part_start(line: bytes) -> LogStart:
    """Read Databricks' `DBCEventLoggingListenerMetadata`."""
    fields = parsed(line)
    return LogStart(label(fields.get("Spark Version")), "databricks", number(fields.get("Rollover Number")))


def application_start(line: bytes) -> ApplicationStart:
    """Read `SparkListenerApplicationStart`; id and attempt are missing under some cluster managers."""
    fields = parsed(line)
    return ApplicationStart(
        label(fields.get("App ID")),
        label(fields.get("App Attempt ID")),
        label(fields.get("App Name")),
        label(fields.get("User")),
        number(fields.get("Timestamp")),
    )


def application_end(line: bytes) -> ApplicationEnd:
    """Read `SparkListenerApplicationEnd`."""
    return ApplicationEnd(number(parsed(line).get("Timestamp")))


def environment(line: bytes) -> Environment:
    """Read `SparkListenerEnvironmentUpdate`; only allowed Spark and Hadoop properties are kept."""
    fields = parsed(line)
    properties, hadoop = mapping(fields.get("Spark Properties")), mapping(fields.get("Hadoop Properties"))
    inherited = {f"spark.hadoop.{key}": hadoop[key] for key in _INHERITED if key in hadoop}
    return Environment(
        kept_settings({**inherited, **properties}),
        platform_of(properties),
        engine_of(properties),
        agents_of(properties),
        scheduler_of(properties),
        code_version_of(properties),
    )


def job_start(line: bytes) -> JobStart | None:
    """Read `SparkListenerJobStart`; None for a job without a SQL execution."""
    if b'"spark.sql.execution.id":' not in line:
        return None
    fields = parsed(line)
    properties = mapping(fields.get("Properties"))
    execution_id = number(properties.get("spark.sql.execution.id"))
    if execution_id is None:
        return None
    description = words(properties.get("spark.job.description"))
    rdds = list(rdds_of(items(fields.get("Stage Infos"))))
    scopes = (*(scope for rdd in rdds for scope in rdd.scopes), *_scopes(words(properties.get("spark.rdd.scope"))))
    return JobStart(
        needed(fields, "Job ID"),
        execution_id,
        number(properties.get("spark.sql.execution.root.id")),
        tuple(stage for item in items(fields.get("Stage IDs")) if (stage := number(item)) is not None),
        label(properties.get("spark.jobGroup.id")),
        label(properties.get("sql.streaming.queryId")),
        number(properties.get("streaming.sql.batchId")),
        shortened(description, STATEMENT_LENGTH if is_sql(description) else DESCRIPTION_LENGTH),
        JobFacts(None, _scans(scopes), _checkpoints(rdds), rdd_rows(rdds), session_sources(properties)),
        scheduler_of(properties),
    )


def _scans(scopes: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct scans among the scopes of a job and its RDDs."""
    found = dict.fromkeys(scope for scope in scopes if scope.startswith(("Scan ", "BatchScan ")))
    return tuple(scope.strip() for scope in found)[:_SCANS]


def _checkpoints(rdds: Iterable[_Rdd]) -> tuple[int, ...]:
    """Return the RDDs like that of a checkpoint's rows: `Dataset.checkpoint` copies each row by `map` (2.1 to 4.3)."""
    found = (rdd.number for rdd in rdds if rdd.name == "MapPartitionsRDD" and rdd.scopes == ("map",))
    return tuple(dict.fromkeys(found))[:_SCANS]


def job_end(line: bytes) -> JobFailed | None:
    """Read `SparkListenerJobEnd`; None for a job that succeeded."""
    if b'"Result":"JobSucceeded"' in line:
        return None
    fields = parsed(line)
    result = mapping(fields.get("Job Result"))
    if result.get("Result") == "JobSucceeded":
        return None
    return JobFailed(
        needed(fields, "Job ID"), shortened(words(mapping(result.get("Exception")).get("Message")), ERROR_LENGTH)
    )


def stage_completed(line: bytes) -> StageMetrics | None:
    """Read `SparkListenerStageCompleted`; None for a stage without SQL metrics and task metrics."""
    if b'"Metadata":"sql"' not in line and b'"Name":"internal.metrics.' not in line:
        return None
    info = mapping(parsed(line).get("Stage Info"))
    return StageMetrics(needed(info, "Stage ID"), *_sums(items(info.get("Accumulables"))))


def _sums(accumulables: list[object]) -> tuple[tuple[tuple[int, int], ...], RunCost | None]:
    """Return the SQL accumulators of a stage, (id, value), and the sums of its task metrics; None without any."""
    values: list[tuple[int, int]] = []
    sums, has_task_metrics = [0] * 8, False
    for fields in accumulables:
        if type(fields) is not dict:
            continue
        if fields.get("Metadata") == "sql":
            accumulator, value = number(fields.get("ID")), number(fields.get("Value"))
            if accumulator is not None and value is not None:
                values.append((accumulator, value))
        elif type(name := fields.get("Name")) is str and name.startswith("internal.metrics."):
            has_task_metrics = True
            if name in _COSTS:
                sums[_COSTS[name]] += max(number(fields.get("Value")) or 0, 0)
    return tuple(values), RunCost(*(min(each, MOST) for each in sums)) if has_task_metrics else None
