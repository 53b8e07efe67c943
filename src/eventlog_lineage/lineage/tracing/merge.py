"""Bind the attributes of a MERGE to the outputs of the executions that it runs, by evidence from outside its plans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eventlog_lineage.catalog.session_catalog import ScannedTable
from eventlog_lineage.extensions import find_command
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.assigned_columns import assigned, is_unchanged, row_columns
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import INFERRED, Derivation, as_inferred
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, Write
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.tree.nodes import Plan

from .command_results import attributes_of_target, bind_by_parsed_source, parsed_source
from .match_by_name import bind_by_name, unbound_attributes
from .missing_source_gaps import with_gap
from .statement_trace import StatementTrace


@dataclass(frozen=True, slots=True)
class MergeEvidence:
    """Evidence from other plans and from the jobs of a MERGE.

    Attributes:
        bindings: Attributes that the plans of other executions bind, by id.
        scanned: The tables that its jobs scan.
        parsed: The source's query from the parsed plan, if a text has one.
        target_attributes: The attributes of the target, by the aliases of the parsed plan: id to column name.
    """

    bindings: Mapping[int, Output] = field(default_factory=dict)
    scanned: Sequence[ScannedTable] = ()
    parsed: Flow | None = None
    target_attributes: Mapping[int, str] = field(default_factory=dict)


def merge_evidence(trace: StatementTrace) -> MergeEvidence:
    """Return the evidence for a statement that is a MERGE."""
    texts = trace.result_texts
    return MergeEvidence(
        trace.bindings,
        trace.statement.context.hidden.scanned,
        parsed_source(texts, trace.resolve),
        attributes_of_target(trace.texts[0], texts),
    )


def bind_merge(trace: StatementTrace) -> StatementTrace:
    """Bind the attributes of a MERGE that shares them with the executions that it runs.

    The command's flow then has the reads of the executions and the conditions of its source.
    """
    root = trace.root
    if not find_command(root.command).attributes_from_children or root.write is None or root.write.columns is None:
        return trace
    evidence = merge_evidence(trace)
    bindings = {**_target_columns(root.write), **evidence.bindings, **_outputs_of_executions(trace)}
    bindings = {**_materialized_rows(trace), **_pruned_columns(root, bindings), **bindings}
    resolved = {
        expr_id: bind_links(Flow(outputs=(each,)), bindings)[0].outputs[0] for expr_id, each in bindings.items()
    }
    flow, unbound = _bound(root, resolved, evidence, root.write.target)
    columns = flow.write.columns or () if flow.write else ()
    queries = [each for each in trace.flows[1:] if not each.command]
    merged = replace(
        flow,
        conditions=(*flow.conditions, *_source_conditions(queries)),
        reads=(
            *flow.reads,
            *(read for each in queries for read in each.reads),
            *_target_reads(flow, root.write.target),
        ),
        write=replace(root.write, columns=_assigned(root.write, columns)),
    )
    return trace.with_root(with_gap(merged, unbound))


def _assigned(write: Write, columns: Sequence[Output]) -> tuple[Output, ...]:
    """Return the columns that a MERGE assigns; one that merges a table into itself assigns what its source selects.

    Delta's UPDATE clause lists all columns; one that it does not assign has the target's attribute of its name.
    """
    unbound_ids = [unbound_attributes([each.derivation]).keys() for each in write.columns or ()]
    if len(unbound_ids) != len(columns):
        return assigned(columns, write.target.name)
    kept = [
        each
        for each, expr_ids in zip(columns, unbound_ids, strict=True)
        if (expr_ids and expr_ids <= write.source_attributes) or not is_unchanged(each, write.target.name)
    ]
    renamed = [
        each
        for each, unbound in zip(columns, write.columns or (), strict=True)
        if unbound.name not in unbound_attributes([unbound.derivation]).values()
    ]
    return assigned(kept or renamed or columns, "")


def _target_columns(write: Write) -> dict[int, Output]:
    """Return the target's columns by the ids of the attributes that the clauses assign."""
    columns = {column.expr_id: column.name for column in write.columns or () if column.expr_id >= 0}
    return {expr_id: Output(name, expr_id, source(write.target.name, name)) for expr_id, name in columns.items()}


