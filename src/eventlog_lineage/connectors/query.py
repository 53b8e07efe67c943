"""Read SQL that Spark sends to a database: the sources of each column, and what filters, joins, groups and sorts.

sqlglot parses it; names are resolved here, as the schemas of the tables are unknown.
"""

from __future__ import annotations

from . import sql_text
from .identify import split_table
from .query_lineage import Query


def read_query(sql: str, dialect: str = "") -> Query:
    """Read a query, or the FROM clause of one, in bounded time.

    Args:
        sql: The SQL.
        dialect: sqlglot's dialect; empty if unknown.

    >>> query = read_query("select o.id, o.amount - o.discount as net from sales.orders o where o.status = 'open'")
    >>> [(each.name, sorted(source.column for source, _ in each.uses)) for each in query.columns]
    [('id', ['id']), ('net', ['amount', 'discount'])]
    >>> [(str(each.kind), each.text) for each in query.conditions]
    [('FILTER', "o.status = 'open'")]
    """
    if not sql_text.is_bounded(sql):
        return _unparsed(sql, "it is too long or too deeply nested")
    from . import sql_scopes  # noqa: PLC0415 - sqlglot takes 100 ms, and few plans have SQL

    try:
        return sql_scopes.lineage_of(sql, dialect)
    except RecursionError:
        return _unparsed(sql, "it is too deeply nested")
    except Exception as error:
        return _unparsed(sql, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200])


def _unparsed(sql: str, why: str) -> Query:
    return Query(tables=tuple(tuple(split_table(each)) for each in sql_text.tables_in_text(sql)), unparsed=why)
