"""The lineage of a traced statement: edges, reads, writes and views, gaps, schema observations, and its fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import TypeVar

from eventlog_lineage.catalog.application_facts import CatalogSettings
from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Command, Rows, Target, find_command
from eventlog_lineage.lineage.results.edges import build_edges, column_joins
from eventlog_lineage.lineage.results.schema_observations import StatementFlows, observe_schemas
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.lineage.tracing.choose_source import columns_of, source_flow, target_of
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.lineage.tracing.unbound_columns import (
    distinct_gaps,
    metadata_gaps,
    missing_rows_gap,
    name_gaps,
    unnamed_source_gaps,
    without_hashes,
)
from eventlog_lineage.model import ROW_CHANGES, ColumnJoin, Dataset, DatasetAccess, Edge, Gap, GapReason
from eventlog_lineage.observed_schemas import SchemaObservation
from eventlog_lineage.operators.derivations.derivation import truncated
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.operators.operation import LIST_LIMIT
from eventlog_lineage.operators.write_targets import lacks_name
from eventlog_lineage.plan.grammar.attribute_ids import ANY_ID
from eventlog_lineage.plan.grammar.symbols import listed
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.printed.sections import Mode, ViewRead

_Fact = TypeVar("_Fact")

_WITHOUT_QUERY = frozenset({"alter", "drop", "maintenance", "truncate"})
"""Modes of commands that write no rows of a query."""

_ALL_FIELDS = f"{LIST_LIMIT} to more columns than the widest table has"
_OUTER_REASONS = frozenset({GapReason.UNKNOWN_OPERATOR, GapReason.UNKNOWN_TARGET, GapReason.UNPARSED_PLAN})
"""Reasons of gaps of the outer command's plan that are reported although an inner plan has the lineage."""


@dataclass(frozen=True, slots=True)
class StatementLineage:
    """The lineage of a statement.

    Attributes:
        fingerprint: Identifies the lineage; equal for statements whose edges differ only in literals.
        command: The command, or `query`.
        target: The dataset that it writes, the first one of a multi-insert; None for a query.
        mode: The write mode; empty for a query.
        aliases: (table name, location) of the tables whose location the plans print.
        datasets: The datasets that occur, with kind, format and location.
        joins: The columns that it joins with each other.
    """

    fingerprint: str
    command: str
    target: Dataset | None
    mode: str
    edges: tuple[Edge, ...]
    accesses: tuple[DatasetAccess, ...]
    aliases: tuple[tuple[str, str], ...]
    datasets: tuple[Dataset, ...]
    gaps: tuple[Gap, ...]
    observations: tuple[SchemaObservation, ...] = ()
    joins: tuple[ColumnJoin, ...] = ()


def lineage_of(trace: StatementTrace) -> StatementLineage:
    """Return the lineage of a traced statement; a multi-insert is one statement with several targets."""
    root = trace.root
    if not root.inserts:
        return _lineage(trace, trace.flows, trace.gaps)
    flows = _insert_flows(trace)
    inserts = [_lineage(trace, each, ()) for each in flows]
    reads = (*root.reads, *(read for _, *rows in flows for flow in rows for read in flow.reads))
    return _multi_insert(inserts, reads_of(reads, trace.linked_reads, ()), (*trace.gaps, *root.gaps))


def _insert_flows(trace: StatementTrace) -> list[list[Flow]]:
    """Return the inserts of a multi-insert, each with the execution that has its rows.

    V1 fallbacks (`AppendDataExecV1`) run their queries as executions of their own, one after the other.
    """
    inserts = trace.root.inserts
    writes = [(each, find_command(each.write.node_name)) for each in inserts if each.write is not None]
    outer = [each for each, command in writes if command.rows is Rows.ELSEWHERE]
    rows = [flow for flow in trace.flows[1:] if not flow.command and flow.outputs]
    following = iter(rows)
    outer = outer if len(outer) == len(rows) else []
    return [[insert, next(following)] if insert in outer else [insert] for insert in inserts]


