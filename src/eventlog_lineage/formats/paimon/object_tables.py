"""Name tables that writes print only as objects, by the columns of the tables that the application names.

An object is the connector's table in the driver's memory: plans print its class and hash code, `FileStoreTable@1f2e3d`.
All writes with one hash code are to one object, so to one table. A table has several objects: catalogs drop tables
that are not used for a while from their cache (`CachingCatalog`, Paimon 0.9: 60 seconds) and load them again. A name is
valid from the table's creation or rename to the next rename; a store has the columns of tables of earlier nights.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary
from eventlog_lineage.datasets.naming import split_name
from eventlog_lineage.extensions import find_command
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.plan.summary.plan_facts import (
    ROWS,
    CatalogObject,
    PlanFact,
    QualifiedTable,
    TableColumns,
    TableLayout,
    UnqualifiedTable,
)


def name_objects(
    ordered: Sequence[ExecutionSummary], stored: Iterable[StoredTable], settings: CatalogSettings
) -> dict[str, str]:
    """Return the names of tables by the hash codes of the objects that writes print in place of them.

    Args:
        ordered: An application's executions, in the order of their ids.
    """
    more = [*filled_layouts(ordered), *stored_layouts(stored, ordered, settings)]
    return {**tables_of_objects(ordered, more), **filled_tables(ordered)}


_Renamed = TypeVar("_Renamed")

Lifetimes = Mapping[str, tuple[int, int]]
"""A table's name to the first and the last index of the plans that can name it."""


def renamed_lifetimes(plans: Sequence[Sequence[PlanFact]]) -> dict[str, tuple[int, int]]:
    """Return the lifetimes of the old and the new names of renamed tables.

    An old name that is defined again has no end.

    Args:
        plans: The facts of an application's plans, in the order of their executions.
    """
    found: dict[str, tuple[int, int]] = {}
    for index, facts in enumerate(plans):
        for fact in facts:
            if not isinstance(fact, TableLayout) or not fact.name:
                continue
            if fact.old_name:
                begin, _ = found.get(fact.old_name, (0, 0))
                found[fact.old_name] = begin, index
                found[fact.name] = index, sys.maxsize
            elif fact.columns and fact.name in found:
                found[fact.name] = found[fact.name][0], sys.maxsize
    return found


def created_lifetimes(plans: Sequence[Sequence[PlanFact]]) -> dict[str, tuple[int, int]]:
    """Return the lifetimes of the tables that a plan creates and no earlier one names.

    A table that `IF NOT EXISTS` or `OR REPLACE` creates may have existed before.

    Args:
        plans: The facts of an application's plans, in the order of their executions.
    """
    found: dict[str, tuple[int, int]] = {}
    named: set[str] = set()
    for index, facts in enumerate(plans):
        for fact in facts:
            if isinstance(fact, CatalogObject) and fact.creates and fact.table not in named:
                found[fact.table] = index, sys.maxsize
        named |= {fact.name for fact in facts if isinstance(fact, QualifiedTable | TableLayout)}
        named |= {fact.table for fact in facts if isinstance(fact, CatalogObject)}
    return found


def existing(
    tables: Mapping[str, _Renamed], lifetimes: Lifetimes, span: tuple[int, int] | None
) -> Mapping[str, _Renamed]:
    """Return the tables whose names are valid while an object is written.

    Args:
        lifetimes: The results of `created_lifetimes` and `renamed_lifetimes`.
        span: The indexes of the first and the last plan that prints the object; None if none does.
    """
    if span is None or not lifetimes:
        return tables
    first, last = span
    always = (0, sys.maxsize)
    return {
        name: table
        for name, table in tables.items()
        if (valid := lifetimes.get(name, always))[0] <= first and last <= valid[1]
    }


_LEVELS = 3
"""Catalog, database and table."""


def _facts(executions: Iterable[ExecutionSummary]) -> list[PlanFact]:
    return [fact for each in executions for fact in each.summary.facts]


def _layouts(executions: Iterable[ExecutionSummary]) -> list[TableLayout]:
    return [fact for fact in _facts(executions) if isinstance(fact, TableLayout)]


