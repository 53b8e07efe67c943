"""Passes: bind the attributes that a statement's plans leave unbound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.results.missing_source_gaps import with_gap, with_view_gap
from eventlog_lineage.lineage.statement import AttributeLink
from eventlog_lineage.operators.attribute_links import bind_links, bind_whole
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.plan.nodes import Plan
from eventlog_lineage.plan.plan_text import PlanText

from .local_rows import emptied_columns, local_rows
from .logical_fallback import logical_fallback
from .match_by_name import bind_by_name
from .path_relations import bind_relations, bind_sampled, path_relations, sampled_reads
from .statement_trace import PlanTrace, StatementTrace

_MAX_PRINTED = 24
"""The number of attributes that Spark prints of a truncated list by default (`maxToStringFields`)."""


def link_across_plans(trace: StatementTrace) -> StatementTrace:
    """Bind attributes of each plan by the outputs of the plans that are linked to it.

    The conditions of a plan whose rows are checkpointed apply to the plans that read these rows, too.
    """
    statement = trace.statement
    linked = {index for link in statement.links for index in (link.plan, link.producer)}
    row_producers = {link.producer for link in statement.links if link.bound < 0}
    ids = {index: trace.texts[index].numbered.ids for index in linked}
    produced: dict[tuple[int, int], Output] = {}
    row_flows: dict[int, Flow] = {}
    plans = list(trace.plans)
    for index in reversed(range(len(plans))):
        links = [link for link in statement.links if link.plan == index]
        bindings = {
            ids[index][link.attribute]: produced[link.producer, ids[link.producer][link.bound]]
            for link in links
            if link.bound >= 0 and (link.producer, ids[link.producer][link.bound]) in produced
        }
        conditions: tuple[Condition, ...] = ()
        for producer in dict.fromkeys(link.producer for link in links if link.bound < 0):
            rows = [link for link in links if link.producer == producer and link.bound < 0]
            if not _fits(rows, row_flows[producer]):
                continue
            outputs = row_flows[producer].outputs
            bindings |= {ids[index][link.attribute]: outputs[-1 - link.bound] for link in rows}
            conditions += row_flows[producer].conditions
        plans[index] = replace(plans[index], bindings=bindings, conditions=conditions)
        for expr_id, output in plans[index].resolution.bound.items():
            bound, _ = bind_links(Flow(outputs=(output,)), bindings)
            produced[index, expr_id] = bound.outputs[0]
        if index in row_producers:
            row_flows[index] = bind_whole(plans[index].resolution.flow, bindings).with_conditions(*conditions)
    known: dict[int, Output] = {}
    for each in reversed(plans[: statement.size]):
        known |= {**each.bindings, **each.inputs.batch_values}
    return replace(trace, plans=tuple(plans), bindings=known)


def _fits(rows: Sequence[AttributeLink], producer: Flow) -> bool:
    """Return whether a scan reads the outputs of a plan: it has as many columns, or its list may be truncated.

    Args:
        rows: The links of the scan's attributes.
        producer: The flow of the plan that computes the rows.
    """
    width = 1 + max(-1 - link.bound for link in rows)
    return width == len(producer.outputs) or _MAX_PRINTED <= width < len(producer.outputs)


def bind_own_plans(trace: StatementTrace) -> StatementTrace:
    """Bind the attributes of each execution's plan: by linked plans, then by its logical plans, then by name."""
    flows = [_bound(trace, index, trace.plans[index]) for index in range(trace.statement.size)]
    return replace(trace, flows=tuple(flows))


def _bound(trace: StatementTrace, index: int, plan: PlanTrace) -> Flow:
    flow = plan.resolution.flow
    command = find_command(flow.command)
    if command.attributes_from_children or command.attributes_only:
        return flow  # `bind_merge`, or the format's own pass, binds its attributes
    text = trace.texts[index]
    if not text.is_internal_query:
        flow = _with_logical(trace, text, plan) or flow
    scanned = trace.statement.context.scanned if index == 0 else ()
    bindings = bind_relations(plan.plan, plan.bindings) if command.binds_paths else plan.bindings
    if index == 0 and (sampled := trace.sampled()):
        bindings = bind_sampled(plan.plan, sampled, bindings)
        flow = replace(flow, reads=(*flow.reads, *sampled_reads(plan.plan, sampled)))
    bound, unbound = bind_by_name(flow, bindings, scanned, trace.id_offsets())
    bound, others = bind_links(bound, {})  # what the rows of a checkpoint leave unbound
    bound, unbound = bound.with_conditions_everywhere(plan.conditions), tuple(dict.fromkeys((*unbound, *others)))
    if command.binds_paths and unbound:
        unread = [each for each in path_relations(plan.plan) if not each.dataset(bindings)]
        return with_view_gap(bound, unbound, unread)
    rows = local_rows(plan.plan, trace.own_texts) if trace.statement.context.has_driver_rows else ()
    return with_gap(bound, tuple(dict.fromkeys((*unbound, *rows))), emptied_columns(plan.plan))


def _with_logical(trace: StatementTrace, text: PlanText, plan: PlanTrace) -> Flow | None:
    def resolve(logical: Plan) -> Flow:
        return trace.resolve(logical, (), plan.inputs).flow

    is_emptied = bool(emptied_columns(plan.plan))
    return logical_fallback(text, plan.resolution.flow, plan.bindings, resolve, is_emptied=is_emptied)


def unbound_to_gaps(trace: StatementTrace) -> StatementTrace:
    """Report the attributes of the root that are still unbound as a gap."""
    return trace.with_root(with_gap(*bind_links(trace.root, {})))