def _multi_insert(inserts: Sequence[StatementLineage], reads: Sequence[Read], gaps: Sequence[Gap]) -> StatementLineage:
    """Combine the lineages of a multi-insert: its target is the first one, its edges name their own targets."""
    edges = tuple(edge for insert in inserts for edge in insert.edges)
    others = [access for access in _distinct(each.accesses for each in inserts) if access.mode]  # not the plain reads
    accesses = (*accesses_of(reads, None, ()), *others)
    distinct = _distinct((gaps, *map(attrgetter("gaps"), inserts)))
    joins = _distinct(map(attrgetter("joins"), inserts))
    return replace(
        inserts[0],
        fingerprint=lineage_fingerprint(edges, accesses, distinct, joins),
        edges=edges,
        accesses=accesses,
        aliases=_distinct(map(attrgetter("aliases"), inserts)),
        datasets=_distinct(map(attrgetter("datasets"), inserts)),
        gaps=distinct,
        observations=_distinct(map(attrgetter("observations"), inserts)),
        joins=joins,
    )


def _distinct(groups: Iterable[Sequence[_Fact]]) -> tuple[_Fact, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(groups)))


def _written_columns(source: Flow, write: Write | None, command: str) -> tuple[tuple[Output, ...], tuple[Gap, ...]]:
    """Return the columns that a statement writes, and the gaps of those that no plan has."""
    columns = columns_of(source, write)
    gaps: tuple[Gap, ...] = ()
    if write is not None and write.columns is None and not columns and _lacks_rows(write, command):
        columns = source.outputs or tuple(Output(name, -1, truncated(name, {})) for name in write.names)
        gaps = (missing_rows_gap(write),)
    columns, truncation = _without_truncation(columns, command)
    columns, unnamed = _without_unnamed(columns, write, command)
    return columns, (*gaps, *truncation, *unnamed)


def _lineage(trace: StatementTrace, flows: Sequence[Flow], found: Sequence[Gap]) -> StatementLineage:
    """Return the lineage of a statement with one target at most, or of one insert of a multi-insert.

    Args:
        flows: The flows of its executions, the root's first; the flow of the insert.
    """
    statement = trace.statement
    source, write = _source_and_target(statement, flows)
    columns, more = _written_columns(source, write, flows[0].command)
    more = (*more, *_lost_query(columns, write, flows[0].command, trace.own_texts))
    target = write.target if write else None
    name = target.name if target else None
    edges, joins = _edges_and_joins(columns, source, write)
    hidden = _hidden_source_gaps(trace, source, write, columns)
    more = (*more, *_lost_attributes(edges, flows[0].command, trace.own_texts))
    gaps = distinct_gaps((*found, *more, *_gaps_of_flows(flows[0], source, write), *hidden))
    gaps = without_hashes(_with_lengths((*gaps, *unnamed_source_gaps(edges, gaps)), trace.own_texts))
    reads = () if source.command and write is None else reads_of(source.reads, trace.linked_reads, edges)
    views = view_accesses(trace.own_texts, statement.context.hidden.views, name)
    accesses = (*accesses_of(reads, write, columns), *views)
    shown = (*datasets_of(reads, source, write), *map(attrgetter("dataset"), views), *symlinks_of(source.reads, write))
    text = next((each.text for each, flow in zip(trace.texts, flows, strict=False) if flow is source), "")
    return StatementLineage(
        fingerprint=lineage_fingerprint(edges, accesses, gaps, joins),
        command=flows[0].command or "query",
        target=target,
        mode=write.mode if write else "",
        edges=edges,
        accesses=accesses,
        aliases=aliases_of(flows, reads, write, statement.catalog_settings, statement.context.hidden.commit_location),
        datasets=tuple(dict.fromkeys(shown)),
        gaps=gaps,
        observations=observe_schemas(StatementFlows(flows, source, text, write, columns, edges)),
        joins=joins,
    )


def _edges_and_joins(
    columns: Sequence[Output], source: Flow, write: Write | None
) -> tuple[tuple[Edge, ...], tuple[ColumnJoin, ...]]:
    """Return the edges of columns and conditions; a statement without columns has some if it changes rows."""
    if not columns and (write is None or write.mode not in ROW_CHANGES):
        return (), ()
    name = write.target.name if write is not None else None
    return build_edges(columns, source.conditions, name), column_joins(columns, source.conditions)


_OF_CUT_TEXTS = (GapReason.TRUNCATED_FIELDS, GapReason.DANGLING_ATTRIBUTE)


