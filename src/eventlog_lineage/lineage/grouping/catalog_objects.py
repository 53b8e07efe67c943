"""Find the names of catalogs that share a class: commands print `SparkCatalog@759564b7, ns.t`, not the catalog's name.

The hash code is the object's identity (`Object.toString`), so it identifies one catalog during an application.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eventlog_lineage.datasets.naming import SESSION_CATALOG, split_name
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.plan.summary.plan_facts import CatalogObject, CatalogTable, SnapshotRef

from .execution_summary import ExecutionSummary
from .linked_executions import described_maintenance

UNKNOWN = ""
"""Name of a catalog whose name does not follow from the log."""


@dataclass(frozen=True, slots=True)
class _Use:
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
        objects = list(_object_tables(ordered, class_name))
        dropped = {use.table for use in objects if use.drops}
        stored = [each for each in stored_tables if each[0] in names and each[1] not in dropped]
        named = [*_qualified_tables(ordered, names), *_stored_tables(ordered, stored)]
        possible = {use.catalog: _possible_names(use.catalog, objects, named, names) for use in objects}
        printed = _printed_names(ordered, class_name, names)
        found |= _assign({**possible, **printed}, objects, named, _sessions(objects, len(names)))
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


def procedure_catalogs(
    plans: Sequence[ExecutionSummary],
    settings: CatalogSettings,
    ordered: Sequence[ExecutionSummary],
    known: Mapping[str, str],
) -> tuple[tuple[str, str], ...]:
    """Return (package, name) of the catalogs whose procedures plans print, if several catalogs have these procedures.

    The catalog is that of the table which the procedure's executions maintain, by their descriptions; else the only one
    in which the application names the table that the procedure is called with, also through the catalog's object; else
    its name is `UNKNOWN`. Some plans omit the catalog of a table that they name, as those of the session catalog do.

    Args:
        plans: A statement's executions.
        settings: The application's catalogs.
        ordered: The application's executions.
        known: The result of `name_catalogs`.
    """
    found: dict[str, set[str]] = {}
    facts = (fact for each in plans for fact in each.summary.facts if isinstance(fact, CatalogObject))
    for called in (fact for fact in facts if not fact.object_hash):
        classes = ((each, (name,)) for each, name in settings.catalogs)
        every = [*classes, *settings.shared]
        names = [name for word, each in every if word.startswith(f"{called.class_name}.") for name in each]
        if len(names) < 2:
            continue
        table = ".".join(split_name(called.table))
        uses = [*_qualified_tables(ordered, names), *_tables_of_objects(ordered, dict(settings.catalogs), known)]
        holding = {use.catalog for use in uses if use.table == table and use.catalog in names}
        holding = holding - {SESSION_CATALOG} or holding
        described = (described_maintenance(each.description) for each in plans)
        maintained = {each.name.partition(".")[0] for each in described if each and each.name.endswith(f".{table}")}
        holding = maintained.intersection(names) or holding
        first = table.partition(".")[0]
        name = first if first in names else holding.pop() if len(holding) == 1 else UNKNOWN
        found.setdefault(called.class_name, set()).add(name)
    return tuple((package, each.pop() if len(each) == 1 else UNKNOWN) for package, each in sorted(found.items()))


def _object_tables(ordered: Sequence[ExecutionSummary], class_name: str) -> Iterator[_Use]:
    """Yield the tables that plans name through an object of a catalog class.

    Args:
        ordered: An application's executions, in the order of their ids.
        class_name: The catalog class.
    """
    for execution in ordered:
        for fact in execution.summary.facts:
            if isinstance(fact, CatalogObject) and fact.class_name == class_name:
                session = _session(execution)
                yield _Use(execution.execution_id, fact.object_hash, fact.table, fact.creates, fact.drops, session)


def _session(execution: ExecutionSummary) -> str | None:
    """Return the session that an execution certainly runs in; None for one of several clients of a Thrift server.

    Batches of a stream run in a session of their own (`StreamExecution.sparkSessionForStream`).

    Args:
        execution: The execution.
    """
    client, _, operation = execution.operation.partition("_Operation_")
    return execution.stream_run_id or (client if operation else None if execution.is_served else "")


def _tables_of_objects(
    ordered: Sequence[ExecutionSummary], catalogs: Mapping[str, str], known: Mapping[str, str]
) -> Iterator[_Use]:
    """Yield the tables that plans name through the object of a catalog whose name is known.

    Args:
        ordered: An application's executions, in the order of their ids.
        catalogs: Class to name, of the classes with one catalog.
        known: The result of `name_catalogs`.
    """
    for execution in ordered:
        for fact in execution.summary.facts:
            if isinstance(fact, CatalogObject) and fact.object_hash:
                name = catalogs.get(fact.class_name) or known.get(fact.object_hash, UNKNOWN)
                yield _Use(execution.execution_id, name, ".".join(split_name(fact.table)))


def _qualified_tables(ordered: Sequence[ExecutionSummary], names: Sequence[str]) -> Iterator[_Use]:
    """Yield the tables that plans qualify with one of these catalog names.

    Args:
        ordered: An application's executions, in the order of their ids.
        names: The names of the catalogs of one class.
    """
    for execution in ordered:
        for fact in execution.summary.facts:
            name = fact.table.name if isinstance(fact, SnapshotRef) else ""
            words = split_name(fact.name if isinstance(fact, CatalogTable) else name)
            if len(words) > 2 and words[0] in names:
                yield _Use(execution.execution_id, words[0], ".".join(words[1:]))


def _stored_tables(ordered: Sequence[ExecutionSummary], stored: Sequence[tuple[str, str]]) -> Iterator[_Use]:
    """Yield the tables that the warehouse of a single catalog holds after the application.

    Args:
        ordered: An application's executions, in the order of their ids.
        stored: (catalog, table in it) of the tables in the catalogs' warehouses.
    """
    tables = [table for _, table in stored]
    last = ordered[-1].execution_id if ordered else 0
    yield from (_Use(last, catalog, table) for catalog, table in stored if tables.count(table) == 1)


def _possible_names(object_hash: str, objects: Sequence[_Use], named: Sequence[_Use], names: Sequence[str]) -> set[str]:
    """Return the names that an object can have: not those of catalogs that had a table which the object creates.

    Args:
        object_hash: The object's hash code.
        objects: The uses of tables through objects of its class.
        named: The uses of tables by the names of the class's catalogs.
        names: The names of these catalogs.
    """
    possible = set(names)
    for created in (use for use in objects if use.catalog == object_hash and use.creates):
        for use in named:
            if use.table == created.table and use.at < created.at and not _dropped(use, created, objects):
                possible.discard(use.catalog)
    return possible


def _dropped(use: _Use, created: _Use, objects: Sequence[_Use]) -> bool:
    """Return whether an object drops the table between its use and its creation.

    Args:
        use: The use of the table by a catalog's name.
        created: The creation of a table of the same name by an object.
        objects: The uses of tables through objects of the class.
    """
    return any(each.drops and each.table == use.table and use.at <= each.at <= created.at for each in objects)


def _assign(
    possible: dict[str, set[str]], objects: Sequence[_Use], named: Sequence[_Use], sessions: Mapping[str, str]
) -> dict[str, str]:
    """Assign names to objects until nothing more follows; a session has one object of each catalog.

    Args:
        possible: Hash code of an object to the names that it can have.
        objects: The uses of tables through objects of the class.
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
        for each, names in _names_by_creation({**unassigned, **known}, objects, named).items():
            if each in unassigned:
                candidates.setdefault(each, set()).update(names)
        single = {each: next(iter(names)) for each, names in candidates.items() if len(names) == 1}
        in_session = [(sessions[each], name) for each, name in single.items()]
        distinct = {each: name for each, name in single.items() if in_session.count((sessions[each], name)) == 1}
        if not distinct:
            return found
        found |= distinct


def _sessions(objects: Sequence[_Use], names: int) -> dict[str, str]:
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
    possible: Mapping[str, set[str]], objects: Sequence[_Use], named: Sequence[_Use]
) -> dict[str, set[str]]:
    """Return the possible names of objects: if one object created a table of a catalog, it is that catalog.

    Args:
        possible: Hash code of an object to the names that it can have.
        objects: The uses of tables through objects of the class.
        named: The uses of tables by the names of the class's catalogs.
    """
    found: dict[str, set[str]] = {}
    for use in named:
        creators = {
            each.catalog
            for each in objects
            if each.table == use.table
            and each.at <= use.at
            and each.catalog in possible
            and use.catalog in possible[each.catalog]
        }
        if len(creators) == 1:
            found.setdefault(creators.pop(), set()).add(use.catalog)
    return found
