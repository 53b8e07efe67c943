"""`LOAD DATA`: files are moved into a table."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.derivations.derivation import INFERRED
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated, source
from eventlog_lineage.operators.write_targets import session_table

_VALUE = re.compile(r"(?:^Map\(|, )([^,]+?) -> ([^,]*?)(?=, [^,]+ -> |\)$)")


@operator("LoadDataCommand")
def load_data(op: Operation) -> Flow:
    """Read a path and write a table, whose columns are those of the files by position.

    The files' own columns have no names here: a column of the table comes from the path as a whole. Partition columns
    are literals. `` Arguments: `cat`.`db`.`t`, /path, <local>, <overwrite>[, Map(dt -> 1)] ``
    """
    parts = op.node.arguments
    table, is_database_assumed = session_table(op, parts[0]) if parts else (None, False)
    if table is None or len(parts) < 2:
        return Flow(command=op.node.operator)
    flags = [part for part in parts[2:] if part in {"true", "false"}]
    mode = "overwrite" if flags[1:2] == ["true"] else "append"
    files = naming.path(parts[1])
    columns = _columns(op, files, dict(_VALUE.findall(", ".join(parts[4:]))))
    if not columns:
        op.gap(
            GapReason.UNKNOWN_SOURCE,
            f"the columns of {table.name} that the files of {files.name} fill are not printed",
            "read the table in the same application: a query prints its columns",
        )
    write = Write(table, mode, columns, node_name=op.node.name, is_database_assumed=is_database_assumed)
    return Flow(reads=(Read(files, (), op.node.name),), write=write, command=op.node.operator)


def _columns(op: Operation, files: Dataset, partition: dict[str, str]) -> tuple[Output, ...]:
    known = {name.lower(): value for name, value in partition.items()}
    return tuple(
        Output(
            name,
            -1,
            generated(known[name.lower()]) if name.lower() in known else source(files.name, "", confidence=INFERRED),
        )
        for name in op.plan.tables.filled
    )
