"""Distinguish `Summer#2024` in a literal from `name#2024`, an attribute of a plan with its id."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .names import is_secret_column

NUMBER_SIGN = "\ua78c"
"""A letter in place of the `#` of a literal, until the text is redacted."""

_PLAN = re.compile(r"^(?:== |\(\d{1,6}\) |[ :|+-]{0,512}(?:\*(?:\(\d{1,4}\))? )?FileScan )", re.MULTILINE)
_COMPARED = r"L? (?:[=<>]|IN|AND|OR|NOT|IS|R?LIKE|ILIKE|BETWEEN)"
"""What follows an attribute in an expression."""
_NUMBERED = re.compile(rf"(?P<name>(?<!\w)\w{{1,128}}|\w)#(?P<id>\d{{1,19}})(?!\d)(?P<compared>L\b|{_COMPARED})?")
_LIST = re.compile(r"(?P<before>^|.)\[(?P<items>[^\[\]\n]{1,100000})\]", re.MULTILINE)
_ITEM = re.compile(r"(?:^|, ?)(?P<name>[^\s,()]{1,512})#(?P<id>\d{1,19})L?(?=,|$)")
_DECLARED = re.compile(
    r" AS [^\n,]{0,256}?#(\d{1,19})L?(?=, |\]|$)"
    r"|(?:\blambda \w{1,64}|subquery|dynamicpruning|\blist)#(\d{1,19})|\)#(\d{1,19})",
    re.MULTILINE,
)
_INNER = ("assignment(", ", Project [", ", Aggregate [", ", Filter (", "InPandas ", "[actions: [")
_MANY = 3
"""Words with numbers that are more likely attributes than literals."""
_PROSE = re.compile(rf"(?<=\w)#(?=\d{{1,19}}(?!\d|{_COMPARED}))")
_NO_ID = re.compile(r"(?<=\w)#(?=0\d)")
_FRAGMENT = re.compile(
    r"[\[(][^\n]{0,512}#\d|[)\]]#\d|(?:Input|Output|Arguments|Condition|Keys|Functions|Results|Attributes): "
)
"""Of a part of a plan."""


def with_literal_numbers(text: str) -> str:
    """Return a text with another sign in what has the form of an attribute, and is a part of a literal.

    A plan lists all attributes; a text without brackets is none.

    >>> with_literal_numbers("my password is Summer#2024").replace(NUMBER_SIGN, "_")
    'my password is Summer_2024'
    """
    if "#" not in text:
        return text
    text = _NO_ID.sub(NUMBER_SIGN, text)
    if " more fields" in text:
        return text
    if _PLAN.search(text) is None:
        return text if _FRAGMENT.search(text) else _PROSE.sub(NUMBER_SIGN, text)
    listed: dict[str, set[str]] = {}
    for name, number in _listed(text):
        listed.setdefault(number, set()).add(name.lower())
    known = set().union(
        *listed.values(), (each["name"].lower() for each in _NUMBERED.finditer(text) if each["compared"])
    ) - {""}

    literals = {
        match.start(): match
        for match in _NUMBERED.finditer(text)
        if not _is_attribute(match, listed.get(match["id"]), known) and not _is_of_inner_plan(match)
    }
    words = {match[0] for match in literals.values()}
    if len(words) >= _MANY and sum(map(str.islower, words)) > len(words) / 2:
        return text
    return _NUMBERED.sub(
        lambda each: each[0].replace("#", NUMBER_SIGN, 1) if each.start() in literals else each[0], text
    )


def _is_of_inner_plan(match: re.Match[str]) -> bool:
    """Return whether a lower-case word is in a line with a plan of its own, or an action, as no list has its ids."""
    text = match.string
    if not match["name"].islower():
        return False
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    return any(each in line for each in _INNER)


def _is_attribute(match: re.Match[str], names: set[str] | None, known: set[str]) -> bool:
    """Return whether the plan lists an attribute of this id, and by this name if the name has a digit.

    An attribute that is compared, or has the name of another one, is one in a part of a plan as well.

    Args:
        match: A word and the number after it.
        names: The names that the plan lists for the id; none if it does not list it.
        known: All names of attributes.
    """
    name = match["name"].lower()
    if names is None:
        return bool(match["compared"]) or name in known or (name[0] == match["name"][0] and is_secret_column(name))
    return match["compared"] == "L" or "" in names or name in known or len(name) == 1 or not any(map(str.isdigit, name))


def _listed(plan: str) -> Iterator[tuple[str, str]]:
    """Yield names and ids of the attributes that a plan lists: `[a#1, b#2]`, `t[a#1,b#2]`; no name of `x AS a#1`."""
    for match in _DECLARED.finditer(plan):
        yield "", match[1] or match[2] or match[3]
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
