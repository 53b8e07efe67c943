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
def batch_scan(op: Operation) -> Flow:
    """Output the columns of a table, or of a path for Spark's own V2 file sources.

    `BatchScan local.db.t` (3.3+ prints the table), `BatchScan parquet file:/x`; the details of other connectors
    are one line without a label, such as Iceberg's `local.db.t (branch=null) [filters=…, groupedBy=…]`.
    """
    items = op.node.items("Output")
    dataset = _dataset(op)
    outputs = source_outputs(dataset, items, op.node.text("ReadSchema"))
    names = tuple(output.name for output in outputs if output.name not in row_columns())
    columns = schema_columns(op.node.text("ReadSchema"), items) if "ReadSchema" in op.node.fields else names
    flow = scan_flow(dataset, outputs, columns, op.node.name, op.node.text("ReadSchema"))
    return flow.with_conditions(*partition_filters(op, dataset), *conditions_of_format(op, dataset))


def _dataset(op: Operation) -> Dataset:
    name = op.node.argument
    if "Location" in op.node.fields:
        file_format = op.node.text("Format") or name.partition(" ")[0]
        return naming.path(first_path(op.node.text("Location"))[0], format=file_format)
    if named := named_by_format(op):
        return named
    described = _DESCRIBED_TABLE.match(op.node.text(DESCRIPTION))
    if not name and described:
        name = described[1]
    if not name:
        op.gap(GapReason.UNKNOWN_SOURCE, op.node.text(DESCRIPTION) or "no name", "Spark 3.3 and later print the table")
        return Dataset(naming.UNKNOWN, "other")
    if "/" in name or ":" in name:
        return naming.path(name.rpartition(" ")[2])
    return naming.table(name)
