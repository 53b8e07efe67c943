"""Leave out Hudi's own columns of queries over all columns: `SELECT *` has them before the table's."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace

_METADATA = ("commit_time", "commit_seqno", "record_key", "partition_path", "file_name")
"""Hudi's columns in their order, after `_hoodie_` (`HoodieRecord.HOODIE_META_COLUMNS`, 0.x and 1.x)."""


def without_metadata(trace: StatementTrace) -> StatementTrace:
    """Remove Hudi's columns from the outputs of a query where all of them follow one another, as a star lists them."""
    root = trace.root
    if root.write is not None or root.command or trace.statement.context.stream is not None:
        return trace
    own = tuple(f"_hoodie_{name}" for name in _METADATA)
    outputs = list(root.outputs)
    names = [output.name for output in outputs]
    for start in range(len(names) - len(own), -1, -1):
        if tuple(names[start : start + len(own)]) == own:
            del outputs[start : start + len(own)]
    return trace if len(outputs) == len(root.outputs) else trace.with_root(replace(root, outputs=tuple(outputs)))
