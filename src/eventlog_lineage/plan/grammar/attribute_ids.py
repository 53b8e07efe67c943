r"""Attribute ids in plan text, `amount#46`, `id#1L`, `time#7-T10000ms`, and escaped characters.

Names are not quoted and can hold any character, `#` among them. As soon as a bracket, a comma or a keyword is known to
belong to a literal or a name, its characters are replaced one for one by characters that occur in no plan
(`Expression.toString`, 2.x to 4.3 quotes neither). The patterns are pieces, as those of `attribute_patterns`.
"""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import ID, ID_START, NUMBER, SUFFIX

_STRUCTURE = "()[],#. :<>"
_FIRST = 0xF0000  # a private-use plane: no text that Spark prints has these
_ESCAPES = str.maketrans({char: chr(_FIRST + index) for index, char in enumerate(_STRUCTURE)})
_ORIGINALS = str.maketrans({chr(_FIRST + index): char for index, char in enumerate(_STRUCTURE)})
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


def imbalance(text: str, start: int = 0, end: int | None = None) -> int:
    """Return the number of opening brackets in a text, or a part of it, minus the number of closing ones.

    >>> imbalance("f(a[0]"), imbalance("f(a)")
    (1, 0)
    """
    opened = text.count("(", start, end) + text.count("[", start, end)
    return opened - text.count(")", start, end) - text.count("]", start, end)


def opening_bracket(text: str, end: int, start: int = 0) -> int:
    """Return the offset of the round bracket that is open at an offset; -1 without one."""
    depth = 0
    for at in range(end - 1, start - 1, -1):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth > 0:
            return at
    return -1


def closing_bracket(text: str, start: int) -> int:
    """Return the offset of the round bracket that closes the one at an offset; -1 without one."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return -1


def common_start(one: str, two: str) -> str:
    """Return the text with which two texts start, and so do all texts that sort between them.

    >>> common_start("max(a)", "max(b)")
    'max('
    """
    size = min(len(one), len(two))
    return one[: next((at for at in range(size) if one[at] != two[at]), size)]


def _blank(match: re.Match[str]) -> str:
    return "_" * len(match[0])


CAPTURED_ID = rf"#({NUMBER}){SUFFIX}"
"""An id; its group contains the digits."""
BIGINT_ID = rf"#({NUMBER})L"
"""The id of a BIGINT; other types have no suffix."""
WORD = rf"(?<![\w.`])([A-Za-z_]\w*)#({NUMBER})L?\b"
"""An attribute whose name is one word; its groups contain the name and the digits."""
PLAN_ID = r"\[id=#\d+\]"
"""The id of a subquery's plan (3.0, 3.1), which is not an attribute's."""
LOGICAL_SUBQUERY = rf"(?:list|scalar-?subquery|exists|lateral-subquery)#({NUMBER})"
"""A subquery in a logical tree (3.0 to 4.3): `scalar-subquery#12 [id#1L]`; its group has the digits."""

ANY_ID = re.compile(ID)
ID_PATTERN = re.compile(CAPTURED_ID)
ID_START_PATTERN = re.compile(ID_START)
WORD_PATTERN = re.compile(WORD)
PLAIN_ATTRIBUTE = re.compile(rf"\w+{ID}")
LISTED_ID = re.compile(rf"{CAPTURED_ID}(?=,|$|\])")
SUBQUERY_PATTERN = re.compile(rf"\b{LOGICAL_SUBQUERY}")
_CALLED = re.compile(rf"\){CAPTURED_ID}\b")
ENDS_WITH_ID = re.compile(rf"{ID}$")
_ATTRIBUTE = re.compile(rf"^(.*){CAPTURED_ID}$", re.DOTALL)


def read_attribute(text: str) -> tuple[str, int] | None:
    """Return name and id of an attribute; None for text that is not a single attribute.

    >>> read_attribute("amount#46L")
    ('amount', 46)
    >>> read_attribute("sum(v#1)#9-T10000ms")
    ('sum(v#1)', 9)
    """
    match = _ATTRIBUTE.match(text)
    return (unescaped(match[1]), int(match[2])) if match else None


def attribute_of(text: str) -> tuple[str, int]:
    """Return name and id of an attribute; the text and -1 for text that is not one.

    >>> attribute_of("amount#46L"), attribute_of("amount")
    (('amount', 46), ('amount', -1))
    """
    return read_attribute(text) or (text, -1)


def ends_with_id(text: str) -> bool:
    """Return whether a text ends in an id, as attributes and aliases do.

    >>> ends_with_id("(a#1 + 1) AS b#2L"), ends_with_id("(a#1 + 1)")
    (True, False)
    """
    return ENDS_WITH_ID.search(text) is not None


def id_at_end(text: str, end: int) -> re.Match[str] | None:
    """Return the match of the id that ends at an offset.

    >>> id_at_end("amount#46L", 10)[0]
    '#46L'
    """
    return ID_PATTERN.fullmatch(text, max(text.rfind("#", 0, end), 0), end)


def name_before_id(text: str) -> str:
    """Return the text before the first id, and the whole text if it has none.

    >>> name_before_id("amount#46L")
    'amount'
    """
    return text.partition("#")[0]


def ids_in(text: str) -> list[int]:
    """Return all ids in a text, in order.

    >>> ids_in("[a#1L, sum(b#2) AS c#3]")
    [1, 2, 3]
    """
    return [int(expr_id) for expr_id in ID_PATTERN.findall(text)]


def called_attributes(text: str) -> dict[int, tuple[str, ...]]:
    """Return the attributes that Spark names by their expression: `upper(customer)#1496`.

    >>> called_attributes("[upper(customer)#1496, id#2]")
    {1496: ('upper(customer)',)}
    """
    found: dict[int, tuple[str, ...]] = {}
    for match in _CALLED.finditer(text):
        at = opening_bracket(text, match.start())
        while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
            at -= 1
        if at >= 0:
            found[int(match[1])] = (text[at : match.start() + 1],)
    return found
