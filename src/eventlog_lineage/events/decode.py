"""Lines to events: THE list of the events that are kept, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.events import decode_core, decode_servers, decode_sql
from eventlog_lineage.events.fields import UnreadableLine
from eventlog_lineage.events.lines import EVENT_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from eventlog_lineage.events.kinds import Event

_UI = b"org.apache.spark.sql.execution.ui."
_CATALOG = b"org.apache.spark.sql.catalyst.catalog."
_STREAMING = b"org.apache.spark.sql.streaming.StreamingQueryListener$"
_CONNECT = b"org.apache.spark.sql.connect.service.SparkListenerConnect"
_THRIFT = b"org.apache.spark.sql.hive.thriftserver.ui.SparkListenerThriftServer"
_NAME_START = len(EVENT_LINE)

ADAPTIVE_UPDATE = _UI + b"SparkListenerSQLAdaptiveExecutionUpdate"

DECODERS: Mapping[bytes, Callable[[bytes], Event | None]] = {
    b"SparkListenerLogStart": decode_core.log_start,
    b"DBCEventLoggingListenerMetadata": decode_core.part_start,
    b"SparkListenerApplicationStart": decode_core.application_start,
    b"SparkListenerApplicationEnd": decode_core.application_end,
    b"SparkListenerEnvironmentUpdate": decode_core.environment,
    b"SparkListenerJobStart": decode_core.job_start,
    b"SparkListenerJobEnd": decode_core.job_end,
    b"SparkListenerStageCompleted": decode_core.stage_completed,
    _UI + b"SparkListenerSQLExecutionStart": decode_sql.execution_start,
    _UI + b"SparkListenerSQLExecutionEnd": decode_sql.execution_end,
    ADAPTIVE_UPDATE: decode_sql.adaptive_plan,
    _UI + b"SparkListenerDriverAccumUpdates": decode_sql.driver_metrics,
    _CATALOG + b"CreateTableEvent": decode_sql.catalog_change("CreateTable"),
    _CATALOG + b"DropTableEvent": decode_sql.catalog_change("DropTable"),
    _CATALOG + b"AlterTableEvent": decode_sql.catalog_change("AlterTable"),
    _CATALOG + b"RenameTableEvent": decode_sql.catalog_change("RenameTable"),
    _STREAMING + b"QueryStartedEvent": decode_servers.stream_start,
    _STREAMING + b"QueryProgressEvent": decode_servers.stream_progress,
    _STREAMING + b"QueryTerminatedEvent": decode_servers.stream_end,
    _CONNECT + b"OperationStarted": decode_servers.connect_statement,
    _THRIFT + b"OperationStart": decode_servers.thrift_statement,
    _THRIFT + b"OperationParsed": decode_servers.thrift_plan,
    b"org.apache.kyuubi.plugin.lineage.dispatcher.OperationLineageSparkEvent": decode_sql.kyuubi_lineage,
}
"""The names of the kept events and how each is read.

Left out with reason: `SparkListenerSQLAdaptiveSQLMetricUpdates` names new accumulators of a subquery without saying
whose they are; scans keep theirs when adaptive execution plans a subquery anew, so nothing is lost with it.
"""


def event_name(line: bytes) -> bytes:
    """Give the name of a line's event; the line begins with `{"Event":"`."""
    return line[_NAME_START : line.find(b'"', _NAME_START)]


def decode(line: bytes) -> Event | None:
    """Read the line of a kept event.

    Args:
        line: One line that begins with `{"Event":"` and a name of `DECODERS`.

    Returns:
        The event; None where it says nothing that is needed (a job without SQL, a succeeded job's end).

    Raises:
        UnreadableLine: If it is no JSON, or lacks what the event means nothing without.
    """
    decoder = DECODERS.get(event_name(line))
    if decoder is None:
        raise UnreadableLine("an event that is not kept")
    return decoder(line)
