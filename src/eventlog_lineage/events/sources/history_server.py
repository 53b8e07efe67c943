"""List and download logs from a History Server: the attempts in `/api/v1/applications`, by their `logs` zips.

Source: `ApiRootResource`, `ApplicationListResource` and `EventLogDownloadResource` of Spark 1.4 to 4.3;
`SingleFileEventLogFileReader` zips one file, `RollingEventLogFilesFileReader` a folder of parts.
"""

from __future__ import annotations

import base64
import errno
import http.client
import io
import json
import os
import re
import socket
import struct
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import IO, Any, BinaryIO, NamedTuple
from urllib.parse import quote, urlsplit

from eventlog_lineage.errors import LogError, encodable
from eventlog_lineage.events.compression import Decoding, codec_of
from eventlog_lineage.events.sources import layouts
from eventlog_lineage.events.sources.layouts import EventLog, Layout, LogPart, unreadable

_PIECE = 1024 * 1024
_BOMB_RATIO, _BOMB_SIZE = 1000, 1 << 28
_LOCAL_HEADER = struct.Struct("<4sHHHHHLLLHH")
_LOCAL_MAGIC = b"PK\x03\x04"
_STORED, _DEFLATED = 0, 8
_CHECK = "check what the server holds"


def open_zip(spool: IO[bytes], path: str, open_files: ExitStack) -> BinaryIO:
    """Open the log in a zip.

    Returns:
        The log's bytes as Spark stored them; the parts of a rolling log are concatenated. A damaged zip is read up to
        the damage.

    Raises:
        LogError: It is not a zip, or contains no log.
    """
    entries: Sequence[_Entry]
    try:
        archive = open_files.enter_context(zipfile.ZipFile(spool))
        files = _in_order(archive.infolist(), path)
        entries = [_Entry(info.filename, partial(_unpacked, archive, info)) for info in files]
        damage = ""
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        entries = [entry for entry in _salvaged(spool) if not layouts.never_a_log(_base(entry.name))]
        damage = f"damaged zip ({error})"
        if not entries:
            raise LogError(
                "the server gives no zip of the log", f"{path}: {error}", "check the server's log"
            ) from error
    return _Parts(entries, damage, open_files.pop_all())  # type: ignore[return-value]


class _Entry(NamedTuple):
    """A file in a zip: its name, and how to read it from its beginning."""

    name: str
    read: Callable[[], Iterator[bytes]]


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(info) as stream:
        while piece := stream.read(_PIECE):
            yield piece


def _in_order(entries: Sequence[zipfile.ZipInfo], path: str) -> list[zipfile.ZipInfo]:
    """Return the files of a zip that contain events, in the order in which they were written."""
    files = [entry for entry in entries if not entry.is_dir()]
    found = [entry for entry in files if not layouts.never_a_log(_base(entry.filename))]
    for entry in found:
        if entry.file_size > _BOMB_SIZE and entry.file_size > _BOMB_RATIO * max(entry.compress_size, 1):
            raise LogError("the zip unpacks to more than a log can be", path, _CHECK)
    if not found:
        raise LogError("the zip holds no event log", path, _CHECK)
    return sorted(found, key=_write_order)


def _write_order(entry: zipfile.ZipInfo) -> tuple[int, bool, str]:
    name = _base(entry.filename)
    return layouts.rolling_index(name) or 0, name.endswith(layouts.COMPACT), name


