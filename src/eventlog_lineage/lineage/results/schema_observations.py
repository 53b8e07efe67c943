"""Observe the schemas of the datasets that a statement reads, writes and defines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import TableFormat, Target, find_command, find_format, formats
from eventlog_lineage.model import Dataset, Edge
from eventlog_lineage.observed_schemas import (
    INFERRED,
    AllColumns,
    ColumnsAdded,
    ColumnsRetyped,
    Evidence,
    SchemaColumn,
    SchemaObservation,
    SomeColumns,
    TableCreated,
)
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.plan.grammar.attribute_ids import BIGINT_ID
from eventlog_lineage.plan.grammar.types import struct_fields

_BIGINT = re.compile(rf"{BIGINT_ID}(?=[,\])])")
"""An attribute of type BIGINT: `NamedExpression.typeSuffix` marks no other type."""

_DEEPEST = 20

_WHOLE = frozenset({"LogicalRelation", "HiveTableRelation"})
"""Relations that print all columns of the table; V2 relations print the columns that are read."""

_TYPELESS = frozenset({"csv", "json", "text", "xml"})
"""File formats without column types: the reader chooses the types."""

_FILE_SCAN_COLUMNS = (
    "_metadata",
    "_tmp_metadata_row_index",
    "__row_operation",
    r"_databricks_internal\w*",
    "_rescued_data",
    r"file_(?:path|name|size|block_start|block_length|modification_time)",
)
"""Columns that Spark's own file scans add to those of the table (`FileFormat.BASE_METADATA_FIELDS`)."""

_LISTING = (AllColumns, SomeColumns, TableCreated, ColumnsAdded, ColumnsRetyped)
_WRITING = {"create": (Evidence.CREATE, True), "overwrite": (Evidence.OVERWRITE, True)}
_FILLING = {"append": (Evidence.APPEND, False), "overwrite": (Evidence.REPLACE, True)}
_CHANGING = {"merge": Evidence.MERGE, "update": Evidence.UPDATE}


@dataclass(frozen=True, slots=True)
class StatementFlows:
    """The flows of a statement, with its source, write, columns and edges.

    Attributes:
        flows: The flows of its executions, the outer one first.
        source: The flow that the written values come from.
        text: The plan text of `source`.
    """

    flows: Sequence[Flow]
    source: Flow
    text: str
    write: Write | None
    columns: Sequence[Output]
    edges: Sequence[Edge]


@cache
def _added_columns(format_name: str, *, in_relation: bool = False) -> re.Pattern[str]:
    """Return a pattern of the columns that the connector and Spark's file scans add to those of a table.

    A user's column may have the name of a column that another format adds.

    Args:
        format_name: The table's format; empty if it is unknown.
        in_relation: The columns are those of a relation over files, which only some formats have.
    """
    known: Sequence[TableFormat] = [each for each in formats() if each.name == format_name] or formats()
    known = [each for each in known if each.text.file_indexes] if in_relation else known
    patterns = (*_FILE_SCAN_COLUMNS, *(pattern for each in known for pattern in each.columns.added))
    return re.compile(rf"^(?:{'|'.join(patterns)})(?:\.|$)")


def observe_schemas(statement: StatementFlows) -> tuple[SchemaObservation, ...]:
    """Return the schema observations of a statement, reads first."""
    observations = list(_read_observations(statement))
    write = statement.write
    if write is not None and not _is_persistent(write.target):
        return tuple(observations)
    if write is not None and write.definition is not None:
        observations.append(_stored(replace(write.definition, dataset=write.target.name), statement, write))
    elif write is not None and statement.columns:
        observations.append(_stored(_written(statement, write), statement, write))
    return tuple(observations)


@cache
def _stored_types(format_name: str, command: str) -> Mapping[str, str]:
    """Return the types that tables of a format do not have, to those that they store instead.

    Args:
        format_name: The format; empty if it is unknown: then it is that of the command.
    """
    for each in formats():
        if each.name == format_name or (not format_name and command in {known.name for known in each.commands}):
            return each.storage.types
    return {}


def _stored(observation: SchemaObservation, statement: StatementFlows, write: Write) -> SchemaObservation:
    types = _stored_types(write.target.format, statement.flows[0].command)
    if not isinstance(observation, _LISTING) or not types:
        return observation
    pattern = re.compile(rf"\b(?:{'|'.join(types)})\b(?!:)")  # the name of a struct's field precedes a colon
    columns = (
        replace(each, data_type=pattern.sub(lambda match: types[match[0]], each.data_type))
        for each in observation.columns
    )
    return replace(observation, columns=tuple(columns))


def _is_persistent(dataset: Dataset) -> bool:
    """Return whether a name means the same dataset in all applications; the name of a temporary view does not."""
    is_named = not naming.is_unnamed(dataset.name) and not dataset.name.endswith("unknown")
    return dataset.kind != "temp_view" and is_named


def _of_relation(read: Read) -> SchemaObservation:
    added = _added_columns(read.dataset.format, in_relation=True)
    columns = tuple(SchemaColumn(column) for column in read.columns if not added.match(column))
    return AllColumns(dataset=read.dataset.name, evidence=Evidence.RELATION, columns=columns, ordered=True)


def _read_observations(statement: StatementFlows) -> Iterable[SchemaObservation]:
    complete: dict[str, Read] = {}
    for read in filter(_is_complete, statement.flows[0].reads):
        complete.setdefault(read.dataset.name, read)
    yield from map(_of_relation, complete.values())
    reads = [read for read in statement.source.reads if _is_persistent(read.dataset)]
    typeless = {read.dataset.name for read in reads if read.dataset.format in _TYPELESS}
    for dataset, types in _scanned_columns(reads):
        if types and dataset not in complete:
            yield SomeColumns(
                dataset=dataset,
                evidence=Evidence.READ,
                columns=tuple(SchemaColumn(name, kind) for name, kind in types.items()),
                types_by_reader=dataset in typeless,
            )