def _source_and_target(statement: Statement, flows: Sequence[Flow]) -> tuple[Flow, Write | None]:
    """Return the flow of a statement's rows, and its write; neither if its target exists and stays as it is."""
    source, write = source_flow(flows), target_of(flows)
    if write is not None and write.is_optional:
        lacks_query = write.columns is None and statement.size == 1
        if lacks_query or statement.context.rows.ran_no_job:
            return Flow(command=flows[0].command), None
    return source, write


def _hidden_source_gaps(
    trace: StatementTrace, source: Flow, write: Write | None, columns: Sequence[Output]
) -> Iterator[Gap]:
    """Yield the gaps of values that statistics answer, and of the names of a query's columns."""
    yield from metadata_gaps(trace.own_texts, source, columns)
    if write is None:
        yield from name_gaps((each.plan for each in trace.plans), columns)


def _gaps_of_flows(root: Flow, source: Flow, write: Write | None) -> Iterator[Gap]:
    """Yield the gaps of the outer command and of the execution that has the rows that concern the lineage."""
    yield from (gap for gap in root.gaps if source is root or gap.reason in _OUTER_REASONS)
    has_target = write is not None and source is not root
    yield from (gap for gap in source.gaps if not has_target or gap.reason is not GapReason.UNKNOWN_TARGET)
    if write is not None and write.is_database_assumed:
        yield _without_database(write)


def _without_truncation(columns: tuple[Output, ...], operator: str) -> tuple[tuple[Output, ...], tuple[Gap, ...]]:
    """Return the columns without `... 41 more fields`, which Spark prints in place of the last columns.

    This text has no attribute id; a column of that name has one.
    """
    names = [column.name for column in columns if column.expr_id < 0]
    missing = sum(listed([name]).missing for name in names)
    if not missing:
        return columns, ()
    what = f"{missing} of {len(columns) - 1 + missing} columns"
    hint = f"set {_ALL_FIELDS}"
    kept = tuple(column for column in columns if column.expr_id >= 0 or not listed([column.name]).missing)
    gap = Gap(GapReason.TRUNCATED_FIELDS, operator, f"{what} are truncated", hint)
    return kept, (gap,)


def _without_unnamed(
    columns: tuple[Output, ...], write: Write | None, command: str
) -> tuple[tuple[Output, ...], tuple[Gap, ...]]:
    """Return the columns of a target without results of aggregates whose names no text has.

    Simple text and `sparkPlanInfo` print the functions; a query's result keeps its function as its name.
    """
    unnamed = list(filter(lacks_name, columns))
    if not unnamed:
        return columns, ()
    detail = f"the names of {len(unnamed)} of {len(columns)} columns are not printed: {unnamed[0].name}"
    gap = Gap(GapReason.TRUNCATED_FIELDS, command, detail, "set spark.sql.ui.explainMode=formatted")
    return (columns if write is None else tuple(each for each in columns if each not in unnamed)), (gap,)


def _truncated_length(texts: Sequence[PlanText]) -> int:
    """Return the length of the longest text that `spark.sql.maxPlanStringLength` truncated; 0 if it truncated none."""
    return max((each.sections.length for each in texts if each.sections is not None), default=0)


def _lacks_query(command: Command, columns: Sequence[Output], texts: Sequence[PlanText]) -> bool:
    if Rows.OWN in command.rows:
        return all(each.sections is None or not each.sections.analyzed for each in texts)
    return not columns and (command.mode != "create" or command.fills_new_table)


def _lost_query(
    columns: Sequence[Output], write: Write | None, command: str, texts: Sequence[PlanText]
) -> Iterator[Gap]:
    """Yield a gap if a text may be truncated before the query of its command.

    A command that changes rows prints its columns as its arguments; no tree has them, but each logical plan.
    """
    known = find_command(command)
    writes = command and (write is not None or known.mode) and known.mode not in _WITHOUT_QUERY
    if writes and _truncated_length(texts) and _lacks_query(known, columns, texts):
        yield Gap(GapReason.TRUNCATED_FIELDS, command, "the text is truncated before its query", "")


