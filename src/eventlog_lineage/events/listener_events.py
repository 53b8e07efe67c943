"""The events that are kept, as values: one class per kind of information, not per event name.

Field types are plain, so that events cross process boundaries cheaply. Times are epoch milliseconds (UTC).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from eventlog_lineage.redaction import OWN_WORDS

from .records import NO_FACTS, Event, JobFacts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eventlog_lineage.plan.plan_text import PlanText
    from eventlog_lineage.plan.printed.sections import ViewRead
    from eventlog_lineage.plan.summary.plan_summary import PlanSummary

    from .records import RunCost, SchedulerTask

TOO_LONG = "too long"
"""The reason of a line or plan over a limit."""


@dataclass(frozen=True, slots=True)
class LogStart(Event):
    """`SparkListenerLogStart`, or `DBCEventLoggingListenerMetadata` at the start of each part of a Databricks log.

    Attributes:
        platform: `databricks` for its logs; empty for others.
        rollover_number: The part's position in a Databricks log; None if it is missing, and for other logs.
    """

    spark_version: str
    platform: str = ""
    rollover_number: int | None = None


@dataclass(frozen=True, slots=True)
class ApplicationStart(Event):
    """`SparkListenerApplicationStart`."""

    app_id: str
    attempt_id: str
    app_name: str
    user_name: str
    time: int | None


@dataclass(frozen=True, slots=True)
class ApplicationEnd(Event):
    """`SparkListenerApplicationEnd`, the last event of a complete log."""

    time: int | None


@dataclass(frozen=True, slots=True)
class Environment(Event):
    """`SparkListenerEnvironmentUpdate`, with an allow-list of settings.

    Attributes:
        settings: See `spark_conf.kept_settings`.
        platform: The vendor by the settings' names: `databricks`, `dataproc`, `synapse` …; empty if unknown.
        engine: `rapids`, `gluten`, `comet`, `auron` or `photon`; empty for Spark's own.
        agents: Lineage agents in the driver: `kyuubi`, `openlineage`, `spline`; several separated by `, `.
        scheduler: The scheduler's task that ran the application; None if no property names one.
        code_version: The version of its code; None if no property names one.
    """

    settings: Mapping[str, str]
    platform: str
    engine: str
    agents: str = ""
    scheduler: SchedulerTask | None = None
    code_version: str | None = None

    def completed(self, later: Environment) -> Environment:
        """Return the first value of each fact, and the settings of both."""
        facts = ("platform", "engine", "agents", "scheduler", "code_version")
        first = {name: getattr(self, name) or getattr(later, name) for name in facts}
        return Environment({**self.settings, **later.settings}, **first)


@dataclass(frozen=True, slots=True)
class MetricsNode:
    """A scan or write operator of a `SparkPlanInfo` with the accumulators that count what it moves.

    Attributes:
        node_name: The name as printed, shortened.
        location: `metadata.Location`, shortened; empty if there is none.
        metrics: (name, accumulator id) of the metrics in `decoders.kept_metrics`.
    """

    node_name: str
    location: str
    metrics: tuple[tuple[str, int], ...] = field(metadata={OWN_WORDS: True})


@dataclass(slots=True)
class ExecutionStart(Event):
    """`SparkListenerSQLExecutionStart`.

    Not frozen, though nothing changes one: a frozen dataclass sets each field by a call, in four times the time, and
    there are a dozen fields for each of millions of executions.

    Attributes:
        plan: The plan text, see `execution_plan_text`; or its summary, if the text is kept elsewhere.
        job_tags: `jobTags` (3.5+), which identify a Connect operation.
        job_group: `jobGroupId` (4.0+).
        settings: The kept ones of `modifiedConfigs` (3.3+).
        call: The method that ran it, by its call site: `checkpoint`, `toTable`, `collectToPython`; empty if unknown.
        is_complete: A stateful operator outputs all groups each time: a stream's output mode is `Complete`.
        described_sql: The description at greater length, if it is SQL; empty otherwise.
    """

    execution_id: int
    root_execution_id: int | None
    description: str
    time: int | None
    plan: PlanText | PlanSummary
    nodes: tuple[MetricsNode, ...]
    job_tags: tuple[str, ...]
    job_group: str
    settings: Mapping[str, str]
    call: str = field(default="", metadata={OWN_WORDS: True})
    is_complete: bool = False
    described_sql: str = ""

    def with_plan(self, plan: PlanText | PlanSummary) -> ExecutionStart:
        """Return the event with another plan."""
        return replace(self, plan=plan)


@dataclass(frozen=True, slots=True)
class ExecutionEnd(Event):
    """`SparkListenerSQLExecutionEnd`; `error` is None before Spark 3.4 and empty for success since."""

    execution_id: int
    time: int | None
    error: str | None


@dataclass(frozen=True, slots=True)
class AdaptivePlan(Event):
    """The last `SparkListenerSQLAdaptiveExecutionUpdate` so far, without the plan text."""

    execution_id: int
    nodes: tuple[MetricsNode, ...]


@dataclass(frozen=True, slots=True)
class DriverMetrics(Event):
    """`SparkListenerDriverAccumUpdates`: (accumulator id, value) pairs that the driver sets."""

    execution_id: int
    values: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class StageMetrics(Event):
    """`SparkListenerStageCompleted`.

    Attributes:
        values: (accumulator id, value) of its SQL accumulators, each the sum over all tasks of the execution so far.
        cost: The sums over the tasks of this attempt of the stage; None if the log omits them
            (`spark.eventLog.includeTaskMetricsAccumulators=false`, 4.0+).
    """

    stage_id: int
    values: tuple[tuple[int, int], ...]
    cost: RunCost | None = None


@dataclass(frozen=True, slots=True)
class JobStart(Event):
    """`SparkListenerJobStart` of a job that belongs to a SQL execution.

    Attributes:
        facts: What its RDDs and properties show, without a commit.
    """

    job_id: int
    execution_id: int
    root_execution_id: int | None
    stage_ids: tuple[int, ...]
    job_group: str
    stream_query_id: str
    stream_batch_id: int | None
    description: str = ""
    facts: JobFacts = NO_FACTS
    scheduler: SchedulerTask | None = None


@dataclass(frozen=True, slots=True)
class JobFailed(Event):
    """`SparkListenerJobEnd` of a failed job."""

    job_id: int
    error: str


@dataclass(frozen=True, slots=True)
class Statement(Event):
    """A statement of a server: Connect's `OperationStarted`, the Thrift server's `OperationStart`.

    Attributes:
        key: Links executions to it: the job tag (Connect) or the job group (Thrift).
        sql_text: The SQL; empty if a Connect client sent a plan without any.
        reads: The sources in a Connect client's plan: format, and the options that name tables.
        write: The target of a Connect client's plan, in the same form; empty for none.
    """

    key: str
    operation_id: str
    sql_text: str
    user_name: str
    reads: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    write: tuple[str, tuple[tuple[str, str], ...]] | tuple[()] = ()


@dataclass(frozen=True, slots=True)
class ParsedStatement(Event):
    """The Thrift server's `OperationParsed`.

    Attributes:
        plan: Its extended plan text, which contains the names of views; or these views.
    """

    operation_id: str
    plan: PlanText | tuple[ViewRead, ...]


@dataclass(frozen=True, slots=True)
class BadEvent(Event):
    """A line that could not be read.

    Attributes:
        line: The line's number within the part, from 1.
        offset: The line's offset in the part's decoded text, in bytes.
    """

    part: int
    line: int
    offset: int
    reason: str
    snippet: str


@dataclass(frozen=True, slots=True)
class PartEnd(Event):
    """The result of reading a part; the last event of `reading.read_part`.

    Attributes:
        lines: The number of lines, kept or not.
        bad_lines: The number of lines that could not be read; the first few are `BadEvent`s.
        size: Bytes of text.
        bytes_read: Bytes read from storage.
        damage: The damage of its bytes; empty if there is none.
        is_truncated: It ends within a line or within a block of its codec.
        unreadable: Why nothing could be read; empty otherwise.
        hint: What the user can do about it.
        limit: The limit that ended the reading; empty if it was read completely.
        failed: The internal error that ended the reading; empty if there was none.
        over_budget: Why reading the log was aborted; empty if it was not.
    """

    part: int
    lines: int = 0
    bad_lines: int = 0
    size: int = 0
    bytes_read: int = 0
    damage: str = ""
    is_truncated: bool = False
    unreadable: str = ""
    hint: str = ""
    limit: str = ""
    failed: str = ""
    over_budget: str = ""
