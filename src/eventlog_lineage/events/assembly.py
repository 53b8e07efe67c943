"""Assemble executions from events: one pass over a log, in memory bounded by compact records of its executions.

The facts about the application attempt that wrote the log are collected on the way.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from eventlog_lineage.events import listener_events
from eventlog_lineage.events.listener_events import ApplicationEnd, ApplicationStart, Environment, LogStart
from eventlog_lineage.events.records import (
    Application,
    AssembledLog,
    CatalogChange,
    Event,
    Execution,
    ExternalLineage,
    StreamProgress,
)
from eventlog_lineage.events.sources.layouts import EventLog, Layout
from eventlog_lineage.model import Gap, GapReason

from .execution_builder import ExecutionRecord, Statements
from .log_state import LogState, Shared, shared_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_BY_VERSION = re.compile(
    r"(?P<emr>-amzn-\d)|(?P<databricks>(?i:databricks|-dbr|photon))"
    r"|(?P<cloudera>\.cloudera|-cdh|\d\.\d+\.\d+\.7\.\d+\.\d+(?:\.\d+)?[.-]\d)"
    r"|(?P<synapse>^\d\.\d+\.\d+\.5\.\d+[.-]\d)|(?P<mapr>-(?:mapr|eep)-)"
)


def platform_of_version(version: str) -> str:
    """Return the vendor by `Spark Version`; `oss` for Apache's own and unknown versions.

    >>> platform_of_version("3.3.0-amzn-0"), platform_of_version("3.5.1")
    ('emr', 'oss')
    """
    found = _BY_VERSION.search(version)
    return str(found.lastgroup) if found else "oss"


_NOT_STARTED = ApplicationStart("", "", "", "", None)
_OLDEST = (2, 4)
"""The first Spark whose plans are supported."""


class ApplicationFacts:
    """Collects the facts about an application from events, with defaults from the log's names.

    Later parts of a rolling log repeat none of these events, later parts of a Databricks log repeat some: the first
    value counts, and settings are merged.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._start: ApplicationStart | None = None
        self._end: ApplicationEnd | None = None
        self._version = ""
        self._environment = Environment({}, "databricks" if log.layout is Layout.DATABRICKS else "", "")

    def continue_with(self, log: EventLog) -> None:
        """Continue with the log as it is now listed."""
        self._log = log

    @property
    def ended(self) -> bool:
        """Whether the application's end has been read."""
        return self._end is not None

    def add(self, event: Event) -> None:
        """Add an event; events that are not about the application are ignored."""
        if isinstance(event, LogStart):
            self._version = self._version or event.spark_version
            if event.platform:
                self._environment = replace(self._environment, platform=event.platform)
        elif isinstance(event, ApplicationStart):
            self._start = self._start or event
        elif isinstance(event, ApplicationEnd):
            self._end = event
        elif isinstance(event, Environment):
            self._environment = self._environment.completed(event)

    def version_gaps(self) -> tuple[Gap, ...]:
        """Return the gap of a Spark whose plans are of an older form; none for the supported ones."""
        numbers = tuple(map(int, re.findall(r"\d+", self._version)[:2]))
        if not numbers or numbers >= _OLDEST:
            return ()
        detail = (
            f"the log is Spark {self._version}'s; plans are read from Spark 2.4 on, of older ones what has their form"
        )
        return (Gap(GapReason.UNSUPPORTED_VERSION, "", detail, "check the lineage of this log, or upgrade Spark"),)

    def application(self) -> Application:
        """Return the application with the facts so far."""
        start, log, environment = self._start or _NOT_STARTED, self._log, self._environment
        name = log.path.rsplit("/", 1)[-1].split(".", 1)[0]
        return Application(
            app_id=start.app_id or log.app_id or name,
            attempt_id=start.attempt_id or log.attempt_id,
            app_name=start.app_name or environment.settings.get("spark.app.name", ""),
            user_name=start.user_name,
            spark_version=self._version,
            platform=environment.platform or platform_of_version(self._version),
            engine=environment.engine or "spark",
            agents=environment.agents,
            code_version=environment.code_version,
            started_at=start.time,
            ended_at=self._end.time if self._end else None,
            complete=self.ended,
            log_path=log.path,
            settings=dict(environment.settings),
            scheduler=environment.scheduler,
        )


_MAX_DELAY = 2000
"""Most milliseconds between the end of an execution and its lineage event."""

_MOST = 64
"""Limit of the ends that wait for a lineage event."""


class _End(NamedTuple):
    execution_id: int
    time: int
    failed: bool | None


