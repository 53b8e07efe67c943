"""Find the names of catalogs that share a class: commands print `SparkCatalog@759564b7, ns.t`, not the name.

The hash code is the object's identity (`Object.toString`), so it identifies one catalog during an application.
`ordered` is an application's executions in the order of their ids.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary
from eventlog_lineage.datasets.naming import SESSION_CATALOG, split_name
from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Dataset
from eventlog_lineage.plan.summary.plan_facts import CatalogObject, CatalogTable, SnapshotRef

UNKNOWN = ""
"""Name of a catalog whose name does not follow from the log."""


@dataclass(frozen=True, slots=True)
class TableUse:
    """A table that a plan names with its catalog, or through a catalog's object.

    Attributes:
        at: The execution's id, which grows in time.
        catalog: The catalog's name or the object's hash code.
        table: The table within the catalog: `ns.t`.
        creates: The table did not exist before.
        drops: The table does not exist after.
        session: The session, which has objects of its own: a streaming query's run, or that of a Connect client; empty
            for the application's own, None for one that the log does not name.
    """

    at: int
    catalog: str
    table: str
    creates: bool = False
    drops: bool = False
    session: str | None = ""


class UseTimes:
    """When the tables of catalogs are used: lists of executions in order, found without looking at all uses again.

    An application may write, drop and make a table again thousands of times.

    Args:
        uses: The uses, in any order.
    """

    def __init__(self, uses: Iterable[TableUse]) -> None:
        self._times: dict[tuple[str, str], list[int]] = defaultdict(list)
        for use in uses:
            self._times[use.catalog, use.table].append(use.at)
        for times in self._times.values():
            times.sort()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield the distinct pairs (catalog, table)."""
        return iter(self._times)

    def is_used(self, catalog: str, table: str, first: int, end: int) -> bool:
        """Return whether a table is used from an execution on, and before another one.

        Args:
            end: The id of the execution after the last one.
        """
        times = self._times.get((catalog, table), ())
        place = bisect_left(times, first)
        return place < len(times) and times[place] < end

    def last_until(self, catalog: str, table: str, at: int) -> int | None:
        """Return the last execution up to one that uses a table; None if none does."""
        times = self._times.get((catalog, table), ())
        place = bisect_right(times, at)
        return times[place - 1] if place else None


def object_tables(ordered: Sequence[ExecutionSummary], class_name: str) -> Iterator[TableUse]:
    """Yield the tables that plans name through an object of a catalog class."""
    for execution in ordered:
        for fact in execution.summary.facts:
            if isinstance(fact, CatalogObject) and fact.class_name == class_name:
                session = _session(execution)
                yield TableUse(execution.execution_id, fact.object_hash, fact.table, fact.creates, fact.drops, session)


def _session(execution: ExecutionSummary) -> str | None:
    """Return the session that an execution certainly runs in; None for one of several clients of a Thrift server.

    Batches of a stream run in a session of their own (`StreamExecution.sparkSessionForStream`).
    """
    client, _, operation = execution.operation.partition("_Operation_")
    return execution.stream_run_id or (client if operation else None if execution.is_served else "")


def tables_through_objects(
    ordered: Sequence[ExecutionSummary], catalogs: Mapping[str, str], known: Mapping[str, str]
) -> Iterator[TableUse]:
    """Yield the tables that plans name through the object of a catalog whose name is known."""
    for execution in ordered:
        for fact in execution.summary.facts:
            if isinstance(fact, CatalogObject) and fact.object_hash:
                name = catalogs.get(fact.class_name) or known.get(fact.object_hash, UNKNOWN)
                yield TableUse(execution.execution_id, name, ".".join(split_name(fact.table)))


def qualified_tables(ordered: Sequence[ExecutionSummary], names: Sequence[str]) -> Iterator[TableUse]:
    """Yield the tables that plans qualify with one of these catalog names."""
    for execution in ordered:
        for fact in execution.summary.facts:
            name = fact.table.name if isinstance(fact, SnapshotRef) else ""
            words = split_name(fact.name if isinstance(fact, CatalogTable) else name)
            if len(words) > 2 and words[0] in names:
                yield TableUse(execution.execution_id, words[0], ".".join(words[1:]))


def stored_tables_of(ordered: Sequence[ExecutionSummary], stored: Sequence[tuple[str, str]]) -> Iterator[TableUse]:
    """Yield the tables that the warehouse of a single catalog holds after the application."""
    tables = Counter(table for _, table in stored)
    last = ordered[-1].execution_id if ordered else 0
    yield from (TableUse(last, catalog, table) for catalog, table in stored if tables[table] == 1)


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
    """Return the names of the objects next to which relations print them, `ice.ns.t, [id#1L], <Catalog>@hash, ns.t`."""
    facts = (fact for execution in ordered for fact in execution.summary.facts)
    return {
        fact.object_hash: {fact.catalog}
        for fact in facts
        if isinstance(fact, CatalogObject) and fact.class_name == class_name and fact.catalog in names
    }


