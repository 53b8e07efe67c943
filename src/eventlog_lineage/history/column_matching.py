"""What two lists of columns have to do with each other."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from eventlog_lineage.model import SchemaColumn

from .columns import KnownColumn


def renamed_columns(
    went: Sequence[KnownColumn], came: Sequence[SchemaColumn]
) -> list[tuple[KnownColumn, SchemaColumn]]:
    """The columns that went and came with the same derivation, where it is one pair only.

    Args:
        went: Columns that are not there any more.
        came: Columns that were not there before.
    """
    old = Counter(column.derivation for column in went if column.derivation)
    new = Counter(column.derivation for column in came if column.derivation)
    by_way = {column.derivation: column for column in came}
    return [
        (column, by_way[column.derivation])
        for column in went
        if old[column.derivation] == 1 and new[column.derivation] == 1
    ]


def moved_columns(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The fewest columns whose moves make one order of the other.

    Args:
        old: The columns before.
        new: The columns after; those that only one of the lists has do not count.
    """
    places = {key: place for place, key in enumerate(old)}
    common = [key for key in new if key in places]
    kept = _longest_rise([places[key] for key in common])
    return [key for key in common if places[key] not in kept]


def _longest_rise(numbers: Sequence[int]) -> set[int]:
    """The numbers of a longest increasing subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, number in enumerate(numbers):
        place = bisect_left(tails, number)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(number)
            ends.append(at)
        else:
            tails[place] = number
            ends[place] = at
    kept = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        kept.add(numbers[at])
        at = before[at]
    return kept
