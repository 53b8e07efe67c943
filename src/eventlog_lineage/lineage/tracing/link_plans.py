"""Passes: resolve each plan of a statement, then bind its attributes by scans of the same relations in other plans.

A temporary view over `spark.read.parquet(path)` is a command with a logical plan: `LogicalRelation parquet, [id#1L]`.
The scans of statements that read the view have the relation's attribute ids and the path (2.4 to 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from eventlog_lineage.datasets import naming
from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.extensions import Query, Role, find_command
from eventlog_lineage.lineage.statement import AttributeLink, RddSource
from eventlog_lineage.lineage.tracing.choose_source import hides_tables, logical_fallback, source_flow
from eventlog_lineage.lineage.tracing.command_flows import parsed_subqueries
from eventlog_lineage.lineage.tracing.resolve_plan import Resolution
from eventlog_lineage.lineage.tracing.statement_trace import PlanTrace, StatementTrace
from eventlog_lineage.lineage.tracing.streaming import batch_rows
from eventlog_lineage.lineage.tracing.unbound_columns import bind_by_name, bind_rdds, lacks_rows, with_gap
from eventlog_lineage.model import INFERRED, Gap, GapReason
from eventlog_lineage.operators.attribute_links import Bindings, bind_links, bind_whole
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, gaps_with, has_gap
from eventlog_lineage.operators.plan_context import PlanInputs
from eventlog_lineage.operators.scans import source_columns
from eventlog_lineage.operators.write_targets import table_of
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan, walk

_MISSING_HINT = "spark.sql.ui.explainMode is none, or the log is truncated"


def resolve_plans(trace: StatementTrace) -> StatementTrace:
    """Resolve the plans, the last first: later plans bind attributes of earlier ones.

    The root's plan gets the subqueries of the others, as a command may not print its own subqueries; the plans of a
    `foreachBatch` function, and of the checkpoints that it makes, get the rows of their micro-batch.
    """
    statement, gaps = trace.statement, list(trace.gaps)
    plans: dict[int, PlanTrace] = {}
    batch = Flow()
    subqueries: dict[int, Flow] = {}
    for index in sorted(range(len(trace.texts)), key=lambda each: (each != statement.context.batch, -each)):
        plan, gap = _read(trace.texts[index])
        rows = batch_rows(plan, batch.outputs) if not _is_linked(trace, index) else {}
        own = subqueries if index == 0 else {}
        inputs = PlanInputs(batch_values=rows, subqueries=own, user_tests=trace.texts[index].user_tests)
        resolution = trace.resolve(plan, _requested(trace, index), inputs)
        if index < statement.size:
            gaps += [gap] if gap is not None and not _is_unplanned(trace, index) else []
            for expr_id, flow in _subqueries(trace, index, resolution, inputs).items():
                subqueries[expr_id] = subqueries.get(expr_id, flow) if hides_tables(flow) else flow
        if index == statement.context.batch:
            batch = resolution.flow
        plans[index] = PlanTrace(plan, resolution, inputs)
    ordered = tuple(plans[index] for index in sorted(plans))
    flows = tuple(each.resolution.flow for each in ordered[: statement.size])
    return replace(trace, plans=ordered, flows=flows, gaps=tuple(gaps))


def _is_linked(trace: StatementTrace, index: int) -> bool:
    """Return whether other plans bind the rows of an execution outside the statement."""
    return index >= trace.statement.size and any(link.plan == index for link in trace.statement.links)


def _read(text: PlanText) -> tuple[Plan, Gap | None]:
    """Read a plan; a missing or unreadable text is a gap, an internal query is not."""
    if text.is_internal_query:
        return Plan(None), None
    if text.is_missing:
        return Plan(None), Gap(GapReason.MISSING_PLAN, "", "the execution has no plan text", _MISSING_HINT)
    try:
        return text.physical, None
    except PlanSyntaxError as error:
        return Plan(None), Gap(GapReason.UNPARSED_PLAN, "", str(error)[:500], error.hint)


def _is_unplanned(trace: StatementTrace, index: int) -> bool:
    """Return whether an execution failed before it was planned: its status shows that, and no plan is missing."""
    return trace.statement.context.rows.has_no_plan and trace.texts[index].is_missing


def _requested(trace: StatementTrace, index: int) -> set[int]:
    """Return the ids of a plan's attributes that other plans leave unbound."""
    attributes = [link.bound for link in trace.statement.links if link.producer == index and link.bound >= 0]
    ids = trace.texts[index].numbered.ids if attributes else ()
    return {ids[attribute] for attribute in attributes}


