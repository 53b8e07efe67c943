"""What a task does with a slice of logs: read, assemble, and give rows, shapes and plan texts."""

from __future__ import annotations

import traceback
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, groupby
from pathlib import PurePath
from typing import NamedTuple

from ..events.how import DEFAULT, Reading
from ..events.kinds import Event, ExecutionStart, ParsedStatement, PartEnd
from ..events.logs import EventLog, LogPart
from ..events.reading import read_part
from ..events.records import AssembledLog
from ..lineage.application import runs_of
from ..lineage.families import find_families
from ..lineage.streaming import stream_places
from ..lineage.surroundings import surroundings_of
from ..model import Gap, GapReason
from ..plan.heads import pack_head, read_head, unpack_head
from ..plan.views import pack_views, read_views, unpack_views
from ..redaction import PLAIN
from ..store.tables import (
    APPLICATIONS,
    BATCH_SOURCES,
    EXECUTIONS,
    GAPS,
    HARVESTED_LOGS,
    IO_METRICS,
    RUN_SNAPSHOTS,
)
from .batches import RowBatches
from .checkpoints import Checkpoint, LeftOff, LogAssembly
from .rows import (
    application_row,
    execution_rows,
    failed_log_gaps,
    failed_log_row,
    gap_rows,
    log_row,
    metrics_rows,
)
from .run_rows import batch_rows, snapshot_rows
from .shapes import Shape, shape_of
from .slices import Share

_LONGEST_ERROR = 500


class Batch(NamedTuple):
    """Rows of a table, as an Arrow IPC stream."""

    table: str
    payload: bytes


class PlanText(NamedTuple):
    """A plan's text, once a slice."""

    fingerprint: str
    text: str


class PartEvent(NamedTuple):
    """An event of a log whose parts are spread: it goes where the log is assembled."""

    log: int
    part: int
    sequence: int
    event: Event


class Progress(NamedTuple):
    """What a slice has read, for the summary."""

    logs: int
    bytes_read: int


Record = Batch | PlanText | PartEvent | Shape | Progress | Checkpoint


def extract_slice(shares: Iterable[Share], known: Container[str], how: Reading = DEFAULT) -> Iterator[Record]:
    """Reads a slice.

    Args:
        shares: Whole logs, and parts of logs that are spread.
        known: Lineage ids that need no tracing.
        how: What is taken out of logs, and the limits.

    Yields:
        Rows of the whole logs, their statements' shapes (each once, known ones never), plan texts (each
        once), and the events of the others.
    """
    reader = _Reader(how)
    collector = Collector(known)
    for share in shares:
        if share.is_whole:
            yield from _read_whole(share, collector, reader)
        else:
            yield from _spread(share, reader)
    yield from collector.rest()


class _Reader:
    """Reads parts, with heads for plan texts; remembers which texts it has given."""

    def __init__(self, how: Reading) -> None:
        self._how = how
        self.seen: set[str] = set()

    def events(self, part: LogPart) -> Iterator[tuple[Event, PlanText | None]]:
        """A part's events, and the texts of their plans; an error of ours ends the part and nothing else."""
        given = 0
        try:
            for event in read_part(part, self._how):
                headed = self._headed(event)
                given += 1
                yield headed
        except Exception as error:  # what was read before it is kept
            yield PartEnd(part.index, lines=given, events=given, failed=_told(error)), None

    def texts(self, parts: Iterable[LogPart], needed: set[str]) -> Iterator[Record]:
        """Plans that are needed, from covered parts; seldom, as most combinations are known or have all plans."""
        for part in parts:
            if not needed:
                return
            for event in read_part(part, self._how):
                fingerprint = read_head(event.plan).fingerprint if isinstance(event, ExecutionStart) else ""
                if isinstance(event, ExecutionStart) and fingerprint in needed:
                    needed.discard(fingerprint)
                    self.seen.add(fingerprint)
                    yield PlanText(fingerprint, event.plan)

    def _headed(self, event: Event) -> tuple[Event, PlanText | None]:
        """The event with a head in the place of a plan's text (a Thrift server's: its views), and the text, once."""
        if isinstance(event, ParsedStatement):
            return replace(event, plan=pack_views(read_views(event.plan))), None
        if not isinstance(event, ExecutionStart):
            return event, None
        head = read_head(event.plan)
        if not head.fingerprint:
            return replace(event, plan=""), None
        text = None
        if head.fingerprint not in self.seen:
            self.seen.add(head.fingerprint)
            text = PlanText(head.fingerprint, event.plan)
        return replace(event, plan=pack_head(head)), text


def _read_whole(share: Share, collector: Collector, reader: _Reader) -> Iterator[Record]:
    log = share.log
    try:
        assembly = LogAssembly(log, share.begin)
        checkpoints = []
        for headed, text in chain.from_iterable(reader.events(log.parts[place]) for place in share.parts):
            if text is not None:
                yield text
            if (checkpoint := assembly.add(headed)) is not None:
                checkpoints.append(checkpoint)
        yield from _finish(assembly, log, share.begin, collector, reader)
        yield from checkpoints
    except Exception as error:  # whatever it is, the other logs go on
        yield from collector.fail(log, error)


