"""Take the columns of tables from a store, for an application that writes tables which only earlier ones list.

A night's application may write a table that an application of the night before created: the plans of the write print
only the table's object (`table_layouts`), and no plan of the application prints all columns of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from eventlog_lineage.datasets.naming import split_name
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.lineage.grouping.execution_summary import ExecutionSummary
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.plan.summary.plan_facts import PlanFact, QualifiedTable, TableColumns, TableLayout

_LEVELS = 3
"""Catalog, database and table."""


def stored_layouts(
    stored: Iterable[StoredTable], ordered: Sequence[ExecutionSummary], settings: CatalogSettings
) -> Iterator[PlanFact]:
    """Yield the columns of tables in a store that the application can name and whose columns it does not list itself.

    Args:
        stored: The tables.
        ordered: The application's executions.
        settings: The application's catalogs.
    """
    facts = [fact for each in ordered for fact in each.summary.facts]
    if not any(isinstance(fact, TableLayout) and not fact.name for fact in facts):
        return
    listed = {fact.name for fact in facts if isinstance(fact, TableLayout) and fact.name and fact.columns}
    listed |= {name.partition(".")[2] for name in listed}
    catalogs = {name for _, name in settings.catalogs} | {name for _, names in settings.shared for name in names}
    for table in stored:
        catalog, *words = split_name(table.name)
        name = ".".join(words)
        if catalog not in catalogs or len(words) != _LEVELS - 1 or name in listed:
            continue
        if table.is_complete:
            yield TableLayout(name, "", table.columns)
        else:
            yield QualifiedTable(name)
            yield TableColumns(name, table.columns)
