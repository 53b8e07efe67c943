"""Tables for people: as wide as the terminal, nothing cut, names wrapped where they have dots."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import repeat, zip_longest

GAP = "  "
"""What separates two columns."""

_NARROWEST = 16
"""Columns narrower than this are not worth reading: the rows are written one below the other instead."""

_DATASETS = frozenset(
    (
        *("dataset", "source", "target", "source_dataset", "target_dataset", "reads", "sources", "targets", "depends"),
        *(
            "asked",
            "name",
            "full_name",
            "joined_dataset",
            "via",
            "waiting",
            "steps",
            "changed",
            "affected",
            "old_value",
            "new_value",
        ),
    )
)
"""Columns of names of datasets."""

_CATALOG = re.compile(r"(?<![\w./:-])([A-Za-z_][\w-]*)\.(?=[^\s.,]+\.[^\s.,])")
_SECONDS = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d$")
_BREAK = re.compile(r"\(?[^\s./,;:()=|]*(?:[./,;:)=|]+\s*|\s+|$|(?=\())")
"""A piece of a text that stays on one line where it fits."""

_WORD_BREAK = re.compile(r"[^_-]*(?:[_-]+|$)")
"""A piece of a longer piece."""

_FEWEST = 3
"""Columns that a table has at least; rows of fewer are written as lines of name and value."""

_LONGEST_PIECE = 32
"""A column is so wide that pieces up to this length stay whole."""


def drop_catalog(names: Sequence[str], columns: Sequence[list[str]]) -> list[list[str]]:
    """Return columns of texts without the catalog's name, where all names of datasets have the same one.

    Args:
        names: The columns' names; those of datasets are looked at.
    """
    texts = [text for name, column in zip(names, columns, strict=True) if name in _DATASETS for text in column]
    catalogs = {match[1] for text in set(texts) for match in _CATALOG.finditer(text)}
    if len(catalogs) != 1:
        return list(columns)
    prefix = re.compile(rf"(?<![\w./:-]){re.escape(catalogs.pop())}\.(?=[^\s.,]+\.[^\s.,])")
    return [
        [prefix.sub("", text) for text in column] if name in _DATASETS else column
        for name, column in zip(names, columns, strict=True)
    ]


def plain_table(names: Sequence[str], columns: Sequence[list[str]]) -> Iterator[str]:
    """Yield the lines of a table for other programs: a row a line, as wide as its values."""
    padded = [_padded(name, column) for name, column in zip(names, columns, strict=True)]
    return (GAP.join(row).rstrip() for row in zip(*padded, strict=True))


def fitted_table(names: Sequence[str], columns: Sequence[list[str]], width: int) -> Iterator[str]:
    """Yield the lines of a table that fits a width: its title line, a rule, and the rows, wrapped.

    Columns without a value are left out. Where the columns would get too narrow, the last ones are left out and named
    below the table; where even the first ones do not fit, each row is written as lines of name and value.
    """
    kept = [(name, column) for name, column in zip(names, columns, strict=True) if any(column)]
    names, columns = [name for name, _ in kept], [column for _, column in kept]
    natural = _natural(names, columns)
    if sum(natural) + len(GAP) * (len(names) - 1) > width:
        columns = [[_SECONDS.sub(r"\1", cell) for cell in column] for column in columns]
        natural = _natural(names, columns)
    floors = [max(_NARROWEST, _longest_piece(column)) for column in columns]
    needs = [min(need, floor) for need, floor in zip(natural, floors, strict=True)]
    fitting = _fitting(needs, width)
    if fitting < min(_FEWEST, len(names)):
        yield from _records(names, columns, width)
        return
    widths = _shares(natural[:fitting], width - len(GAP) * (fitting - 1), needs[:fitting])
    yield from _rows(names[:fitting], columns[:fitting], widths)
    if left_out := names[fitting:]:
        yield from wrapped(f"Not shown: {', '.join(left_out)}; choose with --columns, or --format csv.", width)


def _rows(names: Sequence[str], columns: Sequence[list[str]], widths: Sequence[int]) -> Iterator[str]:
    """Yield the title line, a rule and the rows."""
    numbers = [all(re.fullmatch(r"-?[\d.]*", cell) for cell in column) for column in columns]
    yield from _row(names, widths, numbers)
    yield GAP.join("─" * share for share in widths)
    for row in zip(*columns, strict=True):
        yield from _row(row, widths, numbers)


def _natural(names: Sequence[str], columns: Sequence[list[str]]) -> list[int]:
    return [max(map(cells, (name, *column))) for name, column in zip(names, columns, strict=True)]


def _fitting(needs: Sequence[int], width: int) -> int:
    """Return how many of the first columns fit a width, each with what it needs at least."""
    total = 0
    for count, need in enumerate(needs):
        total += need + (len(GAP) if count else 0)
        if total > width:
            return count
    return len(needs)


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines of a width, broken after dots and other punctuation where that is possible.

    >>> wrapped("staging.orders.amount", 10)
    ['staging.', 'orders.', 'amount']
    """
    if cells(text) <= width:
        return [text]
    lines, line = [], ""
    for piece in _pieces(text, width):
        if line and cells(line) + cells(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        rest = piece
        while cells(rest.rstrip()) > width:
            head = _head(rest, width)
            lines.append(head)
            rest = rest[len(head) :]
        line += rest
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str, width: int) -> Iterator[str]:
    """Yield a text in pieces that do not break names, but for those that are wider than a line."""
    for piece in _BREAK.findall(text):
        if cells(piece.rstrip()) <= width:
            yield piece
        else:
            yield from _WORD_BREAK.findall(piece)


