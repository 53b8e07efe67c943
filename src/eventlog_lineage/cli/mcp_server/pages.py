"""Answers in pieces that an agent reads completely: whole rows, at most 20,000 bytes as they are sent.

Agents do not notice a truncated answer and draw wrong conclusions from it, so every answer shows how
many rows there are, how many it has, and where the next piece begins.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from eventlog_lineage.safe_text import escape_controls

MOST_BYTES = 20_000
"""Bytes of an answer as it is sent, a text of JSON in the JSON of the protocol."""

_ENVELOPE = 200
"""Bytes of the protocol's own fields."""

_SHORTEST = 50
"""Characters that each value of a row keeps, however long the row is."""

Page = dict[str, Any]


def page(records: Sequence[Mapping[str, object]], offset: int, about: Mapping[str, object]) -> Page:
    """Return the rows of an answer from an offset on, as many as fit.

    Args:
        about: Text that every page also contains: the store's age, notes.

    Returns:
        `total`, `returned`, `truncated`, `next_offset` (None after the last row), `confidence` (rows by confidence, of
        all rows that have one), what `about` has, and `rows`.
    """
    counts = Counter(str(each["confidence"]) for each in records if each.get("confidence"))
    answer: Page = {"total": len(records), "returned": 0, "truncated": False, "next_offset": None}
    answer |= {"confidence": dict(sorted(counts.items())), **about, "rows": []}
    room = MOST_BYTES - _ENVELOPE - size_as_sent(answer) - len("123456789") * 3
    rows = answer["rows"]
    for record in records[offset:]:
        row = {name: _plain(value) for name, value in record.items()}
        size = size_as_sent(row)
        if size > room and not rows:
            row = _shortened(row, room)
            size = size_as_sent(row)
        if size > room:
            break
        room -= size
        rows.append(row)
    end = offset + len(rows)
    left = end < len(records)
    return answer | {"returned": len(rows), "truncated": left, "next_offset": end if left else None}


def size_as_sent(value: object) -> int:
    """Return the bytes of a value in an answer: its compact JSON, in which the protocol escapes quotes again."""
    return len(json.dumps(_text(value), ensure_ascii=False).encode(errors="replace"))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _plain(value: object) -> object:
    """Return a value as JSON has it: times in ISO 8601, texts with control characters escaped."""
    if isinstance(value, str):
        return escape_controls(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {escape_controls(str(name)): _plain(each) for name, each in value.items()}
    if isinstance(value, Sequence):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _shortened(row: dict[str, object], room: int) -> dict[str, object]:
    """Return a row that exceeds a whole answer with its long values cut, and the names of these."""
    longest = max(_SHORTEST, room // (4 * len(row)) - _SHORTEST)  # a quote takes four bytes
    cut = {name: text for name, value in row.items() if len(text := _text(value)) > longest}
    return {**row, **{name: f"{text[:longest]}…" for name, text in cut.items()}, "cut_columns": sorted(cut)}
