"""Decode events of Spark's core: `org.apache.spark.scheduler.SparkListener*` as `JsonProtocol` writes them.

The version of an application's code follows from what `spark-submit` was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
    PartStart,
    StageMetrics,
)
from eventlog_lineage.events.records import MOST, RddRows, RunCost, SchedulerTask
from eventlog_lineage.redaction import shortened

from .spark_conf import agents_of, engine_of, is_sql, kept_settings, platform_of, session_sources

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
    return _named(properties, "airflow", *names) if names else None


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


def _named(properties: Mapping[str, Any], scheduler: str, group: str, task: str, run: str) -> SchedulerTask | None:
    """Return a task by the names of the properties that hold its group, its name and its run."""
    return _task(scheduler, *(label(properties.get(name)) if name else "" for name in (group, task, run)))


def _task(scheduler: str, group: str, task: str, run: str) -> SchedulerTask | None:
    name = ".".join(filter(None, (group, task)))
    return SchedulerTask(scheduler, name, run) if name else None


_SQL_RDD = b'"Name":"SQLExecutionRDD"'
"""`QueryExecution.toRdd` (3.1+)."""
_CALLS = (b'"Callsite":"javaToPython', b'"Callsite":"rdd at ', b"JavaRDD at ")
"""The call sites of RDDs that leave Spark SQL, among others (2.x, 3.0)."""
_STRING = rb'"(?:[^"\\]|\\.)*"'
_RDD = re.compile(
    rb'\{"RDD ID":(?P<rdd>\d{1,18}),"Name":' + _STRING + rb'(?:,"Scope":(?P<scope>' + _STRING + rb"))?"
    rb'(?:,"Callsite":' + _STRING + rb')?,"Parent IDs":\[(?P<parents>[\d, ]*)\]'
)
_NAME = re.compile(rb'\\"name\\":\\"(?P<name>[^"\\]+)\\"')
_SCAN = re.compile(rb"(?:Batch)?Scan (?!ExistingRDD)")
_STAGE = re.compile(rb"WholeStageCodegen \((\d{1,9})\)")
_MOST_RDDS = 500
_RDD_KEY = b'"RDD ID":'
_PROPERTIES = b'"Properties":'
_JOB_FIELDS = ("Event", "Job ID", "Stage Infos", "Stage IDs", "Properties")
_RDD_FIELDS = ("RDD ID", "Name", "Scope", "Callsite", "Parent IDs")


class _Rdd(NamedTuple):
    """An RDD: its parents, the operator or method that made it, and whether its rows are outside Spark SQL."""

    parents: tuple[int, ...]
    name: bytes
    leaves: bool


def rdd_rows(line: bytes) -> tuple[RddRows, ...]:
    """Return the RDDs of a job that hold rows of scans outside Spark SQL, with these scans."""
    if _SQL_RDD not in line and not any(call in line for call in _CALLS):
        return ()
    rdds = {int(match["rdd"]): _read(match) for match in _RDD.finditer(line)}
    if len(rdds) > _MOST_RDDS:
        return ()
    return tuple(found for rdd in sorted(rdds) if (found := _rows_of(rdd, rdds)))


def _rows_of(rdd: int, rdds: Mapping[int, _Rdd]) -> RddRows | None:
    made_of = _ancestors(rdd, rdds)
    outside = [each for each in made_of if rdds[each].leaves]
    scans = dict.fromkeys(rdds[each].name for each in sorted(made_of) if _SCAN.match(rdds[each].name))
    if not outside or not scans:
        return None
    names = tuple(name.decode(errors="replace").strip() for name in scans)
    return RddRows(rdd, names, any(_lacks_stages(_ancestors(each, rdds), rdds) for each in outside))


def _read(match: re.Match[bytes]) -> _Rdd:
    parents = tuple(int(each) for each in match["parents"].split(b",") if each.strip())
    scope = _NAME.search(match["scope"] or b"")
    name = scope["name"] if scope else b""
    leaves = _SQL_RDD in match[0] or (name.startswith(b"map") and any(call in match[0] for call in _CALLS))
    return _Rdd(parents, name, leaves)


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
    stages = {int(match[1]) for each in made_of if (match := _STAGE.match(rdds[each].name))}
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

_EXECUTION_ID = b'"spark.sql.execution.id":'
_ACCUMULABLES = b'"Accumulables":['
_TASK_METRICS = b'"Name":"internal.metrics.'
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
_STAGE_IDS = b'"Stage IDs":['
_INHERITED = ("fs.defaultFS", "hive.metastore.uris")
_SCAN_NAME = re.compile(rb'\\"name\\":\\"((?:Batch)?Scan [^"\\]+)\\"')
"""A scan as the name of an RDD's scope (`RDDOperationScope`, JSON within JSON): `SparkPlan.execute` names it so."""
_MAP = rb"\"name\":\"map\"}"
_CHECKPOINT = re.compile(
    rb'"RDD ID":(\d{1,18}),"Name":"MapPartitionsRDD","Scope":"\{\\"id\\":\\"\d+\\",\\"name\\":\\"map\\"\}"'
)
"""An RDD like that of a checkpoint's rows: `Dataset.checkpoint` copies each row by `map` (2.1 to 4.3)."""
_SCANS = 50
"""Limit of the scans that are kept per job."""


