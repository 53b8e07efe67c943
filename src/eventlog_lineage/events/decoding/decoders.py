"""Decode lines to events, by the list of events that are kept; read those of streams, Connect and Thrift."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from eventlog_lineage.connectors.connector import connector_of_class
from eventlog_lineage.events.decoding import core_events, sql_events
from eventlog_lineage.events.listener_events import ParsedStatement, Statement, StreamEnd, StreamStart
from eventlog_lineage.events.records import StreamProgress
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.redaction import shortened

from .core_events import ERROR_LENGTH
from .json_fields import UnreadableLine, items, label, mapping, number, parsed, words
from .line_filter import EVENT_LINE
from .spark_conf import without_credentials
from .sql_events import STATEMENT_LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from eventlog_lineage.events.listener_events import Event

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
    text = words(fields.get("statementText"))
    sql = _CONNECT_SQL.search(text)
    return Statement(
        label(fields.get("jobTag")),
        label(fields.get("operationId")),
        shortened(_unescaped(sql[1]), STATEMENT_LENGTH) if sql else "",
        label(fields.get("userName")),
        requested_reads(text),
        requested_write(text),
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


# -- sources and targets in requests of Spark Connect, the only text with the URL of a read or a save: of the options,
# only those that name tables are kept, never a password

_LONGEST = 10_000
_MOST = 100
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_OPTIONS = rf"options \{{\s*key: {_TEXT}\s*value: {_TEXT}\s*\}}"
_SOURCE = re.compile(
    rf"\bdata_source \{{\s*format: {_TEXT}(?P<options>(?:\s*(?:schema|paths): {_TEXT}|\s*{_OPTIONS})*)"
)
_WRITE = re.compile(r"\bwrite_operation(?:_v2)? \{")
_TARGET = re.compile(
    rf"\bsource: {_TEXT}(?P<options>(?:\s*(?:path|mode|\w+_columns?|sort_column_names): (?:{_TEXT}|\w+)"
    rf"|\s*(?:table|bucket_by) \{{[^{{}}]*\}}|\s*{_OPTIONS})*)"
)
_TABLE = re.compile(rf"\btable_name: {_TEXT}")
_PATH = re.compile(rf"^\s*path: {_TEXT}")
_OPTION = re.compile(rf"\bkey: {_TEXT}\s*value: {_TEXT}")
_USING = re.compile(r"\bUSING\s+([\w.]+)\s+OPTIONS\s*\(", re.IGNORECASE)
_SQL_OPTION = re.compile(r"[`'\"]?([\w.]+)[`'\"]?\s*=?\s*\\?'((?:[^'\\]|\\[^']|'')*)\\?'")

Options = tuple[tuple[str, str], ...]
Reads = tuple[tuple[str, Options], ...]
Write = tuple[str, Options] | tuple[()]


def requested_reads(text: str) -> Reads:
    """Return the sources that a request reads: format, and the options that name tables, without credentials.

    Args:
        text: The request as protobuf text, with its SQL, which may have `USING jdbc OPTIONS (url '…', …)`.
    """
    found = [(match[1], _OPTION.findall(match["options"])) for match in _SOURCE.finditer(text)]
    found += [(match[1], _SQL_OPTION.findall(_brackets(text, match.end()))) for match in _USING.finditer(text)]
    kept = ((name, _naming(name, options)) for name, options in found[:_MOST])
    return tuple((name, options) for name, options in kept if options)


def requested_write(text: str) -> Write:
    """Return the target of a request: format, and the options that name a table; a catalog's table has no format.

    Returns:
        The target; an empty tuple if the request writes nothing, or files.
    """
    start = _WRITE.search(text)
    if start is None:
        return ()
    if tables := _TABLE.findall(text, start.end()):
        return ("", (("table", shortened(tables[-1], _LONGEST)),))
    targets = list(_TARGET.finditer(text, start.end()))
    if not targets:
        return ()
    target = targets[-1]
    path = _PATH.match(target["options"])
    options = [*_OPTION.findall(target["options"]), *([("path", path[1])] if path else [])]
    kept = _naming(target[1], options, paths=True)
    return (target[1], kept) if kept else ()


def _brackets(text: str, start: int) -> str:
    end = text.find(")", start)
    return text[start : end if end >= 0 else len(text)][:_LONGEST]


def _naming(source: str, options: list[tuple[str, str]], *, paths: bool = False) -> Options:
    """Return the options that name a table, in lower case; text that may be a URI without user and password.

    Args:
        paths: Whether the option `path` is one of them.
    """
    connector = connector_of_class(source)
    if connector is None:
        return ()
    names = {key for keys in connector.options.values() for key in keys} | ({"path"} if paths else set())
    kept = ((key.lower(), value.replace("\\'", "'").replace('\\"', '"').replace("\\n", "\n")) for key, value in options)
    return tuple((key, _clean(value)) for key, value in kept if key in names)


def _clean(value: str) -> str:
    return shortened(without_credentials(value) if ":" in value.partition(" ")[0] else value, _LONGEST)


_UI = b"org.apache.spark.sql.execution.ui."
_CATALOG = b"org.apache.spark.sql.catalyst.catalog."
_STREAMING = b"org.apache.spark.sql.streaming.StreamingQueryListener$"
_CONNECT = b"org.apache.spark.sql.connect.service.SparkListenerConnect"
_THRIFT = b"org.apache.spark.sql.hive.thriftserver.ui.SparkListenerThriftServer"
_NAME_START = len(EVENT_LINE)

_ADAPTIVE_UPDATE = _UI + b"SparkListenerSQLAdaptiveExecutionUpdate"
ADAPTIVE_LINE = EVENT_LINE + _ADAPTIVE_UPDATE + b'"'
"""The start of the line of an adaptive plan."""

DECODERS: Mapping[bytes, Callable[[bytes], Event | None]] = {
    b"SparkListenerLogStart": core_events.log_start,
    b"DBCEventLoggingListenerMetadata": core_events.part_start,
    b"SparkListenerApplicationStart": core_events.application_start,
    b"SparkListenerApplicationEnd": core_events.application_end,
    b"SparkListenerEnvironmentUpdate": core_events.environment,
    b"SparkListenerJobStart": core_events.job_start,
    b"SparkListenerJobEnd": core_events.job_end,
    b"SparkListenerStageCompleted": core_events.stage_completed,
    _UI + b"SparkListenerSQLExecutionStart": sql_events.execution_start,
    _UI + b"SparkListenerSQLExecutionEnd": sql_events.execution_end,
    _ADAPTIVE_UPDATE: sql_events.adaptive_plan,
    _UI + b"SparkListenerDriverAccumUpdates": sql_events.driver_metrics,
    _CATALOG + b"CreateTableEvent": sql_events.catalog_change("CreateTable"),
    _CATALOG + b"DropTableEvent": sql_events.catalog_change("DropTable"),
    _CATALOG + b"AlterTableEvent": sql_events.catalog_change("AlterTable"),
    _CATALOG + b"RenameTableEvent": sql_events.catalog_change("RenameTable"),
    _STREAMING + b"QueryStartedEvent": stream_start,
    _STREAMING + b"QueryProgressEvent": stream_progress,
    _STREAMING + b"QueryTerminatedEvent": stream_end,
    _CONNECT + b"OperationStarted": connect_statement,
    _THRIFT + b"OperationStart": thrift_statement,
    _THRIFT + b"OperationParsed": thrift_plan,
    b"org.apache.kyuubi.plugin.lineage.dispatcher.OperationLineageSparkEvent": sql_events.kyuubi_lineage,
}
"""Name of each kept event, to its decoder.

`SparkListenerSQLAdaptiveSQLMetricUpdates` is not kept: it lists new accumulators of a subquery without their operators.
Scans keep their accumulators when adaptive execution plans a subquery again, so nothing is lost.
"""


def event_name(line: bytes) -> bytes:
    """Return the name of a line's event.

    >>> event_name(b'{"Event":"SparkListenerLogStart","Spark Version":"4.0.0"}')
    b'SparkListenerLogStart'
    """
    return line[_NAME_START : line.find(b'"', _NAME_START)]


def decode(line: bytes) -> Event | None:
    """Read the line of a kept event.

    Args:
        line: One line that begins with `{"Event":"` and a name of `DECODERS`.

    Returns:
        The event; None if it contains nothing relevant (a job without SQL, a succeeded job's end).

    Raises:
        UnreadableLine: It is not JSON, or a required field is missing.
    """
    decoder = DECODERS.get(event_name(line))
    if decoder is None:
        raise UnreadableLine("an event that is not kept")
    return decoder(line)