def _subqueries(trace: StatementTrace, index: int, resolution: Resolution, inputs: PlanInputs) -> Mapping[int, Flow]:
    """Return a plan's subqueries by id; from the logical plans for those whose physical plan hides a table."""
    text = trace.texts[index]
    if find_command(resolution.flow.command).role is Role.RESULT:
        return parsed_subqueries([text], trace.resolve)
    found = dict(resolution.subqueries)
    hidden = {expr_id for expr_id, flow in found.items() if hides_tables(flow)}
    for plan in text.logical if hidden else ():
        logical = trace.resolve(plan, (), inputs).subqueries
        found |= {expr_id: logical[expr_id] for expr_id in hidden & logical.keys() if not logical[expr_id].gaps}
        hidden -= {expr_id for expr_id in logical if not logical[expr_id].gaps}
    return found


_INLINE = re.compile(r"SubqueryAlias[^\n]*\n[^\n]*- LocalRelation\b|InlineTable\b")
"""`VALUES … AS t(k, v)` in a logical tree: an alias right above the rows; a temporary view has a `View` between."""
_UNNAMED = re.compile(r"col\d+")
"""The columns of a `VALUES` list without names (`ResolveInlineTables`)."""


def local_rows(plan: Plan, texts: Iterable[PlanText]) -> tuple[str, ...]:
    """Return the names of the columns whose rows the driver program passed to a plan.

    Args:
        texts: The texts of the statement's executions; their logical trees show lists of a SQL statement.
    """
    if any(_INLINE.search(text.text) for text in texts):
        return ()
    listed = (names for names in _local_relations(plan, are_empty=False) if not all(map(_UNNAMED.fullmatch, names)))
    return tuple(dict.fromkeys(chain.from_iterable(listed)))


def _local_relations(plan: Plan, *, are_empty: bool) -> Iterator[list[str]]:
    """Yield the names of the columns of each relation whose rows, or none, are in the plan."""
    for node in walk(plan.root):
        if node.operator == "LocalTableScan" and node.text("Arguments").startswith("<empty>") == are_empty:
            yield [name for name, _ in node.attributes("Output")]


def emptied_columns(plan: Plan) -> frozenset[str]:
    """Return the names of the columns of relations that the optimizer proved to be empty.

    `LocalTableScan <empty>, [k#1, count#2L]` replaces `… WHERE 1 = 0` (`PropagateEmptyRelation`, 2.4 to 4.3).
    """
    return frozenset(chain.from_iterable(_local_relations(plan, are_empty=True)))


@dataclass(frozen=True, slots=True)
class PathRelation:
    """A relation of files whose path the plan does not print.

    Attributes:
        format: The format of the files.
        attributes: Id to name, of the attributes that Spark did not truncate.
    """

    format: str
    attributes: Mapping[int, str]

    def dataset(self, bindings: Bindings) -> str:
        """Return the dataset that a scan of its attributes reads; empty without one, or with several."""
        found = {
            column.dataset
            for expr_id, name in self.attributes.items()
            if expr_id in bindings
            and (column := bindings[expr_id].derivation.column) is not None
            and column.column == name
        }
        return found.pop() if len(found) == 1 else ""


def path_relations(plan: Plan) -> Iterator[PathRelation]:
    """Yield the relations of a plan that print neither a table nor a path."""
    for node in walk(plan.root):
        if node.operator != "LogicalRelation" or table_of(parts := node.arguments) is not None:
            continue
        attributes = {found[1]: found[0] for item in node.listed("columns") if (found := read_attribute(item))}
        if attributes:
            yield PathRelation(parts[0], attributes)


def _bind_sampled(plan: Plan, sampled: Mapping[int, str], bindings: Bindings) -> tuple[Bindings, list[Read]]:
    """Return the bindings with the attributes of relations whose header another execution read, and their reads.

    Args:
        sampled: Id of a relation's first attribute to its path; its attributes are `inferred`.
    """
    added: dict[int, Output] = {}
    reads: list[Read] = []
    for relation in path_relations(plan):
        if path := sampled.get(next(iter(relation.attributes))):
            added |= source_columns(path, relation.attributes.items(), confidence=INFERRED)
            dataset = naming.path(path, format=relation.format)
            reads.append(Read(dataset, tuple(relation.attributes.values()), f"{relation.format} relation"))
    return {**added, **bindings}, reads


def bind_relations(plan: Plan, bindings: Bindings) -> Bindings:
    """Return the bindings with all attributes of the relations of which some are bound."""
    added: dict[int, Output] = {}
    for relation in path_relations(plan):
        if dataset := relation.dataset(bindings):
            added |= source_columns(dataset, relation.attributes.items())
    return {**added, **bindings} if added else bindings


_MAX_PRINTED = 24
"""The number of attributes that Spark prints of a truncated list by default (`maxToStringFields`)."""