def _scanned_columns(reads: Iterable[Read]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield datasets with the types of columns that scans of the same version list, by name."""
    merged: dict[str, list[dict[str, str]]] = {}
    for read in reads:
        scans = merged.setdefault(read.dataset.name, [{}])
        if not find_format(read.dataset.format).name:  # the scans of a table format may read different snapshots
            _add_columns(scans[0], read)
            continue
        known = _add_columns({}, read)
        if not any(known.items() <= each.items() for each in scans):
            scans[:] = [*(each for each in scans if not each.items() <= known.items()), known]
    yield from ((dataset, types) for dataset, scans in merged.items() for types in scans)


def _add_columns(known: dict[str, str], read: Read) -> dict[str, str]:
    """Add the columns that a read lists, without those of connectors, and return all."""
    types, added = dict(struct_fields(read.schema)), _added_columns(read.dataset.format)
    for name, kind in types.items():
        if not added.match(name) or name.startswith("file_"):
            known[name] = known.get(name) or kind
    for name in read.columns:
        if name.partition(".")[0] not in types and not added.match(name):
            known.setdefault(name, "")
    return known


def _is_complete(read: Read) -> bool:
    return read.node_name.split(" ")[0] in _WHOLE and not read.is_truncated and bool(read.columns)


def _written(statement: StatementFlows, write: Write) -> SchemaObservation:
    evidence, lists_all = _kind(statement, write)
    bigint_ids = set(map(int, _BIGINT.findall(statement.text)))
    derived = _derivations(statement.edges)
    columns = tuple(_column(column, bigint_ids, derived.get(column.name, "")) for column in _in_table_order(statement))
    truncated = any(column.derivation.is_truncated for column in statement.columns)
    repeated = len({column.name.lower() for column in columns}) < len(columns)
    ordered = not any(column.expr_id == -1 for column in statement.columns)
    ordered = ordered and find_command(statement.flows[0].command).target is not Target.IN_JOBS
    is_complete = lists_all and not truncated and not repeated
    dataset, detail = write.target.name, write.node_name
    if evidence in {Evidence.CREATE, Evidence.REPLACE}:
        return TableCreated(
            dataset=dataset,
            replaces=evidence is Evidence.REPLACE,
            columns=columns,
            is_complete=is_complete,
            ordered=ordered,
            detail=detail,
        )
    kind = AllColumns if is_complete else SomeColumns
    return kind(dataset=dataset, evidence=evidence, columns=columns, ordered=ordered, detail=detail)


def _kind(statement: StatementFlows, write: Write) -> tuple[Evidence, bool]:
    """Return the evidence of a write of columns, and whether it lists all columns of the table."""
    command = find_command(statement.flows[0].command)
    if write.mode in _CHANGING:
        return _CHANGING[write.mode], False
    if command.fills_new_table:
        return _FILLING.get(write.mode, (Evidence.CREATE, True))
    if write.mode == "append":
        return Evidence.APPEND, command.lists_all_columns and write.target.kind == "table"  # `PreprocessTableInsertion`
    if command.target is Target.OPTIONS and find_format(write.target.format).storage.keeps_columns:
        return (Evidence.CREATE, True) if write.mode == "create" else (Evidence.OVERWRITE, write.replaces_schema)
    return _WRITING.get(write.mode, (Evidence.APPEND, False))


def _in_table_order(statement: StatementFlows) -> list[Output]:
    """Return the columns in the table's order: partition columns are last."""
    last = [name.lower() for flow in statement.flows if flow.write is not None for name in flow.write.partition_columns]
    return sorted(statement.columns, key=lambda column: column.name.lower() in last)


def _column(column: Output, bigint_ids: set[int], derivation: str) -> SchemaColumn:
    printed = "bigint" if column.expr_id in bigint_ids else _type(column.derivation, attrgetter("data_type"))
    inferred = "" if printed else _type(column.derivation, attrgetter("known_type"))
    return SchemaColumn(column.name, printed or inferred, f"{INFERRED}{derivation}" if inferred else derivation)


def _type(derivation: Derivation, type_of: Callable[[Derivation], str], depth: int = 0) -> str:
    """Return a type, that of a struct from the types of its fields, as far as known."""
    own = type_of(derivation)
    if own or not derivation.fields or depth > _DEEPEST or not _builds_struct(derivation):
        return own
    fields = (f"{name}:{_type(each, type_of, depth + 1)}" for name, each in derivation.fields.items())
    return f"struct<{','.join(fields)}>"


def _builds_struct(derivation: Derivation) -> bool:
    """Return whether a value with fields is a struct itself; arrays of structs have fields as well."""
    first = next(iter(derivation.parts), "")
    return isinstance(first, str) and first.startswith(("named_struct(", "struct("))


def _derivations(edges: Sequence[Edge]) -> Mapping[str, str]:
    """Return a digest of each column's sources and derivation, without literals, for the columns with a source."""
    patterns: dict[str, set[str]] = {}
    for edge in edges:
        if edge.target_column is not None and edge.source_column is not None:
            words = f"{edge.source_column}|{edge.transformation}|{edge.pattern}"
            patterns.setdefault(edge.target_column, set()).add(words)
    return {
        column: hashlib.blake2b("\n".join(sorted(words)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        for column, words in patterns.items()
    }