def _lost_attributes(edges: Sequence[Edge], command: str, texts: Sequence[PlanText]) -> Iterator[Gap]:
    """Yield a gap for columns of attributes that the rest of a truncated text, or simple text, does not print.

    A tree has no results of an aggregate; an attribute without a declaration reads like a constant.
    """
    lost = [each for each in edges if each.source_dataset is None and ANY_ID.search(each.expression or "")]
    is_simple = any(each.sections is not None and each.sections.mode is Mode.SIMPLE for each in texts)
    if lost and (is_simple or _truncated_length(texts)):
        names = ", ".join(dict.fromkeys(each.target_column or "all rows" for each in lost))
        detail = f"{names}: the text does not print what makes them"
        yield Gap(GapReason.TRUNCATED_FIELDS, command, detail, "set spark.sql.ui.explainMode=formatted")


def _with_lengths(gaps: Sequence[Gap], texts: Sequence[PlanText]) -> tuple[Gap, ...]:
    """Return the gaps; the hint of truncated lists names the length of a plan text that Spark truncated."""
    length = _truncated_length(texts)
    hint = f"set spark.sql.maxPlanStringLength to at least {length}; {_ALL_FIELDS}"
    return tuple(replace(gap, hint=hint) if length and gap.reason in _OF_CUT_TEXTS else gap for gap in gaps)


def _lacks_rows(write: Write, command: str) -> bool:
    """Return whether a write without columns has rows: it names columns, or always runs its query elsewhere."""
    known = find_command(command)
    return bool(write.names) or known.rows is Rows.ELSEWHERE or (known.fills_new_table and known.at_root)


def _without_database(write: Write) -> Gap:
    """Return the gap of a target printed as the user wrote it, in a session whose database is unknown."""
    return Gap(
        GapReason.UNKNOWN_TARGET,
        write.node_name,
        f"the table is printed without a database and assumed to be {write.target.name}",
        "the log does not have the session's current database: name the database in the statement",
    )


def reads_of(own: Sequence[Read], others: Sequence[Read], edges: Sequence[Edge]) -> tuple[Read, ...]:
    """Return the reads of a statement, one per dataset.

    Args:
        others: The reads of linked plans; only columns that edges start at are included.
    """
    reads: dict[str, Read] = {}
    for read in own:
        known = reads.get(read.dataset.name)
        reads[read.dataset.name] = replace(read, columns=(*known.columns, *read.columns)) if known else read
    for read in others:
        name = read.dataset.name
        columns = tuple(edge.source_column for edge in edges if edge.source_dataset == name and edge.source_column)
        if name not in reads and columns:
            reads[name] = replace(read, columns=columns)
    return tuple(replace(read, columns=tuple(dict.fromkeys(read.columns))) for read in reads.values())


def accesses_of(reads: Sequence[Read], write: Write | None, columns: Sequence[Output]) -> tuple[DatasetAccess, ...]:
    """Return the accesses of a statement to its datasets, reads first."""
    accesses = [DatasetAccess(read.dataset, "read", "", read.columns) for read in reads]
    if write is not None:
        accesses.append(DatasetAccess(write.target, "write", write.mode, tuple(column.name for column in columns)))
    return tuple(accesses)


def _locations_of(
    flows: Sequence[Flow], write: Write, catalog_settings: CatalogSettings, commit_location: str
) -> list[str]:
    """Return the locations of a written table: as printed, else that of its catalog or of its commit."""
    printed = (*(flow.write.location for flow in flows if flow.write is not None), write.target.location)
    if locations := list(filter(None, printed)):
        return locations
    if find_command(flows[0].command).target is Target.WITHOUT_LOCATION or write.managed:
        return [catalog_settings.managed_location(write.target.name)]
    is_committed = bool(commit_location) and write.target.kind == "table"
    return [naming.path_name(commit_location)] if is_committed else []


def aliases_of(
    flows: Sequence[Flow],
    reads: Sequence[Read],
    write: Write | None,
    catalog_settings: CatalogSettings,
    commit_location: str = "",
) -> tuple[tuple[str, str], ...]:
    """Return (table, location of its files) from scans, writes, commits and catalog settings.

    Args:
        commit_location: Location of the table that the statement's jobs commit to; empty if they do not name it.
    """
    pairs = [(read.dataset.name, read.dataset.location) for read in reads if _has_location(read.dataset)]
    if write is not None and write.target.kind in {"table", "view"}:
        locations = _locations_of(flows, write, catalog_settings, commit_location)
        pairs += [(write.target.name, location) for location in locations if location]
    tables = [read.dataset.name for read in reads] + ([write.target.name] if write is not None else [])
    return tuple(dict.fromkeys((*pairs, *_managed(tables, catalog_settings))))


