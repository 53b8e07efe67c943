"""Select the relevant lines of a text by their first bytes, before parsing.

Task events are 85 to 95 % of a log's bytes. So lines are found with `bytes.find` over large chunks and distinguished by
the first bytes of their event's name; only kept lines are copied.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from eventlog_lineage.redaction import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


_DEEPEST = 1024
_LONGEST_NUMBER = 30
_LONGEST_LABEL = 1000
_ESCAPES = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


class UnreadableLine(Exception):  # noqa: N818 - becomes a `BadEvent`
    """A line is not a readable JSON object; the message is the reason."""


def parsed(text: bytes) -> dict[str, Any]:
    """Parse a line.

    Spark 2.4 wrote event logs in the platform's charset, and drivers can write half a surrogate pair into a string:
    orjson rejects both, and they are read with replacement characters.

    Raises:
        UnreadableLine: It is not JSON, not an object, or nested deeper than 1,024 levels.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = _parsed_leniently(text)
    if not isinstance(value, dict):
        raise UnreadableLine("not a JSON object")
    return value


def _parsed_leniently(text: bytes) -> Any:
    repaired = text.decode("utf-8", "replace").encode()
    repaired = _ESCAPES.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], repaired)
    try:
        return orjson.loads(repaired)
    except orjson.JSONDecodeError as error:
        too_deep = "recursion" in str(error) or "depth" in str(error)
        raise UnreadableLine(f"nested deeper than {_DEEPEST} levels" if too_deep else f"not JSON ({error})") from error


def words(value: object) -> str:
    """Return a value as a string: empty for null and missing values, JSON of up to 250 levels for other types.

    >>> words("a"), words(None), words([1, 2])
    ('a', '', '[1,2]')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return ""


def label(value: object) -> str:
    """Return an id or a name: a string of at most 1,000 characters."""
    return shortened(words(value), _LONGEST_LABEL)


def number(value: object) -> int | None:
    """Return an integer of 64 bits, as a number or a string in the JSON; None for other values.

    >>> number("42"), number(42.0), number("x"), number(2**63)
    (42, 42, None, None)
    """
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        try:
            value = int(value)
        except ValueError:
            return None
    elif isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and -(2**63) <= value < 2**63 else None


def needed(fields: Mapping[str, Any], key: str) -> int:
    """Return a required integer.

    Raises:
        UnreadableLine: The field is missing or not a number.
    """
    value = number(fields.get(key))
    if value is None:
        raise UnreadableLine(f"no number in {key!r}")
    return value


def mapping(value: object) -> Mapping[str, Any]:
    """Return an object; an empty one for other values."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Return an array; an empty one for other values."""
    return value if isinstance(value, list) else []


def texts(value: object) -> tuple[str, ...]:
    """Return the strings of an array."""
    return tuple(item for item in items(value) if isinstance(item, str))


EVENT_LINE = b'{"Event":"'
"""The start of every line: `JsonProtocol` and Jackson write `Event` first."""

LONGEST_LINE = 256 * 1024 * 1024
"""Default limit of a line, in bytes; the plan text of one statement can have many megabytes."""

_SNIPPET = 200
_OBJECT = b'{"'
_LINE_END = re.compile(rb"\s*\n\s*")
_AFTER_EMPTY = re.compile(rb"\n+").match
_PREFIX = 160  # longer than the name of any event with the text before it
_LEAST_LONGEST = 1024
_TASK = EVENT_LINE + b"SparkListenerTask"
"""The start of most lines of a log."""
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
"""The first 20 bytes of other frequent names that are never kept."""


class LineState(Enum):
    """The kind of a reported line."""

    WHOLE = "whole"
    """A kept event's line, without its line feed."""
    CUT = "cut"
    """The last line of the text, without a line feed; it may be complete."""
    TOO_LONG = "too long"
    """The beginning of a kept event's line that is longer than allowed."""
    FOREIGN = "foreign"
    """The beginning of a line that is not an event."""


class Line(NamedTuple):
    """A line of a log part.

    Attributes:
        number: From 1, within the part.
        offset: Offset of its first byte in the part's decoded text.
        text: The line, or its first 200 bytes if it is too long or foreign.
    """

    number: int
    offset: int
    text: bytes
    state: LineState = LineState.WHOLE


