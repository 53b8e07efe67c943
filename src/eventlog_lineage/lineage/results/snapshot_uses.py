"""Find the snapshots that an application's statements read and write, from plans, jobs and progress events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from eventlog_lineage.catalog.application_facts import CatalogSettings
from eventlog_lineage.catalog.objects import described_maintenance
from eventlog_lineage.datasets.naming import SESSION_CATALOG, path_name
from eventlog_lineage.datasets.streams import snapshot_of
from eventlog_lineage.events.records import Execution, StreamProgress
from eventlog_lineage.extensions import Role, Rows, Target, contributions, find_command, find_format, formats
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.model import ROW_CHANGES
from eventlog_lineage.plan.summary.plan_facts import CatalogObject, SnapshotRef, SnapshotRole, TableName, TableRef
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

from .table_versions import SnapshotUse, TableAccess, TableVersions


def _named_locations(summaries: Iterable[PlanSummary]) -> dict[str, str]:
    facts = chain.from_iterable(summary.facts for summary in summaries)
    return {fact.name: fact.location for fact in facts if isinstance(fact, TableName)}


def find_snapshots(
    statements: Sequence[Statement],
    executions: Mapping[int, Execution],
    summaries: Mapping[int, PlanSummary],
    catalog_settings: CatalogSettings,
    progress: Sequence[StreamProgress] = (),
) -> list[SnapshotUse]:
    """Return the snapshots that the statements of an application read and write.

    Args:
        progress: The progress events of streaming queries: the offsets that each micro-batch has read.

    Returns:
        At most one row per statement, table and direction.
    """
    ordered = sorted(statements, key=lambda statement: (executions[statement.root].started_at or 0, statement.root))
    names = _named_locations(summaries.values())
    known = TableVersions()
    uses: list[SnapshotUse] = []
    batches = {(each.run_id, each.batch_id): each for each in progress}
    for statement in ordered:
        root, summary = executions[statement.root], summaries[statement.root]
        batch = batches.get((root.stream_run_id, root.stream_batch_id if root.stream_batch_id is not None else -1))
        if batch is not None and statement.context.stream is not None:
            uses += _consumed(statement, batch, summaries, catalog_settings)
        _note_procedure(summary, known)
        if root.status == "succeeded":
            uses += _committed(statement, executions)
            uses += _followed(_SnapshotCollector(statement, executions, summaries, names, catalog_settings), known)
    return _distinct(use for use in uses if use not in known.refuted)


def _note_procedure(summary: PlanSummary, known: TableVersions) -> None:
    """Note what a CALL may have committed, and the tables of which it makes branches."""
    if find_command(summary.command).role is Role.CALL:
        known.forget_pending_writes()
    for fact in summary.facts:
        if isinstance(fact, SnapshotRef) and fact.role is SnapshotRole.BRANCHED:
            known.branch(fact.table.name)


def _followed(collector: _SnapshotCollector, known: TableVersions) -> Iterator[SnapshotUse]:
    """Yield what a statement's accesses show, of it and of earlier statements.

    An API that runs no command, `DeltaTable.convertToDelta`, leaves internal queries only: it has no use itself.

    Args:
        known: The versions of all tables so far; updated.
    """
    root, is_internal = collector.statement.root, collector.reads_nothing()
    for table, access in collector.accesses().items():
        for use in known.add(root, table, access):
            if not is_internal or use.execution_id != root:
                yield use


def _distinct(uses: Iterable[SnapshotUse]) -> list[SnapshotUse]:
    """Return the first use of each statement, table and direction: a stream's progress takes precedence."""
    found: dict[tuple[int, str, str], SnapshotUse] = {}
    for use in uses:
        found.setdefault(use[:3], use)
    return list(found.values())


def _committed(statement: Statement, executions: Mapping[int, Execution]) -> Iterator[SnapshotUse]:
    for commit in (executions[member].job_facts.commit for member in statement.members):
        if commit is not None and commit.instant:
            yield SnapshotUse(statement.root, path_name(commit.location), "write", commit.instant, "exact")


def _consumed(
    statement: Statement, batch: StreamProgress, summaries: Mapping[int, PlanSummary], catalog_settings: CatalogSettings
) -> Iterator[SnapshotUse]:
    for table, (_, _, end, _) in zip(source_names(statement, summaries, catalog_settings), batch.sources, strict=False):
        if table and (version := snapshot_of(end)):
            yield SnapshotUse(statement.root, table, "read", version, "exact")


