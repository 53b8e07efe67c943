"""Rows that a plan does not name: micro-batches between V2 connectors, and `Scan ExistingRDD`."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import columns_flow, datasets_of, generated_rows, named_by_format
from eventlog_lineage.operators.write_targets import columns_of, name_in_write, written_table
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of


@operator("MicroBatchScan", "ContinuousScan")
def micro_batch_scan(op: Operation) -> Flow:
    """Output a table's columns, if the connector or the query's progress names the table; otherwise unbound attributes.

    Table formats print their table (`formats`), others their class.
    """
    items = op.node.items("Output")
    attributes = [attribute_of(item) for item in items]
    if named := named_by_format(op):
        return columns_flow(op, (named,), attributes)
    if datasets := datasets_of(op):
        return columns_flow(op, datasets, attributes)
    return op.unbound(attributes)


@operator("WriteToDataSourceV2", "WriteToContinuousDataSource")
def write_micro_batch(op: Operation) -> Flow:
    """Append its input to the table that the writer names; the target of a writer without a name is not in the plan.

    `Arguments: MicroBatchWrite[epoch: 0, writer: IcebergStreamingWrite(table=cat.db.t, format=PARQUET)]`
    """
    below = op.input
    name = name_in_write(op.node.text("Arguments"))
    target = written_table(op, name) if name else None
    if target is None:
        return below
    return op.writes(Write(target, "append", columns_of(below.outputs)), below)


@operator("ExistingRDDScan", "LogicalRDD", "StreamingRelation", "StreamingRelationV2")
def existing_rdd_scan(op: Operation) -> Flow:
    """Output unbound attributes; other plans of the application may bind them.

    A checkpoint keeps the ids of its columns, so the execution that created them binds them. A streaming source without
    new rows is an `EmptyRDD`, and so is a part of a table without rows next to scans of its files; some sources print
    their location (`formats`). Below a command's logical plan, `LogicalRDD` prints the attributes as its
    first argument.
    """
    items = op.node.items("Output") or _listed(op)
    attributes = [attribute_of(item) for item in items]
    if named := named_by_format(op):
        return columns_flow(op, (named,), attributes)
    if " EmptyRDD[" in op.node.text("Arguments") and any(
        "Location" in node.fields for node in op.plan.operators_by_id.values()
    ):
        return generated_rows(attributes)
    return op.unbound(attributes)


def _listed(op: Operation) -> Sequence[str]:
    return op.complete(op.node.listed("columns"), "columns") if op.node.operator == "LogicalRDD" else ()
