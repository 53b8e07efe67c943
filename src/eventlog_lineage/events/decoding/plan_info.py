"""Read `SparkPlanInfo`, the plan as a tree with accumulators: the operators that move rows, and their metrics."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from eventlog_lineage.events.listener_events import MetricsNode
from eventlog_lineage.extensions import commands_where, contributions
from eventlog_lineage.redaction import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    return frozenset(name for names in contributions("change_metrics") for name in names)


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
    return re.compile("|".join((_WRITE, *sorted(commands_where("writes_rows")))))


def metrics_nodes(info: Mapping[str, Any]) -> tuple[MetricsNode, ...]:
    """Collect the scans and writes of a plan.

    Args:
        info: `sparkPlanInfo` as parsed JSON. Subqueries are children there (`SparkPlanInfo.fromSparkPlan`).

    Returns:
        The operators with a metric of `COUNTS`, in pre-order.
    """
    found = []
    for node in _nodes(info):
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
    for node in _nodes(info):
        if node.get("nodeName") in _SAVES:
            return _COMPLETE in str(node.get("simpleString"))
    return False


def _nodes(info: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    waiting: list[Any] = [info]
    while waiting:
        node = waiting.pop()
        if type(node) is not dict:
            continue
        yield node
        children = node.get("children")
        if children and type(children) is list:
            waiting += children[::-1]


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
