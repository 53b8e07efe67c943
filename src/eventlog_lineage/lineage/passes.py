"""The tracer: named passes over one `StatementTrace`, in the order of `PASSES`; table formats contribute some."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import Protocol

from eventlog_lineage.extensions import contributions
from eventlog_lineage.lineage.tracing.command_flows import (
    add_merge_clauses,
    bind_called_table,
    bind_merge,
    mark_completed_as_inferred,
    replace_by_maintenance,
    use_command_of_result,
)
from eventlog_lineage.lineage.tracing.logical_fallback import add_pushed_filters

from .tracing.choose_source import leave_out_iterations
from .tracing.link_plans import bind_own_plans, link_across_plans, resolve_plans, unbound_to_gaps
from .tracing.statement_trace import StatementTrace
from .tracing.streaming import add_stream_sink, apply_batch_filters

Pass = Callable[[StatementTrace], StatementTrace]


def format_passes(phase: str) -> Pass:
    """Return a pass that runs the passes of all table formats for one phase.

    Args:
        phase: See `FormatPass`.
    """

    def run(trace: StatementTrace) -> StatementTrace:
        for each in _passes(phase):
            trace = each(trace)
        return trace

    return run


@cache
def _passes(phase: str) -> tuple[Pass, ...]:
    return tuple(each.run for each in chain(*contributions("passes")) if each.phase == phase)


class StatementPass(Protocol):
    """One step of tracing a statement: a pure function from trace to trace.

    A pass that does not apply to the statement returns the trace unchanged.
    """

    def __call__(self, trace: StatementTrace, /) -> StatementTrace:
        """Return the trace with the results of this pass."""


PASSES: tuple[StatementPass, ...] = (
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
