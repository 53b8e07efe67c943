"""Trace the statements of an application's log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.events.records import AssembledLog, Execution
from eventlog_lineage.events.table_commits import commit_locations, location_of
from eventlog_lineage.lineage.grouping.execution_summary import ExecutionSummary
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.grouping.statement_key import masked_lineage_id
from eventlog_lineage.lineage.grouping.stream_tables import location_in_sql
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.tracing.trace_statement import trace
from eventlog_lineage.plan.plan_text import PlanText, summary_of, views_of

from .catalog_settings import catalog_settings_of
from .cross_check import by_execution, with_external
from .statement import Statement
from .stream_locations import locate_streams


@dataclass(frozen=True, slots=True)
class TracedStatement:
    """A statement of a log with its lineage.

    Attributes:
        root: The root execution.
        members: All its executions, the root first.
        lineage: What it reads, writes and derives.
    """

    root: Execution
    members: tuple[Execution, ...]
    lineage: StatementLineage


def execution_summaries(executions: Sequence[Execution]) -> list[ExecutionSummary]:
    """Summarize executions for grouping them into statements.

    Args:
        executions: Of one application attempt.
    """
    locations = commit_locations(execution.job_facts.commit for execution in executions)
    return [
        ExecutionSummary(
            execution_id=execution.execution_id,
            root=execution.root_execution_id,
            description=execution.description,
            started_at=execution.started_at,
            ended_at=execution.ended_at,
            summary=summary_of(execution.plan),
            stream_run_id=execution.stream_run_id,
            stream_batch_id=execution.stream_batch_id,
            commit_location=location_of(execution.job_facts.commit, locations),
            job_facts=execution.job_facts,
            views=views_of(execution.statement_plan),
            changed=execution.changed,
            is_served=bool(execution.sql_text),
            call=execution.call,
            has_failed=execution.status == "failed",
            is_complete=execution.is_complete,
            operation=execution.operation,
            location=location_in_sql(execution.sql_text or execution.described_sql),
        )
        for execution in executions
    ]


def trace_log(
    log: AssembledLog, masks: tuple[str, ...] = (), execution: int | None = None, *, keep_plans: bool = False
) -> Iterator[TracedStatement]:
    """Trace the statements of one log, without Spark and without a store.

    Args:
        log: The log, with plan texts.
        masks: The user's masking functions, as `masks.mask_names` returns them.
        execution: Trace only the statement of this execution; None for every statement.
        keep_plans: Whether the texts of the log keep the plans that are read from them, for a caller that shows them.

    Yields:
        The statements in the order of their root executions.
    """
    by_id = {execution.execution_id: execution for execution in log.executions}
    plans = [execution.plan for execution in log.executions if isinstance(execution.plan, PlanText)]
    texts = {plan.summary.fingerprint: plan for plan in plans}
    for statement in statements_of(log, masks):
        if execution is not None and execution not in statement.members:
            continue
        members = tuple(by_id[execution_id] for execution_id in statement.members)
        own = {name: texts[name] for name in statement.fingerprints if name in texts}
        read = own if keep_plans else {name: PlanText(plan.text) for name, plan in own.items()}
        yield TracedStatement(members[0], members, trace(statement, read))


def statements_of(log: AssembledLog, masks: tuple[str, ...] = ()) -> list[Statement]:
    """Return the statements of a log, in the order of their root executions.

    Args:
        log: The log, with plan texts or with plan summaries.
        masks: The user's masking functions; they are part of the statements' lineage ids.
    """
    summaries = execution_summaries(log.executions)
    settings = catalog_settings_of(log.application.settings)
    streams = locate_streams(log.progress)
    found = group_executions(summaries, settings, streams, log.stored_tables, log.known_tables)
    external = by_execution(log.external_lineages)
    if external:
        found = [with_external(statement, external) for statement in found]
    return [_with_masks(statement, masks) for statement in found] if masks else found


def _with_masks(statement: Statement, masks: tuple[str, ...]) -> Statement:
    """Return a statement that is traced with the user's masking functions, under a lineage id of its own.

    Args:
        statement: The statement.
        masks: The functions' names, sorted.
    """
    context = replace(statement.context, masks=masks)
    return replace(statement, context=context, lineage_id=masked_lineage_id(statement.lineage_id, masks))
