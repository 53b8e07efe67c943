"""Which snapshots an application's statements read and made, from what their plans and progress events name.

A number that a plan names is exact. What a write made is seldom named: a state that is loaded after it is exact too;
else the version after the one that it changed (Delta), or the id that the next statement finds (Iceberg), is inferred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from eventlog_lineage.datasets.naming import SESSION_CATALOG, path_name
from eventlog_lineage.datasets.offsets import snapshot_of
from eventlog_lineage.events.records import Execution, StreamProgress
from eventlog_lineage.extensions import find_command, formats
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.lineage.grouping.linked_executions import described_maintenance
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole, TableName
from eventlog_lineage.plan.summary.plan_summary import PlanSummary


class SnapshotUse(NamedTuple):
    """A statement read or made a snapshot.

    Attributes:
        execution_id: The statement's root.
        dataset: The table's location or name, as the log has it.
        direction: `read` or `write`.
        snapshot_id: As the format numbers it; several, ascending, where a statement read several of one table.
        confidence: `exact` where the log names it, `inferred` where it follows.
    """

    execution_id: int
    dataset: str
    direction: str
    snapshot_id: str
    confidence: str


@dataclass(slots=True)
class _Touch:
    """What one statement's executions name of one table.

    Attributes:
        found: Snapshots that were loaded, or that scans name, in their order in time.
        last: The last of them was loaded once the statement's rows had been moved.
        base: What a command says that it changes.
        writes: The statement writes the table.
        creates: It makes the table: its first version.
        drops: It drops the table.
    """

    found: list[str] = field(default_factory=list)
    last: bool = False
    base: str = ""
    writes: bool = False
    creates: str = ""
    drops: bool = False


def find_snapshots(
    groups: Sequence[Statement],
    executions: Mapping[int, Execution],
    summaries: Mapping[int, PlanSummary],
    catalog_settings: CatalogSettings,
    progress: Sequence[StreamProgress] = (),
) -> list[SnapshotUse]:
    """Tells the snapshots of all statements of an application.

    Args:
        groups: The statements.
        executions: By their ids.
        summaries: Execution id to its plan at a glance.
        catalog_settings: What the plans are read with.
        progress: Of the streaming queries: what each micro-batch has read.

    Returns:
        At most one row per statement, table and direction.
    """
    ordered = sorted(groups, key=lambda group: (executions[group.root].started_at or 0, group.root))
    facts = [fact for head in summaries.values() for fact in head.facts if isinstance(fact, TableName)]
    names = {fact.name: fact.location for fact in facts}
    known = _Known()
    uses: list[SnapshotUse] = []
    batches = {(each.run_id, each.batch_id): each for each in progress}
    for group in ordered:
        root = executions[group.root]
        batch = batches.get((root.stream_run_id, root.stream_batch_id if root.stream_batch_id is not None else -1))
        if batch is not None and group.context.stream is not None:
            uses += _consumed(group, batch, summaries, catalog_settings)
        reader = _Reader(group, executions, summaries, names, catalog_settings)
        if executions[group.root].status == "succeeded":
            uses += _committed(group, executions)
            for place, touch in reader.touches().items():
                uses += known.take(group.root, place, touch)
    found: dict[tuple[int, str, str], SnapshotUse] = {}
    for use in uses:
        if use not in known.refuted:
            found.setdefault(use[:3], use)  # what a stream's progress says comes first
    return list(found.values())


def _committed(group: Statement, executions: Mapping[int, Execution]) -> Iterator[SnapshotUse]:
    """What the jobs of a commit name: Hudi's."""
    for commit in (executions[member].commit for member in group.members):
        if commit is not None and commit.instant:
            yield SnapshotUse(group.root, path_name(commit.place), "write", commit.instant, "exact")


def _consumed(
    group: Statement, batch: StreamProgress, summaries: Mapping[int, PlanSummary], catalog_settings: CatalogSettings
) -> Iterator[SnapshotUse]:
    """What a micro-batch has read of its sources."""
    for place, (_, _, end, _) in zip(source_names(group, summaries, catalog_settings), batch.sources, strict=False):
        if place and (version := snapshot_of(end)):
            yield SnapshotUse(group.root, place, "read", version, "exact")


