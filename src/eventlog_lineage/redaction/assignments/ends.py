"""Find the end of a value: in quotes of any kind, in brackets, bare, or with blanks, up to the end of its entry."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.redaction.mask import LONGEST, lowered

PLAN_ID = re.compile(rf"[ (\[][\w.`]{{1,128}}#{NUMBER}L?(?=[,)\] ]|$)")
"""An attribute of a plan: text with one is the rest of an operator, as plans print literals unquoted."""

REFERENCE_CALL = (
    r"(?<!FUNCTION )(?:(?:dbutils\.)?secrets\.get|getpass(?:\.getpass)?|get_?secret\w{0,20})\([^()\n]{0,128}\)"
)
"""Calls that name where a secret is: `dbutils.secrets.get(scope="s", key="k")`."""

_WRAPPED = re.compile(r"(?:Some|List|Set|Seq|Array|Vector|Option|WrappedArray|ArraySeq|ArrayBuffer|Map|PASSWORD|lit)\(")
_ITEM = r"\s{0,8}(?:N?\\{0,8}'[^'\n]{0,512}'|\\{0,8}\"[^\"\n]{0,512}\"|[\w.+/=-]{1,512})\s{0,8}"
_PARENTHESES = re.compile(rf"\({_ITEM}(?:,{_ITEM}){{0,256}}\)")
_BRACKET = re.compile(r"[\[\](){}\n]")
_OPENER_OF = {"]": "[", "}": "{", ")": "("}
_CLOSING = {"[": "]", "{": "}", "(": ")"}

_BARE = re.compile(
    r"""(?:[^\s,;&)\]}"'`<>\\/]
    |/(?!>)
    |,(?![\s"'`\\]|$|[A-Za-z_][\w.]{1,60}(?:=|\s?->))
    |;(?![\s"'`]|$|[A-Za-z_][\w.\ -]{0,60}=)
    |&(?:amp;)?(?![\s"'`]|$|(?:amp|quot|lt|gt|apos);|[A-Za-z_][\w.\[\]%-]{0,60}=)
    |[)\]}](?![\s,;)\]}.:"'`\\]|$|\#\d{1,19}L?(?:[,)\] ]|$))
    |\\{0,8}["'`](?=\w)
    |''(?=\w)
    |\\(?!\\{0,62}["'`]|\n)
    |<(?![/!])
    |>(?![\s<]|$)
    ){1,4096}""",
    re.VERBOSE,
)
_PERCENT = re.compile(r"(?:[^\s\"'&<>%;,]|%(?!26|3B|22|27|2C|7D|5D|29|20|0A|0D)){1,4096}", re.IGNORECASE)
_LONGEST_LINE = 20_000
_CLOSING_OR_COMMA = re.compile(r"[)\]]|, ")
QUOTE = r"(?:\\{0,63}[\"'`]|&quot;|&apos;|&[#]3[49];|%2[27]|\\{1,8}u002[27])"
"""A quote of any kind, as a part of other expressions."""

_OPENING = re.compile(
    r"(?:[bBuUrRfFnN]{1,2}(?=[\"']))?"
    r"(?:(?P<quote>(?P<slashes>\\{0,63})(?P<mark>[\"'`]))|(?P<entity>&quot;|&apos;|&#3[49];|%2[27]|\\{1,8}u002[27]"
    r"|[\u201c\u201d\u201e\u2018\u201a\xab\xbb\u300c\u300e]))",
    re.IGNORECASE,
)
_OTHER_QUOTES = str.maketrans(
    "\u201c\u201e\u2018\u201a\xab\xbb\u300c\u300e", "\u201d\u201d\u2019\u2019\xbb\xab\u300d\u300f"
)
"""Opening quotes of typesetters, and the closing ones."""
_AFTER_EMPTY = frozenset(" \t\r\n,;)]}:&")
"""Characters after the second quote of an empty text; before other characters, the quote is doubled."""
_NEAR = 512
"""Characters before a name that show what it is an entry of, and after a value that may be a part of it."""
_LABEL = re.compile(
    r"(?:[^\w\n\"'(\[{<=|&?,:;]|\d{1,3}[.)] |\[[ x]\]|[:/<;](?=[\s*_:/-]|$)){0,24}"
    r"(?:(?:set(?: -v)?|export|setx|rem|env|arg|declare(?: -\w)?|local|val|var|let|const|final|def)[ \t]{1,8})?"
    r"(?P<words>(?:(?!(?:select|where|and|or|on|when|then|by|having|not|is|from|join|with|using)\b)"
    r"[^\W\d_][\w'&.-]{0,40}[ \t/]{1,3}){0,4})[*_`\"]{0,3}$",
    re.IGNORECASE,
)
"""The line before a name: marks of lists and comments, a keyword, a few words: `- the new password: x`."""
_NEXT = re.compile(
    r"(?=[ \t,;]{1,3}(?:(?:and|or|where|when|on)\s)?[\"'(]?[^\W\d][\w.$-]{0,64}(?: ?=| ?: |:\w| -> )|\s--?[A-Za-z]"
    r"|\s(?-i:AND|OR|FROM|WHERE|AS|THEN|ELSE|END|WHEN|ON|GROUP|ORDER|LIMIT|IS|IN|NOT|HAVING|UNION|USING)\b"
    r"|\s(?:#|//|--|\\)(?:\s|$)|\*/|-->|</|<br)",
    re.IGNORECASE,
)
"""The next entry, a flag, a clause, a comment, a tag."""
_CLAUSE = re.compile(
    r"[.!?](?:\s|$)|\s(?:from|where|and|or|select|as|on|then|for|to|at|in|of|with|by|is|was|are|has|but|if|when|please"
    r"|until|since|group|order|limit|having|union|join|using|than|end|else|asc|desc|für|auf|pour|para|por|voor)\b"
    r"|\s(?:[-\u2013\u2014]|[<>!]?=|[<>])\s|[,;|(){}\[\]<>\"]",
    re.IGNORECASE,
)
"""The end of the part of a sentence, or a statement, that a value is in."""
_BRACKET_OR_QUOTE = re.compile(r"[\[\](){}\"`;]|(?<!\w)'|'(?!\w)")
_QUOTES = frozenset("\"'`")
_CLOSED_BY = {**_CLOSING, **{quote: quote for quote in _QUOTES}}
_ENDS = {";": ";,)]}", "|": "|", "&": "&"}
"""What is between the entries of a list, and what ends it."""
_BEGINS_ENTRY = frozenset("[{;|&?>")


def quoted(text: str, at: int) -> int:
    """Return the end of the quoted text at an offset, with quoted text that a shell concatenates: `'ab'"cd"`.

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
    """Return the end of the closing quote; -1 where there is none."""
    if entity := opening["entity"]:
        entity = entity.translate(_OTHER_QUOTES)
        closing = lowered(text[begin : begin + LONGEST].replace("\u201c", "\u201d")).find(entity.lower())
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
    """Return the end of the brackets at an offset, including a Scala collection's; the offset if there are none."""
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
    opened = _OPENER_OF.get(closing, "[{(")
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


def end_of_entry(text: str, start: int, end: int, name_start: int, separator: str) -> int:
    """Return the end of a value that may contain blanks.

    An entry ends before the next one, before the end of the brackets or quotes that it is in, or with its line.
    """
    if text[end : end + 1] not in (" ", "\t", ","):
        return end
    before = text[max(0, name_start - _NEAR) : name_start].rpartition("\n")[2]
    before = before.rstrip("\\\"'`") if separator[:1] in ("\\", *_QUOTES) else before
    opened, begin = _opened(before)
    rest = text[end : end + _NEAR].partition("\n")[0]
    rest = _within(rest[:1] + rest[1:].partition("\t")[0], opened, before)
    rest, *others = _NEXT.split(rest, 1)
    after = "".join(others).lstrip()[:1]
    if not (after == ";" or "->" in separator or _is_entry(before, opened)):
        goes_on = after == "-" or (rest[:1] == "," and not (text[start:end] + rest[2:5].ljust(3, "-")).isalpha())
        rest = _said(rest, before[begin:], separator, goes_on=goes_on)
    stop = end + len(rest.rstrip(" \t,;"))
    return end if PLAN_ID.search(text, name_start, stop) else max(end, stop)


def _is_entry(before: str, opened: str) -> bool:
    """Return whether a name begins an entry that only the next one, or what closes the list, ends.

    Args:
        before: The line before the name.
        opened: The open brackets and quotes.
    """
    mark = before.rstrip(" ")[-1:]
    return mark in _BEGINS_ENTRY or (opened[-1:] == mark and mark in _QUOTES) or mark + opened[-1:] in (",[", ",{")


def is_label(before: str) -> bool:
    """Return whether a line only has marks and a few words before a name: `- the new password`."""
    return _LABEL.match(before) is not None


def _said(rest: str, before: str, separator: str, *, goes_on: bool) -> str:
    """Return the part of the text after the first word of a value that still is the value, outside a list.

    Args:
        rest: The text.
        before: The line before the name.
        separator: The text between name and value.
        goes_on: Whether a flag or another item follows, rather than the rest of the line.
    """
    is_separated = separator.strip() != separator
    label = None if goes_on else _LABEL.match(before)
    if label and (is_separated or not label["words"]):
        return rest
    if not is_separated and before.rstrip(" ")[-1:] not in (",", "("):
        return ""
    clause = _CLAUSE.search(rest)
    return rest[: clause.start()] if clause else rest


def _opened(before: str) -> tuple[str, int]:
    """Return the brackets and quotes that are open at the end of a line's beginning, and the offset after the last."""
    opened: list[str] = []
    begin = 0
    for match in _BRACKET_OR_QUOTE.finditer(before):
        mark = match[0]
        if opened and mark == _CLOSED_BY.get(opened[-1]):
            opened.pop()
        elif not opened or opened[-1] not in _QUOTES or mark == ";":
            opened += [mark] if mark in _CLOSED_BY else []
            begin = match.end()
    return "".join(opened), begin


def _within(rest: str, opened: str, before: str) -> str:
    """Return what follows a value, up to what closes the brackets and quotes that are open, or separates entries.

    Args:
        rest: The rest of the line.
        opened: The open brackets and quotes.
        before: The line before the name.
    """
    if opened:
        at = closing_bracket(rest, 0) if opened[-1] not in _QUOTES else rest.find(opened[-1])
        rest = rest[:at].rstrip("\\") if at >= 0 else rest
    ends = _ENDS.get(before.rstrip(" ")[-1:].replace("?", "&"), "")
    is_address = bool(ends) and "://" in before.rpartition(" ")[2]
    return rest[: min((at for each in ends if (at := rest.find(each)) >= 0), default=0 if is_address else None)]
