"""Derive the state of a log and of its streams: what could be read, what could not, and why."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from eventlog_lineage.events.listener_events import TOO_LONG
from eventlog_lineage.events.records import ReadingCounts, StreamProgress
from eventlog_lineage.model import Gap, GapReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from eventlog_lineage.events.listener_events import BadEvent, PartEnd
    from eventlog_lineage.events.sources.layouts import EventLog


Value = TypeVar("Value", bound=Hashable)


class Shared:
    """Returns, for a value, the equal value that was seen first.

    Unlike `sys.intern`, it releases all values with the log, also in Python versions that never free interned strings,
    and it drops all values from time to time, so that values that do not repeat use little memory.
    """

    _MOST = 50_000

    def __init__(self) -> None:
        self._values: dict[Hashable, Hashable] = {}

    def __call__(self, value: Value) -> Value:
        """Return the value, or an equal one that was seen before."""
        known = self._values.get(value)
        if known is not None:
            return known  # type: ignore[return-value]
        if len(self._values) >= self._MOST:
            self._values.clear()
        self._values[value] = value
        return value


_MAX_LISTED = 5
"""Most executions that a gap lists."""


class Conclusion(NamedTuple):
    """State, error and gaps of a log; see `AssembledLog`."""

    state: str
    error: str
    gaps: tuple[Gap, ...]


class LogState:
    """Collects the problems with a log's parts and lines."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._ends: list[PartEnd] = []
        self._bad: dict[str, list[BadEvent]] = {}
        self._twice: list[str] = []
        self.counts = ReadingCounts()

    def continue_with(self, log: EventLog) -> None:
        """Continue with the log as it is now listed."""
        self._log = log

    @property
    def is_sound(self) -> bool:
        """Whether all parts so far were read completely."""
        return not any(end.unreadable or end.damage or end.is_truncated or end.over_budget for end in self._ends)

    def part_end(self, end: PartEnd) -> None:
        """Add a part's end."""
        self._ends.append(end)
        known = self.counts
        self.counts = ReadingCounts(known.lines + end.lines, known.bad_lines + end.bad_lines, known.size + end.size)

    def bad_event(self, event: BadEvent) -> None:
        """Add a line that could not be read."""
        self._bad.setdefault("long" if event.reason == TOO_LONG else "bad", []).append(event)

    def started_twice(self, execution_id: int, first: int | None, second: int | None) -> None:
        """Add a second Start of one execution."""
        self._twice.append(f"execution {execution_id} started at {first} and at {second}")

    def conclusion(self, *, ended: bool) -> Conclusion:
        """Return the log's state."""
        reason = self._unreadable(ended)
        if reason is not None:
            hint = next(filter(None, (end.hint for end in self._ends)), "name event logs only, or restore the file")
            gaps = self._log.problems or (Gap(GapReason.UNREADABLE_LOG, "", reason, hint),)
            return Conclusion("unreadable", reason, gaps)
        gaps = (*self._log.problems, *self._compacted(), *self._breaks(ended), *self._bad_gaps(), *self._twice_gaps())
        if self._log.in_progress and not ended:
            return Conclusion("in_progress", "", gaps)
        broken = _details(gaps, GapReason.TRUNCATED_LOG, GapReason.MISSING_PARTS)
        broken += filter(None, (end.limit for end in self._ends))
        broken += _details(gaps, GapReason.UNREADABLE_LOG, GapReason.INTERNAL_ERROR)
        status = "compacted" if _details(gaps, GapReason.COMPACTED_LOG) else "truncated" if broken else "complete"
        return Conclusion(status, "; ".join(broken), gaps)

    def _unreadable(self, ended: bool) -> str | None:
        """Return why nothing could be read; None if something was read, or if nothing is written yet."""
        over_budget = next((end.over_budget for end in self._ends if end.over_budget), None)
        if over_budget or self.counts.lines:
            return over_budget
        reasons = [end.failed or end.unreadable for end in self._ends]
        reasons += _details(self._log.problems, GapReason.UNREADABLE_LOG)
        empty = None if ended or self._log.in_progress else "the log is empty"
        return next(filter(None, reasons), empty)

    def _compacted(self) -> Iterator[Gap]:
        listed = any(gap.reason is GapReason.COMPACTED_LOG for gap in self._log.problems)
        if not listed and any(part.compacted for part in self._log.parts):
            detail = "the log was compacted: its finished statements are gone"
            yield Gap(GapReason.COMPACTED_LOG, "", detail, "harvest before the History Server compacts")

    def _breaks(self, ended: bool) -> Iterator[Gap]:
        restore = "restore the file and harvest again; the events before the damage were read"
        several = len(self._ends) > 1
        for end in self._ends:
            where = f"part {end.part}: " if several else ""
            damage = f"{end.damage}, after {end.size} bytes of text" if end.damage else ""
            is_cut = end.is_truncated and end is not self._ends[-1]
            cut = f"it is truncated after {end.size} bytes of text" if is_cut else ""
            kinds = (
                (end.failed, GapReason.INTERNAL_ERROR, "please report it with the log"),
                (end.unreadable, GapReason.UNREADABLE_LOG, end.hint),
                (end.limit, GapReason.LIMIT_EXCEEDED, "raise --max-expansion if the file is genuine"),
                (damage, GapReason.TRUNCATED_LOG, restore),
                (cut, GapReason.TRUNCATED_LOG, restore),
            )
            yield from [Gap(reason, "", where + detail, hint) for detail, reason, hint in kinds if detail][:1]
        if not ended and not self._log.in_progress:
            detail = "the log has no end: its driver was killed or the file was truncated"
            yield Gap(GapReason.TRUNCATED_LOG, "", detail, "statements without an end have the status unknown")

    def _bad_gaps(self) -> Iterator[Gap]:
        for kind, events in self._bad.items():
            first = events[0]
            where = f"the first at line {first.line} of part {first.part}, offset {first.offset}"
            if kind == "long":
                hint = "raise --max-line and --max-plan, or lower spark.sql.maxPlanStringLength"
                detail = f"{_lines(len(events))} too long to be read, {where}: {first.snippet}"
                yield Gap(GapReason.LIMIT_EXCEEDED, "", detail, hint)
            else:
                many = self.counts.bad_lines - len(self._bad.get("long", ()))
                detail = f"{_lines(many)} cannot be read, {where}: {first.reason}: {first.snippet}"
                yield Gap(GapReason.BAD_EVENT, "", detail, "the log was damaged or written to by something else")

    def _twice_gaps(self) -> Iterator[Gap]:
        if self._twice:
            listed = "; ".join(self._twice[:_MAX_LISTED])
            detail = f"{len(self._twice)} executions started twice; the first start counts: {listed}"
            yield Gap(GapReason.DISAGREEMENT, "", detail, "check whether the folder has the logs of two applications")


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _details(gaps: Iterable[Gap], *reasons: GapReason) -> list[str]:
    return [gap.detail for gap in gaps if gap.reason in reasons]


