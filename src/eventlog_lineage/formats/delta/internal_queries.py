"""Recognize Delta's internal queries by their plan texts."""

from __future__ import annotations

import re

_HELPER = re.compile(
    r"\n(?:\(\d+\) |[ :+*-]*(?:\*?\(\d+\) )?)Scan ExistingRDD Delta (?:Table State|Source Snapshot)"
    r"|(?:\n|, )Location: DeltaLogFileIndex[ (\[]"
    r"| AS add#\d+, \w+#\d+L? AS index#\d+L?, null AS remove#\d+, "
    r"|\nOutput \[\d+\]: \[(?:path#\d+, partitionValues#\d+, size#\d+L|txn#\d+, add#\d+, remove#\d+)"
    r"|(?:Scan ExistingRDD|LocalTableScan )\[(?:path#\d+, ?partitionValues#\d+, ?size#\d+L|txn#\d+, ?add#\d+)"
)
_HELPER_MARKS = ("Delta ", "DeltaLogFileIndex", "partitionValues#", "txn#", " AS add#")


def is_internal_query(text: str) -> bool:
    """Return whether a plan is an internal query of Delta: of a table's state, its files, or their statistics.

    `Snapshot` names its RDD `Delta Table State #<version> - <path>/_delta_log` and reads commits through a
    `DeltaLogFileIndex`; lists of files are relations that begin with `path, partitionValues, size` (`AddFile`), and a
    streaming source numbers those of a snapshot (`DeltaSourceSnapshot`: `… AS add#1, _2#2L AS index#3L, …`).
    """
    return any(mark in text for mark in _HELPER_MARKS) and _HELPER.search(text) is not None
