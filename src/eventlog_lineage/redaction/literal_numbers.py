"""Distinguish `Summer#2024` in a literal from `name#2024`, an attribute of a plan with its id."""

from __future__ import annotations

import re
from collections.abc import Iterator

NUMBER_SIGN = "\ua78c"
"""A letter in place of the `#` of a literal, until the text is redacted."""

_PLAN = re.compile(r"^(?:== |\(\d{1,6}\) )", re.MULTILINE)
_NUMBERED = re.compile(r"(?P<name>\w)#(?P<id>\d{1,19})(?!\d)")
_LIST = re.compile(r"(?P<before>^|.)\[(?P<items>[^\[\]\n]{1,100000})\]", re.MULTILINE)
_ITEM = re.compile(r"(?:^|, ?)[^\s,()]{1,512}#(\d{1,19})L?(?=,|$)")
_DECLARED = re.compile(
    r" AS [^\n,]{0,256}?#(\d{1,19})L?(?=, |\]|$)"
    r"|(?:\blambda \w{1,64}|subquery|dynamicpruning)#(\d{1,19})|\)#(\d{1,19})",
    re.MULTILINE,
)
_PROSE = re.compile(r"(?<=\w)#(?=\d{1,19}(?!\d|L? (?:AS|[=<>]|IN|AND|OR|NOT|IS|R?LIKE|ILIKE|BETWEEN)))")
_FRAGMENT = re.compile(r"[\[(]|(?:Input|Output|Arguments|Condition|Keys|Functions|Results|Attributes): ")
"""Of a part of a plan."""


def with_literal_numbers(text: str) -> str:
    """Return a text with another sign in what has the form of an attribute, and is a part of a literal.

    A plan lists all attributes; a text without brackets is none.

    >>> with_literal_numbers("my password is Summer#2024").replace(NUMBER_SIGN, "_")
    'my password is Summer_2024'
    """
    if "#" not in text or " more fields" in text:
        return text
    if _PLAN.search(text) is None:
        return text if _FRAGMENT.search(text) else _PROSE.sub(NUMBER_SIGN, text)
    listed = frozenset(_listed(text))
    return _NUMBERED.sub(
        lambda each: each[0] if each["id"] in listed else f"{each['name']}{NUMBER_SIGN}{each['id']}", text
    )


def _listed(plan: str) -> Iterator[str]:
    """Yield the ids of the attributes that a plan lists: `[a#1, b#2]`, `t[a#1,b#2]`, `x AS a#1`."""
    for match in _DECLARED.finditer(plan):
        yield match[1] or match[2] or match[3]
    for match in _LIST.finditer(plan):
        items = match["items"]
        if match["before"] not in ("(", "[") and ("," not in items or ", " in items or match["before"].isalnum()):
            yield from _ITEM.findall(_outside(items))


def _outside(items: str) -> str:
    """Return the text of a list that is in no parentheses: arguments of functions may be literals."""
    kept, depth = [], 0
    for place, piece in enumerate(items.split("(")):
        depth += place > 0
        for after, part in enumerate(piece.split(")")):
            depth = max(0, depth - (after > 0))
            kept += [part] if not depth else []
    return "".join(kept)
