"""List and download logs from a History Server: the attempts in `/api/v1/applications`, by their `logs` zips.

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

from eventlog_lineage.errors import LogError, encodable

from .bounded_http import Limits, requested
from .event_log import EventLog, Layout, LogPart
from .layouts import unreadable
from .zipped_log import open_zip

if TYPE_CHECKING:
    from collections.abc import Iterator

AUTHORIZATION = "EVENTLOG_LINEAGE_HISTORY_AUTH"
"""The environment variable with `user:password`, or with a complete `Authorization` header: `Bearer …`."""

LISTING = Limits(seconds=300, size=256 << 20)
"""Limits of a list of applications: about 500 bytes per attempt."""

DOWNLOAD = Limits(seconds=3600, size=64 << 30)
"""Limits of the zip of a log."""

_API = "/api/v1/applications"
_IN_MEMORY = 16 * 1024 * 1024
_HINT = f"check the address; credentials come from {AUTHORIZATION}"


def logs_of_server(source: str) -> Iterator[EventLog]:
    """List the attempts of a History Server.

    Args:
        source: `http(s)://host:port`, with the path of a proxy if there is one; or one application's REST address,
            `…/api/v1/applications/<id>`.

    Yields:
        A log per attempt, the oldest first. A server that does not respond with a list of applications is an unreadable
        log; malformed entries are skipped and reported as one unreadable log.
    """
    base, _, application_path = source.rstrip("/").partition(_API)
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
    invalid = 0
    logs: list[EventLog] = []
    for application in applications:
        found = _attempts(address, application)
        invalid += found is None
        logs.extend(log for log in found or () if _is_application_path(log, application_path.strip("/")))
    if invalid:
        yield unreadable(address, f"{invalid} of {len(applications)} entries of the list are no applications")
    yield from sorted(logs, key=lambda log: (log.modified_at or 0, log.path))


def _is_application_path(log: EventLog, application_path: str) -> bool:
    return not application_path or application_path == log.app_id or application_path.startswith(f"{log.app_id}/")


def _attempts(address: str, application: Any) -> list[EventLog] | None:
    """Return an application's attempts; None for a malformed entry.

    Args:
        address: The address of the list.
        application: The entry of an application.
    """
    if not isinstance(application, dict) or not isinstance(application.get("id"), str):
        return None
    attempts = application.get("attempts", [])
    if not isinstance(attempts, list) or not all(isinstance(attempt, dict) for attempt in attempts):
        return None
    return [_attempt(address, encodable(application["id"]), attempt) for attempt in attempts]


def _attempt(address: str, app_id: str, attempt: dict[str, Any]) -> EventLog:
    attempt_id = encodable(str(attempt.get("attemptId") or ""))
    path = "/".join((address, quote(app_id, safe=""), *([quote(attempt_id, safe="")] if attempt_id else ()), "logs"))
    updated = attempt.get("lastUpdatedEpoch")
    is_time = type(updated) is int and 0 < updated < 1 << 53
    part = LogPart(path, 0, updated if is_time else None, 1)
    return EventLog(path, Layout.SINGLE, (part,), app_id, attempt_id, not attempt.get("completed", True))


def open_attempt(path: str) -> BinaryIO:
    """Download an attempt's zip and open its log.

    Args:
        path: The address of the `logs` of an attempt.

    Returns:
        The log's bytes as Spark stored them; the parts of a rolling log are concatenated.

    Raises:
        LogError: The download fails, or it does not fit into the temporary folder.
    """
    with ExitStack() as open_files:
        spool = open_files.enter_context(tempfile.SpooledTemporaryFile(_IN_MEMORY))
        try:
            with requested(path, _headers(), DOWNLOAD, _HINT) as answer:
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
    with requested(address, _headers(), LISTING, _HINT) as answer:
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
