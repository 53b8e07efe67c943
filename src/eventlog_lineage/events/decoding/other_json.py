"""Rewrite events that another tool wrote as JSON to lines as Spark writes them: `{"Event":"…",…}`, one per line.

Such tools print spaces and line breaks, sort the keys, or write one array.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .line_filter import EVENT_LINE, as_event_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""
_EVENT = re.compile(rb'"Event"\s*:\s*"')
_HEAD = 1 << 16
"""The length of a text in which the form of its events is visible, in bytes."""
_BEGIN = re.compile(rb"[^\s,\[\]]")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*(?P<closed>")?|[{}]', re.DOTALL)


def head_of(chunks: Iterator[bytes]) -> bytes:
    """Return the beginning of a text, which is enough for `has_events`: its first chunk, or 64 KiB."""
    head = next(chunks, b"")
    while head and not head.startswith(EVENT_LINE) and len(head) < _HEAD and (chunk := next(chunks, b"")):
        head += chunk
    return head


def has_events(head: bytes) -> bool:
    """Return whether a text is of JSON objects with events.

    Args:
        head: The result of `head_of`.
    """
    text = head.removeprefix(_MARK).lstrip(b" \t\r\n")
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
        end = _end_of_object(text, begin.start()) if text[begin.start()] == 0x7B else _end_of_line(text, begin.start())
        if end < 0 and len(text) - begin.start() <= longest:
            return b"".join(found), text[begin.start() :]
        end = end if end >= 0 else len(text)
        found.append(as_event_line(text[begin.start() : end]))
        at = end
    return b"".join(found), b""


def _end_of_line(text: bytes, at: int) -> int:
    return text.find(b"\n", at)


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