class ExternalLineages:
    """The lineage events of one application, matched to executions."""

    def __init__(self) -> None:
        self._ends: list[_End] = []
        self._waiting: list[ExternalLineage] = []
        self._paired: list[ExternalLineage] = []

    def ended(self, execution_id: int, time: int | None, *, failed: bool | None) -> None:
        """Add the end of an execution; the log does not show whether it failed before 3.4 (None)."""
        latest = self._ends[-1].time if self._ends else 0
        if len(self._ends) == len(self._waiting) or (time or 0) - latest > _MAX_DELAY or len(self._ends) >= _MOST:
            self._pair()
        self._ends.append(_End(execution_id, time or latest, failed))

    def add(self, answer: ExternalLineage) -> None:
        """Add a lineage event."""
        self._waiting.append(answer)
        if len(self._waiting) > 2 * _MOST:
            self._pair()

    def all(self) -> tuple[ExternalLineage, ...]:
        """Return the matched events, in the log's order. An event after no end has no execution in the log."""
        self._pair()
        return tuple(self._paired)

    def _pair(self) -> None:
        ends, answers = self._ends, self._waiting
        self._ends, self._waiting = [], []
        certain = len(ends) == len(answers)
        for end, answer in _aligned(ends, answers) if answers else ():
            self._paired.append(replace(answer, execution_id=end.execution_id, certain=certain))


def _aligned(ends: Sequence[_End], answers: Sequence[ExternalLineage]) -> Iterator[tuple[_End, ExternalLineage]]:
    """Yield pairs in the order of both: as many as possible, and with the least time between them."""
    costs = [[(0, 0)] * (len(answers) + 1) for _ in range(len(ends) + 1)]
    for row in reversed(range(len(ends))):
        for column in reversed(range(len(answers))):
            best = min(costs[row + 1][column], costs[row][column + 1])
            gap = _between(ends[row], answers[column])
            if gap is not None:
                pairs, time = costs[row + 1][column + 1]
                best = min(best, (pairs - 1, time + gap))
            costs[row][column] = best
    row = column = 0
    while row < len(ends) and column < len(answers):
        if costs[row][column] == costs[row + 1][column]:
            row += 1
        elif costs[row][column] == costs[row][column + 1]:
            column += 1
        else:
            yield ends[row], answers[column]
            row, column = row + 1, column + 1


def _between(end: _End, answer: ExternalLineage) -> int | None:
    """Return the milliseconds from an end to a lineage event; None if the event cannot be about that execution."""
    if answer.reported_at is None:
        return 0
    if answer.reported_at < end.time or (end.failed is not None and end.failed != answer.failed):
        return None
    return answer.reported_at - end.time


_OPEN_AFTER_END = 200
"""Executions that stay open after their End: a stage that no job waits for completes later."""


def assemble(events: Iterable[Event], log: EventLog) -> AssembledLog:
    """Assemble a log's events.

    Args:
        events: The events of all parts, in order, from `reading.read_part`. Plan texts may be replaced by summaries.
    """
    assembly = Assembly(log)
    for event in events:
        assembly.add(event)
    return assembly.result()


