"""Trace one statement: from its plan texts through the passes, in their order, to its lineage, in limited CPU time."""

from __future__ import annotations

import signal
import threading
import time
import traceback
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from itertools import chain
from math import inf
from pathlib import PurePath

from eventlog_lineage.extensions import contributions
from eventlog_lineage.lineage.cross_check import with_differences
from eventlog_lineage.lineage.results.lineage_names import with_source_names
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage, lineage_fingerprint, lineage_of
from eventlog_lineage.lineage.statement import NO_CONTEXT, AttributeLink, Statement, StatementContext
from eventlog_lineage.lineage.tracing.choose_source import add_pushed_filters, leave_out_iterations
from eventlog_lineage.lineage.tracing.command_flows import (
    add_merge_clauses,
    bind_called_table,
    bind_merge,
    mark_completed_as_inferred,
    replace_by_maintenance,
    use_command_of_result,
)
from eventlog_lineage.lineage.tracing.link_plans import (
    bind_own_plans,
    link_across_plans,
    resolve_plans,
    unbound_to_gaps,
)
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace, start_trace
from eventlog_lineage.lineage.tracing.streaming import add_stream_sink, apply_batch_filters
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.plan.plan_text import NO_TEXT, PlanText
from eventlog_lineage.plan.summary.fingerprint import renumbered

_AGAIN = 1.0
"""Seconds after which the limit applies again, should it come within code that cannot be interrupted."""

_LEAST = 1.0
"""Seconds that a statement has, whatever the other statements of its log have taken."""


class OutOfTimeError(BaseException):
    """The CPU time of a block is used up; no `except Exception` within the block keeps it going."""


class TraceBudget:
    """The CPU time for tracing the statements of a log; each statement has at least a second of it.

    It applies in the main thread of a process, where Spark's workers and commands trace; in others there is no limit.

    Args:
        seconds: For the statements of one log.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._used: dict[Hashable, float] = {}

    @contextmanager
    def limited(self, log: Hashable) -> Iterator[None]:
        """Limit the CPU time of a block by what is left for a log.

        Raises:
            OutOfTimeError: The time is used up.
        """
        started, used = time.process_time(), self._used.get(log, 0.0)
        try:
            with _cpu_limit(max(self._seconds - used, min(self._seconds, _LEAST))):
                yield
        finally:
            self._used[log] = used + time.process_time() - started


@contextmanager
def _cpu_limit(seconds: float) -> Iterator[None]:
    if seconds == inf or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


Pass = Callable[[StatementTrace], StatementTrace]
"""One step of tracing a statement: a pure function; it returns the trace unchanged if it does not apply to it."""


def format_passes(phase: str) -> Pass:
    """Return a pass that runs the passes of all table formats for one phase.

    Args:
        phase: An attribute of `extensions.Passes`.
    """

    def run(trace: StatementTrace) -> StatementTrace:
        for each in chain(*contributions(f"passes.{phase}")):
            trace = each(trace)
        return trace

    return run


PASSES: tuple[Pass, ...] = (
    format_passes("plans"),
    resolve_plans,
    add_pushed_filters,
    link_across_plans,
    bind_own_plans,
    leave_out_iterations,
    apply_batch_filters,
    use_command_of_result,
    bind_merge,
    bind_called_table,
    add_merge_clauses,
    format_passes("write"),
    mark_completed_as_inferred,
    unbound_to_gaps,
    replace_by_maintenance,
    add_stream_sink,
)
"""All passes. Table formats contribute passes in two phases: before the plans are resolved, and for writes."""


def run_passes(trace: StatementTrace) -> StatementTrace:
    """Run all passes over a statement.

    Returns:
        The trace with the flows of the statement's executions, every attribute bound or reported.
    """
    for each in PASSES:
        trace = each(trace)
    return trace


OVER_TIME = Gap(
    GapReason.LIMIT_EXCEEDED,
    "",
    "tracing the statement takes more CPU time than its log has",
    "raise --max-seconds-per-log if the log is genuine, and harvest with --reprocess",
)


def trace(
    statement: Statement, texts: Mapping[str, PlanText], limit: AbstractContextManager[None] | None = None
) -> StatementLineage:
    """Trace a statement.

    Args:
        texts: Fingerprint to plan text, which keeps what is read from it; a plan without a text is a gap.
        limit: Of the CPU time, `TraceBudget.limited`; None for no limit.

    Returns:
        Its lineage, compared with what other tools report; a statement that moves no rows has no edges. An internal
        error or a reached limit is a gap of this statement and costs no other statement its lineage.
    """
    try:
        with limit or nullcontext():
            lineage = _traced(statement, texts)
    except OutOfTimeError:
        lineage = _without_lineage(OVER_TIME)
    except Exception as error:  # any failure is a row in gaps
        lineage = _failed(error)
    for each in statement.external:
        lineage = with_differences(lineage, each)
    return lineage


def _traced(statement: Statement, texts: Mapping[str, PlanText]) -> StatementLineage:
    lineage = lineage_of(run_passes(start_trace(statement, _texts_of(statement, texts))))
    if statement.catalog_settings.sources:
        own = statement.context.names.namespaces
        lineage = with_source_names(lineage, dict((*statement.catalog_settings.sources, *own)))
    return lineage


def trace_texts(
    *texts: str, size: int | None = None, links: Sequence[AttributeLink] = (), context: StatementContext = NO_CONTEXT
) -> StatementLineage:
    """Trace a statement from its plan texts alone.

    Args:
        texts: The plans of its executions, the root's first; then those that bind attributes of the others.
        size: The number of its own texts; by default all of them.
        links: The attributes that one of the plans leaves unbound and another binds.
    """
    names = tuple(map(str, range(len(texts))))
    members = tuple(range(len(texts) if size is None else size))
    statement = Statement(members, names, tuple(links), context=context)
    return trace(statement, dict(zip(names, map(PlanText, texts), strict=True)))


def _texts_of(statement: Statement, texts: Mapping[str, PlanText]) -> tuple[PlanText, ...]:
    """Return a statement's texts, renumbered to the ids that its plans share: a stored text may be of any run."""
    found = [texts.get(fingerprint, NO_TEXT) for fingerprint in statement.fingerprints]
    names = statement.context.names
    if names.tables.wide or names.written:
        found = [PlanText(plan.text, names.tables.wide, names.written) for plan in found]
    ids = statement.context.rows.attribute_ids
    own = (replace(plan, text=renumbered(plan.text, each)) for plan, each in zip(found, ids, strict=False))
    return (*own, *found[len(ids) :])


def _failed(error: Exception) -> StatementLineage:
    """Return the lineage of a statement whose trace fails: a gap."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{PurePath(frame.filename).name}:{frame.lineno}"
    what = f"{type(error).__name__}: {error} ({where})"[:500]
    gap = Gap(GapReason.INTERNAL_ERROR, "", what, "please report it with the log")
    # fingerprints are stored: no names of classes and modules
    return _without_lineage(gap, replace(gap, detail=str(error)))


def _without_lineage(gap: Gap, named: Gap | None = None) -> StatementLineage:
    """Return the lineage of a statement that has only a gap.

    Args:
        named: The gap that the fingerprint identifies; None for the same.
    """
    name = lineage_fingerprint((), (), (named or gap,))
    return StatementLineage(name, "query", None, "", (), (), (), (), (gap,))
