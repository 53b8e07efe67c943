"""Chunks of text to the few lines that matter, chosen by how they begin, before any of them is parsed.

Task events are 85 to 95 % of a log's bytes. So lines are found with `bytes.find` over large chunks and told apart by
the first bytes of their event's name; only the lines that are kept are ever copied.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EVENT_LINE = b'{"Event":"'
"""How every line begins: `JsonProtocol` and Jackson both write `Event` first."""

LONGEST_LINE = 256 * 1024 * 1024
"""Bytes of the longest line that is kept by default; the plan text of one statement can have many megabytes."""

_SNIPPET = 200
_AFTER_EMPTY = re.compile(rb"\n+").match
_PREFIX = 160  # no event's name is longer than this with what stands before it
_LEAST_LONGEST = 1024
_TASK = EVENT_LINE + b"SparkListenerTask"
"""How the lines begin that are most of a log."""
_COMMON = frozenset(
    name[:20]
    for name in (
        b"SparkListenerStageSubmitted",
        b"SparkListenerStageExecutorMetrics",
        b"SparkListenerExecutorAdded",
        b"SparkListenerBlockUpdated",
        b"SparkListenerBlockManagerAdded",
        b"SparkListenerUnpersistRDD",
    )
)
"""The first 20 bytes of the other names that are never kept and that logs are full of."""


class LineState(Enum):
    """What a line that is given is."""

    WHOLE = "whole"
    """A kept event's line, without its line feed."""
    CUT = "cut"
    """A kept event's line that the text ends in; it may be complete all the same."""
    TOO_LONG = "too long"
    """The beginning of a kept event's line that is longer than allowed."""
    FOREIGN = "foreign"
    """The beginning of a line that is no event."""


class Line(NamedTuple):
    """A line of a log part.

    Attributes:
        number: From 1, within the part.
        offset: Of its first byte in the part's decoded text.
        text: The line, or its first 200 bytes where it is too long or foreign.
        state: What it is.
    """

    number: int
    offset: int
    text: bytes
    state: LineState = LineState.WHOLE


