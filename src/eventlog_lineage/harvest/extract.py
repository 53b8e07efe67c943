"""Read and assemble the logs of an input split; yield their rows, and the statements to trace with their plan texts."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

from eventlog_lineage.catalog.application_facts import catalog_settings_of
from eventlog_lineage.connectors.connector import use_connectors
from eventlog_lineage.events.listener_events import ExecutionStart
from eventlog_lineage.events.read_options import DEFAULT, CpuBudget, ReadOptions
from eventlog_lineage.events.records import AssembledLog, Event
from eventlog_lineage.events.reported_runs import holds_openlineage, read_runs
from eventlog_lineage.events.sources.layouts import EventLog, LogPart
from eventlog_lineage.harvest import log_rows
from eventlog_lineage.harvest.checkpoints import (
    UNKNOWN_START,
    Batch,
    LogAssembly,
    NewStatement,
    Progress,
    Record,
    ResumePoint,
)
from eventlog_lineage.harvest.row_batches import RowBatches, describe_error, internal_error_gap
from eventlog_lineage.harvest.statement_rows import PlanTexts, add_rows, summarized_events
from eventlog_lineage.harvest.table_metadata import stored_places, with_changed_tables, with_stored_tables
from eventlog_lineage.history.job_names import owner_of_views
from eventlog_lineage.lineage.application import source_gaps, statements_of
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.plan.plan_text import summary_of
from eventlog_lineage.store.schema import tables
from eventlog_lineage.store.schema.declaration import Row, Table, staged_id

_SPLIT_BYTES = 256 * 1024 * 1024
"""Stored bytes of a split at most: logs are compressed about 1 to 20, and read at 100 MB a second."""
_LEAST_DISTRIBUTED = 16 * 1024 * 1024
"""Stored bytes of which a log can have twice as many before its parts are distributed."""

_SPLITS_PER_CORE = 2
"""More splits would even out the cores' load better, but each costs 30 to 60 ms of a processor, half of it Java's.

A night of 200 logs takes 0.92 s with one for each core, 0.86 s with two, 0.90 s with three and 0.98 s with eight."""
_SIZES = (0.2, 0.6, 1.0)
"""The sizes of a core's last splits, relative to its first ones; the very last one first."""
_LOG_COST = 128 * 1024
"""The cost of opening a log, in bytes: ten thousand small logs are work, too."""


_MOST_SHIPPED = 256 * 1024 * 1024
"""Bytes of checkpoints that are sent to executors on other machines; further logs are read from their beginnings."""


@dataclass(frozen=True, slots=True)
class SplitPart:
    """A log, or some parts of one, that a task reads.

    Attributes:
        log: The log with all its parts, in order.
        resume: Where an earlier harvest stopped; None to read from the beginning.
        is_whole: All parts to read are here, so that the log can be assembled here.
    """

    log: EventLog
    number: int
    parts: tuple[int, ...]
    resume: ResumePoint | None = None
    is_whole: bool = True

    @property
    def bytes(self) -> int:
        """Bytes to read, as they are stored."""
        return sum(self.log.parts[part].size for part in self.parts)

    @property
    def cost(self) -> int:
        """Bytes to read, and the cost of opening the log."""
        return self.bytes + _LOG_COST


@dataclass(frozen=True, slots=True)
class DueLogs:
    """The logs to read.

    Attributes:
        logs: The logs that are new or have grown.
        resume_points: Path of a log to where an earlier harvest stopped in it.
        lineages: The lineage ids that the store has, each with the start of the run that was traced.
    """

    logs: Sequence[EventLog]
    resume_points: Mapping[str, ResumePoint] = field(default_factory=dict)
    lineages: dict[str, int] = field(default_factory=dict)
    options: ReadOptions = DEFAULT

    def shipped(self) -> DueLogs:
        """Return the same for executors that do not see the driver's disk: with the checkpoints' bytes."""
        left, shipped = _MOST_SHIPPED, {}
        for path, resume in sorted(self.resume_points.items(), key=lambda item: Path(item[1].path).stat().st_size):
            payload = Path(resume.path).read_bytes()
            left -= len(payload)
            if left >= 0:
                shipped[path] = replace(resume, path="", payload=payload)
        dropped = {path: resume for path, resume in self.resume_points.items() if path not in shipped}
        logs = [dropped[log.path].from_beginning(log) if log.path in dropped else log for log in self.logs]
        return replace(self, logs=logs, resume_points=shipped)


