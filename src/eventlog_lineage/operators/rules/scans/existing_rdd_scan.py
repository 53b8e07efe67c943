"""`Scan ExistingRDD`: rows that another execution or the driver's program made."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import first_path, generated
from eventlog_lineage.operators.streaming_sources import stream_flow
from eventlog_lineage.plan.expressions.lexer import read_attribute

_EMPTY = " EmptyRDD["
_COMMIT = "_commit_version"
_DELTA_SOURCE = re.compile(r"\bDeltaSource\[([^\]]+)\]$")


@operator("ExistingRDDScan", "LogicalRDD", "StreamingRelation", "StreamingRelationV2")
def existing_rdd_scan(at: Operation) -> Flow:
    """Outputs attributes that this plan does not explain; the statement may, from the application's other plans.

    A checkpoint keeps the ids of what it saved, so the execution that made them tells where they come from. A Delta
    source without new rows is an `EmptyRDD` that ends in `DeltaSource[file:/data/x]` (`DeltaSource.toString`, on
    Spark 4). Before, it says nothing: beside scans of files it is a part of them without rows. Where an operator is one
    line it prints no RDD: the columns of a change feed are those of the batch's only source.
    """
    items = at.node.items("Output")
    attributes = [read_attribute(item) or (item, -1) for item in items]
    if match := _DELTA_SOURCE.search(at.node.text("Arguments")):
        return stream_flow(at, (_delta(at, naming.path(match[1], format="delta")),), attributes)
    if "Arguments" not in at.node.fields and _COMMIT in (name for name, _ in attributes):
        sources = [each for each in at.plan.stream_sources if each is not None]
        if len(sources) == 1 == len(at.plan.stream_sources):
            return stream_flow(at, tuple(_delta(at, place) for place in sources[0]), attributes)
    if _EMPTY in at.node.text("Arguments") and any("Location" in node.fields for node in at.plan.numbered.values()):
        return Flow(outputs=tuple(Output(name, number, generated(name)) for name, number in attributes))
    return Flow(outputs=tuple(Output(name, number, at.open_value(name, number)) for name, number in attributes))


def _delta(at: Operation, place: Dataset) -> Dataset:
    """The table at a place, where a scan of the same plan names it: a feed of changes is a union of several."""
    for node in at.plan.numbered.values():
        name = node.argument.rpartition(" ")[2]
        if "." in name and naming.path_name(first_path(node.text("Location"))[0]) == place.name:
            return naming.table(name, format="delta", location=place.name)
    return place
