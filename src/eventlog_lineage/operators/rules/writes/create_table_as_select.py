"""CTAS in the session catalog: the outer commands, which print the table, and not always its query."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import columns_of, mode_of, names_of, session_table, written

_HIVE_TABLE = re.compile(r"\[Database: ([^,\]]+), TableName: ([^,\]]+)")


@operator("CreateDataSourceTableAsSelectCommand", "SaveAsV1TableCommand")
def create_table_as_select(op: Operation) -> Flow:
    """Name the table, the mode and the columns; the written rows are below it or in a nested execution.

    `` Arguments: `cat`.`db`.`t`, Overwrite, [a, b] ``. Up to 3.3 the physical query is below; 3.4+ has a
    logical tree there, and the nested execution's InsertIntoHadoopFsRelationCommand writes. 4.1+ wraps both in
    SaveAsV1TableCommand for `saveAsTable`.
    """
    below = op.raw_input.completed().sorted_by_user()
    parts = op.node.arguments
    table, is_database_assumed = session_table(op, parts[0]) if parts else (None, False)
    if table is None:
        op.gap(GapReason.UNKNOWN_TARGET, op.node.text("Arguments"), "please report it with the plan's text")
        return below
    columns = columns_of(below.outputs, names_of(parts, len(below.outputs))) if below.outputs else None
    keeps = "Ignore" in parts[1:]
    write = Write(
        table,
        mode_of(parts),
        columns,
        node_name=op.node.name,
        is_database_assumed=is_database_assumed,
        keeps_existing=keeps,
    )
    return written(op, below, write)


@operator("CreateHiveTableAsSelectCommand", "OptimizedCreateHiveTableAsSelectCommand")
def create_hive_table_as_select(op: Operation) -> Flow:
    """Name a Hive table; a nested execution writes it.

    `Arguments: [Database: default, TableName: t]`
    """
    below = op.raw_input.completed().sorted_by_user()
    match = _HIVE_TABLE.search(op.node.text("Arguments"))
    if match is None:
        op.gap(GapReason.UNKNOWN_TARGET, op.node.text("Arguments"), "please report it with the plan's text")
        return below
    name = naming.table_name(f"`{match[1]}`.`{match[2]}`")
    columns = below.outputs or None
    return written(op, below, Write(Dataset(name, "table", "hive"), "create", columns, node_name=op.node.name))
