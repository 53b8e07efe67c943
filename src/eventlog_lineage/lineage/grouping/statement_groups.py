"""Group executions into statements, and link the plans that bind attributes of other plans.

Some statements read rows which the driver program passes to Spark. `createDataFrame` of a pandas data frame or of an
Arrow table is a `LocalRelation` (3.3+ with `spark.sql.execution.arrow.pyspark.enabled`, which is on by default from 4.2
on); without Arrow it is an RDD. Rows that a SQL statement lists (`VALUES`) are a `LocalRelation`, too: the method that
ran the execution distinguishes them.

A caller that collects the result of a command gets an execution of its own, a `CommandResult` (3.2+). Spark 4 runs a
procedure while the statement is analyzed (`ResolveProcedures`): its executions have roots of their own, described by
the connector, and only the result of the CALL is an execution, a `CommandResult` of local rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary, ScannedTable
from eventlog_lineage.catalog.objects import described_maintenance
from eventlog_lineage.catalog.session_catalog import SessionCatalog
from eventlog_lineage.catalog.stream_tables import StreamLocations
from eventlog_lineage.datasets.naming import path_name
from eventlog_lineage.extensions import Query, Role, Rows, Target, contributions, find_command
from eventlog_lineage.lineage import statement
from eventlog_lineage.model import Dataset
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.plan.summary.plan_facts import ImportingTable, TruncatedLists
from eventlog_lineage.plan.unresolved.sql_expressions import WrittenLists

from .micro_batches import find_micro_batches, in_connect_batches, with_scanned_sources, with_table_sinks
from .plan_links import Checkpoints, find_producers, link_plans, rdd_sources, sampled_files, sampled_of, scanned_tables

_CALL_SITE = re.compile(r"^[\w$<>]+ at \S+:\d+$")


def described_within(outer: str, inner: str) -> bool:
    """Return whether an execution's description is that of a command's own execution.

    It equals the command's description, or a table format wraps it: `Delta: load orders: Writing merged data`, once
    per nested step (`DeltaProgressReporter.withStatusCode` up to Delta 4). If the user set no job description, the
    command's is the call site, which the format omits: `Delta: Writing merged data`.

    Args:
        outer: The command's description, or its call site (`sql at NativeMethodAccessorImpl.java:0`).

    >>> described_within("load orders", "Delta: load orders: Writing merged data"), described_within("load", "other")
    (True, False)
    """
    if inner == outer:
        return True
    rest, prefixes = inner, contributions("descriptions.prefix")
    while prefix := next(filter(rest.startswith, prefixes), ""):
        rest = rest.removeprefix(prefix)
    if rest == inner:
        return False
    return rest.startswith(f"{outer}: ") or _CALL_SITE.match(outer) is not None


_WRITERS = frozenset(
    """
    saveAsTable save insertInto parquet orc json csv text xml jdbc append overwrite overwritePartitions create
    createOrReplace replace
    """.split()
)
"""Methods that write a data frame (`DataFrameWriter`, `DataFrameWriterV2`)."""
_COLLECTS = frozenset("collect collectToPython collectAsArrowToPython toLocalIterator toPythonIterator".split())
_CREATED_AT = re.compile(r" at \S+:\d+$")
"""The call site, which is the description of an execution without a job description."""


class DriverRows:
    """The executions of an application that may read rows of the driver program.

    Args:
        ordered: All executions, in the order of their ids.
    """

    def __init__(self, ordered: Sequence[ExecutionSummary]) -> None:
        self._collected: dict[str, int] = {}
        for each in ordered:
            if each.call in _COLLECTS and not each.summary.command:
                self._collected.setdefault(each.description, each.execution_id)

    def reads(self, execution: ExecutionSummary) -> bool:
        """Return whether the local rows of an execution's plan are those of the driver program.

        They are if a method of a data frame's writer ran it; a collected query reads them if an execution with the same
        job description collected another query before: `createDataFrame(df.toPandas())`.
        """
        if not execution.summary.has_local_rows:
            return False
        if execution.call in _WRITERS:
            return True
        first = self._collected.get(execution.description, execution.execution_id)
        described = execution.description and not _CREATED_AT.search(execution.description)
        return bool(described) and execution.call in _COLLECTS and first < execution.execution_id


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
        return self.is_printed_again or Rows.CHILDREN in find_command(self.root.summary.command).rows


def group_executions(
    executions: Sequence[ExecutionSummary],
    catalog_settings: CatalogSettings,
    streams: Mapping[str, StreamLocations] = _NO_STREAMS,
    stored_tables: Sequence[tuple[str, str]] = (),
    known_tables: Sequence[StoredTable] = (),
) -> list[statement.Statement]:
    """Group an application's executions into statements.

    Args:
        catalog_settings: The settings that their plans are read with; they are part of the statements' ids.
        stored_tables: (catalog, table in it) of tables that a warehouse holds.
        known_tables: The tables of the store whose writes may print an object, or none of their columns.

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
        draft.is_printed_again |= execution.execution_id in results
    for root, draft in drafts.items():
        if root in batches:
            draft.stream, draft.batch = batches[root]
        draft.maintained_table = maintained.get(root)
    readers = {batch.execution_id for _, batch in batches.values() if batch is not None}
    catalog = SessionCatalog(catalog_settings, stored_tables, known_tables)
    for execution in ordered:
        catalog.apply(execution)
    application = _Application(ordered, catalog, Checkpoints(ordered, readers))
    return [_statement(drafts[root], application) for root in sorted(drafts)]


