"""The content of a log, as values: events, and the executions and applications assembled from them.

Times are epoch milliseconds (UTC), as Spark writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from eventlog_lineage.extensions import contributions

if TYPE_CHECKING:
    from eventlog_lineage.connectors.connector import SourceRule
    from eventlog_lineage.model import Gap
    from eventlog_lineage.observed_schemas import StoredTable
    from eventlog_lineage.plan.plan_text import PlanText
    from eventlog_lineage.plan.printed.sections import ViewRead
    from eventlog_lineage.plan.summary.plan_summary import PlanSummary


class Event:
    """An event of a log, as `reading.read_part` yields and `assembly.assemble` processes it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TableCommit:
    """A commit to a table.

    Attributes:
        table: The table's name without its database.
        location: The table's location, as printed; empty if no description has it.
        instant: The commit's instant; empty if it is unknown, as with `location`.
    """

    table: str
    location: str = ""
    instant: str = ""


def commit_locations(commits: Iterable[TableCommit | None]) -> dict[str, str]:
    """Return (short name: location) of the tables whose name an application uses for a single location."""
    found: dict[str, set[str]] = {}
    for commit in commits:
        if commit is not None and commit.location:
            found.setdefault(commit.table, set()).add(commit.location)
    return {table: next(iter(locations)) for table, locations in found.items() if len(locations) == 1}


def location_of(commit: TableCommit | None, locations: Mapping[str, str]) -> str:
    """Return the location of a commit's table: from its jobs, else from other commits with the table's name."""
    return (commit.location or locations.get(commit.table, "")) if commit is not None else ""


