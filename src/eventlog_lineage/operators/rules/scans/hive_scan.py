"""`Scan hive`: a table that is read with Hive's serde."""

from __future__ import annotations

from eventlog_lineage.datasets import naming
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import column_names, scan_filters, scan_flow, source_outputs
from eventlog_lineage.plan.grammar.symbols import is_list, read_arguments


@operator("HiveTableScan")
def hive_scan(op: Operation) -> Flow:
    """Output the table's columns; partition filters are only printed here.

    `` Arguments: [a#1L, b#2], HiveTableRelation [`db`.`t`, <serde>, …], [isnotnull(p#3), (p#3 = 1)] ``
    """
    dataset = naming.table(op.node.argument, format="hive")
    outputs = source_outputs(dataset, op.node.items("Output"))
    conditions = scan_filters(op, _pruning(op.node.text("Arguments")), dataset)
    return scan_flow(dataset, outputs, column_names(outputs), op.node.name).with_conditions(*conditions)


def _pruning(text: str) -> str:
    """Return the list of partition filters of a scan's arguments; empty if there is none.

    Spark can truncate each list of the relation without closing its bracket. Up to 3.0 the relation has no brackets:
    its columns and its partition columns are arguments before the filters.

    >>> _pruning("[a#1], HiveTableRelation [`t`, serde, Data Cols: [a#1, b..., Partition Cols: [p#2]], [(p#2 = 1)]")
    '[(p#2 = 1)]'
    >>> _pruning("[a#1], HiveTableRelation `t`, serde, [a#1], [p#2], Statistics(8 B), [(p#2 = 1)]")
    '[(p#2 = 1)]'
    >>> _pruning("[a#1], HiveTableRelation `t`, serde, [a#1], [p#2]")
    ''
    """
    relation = text.partition("HiveTableRelation ")[2]
    if relation.startswith("`"):
        lists = [each for each in read_arguments(relation) if is_list(each)]
        return lists[2] if len(lists) > 2 else ""
    _, found, filters = relation.partition("], [")
    return f"[{filters}" if found and filters.endswith("]") else ""