def _finish(
    assembly: LogAssembly, log: EventLog, begin: LeftOff | None, collector: Collector, reader: _Reader
) -> Iterator[Record]:
    """Gives what an assembled log comes to, and the plans of covered parts that new combinations of plans need."""
    needed: set[str] = set()
    for record in collector.take(assembly.result(), log, assembly.bytes_read):
        if isinstance(record, Shape):
            needed.update(record.fingerprints)
        yield record
    if begin is not None:
        yield from reader.texts(log.parts[: begin.covered], needed - reader.seen - {""})


def _spread(share: Share, reader: _Reader) -> Iterator[Record]:
    for place in share.parts:
        for sequence, (headed, text) in enumerate(reader.events(share.log.parts[place])):
            if text is not None:
                yield text
            yield PartEvent(share.number, place, sequence, headed)


class Collector:
    """Turns assembled logs into rows and shapes."""

    def __init__(self, known: Container[str]) -> None:
        self._known = known
        self._given: set[str] = set()
        self._batches = RowBatches()
        self._logs = 0
        self._bytes = 0

    def take(self, log: AssembledLog, source: EventLog, bytes_read: int) -> Iterator[Record]:
        """Takes a log and how much of it was read; gives the shapes that are new, and batches that are full.

        All rows are made before any is taken: a log on which the program fails gives none.
        """
        heads = {each.execution_id: unpack_head(each.plan) for each in log.executions}
        surroundings = surroundings_of(log.application.settings)
        families = find_families(
            runs_of(log.executions, heads, unpack_views), surroundings, stream_places(log.progress)
        )
        roots = {member: family.root for family in families for member in family.members}
        fresh = {
            family.lineage_id: shape_of(family, surroundings, log.lineage_answers)
            for family in families
            if family.lineage_id not in self._given and family.lineage_id not in self._known
        }
        rows = (
            (HARVESTED_LOGS, [log_row(log, source)]),
            (APPLICATIONS, [application_row(log)] if log.state != "unreadable" else []),
            (EXECUTIONS, list(execution_rows(log, heads, families, roots))),
            (IO_METRICS, list(metrics_rows(log, roots))),
            (RUN_SNAPSHOTS, list(snapshot_rows(log, families, heads, surroundings))),
            (BATCH_SOURCES, list(batch_rows(log, families))),
            (GAPS, list(gap_rows(log))),
        )
        self._given.update(fresh)
        yield from fresh.values()
        for table, made in rows:
            self._batches.add(table, *made)
        self._logs += 1
        self._bytes += bytes_read
        yield from (Batch(*each) for each in self._batches.full())

    def fail(self, source: EventLog, error: Exception) -> Iterator[Record]:
        """Takes a log on which the program fails: it is told, and the others are harvested."""
        self._batches.add(HARVESTED_LOGS, failed_log_row(source, _told(error)))
        gap = Gap(GapReason.INTERNAL_ERROR, "", f"{source.path}: {_told(error)}", "please report it with the log")
        self._batches.add(GAPS, *failed_log_gaps(source, gap))
        self._logs += 1
        yield from (Batch(*each) for each in self._batches.full())

    def rest(self) -> Iterator[Record]:
        """Gives what is left."""
        yield from (Batch(*each) for each in self._batches.rest())
        yield Progress(self._logs, self._bytes)


def assemble_spread(
    records: Iterable[PartEvent],
    logs: Mapping[int, tuple[EventLog, LeftOff | None]],
    known: Container[str],
    how: Reading = DEFAULT,
) -> Iterator[Record]:
    """Assembles logs whose parts were spread.

    Args:
        records: Of some logs, sorted by log, part and sequence.
        logs: Number to log, and to where an earlier harvest left off in it.
        known: Lineage ids that need no tracing.
        how: What is taken out of logs, and the limits.
    """
    collector = Collector(known)
    for number, group in groupby(records, key=lambda record: record.log):
        log, begin = logs[number]
        try:
            yield from _assembled((record.event for record in group), log, begin, collector, _Reader(how))
        except Exception as error:  # whatever it is, the other logs go on
            yield from collector.fail(log, error)
    yield from collector.rest()


def _assembled(
    events: Iterable[Event], log: EventLog, begin: LeftOff | None, collector: Collector, reader: _Reader
) -> Iterator[Record]:
    assembly = LogAssembly(log, begin)
    checkpoints = []
    for event in events:
        if (checkpoint := assembly.add(event)) is not None:
            checkpoints.append(checkpoint)
        if isinstance(event, ExecutionStart) and event.plan:
            reader.seen.add(unpack_head(event.plan).fingerprint)
    yield from _finish(assembly, log, begin, collector, reader)
    yield from checkpoints


def _told(error: Exception) -> str:
    """An error of ours as one line: what, and where in the program."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return PLAIN.text(" ".join(f"internal error: {type(error).__name__}: {error}".split())[:_LONGEST_ERROR]) + where
