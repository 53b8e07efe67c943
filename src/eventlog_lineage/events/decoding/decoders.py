"""Decode lines to events, by the list of events that are kept; read those of streams, Connect and Thrift."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from eventlog_lineage.connectors.connector import connector_of_class
from eventlog_lineage.events.decoding import core_events
from eventlog_lineage.events.decoding.core_events import ERROR_LENGTH, STATEMENT_LENGTH
from eventlog_lineage.events.decoding.line_filter import (
    EVENT_LINE,
    UnreadableLine,
    items,
    label,
    mapping,
    needed,
    number,
    parsed,
    texts,
    words,
)
from eventlog_lineage.events.decoding.logged_plan import plan_nodes, plan_text
from eventlog_lineage.events.decoding.spark_conf import kept_settings, without_credentials
from eventlog_lineage.events.decoding.sql_descriptions import is_sql
from eventlog_lineage.events.listener_events import (
    AdaptivePlan,
    DriverMetrics,
    ExecutionEnd,
    ExecutionStart,
    MetricsNode,
    ParsedStatement,
    Statement,
)
from eventlog_lineage.events.records import CatalogChange, Event, ExternalLineage, StreamProgress
from eventlog_lineage.extensions import commands_where, contributions
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.redaction import shortened, without_inserted_secrets, without_shared_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


DESCRIPTION_LENGTH = 1000
"""Longest stored description, in characters; the Thrift server's descriptions are complete statements."""

_PLAN_INFO = b'"sparkPlanInfo":{'
_TIME = b'},"time":'
_CALL = re.compile(r"org\.apache\.spark\.sql\.(?:[\w.$]*\.)?(?:\$anonfun\$)?(\w+)[\w$]*\([^()\n]*\)(?:\n|$)")
_LONGEST_CALL = 300
_CONNECT_COMMAND = re.compile(r"\bplan \{\s+command \{\s+(\w+) \{")
_CONNECT_CALLS = {
    "checkpoint_command": "checkpoint",
    "write_operation": "save",
    "write_operation_v2": "append",
    "write_stream_operation_start": "toTable",
}
"""Commands of Spark Connect by the methods of the classic API; a stream that creates a table is `toTable`."""
_LONGEST_REQUEST = 2000
_EXECUTION_ID = re.compile(rb'[^,]*,"executionId":(\d+)')


def execution_start(line: bytes) -> ExecutionStart:
    """Read `SparkListenerSQLExecutionStart`.

    A plan of more than about 500 nested operators exceeds the nesting limit of JSON: its tree and metrics are omitted,
    the plan text is kept.
    """
    fields: Mapping[str, Any]
    try:
        fields = parsed(line)
    except UnreadableLine:
        fields = _without_plan_info(line)
    info = mapping(fields.get("sparkPlanInfo"))
    plan = words(fields.get("physicalPlanDescription"))
    description = without_inserted_secrets(words(fields.get("description")), plan)
    plan = plan_text(plan, info)
    if is_sql(description):
        description, plan = without_shared_secrets(description, plan)
    return ExecutionStart(
        needed(fields, "executionId"),
        number(fields.get("rootExecutionId")),
        shortened(description, DESCRIPTION_LENGTH),
        number(fields.get("time")),
        PlanText(plan),
        metrics_nodes(info),
        texts(fields.get("jobTags")),
        label(fields.get("jobGroupId")),
        kept_settings(mapping(fields.get("modifiedConfigs"))),
        _call(words(fields.get("details"))),
        b"StateStoreSave" in line and outputs_all_groups(info),
        shortened(description, STATEMENT_LENGTH) if is_sql(description) else "",
    )


def _call(details: str) -> str:
    """Return the method in the first line of a call site: `org.apache.spark.sql.Dataset.checkpoint(Dataset.scala:690)`.

    Source: `Utils.getCallSite`, `CallSite.longForm`. Of a closure it is the method around it
    (`$anonfun$collectAsArrowToPython$1$adapted`). Spark Connect has the beginning of the request there
    (`SparkConnectPlanExecution`, 4.0+): `session_id: "…" … plan { command { checkpoint_command {`.
    """
    if details.startswith('session_id: "'):
        command = _CONNECT_COMMAND.search(details[:_LONGEST_REQUEST])
        return _CONNECT_CALLS.get(command[1], "") if command else ""
    return _method(details[:_LONGEST_CALL])


