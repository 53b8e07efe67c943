"""Redact secrets in SQL that are not next to a name: users, keys of options, variables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .assignments.ends import bare, quoted
from .mask import LONGEST, Span, masked
from .names import is_secret_column, looks_secret

_IDENTIFIED = re.compile(
    r"identified\s{1,8}(?:with\s{1,8}[\w\"'`]{1,64}\s{1,8}(?:by|as)|by)(?:\s{1,8}(?:password|values))?\s{1,8}(?:['\"]{1,4}\s{0,3}(?:,|\|\||\+)\s{0,3}(?=['\"]))?"
    r"|(?<=[\"'*])\s{1,8}replace\s{1,8}(?=[\"'])|(?<=by \*\*\*)\s{1,8}replace\s{1,8}"
    r"|\bconnect\s{1,8}to\s{1,8}\w{1,64}\s{1,8}user\s{1,8}[\w\"']{1,64}\s{1,8}using\s{1,8}"
    r"|\bpragma\s{1,8}(?:hex)?(?:re)?key\s{0,3}=\s{0,3}|\battach\s[^;\n]{1,512}?\skey\s{1,8}(?=['\"])",
    re.IGNORECASE,
)
_OF_USER = re.compile(
    r"(?:\b(?:user|role|login|grant|database\s{1,8}link|connect\s{1,8}to)\b)[^;\n]{1,200}$", re.IGNORECASE
)
_OPTIONS = re.compile(r"\b(?:options|with|tblproperties|properties|credentials?)\s{0,8}\(", re.IGNORECASE)
_KEY = re.compile(
    r"(?<=[\s(,])(?:\\{0,8}['\"`])?key(?:\\{0,8}['\"`])?\s{0,3}(?:=|\s)\s{0,3}(?=\\{0,8}['\"])", re.IGNORECASE
)
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
    return masked(text, _of_variables(text))


def _of_variables(text: str) -> Iterator[Span]:
    for match in _VARIABLE.finditer(text):
        for literal in _LITERAL.finditer(text, match.end()):
            if literal[0] == ";":
                break
            if not (literal[0][1:5].isdigit() and literal[0][5] == "-"):
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


def _identified(text: str) -> list[Span]:
    """Return the secrets in `IDENTIFIED BY 'x'`, `CONNECT TO d USER u USING x`.

    Without quotes only in statements about users, as it may be prose.
    """
    spans = []
    for match in _IDENTIFIED.finditer(text):
        at = match.end()
        stop = quoted(text, at)
        if stop == at:
            stop = bare(text, at)
            of_user = _OF_USER.search(text, max(0, match.start() - 256), match.end())
            stop = stop if of_user or looks_secret(text[at:stop]) else at
        if text[at:stop].strip("'\""):
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
