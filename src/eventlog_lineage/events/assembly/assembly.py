"""Assemble executions from events: one pass over a log, in memory bounded by compact records of its executions."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from eventlog_lineage.events import listener_events
from eventlog_lineage.events.records import AssembledLog, CatalogChange, Execution, ExternalLineage, StreamProgress

from .application_attempt import ApplicationFacts
from .execution_builder import ExecutionRecord
from .external_lineage import ExternalLineages
from .interning import Shared
from .log_state import LogState
from .server_statements import Statements
from .stream_progress import StreamRuns, shared_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from eventlog_lineage.events.sources.event_log import EventLog

_OPEN_AFTER_END = 200
"""Executions that stay open after their End: a stage that no job waits for completes later."""


def assemble(events: Iterable[listener_events.Event], log: EventLog) -> AssembledLog:
    """Assemble a log's events.

    Args:
        events: The events of all parts, in order, from `reading.read_part`. Plan texts may be replaced by summaries.
        log: The log as listed.

    Returns:
        The assembled log.
    """
    assembly = Assembly(log)
    for event in events:
        assembly.add(event)
    return assembly.result()


class Assembly:
    """The state of the pass, for callers that process events one by one.

    Executions are mutable records while open, and values after their last possible event.

    Args:
        log: The log as listed.
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
        self._streams = StreamRuns()
        self._progress: list[StreamProgress] = []
        self._changes: list[CatalogChange] = []
        self._answers = ExternalLineages()
        self._shared = Shared()
        self._time: int | None = None

    def continue_with(self, log: EventLog) -> None:
        """Continue with a log that has grown since its first parts were read."""
        self._state.continue_with(log)
        self._application.continue_with(log)

    @property
    def is_sound(self) -> bool:
        """Whether all parts so far were read completely."""
        return self._state.is_sound

    def add(self, event: listener_events.Event) -> None:
        """Add the next event; see `assemble` for the order."""
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        else:
            self._application.add(event)
        self._time = getattr(event, "time", None) or self._time

    def result(self) -> AssembledLog:
        """Return the assembled log, after the last event."""
        state = self._state.conclusion(ended=self._application.ended)
        unended = "running" if state.state == "in_progress" else "unknown"
        return AssembledLog(
            application=self._application.application(),
            executions=tuple(self._closed(unended)) if state.state != "unreadable" else (),
            progress=tuple(self._progress),
            streams=self._streams.all(),
            catalog_changes=tuple(self._changes),
            external_lineages=self._answers.all(),
            gaps=state.gaps,
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
            record.metrics.replan(event.nodes)

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
        self._changes.append(change.seen(self._time))
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
                    record.add_cost(cost)
                    cost = None


_HANDLERS: Mapping[type, Callable[[Assembly, Any], None]] = {
    listener_events.ExecutionStart: Assembly._started,
    listener_events.ExecutionEnd: Assembly._finished,
    listener_events.AdaptivePlan: Assembly._replanned,
    listener_events.DriverMetrics: Assembly._driver_set,
    listener_events.StageMetrics: Assembly._stage,
    listener_events.JobStart: Assembly._job_started,
    listener_events.JobFailed: Assembly._job_failed,
    listener_events.StreamStart: lambda assembly, event: assembly._streams.started(event),
    listener_events.StreamEnd: lambda assembly, event: assembly._streams.ended(event),
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