@lru_cache(maxsize=1000)
def _method(call_site: str) -> str:
    """Return the method of a call site by its beginning; cached, as all runs of a program have the same call sites."""
    found = _CALL.match(call_site)
    return found[1] if found else ""


def _without_plan_info(line: bytes) -> Mapping[str, Any]:
    """Parse the line without `sparkPlanInfo`, the only nested field; no string contains the keys unescaped."""
    start, end = line.find(_PLAN_INFO), line.rfind(_TIME)
    if start < 0 or end < start:
        return parsed(line)
    return parsed(line[:start] + line[end + 2 :])


def execution_end(line: bytes) -> ExecutionEnd:
    """Read `SparkListenerSQLExecutionEnd`; before 3.4 (and DBR 10.4) it does not show failures."""
    fields = parsed(line)
    error = fields.get("errorMessage")
    known = None if error is None else shortened(words(error), ERROR_LENGTH)
    return ExecutionEnd(needed(fields, "executionId"), number(fields.get("time")), known)


def adaptive_execution_id(line: bytes) -> int | None:
    """Return the execution whose plan a `SparkListenerSQLAdaptiveExecutionUpdate` replaces, without parsing it."""
    matched = _EXECUTION_ID.match(line)
    return int(matched[1]) if matched else None


def adaptive_plan(line: bytes) -> AdaptivePlan:
    """Read `SparkListenerSQLAdaptiveExecutionUpdate`."""
    fields = parsed(line)
    return AdaptivePlan(needed(fields, "executionId"), metrics_nodes(mapping(fields.get("sparkPlanInfo"))))


def driver_metrics(line: bytes) -> DriverMetrics:
    """Read `SparkListenerDriverAccumUpdates`; values of one accumulator are summed, as in the SQL tab."""
    fields = parsed(line)
    sums: dict[int, int] = {}
    for pair in map(items, items(fields.get("accumUpdates"))):
        accumulator, value = (number(pair[0]), number(pair[1])) if len(pair) == 2 else (None, None)
        if accumulator is not None and value is not None:
            sums[accumulator] = sums.get(accumulator, 0) + value
    return DriverMetrics(needed(fields, "executionId"), tuple(sums.items()))


def catalog_change(line: bytes) -> CatalogChange:
    """Read an event of `org.apache.spark.sql.catalyst.catalog`."""
    fields = parsed(line)
    return CatalogChange(label(fields.get("database")), label(fields.get("name")), label(fields.get("newName")))


def kyuubi_lineage(line: bytes) -> ExternalLineage:
    """Read `org.apache.kyuubi.plugin.lineage.dispatcher.OperationLineageSparkEvent`."""
    fields = parsed(line)
    lineage = mapping(fields.get("lineage"))
    columns = map(mapping, items(lineage.get("columnLineage")))
    return ExternalLineage(
        texts(lineage.get("inputTables")),
        texts(lineage.get("outputTables")),
        tuple((words(column.get("column")), texts(column.get("originalColumns"))) for column in columns),
        shortened(words(fields.get("exception")), ERROR_LENGTH),
        number(fields.get("eventTime")),
    )


_NAME_LENGTH = 200
_LOCATION_LENGTH = 500

_NO_SOURCE = ("ExistingRDD", "OneRowRelation", "In-memory table")
_LITERALS_AND_CACHES = ("LocalTableScan", "InMemoryTableScan")
_SAVES = frozenset({"StateStoreSave", "SessionWindowStateStoreSave"})
_MOVES_ROWS = r"Write|Overwrite|TableAsSelect|Insert|(?<!Exchange)Sink|Merge(?:Rows|Into)|IcebergCommit"
"""Parts of the names of operators that write, in all engines, in addition to the commands in the catalogue."""
_COUNTS = (
    "number of output rows",
    "size of files read",
    "size of static filtered files read",
    "number of files read",
    "number of static filtered files read",
    "number of result data files",
    "total data file size (bytes)",
    "total delete file size (bytes)",
    "written output",
    "bytes of written output",
    "number of written files",
)


