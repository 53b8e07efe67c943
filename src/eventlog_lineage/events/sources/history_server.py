"""Logs from a History Server's REST address: what `/api/v1/applications` lists, by the `logs` zip of each attempt.

Source: `ApiRootResource`, `ApplicationListResource` and `EventLogDownloadResource` of Spark 1.4 to 4.3;
`SingleFileEventLogFileReader` zips one file, `RollingEventLogFilesFileReader` a folder of parts.
"""

from __future__ import annotations

import base64
import errno
import json
import os
import re
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote

from eventlog_lineage.errors import LogError

from .bounded_http import Limits, asked
from .event_log import EventLog, Layout, LogPart
from .layouts import unreadable
from .zipped_log import open_zip

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMES = ("http", "https")
AUTHORIZATION = "EVENTLOG_LINEAGE_HISTORY_AUTH"
"""The environment variable with `user:password`, or with all of the `Authorization` header: `Bearer …`."""

LISTING = Limits(seconds=300, size=256 << 20)
"""What a list of applications may cost: some 500 bytes for each attempt."""

DOWNLOAD = Limits(seconds=3600, size=64 << 30)
"""What the zip of a log may cost."""

_API = "/api/v1/applications"
_IN_MEMORY = 16 * 1024 * 1024
_HINT = f"check the address; credentials come from {AUTHORIZATION}"


def is_address(source: str) -> bool:
    """Return whether a source or a part's path is a History Server's address."""
    return source.lower().startswith(("http://", "https://"))


def logs_of_server(source: str) -> Iterator[EventLog]:
    """List the attempts that a History Server knows.

    Args:
        source: `http(s)://host:port`, with a path where a proxy is in front of it; or one application's REST address,
            `…/api/v1/applications/<id>`.

    Yields:
        A log for each attempt, the oldest first. A server that does not answer, or answers something else than a list
        of applications, is an unreadable log; entries of another form are left out and reported as one.
    """
    base, _, wanted = source.rstrip("/").partition(_API)
    address = base + _API
    try:
        applications = json.loads(_listing(address))
    except (LogError, ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, LogError) else "the answer is not a History Server's"
        yield unreadable(address, reason)
        return
    if not isinstance(applications, list):
        yield unreadable(address, "the answer is not a History Server's: it is no list of applications")
        return
    odd = 0
    logs: list[EventLog] = []
    for application in applications:
        found = _attempts(address, application)
        odd += found is None
        logs.extend(log for log in found or () if _is_wanted(log, wanted.strip("/")))
    if odd:
        yield unreadable(address, f"{odd} of {len(applications)} entries of the list are no applications")
    yield from sorted(logs, key=lambda log: (log.modified_at or 0, log.path))


def _is_wanted(log: EventLog, wanted: str) -> bool:
    return not wanted or wanted == log.app_id or wanted.startswith(f"{log.app_id}/")


def _attempts(address: str, application: Any) -> list[EventLog] | None:
    """Return an application's attempts; None where the entry is not of the form that Spark gives it."""
    if not isinstance(application, dict) or not isinstance(application.get("id"), str):
        return None
    attempts = application.get("attempts", [])
    if not isinstance(attempts, list) or not all(isinstance(attempt, dict) for attempt in attempts):
        return None
    return [_attempt(address, application["id"], attempt) for attempt in attempts]


def _attempt(address: str, app_id: str, attempt: dict[str, Any]) -> EventLog:
    attempt_id = str(attempt.get("attemptId") or "")
    path = "/".join((address, quote(app_id, safe=""), *([quote(attempt_id, safe="")] if attempt_id else ()), "logs"))
    updated = attempt.get("lastUpdatedEpoch")
    is_time = type(updated) is int and 0 < updated < 1 << 53
    part = LogPart(path, 0, updated if is_time else None, 1)
    return EventLog(path, Layout.SINGLE, (part,), app_id, attempt_id, not attempt.get("completed", True))


def open_attempt(path: str) -> BinaryIO:
    """Download an attempt's zip and open what is in it.

    Args:
        path: The address of the `logs` of an attempt.

    Returns:
        The log's bytes as Spark stored them; of a rolling log the parts' one after the other.

    Raises:
        LogError: The server does not give them, or they do not fit into the temporary folder.
    """
    with ExitStack() as open_files:
        spool = open_files.enter_context(tempfile.SpooledTemporaryFile(_IN_MEMORY))
        try:
            with asked(path, _headers(), DOWNLOAD, _HINT) as answer:
                for piece in answer.pieces():
                    spool.write(piece)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            full = f"{path}: {error.strerror} in {tempfile.gettempdir()}"
            raise LogError(
                "the log does not fit into the temporary folder", full, "set TMPDIR to a larger one"
            ) from error
        spool.seek(0)
        return open_zip(spool, path, open_files)


def _listing(address: str) -> bytes:
    with asked(address, _headers(), LISTING, _HINT) as answer:
        return b"".join(answer.pieces())


def _headers() -> dict[str, str]:
    headers = {"Accept": "application/json, application/octet-stream"}
    if authorization := os.environ.get(AUTHORIZATION, ""):
        headers["Authorization"] = _header(authorization)
    return headers


def _header(authorization: str) -> str:
    if re.match(r"\w+ \S", authorization):
        return authorization
    return f"Basic {base64.b64encode(authorization.encode()).decode()}"
