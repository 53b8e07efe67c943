"""Find the literals of a segment of a statement or a plan, and where else a text has them.

Those of a statement are quoted; those of a plan are what is neither a name nor a keyword.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from functools import partial

from .groups import CLAUSES, Group, Segment, Token
from .mask import Span, is_nothing, offsets
from .names import is_name_of_secret, is_sensitive

_DESCRIBES = frozenset("comment date timestamp timestamp_ntz timestamp_ltz interval user role relation".split())
"""Words before a quoted text that is not a secret."""
_PLAN_WORDS = frozenset(
    "AS AND OR NOT IN INSET LIKE RLIKE ILIKE REGEXP IS NULL CASE WHEN THEN ELSE END ESCAPE BETWEEN ASC DESC NULLS FIRST"
    " LAST DISTINCT ANSI LEGACY UTC as if else null true false None isnotnull isnull lambda lambdafunction distinct"
    " variable outer exists scalar-subquery subquery Subquery class specifiedwindowframe RowFrame RangeFrame"
    " windowspecdefinition scalar FILTER WHERE charTypeWriteSideCheck varcharTypeWriteSideCheck readSidePadding".split()
)
_TYPES = frozenset("binary string int bigint double float boolean date timestamp decimal smallint tinyint".split())
_NUMBER = re.compile(r"-?\d{1,3}(?:\.\d*)?$")
_DATE = re.compile(r"(?:19|20)\d\d-\d{1,2}(?:-|$)")
"""A date, or its beginning, as it may be cut."""
_LONG_NUMBER = re.compile(r"(?:0x[\da-f]{4,}|\d{4,}(?:\.\d*)?(?:L|S|Y|F|D|BD)?)$", re.IGNORECASE)
_SHORTEST = 4
"""Characters of a literal of a plan that may be a secret."""
_SHORTEST_COMPARED = 3
_SHORTEST_CODE = 2
_STRUCTURE = re.compile(
    r"\$(?:\.[\w*-]{1,64}|\[[\w'*]{1,64}\]){1,32}$|(?:19|20)\d\d-\d\d-\d\d(?:[ T][\d:.+Z]{1,32})?$"
    r"|(?:array|map|struct)<[\w<>:, ()]{1,4096}>$"
    r"|(?:[\w`]{1,64}:? (?:string|int|integer|bigint|long|double|float|boolean|date|timestamp|binary"
    r"|decimal\([\d, ]{1,8}\)|(?:array|map|struct)<[\w<>:, ()]{1,4096}>)(?:, |$)){1,256}$",
    re.IGNORECASE,
)
"""A path of JSON, a date, a type or a schema, which a statement needs to be understood."""
_QUERY = re.compile(r"\s{0,64}(?:select|with|insert|update|delete|merge|values)\s", re.IGNORECASE)
_NO_WORD = re.compile(r"\d|[a-z][A-Z]|[A-Z]{2}[a-z]|[^\w\s]")
_ARGUMENT = (
    r"(?<=[a-z0-9_]\(){0}(?=[,)]| as )|(?<=, ){0}(?=\))"
    r"|(?<=\w,){0}(?=[,)\]])|(?<=, \[){0}(?=[,\]])|(?:(?<=\[)|(?<=, )){0}(?= AS \w{{1,128}}#\d)"
)
"""A plain word as the only or the last argument of a function, as an argument of a source's filter, or as a column."""
_NAME = re.compile(r"#\d| AS [\w ]{1,128}#\d|: [a-z]{3,16}\b")
"""After the name of an attribute, in the schema of a plan as well."""
_NAME_OF_PIVOT = re.compile(r"_\w{1,128}#\d")
"""After a value in the name of one of several aggregates of PIVOT."""
_FOLDED = r"|(?<![\w.`]){0}(?![\w.`])(?=[^#\n]{{0,4096}}? AS \w{{1,128}}(?:{1})\b)"
"""A plain word in another definition of an attribute: `named_struct(password, x) AS s#1` is `[x] AS s#1` later."""
_ALIAS = re.compile(r" AS \w{1,128}(#\d{1,19})")
_SHORTEST_AGAIN = 6
_MOST_AGAIN = 1000
"""Literals of a text that are searched again; each takes time in proportion to the text."""
_FAR = 400
"""Characters between a literal and the alias of its column."""


