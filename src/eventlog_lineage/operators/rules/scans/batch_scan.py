"""`BatchScan`: a scan through a V2 connector."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason, Transformation
from eventlog_lineage.operators.assigned_columns import CONNECTOR_COLUMNS
from eventlog_lineage.operators.flow import Condition, Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.paimon import partition_conditions, scanned_table
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import (
    first_path,
    partition_filters,
    scan_flow,
    schema_columns,
    source,
    source_outputs,
)
from eventlog_lineage.plan.formatted.detail_fields import DESCRIPTION

_DESCRIBED_TABLE = re.compile(r"^([\w-]+(?:\.[\w-]+){1,})(?: \(branch=|\s|$)")
_CHANGELOG = re.compile(r"^(?:Iceberg\w*\(table=)?([\w-]+(?:\.[\w-]+)+)(?:, | \[)fromSnapshotId=")
"""The table whose changes Iceberg's `orders.changes` holds: its rows, with columns more."""
_FILTERS = re.compile(r"\bfilters=(.*?)(?:, runtimeFilters=|, groupedBy=)", re.DOTALL)
_PREDICATE = re.compile(r"(?:^|[(, ])([A-Za-z_][\w.]*) (?:<=|>=|!=|=|<|>|IN |STARTS WITH|IS NULL)")


@operator("BatchScan")
def batch_scan(at: Operation) -> Flow:
    """Outputs a table's columns, or a path's for Spark's own V2 file sources.

    `BatchScan local.db.t` (3.3+ prints the table), `BatchScan parquet file:/x`; the details of other connectors
    are one line without a label, such as Iceberg's `local.db.t (branch=null) [filters=…, groupedBy=…]`.
    """
    items = at.node.items("Output")
    dataset = _dataset(at)
    outputs = source_outputs(dataset, items, at.node.text("ReadSchema"))
    names = tuple(output.name for output in outputs if output.name not in CONNECTOR_COLUMNS)
    columns = schema_columns(at.node.text("ReadSchema"), items) if "ReadSchema" in at.node.fields else names
    flow = scan_flow(dataset, outputs, columns, at.node.name, at.node.text("ReadSchema"))
    pushed = (*_pushed(at.node.text(DESCRIPTION), dataset), *partition_conditions(at, dataset))
    return flow.under(*partition_filters(at, dataset), *pushed)


def _pushed(described: str, dataset: Dataset) -> list[Condition]:
    """The filters that Iceberg took over: `filters=day = '2026-11-02', id IS NOT NULL, groupedBy=`.

    Spark repeats those that a scan does not settle; that a join key is not null is Spark's own addition.
    """
    match = _FILTERS.search(described)
    names = dict.fromkeys(_PREDICATE.findall(match[1])) if match else {}
    derivations = [source(dataset.name, name) for name in names]
    return [Condition(each, Transformation.FILTER) for each in derivations]


def _dataset(at: Operation) -> Dataset:
    name = at.node.argument
    if "Location" in at.node.fields:
        file_format = at.node.text("Format") or name.partition(" ")[0]
        return naming.path(first_path(at.node.text("Location"))[0], format=file_format)
    if paimon := scanned_table(at):
        return paimon
    if changelog := _CHANGELOG.match(at.node.text(DESCRIPTION)):
        return naming.table(changelog[1], format="iceberg")
    described = _DESCRIBED_TABLE.match(at.node.text(DESCRIPTION))
    if not name and described:
        name = described[1]
    if not name:
        at.gap(GapReason.UNKNOWN_SOURCE, at.node.text(DESCRIPTION) or "no name", "Spark 3.3 and later print the table")
        return Dataset("unknown", "other")
    if "/" in name or ":" in name:
        return naming.path(name.rpartition(" ")[2])
    return naming.table(name)
