"""Resolve each plan of a statement, independently of the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.extensions import Role, find_command
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan

from . import command_results
from .logical_fallback import hides_tables
from .resolve_plan import PlanInputs, Resolution
from .statement_trace import PlanTrace, StatementTrace
from .streaming import batch_rows

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
        inputs = PlanInputs(
            batch_values=batch_rows(plan, batch.outputs) if not _is_linked(trace, index) else {},
            subqueries=subqueries if index == 0 else {},
            user_tests=trace.texts[index].user_tests,
        )
        resolution = trace.resolve(plan, _requested(trace, index), inputs) if plan else Resolution(Flow(), {})
        if index < statement.size:
            gaps += [gap] if gap is not None and not _is_unplanned(trace, index) else []
            found = _subqueries(trace, index, resolution, inputs).items()
            subqueries |= {each: flow for each, flow in found if each not in subqueries or not hides_tables(flow)}
        if index == statement.context.batch:
            batch = resolution.flow
        plans[index] = PlanTrace(plan, resolution, inputs)
    flows = tuple(plans[index].resolution.flow for index in range(statement.size))
    return replace(trace, plans=tuple(plans[index] for index in sorted(plans)), flows=flows, gaps=tuple(gaps))


def _is_linked(trace: StatementTrace, index: int) -> bool:
    """Return whether other plans bind the rows of an execution outside the statement."""
    return index >= trace.statement.size and any(link.plan == index for link in trace.statement.links)


def _read(text: PlanText) -> tuple[Plan | None, Gap | None]:
    """Read a plan; a missing or unreadable text is a gap, an internal query is not."""
    if text.is_internal_query:
        return None, None
    if text.is_missing:
        return None, Gap(GapReason.MISSING_PLAN, "", "the execution has no plan text", _MISSING_HINT)
    try:
        return text.physical, None
    except PlanSyntaxError as error:
        return None, Gap(GapReason.UNPARSED_PLAN, "", str(error)[:500], error.hint)


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
        return command_results.parsed_subqueries([text], trace.resolve)
    found = dict(resolution.subqueries)
    hidden = {expr_id for expr_id, flow in found.items() if hides_tables(flow)}
    for plan in text.logical if hidden else ():
        logical = trace.resolve(plan, (), inputs).subqueries
        found |= {expr_id: logical[expr_id] for expr_id in hidden & logical.keys() if not logical[expr_id].gaps}
        hidden -= {expr_id for expr_id in logical if not logical[expr_id].gaps}
    return found
