"""Paimon's tables, which plans print without their catalog (scans, writes, its writer) or as objects (to 0.9).

Most objects follow from the columns of the application's tables, and of those that the store has (`object_tables`).
A MERGE's is the scan in one of its jobs that has the ids of its assignments. Another write's is the one table on disk
that changed while it ran, where the harvest reads the tables' metadata.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.lineage.tracing.command_flows import (
    complete_star_clauses,
    star_source_ids,
    truncated_star_clauses,
)
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.derivations.derivation import as_inferred
from eventlog_lineage.operators.flow import Condition, Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import refines
from eventlog_lineage.operators.scans import filters_on, predicate_columns, unnamed_source
from eventlog_lineage.operators.write_targets import assigned_attributes, listed_query, names_of_query
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.printed.formatted import DESCRIPTION
from eventlog_lineage.plan.printed.operator_lines import read_relation, table_of_scan
from eventlog_lineage.plan.tree.nodes import PlanNode, walk

SAME_ROWS = re.compile(r"(?:\$branch_[^$.]+)?(?:\$(?:audit_log|binlog|ro))?$")
"""Suffixes of names for the same rows: a branch of the table, or its rows with further columns."""
PRINTED_OBJECT = "FileStoreTable@"
"""The text of a table that is printed only as an object."""

SCAN_OBJECT = "class org.apache.paimon.spark.Paimon"
"""The description of the scans of row-level commands, up to 0.9."""

_CATALOG = ".paimon."
"""Part of the classes of Paimon's catalogs."""
_SCAN = re.compile(r"^Paimon\w*Scan$")
_SCAN_LINE = re.compile(r"^Paimon\w*Scan: (.*)$", re.DOTALL)
"""The same in tree strings."""
_SCANNED = re.compile(r"^\[([^\]]+)\]")
_PARTITIONS = re.compile(r"\b(?:Partition|Pushed)Filters: \[(.*?)\](?:, \w+: |$)", re.DOTALL)
_STORE = re.compile(r"^\w+(?:FileStore|Format|Object)?Table\[([\w$.`-]+)\]$")
WRITER = "org.apache.paimon.spark.commands.PaimonSparkWriter$$"
WRITERS_OWN = frozenset({"_bucket_", "_row_kind_"})
"""Columns that Paimon's commands add to the rows for their writer."""
_OBJECT_HINT = (
    "Paimon before 1.0 prints an object for the table, and neither the log nor the store shows which table it is: "
    "harvest the log of the application that creates it before this one, harvest with --table-metadata, "
    "or set spark.sql.ui.explainMode=extended, whose analyzed plan has the name"
)
_BARE_HINT = (
    "the system tables of Paimon before 1.0 are printed without their database, and the application uses no table, or "
    "several, of that name: give the tables distinct names"
)


def paimon_catalog(catalogs: Mapping[str, str]) -> str:
    """Return the name of the only Paimon catalog; the session catalog's if there are none or several."""
    names = [name for word, name in catalogs.items() if _CATALOG in word and name]
    return names[0] if len(names) == 1 else naming.SESSION_CATALOG


def full_name(name: str, catalogs: Mapping[str, str]) -> str:
    """Return the table of `BatchScan shop.orders` or of `shop.orders`, with its catalog's name."""
    name = SAME_ROWS.sub("", name.rpartition(" ")[2])
    return f"{paimon_catalog(catalogs)}.{name}" if name.count(".") == 1 else name


