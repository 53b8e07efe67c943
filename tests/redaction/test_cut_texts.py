"""A text is redacted before it is cut: half a secret has no form to know it by."""

from __future__ import annotations

import io
import json
import logging
from contextlib import redirect_stderr

import pytest

from eventlog_lineage.cli.common import write_log_lines
from eventlog_lineage.cli.main import essence, run
from eventlog_lineage.events.decoding.decoders import decode, metrics_nodes
from eventlog_lineage.events.decoding.spark_conf import kept_settings
from eventlog_lineage.harvest.row_batches import describe_error
from eventlog_lineage.redaction import shortened, without_secrets
from support.secret_texts.spellings import leaks

SECRET = "x7Qzx7Qzx7Qz"
ADDRESS = f"https://etl:{SECRET}@example.com/x"


def before_the_cut(longest: int) -> str:
    """A text whose secret begins just before so many characters."""
    return "a " * (longest // 2 - 12) + ADDRESS


@pytest.mark.parametrize("longest", [60, 200, 1000])
def test_the_beginning_of_a_secret_at_the_end_of_a_cut_text_is_masked(longest: int) -> None:
    text = before_the_cut(longest)
    assert leaks(text[: longest + 8])
    assert not leaks(shortened(text, longest))
    assert len(shortened(text, longest)) <= longest
    assert shortened("a" * longest, longest) == "a" * longest


def test_a_secret_that_is_cut_off_behind_long_masks_is_masked() -> None:
    masked = "".join(f"password={'a1' * 1000} " for _ in range(10))
    for cut_at in range(4096 + 1000, 4096 * 3 + 1000, 400):  # wherever the text is cut before it is searched
        text = f"{masked[: cut_at - 20]} {ADDRESS} {'b' * 20_000}"
        assert SECRET[:6] not in shortened(text, 1000)


def test_an_address_that_ends_within_its_password_is_masked_and_one_that_ends_with_a_port_is_kept() -> None:
    assert without_secrets(f"fetch https://etl:{SECRET[:6]}") == "fetch https://***"
    for kept in ("http://host:8080", "spark://HOST:PORT", "jdbc:mysql://db:3306", "http://[::1]:80"):
        assert without_secrets(kept) == kept


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("SparkListenerApplicationStart", {"App Name": 1000, "App ID": 1000, "User": 1000}),
        ("org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart", {"description": 1000, "jobGroupId": 1000}),
        ("org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart", {"description": 10_000}),
        ("org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd", {"errorMessage": 4000}),
        (
            "org.apache.spark.sql.hive.thriftserver.ui.SparkListenerThriftServerOperationStart",
            {"statement": 10_000, "userName": 1000},
        ),
    ],
    ids=lambda value: value.rpartition(".")[2] if isinstance(value, str) else ",".join(value),
)
def test_texts_of_events_are_cut_without_secrets(event: str, fields: dict[str, int]) -> None:
    line = {"Event": event, "executionId": 1, "Timestamp": 1, "time": 1}
    line |= {
        name: f"{'SELECT' if longest == 10_000 else 'loaded'} {before_the_cut(longest - 8)}"
        for name, longest in fields.items()
    }
    decoded = decode(json.dumps(line, separators=(",", ":")).encode())
    assert decoded is not None
    assert SECRET[:8] not in repr(decoded)


def test_names_and_locations_of_operators_are_cut_without_secrets() -> None:
    info = {
        "nodeName": f"Scan {before_the_cut(200)}",
        "metadata": {"Location": before_the_cut(500)},
        "metrics": [{"name": "number of output rows", "accumulatorId": 1}],
    }
    (node,) = metrics_nodes(info)
    assert not leaks(node.node_name + node.location)


def test_settings_are_cut_without_secrets() -> None:
    kept = kept_settings({"spark.app.name": before_the_cut(1000), "spark.sql.catalog.c.type": before_the_cut(1000)})
    assert len(kept) == 2
    assert not leaks(repr(kept))


def test_messages_of_errors_are_cut_without_secrets() -> None:
    assert not leaks(describe_error(ValueError(before_the_cut(460))))
    assert not leaks(essence(ValueError(before_the_cut(280))))


def test_a_traceback_that_a_user_asks_for_has_no_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("EVENTLOG_LINEAGE_STORE", f"{tmp_path}/{ADDRESS.replace('/', '_')}")
    printed = io.StringIO()
    with redirect_stderr(printed):
        assert run(["explain", f"{tmp_path}/password={SECRET}", "--debug"]) == 2
    assert "Traceback" in printed.getvalue()
    assert not leaks(printed.getvalue())


@pytest.mark.parametrize("form", ["text", "json"])
def test_log_lines_have_no_secret(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("eventlog_lineage")
    before = (logger.level, list(logger.handlers), logger.propagate)
    write_log_lines("info", form)
    try:
        logger.warning("cannot read password=%s", SECRET, extra={"facts": {"source": ADDRESS, "token": SECRET}})
    finally:
        logger.level, logger.handlers, logger.propagate = before
    printed = capsys.readouterr().err
    assert "cannot read password=***" in printed
    assert not leaks(printed)
    if form == "json":
        assert json.loads(printed)["source"] == "https://***@example.com/x"