def _bound_rows(
    links: Sequence[AttributeLink], ids: Sequence[int], row_flows: Mapping[int, Flow]
) -> tuple[dict[int, Output], tuple[Condition, ...]]:
    """Return the attributes that are rows of other plans, and the conditions of those plans.

    Args:
        links: The links of a plan; those to rows have a negative position.
    """
    bindings: dict[int, Output] = {}
    conditions: tuple[Condition, ...] = ()
    for producer in dict.fromkeys(link.producer for link in links if link.bound < 0):
        rows = [link for link in links if link.producer == producer and link.bound < 0]
        if _fits(rows, row_flows[producer]):
            outputs = row_flows[producer].outputs
            bindings |= {ids[link.attribute]: outputs[-1 - link.bound] for link in rows}
            conditions += row_flows[producer].conditions
    return bindings, conditions


def _linked_ids(trace: StatementTrace) -> dict[int, tuple[int, ...]]:
    """Return the attribute ids of the plans that bind attributes of others or have attributes bound, by their index."""
    linked = {index for link in trace.statement.links for index in (link.plan, link.producer)}
    return {index: trace.texts[index].numbered.ids for index in linked}


def link_across_plans(trace: StatementTrace) -> StatementTrace:
    """Bind attributes of each plan by the outputs of the plans that are linked to it.

    The conditions of a plan whose rows are checkpointed apply to the plans that read these rows, too.
    """
    statement = trace.statement
    row_producers = {link.producer for link in statement.links if link.bound < 0}
    ids = _linked_ids(trace)
    produced: dict[tuple[int, int], Output] = {}
    row_flows: dict[int, Flow] = {}
    plans = list(trace.plans)
    for index in reversed(range(len(plans))):
        links = [link for link in statement.links if link.plan == index]
        keys = _produced_keys(links, ids)
        bindings = {own: produced[key] for own, key in keys.items() if key in produced}
        rows, conditions = _bound_rows(links, ids.get(index, ()), row_flows)
        bindings |= rows
        plans[index] = replace(plans[index], bindings=bindings, conditions=conditions)
        produced |= {(index, expr_id): output for expr_id, output in _produced(plans[index], bindings)}
        if index in row_producers:
            row_flows[index] = bind_whole(plans[index].resolution.flow, bindings).with_conditions(*conditions)
    return replace(trace, plans=tuple(plans), bindings=_known_outputs(plans[: statement.size]))


def _produced(plan: PlanTrace, bindings: Bindings) -> Iterator[tuple[int, Output]]:
    """Yield the attributes that a plan binds for others, by their ids: of relations first, of which some are bound."""
    yield from bind_relations(plan.plan, bindings).items() if bindings else ()
    for expr_id, output in plan.resolution.bound.items():
        bound, _ = bind_links(Flow(outputs=(output,)), bindings)
        yield expr_id, bound.outputs[0]


