"""Find the end of unquoted values with blanks, if the surrounding text has other separators."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import ID_START

from .bare import PLAN_ID, closing_bracket, line_end

_TO_SEMICOLON = re.compile(r"[^;\"'\n#=(),\[\]{}<>]{0,512}(?=;)")
_TO_END = re.compile(rf"(?:(?! AS \w{{1,128}}{ID_START})[^;\"'\n,)\]}}]){{0,512}}")
_ENTRY = re.compile(r", (?=[\w.$-]{1,128}(?:=| -> ))")
_CLAUSE = re.compile(r"\b(?:from|where|and|or|select|as|on|then)\b", re.IGNORECASE)
_SET = re.compile(r"(?P<before>^|, |\W)\s{0,8}set\s{1,8}(?:-v\s{1,8})?[`\"]?$", re.IGNORECASE)
_BEFORE_SET = frozenset(("", "'", '"', "\n", "(", ";", "[", ", "))
_PROPERTY = re.compile(r"(?:spark|hive|fs|hadoop|dfs|mapred\w{0,9}|javax)\.")
_QUOTES = ("'", '"')


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
    if separator.strip() != separator:
        return end
    setting = _SET.search(text[max(0, name_start - 64) : name_start])
    if setting and (setting["before"] in _BEFORE_SET or _PROPERTY.match(text, name_start)):
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
    if closed := _TO_SEMICOLON.match(text, end):
        return closed.end()
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
