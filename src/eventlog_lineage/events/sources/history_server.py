"""List and download logs from a History Server: the attempts in `/api/v1/applications`, by their `logs` zips.

Source: `ApiRootResource`, `ApplicationListResource` and `EventLogDownloadResource` of Spark 1.4 to 4.3;
`SingleFileEventLogFileReader` zips one file, `RollingEventLogFilesFileReader` a folder of parts.
"""

from __future__ import annotations

import base64
import errno
import http.client
import json
import os
import re
import socket
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote, urlsplit

from eventlog_lineage.errors import LogError, encodable

from .event_log import EventLog, Layout, LogPart
from .layouts import unreadable
from .zipped_log import open_zip

if TYPE_CHECKING:
    from collections.abc import Iterator

_SILENCE = 60
"""Limit of a server's silence, in seconds."""

_PIECE = 1024 * 1024
_SLOWEST, _GRACE = 1024, 60
"""Least bytes per second on average, and the seconds before this limit applies."""

_PAUSES = (1, 3, 9)
"""Seconds to wait before each retry."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a request.

    Attributes:
        seconds: From the connection to the end of the response.
        size: Bytes of the response.
    """

    seconds: float
    size: int


@dataclass(slots=True)
class Response:
    """A response that is being read.

    Attributes:
        address: The requested address.
    """

    address: str
    _response: Any
    _limits: Limits
    _watch: _Watch
    _started: float = field(default_factory=time.monotonic)

    def pieces(self) -> Iterator[bytes]:
        """Yield the response's bytes.

        Raises:
            LogError: It exceeds a limit or is truncated.
        """
        size = 0
        while True:
            try:
                piece = self._response.read1(_PIECE)
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise self._failure(f"the answer breaks off after {size} bytes: {error or 'time is up'}") from error
            if not piece and self._watch.is_over:
                raise self._failure(f"the answer takes longer than {self._limits.seconds:g} s")
            if not piece:
                missing = getattr(self._response, "length", None)
                if missing:
                    raise self._failure(f"the answer breaks off {missing} bytes before its end")
                return
            size += len(piece)
            seconds = time.monotonic() - self._started
            if size > self._limits.size:
                raise self._failure(f"the answer is longer than {self._limits.size} bytes")
            if seconds > self._limits.seconds or (seconds > _GRACE and size < _SLOWEST * seconds):
                raise self._failure(f"the answer is too slow: {size} bytes in {seconds:.0f} s")
            yield piece

    def _failure(self, reason: str) -> LogError:
        return LogError(
            "the History Server does not answer as it should",
            f"{self.address}: {reason}",
            "check the server and its log",
        )


_LONGEST_PROBLEM = 300


@contextmanager
def requested(address: str, headers: Mapping[str, str], limits: Limits, hint: str) -> Iterator[Response]:
    """Send a request, with retries if the server is overloaded or starting.

    Args:
        address: An `http` or `https` address.
        headers: The request's headers; `Authorization` is not sent to redirects.
        hint: What the user can do if the server refuses.

    Raises:
        LogError: The server does not respond, refuses, or redirects to another host.
    """
    request = urllib.request.Request(address)
    for name, value in headers.items():
        request.add_unredirected_header(name, value)
    problem = ""
    for pause in (*_PAUSES, 0):
        watch = _Watch(limits.seconds)
        try:
            response = _opener(watch, address).open(request, timeout=_SILENCE)
        except urllib.error.HTTPError as error:
            problem = f"{error.code} {error.reason}"
            error.close()
            watch.stop()
            if error.code < 500 and error.code != 429:
                break
        except (OSError, http.client.HTTPException, ValueError) as error:
            problem = str(getattr(error, "reason", error)) or type(error).__name__
            watch.stop()
            if watch.is_over or isinstance(getattr(error, "reason", error), ConnectionRefusedError):
                break
        else:
            try:
                if watch.is_over:
                    reason = f"{address}: no answer within {limits.seconds:g} s"
                    raise LogError("the History Server does not answer as it should", reason, hint)
                yield Response(address, response, limits, watch)
            finally:
                watch.stop()
                response.close()
            return
        time.sleep(pause)
    problem = " ".join(problem.split())[:_LONGEST_PROBLEM]  # Python repeats a response that is not HTTP
    raise LogError("the History Server does not answer as it should", f"{address}: {problem}", hint)


class _Watch:
    """Closes a request's connection when its time is up: a socket's own timeout restarts with each byte."""

    def __init__(self, seconds: float) -> None:
        self._sockets: list[socket.socket] = []
        self.is_over = False
        self._timer = threading.Timer(seconds, self._close)
        self._timer.daemon = True
        self._timer.start()

    def add(self, connection: socket.socket) -> None:
        """Watch a connection."""
        self._sockets.append(connection)

    def stop(self) -> None:
        """Stop watching."""
        self._timer.cancel()

    def _close(self) -> None:
        self.is_over = True
        for connection in self._sockets:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows redirects only within the host that the user named."""

    def __init__(self, address: str) -> None:
        self._host = urlsplit(address).hostname

    def redirect_request(  # noqa: PLR0913, PLR0917 - urllib's signature
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        if urlsplit(newurl).scheme not in {"http", "https"} or urlsplit(newurl).hostname != self._host:
            raise urllib.error.HTTPError(newurl, code, "redirects to another host, which is not followed", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener(watch: _Watch, address: str) -> urllib.request.OpenerDirector:
    class Connection(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            watch.add(self.sock)

    class SecureConnection(http.client.HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            watch.add(self.sock)

    class Plain(urllib.request.HTTPHandler):
        def http_open(self, req: Any) -> Any:
            return self.do_open(Connection, req)

    class Secure(urllib.request.HTTPSHandler):
        def https_open(self, req: Any) -> Any:
            return self.do_open(SecureConnection, req)

    return urllib.request.build_opener(Plain, Secure, _SameHost(address))


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
    """Return an application's attempts; None for a malformed entry."""
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
