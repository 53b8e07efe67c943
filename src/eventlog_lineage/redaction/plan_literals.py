"""Literals of plan texts that belong to a secret column.

Spark prints literals without quotes (`Literal.toString`, 2.x to 4.3).
"""

from __future__ import annotations

import re

from .mask import Span, masked
from .names import is_secret_column

_ID = re.compile(r"#\d{1,18}L?")
_COMPARED = re.compile(
    r"(?: as \w{1,20})?\){0,3} (?:NOT )?(?:=|<=>|<|>|<=|>=|LIKE|RLIKE|ILIKE|IN|INSET) \(?"
    r"(?P<literal>[^\s#()][^#\n]{3,4096}?)(?=\)|$|\n)"
)
_ARGUMENT = re.compile(r", (?P<literal>[^#()\n]{1,4096})\)")
_MATCHES = ("StartsWith(", "EndsWith(", "Contains(")
_REVERSED = re.compile(r"\((?P<literal>[^\s#()][^#()\n]{0,512}) (?:=|<=>) (?:cast\()?$")
_ALIASED = re.compile(r"(?:[\[(]|, |^)(?P<literal>(?:cast\([^#()\n,]{1,512}\)|[^\s#()\[\],][^#()\[\],\n]{0,512})) AS $")
_NO_SECRET = re.compile(r"(?:null|true|false|-?\d{1,3}(?:\.\d*)?)$", re.IGNORECASE)
_MAP = re.compile(r"keys: \[(?P<keys>[^\]\n]{1,4096})\], values: \[(?P<values>[^\]\n]{1,8192})\]")
_NEAR = 640


def literal_of_column(text: str, start: int, end: int) -> Span | None:
    """Return the literal that a plan compares with a secret column, or makes it of; None if there is none.

    `(password#12 = ab)`, `(cast(pin#1 as int) = 12)`, `StartsWith(token#3, ab)`, `ab AS password#4`. A comparison of
    two columns has no literal.

    Args:
        text: Any text.
        start: Where the column's name begins.
        end: Where its id should begin.
    """
    column = _ID.match(text, end)
    if column is None or not is_secret_column(text[start:end]):
        return None
    if compared := _COMPARED.match(text, column.end()):
        return compared.span("literal")
    before = text[max(0, start - _NEAR) : start]
    if before.endswith(_MATCHES) and (argument := _ARGUMENT.match(text, column.end())):
        return argument.span("literal")
    if before.endswith(" AS "):
        found = _ALIASED.search(before)
        found = None if found and _NO_SECRET.match(found["literal"]) else found
    else:
        found = _REVERSED.search(before) if before.endswith((" = ", " <=> ", "cast(")) else None
    begin = start - len(before)
    return (begin + found.start("literal"), begin + found.end("literal")) if found else None


def without_literals_of_maps(text: str) -> str:
    """Return a text without values of literal maps: `map(keys: [user,password], values: [a,b])`."""
    return masked(text, _of_maps(text)) if "keys: [" in text and ", values: [" in text else text


def _of_maps(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in _MAP.finditer(text):
        keys, values = match["keys"].split(","), match["values"].split(",")
        secret = [place for place, key in enumerate(keys) if is_secret_column(key.strip())]
        if secret and len(keys) != len(values):
            spans.append(match.span("values"))
        elif secret:
            at = match.start("values")
            for place, value in enumerate(values):
                spans += [(at, at + len(value))] if place in secret else []
                at += len(value) + 1
    return spans