def name_scan(scan: str, catalogs: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the table of a scan in a job's RDD; the V2 scans of other connectors print its catalog."""
    kind, table = table_of_scan(scan)
    is_short = scan.startswith("BatchScan ") and not kind and table.count(".") == 1
    return (naming.table_name(table, catalog=paimon_catalog(catalogs)), "paimon") if is_short else None


def catalog_folder(settings: Mapping[str, str], key: str) -> str | None:
    """Return the location pattern of the tables of a catalog without a metastore; None for others."""
    is_folder = _CATALOG in settings[key] and settings.get(f"{key}.metastore", "filesystem") == "filesystem"
    return "{database}.db/{table}" if is_folder else None


def scanned_table(op: Operation) -> Dataset | None:
    """Return the table of a scan: `BatchScan shop.orders`, or the name alone in its description (`BaseScan`, 1.x).

    Args:
        op: The scan, with `PaimonScan: [orders], DataFilters: […]` below its output; row-level commands up to 0.9 print
            `class org.apache.paimon.spark.PaimonSplitScan`.

    Returns:
        None for scans of other connectors; `unknown`, with a gap, for a name whose database is unknown.
    """
    match = _SCANNED.match(_described(op))
    is_object = bool(op.node.argument) and SCAN_OBJECT in op.node.text(DESCRIPTION)
    if match is None and not is_object:
        return None
    name = op.node.argument or (match[1] if match else "")
    named = name_table(op, name)
    return named or unnamed_source(op, f"the scan prints {name} without its database", _BARE_HINT)


def name_table(op: Operation, name: str) -> Dataset | None:
    """Return the dataset of `shop.orders`, `orders$audit_log` …; None for an unknown name without a database."""
    words = naming.split_name(name)
    if not words:
        return None
    words[-1] = SAME_ROWS.sub("", words[-1])
    if len(words) == 1:
        known = op.plan.tables.of_unqualified(words[0])
        words = naming.split_name(known) if known else []
    if not words:
        return None
    quoted = ".".join(f"`{word}`" for word in words)
    full = naming.table_name(quoted, catalog=paimon_catalog(op.plan.catalogs))
    return Dataset(full, "table", "paimon")


def unnamed_table(op: Operation) -> Dataset | None:
    """Return the dataset of a table that is printed only as an object; None if no plan names it."""
    return name_table(op, op.plan.tables.unnamed)


def written_table(op: Operation, text: str) -> Dataset | None:
    """Return the table of `PrimaryKeyFileStoreTable[shop.orders]`, or of `RelationV2[id#1L] cat.db.t db.t`.

    Source: Paimon's `BaseTable.toString` of V1 writes, `DataSourceV2Relation.simpleString` of commands (1.4). Up to 0.9
    it is `SparkTable(org.apache.paimon.table.PrimaryKeyFileStoreTable@73396bdc)`, which another plan may name.
    """
    if PRINTED_OBJECT in text and not text.startswith("RelationV2["):
        return unnamed_table(op)
    if relation := read_relation(text):
        return name_table(op, relation.identifier)
    match = _STORE.match(text)
    return name_table(op, match[1]) if match else None


def partition_conditions(op: Operation, dataset: Dataset) -> list[Condition]:
    """Return the filters that only the scan applies: `PaimonScan: [orders], PartitionFilters: [Equal(day, 1)]`.

    Up to 1.3 they are all `PushedFilters`; filters of the query are repeated by a Filter above.
    """
    match = _PARTITIONS.search(_described(op))
    return filters_on(dataset, predicate_columns(match[1]), match[1]) if match else []


def _described(op: Operation) -> str:
    labeled = next((field.text for label, field in op.node.fields.items() if _SCAN.match(label)), "")
    match = None if labeled else _SCAN_LINE.match(op.node.text(DESCRIPTION))
    return match[1] if match else labeled


def owns_write(op: Operation) -> bool:
    """Return whether a write uses Paimon's connector: `PaimonWrite(table=shop.marked, …)`."""
    return "Paimon" in op.node.text("Arguments")


@refines("AppendDataExecV1", "OverwriteByExpressionExecV1")
def v1_write(op: Operation) -> Flow | None:
    """Name the table of a V1 write; its rows may be in no execution, so their attributes are unbound.

    `Arguments: PrimaryKeyFileStoreTable[shop.orders], Project [id#1L, k#2L], …`
    """
    parts = op.node.arguments
    target = written_table(op, parts[0]) if parts else None
    if target is not None:
        op = op.naming_arguments()
        rows = op.outputs(listed_query(parts[1:]), op.unbound_arguments()) or None
        names, is_truncated = names_of_query(parts[1:]), listed_query(parts[1:]).missing > 0
        return op.writes(Write(target, op.mode, rows, names, is_truncated=is_truncated))
    if parts and PRINTED_OBJECT in parts[0]:
        return op.unknown_target(_OBJECT_HINT)
    return None


@refines("SerializeFromObject")
def rows_of_writer(op: Operation) -> Flow | None:
    """Return the input rows of Paimon's writer (`PaimonSparkWriter$$Lambda` over `DeserializeToObject`).

    The writer's outputs are messages for its commit: its input rows are the written rows.
    """
    writers = [node for node in op.node.children if WRITER in node.text("Arguments")]
    rows = [row for node in writers for given in node.children for row in given.children]
    if len(rows) != 1:
        return None
    below = op.below(rows[0]).completed()
    return below.with_outputs(output for output in below.outputs if output.name not in WRITERS_OWN)


STREAM_SINK = "PaimonSink"
"""The class of a stream's sink, of which progress events print nothing else."""

_COMMAND = "MergeIntoPaimonTable"


def name_merge_target(trace: StatementTrace) -> StatementTrace:
    """Name the table of a MERGE up to 0.9, `SparkTable(…FileStoreTable@55fcaa6d), SubqueryAlias t, …`."""
    text = trace.texts[0].text
    if _COMMAND not in text or PRINTED_OBJECT not in text or _is_named(trace):
        return trace
    assigned = set(assigned_attributes(text))
    names = {name for each in trace.own_texts[1:] for name in _scanned(each, assigned)}
    return _named(trace, names.pop()) if len(names) == 1 else trace


def complete_merge(trace: StatementTrace) -> StatementTrace:
    """Complete the clauses of a wide MERGE with the columns that its jobs scan or derive."""
    text = trace.texts[0].text
    printed = set(assigned_attributes(text)) if _COMMAND in text else set()
    if not printed or not truncated_star_clauses(text):
        return trace
    nodes = [node for each in trace.own_texts[1:] if not each.is_missing for node in _nodes(each)]
    target = _widest([node for node in nodes if node.operator == "BatchScan"], lambda ids: not printed.isdisjoint(ids))
    own, values = frozenset(target.values()), star_source_ids(text)
    given = _widest(nodes, lambda ids: values <= ids and own.isdisjoint(ids))
    return complete_star_clauses(trace, list(target.items()), given)


def _widest(nodes: Iterable[PlanNode], fits: Callable[[Set[int]], bool]) -> dict[str, int]:
    """Return the attributes of the node with most of them, of those whose ids fit; none if no node's do."""
    rows = (dict(_attributes(node)) for node in nodes)
    return max((row for row in rows if fits({*row.values()})), key=len, default={})


def name_changed_table(trace: StatementTrace) -> StatementTrace:
    """Name the target by the table that changed while the statement ran."""
    location = trace.statement.context.hidden.commit_location
    if not location or _is_named(trace) or PRINTED_OBJECT not in trace.texts[0].text:
        return trace
    words = (_name_at(location, pattern) for _, pattern in trace.statement.catalog_settings.folders)
    name = next(filter(None, words), "")
    return _named(trace, name) if name else trace


def _is_named(trace: StatementTrace) -> bool:
    return bool(trace.tables.unnamed) and not trace.tables.is_assumed


def _named(trace: StatementTrace, name: str) -> StatementTrace:
    return replace(trace, tables=replace(trace.tables, unnamed=name, is_assumed=False))


def name_stream_sink(trace: StatementTrace) -> StatementTrace:
    """Name the table of a micro-batch by the columns of the rows that its writer takes."""
    stream, context = trace.statement.context.stream, trace.statement.context
    if stream is None or stream.unnamed_sink != STREAM_SINK or not trace.tables.unnamed:
        return trace
    table = full_name(trace.tables.unnamed, dict(trace.statement.catalog_settings.catalogs))
    named = replace(stream, sink=Dataset(table, "table", "paimon"), unnamed_sink="")
    statement = replace(trace.statement, context=replace(context, stream=named))
    return replace(trace, statement=statement, flows=tuple(map(_inferred, trace.flows)))


def infer_columns(trace: StatementTrace) -> StatementTrace:
    """Make the columns of a write inferred, whose target follows from its columns or from the table that changed."""
    write = trace.root.write
    if write is None or not (trace.tables.is_assumed or _is_changed_table(trace, write)):
        return trace
    return replace(trace, flows=tuple(map(_inferred, trace.flows)))


def _is_changed_table(trace: StatementTrace, write: Write) -> bool:
    """Return whether a write that prints no name has the table that changed while the statement ran as its target."""
    location, known = trace.statement.context.hidden.commit_location, trace.statement.context.names.tables
    if not location or write.mode == "merge" or (known.unnamed and not known.is_assumed):
        return False
    folders = trace.statement.catalog_settings.folders
    return any(write.target.name.endswith(f".{_name_at(location, pattern)}") for _, pattern in folders)


def _name_at(location: str, pattern: str) -> str:
    """Return `database.table` of a location below a catalog's folder; empty elsewhere.

    Args:
        pattern: The catalog's, `file:///lake/{database}.db/{table}`.
    """
    folder, _, rest = pattern.partition("{database}")
    suffix, _, _ = rest.partition("{table}")
    database, found, table = location.removeprefix(folder).rstrip("/").partition(suffix)
    return f"{database}.{table}" if location.startswith(folder) and found and "/" not in database + table else ""


def _inferred(flow: Flow) -> Flow:
    outputs = tuple(each.mapped(as_inferred) for each in flow.outputs)
    write = flow.write
    if write is not None and write.columns:
        write = replace(write, columns=tuple(each.mapped(as_inferred) for each in write.columns))
    return replace(flow, outputs=outputs, write=write)


def _scanned(text: PlanText, assigned: set[int]) -> set[str]:
    nodes = () if text.is_missing else _nodes(text)
    scans = (node for node in nodes if node.operator == "BatchScan")
    return {scan.argument for scan in scans if any(expr_id in assigned for _, expr_id in _attributes(scan))}


def _nodes(text: PlanText) -> list[PlanNode]:
    return list(walk(text.physical.root))


def _attributes(node: PlanNode) -> list[tuple[str, int]]:
    items = (item.rpartition(" AS ")[2] for item in node.items("Output"))
    return [found for item in items if (found := read_attribute(item))]
