"""A History Server that answers with all but a list of logs; it may cost nothing but its own logs, and bounded time.

    python scripts/attack/listings.py [--only WORD]

Serves each answer (for the list of applications or for the zip of a log: no JSON, JSON of other forms, numbers beyond
all, damaged and endless zips, answers that drip, break off, redirect or never end), names the server and a folder
with a log as sources, and reads all that is found. The folder's log must be found and read, the server's must be
`unreadable` or have executions of its own zip only, nothing may raise, and an answer may take `--seconds` at most.
Exits with 1 if one is wrong.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from attack import exit_code, options
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources import history_server
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.history_server import Limits

Request = BaseHTTPRequestHandler
Answer = bytes | int | Callable[[Request], None]

LIST = "/api/v1/applications"
ZIP = f"{LIST}/app/logs"
LIMITS = Limits(seconds=1, size=1 << 20)
LOG = b'{"Event":"SparkListenerLogStart","Spark Version":"3.5.9"}\n'
LISTED = json.dumps([{"id": "app", "attempts": [{"lastUpdatedEpoch": 1, "completed": True}]}]).encode()


def body(content: bytes, length: int | None = None, **headers: str) -> Callable[[Request], None]:
    """Answer with headers and some bytes."""

    def answer(request: Request) -> None:
        request.send_response(200)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        if length is not None:
            request.send_header("Content-Length", str(length))
        request.end_headers()
        with suppress(OSError):
            request.wfile.write(content)

    return answer


def redirect(target: str) -> Callable[[Request], None]:
    """Answer that what is asked for is elsewhere."""

    def answer(request: Request) -> None:
        request.send_response(302)
        request.send_header("Location", target)
        request.end_headers()

    return answer


def stream(piece: bytes, pause: float, head: bytes = b"HTTP/1.0 200 OK\r\n\r\n") -> Callable[[Request], None]:
    """Answer with a piece again and again."""

    def answer(request: Request) -> None:
        ends = time.monotonic() + 8
        with suppress(OSError):
            request.wfile.write(head)
            while time.monotonic() < ends:
                request.wfile.write(piece)
                request.wfile.flush()
                time.sleep(pause)

    return answer


def hang(_: Request) -> None:
    """Answer nothing."""
    time.sleep(3)


def zipped(*files: tuple[str, bytes]) -> bytes:
    """Return a zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return packed.getvalue()


def changed(content: bytes, at: int, value: bytes) -> bytes:
    """Return bytes with some of them replaced."""
    at %= len(content)
    return content[:at] + value + content[at + len(value) :]


def of_attempt(**attempt: object) -> bytes:
    """Return a list of one application with one attempt."""
    return json.dumps([{"id": "app", "attempts": [attempt]}]).encode()


