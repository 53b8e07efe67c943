"""`export openlineage`: files, a consumer's address, and what is said about them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.export import openlineage_events as http
from eventlog_lineage.export.openlineage_events import Consumer, DeliveryError
from support.stores.exports import RAW, night_of
from support.stores.nights import Night

VARIABLES = ("OPENLINEAGE_URL", "OPENLINEAGE_ENDPOINT", "OPENLINEAGE_API_KEY", "OPENLINEAGE_DISABLED")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "OPENLINEAGE_NAMESPACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(http, "_PAUSES", (0.0, 0.0))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("delivery")
    night_of((f"{RAW}!amount", "total", "AGGREGATION")).harvest(path)
    return str(path)


@dataclass
class Server:
    """A consumer on the loopback: what it got, and what it answers first."""

    url: str = ""
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    got: list[tuple[str, dict[str, str], dict[str, object]]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            made.got.append((self.path, dict(self.headers), body))
            status, headers = made.answers.pop(0) if made.answers else (201, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            text = b"" if status == 201 else b"not\nnow"
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        made.url = f"http://127.0.0.1:{listening.server_address[1]}"
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        yield made
        listening.shutdown()
        thread.join()


def said(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> tuple[str, str]:
    """What a call of the export prints on both streams."""
    assert run(["export", "openlineage", *words]) == code
    printed = capsys.readouterr()
    return printed.out, printed.err


def test_events_go_to_standard_output_as_compact_lines_with_sorted_keys(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = said(capsys, 0, "--store", store, "--namespace", "nightly")
    lines = out.splitlines()
    assert (len(lines), err) == (4, "")
    for line in lines:
        event = json.loads(line)
        assert event["job"]["namespace"] == "nightly"
        assert line == json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def test_a_file_is_replaced_as_a_whole(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "events.ndjson"
    target.write_text("old")
    out, _ = said(capsys, 0, "--store", store, "--out", str(target))
    assert out.startswith("Wrote 4 events of 2 runs and 2 jobs, ")
    assert out.endswith(f" kB to {target}\n")
    assert len(target.read_text().splitlines()) == 4
    assert [path.name for path in tmp_path.iterdir()] == ["events.ndjson"]
    assert "cannot write" in said(capsys, 1, "--store", store, "--out", str(tmp_path / "no" / "x"))[1]


def test_a_dry_run_writes_and_sends_nothing(
    store: str, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = said(capsys, 0, "--store", store, "--dry-run", "--out", str(tmp_path / "events"))
    assert out.startswith("Would write 4 events of 2 runs and 2 jobs, ")
    assert said(capsys, 0, "--store", store, "--dry-run", "--to", server.url)[0].startswith("Would send 4 events of")
    assert (server.got, list(tmp_path.iterdir())) == ([], [])


def test_each_event_is_a_post_to_the_address(
    store: str, server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "key-1")
    out, err = said(capsys, 0, "--store", store, "--to", server.url)
    assert out.startswith("Sent 4 events of 2 runs and 2 jobs, ")
    assert (out.endswith(f" to {server.url}/api/v1/lineage\n"), err) == (True, "")
    assert [body["eventType"] for _, _, body in server.got] == ["START", "START", "COMPLETE", "COMPLETE"]
    path, headers, _ = server.got[0]
    assert (path, headers["Content-Type"]) == ("/api/v1/lineage", "application/json")
    assert headers["Authorization"] == "Bearer key-1"


def test_the_address_and_the_endpoint_are_those_of_openlineages_clients(
    store: str, server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", f"{server.url}/proxy/")
    monkeypatch.setenv("OPENLINEAGE_ENDPOINT", "/openapi/openlineage/api/v1/lineage")
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "nightly")
    said(capsys, 0, "--store", store, "--to")
    assert {path for path, _, _ in server.got} == {"/proxy/openapi/openlineage/api/v1/lineage"}
    assert {body["job"]["namespace"] for _, _, body in server.got} == {"nightly"}  # type: ignore[index]
    assert "Authorization" not in server.got[0][1]


def test_sending_can_be_turned_off(
    store: str, server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    assert "(OPENLINEAGE_DISABLED is set)" in said(capsys, 0, "--store", store, "--to", server.url)[0]
    assert server.got == []


def test_a_busy_consumer_is_asked_again(store: str, server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.answers = [(429, {}), (503, {}), (201, {}), (500, {})]
    out, _ = said(capsys, 0, "--store", store, "--to", server.url)
    assert out.startswith("Sent 4 events")
    assert [body["eventType"] for _, _, body in server.got] == [
        *("START", "START", "START"),
        *("START", "START"),
        *("COMPLETE", "COMPLETE"),
    ]


def test_a_consumer_that_stays_busy_is_an_error_that_says_how_far_it_came(
    store: str, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answers = [(201, {}), (503, {}), (503, {}), (503, {})]
    out, err = said(capsys, 1, "--store", store, "--to", server.url)
    assert out == ""
    assert err == (
        "Error: the consumer does not take events: 503 not now "
        f"({server.url}/api/v1/lineage); sent 1 event; sending them again is safe\n"
    )


def test_refused_events_are_counted_and_the_others_are_sent(
    store: str, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answers = [(201, {}), (400, {}), (422, {})]
    _, err = said(capsys, 1, "--store", store, "--to", server.url)
    assert len(server.got) == 4
    assert err.startswith("Error: the consumer refused 2 of 4 events, the first with: 400 not now (")


def test_a_pause_that_the_consumer_asks_for_is_kept(server: Server) -> None:
    server.answers = [(429, {"Retry-After": "7"}), (429, {"Retry-After": "999999"}), (429, {"Retry-After": "soon"})]
    pauses: list[float] = []
    consumer = Consumer(f"{server.url}/x", pauses=(1.0, 1.0, 1.0), sleep=pauses.append)
    assert consumer.send(b"{}") == ""
    assert pauses == [7.0, 60.0, 1.0]


def test_an_address_where_nobody_listens_is_an_error_after_all_attempts() -> None:
    pauses: list[float] = []
    consumer = Consumer("http://127.0.0.1:9/x", pauses=(0.5, 1.0), sleep=pauses.append)
    with pytest.raises(DeliveryError, match=r"does not take events: .*refused"):
        consumer.send(b"{}")
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--to"], "Error: no address to send events to; name it"),
        (["--to", "ftp://host/x"], "Error: not an HTTP address: ftp://host/x"),
        (["--to", "http://user:password@host"], "Error: the address holds a user or password; set OPENLINEAGE_API_KEY"),
        (["--to", "http://host", "--out", "x"], "Error: --output and --to exclude each other"),
        (["--since", "7d", "--all-runs"], "Error: --since and --all-runs exclude each other"),
        (["--since", "later"], "Error: Invalid value for '--since'"),
        (["--catalog", "spark_catalog"], "Error: Invalid value for '--catalog': not NAME=NAMESPACE: 'spark_catalog'"),
    ],
)
def test_wrong_usage_is_one_line(
    store: str, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    out, err = said(capsys, 2, *words, "--store", store)
    assert out == ""
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_large_events_are_counted_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table of 60 columns with texts of 100 kB each."""
    night_of(*((f"{RAW}!c{n}", f"c{n}", "TRANSFORMATION", "x" * 100_000) for n in range(60))).harvest(tmp_path)
    out, err = said(capsys, 0, "--store", str(tmp_path), "--dry-run")
    assert ", the largest 12.0 MB\n" in out
    assert err == (
        "Warning: 1 of 4 events over 5 MB, which consumers may refuse; the largest, 12.0 MB, is of job "
        "'nightly sales.daily InsertInto'; try --indirect dataset\n"
    )


def test_statements_that_no_log_gives_a_time_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    night = Night()
    night.app(started_at=None)
    night.statement([(f"{RAW}!amount", "total", "AGGREGATION")], target="spark_catalog.sales.daily", started_at=None)
    night.harvest(tmp_path)
    out, err = said(capsys, 0, "--store", str(tmp_path))
    assert (out, err) == ("", "Warning: left out 1 statement: no log has the time of their runs\n")


def test_nested_columns_in_a_file_are_reported_with_the_option_to_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night_of((f"{RAW}!address.city", "town", "IDENTITY"), (f"{RAW}!id", "who.id", "IDENTITY")).harvest(tmp_path)
    words = ["export", "openlineage", "--store", str(tmp_path), "--out", str(tmp_path / "events")]
    assert run(words) == 0
    assert capsys.readouterr().err == (
        "Warning: 2 nested columns by dotted names, which Marquez and OpenMetadata drop: "
        "for them, export with --nested top\n"
    )
    assert run([*words, "--nested", "top"]) == 0
    assert capsys.readouterr().err == ""
