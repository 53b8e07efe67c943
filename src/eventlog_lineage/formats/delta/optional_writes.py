"""Saves by path that create a table only if there is none: `df.write.format("delta").mode("ignore").save(path)`."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace

_SAVE = "SaveIntoDataSourceCommand"
_IGNORE = re.compile(r"\bDeltaDataSource@\w+, \[[^\n]*\], Ignore\b")


def mark_optional_save(trace: StatementTrace) -> StatementTrace:
    """Mark a save in mode `ignore`: for an existing table it runs no query, which is a nested execution (3.4+)."""
    write = trace.root.write
    if trace.root.command != _SAVE or write is None or not _IGNORE.search(trace.texts[0].text):
        return trace
    return trace.with_root(replace(trace.root, write=replace(write, is_optional=True)))
