"""Delta's own commands: MERGE, UPDATE, DELETE, dynamic overwrite, maintenance; the names of its tables in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.naming import read_location
from eventlog_lineage.extensions import Command, Rows, Target
from eventlog_lineage.model import INFERRED, Dataset, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, Write
from eventlog_lineage.operators.joins import join_conditions
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator, refines
from eventlog_lineage.operators.rules.filter import conditions_of, conjuncts
from eventlog_lineage.operators.rules.no_lineage import no_lineage
from eventlog_lineage.operators.rules.pass_through import pass_through
from eventlog_lineage.operators.scans import source
from eventlog_lineage.operators.write_targets import (
    assigned,
    catalog_table,
    columns_of,
    is_truncated,
    listed_query,
    names_of_query,
    table_of,
)
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, inner, is_list, items_of, read, read_arguments
from eventlog_lineage.plan.grammar.tokens import find_attributes
from eventlog_lineage.plan.grammar.types import struct_names
from eventlog_lineage.plan.tree.nodes import walk

MAINTENANCE = (
    Command("OptimizeTableCommand", "maintenance", target=Target.OBJECT),
    Command("RestoreTableCommand", "maintenance", target=Target.OBJECT),
    Command("DeltaReorgTableCommand", "maintenance", target=Target.OBJECT),
    Command("TruncateDeltaTableCommand", "truncate"),
    Command("VacuumTableCommand", "maintenance", target=Target.OBJECT_IF_CHANGED),
    Command("DeltaGenerateCommand", "maintenance"),
)
"""Commands that maintain a table or empty it."""

COMMANDS = (
    *(
        Command(name, "merge", rows=Rows.OWN | Rows.CHILDREN, lists_all_columns=True)
        for name in ("MergeIntoCommand", "MergeIntoCommandEdge")
    ),
    *(
        Command(name, "update", rows=Rows.OWN | Rows.CHILDREN, target=Target.CHILD)
        for name in ("UpdateCommand", "UpdateCommandEdge")
    ),
    *(Command(name, "delete", rows=Rows.OWN, target=Target.CHILD) for name in ("DeleteCommand", "DeleteCommandEdge")),
    Command("DeltaDynamicPartitionOverwriteCommand", "overwrite", target=Target.OBJECT),
    Command("CreateDeltaTableCommand", "create", "cloned", target=Target.OBJECT),
    Command("CloneTableCommand", "create", target=Target.OBJECT),
    Command("ConvertToDeltaCommand", "alter"),
    *MAINTENANCE,
)
"""Commands with `Edge` are Databricks'. VACUUM commits its start and its end (4.x)."""

FEED = "DeltaCDFRelation"
"""Delta's name for a scan of the changes between two versions; it contains the table's complete state, from 4.0 on over
many lines."""
_FEED = re.compile(FEED + r"\((?P<path>.*)\)(?: (?P<table>\S+))?")
_KEPT = re.compile(
    rf"size\(projectedCDC#{NUMBER}(?:, \w+)?\) > 0|isnotnull\(projectedCDC#{NUMBER}\)"
    rf"|(?:NOT |isnotnull\()packedData#{NUMBER}\._row_dropped_\)?"
)
_PRESENT = "_row_present_#"
_SOURCE = re.compile(r"\bDeltaSource\[([^\]]+)\]$")


def table_in(text: str) -> Dataset | None:
    r"""Return the table of a `DeltaTableV2(…)` by its catalog entry, or by its path if it has none.

    `DeltaTableV2(SparkSession@…,file:/path,Some(CatalogTable(\nCatalog: …\nDatabase: …\nTable: …` (case class up to
    Delta 3.3, the same shape from 4.0 on).
    """
    start = text.find("DeltaTableV2(")
    if start < 0:
        return None
    block = text.find("CatalogTable(\n", start)
    words = catalog_table(text, block) if block >= 0 else ()
    path = text[start:].split(",", 2)[1] if text[start:].count(",") > 1 else ""
    if not words:
        return naming.path(path, format="delta") if path else None
    name = ".".join(f"`{word}`" for word in words)
    return naming.table(name, format="delta", location=path)


@refines("AppendDataExecV1", "OverwriteByExpressionExecV1")
def v1_write(op: Operation) -> Flow | None:
    """Name the table of a V1 write; its query runs in a nested execution.

    `Arguments: DeltaTableV2(…), Project [id#1L, k#2L], …`
    """
    parts = op.node.arguments
    target = table_in(parts[0]) if parts else None
    if target is None:
        return None
    names, is_truncated = names_of_query(parts[1:]), listed_query(parts[1:]).missing > 0
    return op.writes(Write(target, op.mode, None, names, is_truncated=is_truncated))