def _produced_keys(links: Sequence[AttributeLink], ids: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Return the linked attributes of a plan to (plan, attribute) of those that bind them.

    Args:
        ids: The attributes of each linked plan, in the order of their numbers.
    """
    bound = (each for each in links if each.bound >= 0)
    return {ids[each.plan][each.attribute]: (each.producer, ids[each.producer][each.bound]) for each in bound}


def _known_outputs(own: Sequence[PlanTrace]) -> dict[int, Output]:
    """Return the outputs that the attributes of a statement's plans are bound to; the first plan takes precedence."""
    known: dict[int, Output] = {}
    for each in reversed(own):
        known |= {**each.bindings, **each.inputs.batch_values}
    return known


def _fits(rows: Sequence[AttributeLink], producer: Flow) -> bool:
    """Return whether a scan reads the outputs of a plan: it has as many columns, or its list may be truncated."""
    width = 1 + max(-1 - link.bound for link in rows)
    return width == len(producer.outputs) or _MAX_PRINTED <= width < len(producer.outputs)


def bind_own_plans(trace: StatementTrace) -> StatementTrace:
    """Bind the attributes of each execution's plan: by linked plans, then by its logical plans, then by name.

    Rows that no plan produces are those of the RDD that they are read from. Connectors read RDDs, too, of a query that
    another plan has; if that plan is not bound, either, the rows are a gap.
    """
    flows = [_bound(trace, index, trace.plans[index], {}) for index in range(trace.statement.size)]
    if (rdds := trace.rdds()) and lacks_rows(source_flow(flows)):
        read = [_bound(trace, index, trace.plans[index], rdds) for index in range(trace.statement.size)]
        others = [flow for flow in read if flow is not source_flow(read)]
        flows = flows if any(flow.write is not None and lacks_rows(flow) for flow in others) else read
    return replace(trace, flows=tuple(flows))


def _bound(trace: StatementTrace, index: int, plan: PlanTrace, rdds: Mapping[int, RddSource]) -> Flow:
    flow = plan.resolution.flow
    command = find_command(flow.command)
    if command.attributes_from_children or command.attributes_only:
        return flow  # `bind_merge`, or the format's own pass, binds its attributes
    flow = _with_logical(trace, trace.texts[index], plan) or flow
    scanned = trace.statement.context.hidden.scanned if index == 0 else ()
    bindings = bind_relations(plan.plan, plan.bindings) if Query.LOGICAL in command.query else plan.bindings
    if index == 0 and (sampled := trace.sampled()):
        bindings, reads = _bind_sampled(plan.plan, sampled, bindings)
        flow = flow.with_reads(*reads)
    flow, bindings = bind_rdds(flow, rdds, bindings)
    bound, unbound = bind_by_name(flow, bindings, scanned, trace.id_offsets())
    bound = bound.with_gaps(*_unprinted_paths(trace, index, plan))
    bound, others = bind_links(bound, {})  # what the rows of a checkpoint leave unbound
    bound, unbound = bound.with_conditions_everywhere(plan.conditions), tuple(dict.fromkeys((*unbound, *others)))
    if Query.LOGICAL in command.query and unbound:
        return _with_view_gap(bound, unbound, plan.plan, bindings)
    unknown = (*unbound, *_driver_rows(trace, plan))
    return with_gap(bound, tuple(dict.fromkeys(unknown)), emptied_columns(plan.plan))


def _with_view_gap(flow: Flow, unbound: Sequence[str], plan: Plan, bindings: Bindings) -> Flow:
    """Return the flow of a view's definition with one gap for the files that no statement reads.

    The columns that Spark truncated are part of this gap: a view that nobody reads is reported once.
    """
    unread = [relation for relation in path_relations(plan) if not relation.dataset(bindings)]
    names = {name for relation in unread for name in relation.attributes.values()}
    if not unread or not names.intersection(unbound):
        return with_gap(flow, unbound)
    formats = ", ".join(dict.fromkeys(relation.format for relation in unread))
    gap = Gap(
        GapReason.UNREAD_VIEW,
        flow.command,
        f"the definition does not print the path of its {formats} files, and no statement in the log reads them",
        "nothing to do unless the view is read in another application: Spark prints the path where the view is read",
    )
    kept = flow.without_gaps(gaps_with(flow.gaps, GapReason.TRUNCATED_FIELDS))
    return with_gap(kept.with_gaps(gap), [name for name in unbound if name not in names])


def _driver_rows(trace: StatementTrace, plan: PlanTrace) -> Iterable[str]:
    """Return the columns of rows that the driver made of a result, if the statement has such rows."""
    return local_rows(plan.plan, trace.own_texts) if trace.statement.context.rows.has_driver_rows else ()


def _datasets_of(bindings: Bindings) -> set[str]:
    origins = chain.from_iterable(each.derivation.sources for each in bindings.values())
    return set(chain.from_iterable(naming.separate_names(origin.dataset) for origin, _ in origins))


def _unprinted_paths(trace: StatementTrace, index: int, plan: PlanTrace) -> Iterator[Gap]:
    """Yield the gaps of scans in other plans that bind a plan's attributes: paths that they do not print."""
    used = _datasets_of(plan.bindings)
    for producer in dict.fromkeys(link.producer for link in trace.statement.links if link.plan == index):
        other = trace.plans[producer]
        gaps = gaps_with(other.resolution.flow.gaps, GapReason.UNKNOWN_SOURCE)
        own = [path for path in _scanned_paths(other.plan) if naming.path_name(path) in used] if gaps else []
        yield from (gap for gap in gaps if any(path in gap.detail for path in own))


def _scanned_paths(plan: Plan) -> Iterator[str]:
    """Yield the first path of each scan of files in a plan."""
    locations = (node.text("Location") for node in walk(plan.root))
    yield from filter(None, (naming.read_location(each).first for each in locations if each))


def _with_logical(trace: StatementTrace, text: PlanText, plan: PlanTrace) -> Flow | None:
    if text.is_internal_query:
        return None

    def resolve(logical: Plan) -> Flow:
        return trace.resolve(logical, (), plan.inputs).flow

    flow, bindings, is_emptied = plan.resolution.flow, plan.bindings, bool(emptied_columns(plan.plan))
    if has_gap(flow.gaps, GapReason.TRUNCATED_FIELDS) and text.written is not None:
        scanned = trace.resolve(plan.plan, set(text.numbered.ids), plan.inputs).bound
        bindings = bind_relations(text.written, {**scanned, **bindings})
    return logical_fallback(text, flow, bindings, resolve, is_emptied=is_emptied)


def unbound_to_gaps(trace: StatementTrace) -> StatementTrace:
    """Report the attributes of the root that are still unbound as a gap."""
    return trace.with_root(with_gap(*bind_links(trace.root, {})))
