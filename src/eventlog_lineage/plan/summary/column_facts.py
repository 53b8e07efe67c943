"""Record the columns of tables that plans list.

Statements of some formats print names of attributes and no relation. Other plans of the application list the columns
of the table, and so show which of the names are columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from eventlog_lineage.attribute_patterns import ID

from .plan_facts import PlanFact, TableColumns

TRUNCATED = " more fields"
"""Text in a list that Spark truncated."""

_NAME = re.compile(rf"(?:^|,\s?)([A-Za-z_]\w*){ID}(?=,|$)")


def attribute_names(text: str) -> list[str]:
    """Return the names in a list of attributes, with or without spaces after its commas.

    >>> attribute_names("id#1L,name#2"), attribute_names("id#1L, name#2")
    (['id', 'name'], ['id', 'name'])
    """
    return _NAME.findall(text)


def table_columns(table: str, names: Iterable[str], *, is_complete: bool = False) -> list[PlanFact]:
    """Return the fact that a table has certain columns; empty without a table or without columns.

    Args:
        table: The table's name as printed.
        names: Some of its columns.
        is_complete: Whether these are all columns, in the table's order.
    """
    columns = tuple(names)
    return [TableColumns(table, columns, is_complete)] if table and columns else []
