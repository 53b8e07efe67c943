"""Writes of files: `InsertIntoHadoopFsRelationCommand`, for tables and paths of file formats."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import REPORT, Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import (
    MODES,
    attribute_list,
    columns_of,
    mode_of,
    names_of,
    static_partitions,
    table_of,
    with_static_partitions,
    without_required_sort,
    written,
)
from eventlog_lineage.plan.grammar.attribute_ids import unescaped
from eventlog_lineage.plan.grammar.readings import unmatched
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
    if is_list(location) or unmatched(unescaped(location)):
        op.gap(GapReason.UNKNOWN_TARGET, f"{location} is not a location", REPORT)
        return replace(below, command=op.node.operator)
    columns = columns_of(below.outputs, names_of(parts[mode_at:], len(below.outputs)))
    write = Write(
        target=_target(parts, mode_at, location),
        mode=mode_of(parts[: mode_at + 1]),
        columns=with_static_partitions(columns, static),
        location=naming.path_name(location),
        partition_columns=tuple(partitions),
        node_name=op.node.name,
    )
    return written(op, below, write)


def _target(parts: list[str], mode_at: int, location: str) -> Dataset:
    file_format = _format(parts, mode_at)
    table = table_of(parts[mode_at + 1 :])
    if table is not None:
        return Dataset(table.name, table.kind, file_format, naming.path_name(location))
    return naming.path(location, format=file_format)


def _format(parts: list[str], mode_at: int) -> str:
    """Return the format, which precedes the options and the mode."""
    before = [part for part in parts[1:mode_at] if not is_list(part)]
    return before[-1].lower() if before else ""


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
