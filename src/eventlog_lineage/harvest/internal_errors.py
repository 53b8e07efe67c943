"""Internal errors while a log is read: they are reported with the log, and the other logs are harvested."""

from __future__ import annotations

import traceback
from pathlib import PurePath

from eventlog_lineage.redaction import PLAIN

_LONGEST_ERROR = 500


def describe_error(error: Exception) -> str:
    """Return an internal error as one line: the error, and its place in the program."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return PLAIN.text(" ".join(f"internal error: {type(error).__name__}: {error}".split()))[:_LONGEST_ERROR] + where
