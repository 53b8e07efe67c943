"""Group executions into statements, and link the plans that bind attributes of other plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise

from eventlog_lineage.datasets.naming import path_name
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.lineage.statement import (
    NO_CONTEXT,
    ScannedTable,
    Statement,
    StatementContext,
)
from eventlog_lineage.lineage.stream_locations import StreamLocations
from eventlog_lineage.model import Dataset
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.operators.plan_context import NO_NAMES, TableNames
from eventlog_lineage.plan.summary.plan_facts import PlanFact

from .catalog_objects import catalogs_of_tables, name_catalogs, procedure_catalogs, statement_catalogs
from .checkpointed_rows import Checkpoints
from .copied_tables import copied_tables
from .descriptions import described_within
from .driver_rows import DriverRows
from .execution_summary import ExecutionSummary
from .full_table_names import (
    changed_tables,
    databases_of,
    full_names,
    scanned_paths,
    session_tables,
    unqualified_tables,
)
from .layouts.stored_layouts import stored_layouts
from .layouts.table_layouts import filled_layouts, filled_tables, tables_of_objects
from .linked_executions import link_command_results, link_maintenance
from .micro_batches import find_micro_batches, in_connect_batches
from .plan_links import find_producers, link_plans
from .scanned_tables import listed_columns, sampled_files, sampled_of, scanned_tables
from .statement_key import context_key, lineage_id, settings_key
from .stream_tables import with_scanned_sources, with_table_sinks

_NO_STREAMS: Mapping[str, StreamLocations] = {}


@dataclass(slots=True)
class _Draft:
    """A statement whose executions are still being collected."""

    root: ExecutionSummary
    stream: StreamLocations | None = None
    batch: ExecutionSummary | None = None
    maintained_table: Dataset | None = None
    is_printed_again: bool = False
    members: list[ExecutionSummary] = field(default_factory=list)

    @property
    def shares_ids(self) -> bool:
        """Whether the plans of its executions may name the same attributes."""
        command = find_command(self.root.summary.command)
        return self.is_printed_again or command.attributes_from_children or command.subqueries_elsewhere


def group_executions(
    executions: Sequence[ExecutionSummary],
    catalog_settings: CatalogSettings,
    streams: Mapping[str, StreamLocations] = _NO_STREAMS,
    stored_tables: Sequence[tuple[str, str]] = (),
    known_tables: Sequence[StoredTable] = (),
) -> list[Statement]:
    """Group an application's executions into statements.

    Args:
        executions: All executions of one application attempt.
        catalog_settings: The settings that their plans are read with; they are part of the statements' ids.
        streams: Run id of a streaming query to its locations.
        stored_tables: (catalog, table in it) of tables that a warehouse holds.
        known_tables: The tables of the store whose writes may print an object in place of their names.

    Returns:
        One statement per root, in the order of the roots' ids.
    """
    ordered = sorted(executions, key=lambda execution: execution.execution_id)
    by_id = {execution.execution_id: execution for execution in ordered}
    roots = _roots(ordered, by_id)
    ordered = list(in_connect_batches(ordered, roots, streams))
    by_id = {execution.execution_id: execution for execution in ordered}
    batches = find_micro_batches(ordered, roots, with_table_sinks(streams, ordered, catalog_settings))
    batches = with_scanned_sources(batches, by_id)
    maintained = link_maintenance(ordered, roots)
    results = link_command_results(ordered, roots)
    drafts: dict[int, _Draft] = {}
    for execution in ordered:
        root = roots[execution.execution_id]
        draft = drafts.setdefault(root, _Draft(by_id[root]))
        draft.members.append(execution)
        draft.is_printed_again = draft.is_printed_again or execution.execution_id in results
    for root, draft in drafts.items():
        if root in batches:
            draft.stream, draft.batch = batches[root]
        draft.maintained_table = maintained.get(root)
    readers = {batch.execution_id for _, batch in batches.values() if batch is not None}
    catalogs = name_catalogs(ordered, dict(catalog_settings.shared), stored_tables) if catalog_settings.shared else {}
    known = list(stored_layouts(known_tables, ordered, catalog_settings))
    application = _Application(ordered, catalog_settings, Checkpoints(ordered, readers), catalogs, known)
    scanned = {**_scanned(drafts, application, ordered), **copied_tables(roots, ordered, catalog_settings)}
    return [_statement(drafts[root], application, scanned.get(root, ())) for root in sorted(drafts)]


class _Application:
    """Evidence for statements from all executions and the settings of their application.

    Attributes:
        catalog_settings: The settings that plans are read with.
        key: The `settings_key` of these settings.
        producers: Id of an attribute that a plan leaves unbound, to the execution whose plan binds it.
        checkpoints: The executions whose rows other executions read.
        driver_rows: The executions that may read rows of the driver program.
        sampled: The result of `sampled_files`.
    """

    def __init__(
        self,
        ordered: Sequence[ExecutionSummary],
        catalog_settings: CatalogSettings,
        checkpoints: Checkpoints,
        catalogs: Mapping[str, str],
        known: Sequence[PlanFact],
    ) -> None:
        self.catalog_settings = catalog_settings
        self.key = settings_key(catalog_settings)
        self.producers = find_producers(ordered)
        self.checkpoints = checkpoints
        self.driver_rows = DriverRows(ordered)
        summaries = (execution.summary for execution in ordered)
        self._tables = {**full_names(summaries), **changed_tables(ordered, catalog_settings)}
        self._paths = scanned_paths(execution.summary for execution in ordered)
        layouts = tables_of_objects(ordered, [*filled_layouts(ordered), *known])
        self._objects = {**layouts, **filled_tables(ordered)}
        self._databases = databases_of(ordered)
        self.sampled = sampled_files(ordered)
        self._shared = dict(catalog_settings.shared)
        self._catalogs = catalogs
        self._ordered = ordered

    def reads_path(self, execution: ExecutionSummary) -> bool:
        """Return whether a plan of the application reads the table that an execution creates by its path."""
        creates = find_command(execution.summary.command).located_by_jobs and bool(execution.commit_location)
        return creates and path_name(execution.commit_location) in self._paths

    def catalogs(self, plans: Sequence[ExecutionSummary]) -> tuple[tuple[str, str], ...]:
        """Return (class or package, name) of the catalogs that plans print as objects or through their procedures.

        Only those of classes and procedures that several catalogs have.
        """
        objects = statement_catalogs(plans, self._shared, self._catalogs) if self._shared else ()
        return (*objects, *procedure_catalogs(plans, self.catalog_settings, lambda: self._catalogs_of_tables))

    @cached_property
    def _catalogs_of_tables(self) -> Mapping[str, set[str]]:
        return catalogs_of_tables(self._ordered, self.catalog_settings, self._catalogs)

    def table_names(
        self, plans: Sequence[ExecutionSummary], own: int, stream: StreamLocations | None
    ) -> TableNames | None:
        """Return the full names of the tables that plans print without a database; None if there are none.

        Args:
            plans: A statement's plans, and those that bind their attributes.
            own: The number of the plans that are the statement's.
            stream: Where the streaming query of a micro-batch reads and writes.
        """
        if not any(execution.summary.facts for execution in plans):
            return None
        hides_sink = stream is not None and bool(stream.unnamed_sink)
        summaries = (execution.summary for execution in plans)
        names = unqualified_tables(summaries, self._tables, self._objects, own=own, of_rows=hides_sink)
        names = replace(names, session=session_tables(plans, self._databases))
        return names if names != NO_NAMES else None


def _scanned(
    drafts: Mapping[int, _Draft], application: _Application, ordered: Sequence[ExecutionSummary]
) -> dict[int, tuple[ScannedTable, ...]]:
    """Return the tables that jobs scan, by root, for statements whose query may be in no plan.

    Args:
        drafts: Root execution to its statement.
        application: The application.
        ordered: Its executions, in the order of their ids.
    """
    roots = [root for root, draft in drafts.items() if _may_read_rdd(draft.root, application.producers)]
    if not roots:
        return {}
    columns = listed_columns(execution.summary for execution in ordered)
    catalogs = dict(application.catalog_settings.catalogs)
    return {
        root: scanned_tables(
            (scan for execution in drafts[root].members for scan in execution.job_facts.scans), columns, catalogs
        )
        for root in roots
    }


def _may_read_rdd(execution: ExecutionSummary, producers: Mapping[int, ExecutionSummary]) -> bool:
    """Return whether an execution is a command that may read its rows from an RDD.

    Args:
        execution: The execution.
        producers: The result of `find_producers`.
    """
    command = find_command(execution.summary.command)
    if command.v1_fallback:
        return any(expr_id not in producers for expr_id in execution.summary.requested)
    return command.rows_from_jobs


def _roots(ordered: Sequence[ExecutionSummary], by_id: Mapping[int, ExecutionSummary]) -> dict[int, int]:
    """Return each execution's root: by `rootExecutionId` (3.4+), or else the command that it ran within.

    A child whose root is lost (in a truncated or compacted log) is its own root. Up to 3.1 a command is printed again,
    with the same attribute ids, when its result is collected: it runs once (3.2+ prints a CommandResult).

    Args:
        ordered: An application's executions, in the order of their ids.
        by_id: Execution id to execution.
    """
    roots: dict[int, int] = {}
    running: list[ExecutionSummary] = []
    commands: dict[tuple[object, ...], ExecutionSummary] = {}
    for execution in ordered:
        execution_id, summary = execution.execution_id, execution.summary
        if execution.root is not None:
            roots[execution_id] = execution.root if execution.root in by_id else execution_id
            continue
        if summary.command:
            batch = (execution.stream_run_id, execution.stream_batch_id)  # all batches of a query print the same plan
            printed_as = (summary.command_line or summary.fingerprint, summary.ids)
            printed = commands.setdefault((*printed_as, *batch), execution)
            if printed is not execution:
                roots[execution_id] = roots[printed.execution_id]
                continue
        while running and not _contains(running[-1], execution):
            running.pop()
        roots[execution_id] = roots[running[-1].execution_id] if running else execution_id
        if summary.command and not find_command(summary.command).is_result:
            running.append(execution)
    return roots


def _contains(outer: ExecutionSummary, inner: ExecutionSummary) -> bool:
    """Return whether `inner` ran within the command `outer`: in its time, under its description.

    Args:
        outer: The execution of a command.
        inner: A later execution.
    """
    return described_within(outer.description, inner.description) and outer.contains(inner)


def _omits_target(root: ExecutionSummary) -> bool:
    """Return whether a command prints neither the name nor the location of the table that it writes."""
    return find_command(root.summary.command).attributes_only or root.summary.writes_unnamed_table


def _statement(draft: _Draft, application: _Application, scanned: tuple[ScannedTable, ...]) -> Statement:
    """Return the statement of a draft, with its evidence and the plans that are linked to it.

    Args:
        draft: The statement's executions.
        application: The application.
        scanned: The tables that the statement's jobs scan, copy or read through a view.
    """
    root = draft.root
    members = (
        [root, *(execution for execution in draft.members if execution is not root)]
        if len(draft.members) > 1
        else [root]
    )
    plans, links = link_plans(members, draft.batch, application.producers, application.checkpoints)
    evidence = {
        "stream": draft.stream,
        "batch": len(members) if draft.batch is not None else None,
        "views": tuple(dict.fromkeys(view for execution in members for view in execution.views)),
        "commit_location": root.commit_location if _omits_target(root) or application.reads_path(root) else "",
        "tables": application.table_names(plans, len(members), draft.stream),
        "maintained_table": draft.maintained_table,
        "scanned": scanned,
        "id_offsets": _id_offsets(root, scanned),
        "attribute_ids": _common_ids(members) if draft.shares_ids else (),
        "catalogs": application.catalogs(members),
        "sampled": sampled_of(root, application.sampled),
        "has_driver_rows": any(map(application.driver_rows.reads, members)),
        "has_no_plan": any(each.has_failed and not each.summary.fingerprint for each in members),
    }
    found = {name: value for name, value in evidence.items() if value}
    context = StatementContext(**found) if found else NO_CONTEXT  # type: ignore[arg-type]
    fingerprints = tuple(execution.summary.fingerprint for execution in plans)
    key = application.key + context_key(context) if found else application.key
    return Statement(
        members=tuple(execution.execution_id for execution in members),
        fingerprints=fingerprints,
        links=links,
        lineage_id=lineage_id(fingerprints, len(members), links, key),
        catalog_settings=application.catalog_settings,
        context=context,
    )


def _id_offsets(root: ExecutionSummary, scanned: Sequence[ScannedTable]) -> tuple[tuple[int, int], ...]:
    """Return the distances of the root's attributes by their ids: those of one relation are consecutive.

    A distance that is longer than the widest relation is the same in all runs: it depends on the rest of the session.

    Args:
        root: The statement's root execution.
        scanned: The tables that its jobs scan.
    """
    width = max((len(columns) for table in scanned for columns in (*table.column_lists, table.columns)), default=0)
    if not width or not root.summary.unbound:
        return ()
    ordered = sorted(set(root.summary.ids))
    steps = (min(after - before, width + 1) for before, after in pairwise(ordered))
    offsets = dict(zip(ordered, accumulate(steps, initial=0), strict=True)) if ordered else {}
    return tuple((index, offsets[expr_id]) for index, expr_id in enumerate(root.summary.ids))


def _common_ids(members: Sequence[ExecutionSummary]) -> tuple[tuple[int, ...], ...]:
    """Number the members' attribute ids jointly, so that all runs of their plans get equal numbers.

    A MERGE keeps the order of its attributes' ids, which is the order of the columns within each of its tables.
    """
    known: dict[int, int] = {}
    command = find_command(members[0].summary.command)
    if command.attributes_only or command.names_all_columns:
        every = {expr_id for execution in members for expr_id in execution.summary.ids}
        known = {expr_id: index for index, expr_id in enumerate(sorted(every), 1)}
    return tuple(
        tuple(known.setdefault(expr_id, len(known) + 1) for expr_id in execution.summary.ids) for execution in members
    )
