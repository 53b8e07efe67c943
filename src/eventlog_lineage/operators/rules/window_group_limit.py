"""`WindowGroupLimit` (3.5+): keeps the first rows of each group, because a filter on a rank above will."""

from __future__ import annotations

from ...plan.items import split_items
from ..arguments import directionless, lists
from ..flow import Flow
from ..operation import Operation
from ..registry import operator


@operator("WindowGroupLimit")
def window_group_limit(at: Operation) -> Flow:
    """Passes its input on: the rank and the filter that it serves stand above it and are counted there.

    `Arguments: [k#1L], [v#2 DESC NULLS LAST], row_number(), 2, Partial`
    """
    keys = [key for text in lists(at.node) for key in split_items(text)]
    return at.raw_input.settled().ordered_for(directionless(key) for key in keys)
