"""What a task does with a slice of logs: read, assemble, and give rows, shapes and plan texts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, groupby
from typing import NamedTuple

from ..events.kinds import Event, ExecutionStart
from ..events.logs import EventLog, LogPart
from ..events.reading import read_part, settle_order
from ..events.records import AssembledLog
from ..lineage.application import runs_of
from ..lineage.families import find_families
from ..lineage.streaming import stream_places
from ..lineage.surroundings import surroundings_of
from ..plan.heads import pack_head, read_head, unpack_head
from ..store.tables import APPLICATIONS, EXECUTIONS, GAPS, HARVESTED_LOGS, IO_METRICS
from .batches import RowBatches
from .checkpoints import Checkpoint, LeftOff, LogAssembly
from .rows import application_row, execution_rows, gap_rows, log_row, metrics_rows
from .shapes import Shape, shape_of
from .slices import Share


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


def extract_slice(shares: Iterable[Share], known: Container[str]) -> Iterator[Record]:
    """Reads a slice.

    Args:
        shares: Whole logs, and parts of logs that are spread.
        known: Lineage ids that need no tracing.

    Yields:
        Rows of the whole logs, their statements' shapes (each once, known ones never), plan texts (each
        once), and the events of the others.
    """
    seen: set[str] = set()
    collector = Collector(known)
    for share in shares:
        if share.is_whole:
            yield from _read_whole(share, collector, seen)
        else:
            yield from _spread(share, seen)
    yield from collector.rest()


def _read_whole(share: Share, collector: Collector, seen: set[str]) -> Iterator[Record]:
    log = share.log if share.begin else settle_order(share.log)
    assembly = LogAssembly(log, share.begin)
    for event in chain.from_iterable(read_part(log.parts[place]) for place in share.parts):
        headed, text = _headed(event, seen)
        checkpoint = assembly.add(headed)
        if text is not None:
            yield text
        if checkpoint is not None:
            yield checkpoint
    yield from _finish(assembly, log, share.begin, collector, seen)


def _finish(
    assembly: LogAssembly, log: EventLog, begin: LeftOff | None, collector: Collector, seen: set[str]
) -> Iterator[Record]:
    """Gives what an assembled log comes to, and the plans of covered parts that new combinations of plans need."""
    needed: set[str] = set()
    for record in collector.take(assembly.result(), log, assembly.bytes_read):
        if isinstance(record, Shape):
            needed.update(record.fingerprints)
        yield record
    if begin is not None:
        yield from _texts(log.parts[: begin.covered], needed - seen - {""}, seen)


def _texts(parts: Iterable[LogPart], needed: set[str], seen: set[str]) -> Iterator[Record]:
    """Reads covered parts again for plans that are needed; seldom, as most combinations are known or have all plans."""
    for part in parts:
        if not needed:
            return
        for event in read_part(part):
            fingerprint = read_head(event.plan).fingerprint if isinstance(event, ExecutionStart) else ""
            if isinstance(event, ExecutionStart) and fingerprint in needed:
                needed.discard(fingerprint)
                seen.add(fingerprint)
                yield PlanText(fingerprint, event.plan)


def _spread(share: Share, seen: set[str]) -> Iterator[Record]:
    for place in share.parts:
        for sequence, event in enumerate(read_part(share.log.parts[place])):
            headed, text = _headed(event, seen)
            if text is not None:
                yield text
            yield PartEvent(share.number, place, sequence, headed)


def _headed(event: Event, seen: set[str]) -> tuple[Event, PlanText | None]:
    """The event with a head in the place of a plan's text, and the text, once."""
    if not isinstance(event, ExecutionStart):
        return event, None
    head = read_head(event.plan)
    if not head.fingerprint:
        return replace(event, plan=""), None
    text = None
    if head.fingerprint not in seen:
        seen.add(head.fingerprint)
        text = PlanText(head.fingerprint, event.plan)
    return replace(event, plan=pack_head(head)), text


class Collector:
    """Turns assembled logs into rows and shapes."""

    def __init__(self, known: Container[str]) -> None:
        self._known = known
        self._given: set[str] = set()
        self._batches = RowBatches()
        self._logs = 0
        self._bytes = 0

    def take(self, log: AssembledLog, source: EventLog, bytes_read: int) -> Iterator[Record]:
        """Takes a log and how much of it was read; gives the shapes that are new, and batches that are full."""
        heads = {each.execution_id: unpack_head(each.plan) for each in log.executions}
        surroundings = surroundings_of(log.application.settings)
        families = find_families(runs_of(log.executions, heads), surroundings, stream_places(log.progress))
        roots = {member: family.root for family in families for member in family.members}
        for family in families:
            if family.lineage_id not in self._given and family.lineage_id not in self._known:
                self._given.add(family.lineage_id)
                yield shape_of(family, surroundings)
        self._batches.add(HARVESTED_LOGS, log_row(log, source))
        if log.state != "unreadable":
            self._batches.add(APPLICATIONS, application_row(log))
        self._batches.add(EXECUTIONS, *execution_rows(log, heads, families, roots))
        self._batches.add(IO_METRICS, *metrics_rows(log, roots))
        self._batches.add(GAPS, *gap_rows(log))
        self._logs += 1
        self._bytes += bytes_read
        yield from (Batch(*each) for each in self._batches.full())

    def rest(self) -> Iterator[Record]:
        """Gives what is left."""
        yield from (Batch(*each) for each in self._batches.rest())
        yield Progress(self._logs, self._bytes)


def assemble_spread(
    records: Iterable[PartEvent], logs: Mapping[int, tuple[EventLog, LeftOff | None]], known: Container[str]
) -> Iterator[Record]:
    """Assembles logs whose parts were spread.

    Args:
        records: Of some logs, sorted by log, part and sequence.
        logs: Number to log, and to where an earlier harvest left off in it.
        known: Lineage ids that need no tracing.
    """
    collector = Collector(known)
    for number, group in groupby(records, key=lambda record: record.log):
        log, begin = logs[number]
        assembly = LogAssembly(log, begin)
        fresh: set[str] = set()
        for record in group:
            checkpoint = assembly.add(record.event)
            if isinstance(record.event, ExecutionStart) and record.event.plan:
                fresh.add(unpack_head(record.event.plan).fingerprint)
            if checkpoint is not None:
                yield checkpoint
        yield from _finish(assembly, log, begin, collector, fresh)
    yield from collector.rest()