def _managed(tables: Iterable[str], catalog_settings: CatalogSettings) -> Iterator[tuple[str, str]]:
    """Yield the tables whose locations follow from the folders of their catalogs."""
    folders = dict(catalog_settings.folders)
    for table in tables:
        if table.partition(".")[0] in folders and (location := catalog_settings.managed_location(table)):
            yield table, location


def _has_location(dataset: Dataset) -> bool:
    return dataset.kind == "table" and bool(dataset.location)


def datasets_of(reads: Sequence[Read], source: Flow, write: Write | None) -> list[Dataset]:
    """Return the datasets of a statement; the target with location and format from the inner plan's write."""
    found = [read.dataset for read in reads]
    if write is not None:
        inner = source.write
        location = write.target.location or write.location or (inner.location if inner is not None else "")
        file_format = write.target.format or (inner.target.format if inner is not None else "")
        found.append(replace(write.target, location=location, format=file_format))
    return found


def symlinks_of(reads: Iterable[Read], write: Write | None) -> Iterator[Dataset]:
    """Yield the other names of tables of other systems, each with the name in the system as location."""
    named = [(each.symlink, each.dataset) for each in reads]
    named += [(write.symlink, write.target)] if write is not None else []
    others = ((name, each) for name, each in named if name and each.kind in {"jdbc", "other"})
    return (Dataset(name, SYMLINK, location=each.name) for name, each in others)


SYMLINK = "symlink"
"""The kind of a dataset that is another name of the dataset in its location."""

VIEW_MODE = "view"
"""The mode of an access through a view. It creates no edges: views are transparent."""


def view_accesses(texts: Iterable[PlanText], known: Sequence[ViewRead], write: str | None) -> tuple[DatasetAccess, ...]:
    """Return the distinct views that a statement reads through.

    Args:
        known: Views from the Thrift server's plan of the statement.
        write: Name of the dataset that the statement writes, which is not read.
    """
    columns: dict[Dataset, tuple[str, ...]] = {}
    for view in (*(view for text in texts for view in text.views), *known):
        dataset = _view(view.name)
        columns[dataset] = tuple(dict.fromkeys((*columns.get(dataset, ()), *view.columns)))
    return tuple(
        DatasetAccess(dataset, "read", VIEW_MODE, names)
        for dataset, names in columns.items()
        if dataset.name != write and not naming.is_generated_view(dataset.name)
    )


def _view(name: str) -> Dataset:
    """Return the dataset of a view: a temporary one has no database, a global one has `global_temp`."""
    parts = naming.split_name(name)
    if len(parts) == 1 or parts[-2] == "global_temp":
        return Dataset(".".join(parts[-2:]).lower(), "temp_view")
    return Dataset(naming.table_name(name), "view")


def lineage_fingerprint(
    edges: Sequence[Edge], accesses: Sequence[DatasetAccess], gaps: Sequence[Gap], joins: Sequence[ColumnJoin] = ()
) -> str:
    """Return the fingerprint of a lineage: 32 hexadecimal digits.

    Args:
        edges: Its edges; literals in their expressions are ignored.
    """
    patterns = {edge.pattern: _hashed(edge.pattern) for edge in edges}  # long, and the same for a column's edges
    lines = [
        f"{edge.source_dataset}|{edge.source_column}|{edge.target_column}|{edge.target_ordinal}"
        f"|{edge.transformation}|{edge.masking}|{edge.confidence}|{patterns[edge.pattern]}"
        for edge in edges
    ]
    lines += [f"{access.direction}|{access.mode}|{access.dataset.name}" for access in accesses]
    lines += [f"{gap.reason}|{gap.operator}|{gap.detail}" for gap in gaps]
    lines += [
        f"join|{each.left_dataset}|{each.left_column}|{each.right_dataset}|{each.right_column}|{each.operator}"
        for each in joins
    ]
    return _hashed("\n".join(sorted(lines)))


def _hashed(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
