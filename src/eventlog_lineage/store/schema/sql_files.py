"""The SQL files of `store/sql`, with the column lists that the declaration of the tables fills in."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from .ddl import column_list
from .tables import EDGE_COLUMNS, EDGE_KEY

_FOLDER = Path(__file__).parents[1] / "sql"
_PLACEHOLDER = re.compile(r"\{(\w+)(?: of (\w+))?\}")

COLUMN_LISTS = {
    "edge_columns": EDGE_COLUMNS,
    "edge_key": EDGE_KEY,
    "hop_columns": tuple(name for name in EDGE_COLUMNS if name != "target_ordinal"),
    "edge_values": tuple(name for name in EDGE_COLUMNS if name not in EDGE_KEY),
}
"""Placeholder to columns: `{edge_columns}` becomes a list of names, `{edge_columns of e}` one of `e.name`."""


@cache
def raw_sql(name: str) -> str:
    """Return the text of an SQL file as it is, with its placeholders.

    Args:
        name: The file's path below `store/sql`, without `.sql`.
    """
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def sql_text(name: str, **values: object) -> str:
    """Return the text of an SQL file with its placeholders filled.

    Args:
        name: The file's path below `store/sql`, without `.sql`.
        values: Placeholder to value. They are put into the text as they are, so they must come from the program.

    Raises:
        KeyError: The text has a placeholder without a value.
    """

    def filled(match: re.Match[str]) -> str:
        placeholder, alias = match.groups()
        columns = COLUMN_LISTS.get(placeholder)
        return column_list(columns, alias or "") if columns else str(values[placeholder])

    return _PLACEHOLDER.sub(filled, raw_sql(name))