class KeptLines:
    """The lines of a text whose events have one of some names.

    Args:
        chunks: The text, cut anywhere; chunks of some 100 kB and more are fast.
        names: The events' names, as they stand after `{"Event":"`.
        longest: Bytes of the longest line to hold; what is longer is given as `TOO_LONG`.

    Attributes:
        lines: Line feeds so far, plus one for a last line without; exact once the iteration is over.
        size: Bytes of text so far.
        breaks_off: The text ends without a line feed in an event that is not given.
    """

    def __init__(self, chunks: Iterable[bytes], names: Iterable[bytes], longest: int = LONGEST_LINE) -> None:
        ordered = sorted(names)
        if any(name[:20] in _COMMON or (EVENT_LINE + name).startswith(_TASK) for name in ordered):
            raise ValueError("an event cannot be kept whose name begins like one that is always dropped")
        if longest < _LEAST_LONGEST:
            raise ValueError(f"the longest line cannot be shorter than {_LEAST_LONGEST} bytes")
        self._chunks = chunks
        self._kept = _beginning_of(tuple(ordered)).match
        self._longest: Final = longest
        self._held = _Held(longest)
        self.lines = 0
        self.size = 0
        self.breaks_off = False

    def __iter__(self) -> Iterator[Line]:
        for chunk in self._chunks:
            if not chunk:
                continue
            begin = 0
            if self._held:
                begin = chunk.find(b"\n") + 1
                self._held.add(chunk[:begin] if begin else chunk)
                if not begin:
                    self._classify_held()
                    self.size += len(chunk)
                    continue
                yield from self._finished(LineState.WHOLE)
            yield from self._lines_of(chunk, begin)
            self.size += len(chunk)
        if self._held:
            yield from self._finished(LineState.CUT)

    def _lines_of(self, chunk: bytes, begin: int) -> Iterator[Line]:
        """Give the kept lines that begin and end in a chunk, and hold what it ends in. The hot loop of a harvest."""
        find, begins, common, kept = chunk.find, chunk.startswith, _COMMON, self._kept
        number = self.lines
        end = find(b"\n", begin)
        while end >= 0:
            if end == begin:  # text that is mostly line feeds must not cost a step for each of them
                end = _AFTER_EMPTY(chunk, begin).end() - 1  # type: ignore[union-attr]
                number += end - begin
            number += 1
            if not begins(_TASK, begin) and chunk[begin + 10 : begin + 30] not in common:
                if kept(chunk, begin):
                    yield self._line(number, self.size + begin, chunk[begin:end])
                elif not begins(EVENT_LINE, begin) and end > begin:
                    yield Line(number, self.size + begin, chunk[begin : min(end, begin + _SNIPPET)], LineState.FOREIGN)
            begin = end + 1
            end = find(b"\n", begin)
        self.lines = number
        if begin < len(chunk):
            self._held.begin(self.size + begin, chunk[begin:])
            self._classify_held()

    def _line(self, number: int, offset: int, text: bytes) -> Line:
        if len(text) > self._longest:
            return Line(number, offset, text[:_SNIPPET], LineState.TOO_LONG)
        return Line(number, offset, text)

    def _classify_held(self) -> None:
        """Decide, as soon as its beginning is there, whether the rest of the held line is worth holding."""
        if self._held.kept is None and self._held.length >= _PREFIX:
            self._held.decide(self._kept(self._held.text()) is not None)

    def _finished(self, state: LineState) -> Iterator[Line]:
        """Give the held line, if it is one to give, and let go of it."""
        held = self._held
        self.lines += 1
        text = held.text().rstrip(b"\n") if state is LineState.WHOLE else held.text()
        kept = held.kept if held.kept is not None else self._kept(text) is not None
        if kept and held.too_long:
            yield Line(self.lines, held.offset, text[:_SNIPPET], LineState.TOO_LONG)
        elif kept:
            yield Line(self.lines, held.offset, text, state)
        elif state is LineState.CUT and (text.startswith(EVENT_LINE) or EVENT_LINE.startswith(text)):
            self.breaks_off = True
        elif text and not text.startswith(EVENT_LINE):
            yield Line(self.lines, held.offset, text[:_SNIPPET], LineState.FOREIGN)
        held.clear()


@lru_cache(maxsize=8)
def _beginning_of(names: tuple[bytes, ...]) -> re.Pattern[bytes]:
    """What the lines of events with some names begin with; all parts are read with the same."""
    return re.compile(re.escape(EVENT_LINE) + b"(?:" + b"|".join(map(re.escape, names)) + b')"')


class _Held:
    """The line that the last chunk ended in: all of it if it is kept, only its beginning if not."""

    def __init__(self, longest: int) -> None:
        self._longest: Final = longest
        self.clear()

    def __bool__(self) -> bool:
        return self.length > 0

    def clear(self) -> None:
        self.offset = self.length = 0
        self.kept: bool | None = None
        self.too_long = False
        self._pieces: list[bytes] = []

    def begin(self, offset: int, piece: bytes) -> None:
        self.offset = offset
        self.add(piece)

    def add(self, piece: bytes) -> None:
        self.length += len(piece)
        if self.kept is False or self.too_long:
            return
        self._pieces.append(piece)
        if self.length > self._longest + 1:  # one more for the line feed
            self.too_long = True
            self._pieces = [self._beginning()]

    def decide(self, kept: bool) -> None:
        self.kept = kept
        if not kept:
            self._pieces = [self._beginning()]

    def _beginning(self) -> bytes:
        """The first bytes, without putting a line together that may have hundreds of megabytes."""
        found = b""
        for piece in self._pieces:
            found += piece[: _SNIPPET - len(found)]
            if len(found) >= _SNIPPET:
                break
        return found

    def text(self) -> bytes:
        if len(self._pieces) > 1:
            self._pieces = [b"".join(self._pieces)]
        return self._pieces[0] if self._pieces else b""
