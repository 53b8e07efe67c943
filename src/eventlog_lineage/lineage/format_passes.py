"""The passes that table formats contribute, by phase."""

from __future__ import annotations

from collections.abc import Callable

from .tracing.clones import add_clone_source, name_loaded_table
from .tracing.hudi_changes import add_saved_changes
from .tracing.hudi_merge import bind_hudi_merge
from .tracing.statement_trace import StatementTrace

Pass = Callable[[StatementTrace], StatementTrace]

_PASSES: dict[str, tuple[Pass, ...]] = {
    "plans": (name_loaded_table,),
    "write": (bind_hudi_merge, add_saved_changes, add_clone_source),
}


def format_passes(phase: str) -> Pass:
    """Return a pass that runs the passes of all table formats for one phase.

    Args:
        phase: "plans", before the statement's plans are resolved; "write", once its attributes are bound.
    """

    def run(trace: StatementTrace) -> StatementTrace:
        for each in _PASSES[phase]:
            trace = each(trace)
        return trace

    return run