def _base(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _salvaged(spool: IO[bytes]) -> Iterator[_Entry]:
    """Yield the files of a zip without its directory at the end, by the headers before each file."""
    spool.seek(0)
    while True:
        offset = spool.tell()
        header = spool.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or header[:4] != _LOCAL_MAGIC:
            return
        _, _, _, method, *_, size, _, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        name = spool.read(name_length).decode("utf-8", "replace")
        start = offset + _LOCAL_HEADER.size + name_length + extra_length
        if method not in {_STORED, _DEFLATED} or (method == _STORED and not size and not name.endswith("/")):
            return
        if not name.endswith("/"):
            yield _Entry(name, partial(_inflated, spool, start, method, size))
        if not _skip(spool, start, method, size):
            return


def _inflated(spool: IO[bytes], start: int, method: int, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file that begins at an offset and move to their end; damage moves to the zip's end."""
    spool.seek(start)
    if method == _STORED:
        yield spool.read(size)
        return
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    at = start
    rest = b""
    while not inflater.eof:
        if not rest:
            spool.seek(at)  # another reader may have moved the position
            rest = spool.read(_PIECE)
            at += len(rest)
        try:
            text = inflater.decompress(rest, _PIECE) if rest else None
        except zlib.error:
            text = None
        if text is None:
            spool.seek(0, io.SEEK_END)
            return
        rest = inflater.unconsumed_tail
        if text:
            yield text
    spool.seek(at - len(inflater.unused_data))


def _skip(spool: IO[bytes], start: int, method: int, size: int) -> bool:
    """Move to the header after a file; return whether there is one."""
    if size:
        spool.seek(start + size)
    else:
        deque(_inflated(spool, start, method, size), maxlen=0)
    at = spool.tell()
    window = spool.read(64)  # a data descriptor of 12 to 24 bytes may precede it
    found = window.find(_LOCAL_MAGIC)
    spool.seek(at + max(found, 0))
    return found >= 0


class _Chunks(io.RawIOBase):
    """Chunks as a stream."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._chunks, None)
            if piece is None:
                return 0
            self._rest = piece
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


class _Parts(_Chunks):
    """The files of a zip, concatenated; as text if their codecs differ.

    Attributes:
        damage: After the last byte, the damage of the zip; empty if there is none. It is not an exception, as decoders
            would lose what they have already decoded.
    """

    def __init__(self, entries: Sequence[_Entry], damage: str, open_files: ExitStack) -> None:
        super().__init__(self._read_all(entries))
        self._open_files = open_files
        self.damage = damage

    def _read_all(self, entries: Sequence[_Entry]) -> Iterator[bytes]:
        heads = [_head(entry) for entry in entries] if len(entries) > 1 else []
        as_text = len({codec_of(head) for head in heads if head}) > 1
        for entry in entries:
            pieces = entry.read()
            yield from Decoding(io.BufferedReader(_Chunks(pieces))) if as_text else pieces

    def readinto(self, buffer: Any) -> int:
        try:
            return super().readinto(buffer)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            self.damage = f"damaged zip ({error})"
            return 0

    def close(self) -> None:
        self._open_files.close()
        super().close()


def _head(entry: _Entry) -> bytes:
    try:
        return next(entry.read(), b"")[:8]
    except (zipfile.BadZipFile, zlib.error, EOFError):
        return b""


_SILENCE = 60
"""Limit of a server's silence, in seconds."""

_SLOWEST, _GRACE = 1024, 60
"""Least bytes per second on average, and the seconds before this limit applies."""

_PAUSES = (1, 3, 9)
"""Seconds to wait before each retry."""


class Limits(NamedTuple):
    """Limits of a request.

    Attributes:
        seconds: From the connection to the end of the response.
        size: Bytes of the response.
    """

    seconds: float
    size: int


_LONGEST_PROBLEM = 300


def _failure(address: str, reason: str, hint: str = "check the server and its log") -> LogError:
    return LogError("the History Server does not answer as it should", f"{address}: {reason}", hint)


def received(address: str, limits: Limits) -> Generator[bytes, None, None]:
    """Send a request, with retries if the server is overloaded or starting; yield the bytes of its response.

    Args:
        address: An `http` or `https` address.

    Raises:
        LogError: The server does not respond, refuses, or redirects to another host; the response exceeds a limit or
            is truncated.
    """
    request = urllib.request.Request(address)
    for name, value in _headers().items():
        request.add_unredirected_header(name, value)
    problem = ""
    for pause in (*_PAUSES, 0):
        watch = _Watch(limits.seconds)
        try:
            response = _opener(watch, address).open(request, timeout=_SILENCE)
        except (OSError, http.client.HTTPException, ValueError) as error:
            watch.stop()
            problem, is_final = _problem(error, watch)
            if is_final:
                break
        else:
            try:
                if watch.is_over:
                    raise _failure(address, f"no answer within {limits.seconds:g} s", _HINT)
                yield from _pieces(address, response, limits, watch)
            finally:
                watch.stop()
                response.close()
            return
        time.sleep(pause)
    problem = " ".join(problem.split())[:_LONGEST_PROBLEM]  # Python repeats a response that is not HTTP
    raise _failure(address, problem, _HINT)


def _problem(error: Exception, watch: _Watch) -> tuple[str, bool]:
    """Return why a request failed, and whether it would fail again."""
    if isinstance(error, urllib.error.HTTPError):
        error.close()
        return f"{error.code} {error.reason}", error.code < 500 and error.code != 429
    reason = getattr(error, "reason", error)
    return str(reason) or type(error).__name__, watch.is_over or isinstance(reason, ConnectionRefusedError)


def _pieces(address: str, response: Any, limits: Limits, watch: _Watch) -> Iterator[bytes]:
    size, started = 0, time.monotonic()
    while True:
        try:
            piece = response.read1(_PIECE)
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = f"the answer breaks off after {size} bytes: {error or 'time is up'}"
            raise _failure(address, reason) from error
        if not piece:
            _check_end(address, response, limits, watch)
            return
        size += len(piece)
        seconds = time.monotonic() - started
        if size > limits.size:
            raise _failure(address, f"the answer is longer than {limits.size} bytes")
        if seconds > limits.seconds or (seconds > _GRACE and size < _SLOWEST * seconds):
            raise _failure(address, f"the answer is too slow: {size} bytes in {seconds:.0f} s")
        yield piece


def _check_end(address: str, response: Any, limits: Limits, watch: _Watch) -> None:
    if watch.is_over:
        raise _failure(address, f"the answer takes longer than {limits.seconds:g} s")
    if missing := getattr(response, "length", None):
        raise _failure(address, f"the answer breaks off {missing} bytes before its end")


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
    class Connections(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
        def do_open(self, http_class: Any, req: Any, **arguments: Any) -> Any:
            class Watched(http_class):  # type: ignore[misc]
                def connect(self) -> None:
                    super().connect()
                    watch.add(self.sock)

            return super().do_open(Watched, req, **arguments)

    return urllib.request.build_opener(Connections, _SameHost(address))


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
        applications = json.loads(b"".join(received(address, LISTING)))
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

    Raises:
        LogError: The download fails, or it does not fit into the temporary folder.
    """
    with ExitStack() as open_files:
        spool = open_files.enter_context(tempfile.SpooledTemporaryFile(_IN_MEMORY))
        try:
            with closing(received(path, DOWNLOAD)) as pieces:
                for piece in pieces:
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


def _headers() -> dict[str, str]:
    headers = {"Accept": "application/json, application/octet-stream"}
    if authorization := os.environ.get(AUTHORIZATION, ""):
        headers["Authorization"] = _header(authorization)
    return headers


def _header(authorization: str) -> str:
    if re.match(r"\w+ \S", authorization):
        return authorization
    return f"Basic {base64.b64encode(authorization.encode()).decode()}"
