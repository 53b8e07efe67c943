"""Find the columns of the tables that clones copy, and of wide tables in the queries of views.

A clone prints only its target, and loads the state of its source; a view prints the first columns of a wide table.
Earlier plans of the application list columns of that table: all of them where they create it or insert rows, some of
them where they read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.lineage.statement import ScannedTable
from eventlog_lineage.plan.summary.plan_facts import PlanFact, SnapshotRef, SnapshotRole, TableColumns, TableRef

from .execution_summary import ExecutionSummary


@dataclass(slots=True)
class _ListedColumns:
    """The columns of a table that the plans so far list.

    Attributes:
        columns: The columns since the last complete list, or since a change that is not printed.
        is_complete: Whether these are all columns.
        former: Columns that earlier complete lists have. A plan that has one may read an old version.
    """

    columns: dict[str, None] = field(default_factory=dict)
    is_complete: bool = False
    former: frozenset[str] = frozenset()

    def changed(self) -> _ListedColumns:
        """Return the columns after a change that is not printed: none of them is certain."""
        return _ListedColumns(former=self.former | self.columns.keys())

    def add(self, listed: TableColumns) -> None:
        """Add the columns that a plan lists; an empty list means that they change."""
        if not listed.columns:
            self.former |= self.columns.keys()
            self.columns, self.is_complete = {}, False
        elif listed.is_complete:
            self.former = (self.former | self.columns.keys()) - set(listed.columns)
            self.columns, self.is_complete = dict.fromkeys(listed.columns), True
        else:
            self.columns.update(dict.fromkeys(name for name in listed.columns if name not in self.former))
            self.is_complete &= self.former.isdisjoint(listed.columns)


def copied_tables(
    roots: Mapping[int, int], ordered: Sequence[ExecutionSummary], catalog_settings: CatalogSettings
) -> dict[int, tuple[ScannedTable, ...]]:
    """Return the tables that clones copy, and those that views read, by the root executions.

    Args:
        roots: Execution id to the root execution's id.
        ordered: The application's executions, in their order.
        catalog_settings: The settings that their plans are read with.

    Returns:
        Tables by their locations, with their columns; in `column_lists` if the plans before the clone list all of them.
    """
    clones = {each.execution_id for each in ordered if find_command(each.summary.command).copies_table}
    views = {each.execution_id for each in ordered if find_command(each.summary.command).query_as_sql}
    if not clones and not views:
        return {}
    known: dict[str, _ListedColumns] = {}
    found: dict[int, dict[str, ScannedTable]] = {}
    for execution in ordered:
        root = roots[execution.execution_id]
        for fact in execution.summary.facts:
            if root in clones and isinstance(fact, SnapshotRef) and fact.role is SnapshotRole.LOADED:
                location = fact.table.location
                found.setdefault(root, {})[location] = _scanned(location, known.get(location, _ListedColumns()))
            elif execution.execution_id in views and isinstance(fact, TableColumns):
                location = _location(TableRef(name=fact.table), catalog_settings)
                listed = known.get(location, _ListedColumns())
                if listed.is_complete and len(listed.columns) > len(fact.columns):
                    found.setdefault(root, {})[location] = _scanned(location, listed)
            else:
                _add(known, fact, execution.summary.command, catalog_settings)
    return {root: tuple(tables[name] for name in sorted(tables)) for root, tables in found.items()}


def _scanned(location: str, known: _ListedColumns) -> ScannedTable:
    columns = tuple(known.columns)
    return ScannedTable(location, "", columns, (columns,) if known.is_complete else ())


def _add(known: dict[str, _ListedColumns], fact: PlanFact, command: str, catalog_settings: CatalogSettings) -> None:
    """Add the columns that a plan lists; a change of the columns that it does not print makes them incomplete.

    Args:
        known: Table to its columns; updated.
        fact: A fact of a plan.
        command: The plan's command.
        catalog_settings: The settings that the plan is read with.
    """
    if isinstance(fact, TableColumns):
        known.setdefault(_location(TableRef(name=fact.table), catalog_settings), _ListedColumns()).add(fact)
    elif isinstance(fact, SnapshotRef) and find_command(command).schema in {"changed", "dropped"}:
        location = _location(fact.table, catalog_settings)
        if location in known:
            known[location] = known[location].changed()


def _location(table: TableRef, catalog_settings: CatalogSettings) -> str:
    """Return the location of a table; that of a managed table where the plan prints its name.

    Args:
        table: The table as a plan prints it.
        catalog_settings: The settings that the plan is read with.
    """
    if table.location or "/" in table.name:
        return table.location or table.name
    return catalog_settings.managed_location(naming.table_name(table.name)) or table.name
