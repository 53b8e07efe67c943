"""Read SQL that Spark sends to a database: the sources of each column, and what filters, joins, groups and sorts.

sqlglot parses it; names are resolved here, as the schemas of the tables are unknown.
"""

from __future__ import annotations

import re
from itertools import accumulate

from eventlog_lineage.connectors.identify import split_table
from eventlog_lineage.connectors.query_lineage import Query

LONGEST = 100_000
"""The most characters of a query that are parsed; of a longer one only the tables are read."""

DEEPEST = 150
"""The most brackets within each other: parsing is recursive."""

_LITERAL = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_PART = r'(?:"[^"]{1,200}"|`[^`]{1,200}`|\[[^\]]{1,200}\]|[A-Za-z_][\w$]{0,200})'
_TABLE = re.compile(rf"\b(?:from|join)\s{{1,50}}({_PART}(?:\s?\.\s?{_PART}){{0,3}})", re.IGNORECASE)
_NAME = re.compile(
    rf"(?:\bwith|,)\s{{1,50}}(?:recursive\s)?({_PART})\s{{0,50}}(?:\([^()]*\)\s*)?as\s{{0,50}}\(", re.IGNORECASE
)
_KEYWORDS = frozenset("lateral unnest select values table only dual".split())
_MOST_TABLES = 100


def is_bounded(sql: str) -> bool:
    """Return whether a query is short and flat enough to be parsed."""
    if len(sql) > LONGEST:
        return False
    words = len(re.findall(r"\b(?:case|not|select)\b|[-+~](?=\s*[-+~])", sql, re.IGNORECASE))
    return nested_brackets(sql) <= DEEPEST and words <= 20 * DEEPEST


def nested_brackets(sql: str) -> int:
    """Return how many brackets of a text are within each other."""
    return max(accumulate({"(": 1, "[": 1, ")": -1, "]": -1}.get(char, 0) for char in sql), default=0)


def tables_in_text(sql: str) -> list[str]:
    """Return the tables after FROM and JOIN of a text, as written, without those of its WITH.

    >>> tables_in_text("with b as (select 1), c as (select * from a.b) select * from b join c join [x].[y z] on frob(")
    ['a.b', '[x].[y z]']
    """
    bare = _LITERAL.sub("''", sql[: 10 * LONGEST])
    defined = {name.lower() for name in _NAME.findall(bare)}
    found = dict.fromkeys(name.strip() for name in _TABLE.findall(bare))
    listed = [name for name in found if name.lower() not in defined and name.lower() not in _KEYWORDS]
    return listed[:_MOST_TABLES]


def read_query(sql: str, dialect: str = "") -> Query:
    """Read a query, or the FROM clause of one, in bounded time.

    >>> query = read_query("select o.id, o.amount - o.discount as net from sales.orders o where o.status = 'open'")
    >>> [(each.name, sorted(source.column for source, _ in each.uses)) for each in query.columns]
    [('id', ['id']), ('net', ['amount', 'discount'])]
    >>> [(str(each.kind), each.text) for each in query.conditions]
    [('FILTER', "o.status = 'open'")]
    """
    if not is_bounded(sql):
        return _unparsed(sql, "it is too long or too deeply nested")
    from . import sql_scopes  # noqa: PLC0415 - sqlglot takes 100 ms, and few plans have SQL

    try:
        return sql_scopes.lineage_of(sql, dialect)
    except RecursionError:
        return _unparsed(sql, "it is too deeply nested")
    except Exception as error:
        return _unparsed(sql, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200])


def _unparsed(sql: str, why: str) -> Query:
    return Query(tables=tuple(tuple(split_table(each)) for each in tables_in_text(sql)), unparsed=why)
