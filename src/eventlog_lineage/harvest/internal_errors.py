"""Errors of this program while it reads a log: told with the log, so that they cost no other log anything."""

from __future__ import annotations

import traceback
from pathlib import PurePath

from eventlog_lineage.redaction import PLAIN

_LONGEST_ERROR = 500


def told(error: Exception) -> str:
    """An error of ours as one line: what, and where in the program."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return PLAIN.text(" ".join(f"internal error: {type(error).__name__}: {error}".split()))[:_LONGEST_ERROR] + where