def _pruned_columns(root: Flow, bindings: Bindings) -> dict[int, Output]:
    """Return the target's columns that no execution reads, such as those of an empty table, by the root's attributes.

    The attributes of a relation have consecutive ids in the order of its columns (`LogicalRelation.apply`), and the
    ids of a MERGE keep their order. An unbound attribute with the name of a target's column is that column if its id
    is as far from the id of a bound column as the two columns are in the table, with no attribute of another relation
    between them.

    Args:
        root: Of the command; its write names all columns of the target, in order.
    """
    if root.write is None or not root.write.names:
        return {}
    table = root.write.target.name
    order = {name.lower(): position for position, name in enumerate(root.write.names)}
    anchors = {
        expr_id: order[output.name.lower()]
        for expr_id, output in bindings.items()
        if is_unchanged(output, table) and output.name.lower() in order
    }
    others = sorted(expr_id for expr_id in bindings if expr_id not in anchors)

    def is_column(expr_id: int, position: int, anchor: int) -> bool:
        low, high = sorted((anchor, expr_id))
        known = anchors[anchor]
        is_ordered = (expr_id > anchor) == (position > known) and high - low <= abs(position - known)
        return is_ordered and bisect_right(others, low) == bisect_left(others, high)

    return {
        expr_id: Output(name, expr_id, source(table, name, confidence=INFERRED))
        for expr_id, name in unbound_attributes(_derivations(root)).items()
        if expr_id not in bindings
        and name.lower() in order
        and any(is_column(expr_id, order[name.lower()], anchor) for anchor in anchors)
    }


def _outputs_of_executions(trace: StatementTrace) -> dict[int, Output]:
    """Return the outputs that bind the root's attributes, and those that these depend on.

    The physical plans of the executions are tried first, then their logical plans.
    """
    requested = unbound_attributes(_derivations(trace.root)).keys()
    found: dict[int, Output] = {}
    for plan in _plans(trace):
        missing = {expr_id for expr_id in requested if expr_id not in found}
        missing |= unbound_attributes(output.derivation for output in found.values()).keys()
        if not missing:
            break
        for expr_id, output in trace.resolve(plan, missing).bound.items():
            if expr_id not in found or not unbound_attributes([output.derivation]):
                found[expr_id] = output
    return found


def _materialized_rows(trace: StatementTrace) -> dict[int, Output]:
    """Return the columns of the source's rows that one execution computes and others read, by the readers' attributes.

    Delta materializes the source of a MERGE (2.4 to 4.4). Its plan has the attributes of the tables in place of
    aliases that only rename; the readers have those of the source, in the same order and with the same names.
    """
    scans = [(text, scan) for text in trace.own_texts[1:] for scan in text.summary.row_scans]
    readers = {text.summary.fingerprint for text, _ in scans}
    queries = [
        flow.outputs
        for text, flow in zip(trace.own_texts[1:], trace.flows[1:], strict=False)
        if not flow.command and text.summary.fingerprint not in readers
    ]
    found: dict[int, Output] = {}
    for _, scan in scans:
        computing = [each for each in queries if ", ".join(output.name for output in each) == scan.names]
        if len(computing) == 1 and len(computing[0]) == len(scan.ids):
            found |= dict(zip(scan.ids, computing[0], strict=True))
    return found


def _plans(trace: StatementTrace) -> Iterator[Plan]:
    """Yield the physical plans of the inner executions, then their logical plans; internal queries are omitted."""
    size = trace.statement.size
    yield from (each.plan for each in trace.plans[1:size] if each.plan is not None)
    for text in trace.texts[1:size]:
        if not text.is_internal_query:
            yield from text.logical


def _bound(
    root: Flow, bindings: Mapping[int, Output], evidence: MergeEvidence, target: Dataset
) -> tuple[Flow, tuple[str, ...]]:
    """Bind the root's attributes: by other plans, then by the source's query, then by name."""
    if (flow := bind_by_parsed_source(root, bindings, evidence.parsed)) is not None:
        return flow, ()
    sources = [table for table in evidence.scanned if table.name != target.name] or evidence.scanned
    return bind_by_name(root, bindings, sources)


def _target_reads(flow: Flow, target: Dataset) -> Iterator[Read]:
    """Yield the read of the target's columns: an insert-only MERGE looks for its keys in a job without a plan."""
    origins = (origin for each in _derivations(flow) for origin, _ in each.sources if origin.dataset == target.name)
    if columns := tuple(dict.fromkeys(origin.column for origin in origins)):
        yield Read(target, columns, flow.command)


def _derivations(flow: Flow) -> list[Derivation]:
    columns = flow.write.columns or () if flow.write else ()
    return [each.derivation for each in columns] + [each.derivation for each in flow.conditions]


def _source_conditions(flows: Sequence[Flow]) -> tuple[Condition, ...]:
    """Return the filters and keys of the source's query that are completely bound."""
    return tuple(
        condition
        for flow in flows
        for condition in flow.conditions
        if all(origin.dataset and origin.column not in row_columns() for origin, _ in condition.derivation.sources)
    )


def mark_completed_as_inferred(trace: StatementTrace) -> StatementTrace:
    """Mark the lineage of the completed columns as inferred."""
    write = trace.root.write
    if not trace.completed or write is None or not write.columns:
        return trace
    columns = tuple(
        Output(each.name, each.expr_id, as_inferred(each.derivation)) if each.name in trace.completed else each
        for each in write.columns
    )
    flow: Flow = replace(trace.root, write=replace(write, columns=columns))
    return trace.with_root(flow)
