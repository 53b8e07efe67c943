"""The tracer: named passes over one `StatementTrace`, in the order of `PASSES`."""

from __future__ import annotations

from typing import Protocol

from .format_passes import format_passes
from .star_clauses import mark_completed_as_inferred
from .tracing.choose_source import leave_out_iterations
from .tracing.command_results import add_merge_clauses, bind_called_table, use_command_of_result
from .tracing.link_plans import bind_own_plans, link_across_plans, unbound_to_gaps
from .tracing.maintenance_rows import replace_by_maintenance
from .tracing.merge import bind_merge
from .tracing.resolve_plans import resolve_plans
from .tracing.statement_trace import StatementTrace
from .tracing.streaming import add_stream_sink, apply_batch_filters


class StatementPass(Protocol):
    """One step of tracing a statement: a pure function from trace to trace.

    A pass that does not apply to the statement returns the trace unchanged.
    """

    def __call__(self, trace: StatementTrace, /) -> StatementTrace:
        """Return the trace with the results of this pass."""


PASSES: tuple[StatementPass, ...] = (
    format_passes("plans"),
    resolve_plans,
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

    Args:
        trace: The statement with its texts.

    Returns:
        The trace with the flows of the statement's executions, every attribute bound or reported.
    """
    for each in PASSES:
        trace = each(trace)
    return trace
