"""Find the literals of a segment of a statement or a plan, and where else a text has them.

Those of a statement are quoted; those of a plan are what is neither a name nor a keyword.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .groups import CLAUSES, Group, Segment, Token, alias_of
from .mask import Span, is_nothing, offsets
from .names import is_name_of_secret, is_sensitive

_DESCRIBES = frozenset("comment date timestamp timestamp_ntz timestamp_ltz interval".split())
"""Words before a quoted text that is not a secret."""
_PLAN_WORDS = frozenset(
    "as and or if not in inset like rlike ilike is null true false none isnotnull isnull case when then else"
    " end binary string int bigint double float boolean date timestamp decimal smallint tinyint lambda escape"
    " asc desc nulls first last distinct ansi legacy utc lambdafunction variable outer exists scalar-subquery"
    " subquery class unbounded preceding following current row specifiedwindowframe rowframe rangeframe"
    " windowspecdefinition between scalar".split()
)
_NUMBER = re.compile(r"-?\d{1,3}(?:\.\d*)?$")
_LONG_NUMBER = re.compile(r"\d{4,}(?:\.\d*)?$")
_SHORTEST = 4
"""Characters of a literal of a plan that may be a secret."""
_NO_WORD = re.compile(r"\d|[a-z][A-Z]|[A-Z]{2}[a-z]|[^\w\s]")
_ARGUMENT = r"(?<=[a-z0-9_]\(){0}(?=[,)]| as )|(?<=, ){0}(?=\))"
"""A plain word as the only or the last argument of a function."""
_NAME = re.compile(r"#\d| AS \w{1,128}#\d|: [a-z]{3,16}\b")
"""After the name of an attribute, in the schema of a plan as well."""
_FOLDED = r"|(?<![\w.`]){0}(?![\w.`])(?=[^#\n]{{0,4096}}? AS \w{{1,128}}(?:{1})\b)"
"""A plain word in another definition of an attribute: `named_struct(password, x) AS s#1` is `[x] AS s#1` later."""
_ALIAS = re.compile(r" AS \w{1,128}(#\d{1,19})")
_SHORTEST_AGAIN = 6
_MOST_AGAIN = 1000
"""Literals of a text that are searched again; each takes time in proportion to the text."""
_FAR = 400
"""Characters between a literal and the alias of its column."""


def quoted_literals(segment: Segment) -> Iterator[Span]:
    """Yield the quoted literals of a segment of a statement, and the numbers that are compared or named."""
    names_number = segment.compares or alias_of(segment) is not None or len(segment.parts) == 1
    before = ""
    for token in segment.tokens:
        if token.kind == "quoted":
            is_value = not _is_described(before, token.text) and not _is_plain(token.text, segment)
        else:
            is_value = (names_number or before == "default") and _LONG_NUMBER.match(token.text) is not None
        if is_value:
            yield token.start, token.end
        before = token.text.lower()


def _is_described(before: str, quoted: str) -> bool:
    """Return whether the word before a quoted text makes it a date, a comment or a query without literals."""
    return before in _DESCRIBES or (before == "immediate" and not {"'", '"'} & set(quoted[1:-1]))


def _is_plain(quoted: str, segment: Segment) -> bool:
    """Return whether a quoted text is a keyword, a constant, or a name that is not compared with a secret."""
    inner = quoted[1:-1]
    if (len(inner) < _SHORTEST and not any(map(str.isalnum, inner))) or inner.lower() in CLAUSES:
        return True
    is_key = is_name_of_secret(inner) or (inner.islower() and is_sensitive(inner) and not inner[-1].isdigit())
    is_named = is_key and not (quoted[0] == "'" and _compares_secret(segment))
    return is_named or is_nothing(inner, 0, len(inner)) or _NUMBER.match(inner) is not None


def _compares_secret(segment: Segment) -> bool:
    """Return whether a segment compares a secret, so that even what is like a name is a literal."""
    return segment.compares and segment.sensitive


def unquoted_literals(segment: Segment, parts: list[Token | Group]) -> Iterator[Span]:
    """Yield the runs of literals between attributes, functions and keywords of a plan.

    Args:
        segment: A segment.
        parts: Its parts that may be literals.
    """
    run: list[Token] = []
    named = _alias_place(parts) if segment.has_id else len(parts)
    before: Token | Group | None = None
    for place, part in enumerate(parts):
        after = parts[place + 1] if place + 1 < len(parts) else None
        calls = isinstance(after, Group) and after.opener == "(" and bool(after.function) and after.start == part.end
        of_value = not run and before is not None and before.end == part.start
        before = part
        if isinstance(part, Group) or calls or place > named or _is_structure(part, segment, run, of_value=of_value):
            yield from _literal(run)
            run = []
        else:
            run.append(part)
    yield from _literal(run)


def _alias_place(parts: list[Token | Group]) -> int:
    """Return the index of the last AS: an alias may have several words."""
    places = [place for place, part in enumerate(parts) if isinstance(part, Token) and part.text.lower() == "as"]
    return places[-1] if places else len(parts)


def _literal(run: list[Token]) -> Iterator[Span]:
    """Yield the span of tokens that are a literal: with a word, and not the beginning of a date."""
    words = [token.text for token in run if token.kind == "word"]
    if words and run[-1].end - run[0].start >= _SHORTEST and not _is_date(run):
        yield run[0].start, run[-1].end


def _is_date(run: list[Token]) -> bool:
    """Return whether tokens are the beginning of a date: `2026-11-0`."""
    year, *others = [token.text for token in run]
    is_year = len(year) == 4 and year.isdigit() and year.startswith(("19", "20"))
    return is_year and len(others) > 0 and all(each == "-" or (each.isdigit() and len(each) < 3) for each in others)


def _is_structure(token: Token, segment: Segment, run: list[Token], *, of_value: bool) -> bool:
    """Return whether a token of a plan is not a part of a literal.

    Args:
        token: The token.
        segment: Its segment.
        run: The tokens of a literal before it, which it continues without a blank: `Whimbrel?1`.
        of_value: Whether it directly follows an attribute or a bracket.
    """
    text = token.text
    if token.kind in ("id", "name", "operator") or text[0] == "`" or (of_value and text[0] == "."):
        return True
    if run and run[-1].end == token.start:
        return False
    if text.lower() in _PLAN_WORDS or _NUMBER.match(text) or text.endswith("Type"):
        return True
    return text.startswith(("org.", "java.", "scala.")) or (
        is_name_of_secret(text) and _is_of_one_script(text) and not (text[0] != "." and _compares_secret(segment))
    )


def _is_of_one_script(name: str) -> bool:
    return name.isascii() or (name.isalpha() and not any(char.isascii() and char.isalpha() for char in name))


def found_again(text: str, spans: list[Span]) -> Iterator[Span]:
    """Yield further occurrences of secrets: anywhere, of plain words where they are certain to be the same literal.

    PIVOT and unnamed columns make names of literals, and the optimizer folds what named them.
    """
    values = {text[start:end].strip("'\""): end for start, end in spans}
    for value, end in sorted(values.items(), key=lambda each: (-len(each[0]), each[0]))[:_MOST_AGAIN]:
        if len(value) >= _SHORTEST_AGAIN and _NO_WORD.search(value):
            yield from ((at, at + len(value)) for at in offsets(text, value))
        elif len(value) >= _SHORTEST_AGAIN:
            yield from _word_again(text, value, end)


def _word_again(text: str, value: str, end: int) -> Iterator[Span]:
    """Yield further occurrences of a plain word.

    Args:
        text: The text.
        value: The word.
        end: The offset after its occurrence as a secret.
    """
    if f" AS {value}#" in text or "pivotfirst(" in text:
        yield from ((at, at + len(value)) for at in offsets(text, value) if _is_alone(text, at, at + len(value)))
    unnamed = f"{value} AS {value}#" in text or "pivotfirst(" in text
    if value.isalpha() and (unnamed or f"{value}#" not in text):
        line = text[end : end + _FAR].partition("\n")[0]
        ids = "|".join(sorted(set(_ALIAS.findall(line))))
        folded = _FOLDED.format(value, ids) if ids else ""
        again = [each.span() for each in re.finditer(_ARGUMENT.format(value) + folded, text)]
        yield from again if unnamed or any(text[stop : stop + 2] != ")#" for _, stop in again) else []


def _is_alone(text: str, start: int, end: int) -> bool:
    """Return whether a word is an unnamed literal, or the whole name of its attribute, or of a value of PIVOT."""
    return not text[start - 1 : start].isalnum() and _NAME.match(text, end) is not None


def is_plain_word(value: str) -> bool:
    """Return whether a value looks like an ordinary word or a number, as names and sizes do."""
    return value.isdigit() or _NO_WORD.search(value) is None
