"""Redact values that follow a sensitive name: `password=…`, `token -> …`, `"secret": "…"`, `--token …`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, digits
from typing import NamedTuple

from eventlog_lineage.redaction.http_headers import value_of_header
from eventlog_lineage.redaction.mask import Span, is_nothing, masked, offsets
from eventlog_lineage.redaction.names import PARTS, is_secret_column, is_sensitive
from eventlog_lineage.redaction.plan_literals import literal_of_column, literal_of_entry

from .bare import bare, bracketed, line_end
from .blanks import end_with_blanks
from .quoted import quote_end, quoted
from .separators import (
    ALIGNED,
    BEFORE_ELEMENT,
    BEFORE_QUOTE,
    BLANK,
    COMMA,
    DOCKER,
    ELEMENT,
    ELEMENT_END,
    FILTER,
    KEYWORD,
    NAMES_A_VALUE,
    NETRC,
    PAIR,
    PROPERTY,
    SEPARATOR,
    SOME,
    TUPLE,
    TYPE,
    WORD,
    YAML_BLOCK,
)

_RUN = re.compile(r"[\w.$-]{0,4096}")
_NAME_CHARS = f"{ascii_letters}{digits}_.$-"
_INDEX = re.compile(r"\[[\w\"']{0,24}\]")
_KIND = re.compile(r"(\w{1,20}) $")
_FILTERS = re.compile(
    r"(?:EqualTo|EqualNullSafe|String(?:StartsWith|EndsWith|Contains)|(?:Greater|Less)Than(?:OrEqual)?)\($"
)
_LETTER = re.compile(r"[^\W\d_]")
_ALIASED = re.compile(r"(?P<literal>\\{0,8}'[^'\n]{1,512}')\s{1,8}as\s{1,8}[`\"]?$", re.IGNORECASE)
_COLUMN = re.compile(r"\w{1,64}(?:\.\w{1,64}){1,3}$")
_RANDOM = re.compile(r"(?=[^\d]{0,64}\d)(?=[^a-z]{0,64}[a-z])(?=[^A-Z!#$%^&*@+]{0,64}[A-Z!#$%^&*@+])[^\n]{8,512}$")
"""A secret that is not also a word."""
_NEAR = 640


class _Name(NamedTuple):
    """A sensitive name in a text, and its span."""

    text: str
    start: int
    end: int

    @property
    def words(self) -> str:
        """The name."""
        return self.text[self.start : self.end]

    @property
    def before(self) -> str:
        """The text before it."""
        return self.text[max(0, self.start - _NEAR) : self.start]


def without_named_values(text: str, lower: str) -> str:
    """Return a text without the values that follow sensitive names.

    Args:
        text: Any text.
        lower: The text in lower case, see `mask.lowered`.
    """
    found = [at for part in PARTS if part in lower for at in offsets(lower, part)]
    if not found:
        return text
    spans: list[Span] = []
    done = 0
    for at in sorted(found):
        if at >= done:
            name = _name_at(text, at)
            done = max(name.end, at + 1)
            span = _value(name) if is_sensitive(_with_kind(name)) else None
            if span is not None and span[1] > span[0]:
                spans.append(span)
                done = max(done, span[1])
    return masked(text, sorted([*spans, *_again(text, spans)]))


def _again(text: str, spans: list[Span]) -> Iterator[Span]:
    """Yield the spans of the same secrets without names: extended plans contain the statement several times.

    Args:
        text: The text.
        spans: The spans of secrets with names.
    """
    for value in {text[start:end].strip("\"'`") for start, end in spans}:
        if _RANDOM.match(value):
            yield from ((at, at + len(value)) for at in offsets(text, value))


def _name_at(text: str, at: int) -> _Name:
    run = _RUN.match(text, at)
    end = at + len(run[0].rstrip("-.$")) if run else at
    before = text[max(0, at - 64) : at]
    return _Name(text, at - len(before) + len(before.rstrip(_NAME_CHARS)), end)


def _with_kind(name: _Name) -> str:
    """Return a name with the word before it, if it is written as two words: `API key`."""
    if name.words.lower() in ("key", "keys"):
        kind = _KIND.search(name.text[max(0, name.start - 21) : name.start])
        return f"{kind[1]}_{name.words}" if kind else name.words
    return name.words


def _value(name: _Name) -> Span | None:
    """Return the span of a sensitive name's value; None if it has none."""
    text = name.text
    if text.startswith("#", name.end):
        return literal_of_column(text, name.start, name.end)
    index = _INDEX.match(text, name.end)
    end = index.end() if index and SEPARATOR.match(text, index.end()) else name.end
    if pair := PAIR.match(text, end):
        return _element(text, pair.end()) if pair["element"] else _after_separator(name, pair.end(), ":", colon=False)
    if separator := SEPARATOR.match(text, end):
        return _after_separator(name, separator.end(), separator[0], colon=bool(separator["colon"]))
    if (
        text[end : end + 1] in "> &"
        and BEFORE_ELEMENT.search(name.before[-24:])
        and (element := ELEMENT.match(text, end))
    ):
        return _element(text, element.end())
    if before := (BEFORE_QUOTE.match(text, end) or COMMA.match(text, end)):
        stop = quote_end(text, before.end())
        return (before.end(), bare(text, stop)) if not NAMES_A_VALUE.match(text, stop) else None
    if name.before.endswith("(") and (in_tuple := TUPLE.match(text, end)):
        return _in_tuple(name, in_tuple.end())
    if word := WORD.match(text, end):
        return _after_word(text, word)
    return literal_of_entry(text, name.start, end) or _after_blank(name, end) or _before_alias(name)


