"""Which executions make one statement, and which other executions explain what they leave open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.lineage.tracing import hudi_merge
from eventlog_lineage.lineage.tracing.catalog_settings import CatalogSettings
from eventlog_lineage.lineage.tracing.command_results import link_command_results
from eventlog_lineage.lineage.tracing.maintenance_calls import link_maintenance
from eventlog_lineage.lineage.tracing.match_by_name import ScannedTable, columns_known, tables_of
from eventlog_lineage.lineage.tracing.merge import MERGES
from eventlog_lineage.lineage.tracing.statement_context import NO_CONTEXT, StatementContext
from eventlog_lineage.lineage.tracing.streaming import StreamPlaces
from eventlog_lineage.lineage.tracing.trace_statement import AttributeLink
from eventlog_lineage.plan.views import ViewRead

from .descriptions import described_within
from .execution_summary import ExecutionSummary
from .micro_batches import nest_in_batches
from .statement_key import context_key, lineage_id, plain_lineage_id, settings_key
from .table_names import bare_tables, databases_of, full_names, typed_tables

_NO_STREAMS: Mapping[str, StreamPlaces] = {}
_FALLBACKS = frozenset({"AppendDataExecV1", "OverwriteByExpressionExecV1"})
_WITH_SUBQUERIES = frozenset({"UpdateCommand", "UpdatePaimonTableCommand", "DeleteFromPaimonTableCommand"})
"""Commands whose subqueries are those of the executions that they run."""
_FARTHEST = 12
"""Executions that may explain one another in a row: a checkpoint of a checkpoint …"""


@dataclass(frozen=True, slots=True)
class StatementGroup:
    """A statement: its executions, and the plans that tell its lineage.

    Attributes:
        root: The root execution's id.
        members: Its executions' ids, the root's first, then in order.
        fingerprints: The plans: the members', then those that explain open attributes.
        links: Which attribute of which plan explains which.
        lineage_id: Names the combination of plans; equal for all runs of it.
        stream: Where the streaming query of a micro-batch reads and writes; None outside of streams.
        batch: Which of the plans is the micro-batch whose rows this statement of a batch's function reads.
        views: The views that it reads and its plans do not name.
        context: What the application says of it outside of its plans.
        numbers: Per member the ids to read its plan with, by their places: its executions share attributes, and a text
            may be that of another run. Empty where no member needs another's.
    """

    root: int
    members: tuple[int, ...]
    fingerprints: tuple[str, ...]
    links: tuple[AttributeLink, ...]
    lineage_id: str
    stream: StreamPlaces | None = None
    batch: int | None = None
    views: tuple[ViewRead, ...] = ()
    context: StatementContext = NO_CONTEXT
    numbers: tuple[tuple[int, ...], ...] = ()


@dataclass(slots=True)
class _Draft:
    root: ExecutionSummary
    stream: StreamPlaces | None = None
    batch: ExecutionSummary | None = None
    maintained_table: str = ""
    is_printed_again: bool = False
    members: list[ExecutionSummary] = field(default_factory=list)

    @property
    def shares_ids(self) -> bool:
        """Whether its executions may say of the same attributes."""
        command = self.root.head.command
        return self.is_printed_again or command in MERGES or command in _WITH_SUBQUERIES


def group_executions(
    runs: Sequence[ExecutionSummary],
    catalog_settings: CatalogSettings,
    streams: Mapping[str, StreamPlaces] = _NO_STREAMS,
) -> list[StatementGroup]:
    """Ties an application's executions into statements.

    Args:
        runs: All executions of one application attempt.
        catalog_settings: What their plans are read with: part of what they mean.
        streams: ExecutionSummary id of a streaming query to where it reads and writes.

    Returns:
        One family per root, in the order of the roots' ids.
    """
    ordered = sorted(runs, key=lambda run: run.execution_id)
    by_id = {run.execution_id: run for run in ordered}
    roots = _roots(ordered, by_id)
    batches = nest_in_batches(ordered, roots, streams)
    upkeep = link_maintenance(ordered, roots)
    results = link_command_results(ordered, roots)
    drafts: dict[int, _Draft] = {}
    for run in ordered:
        root = roots[run.execution_id]
        draft = drafts.setdefault(root, _Draft(by_id[root]))
        draft.members.append(run)
        draft.is_printed_again = draft.is_printed_again or run.execution_id in results
    for root, draft in drafts.items():
        if root in batches:
            draft.stream, draft.batch = batches[root]
        draft.maintained_table = upkeep.get(root, "")
    makers = _makers(ordered)
    tables = full_names(run.head for run in ordered)
    databases = databases_of(ordered)
    scanned = _scanned(drafts, makers, ordered, catalog_settings)

    def names(plans: Sequence[ExecutionSummary]) -> tuple[tuple[str, str], ...]:
        return (*bare_tables((run.head for run in plans), tables), *typed_tables(plans, databases))

    key = settings_key(catalog_settings)
    return [_family(drafts[root], makers, names, scanned.get(root, ()), key) for root in sorted(drafts)]


def _scanned(
    drafts: Mapping[int, _Draft],
    makers: Mapping[int, ExecutionSummary],
    ordered: Sequence[ExecutionSummary],
    catalog_settings: CatalogSettings,
) -> dict[int, tuple[ScannedTable, ...]]:
    """Root to what its jobs scan, for the statements whose rows' query may be in no plan."""
    roots = [root for root, draft in drafts.items() if _takes_rdds(draft.root, makers)]
    if not roots:
        return {}
    known = columns_known(run.head for run in ordered)
    catalogs = dict(catalog_settings.catalogs)
    return {
        root: tables_of((scan for run in drafts[root].members for scan in run.scans), known, catalogs) for root in roots
    }