class _Application:
    """Evidence for statements from all executions and the settings of their application.

    Attributes:
        key: The `settings_key` of the settings that plans are read with.
        producers: Id of an attribute that a plan leaves unbound, to the execution whose plan binds it.
        sampled: The result of `sampled_files`.
        has_jobs: The log has jobs: without any, it does not show what ran none.
    """

    def __init__(self, ordered: Sequence[ExecutionSummary], catalog: SessionCatalog, checkpoints: Checkpoints) -> None:
        self.catalog = catalog
        self.key = statement.settings_key(catalog.settings)
        self.producers = find_producers(ordered)
        self.checkpoints = checkpoints
        self.driver_rows = DriverRows(ordered)
        self.sampled = sampled_files(ordered)
        self.has_jobs = any(each.job_facts.ran for each in ordered)

    def shows_location(self, root: ExecutionSummary) -> bool:
        """Return whether a statement's table is that of the location which its jobs commit to.

        Its plan prints neither the name nor the location, or another plan reads the table that it creates by its path.
        """
        command = find_command(root.summary.command)
        if command.attributes_only or root.summary.writes_unnamed_table:
            return True
        creates = command.target is Target.IN_JOBS and bool(root.commit_location)
        return creates and path_name(root.commit_location) in self.catalog.scanned_paths


def _row_sources(
    draft: _Draft, members: Sequence[ExecutionSummary], application: _Application, scanned: Sequence[ScannedTable]
) -> statement.RowSources:
    return statement.RowSources(
        rdds=rdd_sources(members, dict(application.catalog.settings.catalogs)),
        id_offsets=_id_offsets(draft.root, scanned),
        attribute_ids=_common_ids(members) if draft.shares_ids else (),
        sampled=sampled_of(draft.root, application.sampled),
        has_no_plan=any(each.has_failed and not each.summary.fingerprint for each in members),
        has_driver_rows=any(map(application.driver_rows.reads, members)),
        ran_no_job=application.has_jobs and _ran_no_job(draft.root, members),
    )


def _ran_no_job(root: ExecutionSummary, members: Sequence[ExecutionSummary]) -> bool:
    """Return whether a command that moves rows ended well without a job: a save to what exists, in mode `ignore`."""
    command = find_command(root.summary.command)
    fills_table = command.fills_new_table and not command.query & (Query.LOGICAL | Query.SQL)  # these make views
    if root.ended_at is None or not (fills_table or command.moves_rows or command.target is Target.OPTIONS):
        return False
    return not any(each.has_failed or each.job_facts.ran for each in members)


