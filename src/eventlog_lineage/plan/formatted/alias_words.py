"""Find the AS of a named expression's alias among those of its literals, its brackets and its name."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.expressions.attribute_ids import ID_START_PATTERN
from eventlog_lineage.plan.expressions.escapes import escaped
from eventlog_lineage.plan.expressions.item_costs import NEVER, Balance, is_suspicious, unmatched
from eventlog_lineage.plan.expressions.literals import escape_literals

_ID = ID_START_PATTERN
_NAMED_END = re.compile(rf"{ID}$")
_UNMATCHED_IN_NAME = 14
_NO_ALIAS = 10
_NEAR = 12
"""Of two ASs with costs as near as this the expression before them decides."""


def alias_word(item: str, is_new: bool = False) -> int:
    """Return the offset of the AS of a named expression's alias; -1 for an attribute.

    Of several the cheapest is chosen: a literal before it, or the name after it, can contain an AS. An AS in brackets,
    `CAST(r.qty AS DOUBLE)#7`, is part of a name, unless the brackets are unbalanced.

    Args:
        item: The item of a list.
        is_new: Whether no attribute below has its id, so that it certainly has an alias.

    >>> alias_word("upper(a#1) AS b#2"), alias_word("CAST(r.qty AS DOUBLE)#7")
    (10, -1)
    """
    if not _NAMED_END.search(item):
        return -1
    costs = _costs(item, NEVER if is_new else unmatched(item) * _UNMATCHED_IN_NAME or _NO_ALIAS)
    if not costs:
        return -1
    best, found = min(costs)
    near = [at for cost, at in costs if cost <= best + _NEAR]
    if len(near) == 1 or _is_expression(item[:found]):
        return found
    return next((at for at in near if _is_expression(item[:at])), found)


def _costs(item: str, most: int) -> list[tuple[int, int]]:
    """Return the costs and the offsets of the ASs that can be the alias's.

    Args:
        item: The item of a list.
        most: The cost of unmatched brackets before the AS that makes another reading more likely.
    """
    found: list[tuple[int, int]] = []
    at, done, passed = item.find(" AS "), 0, 0
    balance = Balance()
    while at >= 0:
        balance.add(item[done:at])
        done = at
        rest = item[at + 4 :]
        cost = 10 * balance.unmatched + 4 * unmatched(rest) + 3 * rest.count(" AS ") + 2 * rest.count(", ") + passed
        cost += 9 * len(_ID.findall(rest, 0, rest.rfind("#")))
        if 10 * balance.unmatched < most:
            found.append((cost, at))
        passed += 0 if balance.is_open else 7
        at = item.find(" AS ", at + 1)
    return found


def _is_expression(child: str) -> bool:
    """Return whether a text is an expression: no AS follows what closes its brackets, `concat(a#1, ([) AS x`."""
    if ") AS " not in child or "CASE WHEN " in child or not is_suspicious(child):
        return True
    read = escape_literals(child).text
    return not unmatched(read) and without_alias_words(read) == read


def without_alias_words(child: str) -> str:
    """Escape each AS in an expression's literals; in brackets, it can be part of a name: `CAST(r.qty AS DOUBLE)#7`."""
    words = child.split(" AS ")
    if len(words) == 1:
        return child
    balance, pieces = Balance(), [words[0]]
    balance.add(words[0])
    for word in words[1:]:
        pieces.append(" AS " if balance.is_open else escaped(" AS "))
        pieces.append(word)
        balance.add(word)
    return "".join(pieces)
