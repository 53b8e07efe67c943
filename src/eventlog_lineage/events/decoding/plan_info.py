"""Read `SparkPlanInfo`, the plan as a tree with accumulators: the operators that move rows, and their metrics."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from eventlog_lineage.datasets.locations import Location, read_location
from eventlog_lineage.datasets.naming import path_name
from eventlog_lineage.events.listener_events import MetricsNode
from eventlog_lineage.extensions import commands_where, contributions
from eventlog_lineage.redaction import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_SCAN = re.compile(
    r"(?<=\n)Output(?: \[\d+\])?: \[(?P<output>[^\n]*)\]\n(?:[^\n(][^\n]*\n){0,4}?"
    r"Location: (?P<location>[^\n]*, \.\.\. \d+ entries\])(?=\n)"
)
_MORE = re.compile(r",\.\.\. \d+ more fields\]")


class _Scan(NamedTuple):
    """A scan of several paths: its attributes, as its line lists them, and its paths."""

    attributes: str
    location: Location


def with_scanned_paths(printed: str, nodes: Iterable[Mapping[str, Any]]) -> str:
    """Return formatted text with the known paths of scans without a table: `Location: InMemoryFileIndex [a, b, c]`.

    Paths of one dataset, such as partitions, are not listed: their number varies from night to night. The second shows
    that the first is one of them.

    Args:
        nodes: The operators of the event's `sparkPlanInfo`, whose metadata have the paths.
    """
    if " entries]\n" not in printed:
        return printed
    scans = list(_scans(nodes))

    def completed(match: re.Match[str]) -> str:
        short = match["location"]
        whole = _whole(match["output"], read_location(short), scans)
        return match[0].removesuffix(short) + str(whole) if whole else match[0]

    return _SCAN.sub(completed, printed) if scans else printed


def _scans(nodes: Iterable[Mapping[str, Any]]) -> Iterator[_Scan]:
    for node in nodes:
        metadata = node.get("metadata")
        text = metadata.get("Location") if isinstance(metadata, dict) else None
        if isinstance(text, str) and not _has_table(node) and len((location := read_location(text)).paths) > 1:
            line = str(node.get("simpleString", ""))
            yield _Scan(_normalized(line.partition("[")[2]), location)


def _has_table(node: Mapping[str, Any]) -> bool:
    return len(str(node.get("nodeName", "")).split()) > 2


def _whole(output: str, short: Location, scans: Iterable[_Scan]) -> Location | None:
    """Return the location of a scan with its known paths; None if they are unknown.

    Spark 3.1 ends the metadata's list without a mark.
    """
    attributes = _normalized(output)
    number = len(short.paths) + (short.missing or 0)
    found = {
        location.paths
        for listed, location in scans
        if location.first == short.first
        and len(location.paths) + (location.missing or 0) <= number
        and _are_same(attributes, listed)
    }
    if len(found) != 1:
        return None
    paths = found.pop()
    if len({path_name(path) for path in paths}) == 1:
        paths = paths[:2]
    return Location(short.file_index, paths, number - len(paths))


def _are_same(attributes: str, listed: str) -> bool:
    """Return whether a scan's attributes are those that a line lists, which Spark truncates."""
    if listed.startswith(f"{attributes}]"):
        return True
    more = _MORE.search(listed)
    return more is not None and attributes.startswith(listed[: more.start()])


def _normalized(attributes: str) -> str:
    return attributes.replace(", ", ",")


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
