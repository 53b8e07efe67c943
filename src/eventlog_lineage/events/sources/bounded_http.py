"""HTTP requests with limits of time, size and redirects."""

from __future__ import annotations

import http.client
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from eventlog_lineage.errors import LogError

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
        limits: The request's limits.
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
