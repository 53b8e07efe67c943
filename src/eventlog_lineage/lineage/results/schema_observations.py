"""What a statement shows of the schemas of the datasets that it reads, writes and defines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from eventlog_lineage.extensions import find_command, formats
from eventlog_lineage.model import READER, Dataset, Edge, Evidence, Extent, SchemaColumn, SchemaSign
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.plan.expressions.attribute_ids import BIGINT_ID
from eventlog_lineage.plan.expressions.types import struct_fields

_BIG = re.compile(rf"{BIGINT_ID}(?=[,\])])")
"""An attribute that is a BIGINT: `NamedExpression.typeSuffix` marks no other type."""

_DEEPEST = 20

_WHOLE = frozenset({"LogicalRelation", "HiveTableRelation"})
"""Relations that print all columns: those of V2 are pruned."""

_TYPELESS = frozenset({"csv", "json", "text", "xml"})
"""Files without types: there the reader says what they are."""

_ADDED = (
    "_metadata",
    "_tmp_metadata_row_index",
    "__row_operation",
    r"_databricks_internal\w*",
    "_rescued_data",
    r"file_(?:path|name|size|block_start|block_length|modification_time)",
)
"""Columns that Spark's own file scans add to those of the table (`FileFormat.BASE_METADATA_FIELDS`)."""

_CHANGING = {"merge": Evidence.MERGE, "update": Evidence.UPDATE}


@dataclass(frozen=True, slots=True)
class Shown:
    """What a statement's plans come to.

    Attributes:
        flows: Of its executions, the outer one first.
        told: The flow that tells where the written values come from.
        text: That one's plan.
        write: What it writes.
        columns: The target's columns.
        edges: Its edges.
    """

    flows: Sequence[Flow]
    told: Flow
    text: str
    write: Write | None
    columns: Sequence[Output]
    edges: Sequence[Edge]


@cache
def _keeping() -> frozenset[str]:
    """The formats whose tables keep the columns that an overwrite by path lacks."""
    return frozenset(each.name for each in formats() if each.keeps_columns)


@cache
def _added() -> re.Pattern[str]:
    """What matches the columns that connectors and Spark's file scans add to those of a table."""
    patterns = (*_ADDED, *(pattern for each in formats() for pattern in each.added_columns))
    return re.compile(rf"^(?:{'|'.join(patterns)})(?:\.|$)")


def schema_signs(shown: Shown) -> tuple[SchemaSign, ...]:
    """What the statement shows, reads first.

    Args:
        shown: The statement.
    """
    signs = list(_read_signs(shown))
    write = shown.write
    if write is not None and not _lasts(write.target):
        return tuple(signs)
    if write is not None and write.definition is not None:
        signs.append(replace(write.definition, dataset=write.target.name))
    elif write is not None and shown.columns:
        signs.append(_written(shown, write))
    return tuple(signs)


def _lasts(dataset: Dataset) -> bool:
    """Is it one dataset for all applications? A temporary view's name, and what has none, may be another's too."""
    return dataset.kind not in {"temp_view", "other"} and not dataset.name.endswith("unknown")


def _read_signs(shown: Shown) -> Iterable[SchemaSign]:
    whole = [read for flow in shown.flows[:1] for read in flow.reads if _is_whole(read)]
    seen = set()
    for read in whole:
        if read.dataset.name not in seen:
            seen.add(read.dataset.name)
            columns = tuple(SchemaColumn(name) for name in read.columns)
            yield SchemaSign(read.dataset.name, Evidence.RELATION, Extent.ALL, columns, ordered=True)
    merged: dict[str, dict[str, str]] = {}
    free: set[str] = set()
    for read in shown.told.reads:
        if not _lasts(read.dataset):
            continue
        types = dict(struct_fields(read.schema))
        known = merged.setdefault(read.dataset.name, {})
        if read.dataset.format in _TYPELESS:
            free.add(read.dataset.name)
        for name, kind in types.items():
            if not _added().match(name) or name.startswith("file_"):
                known[name] = known.get(name) or kind
        for name in read.columns:
            if name.partition(".")[0] not in types and not _added().match(name):
                known.setdefault(name, "")
    for dataset, types in merged.items():
        if types and dataset not in seen:
            found = tuple(SchemaColumn(name, kind) for name, kind in types.items())
            words = (READER,) if dataset in free else ()
            yield SchemaSign(dataset, Evidence.READ, Extent.SOME, found, words=words)


def _is_whole(read: Read) -> bool:
    return read.node_name.split(" ")[0] in _WHOLE and not read.is_truncated and bool(read.columns)


def _written(shown: Shown, write: Write) -> SchemaSign:
    evidence, extent = _kind(shown, write)
    big = {int(number) for number in _BIG.findall(shown.text)}
    made = _derivations(shown.edges)
    columns = tuple(
        SchemaColumn(column.name, _type(column, big), made.get(column.name, "")) for column in _in_table_order(shown)
    )
    cut = any(column.derivation.is_truncated for column in shown.columns)
    fixed = any(column.number == -1 for column in shown.columns)
    return SchemaSign(
        write.target.name,
        evidence,
        Extent.SOME if cut or len({column.name.lower() for column in columns}) < len(columns) else extent,
        columns,
        ordered=not fixed,
        detail=write.node_name,
    )


def _kind(shown: Shown, write: Write) -> tuple[Evidence, Extent]:
    """What a write of columns shows: the whole schema, or some columns of it."""
    command = find_command(shown.flows[0].command)
    if write.mode in _CHANGING:
        return _CHANGING[write.mode], Extent.SOME
    if command.fills_new_table:
        if write.mode == "append":
            return Evidence.APPEND, Extent.SOME
        return (Evidence.REPLACE if write.mode == "overwrite" else Evidence.CREATE), Extent.ALL
    if write.mode == "append":
        fixed = command.lists_all_columns and write.target.kind == "table"  # `PreprocessTableInsertion`
        return Evidence.APPEND, Extent.ALL if fixed else Extent.SOME
    if command.saves_by_options and write.target.format in _keeping():
        return Evidence.OVERWRITE, Extent.SOME
    if write.mode == "overwrite":
        return Evidence.OVERWRITE, Extent.ALL
    return (Evidence.CREATE, Extent.ALL) if write.mode == "create" else (Evidence.APPEND, Extent.SOME)


def _in_table_order(shown: Shown) -> list[Output]:
    """The columns with those that partition the table last, as a reader sees them."""
    last = [name.lower() for flow in shown.flows if flow.write is not None for name in flow.write.partition_columns]
    return sorted(shown.columns, key=lambda column: column.name.lower() in last)


def _type(column: Output, big: set[int]) -> str:
    if column.number in big:
        return "bigint"
    return column.derivation.data_type or _struct(column.derivation)


def _struct(derivation: Derivation, depth: int = 0) -> str:
    """The type of a struct that is put together, as far as its fields tell; empty for any other value."""
    if not derivation.fields or depth > _DEEPEST:
        return ""
    fields = (f"{name}:{each.data_type or _struct(each, depth + 1)}" for name, each in derivation.fields.items())
    return f"struct<{','.join(fields)}>"


def _derivations(edges: Sequence[Edge]) -> Mapping[str, str]:
    """Column to what names the way it is made, literals aside; none for a column without a source."""
    made: dict[str, set[str]] = {}
    for edge in edges:
        if edge.target_column is not None and edge.source_column is not None:
            words = f"{edge.source_column}|{edge.transformation}|{edge.pattern}"
            made.setdefault(edge.target_column, set()).add(words)
    return {
        column: hashlib.blake2b("\n".join(sorted(words)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        for column, words in made.items()
    }
