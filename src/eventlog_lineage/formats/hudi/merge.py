"""Trace Hudi's MERGE, whose jobs show the target; incremental reads; queries without Hudi's own columns."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace

from eventlog_lineage.catalog.settings import session_table_at
from eventlog_lineage.datasets import naming
from eventlog_lineage.formats.star_clauses import complete_star_clauses, truncated_star_clauses
from eventlog_lineage.lineage.tracing.command_flows import MergeEvidence, bind_by_parsed_source, merge_evidence
from eventlog_lineage.lineage.tracing.match_by_name import bind_by_name
from eventlog_lineage.lineage.tracing.missing_source_gaps import with_gap
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.model import Dataset, Gap, GapReason, Transformation
from eventlog_lineage.operators.assigned_columns import assigned
from eventlog_lineage.operators.attribute_links import Bindings
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import refines
from eventlog_lineage.operators.rules.filter import filter_rows
from eventlog_lineage.operators.scans import source_columns

COMMAND = "MergeIntoHoodieTableCommand"


def bind_merge(trace: StatementTrace) -> StatementTrace:
    """Bind the attributes of Hudi's MERGE, and add its write."""
    if trace.root.command != COMMAND:
        return trace
    location, settings = trace.statement.context.hidden.commit_location, trace.statement.catalog_settings
    evidence = merge_evidence(trace)
    flow, unbound = committed(trace.root, location, evidence, trace.id_offsets(), settings.managed_location)
    if evidence.parsed is None and (view := _filtered_view(trace)):
        flow = flow.with_gaps(_hidden_query(f"of the view {view}, or of the table below it"))
    return trace.with_root(with_gap(flow, unbound))


def _filtered_view(trace: StatementTrace) -> str:
    """Return the temporary view with filters or keys that has attributes of the source; empty if there is none.

    The command prints the attributes of the source, which a view that only selects has in common with its table.
    """
    for each in trace.plans[trace.statement.size :]:
        write = each.resolution.flow.write
        if write is not None and write.target.kind == "temp_view" and each.resolution.flow.conditions:
            return write.target.name
    return ""


def complete_merge(trace: StatementTrace) -> StatementTrace:
    """Complete the clauses of a wide MERGE with the columns of the table that its jobs scan."""
    stars = truncated_star_clauses(trace.texts[0].text) if COMMAND in trace.texts[0].text else []
    if not stars:
        return trace
    lists = {
        columns
        for table in trace.statement.context.hidden.scanned
        for columns in (*table.column_lists, table.columns)
        if len(columns) == stars[0][1] and list(columns[: len(stars[0][0])]) == stars[0][0]
    }
    for columns in sorted(lists) if len(lists) == 1 else ():
        trace = complete_star_clauses(trace, [(name, 0) for name in columns])
    return trace


def committed(
    flow: Flow,
    location: str,
    evidence: MergeEvidence,
    id_offsets: Mapping[int, int],
    default_location: Callable[[str], str],
) -> tuple[Flow, tuple[str, ...]]:
    """Return the command's flow over columns, with its write.

    The target's attributes are those that the clauses assign, and those of the ON condition that are compared with the
    source's: the connector only supports `target.key = source.key`.

    Args:
        flow: The flow of the command: per assignment an output with the id of the target's attribute; attributes are
            unbound.
        location: The target's location; empty if no job shows it.
        id_offsets: As in `match_by_name.bind_by_name`.
        default_location: Returns the default location of a table by its name; empty if unknown.

    Returns:
        The flow, and the names of the attributes that remain unbound.
    """
    bindings, scanned = evidence.bindings, evidence.scanned
    if not location:
        return bind_by_name(flow, bindings, scanned, id_offsets)
    short = location.rstrip("/").rpartition("/")[2]  # 0.14 and 0.15 join the source with the target's keys
    scanned = [table for table in scanned if table.name.rpartition(".")[2] != short] or scanned
    target = _table_at(location, default_location)
    ids = _target_ids(flow, evidence, target, default_location)
    known = {**bindings, **source_columns(target.name, ids.items())}
    parsed = bind_by_parsed_source(flow, known, evidence.parsed)
    bound, unbound = (parsed, ()) if parsed is not None else bind_by_name(flow, known, scanned, id_offsets)
    return _written(bound, target, is_parsed=parsed is not None), unbound


def _target_ids(
    flow: Flow, evidence: MergeEvidence, target: Dataset, default_location: Callable[[str], str]
) -> dict[int, str]:
    """Return the names of the target's attributes, by id."""
    ids = {output.expr_id: output.name for output in flow.outputs}
    if evidence.target_attributes:
        return {**ids, **evidence.target_attributes}
    ids |= _own_attributes(evidence.bindings, ids, target.name, default_location)
    return ids | dict(_keys(flow.conditions, evidence.bindings, ids))


