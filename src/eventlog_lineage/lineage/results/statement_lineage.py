"""The lineage of a traced statement: its edges, reads and writes, gaps and schema observations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.tracing.choose_source import columns_of, source_flow, target_of
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.model import Dataset, DatasetAccess, Edge, Gap, GapReason
from eventlog_lineage.observed_schemas import SchemaObservation
from eventlog_lineage.operators.derivations.derivation import truncated
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.plan.expressions.lists import without_truncation

from .dataset_io import accesses_of, aliases_of, datasets_of, reads_of
from .edges import build_edges
from .lineage_fingerprint import lineage_fingerprint
from .missing_source_gaps import distinct_gaps, metadata_gaps, missing_rows_gap, name_gaps, unnamed_source_gaps
from .schema_observations import StatementFlows, observe_schemas
from .view_reads import view_accesses

_CHANGES = frozenset({"merge", "update", "delete"})
"""Write modes whose conditions influence the whole table, even if the statement assigns no column."""

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
        edges: Edges from source to target columns.
        accesses: Datasets read and written.
        aliases: (table name, location) of the tables whose location the plans print.
        datasets: The datasets that occur, with kind, format and location.
        gaps: What could not be resolved.
        observations: Observations of the datasets' schemas.
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


def lineage_of(trace: StatementTrace) -> StatementLineage:
    """Return the lineage of a traced statement; a multi-insert is one statement with several targets.

    Args:
        trace: The statement after all passes.
    """
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
    outer = [each for each in inserts if each.write is not None and find_command(each.write.node_name).v1_fallback]
    rows = [flow for flow in trace.flows[1:] if not flow.command and flow.outputs]
    if len(outer) != len(rows):
        return [[insert] for insert in inserts]
    following = iter(rows)
    return [[insert, next(following)] if insert in outer else [insert] for insert in inserts]


def _multi_insert(inserts: Sequence[StatementLineage], reads: Sequence[Read], gaps: Sequence[Gap]) -> StatementLineage:
    """Combine the lineages of a multi-insert: its target is the first one, its edges name their own targets.

    Args:
        inserts: The lineage of each insert.
        reads: The reads of the whole statement.
        gaps: The gaps of the whole statement.
    """
    edges = tuple(edge for insert in inserts for edge in insert.edges)
    others = tuple(
        access for insert in inserts for access in insert.accesses if access.mode
    )  # writes, and views read through
    accesses = (*accesses_of(reads, None, ()), *dict.fromkeys(others))
    distinct = tuple(dict.fromkeys((*gaps, *(gap for insert in inserts for gap in insert.gaps))))
    return replace(
        inserts[0],
        fingerprint=lineage_fingerprint(edges, accesses, distinct),
        edges=edges,
        accesses=accesses,
        aliases=tuple(dict.fromkeys(alias for insert in inserts for alias in insert.aliases)),
        datasets=tuple(dict.fromkeys(dataset for insert in inserts for dataset in insert.datasets)),
        gaps=distinct,
        observations=tuple(dict.fromkeys(each for insert in inserts for each in insert.observations)),
    )


def _lineage(trace: StatementTrace, flows: Sequence[Flow], found: Sequence[Gap]) -> StatementLineage:
    """Return the lineage of a statement with one target at most, or of one insert of a multi-insert.

    Args:
        trace: The statement after all passes.
        flows: The flows of its executions, the root's first; the flow of the insert.
        found: The gaps that are in no flow.
    """
    statement = trace.statement
    source = source_flow(flows)
    write = target_of(flows)
    if write is not None and write.is_optional and statement.size == 1 and (source.command or not source.outputs):
        source, write = Flow(command=flows[0].command), None  # no nested execution has the rows: the table exists
    columns = columns_of(source, write)
    if write is not None and write.columns is None and not columns and _lacks_rows(write, flows[0].command):
        columns = source.outputs or tuple(Output(name, -1, truncated(name, {})) for name in write.names)
        found = (*found, missing_rows_gap(write))
    columns, truncation = _without_truncation(columns, flows[0].command)
    found = (*found, *truncation)
    target = write.target if write else None
    has_edges = columns or (write is not None and write.mode in _CHANGES)
    edges = build_edges(columns, source.conditions, target.name if target else None) if has_edges else ()
    from_metadata = metadata_gaps(trace.own_texts, source, columns)
    unnamed = name_gaps((each.plan for each in trace.plans), columns) if write is None else []
    gaps = distinct_gaps((*found, *_gaps_of_flows(flows[0], source, write), *from_metadata, *unnamed))
    gaps = (*gaps, *unnamed_source_gaps(edges, gaps))
    reads = () if source.command and write is None else reads_of(source.reads, trace.linked_reads, edges)
    views = view_accesses(trace.own_texts, statement.context.views, target.name if target else None)
    accesses = (*accesses_of(reads, write, columns), *views)
    text = next((each.text for each, flow in zip(trace.texts, flows, strict=False) if flow is source), "")
    return StatementLineage(
        fingerprint=lineage_fingerprint(edges, accesses, gaps),
        command=flows[0].command or "query",
        target=target,
        mode=write.mode if write else "",
        edges=edges,
        accesses=accesses,
        aliases=aliases_of(flows, reads, write, statement.catalog_settings, statement.context.commit_location),
        datasets=tuple(dict.fromkeys((*datasets_of(reads, source, write), *(access.dataset for access in views)))),
        gaps=gaps,
        observations=observe_schemas(StatementFlows(flows, source, text, write, columns, edges)),
    )


def _gaps_of_flows(root: Flow, source: Flow, write: Write | None) -> Iterator[Gap]:
    """Yield the gaps of the outer command and of the execution that has the rows, as far as they concern the lineage.

    Args:
        root: The flow of the root execution.
        source: The flow that the written values come from.
        write: The statement's write.
    """
    yield from (gap for gap in root.gaps if source is root or gap.reason in _OUTER_REASONS)
    has_target = write is not None and source is not root
    yield from (gap for gap in source.gaps if not has_target or gap.reason is not GapReason.UNKNOWN_TARGET)
    if write is not None and write.is_database_assumed:
        yield _without_database(write)


def _without_truncation(columns: tuple[Output, ...], operator: str) -> tuple[tuple[Output, ...], tuple[Gap, ...]]:
    """Return the columns without `... 41 more fields`, which Spark prints in place of the last columns.

    This text has no attribute id; a column of that name has one.

    Args:
        columns: The columns that the statement writes.
        operator: The command, for the gap.
    """
    names = [column.name for column in columns if column.expr_id < 0]
    missing = sum(without_truncation([name])[1] for name in names)
    if not missing:
        return columns, ()
    what = f"{missing} of {len(columns) - 1 + missing} columns"
    hint = "set spark.sql.debug.maxToStringFields to more columns than the widest table has"
    kept = tuple(column for column in columns if column.expr_id >= 0 or not without_truncation([column.name])[1])
    gap = Gap(GapReason.TRUNCATED_FIELDS, operator, f"{what} are truncated", hint, f"{what} are cut off")
    return kept, (gap,)


def _lacks_rows(write: Write, command: str) -> bool:
    """Return whether a write without columns has rows: it names columns, or always runs its query elsewhere.

    Args:
        write: The statement's write.
        command: Its command.
    """
    known = find_command(command)
    return bool(write.names) or known.v1_fallback or (known.fills_new_table and known.at_root)


def _without_database(write: Write) -> Gap:
    """Return the gap of a target printed as the user wrote it, in a session whose database is unknown."""
    return Gap(
        GapReason.UNKNOWN_TARGET,
        write.node_name,
        f"the table is printed without a database and assumed to be {write.target.name}",
        "the log does not have the session's current database: name the database in the statement",
        f"the table is printed without its database, and taken for {write.target.name}",
    )
