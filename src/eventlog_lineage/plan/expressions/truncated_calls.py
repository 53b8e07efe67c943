"""Calls whose arguments Spark cut: `coalesce(a#1, b#2, ... 36 more fields)`; and what they must have been.

`Expression.toString` cuts the arguments of a function as it cuts lists (`truncatedString`, `maxToStringFields`); the
values of `INSET`, which are literals, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from .attribute_ids import ids_in
from .lists import split_items

_CUT = re.compile(r", \.\.\. (\d+) more fields\)")
_WORD = re.compile(r"[\w.<>$]+$")
_FARTHEST = 100_000
"""Characters that one call's visible arguments may have: 24 of them are printed."""
_PAIRS = frozenset({"struct", "named_struct"})
_SEEDED = frozenset({"hash", "xxhash64"})
"""Their last argument is the seed, `42`."""
_SURE = 3
"""Arguments in a row that follow the input's columns."""
_MOST = 100
"""Cut calls of one expression that are told."""


@dataclass(frozen=True, slots=True)
class TruncatedCall:
    """A call without its last arguments.

    Attributes:
        function: Its name.
        missing: How many arguments are cut off.
        opened: Where its bracket stands.
        end: Where the visible arguments end.
    """

    function: str
    missing: int
    opened: int
    end: int


def truncated_calls(text: str) -> Iterator[TruncatedCall]:
    """The calls of an expression whose arguments are cut.

    Args:
        text: The expression as printed.
    """
    for found in islice(_CUT.finditer(text), _MOST):
        opened = _opening(text, found.start())
        if opened is None or " INSET " in _own(text, opened + 1, found.start()):
            continue
        if name := _WORD.search(text, 0, opened):
            yield TruncatedCall(name[0], int(found[1]), opened, found.start())


def completed(text: str, call: TruncatedCall, attributes: Mapping[int, str]) -> str | None:
    """The expression with a call's missing arguments, where the visible ones tell them by their place.

    `hash(c00#1, c01#2, … c23#24, ... 16 more fields)` over an input of c00 to c39: the arguments follow the input's
    columns, so the missing ones are the next sixteen. Of `struct`, every other argument is a name.

    Args:
        text: The expression as printed.
        call: One of `truncated_calls(text)`.
        attributes: The input's attributes in order, id to name.

    Returns:
        The whole expression; None where the visible arguments follow no order, or the input ends too soon.
    """
    step = 2 if call.function in _PAIRS else 1
    visible = split_items(text[call.opened + 1 : call.end])
    whole = len(visible) // step * step  # the last name's value may be cut off
    missing = call.missing + len(visible) - whole - (call.function in _SEEDED)
    if whole < _SURE * step or missing % step:
        return None
    groups = [", ".join(visible[place : place + step]) for place in range(0, whole, step)]
    ids = [ids_in(group) for group in groups[-_SURE:]]
    if any(len(found) != 1 or found[0] not in attributes for found in ids):
        return None
    order, shown = list(attributes), [found[0] for found in ids]
    last = order.index(shown[-1])
    following = order[last + 1 : last + 1 + missing // step]
    forms = {_form(group, attributes[number], number) for group, number in zip(groups[-_SURE:], shown, strict=True)}
    if len(following) * step != missing or len(forms) != 1 or order[max(last - 2, 0) : last + 1] != shown:
        return None
    (form,) = forms
    more = (form.format(name=attributes[number], number=number) for number in following)
    return f"{text[: call.opened + 1]}{', '.join((*groups, *more))}{text[text.index(')', call.end) :]}"


def _form(group: str, name: str, number: int) -> str:
    """An argument with places for the attribute's name and id."""
    escaped = group.replace("{", "{{").replace("}", "}}")
    attribute = re.sub(rf"{re.escape(name)}#{number}L?\b", "{name}#{number}", escaped)
    return re.sub(rf"^{re.escape(name)}, ", "{name}, ", attribute)


def _opening(text: str, end: int) -> int | None:
    """Where the bracket stands that is open at a place."""
    depth = 0
    for place in range(end - 1, max(end - _FARTHEST, 0) - 1, -1):
        if text[place] == ")":
            depth += 1
        elif text[place] == "(":
            if not depth:
                return place
            depth -= 1
    return None


def _own(text: str, start: int, end: int) -> str:
    """What stands between two places, without what is in brackets there."""
    depth, kept = 0, []
    for letter in text[start:end]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth:
            kept.append(letter)
    return "".join(kept)
