"""Redact literals of secret columns in plan texts.

Spark prints literals without quotes (`Literal.toString`, 2.x to 4.3).
"""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import ID, NUMBER

from .mask import Span, masked
from .names import is_secret_column

_ID = re.compile(rf"#{NUMBER}L?")
_CLOSED = r"(?=\)(?:[\s),\]]|$)|$|\n)"
_COMPARED = re.compile(
    r"(?: as \w{1,20})?\){0,3} (?:NOT )?(?:=|<=>|<|>|<=|>=|LIKE|RLIKE|ILIKE|IN|INSET) \(?"
    rf"(?P<literal>[^\s#()][^#\n]{{3,4096}}?){_CLOSED}"
)
_ARGUMENT = re.compile(rf", (?P<literal>[^#\n]{{1,4096}}?){_CLOSED}")
_MATCHES = ("StartsWith(", "EndsWith(", "Contains(")
_REVERSED = re.compile(r"\((?P<literal>[^\s#()][^#()\n]{0,512}) (?:=|<=>) (?:cast\()?$")
_ITEM_BEFORE = re.compile(rf"{ID}, |(?:: |[ =(])\[")
_CALL = re.compile(r"(?!cast\()[\w.]{1,128}\([^\n]*\)$")
_NO_SECRET = re.compile(r"(?:null|true|false|-?\d{1,3}(?:\.\d*)?)$", re.IGNORECASE)
_ENTRY = re.compile(r", (?:(?P<last>[^#\n]{1,4096}?)(?=\)(?:[\s),\]]|$))|(?P<literal>[^#,()\n]{1,512})(?=, ))")
_MAP = re.compile(r"keys: \[(?P<keys>[^\]\n]{1,4096})\], values: \[(?P<values>[^\]\n]{1,8192})\]")
_NEAR = 4096


def literal_of_column(text: str, start: int, end: int) -> Span | None:
    """Return the literal that a plan compares with a secret column, or aliases as one; None if there is none.

    `(password#12 = ab)`, `(cast(pin#1 as int) = 12)`, `StartsWith(token#3, ab)`, `ab AS password#4`. A comparison of
    two columns has no literal.

    Args:
        text: Any text.
        start: Offset of the column's name.
        end: Offset of its id.
    """
    column = _ID.match(text, end)
    if column is None or not is_secret_column(text[start:end]):
        return None
    if compared := _COMPARED.match(text, column.end()):
        return compared.span("literal")
    if text.endswith(_MATCHES, 0, start) and (argument := _ARGUMENT.match(text, column.end())):
        return argument.span("literal")
    if text.endswith(" AS ", 0, start):
        return _aliased(text, start - 4)
    if text.endswith((" = ", " <=> ", "cast("), 0, start):
        begin = max(0, start - 640)
        turned = _REVERSED.search(text[begin:start])
        return (begin + turned.start("literal"), begin + turned.end("literal")) if turned else None
    return None


def _aliased(text: str, end: int) -> Span | None:
    """Return the span before an alias, from the end of the previous item, which is an id.

    Args:
        text: The text.
        end: The offset of the alias.
    """
    begin = max(text.rfind("\n", max(0, end - _NEAR), end) + 1, end - _NEAR, 0)
    for before in _ITEM_BEFORE.finditer(text, begin, end):
        begin = before.end()
    literal = text[begin:end]
    if "#" in literal or _NO_SECRET.match(literal) or _CALL.match(literal):
        return None
    return begin, end


def literal_of_entry(text: str, start: int, end: int) -> Span | None:
    """Return the value of an entry of a `map` or `named_struct` whose key is a secret's name: `map(password, ab)`.

    Args:
        text: Any text.
        start: Start of the key.
        end: Its end.
    """
    entry = _ENTRY.match(text, end)
    if entry is None or not text.endswith(("(", ", "), 0, start) or not is_secret_column(text[start:end]):
        return None
    begin = max(0, start - _NEAR, text.rfind("\n", 0, start))
    if max(text.rfind("map(", begin, start), text.rfind("named_struct(", begin, start)) < 0:
        return None
    return entry.span("last" if entry["last"] is not None else "literal")


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