class Assembly:
    """The state of the pass, for callers that process events one by one.

    Executions are mutable records while open, and values after their last possible event.
    """

    def __init__(self, log: EventLog) -> None:
        self._state = LogState(log)
        self._application = ApplicationFacts(log)
        self._executions: dict[int, ExecutionRecord | Execution] = {}
        self._running: dict[int, ExecutionRecord] = {}
        self._ended: deque[ExecutionRecord] = deque()
        self._of_job: dict[int, int] = {}
        self._of_stage: dict[int, tuple[int, ...]] = {}
        self._statements = Statements()
        self._progress: list[StreamProgress] = []
        self._answers = ExternalLineages()
        self._shared = Shared()

    def continue_with(self, log: EventLog) -> None:
        """Continue with a log that has grown since its first parts were read."""
        self._state.continue_with(log)
        self._application.continue_with(log)

    @property
    def is_sound(self) -> bool:
        """Whether all parts so far were read completely."""
        return self._state.is_sound

    def add(self, event: Event) -> None:
        """Add the next event; see `assemble` for the order."""
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        else:
            self._application.add(event)

    def result(self) -> AssembledLog:
        """Return the assembled log, after the last event."""
        state = self._state.conclusion(ended=self._application.ended)
        unended = "running" if state.state == "in_progress" else "unknown"
        return AssembledLog(
            application=self._application.application(),
            executions=tuple(self._closed(unended)) if state.state != "unreadable" else (),
            progress=tuple(self._progress),
            external_lineages=self._answers.all(),
            requested_reads=self._statements.reads,
            gaps=(*state.gaps, *(self._application.version_gaps() if self._executions else ())),
            state=state.state,
            error=state.error,
            counts=self._state.counts,
        )

    def _closed(self, unended: str) -> Iterable[Execution]:
        for entry in self._executions.values():
            if isinstance(entry, Execution):
                yield entry
            elif entry.start is not None or entry.end is not None:
                yield entry.execution(unended, self._statements, self._shared)

    def _open(self, execution_id: int) -> ExecutionRecord | None:
        """Return the record of an execution: a new one for an unknown id, None for a closed execution."""
        entry = self._executions.get(execution_id)
        if entry is None:
            entry = self._executions[execution_id] = ExecutionRecord(execution_id)
        return entry if isinstance(entry, ExecutionRecord) else None

    def _replanned(self, event: listener_events.AdaptivePlan) -> None:
        if (record := self._open(event.execution_id)) is not None:
            record.metrics.last = event.nodes

    def _driver_set(self, event: listener_events.DriverMetrics) -> None:
        if (record := self._open(event.execution_id)) is not None:
            record.metrics.update(event.values)

    def _started(self, event: listener_events.ExecutionStart) -> None:
        record = self._open(event.execution_id)
        if record is not None and record.start is None:
            record.set_start(event, self._statements.key_of(event.description))
            if record.end is None:
                self._running[event.execution_id] = record
            return
        known = self._executions[event.execution_id]
        if event.time != known.started_at:
            self._state.started_twice(event.execution_id, known.started_at, event.time)

    def _changed(self, change: CatalogChange) -> None:
        database = change.database.replace("`", "``")
        for name in filter(None, (change.name, change.new_name)):
            quoted = f"`{database}`.`{name.replace('`', '``')}`"
            for record in self._running.values():
                record.changed[quoted] = None

    def _finished(self, event: listener_events.ExecutionEnd) -> None:
        record = self._open(event.execution_id)
        if record is None or record.end is not None:
            return
        record.finish(event)
        self._running.pop(event.execution_id, None)
        self._answers.ended(event.execution_id, event.time, failed=None if event.error is None else bool(event.error))
        self._ended.append(record)
        if len(self._ended) > _OPEN_AFTER_END:
            self._close(self._ended.popleft())

    def _close(self, record: ExecutionRecord) -> None:
        self._executions[record.execution_id] = record.execution("unknown", self._statements, self._shared)
        for job in record.jobs:
            self._of_job.pop(job, None)
        for stage in record.stages:
            left = tuple(owner for owner in self._of_stage.get(stage, ()) if owner != record.execution_id)
            if left:
                self._of_stage[stage] = left
            else:
                self._of_stage.pop(stage, None)

    def _job_started(self, event: listener_events.JobStart) -> None:
        record = self._open(event.execution_id)
        if record is None:
            return
        record.add_job(event)
        self._of_job[event.job_id] = event.execution_id
        for stage in event.stage_ids:
            owners = self._of_stage.get(stage, ())
            if event.execution_id not in owners:
                self._of_stage[stage] = (*owners, event.execution_id)
                record.stages.append(stage)

    def _job_failed(self, event: listener_events.JobFailed) -> None:
        record = self._executions.get(self._of_job.get(event.job_id, -1))
        if isinstance(record, ExecutionRecord) and record.job_error is None:
            record.job_error = event.error

    def _stage(self, event: listener_events.StageMetrics) -> None:
        """Add a stage's values to the executions whose jobs wait for it; one that is only printed again has no jobs.

        The first of them has submitted the stage: it alone bears the cost, so that costs can be added up.
        """
        cost = event.cost
        for owner in self._of_stage.get(event.stage_id, ()):
            record = self._executions.get(owner)
            if isinstance(record, ExecutionRecord):
                record.metrics.update(event.values)
                if cost is not None:
                    record.cost = cost if record.cost is None else record.cost.plus(cost)
                    cost = None


_HANDLERS: Mapping[type, Callable[[Assembly, Any], None]] = {
    listener_events.ExecutionStart: Assembly._started,
    listener_events.ExecutionEnd: Assembly._finished,
    listener_events.AdaptivePlan: Assembly._replanned,
    listener_events.DriverMetrics: Assembly._driver_set,
    listener_events.StageMetrics: Assembly._stage,
    listener_events.JobStart: Assembly._job_started,
    listener_events.JobFailed: Assembly._job_failed,
    listener_events.Statement: lambda assembly, event: assembly._statements.started(event),
    listener_events.ParsedStatement: lambda assembly, event: assembly._statements.analyzed(event),
    StreamProgress: lambda assembly, event: assembly._progress.append(shared_progress(event, assembly._shared)),
    CatalogChange: Assembly._changed,
    ExternalLineage: lambda assembly, event: assembly._answers.add(event),
    listener_events.BadEvent: lambda assembly, event: assembly._state.bad_event(event),
    listener_events.PartEnd: lambda assembly, event: assembly._state.part_end(event),
}
"""What takes an event, by its type.

Methods that are bound to an assembly would keep it, with all of its executions, until Python looks for cycles.
"""