def _in_tuple(name: _Name, at: int) -> Span | None:
    """Return the value in `(password,x)`, `(password,Some(x))`, `EqualTo(password,x)`.

    Args:
        name: The name.
        at: The offset after it.
    """
    text = name.text
    if whole := SOME.match(text, at) or (FILTER.match(text, at) if _FILTERS.search(name.before[-40:]) else None):
        return whole.span() if not is_nothing(text, *whole.span()) else None
    return _after_separator(name, at, ",", colon=True)


def _after_separator(name: _Name, at: int, separator: str, *, colon: bool) -> Span | None:
    """Return a value after `=`, `:` or a similar separator; after a colon, a type is not a value.

    Args:
        name: The name.
        at: The offset after the separator.
        separator: The separator.
        colon: Whether it is a colon.
    """
    text = name.text
    if (stop := quoted(text, at)) > at:
        return (at, stop) if not is_nothing(text, at, stop) else None
    if (stop := bracketed(text, at)) > at:
        return at, stop
    if colon and (block := YAML_BLOCK.match(text, at)):
        return block.end(), line_end(text, block.end())
    if "\n" in separator or text.startswith("//", at) or (colon and TYPE.match(text, at)):
        return None
    end = bare(text, at, percent="%3" in separator)
    if is_nothing(text, at, end) or _is_column(text, at, end):
        return None
    end = end_with_blanks(text, at, end, name.start, separator)
    header = value_of_header(name.words, text, at)
    return (header[0], max(header[1], end)) if header else (at, end)


def _after_word(text: str, word: re.Match[str]) -> Span | None:
    """Return a value after `IN`, `LIKE`, `DEFAULT`; in prose, it has digits and letters.

    Args:
        text: The text.
        word: The match of the word.
    """
    at = word.end()
    if word["set"]:
        stop = bracketed(text, at)
        return (at, stop) if "'" in text[at:stop] or '"' in text[at:stop] else None
    if (stop := quoted(text, at)) > at or (stop := bracketed(text, at)) > at:
        return at, stop
    stop = bare(text, at)
    if word["prose"]:
        stop = at + len(text[at:stop].rstrip(".!?"))
        return (at, stop) if _LETTER.search(text, at, stop) else None
    return at, stop


def _after_blank(name: _Name, end: int) -> Span | None:
    """Return a value after a blank: of a flag, of Spark's settings, after a tab, in a `.netrc` or a Dockerfile.

    Args:
        name: The name.
        end: The offset after it.
    """
    text = name.text
    is_property = PROPERTY.fullmatch(name.words) is not None
    blank = (ALIGNED if is_property else BLANK).match(text, end)
    if blank is None:
        return None
    at, before = blank.end(), name.before
    is_flag = name.words.startswith("-") and not before[-1:].strip(" \t\n\"'[(=,")
    if not (is_flag or is_property or "\t" in blank[0] or NETRC.search(before[-160:]) or DOCKER.search(before[-16:])):
        return None
    if KEYWORD.match(text, at) or (not is_flag and TYPE.match(text, at)):
        return None
    stop = max(quoted(text, at), bare(text, at))
    return (at, stop) if not is_nothing(text, at, stop) else None


def _before_alias(name: _Name) -> Span | None:
    """Return the literal before the name in `'x' AS password`."""
    before = name.before
    if not before[-8:].rstrip('`" \t').lower().endswith("as") or not is_secret_column(name.words):
        return None
    literal = _ALIASED.search(before)
    begin = name.start - len(before)
    return (begin + literal.start("literal"), begin + literal.end("literal")) if literal else None


def _element(text: str, at: int) -> Span | None:
    """Return the value in `<password>x</password>`, up to the end of a truncated text.

    Args:
        text: The text.
        at: The offset of the value.
    """
    stop = ELEMENT_END.search(text, at, at + 4096)
    return at, stop.start() if stop else min(len(text), at + 4096)


def _is_column(text: str, at: int, end: int) -> bool:
    """Return whether a value is a column, as in `SET t.password = s.password`.

    Args:
        text: The text.
        at: The offset of the value.
        end: The offset of its end.
    """
    return _COLUMN.match(text, at, end) is not None and is_sensitive(text[at:end].rpartition(".")[2])
