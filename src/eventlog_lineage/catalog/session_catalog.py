"""Replay an application's executions: which table a name, an object or a location means.

Plans print tables without a database, or as objects; `USE`, temporary views, renames and other plans of the application
show which ones they are. A clone prints only its target, and loads the state of its source; a view prints the first
columns of a wide table: earlier plans list columns of that table, all of them where they create it or insert rows, some
of them where they read it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary, ScannedTable, session_table_at
from eventlog_lineage.connectors.identify import COLUMNS, NAMESPACE, jdbc_catalogs
from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.naming import SESSION_CATALOG, split_name
from eventlog_lineage.extensions import Command, Query, contributions, find_command
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.operators.plan_context import NO_NAMES, TableNames
from eventlog_lineage.plan.summary import plan_facts
from eventlog_lineage.plan.summary.plan_summary import PlanSummary
from eventlog_lineage.plan.summary.scan_facts import JDBC_TABLE

from .objects import catalogs_of_tables, name_catalogs, procedure_catalogs, statement_catalogs


@dataclass(slots=True)
class _ListedColumns:
    """The columns of a table that the plans so far list.

    Attributes:
        columns: The columns since the last complete list, or since a change that is not printed.
        is_complete: Whether these are all columns.
        former: Columns that earlier complete lists have. A plan that has one may read an old version.
        has_changed: Whether earlier versions of the table may have other columns than later ones.
        newest: The newest version that a statement loads.
    """

    columns: dict[str, None] = field(default_factory=dict)
    is_complete: bool = False
    former: frozenset[str] = frozenset()
    has_changed: bool = False
    newest: int = -1

    def changed(self) -> _ListedColumns:
        """Return the columns after a change that is not printed: none of them is certain."""
        return _ListedColumns(former=self.former | self.columns.keys(), has_changed=True, newest=self.newest)

    def at_version(self, version: str) -> _ListedColumns:
        """Return the columns at a version that a statement loads: none is certain at an old one if they may change."""
        self.newest = max(self.newest, number := int(version) if version.isdecimal() else self.newest)
        is_known = number >= self.newest or (self.is_complete and not self.has_changed)
        return self if is_known else _NO_COLUMNS

    def add(self, listed: plan_facts.TableColumns) -> None:
        """Add the columns that a plan lists; an empty list means that they change."""
        self.has_changed |= not listed.columns or (self.is_complete and not self.columns.keys() >= {*listed.columns})
        if not listed.columns:
            self.former |= self.columns.keys()
            self.columns, self.is_complete = {}, False
        elif listed.is_complete:
            self.former = (self.former | self.columns.keys()) - set(listed.columns)
            self.columns, self.is_complete = dict.fromkeys(listed.columns), True
        else:
            self.columns.update(dict.fromkeys(name for name in listed.columns if name not in self.former))
            self.is_complete &= self.former.isdisjoint(listed.columns)


def _without_short_spellings(names: Collection[str], shared: Collection[str]) -> set[str]:
    """Return names without those that another one has with its catalog: `shop.orders` next to `lake.shop.orders`.

    Args:
        shared: Catalogs whose class other catalogs have, too: a name without a catalog may be another one's.
    """
    long = {name.partition(".")[2] for name in names if name.partition(".")[0] not in shared}
    return {name for name in names if name not in long}


def _scanned(location: str, known: _ListedColumns) -> ScannedTable:
    columns = tuple(known.columns)
    return ScannedTable(location, "", columns, (columns,) if known.is_complete else ())


_NO_COLUMNS = _ListedColumns()

Reference = plan_facts.UnqualifiedTable | plan_facts.SessionTable | plan_facts.ParsedRelation
"""A table that a plan prints without its database, or as an object."""


class SessionCatalog:
    """What an application's executions show of its catalogs.

    `apply` takes the executions in the order of their ids. The other methods answer when all are applied: a name means
    a table only if no later execution shows another one of that name.

    Args:
        stored_tables: (catalog, table in it) of tables that a warehouse holds.
        known_tables: The tables of the store whose writes may print an object, or none of their columns.

    Attributes:
        scanned_paths: The paths that plans read as tables.
    """

    def __init__(
        self,
        settings: CatalogSettings,
        stored_tables: Sequence[tuple[str, str]] = (),
        known_tables: Sequence[StoredTable] = (),
    ) -> None:
        self.settings = settings
        self._stored_tables = stored_tables
        self._known_tables = known_tables
        self._executions: list[ExecutionSummary] = []
        self._classes = {*dict(settings.shared), *dict(settings.catalogs)}
        self._connected = frozenset(jdbc_catalogs(dict(settings.sources)))
        self._is_served = False
        self._current = (SESSION_CATALOG, "")
        self._databases: dict[int, str] = {}
        self._temporary: frozenset[str] = frozenset()
        self._views: dict[int, frozenset[str]] = {}
        self._named: dict[str, set[str]] = {}
        self._committed: dict[str, str] = {}
        self.scanned_paths: set[str] = set()
        self._namespaces: dict[str, set[str]] = {}
        self._columns: dict[str, _ListedColumns] = {}
        self._wide: dict[tuple[str, int], list[set[str]]] = {}
        self._loaded: dict[int, dict[str, ScannedTable]] = {}
        self._viewed: dict[int, dict[str, ScannedTable]] = {}

    def apply(self, execution: ExecutionSummary) -> None:
        """Add what an execution shows."""
        at, command = execution.execution_id, find_command(execution.summary.command)
        self._executions.append(execution)
        self._is_served |= execution.is_served
        if self._temporary:
            self._views[at] = self._temporary
        if execution.commit_location and command.row_level:
            self._apply_commit(execution)
        for fact in execution.summary.facts:
            apply = _APPLIED.get(type(fact))
            if apply is not None:
                apply(self, fact, at, command)
        if self._current[1]:
            self._databases[at] = self._current[1]

    def _apply_commit(self, execution: ExecutionSummary) -> None:
        """Add the table that a plan prints as an object, and that the jobs of its UPDATE commit to.

        Hudi reads a table without commits as `EmptyRelation@40a4c41`. The table is that of the session catalog which is
        at the location by default, or else the location.
        """
        names = {fact.name for fact in execution.summary.facts if isinstance(fact, plan_facts.UnqualifiedTable)}
        if len(names) == 1:
            table = session_table_at(execution.commit_location, self.settings.managed_location)
            self._committed[names.pop()] = table or naming.path_name(execution.commit_location)

    def _apply_name(self, fact: plan_facts.QualifiedTable, _: int, __: Command) -> None:
        for key in (fact.name.rpartition(".")[2], f"@{fact.object_hash}"):
            self._named.setdefault(key, set()).add(fact.name)

    def _apply_path(self, fact: plan_facts.ScannedPath, _: int, __: Command) -> None:
        self.scanned_paths.add(fact.path)

    def _apply_database(self, fact: plan_facts.DatabaseSwitch, _: int, __: Command) -> None:
        """Change the session's catalog and database.

        `USE` is an execution, `Catalog.setCurrentDatabase` is not. Changing to another catalog resets the session
        catalog's database to the default (`CatalogManager.setCurrentCatalog`, 3.0 to 4.3).
        """
        catalog, database = self._current
        if fact.catalog and fact.catalog != catalog:
            catalog, database = fact.catalog, "`default`"
        if fact.database and catalog == SESSION_CATALOG:
            words = split_name(fact.database)
            database = _quoted(words[0]) if len(words) == 1 else ""
        self._current = catalog, database

    def _apply_view(self, fact: plan_facts.TemporaryView, _: int, __: Command) -> None:
        """Add or drop a temporary view; `Dataset.createTempView` is not an execution, so its views are unknown."""
        name = frozenset((fact.name.lower(),))
        self._temporary = self._temporary - name if fact.is_dropped else self._temporary | name

    def _apply_namespace(self, fact: plan_facts.CatalogTable, _: int, __: Command) -> None:
        catalog, *table = fact.name.split(".")
        if catalog in self._connected:
            self._namespaces.setdefault(".".join(table[:-1]), set()).add(catalog)

    def _apply_columns(self, fact: plan_facts.TableColumns, at: int, command: Command) -> None:
        """Add the columns that a plan lists; keep those of a wide table of which the SQL of a view prints some."""
        location = self._location(plan_facts.TableRef(name=fact.table))
        listed = self._columns.setdefault(location, _ListedColumns())
        if Query.SQL not in command.query:
            listed.add(fact)
        elif listed.is_complete and len(listed.columns) > len(fact.columns):
            self._viewed.setdefault(at, {})[location] = _scanned(location, listed)

    def _apply_snapshot(self, fact: plan_facts.SnapshotRef, at: int, command: Command) -> None:
        """Keep the columns of a loaded table; a change of columns that a plan does not print makes them incomplete."""
        if fact.role is plan_facts.SnapshotRole.LOADED:
            location = fact.table.location
            listed = self._columns.setdefault(location, _ListedColumns()).at_version(fact.version)
            self._loaded.setdefault(at, {})[location] = _scanned(location, listed)
        if command.schema_effect in {"changed", "dropped"}:
            location = self._location(fact.table)
            if location in self._columns:
                self._columns[location] = self._columns[location].changed()

    def _apply_wide(self, fact: plan_facts.WideRelation, _: int, __: Command) -> None:
        names = self._wide.setdefault((fact.table, len(fact.columns)), [set() for _ in fact.columns])
        for known, name in zip(names, fact.columns, strict=True):
            known.update({name} - {""})

    def _wide_tables(self, plans: Sequence[ExecutionSummary]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the wide tables whose columns the plans do not show, and all plans of the application do."""
        facts = (fact for fact in _facts(plans) if isinstance(fact, plan_facts.WideRelation))
        cut = {(fact.table, len(fact.columns)) for fact in facts if "" in fact.columns}
        known = [(table, self._wide[table, size]) for table, size in sorted(cut)]
        return tuple((table, tuple(chain(*names))) for table, names in known if all(len(each) == 1 for each in names))

    def _location(self, table: plan_facts.TableRef) -> str:
        """Return the location of a table; that of a managed table where the plan prints its name."""
        if table.location or "/" in table.name:
            return table.location or table.name
        return self.settings.managed_location(naming.table_name(table.name)) or table.name

    def resolve(self, reference: Reference, at: int, changed: Iterable[str] = ()) -> str:
        """Return the full name of the table that a plan prints; empty if the log does not show it.

        Most names that commands of the session catalog print as the user wrote them follow from the catalog's changes
        during the statement (`ExternalCatalogEvent`, 2.2+), the others from the session's database. A server has many
        sessions: then only the changes count. A system table (`orders$files`) has the name of its table.

        Args:
            at: The execution whose plan prints it; of a command that is printed again the first one.
            changed: The session catalog's tables that changed during the statement, `` `database`.`table` ``.

        Returns:
            In backquotes for names as the user wrote them; a temporary view's is its name.
        """
        name = reference.name
        if isinstance(reference, plan_facts.UnqualifiedTable):
            return self._full_name(reference)
        if isinstance(reference, plan_facts.ParsedRelation) and name.lower() in self._views.get(at, ()):
            return name
        found = {each for each in changed if split_name(each)[-1].lower() == name.lower()}
        if found:
            return f"`{SESSION_CATALOG}`.{found.pop()}" if len(found) == 1 else ""
        database = "" if self._is_served else self._databases.get(at, "")
        return f"`{SESSION_CATALOG}`.{database}.{_quoted(name)}" if database else ""

    def _full_name(self, reference: plan_facts.UnqualifiedTable) -> str:
        table, dollar, system = reference.name.partition("$")
        known = self._full_names.get(table if reference.name else f"@{reference.object_hash}", "")
        return f"{known}{dollar}{system}" if known else ""

    def table_names(self, plans: Sequence[ExecutionSummary], own: int, *, of_rows: bool = False) -> TableNames:
        """Return the full names of the tables that a statement's plans print without a database.

        Args:
            plans: The statement's plans, the root's first, and those that bind attributes of views.
            of_rows: The plans print nothing of the written table but the columns of the rows.
        """
        if not any(execution.summary.facts for execution in plans):
            return NO_NAMES
        session = tuple(dict.fromkeys((*self._written_names(plans), *self._parsed_names(plans))))
        filled = self._filled_columns(plans[0], dict(session))
        known = TableNames(session=session, filled=filled, wide=self._wide_tables(plans))
        if not self._full_names:
            return known
        names = sorted({fact.name for fact in _unqualified(plans) if fact.name})
        found = ((name, full) for name in names if (full := self._full_name(plan_facts.UnqualifiedTable(name))))
        last = _last_object(plans[:own], of_rows=of_rows)
        unnamed = self._full_names.get(f"@{last}", "")
        assumed = "" if unnamed else self._objects.get(last, "")
        return replace(known, unqualified=tuple(found), unnamed=unnamed or assumed, is_assumed=bool(assumed))

    def _filled_columns(self, root: ExecutionSummary, session: Mapping[str, str]) -> tuple[str, ...]:
        """Return the columns of the table that a statement moves files into; none unless all plans list the same.

        If no plan lists all of them, they are those that the store has of the table.
        """
        if Query.FILES not in find_command(root.summary.command).query:
            return ()
        names = [
            fact.name
            for fact in root.summary.facts
            if isinstance(fact, plan_facts.SessionTable | plan_facts.FilledTable)
        ]
        full = {session.get(_quoted(name), "") or naming.table_name(name) for name in names}
        listed = {each for name in full & self.columns.keys() for each in self.columns[name].column_lists}
        lists = listed or self._stored_columns(full)
        return lists.pop() if len(lists) == 1 else ()

    def _stored_columns(self, names: Collection[str]) -> set[tuple[str, ...]]:
        return {each.columns for each in self._known_tables if each.name in names and each.is_complete}

    def _written_names(self, plans: Sequence[ExecutionSummary]) -> Iterator[tuple[str, str]]:
        """Yield (name in backquotes, full name) of the tables that commands print as the user wrote them."""
        changed = [each for execution in plans for each in execution.changed]
        for fact in dict.fromkeys(fact for fact in _facts(plans) if isinstance(fact, plan_facts.SessionTable)):
            if full := self.resolve(fact, plans[0].execution_id, changed):
                yield _quoted(fact.name), full

    def _parsed_names(self, plans: Sequence[ExecutionSummary]) -> Iterator[tuple[str, str]]:
        """Yield (name in backquotes, full name) of the relations in parsed queries of commands."""
        for execution in plans:
            for fact in execution.summary.facts:
                if isinstance(fact, plan_facts.ParsedRelation) and (full := self.resolve(fact, execution.execution_id)):
                    yield _quoted(fact.name), full

    @cached_property
    def _full_names(self) -> Mapping[str, str]:
        """The full names of tables, by the name without the database and by `@` and an object's hash code."""
        catalogs = {name for names in dict(self.settings.shared).values() for name in names}
        spelled = {key: _without_short_spellings(names, catalogs) for key, names in self._named.items()}
        single = {key: next(iter(names)) for key, names in spelled.items() if len(names) == 1}
        return {**single, **self._committed}

    @cached_property
    def _objects(self) -> Mapping[str, str]:
        """The names of tables by the hash codes of the objects that writes print in place of them."""
        found: dict[str, str] = {}
        stored = [each for each in self._known_tables if not each.is_loaded]
        for name_objects in contributions("tables.objects"):
            found |= name_objects(self._executions, stored, self.settings)
        return found

    def copied_tables(self, members: Sequence[ExecutionSummary]) -> tuple[ScannedTable, ...]:
        """Return the tables that a clone copies, or of which the SQL of a view prints some columns.

        Args:
            members: The statement's executions, the root first.

        Returns:
            Tables by their locations, with their columns; in `column_lists` if the plans before list all of them.
        """
        is_clone = find_command(members[0].summary.command).schema_effect == "cloned"
        found: dict[str, ScannedTable] = {}
        for at in (execution.execution_id for execution in members):
            found |= {**(self._loaded.get(at, {}) if is_clone else {}), **self._viewed.get(at, {})}
        return tuple(found[name] for name in sorted(found))

    @cached_property
    def columns(self) -> Mapping[str, ScannedTable]:
        """The columns of tables, by the tables' names as printed."""
        return listed_columns(execution.summary for execution in self._executions)

    def namespaces(self, plans: Sequence[ExecutionSummary]) -> tuple[tuple[str, str], ...]:
        """Return (key, catalog) of the tables that plans print without their catalog."""
        facts = list(_facts(plans))
        tables = {fact.name for fact in facts if isinstance(fact, plan_facts.SourceTable)}
        names = {fact.name for fact in facts if isinstance(fact, plan_facts.CatalogTable)}
        known = ((each, self._catalog_with(each, names)) for each in sorted(tables))
        named = tuple((f"{NAMESPACE}{table}", catalog) for table, catalog in known if catalog)
        joined = " ".join(fact.relation for fact in facts if isinstance(fact, plan_facts.JoinedTables))
        return (*named, *self._columns_of_joins(joined)) if joined else named

    def _catalog_with(self, table: str, names: Collection[str]) -> str:
        """Return the JDBC catalog of a table that plans print without it; empty if several may have it.

        Args:
            names: The tables that the same plans name with their catalogs.
        """
        shown = [catalog for catalog in self._connected if f"{catalog}.{table}" in names]
        return shown[0] if len(shown) == 1 else self._catalog_of(table.rpartition(".")[0])

    def _catalog_of(self, namespace: str) -> str:
        """Return the only catalog with tables of a namespace, if plans name tables of each JDBC catalog; else empty."""
        found = self._namespaces.get(namespace, ())
        is_only = len(found) == 1 and self._connected <= set().union(*self._namespaces.values())
        return next(iter(found)) if is_only else ""

    def _columns_of_joins(self, joined: str) -> Iterator[tuple[str, str]]:
        """Yield (key, columns) of the tables of joins that databases make, as other plans list them."""
        for name, table in sorted(self.columns.items()):
            if name.startswith(JDBC_TABLE) and name.removeprefix(JDBC_TABLE) in joined:
                yield f"{COLUMNS}{name.removeprefix(JDBC_TABLE)}", ",".join(sorted(table.columns))

    def id_of_unnamed(self, plans: Sequence[ExecutionSummary], tables: TableNames) -> str:
        """Return the application's id if plans may contain a table or a catalog that nothing names; else empty.

        Args:
            plans: A statement's plans, and those that bind their attributes.
        """
        unnamed = any(self._is_unnamed(fact, tables) for fact in _facts(plans))
        return self.settings.application if unnamed or not all(name for _, name in self.catalogs(plans)) else ""

    def _is_unnamed(self, fact: plan_facts.PlanFact, tables: TableNames) -> bool:
        if isinstance(fact, plan_facts.CatalogObject):
            return bool(fact.object_hash) and fact.class_name not in self._classes
        if isinstance(fact, plan_facts.UnqualifiedTable):
            return bool(fact.name) and not tables.of_unqualified(fact.name)
        if isinstance(fact, plan_facts.SourceTable):
            return len(self._connected) > 1 and not self._catalog_of(fact.name.rpartition(".")[0])
        return isinstance(fact, plan_facts.UnnamedRelation)

    def catalogs(self, plans: Sequence[ExecutionSummary]) -> tuple[tuple[str, str], ...]:
        """Return (class or package, name) of the catalogs that plans print as objects or through their procedures.

        Only those of classes and procedures that several catalogs have.
        """
        shared = dict(self.settings.shared)
        objects = statement_catalogs(plans, shared, self._catalog_names) if shared else ()
        return (*objects, *procedure_catalogs(plans, self.settings, lambda: self._catalogs_of_tables))

    @cached_property
    def _catalog_names(self) -> Mapping[str, str]:
        shared = dict(self.settings.shared)
        return name_catalogs(self._executions, shared, self._stored_tables) if shared else {}

    @cached_property
    def _catalogs_of_tables(self) -> Mapping[str, set[str]]:
        return catalogs_of_tables(self._executions, self.settings, self._catalog_names)


