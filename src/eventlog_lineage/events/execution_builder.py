"""Build one execution from its events, or from those of a server's statement."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from eventlog_lineage.events.decoding.core_events import dbt_task
from eventlog_lineage.events.decoding.decoders import DESCRIPTION_LENGTH
from eventlog_lineage.events.decoding.sql_descriptions import is_sql
from eventlog_lineage.events.listener_events import ExecutionStart
from eventlog_lineage.events.log_state import MicroBatch, micro_batch_of
from eventlog_lineage.events.records import NO_FACTS, Execution, OperatorMetrics
from eventlog_lineage.plan.plan_text import NO_TEXT, PlanText
from eventlog_lineage.redaction import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eventlog_lineage.events.listener_events import ExecutionEnd, JobStart, MetricsNode, ParsedStatement, Statement
    from eventlog_lineage.events.log_state import Shared
    from eventlog_lineage.events.records import JobFacts, RunCost, SchedulerTask
    from eventlog_lineage.plan.printed.sections import ViewRead


_LARGEST = 2**63 - 1


class MetricValues(Mapping[str, int]):
    """Metric names and values in a third of a dictionary's memory: operators of the same kind share the names."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: tuple[str, ...], values: Iterable[int]) -> None:
        self._names: Final = names
        self._values: Final = array("q", values)

    def __getitem__(self, name: str) -> int:
        try:
            return self._values[self._names.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a metric, without raising and catching an exception for missing ones."""
        return self._values[self._names.index(name)] if name in self._names else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __hash__(self) -> int:
        return hash((self._names, tuple(self._values)))

    def __reduce__(self) -> tuple[object, ...]:
        return (MetricValues, (self._names, tuple(self._values)))


@dataclass(slots=True, eq=False)
class ExecutionMetrics:
    """Collects one execution's metrics from its events.

    Every value is the accumulator's total at that time: Spark's scheduler logs the sum over all tasks so far with each
    completed stage (`DAGScheduler.updateAccumulators`), and the driver logs the values that it sets. So the last one
    counts.

    The operators of the first plan are kept in addition to those of the last: adaptive execution removes scans that
    have run and return no rows from the plan. A scan that is planned again has values in only one of the plans.
    """

    first: tuple[MetricsNode, ...] = ()
    last: tuple[MetricsNode, ...] = ()
    _values: dict[int, int] = field(default_factory=dict)
    _needed: frozenset[int] | None = None

    def update(self, values: Iterable[tuple[int, int]]) -> None:
        """Add the values of accumulators."""
        needed = self._needed
        self._values.update(
            values if needed is None else ((number, value) for number, value in values if number in needed)
        )

    def narrow(self) -> None:
        """Drop the values of other operators, after the last plan."""
        self._needed = frozenset(number for node in (*self.first, *self.last) for _, number in node.metrics)
        self._values = {number: value for number, value in self._values.items() if number in self._needed}

    def operators(self, shared: Shared) -> tuple[OperatorMetrics, ...]:
        """Return the operators that have values."""
        used: set[int] = set()
        operators = []
        for node in (*self.last, *self.first):
            known = {
                name: self._values[number] for name, number in node.metrics if self._has(number) and number not in used
            }
            used.update(number for _, number in node.metrics)
            if known:
                values = MetricValues(shared(tuple(known)), known.values())
                name, location = shared(node.node_name), shared(node.location)
                operators.append(OperatorMetrics(name, location, values))
        return tuple(operators)

    def _has(self, accumulator: int) -> bool:
        """Return whether a value was logged; Spark logs -1 for a size without a value (`SQLMetrics`)."""
        return 0 <= self._values.get(accumulator, -1) <= _LARGEST


_NO_SETTINGS: Mapping[str, str] = {}
_NOT_STARTED = ExecutionStart(-1, None, "", None, NO_TEXT, (), (), "", _NO_SETTINGS)


@dataclass(slots=True, eq=False)
class ExecutionRecord:
    """Collects the facts in the events of one execution, in any order.

    Attributes:
        job_error: The message of its first failed job; None if no job failed.
        cost: What its stages have cost so far; None before the first stage with task metrics.
    """

    execution_id: int
    jobs: list[int] = field(default_factory=list)
    stages: list[int] = field(default_factory=list)
    metrics: ExecutionMetrics = field(default_factory=ExecutionMetrics)
    start: ExecutionStart | None = None
    end: ExecutionEnd | None = None
    job_error: str | None = None
    job_facts: JobFacts = NO_FACTS
    changed: dict[str, None] = field(default_factory=dict)
    cost: RunCost | None = None
    scheduler: SchedulerTask | None = None
    batch_id: int | None = None
    _root: int | None = None
    _group: str = ""
    _query_id: str = ""
    _statement_key: str = ""
    _job_sql: str = ""

    @property
    def started_at(self) -> int | None:
        """The start time; None without a Start."""
        return self.start.time if self.start else None

    def set_start(self, start: ExecutionStart, statement_key: str) -> None:
        """Set the Start."""
        self.start = start
        self._statement_key = statement_key
        self.metrics.first = start.nodes

    def add_job(self, job: JobStart) -> None:
        """Add a job, with the facts in its properties."""
        self.jobs.append(job.job_id)
        self.job_facts = self.job_facts.with_job(job.description, job.facts)
        self._job_sql = self._job_sql or (job.description if is_sql(job.description) else "")
        self._root = self._root if self._root is not None else job.root_execution_id
        self._group = self._group or job.job_group
        self._query_id = self._query_id or job.stream_query_id
        self.batch_id = self.batch_id if self.batch_id is not None else job.stream_batch_id
        self.scheduler = self.scheduler or job.scheduler

    def finish(self, end: ExecutionEnd) -> None:
        """Set the End, after which no plan follows."""
        self.end = end
        self.metrics.narrow()

    def execution(self, unended: str, statements: Statements, shared: Shared) -> Execution:
        """Return the execution with the facts so far; without an End its status is `unended`."""
        start = self.start or _NOT_STARTED
        batch = self._micro_batch()
        group = self._group or start.job_group
        statement = statements.find(*start.job_tags, group, self._statement_key)
        sql_text, described_sql = statement.sql_text, self._described_sql
        status, error = self._outcome(unended)
        return Execution(
            execution_id=self.execution_id,
            root_execution_id=self._root if start.root_execution_id is None else start.root_execution_id,
            description=sql_text if sql_text == start.description else shared(start.description),
            started_at=self.started_at,
            ended_at=self.end.time if self.end else None,
            status=status,
            error=shared(error),
            plan=start.plan,
            metrics=self.metrics.operators(shared),
            stream_run_id=shared(batch.run_id),
            stream_query_id=shared(batch.query_id),
            stream_batch_id=batch.batch_id,
            sql_text=sql_text,
            user_name=shared(statement.user_name),
            settings=start.settings or _NO_SETTINGS,
            statement_plan=statement.plan,
            job_facts=shared(self.job_facts),
            changed=shared(tuple(self.changed)),
            call=shared(start.call),
            is_complete=start.is_complete,
            described_sql=described_sql,
            cost=self.cost,
            scheduler=shared(dbt_task(sql_text or described_sql or start.description) or self.scheduler),
            operation=shared(_connect_operation(start.job_tags)),
            requested_write=statement.write,
        )

    @property
    def _described_sql(self) -> str:
        return (self.start.described_sql if self.start else "") or self._job_sql

    def _outcome(self, unended: str) -> tuple[str, str]:
        """Return status and error.

        Before Spark 3.4 an End has no error, and a failed job shows the failure; failures without a job are not logged.
        """
        if self.end is None:
            return unended, ""
        error = self.end.error if self.end.error is not None else self.job_error
        if error is None or (error == "" and self.end.error is not None):
            return "succeeded", ""
        return "failed", error or "a job failed"

    def _micro_batch(self) -> MicroBatch:
        """Return the micro-batch from the description and the jobs' properties; its job group is its run."""
        batch = micro_batch_of(self.start.description) if self.start else None
        if batch is not None:
            return MicroBatch(
                batch.query_id, batch.run_id, batch.batch_id if batch.batch_id is not None else self.batch_id
            )
        if self._query_id:
            return MicroBatch(self._query_id, self._group, self.batch_id)
        return MicroBatch("", "", None)


def _connect_operation(job_tags: Sequence[str]) -> str:
    """Return the tag of a Connect operation (`ExecuteHolder.jobTag`, 3.5+); a stream has that of its start."""
    return next((tag for tag in job_tags if tag.startswith("SparkConnect_OperationTag_")), "")


@dataclass(slots=True)
class KnownStatement:
    """A statement's SQL and user; after the Thrift server has analyzed it, its plan text or the views in it.

    `write` is the target of a Connect client's plan.
    """

    sql_text: str
    user_name: str
    write: tuple[str, tuple[tuple[str, str], ...]] | tuple[()] = ()
    plan: PlanText | tuple[ViewRead, ...] = ()


_NO_STATEMENT = KnownStatement("", "")


class Statements:
    """Statements by job tag or job group; the oldest are dropped first.

    A statement's executions start immediately, some of them before its `OperationParsed`.
    """

    _MOST = 5000
    _MOST_CHARACTERS = 32_000_000

    def __init__(self) -> None:
        self._by_key: OrderedDict[str, KnownStatement] = OrderedDict()
        self._by_operation: dict[str, str] = {}
        self._by_text: dict[str, str] = {}
        self._operations: dict[str, str] = {}
        self._characters = 0
        self._reads: dict[tuple[str, tuple[tuple[str, str], ...]], None] = {}

    @property
    def reads(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """The distinct sources in the plans of Connect's clients: format, and the options that name tables."""
        return tuple(self._reads)

    def started(self, statement: Statement) -> None:
        """Add a statement."""
        if len(self._reads) < self._MOST:
            self._reads.update(dict.fromkeys(statement.reads))
        self._forget(statement.key)
        self._by_key[statement.key] = KnownStatement(statement.sql_text, statement.user_name, statement.write)
        self._by_operation[statement.operation_id] = statement.key
        self._operations[statement.key] = statement.operation_id
        if statement.sql_text:
            self._by_text[shortened(statement.sql_text, DESCRIPTION_LENGTH)] = statement.key
        self._characters += len(statement.sql_text)
        self._shrink()

    def analyzed(self, parsed: ParsedStatement) -> None:
        """Add a statement's plan."""
        known = self._by_key.get(self._by_operation.get(parsed.operation_id, ""))
        if known is not None:
            self._characters += _size(parsed.plan) - _size(known.plan)
            known.plan = parsed.plan
            self._shrink()

    def key_of(self, description: str) -> str:
        """Return the key of the newest statement whose text is an execution's description; empty if there is none.

        The Thrift server sets the statement as description of all its executions, including those without jobs, which
        no job group links to it.
        """
        return self._by_text.get(shortened(description, DESCRIPTION_LENGTH), "")

    def find(self, *keys: str) -> KnownStatement:
        """Return the first statement with one of the given job tags or groups; one without facts for none."""
        return next((known for key in keys if key and (known := self._by_key.get(key))), _NO_STATEMENT)

    def _shrink(self) -> None:
        while len(self._by_key) > self._MOST or (self._characters > self._MOST_CHARACTERS and len(self._by_key) > 1):
            self._forget(next(iter(self._by_key)))

    def _forget(self, key: str) -> None:
        known = self._by_key.pop(key, None)
        if known is not None:
            self._characters -= len(known.sql_text) + _size(known.plan)
            self._by_operation.pop(self._operations.pop(key, ""), None)
            text = shortened(known.sql_text, DESCRIPTION_LENGTH)
            if self._by_text.get(text) == key:
                del self._by_text[text]


def _size(plan: PlanText | tuple[ViewRead, ...]) -> int:
    """Return the number of characters of a plan."""
    if isinstance(plan, PlanText):
        return len(plan.text)
    return sum(len(view.name) + sum(map(len, view.columns)) for view in plan)
