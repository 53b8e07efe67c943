"""`Scan JDBCRelation(…)` and other relations that read rows, not files."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import (
    column_names,
    named_by_format,
    scan_flow,
    source,
    source_outputs,
    unnamed_source,
)
from eventlog_lineage.operators.source_relations import applied_filters, scanned_relation
from eventlog_lineage.operators.streaming_sources import topics_flow


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
    named = dataset or _dataset(op)
    outputs = source_outputs(named, items)
    flow = scan_flow(named, outputs, column_names(outputs), op.node.name)
    return flow.with_conditions(*applied_filters(op, lambda column: source(named.name, column)))


def _dataset(op: Operation) -> Dataset:
    name = op.node.argument
    table = name.rpartition(" ")[2]
    if re.fullmatch(r"[\w-]+\.[\w-]+\.[\w.-]+", table):
        return naming.table(table, format=name.partition(" ")[0])
    return unnamed_source(op, name, "this version of Spark prints no name for the relation")