_APPLIED: Mapping[type, Callable[[SessionCatalog, Any, int, Command], None]] = {
    plan_facts.QualifiedTable: SessionCatalog._apply_name,
    plan_facts.ScannedPath: SessionCatalog._apply_path,
    plan_facts.DatabaseSwitch: SessionCatalog._apply_database,
    plan_facts.TemporaryView: SessionCatalog._apply_view,
    plan_facts.CatalogTable: SessionCatalog._apply_namespace,
    plan_facts.TableColumns: SessionCatalog._apply_columns,
    plan_facts.SnapshotRef: SessionCatalog._apply_snapshot,
    plan_facts.WideRelation: SessionCatalog._apply_wide,
}
"""The facts that change the state, and how."""


def _last_object(plans: Sequence[ExecutionSummary], *, of_rows: bool) -> str:
    """Return the last object that plans print in place of a name: of a table, or of the rows that are written."""
    hashes = [fact.object_hash for fact in _unqualified(plans) if not fact.name]
    return next((each for each in reversed(hashes) if each.startswith(plan_facts.ROWS) == of_rows), "")


def _unqualified(plans: Iterable[ExecutionSummary]) -> Iterator[plan_facts.UnqualifiedTable]:
    return (fact for fact in _facts(plans) if isinstance(fact, plan_facts.UnqualifiedTable))


def _facts(plans: Iterable[ExecutionSummary]) -> Iterator[plan_facts.PlanFact]:
    return chain.from_iterable(execution.summary.facts for execution in plans)


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def listed_columns(summaries: Iterable[PlanSummary]) -> dict[str, ScannedTable]:
    """Return the columns of tables, by the tables' names as printed."""
    some: dict[str, dict[str, None]] = {}
    complete: dict[str, dict[tuple[str, ...], None]] = {}
    for summary in summaries:
        for fact in summary.facts:
            if isinstance(fact, plan_facts.TableColumns):
                some.setdefault(fact.table, {}).update(dict.fromkeys(fact.columns))
                if fact.is_complete:
                    complete.setdefault(fact.table, {})[fact.columns] = None
    return {name: ScannedTable(name, "", tuple(some[name]), tuple(complete.get(name, ()))) for name in some}