class KeptLines:
    """The lines of a text whose events have one of the given names.

    Args:
        chunks: The text, split anywhere; chunks of at least 100 kB are fast.
        names: The events' names, as printed after `{"Event":"`.
        longest: Limit of a line, in bytes; longer lines are `TOO_LONG`.

    Attributes:
        lines: Line feeds so far, plus one for a last line without; exact after the iteration.
        size: Bytes of text so far.
        is_truncated: The text ends without a line feed, in an event that is not reported.
    """

    def __init__(self, chunks: Iterable[bytes], names: Iterable[bytes], longest: int = LONGEST_LINE) -> None:
        ordered = sorted(names)
        if any(name[:20] in _COMMON or (EVENT_LINE + name).startswith(_TASK) for name in ordered):
            raise ValueError("cannot keep an event whose name begins like one that is always dropped")
        if longest < _LEAST_LONGEST:
            raise ValueError(f"the longest line cannot be shorter than {_LEAST_LONGEST} bytes")
        self._chunks = chunks
        self._kept = _beginning_of(tuple(ordered)).match
        self._longest: Final = longest
        self._held = _Held(longest)
        self.lines = 0
        self.size = 0
        self.is_truncated = False

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
        """Yield the kept lines that begin and end in a chunk, and hold its last line: the hot loop of a harvest."""
        find, begins, common, kept = chunk.find, chunk.startswith, _COMMON, self._kept
        number = self.lines
        end = find(b"\n", begin)
        while end >= 0:
            number += 1
            if not begins(_TASK, begin) and chunk[begin + 10 : begin + 30] not in common:
                if kept(chunk, begin):
                    yield self._line(number, self.size + begin, chunk[begin:end])
                elif end == begin:  # text of mostly line feeds must not cost a step per line feed
                    end = _AFTER_EMPTY(chunk, begin).end() - 1  # type: ignore[union-attr]
                    number += end - begin
                elif not begins(EVENT_LINE, begin):
                    yield from self._other(number, self.size + begin, chunk[begin:end])
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

    def _other(self, number: int, offset: int, text: bytes) -> Iterator[Line]:
        """Yield a line that Spark does not write: a kept event whose name is not first (sorted keys), or foreign."""
        line = as_event_line(text) if text.startswith(_OBJECT) and len(text) <= self._longest else text
        if not line.startswith(EVENT_LINE):
            yield Line(number, offset, text[:_SNIPPET], LineState.FOREIGN)
        elif self._kept(line):
            yield Line(number, offset, line.rstrip(b"\n"))

    def _classify_held(self) -> None:
        """Decide whether to hold the rest of the line, as soon as its beginning is complete."""
        if self._held.kept is None and self._held.length >= _PREFIX:
            text = self._held.text()
            is_other = text.startswith(_OBJECT) and not text.startswith(EVENT_LINE)
            self._held.decide(is_other or self._kept(text) is not None)

    def _finished(self, state: LineState) -> Iterator[Line]:
        """Yield the held line if it is kept or foreign, and release it."""
        held = self._held
        self.lines += 1
        text = held.text().rstrip(b"\n") if state is LineState.WHOLE else held.text()
        kept = held.kept if held.kept is not None else self._kept(text) is not None
        if kept and held.too_long:
            yield Line(self.lines, held.offset, text[:_SNIPPET], LineState.TOO_LONG)
        elif kept and text.startswith(EVENT_LINE):
            yield Line(self.lines, held.offset, text, state)
        elif state is LineState.CUT and _is_begun(text):
            self.is_truncated = True
        elif text and not text.startswith(EVENT_LINE):
            yield from self._other(self.lines, held.offset, text)
        held.clear()


def _is_begun(text: bytes) -> bool:
    """Return whether a text without a line feed is an event whose name is not kept, or the beginning of an event."""
    begins = text.startswith(EVENT_LINE) or EVENT_LINE.startswith(text)
    return begins or (text.startswith(_OBJECT) and not text.endswith(b"}"))


