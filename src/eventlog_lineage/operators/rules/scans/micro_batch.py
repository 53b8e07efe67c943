"""`MicroBatchScan` and `WriteToDataSourceV2`: a micro-batch between V2 connectors."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.paimon import scanned_table
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import column_names, scan_flow, source_outputs
from eventlog_lineage.operators.streaming_sources import datasets_of, stream_flow
from eventlog_lineage.operators.write_targets import columns_of, written
from eventlog_lineage.plan.expressions.lexer import read_attribute
from eventlog_lineage.plan.formatted.detail_fields import DESCRIPTION

_TABLE = re.compile(r"^(?:Iceberg\w+\(table=)?((?:[\w-]+\.){2,}[\w-]+)(?:,| \(branch=)")
_WRITER = re.compile(r"writer: \w+\(table=([^,)]+)")


@operator("MicroBatchScan", "ContinuousScan")
def micro_batch_scan(at: Operation) -> Flow:
    """Outputs a table's columns where the connector or the query's progress says which; else leaves them open.

    Iceberg prints `cat.db.t (branch=null) [filters=…]`, or from 1.11 on Spark 4.1 on `IcebergScan(table=cat.db.t, …)`,
    whose snapshot is the newest one and not what the batch read; Paimon prints `PaimonScan: [updates]`, a table without
    its database; others print their class.
    """
    items = at.node.items("Output")
    if match := _TABLE.match(at.node.text(DESCRIPTION)):
        dataset = naming.table(match[1], format="iceberg")
        outputs = source_outputs(dataset, items)
        return scan_flow(dataset, outputs, column_names(outputs), at.node.name)
    attributes = [read_attribute(item) or (item, -1) for item in items]
    if paimon := scanned_table(at):
        return stream_flow(at, (paimon,), attributes)
    if datasets := datasets_of(at):
        return stream_flow(at, datasets, attributes)
    return Flow(outputs=tuple(Output(name, number, at.open_value(name, number)) for name, number in attributes))


@operator("WriteToDataSourceV2", "WriteToContinuousDataSource")
def write_micro_batch(at: Operation) -> Flow:
    """Appends its input to the table that the writer names; a writer without a name writes where the plan cannot tell.

    `Arguments: MicroBatchWrite[epoch: 0, writer: IcebergStreamingWrite(table=cat.db.t, format=PARQUET)]`
    """
    below = at.raw_input.settled().sorted_by_user()
    match = _WRITER.search(at.node.text("Arguments"))
    if match is None:
        return below
    write = Write(naming.table(match[1]), "append", columns_of(below.outputs), node_name=at.node.name)
    return written(at, below, write)
