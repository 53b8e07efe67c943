"""Match the leaves of a micro-batch's plan to the sources of its streaming query."""

from __future__ import annotations

import re
from collections.abc import Iterable

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.locations import read_location
from eventlog_lineage.datasets.streams import stream_source
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.derivations.derivation import Derivation, merge
from eventlog_lineage.plan.tree.nodes import PlanNode

from .flow import Flow, Output, Read
from .operation import Operation
from .plan_context import PlanContext
from .scans import source

_KAFKA = re.compile(r"^KafkaRelation\(strategy=(\w+\[[^\]]*\])")
_SCANS = frozenset({"MicroBatchScan", "ContinuousScan"})


def datasets_of(op: Operation) -> tuple[Dataset, ...] | None:
    """Return the datasets of a leaf that is a source of the streaming query; None if they are unknown.

    A micro-batch's sources are in its plan from left to right in the order of the progress events
    (`MicroBatchExecution.runBatch`); one without new data is an empty relation. Files are named by their scans.
    """
    if not op.plan.stream_sources:
        return None
    leaves = [
        node
        for _, node in sorted(op.plan.operators_by_id.items())
        if node.operator in _SCANS or (node.operator == "LocalTableScan" and _is_empty(node))
    ]
    sources = [each for each in op.plan.stream_sources if not _is_scanned(each, op.plan)]
    if op.node not in leaves or not sources:
        return None
    if len(leaves) == len(sources):
        return sources[leaves.index(op.node)]
    return sources[0] if len(sources) == 1 else None


def _is_empty(node: PlanNode) -> bool:
    return node.text("Arguments").startswith("<empty>")


def _is_scanned(datasets: tuple[Dataset, ...] | None, plan: PlanContext) -> bool:
    """Return whether a scan of the plan names the source's files."""
    roots = [dataset.name for dataset in datasets or () if dataset.kind == "path"]
    scans = [node.text("Location") for node in plan.operators_by_id.values() if "Location" in node.fields]
    paths = [naming.path_name(read_location(location).first) for location in scans]
    return any(path == root or path.startswith(f"{root}/") for path in paths for root in roots)


def topics_flow(op: Operation, printed: str, attributes: Iterable[tuple[str, int]]) -> Flow | None:
    """Return the columns of Kafka's topics, of a batch's scan or relation; None for other relations.

    `Subscribe[a, b]`, `Assign[a-0]`; the topics of `SubscribePattern[a.*]` are unknown.
    """
    match = _KAFKA.match(printed)
    if match is None:
        return None
    datasets = stream_source(f"Kafka[{match[1]}]") or ()
    if match[1].startswith("SubscribePattern"):
        op.gap(GapReason.UNKNOWN_SOURCE, match[1], "the plan does not list the topics that match the pattern")
    return stream_flow(op, datasets, attributes)


def stream_flow(op: Operation, datasets: tuple[Dataset, ...], attributes: Iterable[tuple[str, int]]) -> Flow:
    """Return the flow of a source; with several topics, each column depends on all of them."""
    outputs = tuple(Output(name, expr_id, _column(name, datasets)) for name, expr_id in attributes)
    names = tuple(output.name for output in outputs)
    return Flow(outputs=outputs, reads=tuple(Read(dataset, names, op.node.name) for dataset in datasets))


def _column(name: str, datasets: tuple[Dataset, ...]) -> Derivation:
    columns = [source(dataset.name, name) for dataset in datasets]
    if len(columns) == 1:
        return columns[0]
    parts = [part for column in columns for part in (" | ", column)]
    return Derivation(merge(column.sources for column in columns), parts[1:])