def as_event_line(text: bytes) -> bytes:
    """Return an object as a line that begins with its event; a text that is none, on one line."""
    if text.startswith(EVENT_LINE) and b"\n" not in text:
        return text + b"\n"
    try:
        fields = orjson.loads(text)
    except orjson.JSONDecodeError:
        fields = None
    if isinstance(fields, dict) and isinstance(name := fields.pop("Event", None), str):
        return orjson.dumps({"Event": name, **fields}) + b"\n"
    return _LINE_END.sub(b" ", text) + b"\n"


@lru_cache(maxsize=8)
def _beginning_of(names: tuple[bytes, ...]) -> re.Pattern[bytes]:
    """Return a pattern of the start of lines with certain events; cached, as all parts use the same names."""
    return re.compile(re.escape(EVENT_LINE) + b"(?:" + b"|".join(map(re.escape, names)) + b')"')


class _Held:
    """The last line of a chunk: complete if it is kept, otherwise only its beginning."""

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
        """Return the first bytes, without joining a line that may have hundreds of megabytes."""
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


_MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""
_EVENT = re.compile(rb'"Event"\s*:\s*"')
_HEAD = 1 << 16
"""The length of a text in which the form of its events is visible, in bytes."""
_BEGIN = re.compile(rb"[^\s,\[\]\x1e]")
"""What is not between events: white space, the commas and brackets of an array, the record separator of RFC 7464."""
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*(?P<closed>")?|[{}]', re.DOTALL)


def head_of(chunks: Iterator[bytes]) -> bytes:
    """Return the beginning of a text, enough for `is_of_lines` and `has_events`: a whole first event, or 64 KiB."""
    head = next(chunks, b"")
    while head and not _has_line(head) and len(head) < _HEAD and (chunk := next(chunks, b"")):
        head += chunk
    return head


def _has_line(head: bytes) -> bool:
    return head.startswith(EVENT_LINE) and b"\n" in head


def is_of_lines(head: bytes) -> bool:
    """Return whether a text begins as Spark's logs do: with an event on a line of its own, or with the start of one."""
    if not head.startswith(EVENT_LINE):
        return bool(head) and EVENT_LINE.startswith(head)
    end = _end_of_object(head[:_HEAD], 0)
    return end < 0 or head[end : end + 2].removeprefix(b"\r")[:1] in {b"", b"\n"}


def has_events(head: bytes) -> bool:
    """Return whether a text is of JSON objects with events."""
    text = head.removeprefix(_MARK).lstrip(b" \t\r\n\x1e")
    return text.startswith((b"{", b"[")) and _EVENT.search(text, 0, _HEAD) is not None


def event_lines(chunks: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """Yield each JSON object of a text as one line; what is none, as it is.

    Args:
        longest: The longest object, in bytes; a longer one is passed on unread.
    """
    held, fresh = b"", bytearray()
    for chunk in chunks:
        fresh += chunk
        if len(fresh) >= len(held):  # an object of many chunks is searched again when it has doubled
            lines, held = _split((held + fresh).removeprefix(_MARK), longest)
            fresh.clear()
            yield lines
    lines, rest = _split((held + fresh).removeprefix(_MARK) + b"\n", longest)
    yield lines + (EVENT_LINE[:1] if rest else b"")  # the text ends within an object


def _split(text: bytes, longest: int) -> tuple[bytes, bytes]:
    """Return the lines of the objects that a text contains whole, and the rest of the text."""
    found: list[bytes] = []
    at = 0
    while begin := _BEGIN.search(text, at):
        start = begin.start()
        end = _end_of_object(text, start) if text[start] == 0x7B else text.find(b"\n", start)
        if end < 0 and len(text) - start <= longest:
            return b"".join(found), text[start:]
        end = end if end >= 0 else len(text)
        found.append(as_event_line(text[start:end]))
        at = end
    return b"".join(found), b""


def _end_of_object(text: bytes, at: int) -> int:
    """Return the end of the object at an offset; -1 if the text ends within it."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        if token[0] == b"{":
            depth += 1
        elif token[0] == b"}":
            depth -= 1
            if not depth:
                return token.end()
        elif token["closed"] is None:
            return -1
    return -1
