"""The passes that table formats contribute, by phase."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import chain

from eventlog_lineage.extensions import contributions

from .tracing.statement_trace import StatementTrace

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
