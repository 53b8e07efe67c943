"""`Scan parquet spark_catalog.default.orders`: a file relation, by table or by path."""

from __future__ import annotations

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import (
    first_path,
    partition_filters,
    scan_filters,
    scan_flow,
    schema_columns,
    source_outputs,
)


@operator("FileScan")
def file_scan(at: Operation) -> Flow:
    """Output the relation's columns; partition filters are only printed here.

    The name has format and table, or only the format for a path (`FileSourceScanExec.nodeName`, 2.x to 4.3);
    `Location` has the first root path, which may be a partition's folder.
    """
    items = at.node.items("Output")
    dataset = _dataset(at)
    outputs = source_outputs(dataset, items, at.node.text("ReadSchema"))
    columns = schema_columns(at.node.text("ReadSchema"), items)
    flow = scan_flow(dataset, outputs, columns, at.node.name, at.node.text("ReadSchema"))
    required = scan_filters(at, at.node.text("RequiredDataFilters"), dataset)  # Photon's scans apply filters themselves
    return flow.under(*partition_filters(at, dataset), *required)


def _dataset(at: Operation) -> Dataset:
    file_format, _, table = at.node.argument.partition(" ")
    location, more = first_path(at.node.text("Location"))
    indexed = (each.name for each in formats() if at.node.text("Location").startswith(each.file_indexes))
    file_format = next(indexed, file_format)
    if table.strip():
        return naming.table(table.strip(), format=file_format, location=location)
    if not location:
        at.gap(
            GapReason.UNKNOWN_SOURCE,
            "the scan prints neither a table nor a path",
            "read the files through a table",
        )
        return Dataset("unknown", "other")
    if more and naming.path_name(location) == location.rstrip("/"):
        at.gap(
            GapReason.UNKNOWN_SOURCE,
            f"{more} more paths next to {location} are not printed",
            "read the paths through a table, or one after another",
        )
    return naming.path(location, format=file_format)
