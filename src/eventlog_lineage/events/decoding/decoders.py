"""Decode lines to events, by the list of events that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import core_events, server_events, sql_events
from .json_fields import UnreadableLine
from .line_filter import EVENT_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from eventlog_lineage.events.listener_events import Event

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
    _STREAMING + b"QueryStartedEvent": server_events.stream_start,
    _STREAMING + b"QueryProgressEvent": server_events.stream_progress,
    _STREAMING + b"QueryTerminatedEvent": server_events.stream_end,
    _CONNECT + b"OperationStarted": server_events.connect_statement,
    _THRIFT + b"OperationStart": server_events.thrift_statement,
    _THRIFT + b"OperationParsed": server_events.thrift_plan,
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
