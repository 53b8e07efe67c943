"""Find the AS of a named expression's alias among those of its literals, its brackets and its name; split stacks.

`x AS y AS z#1` is the literal `x AS y` with the name `z`, or `x` with the name `y AS z`: Spark quotes neither. A
literal can contain an AS outside brackets only where it has none around it: as the whole expression, as a branch of a
CASE or an IF, after a LIKE, or among the values of an INSET.

The literals of `stack(2, k, v#1, x, y, w#2)` can contain commas and brackets. A stack has `ceil(cells / rows)` columns
(`Stack.numFields`, 2.0 to 4.3), so the number of its cells is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from eventlog_lineage.plan.grammar.attribute_ids import (
    ANY_ID,
    ENDS_WITH_ID,
    ID_START_PATTERN,
    ends_with_id,
    escaped,
    hidden_groups,
    unescaped,
)
from eventlog_lineage.plan.grammar.costs import COSTS, NEVER
from eventlog_lineage.plan.grammar.literals import escape_items
from eventlog_lineage.plan.grammar.readings import Balance, best_items, is_suspicious, unmatched
from eventlog_lineage.plan.grammar.symbols import split_items
from eventlog_lineage.plan.grammar.tokens import AttributeNames, find_attributes

_ID = ID_START_PATTERN
_WORD = " AS "


def alias_word(item: str, is_new: bool = False) -> int:
    """Return the offset of the AS of a named expression's alias; -1 for an attribute.

    Of several the cheapest is chosen: a literal before it, or the name after it, can contain an AS. An AS in brackets,
    `CAST(r.qty AS DOUBLE)#7`, is part of a name, unless the brackets are unbalanced.

    Args:
        is_new: Whether no attribute below has its id, so that it certainly has an alias.

    >>> alias_word("upper(a#1) AS b#2"), alias_word("CAST(r.qty AS DOUBLE)#7")
    (10, -1)
    """
    if not ENDS_WITH_ID.search(item):
        return -1
    most = NEVER if is_new else unmatched(item) * COSTS.alias_name_bracket or COSTS.no_alias
    return min(_costs(item, most), default=(0, -1))[1]


def _costs(item: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield the costs and the offsets of the ASs that can be the alias's.

    Args:
        most: The cost of unmatched brackets before the AS that makes another reading more likely.
    """
    at, done = item.find(_WORD), 0
    balance = Balance()
    while at >= 0:
        balance.add(item[done:at])
        done = at
        before = COSTS.unmatched * balance.unmatched
        if before < most:
            yield before + _cost_of_name(item[at + len(_WORD) :]), at
        at = item.find(_WORD, at + 1)


def _cost_of_name(name: str) -> int:
    """Return the cost of the text after an AS, with its id."""
    return COSTS.alias_rest_word * name.count(_WORD) + COSTS.alias_rest_id * len(_ID.findall(name, 0, name.rfind("#")))


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


_CASE = re.compile(r"(?<!\w)CASE WHEN | END(?!\w)")
_WHOLE_CASE = re.compile(r"(?<!\w)CASE WHEN .* END(?!\w)", re.DOTALL)
_IF = re.compile(r"(?<!\w)if _+ ")  # the condition in brackets is hidden
_OPEN = re.compile(rf" LIKE | INSET |{_IF.pattern}")
"""What a literal without brackets around it follows, apart from those of a CASE."""
_MOST = 32
"""ASs at the beginning, and as many at the end, that are looked at: a literal can be a thousand of them."""


def chosen_alias(item: str, at: int, known: Collection[str], columns: Collection[str]) -> tuple[int, str]:
    """Return the offset of an alias's AS, and another name that the alias can have; empty if there is none.

    The name decides if it is the text of the expression, or one of the query's columns; without evidence it is the
    shortest one.

    Args:
        item: The named expression; names that are known are escaped.
        at: The offset of its most likely AS; -1 for an attribute.
        columns: The names of all of the query's columns; empty if the text does not print them.

    >>> chosen_alias("x AS y AS z#2", 1, ["a#1"], []), chosen_alias("x AS y AS z#2", 1, ["a#1"], ["y AS z"])
    ((6, 'y AS z'), (1, ''))
    """
    if at < 0 or item.count(_WORD) < 2:
        return at, ""
    if ends_with_id(item[:at]) and _has_attribute(item[:at], known):
        return at, ""  # the alias of an attribute, or of an alias
    readings = alias_readings(item, known) or [at]
    names = {each: _name(item, each) for each in readings}
    repeated = [each for each in readings if item[:each] == names[each]]
    listed = [each for each in readings if unescaped(names[each]) in columns]
    for found in (repeated, listed, readings):
        if len(found) == 1:
            return found[0], ""
    return readings[-1], "" if columns else unescaped(names[readings[0]])


def alias_readings(item: str, known: Collection[str]) -> list[int]:
    """Return the offsets of the ASs of a named expression that can be the alias's.

    Args:
        item: The named expression; names that are known are escaped.

    >>> alias_readings("x AS y AS z#2", ["a#1"]), alias_readings("concat(a#1, x AS y) AS z#2", ["a#1"])
    ([1, 6], [19])
    >>> alias_readings("a#1 AS x AS y#2", ["a#1"])
    [3]
    """
    offsets = [match.start() for match in re.finditer(_WORD, item[: item.rfind("#")])]
    offsets = sorted({*offsets[:_MOST], *offsets[-_MOST:]})
    fitting = {at: unmatched(item[:at]) + unmatched(_name(item, at)) for at in offsets}
    least = min(fitting.values(), default=0)
    return [at for at in offsets if fitting[at] == least and _can_be_alias(item, at, known)]


def is_named(child: str, known: Collection[str]) -> bool:
    """Return whether the expression of an alias is named itself: `count(id#1)#2L AS count(id#1)#3L`.

    >>> is_named("a#1 AS b#2", ["a#1"]), is_named("if ((a#1 > 1)) x AS y else b#2", ["a#1", "b#2"])
    (True, False)
    """
    return ends_with_id(child) and any(_has_attribute(child[:at], known) for at in alias_readings(child, known))


def _name(item: str, at: int) -> str:
    return item[at + len(_WORD) : item.rfind("#")]


def _can_be_alias(item: str, at: int, known: Collection[str]) -> bool:
    """Return whether an AS can be the alias's: each AS outside the brackets of what is before it is in a literal."""
    child = item[:at]
    if not _has_attribute(child, known):  # all of it is a literal
        return "(" not in child or not _has_attribute(_name(item, at), known)
    hidden = hidden_groups(child)
    words = [match[0] for match in _CASE.finditer(hidden)]
    if words.count("CASE WHEN ") != words.count(" END") or len(_IF.findall(hidden)) != hidden.count(" else "):
        return False
    rest = _WHOLE_CASE.sub("", hidden)
    at = rest.find(_WORD)
    return at < 0 or _OPEN.search(rest, 0, at) is not None


def _has_attribute(text: str, known: Collection[str]) -> bool:
    ids = list(ANY_ID.finditer(text))
    return bool(ids) and any(text.endswith(each, 0, match.end()) for match in ids for each in known)


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
