"""Escape characters of literals and names that look like a plan's structure, while a plan is read.

Spark quotes neither names nor literals (`Expression.toString`, 2.x to 4.3). As soon as a bracket, a comma or a keyword
is known to belong to a literal or a name, its characters are replaced one for one by characters that occur in no plan.
All remaining brackets, commas and keywords are then structure.
"""

from __future__ import annotations

import re

_STRUCTURE = "()[],#. :<>"
_FIRST = 0xF0000  # a private-use plane: no text that Spark prints has these
_ESCAPES = str.maketrans({char: chr(_FIRST + index) for index, char in enumerate(_STRUCTURE)})
_ORIGINALS = str.maketrans({chr(_FIRST + index): char for index, char in enumerate(_STRUCTURE)})
_LAST = chr(_FIRST + len(_STRUCTURE) - 1)
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|`[^`]*`")
"""Literals and names in the SQL of an expression that is a name: ``CASE WHEN contains(`c)`, '^') THEN …``."""
_GROUPS = re.compile(r"\([^()\[\]]*\)|\[[^()\[\]]*\]")


def escaped(text: str) -> str:
    """Return a text with its structural characters replaced, one for one."""
    return text.translate(_ESCAPES)


def unescaped(text: str) -> str:
    """Return a text as Spark printed it, with its replaced characters restored.

    >>> unescaped(escaped("a, b"))
    'a, b'
    """
    return text if text.isascii() else text.translate(_ORIGINALS)


def is_escaped(text: str) -> bool:
    """Return whether a text contains replaced characters.

    >>> is_escaped(escaped("a, b")), is_escaped("a, b")
    (True, False)
    """
    return not text.isascii() and any(chr(_FIRST) <= char <= _LAST for char in text)


def hidden_groups(name: str) -> str:
    """Return a name of the same length with quoted parts and groups in brackets blanked.

    >>> hidden_groups("max(a)")
    'max___'
    """
    visible = without_quoted(name)
    while (inner := _GROUPS.sub(_blank, visible)) != visible:
        visible = inner
    return visible


def without_quoted(name: str) -> str:
    """Return a name of the same length with quoted literals and names blanked.

    >>> without_quoted("`a b`.c")
    '_____.c'
    """
    return _QUOTED.sub(_blank, name)


def _blank(match: re.Match[str]) -> str:
    return "_" * len(match[0])