def _longest_piece(column: Sequence[str]) -> int:
    pieces = (cells(piece.rstrip()) for cell in set(column) for piece in _BREAK.findall(cell))
    return max((size for size in pieces if size <= _LONGEST_PIECE), default=0)


@lru_cache(maxsize=100_000)
def cells(text: str) -> int:
    """Return the cells that a text takes on a terminal: East Asian letters take two, combining ones none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def _head(text: str, width: int) -> str:
    """Return the beginning of a text that fits; at least one character."""
    at = max(1, width)
    while at > 1 and cells(text[:at]) > width:
        at -= 1
    return text[:at]


def _padded(name: str, column: list[str]) -> list[str]:
    """Return a column with its name on top, all of one width."""
    known = {cell: cells(cell) for cell in {name, *column}}
    width = max(known.values())
    wide = {cell: cell + " " * (width - size) for cell, size in known.items()}
    return [wide[name], *map(wide.__getitem__, column)]


def _shares(natural: Sequence[int], room: int, least: Sequence[int]) -> list[int]:
    """Distribute the width: narrow columns get their own width, wide ones share the rest equally.

    Args:
        room: The width to distribute; enough for the least ones.
    """
    cap = max(natural, default=0)
    while cap > 1 and sum(map(_share, natural, least, repeat(cap))) > room:
        cap -= 1
    widths = list(map(_share, natural, least, repeat(cap)))
    for at, need in enumerate(natural):  # what is left over goes to the first wide columns
        if widths[at] < need and sum(widths) < room:
            widths[at] += min(need - widths[at], room - sum(widths))
    return widths


def _share(natural: int, least: int, cap: int) -> int:
    return max(min(natural, cap), least)


def _row(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool]) -> Iterator[str]:
    parts = [wrapped(cell, share) for cell, share in zip(row, widths, strict=True)]
    for line in zip_longest(*parts, fillvalue=""):
        filled = (
            " " * (share - cells(part)) + part if right else part + " " * (share - cells(part))
            for part, share, right in zip(line, widths, numbers, strict=True)
        )
        yield GAP.join(filled).rstrip()


def _records(names: Sequence[str], columns: Sequence[list[str]], width: int) -> Iterator[str]:
    label = max(map(cells, names))
    for number, row in enumerate(zip(*columns, strict=True)):
        if number:
            yield ""
        for name, cell in zip(names, row, strict=True):
            lines = wrapped(cell, max(width - label - len(GAP), 10)) if cell else []
            for place, line in enumerate(lines):
                yield f"{(name if place == 0 else '').ljust(label)}{GAP}{line}"
