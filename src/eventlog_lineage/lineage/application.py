"""An application's log to its statements: which executions belong together, and what each statement does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eventlog_lineage.events.records import AssembledLog, Execution
from eventlog_lineage.events.table_commits import commit_places, place_of
from eventlog_lineage.lineage.grouping.execution_summary import ExecutionSummary
from eventlog_lineage.lineage.grouping.statement_groups import StatementGroup, group_executions
from eventlog_lineage.lineage.tracing.catalog_settings import CatalogSettings, catalog_settings_of
from eventlog_lineage.lineage.tracing.load_texts import texts_of
from eventlog_lineage.lineage.tracing.streaming import stream_places
from eventlog_lineage.lineage.tracing.trace_statement import Statement, StatementLineage, trace
from eventlog_lineage.plan.summary.plan_summary import PlanSummary, summarize_plan
from eventlog_lineage.plan.views import ViewRead, read_views

from .cross_check import answers_of, by_execution, compared


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


def runs_of(
    executions: Sequence[Execution],
    heads: Mapping[int, PlanSummary],
    views: Callable[[str], tuple[ViewRead, ...]] = read_views,
) -> list[ExecutionSummary]:
    """The executions as far as it matters for what belongs together.

    Args:
        executions: Of one application attempt.
        heads: Execution id to its plan at a glance.
        views: Reads the views off a Thrift server's plan, or off what stands for it.
    """
    places = commit_places(execution.commit for execution in executions)
    return [
        ExecutionSummary(
            execution_id=execution.execution_id,
            root=execution.root_execution_id,
            description=execution.description,
            started_at=execution.started_at,
            ended_at=execution.ended_at,
            head=heads[execution.execution_id],
            stream_run_id=execution.stream_run_id,
            stream_batch_id=execution.stream_batch_id,
            commit_place=place_of(execution.commit, places),
            scans=execution.scans,
            views=views(execution.statement_plan),
            changed=execution.changed,
            is_served=bool(execution.sql_text),
        )
        for execution in executions
    ]


def trace_log(log: AssembledLog) -> Iterator[TracedStatement]:
    """Traces every statement of one log, without Spark and without a store.

    Args:
        log: With the plan texts still in it.

    Yields:
        The statements in the order of their root executions.
    """
    by_id = {execution.execution_id: execution for execution in log.executions}
    heads = {number: summarize_plan(execution.plan) for number, execution in by_id.items()}
    texts = {heads[number].fingerprint: execution.plan for number, execution in by_id.items()}
    catalog_settings = catalog_settings_of(log.application.settings)
    answers = by_execution(log.lineage_answers)
    for group in group_executions(runs_of(log.executions, heads), catalog_settings, stream_places(log.progress)):
        members = tuple(by_id[number] for number in group.members)
        lineage = trace(statement_of(group, texts, catalog_settings))
        for answer in answers_of(group, answers):
            lineage = compared(lineage, answer)
        yield TracedStatement(members[0], members, lineage)


def statement_of(group: StatementGroup, texts: Mapping[str, str], catalog_settings: CatalogSettings) -> Statement:
    """A family with its plans' texts.

    Args:
        group: The executions of a statement.
        texts: Fingerprint to plan text.
        catalog_settings: What the plans are read with.
    """
    return Statement(
        texts=texts_of(group.fingerprints, texts, group.numbers),
        size=len(group.members),
        links=group.links,
        catalog_settings=catalog_settings,
        stream=group.stream,
        batch=group.batch,
        views=group.views,
        context=group.context,
    )
