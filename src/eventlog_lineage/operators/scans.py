"""Common parts of scans: a dataset, its columns, the filters that only the scan applies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from eventlog_lineage.extensions import contributions, formats
from eventlog_lineage.model import Dataset, Transformation
from eventlog_lineage.operators.derivations.derivation import EXACT, Constant, Derivation, Influence, Origin
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lexer import find_attributes
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.expressions.types import leaf_columns, printed_fields, struct_fields, truncated_field

from .arguments import inner
from .file_metadata import TEMPORARY_ROW_INDEX, metadata_column
from .flow import Condition, Flow, Output, Read
from .operation import Operation

_FIRST_PATH = re.compile(r"\[(.*?)(?:, \.\.\. (\d+) entries)?\]?$", re.DOTALL)
_PREDICATE = re.compile(r"\b(?!(?:And|Or|Not|IsNotNull)\()[A-Z]\w*\(([A-Za-z_][\w.]*)[,)]")
_PRUNING = ("dynamicpruningexpression(", "dynamicpruning#")

T = Transformation


def source(dataset: str, column: str, data_type: str = "", *, confidence: int = EXACT) -> Derivation:
    """Return the derivation of a source column: the column itself, unchanged.

    Args:
        dataset: The dataset's name.
        column: The column's name.
        data_type: Its type; empty if unknown.
        confidence: The confidence.
    """
    origin = Origin(dataset, column)
    influence = Influence(masking=False, confidence=confidence)
    return Derivation({(origin, T.IDENTITY): influence}, (origin,), None, origin, data_type)


def generated(name: str) -> Derivation:
    """Return a value without a source: `id` of a Range, a row of a VALUES list."""
    return Derivation({}, (Constant(name),))


def source_outputs(dataset: Dataset, items: Iterable[str], read_schema: str = "") -> tuple[Output, ...]:
    """Return a scan's outputs: the dataset's columns with the same names, with types if the scan prints them.

    Args:
        dataset: The dataset.
        items: The attributes, as printed.
        read_schema: `ReadSchema`; empty if the scan prints none.
    """
    types = dict(printed_fields(read_schema) or truncated_field(read_schema))
    outputs = []
    for (name, expr_id), column in _scanned(items, read_schema):
        outputs.append(Output(name, expr_id, source(dataset.name, column, types.get(column, ""))))
    return tuple(outputs)


def _scanned(items: Iterable[str], read_schema: str) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield a scan's attributes with the columns that they are; files' metadata follows the columns of files.

    Args:
        items: The attributes, as printed.
        read_schema: `ReadSchema`; empty if the scan prints none.
    """
    unread = [name.lower() for name, _ in struct_fields(read_schema)]
    is_whole = bool(read_schema) and " more field" not in read_schema
    attributes = [read_attribute(item) or (item, -1) for item in items]
    metadata = _file_metadata(name for name, _ in attributes)
    for name, expr_id in attributes:
        column = metadata.get(name) or metadata_column(name, unread) if is_whole else None
        if name.lower() in unread:
            unread.remove(name.lower())
        yield (name, expr_id), column or name


def _file_metadata(names: Iterable[str]) -> dict[str, str]:
    """Return the attributes that table formats make of files' metadata, and the columns that they are."""
    listed = tuple(names)
    found: dict[str, str] = {}
    for file_metadata in contributions("file_metadata"):
        found |= file_metadata(listed)
    return found


def first_path(location: str) -> tuple[str, int]:
    """Return the first path of a `Location` field, and the number of paths that Spark did not print.

    Source: `FileSourceScanLike.verboseStringWithOperatorId` prints the first root path and `... n entries`;
    `FileScan.description` (V2) prints all that fit.

    >>> first_path("InMemoryFileIndex [file:/data/a, ... 3 entries]")
    ('file:/data/a', 3)
    """
    match = _FIRST_PATH.search(location)
    if not match:
        return location.strip(), 0
    paths = match[1].rstrip("]").split(", ")
    return paths[0].strip(), int(match[2] or 0) or len(paths) - 1


