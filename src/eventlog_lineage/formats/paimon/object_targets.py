"""Targets that are printed as objects, up to 0.9.

Most follow from the columns of the application's tables, and of those that the store has (`object_tables`).
A MERGE's is the scan in one of its jobs that has the ids of its assignments. Another write's is the one table on disk
that changed while it ran, where the harvest reads the tables' metadata.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from dataclasses import replace

from eventlog_lineage.formats.star_clauses import complete_star_clauses, star_source_ids, truncated_star_clauses
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.derivations.derivation import as_inferred
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import PlanNode, walk

from .tables import PRINTED_OBJECT, full_name

STREAM_SINK = "PaimonSink"
"""The class of a stream's sink, of which progress events print nothing else."""

_COMMAND = "MergeIntoPaimonTable"
_ASSIGNED = re.compile(r"\bassignment\([^,()#]+#(\d+)L?, ")


def name_merge_target(trace: StatementTrace) -> StatementTrace:
    """Name the table of a MERGE up to 0.9, `SparkTable(…FileStoreTable@55fcaa6d), SubqueryAlias t, …`."""
    text = trace.texts[0].text
    if _COMMAND not in text or PRINTED_OBJECT not in text or _is_named(trace):
        return trace
    assigned = {int(expr_id) for expr_id in _ASSIGNED.findall(text)}
    names = {name for each in trace.own_texts[1:] for name in _scanned(each, assigned)}
    return _named(trace, names.pop()) if len(names) == 1 else trace


def complete_merge(trace: StatementTrace) -> StatementTrace:
    """Complete the clauses of a wide MERGE with the columns that its jobs scan or derive."""
    text = trace.texts[0].text
    printed = {int(expr_id) for expr_id in _ASSIGNED.findall(text)} if _COMMAND in text else set()
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
    location, root = trace.statement.context.hidden.commit_location, trace.root.write
    if trace.tables.is_assumed and root is not None:
        return replace(trace, flows=tuple(map(_inferred, trace.flows)))
    known = trace.statement.context.names.tables
    if not location or root is None or (known.unnamed and not known.is_assumed) or root.mode == "merge":
        return trace
    folders = (pattern for _, pattern in trace.statement.catalog_settings.folders)
    if not any(root.target.name.endswith(f".{_name_at(location, each)}") for each in folders):
        return trace
    return replace(trace, flows=tuple(map(_inferred, trace.flows)))


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
    return {each.argument for each in nodes if each.operator == "BatchScan" and _ids(each) & assigned}


def _nodes(text: PlanText) -> list[PlanNode]:
    return list(walk(text.physical.root))


def _ids(scan: PlanNode) -> set[int]:
    return {expr_id for _, expr_id in _attributes(scan)}


def _attributes(node: PlanNode) -> list[tuple[str, int]]:
    items = (item.rpartition(" AS ")[2] for item in node.items("Output"))
    return [found for item in items if (found := read_attribute(item))]