def _scanned_tables(members: Sequence[ExecutionSummary], application: _Application) -> tuple[ScannedTable, ...]:
    """Return the tables that a clone copies and a view reads; those that jobs scan if the query may be in no plan."""
    catalog = application.catalog
    if copied := catalog.copied_tables(members):
        return copied
    if not _may_read_rdd(members[0], application.producers):
        return ()
    scans = (scan for execution in members for scan in execution.job_facts.scans)
    return scanned_tables(scans, catalog.columns, dict(catalog.settings.catalogs))


def _may_read_rdd(execution: ExecutionSummary, producers: Mapping[int, ExecutionSummary]) -> bool:
    """Return whether an execution is a command that may read its rows from an RDD."""
    command = find_command(execution.summary.command)
    if Rows.ELSEWHERE in command.rows:
        return any(expr_id not in producers for expr_id in execution.summary.requested)
    return Rows.JOBS in command.rows


def _roots(ordered: Sequence[ExecutionSummary], by_id: Mapping[int, ExecutionSummary]) -> dict[int, int]:
    """Return each execution's root: by `rootExecutionId` (3.4+), or else the command that it ran within.

    A child whose root is lost (in a truncated or compacted log) is its own root. Up to 3.1 a command is printed again,
    with the same attribute ids, when its result is collected: it runs once (3.2+ prints a CommandResult).
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
        if summary.command and find_command(summary.command).role is not Role.RESULT:
            running.append(execution)
    return roots


def _contains(outer: ExecutionSummary, inner: ExecutionSummary) -> bool:
    """Return whether `inner` ran within the command `outer`: in its time, under its description."""
    return described_within(outer.description, inner.description) and outer.contains(inner)


def _statement(draft: _Draft, application: _Application) -> statement.Statement:
    """Return the statement of a draft, with its evidence and the plans that are linked to it."""
    root, catalog = draft.root, application.catalog
    members = [root, *(execution for execution in draft.members if execution is not root)]
    plans, links = link_plans(members, draft.batch, application.producers, application.checkpoints)
    hides_sink = draft.stream is not None and bool(draft.stream.unnamed_sink)
    tables = catalog.table_names(plans, len(members), of_rows=hides_sink)
    scanned = _scanned_tables(members, application)
    context = statement.StatementContext(
        stream=draft.stream,
        batch=len(members) if draft.batch is not None else None,
        names=statement.PrintedNames(
            tables=tables,
            catalogs=catalog.catalogs(members),
            namespaces=(*catalog.namespaces(plans), *_session_settings(members)),
            application=catalog.id_of_unnamed(plans, tables),
            written=_written(members),
        ),
        hidden=statement.HiddenTables(
            views=tuple(dict.fromkeys(view for execution in members for view in execution.views)),
            commit_location=root.commit_location if application.shows_location(root) else "",
            maintained_table=draft.maintained_table,
            scanned=scanned,
        ),
        rows=_row_sources(draft, members, application, scanned),
    )
    fingerprints = tuple(execution.summary.fingerprint for execution in plans)
    key = application.key + statement.context_key(context)
    return statement.Statement(
        members=tuple(execution.execution_id for execution in members),
        fingerprints=fingerprints,
        links=links,
        lineage_id=statement.lineage_id(fingerprints, len(members), links, key),
        catalog_settings=catalog.settings,
        context=context,
    )


def _written(members: Sequence[ExecutionSummary]) -> WrittenLists:
    return next((each.written for each in members if each.written), ())


def _session_settings(members: Sequence[ExecutionSummary]) -> tuple[tuple[str, str], ...]:
    """Return the settings of a statement's session that differ from the application's."""
    return tuple(sorted({key: value for execution in members for key, value in execution.settings}.items()))


def _id_offsets(root: ExecutionSummary, scanned: Sequence[ScannedTable]) -> tuple[tuple[int, int], ...]:
    """Return the distances of the root's attributes by their ids: those of one relation are consecutive.

    A distance that is longer than the widest relation is the same in all runs: it depends on the rest of the session.
    """
    width = max((len(columns) for table in scanned for columns in (*table.column_lists, table.columns)), default=0)
    if not width or not root.summary.unbound:
        return ()
    offsets = _numbered(root.summary.ids, width)
    return tuple((index, offsets[expr_id]) for index, expr_id in enumerate(root.summary.ids))


def _common_ids(members: Sequence[ExecutionSummary]) -> tuple[tuple[int, ...], ...]:
    """Number the members' attribute ids jointly, so that all runs of their plans get equal numbers.

    A MERGE keeps the order of its attributes' ids, which is the order of the columns within each of its tables. The ids
    that truncated lists may hide keep their numbers: those of a relation follow each other.
    """
    known: dict[int, int] = {}
    command = find_command(members[0].summary.command)
    hidden = max(map(_longest_hidden, members))
    if hidden or command.attributes_only or (command.row_level and command.lists_all_columns):
        known = _numbered((expr_id for execution in members for expr_id in execution.summary.ids), hidden)
    return tuple(
        tuple(known.setdefault(expr_id, len(known) + 1) for expr_id in execution.summary.ids) for execution in members
    )


def _longest_hidden(execution: ExecutionSummary) -> int:
    return max((fact.missing for fact in execution.summary.facts if isinstance(fact, TruncatedLists)), default=0)


def _numbered(ids: Iterable[int], width: int) -> dict[int, int]:
    """Number attributes in the order of their ids, with room for the ids between two that a relation may have.

    Args:
        width: The most ids between two attributes that are left out of the numbers.
    """
    ordered = sorted(set(ids))
    steps = (min(after - before, width + 1) for before, after in pairwise(ordered))
    return dict(zip(ordered, accumulate(steps, initial=1), strict=False))


def link_command_results(ordered: Sequence[ExecutionSummary], roots: dict[int, int]) -> frozenset[int]:
    """Attach the result of a command to the command's statement, if its plan text contains more than the command's.

    Args:
        roots: Execution to root; updated for the results.

    Returns:
        The ids of these results.
    """
    commands: dict[str, ExecutionSummary] = {}
    found: set[int] = set()
    for execution in ordered:
        analyzed, execution_id = execution.summary.analyzed, execution.execution_id
        if not analyzed:
            continue
        if find_command(execution.summary.command).role is not Role.RESULT:
            commands[analyzed] = execution
        elif (command := commands.get(analyzed)) is not None and roots[execution_id] == execution_id:
            roots[execution_id] = roots[command.execution_id]
            found.add(execution_id)
    return frozenset(found)


def link_maintenance(ordered: Sequence[ExecutionSummary], roots: dict[int, int]) -> dict[int, Dataset]:
    """Attach maintenance executions to the CALL that ran them; a CALL without any may commit to a table itself.

    Args:
        roots: Execution to root; updated for executions that a CALL's result follows.

    Returns:
        Root execution to the table that it maintains, for maintenance that is not part of another statement.
    """
    found: dict[int, Dataset] = {}
    unattached: dict[int, Dataset] = {}
    importing: set[int] = set()
    for execution in ordered:
        execution_id, imported = execution.execution_id, _importing_table(execution)
        if roots[execution_id] != execution_id:
            continue
        is_call = find_command(execution.summary.command).role is Role.CALL
        if maintained := described_maintenance(execution.description) or imported:
            unattached[execution_id] = maintained
            importing |= {execution_id} if imported else set()
        elif is_call and (table := _table_of_call(execution, unattached, roots)):
            found[execution_id] = table
    return found | {root: table for root, table in unattached.items() if root not in importing}


def _table_of_call(call: ExecutionSummary, unattached: dict[int, Dataset], roots: dict[int, int]) -> Dataset | None:
    if unattached:
        return _attach(call.execution_id, unattached, roots)
    location = call.commit_location
    return Dataset(location, "path" if "/" in location else "table") if location else None


def _attach(call: int, unattached: dict[int, Dataset], roots: dict[int, int]) -> Dataset:
    """Attach the executions that maintain the last table to the CALL that ran them, and return the table."""
    table = next(reversed(unattached.values()))
    called = {each for each, known in unattached.items() if known == table}
    roots.update((member, call) for member in [*roots] if roots[member] in called)
    for each in called:
        del unattached[each]
    return table


def _importing_table(execution: ExecutionSummary) -> Dataset | None:
    """Return the table that the procedure around a query imports files into."""
    facts = (fact for fact in execution.summary.facts if isinstance(fact, ImportingTable))
    return next((Dataset(fact.name, "table", fact.format) for fact in facts), None)
