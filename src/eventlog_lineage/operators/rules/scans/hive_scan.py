"""`Scan hive`: a table that is read with Hive's serde."""

from __future__ import annotations

from eventlog_lineage.datasets import naming
from eventlog_lineage.operators.arguments import arguments, is_list
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import column_names, scan_filters, scan_flow, source_outputs


@operator("HiveTableScan")
def hive_scan(op: Operation) -> Flow:
    """Output the table's columns; partition filters are only printed here.

    `` Arguments: [a#1L, b#2], HiveTableRelation [`db`.`t`, <serde>, …], [isnotnull(p#3), (p#3 = 1)] ``
    """
    dataset = naming.table(op.node.argument, format="hive")
    outputs = source_outputs(dataset, op.node.items("Output"))
    parts = arguments(op.node)
    pruning = parts[2] if len(parts) > 2 and is_list(parts[2]) else ""
    conditions = scan_filters(op, pruning, dataset)
    return scan_flow(dataset, outputs, column_names(outputs), op.node.name).with_conditions(*conditions)
