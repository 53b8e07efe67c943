"""Find the end of a quoted value, with quotes of any kind: SQL, JSON, CSV, shells, HTML entities, URL encoding."""

from __future__ import annotations

import re

from eventlog_lineage.redaction.mask import LONGEST, lowered

from .bare import PLAN_ID, bare, line_end

QUOTE = r"(?:\\{0,63}[\"'`]|&quot;|&apos;|&[#]3[49];|%2[27]|\\{1,8}u002[27])"
"""A quote of any kind, as a part of other expressions."""

_OPENING = re.compile(
    r"(?:[bBuUrRfFnN]{1,2}(?=[\"']))?"
    r"(?:(?P<quote>(?P<slashes>\\{0,63})(?P<mark>[\"'`]))|(?P<entity>&quot;|&apos;|&#3[49];|%2[27]|\\{1,8}u002[27]))",
    re.IGNORECASE,
)
_AFTER_EMPTY = frozenset(" \t\r\n,;)]}:&")
"""Characters after the second quote of an empty text; before other characters, the quote is doubled."""


def quoted(text: str, at: int) -> int:
    """Return the end of the quoted text at an offset, with quoted text that a shell concatenates: `'ab'"cd"`.

    Args:
        text: Any text.
        at: The offset.

    Returns:
        The end; the offset if there is no quoted text.
    """
    end = quote_end(text, at)
    return bare(text, end) if end > at else at


def quote_end(text: str, at: int) -> int:
    """Return the end of the quoted text at an offset; the offset if there is none.

    The closing quote has as many backslashes as the opening one (JSON in JSON), and doubled quotes within are part of
    the text. Truncated quoted text ends at the end of the line. Plans print literals without quotes, so that a quote in
    one literal can pair with that in another: quoted text with attributes is not a value.

    Args:
        text: Any text.
        at: The offset.
    """
    opening = _OPENING.match(text, at)
    if opening is None:
        return at
    begin = opening.end()
    end = _end(text, opening, begin)
    if end < 0:
        return line_end(text, begin)
    if PLAN_ID.search(text, begin, end):
        return line_end(text, begin, end)
    return end


def _end(text: str, opening: re.Match[str], begin: int) -> int:
    """Return the end of the closing quote; -1 where there is none.

    Args:
        text: The text.
        opening: The match of the opening quote.
        begin: The offset of the value.
    """
    if entity := opening["entity"]:
        closing = lowered(text[begin : begin + LONGEST]).find(entity.lower())
        return begin + closing + len(entity) if closing >= 0 else -1
    quote, mark = opening["quote"], opening["mark"]
    if not text.startswith(quote, begin):
        return _end_of_marked(text, begin, mark, len(opening["slashes"]))
    second = begin + len(quote)
    if text.startswith(quote, second) and not opening["slashes"]:
        return _end_of_literal(text, second + 1, quote * 3)
    if second == len(text) or text[second] in _AFTER_EMPTY or text.startswith(("\\", '"'), second):
        return second
    return _end_of_literal(text, second, quote * 2)


def _end_of_literal(text: str, at: int, closing: str) -> int:
    end = text.find(closing, at, at + LONGEST)
    return end + len(closing) if end >= 0 else -1


def _end_of_marked(text: str, begin: int, mark: str, slashes: int) -> int:
    """Return the end of the text between quotes with a number of backslashes; it may contain other quotes.

    Args:
        text: The text.
        begin: The offset of the value.
        mark: The quote.
        slashes: The number of backslashes before it.
    """
    at = text.find(mark, begin, begin + LONGEST)
    while at >= 0:
        before = at
        while before > begin and text[before - 1] == "\\":
            before -= 1
        found = at - before
        if found < slashes:
            return before  # the text around it ends here
        if found == slashes or (not slashes and found % 2 == 0):
            again = "\\" * slashes + mark
            if not text.startswith(again, at + 1):
                return at + 1
            at += len(again)
        at = text.find(mark, at + 1, begin + LONGEST)
    return -1