def source_names(
    statement: Statement, summaries: Mapping[int, PlanSummary], catalog_settings: CatalogSettings
) -> list[str]:
    """Return the sources of a micro-batch in the order of its progress.

    A source that prints only its class has the name of a scan.

    Returns:
        A name for each source; empty for a source of several datasets, and for one without a name.
    """
    facts = (fact for member in statement.members for fact in summaries[member].facts if isinstance(fact, SnapshotRef))
    streamed = (fact.table for fact in facts if fact.role is SnapshotRole.STREAMED)
    of_unqualified = statement.context.names.tables.of_unqualified

    def name_of(table: TableRef) -> str:
        full = _full_name(table.format, of_unqualified(table.name) or table.name, catalog_settings)
        return table.location or full or table.name

    unnamed = iter(dict.fromkeys(map(name_of, streamed)))
    sources = statement.context.stream.sources if statement.context.stream else ()
    return [next(unnamed, "") if each is None else each[0].name if len(each) == 1 else "" for each in sources]


@dataclass(frozen=True, slots=True)
class _SnapshotCollector:
    """Collects the snapshots that one statement's executions name.

    Attributes:
        names: Table to its location, if a plan of the application prints it.
    """

    statement: Statement
    executions: Mapping[int, Execution]
    summaries: Mapping[int, PlanSummary]
    names: Mapping[str, str]
    catalog_settings: CatalogSettings

    def accesses(self) -> dict[str, TableAccess]:
        """Return the statement's access to each table, by the table's location or name."""
        refs = {member: self._refs(member) for member in self.statement.members}
        moved_at = self._moved_at() if any(refs.values()) else None
        accesses, planned = self._collected(refs, moved_at)
        mode = find_command(self.summaries[self.statement.root].command).mode
        is_compacted = mode != "maintenance" and any(map(self._compacts, self.statement.members))
        for key, access in accesses.items():
            access.is_compacted = access.writes and is_compacted
            access.is_result &= moved_at is not None and mode == "append"
            access.is_only_late = access.is_result
            access.is_result &= is_compacted
            if key in planned and not access.writes:
                access.found = planned[key]  # other states were loaded to resolve the table's name
        return self._with_effect(accesses, is_idle_maintenance=moved_at is None and mode == "maintenance")

    def _with_effect(self, accesses: dict[str, TableAccess], *, is_idle_maintenance: bool) -> dict[str, TableAccess]:
        """Return the accesses after what the statement did: a write that changes nothing is none.

        Args:
            is_idle_maintenance: The statement maintains tables, and moved no rows.
        """
        if self._changes_nothing() or self._appends_nothing():
            return {key: replace(each, writes=False) for key, each in accesses.items() if each.found}
        if self._may_write_nothing():
            return {key: replace(each, may_write=each.writes and not each.creates) for key, each in accesses.items()}
        if is_idle_maintenance:  # OPTIMIZE that finds nothing to compact loads one version only
            return {key: replace(each, writes=len(set(each.found)) > 1) for key, each in accesses.items()}
        return accesses

    def _collected(
        self, refs: Mapping[int, Sequence[SnapshotRef]], moved_at: int | None
    ) -> tuple[dict[str, TableAccess], dict[str, list[str]]]:
        """Return what the statement's executions show of each table, and the versions that scans were planned with."""
        accesses: dict[str, TableAccess] = {}
        planned: dict[str, list[str]] = {}
        for member in sorted(self.statement.members, key=lambda member: (self._started_at(member), member)):
            later = moved_at is None or self._started_at(member) >= moved_at
            for ref in refs[member]:
                if key := self._table_key(ref, accesses):
                    self._add(accesses.setdefault(key, TableAccess()), ref, later=later)
                    if ref.role is SnapshotRole.LOADED and ref.version and self._plans_scan(member):
                        planned.setdefault(key, []).append(ref.version)
            self._add_metrics(self.executions[member], accesses)
        descriptions = dict.fromkeys(self.executions[member].description for member in self.statement.members)
        for table in filter(None, map(described_maintenance, descriptions)):
            accesses.setdefault(table.name, TableAccess()).writes = True
        self._add_sink(accesses)
        self._mark_sources(accesses)
        return accesses, planned

    def reads_nothing(self) -> bool:
        """Return whether the statement consists of internal queries that plan no scan."""
        members = self.statement.members
        return all(self.summaries[each].is_internal_query and not self._plans_scan(each) for each in members)

    def _started_at(self, member: int) -> int:
        return self.executions[member].started_at or 0

    def _plans_scan(self, member: int) -> bool:
        return any(each in self.executions[member].description for each in contributions("descriptions.planning"))

    def _add_sink(self, accesses: dict[str, TableAccess]) -> None:
        """Mark the access to the sink of a stream as a write.

        A batch without rows is a commit of a table with numbered versions, too: it has the batch's id (`txn`). A batch
        that was committed before runs no task.

        Args:
            accesses: The accesses so far, by location or name; updated.
        """
        stream = self.statement.context.stream
        if stream is None or stream.sink is None:
            return
        sink = accesses.get(stream.sink.name)
        if sink is not None:
            sink.writes = True
            if (stream.sink,) not in stream.sources:
                sink.change_loaded()
        elif "/" in stream.sink.name:
            own = (each for each in self.statement.members if not self.summaries[each].is_internal_query)
            ran = any(self.executions[each].cost is not None for each in own)
            accesses[stream.sink.name] = TableAccess(writes=True, may_write=not ran)

    def _mark_sources(self, accesses: Mapping[str, TableAccess]) -> None:
        """Mark the access to a stream's sources, and of a query that starts where it stopped (`batch = init`)."""
        stream = self.statement.context.stream
        is_own = bool(self.executions[self.statement.root].stream_run_id) and self.reads_nothing()
        sources = {each.name for listed in (stream.sources if stream is not None else ()) for each in listed or ()}
        for name, access in accesses.items():
            access.is_streamed = is_own or name in sources

    def _compacts(self, member: int) -> bool:
        return any(each in self.executions[member].description for each in contributions("descriptions.compaction"))

    def _changes_nothing(self) -> bool:
        """Return whether the metrics of the statement's command show that it changes no file."""
        if find_command(self.summaries[self.statement.root].command).mode not in ROW_CHANGES:
            return False
        names = {name for listed in contributions("metrics.changes") for name in listed}
        found = [
            each.values[name]
            for each in self.executions[self.statement.root].metrics
            for name in each.values
            if name in names
        ]
        return bool(found) and not any(found)

    def _appends_nothing(self) -> bool:
        """Return whether the rows that the statement appends are an empty relation: no file, and no commit."""
        command = find_command(self.summaries[self.statement.root].command)
        if command.mode != "append" or self.statement.context.stream is not None:
            return False
        found = map(self.summaries.__getitem__, self.statement.members[1:])
        rows = [each for each in found if not each.is_internal_query and not each.command]
        return bool(rows) and all(each.ids and each.requested >= set(each.ids) and not each.row_scans for each in rows)

    def _may_write_nothing(self) -> bool:
        """Return whether no task of an append or an overwrite writes a row: the metrics of stages count the rows.

        Without rows Delta commits only if an overwrite removes files or the writer has a transaction's id (3.3, 4.x).
        A micro-batch is always a commit, and so is a table that the statement creates or replaces.
        """
        command = find_command(self.summaries[self.statement.root].command)
        is_write = command.mode in {"append", "overwrite"} or command.target is Target.OPTIONS
        stream = self.statement.context.stream
        if not is_write or command.fills_new_table or (stream is not None and stream.sink is not None):
            return False
        costs = [self.executions[member].cost for member in self.statement.members]
        return not any(cost.records_written for cost in costs if cost is not None)

    def _refs(self, member: int) -> list[SnapshotRef]:
        """Return the snapshots in the plan of an execution; none for a result, which prints its command's again."""
        summary = self.summaries[member]
        if not summary.facts or find_command(summary.command).role is Role.RESULT:
            return []
        refs = (fact for fact in summary.facts if isinstance(fact, SnapshotRef))
        return [fact for fact in refs if fact.role is not SnapshotRole.BRANCHED]

    def _table_key(self, ref: SnapshotRef, accesses: Mapping[str, TableAccess]) -> str:
        """Return the location or name of a table; empty if the text has neither and several tables are possible."""
        table = ref.table
        if not table.location and (name := self._completed_name(table)):
            return name
        if table.by_location:
            return self._location_of(table)
        if table.location or table.name or ref.role is not SnapshotRole.BASE:
            return table.location or table.name
        return next(iter(accesses)) if len(accesses) == 1 else ""

    def _completed_name(self, table: TableRef) -> str:
        """Return the full name of a table that is printed without its catalog, or not at all; empty if unknown."""
        names = self.statement.context.names.tables
        known = names.of_unqualified(table.name) if table.name else names.unnamed
        full = _full_name(table.format, known or table.name, self.catalog_settings)
        return self._created_name(table.name) or full

    def _location_of(self, table: TableRef) -> str:
        """Return the location of a named table; its name if no location is known."""
        catalog = dict(self.catalog_settings.catalogs).get(table.catalog, SESSION_CATALOG)
        full = f"{catalog}.{table.name}" if table.catalog else table.name
        return self.names.get(full) or self.catalog_settings.managed_location(full) or full

    def _created_name(self, name: str) -> str:
        """Return the full name of the table that the statement creates, whose write prints it without its catalog.

        Args:
            name: The printed name, of the session catalog; empty for other names.
        """
        catalogs = dict((*self.catalog_settings.catalogs, *self.statement.context.names.catalogs))
        return next(
            (
                f"{catalog}.{fact.table}"
                for fact in self.summaries[self.statement.root].facts
                if isinstance(fact, CatalogObject) and name == f"{SESSION_CATALOG}.{fact.table}"
                if (catalog := catalogs.get(fact.class_name, SESSION_CATALOG)) not in {"", SESSION_CATALOG}
            ),
            "",
        )

    def _add(self, access: TableAccess, ref: SnapshotRef, *, later: bool) -> None:
        """Add a snapshot to the access to its table.

        Args:
            later: Whether it was loaded after the statement had written its rows.
        """
        if ref.role in {SnapshotRole.LOADED, SnapshotRole.READ} and ref.version:
            access.add_loaded(ref.version, later=later)
        elif ref.role is SnapshotRole.BASE:
            access.base, access.writes = ref.version, True
        elif ref.role is SnapshotRole.NAMED:
            root = find_command(self.summaries[self.statement.root].command)
            access.writes |= root.target is Target.OBJECT
            access.may_write = root.mode == "truncate" or root.target is Target.OBJECT_IF_CHANGED
        elif ref.role is SnapshotRole.REPEATED:
            access.commits = int(ref.version)
        elif ref.role in {SnapshotRole.WRITTEN, SnapshotRole.CREATED}:
            is_new = bool(self._created_name(ref.table.name))
            access.add_written(ref.version, is_new=is_new, creates=ref.role is SnapshotRole.CREATED)
        elif ref.role is SnapshotRole.DROPPED:
            access.drops = True

    def _add_metrics(self, execution: Execution, accesses: dict[str, TableAccess]) -> None:
        """Add the snapshots that metrics of scans name."""
        for operator in execution.metrics:
            for each in formats():  # 0 for the changes between two snapshots
                if snapshot := operator.values.get(each.metrics.snapshot) if each.metrics.snapshot else None:
                    name = each.tables.full_name(operator.node_name, dict(self.catalog_settings.catalogs))
                    accesses.setdefault(name or operator.node_name, TableAccess()).found.append(str(snapshot))

    def _moved_at(self) -> int | None:
        """Return the end time of the last execution that moves rows; None if it is not in the log.

        A compaction after another write moves no rows of that write.
        """
        compacts = find_command(self.summaries[self.statement.root].command).mode == "maintenance"
        ends = [
            self.executions[member].ended_at
            for member in self.statement.members[1:]
            if not self.summaries[member].is_internal_query
            and not _is_wrapper(self.summaries[member].command)
            and (compacts or not self._compacts(member))
        ]
        return max((end for end in ends if end is not None), default=None)


def _full_name(table_format: str, name: str, catalog_settings: CatalogSettings) -> str:
    """Return the full name of a table whose format prints it without the catalog; empty for other formats."""
    return find_format(table_format).tables.full_name(name, dict(catalog_settings.catalogs)) or ""


def _is_wrapper(name: str) -> bool:
    """Return whether a command wraps another command, or is the result of one."""
    command = find_command(name)
    return command.rows is Rows.ELSEWHERE or command.role is Role.RESULT
