"""Trace the statements of an application's log."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import inf

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary, catalog_settings_of
from eventlog_lineage.catalog.stream_tables import locate_streams, location_in_sql
from eventlog_lineage.connectors.connector import (
    Connector,
    Request,
    as_settings,
    connectors,
    requests_as_settings,
    write_as_setting,
)
from eventlog_lineage.connectors.identify import is_unplaced, split_table
from eventlog_lineage.errors import DOCS
from eventlog_lineage.events.decoding.core_events import STATEMENT_LENGTH
from eventlog_lineage.events.decoding.spark_conf import session_sources
from eventlog_lineage.events.records import AssembledLog, Execution, commit_locations, location_of
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import Statement, masked_lineage_id, owned_lineage_id
from eventlog_lineage.lineage.trace_statement import TraceBudget, trace
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.plan.plan_text import PlanText, summary_of, views_of
from eventlog_lineage.plan.summary.plan_facts import NamesTemporaryView, TruncatedQuery, UnplacedTable, UnprintedFilters
from eventlog_lineage.plan.unresolved.sql_expressions import WrittenLists, select_lists

from .cross_check import by_execution, with_external


@dataclass(frozen=True, slots=True)
class TracedStatement:
    """A statement of a log with its lineage.

    Attributes:
        members: All its executions, the root first.
    """

    root: Execution
    members: tuple[Execution, ...]
    lineage: StatementLineage


def execution_summaries(executions: Sequence[Execution], settings: Mapping[str, str]) -> list[ExecutionSummary]:
    """Summarize executions for grouping them into statements."""
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
            settings=_session_settings(execution, settings),
            written=_written_lists(execution),
        )
        for execution in executions
    ]


def _written_lists(execution: Execution) -> WrittenLists:
    """Return the lists in the SQL of an execution whose plan has truncated ones; none of an SQL that was cut."""
    sql = execution.sql_text or execution.described_sql
    is_whole = 0 < len(sql) < STATEMENT_LENGTH
    return select_lists(sql) if is_whole and TruncatedQuery() in summary_of(execution.plan).facts else ()


def _session_settings(execution: Execution, settings: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return what the session of an execution has set of its sources, and the target of its Connect request."""
    session = dict((*execution.job_facts.settings, *session_sources(execution.settings)))
    own = [(key, value) for key, value in sorted(session.items()) if settings.get(key) != value]
    return (*own, write_as_setting(execution.requested_write)) if execution.requested_write else tuple(own)


def trace_log(
    log: AssembledLog,
    masks: tuple[str, ...] = (),
    execution: int | None = None,
    *,
    keep_plans: bool = False,
    max_seconds: float = inf,
) -> Iterator[TracedStatement]:
    """Trace the statements of one log, without Spark and without a store.

    Args:
        masks: The user's masking functions, as `masks.mask_names` returns them.
        execution: Trace only the statement of this execution; None for every statement.
        max_seconds: CPU seconds for tracing; a statement over it is a gap.
        keep_plans: Whether the texts of the log keep the plans that are read from them, for a caller that shows them.

    Yields:
        The statements in the order of their root executions.
    """
    by_id = {execution.execution_id: execution for execution in log.executions}
    texts = _texts(log)
    budget = TraceBudget(max_seconds)
    for statement in statements_of(log, masks):
        if execution not in (None, *statement.members):
            continue
        members = tuple(by_id[execution_id] for execution_id in statement.members)
        own = {name: texts[name] for name in statement.fingerprints if name in texts}
        read = own if keep_plans else {name: PlanText(plan.text) for name, plan in own.items()}
        yield TracedStatement(members[0], members, trace(statement, read, budget.limited("")))


def _texts(log: AssembledLog) -> dict[str, PlanText]:
    plans = [execution.plan for execution in log.executions if isinstance(execution.plan, PlanText)]
    return {plan.summary.fingerprint: plan for plan in plans}


def statements_of(log: AssembledLog, masks: tuple[str, ...] = (), view_owner: str = "") -> list[Statement]:
    """Return the statements of a log, in the order of their root executions.

    Args:
        log: The log, with plan texts or with plan summaries.
        masks: The user's masking functions; they are part of the statements' lineage ids.
        view_owner: As in `Statement`, for the statements that may name a temporary view.
    """
    summaries = execution_summaries(log.executions, log.application.settings)
    settings = settings_of(log)
    streams = locate_streams(log.progress)
    found = group_executions(summaries, settings, streams, log.stored_tables, log.known_tables)
    external = by_execution(log.external_lineages)
    if external:
        found = [with_external(statement, external) for statement in found]
    if masks:
        found = [_with_masks(statement, masks) for statement in found]
    if not view_owner:
        return found
    naming = {each.execution_id for each in summaries if NamesTemporaryView() in each.summary.facts}
    return [_with_views(statement, view_owner, naming) for statement in found]