def log_start(line: bytes) -> LogStart:
    """Read `SparkListenerLogStart`."""
    return LogStart(label(parsed(line).get("Spark Version")))


def part_start(line: bytes) -> PartStart:
    """Read Databricks' `DBCEventLoggingListenerMetadata`."""
    fields = parsed(line)
    number_of_part = number(fields.get("Rollover Number"))
    return PartStart(label(fields.get("Spark Version")), number_of_part)


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
    """Read `SparkListenerJobStart`; None for a job without a SQL execution.

    The line is long, as it describes each stage and its RDDs; the fields that are read follow these, except the names
    of the scans.
    """
    if _EXECUTION_ID not in line:
        return None
    line = _in_sparks_order(line)
    tail = line.rfind(_STAGE_IDS)
    fields = parsed(b"{" + line[tail:] if tail > 0 else line)
    properties = mapping(fields.get("Properties"))
    execution_id = number(properties.get("spark.sql.execution.id"))
    if execution_id is None:
        return None
    description = words(properties.get("spark.job.description"))
    return JobStart(
        _job_id(line),
        execution_id,
        number(properties.get("spark.sql.execution.root.id")),
        tuple(stage for item in items(fields.get("Stage IDs")) if (stage := number(item)) is not None),
        label(properties.get("spark.jobGroup.id")),
        label(properties.get("sql.streaming.queryId")),
        number(properties.get("streaming.sql.batchId")),
        shortened(description, STATEMENT_LENGTH if is_sql(description) else DESCRIPTION_LENGTH),
        _scans(line),
        _checkpoints(line),
        scheduler_of(properties),
        rdd_rows(line),
        session_sources(properties),
    )


def _in_sparks_order(line: bytes) -> bytes:
    """Return a job's event with its fields in the order of `JsonProtocol`; other tools sort them."""
    tail = line.rfind(_STAGE_IDS)
    if 0 < tail < line.find(_PROPERTIES, tail) and (_RDD_KEY not in line or b"{" + _RDD_KEY in line):
        return line
    fields = parsed(line)
    for stage in items(fields.get("Stage Infos")):
        info = mapping(stage).get("RDD Info")
        if isinstance(info, list):
            info[:] = ({key: rdd[key] for key in _RDD_FIELDS if key in rdd} for rdd in map(mapping, info))
    return orjson.dumps({key: fields.get(key) for key in _JOB_FIELDS})


def _scans(line: bytes) -> tuple[str, ...]:
    """Return the distinct scans among the scopes of a job's RDDs."""
    if b"Scan " not in line:
        return ()
    names = dict.fromkeys(_SCAN_NAME.findall(line))
    return tuple(name.decode(errors="replace").strip() for name in names)[:_SCANS]


def _checkpoints(line: bytes) -> tuple[int, ...]:
    """Return the numbers of the RDDs that may be those of checkpoints, among those of a job's stages."""
    if _MAP not in line:
        return ()
    return tuple(dict.fromkeys(int(number) for number in _CHECKPOINT.findall(line)))[:_SCANS]


def _job_id(line: bytes) -> int:
    """Read the first field after the event's name, without parsing the line."""
    key = b'"Job ID":'
    start = line.find(key, 0, 200) + len(key)
    digits = line[start : start + 20].split(b",", 1)[0]
    if start < len(key) or not digits.isdigit():
        return needed(parsed(line), "Job ID")
    return int(digits)


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
    """Read `SparkListenerStageCompleted`; None for a stage without SQL metrics and task metrics.

    Only the array of accumulables is parsed, if it can be extracted: it is the last array of `Stage Info` in all
    versions, and no string contains its key unescaped.
    """
    if b'"Metadata":"sql"' not in line and _TASK_METRICS not in line:
        return None
    stage_id = _stage_id(line)
    start = line.rfind(_ACCUMULABLES)
    try:
        info = parsed(b"{" + line.rstrip()[start:-1]) if start > 0 and stage_id is not None else {}
    except UnreadableLine:
        info = {}
    if stage_id is None or "Accumulables" not in info:
        info = dict(mapping(parsed(line).get("Stage Info")))
        stage_id = needed(info, "Stage ID")
    return StageMetrics(stage_id, *_sums(items(info.get("Accumulables"))))


def _stage_id(line: bytes) -> int | None:
    key = b'"Stage Info":{"Stage ID":'
    start = line.find(key, 0, 200) + len(key)
    digits = line[start : start + 20].split(b",", 1)[0]
    return int(digits) if start >= len(key) and digits.isdigit() else None


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
