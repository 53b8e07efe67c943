"""Read a log: part by part to events, as in a Spark job, or completely."""

from __future__ import annotations

from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

from eventlog_lineage.errors import LineageError, LogError
from eventlog_lineage.events.assembly import assemble
from eventlog_lineage.events.compression import Decoding
from eventlog_lineage.events.decoding.decoders import ADAPTIVE_LINE, DECODERS, adaptive_execution_id, decode
from eventlog_lineage.events.decoding.line_filter import (
    EVENT_LINE,
    KeptLines,
    Line,
    LineState,
    UnreadableLine,
    event_lines,
    has_events,
    head_of,
    is_of_lines,
)
from eventlog_lineage.events.listener_events import TOO_LONG, BadEvent, ExecutionEnd, ExecutionStart, LogStart, PartEnd
from eventlog_lineage.events.read_options import DEFAULT, CpuBudget, OverBudgetError, ReadOptions
from eventlog_lineage.events.sources.discovery import open_part, reason_not_a_log
from eventlog_lineage.events.sources.layouts import EventLog, Layout, LogPart, reordered
from eventlog_lineage.plan.plan_text import NO_TEXT, PlanText
from eventlog_lineage.redaction import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from eventlog_lineage.events.compression import Decoding
    from eventlog_lineage.events.records import AssembledLog, Event


BAD_EVENTS_REPORTED = 20
"""Limit of the unreadable lines of a part that are reported one by one; the others are counted."""


_SNIPPET = 60


class AdaptivePlans:
    """The lines of the last adaptive plan of each running execution, unparsed.

    Adaptive execution logs the complete plan again after each stage (SPARK-50992), and only the last one counts.
    """

    _MOST_BYTES = 64 * 1024 * 1024

    def __init__(self) -> None:
        self._lines: dict[int, Line] = {}
        self._size = 0

    def hold(self, execution_id: int, line: Line) -> list[Line]:
        """Set an execution's newest plan; return all held lines if they exceed the memory limit."""
        self.release(execution_id)
        self._lines[execution_id] = line
        self._size += len(line.text)
        return self.release_all() if self._size > self._MOST_BYTES else []

    def release(self, execution_id: int) -> list[Line]:
        """Return and release an execution's last plan, if there is one."""
        line = self._lines.pop(execution_id, None)
        if line is None:
            return []
        self._size -= len(line.text)
        return [line]

    def release_all(self) -> list[Line]:
        """Return and release all plans."""
        lines = list(self._lines.values())
        self._lines.clear()
        self._size = 0
        return lines


class PartReader:
    """The events of one part; the last one is a `PartEnd` with the counts. It can be iterated once.

    Args:
        decoding: The source of the lines, for its damage and byte counts.
    """

    def __init__(self, part: int, decoding: Decoding, lines: KeptLines, longest_plan: int) -> None:
        self._longest_plan = longest_plan
        self._part = part
        self._decoding = decoding
        self._lines = lines
        self._plans = AdaptivePlans()
        self._bad_lines = 0
        self._breaks_off = False

    def __iter__(self) -> Iterator[Event]:
        for line in self._lines:
            yield from self._read(line)
        yield from self._decoded(self._plans.release_all())
        yield self._end()

    def _read(self, line: Line) -> Iterator[Event]:
        if line.state is LineState.TOO_LONG:
            yield from self._bad(line, TOO_LONG)
        elif line.state is LineState.FOREIGN:
            yield from self._bad(line, "not an event")
        elif line.text.startswith(ADAPTIVE_LINE) and (number := adaptive_execution_id(line.text)) is not None:
            if line.state is LineState.WHOLE:
                yield from self._decoded(self._plans.hold(number, line))
            else:
                yield from self._decoded([line])
        else:
            yield from self._decoded([line])

    def _decoded(self, lines: list[Line]) -> Iterator[Event]:
        for line in lines:
            try:
                event = decode(line.text)
            except UnreadableLine as reason:
                if line.state is LineState.CUT:
                    self._breaks_off = True
                else:
                    yield from self._bad(line, str(reason))
                continue
            if isinstance(event, ExecutionEnd):
                yield from self._decoded(self._plans.release(event.execution_id))
            if isinstance(event, ExecutionStart) and self._is_too_long(event):
                yield from self._bad(line, TOO_LONG)
                event = event.with_plan(NO_TEXT)
            if event is not None:
                yield event

    def _is_too_long(self, event: ExecutionStart) -> bool:
        return isinstance(event.plan, PlanText) and len(event.plan.text) > self._longest_plan

    def _bad(self, line: Line, reason: str) -> Iterator[BadEvent]:
        self._bad_lines += 1
        if self._bad_lines <= BAD_EVENTS_REPORTED:
            yield BadEvent(self._part, line.number, line.offset, reason, _snippet(line.text))

    def _end(self) -> PartEnd:
        return PartEnd(
            self._part,
            lines=self._lines.lines,
            bad_lines=self._bad_lines,
            size=self._lines.size,
            bytes_read=self._decoding.bytes_read,
            damage=self._decoding.damage or "",
            limit=self._decoding.limit,
            is_truncated=self._breaks_off or self._decoding.is_truncated or self._lines.is_truncated,
        )


