"""`LOAD DATA`: files are moved into a table."""

from __future__ import annotations

from eventlog_lineage.datasets import naming
from eventlog_lineage.operators.flow import Flow, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import session_table


@operator("LoadDataCommand")
def load_data(op: Operation) -> Flow:
    """Read a path and write a table; columns are not read.

    `` Arguments: `cat`.`db`.`t`, /path, <local>, <overwrite>[, Map(dt -> 1)] ``
    """
    parts = op.node.arguments
    table, is_database_assumed = session_table(op, parts[0]) if parts else (None, False)
    if table is None or len(parts) < 2:
        return Flow(command=op.node.operator)
    flags = [part for part in parts[2:] if part in {"true", "false"}]
    mode = "overwrite" if flags[1:2] == ["true"] else "append"
    read = Read(naming.path(parts[1]), (), op.node.name)
    return Flow(
        reads=(read,),
        write=Write(table, mode, (), node_name=op.node.name, is_database_assumed=is_database_assumed),
        command=op.node.operator,
    )