def stored_layouts(
    stored: Iterable[StoredTable], ordered: Sequence[ExecutionSummary], settings: CatalogSettings
) -> Iterator[PlanFact]:
    """Yield the columns of a store's tables that the application can name and does not list itself."""
    layouts = _layouts(ordered)
    if all(layout.name for layout in layouts):
        return
    listed = {layout.name for layout in layouts if layout.name and layout.columns}
    listed |= {name.partition(".")[2] for name in listed}
    for name, table in _in_catalogs(stored, settings):
        if name in listed:
            continue
        if table.is_complete:
            yield TableLayout(name, "", table.columns)
        else:
            yield QualifiedTable(name)
            yield TableColumns(name, table.columns)


def _in_catalogs(stored: Iterable[StoredTable], settings: CatalogSettings) -> Iterator[tuple[str, StoredTable]]:
    """Yield the tables of the application's catalogs, by their names in these."""
    catalogs = {name for _, name in settings.catalogs}.union(*(names for _, names in settings.shared))
    for table in stored:
        catalog, *words = split_name(table.name)
        if catalog in catalogs and len(words) == _LEVELS - 1:
            yield ".".join(words), table


_SYSTEM = "$"
"""Separator in the names of system tables, `orders$snapshots`, which no statement writes."""
_KEPT_FOR = 60_000
"""How long a catalog keeps a table's object after its last use, in ms (`cache.expiration-interval`, Paimon 0.9)."""


def filled_tables(executions: Iterable[ExecutionSummary]) -> dict[str, str]:
    """Return the names of tables by the hash codes of the objects that the statements which create them fill.

    `CREATE TABLE … AS SELECT` prints the table's name, and the write that it runs prints only the table's object.
    """
    names: dict[int, str] = {}
    written: dict[int, set[str]] = {}
    for execution in executions:
        facts = execution.summary.facts
        if find_command(execution.summary.command).fills_new_table:
            listed = _created(execution)
            if len(listed) == 1:
                names[execution.execution_id] = listed.pop()
        elif execution.root is not None and execution.summary.writes_unnamed_table:
            written.setdefault(execution.root, set()).update(_objects(facts, TableLayout))
    return {
        next(iter(objects)): names[root] for root, objects in written.items() if len(objects) == 1 and root in names
    }


def filled_layouts(executions: Iterable[ExecutionSummary]) -> list[TableLayout]:
    """Return, from written rows, the columns of tables whose writes print none, `Distinct` or `Union`."""
    groups: dict[int, list[ExecutionSummary]] = {}
    for execution in executions:
        root = execution.execution_id if execution.root is None else execution.root
        groups.setdefault(root, []).append(execution)
    return list(dict.fromkeys(layout for root, group in groups.items() for layout in _filled_layouts(root, group)))


def _filled_layouts(root: int, group: Sequence[ExecutionSummary]) -> Iterator[TableLayout]:
    """Yield the written columns of the object and of the new table of a statement."""
    columns = _only_rows(_layouts(group))
    if columns is None:
        return
    objects = _objects(_facts(group), UnqualifiedTable)
    if len(objects) == 1:
        yield TableLayout("", objects.pop(), columns)
    listed = set[str]().union(*(_created(each) for each in group if each.execution_id == root))
    if len(listed) == 1:
        yield TableLayout(listed.pop(), "", columns)


def _only_rows(layouts: Sequence[TableLayout]) -> tuple[str, ...] | None:
    """Return the columns of the rows that a statement writes; None if it writes several kinds, or lists columns."""
    written = [each for each in layouts if each.object_hash.startswith(ROWS)]
    rows = {each.columns for each in written}
    lists = any(each.columns for each in layouts if each not in written)
    return rows.pop() if len(rows) == 1 and not lists else None


def _objects(facts: Iterable[PlanFact], *kinds: type[UnqualifiedTable | TableLayout]) -> set[str]:
    """Return the hash codes of the objects without a name in facts of some kinds, without those of rows."""
    objects = {fact.object_hash for fact in facts if isinstance(fact, kinds) and not fact.name}
    return {each for each in objects if not each.startswith(ROWS)}


