"""Writes through Hive: tables of any serde, and directories."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import (
    columns_of,
    names_of,
    static_partitions,
    table_of,
    with_static_partitions,
    without_required_sort,
    written,
)
from eventlog_lineage.plan.grammar.symbols import is_list

_STORAGE = re.compile(r"Storage\((?:.|\n)*?Location: ([^,)\n]+)")


@operator("InsertIntoHiveTable")
def insert_into_hive_table(op: Operation) -> Flow:
    """Write its input to a Hive table.

    `` Arguments: `cat`.`db`.`t`, <serde>, [p=Some(1)]?, <overwrite>, <ifNotExists>, [column names], [partitions]?, … ``
    """
    parts = op.node.arguments
    below = without_required_sort(op, parts)
    table = table_of(parts)
    flags = [part for part in parts if part in {"true", "false"}]
    listed = [part for part in parts if is_list(part)]
    static = static_partitions(listed[0]) if len(listed) > 1 and "=" in listed[0] else []
    if table is None:
        op.gap(GapReason.UNKNOWN_TARGET, op.node.text("Arguments"), "please report it with the plan's text")
        return below
    write = Write(
        target=Dataset(table.name, "table", "hive", table.location),
        mode="overwrite" if flags[:1] == ["true"] else "append",
        columns=with_static_partitions(columns_of(below.outputs, names_of(parts, len(below.outputs))), static),
        partition_columns=tuple(name for name, _ in static),
        node_name=op.node.name,
    )
    return written(op, below, write)


@operator("InsertIntoHiveDirCommand", "InsertIntoDataSourceDirCommand")
def insert_into_directory(op: Operation) -> Flow:
    """Write its input to a directory (`INSERT OVERWRITE DIRECTORY`).

    `Arguments: true, Storage(Location: /x, …), true, [a, b]`; the data source command prints
    `Storage(Location: /x), parquet, true` and has its query as a logical tree.
    """
    below = op.raw_input.completed().sorted_by_user()
    parts = op.node.arguments
    match = _STORAGE.search(op.node.text("Arguments"))
    if match is None:
        op.gap(GapReason.UNKNOWN_TARGET, op.node.text("Arguments"), "please report it with the plan's text")
        return below
    words = [part for part in parts if part.isalnum() and part not in {"true", "false"}]
    write = Write(
        target=naming.path(match[1], format=words[0] if words else "hive"),
        mode="overwrite" if parts[-1:] == ["true"] or "true" in parts[-2:] else "append",
        columns=columns_of(below.outputs, names_of(parts, len(below.outputs))),
        node_name=op.node.name,
    )
    return written(op, below, write)
