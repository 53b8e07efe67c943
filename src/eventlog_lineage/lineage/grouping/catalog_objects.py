"""Find the names of catalogs that share a class: commands print `SparkCatalog@759564b7, ns.t`, not the catalog's name.

The hash code is the object's identity (`Object.toString`), so it identifies one catalog during an application.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.datasets.naming import SESSION_CATALOG, split_name
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.plan.summary.plan_facts import CatalogObject

from .execution_summary import ExecutionSummary
from .linked_executions import described_maintenance
from .table_uses import (
    UNKNOWN,
    TableUse,
    UseTimes,
    object_tables,
    qualified_tables,
    stored_tables_of,
    tables_through_objects,
)

_FirstUses = Mapping[str, Sequence[tuple[int, str]]]
"""Table to (execution, hash code) of its first use through each object, in order."""


def name_catalogs(
    ordered: Sequence[ExecutionSummary],
    shared: Mapping[str, Sequence[str]],
    stored_tables: Sequence[tuple[str, str]] = (),
) -> dict[str, str]:
    """Return the names of catalog objects, by hash code.

    If a plan names `ice.ns.t` and a single object has created `ns.t` so far, that object is `ice`. An object that
    creates `ns.t` cannot be a catalog that already contains it. The rest follows by elimination.

    Args:
        ordered: An application's executions, in the order of their ids.
        shared: Class to the names of its catalogs, for classes with several catalogs.
        stored_tables: (catalog, table in it) of tables that a warehouse holds now. If one catalog holds a table and one
            object names it, the object is that catalog.

    Returns:
        The objects whose names are known; those of a session are distinct.
    """
    found: dict[str, str] = {}
    for class_name, names in shared.items():
        objects = list(object_tables(ordered, class_name))
        dropped = {use.table for use in objects if use.drops}
        stored = [each for each in stored_tables if each[0] in names and each[1] not in dropped]
        named = UseTimes([*qualified_tables(ordered, names), *stored_tables_of(ordered, stored)])
        possible = _possible_names(objects, named, names)
        printed = _printed_names(ordered, class_name, names)
        found |= _assign({**possible, **printed}, _first_uses(objects), named, _sessions(objects, len(names)))
    return found


def _printed_names(ordered: Sequence[ExecutionSummary], class_name: str, names: Sequence[str]) -> dict[str, set[str]]:
    """Return the names of the objects next to which relations print them, `ice.ns.t, [id#1L], <Catalog>@hash, ns.t`.

    Args:
        ordered: An application's executions, in the order of their ids.
        class_name: The catalog class.
        names: The names of its catalogs.
    """
    facts = (fact for execution in ordered for fact in execution.summary.facts)
    return {
        fact.object_hash: {fact.catalog}
        for fact in facts
        if isinstance(fact, CatalogObject) and fact.class_name == class_name and fact.catalog in names
    }


def statement_catalogs(
    plans: Sequence[ExecutionSummary], shared: Mapping[str, Sequence[str]], known: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return (class, name) of the catalogs that a statement's plans print as objects; `UNKNOWN` for unknown names.

    Args:
        plans: The statement's executions.
        shared: Class to the names of its catalogs, for classes with several catalogs.
        known: The result of `name_catalogs`.
    """
    found: dict[str, set[str]] = {}
    for execution in plans:
        for fact in execution.summary.facts:
            if isinstance(fact, CatalogObject) and fact.class_name in shared:
                found.setdefault(fact.class_name, set()).add(known.get(fact.object_hash, UNKNOWN))
    return tuple((name, next(iter(each)) if len(each) == 1 else UNKNOWN) for name, each in sorted(found.items()))


def _possible_names(objects: Sequence[TableUse], named: UseTimes, names: Sequence[str]) -> dict[str, set[str]]:
    """Return the names that objects can have: not those of catalogs that had a table which the object creates.

    Args:
        objects: The uses of tables through objects of a class.
        named: The uses of tables by the names of the class's catalogs.
        names: The names of these catalogs.
    """
    possible = {use.catalog: set(names) for use in objects}
    drops = UseTimes(replace(use, catalog=UNKNOWN) for use in objects if use.drops)
    for created in (use for use in objects if use.creates):
        dropped = drops.last_until(UNKNOWN, created.table, created.at)
        since = 0 if dropped is None else dropped + 1
        had = {name for name in names if named.is_used(name, created.table, since, created.at)}
        possible[created.catalog] -= had
    return possible


def _first_uses(objects: Sequence[TableUse]) -> _FirstUses:
    """Return the first use of each table through each object.

    Args:
        objects: The uses of tables through objects of a class, in the order of their executions.
    """
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for use in objects:
        found[use.table].setdefault(use.catalog, use.at)
    return {table: sorted((at, each) for each, at in uses.items()) for table, uses in found.items()}


