"""Where a value without quotes ends: in brackets, bare, or with its line."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.redaction.mask import LONGEST

PLAN_ID = re.compile(rf"[ (\[][\w.`]{{1,128}}#{NUMBER}L?(?=[,)\] ]|$)")
"""An attribute of a plan: what has one is no value but the rest of an operator, as plans print literals unquoted."""

_WRAPPED = re.compile(r"(?:Some|List|Set|Seq|Array|Vector|Option|WrappedArray|ArraySeq|ArrayBuffer|Map|PASSWORD|lit)\(")
_ITEM = r"\s{0,8}(?:N?\\{0,8}'[^'\n]{0,512}'|\\{0,8}\"[^\"\n]{0,512}\"|[\w.+/=-]{1,512})\s{0,8}"
_PARENTHESES = re.compile(rf"\({_ITEM}(?:,{_ITEM}){{0,256}}\)")
_BRACKET = re.compile(r"[\[\](){}\n]")
_OPENING = {"]": "[", "}": "{", ")": "("}
_CLOSING = {"[": "]", "{": "}", "(": ")"}

_BARE = re.compile(
    r"""(?:[^\s,;&)\]}"'`<>\\/]
    |/(?!>)
    |,(?![\s"'`\\]|$|[A-Za-z_][\w.]{1,60}(?:=|\s?->))
    |;(?![\s"'`]|$|[A-Za-z_][\w.\ -]{0,60}=)
    |&(?![\s"'`]|$|(?:amp|quot|lt|gt|apos);|[A-Za-z_][\w.\[\]%-]{0,60}=)
    |[)\]}](?![\s,;)\]}.:"'`\\]|$)
    |\\{0,8}["'`](?=\w)
    |''(?=\w)
    |\\(?!\\{0,62}["'`])
    |<(?![/!])
    |>(?![\s<]|$)
    ){1,4096}""",
    re.VERBOSE,
)
_PERCENT = re.compile(r"(?:[^\s\"'&<>%;,]|%(?!26|3B|22|27|2C|7D|5D|29|20|0A|0D)){1,4096}", re.IGNORECASE)
_LONGEST_LINE = 20_000
_CLOSING_OR_COMMA = re.compile(r"[)\]]|, ")


def bare(text: str, at: int, *, percent: bool = False) -> int:
    """Return where an unquoted value ends: before white space, a quote, or what separates entries or closes them.

    Args:
        text: Any text.
        at: Where the value begins.
        percent: The text is URL-encoded: `%26` separates entries.
    """
    match = (_PERCENT if percent else _BARE).match(text, at)
    return match.end() if match else at


def bracketed(text: str, at: int) -> int:
    """Return where the brackets end that begin at a place, a Scala collection's included; the place if none do."""
    wrapper = _WRAPPED.match(text, at)
    opened = wrapper.end() - 1 if wrapper else at
    mark = text[opened : opened + 1]
    if mark not in _CLOSING or not mark:
        return at
    if mark == "(" and wrapper is None:
        simple = _PARENTHESES.match(text, at)
        return simple.end() if simple else at
    end = closing_bracket(text, opened + 1, _CLOSING[mark])
    return end + 1 if end >= 0 and not PLAN_ID.search(text, at, end) else at


def closing_bracket(text: str, at: int, closing: str = "") -> int:
    """Return where the bracket is that closes what is open at a place; -1 if it is not near.

    Args:
        text: Any text.
        at: A place within brackets.
        closing: The bracket; by default any kind, in the same line.
    """
    opened = _OPENING.get(closing, "[{(")
    depth = 0
    for match in _BRACKET.finditer(text, at, min(len(text), at + LONGEST)):
        bracket = match[0]
        if bracket in opened:
            depth += 1
        elif bracket in (closing or "]})"):
            if not depth:
                return match.start()
            depth -= 1
        elif bracket == "\n" and not closing:
            break
    return -1


def line_end(text: str, at: int, latest: int = -1) -> int:
    """Return where the line ends; in an operator's line, the literal.

    Args:
        text: Any text.
        at: Where the value begins.
        latest: Where it ends at the latest; by default 20,000 characters later.
    """
    latest = min(len(text), at + _LONGEST_LINE) if latest < 0 else latest
    end = text.find("\n", at, latest)
    end = end if end >= 0 else latest
    column = PLAN_ID.search(text, at, end)
    if column is None:
        return end
    alias = text.rfind(" AS ", at, column.end())
    if alias >= 0:
        return alias
    closing = _CLOSING_OR_COMMA.search(text, at, column.end())
    return closing.start() if closing else bare(text, at)