def _created(execution: ExecutionSummary) -> set[str]:
    if not find_command(execution.summary.command).fills_new_table:
        return set()
    return {fact.name for fact in execution.summary.facts if isinstance(fact, QualifiedTable)}


@dataclass(slots=True)
class _Table:
    """A table that the application names.

    Attributes:
        layouts: Its columns, as its definitions and its relations list them.
        columns: Columns that scans list.
        changes: What the application does to its schema.
    """

    layouts: list[TableLayout] = field(default_factory=list)
    columns: set[str] = field(default_factory=set)
    changes: list[str] = field(default_factory=list)

    def define(self, layout: TableLayout, old: _Table | None) -> None:
        """Add a definition or a change; of a renamed table also the columns that it had before."""
        self.changes += layout.changes
        if old is not None:
            self.layouts += old.layouts
        if layout.columns and not any(_fits(layout, each) for each in self.layouts):
            self.layouts.append(layout)

    def add(self, other: _Table) -> None:
        """Add what is known of the table under another name."""
        self.layouts += other.layouts
        self.changes += other.changes


def tables_of_objects(ordered: Sequence[ExecutionSummary], more: Iterable[PlanFact] = ()) -> dict[str, str]:
    """Return the names of tables by the hash codes of objects that no plan prints with a name.

    Args:
        ordered: An application's executions, in the order of their ids.
        more: The results of `filled_layouts` and `stored_layouts`.

    Returns:
        Hash code to name, if exactly one table has the columns of the object, and if the writes of the object are
        consistent with one table. Empty if the application writes an object with the columns of none of
        its tables: such an application writes tables that it never names, and equal columns prove nothing.
    """
    facts = [*_facts(ordered), *more]
    plans = [each.summary.facts for each in ordered]
    objects = _unnamed_layouts(facts)
    tables = _tables(facts) if objects else {}
    if any(_is_foreign(each, tables) for object_hash, each in objects.items() if not object_hash.startswith(ROWS)):
        return {}
    found = _only_candidates(objects, tables, plans)
    altered = {each: name for each, name in found.items() if not _is_defined(objects[each], tables[name])}
    excluded = _alternating(plans, found) | _reloaded_early(ordered, found)
    excluded |= _older_than_table(ordered, found) | _older_than_change(ordered, altered)
    return {object_hash: name for object_hash, name in found.items() if object_hash not in excluded}


def _unnamed_layouts(facts: Sequence[PlanFact]) -> dict[str, TableLayout]:
    """Return the columns of objects that no plan prints with a name, by their hash codes."""
    named = {each.object_hash for each in facts if isinstance(each, QualifiedTable | TableLayout) and each.name}
    layouts = [each for each in facts if isinstance(each, TableLayout) and not each.name]
    return {each.object_hash: each for each in layouts if each.object_hash not in named}


def _only_candidates(
    objects: Mapping[str, TableLayout], tables: Mapping[str, _Table], plans: Sequence[Sequence[PlanFact]]
) -> dict[str, str]:
    """Return the only table that each object can be while it is written; nothing for an object with several.

    Args:
        tables: Name to table, of the tables that the application names.
        plans: The facts of an application's plans, in the order of their executions.
    """
    if not objects:
        return {}
    spans, lifetimes = _spans(plans), {**created_lifetimes(plans), **renamed_lifetimes(plans)}
    found = {
        object_hash: _table_of(layout, existing(tables, lifetimes, spans.get(object_hash)))
        for object_hash, layout in objects.items()
    }
    return {object_hash: name for object_hash, name in found.items() if name}


def _reloaded_early(ordered: Sequence[ExecutionSummary], found: Mapping[str, str]) -> set[str]:
    """Return the objects with the columns of one table of which one follows the other while the catalog caches it.

    The micro-batches of a stream run in a session of their own, which has its own catalogs.

    Args:
        ordered: An application's executions, in the order of their ids.
        found: Hash code to the name of the table that the object can be.
    """
    kept: dict[tuple[str, str], tuple[str, int]] = {}
    early: set[str] = set()
    for execution in ordered:
        changed = _changed(execution)
        kept = {key: each for key, each in kept.items() if key[1] not in changed} if changed else kept
        started = execution.started_at or 0
        for object_hash in sorted(_written(execution.summary.facts, found)):
            key = execution.stream_run_id, found[object_hash]
            other, used = kept.get(key, (object_hash, 0))
            if other != object_hash and started - used < _KEPT_FOR:
                early |= {object_hash, other}
            kept[key] = object_hash, started
    return early


