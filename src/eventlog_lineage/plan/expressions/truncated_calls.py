"""Find and complete calls whose arguments Spark truncated: `coalesce(a#1, b#2, ... 36 more fields)`.

`Expression.toString` truncates the arguments of a function as it truncates lists (`truncatedString`,
`maxToStringFields`); also the values of `INSET`, which are literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from .attribute_ids import ids_in
from .lists import split_items

_TRUNCATED = re.compile(r", \.\.\. (\d+) more fields\)")
_WORD = re.compile(r"[\w.<>$]+$")
_LONGEST = 100_000
"""Limit of the characters of one call's visible arguments; Spark prints 24 arguments."""
_PAIRS = frozenset({"struct", "named_struct"})
_SEEDED = frozenset({"hash", "xxhash64"})
"""Functions whose last argument is the seed, `42`."""
_MIN_CONSECUTIVE = 3
"""Consecutive arguments that must follow the order of the input's columns."""
_MOST = 100
"""Limit of the truncated calls of one expression."""


@dataclass(frozen=True, slots=True)
class TruncatedCall:
    """A call without its last arguments.

    Attributes:
        function: Its name.
        missing: The number of missing arguments.
        opened: Offset of its bracket.
        end: Offset of the end of the visible arguments.
        visible: The number of visible arguments.
    """

    function: str
    missing: int
    opened: int
    end: int
    visible: int


def truncated_calls(text: str) -> Iterator[TruncatedCall]:
    """Yield the calls of an expression whose arguments are truncated.

    Args:
        text: The expression as printed.

    >>> [(call.function, call.visible, call.missing) for call in truncated_calls("hash(a#1, b#2, ... 3 more fields)")]
    [('hash', 2, 3)]
    """
    for found in islice(_TRUNCATED.finditer(text), _MOST):
        opened = _opening(text, found.start())
        if opened is None or " INSET " in _outside_brackets(text, opened + 1, found.start()):
            continue
        if name := _WORD.search(text, 0, opened):
            visible = len(split_items(text[opened + 1 : found.start()]))
            yield TruncatedCall(name[0], int(found[1]), opened, found.start(), visible)


def completed(text: str, call: TruncatedCall, attributes: Mapping[int, str]) -> str | None:
    """Return the expression with a call's missing arguments, if they follow from the order of the visible ones.

    `hash(c00#1, c01#2, … c23#24, ... 16 more fields)` over an input of c00 to c39: the arguments follow the input's
    columns, so the missing ones are the next sixteen. In `struct`, every other argument is a name.

    Args:
        text: The expression as printed.
        call: One of `truncated_calls(text)`.
        attributes: The input's attributes in order, id to name.

    Returns:
        The complete expression; None if the visible arguments are not in the input's order, or if the input has too
        few columns.
    """
    step = 2 if call.function in _PAIRS else 1
    visible = split_items(text[call.opened + 1 : call.end])
    complete = len(visible) // step * step  # the value of the last name may be truncated
    missing = call.missing + len(visible) - complete - (call.function in _SEEDED)
    if complete < _MIN_CONSECUTIVE * step or missing % step:
        return None
    groups = [", ".join(visible[index : index + step]) for index in range(0, complete, step)]
    ids = [ids_in(group) for group in groups[-_MIN_CONSECUTIVE:]]
    if any(len(found) != 1 or found[0] not in attributes for found in ids):
        return None
    order, visible_ids = list(attributes), [found[0] for found in ids]
    last = order.index(visible_ids[-1])
    following = order[last + 1 : last + 1 + missing // step]
    forms = {
        _form(group, attributes[expr_id], expr_id)
        for group, expr_id in zip(groups[-_MIN_CONSECUTIVE:], visible_ids, strict=True)
    }
    if len(following) * step != missing or len(forms) != 1 or order[max(last - 2, 0) : last + 1] != visible_ids:
        return None
    (form,) = forms
    more = (form.format(name=attributes[expr_id], expr_id=expr_id) for expr_id in following)
    return f"{text[: call.opened + 1]}{', '.join((*groups, *more))}{text[text.index(')', call.end) :]}"


def _form(group: str, name: str, expr_id: int) -> str:
    """Return an argument with placeholders for the attribute's name and id.

    Args:
        group: The argument as printed.
        name: The name of its attribute.
        expr_id: The attribute's id.
    """
    escaped = group.replace("{", "{{").replace("}", "}}")
    attribute = re.sub(rf"{re.escape(name)}#{expr_id}L?\b", "{name}#{expr_id}", escaped)
    return re.sub(rf"^{re.escape(name)}, ", "{name}, ", attribute)


def _opening(text: str, end: int) -> int | None:
    """Return the offset of the innermost bracket that is open at an offset.

    Args:
        text: The expression.
        end: The offset.
    """
    depth = 0
    for index in range(end - 1, max(end - _LONGEST, 0) - 1, -1):
        if text[index] == ")":
            depth += 1
        elif text[index] == "(":
            if not depth:
                return index
            depth -= 1
    return None


def _outside_brackets(text: str, start: int, end: int) -> str:
    """Return the text between two offsets, without text in brackets.

    Args:
        text: The expression.
        start: The first offset.
        end: The offset after the text.
    """
    depth, kept = 0, []
    for letter in text[start:end]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth:
            kept.append(letter)
    return "".join(kept)
