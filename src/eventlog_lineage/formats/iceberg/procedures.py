"""Iceberg's procedures."""

from __future__ import annotations

import re

_MAINTAINING = re.compile(r"^(?:Rewriting|Expiring|Removing|Deleting)\b[^\n]* in ([\w-]+(?:\.[\w-]+){2,})$")
_CALLED = re.compile(
    r"== Physical Plan ==\nCommandResult[^\n]*\n +\+- LocalTableScan[^\n]*\n\s*\(1\) CommandResult\nOutput \[\d+\]: "
    r"\[(?:[^\n]*, )?(?:(?:rewritten|deleted|removed|added)_\w+_count|orphan_file_location)#"
)


def is_call_result(physical: str) -> bool:
    """Return whether the rows of a plan are a procedure's result; on Spark 4 only that is an execution."""
    return _CALLED.match(physical) is not None


def maintained_table(description: str) -> str:
    """Return the table in `Rewriting 1 files (…) in lake.shop.orders`, a description of Iceberg's; empty for others."""
    match = _MAINTAINING.match(description)
    return match[1] if match else ""