def _changed(execution: ExecutionSummary) -> set[str]:
    """Return the tables that a statement creates and fills, alters, replaces or drops: they are loaded again."""
    facts = execution.summary.facts
    return _created(execution) | {fact.name for fact in facts if isinstance(fact, TableLayout) and fact.changes}


def _written(facts: Iterable[PlanFact], found: Mapping[str, str]) -> set[str]:
    """Return the objects without a name in a plan that can be a table.

    Args:
        found: Hash code to the name of the table that the object can be.
    """
    return {each for each in _objects(facts, UnqualifiedTable, TableLayout) if found.get(each)}


def _older_than_table(ordered: Sequence[ExecutionSummary], found: Mapping[str, str]) -> set[str]:
    """Return the objects that are written before the application creates the table that has their columns.

    Args:
        ordered: An application's executions, in the order of their ids.
        found: Hash code to the name of the table that the object can be.
    """
    mentioned: set[str] = set()
    older: set[str] = set()
    used: dict[str, set[str]] = {}
    for execution in ordered:
        facts = execution.summary.facts
        for name in _defined_names(execution) - mentioned:
            older |= used.get(name, set())
        mentioned |= {fact.name for fact in facts if isinstance(fact, QualifiedTable | TableLayout)}
        for object_hash in _written(facts, found):
            used.setdefault(found[object_hash], set()).add(object_hash)
    return older


def _defined_names(execution: ExecutionSummary) -> set[str]:
    """Return the tables that an execution creates or lists; none for one that overwrites a table."""
    if find_command(execution.summary.command).mode == "overwrite":
        return set()
    layouts = (fact for fact in _layouts([execution]) if fact.columns and not fact.object_hash)
    return _created(execution).union(fact.name for fact in layouts if fact.name)


def _older_than_change(ordered: Sequence[ExecutionSummary], altered: Mapping[str, str]) -> set[str]:
    """Return the objects that can be a table only because of its changes, and are written before the first of these.

    Args:
        ordered: An application's executions, in the order of their ids.
        altered: Hash code to the name of such a table.
    """
    changed: set[str] = set()
    older: set[str] = set()
    for execution in ordered:
        facts = execution.summary.facts
        changed |= {fact.name for fact in facts if isinstance(fact, TableLayout) and fact.changes}
        objects = {
            fact.object_hash for fact in facts if isinstance(fact, UnqualifiedTable | TableLayout) and not fact.name
        }
        older |= {each for each in objects & altered.keys() if altered[each] not in changed}
    return older


def _alternating(plans: Sequence[Sequence[PlanFact]], found: Mapping[str, str]) -> set[str]:
    """Return the objects with the columns of one table that are written alternately: they are different tables.

    Args:
        plans: The facts of an application's plans, in the order of their executions.
        found: Hash code to the name of the table that the object can be.
    """
    written = sorted((*span, object_hash) for object_hash, span in _spans(plans).items() if found.get(object_hash))
    latest: dict[str, tuple[int, str]] = {}
    alternating: set[str] = set()
    for start, end, object_hash in written:
        until, other = latest.get(found[object_hash], (-1, ""))
        if start < until:
            alternating |= {object_hash, other}
        latest[found[object_hash]] = max((until, other), (end, object_hash))
    return alternating


def _spans(plans: Sequence[Sequence[PlanFact]]) -> dict[str, tuple[int, int]]:
    """Return the indexes of the first and the last plan that prints an object without a name, by its hash code."""
    spans: dict[str, tuple[int, int]] = {}
    for index, facts in enumerate(plans):
        for object_hash in _objects(facts, UnqualifiedTable, TableLayout):
            spans[object_hash] = (spans.get(object_hash, (index,))[0], index)
    return spans


