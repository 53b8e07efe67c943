"""Logs from a History Server's REST address: what `/api/v1/applications` lists, by the `logs` zip of each attempt.

Source: `ApiRootResource`, `ApplicationListResource` and `EventLogDownloadResource` of Spark 1.4 to 4.3;
`SingleFileEventLogFileReader` zips one file, `RollingEventLogFilesFileReader` a folder of parts.
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from contextlib import ExitStack, closing
from typing import IO, TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote

from eventlog_lineage.errors import LogError
from eventlog_lineage.events.codecs.compression import Decoding, codec_of

from . import file_names
from .event_log import EventLog, Layout, LogPart
from .layouts import unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SCHEMES = ("http", "https")
AUTHORIZATION = "EVENTLOG_LINEAGE_HISTORY_AUTH"
"""The environment variable with `user:password`, or with all of the `Authorization` header: `Bearer …`."""

_API = "/api/v1/applications"
_TIMEOUT = 60
_PAUSES = (1, 3, 9)
_IN_MEMORY = 16 * 1024 * 1024
_COPIED = 1024 * 1024
_LARGEST_LISTING = 1 << 30
_BOMB_RATIO, _BOMB_SIZE = 1000, 1 << 28


def is_address(source: str) -> bool:
    """Tell whether a source or a part's path is a History Server's address."""
    return source.lower().startswith(("http://", "https://"))


def logs_of_server(source: str) -> Iterator[EventLog]:
    """List the attempts that a History Server knows.

    Args:
        source: `http(s)://host:port`, with a path where a proxy stands before it; or one application's REST address,
            `…/api/v1/applications/<id>`.

    Yields:
        A log for each attempt, the oldest first. A server that does not answer comes as an unreadable log.
    """
    base, _, wanted = source.rstrip("/").partition(_API)
    address = base + _API
    try:
        applications = json.loads(_got(address).read(_LARGEST_LISTING))
    except (LogError, ValueError) as error:
        reason = str(error) if isinstance(error, LogError) else "what answers is no History Server"
        yield unreadable(address, reason)
        return
    logs = [
        log
        for application in applications
        for log in _attempts(address, application)
        if not wanted or wanted.strip("/") == log.app_id or wanted.strip("/").startswith(f"{log.app_id}/")
    ]
    yield from sorted(logs, key=lambda log: (log.modified_at or 0, log.path))


def _attempts(address: str, application: Mapping[str, Any]) -> Iterator[EventLog]:
    app_id = str(application.get("id", ""))
    for attempt in application.get("attempts", ()):
        attempt_id = str(attempt.get("attemptId") or "")
        path = "/".join(
            (address, quote(app_id, safe=""), *([quote(attempt_id, safe="")] if attempt_id else ()), "logs")
        )
        updated = attempt.get("lastUpdatedEpoch")
        part = LogPart(path, 0, updated if isinstance(updated, int) and updated > 0 else None, 1)
        in_progress = not attempt.get("completed", True)
        yield EventLog(path, Layout.SINGLE, (part,), app_id, attempt_id, in_progress)


def open_attempt(path: str) -> BinaryIO:
    """Download an attempt's zip and open what is in it.

    Args:
        path: The address of the `logs` of an attempt.

    Returns:
        The log's bytes as Spark stored them; of a rolling log the parts' one after the other.

    Raises:
        LogError: If the server does not give them.
    """
    with closing(_got(path)) as answer, ExitStack() as open_files:
        spool = open_files.enter_context(tempfile.SpooledTemporaryFile(_IN_MEMORY))
        try:
            while piece := answer.read(_COPIED):
                spool.write(piece)
            spool.seek(0)
            archive = open_files.enter_context(zipfile.ZipFile(spool))
        except (OSError, zipfile.BadZipFile) as error:
            hint = "look at the server's log"
            raise LogError("the server gives no zip of the log", f"{path}: {error}", hint) from error
        parts = _Parts(archive, _in_order(archive.infolist(), path), open_files.pop_all())
    return io.BufferedReader(parts)


def _in_order(entries: Sequence[zipfile.ZipInfo], path: str) -> list[zipfile.ZipInfo]:
    """The files of a zip that hold events, in the order in which they were written."""
    files = [entry for entry in entries if not entry.is_dir()]
    found = [entry for entry in files if not file_names.never_a_log(entry.filename.rsplit("/", 1)[-1])]
    for entry in found:
        if entry.file_size > _BOMB_SIZE and entry.file_size > _BOMB_RATIO * max(entry.compress_size, 1):
            raise LogError("the zip unpacks to more than a log can be", path, "look at what the server holds")
    if not found:
        raise LogError("the zip holds no event log", path, "look at what the server holds")
    return sorted(found, key=_place)


def _place(entry: zipfile.ZipInfo) -> tuple[int, bool, str]:
    name = entry.filename.rsplit("/", 1)[-1]
    return file_names.rolling_index(name) or 0, name.endswith(file_names.COMPACT), name


class _Parts(io.RawIOBase):
    """The files of a zip, read one after the other; as text where they are not of one codec."""

    def __init__(self, archive: zipfile.ZipFile, entries: Sequence[zipfile.ZipInfo], open_files: ExitStack) -> None:
        self._archive = archive
        self._open_files = open_files
        codecs = {codec_of(self._head(entry)) for entry in entries if entry.file_size}
        self._chunks = self._read_all(entries, as_text=len(codecs) > 1)
        self._rest = b""

    def _head(self, entry: zipfile.ZipInfo) -> bytes:
        with self._archive.open(entry) as stream:
            return stream.read(8)

    def _read_all(self, entries: Sequence[zipfile.ZipInfo], *, as_text: bool) -> Iterator[bytes]:
        for entry in entries:
            with self._archive.open(entry) as stream:
                if as_text:
                    yield from Decoding(_binary(stream))
                else:
                    yield from iter(lambda stream=stream: stream.read(_COPIED), b"")  # type: ignore[misc]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            try:
                self._rest = next(self._chunks)
            except StopIteration:  # noqa: PERF203
                return 0
            except (zipfile.BadZipFile, EOFError) as error:
                raise LogError("the zip of the log is damaged", str(error), "download it again") from error
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        self._open_files.close()
        super().close()


def _binary(stream: IO[bytes]) -> BinaryIO:
    return stream  # type: ignore[return-value]


def _got(address: str) -> Any:
    """Ask the server, again after a pause where it is overloaded or starting."""
    request = urllib.request.Request(address, headers={"Accept": "application/json, application/octet-stream"})
    if authorization := os.environ.get(AUTHORIZATION, ""):
        request.add_unredirected_header("Authorization", _header(authorization))
    problem = ""
    for pause in (*_PAUSES, 0):
        try:
            return urllib.request.urlopen(request, timeout=_TIMEOUT)
        except urllib.error.HTTPError as error:
            problem = f"{error.code} {error.reason}"
            error.close()
            if error.code < 500 and error.code != 429:
                break
        except OSError as error:
            problem = str(getattr(error, "reason", error))
            if isinstance(getattr(error, "reason", error), ConnectionRefusedError):
                break
        time.sleep(pause)
    hint = f"look at the address; credentials come from {AUTHORIZATION}"
    raise LogError("the History Server does not answer as it should", f"{address}: {problem}", hint)


def _header(authorization: str) -> str:
    if re.match(r"\w+ \S", authorization):
        return authorization
    return f"Basic {base64.b64encode(authorization.encode()).decode()}"
