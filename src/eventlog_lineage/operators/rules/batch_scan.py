"""Scans through connectors: of tables (`BatchScan`), and of relations that read rows (`Scan JDBCRelation(…)`)."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import (
    column_names,
    conditions_of_format,
    named_by_format,
    partition_filters,
    scan_flow,
    scanned_paths,
    schema_columns,
    source,
    source_outputs,
    topics_flow,
    unnamed_source,
)
from eventlog_lineage.operators.source_relations import applied_filters, scanned_relation
from eventlog_lineage.operators.write_targets import row_columns
from eventlog_lineage.plan.printed.detail_fields import DESCRIPTION

_DESCRIBED_TABLE = re.compile(r"^([\w-]+(?:\.[\w-]+){2,})(?: \(branch=|\s|$)")
_PATH = re.compile(r"^(?:\w+ )?((?:/|[a-z][\w+.-]*:/).*)$", re.DOTALL)
_INCOMPLETE = "the connector prints no catalog, and other systems have tables of this name; use a catalog's table"


@operator("BatchScan")
def batch_scan(op: Operation) -> Flow:
    """Output the columns of a table, or of a path for Spark's own V2 file sources.

    `BatchScan local.db.t` (3.3+ prints the table), `BatchScan parquet file:/x`; the details of other connectors
    are one line without a label, such as Iceberg's `local.db.t (branch=null) [filters=…, groupedBy=…]`.
    """
    items = op.node.items("Output")
    dataset = _of_format(op)
    if dataset is None and (flow := scanned_relation(op)):
        return flow
    dataset = dataset or _dataset(op)
    outputs = source_outputs(dataset, items, op.node.text("ReadSchema"))
    names = tuple(output.name for output in outputs if output.name not in row_columns())
    columns = schema_columns(op.node.text("ReadSchema"), items) if "ReadSchema" in op.node.fields else names
    flow = scan_flow(dataset, outputs, columns, op.node.name, op.node.text("ReadSchema"))
    return flow.with_conditions(*partition_filters(op, dataset), *conditions_of_format(op, dataset))


def _of_format(op: Operation) -> Dataset | None:
    if "Location" in op.node.fields:
        file_format = op.node.text("Format") or op.node.argument.partition(" ")[0]
        if paths := scanned_paths(op, file_format):
            return paths
    return named_by_format(op)


def _dataset(op: Operation) -> Dataset:
    name = op.node.argument
    described = _DESCRIBED_TABLE.match(op.node.text(DESCRIPTION))
    if not name and described:
        name = described[1]
    if not name:
        detail = op.node.text(DESCRIPTION) or "no name"
        return unnamed_source(op, detail, "Spark 3.3 and later print the table")
    if path := _PATH.match(name):
        return naming.path(path[1])
    return naming.table(name) if naming.is_complete(name) else unnamed_source(op, name, _INCOMPLETE)


@operator("RelationScan")
def relation_scan(op: Operation) -> Flow:
    """Output the columns of a relation that a connector declares, or of the tables in the SQL that it sends.

    `Scan JDBCRelation(orders) [numPartitions=1]`, `Scan JDBC v1 Relation from v2 scan cat.ns.t` (4.0+; before,
    the class name only).
    """
    items = op.node.items("Output")
    if flow := topics_flow(op, op.node.argument, op.node.attributes("Output")):
        return flow
    dataset = named_by_format(op)
    if dataset is None and (flow := scanned_relation(op)):
        return flow
    named = dataset or _relation(op)
    outputs = source_outputs(named, items)
    flow = scan_flow(named, outputs, column_names(outputs), op.node.name)
    return flow.with_conditions(*applied_filters(op, lambda column: source(named.name, column)))


def _relation(op: Operation) -> Dataset:
    name = op.node.argument
    table = name.rpartition(" ")[2]
    if re.fullmatch(r"[\w-]+\.[\w-]+\.[\w.-]+", table):
        return naming.table(table, format=name.partition(" ")[0])
    return unnamed_source(op, name, "this version of Spark prints no name for the relation")