def _assign(
    possible: dict[str, set[str]], first_uses: _FirstUses, named: UseTimes, sessions: Mapping[str, str]
) -> dict[str, str]:
    """Assign names to objects until nothing more follows; a session has one object of each catalog.

    Args:
        possible: Hash code of an object to the names that it can have.
        first_uses: The result of `_first_uses`.
        named: The uses of tables by the names of the class's catalogs.
        sessions: The result of `_sessions`.
    """
    found: dict[str, str] = {}
    while True:
        taken = {(sessions[each], name) for each, name in found.items()}
        unassigned = {
            each: {name for name in names if (sessions[each], name) not in taken}
            for each, names in possible.items()
            if each not in found
        }
        candidates: dict[str, set[str]] = {each: set(names) for each, names in unassigned.items() if len(names) == 1}
        known = {each: {name} for each, name in found.items()}
        for each, names in _names_by_creation({**unassigned, **known}, first_uses, named).items():
            if each in unassigned:
                candidates.setdefault(each, set()).update(names)
        single = {each: next(iter(names)) for each, names in candidates.items() if len(names) == 1}
        in_session = Counter((sessions[each], name) for each, name in single.items())
        distinct = {each: name for each, name in single.items() if in_session[sessions[each], name] == 1}
        if not distinct:
            return found
        found |= distinct


def _sessions(objects: Sequence[TableUse], names: int) -> dict[str, str]:
    """Return the sessions of objects; one of its own, its hash code, for an object whose session is unknown.

    The application's own session may also be several: then it has more objects than the class has catalogs.

    Args:
        objects: The uses of tables through objects of a class.
        names: How many catalogs have the class.
    """
    uses: dict[str, set[str | None]] = {}
    for use in objects:
        uses.setdefault(use.catalog, set()).add(use.session)
    found = {each: next(iter(used)) if len(used) == 1 else None if None in used else "" for each, used in uses.items()}
    counts = Counter(found.values())
    return {each: each if name is None or counts[name] > names else name for each, name in found.items()}


def _names_by_creation(
    possible: Mapping[str, set[str]], first_uses: _FirstUses, named: UseTimes
) -> dict[str, set[str]]:
    """Return the possible names of objects: if one object created a table of a catalog, it is that catalog.

    Args:
        possible: Hash code of an object to the names that it can have.
        first_uses: The result of `_first_uses`.
        named: The uses of tables by the names of the class's catalogs.
    """
    found: dict[str, set[str]] = {}
    for catalog, table in named:
        creators = [(at, each) for at, each in first_uses.get(table, ()) if catalog in possible.get(each, ())]
        ends = [at for at, _ in creators[1:2]] or [sys.maxsize]  # from a second one on, either may be meant
        if creators and named.is_used(catalog, table, creators[0][0], ends[0]):
            found.setdefault(creators[0][1], set()).add(catalog)
    return found


def catalogs_of_tables(
    ordered: Sequence[ExecutionSummary], settings: CatalogSettings, known: Mapping[str, str]
) -> dict[str, set[str]]:
    """Return the catalogs in which an application names tables, also through a catalog's object.

    Args:
        ordered: The application's executions.
        settings: Its catalogs.
        known: The result of `name_catalogs`.

    Returns:
        Table within the catalog to the names of the catalogs.
    """
    names = [*(name for _, name in settings.catalogs), *(name for _, each in settings.shared for name in each)]
    found: dict[str, set[str]] = defaultdict(set)
    for use in qualified_tables(ordered, names):
        found[use.table].add(use.catalog)
    for use in tables_through_objects(ordered, dict(settings.catalogs), known):
        found[use.table].add(use.catalog)
    return found


def procedure_catalogs(
    plans: Sequence[ExecutionSummary], settings: CatalogSettings, of_tables: Callable[[], Mapping[str, set[str]]]
) -> tuple[tuple[str, str], ...]:
    """Return (package, name) of the catalogs whose procedures plans print, if several catalogs have these procedures.

    The catalog is that of the table which the procedure's executions maintain, by their descriptions; else the only one
    in which the application names the table that the procedure is called with; else its name is `UNKNOWN`. Some plans
    omit the catalog of a table that they name, as those of the session catalog do.

    Args:
        plans: A statement's executions.
        settings: The application's catalogs.
        of_tables: Returns the result of `catalogs_of_tables`, which few applications need.
    """
    every = [*((each, (name,)) for each, name in settings.catalogs), *settings.shared]
    if sum(len(names) for _, names in every) < 2:  # most applications: no need to look at all facts of their plans
        return ()
    found: dict[str, set[str]] = {}
    facts = (fact for each in plans for fact in each.summary.facts if isinstance(fact, CatalogObject))
    for called in (fact for fact in facts if not fact.object_hash):
        names = [name for word, each in every if word.startswith(f"{called.class_name}.") for name in each]
        if len(names) < 2:
            continue
        table = ".".join(split_name(called.table))
        holding = of_tables().get(table, set()).intersection(names)
        holding = holding - {SESSION_CATALOG} or holding
        described = (described_maintenance(each.description) for each in plans)
        maintained = {each.name.partition(".")[0] for each in described if each and each.name.endswith(f".{table}")}
        holding = maintained.intersection(names) or holding
        first = table.partition(".")[0]
        name = first if first in names else holding.pop() if len(holding) == 1 else UNKNOWN
        found.setdefault(called.class_name, set()).add(name)
    return tuple((package, each.pop() if len(each) == 1 else UNKNOWN) for package, each in sorted(found.items()))