def _takes_rdds(run: ExecutionSummary, makers: Mapping[int, ExecutionSummary]) -> bool:
    """Is it a command of Hudi or Paimon that may take its rows through an RDD?"""
    if run.head.command in _FALLBACKS:
        return any(number not in makers for number in run.head.wanted)
    return run.head.command == hudi_merge.COMMAND or (run.head.command in MERGES and "Paimon" in run.head.command)


def _roots(ordered: Sequence[ExecutionSummary], by_id: Mapping[int, ExecutionSummary]) -> dict[int, int]:
    """Root by `rootExecutionId` (3.4+); before, a command's children are those that ran within it.

    A child of a lost root (a log that was cut, a compacted one) is its own root. Up to 3.1 a command is printed
    again, under the same attribute ids, when its result is collected: that is no second run of it (3.2+ prints
    a CommandResult).
    """
    roots: dict[int, int] = {}
    open_commands: list[ExecutionSummary] = []
    commands: dict[tuple[object, ...], ExecutionSummary] = {}
    for run in ordered:
        if run.root is not None:
            roots[run.execution_id] = run.root if run.root in by_id else run.execution_id
            continue
        if run.head.command:
            batch = (run.stream_run_id, run.stream_batch_id)  # all batches of a query print the same plan
            printed_as = (run.head.command_line or run.head.fingerprint, run.head.ids)
            printed = commands.setdefault((*printed_as, *batch), run)
            if printed is not run:
                roots[run.execution_id] = roots[printed.execution_id]
                continue
        while open_commands and not _contains(open_commands[-1], run):
            open_commands.pop()
        roots[run.execution_id] = roots[open_commands[-1].execution_id] if open_commands else run.execution_id
        if run.head.command and run.head.command != "CommandResult":
            open_commands.append(run)
    return roots


def _contains(outer: ExecutionSummary, inner: ExecutionSummary) -> bool:
    """Did `inner` run within the command `outer`: in its time, under its description?"""
    return described_within(outer.description, inner.description) and outer.contains(inner)


def _makers(ordered: Sequence[ExecutionSummary]) -> dict[int, ExecutionSummary]:
    """Attribute id, of those some execution wants explained, to the first execution that explains it."""
    wanted = {number for run in ordered for number in run.head.wanted}
    makers: dict[int, ExecutionSummary] = {}
    if not wanted:
        return makers
    for run in ordered:
        for number in wanted.intersection(run.head.ids):
            if number not in run.head.open:
                makers.setdefault(number, run)
    return makers


