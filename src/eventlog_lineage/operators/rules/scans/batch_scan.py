"""`BatchScan`: a scan through a V2 connector."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.assigned_columns import row_columns
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import (
    conditions_of_format,
    first_path,
    named_by_format,
    partition_filters,
    scan_flow,
    schema_columns,
    source_outputs,
)
from eventlog_lineage.plan.formatted.detail_fields import DESCRIPTION

_DESCRIBED_TABLE = re.compile(r"^([\w-]+(?:\.[\w-]+){1,})(?: \(branch=|\s|$)")


@operator("BatchScan")
def batch_scan(at: Operation) -> Flow:
    """Output the columns of a table, or of a path for Spark's own V2 file sources.

    `BatchScan local.db.t` (3.3+ prints the table), `BatchScan parquet file:/x`; the details of other connectors
    are one line without a label, such as Iceberg's `local.db.t (branch=null) [filters=…, groupedBy=…]`.
    """
    items = at.node.items("Output")
    dataset = _dataset(at)
    outputs = source_outputs(dataset, items, at.node.text("ReadSchema"))
    names = tuple(output.name for output in outputs if output.name not in row_columns())
    columns = schema_columns(at.node.text("ReadSchema"), items) if "ReadSchema" in at.node.fields else names
    flow = scan_flow(dataset, outputs, columns, at.node.name, at.node.text("ReadSchema"))
    return flow.under(*partition_filters(at, dataset), *conditions_of_format(at, dataset))


def _dataset(at: Operation) -> Dataset:
    name = at.node.argument
    if "Location" in at.node.fields:
        file_format = at.node.text("Format") or name.partition(" ")[0]
        return naming.path(first_path(at.node.text("Location"))[0], format=file_format)
    if named := named_by_format(at):
        return named
    described = _DESCRIBED_TABLE.match(at.node.text(DESCRIPTION))
    if not name and described:
        name = described[1]
    if not name:
        at.gap(GapReason.UNKNOWN_SOURCE, at.node.text(DESCRIPTION) or "no name", "Spark 3.3 and later print the table")
        return Dataset("unknown", "other")
    if "/" in name or ":" in name:
        return naming.path(name.rpartition(" ")[2])
    return naming.table(name)
