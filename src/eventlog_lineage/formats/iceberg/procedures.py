"""Iceberg's procedures."""

from __future__ import annotations

import re

_CALLED = re.compile(
    r"== Physical Plan ==\nCommandResult[^\n]*\n +\+- LocalTableScan[^\n]*\n\s*\(1\) CommandResult\nOutput \[\d+\]: "
    r"\[(?:[^\n]*, )?(?:(?:rewritten|deleted|removed|added)_\w+_count|orphan_file_location)#"
)


def is_call_result(physical: str) -> bool:
    """Are the rows of a plan what a procedure returned? On Spark 4 the statement itself is no execution."""
    return _CALLED.match(physical) is not None
