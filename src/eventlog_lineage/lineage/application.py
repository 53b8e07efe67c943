"""An application's log to its statements: which executions belong together, and what each statement does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eventlog_lineage.events.records import AssembledLog, Execution
from eventlog_lineage.events.table_commits import commit_places, place_of
from eventlog_lineage.lineage.grouping.execution_summary import Run
from eventlog_lineage.lineage.grouping.statement_groups import Family, find_families
from eventlog_lineage.lineage.tracing.catalog_settings import Surroundings, surroundings_of
from eventlog_lineage.lineage.tracing.load_texts import texts_of
from eventlog_lineage.lineage.tracing.streaming import stream_places
from eventlog_lineage.lineage.tracing.trace_statement import Statement, StatementLineage, trace
from eventlog_lineage.plan.summary.plan_summary import PlanHead, read_head
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
    heads: Mapping[int, PlanHead],
    views: Callable[[str], tuple[ViewRead, ...]] = read_views,
) -> list[Run]:
    """The executions as far as it matters for what belongs together.

    Args:
        executions: Of one application attempt.
        heads: Execution id to its plan at a glance.
        views: Reads the views off a Thrift server's plan, or off what stands for it.
    """
    places = commit_places(execution.commit for execution in executions)
    return [
        Run(
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
    heads = {number: read_head(execution.plan) for number, execution in by_id.items()}
    texts = {heads[number].fingerprint: execution.plan for number, execution in by_id.items()}
    surroundings = surroundings_of(log.application.settings)
    answers = by_execution(log.lineage_answers)
    for family in find_families(runs_of(log.executions, heads), surroundings, stream_places(log.progress)):
        members = tuple(by_id[number] for number in family.members)
        lineage = trace(statement_of(family, texts, surroundings))
        for answer in answers_of(family, answers):
            lineage = compared(lineage, answer)
        yield TracedStatement(members[0], members, lineage)


def statement_of(family: Family, texts: Mapping[str, str], surroundings: Surroundings) -> Statement:
    """A family with its plans' texts.

    Args:
        family: The executions of a statement.
        texts: Fingerprint to plan text.
        surroundings: What the plans are read with.
    """
    return Statement(
        texts=texts_of(family.fingerprints, texts, family.numbers),
        size=len(family.members),
        stitches=family.stitches,
        surroundings=surroundings,
        stream=family.stream,
        batch=family.batch,
        views=family.views,
        hints=family.hints,
    )
