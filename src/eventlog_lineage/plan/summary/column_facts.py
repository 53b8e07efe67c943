"""The columns of tables that plans list.

Statements of some formats print names of attributes and no relation. Which of the names are columns follows from other
plans of the application that list the columns of the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from eventlog_lineage.attribute_patterns import ID

from .plan_facts import PlanFact, TableColumns

_NAME = re.compile(rf"(?:^|,\s?)([A-Za-z_]\w*){ID}(?=,|$)")


def attribute_names(text: str) -> list[str]:
    """Return the names in a list of attributes: `id` and `name` of `id#1L,name#2` or `id#1L, name#2`."""
    return _NAME.findall(text)


def table_columns(table: str, names: Iterable[str], *, is_complete: bool = False) -> list[PlanFact]:
    """Return the fact that a table has columns; nothing without a table or without columns.

    Args:
        table: Its name as printed.
        names: Some of its columns.
        is_complete: They are all of its columns, in the table's order.
    """
    columns = tuple(names)
    return [TableColumns(table, columns, is_complete)] if table and columns else []
