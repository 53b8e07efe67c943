"""Redact secrets in SQL that are not next to a name: users, rows of VALUES, keys of options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .assignments.bare import bare
from .assignments.quoted import quoted
from .mask import LONGEST, Span, masked
from .meetings import has_sensitive_word
from .names import is_secret_column

_IDENTIFIED = re.compile(
    r"identified\s{1,8}(?:with\s{1,8}[\w\"'`]{1,64}\s{1,8}(?:by|as)|by)(?:\s{1,8}(?:password|values))?\s{1,8}|(?<=[\"'*])\s{1,8}replace\s{1,8}(?=[\"'])"
    r"|\bconnect\s{1,8}to\s{1,8}\w{1,64}\s{1,8}user\s{1,8}[\w\"']{1,64}\s{1,8}using\s{1,8}",
    re.IGNORECASE,
)
_OF_USER = re.compile(
    r"(?:\b(?:user|role|login|grant|database\s{1,8}link|connect\s{1,8}to)\b)[^;\n]{1,200}$", re.IGNORECASE
)
_OPTIONS = re.compile(r"\b(?:options|with|tblproperties|properties|credentials?)\s{0,8}\(", re.IGNORECASE)
_KEY = re.compile(
    r"(?<=[\s(,])(?:\\{0,8}['\"`])?key(?:\\{0,8}['\"`])?\s{0,3}(?:=|\s)\s{0,3}(?=\\{0,8}['\"])", re.IGNORECASE
)
_VALUES = re.compile(r"\((?P<columns>[^()]{1,4000})\)\s{0,8}values\s{0,8}(?=\()", re.IGNORECASE)
_ALIASED = re.compile(r"\bvalues\s{0,8}(?=\()", re.IGNORECASE)
_ALIAS_COLUMNS = re.compile(
    r"\s{0,8}\)?\s{0,8}(?:as\s{1,8})?\w{1,64}\s{0,8}\((?P<columns>[^()]{1,4000})\)", re.IGNORECASE
)
_ITEM = re.compile(
    r"\s{0,8}(?P<value>N?\\'(?:[^'\\]|\\\\){0,4096}\\'|N?'(?:[^'\\]|''|\\.){0,4096}'|\"(?:[^\"\\]|\"\"|\\.){0,4096}\""
    r"|[^\s,()'\"\\]{1,4096})\s{0,8}(?P<after>[,)])"
)
_NEXT_ROW = re.compile(r"\s{0,8},\s{0,8}(?=\()")
_MOST_ROWS = 10_000
_VARIABLE = re.compile(
    r"\bdeclare\s{1,8}(?:or\s{1,8}replace\s{1,8})?(?:variable\s{1,8})?[^;'\"]{1,256}?(?:default|=)|\bset\s{1,8}var(?:iable)?\s[^;'\"]{1,512}?=",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"'(?:[^'\\]|''|\\.){1,8192}'|;", re.DOTALL)
_INSERT = re.compile(
    r"(?:--[^\n]*\n|/\*.{0,512}?\*/|\s){0,8}(?:execute\s{1,8}immediate\s{1,8}['\"]\s{0,8})?insert\s{1,8}(?:into|overwrite)\s{1,8}(?:table\s{1,8})?[\w.`-]{1,512}"
    r"(?=\s{1,8}(?:values|select|from|with|table)\b)",
    re.IGNORECASE | re.DOTALL,
)
_ERROR = re.compile(r"\[[A-Z][A-Z_.]{4,80}\] [^\n]{1,2000}\s{1,8}== (?:SQL|DataFrame)\b")
_VALUE = re.compile(r"(?<= value )(?:'[^'\n]{1,512}'|`[^`\n]{1,512}`)")
_WRITES = re.compile(r"InsertInto|AppendData|Overwrite")
_COLUMN = r"`?[\w ]{1,128}`?(?:#\d{1,19}L?)?"
_COLUMNS = re.compile(rf"\[({_COLUMN}(?:, {_COLUMN}){{0,999}})\](?=,? |\n|$)")


def without_identifications(text: str) -> str:
    """Return a text without passwords after `IDENTIFIED BY`."""
    return masked(text, _identified(text))


def without_option_keys(text: str) -> str:
    """Return a text without the values of options named `key`."""
    return masked(text, _option_keys(text))


def without_values_of_variables(text: str) -> str:
    """Return a text without the literals that SQL variables get, as they may meet a sensitive column later."""
    return masked(text, sorted(_of_variables(text)))


def _of_variables(text: str) -> Iterator[Span]:
    for match in _VARIABLE.finditer(text):
        for literal in _LITERAL.finditer(text, match.end()):
            if literal[0] == ";":
                break
            yield literal.span()


def with_columns(statement: str, plan: str) -> tuple[str, str]:
    """Return an INSERT without a list of columns with that of its plan, and what was added.

    >>> with_columns("INSERT INTO t VALUES (1, 'x')", "InsertIntoHiveTable `t`, false, [id, password]")
    ("INSERT INTO t (id, password) VALUES (1, 'x')", ' (id, password)')
    """
    insert = _INSERT.match(statement)
    if insert is None or not _WRITES.search(plan):
        return statement, ""
    for match in _COLUMNS.finditer(plan):
        names = [name.partition("#")[0].strip("` ") for name in match[1].split(", ")]
        if any(map(is_secret_column, names)):
            added = f" ({', '.join(names)})"
            return f"{statement[: insert.end()]}{added}{statement[insert.end() :]}", added
    return statement, ""


def without_values_of_errors(text: str) -> str:
    """Return an error without the values that it quotes, if the SQL that it points to has a sensitive name."""
    error = _ERROR.search(text)
    if error is None or not has_sensitive_word(text[error.end() : error.end() + LONGEST]):
        return text
    return masked(text, [each.span() for each in _VALUE.finditer(text, error.start(), error.end())])


def without_inserted(text: str) -> str:
    """Return a text without literals that rows of VALUES have for secret columns."""
    return masked(text, _inserted(text))


def _identified(text: str) -> list[Span]:
    """Return the secrets in `IDENTIFIED BY 'x'`, `CONNECT TO d USER u USING x`.

    Without quotes only in statements about users, as it may be prose.
    """
    spans = []
    for match in _IDENTIFIED.finditer(text):
        at = match.end()
        stop = quoted(text, at)
        if stop == at and _OF_USER.search(text, max(0, match.start() - 256), match.end()):
            stop = bare(text, at)
        spans.append((at, stop))
    return spans


def _option_keys(text: str) -> list[Span]:
    """Return the secrets in `OPTIONS (key 'x')`: in a list of options, a key is a secret; in a condition, a column."""
    spans: list[Span] = []
    done = 0
    for match in _OPTIONS.finditer(text):
        if match.start() >= done:
            closing = text.find(")", match.end(), match.end() + LONGEST)
            done = closing if closing >= 0 else min(len(text), match.end() + LONGEST)
            spans += [(key.end(), quoted(text, key.end())) for key in _KEY.finditer(text, match.end() - 1, done)]
    return spans


def _inserted(text: str) -> list[Span]:
    """Return the secrets in `INSERT INTO t (name, password) VALUES ('a', 'x')`, `VALUES ('x') AS t(password)`."""
    spans: list[Span] = []
    for match in _VALUES.finditer(text):
        secret = _secret_columns(match["columns"])
        if secret:
            spans += _of_rows(text, match.end(), secret)[0]
    if not spans:
        for match in _ALIASED.finditer(text):
            _, end = _of_rows(text, match.end(), frozenset())
            alias = _ALIAS_COLUMNS.match(text, end)
            if alias and (secret := _secret_columns(alias["columns"])):
                spans += _of_rows(text, match.end(), secret)[0]
    return sorted(spans)


def _secret_columns(columns: str) -> frozenset[int]:
    names = [name.strip(" \t\n`\"'") for name in columns.split(",")]
    return frozenset(place for place, name in enumerate(names) if is_secret_column(name))


def _of_rows(text: str, at: int, places: frozenset[int]) -> tuple[list[Span], int]:
    """Return the spans of the values at some indexes in rows of literals, and the end of the rows.

    Args:
        text: The statement.
        at: The offset of the first row.
        places: The indexes of the columns with secrets.
    """
    spans: list[Span] = []
    for _ in range(_MOST_ROWS):
        at += 1
        place = 0
        while item := _ITEM.match(text, at):
            if place in places:
                spans.append(item.span("value"))
            at, place = item.end(), place + 1
            if item["after"] == ")":
                break
        following = _NEXT_ROW.match(text, at)
        if item is None or following is None:
            break
        at = following.end()
    return spans, at
