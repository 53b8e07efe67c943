"""Internal errors while a log is read: they are reported with the log, and the other logs are harvested."""

from __future__ import annotations

import traceback
from pathlib import PurePath

from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.redaction import PLAIN

from .temporary_space import full_folder, is_full

_LONGEST_ERROR = 500


def describe_error(error: Exception) -> str:
    """Return an internal error as one line: the error and its position in the program, or that a disk is full."""
    if is_full(error):
        return str(full_folder())
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return PLAIN.text(" ".join(f"internal error: {type(error).__name__}: {error}".split()))[:_LONGEST_ERROR] + where


def internal_error_gap(path: str, error: Exception) -> Gap:
    """Return the gap for a log that an internal error kept from being read.

    Args:
        path: The log.
        error: The error.
    """
    hint = full_folder().hint if is_full(error) else "please report it with the log"
    return Gap(GapReason.INTERNAL_ERROR, "", f"{path}: {describe_error(error)}", hint)