def _family(
    draft: _Draft,
    makers: Mapping[int, ExecutionSummary],
    names: Callable[[Sequence[ExecutionSummary]], tuple[tuple[str, str], ...]],
    scanned: tuple[ScannedTable, ...],
    key: str,
) -> StatementGroup:
    if not scanned and _is_plain(draft):
        return _plain_family(draft.root, key)
    members = [draft.root, *(run for run in draft.members if run is not draft.root)]
    plans = list(members)
    links: list[AttributeLink] = []
    own = {run.execution_id for run in members}
    if draft.batch is not None:
        plans.append(draft.batch)
    batch = len(members) if len(plans) > len(members) else None
    for at, run in _growing(plans):
        for number in sorted(run.head.wanted.intersection(run.head.ids)) if run.head.wanted else ():
            maker = makers.get(number)
            if maker is None or maker.execution_id in own or maker is run or len(plans) > len(members) + _FARTHEST:
                continue
            producer = next((place for place in range(at + 1, len(plans)) if plans[place] is maker), None)
            if producer is None:
                plans.append(maker)
                producer = len(plans) - 1
            places = (run.head.ids.index(number), maker.head.ids.index(number))
            links.append(AttributeLink(at, places[0], producer, places[1]))
    fingerprints = tuple(run.head.fingerprint for run in plans)
    place = draft.root.commit_place if draft.root.head.command == hudi_merge.COMMAND else ""
    numbers = _common_numbers(members) if draft.shares_ids else ()
    context = StatementContext(
        place,
        names(plans),
        draft.maintained_table,
        scanned,
        _row(draft.root, links, scanned),
    )
    views = tuple(dict.fromkeys(view for run in members for view in run.views))
    named = context_key(draft.stream, batch, context, numbers, views)
    return StatementGroup(
        root=draft.root.execution_id,
        members=tuple(run.execution_id for run in members),
        fingerprints=fingerprints,
        links=tuple(links),
        lineage_id=lineage_id(fingerprints, len(members), links, f"{key}{named}"),
        stream=draft.stream,
        batch=batch,
        views=views,
        context=context,
        numbers=numbers,
    )


def _is_plain(draft: _Draft) -> bool:
    """Is the statement one execution of which its own plan says everything, as most are?"""
    root = draft.root
    if (
        len(draft.members) > 1
        or draft.stream
        or draft.batch
        or draft.maintained_table
        or draft.shares_ids
        or root.views
    ):
        return False
    return not (root.head.command == hudi_merge.COMMAND or root.head.wanted or root.head.snapshots)


def _plain_family(root: ExecutionSummary, key: str) -> StatementGroup:
    fingerprint = root.head.fingerprint
    name = plain_lineage_id(fingerprint, key)
    return StatementGroup(root.execution_id, (root.execution_id,), (fingerprint,), (), name)


def _row(
    root: ExecutionSummary, links: Sequence[AttributeLink], scanned: Sequence[ScannedTable]
) -> tuple[tuple[int, int], ...]:
    """The root's attributes whose ids are so near an explained one that they may be columns of the same relation."""
    ids = root.head.ids
    anchor = next((ids[link.attribute] for link in links if link.plan == 0), None)
    width = max((len(columns) for table in scanned for columns in table.whole), default=0)
    if anchor is None:
        return ()
    return tuple((place, number - anchor) for place, number in enumerate(ids) if abs(number - anchor) < width)


def _common_numbers(members: Sequence[ExecutionSummary]) -> tuple[tuple[int, ...], ...]:
    """The members' attribute ids, numbered anew together: the same in all runs of their plans.

    Hudi's MERGE tells the table's columns by the order of their ids, which stays then.
    """
    known: dict[int, int] = {}
    if members[0].head.command == hudi_merge.COMMAND:
        every = {number for run in members for number in run.head.ids}
        known = {number: place for place, number in enumerate(sorted(every), 1)}
    return tuple(tuple(known.setdefault(number, len(known) + 1) for number in run.head.ids) for run in members)


def _growing(plans: list[ExecutionSummary]) -> Iterable[tuple[int, ExecutionSummary]]:
    """Goes on with the plans that are added on the way."""
    at = 0
    while at < len(plans):
        yield at, plans[at]
        at += 1
