"""What a harvest leaves for machines: metrics, a summary, a message to a webhook."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from eventlog_lineage.cli.commands.harvest import Health, Outcome, read_health, send
from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import StoreError
from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult
from eventlog_lineage.store.writer import HarvestFacts, Summary
from support.stores.nights import START, Night

RAW, SALES = "spark_catalog.raw.orders", "spark_catalog.sales.daily"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Sales are written on three days, and not on the seven days after; a job fails at last."""
    folder = tmp_path_factory.mktemp("reports")
    for day in (0, 1, 2, 9):
        night = Night(day)
        night.app()
        if day < 9:
            night.statement([(f"{RAW}!a", "x", "IDENTITY")], target=SALES)
        else:
            night.statement(
                [(f"{RAW}!b", "y", "IDENTITY")], target="spark_catalog.sales.weekly", status="failed", error="no disk"
            )
        night.harvest(folder)
    return str(folder)


@pytest.fixture
def webhook() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The URL of a webhook, and the messages that it got."""
    messages: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            messages.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hook", messages
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def harvested(monkeypatch: pytest.MonkeyPatch) -> None:
    """A harvest that reads two logs and finds seven gaps, without Spark."""

    def harvest(*_: object) -> HarvestResult:
        facts = HarvestFacts(START, logs_seen=3, logs_read=2, logs_unchanged=1, bytes_read=4096)
        summary = Summary(5, facts, START + timedelta(seconds=90), 40, 20, 7, True)
        return HarvestResult(summary, (), {"complete": 2})

    monkeypatch.setattr("eventlog_lineage.harvest.run.harvest", harvest)


@pytest.mark.usefixtures("harvested")
def test_a_harvest_writes_metrics_and_a_summary_and_tells_a_webhook(
    store: str, tmp_path: Path, webhook: tuple[str, list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    url, messages = webhook
    metrics, summary = tmp_path / "lineage.prom", tmp_path / "summary.json"
    files = ("--metrics", str(metrics), "--summary", str(summary))
    assert run(["harvest", "logs", "--store", store, *files, "--notify", url, "--notify-gaps", "5", "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert json.loads(summary.read_text()) == json.loads(printed.out)
    lines = [line for line in metrics.read_text().splitlines() if not line.startswith("#")]
    values = {name.removeprefix("eventlog_lineage_harvest_"): float(value) for name, value in map(str.split, lines)}
    assert values.pop("timestamp_seconds") > 1.7e9
    assert values == {
        "success": 1,
        "duration_seconds": 90,
        "logs_seen": 3,
        "logs_read": 2,
        "logs_failed": 0,
        "bytes_read": 4096,
        "executions": 40,
        "edges": 20,
        "gaps": 7,
        "failed_jobs": 1,
        "late_datasets": 1,
    }
    (message,) = messages
    assert message["troubles"] == [
        "7 gaps, more than 5",
        "1 job failed last: nightly sales: weekly InsertInto: no disk",
        f"1 dataset is late: {SALES}",
    ]
    assert message["text"].startswith(f"eventlog-lineage, store {store}:\n• 7 gaps")


def test_a_harvest_that_fails_says_so_and_keeps_its_exit_code(
    tmp_path: Path,
    webhook: tuple[str, list[dict[str, Any]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails(*_: object) -> None:
        raise StoreError("the store is locked", "s")

    monkeypatch.setattr("eventlog_lineage.harvest.run.harvest", fails)
    url, messages = webhook
    metrics = tmp_path / "lineage.prom"
    assert run(["harvest", "logs", "--store", "s", "--metrics", str(metrics), "--notify", url]) == 1
    assert "eventlog_lineage_harvest_success 0\n" in metrics.read_text()
    assert "logs_read" not in metrics.read_text()
    assert [message["troubles"] for message in messages] == [["harvest failed: the store is locked (s)"]]
    assert capsys.readouterr().err == "Error: the store is locked (s)\n"


@pytest.mark.usefixtures("harvested")
def test_a_webhook_that_does_not_answer_is_a_warning(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["harvest", "logs", "--store", store, "--notify", "http://127.0.0.1:1/hook", "--quiet"]) == 0
    assert capsys.readouterr().err.startswith("Warning: the message to the webhook was not sent: ")
    assert send("ftp://x/hook", ["x"], "s") == "the URL begins with neither http:// nor https://"


def test_nothing_is_sent_where_all_is_well() -> None:
    assert Outcome({"gaps": 7}).troubles(None) == []
    assert Outcome({"gaps": 7}).troubles(7) == []
    many = Outcome({}, health=Health(late=tuple(map(str, range(12)))))
    assert many.troubles(None) == ["12 datasets are late: 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; and 2 more"]


def test_health_is_that_of_the_panels(store: str) -> None:
    assert read_health(store) == Health((("nightly sales: weekly InsertInto", "no disk"),), (SALES,))


def test_options_of_reports_are_no_options_of_a_harvest() -> None:
    assert not {"metrics", "summary", "notify"} & HarvestOptions.__annotations__.keys()
