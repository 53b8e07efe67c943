"""List the readings of a named expression whose literal or name contains an AS: `x AS y AS z#1`.

Spark quotes neither: the expression is the literal `x AS y` with the name `z`, or `x` with the name `y AS z`. A literal
can contain an AS outside brackets only where it has none around it: as the whole expression, as a branch of a CASE or
an IF, after a LIKE, or among the values of an INSET.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.expressions.attribute_ids import ends_with_id
from eventlog_lineage.plan.expressions.escapes import hidden_groups, unescaped
from eventlog_lineage.plan.expressions.item_costs import unmatched

_ANY_ID = re.compile(ID)
_WORD = " AS "
_CASE = re.compile(r"(?<!\w)CASE WHEN | END(?!\w)")
_WHOLE_CASE = re.compile(r"(?<!\w)CASE WHEN .* END(?!\w)", re.DOTALL)
_IF = re.compile(r"(?<!\w)if _+ ")  # the condition in brackets is hidden
_BEFORE_LITERAL = re.compile(r" LIKE | INSET | else ")
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
        known: Attributes of the plan, as printed.
        columns: The names of all of the query's columns; empty if the text does not print them.

    >>> chosen_alias("x AS y AS z#2", 1, ["a#1"], []), chosen_alias("x AS y AS z#2", 1, ["a#1"], ["y AS z"])
    ((6, 'y AS z'), (1, ''))
    """
    if at < 0 or item.count(_WORD) < 2:
        return at, ""
    if ends_with_id(item[:at]) and _has_attribute(item[:at], known):
        return at, ""  # the alias of an attribute, or of an alias
    readings = alias_readings(item, known)
    repeated = [each for each in readings if _repeats(item[:each], _name(item, each))]
    listed = [each for each in readings if unescaped(_name(item, each)) in columns]
    certain = next((found for found in (repeated, listed, readings) if len(found) == 1), [])
    if certain or not readings:
        return (certain[0] if certain else at), ""
    return readings[-1], "" if columns else unescaped(_name(item, readings[0]))


def alias_readings(item: str, known: Collection[str]) -> list[int]:
    """Return the offsets of the ASs of a named expression that can be the alias's.

    Args:
        item: The named expression; names that are known are escaped.
        known: Attributes of the plan, as printed.

    >>> alias_readings("x AS y AS z#2", ["a#1"]), alias_readings("concat(a#1, x AS y) AS z#2", ["a#1"])
    ([1, 6], [19])
    >>> alias_readings("a#1 AS x AS y#2", ["a#1"])
    [3]
    """
    offsets = [match.start() for match in re.finditer(_WORD, item[: item.rfind("#")])]
    offsets = sorted({*offsets[:_MOST], *offsets[-_MOST:]})
    fitting = {at: unmatched(item[:at]) + unmatched(_name(item, at)) for at in offsets}
    least = min(fitting.values(), default=0)
    return [at for at in offsets if fitting[at] == least and _can_be_expression(item[:at], known)]


def is_named(child: str, known: Collection[str]) -> bool:
    """Return whether the expression of an alias is named itself: `count(id#1)#2L AS count(id#1)#3L`.

    Args:
        child: The text before the AS of an alias.
        known: Attributes of the plan, as printed.

    >>> is_named("a#1 AS b#2", ["a#1"]), is_named("if ((a#1 > 1)) x AS y else b#2", ["a#1", "b#2"])
    (True, False)
    """
    return ends_with_id(child) and any(_has_attribute(child[:at], known) for at in alias_readings(child, known))


def _name(item: str, at: int) -> str:
    return item[at + len(_WORD) : item.rfind("#")]


def _repeats(child: str, name: str) -> bool:
    plain = _ANY_ID.sub("", child)
    if name in (child, plain):
        return True
    literal = _BEFORE_LITERAL.split(plain)[-1]
    return literal != plain and _WORD in literal and literal in name


def _can_be_expression(child: str, known: Collection[str]) -> bool:
    """Return whether a text can be an expression: each AS outside its brackets is in a literal.

    Args:
        child: The text before an AS.
        known: Attributes of the plan, as printed.
    """
    if not _has_attribute(child, known):
        return True  # all of it is a literal
    hidden = hidden_groups(child)
    words = [match[0] for match in _CASE.finditer(hidden)]
    if words.count("CASE WHEN ") != words.count(" END") or len(_IF.findall(hidden)) != hidden.count(" else "):
        return False
    rest = _WHOLE_CASE.sub("", hidden)
    at = rest.find(_WORD)
    return at < 0 or _OPEN.search(rest, 0, at) is not None


def _has_attribute(text: str, known: Collection[str]) -> bool:
    """Return whether a text has an attribute of the plan.

    Args:
        text: Text before an AS.
        known: Attributes of the plan, as printed.
    """
    ids = list(_ANY_ID.finditer(text))
    return bool(ids) and any(text.endswith(each, 0, match.end()) for match in ids for each in known)