class RddRows(NamedTuple):
    """An RDD that holds rows of scans outside Spark SQL.

    Attributes:
        scans: The distinct scans, by the names of their operators; that of files has no path: `Scan parquet`.
        is_partial: Another job broadcasts the rows of further scans.
    """

    rdd: int
    scans: tuple[str, ...]
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class JobFacts:
    """The facts that a job shows, or the jobs of one execution.

    Each kind of fact is a field. Events, executions and their summaries pass this record along.

    Attributes:
        commit: The commit to a table; None for formats whose jobs do not describe it.
        scans: The distinct scans whose rows the jobs' RDDs hold, by the names of their operators:
            `BatchScan shop.orders`.
        checkpoints: The numbers of the checkpoints' RDDs that the jobs read or make.
        rows: The RDDs of rows outside Spark SQL that the jobs read or make.
        settings: The session's settings that name tables of connectors, as its last job has them.
        ran: Whether there is a job.
    """

    commit: TableCommit | None = None
    scans: tuple[str, ...] = ()
    checkpoints: tuple[int, ...] = ()
    rows: tuple[RddRows, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    ran: bool = False

    def with_job(self, description: str, job: JobFacts) -> JobFacts:
        """Return the facts after one more job.

        Args:
            description: `spark.job.description` of the job, from which formats read their commits.
            job: The other facts of the job.
        """
        commit = self.commit
        for read_commit in contributions("descriptions.commit"):
            commit = read_commit(commit, description)
        adds = job.scans or job.checkpoints or job.settings not in {(), self.settings}
        if self.ran and commit is self.commit and not adds:
            return self
        made = tuple(dict.fromkeys((*self.checkpoints, *job.checkpoints)))
        held = tuple(dict.fromkeys((*self.rows, *job.rows)))
        read = tuple(dict.fromkeys((*self.scans, *job.scans)))
        return JobFacts(commit, read, made, held, job.settings or self.settings, ran=True)


NO_FACTS = JobFacts()
"""The facts of an execution without jobs."""


# -- what stages cost: executor time, the bytes that their tasks read, shuffle and spill, and the rows that they write

MOST: Final = 2**53
"""Limit of each value: sums over many executions stay within 64 bits, whatever a log prints."""


@dataclass(frozen=True, slots=True)
class RunCost:
    """The sums over the tasks of stages, failed tasks included (`TaskMetrics`, accumulators `internal.metrics.*`).

    Attributes:
        executor_run_ms: Time that executors spend in tasks, in milliseconds.
        executor_cpu_ns: CPU time of tasks, in nanoseconds; native engines and Python workers use more that Spark does
            not see.
        input_bytes: Bytes read from storage.
        shuffle_read_bytes: Bytes read from shuffles, local and remote.
        shuffle_write_bytes: Bytes written to shuffles.
        memory_spilled_bytes: Bytes spilled, as they were in memory.
        disk_spilled_bytes: The same bytes, as they are on disk.
        records_written: Rows that tasks write to files. Native engines may not count them.
    """

    executor_run_ms: int = 0
    executor_cpu_ns: int = 0
    input_bytes: int = 0
    shuffle_read_bytes: int = 0
    shuffle_write_bytes: int = 0
    memory_spilled_bytes: int = 0
    disk_spilled_bytes: int = 0
    records_written: int = 0

    @property
    def executor_cpu_ms(self) -> int:
        """The CPU time in milliseconds."""
        return self.executor_cpu_ns // 1_000_000

    def plus(self, other: RunCost) -> RunCost:
        """Return the sum of two costs."""
        return RunCost(*(min(sum(each), MOST) for each in zip(_COSTS(self), _COSTS(other), strict=True)))


_COSTS = attrgetter(*(each.name for each in fields(RunCost)))


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
        execution_id: Unique in the application, growing in time.
        root_execution_id: Its statement's root; None if the log does not have it (before Spark 3.4).
        description: The job description or the call site.
        started_at: Epoch milliseconds of SQLExecutionStart; None for an End without a Start.
        ended_at: Epoch milliseconds of SQLExecutionEnd; None without one.
        status: `succeeded`, `failed`, `running` (log in progress) or `unknown` (log ended without an End).
        plan: The plan text of the Start event (see `execution_plan_text`), or its summary if the text is kept
            elsewhere; empty if the log has none.
        stream_run_id: The run of the streaming query whose micro-batch it is; empty otherwise.
        stream_batch_id: The micro-batch; None otherwise.
        sql_text: The SQL of the statement, from Connect or Thrift server events; empty without these.
        user_name: Who sent the statement to the server; empty without these events.
        settings: Session settings that change what plan text means (`modifiedConfigs`, an allow-list).
        statement_plan: `OperationParsed.executionPlan` of the Thrift server's statement it belongs to: extended text,
            in which views keep their names; or these views. Empty if there is none.
        job_facts: What its jobs show and its plan omits.
        changed: The session catalog's tables and views that were made, altered, renamed or dropped while it ran,
            `` `database`.`table` ``: by it, or by another execution at the same time.
        call: The method that ran it, see `ExecutionStart`, which has `is_complete` too.
        described_sql: The description at greater length, or that of its first job (2.4), if it is SQL; empty otherwise.
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
class StreamProgress(Event):
    """One micro-batch of a streaming query, from a QueryProgressEvent.

    Attributes:
        query_id: Stable over restarts.
        run_id: The run: one start of the query.
        timestamp: As printed, ISO 8601 in UTC.
        sources: (description, start offset, end offset, input rows) of each source; offsets as printed.
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
class CatalogChange(Event):
    """`CreateTableEvent`, `DropTableEvent`, `AlterTableEvent` or `RenameTableEvent` (never the Pre events)."""

    database: str
    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class ExternalLineage(Event):
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
class ReadingCounts:
    """Counts of reading a log, over all its parts.

    Attributes:
        lines: Lines, kept or not.
        size: Bytes of text.
    """

    lines: int = 0
    bad_lines: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class AssembledLog:
    """A log, assembled.

    Attributes:
        executions: In the order of their first events.
        progress: The micro-batches of its streaming queries, in the log's order.
        external_lineages: Lineage that Kyuubi's plugin reports, in the log's order.
        gaps: What could not be read, and why.
        state: `complete`, `in_progress`, `truncated`, `compacted` or `unreadable`.
        error: Why it is truncated or unreadable; empty otherwise.
        stored_tables: (catalog, table in it) of tables that a warehouse holds; only with `--table-metadata`.
        known_tables: The tables of the store whose writes may print an object, or none of their columns.
        requested_reads: The sources in requests of Spark Connect: format, and the options that name tables.
    """

    application: Application
    executions: tuple[Execution, ...]
    progress: tuple[StreamProgress, ...]
    external_lineages: tuple[ExternalLineage, ...]
    gaps: tuple[Gap, ...]
    state: str
    error: str
    counts: ReadingCounts
    stored_tables: tuple[tuple[str, str], ...] = ()
    known_tables: tuple[StoredTable, ...] = ()
    source_rules: tuple[SourceRule, ...] = ()
    requested_reads: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
