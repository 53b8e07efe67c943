"""What a task does with a slice of logs: read, assemble, and give rows, shapes and plan texts."""

from __future__ import annotations

import traceback
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, groupby
from pathlib import PurePath
from typing import NamedTuple

from ..events.kinds import Event, ExecutionStart, PartEnd
from ..events.logs import EventLog, LogPart
from ..events.reading import read_part
from ..events.records import AssembledLog
from ..lineage.application import runs_of
from ..lineage.families import find_families
from ..lineage.streaming import stream_places
from ..lineage.surroundings import surroundings_of
from ..model import Gap, GapReason
from ..plan.heads import pack_head, read_head, unpack_head
from ..store.tables import APPLICATIONS, EXECUTIONS, GAPS, HARVESTED_LOGS, IO_METRICS
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
    try:
        log = share.log
        assembly = LogAssembly(log, share.begin)
        checkpoints = []
        for headed, text in chain.from_iterable(_events(log.parts[place], seen) for place in share.parts):
            if text is not None:
                yield text
            if (checkpoint := assembly.add(headed)) is not None:
                checkpoints.append(checkpoint)
        yield from _finish(assembly, log, share.begin, collector, seen)
        yield from checkpoints
    except Exception as error:  # whatever it is, the other logs go on
        yield from collector.fail(share.log, error)


def _events(part: LogPart, seen: set[str]) -> Iterator[tuple[Event, PlanText | None]]:
    """A part's events with heads for plan texts, and the texts; an error of ours ends the part and nothing else."""
    given = 0
    try:
        for event in read_part(part):
            headed = _headed(event, seen)
            given += 1
            yield headed
    except Exception as error:  # what was read before it is kept
        yield PartEnd(part.index, lines=given, events=given, failed=_told(error)), None


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
        for sequence, (headed, text) in enumerate(_events(share.log.parts[place], seen)):
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
        """Takes a log and how much of it was read; gives the shapes that are new, and batches that are full.

        All rows are made before any is taken: a log on which the program fails gives none.
        """
        heads = {each.execution_id: unpack_head(each.plan) for each in log.executions}
        surroundings = surroundings_of(log.application.settings)
        families = find_families(runs_of(log.executions, heads), surroundings, stream_places(log.progress))
        roots = {member: family.root for family in families for member in family.members}
        fresh = {
            family.lineage_id: shape_of(family, surroundings)
            for family in families
            if family.lineage_id not in self._given and family.lineage_id not in self._known
        }
        rows = (
            (HARVESTED_LOGS, [log_row(log, source)]),
            (APPLICATIONS, [application_row(log)] if log.state != "unreadable" else []),
            (EXECUTIONS, list(execution_rows(log, heads, families, roots))),
            (IO_METRICS, list(metrics_rows(log, roots))),
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
        try:
            yield from _assembled((record.event for record in group), log, begin, collector)
        except Exception as error:  # whatever it is, the other logs go on
            yield from collector.fail(log, error)
    yield from collector.rest()


def _assembled(events: Iterable[Event], log: EventLog, begin: LeftOff | None, collector: Collector) -> Iterator[Record]:
    assembly = LogAssembly(log, begin)
    fresh: set[str] = set()
    checkpoints = []
    for event in events:
        if (checkpoint := assembly.add(event)) is not None:
            checkpoints.append(checkpoint)
        if isinstance(event, ExecutionStart) and event.plan:
            fresh.add(unpack_head(event.plan).fingerprint)
    yield from _finish(assembly, log, begin, collector, fresh)
    yield from checkpoints


def _told(error: Exception) -> str:
    """An error of ours as one line: what, and where in the program."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return " ".join(f"internal error: {type(error).__name__}: {error}".split())[:_LONGEST_ERROR] + where
