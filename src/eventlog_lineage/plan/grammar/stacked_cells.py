"""Split the arguments of `stack(2, k, v#1, x, y, w#2)`, whose literals can contain commas and brackets.

A stack has `ceil(cells / rows)` columns (`Stack.numFields`, 2.0 to 4.3), so the number of its cells is known.
"""

from __future__ import annotations

from collections.abc import Callable

from .attribute_ids import unescaped
from .costs import COSTS
from .lists import split_items
from .literals import escape_items
from .readings import Balance, best_items, is_suspicious
from .tokens import AttributeNames, find_attributes


def stacked_cells(text: str, width: int, names: AttributeNames) -> list[str]:
    """Return the cells of a stack, without the number of its rows.

    Args:
        names: The plan's attributes: a cell with one is an expression.

    >>> stacked_cells("2, a, b, v#1, c, w#2", 2, {1: ("v",), 2: ("w",)})
    ['a, b', 'v#1', 'c', 'w#2']
    >>> stacked_cells("1, split(concat(x, ]), v#1), y, , -1)[0], w#2", 2, {1: ("v",), 2: ("w",)})[1]
    'w#2'
    """
    items = split_items(text)
    rows = int(items[0]) if items and items[0].isdigit() else 0
    if not rows or not width or -(-(len(items) - 1) // rows) == width:
        return items[1:]
    whole, count = unescaped(text), rows * width + 1
    if is_suspicious(whole) and len(read := escape_items(whole, count)) == count:
        return read[1:]  # brackets in literals within calls: `split(concat(x, ]), a#1), , -1)`
    return (best_items(whole, count, lambda: _cell_cost(names)) or items)[1:]


def _cell_cost(names: AttributeNames) -> Callable[[str], int]:
    """Return a function that costs a cell piece by piece: a literal has commas or brackets, an expression has both."""
    balance = Balance()
    commas = 0
    has_attribute = is_first = True

    def add(piece: str) -> int:
        nonlocal commas, has_attribute, is_first
        own = bool(find_attributes(piece, names))
        commas += not is_first and not balance.is_open
        has_attribute = own if is_first else has_attribute or own
        is_first = False
        balance.add(piece)
        comma, bracket = (
            (COSTS.cell_attribute_comma, COSTS.cell_attribute_bracket)
            if has_attribute
            else (COSTS.cell_comma, COSTS.cell_bracket)
        )
        return commas * comma + balance.unmatched * bracket

    return add
