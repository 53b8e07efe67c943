"""Decode events of Spark SQL: `org.apache.spark.sql.execution.ui.*` and those of the session catalog."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from eventlog_lineage.events.listener_events import AdaptivePlan, DriverMetrics, ExecutionEnd, ExecutionStart
from eventlog_lineage.events.records import CatalogChange, ExternalLineage
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.redaction import shortened

from .core_events import ERROR_LENGTH
from .described_sql import is_sql
from .execution_plan_text import plan_text
from .json_fields import UnreadableLine, items, label, mapping, needed, number, parsed, texts, words
from .plan_info import metrics_nodes, outputs_all_groups
from .spark_conf import kept_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DESCRIPTION_LENGTH = 1000
"""Longest stored description, in characters; the Thrift server's descriptions are complete statements."""

STATEMENT_LENGTH = 10_000
"""Longest stored SQL of a statement, in characters."""

_PLAN_INFO = b'"sparkPlanInfo":{'
_TIME = b'},"time":'
_CALL = re.compile(r"org\.apache\.spark\.sql\.(?:[\w.$]*\.)?(?:\$anonfun\$)?(\w+)[\w$]*\([^()\n]*\)(?:\n|$)")
_LONGEST_CALL = 300
_CONNECT = 'session_id: "'
_CONNECT_COMMAND = re.compile(r"\bplan \{\s+command \{\s+(\w+) \{")
_CONNECT_CALLS = {
    "checkpoint_command": "checkpoint",
    "write_operation": "save",
    "write_operation_v2": "append",
    "write_stream_operation_start": "toTable",
}
"""Commands of Spark Connect by the methods of the classic API; a stream that creates a table is `toTable`."""
_STATE_SAVED = b"StateStoreSave"  # also in `SessionWindowStateStoreSave`
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
    description = words(fields.get("description"))
    return ExecutionStart(
        needed(fields, "executionId"),
        number(fields.get("rootExecutionId")),
        shortened(description, DESCRIPTION_LENGTH),
        number(fields.get("time")),
        PlanText(plan_text(words(fields.get("physicalPlanDescription")), info)),
        metrics_nodes(info),
        texts(fields.get("jobTags")),
        label(fields.get("jobGroupId")),
        kept_settings(mapping(fields.get("modifiedConfigs"))),
        _call(words(fields.get("details"))),
        _STATE_SAVED in line and outputs_all_groups(info),
        shortened(description, STATEMENT_LENGTH) if is_sql(description) else "",
    )


def _call(details: str) -> str:
    """Return the method in the first line of a call site: `org.apache.spark.sql.Dataset.checkpoint(Dataset.scala:690)`.

    Source: `Utils.getCallSite`, `CallSite.longForm`. Of a closure it is the method around it
    (`$anonfun$collectAsArrowToPython$1$adapted`). Spark Connect has the beginning of the request there
    (`SparkConnectPlanExecution`, 4.0+): `session_id: "…" … plan { command { checkpoint_command {`.
    """
    if details.startswith(_CONNECT):
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
    """Read `SparkListenerSQLAdaptiveExecutionUpdate`, without the plan text."""
    start = line.find(_PLAN_INFO)
    execution_id = adaptive_execution_id(line)
    if start < 0 or execution_id is None:
        fields: Mapping[str, Any] = parsed(line)
        execution_id = needed(fields, "executionId")
    else:
        fields = parsed(b"{" + line[start:])
    return AdaptivePlan(execution_id, metrics_nodes(mapping(fields.get("sparkPlanInfo"))))


def driver_metrics(line: bytes) -> DriverMetrics:
    """Read `SparkListenerDriverAccumUpdates`; values of one accumulator are summed, as in the SQL tab."""
    fields = parsed(line)
    sums: dict[int, int] = {}
    for pair in map(items, items(fields.get("accumUpdates"))):
        accumulator, value = (number(pair[0]), number(pair[1])) if len(pair) == 2 else (None, None)
        if accumulator is not None and value is not None:
            sums[accumulator] = sums.get(accumulator, 0) + value
    return DriverMetrics(needed(fields, "executionId"), tuple(sums.items()))


def catalog_change(change: str) -> Callable[[bytes], CatalogChange]:
    """Return the decoder of `org.apache.spark.sql.catalyst.catalog.<change>Event`."""

    def read(line: bytes) -> CatalogChange:
        fields = parsed(line)
        return CatalogChange(
            change,
            label(fields.get("database")),
            label(fields.get("name")),
            label(fields.get("newName")),
            label(fields.get("kind")),
        )

    return read


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
