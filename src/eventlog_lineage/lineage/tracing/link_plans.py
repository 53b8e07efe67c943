"""Passes: bind the attributes that a statement's plans leave unbound."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.results.missing_source_gaps import with_gap
from eventlog_lineage.operators.attribute_links import bind_links
from eventlog_lineage.operators.flow import Flow, Output

from .logical_fallback import logical_fallback
from .match_by_name import bind_by_name
from .statement_trace import PlanTrace, StatementTrace


def link_across_plans(trace: StatementTrace) -> StatementTrace:
    """Bind attributes of each plan by the outputs of the plans that are linked to it."""
    statement = trace.statement
    linked = {index for link in statement.links for index in (link.plan, link.producer)}
    ids = {index: trace.texts[index].numbered.ids for index in linked}
    produced: dict[tuple[int, int], Output] = {}
    plans = list(trace.plans)
    for index in reversed(range(len(plans))):
        links = [link for link in statement.links if link.plan == index]
        bindings = {
            ids[index][link.attribute]: produced[link.producer, ids[link.producer][link.bound]]
            for link in links
            if (link.producer, ids[link.producer][link.bound]) in produced
        }
        plans[index] = replace(plans[index], bindings=bindings)
        for number, output in plans[index].resolution.bound.items():
            bound, _ = bind_links(Flow(outputs=(output,)), bindings)
            produced[index, number] = bound.outputs[0]
    known: dict[int, Output] = {}
    for each in reversed(plans[: statement.size]):
        known |= {**each.bindings, **each.inputs.handed_in}
    return replace(trace, plans=tuple(plans), bindings=known)


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
        logical = logical_fallback(text, flow, plan.bindings, lambda each: trace.resolve(each, (), plan.inputs).flow)
        flow = logical or flow
    scanned = trace.statement.context.scanned if index == 0 else ()
    return with_gap(*bind_by_name(flow, plan.bindings, scanned, trace.id_offsets()))


def unbound_to_gaps(trace: StatementTrace) -> StatementTrace:
    """Report the attributes of the root that are still unbound as a gap."""
    return trace.with_root(with_gap(*bind_links(trace.root, {})))
