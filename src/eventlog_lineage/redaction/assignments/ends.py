"""Find the end of a value: in quotes of any kind, in brackets, bare, with blanks, or at the end of its line."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import ID_START, NUMBER
from eventlog_lineage.redaction.mask import LONGEST, lowered

PLAN_ID = re.compile(rf"[ (\[][\w.`]{{1,128}}#{NUMBER}L?(?=[,)\] ]|$)")
"""An attribute of a plan: text with one is the rest of an operator, as plans print literals unquoted."""

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
_PLAIN = re.compile(r"[^;\"'\n#=(),\[\]{}<>]{0,512}")
_TO_END = re.compile(rf"(?:(?! AS \w{{1,128}}{ID_START})[^;\"'\n,)\]}}]){{0,512}}")
_ENTRY = re.compile(r", (?=[\w.$-]{1,128}(?:=| -> ))")
_CLAUSE = re.compile(r"\b(?:from|where|and|or|select|as|on|then)\b", re.IGNORECASE)
_SET = re.compile(r"(?P<before>^|, |\W)\s{0,8}set\s{1,8}(?:-v\s{1,8})?[`\"]?$", re.IGNORECASE)
_BEFORE_SET = frozenset(("", "'", '"', "\n", "(", ";", "[", ", "))
_PROPERTIES = ("spark.", "hive.", "fs.", "hadoop.", "dfs.", "mapred", "javax.")
_QUOTES = ("'", '"')
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


def end_with_blanks(text: str, start: int, end: int, name_start: int, separator: str) -> int:
    """Return the end of a value that may contain blanks.

    Args:
        text: Any text.
        start: Offset of the value.
        end: Its end if blanks end it.
        name_start: Offset of its name.
        separator: The text between name and value.
    """
    if "->" in separator:
        return _in_map(text, end, name_start, arrow=True)
    line = text.rfind("\n", 0, name_start) + 1
    if separator.startswith(":") and line and not text[line:name_start].strip(" \t-"):
        return line_end(text, start)  # YAML
    if separator.startswith(":") and text.rfind("{", line, name_start) > text.rfind("}", line, name_start):
        return _end_before(text, end, ",}")
    if separator.strip() != separator:
        return end
    setting = _SET.search(text[max(0, name_start - 64) : name_start])
    if setting and (setting["before"] in _BEFORE_SET or text.startswith(_PROPERTIES, name_start)):
        return max(end, _statement_end(text, start, setting["before"]))
    mapped = _in_map(text, end, name_start, arrow=False)
    return mapped if mapped > end else _in_connection_string(text, end, name_start)


def _statement_end(text: str, start: int, before: str) -> int:
    """Return the end of a value in `SET spark.my.password=ab cd`, in quotes, in a comment, before another statement.

    Args:
        text: The text.
        start: The offset of the value.
        before: The character before the statement; a quote ends it.
    """
    stop = line_end(text, start)
    ends = (text.find(closing, start, stop) for closing in (before if before in _QUOTES else ";", " */"))
    return min((end for end in ends if end >= 0), default=stop)


def _end_before(text: str, end: int, marks: str) -> int:
    """Return the offset of one of several marks after words; the offset of the words if there is none."""
    plain = _PLAIN.match(text, end)
    return plain.end() if plain and text[plain.end() : plain.end() + 1] in tuple(marks) else end


def _in_connection_string(text: str, end: int, name_start: int) -> int:
    """Return the end of a value in `Server=h;Pwd=ab cd;`; addresses have no blanks.

    Args:
        text: The text.
        end: The offset of the blank or comma at which the value ends so far.
        name_start: The offset of the name.
    """
    before = text[max(0, name_start - 512) : name_start]
    if text[end : end + 1] != " " or "://" in before.rpartition(" ")[2]:
        return end
    if (closed := _end_before(text, end, ";")) > end:
        return closed
    rest = _TO_END.match(text, end) if before.rstrip(" ").endswith(";") else None
    return len(text[: rest.end()].rstrip(" ")) if rest else end


def _in_map(text: str, end: int, name_start: int, *, arrow: bool) -> int:
    """Return the end of a value in `[user=a, password=b c, …]`, `Map(user -> a, …)`.

    Args:
        text: The text.
        end: The offset of the blank or comma at which the value ends so far.
        name_start: The offset of the name.
        arrow: Whether an arrow separates names from values.
    """
    before = text[max(0, name_start - 2) : name_start]
    if not (arrow or before[-1:] in ("[", "{") or before == ", ") or text[end : end + 1] not in (" ", ","):
        return end
    close = closing_bracket(text, end)
    if close < 0:
        return end
    entry = _ENTRY.search(text, end, close)
    stop = entry.start() if entry else close
    clause = before == ", " and not arrow and _CLAUSE.search(text, end, stop)
    return end if clause or PLAN_ID.search(text, end, stop) else stop
