"""Scans: of files (`Scan parquet db.t`, `Scan hive`), through connectors (`BatchScan`), of relations that read rows."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.naming import read_location
from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import (
    column_names,
    conditions_of_format,
    named_by_format,
    partition_filters,
    scan_filters,
    scan_flow,
    scanned_paths,
    schema_columns,
    source,
    source_outputs,
    topics_flow,
    unnamed_source,
)
from eventlog_lineage.operators.source_relations import (
    aggregated_files,
    applied_filters,
    scanned_relation,
    table_after_relation,
)
from eventlog_lineage.operators.write_targets import row_columns
from eventlog_lineage.plan.grammar.escaping import has_single_bracket
from eventlog_lineage.plan.grammar.symbols import is_list, read_arguments
from eventlog_lineage.plan.printed.formatted import DESCRIPTION

_FILE_METADATA = frozenset(
    "file_path file_name file_size file_block_start file_block_length file_modification_time".split()
)

_COLUMNS = re.compile(r"`[^\[]*, \[[^\[\]]*\], \[[^\[\]]*\]")
"""A Hive relation up to 3.0: its name, its serde, its columns and its partition columns."""


@operator("FileScan")
def file_scan(op: Operation) -> Flow:
    """Output the relation's columns; partition filters are only printed here.

    The name has format and table, or only the format for a path (`FileSourceScanExec.nodeName`, 2.x to 4.3);
    `Location` has the first root path, which may be a partition's folder, and others that the log shows.
    """
    items = op.node.items("Output")
    dataset = _dataset(op)
    outputs = tuple(_of_file(output, dataset) for output in source_outputs(dataset, items, op.node.text("ReadSchema")))
    columns = schema_columns(op.node.text("ReadSchema"), items)
    flow = scan_flow(dataset, outputs, columns, op.node.name, op.node.text("ReadSchema"))
    required = scan_filters(op, op.node.text("RequiredDataFilters"), dataset)  # Photon's scans apply filters themselves
    return flow.with_conditions(*partition_filters(op, dataset), *required)


def _streamed_folders(op: Operation, location: str) -> list[str]:
    """Return the folders of the stream's source that a location is below; none for other scans.

    A micro-batch's scan lists files (`FileStreamSource.getBatch`, 2.x to 4.x); the progress event has the folders.
    """
    path = naming.path_name(location)
    for sources in op.plan.stream_sources:
        folders = [each.name for each in sources or () if each.kind == "path"]
        if any(f"{path}/".startswith(f"{folder}/") for folder in folders):
            return folders
    return []


def _of_file(output: Output, dataset: Dataset) -> Output:
    """Return an output as a column of the dataset; one of its files' metadata is `_metadata.file_name`.

    The fields of `_metadata` are outputs of the scan by their own names, outside `ReadSchema` and without a type
    (`FileFormat.BASE_METADATA_FIELDS`, 3.3+).
    """
    if output.name not in _FILE_METADATA or output.derivation.data_type:
        return output
    return replace(output, derivation=source(dataset.name, f"_metadata.{output.name}"))


def _dataset(op: Operation) -> Dataset:
    file_format, _, table = op.node.argument.partition(" ")
    text = op.node.text("Location")
    indexed = (each.name for each in formats() if text.startswith(each.text.file_indexes))
    file_format = next(indexed, file_format)
    first = read_location(text).first
    is_path = not has_single_bracket(first)
    if table.strip() and not has_single_bracket(table):
        return naming.table(table.strip(), format=file_format, location=first if is_path else "")
    found = _of_paths(op, first, file_format, has_table=bool(table.strip())) if is_path else None
    return found or unnamed_source(op, "the scan prints neither a table nor a path", "read the files through a table")


def _of_paths(op: Operation, first: str, file_format: str, *, has_table: bool) -> Dataset | None:
    if folders := _streamed_folders(op, first):
        return naming.paths(folders, format=file_format)
    return None if has_table else scanned_paths(op, file_format)


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
    its columns, its partition columns and the pruned partitions are arguments before the filters.

    >>> _pruning("[a#1], HiveTableRelation [`t`, serde, Data Cols: [a#1, b..., Partition Cols: [p#2]], [(p#2 = 1)]")
    '[(p#2 = 1)]'
    >>> _pruning("[a#1], HiveTableRelation `t`, serde, [a#1], [p#2], Statistics(8 B), [(p#2 = 1)]")
    '[(p#2 = 1)]'
    >>> _pruning("[a#1], HiveTableRelation `t`, serde, [a#1], [p#2], Stream(CatalogPartition(…)), [NOT (p#2 = ])]")
    '[NOT (p#2 = ])]'
    >>> _pruning("[a#1], HiveTableRelation `t`, serde, [a#1], [p#2]")
    ''
    """
    relation = text.partition("HiveTableRelation ")[2]
    columns = _COLUMNS.match(relation)
    if relation.startswith("`") and columns is None:  # a name has a bracket
        lists = [each for each in read_arguments(relation) if is_list(each)]
        return lists[2] if len(lists) > 2 else ""
    border = "], [" if relation.startswith("[") else ", ["  # an escaped relation has no brackets
    _, found, filters = relation[columns.end() if columns else 0 :].partition(border)
    return f"[{filters}" if found and filters.endswith("]") else ""