WHOLE = zipped(("app", LOG))
LISTS: dict[str, Answer] = {
    "nothing": b"",
    "null": b"null",
    "a number": b"7",
    "a text": b'"x"',
    "an object": b'{"id": "app"}',
    "an empty object": b"{}",
    "HTML": b"<html><body>login</body></html>",
    "nested too deep": b"[" * 100_000,
    "nested objects": b'{"a":' * 50_000,
    "cut": b'[{"id": "app", "attempts": [{"att',
    "binary": b"\x00\xff\xfe",
    "UTF-16": LISTED.decode().encode("utf-16"),
    "lone surrogates": b'[{"id": "\\ud800", "attempts": [{}]}]',
    "entries of numbers": b"[1, 2, null]",
    "entries of lists": b"[[], [[]]]",
    "no id": b'[{"attempts": [{}]}]',
    "an id that is a number": b'[{"id": 5, "attempts": [{}]}]',
    "an id that leads elsewhere": b'[{"id": "../../../etc/passwd", "attempts": [{}]}]',
    "an id with a line feed": b'[{"id": "a\\r\\nHost: x", "attempts": [{}]}]',
    "an id of a million characters": json.dumps([{"id": "x" * 1_000_000, "attempts": [{}]}]).encode(),
    "attempts that are a text": b'[{"id": "app", "attempts": "x"}]',
    "attempts that are null": b'[{"id": "app", "attempts": null}]',
    "attempts of numbers": b'[{"id": "app", "attempts": [1]}]',
    "an attempt that is an object": of_attempt(attemptId={"a": 1}),
    "an attempt that leads elsewhere": of_attempt(attemptId="../.."),
    "a time beyond all": of_attempt(lastUpdatedEpoch=10**400),
    "a negative time": of_attempt(lastUpdatedEpoch=-1),
    "a time that is a text": of_attempt(lastUpdatedEpoch="now"),
    "Infinity": b'[{"id": "app", "attempts": [{"lastUpdatedEpoch": Infinity}]}]',
    "not found": 404,
    "an error": 500,
    "no content": 204,
    "a status beyond all": 999,
    "not modified": 304,
    "a redirect to itself": redirect(LIST),
    "a redirect to another host": redirect("http://example.invalid/"),
    "a redirect to a file": redirect("file:///etc/passwd"),
    "a redirect to nowhere": redirect(""),
    "more announced than sent": body(b"[]", 1000),
    "a length that is negative": body(b"[]", -5),
    "compressed, it says": body(LISTED, None, Content_Encoding="gzip"),
    "chunks that are none": stream(b"zz\r\n", 0.3, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
    "no HTTP": stream(b"SSH-2.0\r\n", 0.3, b""),
    "endless headers": stream(b"x", 0.05, b"HTTP/1.0 200 OK\r\nX: "),
    "a drip": stream(b"[", 0.05),
    "endless": stream(b" " * 65536, 0),
    "nothing at all": hang,
}
ZIPS: dict[str, Answer] = {
    "nothing": b"",
    "no zip": b"no zip",
    "not found": 404,
    "an error": 500,
    "an empty zip": zipped(),
    "a zip of something else": zipped(("x.md", b"x")),
    "names that lead elsewhere": zipped(("../../etc/app", LOG), ("/etc/app", LOG)),
    "names of zero bytes": changed(zipped(("aaaa", LOG)), 30, b"\0\0\0\0"),
    "one name twice": zipped(("app", LOG), ("App", LOG)),
    "cut in the middle": WHOLE[: len(WHOLE) // 2],
    "without its directory": WHOLE[: WHOLE.index(b"PK\x01\x02")],
    "a wrong method": changed(WHOLE, 8, b"\x63"),
    "a wrong checksum": changed(WHOLE, 14, b"\0\0\0\0"),
    "a wrong length": changed(WHOLE, 18, b"\xff\xff\xff\x7f"),
    "damaged bytes": changed(WHOLE, 40, b"\xff\xff\xff"),
    "much out of little": zipped(("app", LOG + b"\n" * 30_000_000)),
    "a redirect to another host": redirect("http://example.invalid/"),
    "more announced than sent": body(WHOLE, 1_000_000),
    "a drip": stream(b"P", 0.05),
    "endless": stream(b"\0" * 65536, 0),
    "nothing at all": hang,
}


class Server(BaseHTTPRequestHandler):
    """Gives the answers of `answers`."""

    answers: dict[str, Answer]

    def do_GET(self) -> None:  # noqa: D102
        answer = self.answers.get(self.path, 404)
        if callable(answer):
            answer(self)
            return
        self.send_response(answer if isinstance(answer, int) else 200)
        self.end_headers()
        if isinstance(answer, bytes):
            with suppress(OSError):
                self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def findings(address: str, folder: Path, seconds: float) -> Iterator[str]:
    """Read a server and a folder; give what goes wrong."""
    started = time.monotonic()
    try:
        logs = list(find_logs([address, str(folder)]))
        read = {log.path: read_log(log) for log in logs}
    except Exception as error:
        yield f"{type(error).__name__}: {error}"
        return
    own = read.pop(str(folder / "local-1"), None)
    if own is None or own.state == "unreadable":
        yield "the log of the folder is not read"
    for path, log in read.items():
        if log.state != "unreadable" and log.executions:
            yield f"{path} has executions"
        if log.state == "unreadable" and (not log.error or "\n" in log.error):
            yield f"{path} has no reason of one line: {log.error!r}"
    took = time.monotonic() - started
    if took > seconds:
        yield f"it takes {took:.1f} s"


def attack(only: str, seconds: float) -> Iterator[str]:
    """Give each answer, and what is wrong with it."""
    history_server._PAUSES = (0, 0)
    history_server.LISTING = history_server.DOWNLOAD = LIMITS
    cases = [(f"list: {name}", {LIST: answer}) for name, answer in LISTS.items()]
    cases += [(f"zip: {name}", {LIST: LISTED, ZIP: answer}) for name, answer in ZIPS.items()]
    chosen = [(name, answers) for name, answers in cases if only in name]
    with tempfile.TemporaryDirectory() as folder, ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        Path(folder, "local-1").write_bytes(LOG)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        for name, Server.answers in chosen:
            for line in findings(f"http://127.0.0.1:{server.server_port}", Path(folder), seconds):
                yield f"{name}: {line}"
        server.shutdown()
    print(f"{len(chosen)} hostile answers")


def main() -> int:
    """Print what is wrong."""
    given = options(__doc__, only="", seconds=30.0)
    return exit_code(attack(given.only, given.seconds), "each costs its own server only")


if __name__ == "__main__":
    sys.exit(main())
