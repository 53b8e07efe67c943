"""`MicroBatchScan` and `WriteToDataSourceV2`: a micro-batch between V2 connectors."""

from __future__ import annotations

import re

from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import named_by_format
from eventlog_lineage.operators.streaming_sources import datasets_of, stream_flow
from eventlog_lineage.operators.write_targets import columns_of, written, written_table
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of

_WRITER = re.compile(r"writer: \w+\(table=([^,)]+)")


@operator("MicroBatchScan", "ContinuousScan")
def micro_batch_scan(op: Operation) -> Flow:
    """Output a table's columns, if the connector or the query's progress names the table; otherwise unbound attributes.

    Table formats print their table (`formats/*/tables.py`), others their class.
    """
    items = op.node.items("Output")
    attributes = [attribute_of(item) for item in items]
    if named := named_by_format(op):
        return stream_flow(op, (named,), attributes)
    if datasets := datasets_of(op):
        return stream_flow(op, datasets, attributes)
    return op.unbound(attributes)


@operator("WriteToDataSourceV2", "WriteToContinuousDataSource")
def write_micro_batch(op: Operation) -> Flow:
    """Append its input to the table that the writer names; the target of a writer without a name is not in the plan.

    `Arguments: MicroBatchWrite[epoch: 0, writer: IcebergStreamingWrite(table=cat.db.t, format=PARQUET)]`
    """
    below = op.raw_input.completed().sorted_by_user()
    match = _WRITER.search(op.node.text("Arguments"))
    if match is None:
        return below
    target = written_table(op, match[1])
    if target is None:
        return below
    return written(op, below, Write(target, "append", columns_of(below.outputs), node_name=op.node.name))
