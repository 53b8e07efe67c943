"""Split the functions of an aggregate with literals that look like plan structure, by the steps of the aggregation.

The functions of the first steps have a phase, `partial_sum(v#1)`, `merge_sum(v#1)`; those of the last step are the same
without it (`AggregateExpression.toString`, 2.4 to 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.expressions.attribute_ids import ends_with_id
from eventlog_lineage.plan.expressions.escapes import unescaped
from eventlog_lineage.plan.nodes import Field

_PHASE = re.compile(r"(?:partial|merge)_(?=[A-Za-z_]\w*\()")
_BETWEEN_PHASES = re.compile(rf", (?={_PHASE.pattern})")
_FILTER = " FILTER (WHERE "


class AggregateFunctions:
    """The functions of a plan's aggregations, collected from the first steps to the last ones."""

    def __init__(self, escape: Callable[[str], str]) -> None:
        """Take the function that escapes an expression."""
        self._escape = escape
        self._known: dict[str, str] = {}  # functions without phase and filter, with their escaped text

    def items(self, text: str) -> list[str]:
        """Return the functions of an aggregate, escaped, if the steps show where each one starts.

        Args:
            text: The list without its brackets.

        Returns:
            The functions; none if they have no phase and no earlier step prints them.
        """
        if not _PHASE.match(text):
            return self._repeated(unescaped(text))
        items = list(map(self._escape, _BETWEEN_PHASES.split(text)))
        for item in items:
            function = unfiltered(_PHASE.sub("", item, count=1))
            self._known[unescaped(function)] = function
        return items

    def text(self, text: str) -> str:
        """Return a text with the literals in the functions of earlier steps escaped."""
        for function, known in self._known.items():
            if known != function and function in text:
                text = text.replace(function, known)
        return text

    def _repeated(self, text: str) -> list[str]:
        """Return the functions of a last step, if earlier steps print all of them."""
        items, at = [], 0
        known = sorted(self._known, key=len, reverse=True)
        while at < len(text):
            ends = (at + len(each) for each in known if text.startswith(each, at))
            end = next((end for end in ends if end == len(text) or text.startswith(", ", end)), -1)
            if end < 0:
                return []
            items.append(self._known[text[at:end]])
            at = end + 2
        return items


def values_of(functions: Field | None, field: Field) -> list[str]:
    """Return the attributes of an aggregate's values, in the order of its functions.

    `first(v#1)()#2` is that of `first(v#1, false)`.

    Args:
        functions: The functions; None if the aggregate has none.
        field: Its `Aggregate Attributes`.

    Returns:
        The attributes; none if the text does not show where each of them starts.
    """
    names = [item.partition("(")[0] for item in functions.items] if functions is not None else []
    if not names or len(names) != field.count or not field.text.startswith(f"{names[0]}("):
        return []
    starts = [0]
    for name in names[1:]:
        found = [
            match.end()
            for match in re.finditer(rf"{ID}, (?={re.escape(name)}\()", field.text)
            if match.end() > starts[-1]
        ]
        starts.append(found[0] if found else -1)
    ends = [*(start - 2 for start in starts[1:]), len(field.text)]
    items = [field.text[start:end] for start, end in zip(starts, ends, strict=True)]
    return items if -1 not in starts and all(map(ends_with_id, items)) else []


def unfiltered(function: str) -> str:
    """Return an aggregate function without its filter.

    >>> unfiltered("sum(v#1) FILTER (WHERE (a#2 > 1))")
    'sum(v#1)'
    """
    at = function.find(_FILTER)
    while at >= 0 and function.count("(", 0, at) != function.count(")", 0, at):  # it is in a name
        at = function.find(_FILTER, at + 1)
    return function if at < 0 else function[:at]