@refines("Filter")
def changed_rows(op: Operation) -> Flow | None:
    """Pass on the rows that a MERGE into a table with a change feed writes and does not drop.

    `(size(projectedCDC#1, true) > 0)` is the optimizer's, below `explode(projectedCDC#1)` (`InferFiltersFromGenerate`,
    3.0 to 4.3), `NOT packedData#2._row_dropped_` Delta's (`MergeOutputGeneration.generateCdcAndOutputRows`, 2.1+).
    `(ON OR isnull(_target_row_present_#3))` is Delta's as well (`ClassicMergeExecutor.writeAllChanges` of 3 and 4): it
    repeats the conditions that `MergeIntoCommand` prints. `(_source_row_present_#4 AND isnotnull(id#5))` has the
    optimizer's test of a key, next to a constant.
    """
    condition = op.node.text("Condition") or op.node.text("Arguments")
    if _PRESENT in condition:
        parts = [part for part in conjuncts(condition) if _PRESENT not in part]
        return op.input.with_conditions(*chain.from_iterable(conditions_of(op, part) for part in parts))
    rest, count = _KEPT.subn("", condition)
    return op.input if count and not rest.replace("AND", "").strip("() ") else None


def is_repeated_filter(item: str) -> bool:
    """Return whether a filter of a scan repeats the one of the column of which a partition column is generated.

    `((day#5 >= 2026-01-01) OR isnull((day#5 >= 2026-01-01)))` (`GeneratedColumn.generatePartitionFilters`, 1.0 to 4.3).
    """
    part = item[1 : len(item) // 2 - len(" OR isnull") // 2 - 1]
    return item == f"({part} OR isnull({part}))"


def name_source(op: Operation) -> Dataset | None:
    """Return the table of a change feed, or of a streaming source that prints its location.

    A source without new rows is an `EmptyRDD` that ends in `DeltaSource[file:/data/x]` (`DeltaSource.toString`, on
    Spark 4). Tree strings have no RDD: the columns of a change feed are those of the batch's only source.
    """
    if op.node.operator == "RelationScan":
        feed = _FEED.fullmatch(op.node.argument)
        if feed is None:
            return None
        path = naming.path(feed["path"], format="delta")
        return naming.table(feed["table"], format="delta", location=path.name) if feed["table"] else path
    if op.node.operator in {"BatchScan", "MicroBatchScan", "ContinuousScan"}:
        return None
    if match := _SOURCE.search(op.node.text("Arguments")):
        return _at_location(op, naming.path(match[1], format="delta"))
    prints_columns_only = "Arguments" not in op.node.fields and "_commit_version" in dict(op.node.attributes("Output"))
    return _only_source(op) if prints_columns_only else None


def _only_source(op: Operation) -> Dataset | None:
    """Return the table that the batch reads, if it has a single source."""
    sources = op.plan.stream_sources
    locations = (sources[0] or ()) if len(sources) == 1 else ()
    return _at_location(op, locations[0]) if len(locations) == 1 else None


def _at_location(op: Operation, path: Dataset) -> Dataset:
    """Return the table at a path, if a scan of the same plan names it: a change feed is a union of several scans."""
    for node in op.plan.operators_by_id.values():
        name = node.argument.rpartition(" ")[2]
        if "." in name and naming.path_name(read_location(node.text("Location")).first) == path.name:
            return naming.table(name, format="delta", location=path.name)
    return path


_INDEX = re.compile(r"\bDelta\[version=(\d+), (.*)\]$")
_CLAUSE = re.compile(r"^(?:Delete|Update|Insert|UpdateStar|InsertStar|\w*Clause)\b ?\[?(.*?)\]?$", re.DOTALL)
_PATH_ALIAS = re.compile(r"(?:^|\.)delta\.`([^`]*[/:][^`]*)`$")
_ACTION = re.compile(r"^`((?:[^`]|``)+)`(?:\.`[^`]+`)* = (.*)$", re.DOTALL)


@operator("MergeIntoCommand", "MergeIntoCommandEdge")
def merge_into(op: Operation) -> Flow:
    """Read the target, the ON condition, and per clause a condition and `` `column` = value ``.

    Arguments: SubqueryAlias s, SubqueryAlias t, <table>?, Delta[version=5, file:/…], (id#1L = id#2L),
    [Delete [condition: …], Update [condition: …, actions: [`id` = id#1L, …]]], [Insert [actions: […]]], …
    (Delta 2.x to 4.x). The attributes of both sides are those of the executions that join them.
    """
    parts = op.node.arguments
    target = op.known(_target(op, parts))
    op = op.naming_arguments()
    scope = op.unbound_arguments()
    on = next((part for part in parts[2:] if part.startswith("(") and "#" in part), "")
    conditions = join_conditions(op, on, scope)
    values: list[Output] = []
    inserted: set[int] = set()
    for clause in chain.from_iterable(map(items_of, filter(is_list, parts))):
        condition, given = _clause(op, clause, scope)
        if clause.startswith("Insert"):
            inserted |= _unbound_ids(given)
        conditions += [Condition(op.bind(condition, scope), Transformation.FILTER)] if "#" in condition else []
        values += given
    schema = next((part for part in reversed(parts) if part.startswith("StructType(")), "")
    order = {name: index for index, name in enumerate(struct_names(schema))}
    values.sort(key=lambda value: order.get(value.name, len(order)))
    write = Write(target, "merge", tuple(values), tuple(order), source_attributes=frozenset(inserted))
    return replace(op.writes(write, Flow(conditions=tuple(conditions))), command="MergeIntoCommand")


def _unbound_ids(values: list[Output]) -> set[int]:
    origins = (origin for each in values for origin, _ in each.derivation.sources)
    return {origin.attribute for origin in origins if not origin.dataset}


def _clause(op: Operation, text: str, scope: dict[int, Derivation]) -> tuple[str, list[Output]]:
    """Return condition and assignments of `Update [condition: (a#1 < 1), actions: [`a` = b#2, …]]`."""
    match = _CLAUSE.match(text)
    if match is None:
        return "", []
    condition, values = "", []
    for item in read_arguments(match[1]):
        label, _, rest = item.partition(": ")
        if label == "condition":
            condition = rest
        elif label == "actions":
            found = (_ACTION.match(action) for action in items_of(rest))
            values += [Output(each[1], -1, op.bind(each[2], scope)) for each in found if each]
    return condition, values


@operator("UpdateCommand", "UpdateCommandEdge")
def update(op: Operation) -> Flow:
    """Assign expressions, in the order of the target's columns, to rows that satisfy a condition.

    Arguments: Delta[version=9, file:/…], <table>?, [id#1L, (amount#2 * 3.0)], (id#1L = 3) over the logical relation.
    """
    parts = op.node.arguments
    target = op.known(_named(op, _target(op, parts)))
    below = _of_target(op, target)
    listed = next((part for part in parts if is_list(part)), "")
    op, scope = _columns(op, target, below)
    printed = read(EXPRESSIONS, inner(listed))
    items, missing = op.complete(printed, "values of an update"), printed.missing
    values = [
        Output(column.name, column.expr_id, op.bind(item, scope))
        for column, item in zip(below.outputs, items, strict=False)
    ]
    conditions = _where(op, parts[parts.index(listed) + 1 :] if listed else [], scope)
    names = tuple(column.name for column in below.outputs[: len(items)]) if missing else ()
    columns = assigned(values, target.name)
    write = Write(target, "update", columns, names, is_truncated=missing > 0)
    return op.writes(write, Flow(conditions=conditions, reads=below.reads))


@operator("DeleteCommand", "DeleteCommandEdge")
def delete(op: Operation) -> Flow:
    """Delete rows that satisfy a condition: `` Arguments: DeltaLog@…, <table>?, (id#1L = 11) ``.

    It does not print a path (`DeltaTable.forPath`), which is that of the state that the statement loads.
    """
    parts = op.node.arguments
    named = _named(op, _target(op, parts)) or next((read.dataset for each in op.inputs for read in each.reads), None)
    loaded = naming.path(op.plan.tables.loaded, format="delta") if op.plan.tables.loaded else None
    target = op.known(named or loaded)
    below = _of_target(op, target)
    op, scope = _columns(op, target, below)
    return op.writes(Write(target, "delete"), Flow(conditions=_where(op, parts[1:], scope), reads=below.reads))


@operator("DeltaDynamicPartitionOverwriteCommand")
def dynamic_overwrite(op: Operation) -> Flow:
    """Overwrite the partitions in its query's rows; the query's physical plan runs in a nested execution.

    `Arguments: RelationV2[…] cat.db.t, DeltaTableV2(…` over the logical query.
    """
    below = op.input
    target = op.known(table_in(op.node.text("Arguments")))
    columns = columns_of(below.outputs) or None
    return op.writes(Write(target, "overwrite", columns, is_truncated=is_truncated(below)), below)


@operator("CreateDeltaTableCommand")
def create_or_clone(op: Operation) -> Flow:
    """Create a table: `` Arguments: `db`.`t`, ErrorIfExists, CloneTableCommand …, `db`.`t`, file:/x, … ``.

    A clone's source is the table whose state is loaded (`commands.py`).
    """
    parts = op.node.arguments
    target = op.known(table_of(parts[:1]))
    uri = next((part for part in parts[1:] if naming.is_location(part)), "")
    is_clone = any("CloneTableCommand" in part for part in parts)
    location = naming.path_name(uri) if uri else ""
    mode = "overwrite" if is_clone and parts[1:2] == ["Overwrite"] else "create"
    table = Dataset(target.name, target.kind, "delta", location)
    flow = op.writes(Write(table, mode, location=location))
    return replace(flow, command="CloneTableCommand") if is_clone else flow


@operator("ConvertToDeltaCommand")
def convert(op: Operation) -> Flow:
    """Convert a folder of files to a Delta table: `` Arguments: `parquet`.`/data/x`, true ``."""
    words = naming.split_name(next(iter(op.node.arguments), ""))
    if not words:
        return op.unknown_target()
    is_path = len(words) == 2 and "/" in words[1]
    target = naming.path(words[1], format="delta") if is_path else naming.table(".".join(words), format="delta")
    return op.writes(Write(target, "alter"))


def _named(op: Operation, target: Dataset | None) -> Dataset | None:
    """Return the table of a path in a command: up to Delta 2.1 only the relation below has its name."""
    if target is None or target.kind != "path":
        return target
    tables = [read.dataset for each in op.inputs for read in each.reads if read.dataset.kind == "table"]
    return Dataset(tables[0].name, "table", "delta", target.name) if len(tables) == 1 else target


def _of_target(op: Operation, target: Dataset) -> Flow:
    """Return the relation below a command; the relation of a path has no name, and its columns are the target's."""
    below = op.input
    if below.reads:
        return below
    outputs = tuple(Output(each.name, each.expr_id, source(target.name, each.name)) for each in below.outputs)
    return Flow(outputs, reads=(Read(target, tuple(each.name for each in outputs), op.node.name),))


def _columns(op: Operation, target: Dataset, below: Flow) -> tuple[Operation, Mapping[int, Derivation]]:
    """Return the operation and its scope, with the target's columns that are truncated in the relation below.

    A row-level command has no other relation: an attribute that its arguments name is a column of the target.
    """
    if not (is_truncated(below) or any(read.is_truncated for read in below.reads)):
        unusual = [each for each in below.outputs if not each.name.isidentifier()]
        return (op.naming_outputs(unusual) if unusual else op), below.scope
    op = op.naming_arguments()
    named = {
        token.expr_id: op.names[token.expr_id][0] for token in find_attributes(op.node.text("Arguments"), op.names)
    }
    columns = {expr_id: source(target.name, name, confidence=INFERRED) for expr_id, name in named.items()}
    return op, {**columns, **below.scope}


def _where(op: Operation, parts: list[str], scope: Mapping[int, Derivation]) -> tuple[Condition, ...]:
    texts = [part for part in parts if "#" in part and not is_list(part)]
    return tuple(Condition(op.bind(text, scope), Transformation.FILTER) for text in texts)


def _target(op: Operation, parts: list[str]) -> Dataset | None:
    """Return the catalog table, or the path that `TahoeFileIndex.toString` prints, unless it is truncated."""
    location = next((match[2] for match in map(_INDEX.search, parts) if match), "") or _aliased(op)
    table = table_of(parts)
    if table is not None:
        return Dataset(table.name, table.kind, "delta", naming.path_name(location) if "/" in location[:12] else "")
    return naming.path(location, format="delta") if location and not location.startswith("...") else None


def _aliased(op: Operation) -> str:
    """Return the path of ``delta.`/data/x` ``, from the alias above the relation; empty for a catalog's table."""
    texts = [node.text("Arguments") for node in walk(op.node) if node.operator == "SubqueryAlias"]
    return next((match[1] for match in map(_PATH_ALIAS.search, texts) if match), "")


@operator(*(each.name for each in MAINTENANCE))
def maintain(op: Operation) -> Flow:
    """Name the table that it maintains or empties; reads and writes of its executions are not lineage.

    A `DeltaTableV2(` or, as a child, a `ResolvedTable`; up to 2.x its name or its location (`` `shop`.`orders`, 168.0,
    false ``).
    """
    found = (table_in(node.text("Arguments")) or _printed(node.arguments) for node in walk(op.node))
    target = next((each for each in found if each is not None), None)
    if target is None:
        return Flow(command=op.node.operator)
    return op.writes(Write(target, op.mode))


def _printed(parts: list[str]) -> Dataset | None:
    """Return the table of commands up to 2.x: `Option[String]` for a path, `Option[TableIdentifier]` for a table."""
    uri = next((part for part in parts[:1] if naming.is_location(part)), "")
    return naming.path(uri, format="delta") if uri else table_of(parts)


operator(
    "DescribeDeltaDetailCommand",
    "DescribeDeltaHistoryCommand",
    "ShowDeltaPartitionsCommand",
    "ShowDeltaTableColumnsCommand",
)(no_lineage)
operator("DeltaInvariantChecker", "DeltaOptimizedWriter")(pass_through)