def _snippet(text: bytes) -> str:
    """Return an excerpt of a line: only the name of an event, as settings may follow; the beginning of other lines."""
    end = text.find(b'"', len(EVENT_LINE)) + 1 if text.startswith(EVENT_LINE) else _SNIPPET
    return shortened(text.decode("utf-8", "replace"), end or _SNIPPET)


def read_log(log: EventLog, options: ReadOptions = DEFAULT) -> AssembledLog:
    """Read all parts of a log; one that cannot be read has the state `unreadable` and the reason."""
    ordered = settle_order(log)
    budget = CpuBudget(options.max_seconds)
    return assemble(chain.from_iterable(read_part(part, options, budget) for part in ordered.parts), ordered)


def read_part(part: LogPart, options: ReadOptions = DEFAULT, budget: CpuBudget | None = None) -> Iterator[Event]:
    """Read one part.

    Args:
        part: A part of a log that `discovery.find_logs` yields.

    Yields:
        The kept events in the log's order; of an execution's adaptive plans only the last one, before the execution's
        end. Then one `PartEnd`, with the problems of the part. One chunk, one line and the adaptive plans of running
        executions are in memory.
    """
    try:
        stream = open_part(part)
    except LineageError as error:
        yield options.redaction.value(_unreadable(part.index, error))
        return
    with closing(stream):
        yield from read_stream(stream, part.index, options, budget)


def read_stream(
    stream: BinaryIO, part: int = 1, options: ReadOptions = DEFAULT, budget: CpuBudget | None = None
) -> Iterator[Event]:
    """Read a part's bytes as stored; see `read_part`."""
    yield from map(options.event, _events(stream, part, options, budget or CpuBudget(options.max_seconds)))


def _events(stream: BinaryIO, part: int, options: ReadOptions, budget: CpuBudget) -> Iterator[Event]:
    decoding = Decoding(stream, options.expansion, budget.check)
    chunks = budget.chunks(decoding)
    try:
        first = head_of(chunks)
        text: Iterable[bytes] = chain((first,), chunks)
        is_sparks = is_of_lines(first)
        if is_sparks or has_events(first):
            if not is_sparks:
                text = event_lines(text, options.longest_line)
            lines = KeptLines(text, DECODERS, options.longest_line)
            yield from budget.events(PartReader(part, decoding, lines, options.longest_plan))
        else:
            yield _no_log(part, first, decoding)
    except OverBudgetError as error:
        yield PartEnd(part, bytes_read=decoding.bytes_read, over_budget=error.what, hint=error.hint)
    except LogError as error:
        yield _unreadable(part, error, decoding.bytes_read)
    except OSError as error:  # a failed disk or a lost file system: the next harvest tries again
        lost = LogError(
            f"reading the log fails: {error.strerror or error}", "", "check the file system, then harvest again"
        )
        yield _unreadable(part, lost, decoding.bytes_read)


def _unreadable(part: int, error: LineageError, bytes_read: int = 0) -> PartEnd:
    reason = f"{error.what} ({error.where})" if error.where else error.what
    return PartEnd(part, bytes_read=bytes_read, unreadable=reason, hint=error.hint)


def _no_log(part: int, head: bytes, decoding: Decoding) -> PartEnd:
    """Return the end of a part without events: an empty file, damage at the start, or not a log."""
    reason, hint = reason_not_a_log(head) if head else (decoding.damage or "", "restore the file")
    return PartEnd(
        part,
        bytes_read=decoding.bytes_read,
        is_truncated=decoding.is_truncated,
        unreadable=reason,
        hint=hint if reason else "",
    )


def needs_settling(log: EventLog) -> bool:
    """Return whether only the content of the parts shows their order."""
    return log.layout is Layout.DATABRICKS and len(log.parts) > 1


def settle_order(log: EventLog) -> EventLog:
    """Order the parts of a Databricks log by the rollover numbers in their first lines.

    Listing orders them by the dates in their names; the orders differ only if a clock was set back. Logs of other
    layouts, and logs with unreadable numbers, are returned unchanged. Each Databricks part is opened.
    """
    if not needs_settling(log):
        return log
    numbers = [_rollover_number(part) for part in log.parts]
    if None in numbers or len(set(numbers)) < len(numbers):
        return log
    order = sorted(range(len(numbers)), key=lambda index: numbers[index] or 0)
    return reordered(log, (log.parts[index] for index in order))


def _rollover_number(part: LogPart) -> int | None:
    first = next(iter(read_part(part)), None)
    return first.rollover_number if isinstance(first, LogStart) else None