def quoted_literals(segment: Segment, *, keys: bool, numbers: bool) -> Iterator[Span]:
    """Yield the quoted literals of a segment of a statement, and the numbers that are compared or named.

    Args:
        segment: A segment.
        keys: Whether what is like the name of a secret is one, the key of a map or an option.
        numbers: Whether a long number is a literal.
    """
    before = ""
    for token in segment.tokens:
        if token.kind == "quoted":
            is_value = before not in _DESCRIBES and not _is_plain(token.text, keys=keys, short=segment.short)
        else:
            is_value = (numbers or before == "default") and before != ":" and _is_number(token.text, segment)
        if is_value:
            yield token.start, token.end
        before = token.text.lower()


def _is_number(text: str, segment: Segment) -> bool:
    is_code = segment.short and segment.compares and text.isdigit() and len(text) >= _SHORTEST_CODE
    return is_code or _LONG_NUMBER.match(text) is not None


def _is_query(inner: str) -> bool:
    """Return whether a literal is a query without literals."""
    return _QUERY.match(inner) is not None and "'" not in inner and '"' not in inner


def _is_plain(quoted: str, *, keys: bool, short: bool) -> bool:
    """Return whether a quoted text is a keyword, a constant, or the name of a secret."""
    inner = quoted[1:-1]
    if (
        _is_query(inner)
        or _STRUCTURE.match(inner)
        or (len(inner) < _SHORTEST and not any(map(str.isalnum, inner)))
        or inner.lower() in CLAUSES
    ):
        return True
    if (keys or quoted[0] == '"') and _is_key(inner):
        return True
    return is_nothing(inner, 0, len(inner)) or (not short and _NUMBER.match(inner) is not None)


def _is_key(inner: str) -> bool:
    if is_name_of_secret(inner):
        return True
    is_joined = "-" in inner and " " not in inner
    return inner.islower() and not is_joined and is_sensitive(inner) and not inner[-1].isdigit()


def unquoted_literals(segment: Segment, parts: list[Token | Group], *, keys: bool) -> Iterator[Span]:
    """Yield the runs of literals between attributes, functions and keywords of a plan.

    Args:
        segment: A segment.
        parts: Its parts that may be literals.
        keys: Whether what is like the name of a secret is one, the key of a map or a field.
    """
    run: list[Token] = []
    compared = _SHORTEST_CODE if segment.short else _SHORTEST_COMPARED
    shortest = compared if segment.compares else _SHORTEST
    is_structure = partial(_is_structure, keys=keys, shortest=shortest)
    named = _alias_place(parts) if segment.has_id else len(parts)
    before: Token | Group | None = None
    for place, (part, after) in enumerate(zip(parts, [*parts[1:], None], strict=False)):
        of_value = not run and before is not None and before.end == part.start
        before = part
        if (
            isinstance(part, Group)
            or place > named
            or _calls(part, after)
            or is_structure(part, run, of_value=of_value)
        ):
            yield from _literal([] if _is_id(part) else run, shortest)
            run = []
        else:
            run.append(part)
    yield from _literal(run, shortest)


def _calls(part: Token | Group, after: Token | Group | None) -> bool:
    """Return whether a part is the name of a function."""
    return isinstance(after, Group) and after.opener == "(" and bool(after.function) and after.start == part.end


def _is_id(part: Token | Group) -> bool:
    """Return whether a part is an attribute's last word: `Order Id#5`."""
    return isinstance(part, Token) and part.kind == "id"


def _alias_place(parts: list[Token | Group]) -> int:
    """Return the index of the last AS: an alias may have several words."""
    places = [place for place, part in enumerate(parts) if isinstance(part, Token) and part.text.lower() == "as"]
    return places[-1] if places else len(parts)


def _literal(run: list[Token], shortest: int) -> Iterator[Span]:
    """Yield the span of tokens that are a literal: with a word, and not a date."""
    words = [token.text for token in run if token.kind == "word"]
    is_long = words and (run[-1].end - run[0].start >= _SHORTEST or max(map(len, words)) >= shortest)
    if is_long and not _DATE.match(words[0]):
        yield run[0].start, run[-1].end