@cache
def kept_metrics() -> frozenset[str]:
    """Return the metrics that are kept: rows, bytes and files; snapshots and changes of table formats."""
    return frozenset((*_COUNTS, *contributions("metrics.snapshot"), *chain(*contributions("metrics.changes"))))


@lru_cache(maxsize=4096)
def moves_rows(node_name: str) -> bool:
    """Return whether an operator reads from a source or writes, by its name in all versions and engines.

    Rows of RDDs, literals and caches are not sources.
    """
    operator, _, what = node_name.partition(" ")
    if operator == "Execute":
        return True
    if "Scan" in operator:
        nothing = operator == "Scan" and not what.strip()
        return not (nothing or what.startswith(_NO_SOURCE) or operator.endswith(_LITERALS_AND_CACHES))
    return _write().search(operator) is not None


@cache
def _write() -> re.Pattern[str]:
    return re.compile("|".join((_MOVES_ROWS, *sorted(commands_where(moves_rows=True)))))


def metrics_nodes(info: Mapping[str, Any]) -> tuple[MetricsNode, ...]:
    """Collect the scans and writes of a plan.

    Args:
        info: `sparkPlanInfo` as parsed JSON. Subqueries are children there (`SparkPlanInfo.fromSparkPlan`).

    Returns:
        The operators with a metric of `kept_metrics`, in pre-order.
    """
    found = []
    for node in plan_nodes(info):
        name = node.get("nodeName")
        if type(name) is str and moves_rows(name) and (counts := _counts(node.get("metrics"))):
            location = str(mapping(node.get("metadata")).get("Location", ""))  # 2.4 and later (SPARK-25357)
            found.append(MetricsNode(shortened(name, _NAME_LENGTH), shortened(location, _LOCATION_LENGTH), counts))
    return tuple(found)


def outputs_all_groups(info: Mapping[str, Any]) -> bool:
    """Return whether a plan saves the state of an aggregation and outputs all of its groups.

    The plan text of a micro-batch is that of another plan, whose output mode is always `Append`
    (`QueryExecution.explainString` makes an `IncrementalExecution` of its own for streams, 2.4 to 3.5).

    Args:
        info: `sparkPlanInfo` as parsed JSON: `StateStoreSave [k#1], state info [ checkpoint = …], Complete, 0, 0, 2`.
    """
    for node in plan_nodes(info):
        if str(node.get("nodeName")) in _SAVES:
            return ", Complete, " in str(node.get("simpleString"))
    return False


def _counts(metrics: object) -> tuple[tuple[str, int], ...]:
    kept = kept_metrics()
    listed = ((each.get("name"), each.get("accumulatorId")) for each in map(mapping, items(metrics)))
    return tuple((name, key) for name, key in listed if type(name) is str and type(key) is int and name in kept)


_CONNECT_SQL = re.compile(r'\b(?:sql \{\s*query|sql_command \{\s*sql): "((?:[^"\\]|\\.)*)"?', re.DOTALL)
_ESCAPE = re.compile(r"(?:\\[0-7]{3})+|\\.", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


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
    """Return the target of a request: format and options that name a table; nothing for files."""
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
    """Return the options that name a table, in lower case; text that may be a URI without user and password."""
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
    _UI + b"SparkListenerSQLExecutionStart": execution_start,
    _UI + b"SparkListenerSQLExecutionEnd": execution_end,
    _ADAPTIVE_UPDATE: adaptive_plan,
    _UI + b"SparkListenerDriverAccumUpdates": driver_metrics,
    _CATALOG + b"CreateTableEvent": catalog_change,
    _CATALOG + b"DropTableEvent": catalog_change,
    _CATALOG + b"AlterTableEvent": catalog_change,
    _CATALOG + b"RenameTableEvent": catalog_change,
    b"org.apache.spark.sql.streaming.StreamingQueryListener$QueryProgressEvent": stream_progress,
    _CONNECT + b"OperationStarted": connect_statement,
    _THRIFT + b"OperationStart": thrift_statement,
    _THRIFT + b"OperationParsed": thrift_plan,
    b"org.apache.kyuubi.plugin.lineage.dispatcher.OperationLineageSparkEvent": kyuubi_lineage,
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
