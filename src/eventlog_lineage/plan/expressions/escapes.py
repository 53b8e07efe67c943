"""Characters of literals and names that look like a plan's structure, and what stands for them while a plan is read.

Spark quotes neither names nor literals (`Expression.toString`, 2.x to 4.3). Once it is known that a bracket, a comma
or a keyword belongs to a literal or to a name, its characters are replaced by others that no plan has, one for one, so
that everything after that can take brackets, commas and keywords for what they seem.
"""

from __future__ import annotations

_STRUCTURE = "()[],#. :<>"
_FIRST = 0xF0000  # a private-use plane: no text that Spark prints has these
_ESCAPES = str.maketrans({char: chr(_FIRST + place) for place, char in enumerate(_STRUCTURE)})
_ORIGINALS = str.maketrans({chr(_FIRST + place): char for place, char in enumerate(_STRUCTURE)})
_LAST = chr(_FIRST + len(_STRUCTURE) - 1)


def escaped(text: str) -> str:
    """Return a text whose structural characters are replaced; as long as before."""
    return text.translate(_ESCAPES)


def unescaped(text: str) -> str:
    """Return a text as Spark printed it."""
    return text if text.isascii() else text.translate(_ORIGINALS)


def is_escaped(text: str) -> bool:
    """Return whether a text has replaced characters."""
    return not text.isascii() and any(chr(_FIRST) <= char <= _LAST for char in text)