InputSplit = tuple[SplitPart, ...]
"""What one task reads."""


@dataclass(frozen=True, slots=True)
class InputSplits:
    """The splits of a harvest, the largest first, none of them empty."""

    whole: list[InputSplit]
    distributed: list[InputSplit]


def split_logs(
    logs: Sequence[EventLog], cores: int, resume_points: Mapping[str, ResumePoint] | None = None
) -> InputSplits:
    """Split logs into the work of tasks."""
    resumed = resume_points or {}
    wholes = [whole_log(log, number, resumed.get(log.path)) for number, log in enumerate(logs)]
    total = sum(part.cost for part in wholes)
    wanted = max(cores * _SPLITS_PER_CORE, total // _SPLIT_BYTES)
    largest = max(total // max(wanted, 1), _LEAST_DISTRIBUTED)
    parts = list(chain.from_iterable(_parts(whole, largest) for whole in wholes))
    distributed = [part for part in parts if not part.is_whole]
    for_distributed = -(-wanted * sum(part.cost for part in distributed) // max(total, 1))
    return InputSplits(
        _balanced([part for part in parts if part.is_whole], max(cores, wanted - for_distributed), cores),
        _balanced(distributed, max(cores, for_distributed), cores),
    )


def _balanced(parts: list[SplitPart], wanted: int, cores: int) -> list[InputSplit]:
    """Return splits of about equal work, except for the last ones of each core."""
    parts = sorted(parts, key=lambda part: (-part.cost, part.number, part.parts))
    wanted = min(wanted, len(parts))
    sizes = [_SIZES[min(number // cores, len(_SIZES) - 1)] for number in reversed(range(wanted))]
    heap = [(0.0, number) for number in range(wanted)]
    splits: list[list[SplitPart]] = [[] for _ in heap]
    for part in parts:
        load, number = heapq.heappop(heap)
        splits[number].append(part)
        heapq.heappush(heap, (load + part.cost / sizes[number], number))
    return sorted((tuple(split) for split in splits), key=lambda split: -sum(part.cost for part in split))


def whole_log(log: EventLog, number: int, resume: ResumePoint | None) -> SplitPart:
    """Return a log with all parts that are not covered by a resume point."""
    return SplitPart(log, number, tuple(range(resume.covered if resume else 0, len(log.parts))), resume)


def _parts(whole: SplitPart, largest: int) -> list[SplitPart]:
    if whole.cost <= 2 * largest or len(whole.parts) < 2:
        return [whole]
    return [replace(whole, parts=(index,), resume=None, is_whole=False) for index in whole.parts]


class PartEvent(NamedTuple):
    """An event of a distributed log, which goes to where the log is assembled.

    Attributes:
        sequence: The event's number within the part.
        text: The text of its plan; empty if an earlier event of the part has a plan of the same fingerprint.
    """

    log: int
    part: int
    sequence: int
    event: Event
    text: str = ""


def extract_split(
    split: Iterable[SplitPart], known: Mapping[str, int], options: ReadOptions = DEFAULT
) -> Iterator[Record]:
    """Read a split of whole logs.

    Args:
        known: Lineage ids that need no tracing, each with the start of the run that was traced, in epoch
            milliseconds: an earlier run is traced again.

    Yields:
        The logs' rows, and the distinct statements with unknown lineage ids, with the texts of their plans.
    """
    collector = Collector(known, options)
    for part in sorted(split, key=lambda part: part.number):  # mostly the first one first: few statements come twice
        parts = (part.log.parts[index] for index in part.parts)
        events = _summarized(parts, options, CpuBudget(options.max_seconds))
        yield from _assemble(events, part, collector, options)
    yield from collector.rest()


def read_parts(split: Iterable[SplitPart], options: ReadOptions = DEFAULT) -> Iterator[PartEvent]:
    """Read parts of distributed logs."""
    for part in split:
        for index in part.parts:
            seen = {""}
            for sequence, (event, text) in enumerate(summarized_events(part.log.parts[index], options)):
                fingerprint = _fingerprint(event)
                first = "" if fingerprint in seen else options.redaction.text(text)
                yield PartEvent(part.number, index, sequence, event, first)
                seen.add(fingerprint)


def assemble_distributed(
    records: Iterable[PartEvent],
    logs: Mapping[int, SplitPart],
    known: Mapping[str, int],
    options: ReadOptions = DEFAULT,
) -> Iterator[Record]:
    """Assemble logs whose parts were distributed.

    Args:
        records: The events of some logs, sorted by log, part and sequence.
        known: As in `extract_split`.
    """
    collector = Collector(known, options)
    for number, group in groupby(records, key=lambda record: record.log):
        yield from _assemble(((record.event, record.text) for record in group), logs[number], collector, options)
    yield from collector.rest()


def _summarized(parts: Iterable[LogPart], options: ReadOptions, budget: CpuBudget) -> Iterator[tuple[Event, str]]:
    return chain.from_iterable(summarized_events(part, options, budget) for part in parts)


def _assemble(
    events: Iterable[tuple[Event, str]], part: SplitPart, collector: Collector, options: ReadOptions
) -> Iterator[Record]:
    """Yield the records of a log, its checkpoint last; an internal error is reported and costs no other log."""
    log, texts, checkpoints = part.log, PlanTexts(options.redaction.text), []
    try:
        budget = CpuBudget(options.max_seconds)
        if holds_openlineage(log, budget):
            yield from collector.report(log, budget)
            return
        assembly = LogAssembly(log, part.resume)
        log = assembly.log
        for event, text in chain(_summarized(assembly.unread, options, budget), events):
            if text:
                texts.add(_fingerprint(event), text)
            if (checkpoint := assembly.add(event)) is not None:
                checkpoints.append(checkpoint)
        for record in collector.take(assembly.result(), log, part.number, assembly.bytes_read):
            if isinstance(record, NewStatement):
                record = _with_texts(record, texts, assembly.covered, options)  # noqa: PLW2901
            yield record
        yield from checkpoints
    except Exception as error:
        yield from collector.fail(log, error)
    finally:
        texts.close()


def _fingerprint(event: Event) -> str:
    """Return the fingerprint of an execution's plan, which the event has instead of the text; empty for others."""
    return summary_of(event.plan).fingerprint if isinstance(event, ExecutionStart) else ""


def _with_texts(new: NewStatement, texts: PlanTexts, covered: Iterable[LogPart], options: ReadOptions) -> NewStatement:
    """Return a statement with its plans; covered parts are read again for theirs, seldom: most statements are known."""
    needed = set(new.statement.fingerprints) - {""}
    missing = {fingerprint for fingerprint in needed if fingerprint not in texts}
    for part in covered if missing else ():
        for event, text in summarized_events(part, options):
            if text:
                texts.add(_fingerprint(event), text)
    packed = {fingerprint: texts.packed(fingerprint) for fingerprint in sorted(needed)}
    return new._replace(texts={fingerprint: text for fingerprint, text in packed.items() if text is not None})


class Collector:
    """Collects the rows and the new statements of assembled logs.

    Args:
        known: As in `extract_split`.
        options: Whether to look into the folders of catalogs for the targets of writes that print none, and into
            warehouses for the tables that the logs name; the tables that the store has; the user's masking functions.
    """

    def __init__(self, known: Mapping[str, int], options: ReadOptions = DEFAULT) -> None:
        self._known = known
        self._options = options
        use_connectors(options.connectors)
        self._held: dict[str, bool] = {}
        self._found: dict[str, tuple[int, int, int]] = {}
        self._batches = RowBatches()
        self._logs = 0
        self._bytes = self._new_statements = 0

    def take(self, log: AssembledLog, source: EventLog, number: int, bytes_read: int) -> Iterator[Record]:
        """Take a log; yield its new statements, without texts, and the batches that are full.

        All rows are made before any is taken: a log with an internal error yields none.
        """
        app, options = log.application, self._options
        # tables that a later application makes are not the ones that it writes
        known = tuple(each for each in options.known_tables if each.held(app.started_at))
        log = replace(log, known_tables=known, source_rules=options.source_rules)
        log = with_stored_tables(with_changed_tables(log)) if options.table_metadata else log
        log = replace(log, application=replace(app, app_id=staged_id(app.app_id, app.started_at, app.app_name)))
        places = stored_places(log, self._held) if options.table_metadata else ()
        summaries = {each.execution_id: summary_of(each.plan) for each in log.executions}
        catalog_settings = catalog_settings_of(app.settings)
        statements = statements_of(log, options.masks, owner_of_views(app.app_name, app.app_id))
        roots = {member: statement.root for statement in statements for member in statement.members}
        new = self._new(log, statements, number)
        rows = (
            (tables.HARVESTED_LOGS, [log_rows.log_row(log, source)]),
            (tables.APPLICATIONS, [log_rows.application_row(log)] if log.state != "unreadable" else []),
            (tables.EXECUTIONS, list(log_rows.execution_rows(log, summaries, statements, roots))),
            (tables.IO_METRICS, list(log_rows.metrics_rows(log, roots))),
            (tables.RUN_SNAPSHOTS, list(log_rows.snapshot_rows(log, statements, summaries, catalog_settings))),
            (tables.BATCH_SOURCES, list(log_rows.batch_rows(log, statements, summaries, catalog_settings))),
            (tables.SEEN_CATALOGS, list(log_rows.catalog_rows(log))),
            (tables.SEEN_PLACES, list(log_rows.place_rows(log, places))),
            (tables.GAPS, list(log_rows.gap_rows(replace(log, gaps=(*log.gaps, *source_gaps(log)))))),
        )
        self._found.update((name, each.rank) for name, each in new.items())
        self._new_statements += len(new)
        yield from new.values()
        yield from self._add(rows, bytes_read)

    def report(self, log: EventLog, budget: CpuBudget) -> Iterator[Record]:
        """Take a file of OpenLineage events, whose lineages need no tracing.

        Raises:
            LogError: The storage fails.
        """
        reported = read_runs(log, budget, self._options.redaction)
        rows = list(log_rows.reported_rows(reported, log))
        for run in reported.runs.values():
            if run.inputs or run.outputs:
                lineage = log_rows.lineage_of_run(run)
                add_rows(log_rows.lineage_id_of(lineage), lineage, run.started_at, self._batches)
        yield from self._add(rows, log.size)

    def _add(self, rows: Iterable[tuple[Table, Sequence[Row]]], bytes_read: int) -> Iterator[Batch]:
        for table, made in rows:
            self._batches.add(table, *made)
        self._logs += 1
        self._bytes += bytes_read
        yield from (Batch(*each) for each in self._batches.full())

    def _new(self, log: AssembledLog, statements: Sequence[Statement], number: int) -> dict[str, NewStatement]:
        """Return the statements that are neither known nor found yet, by lineage id, and those of earlier runs."""
        starts = {each.execution_id: each.started_at for each in log.executions}
        new: dict[str, NewStatement] = {}
        for statement in statements:
            name = statement.lineage_id
            start = starts.get(statement.root) or log.application.started_at or UNKNOWN_START
            rank = (start, number, statement.root)
            found = new[name].rank if name in new else self._found.get(name)
            if start < self._known.get(name, UNKNOWN_START + 1) and (found is None or rank < found):
                new[name] = NewStatement(statement, rank, {})
        return new

    def fail(self, source: EventLog, error: Exception) -> Iterator[Record]:
        """Take a log with an internal error: it is reported, and the other logs are harvested."""
        gap = internal_error_gap(source.path, error)
        yield from self._add(log_rows.failed_log_rows(source, describe_error(error), gap), bytes_read=0)

    def rest(self) -> Iterator[Record]:
        """Yield the rows that are left, and what was read."""
        yield from (Batch(*each) for each in self._batches.rest())
        yield Progress(self._logs, self._bytes, self._new_statements)
