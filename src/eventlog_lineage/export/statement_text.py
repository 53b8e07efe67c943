"""Statements whose description is their SQL: the Thrift server's, spark-sql's."""

from __future__ import annotations

import re

_LOOKED_AT = 2000
"""Characters that distinguish SQL from a job description."""

_SQL = re.compile(
    r"""(?: insert\s+(?:into|overwrite)\s
          | merge\s+(?:with\s+schema\s+evolution\s+)?into\s
          | update\s+\S+\s+(?:\w+\s+)?set\s
          | delete\s+from\s
          | select\s.+\sfrom\s
          | with\s+[\w`]+\s*(?:\([^)]*\)\s*)?as\s*\(
          | from\s+\S+\s.*\b(?:insert|select)\s
          | (?:create|replace)\s+(?:or\s+replace\s+)?(?:(?:global\s+)?temp(?:orary)?\s+|external\s+)?(?:table|view)\s
          | (?:alter|drop|truncate)\s+(?:table|view)\s
          | load\s+data\s
          | call\s+[\w.`]+\s*\(
        )""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)


def sql_text(description: str | None) -> str:
    """Return a description that is SQL; empty for a job description or a call site."""
    text = (description or "").strip()
    return text if _SQL.match(text, 0, _LOOKED_AT) else ""
