"""Decode events of Spark SQL and of the session catalog, and the operators in `sparkPlanInfo`."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from eventlog_lineage.events.listener_events import (
    AdaptivePlan,
    DriverMetrics,
    ExecutionEnd,
    ExecutionStart,
    MetricsNode,
)
from eventlog_lineage.events.records import CatalogChange, ExternalLineage
from eventlog_lineage.extensions import commands_where, contributions
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.redaction import shortened, without_inserted_secrets, without_shared_secrets

from .core_events import ERROR_LENGTH
from .json_fields import UnreadableLine, items, label, mapping, needed, number, parsed, texts, words
from .logged_plan import plan_nodes, plan_text
from .spark_conf import is_sql, kept_settings

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


_NAME_LENGTH = 200
_LOCATION_LENGTH = 500

_NO_SOURCE = ("ExistingRDD", "OneRowRelation", "In-memory table")
_LITERALS_AND_CACHES = ("LocalTableScan", "InMemoryTableScan")
_SAVES = frozenset({"StateStoreSave", "SessionWindowStateStoreSave"})
_COMPLETE = ", Complete, "
_WRITE = r"Write|Overwrite|TableAsSelect|Insert|(?<!Exchange)Sink|Merge(?:Rows|Into)|IcebergCommit"
"""Parts of the names of operators that write, in all engines, in addition to the commands in the catalogue."""
COUNTS = frozenset(
    {
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
        "scanned snapshot id",
    }
)
"""The metrics that are kept: rows, bytes and files, and Paimon's snapshot (1.4+, `PaimonMetrics`)."""


@cache
def _change_metrics() -> frozenset[str]:
    """Return the metrics that show whether a table format's command changes its table."""
    return frozenset(name for names in contributions("metrics.changes") for name in names)


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
    return re.compile("|".join((_WRITE, *sorted(commands_where(moves_rows=True)))))


def metrics_nodes(info: Mapping[str, Any]) -> tuple[MetricsNode, ...]:
    """Collect the scans and writes of a plan.

    Args:
        info: `sparkPlanInfo` as parsed JSON. Subqueries are children there (`SparkPlanInfo.fromSparkPlan`).

    Returns:
        The operators with a metric of `COUNTS`, in pre-order.
    """
    found = []
    for node in plan_nodes(info):
        name = node.get("nodeName")
        if type(name) is str and moves_rows(name) and (counts := _counts(node.get("metrics"))):
            found.append(MetricsNode(shortened(name, _NAME_LENGTH), _location(node.get("metadata")), counts))
    return tuple(found)


def outputs_all_groups(info: Mapping[str, Any]) -> bool:
    """Return whether a plan saves the state of an aggregation and outputs all of its groups.

    The plan text of a micro-batch is that of another plan, whose output mode is always `Append`
    (`QueryExecution.explainString` makes an `IncrementalExecution` of its own for streams, 2.4 to 3.5).

    Args:
        info: `sparkPlanInfo` as parsed JSON: `StateStoreSave [k#1], state info [ checkpoint = …], Complete, 0, 0, 2`.
    """
    for node in plan_nodes(info):
        if node.get("nodeName") in _SAVES:
            return _COMPLETE in str(node.get("simpleString"))
    return False


def _location(metadata: object) -> str:
    """Return the location that a scan reads; empty before Spark 2.4, which has no metadata (SPARK-25357)."""
    location = metadata.get("Location", "") if type(metadata) is dict else ""
    return shortened(str(location), _LOCATION_LENGTH)


def _counts(metrics: object) -> tuple[tuple[str, int], ...]:
    if type(metrics) is not list:
        return ()
    counts = []
    for metric in metrics:
        if type(metric) is dict:
            name, number = metric.get("name"), metric.get("accumulatorId")
            if type(name) is str and type(number) is int and (name in COUNTS or name in _change_metrics()):
                counts.append((name, number))
    return tuple(counts)
