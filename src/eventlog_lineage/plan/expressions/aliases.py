"""Split named expressions: `(amount#46 * 2) AS twice#51` into the expression, the name and the id."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import ID

from .attribute_ids import id_at_end
from .escapes import unescaped
from .lexer import AttributeNames

_VALUE = re.compile(rf"{ID}(?:\[\w+\]|\.\w+)*")
"""The end of an attribute, with an index or a field: `#180[0]`, `#12.city`."""


def split_alias(text: str, names: AttributeNames) -> tuple[str, str, int] | None:
    """Split `child AS name#id` before the name that the plan has for the id, or at the alias's AS.

    Args:
        text: The named expression.
        names: The plan's attributes.

    Returns:
        (child's text, name, id); None for text that does not end in an alias.

    >>> split_alias("(a#1 AS x#2 + 1) AS b#3L", {})
    ('(a#1 AS x#2 + 1)', 'b', 3)
    """
    if " AS " not in text:
        return None
    ending = id_at_end(text, len(text))
    if not ending:
        return None
    expr_id = int(ending[1])
    for known in names.get(expr_id, ()):
        if text.endswith(f" AS {known}", 0, ending.start()):
            return text[: ending.start() - len(known) - 4], known, expr_id
    at = _alias_word(text, ending.start())
    return (text[:at], unescaped(text[at + 4 : ending.start()]), expr_id) if at >= 0 else None


def _alias_word(text: str, end: int) -> int:
    """Return the offset of the AS of an alias whose name is not among the plan's; -1 if there is none.

    The AS of a type, `CAST(x AS DECIMAL(12,2))`, is in brackets and part of a name. An alias of an alias has an id
    before its AS; otherwise the name starts after the first AS and may contain another one.

    Args:
        text: The named expression.
        end: The offset of the id at its end.
    """
    first = last_named = -1
    depth = done = 0
    at = text.find(" AS ", 0, end)
    while at >= 0:
        opened = text.count("(", done, at) + text.count("[", done, at)
        depth += opened - text.count(")", done, at) - text.count("]", done, at)
        done = at
        if depth == 0:
            first = at if first < 0 else first
            last_named = at if _VALUE.fullmatch(text, max(text.rfind("#", 0, at), 0), at) else last_named
        at = text.find(" AS ", at + 1, end)
    if first < 0:
        at = text.rfind(" AS ", 0, end)
        return at if text.count("(", at, end) == text.count(")", at, end) else -1
    return last_named if last_named >= 0 else first