def statement_catalogs(
    plans: Sequence[ExecutionSummary], shared: Mapping[str, Sequence[str]], known: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return (class, name) of the catalogs that a statement's plans print as objects; `UNKNOWN` for unknown names."""
    found: dict[str, set[str]] = {}
    for execution in plans:
        for fact in execution.summary.facts:
            if isinstance(fact, CatalogObject) and fact.class_name in shared:
                found.setdefault(fact.class_name, set()).add(known.get(fact.object_hash, UNKNOWN))
    return tuple((name, next(iter(each)) if len(each) == 1 else UNKNOWN) for name, each in sorted(found.items()))


def _possible_names(objects: Sequence[TableUse], named: UseTimes, names: Sequence[str]) -> dict[str, set[str]]:
    """Return the names that objects can have: not those of catalogs that had a table which the object creates."""
    possible = {use.catalog: set(names) for use in objects}
    drops = UseTimes(replace(use, catalog=UNKNOWN) for use in objects if use.drops)
    for created in (use for use in objects if use.creates):
        dropped = drops.last_until(UNKNOWN, created.table, created.at)
        since = 0 if dropped is None else dropped + 1
        had = {name for name in names if named.is_used(name, created.table, since, created.at)}
        possible[created.catalog] -= had
    return possible


def _first_uses(objects: Sequence[TableUse]) -> _FirstUses:
    """Return the first use of each table through each object."""
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
    """
    found: dict[str, str] = {}
    while True:
        single = _single_names(_unassigned(possible, found, sessions), found, first_uses, named)
        in_session = Counter((sessions[each], name) for each, name in single.items())
        distinct = {each: name for each, name in single.items() if in_session[sessions[each], name] == 1}
        if not distinct:
            return found
        found |= distinct


def _unassigned(
    possible: Mapping[str, Set[str]], found: Mapping[str, str], sessions: Mapping[str, str]
) -> dict[str, set[str]]:
    """Return the objects without a name, with the names that no object of their session has."""
    taken = {(sessions[each], name) for each, name in found.items()}
    return {
        each: {name for name in names if (sessions[each], name) not in taken}
        for each, names in possible.items()
        if each not in found
    }


def _single_names(
    unassigned: Mapping[str, set[str]], found: Mapping[str, str], first_uses: _FirstUses, named: UseTimes
) -> dict[str, str]:
    """Return the objects with one possible name: the only one that is left, or that of a table it created."""
    candidates = {each: set(names) for each, names in unassigned.items() if len(names) == 1}
    known = {each: {name} for each, name in found.items()}
    for each, names in _names_by_creation({**unassigned, **known}, first_uses, named).items():
        if each in unassigned:
            candidates.setdefault(each, set()).update(names)
    return {each: next(iter(names)) for each, names in candidates.items() if len(names) == 1}


def _sessions(objects: Sequence[TableUse], names: int) -> dict[str, str]:
    """Return the sessions of objects; one of its own, its hash code, for an object whose session is unknown.

    The application's own session may also be several: then it has more objects than the class has catalogs.
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
    """Return the possible names of objects: if one object created a table of a catalog, it is that catalog."""
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

    Returns:
        Table within the catalog to the names of the catalogs.
    """
    names = [*(name for _, name in settings.catalogs), *(name for _, each in settings.shared for name in each)]
    found: dict[str, set[str]] = defaultdict(set)
    through_objects = tables_through_objects(ordered, dict(settings.catalogs), known)
    for use in chain(qualified_tables(ordered, names), through_objects):
        found[use.table].add(use.catalog)
    return found


@lru_cache(maxsize=4096)  # descriptions repeat: most name a line of a program
def described_maintenance(description: str) -> Dataset | None:
    """Return the table that an execution maintains, by its description; None for other executions."""
    for each in formats():
        if name := each.descriptions.maintained(description):
            return Dataset(name, "table", each.name)
    return None


def _catalog_of_call(
    table: str,
    names: frozenset[str],
    plans: Sequence[ExecutionSummary],
    of_tables: Callable[[], Mapping[str, set[str]]],
) -> str:
    """Return which of several catalogs a called procedure maintains a table of; `UNKNOWN` if nothing shows it."""
    first = table.partition(".")[0]
    if first in names:
        return first
    holding = of_tables().get(table, set()) & names
    holding = holding - {SESSION_CATALOG} or holding
    described = (described_maintenance(each.description) for each in plans)
    maintained = {each.name.partition(".")[0] for each in described if each and each.name.endswith(f".{table}")}
    holding = maintained & names or holding
    return next(iter(holding)) if len(holding) == 1 else UNKNOWN


def _called_procedures(plans: Sequence[ExecutionSummary]) -> Iterator[CatalogObject]:
    facts = (fact for each in plans for fact in each.summary.facts)
    return (fact for fact in facts if isinstance(fact, CatalogObject) and not fact.object_hash)


def procedure_catalogs(
    plans: Sequence[ExecutionSummary], settings: CatalogSettings, of_tables: Callable[[], Mapping[str, set[str]]]
) -> tuple[tuple[str, str], ...]:
    """Return (package, name) of the catalogs whose procedures plans print, if several catalogs have these procedures.

    The catalog is that of the table which the procedure's executions maintain, by their descriptions; else the only one
    in which the application names the table that the procedure is called with; else its name is `UNKNOWN`. Some plans
    omit the catalog of a table that they name, as those of the session catalog do.

    Args:
        of_tables: Returns the result of `catalogs_of_tables`, which few applications need.
    """
    every = [*((each, (name,)) for each, name in settings.catalogs), *settings.shared]
    if sum(len(names) for _, names in every) < 2:  # most applications: no need to look at all facts of their plans
        return ()
    found: dict[str, set[str]] = {}
    for called in _called_procedures(plans):
        of_class = (each for word, each in every if word.startswith(f"{called.class_name}."))
        names = list(chain.from_iterable(of_class))
        if len(names) < 2:
            continue
        table = ".".join(split_name(called.table))
        name = _catalog_of_call(table, frozenset(names), plans, of_tables)
        found.setdefault(called.class_name, set()).add(name)
    return tuple((package, each.pop() if len(each) == 1 else UNKNOWN) for package, each in sorted(found.items()))
