"""Read the names of Delta's tables in commands, writes and scans."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import find_command
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.arguments import arguments
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import refines
from eventlog_lineage.operators.scans import first_path
from eventlog_lineage.operators.write_targets import catalog_table, is_truncated_query, names_of_query
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute

FEED = "DeltaCDFRelation"
"""Delta's name for a scan of the changes between two versions; it contains the table's complete state, from 4.0 on over
many lines."""
_COMMIT = "_commit_version"
_SOURCE = re.compile(r"\bDeltaSource\[([^\]]+)\]$")


def table_in(text: str) -> Dataset | None:
    r"""Return the table of a `DeltaTableV2(…)` by its catalog entry, or by its path if it has none.

    `DeltaTableV2(SparkSession@…,file:/path,Some(CatalogTable(\nCatalog: …\nDatabase: …\nTable: …` (case class up to
    Delta 3.3, the same shape from 4.0 on).
    """
    start = text.find("DeltaTableV2(")
    if start < 0:
        return None
    block = text.find("CatalogTable(\n", start)
    words = catalog_table(text, block) if block >= 0 else ()
    path = text[start:].split(",", 2)[1] if text[start:].count(",") > 1 else ""
    if not words:
        return naming.path(path, format="delta") if path else None
    name = ".".join(f"`{word}`" for word in words)
    return naming.table(name, format="delta", location=path)


@refines("AppendDataExecV1", "OverwriteByExpressionExecV1")
def v1_write(op: Operation) -> Flow | None:
    """Name the table of a V1 write; its query runs in a nested execution.

    `Arguments: DeltaTableV2(…), Project [id#1L, k#2L], …`
    """
    parts = arguments(op.node)
    target = table_in(parts[0]) if parts else None
    if target is None:
        return None
    mode, names = find_command(op.node.operator).mode, names_of_query(parts[1:])
    is_truncated = is_truncated_query(parts[1:])
    write = Write(target, mode, None, names, node_name=op.node.name, is_truncated=is_truncated)
    return Flow(write=write, command=op.node.operator)


def name_source(op: Operation) -> Dataset | None:
    """Return the table of a change feed, or of a streaming source that prints its location.

    A source without new rows is an `EmptyRDD` that ends in `DeltaSource[file:/data/x]` (`DeltaSource.toString`, on
    Spark 4). Tree strings have no RDD: the columns of a change feed are those of the batch's only source.
    """
    if op.node.operator == "RelationScan":
        table = op.node.argument.rpartition(" ")[2]
        return naming.table(table, format="delta") if op.node.argument.startswith(FEED) and "." in table else None
    if op.node.operator in {"BatchScan", "MicroBatchScan", "ContinuousScan"}:
        return None
    if match := _SOURCE.search(op.node.text("Arguments")):
        return _at_location(op, naming.path(match[1], format="delta"))
    names = [(read_attribute(item) or (item, -1))[0] for item in op.node.items("Output")]
    if "Arguments" not in op.node.fields and _COMMIT in names and len(op.plan.stream_sources) == 1:
        source = op.plan.stream_sources[0] or ()
        return _at_location(op, source[0]) if len(source) == 1 else None
    return None


def _at_location(op: Operation, path: Dataset) -> Dataset:
    """Return the table at a path, if a scan of the same plan names it: a change feed is a union of several scans.

    Args:
        op: The operator.
        path: The location.
    """
    for node in op.plan.operators_by_id.values():
        name = node.argument.rpartition(" ")[2]
        if "." in name and naming.path_name(first_path(node.text("Location"))[0]) == path.name:
            return naming.table(name, format="delta", location=path.name)
    return path
