"""Log lines on stderr: text for people, or JSON for machines."""

from __future__ import annotations

import json
import logging
from datetime import datetime, timezone
from typing import Any

import click

from eventlog_lineage.safe_text import escape_controls

LEVELS = ("debug", "info", "warning", "error")
FORMS = ("text", "json")

_PACKAGE = __name__.partition(".")[0]


class _ToStderr(logging.Handler):
    """Write to the current stderr: a progress bar replaces it while it is shown."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        click.echo(self.format(record), err=True)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """Return `2026-11-21T01:00:00.000Z INFO harvest.run: logs listed logs=12 fresh=3`."""
        facts = "".join(f" {name}={value}" for name, value in _facts(record).items())
        name = record.name.removeprefix(f"{_PACKAGE}.")
        line = f"{_time(record)} {record.levelname} {name}: {_redacted(record.getMessage())}{facts}"
        text = f"{line}\n{_redacted(self.formatException(record.exc_info))}" if record.exc_info else line
        return escape_controls(text, kept="\n")


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """Return one object per line: time, level, logger, message, and the values by name."""
        message = _redacted(record.getMessage())
        line = {"time": _time(record), "level": record.levelname, "logger": record.name, "message": message}
        if record.exc_info:
            line["traceback"] = _redacted(self.formatException(record.exc_info))
        return escape_controls(json.dumps({**line, **_facts(record)}, ensure_ascii=False, default=str))


def write_log_lines(level: str | None = None, form: str | None = None) -> None:
    """Set up the package's logging; None leaves a setting unchanged.

    Args:
        level: One of `LEVELS`.
        form: One of `FORMS`.
    """
    logger = logging.getLogger(_PACKAGE)
    if level is not None:
        logger.setLevel(level.upper())
    if form is not None:
        handler = _ToStderr()
        handler.setFormatter(_Json() if form == "json" else _Text())
        logger.handlers = [handler]
        logger.propagate = False
    logging.getLogger().addFilter(_is_no_echo)


def _is_no_echo(record: logging.LogRecord) -> bool:
    """Drop py4j's log records of a lost Spark, with traceback: the exception that follows reports it."""
    return "py4j" not in record.pathname


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    """Return the values that a call passes as `extra={"facts": {...}}`."""
    from eventlog_lineage.redaction import PLAIN  # noqa: PLC0415 - who gets an answer need not wait for it

    return PLAIN.value(dict(getattr(record, "facts", {})))


def _redacted(text: str) -> str:
    from eventlog_lineage.redaction import PLAIN  # noqa: PLC0415 - the same

    return PLAIN.text(text)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
