"""Name tables that writes print only as objects, by the columns of the tables that the application names.

An object is the connector's table in the driver's memory: plans print its class and hash code, `FileStoreTable@1f2e3d`.
All writes with one hash code are to one object, so to one table. A table has several objects: catalogs drop tables
that are not used for a while from their cache (`CachingCatalog`, Paimon 0.9: 60 seconds) and load them again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.grouping.execution_summary import ExecutionSummary
from eventlog_lineage.plan.summary.plan_facts import (
    ROWS,
    PlanFact,
    QualifiedTable,
    TableColumns,
    TableLayout,
    UnqualifiedTable,
)

from .renamed_tables import created_lifetimes, existing, renamed_lifetimes

_SYSTEM = "$"
"""Separator in the names of system tables, `orders$snapshots`, which no statement writes."""
_KEPT_FOR = 60_000
"""How long a catalog keeps a table's object after its last use, in ms (`cache.expiration-interval`, Paimon 0.9)."""


def filled_tables(executions: Iterable[ExecutionSummary]) -> dict[str, str]:
    """Return the names of tables by the hash codes of the objects that the statements which create them fill.

    `CREATE TABLE … AS SELECT` prints the table's name, and the write that it runs prints only the table's object.

    Args:
        executions: Of one application attempt.
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
    """Return the columns of tables and objects whose writes print none, `Distinct` or `Union`, from the written rows.

    Args:
        executions: Of one application attempt.
    """
    groups: dict[int, list[ExecutionSummary]] = {}
    for execution in executions:
        root = execution.execution_id if execution.root is None else execution.root
        groups.setdefault(root, []).append(execution)
    found: dict[TableLayout, None] = {}
    for root, group in groups.items():
        facts = [fact for each in group for fact in each.summary.facts]
        layouts = [fact for fact in facts if isinstance(fact, TableLayout)]
        rows = {each.columns for each in layouts if each.object_hash.startswith(ROWS)}
        if len(rows) != 1 or any(each.columns and not each.object_hash.startswith(ROWS) for each in layouts):
            continue
        (columns,) = rows
        objects = _objects(facts, UnqualifiedTable)
        if len(objects) == 1:
            found[TableLayout("", objects.pop(), columns)] = None
        listed = {name for each in group if each.execution_id == root for name in _created(each)}
        if len(listed) == 1:
            found[TableLayout(listed.pop(), "", columns)] = None
    return list(found)


def _objects(facts: Iterable[PlanFact], *kinds: type[UnqualifiedTable | TableLayout]) -> set[str]:
    """Return the hash codes of the objects without a name in facts of some kinds, without those of rows."""
    objects = {fact.object_hash for fact in facts if isinstance(fact, kinds) and not fact.name}
    return {each for each in objects if not each.startswith(ROWS)}


def _created(execution: ExecutionSummary) -> set[str]:
    """Return the tables that a statement creates and fills."""
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
        is_changed: It is altered, renamed, dropped, or defined several times.
    """

    layouts: list[TableLayout] = field(default_factory=list)
    columns: set[str] = field(default_factory=set)
    changes: list[str] = field(default_factory=list)
    is_changed: bool = False


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
    plans = [each.summary.facts for each in ordered]
    facts = [*(fact for plan in plans for fact in plan), *more]
    named = {each.object_hash for each in facts if isinstance(each, QualifiedTable | TableLayout) and each.name}
    layouts = [each for each in facts if isinstance(each, TableLayout) and not each.name]
    objects = {each.object_hash: each for each in layouts if each.object_hash not in named}
    if not objects:
        return {}
    tables = _tables(facts)
    if any(_is_foreign(each, tables) for object_hash, each in objects.items() if not object_hash.startswith(ROWS)):
        return {}
    spans = _spans(plans)
    lifetimes = {**created_lifetimes(plans), **renamed_lifetimes(plans)}
    found = {
        object_hash: _table_of(layout, existing(tables, lifetimes, spans.get(object_hash)))
        for object_hash, layout in objects.items()
    }
    excluded = _alternating(plans, found) | _reloaded_early(ordered, found) | _older_than_table(ordered, found)
    altered = {
        object_hash: name
        for object_hash, name in found.items()
        if name and not any(_fits(each, objects[object_hash]) for each in tables[name].layouts)
    }
    excluded |= _older_than_change(ordered, altered)
    return {object_hash: name for object_hash, name in found.items() if name and object_hash not in excluded}


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
        facts: The plan's facts.
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
        layouts = [fact for fact in facts if isinstance(fact, TableLayout) and fact.name and not fact.object_hash]
        if find_command(execution.summary.command).mode != "overwrite":
            created = ({fact.name for fact in layouts if fact.columns} | _created(execution)) - mentioned
            older |= {object_hash for name in created for object_hash in used.get(name, ())}
        mentioned |= {fact.name for fact in facts if isinstance(fact, QualifiedTable | TableLayout)}
        for object_hash in _written(facts, found):
            used.setdefault(found[object_hash], set()).add(object_hash)
    return older


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
        older |= {each for each in objects if each in altered and altered[each] not in changed}
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
            table = tables.setdefault(fact.name, _Table())
            table.changes += fact.changes
            table.is_changed |= bool(fact.changes)
            if fact.old_name in tables:
                table.layouts += tables[fact.old_name].layouts
            if fact.columns and not any(_fits(fact, each) for each in table.layouts):
                table.is_changed |= bool(table.layouts)
                table.layouts.append(fact)
    for name in [each for each in tables if each.partition(".")[2] in tables]:
        whole, table = tables.pop(name), tables[name.partition(".")[2]]  # a CALL names its table with the catalog
        table.layouts += whole.layouts
        table.changes += whole.changes
        table.is_changed |= whole.is_changed
    for name, table in tables.items():
        table.columns |= partial.get(name, set())
    return tables


