"""Recognize SQL in the description of an execution: `spark-sql`, Databricks and others describe jobs by their SQL."""

from __future__ import annotations

import re
from functools import lru_cache

_BEGINNING = 4000
_START = r"(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/|\()*"
_OBJECT = r"(?:table|view|function|database|schema|namespace)"
_SQL = re.compile(
    _START
    + r"(?:"
    + "|".join(
        (
            r"select\b(?=.*(?:\bfrom\b|[*,()'\"=0-9]))",
            r"with\s+(?:recursive\s+)?[\w`\"]+\s*(?:\([^()]*\)\s*)?as\s*\(",
            r"insert\s+(?:into|overwrite)\b",
            r"merge\s+(?:with\s+schema\s+evolution\s+)?into\b",
            r"update\s+\S+\s+(?:(?:as\s+)?\w+\s+)?set\b",
            r"delete\s+from\b",
            r"create\s+(?:or\s+\w+\s+)?(?:global\s+)?(?:temp(?:orary)?\s+)?(?:external\s+|streaming\s+|materialized\s+)?"
            + _OBJECT
            + r"\b",
            r"replace\s+table\b",
            r"(?:drop|alter)\s+" + _OBJECT + r"\b",
            r"(?:truncate|refresh|analyze|cache|cache\s+lazy|uncache)\s+table\b",
            r"from\s+[\w.`]+.*\b(?:insert|select)\b",
            r"load\s+data\s+(?:local\s+)?inpath\b",
            r"(?:copy\s+into|msck\s+repair)\b",
            r"(?:optimize|vacuum)\s+[\w`]+\.[\w`./]+",
            r"call\s+[\w.`]+\s*\(",
            r"values\s*\(",
        )
    )
    + r")",
    re.IGNORECASE | re.DOTALL,
)


def is_sql(description: str) -> bool:
    """Return whether a description is an SQL statement, and not a sentence or a call site.

    >>> is_sql("insert into daily select * from orders"), is_sql("insert at Load.scala:12"), is_sql("Select customers")
    (True, False, False)
    """
    return _begins_as_sql(description[:_BEGINNING])


@lru_cache(maxsize=1000)
def _begins_as_sql(description: str) -> bool:
    return _SQL.match(description) is not None
