"""Match the columns of two lists: renamed and moved columns."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from eventlog_lineage.observed_schemas import SchemaColumn

from .columns import KnownColumn


def renamed_columns(
    dropped: Sequence[KnownColumn], added: Sequence[SchemaColumn]
) -> list[tuple[KnownColumn, SchemaColumn]]:
    """Return the pairs of a dropped and an added column with the same derivation, where there is one pair only.

    Args:
        dropped: Columns that are in the first list only.
        added: Columns that are in the second list only.
    """
    old = Counter(column.derivation for column in dropped if column.derivation)
    new = Counter(column.derivation for column in added if column.derivation)
    by_derivation = {column.derivation: column for column in added}
    return [
        (column, by_derivation[column.derivation])
        for column in dropped
        if old[column.derivation] == 1 and new[column.derivation] == 1
    ]


def moved_columns(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the fewest columns whose moves turn one order into the other.

    Args:
        old: The columns before.
        new: The columns after; columns of one list only do not count.
    """
    positions = {key: position for position, key in enumerate(old)}
    common = [key for key in new if key in positions]
    kept = _longest_increasing([positions[key] for key in common])
    return [key for key in common if positions[key] not in kept]


def _longest_increasing(numbers: Sequence[int]) -> set[int]:
    """Return the numbers of a longest increasing subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, number in enumerate(numbers):
        length = bisect_left(tails, number)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(number)
            ends.append(index)
        else:
            tails[length] = number
            ends[length] = index
    kept = set()
    index = ends[-1] if ends else -1
    while index >= 0:
        kept.add(numbers[index])
        index = before[index]
    return kept