def _written(bound: Flow, target: Dataset, *, is_parsed: bool) -> Flow:
    """Return a command's bound flow with its read and its write of the target."""
    values = assigned(sorted(bound.outputs, key=lambda output: output.expr_id), target.name)
    origins = [origin for each in bound.values for origin, _ in each.sources]
    columns = dict.fromkeys(origin.column for origin in origins if origin.dataset == target.name)
    joined = sorted({origin.dataset for origin in origins} - {"", target.name})
    hidden = [_hidden_query(f"that joins {' and '.join(joined)}")] if not is_parsed and len(joined) > 1 else []
    return replace(
        bound,
        outputs=(),
        reads=(*bound.reads, Read(target, tuple(columns), COMMAND)),
        write=Write(target, "merge", values, node_name=COMMAND),
        gaps=(*(gap for gap in bound.gaps if gap.reason is not GapReason.UNKNOWN_TARGET), *hidden),
    )


def _table_at(location: str, default_location: Callable[[str], str]) -> Dataset:
    """Return the session catalog's table with this default location; otherwise the path.

    Args:
        default_location: Returns the default location of a table of the session catalog.
    """
    if name := session_table_at(location, default_location):
        return naming.table(name, format="hudi", location=naming.path_name(location))
    return naming.path(location, format="hudi")


def _hidden_query(source_query: str) -> Gap:
    """Return the gap of a source query, which the command does not print."""
    return Gap(
        GapReason.UNKNOWN_SOURCE,
        COMMAND,
        f"the plan does not have the query {source_query}: its keys and filters are unknown",
        "set spark.sql.ui.explainMode=extended: the result of the MERGE then has the parsed query of its source",
    )


def _own_attributes(
    bindings: Bindings, assigned_to: Mapping[int, str], location: str, default_location: Callable[[str], str]
) -> dict[int, str]:
    """Return the target's attributes that another execution binds to the target, by a read of it.

    The session caches a table's relation (`SessionCatalog.getCachedPlan`): all queries read it with the same ids.

    Args:
        default_location: Returns the default location of a table of the session catalog.
    """
    columns = {
        expr_id: origin for expr_id, output in bindings.items() if (origin := output.derivation.column) is not None
    }
    assigned_of = {columns[expr_id].dataset for expr_id in assigned_to if expr_id in columns}
    return {
        expr_id: origin.column
        for expr_id, origin in columns.items()
        if origin.dataset and (origin.dataset in assigned_of or default_location(origin.dataset) == location)
    }


def _keys(
    conditions: tuple[Condition, ...], bindings: Bindings, assigned_to: Container[int]
) -> Iterator[tuple[int, str]]:
    """Yield the attributes of ON that no other execution binds, if it binds one of them: those of the other side.

    If a clause assigns one of them, that one is the target's, and the others are the source's.
    """
    for condition in conditions:
        attributes = [origin for origin, _ in condition.derivation.sources if not origin.dataset]
        known = [origin for origin in attributes if origin.attribute in bindings]
        if any(origin.attribute in assigned_to for origin in attributes):
            continue
        if condition.kind is Transformation.JOIN and known:
            yield from ((each.attribute, each.column) for each in attributes if each not in known)


INCREMENTAL = "HoodieIncrementalFileIndex"
_INSTANT = "_hoodie_commit_time"


@refines("Filter")
def filter_increment(op: Operation) -> Flow | None:
    """Remove the times of commits from the filter of an incremental read: Hudi 1.x adds them to every such scan."""
    scan = op.node.children[0] if op.node.children else None
    if scan is None or not scan.text("Location").startswith(INCREMENTAL):
        return None
    flow = filter_rows(op)
    kept = (_without_instant(each) for each in flow.conditions)
    return replace(flow, conditions=tuple(each for each in kept if each is not None))


def _without_instant(condition: Condition) -> Condition | None:
    sources = condition.derivation.sources
    kept = {key: influence for key, influence in sources.items() if key[0].column != _INSTANT}
    if len(kept) == len(sources):
        return condition
    return Condition(Derivation(kept, condition.derivation.parts), condition.kind) if kept else None


_METADATA = ("commit_time", "commit_seqno", "record_key", "partition_path", "file_name")
"""Hudi's columns in their order, after `_hoodie_` (`HoodieRecord.HOODIE_META_COLUMNS`, 0.x and 1.x)."""


def without_metadata(trace: StatementTrace) -> StatementTrace:
    """Remove Hudi's columns from the outputs of a query where all of them follow one another, as a star lists them."""
    root = trace.root
    if root.write is not None or root.command or trace.statement.context.stream is not None:
        return trace
    own = tuple(f"_hoodie_{name}" for name in _METADATA)
    outputs = list(root.outputs)
    names = [output.name for output in outputs]
    for start in range(len(names) - len(own), -1, -1):
        if tuple(names[start : start + len(own)]) == own:
            del outputs[start : start + len(own)]
    return trace if len(outputs) == len(root.outputs) else trace.with_root(replace(root, outputs=tuple(outputs)))