def _tables(facts: Iterable[object]) -> dict[str, _Table]:
    tables: dict[str, _Table] = {}
    partial: dict[str, set[str]] = {}
    for fact in facts:
        if isinstance(fact, QualifiedTable) and _SYSTEM not in fact.name:
            tables.setdefault(fact.name, _Table())
        elif isinstance(fact, TableColumns):
            partial.setdefault(fact.table, set()).update(fact.columns)
        elif isinstance(fact, TableLayout) and fact.name:
            tables.setdefault(fact.name, _Table()).define(fact, tables.get(fact.old_name))
    for name in [*tables]:
        if (table := tables.get(name.partition(".")[2])) is not None:
            table.add(tables.pop(name))  # a CALL names its table with the catalog
    for name, table in tables.items():
        table.columns |= partial.get(name, set())
    return tables


def _is_defined(layout: TableLayout, table: _Table) -> bool:
    """Return whether a table has the columns of an object without any change."""
    return any(_fits(each, layout) for each in table.layouts)


def _candidates(layout: TableLayout, tables: Mapping[str, _Table]) -> list[str]:
    """Return the tables that an object can be: those with its columns first.

    Args:
        tables: Name to table, of the tables that the application names.
    """
    fitting = [name for name, table in tables.items() if _is_defined(layout, table)]
    return fitting + [name for name, table in tables.items() if name not in fitting and _may_be(table, layout)]


def _is_foreign(layout: TableLayout, tables: Mapping[str, _Table]) -> bool:
    """Return whether an object differs from all tables that the application names and from what their changes allow.

    Args:
        tables: Name to table, of the tables that the application names.
    """
    altered = (each for table in tables.values() if table.changes for each in table.layouts)
    return not _candidates(layout, tables) and not any(
        each.hidden or layout.hidden or len(set(each.columns) & set(layout.columns)) > 1
        for each in altered
        if _same_kind(each, layout)
    )


def _table_of(layout: TableLayout, tables: Mapping[str, _Table]) -> str:
    """Return the only table that an object can be; empty if there are several, or one whose columns are unknown.

    Args:
        tables: Name to table, of the tables that the application names.
    """
    names = _candidates(layout, tables)
    if any(not tables[name].layouts for name in names):
        return ""
    fitting = [name for name in names if _is_defined(layout, tables[name])]
    names = fitting or names
    return names[0] if len(names) == 1 else ""


def _fits(one: TableLayout, other: TableLayout) -> bool:
    """Return whether two lists of columns may be of one table, of which Spark may have truncated either."""
    if len(one.columns) + one.hidden != len(other.columns) + other.hidden or not _same_kind(one, other):
        return False
    shared = min(len(one.columns), len(other.columns))
    return one.columns[:shared] == other.columns[:shared]


def _may_be(table: _Table, layout: TableLayout) -> bool:
    """Return whether a table may have the columns of an object after changes that the plans do not show."""
    if table.layouts:
        return any(_may_become(each, layout, table.changes) for each in table.layouts)
    return bool(layout.hidden) or table.columns <= set(layout.columns)


def _may_become(one: TableLayout, other: TableLayout, changes: list[str]) -> bool:
    """Return whether changes of a number of columns can lead from one list of columns to another.

    Args:
        changes: The classes of the changes, `RenameColumn`, one for each change.
    """
    if one.hidden or other.hidden or not _same_kind(one, other):
        return False
    count = Counter(changes)
    kept, moved = _shared(one, other), _shared(other, one)
    gone, new = len(one.columns) - len(kept), len(other.columns) - len(kept)
    renamed, dropped, added = count["RenameColumn"], count["DeleteColumn"], count["AddColumn"]
    is_ordered = kept == moved or count["UpdateColumnPosition"] > 0
    is_possible = gone <= dropped + renamed and new <= added + renamed and gone + new <= dropped + added + 2 * renamed
    return len(kept) > 1 and is_ordered and is_possible


def _shared(one: TableLayout, other: TableLayout) -> list[str]:
    return [each for each in one.columns if each in other.columns]


def _same_kind(one: TableLayout, other: TableLayout) -> bool:
    return not (one.kind and other.kind) or one.kind == other.kind