_BATCH = re.compile(r"(?:^|\n)id = (\S+)\nrunId = (\S+)\nbatch = (\d+|init\b)")


class MicroBatch(NamedTuple):
    """The ids of a micro-batch; empty strings and None if unknown."""

    query_id: str
    run_id: str
    batch_id: int | None


def micro_batch_of(description: str) -> MicroBatch | None:
    r"""Read the ids from the description that `MicroBatchExecution` sets for its jobs; None for other descriptions.

    It is `[name\n]id = <id>\nrunId = <id>\nbatch = <N>`, where N is `init` before the first batch; Delta adds `Delta: `
    before it, and its current step after it.

    >>> micro_batch_of("feed\nid = 0f1a\nrunId = 9b2c\nbatch = 3")
    MicroBatch(query_id='0f1a', run_id='9b2c', batch_id=3)
    """
    matched = _BATCH.search(description)
    if matched is None:
        return None
    return MicroBatch(matched[1], matched[2], int(matched[3]) if matched[3].isdigit() else None)


def shared_progress(event: StreamProgress, shared: Shared) -> StreamProgress:
    """Return an equal progress event with interned strings."""
    return replace(
        event,
        query_id=shared(event.query_id),
        run_id=shared(event.run_id),
        name=shared(event.name),
        sink=shared(event.sink),
        sources=tuple((shared(what), start, end, rows) for what, start, end, rows in event.sources),
    )
