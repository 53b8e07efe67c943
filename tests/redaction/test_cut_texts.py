"""A text is redacted before it is cut: half a secret has no form to know it by."""

from __future__ import annotations

import io
import json
import logging
from contextlib import redirect_stderr

import pytest

from eventlog_lineage.cli.log_lines import write_log_lines
from eventlog_lineage.cli.main import essence, run
from eventlog_lineage.events.decoding.plan_info import metrics_nodes
from eventlog_lineage.events.decoding.spark_conf import kept_settings
from eventlog_lineage.harvest.internal_errors import describe_error
from eventlog_lineage.redaction import shortened
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
