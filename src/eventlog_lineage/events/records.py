"""The content of a log, as values: events, and the executions and applications assembled from them.

Times are epoch milliseconds (UTC), as Spark writes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .job_facts import NO_FACTS, JobFacts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eventlog_lineage.connectors.source_rules import SourceRule
    from eventlog_lineage.model import Gap
    from eventlog_lineage.observed_schemas import StoredTable
    from eventlog_lineage.plan.plan_text import PlanText
    from eventlog_lineage.plan.printed.views import ViewRead
    from eventlog_lineage.plan.summary.plan_summary import PlanSummary

    from .job_facts import RunCost


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


@dataclass(frozen=True, slots=True)
class OperatorMetrics:
    """The SQL metrics of one scan or write operator of an execution's last plan.

    Attributes:
        node_name: The operator as `SparkPlanInfo.nodeName` prints it.
        location: The `Location` of `SparkPlanInfo.metadata`; empty if there is none.
        values: Metric name (`number of output rows`, …) to its value.
    """

    node_name: str
    location: str
    values: Mapping[str, int]


@dataclass(slots=True)
class Execution:
    """A SQL execution, assembled from its events.

    Not frozen: see `ExecutionStart`.

    Attributes:
        execution_id: Unique in the application.
        root_execution_id: Its statement's root; None if the log does not have it (before Spark 3.4).
        description: The job description or the call site.
        started_at: From SQLExecutionStart; None for an End without a Start.
        ended_at: From SQLExecutionEnd; None without one.
        status: `succeeded`, `failed`, `running` (log in progress) or `unknown` (log ended without an End).
        error: The error of a failed execution; empty otherwise.
        plan: The plan text of the Start event (see `execution_plan_text`), or its summary if the text is kept
            elsewhere; empty if the log has none.
        metrics: The metrics of the scans and writes of its last plan.
        stream_run_id: The run of the streaming query whose micro-batch it is; empty otherwise.
        stream_query_id: The streaming query; empty otherwise.
        stream_batch_id: The micro-batch; None otherwise.
        job_group: `spark.jobGroup.id` of its jobs; empty if there is none.
        sql_text: The SQL of the statement, from Connect or Thrift server events; empty without these.
        user_name: Who sent the statement to the server; empty without these events.
        settings: Session settings that change what plan text means (`modifiedConfigs`, an allow-list).
        statement_plan: `OperationParsed.executionPlan` of the Thrift server's statement it belongs to: extended text,
            in which views keep their names; or these views. Empty if there is none.
        job_facts: What its jobs show and its plan omits.
        changed: The session catalog's tables and views that were made, altered, renamed or dropped while it ran,
            `` `database`.`table` ``: by it, or by another execution at the same time.
        call: The method that ran it, see `ExecutionStart`.
        is_complete: A stateful operator outputs all groups each time.
        described_sql: The description at greater length, if it is SQL; empty otherwise.
        cost: What its stages cost; None if the log does not have it.
        scheduler: The scheduler's task that ran it, by its jobs or its SQL; None if they name none.
        operation: The job tag of the Connect operation that ran it or started its stream (3.5+); empty otherwise.
        requested_write: The target in the request of Spark Connect that ran it: format, and the options that name it.
    """

    execution_id: int
    root_execution_id: int | None
    description: str
    started_at: int | None
    ended_at: int | None
    status: str
    error: str
    plan: PlanText | PlanSummary
    metrics: tuple[OperatorMetrics, ...] = ()
    stream_run_id: str = ""
    stream_query_id: str = ""
    stream_batch_id: int | None = None
    job_group: str = ""
    sql_text: str = ""
    user_name: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    statement_plan: PlanText | tuple[ViewRead, ...] = ()
    job_facts: JobFacts = NO_FACTS
    changed: tuple[str, ...] = ()
    call: str = ""
    is_complete: bool = False
    described_sql: str = ""
    cost: RunCost | None = None
    scheduler: SchedulerTask | None = None
    operation: str = ""
    requested_write: tuple[str, tuple[tuple[str, str], ...]] | tuple[()] = ()


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """One micro-batch of a streaming query, from a QueryProgressEvent.

    Attributes:
        query_id: Stable over restarts.
        run_id: The run: one start of the query.
        name: The query's name; empty if it has none.
        batch_id: The micro-batch.
        timestamp: As printed, ISO 8601 in UTC.
        sources: (description, start offset, end offset, input rows) of each source; offsets as printed.
        sink: The sink's description.
        rows_written: `numOutputRows`; None if unknown (-1).
    """

    query_id: str
    run_id: str
    name: str
    batch_id: int
    timestamp: str
    sources: tuple[tuple[str, str | None, str | None, int | None], ...]
    sink: str
    rows_written: int | None


@dataclass(frozen=True, slots=True)
class CatalogChange:
    """A catalog event: `CreateTable`, `DropTable`, `AlterTable` or `RenameTable` (never the Pre events).

    Attributes:
        change: The event's name without `Event`.
        kind: What an `AlterTable` changed: `table`, `dataSchema` or `stats`; empty for the others.
        seen_at: The time of the last event before it with a time, as these events have none; None if there is no such
            event.
    """

    change: str
    database: str
    name: str
    new_name: str
    kind: str = ""
    seen_at: int | None = None

    def seen(self, at: int | None) -> CatalogChange:
        """Return the change with its time; `dataclasses.replace` would be slow for every event."""
        return CatalogChange(self.change, self.database, self.name, self.new_name, self.kind, at)


@dataclass(frozen=True, slots=True)
class ExternalLineage:
    """The lineage that Kyuubi's plugin reports for a statement (`OperationLineageSparkEvent`), for comparison.

    Attributes:
        input_tables: The input tables, as the plugin names them: `catalog.database.table`.
        output_tables: The output tables, named in the same way.
        columns: (target column, its source columns), each `catalog.database.table.column`.
        error: Why the plugin could not resolve it; empty otherwise.
        reported_at: The time of the event, epoch milliseconds; None if it has none.
        execution_id: The execution that it is about, see `assembly.external_lineage`; -1 before it is matched.
        certain: Whether no other execution can match.
    """

    input_tables: tuple[str, ...]
    output_tables: tuple[str, ...]
    columns: tuple[tuple[str, tuple[str, ...]], ...]
    error: str
    reported_at: int | None = None
    execution_id: int = -1
    certain: bool = True

    @property
    def failed(self) -> bool:
        """Whether the execution failed."""
        return bool(self.error)


@dataclass(frozen=True, slots=True)
class Application:
    """An application attempt, from its log.

    Attributes:
        agents: Lineage agents in the driver, such as `openlineage, spline`; empty for none.
        code_version: The version of its code; None if no setting names one.
        settings: An allow-list of Spark properties that lineage needs (`spark.sql.catalog.*` classes,
            `spark.sql.warehouse.dir`, `spark.sql.defaultCatalog` …); never the complete map.
        scheduler: The scheduler's task that ran it; None if no property names one.
    """

    app_id: str
    attempt_id: str
    app_name: str
    user_name: str
    spark_version: str
    platform: str
    engine: str
    agents: str
    code_version: str | None
    started_at: int | None
    ended_at: int | None
    complete: bool
    log_path: str
    settings: Mapping[str, str] = field(default_factory=dict)
    scheduler: SchedulerTask | None = None


@dataclass(frozen=True, slots=True)
class StreamRun:
    """One start of a streaming query.

    Attributes:
        query_id: Stable over restarts.
        run_id: The run: this start.
        name: The query's name; empty if it has none.
        ended: Whether its end is in the log.
        error: The error that ended it; empty if it was stopped or has not ended.
    """

    query_id: str
    run_id: str
    name: str
    ended: bool
    error: str


@dataclass(frozen=True, slots=True)
class ReadingCounts:
    """Counts of reading a log, over all its parts.

    Attributes:
        parts: Parts read.
        lines: Lines, kept or not.
        events: Events kept.
        bad_lines: Lines that could not be read.
        size: Bytes of text.
        bytes_read: Bytes read from storage.
    """

    parts: int = 0
    lines: int = 0
    events: int = 0
    bad_lines: int = 0
    size: int = 0
    bytes_read: int = 0


@dataclass(frozen=True, slots=True)
class AssembledLog:
    """A log, assembled.

    Attributes:
        application: The attempt that wrote it.
        executions: In the order of their first events.
        progress: The micro-batches of its streaming queries, in the log's order.
        streams: The starts of its streaming queries, in the log's order.
        catalog_changes: Changes of the session catalog, in the log's order.
        external_lineages: Lineage that Kyuubi's plugin reports, in the log's order.
        gaps: What could not be read, and why.
        state: `complete`, `in_progress`, `truncated`, `compacted` or `unreadable`.
        error: Why it is truncated or unreadable; empty otherwise.
        counts: Lines, events and bytes.
        stored_tables: (catalog, table in it) of tables that a warehouse holds; only with `--table-metadata`.
        known_tables: The tables of the store whose writes may print an object in place of their names.
        source_rules: The user's sources.
        requested_reads: The sources in requests of Spark Connect: format, and the options that name tables.
    """

    application: Application
    executions: tuple[Execution, ...]
    progress: tuple[StreamProgress, ...]
    streams: tuple[StreamRun, ...]
    catalog_changes: tuple[CatalogChange, ...]
    external_lineages: tuple[ExternalLineage, ...]
    gaps: tuple[Gap, ...]
    state: str
    error: str
    counts: ReadingCounts
    stored_tables: tuple[tuple[str, str], ...] = ()
    known_tables: tuple[StoredTable, ...] = ()
    source_rules: tuple[SourceRule, ...] = ()
    requested_reads: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