_DESCRIBED_TABLE = re.compile(r"^([\w-]+(?:\.[\w-]+){2,})(?: \(branch=|\s|$)")
_PATH = re.compile(r"^(?:\w+ )?((?:/|[a-z][\w+.-]*:/).*)$", re.DOTALL)
_INCOMPLETE = "the connector prints no catalog, and other systems have tables of this name; use a catalog's table"


@operator("BatchScan")
def batch_scan(op: Operation) -> Flow:
    """Output the columns of a table, or of a path for Spark's own V2 file sources.

    `BatchScan local.db.t` (3.3+ prints the table), `BatchScan parquet file:/x`; the details of other connectors
    are one line without a label, such as Iceberg's `local.db.t (branch=null) [filters=…, groupedBy=…]`.
    """
    items = op.node.items("Output")
    dataset = _of_format(op)
    if dataset is None and (flow := scanned_relation(op)):
        return flow
    dataset = dataset or _connected(op)
    if flow := aggregated_files(op, dataset):
        return flow.with_conditions(*partition_filters(op, dataset))
    outputs = source_outputs(dataset, items, op.node.text("ReadSchema"))
    names = tuple(output.name for output in outputs if output.name not in row_columns())
    columns = schema_columns(op.node.text("ReadSchema"), items) if "ReadSchema" in op.node.fields else names
    flow = scan_flow(dataset, outputs, columns, op.node.name, op.node.text("ReadSchema"))
    return flow.with_conditions(*partition_filters(op, dataset), *conditions_of_format(op, dataset))


def _of_format(op: Operation) -> Dataset | None:
    if "Location" in op.node.fields:
        file_format = op.node.text("Format") or op.node.argument.partition(" ")[0]
        if paths := scanned_paths(op, file_format):
            return paths
    return named_by_format(op)


def _connected(op: Operation) -> Dataset:
    name = op.node.argument
    described = _DESCRIBED_TABLE.match(op.node.text(DESCRIPTION))
    if not name and described:
        name = described[1]
    if not name:
        detail = op.node.text(DESCRIPTION) or "no name"
        return unnamed_source(op, detail, "Spark 3.3 and later print the table")
    if path := _PATH.match(name):
        return naming.path(path[1])
    return naming.table(name) if naming.is_complete(name) else unnamed_source(op, name, _INCOMPLETE)


@operator("RelationScan")
def relation_scan(op: Operation) -> Flow:
    """Output the columns of a relation that a connector declares, or of the tables in the SQL that it sends.

    `Scan JDBCRelation(orders) [numPartitions=1]`, `Scan JDBC v1 Relation from v2 scan cat.ns.t` (4.0+; before,
    the class name only).
    """
    items = op.node.items("Output")
    if flow := topics_flow(op, op.node.argument, op.node.attributes("Output")):
        return flow
    dataset = named_by_format(op)
    if dataset is None and (flow := scanned_relation(op)):
        return flow
    named = dataset or _relation(op)
    outputs = source_outputs(named, items)
    flow = scan_flow(named, outputs, column_names(outputs), op.node.name)
    return flow.with_conditions(*applied_filters(op, lambda column: source(named.name, column)))


def _relation(op: Operation) -> Dataset:
    name = op.node.argument
    if table := table_after_relation(name):
        return naming.table(table, format=name.partition(" ")[0])
    return unnamed_source(op, name, "this version of Spark prints no name for the relation")