def source_names(
    group: Statement, summaries: Mapping[int, PlanSummary], catalog_settings: CatalogSettings
) -> list[str]:
    """The sources of a micro-batch, in the order of its progress: a connector that prints its class is named by a scan.

    Args:
        group: The micro-batch.
        summaries: Execution id to its plan at a glance.
        catalog_settings: What the plans are read with.

    Returns:
        A name for each source; empty for one of several datasets, and for one that nothing names.
    """
    facts = (fact for member in group.members for fact in summaries[member].facts if isinstance(fact, SnapshotRef))
    streamed = [fact.table for fact in facts if fact.role is SnapshotRole.STREAMED]
    tables = group.context.tables
    scanned = [
        _full_name(table.format, tables.of_bare(table.name) or table.name, catalog_settings) or table.name
        for table in streamed
    ]
    unnamed = iter(dict.fromkeys(scanned))
    sources = group.context.stream.sources if group.context.stream else ()
    return [
        next(unnamed, "") if datasets is None else datasets[0].name if len(datasets) == 1 else ""
        for datasets in sources
    ]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Gathers what one statement names.

    Attributes:
        group: The statement.
        executions: By their ids.
        summaries: Execution id to its plan at a glance.
        names: Table to its place, as far as the application's plans say.
        catalog_settings: What the plans are read with.
    """

    group: Statement
    executions: Mapping[int, Execution]
    summaries: Mapping[int, PlanSummary]
    names: Mapping[str, str]
    catalog_settings: CatalogSettings

    def touches(self) -> dict[str, _Touch]:
        """Table's place or name to what the statement names of it."""
        touches: dict[str, _Touch] = {}
        moved_at = self._moved_at() if any(self._refs(member) for member in self.group.members) else None
        members = sorted(self.group.members, key=lambda member: (self.executions[member].started_at or 0, member))
        for member in members:
            later = moved_at is not None and (self.executions[member].started_at or 0) >= moved_at
            for ref in self._refs(member):
                if key := self._key(ref, touches):
                    self._note(touches.setdefault(key, _Touch()), ref, later=later)
            self._note_metrics(self.executions[member], touches)
        for description in {self.executions[member].description for member in self.group.members}:
            if table := described_maintenance(description):
                touches.setdefault(table.name, _Touch()).writes = True
        stream = self.group.context.stream
        if stream is not None and stream.sink is not None and stream.sink.name in touches:
            touches[stream.sink.name].writes = True
        return touches

    def _refs(self, member: int) -> list[SnapshotRef]:
        head = self.summaries[member]
        if find_command(head.command).is_result:
            return []
        return [fact for fact in head.facts if isinstance(fact, SnapshotRef)]

    def _key(self, ref: SnapshotRef, touches: Mapping[str, _Touch]) -> str:
        """Return the location of a table, or its name; empty if the text has neither and no other table is meant."""
        table, names = ref.table, self.group.context.tables
        known = names.of_bare(table.name) if table.name else names.unnamed
        if not table.location and (full := _full_name(table.format, known or table.name, self.catalog_settings)):
            return full
        if table.by_location:
            catalog = dict(self.catalog_settings.catalogs).get(table.catalog, SESSION_CATALOG)
            full = f"{catalog}.{table.name}" if table.catalog else table.name
            return self.names.get(full) or self.catalog_settings.managed_location(full) or full
        if table.location or table.name or ref.role is not SnapshotRole.BASE:
            return table.location or table.name
        return next(iter(touches)) if len(touches) == 1 else ""

    def _note(self, touch: _Touch, ref: SnapshotRef, *, later: bool) -> None:
        if ref.role in {SnapshotRole.LOADED, SnapshotRole.READ} and ref.version:
            touch.found.append(ref.version)
            touch.last = later
        elif ref.role is SnapshotRole.BASE:
            touch.base, touch.writes = ref.version, True
        elif ref.role is SnapshotRole.NAMED:
            root = find_command(self.summaries[self.group.root].command)
            touch.writes = touch.writes or root.changes_printed_table
        elif ref.role in {SnapshotRole.WRITTEN, SnapshotRole.CREATED}:
            touch.writes = True
            touch.creates = touch.creates or ref.version
        elif ref.role is SnapshotRole.DROPPED:
            touch.drops = True

    def _note_metrics(self, execution: Execution, touches: dict[str, _Touch]) -> None:
        for operator in execution.metrics:
            for each in formats():
                if snapshot := operator.values.get(each.snapshot_metric):  # 0 for the changes between two snapshots
                    name = each.full_name(operator.node_name, dict(self.catalog_settings.catalogs))
                    touches.setdefault(name or operator.node_name, _Touch()).found.append(str(snapshot))

    def _moved_at(self) -> int | None:
        """When the last of the statement's own executions that move rows had ended; None where none is told."""
        ends = [
            self.executions[member].ended_at
            for member in self.group.members[1:]
            if not self.summaries[member].is_internal_query and not _is_around(self.summaries[member].command)
        ]
        return max((end for end in ends if end is not None), default=None)


