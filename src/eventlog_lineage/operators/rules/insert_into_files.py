"""Writes of files: tables and paths of file formats, of Hive, and `LOAD DATA`."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import INFERRED, Dataset, GapReason
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated, source
from eventlog_lineage.operators.write_targets import (
    MODES,
    attribute_list,
    columns_of,
    listed_columns,
    mode_of,
    names_of,
    session_table,
    static_partitions,
    table_of,
    with_static_partitions,
    without_required_sort,
)
from eventlog_lineage.plan.grammar.escaping import has_single_bracket
from eventlog_lineage.plan.grammar.symbols import is_list


@operator("WriteFiles")
def write_files(op: Operation) -> Flow:
    """Pass on the written rows (3.4+); the command above names the target."""
    return op.raw_input


@operator("InsertIntoHadoopFsRelationCommand")
def insert_into_files(op: Operation) -> Flow:
    """Write its input to a path, which may be a catalog table's.

    `Arguments: <path>, [static partitions]?, <ifNotExists>, [partition columns]?, <buckets>?, <format>, [options],
    <mode>, <table>?, <index>?, [column names]`: empty arguments are not printed.
    """
    parts = op.node.arguments
    location = parts[0] if parts else ""
    mode_at = next((index for index, part in enumerate(parts) if part in MODES), len(parts))
    static, partitions = _partitions(parts[1:mode_at])
    below = without_required_sort(op, parts[:mode_at])
    if is_list(location) or has_single_bracket(location):
        op.gap(GapReason.UNKNOWN_TARGET, f"{location} is not a location")
        return replace(below, command=op.node.operator)
    columns = listed_columns(below.outputs, names_of(parts[mode_at:]))
    write = Write(
        target=_target(parts, mode_at, location),
        mode=mode_of(parts[: mode_at + 1]),
        columns=with_static_partitions(columns, static),
        location=naming.path_name(location),
        partition_columns=tuple(partitions),
    )
    return op.writes(write, below)


def _target(parts: list[str], mode_at: int, location: str) -> Dataset:
    before = [part for part in parts[1:mode_at] if not is_list(part)]
    file_format = before[-1].lower() if before else ""
    table = table_of(parts[mode_at + 1 :])
    if table is not None:
        return Dataset(table.name, table.kind, file_format, naming.path_name(location))
    return naming.path(location, format=file_format)


def _partitions(parts: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return static partitions (`[part=7]`) and partition columns (`[part#160]`), which precede the options."""
    static: list[tuple[str, str]] = []
    columns: list[str] = []
    for index, part in enumerate(parts):
        if not is_list(part):
            continue
        if "#" in part and not columns and attribute_list(part):
            columns = attribute_list(part)
        elif index == 0 and "=" in part:
            static = static_partitions(part)
    return static, columns


_STORAGE = re.compile(r"Storage\((?:.|\n)*?Location: ([^,)\n]+)")


@operator("InsertIntoHiveTable")
def insert_into_hive(op: Operation) -> Flow:
    """Write its input to a Hive table.

    `` Arguments: `cat`.`db`.`t`, <serde>, [p=Some(1)]?, <overwrite>, <ifNotExists>, [column names], [partitions]?, … ``
    """
    parts = op.node.arguments
    below = without_required_sort(op, parts)
    table = op.known(table_of(parts), below=below)
    flags = [part for part in parts if part in {"true", "false"}]
    listed = [part for part in parts if is_list(part)]
    static = static_partitions(listed[0]) if len(listed) > 1 and "=" in listed[0] else []
    write = Write(
        target=Dataset(table.name, "table", "hive", table.location),
        mode="overwrite" if flags[:1] == ["true"] else "append",
        columns=with_static_partitions(columns_of(below.outputs, names_of(parts)), static),
        partition_columns=tuple(name for name, _ in static),
    )
    return op.writes(write, below)


@operator("InsertIntoHiveDirCommand", "InsertIntoDataSourceDirCommand")
def insert_into_directory(op: Operation) -> Flow:
    """Write its input to a directory (`INSERT OVERWRITE DIRECTORY`).

    `Arguments: true, Storage(Location: /x, …), true, [a, b]`; the data source command prints
    `Storage(Location: /x), parquet, true` and has its query as a logical tree.
    """
    below = op.input
    parts = op.node.arguments
    match = op.known(_STORAGE.search(op.node.text("Arguments")), below=below)
    words = [part for part in parts if part.isalnum() and part not in {"true", "false"}]
    write = Write(
        target=naming.path(match[1], format=words[0] if words else "hive"),
        mode="overwrite" if parts[-1:] == ["true"] or "true" in parts[-2:] else "append",
        columns=columns_of(below.outputs, names_of(parts)),
    )
    return op.writes(write, below)


_VALUE = re.compile(r"(?:^Map\(|, )([^,]+?) -> ([^,]*?)(?=, [^,]+ -> |\)$)")


@operator("LoadDataCommand")
def load_data(op: Operation) -> Flow:
    """Read a path and write a table, whose columns are those of the files by position.

    The files' own columns have no names here: a column of the table comes from the path as a whole. Partition columns
    are literals. `` Arguments: `cat`.`db`.`t`, /path, <local>, <overwrite>[, Map(dt -> 1)] ``
    """
    parts = op.node.arguments
    table, is_database_assumed = session_table(op, parts)
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
    write = Write(table, mode, columns, is_database_assumed=is_database_assumed)
    return op.writes(write, Flow(reads=(Read(files, (), op.node.name),)))


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
