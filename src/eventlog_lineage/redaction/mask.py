"""What takes the place of a secret, and how."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MASK = "***"

LONGEST = 4096
"""Characters of the longest secret that is looked for, but for armoured keys."""

Span = tuple[int, int]
"""Where a secret begins, and where it ends."""

_DONE = re.compile(r"\*{3,64}(?:\(redacted\)?)?(?:%2F\d{4,8}(?:%2F[\w-]{1,32}){0,3})?$")
"""A mask; AWS writes date and region after the id of a key."""
_NOTHING = re.compile(r"(?:null|none|nil|true|false|undefined)$", re.IGNORECASE)


def masked(text: str, spans: Iterable[Span]) -> str:
    """Return a text with `***` for each of some ordered spans; one that begins within another is skipped."""
    pieces: list[str] = []
    kept = 0
    for start, end in spans:
        if start >= kept and end > start:
            pieces += (text[kept:start], MASK)
            kept = end
    return "".join((*pieces, text[kept:])) if pieces else text


def is_nothing(text: str, start: int, end: int) -> bool:
    """Return whether a value is empty, a mask already (Spark's or this program's), or a constant like null."""
    return end <= start or _DONE.match(text, start, end) is not None or _NOTHING.match(text, start, end) is not None


def places(text: str, word: str) -> Iterator[int]:
    """Yield where a word stands in a text, from left to right, without overlaps."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def lowered(text: str) -> str:
    """Return a text in lower case, of the same length: a few letters would become two."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lower
