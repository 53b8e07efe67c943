"""Read the events of one part, and count the problems with its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.events.decoding.decoders import ADAPTIVE_LINE, decode
from eventlog_lineage.events.decoding.json_fields import UnreadableLine
from eventlog_lineage.events.decoding.line_filter import EVENT_LINE, KeptLines, Line, LineState
from eventlog_lineage.events.decoding.sql_events import adaptive_execution_id
from eventlog_lineage.plan.plan_text import NO_TEXT, PlanText
from eventlog_lineage.redaction import shortened

from .listener_events import BadEvent, Event, ExecutionEnd, ExecutionStart, PartEnd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eventlog_lineage.events.compression import Decoding

BAD_EVENTS_REPORTED = 20
"""Limit of the unreadable lines of a part that are reported one by one; the others are counted."""

TOO_LONG = "too long"
"""The reason of a line or plan over a limit."""

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
        part: The part's index.
        decoding: The source of the lines, for its damage and byte counts.
        lines: The lines of kept events.
        longest_plan: Limit of a plan text, in characters.
    """

    def __init__(self, part: int, decoding: Decoding, lines: KeptLines, longest_plan: int) -> None:
        self._longest_plan = longest_plan
        self._part = part
        self._decoding = decoding
        self._lines = lines
        self._plans = AdaptivePlans()
        self._events = 0
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
                self._events += 1
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
            events=self._events,
            bad_lines=self._bad_lines,
            size=self._lines.size,
            bytes_read=self._decoding.bytes_read,
            codec=str(self._decoding.codec or ""),
            damage=self._decoding.damage or "",
            limit=self._decoding.limit,
            is_truncated=self._breaks_off or self._decoding.is_truncated or self._lines.is_truncated,
        )


def _snippet(text: bytes) -> str:
    """Return an excerpt of a line: only the name of an event, as settings may follow; the beginning of other lines."""
    end = text.find(b'"', len(EVENT_LINE)) + 1 if text.startswith(EVENT_LINE) else _SNIPPET
    return shortened(text.decode("utf-8", "replace"), end or _SNIPPET)