def _candidates(layout: TableLayout, tables: Mapping[str, _Table]) -> list[str]:
    """Return the tables that an object can be: those with its columns first.

    Args:
        layout: The object's columns.
        tables: Name to table, of the tables that the application names.
    """
    fitting = [name for name, table in tables.items() if any(_fits(each, layout) for each in table.layouts)]
    return fitting + [name for name, table in tables.items() if name not in fitting and _may_be(table, layout)]


def _is_foreign(layout: TableLayout, tables: Mapping[str, _Table]) -> bool:
    """Return whether an object differs from all tables that the application names and from what their changes allow.

    Args:
        layout: The object's columns.
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
        layout: The object's columns.
        tables: Name to table, of the tables that the application names.
    """
    names = _candidates(layout, tables)
    if any(not tables[name].layouts for name in names):
        return ""
    fitting = [name for name in names if any(_fits(each, layout) for each in tables[name].layouts)]
    names = fitting or names
    return names[0] if len(names) == 1 else ""


def _fits(one: TableLayout, other: TableLayout) -> bool:
    """Return whether two lists of columns may be of one table, of which Spark may have truncated either.

    Args:
        one: A list of columns.
        other: Another one.
    """
    if len(one.columns) + one.hidden != len(other.columns) + other.hidden or not _same_kind(one, other):
        return False
    shared = min(len(one.columns), len(other.columns))
    return one.columns[:shared] == other.columns[:shared]


def _may_be(table: _Table, layout: TableLayout) -> bool:
    """Return whether a table may have the columns of an object after changes that the plans do not show.

    Args:
        table: The table.
        layout: The object's columns.
    """
    if table.layouts:
        return any(_may_become(each, layout, table.changes) for each in table.layouts)
    return bool(layout.hidden) or table.columns <= set(layout.columns)


def _may_become(one: TableLayout, other: TableLayout, changes: list[str]) -> bool:
    """Return whether changes of a number of columns can lead from one list of columns to another.

    Args:
        one: The table's columns before the changes.
        other: The object's columns.
        changes: The classes of the changes, `RenameColumn`, one for each change.
    """
    if one.hidden or other.hidden or not _same_kind(one, other):
        return False
    count = Counter(changes)
    gone = [column for column in one.columns if column not in other.columns]
    new = [column for column in other.columns if column not in one.columns]
    kept = [column for column in one.columns if column in other.columns]
    moves = count["UpdateColumnPosition"] or kept == [column for column in other.columns if column in one.columns]
    renamed = count["RenameColumn"]
    return bool(
        len(kept) > 1
        and moves
        and len(gone) <= count["DeleteColumn"] + renamed
        and len(new) <= count["AddColumn"] + renamed
        and len(gone) + len(new) <= count["DeleteColumn"] + count["AddColumn"] + 2 * renamed
    )


def _same_kind(one: TableLayout, other: TableLayout) -> bool:
    return not (one.kind and other.kind) or one.kind == other.kind