def _full_name(table_format: str, name: str, catalog_settings: CatalogSettings) -> str:
    """The full name of a table of a format that prints it without its catalog; empty for other formats."""
    found = (each.full_name(name, dict(catalog_settings.catalogs)) for each in formats() if each.name == table_format)
    return next(filter(None, found), "")


def _is_around(name: str) -> bool:
    """Is it a command around another one, or a print of its result?"""
    command = find_command(name)
    return command.v1_fallback or command.is_result


class _Known:
    """What is known of each table while the statements go by in time."""

    def __init__(self) -> None:
        self._current: dict[str, str] = {}
        self._seen: dict[str, set[str]] = {}
        self._open: dict[str, SnapshotUse] = {}
        self._unnamed: dict[str, int] = {}
        self.refuted: set[SnapshotUse] = set()

    def take(self, root: int, place: str, touch: _Touch) -> Iterator[SnapshotUse]:
        if touch.drops:
            for table in (self._current, self._open, self._unnamed):
                table.pop(place, None)
            return
        numbered = "/" in place
        made = self._made(place, touch) if numbered and touch.writes else ""
        read = sorted({version for version in touch.found if version != made}, key=_order)
        if read:
            yield from self._confirm(place, read, numbered=numbered)
            yield SnapshotUse(root, place, "read", touch.base or ",".join(read), "exact")
        self._seen.setdefault(place, set()).update(read)
        known = (touch.base, self._current.get(place, ""), *read)
        self._current[place] = max(known, key=_order)  # a read of an older version takes nothing back
        if touch.writes:
            yield from self._write(root, place, touch, made)

    def _made(self, place: str, touch: _Touch) -> str:
        """The version that was loaded after the commit, if one was: one more than what the statement changed."""
        newest = touch.found[-1] if touch.found else ""
        if not newest.isdigit():
            return ""
        before = str(int(newest) - 1)
        if before == touch.base or before in touch.found[:-1]:
            return newest
        alone = len(set(touch.found)) == 1 and not touch.base
        return newest if alone and touch.last and before == self._current.get(place) else ""

    def _confirm(self, place: str, found: list[str], *, numbered: bool) -> Iterator[SnapshotUse]:
        """Holds an earlier write against what a later statement finds."""
        written = self._open.pop(place, None)
        if numbered:
            if written is not None and found[-1] == str(int(written.snapshot_id) - 1):
                self.refuted.add(written)  # it changed nothing
                self._current[place] = found[-1]
            root = self._unnamed.pop(place, None)
            if root is not None and written is None:
                yield SnapshotUse(root, place, "write", found[-1], "inferred")
            return
        root = self._unnamed.pop(place, None)
        fresh = [each for each in found if each not in self._seen.get(place, ())]
        if root is not None and len(fresh) == 1:
            yield SnapshotUse(root, place, "write", fresh[0], "inferred")

    def _write(self, root: int, place: str, touch: _Touch, made: str) -> Iterator[SnapshotUse]:
        if "/" not in place:
            others = self._unnamed.pop(place, None)  # two writes, one id to be found: whose is it?
            if others is None:
                self._unnamed[place] = root
            return
        base = self._current.get(place, "")
        told = made or (str(int(base) + 1) if base.isdigit() else touch.creates)
        if not told:
            self._unnamed[place] = root
            return
        named = bool(made) and (touch.base or made != touch.found[0])
        use = SnapshotUse(root, place, "write", told, "exact" if named else "inferred")
        self._current[place] = told
        self._open.pop(place, None)
        if not named:
            self._open[place] = use
        yield use


def _order(version: str) -> tuple[int, str]:
    """Delta's and Paimon's versions in order; Iceberg's ids have none."""
    return (int(version), "") if version.isdigit() else (-1, version)
