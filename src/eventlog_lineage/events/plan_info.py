"""`SparkPlanInfo`, the plan as a tree with accumulators: which of its operators move rows, and what counts them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from eventlog_lineage.events.kinds import MetricsNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAME_LENGTH = 200
_DESCRIPTION_LENGTH = 200
_DESCRIPTION_LENGTH_WITH_LOCATION = 80
_LOCATION_LENGTH = 500

_NO_SOURCE = ("ExistingRDD", "OneRowRelation", "In-memory table")
_LITERALS_AND_CACHES = ("LocalTableScan", "InMemoryTableScan")
_WRITE = re.compile(
    r"Write|AppendData|Overwrite|ReplaceData|TableAsSelect|Insert|(?<!Exchange)Sink|MergeRows|MergeInto|IcebergCommit"
    r"|(?:Update|Delete)(?:Command|FromTable)"
)
_TIMES = ("timing", "nsTiming", "average")


@lru_cache(maxsize=4096)
def moves_rows(node_name: str) -> bool:
    """Tell whether an operator reads from a source or writes, by its name in any version and engine.

    Rows of RDDs, literals and caches are no source.
    """
    operator, _, what = node_name.partition(" ")
    if operator == "Execute":
        return True
    if "Scan" in operator:
        nothing = operator == "Scan" and not what.strip()
        return not (nothing or what.startswith(_NO_SOURCE) or operator.endswith(_LITERALS_AND_CACHES))
    return _WRITE.search(operator) is not None


def metrics_nodes(info: Mapping[str, Any]) -> tuple[MetricsNode, ...]:
    """Collect the scans and writes of a plan.

    Args:
        info: `sparkPlanInfo` as parsed JSON. Subqueries are children there (`SparkPlanInfo.fromSparkPlan`).

    Returns:
        Those that have metrics other than times, in pre-order.
    """
    return tuple(node for one in _walk(info) if (node := _node(one)) is not None)


def _walk(info: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    waiting = [info]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            children = node.get("children")
            if isinstance(children, list):
                waiting.extend(reversed(children))


def _node(info: Mapping[str, Any]) -> MetricsNode | None:
    name = str(info.get("nodeName", ""))[:_NAME_LENGTH]
    if not moves_rows(name):
        return None
    metrics = tuple(_metrics(info.get("metrics")))
    if not metrics:
        return None
    metadata = info.get("metadata")  # not there before Spark 2.4 (SPARK-25357)
    location = str(metadata.get("Location", "")) if isinstance(metadata, dict) else ""
    length = _DESCRIPTION_LENGTH_WITH_LOCATION if location else _DESCRIPTION_LENGTH
    description = str(info.get("simpleString", ""))[:length]
    return MetricsNode(name, description, location[:_LOCATION_LENGTH], metrics)


def _metrics(metrics: object) -> Iterator[tuple[str, int]]:
    for metric in metrics if isinstance(metrics, list) else ():
        match metric:
            case {"name": str(name), "accumulatorId": int(number), **rest} if rest.get("metricType") not in _TIMES:
                yield name, number
