"""Decode events of streaming queries, and of servers that run statements: Connect and Thrift."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from eventlog_lineage.events.listener_events import ParsedStatement, Statement, StreamEnd, StreamStart
from eventlog_lineage.events.records import StreamProgress
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.redaction import shortened

from .core_events import ERROR_LENGTH
from .json_fields import items, label, mapping, number, parsed, words
from .sql_events import STATEMENT_LENGTH

if TYPE_CHECKING:
    from collections.abc import Mapping

_CONNECT_SQL = re.compile(r'\b(?:sql \{\s*query|sql_command \{\s*sql): "((?:[^"\\]|\\.)*)"?', re.DOTALL)
_ESCAPE = re.compile(r"(?:\\[0-7]{3})+|\\.", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def stream_start(line: bytes) -> StreamStart:
    """Read `StreamingQueryListener$QueryStartedEvent`."""
    fields = parsed(line)
    return StreamStart(label(fields.get("id")), label(fields.get("runId")), label(fields.get("name")))


def stream_end(line: bytes) -> StreamEnd:
    """Read `StreamingQueryListener$QueryTerminatedEvent`."""
    fields = parsed(line)
    error = shortened(words(fields.get("exception")), ERROR_LENGTH)
    return StreamEnd(label(fields.get("id")), label(fields.get("runId")), error)


def stream_progress(line: bytes) -> StreamProgress | None:
    """Read `StreamingQueryListener$QueryProgressEvent`."""
    progress = mapping(parsed(line).get("progress"))
    batch_id = number(progress.get("batchId"))
    if batch_id is None:
        return None
    sink = mapping(progress.get("sink"))
    rows = number(sink.get("numOutputRows"))
    return StreamProgress(
        label(progress.get("id")),
        label(progress.get("runId")),
        label(progress.get("name")),
        batch_id,
        label(progress.get("timestamp")),
        tuple(_source(mapping(source)) for source in items(progress.get("sources"))),
        words(sink.get("description")),
        rows if rows is not None and rows >= 0 else None,
    )


def _source(source: Mapping[str, Any]) -> tuple[str, str | None, str | None, int | None]:
    start, end = source.get("startOffset"), source.get("endOffset")
    return (
        words(source.get("description")),
        None if start is None else words(start),
        None if end is None else words(end),
        number(source.get("numInputRows")),
    )


def connect_statement(line: bytes) -> Statement:
    """Read Connect's `SparkListenerConnectOperationStarted` (3.5+).

    Its `statementText` is the request as protobuf text. Only the first SQL is kept: `sql { query: "…" }`, in 3.5 also
    `sql_command { sql: "…" }`. A client that only uses the DataFrame API sends no SQL. The server truncates the text,
    and with it the SQL.
    """
    fields = parsed(line)
    sql = _CONNECT_SQL.search(words(fields.get("statementText")))
    return Statement(
        label(fields.get("jobTag")),
        label(fields.get("operationId")),
        shortened(_unescaped(sql[1]), STATEMENT_LENGTH) if sql else "",
        label(fields.get("userName")),
    )


def _unescaped(text: str) -> str:
    """Unescape protobuf's text format: bytes of UTF-8 as octal escapes, and C escapes."""

    def meant(escape: re.Match[str]) -> str:
        one = escape[0]
        if one[1].isdigit() and len(one) > 2:
            return bytes(int(octal, 8) & 0xFF for octal in one.split("\\")[1:]).decode("utf-8", "replace")
        return _ESCAPED.get(one[1], one[1])

    return _ESCAPE.sub(meant, text)


def thrift_statement(line: bytes) -> Statement:
    """Read the Thrift server's `SparkListenerThriftServerOperationStart`; its group is the job group of its jobs."""
    fields = parsed(line)
    sql = shortened(words(fields.get("statement")), STATEMENT_LENGTH)
    return Statement(label(fields.get("groupId")), label(fields.get("id")), sql, label(fields.get("userName")))


def thrift_plan(line: bytes) -> ParsedStatement:
    """Read the Thrift server's `SparkListenerThriftServerOperationParsed`."""
    fields = parsed(line)
    return ParsedStatement(label(fields.get("id")), PlanText(words(fields.get("executionPlan"))))
