"""Executions, as far as it matters for what belongs together."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.plan.summary.plan_summary import PlanSummary
from eventlog_lineage.plan.views import ViewRead


@dataclass(frozen=True, slots=True)
class ExecutionSummary:
    """An execution, as far as it matters for what belongs together.

    Attributes:
        execution_id: Unique in the application, growing in time.
        root: The root execution's id; None where the log does not say (before 3.4).
        description: The job description or call site.
        started_at: Epoch milliseconds; None for an End without a Start.
        ended_at: Epoch milliseconds; None without an End.
        head: Its plan at a glance.
        stream_run_id: The run of the streaming query whose micro-batch it is; empty otherwise.
        stream_batch_id: The micro-batch; None otherwise.
        commit_place: Where the table lies that its jobs commit to; empty where they do not say.
        scans: The scans whose rows its jobs' RDDs hold.
        views: What the Thrift server's own plan of the statement says of views.
        changed: The session catalog's tables that changed while it ran, `` `database`.`table` ``.
        is_served: A server ran it: there may be other sessions in the application.
    """

    execution_id: int
    root: int | None
    description: str
    started_at: int | None
    ended_at: int | None
    head: PlanSummary
    stream_run_id: str = ""
    stream_batch_id: int | None = None
    commit_place: str = ""
    scans: tuple[str, ...] = ()
    views: tuple[ViewRead, ...] = ()
    changed: tuple[str, ...] = ()
    is_served: bool = False

    def contains(self, inner: ExecutionSummary) -> bool:
        """Did another execution run within this one's time?"""
        if self.started_at is None or self.ended_at is None or inner.started_at is None:
            return False
        ended = inner.ended_at if inner.ended_at is not None else inner.started_at
        return self.started_at <= inner.started_at and ended <= self.ended_at
