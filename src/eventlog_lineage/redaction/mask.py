"""Replace secrets by a mask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

MASK = "***"

LONGEST = 4096
"""Longest secret that is found, in characters, except armoured keys."""

Span = tuple[int, int]
"""Start and end of a secret."""

_NOTHING = re.compile(
    r"(?:[\"']?(?:\*{3,64}|x{6,64}|(?i:<(?:redacted|hidden|masked)>|\[(?:redacted|hidden|masked)\]))[\"']?(?:\(redacted\)?)?(?:%2F\d{4,8}(?:%2F[\w-]{1,32}){0,3})?|[\"']?(?i:null|none|nil|true|false|undefined|yes|no)[\"']?|\"\"|''|~)$"
)
"""A mask, or a constant; in AWS texts, date and region follow the id of a key."""

_WRITTEN = re.compile(
    r"(?i:select|from [\w.\"`]{1,128}(?: \w{1,64})? where [\w.\"`]{1,128})"
    r"|(?P<names>(?:[A-Za-z_]\w{0,64}\.)?[A-Za-z_]\w{0,127}|\"[A-Za-z_]\w{0,127}\"(?:, ?\"[A-Za-z_]\w{0,127}\"){0,999})"
    r"|spark_catalog\.[\w.`]{1,256}|NamePlaceholder|<lambda>|more fields"
    r"|ExprId\(\d{1,19},[\da-f-]{36}\)?"
    r"|(?:output|functions|keys?|results?)=|(?:Batched|ReadSchema|(?:Data|Partition|Pushed)Filters):|ENSURE_REQUIREMENTS"
    r"|(?:y{2,4}|MM|dd?|HH|mm|ss|S{1,9}|E{1,4}|[-/.:, ()']){2,24}"
    r"|(?:Etc|Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[\w/+-]{1,32}"
)
"""Names of columns, and what Spark prints for names that it does not know yet, functions without one, items that it
leaves out, ids, arguments; patterns of dates, time zones, and a query that is sent to a database."""
_SHOWN = re.compile(
    r"(?<![\w.`'\"])(?:(?P<own>\w{1,128}) AS (?P=own)#|(?P<column>[A-Za-z_]\w{0,127})#\d)"
    r"|(?:\b(?i:from|join|subqueryalias)\s{1,9}|JDBCRelation\()(?:[\w.\"`]{1,128} (?:as )?)?(?P<alias>\w{1,64})"
    r"(?=[\s,)])"
    r"|if \(\([^\n#]{1,512}#\d{1,19}L? <=> (?:cast\()?(?P<pivot>\w{1,128})(?: as \w{1,64}\))?\)\)"
    r"|pivotfirst\([^\n]{1,512}?#\d{1,19}L?, (?P<pivots>\w{1,128}(?:, \w{1,128}){0,999}), 0, 0\)"
)
"""What shows that a word is a column, or the alias of a table. The columns of `x AS x#5` and of PIVOT have the names of
literals (Spark's `PivotTransformer`)."""


def masked(text: str, spans: Iterable[Span]) -> str:
    """Return a text with `***` for each span, one for spans that overlap, none for empty ones and for structure.

    Args:
        text: Any text.
        spans: The spans, in any order.

    >>> masked("password=ab", [(9, 11)])
    'password=***'
    >>> masked("a secret", [(3, 8), (0, 5), (1, 1)])
    '***'
    """
    pieces: list[str] = []
    kept = 0
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if start >= kept:
            if is_structure(text, start, end):
                continue
            pieces += (text[kept:start], MASK)
        kept = max(kept, end)
    return "".join((*pieces, text[kept:])) if pieces else text


def is_structure(text: str, start: int, end: int) -> bool:
    """Return whether a value is what Spark writes into plans, or the name of a column that the text shows elsewhere.

    >>> is_structure("(password#1 = city) [password#1, city#2]", 14, 18)
    True
    """
    if (value := _WRITTEN.fullmatch(text, start, end)) is None:
        return False
    if value["names"] is None:
        return True
    columns, aliases = _shown(text)
    names = (name.strip() for name in value["names"].replace('"', "").split(","))
    parts = ((name, *name.rpartition(".")) for name in names)
    return all(not columns.isdisjoint((name, table, column)) or table in aliases for name, table, _, column in parts)


@lru_cache(maxsize=4)
def _shown(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of the columns that a text shows, and the aliases of tables."""
    found: dict[str, set[str]] = {kind: set() for kind in _SHOWN.groupindex}
    for match in _SHOWN.finditer(text):
        found[str(match.lastgroup)].update(match[match.lastgroup or 0].split(", "))
    return frozenset(found["column"] - found["own"] - found["pivot"] - found["pivots"]), frozenset(found["alias"])


def is_nothing(text: str, start: int, end: int) -> bool:
    """Return whether a value is empty, already masked (by Spark or this program), or a constant such as null."""
    return end <= start or _NOTHING.match(text, start, end) is not None


def offsets(text: str, word: str) -> Iterator[int]:
    """Yield the offsets of a word in a text, from left to right, without overlaps."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def lowered(text: str) -> str:
    """Return a text in lower case with the same length: letters whose lower case is two letters are kept."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lower
