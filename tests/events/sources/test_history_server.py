"""Logs from a History Server: from a small imitation, and from the real one that PySpark brings."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyspark
import pytest

from eventlog_lineage.errors import LogError
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources import history_server
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.history_server import Limits
from support.shared_classes import short_lived

SAMPLES = Path(__file__).parents[2] / "sample_logs"
ROLLING = SAMPLES / "eventlog_v2_nightly-sales-4-3"
COMPRESSED = SAMPLES / "nightly-sales-3-5.zstd"
GROWING = SAMPLES / "hourly-clicks-4-0.zstd.inprogress"


def zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), content)
    return packed.getvalue()


def application(app_id: str, *attempts: str, completed: bool = True) -> dict[str, object]:
    listed = [{"attemptId": each, "lastUpdatedEpoch": 1000 + n} for n, each in enumerate(attempts)] or [
        {"lastUpdatedEpoch": 1}
    ]
    return {"id": app_id, "name": "n", "attempts": [{**each, "completed": completed} for each in listed]}


class Imitation(BaseHTTPRequestHandler):
    """Answers as the server does."""

    answers: dict[str, bytes | int | Callable[[BaseHTTPRequestHandler], None]]
    asked: list[tuple[str, str | None]]

    def do_GET(self) -> None:  # noqa: D102
        self.asked.append((self.path, self.headers["Authorization"]))
        answer = self.answers.get(self.path, 404)
        if callable(answer):
            answer(self)
            return
        self.send_response(answer if isinstance(answer, int) else 200)
        self.end_headers()
        if isinstance(answer, bytes):
            self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(history_server, "_PAUSES", (0, 0))
    Imitation.answers, Imitation.asked = {}, []
    with ThreadingHTTPServer(("127.0.0.1", 0), Imitation) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def offer(applications: list[dict[str, object]], **logs: bytes | int) -> None:
    api = "/api/v1/applications"
    Imitation.answers[api] = json.dumps(applications).encode()
    Imitation.answers.update({f"{api}/{name.replace('__', '/')}/logs": log for name, log in logs.items()})


def test_each_attempt_is_a_log(server: str) -> None:
    whole = COMPRESSED.read_bytes()
    offer([application("app", "1", "2")], app__1=zipped(app_1_DOT_zstd=whole), app__2=zipped(app_2_DOT_zstd=whole))
    logs = list(find_logs([server]))
    api = f"{server}/api/v1/applications"
    assert [(log.path, log.app_id, log.attempt_id) for log in logs] == [
        (f"{api}/app/1/logs", "app", "1"),
        (f"{api}/app/2/logs", "app", "2"),
    ]
    read, file = read_log(logs[0]), read_log(next(iter(find_logs([str(COMPRESSED)]))))
    assert (read.state, read.executions) == (file.state, file.executions)


def test_the_parts_of_a_rolling_log_are_read_in_their_order_whatever_the_zips(server: str) -> None:
    parts = sorted(ROLLING.glob("events_*"), reverse=True)
    files = {f"{ROLLING.name}__{part.name.replace('.', '_DOT_')}": part.read_bytes() for part in parts}
    offer([application("app")], app=zipped(**{f"{ROLLING.name}__appstatus_app": b""}, **files))
    read, folder = (read_log(next(iter(find_logs([source])))) for source in (server, str(ROLLING)))
    assert (read.state, len(read.executions)) == ("complete", len(folder.executions))
    assert read.counts.lines == folder.counts.lines


def test_parts_of_different_codecs_are_one_log(server: str) -> None:
    text = b'{"Event":"SparkListenerLogStart","Spark Version":"3.5.9"}\n'
    files = {"l__events_1_a_DOT_compact": text, "l__events_2_a_DOT_zstd": COMPRESSED.read_bytes()}
    offer([application("app")], app=zipped(**files))
    assert read_log(next(iter(find_logs([server])))).counts.lines == 1548


def test_an_attempt_that_runs_is_in_progress(server: str) -> None:
    offer([application("app", completed=False)], app=zipped(app_DOT_zstd_DOT_inprogress=GROWING.read_bytes()))
    assert read_log(next(iter(find_logs([server])))).state == "in_progress"


def test_one_application_can_be_named(server: str) -> None:
    offer([application("app-1"), application("app-2", "1", "2")])
    found = find_logs([f"{server}/api/v1/applications/app-2"])
    assert [(log.app_id, log.attempt_id) for log in found] == [("app-2", "1"), ("app-2", "2")]


@pytest.mark.parametrize("answer", [404, 500, b"no zip", zipped(x_DOT_md=b"x")])
def test_a_log_that_the_server_does_not_give_is_unreadable(server: str, answer: bytes | int) -> None:
    offer([application("app")], app=answer)
    read = read_log(next(iter(find_logs([server]))))
    assert read.state == "unreadable"
    assert read.error


def test_what_is_no_history_server_is_an_unreadable_log(server: str) -> None:
    Imitation.answers["/api/v1/applications"] = b"<html>"
    (log,) = find_logs([server])
    assert read_log(log).error.startswith("the answer is not a History Server's")
    (nobody,) = find_logs(["http://127.0.0.1:1"])
    assert "refused" in read_log(nobody).error


@pytest.mark.parametrize(("told", "header"), [("me:pw", "Basic bWU6cHc="), ("Bearer abc", "Bearer abc"), ("", None)])
def test_credentials_come_from_the_environment(
    server: str, monkeypatch: pytest.MonkeyPatch, told: str, header: str | None
) -> None:
    monkeypatch.setenv(history_server.AUTHORIZATION, told)
    offer([])
    assert list(find_logs([server])) == []
    assert Imitation.asked == [("/api/v1/applications", header)]


def test_a_zip_that_unpacks_to_too_much_is_refused() -> None:
    entry = zipfile.ZipInfo("a")
    entry.file_size, entry.compress_size = 1 << 40, 1 << 20
    with pytest.raises(LogError, match="unpacks to more"):
        history_server._in_order([entry], "x")


HOSTILE_LISTINGS = {
    "null": b"null",
    "a number": b"7",
    "a text": b'"x"',
    "an object": b'{"id": "app"}',
    "nested too deep": b"[" * 100_000 + b"]" * 100_000,
    "cut": b'[{"id": "app", "attempts": [{"att',
    "binary": b"\x00\xff\xfe",
    "entries of numbers": b"[1, 2, null]",
    "entries of lists": b"[[], [[]]]",
    "no id": b'[{"attempts": [{}]}]',
    "an id that is a number": b'[{"id": 5, "attempts": [{}]}]',
    "attempts that are a text": b'[{"id": "app", "attempts": "x"}]',
    "attempts that are null": b'[{"id": "app", "attempts": null}]',
    "attempts of numbers": b'[{"id": "app", "attempts": [1]}]',
    "a number beyond all": b'[{"id": "app", "attempts": [{"lastUpdatedEpoch": 1' + b"0" * 400 + b"}]}, 3]",
}


@pytest.mark.parametrize("listing", HOSTILE_LISTINGS.values(), ids=HOSTILE_LISTINGS)
def test_a_malformed_list_of_applications_costs_that_server_only(server: str, listing: bytes, tmp_path: Path) -> None:
    Imitation.answers["/api/v1/applications"] = listing
    shutil.copy(COMPRESSED, tmp_path / "local-1.zstd")
    logs = list(find_logs([server, str(tmp_path)]))
    assert logs[-1].path == str(tmp_path / "local-1.zstd")
    (problem,) = logs[0].problems
    assert "no applications" in problem.detail or "not a History Server's" in problem.detail


def test_malformed_entries_of_a_list_are_reported_and_the_others_are_logs(server: str) -> None:
    offer([application("app"), {"id": 7}])
    odd, log = find_logs([server])
    assert log.app_id == "app"
    assert "1 of 2 entries of the list are no applications" in odd.problems[0].detail


@pytest.mark.parametrize("entry", [{"id": "\ud800"}, {"id": "app", "attempts": [{"attemptId": "\udcff"}]}])
def test_ids_that_are_no_unicode_cost_that_server_only(server: str, entry: dict[str, object], tmp_path: Path) -> None:
    offer([{"attempts": [{}]} | entry])
    shutil.copy(COMPRESSED, tmp_path / "local-1.zstd")
    logs = list(find_logs([server, str(tmp_path)]))
    assert [read_log(log).state for log in logs] == ["unreadable", "complete"]


def gibberish(request: BaseHTTPRequestHandler) -> None:
    """Sends lines of another protocol."""
    request.wfile.write(b"SSH-2.0-x\r\n" * 500)


def back_to_itself(request: BaseHTTPRequestHandler) -> None:
    """Sends to where it was asked."""
    request.send_response(302)
    request.send_header("Location", request.path)
    request.end_headers()


@pytest.mark.parametrize("answer", [gibberish, back_to_itself])
def test_the_reason_is_one_short_line_whatever_the_server_sends(
    server: str, answer: Callable[[BaseHTTPRequestHandler], None]
) -> None:
    Imitation.answers["/api/v1/applications"] = answer
    (log,) = find_logs([server])
    (problem,) = log.problems
    assert "\n" not in problem.detail
    assert "\r" not in problem.detail
    assert len(problem.detail) < 700


@pytest.mark.parametrize("value", ["x", -1, True, 1 << 60, [], None])
def test_a_malformed_time_of_an_attempt_is_no_time(server: str, value: object) -> None:
    offer([{"id": "app", "attempts": [{"lastUpdatedEpoch": value}]}])
    (log,) = find_logs([server])
    assert log.modified_at is None


def drip(request: BaseHTTPRequestHandler) -> None:
    """Sends a byte now and then, as long as somebody listens."""
    request.send_response(200)
    request.end_headers()
    with suppress(OSError):
        for _ in range(600):
            request.wfile.write(b"[")
            request.wfile.flush()
            time.sleep(0.05)


def drip_headers(request: BaseHTTPRequestHandler) -> None:
    """Sends headers that never end."""
    with suppress(OSError):
        request.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
        for _ in range(600):
            request.wfile.write(b"x")
            request.wfile.flush()
            time.sleep(0.05)


def endless(request: BaseHTTPRequestHandler) -> None:
    """Sends spaces as fast as they are taken."""
    request.send_response(200)
    request.end_headers()
    with suppress(OSError):
        for _ in range(4000):
            request.wfile.write(b" " * 65536)


def cut(request: BaseHTTPRequestHandler) -> None:
    """Announces more than it sends."""
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b"[]")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (drip, "takes longer than 0.5 s|breaks off|too slow"),
        (drip_headers, "no answer within 0.5 s|as it should"),
        (endless, "longer than"),
        (cut, "before its end"),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/applications", "/api/v1/applications/app/logs"])
def test_an_answer_that_does_not_end_costs_bounded_time_and_space(
    server: str,
    monkeypatch: pytest.MonkeyPatch,
    answer: Callable[[BaseHTTPRequestHandler], None],
    reason: str,
    path: str,
) -> None:
    limits = Limits(seconds=0.5, size=1 << 20)
    monkeypatch.setattr(history_server, "LISTING", limits)
    monkeypatch.setattr(history_server, "DOWNLOAD", limits)
    offer([application("app")])
    Imitation.answers[path] = answer
    started = time.monotonic()
    read = read_log(next(iter(find_logs([server]))))
    assert time.monotonic() - started < 5
    assert read.state == "unreadable"
    assert re.search(reason, read.error)


@pytest.mark.parametrize(
    "target", ["http://localhost:1/x", "https://example.invalid/", "file:///etc/passwd", "ftp://h/x"]
)
def test_a_redirect_to_another_host_is_not_followed(server: str, target: str) -> None:
    def redirect(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", target)
        request.end_headers()

    Imitation.answers["/api/v1/applications"] = redirect
    (log,) = find_logs([server])
    assert "another host" in log.problems[0].detail or "not allowed" in log.problems[0].detail
    assert len(Imitation.asked) == 1


def test_a_redirect_within_the_host_is_followed(server: str) -> None:
    def redirect(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", f"{server}/moved")
        request.end_headers()

    Imitation.answers.update({"/api/v1/applications": redirect, "/moved": json.dumps([application("app")]).encode()})
    assert [log.app_id for log in find_logs([server])] == ["app"]


def java_zip(**files: bytes) -> bytes:
    """A zip as `ZipOutputStream` writes it: the sizes come after the bytes."""

    class Unseekable(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise io.UnsupportedOperation

        def seek(self, *_: int) -> int:
            raise io.UnsupportedOperation

    packed = Unseekable()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), content)
    return packed.getvalue()


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
def test_a_zip_that_breaks_off_is_read_as_far_as_it_goes(server: str, share: float) -> None:
    parts = sorted(ROLLING.glob("events_*"))
    files = {f"{ROLLING.name}__{part.name.replace('.', '_DOT_')}": part.read_bytes() for part in parts}
    whole = java_zip(**{f"{ROLLING.name}__appstatus_app": b""}, **files)
    offer([application("app")], app=whole[: int(len(whole) * share)])
    read, folder = (read_log(next(iter(find_logs([source])))) for source in (server, str(ROLLING)))
    assert read.state == "truncated"
    assert "damaged zip" in read.error
    assert share * 0.7 * folder.counts.lines < read.counts.lines <= folder.counts.lines


def test_a_zip_with_flipped_bits_is_read_up_to_them(server: str) -> None:
    whole = bytearray(java_zip(app_DOT_zstd=COMPRESSED.read_bytes()))
    whole[len(whole) // 2] ^= 0xFF
    offer([application("app")], app=bytes(whole))
    read = read_log(next(iter(find_logs([server]))))
    assert read.state == "truncated"
    assert "damaged" in read.error
    assert read.counts.lines > 100


@pytest.fixture(scope="module")
def real_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    logs = tmp_path_factory.mktemp("history")
    shutil.copytree(ROLLING, logs / ROLLING.name)
    shutil.copy(COMPRESSED, logs)
    shutil.copy(GROWING, logs)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = Path(pyspark.__file__).parent
    options = {"fs.logDirectory": f"file:{logs}", "ui.port": port, "fs.update.interval": "1s"}
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "512m",
        "SPARK_DAEMON_JAVA_OPTS": short_lived(),
        "SPARK_HISTORY_OPTS": " ".join(f"-Dspark.history.{key}={value}" for key, value in options.items()),
    }
    command = [str(home / "bin" / "spark-class"), "org.apache.spark.deploy.history.HistoryServer"]
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(address, 3)
            yield address, logs
        finally:
            process.terminate()


def wait_for(address: str, applications: int) -> None:
    for _ in range(1200):
        try:
            with urllib.request.urlopen(f"{address}/api/v1/applications") as answer:
                if len(json.load(answer)) == applications:
                    return
        except OSError:
            pass
        time.sleep(0.1)
    raise TimeoutError("the History Server does not start")


@pytest.mark.slow
def test_the_real_server_gives_what_its_folder_holds(real_server: tuple[str, Path]) -> None:
    address, folder = real_server
    served = {read.application.app_id: read for read in map(read_log, find_logs([address]))}
    stored = {read.application.app_id: read for read in map(read_log, find_logs([str(folder)]))}
    assert served.keys() == stored.keys()
    for app_id, read in served.items():
        assert (read.state, read.executions) == (stored[app_id].state, stored[app_id].executions)
    assert sorted(read.state for read in served.values()) == ["complete", "complete", "in_progress"]
