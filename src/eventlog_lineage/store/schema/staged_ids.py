"""Ids of applications in the rows of a harvest."""

from __future__ import annotations

from hashlib import sha256

SEPARATOR = "\x1f"
"""Ends the id; the rest is hexadecimal, so that the last one in a text is always ours."""

SUFFIX = r"\x1f[0-9a-f]*$"
"""What follows the id, as a regular expression of DuckDB."""


def staged_id(app_id: str, started_at: int | None, app_name: str) -> str:
    """Return an application's id for the rows of a harvest.

    Spark's ids are not unique: `local-<ms>` and `app-<second>-<number>` of two clusters can be equal, and anybody can
    write a log with the id of another application. The start and the name in `SparkListenerApplicationStart`
    distinguish them. The fold makes the store's id of it (`store/fold/staged_views.py`).

    Args:
        started_at: When the application started, in milliseconds; None if unknown.
    """
    known = "" if started_at is None else sha256(f"{started_at}\n{app_name}".encode(errors="replace")).hexdigest()[:16]
    return f"{app_id}{SEPARATOR}{known}"
