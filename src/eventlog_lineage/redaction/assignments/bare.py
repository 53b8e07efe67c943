"""Find the end of a value without quotes: in brackets, bare, or at the end of its line."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.redaction.mask import LONGEST

PLAN_ID = re.compile(rf"[ (\[][\w.`]{{1,128}}#{NUMBER}L?(?=[,)\] ]|$)")
"""An attribute of a plan: text with one is the rest of an operator, as plans print literals unquoted."""

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
    """Return the end of an unquoted value: before white space, a quote, a separator or a closing bracket.

    Args:
        text: Any text.
        at: Offset of the value.
        percent: Whether the text is URL-encoded: `%26` separates entries.
    """
    match = (_PERCENT if percent else _BARE).match(text, at)
    return match.end() if match else at


def bracketed(text: str, at: int) -> int:
    """Return the end of the brackets at an offset, including a Scala collection's; the offset if there are none.

    Args:
        text: Any text.
        at: The offset.
    """
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
    """Return the offset of the bracket that closes the one open at an offset; -1 if it is not near.

    Args:
        text: Any text.
        at: An offset within brackets.
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
    """Return the end of the line; in an operator's line, the end of the literal.

    Args:
        text: Any text.
        at: Offset of the value.
        latest: The latest possible end; by default 20,000 characters later.
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
