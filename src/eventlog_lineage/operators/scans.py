"""Common parts of scans: a dataset, its columns, the filters that only the scan applies, metadata of files, streams.

`SELECT _metadata.file_name FROM t` reads hidden columns (`FileFormat.METADATA_NAME`, `FileSourceStrategy`, 3.2 to 4.3).
A scan outputs the requested fields under their own names, after the columns of its `ReadSchema`; the operator above
puts them together: `named_struct(file_name, file_name#52, row_index, row_index#57L) AS _metadata#23`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.naming import Location, common_folder, read_location
from eventlog_lineage.datasets.streams import stream_source
from eventlog_lineage.extensions import any_pattern, contributions, formats
from eventlog_lineage.model import EXACT, INFERRED, Dataset, GapReason, Influence, Transformation, merge
from eventlog_lineage.operators.derivations.derivation import Constant, Derivation, Origin, any_of
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read
from eventlog_lineage.operators.joins import meant_parts, tested_parts
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.plan_context import PlanContext, TableNames
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.symbols import items_of
from eventlog_lineage.plan.grammar.tokens import find_attributes
from eventlog_lineage.plan.grammar.types import leaf_columns, printed_fields, struct_fields, truncated_field
from eventlog_lineage.plan.tree.nodes import PlanNode

_METADATA = "_metadata"
ROW_INDEX = "row_index"
TEMPORARY_ROW_INDEX = "_tmp_metadata_row_index"
"""The name of `row_index` in a scan (`FileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME`, 3.4 to 4.3), under the same id."""

_FIELDS = {
    **dict.fromkeys(("file_path", "file_name"), "string"),
    **dict.fromkeys(("file_size", "file_block_start", "file_block_length", ROW_INDEX), "bigint"),
    "file_modification_time": "timestamp",
}


def metadata_column(name: str, schema: Collection[str]) -> str | None:
    """Return the column of a dataset's files that an output attribute of a scan is; None for a column of the dataset.

    Args:
        schema: The columns that the scan reads from the files, in lower case.

    >>> metadata_column("file_name", {"id"}), metadata_column("file_name", {"id", "file_name"})
    ('_metadata.file_name', None)
    """
    if name == TEMPORARY_ROW_INDEX:
        return f"{_METADATA}.{ROW_INDEX}"
    is_shown = name in _FIELDS and name != ROW_INDEX and name not in schema
    return f"{_METADATA}.{name}" if is_shown else None


_COMMA = re.compile(r",(?=[A-Za-z][\w+.-]*:/)")
_GLOB = re.compile(r"[*?{\[]")
_PARTITION = re.compile(r"/([^=/]+)=[^/]*")
_MOST_DATASETS = 200
"""The most datasets of one scan; each of its columns has an edge from each."""
_HINT = "set spark.sql.maxMetadataStringLength (3.1+) to more than the length of all paths, or read each path by itself"
_TEST = re.compile(r"\b([A-Z]\w*)\((`[^`]+`|[A-Za-z_][\w.]*)[,)]")
"""`EqualTo(city,Rome)`; `And(…` and similar predicates begin with another one."""

T = Transformation


def source(dataset: str, column: str, data_type: str = "", *, confidence: int = EXACT) -> Derivation:
    """Return the derivation of a source column: the column itself, unchanged.

    Args:
        data_type: Its type; empty if unknown.
    """
    origin = Origin(dataset, column)
    influence = Influence(masking=False, confidence=confidence)
    if not data_type and column.startswith(f"{_METADATA}."):
        data_type = _FIELDS.get(column[len(_METADATA) + 1 :], "")
    return Derivation({(origin, T.IDENTITY): influence}, (origin,), None, origin, data_type)


def source_columns(dataset: str, named: Iterable[tuple[int, str]], *, confidence: int = EXACT) -> dict[int, Output]:
    """Return the columns of a dataset that attributes, (id, name), are: id to output."""
    return {expr_id: Output(name, expr_id, source(dataset, name, confidence=confidence)) for expr_id, name in named}


def generated(name: str) -> Derivation:
    """Return a value without a source: `id` of a Range, a row of a VALUES list."""
    return Derivation({}, (Constant(name),))


def generated_rows(attributes: Iterable[tuple[str, int]]) -> Flow:
    """Return the flow of rows without a source, with attributes (name, id)."""
    return Flow(outputs=tuple(Output(name, expr_id, generated(name)) for name, expr_id in attributes))


def source_outputs(dataset: Dataset, items: Iterable[str], read_schema: str = "") -> tuple[Output, ...]:
    """Return a scan's outputs: the dataset's columns with the same names, with types if the scan prints them.

    Args:
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
        read_schema: `ReadSchema`; empty if the scan prints none.
    """
    unread = [name.lower() for name, _ in struct_fields(read_schema)]
    is_whole = bool(read_schema) and " more field" not in read_schema
    attributes = [attribute_of(item) for item in items]
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
    for file_metadata in contributions("columns.metadata"):
        found |= file_metadata(listed)
    return found


def scanned_paths(op: Operation, file_format: str) -> Dataset | None:
    """Return the paths of a scan as one relation (`naming.paths`), with a gap for those that are unknown.

    Args:
        op: The scan, with a `Location`.

    Returns:
        The relation; None if no path is printed.
    """
    location = read_location(text := op.node.text("Location"))
    location = _with_named(op.node.argument, location.of_v2(text) if op.node.operator == "BatchScan" else location)
    if not location.paths:
        return None
    names = list(dict.fromkeys(map(naming.path_name, location.paths)))
    if not location.is_whole and not _are_of_one_folder(op, location, names):
        if folder := common_folder(names):
            names = [folder]
        else:
            op.gap(GapReason.UNKNOWN_SOURCE, _unknown(location), _HINT)
    if len(names) > _MOST_DATASETS:
        op.gap(
            GapReason.LIMIT_EXCEEDED,
            f"{len(names) - _MOST_DATASETS} of {len(names)} paths are left out",
            "read the folder that contains the paths",
        )
    return naming.paths(names[:_MOST_DATASETS], format=file_format)


def _with_named(argument: str, location: Location) -> Location:
    """Return the location with the paths in a scan's name, which V2 sources print: `parquet file:/a,file:/b`.

    The name has the paths before globs are resolved (`FileDataSourceV2.getTableName`, 3.0+).

    >>> _with_named("csv", Location("InMemoryFileIndex", ("file:/a",), None)).paths
    ('file:/a',)
    >>> _with_named("csv file:/a,file:/b", Location("InMemoryFileIndex", ("file:/a",), None)).paths
    ('file:/a', 'file:/b')
    """
    names = argument.partition(" ")[2]
    if location.is_whole or not names or _GLOB.search(names):
        return location
    named = tuple(_COMMA.split(names))
    total = len(location.paths) + (location.missing or 0)
    is_whole = len(named) == total if location.missing else len(named) > total
    return Location(location.file_index, named) if is_whole else location


def _unknown(location: Location) -> str:
    if location.missing is None:
        return f"the paths after {location.paths[-1]}, if any, are not printed"
    number = f"{location.missing} more path{'s are' if location.missing > 1 else ' is'}"
    return f"{number} not printed, next to {location.first}"


def _are_of_one_folder(op: Operation, location: Location, names: Sequence[str]) -> bool:
    """Return whether all paths are partitions or files of one folder, including those that are not printed.

    Partition columns exist only if they are (`PartitioningUtils.parsePartitions`: other paths are "conflicting
    directory structures"). Without such a column, two partitions of one folder show it. Data files are listed by Spark
    for the header of CSV files, which are a scan of text (`CSVDataSource.createBaseDataset`, 2.x to 4.3).
    """
    if len(names) == 1 and op.node.argument == "text" and all(map(naming.is_data_file, location.paths)):
        return True
    read = _data_columns(op)
    outputs = {name.lower() for name, _ in op.node.attributes("Output")}
    if any(key.lower() in outputs - read for key in _PARTITION.findall(location.first)):
        return True
    return len(location.paths) > 1 and len(names) == 1 and all(map(_PARTITION.search, location.paths))


def schema_columns(read_schema: str, outputs: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that a scan reads: the innermost fields of ReadSchema, then the partition columns it outputs.

    Args:
        read_schema: `ReadSchema`.

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
    """Return the filters of a `PartitionFilters` list, which no Filter repeats, without dynamic pruning."""
    return scan_filters(op, op.node.text("PartitionFilters"), dataset)


def scan_filters(op: Operation, text: str, dataset: Dataset) -> list[Condition]:
    """Return the filters that a scan applies itself; their attributes need not be outputs."""
    names, data = op.names, _data_columns(op)
    found = {token.expr_id: names[token.expr_id][0] for token in find_attributes(text, names)}
    scope = {
        expr_id: source(dataset.name, (metadata_column(name, data) if data else None) or name)
        for expr_id, name in found.items()
    }
    items = list(meant_parts(op, list(filter(_is_filter, items_of(text))), scope))
    if not items:
        return []
    combined = items[0] if len(items) == 1 else f"({' AND '.join(items)})"
    return [Condition(op.bind(combined, scope), T.FILTER, (), tested_parts(op, items, scope))]


def _data_columns(op: Operation) -> set[str]:
    """Return the names of a scan's `ReadSchema`, in lower case."""
    return {name.lower() for name, _ in struct_fields(op.node.text("ReadSchema"))}


def _is_filter(item: str) -> bool:
    """Return whether an item of a scan's filters is neither dynamic pruning nor derived from another filter."""
    is_pruning = any(word in item for word in ("dynamicpruningexpression(", "dynamicpruning#"))
    return bool(item) and not is_pruning and not any(each(item) for each in contributions("text.is_repeated"))


def scan_flow(
    dataset: Dataset, outputs: tuple[Output, ...], columns: tuple[str, ...], node_name: str, schema: str = ""
) -> Flow:
    """Return the flow of a scan.

    Args:
        dataset: The dataset, or the relation of several paths (`scanned_paths`).
        schema: Its `ReadSchema`.
    """
    reads = tuple(Read(each, columns, node_name, schema=schema) for each in naming.separate_paths(dataset))
    return Flow(outputs=outputs, reads=reads)


def columns_flow(op: Operation, datasets: Sequence[Dataset], attributes: Iterable[tuple[str, int]]) -> Flow:
    """Return the flow of a relation whose attributes are columns of a dataset; of several topics, of all of them."""
    named = tuple(attributes)
    outputs = tuple(
        Output(name, expr_id, any_of([source(each.name, name) for each in datasets])) for name, expr_id in named
    )
    names = tuple(name for name, _ in named)
    separate = chain.from_iterable(map(naming.separate_paths, datasets))
    return Flow(outputs=outputs, reads=tuple(Read(each, names, op.node.name) for each in separate))


def column_names(outputs: Iterable[Output]) -> tuple[str, ...]:
    """Return the names of outputs, in order."""
    return tuple(output.name for output in outputs)


def filters_on(dataset: Dataset, columns: Iterable[str], printed: str) -> list[Condition]:
    """Return the filter that a source or a command applies itself, in its own words; none without a column.

    Args:
        printed: `day = '2026-11-03', id IN (1, 2)`.
    """
    sources = merge(source(dataset.name, name).sources for name in columns)
    return [Condition(Derivation(sources, (Constant(printed),)), T.FILTER)] if sources else []


def predicate_columns(text: str, ignored: str = "IsNotNull") -> tuple[str, ...]:
    """Return the columns of a predicate, without those that only an ignored test has.

    >>> predicate_columns("And(Equal(day, 2026-11-03), In(id, [1, 2]))")
    ('day', 'id')
    """
    return tuple(dict.fromkeys(name.strip("`") for test, name in _TEST.findall(text) if test != ignored))


def named_by_format(op: Operation) -> Dataset | None:
    """Return the table of a scan whose name only a table format can read; None for other scans."""
    return next(filter(None, (each.tables.source(op) for each in formats())), None)


def unnamed_source(
    op: Operation, detail: str, hint: str, system: str = "relation", columns: Sequence[str] = ()
) -> Dataset:
    """Return the dataset of a scan that nothing names, with a gap.

    Args:
        system: The kind of system, if that is printed.
        columns: Its columns, if they are not in its `Output`.
    """
    op.gap(GapReason.UNKNOWN_SOURCE, detail, hint)
    names = columns or [name for name, _ in op.node.attributes("Output")]
    return naming.unnamed(names, op.plan.application, system)


def conditions_of_format(op: Operation, dataset: Dataset) -> Iterator[Condition]:
    """Yield the conditions that a table format's scan applies and no operator repeats."""
    for each in formats():
        yield from each.scan_conditions(op, dataset)


def without_suffix(name: str) -> str:
    """Return a table's name without a branch or a view of its log (`orders$audit_log`)."""
    return any_pattern("text.same_rows").sub("", name)


_KAFKA = re.compile(r"^KafkaRelation\(strategy=(\w+\[[^\]]*\])")
_SCANS = frozenset({"MicroBatchScan", "ContinuousScan"})


def datasets_of(op: Operation) -> tuple[Dataset, ...] | None:
    """Return the datasets of a leaf that is a source of the streaming query; None if they are unknown.

    A micro-batch's sources are in its plan from left to right in the order of the progress events
    (`MicroBatchExecution.runBatch`); one without new data is an empty relation. Files are named by their scans.
    """
    if not op.plan.stream_sources:
        return None
    leaves = [node for _, node in sorted(op.plan.operators_by_id.items()) if _is_of_stream(node)]
    sources = [each for each in op.plan.stream_sources if not _is_scanned(each, op.plan)]
    if op.node not in leaves or not sources:
        return None
    if len(leaves) == len(sources):
        return sources[leaves.index(op.node)]
    return sources[0] if len(sources) == 1 else None


def _is_of_stream(node: PlanNode) -> bool:
    """Return whether a leaf can be a source of a streaming query; one without new rows is an empty relation."""
    is_empty = node.operator == "LocalTableScan" and node.text("Arguments").startswith("<empty>")
    return is_empty or node.operator in _SCANS


def _is_scanned(datasets: tuple[Dataset, ...] | None, plan: PlanContext) -> bool:
    """Return whether a scan of the plan names the source's files."""
    roots = [dataset.name for dataset in datasets or () if dataset.kind == "path"]
    scans = [node.text("Location") for node in plan.operators_by_id.values() if "Location" in node.fields]
    paths = [naming.path_name(read_location(location).first) for location in scans]
    return any(path == root or path.startswith(f"{root}/") for path in paths for root in roots)


def topics_flow(op: Operation, printed: str, attributes: Iterable[tuple[str, int]]) -> Flow | None:
    """Return the columns of Kafka's topics, of a batch's scan or relation; None for other relations.

    `Subscribe[a, b]`, `Assign[a-0]`; the topics of `SubscribePattern[a.*]` are unknown.
    """
    match = _KAFKA.match(printed)
    if match is None:
        return None
    datasets = stream_source(f"Kafka[{match[1]}]") or ()
    if match[1].startswith("SubscribePattern"):
        op.gap(GapReason.UNKNOWN_SOURCE, match[1], "the plan does not list the topics that match the pattern")
    return columns_flow(op, datasets, attributes)


FROM_METADATA = "a connector answered it from its metadata, and the plan does not name the table"

ANSWERED = re.compile(r"^(?:(?:count|min|max|sum)\(.*\)|(?:count|min|max)_\d+)$", re.IGNORECASE | re.DOTALL)
"""An attribute that is named by its aggregate."""
_CALL = re.compile(r"\b(?:min|max)\(((?:[^()]|\([^()]*\))*)\)")


@cache
def metadata_hint() -> str:
    """Return the hint for resolving the next run completely."""
    settings = sorted((each.metadata.setting for each in formats() if each.metadata.setting), reverse=True)
    return (
        "set spark.sql.ui.explainMode=extended (an UPDATE's result has to be collected as well), so that the next run "
        f"is resolved in full; or turn such answers off: {', '.join(f'{each}=false' for each in settings)}"
    )


_Columns = tuple[tuple[str, str], ...]
"""(dataset, column) of the columns that a value is computed of."""


def answered_flow(tables: TableNames, attributes: Sequence[tuple[str, int]], *, is_only: bool) -> Flow | None:
    """Return the flow of rows that the statistics of tables answer; None if the log does not show their sources.

    Args:
        tables: The tables whose statistics the statement looks up, and its aggregates.
        is_only: Whether the plan has no other rows without a source.
    """
    known = dict(tables.aggregates)
    texts = [known.get(expr_id) or (name if ANSWERED.match(name) else "") for name, expr_id in attributes]
    columns = _answered_columns(tables, texts, is_only=is_only)
    if columns is None:
        return None
    confidence = EXACT if any(texts) else INFERRED
    outputs = tuple(
        Output(name, expr_id, _derived(value, text or name, confidence))
        for (name, expr_id), value, text in zip(attributes, columns, texts, strict=True)
    )
    return Flow(outputs=outputs, reads=_reads(tables, set(chain.from_iterable(columns))))


def _answered_columns(tables: TableNames, texts: Sequence[str], *, is_only: bool) -> list[_Columns] | None:
    """Return the columns whose statistics answer each attribute; None if nothing shows those of one of them."""
    if any(texts):
        values = [_columns(tables, text) for text in texts]
    else:
        values = [_only_column(tables) if is_only and len(texts) == 1 else None]
    found = [each for each in values if each is not None]
    return found if len(found) == len(values) else None


def _only_column(tables: TableNames) -> _Columns | None:
    """Return the one column whose statistics a statement looks up, none for a count of rows; None for several."""
    if len(tables.answered) != 1 or len(tables.answered[0].columns) > 1:
        return None
    (table,) = tables.answered
    return tuple((table.dataset.name, column) for column in table.columns)


def _columns(tables: TableNames, text: str) -> _Columns | None:
    """Return the columns in the minima and maxima of an expression, `max(id)`; None if one of them is ambiguous."""
    names = _CALL.findall(text)
    found = [(each.dataset.name, name) for name in names for each in tables.answered if name in each.columns]
    return tuple(found) if [name for _, name in found] == names else None


def _derived(columns: Sequence[tuple[str, str]], text: str, confidence: int) -> Derivation:
    if not columns:
        return generated(text)
    sources = (
        source(*column).through(Transformation.AGGREGATION, confidence=confidence) for column in dict.fromkeys(columns)
    )
    return Derivation(merge(sources), (text,))


def _reads(tables: TableNames, used: set[tuple[str, str]]) -> tuple[Read, ...]:
    """Return the tables, with the used columns: an aggregate without columns counts the rows of one of them."""
    datasets = {name for name, _ in used}
    chosen = [each for each in tables.answered if each.dataset.name in datasets or not each.columns]
    return tuple(
        Read(each.dataset, tuple(name for name in each.columns if (each.dataset.name, name) in used), "LocalTableScan")
        for each in chosen or tables.answered
    )
