"""Find the most plausible reading of a list whose names or literals contain brackets and commas.

`split_named` and similar functions try cheap ways to split first. If they fail, every comma of the list is a candidate:
of all ways to split the list into items, the one with the lowest cost is chosen (`item_costs`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from eventlog_lineage.attribute_patterns import NUMBER

from .attribute_ids import PLAN_ID
from .item_costs import NEVER, UNMATCHED, ItemCost

_SUBQUERY = re.compile(rf"(ubquery [\w-]+#{NUMBER})(, {PLAN_ID})")
_MOST_PIECES = 3_000
_LONGEST_ITEM = 400
"""Limit of the pieces between commas in one item."""
_MOST_STATES = 200_000


def best_items(text: str, count: int | None, item_cost: ItemCost) -> list[str]:
    """Return the items of the cheapest reading of a list.

    Args:
        text: The list without its brackets.
        count: The number of items; None if Spark does not print it.
        item_cost: The cost of an item: `named_cost`, `call_cost`, `sort_cost` or `argument_cost`.

    Returns:
        The items; empty if no reading has that count, or if the list is too long to try.

    >>> from eventlog_lineage.plan.expressions.item_costs import named_cost
    >>> best_items("a (b#1, upper(c#2) AS d#3", 2, named_cost)
    ['a (b#1', 'upper(c#2) AS d#3']
    """
    return best_readings(text, count, item_cost)[0]


def best_readings(text: str, count: int | None, item_cost: ItemCost) -> tuple[list[str], list[str]]:
    """Return the items of the cheapest reading of a list, and those of another one that is as cheap.

    Args:
        text: The list without its brackets.
        count: The number of items; None if Spark does not print it.
        item_cost: The cost of an item.

    Returns:
        The items of both; empty if there is no such reading.
    """
    pieces = _without_subqueries(text).split(", ")
    if len(pieces) > _MOST_PIECES:
        return [], []
    costs = _costs(pieces, item_cost)
    starts, other = _cheapest(costs, len(pieces))
    if count is not None and starts and len(starts) != count:
        few = len(pieces) * count <= _MOST_STATES
        starts, other = _cheapest_of_count(costs, len(pieces), count) if few else ([], [])
    elif count is not None and len(other) != count:
        other = []
    return _items_at(text, pieces, starts), _items_at(text, pieces, other)


def _items_at(text: str, pieces: Sequence[str], starts: Sequence[int]) -> list[str]:
    items, at = [], 0
    for start, end in zip(starts, [*starts[1:], len(pieces)], strict=False):
        size = sum(map(len, pieces[start:end])) + 2 * (end - start)
        items.append(text[at : at + size - 2])
        at += size
    return items


def _without_subqueries(text: str) -> str:
    """Return a text of the same length with the commas of `Subquery scalar-subquery#2, [id=#3]` blanked."""
    return _SUBQUERY.sub(lambda match: match[1] + "_" * len(match[2]), text) if "[id=#" in text else text


def _costs(pieces: Sequence[str], item_cost: ItemCost) -> list[list[tuple[int, int]]]:
    """Return, per end, the starts of the items that can end there, with their costs.

    Args:
        pieces: The pieces between the commas of the list.
        item_cost: The cost of an item.
    """
    ending: list[list[tuple[int, int]]] = [[] for _ in range(len(pieces) + 1)]
    for start in range(len(pieces)):
        add = item_cost()
        least = NEVER
        for end in range(start, min(start + _LONGEST_ITEM, len(pieces))):
            cost = add(pieces[end])
            if cost < NEVER and cost <= least + UNMATCHED * 4:
                least = min(least, cost)
                ending[end + 1].append((start, cost))
    return ending


_Best = tuple[int, int, int]
"""The cost of a reading up to an end, its items (negative), and the start of its last item."""


def _cheapest(ending: Sequence[Sequence[tuple[int, int]]], size: int) -> tuple[list[int], list[int]]:
    """Return the starts of the items of the cheapest reading and of one as cheap; the first one has the most items.

    Args:
        ending: The result of `_costs`.
        size: The number of pieces.
    """
    best: list[_Best | None] = [(0, 0, -1)] + [None] * size
    tied: dict[int, int] = {}
    for end in range(1, size + 1):
        for start, cost in ending[end]:
            before, known = best[start], best[end]
            if before is None:
                continue
            found = (before[0] + cost, before[1] - 1, start)
            if known is None or found < known:
                best[end] = found
            if known is not None and found[0] == known[0]:
                tied[end] = start if found > known else known[2]
            elif known is None or found < known:
                tied.pop(end, None)
    if best[size] is None:
        return [], []
    return _starts(lambda end, _: best[end], lambda end, _: tied.get(end), size, 0)


def _cheapest_of_count(
    ending: Sequence[Sequence[tuple[int, int]]], size: int, count: int
) -> tuple[list[int], list[int]]:
    """Return the starts of the items of the cheapest reading with a number of items, and of one as cheap.

    Args:
        ending: The result of `_costs`.
        size: The number of pieces.
        count: The number of items.
    """
    best: list[dict[int, _Best]] = [{0: (0, 0, -1)}] + [{} for _ in range(size)]
    tied: dict[tuple[int, int], int] = {}
    for end in range(1, size + 1):
        for start, cost in ending[end]:
            for items, before in best[start].items():
                if items >= count:
                    continue
                found, known = (before[0] + cost, 0, start), best[end].get(items + 1)
                if known is None or found < known:
                    best[end][items + 1] = found
                if known is not None and found[0] == known[0]:
                    tied[end, items + 1] = start if found > known else known[2]
                elif known is None or found < known:
                    tied.pop((end, items + 1), None)
    if count not in best[size]:
        return [], []
    return _starts(lambda end, items: best[end].get(items), lambda end, items: tied.get((end, items)), size, count)


def _starts(
    best: Callable[[int, int], _Best | None], tied: Callable[[int, int], int | None], size: int, count: int
) -> tuple[list[int], list[int]]:
    """Return the starts of the best reading's items, and those of a reading that is tied with it.

    Args:
        best: (end, items) to the best reading up to there.
        tied: (end, items) to the start of the last item of another reading of the same cost.
        size: The number of pieces.
        count: The number of items; 0 for any number.
    """
    starts = _traced(best, size, count, None)
    ends = zip([*starts[1:], size], range(1, len(starts) + 1), strict=True)
    for end, items in reversed(list(ends)):
        number = items if count else 0
        if (other := tied(end, number)) is not None:
            later = [start for start in starts if start >= end]
            return starts, [*_traced(best, end, number, other), *later]
    return starts, []


def _traced(best: Callable[[int, int], _Best | None], end: int, items: int, start: int | None) -> list[int]:
    """Return the starts of the items up to an end; the last item has a given start, or the cheapest one.

    Args:
        best: (end, items) to the best reading up to there.
        end: The end.
        items: The number of items up to the end; 0 for any number.
        start: The start of the last item; None for the cheapest one.
    """
    starts = []
    while end > 0:
        found = best(end, items)
        assert found is not None
        end, items, start = start if start is not None else found[2], items - 1, None
        starts.append(end)
    return starts[::-1]