def schema_columns(read_schema: str, outputs: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that a scan reads: the innermost fields of ReadSchema, then the partition columns it outputs.

    Args:
        read_schema: `ReadSchema`.
        outputs: The names of the scan's outputs.

    >>> schema_columns("struct<id:bigint,addr:struct<city:string>>", ["id#1L", "addr#2", "day#3"])
    ('id', 'addr.city', 'day')
    """
    fields = struct_fields(read_schema)
    columns = [leaf for name, kind in fields for leaf in leaf_columns(name, kind)]
    data = {name.lower() for name, _ in fields}
    names = [name for _, name in _scanned(outputs, read_schema)]
    return (
        *(name for name in columns if name != TEMPORARY_ROW_INDEX),
        *(name for name in names if name.lower() not in data),
    )


def partition_filters(op: Operation, dataset: Dataset) -> list[Condition]:
    """Return the filters of a `PartitionFilters` list, which no Filter repeats, without dynamic pruning.

    Args:
        op: The scan.
        dataset: Its dataset.
    """
    return scan_filters(op, op.node.text("PartitionFilters"), dataset)


def scan_filters(op: Operation, text: str, dataset: Dataset) -> list[Condition]:
    """Return the filters that a scan applies itself; their attributes need not be outputs.

    Args:
        op: The scan.
        text: The list of filters.
        dataset: The scan's dataset.
    """
    names = op.names
    data = {name.lower() for name, _ in struct_fields(op.node.text("ReadSchema"))}
    found = {token.expr_id: names[token.expr_id][0] for token in find_attributes(text, names)}
    scope = {
        expr_id: source(dataset.name, (metadata_column(name, data) if data else None) or name)
        for expr_id, name in found.items()
    }
    items = [item for item in split_items(inner(text)) if item and not any(word in item for word in _PRUNING)]
    if not items:
        return []
    combined = items[0] if len(items) == 1 else f"({' AND '.join(items)})"
    return [op.condition(combined, T.FILTER, scope)]


def scan_flow(
    dataset: Dataset, outputs: tuple[Output, ...], columns: tuple[str, ...], node_name: str, schema: str = ""
) -> Flow:
    """Return the flow of a scan of one dataset.

    Args:
        dataset: The dataset.
        outputs: The outputs.
        columns: The columns that it reads.
        node_name: The operator's name.
        schema: Its `ReadSchema`.
    """
    return Flow(outputs=outputs, reads=(Read(dataset, columns, node_name, schema=schema),))


def column_names(outputs: Iterable[Output]) -> tuple[str, ...]:
    """Return the names of outputs, in order."""
    return tuple(output.name for output in outputs)


def predicate_columns(text: str) -> tuple[str, ...]:
    """Return the columns of a predicate, without those that only have to be not null.

    >>> predicate_columns("And(Equal(day, 2026-11-03), In(id, [1, 2]))")
    ('day', 'id')
    """
    return tuple(dict.fromkeys(_PREDICATE.findall(text)))


def named_by_format(op: Operation) -> Dataset | None:
    """Return the table of a scan whose name only a table format can read; None for other scans."""
    return next(filter(None, (each.name_source(op) for each in formats())), None)


def conditions_of_format(op: Operation, dataset: Dataset) -> Iterator[Condition]:
    """Yield the conditions that a table format's scan applies and no operator repeats.

    Args:
        op: The scan.
        dataset: Its dataset.
    """
    for each in formats():
        yield from each.scan_conditions(op, dataset)


def without_suffix(name: str) -> str:
    """Return a table's name without a branch or a view of its log (`orders$audit_log`)."""
    return _suffixes().sub("", name)


@cache
def _suffixes() -> re.Pattern[str]:
    return re.compile("|".join(each.same_rows for each in formats() if each.same_rows) or r"(?!)")