def source_gaps(log: AssembledLog) -> tuple[Gap, ...]:
    """Return a gap for each system whose server the log does not have, and for each that applies unprinted filters.

    The URL of JDBC tables, Snowflake's account; the filters that MongoDB applies, in plans without the analyzed plan.
    """
    written = (each.requested_write for each in log.executions if each.requested_write)
    settings = dict((*requests_as_settings(Request(*each) for each in written if each), *settings_of(log).sources))
    facts = _source_facts(log.executions)
    unplaced = [each for each in facts if isinstance(each, UnplacedTable) and _is_unplaced(each, settings)]
    unprinted = [each for each in facts if isinstance(each, UnprintedFilters)]
    return (*_by_connector(unplaced, _unplaced_gap), *_by_connector(unprinted, _filter_gap))


def _source_facts(executions: Iterable[Execution]) -> list[UnplacedTable | UnprintedFilters]:
    facts = dict.fromkeys(fact for execution in executions for fact in summary_of(execution.plan).facts)
    known = (each for each in facts if isinstance(each, UnplacedTable | UnprintedFilters))
    return [each for each in known if each.connector in connectors()]


def _is_unplaced(fact: UnplacedTable, settings: Mapping[str, str]) -> bool:
    return is_unplaced(connectors()[fact.connector], fact.table, fact.query, settings)


def _by_connector(
    facts: Sequence[UnplacedTable | UnprintedFilters], gap_of: Callable[[Connector, Collection[str]], Gap]
) -> Iterator[Gap]:
    tables: dict[str, dict[str, None]] = {}
    for each in facts:
        tables.setdefault(each.connector, {})[".".join(split_table(each.table))] = None
    return (gap_of(connectors()[name], names) for name, names in tables.items())


def _filter_gap(connector: Connector, tables: Collection[str]) -> Gap:
    detail = f"the plans do not print the filters that {connector.system} applies to these tables: {', '.join(tables)}"
    return Gap(
        GapReason.UNPRINTED_FILTER,
        "",
        detail[:500],
        f"set spark.sql.ui.explainMode=extended, whose analyzed plan has them: {DOCS}/connectors.md",
    )


def _unplaced_gap(connector: Connector, tables: Collection[str]) -> Gap:
    missing = next(iter(connector.missing), "the server")
    detail = f"the log does not print {missing} of these {connector.system} tables: {', '.join(tables)}"
    return Gap(
        GapReason.UNKNOWN_SOURCE,
        "",
        detail[:500],
        f"add a [[source]] with the namespace to the configuration: {DOCS}/connectors.md",
    )


def settings_of(log: AssembledLog) -> CatalogSettings:
    """Return the settings that a log's plans are read with, and what rules and requests show of its sources."""
    known = catalog_settings_of(log.application.settings)
    requested = requests_as_settings(Request(*each) for each in log.requested_reads)
    own = as_settings(log.source_rules, log.application.app_name)
    return replace(known, sources=(*known.sources, *requested, *own), application=_printable(log.application.app_id))


def _printable(app_id: str) -> str:
    """Return an application's id as names of datasets have it; a harvest separates its parts by a control character."""
    return "".join(char if char.isprintable() else "-" for char in app_id)


def _with_views(statement: Statement, owner: str, naming: Set[int]) -> Statement:
    """Return a statement that may name a temporary view with the view's owner, under a lineage id of its own.

    Args:
        naming: The executions whose plans name a temporary view.
    """
    stream = statement.context.stream
    names_view = (
        bool(statement.context.hidden.views)
        or (stream is not None and stream.sink is not None and stream.sink.kind == "temp_view")
        or not naming.isdisjoint(statement.members)
    )
    if not names_view:
        return statement
    return replace(statement, view_owner=owner, lineage_id=owned_lineage_id(statement.lineage_id, owner))


def _with_masks(statement: Statement, masks: tuple[str, ...]) -> Statement:
    """Return a statement that is traced with the user's masking functions, under a lineage id of its own."""
    context = replace(statement.context, masks=masks)
    return replace(statement, context=context, lineage_id=masked_lineage_id(statement.lineage_id, masks))