def _is_structure(token: Token, run: list[Token], *, keys: bool, of_value: bool, shortest: int) -> bool:
    """Return whether a token of a plan is not a part of a literal.

    Args:
        token: The token.
        run: The tokens of a literal before it, which it continues without a blank: `Whimbrel?1`.
        keys: Whether what is like the name of a secret is one.
        of_value: Whether it directly follows an attribute or a bracket.
        shortest: The fewest characters of a literal.
    """
    text = token.text
    if token.kind in ("id", "name", "operator") or text[0] == "`" or (of_value and text[0] == "."):
        return True
    if run and run[-1].end == token.start:
        return False
    if text in _PLAN_WORDS or text.lower() in _TYPES or _is_count(text, shortest) or text.endswith("Type"):
        return True
    return text.startswith(("org.", "java.", "scala.")) or (
        (keys or text[0] == ".") and is_name_of_secret(text) and _is_of_one_script(text)
    )


def _is_count(text: str, shortest: int) -> bool:
    return _NUMBER.match(text) is not None and (shortest > _SHORTEST_CODE or len(text) < shortest)


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
            yield from (*_word_again(text, value, end), *_quoted_again(text, value))
        elif len(value) >= _SHORTEST and _NO_WORD.search(value) and not value.isdigit():
            yield from _quoted_again(text, value)


def found_in_names(text: str, spans: list[Span], groups: Iterable[tuple[int, Group]]) -> Iterator[Span]:
    """Yield the same secrets where a plan prints the expression that is an attribute's name again.

    `Results` has `max(if (a#1) x else b#2)#3 AS token#4`; `Functions` and `Aggregate Attributes` have it, too.

    Args:
        text: The plan.
        spans: The secrets, in any order.
        groups: Brackets, each with the offset of its line.
    """
    ordered = sorted(spans)
    names: dict[str, list[Span]] = {}
    for at, group in (each for each in groups if each[1].attribute and each[1].function):
        start, end = at + group.start - len(group.function), at + group.end
        inside = ordered[bisect(ordered, (start, start)) : bisect(ordered, (end, end))]
        if inside and len(names) < _MOST_AGAIN:
            names[text[start:end]] = [(first - start, last - start) for first, last in inside]
    for name, inside in names.items():
        yield from ((at + first, at + last) for at in offsets(text, name) for first, last in inside)


def _quoted_again(text: str, value: str) -> Iterator[Span]:
    return ((at, at + len(value) + 2) for at in offsets(text, f"'{value}'"))


def _at(text: str, value: str, pattern: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begins with a value: a search for the value alone takes less time."""
    matches = re.compile(pattern).match
    return filter(None, (matches(text, at) for at in offsets(text, value)))


def _word_again(text: str, value: str, end: int) -> Iterator[Span]:
    """Yield further occurrences of a plain word."""
    pivot = "pivotfirst(" in text or f"<=> {value}))" in text
    unnamed = pivot or f"{value} AS {value}#" in text
    if unnamed or f" AS {value}#" in text:
        spans = ((at, at + len(value)) for at in offsets(text, value))
        yield from (span for span in spans if _is_alone(text, *span, pivot=pivot))
    if value.isalpha() and (unnamed or f"{value}#" not in text):
        again = _arguments(text, value, text[end : end + _FAR].partition("\n")[0])
        yield from again if unnamed or any(text[stop : stop + 2] != ")#" for _, stop in again) else []


def _arguments(text: str, value: str, line: str) -> list[Span]:
    """Return where a word is an argument, a column, or in a definition of an attribute of the rest of its line."""
    ids = "|".join(sorted(set(_ALIAS.findall(line))))
    folded = _FOLDED.format(value, ids) if ids else ""
    return [each.span() for each in _at(text, value, _ARGUMENT.format(value) + folded)]


def _is_alone(text: str, start: int, end: int, *, pivot: bool) -> bool:
    """Return whether a word is an unnamed literal, or the whole name of its attribute, or of a value of PIVOT."""
    before = text[start - 1 : start]
    is_name = _NAME.match(text, end) or (pivot and _NAME_OF_PIVOT.match(text, end))
    return not before.isalnum() and before not in "._" and bool(is_name)


def is_plain_word(value: str) -> bool:
    """Return whether a value looks like an ordinary word or a number, as names and sizes do."""
    return value.isdigit() or _NO_WORD.search(value) is None
