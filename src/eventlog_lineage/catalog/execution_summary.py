"""Summaries of executions, the input of grouping."""

from __future__ import annotations

from typing import NamedTuple

from eventlog_lineage.events.records import NO_FACTS, JobFacts
from eventlog_lineage.plan.printed.views import ViewRead
from eventlog_lineage.plan.summary.plan_summary import PlanSummary


class ExecutionSummary(NamedTuple):
    """An execution, reduced to what grouping needs.

    Attributes:
        execution_id: Unique in the application, growing in time.
        root: The root execution's id; None if the log does not have it (before 3.4).
        description: The job description or call site.
        started_at: Epoch milliseconds; None for an End without a Start.
        ended_at: Epoch milliseconds; None without an End.
        summary: The summary of its plan.
        stream_run_id: The run of the streaming query whose micro-batch it is; empty otherwise.
        stream_batch_id: The micro-batch; None otherwise.
        commit_location: Location of the table that its jobs commit to; empty if they do not name it.
        job_facts: What its jobs show and its plan omits.
        views: The views in the Thrift server's own plan of the statement.
        changed: The session catalog's tables that changed while it ran, `` `database`.`table` ``.
        is_served: A server (Thrift, Connect) ran it: the application may have several sessions.
        call: The method that ran it: `checkpoint`, `toTable`, `collectToPython`; empty if unknown.
        has_failed: It failed.
        is_complete: A stateful operator outputs all groups each time: a stream's output mode is `Complete`.
        operation: The Connect operation that ran it or started its stream; empty otherwise.
        location: The location in its SQL, if that creates a table; empty otherwise.
        settings: The settings of its session that name tables of connectors and differ from the application's.
    """

    execution_id: int
    root: int | None
    description: str
    started_at: int | None
    ended_at: int | None
    summary: PlanSummary
    stream_run_id: str = ""
    stream_batch_id: int | None = None
    commit_location: str = ""
    job_facts: JobFacts = NO_FACTS
    views: tuple[ViewRead, ...] = ()
    changed: tuple[str, ...] = ()
    is_served: bool = False
    call: str = ""
    has_failed: bool = False
    is_complete: bool = False
    operation: str = ""
    location: str = ""
    settings: tuple[tuple[str, str], ...] = ()

    def contains(self, inner: ExecutionSummary) -> bool:
        """Return whether another execution ran while this one did."""
        if self.started_at is None or self.ended_at is None or inner.started_at is None:
            return False
        ended = inner.ended_at if inner.ended_at is not None else inner.started_at
        return self.started_at <= inner.started_at and ended <= self.ended_at
