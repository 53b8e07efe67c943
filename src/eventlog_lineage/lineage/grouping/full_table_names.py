"""Find the full names of tables that plans print without a database, from other plans, catalog events, the session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.naming import SESSION_CATALOG, split_name
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.catalog_settings import CatalogSettings, session_table_at
from eventlog_lineage.operators.plan_context import NO_NAMES, TableNames
from eventlog_lineage.plan.summary.plan_facts import (
    ROWS,
    DatabaseSwitch,
    QualifiedTable,
    ScannedPath,
    SessionTable,
    UnqualifiedTable,
)
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

from .execution_summary import ExecutionSummary


def full_names(summaries: Iterable[PlanSummary]) -> dict[str, str]:
    """Return the full names of tables, by the name without the database and by `@` and an object's hash code.

    Args:
        summaries: Of an application's plans.

    Returns:
        Only names and objects of a single table.
    """
    found: dict[str, set[str]] = {}
    for summary in summaries:
        for fact in summary.facts:
            if isinstance(fact, QualifiedTable):
                for key in (fact.name.rpartition(".")[2], f"@{fact.object_hash}"):
                    found.setdefault(key, set()).add(fact.name)
    return {key: next(iter(names)) for key, names in found.items() if len(names) == 1}


def scanned_paths(summaries: Iterable[PlanSummary]) -> frozenset[str]:
    """Return the paths that plans of an application read as tables.

    Args:
        summaries: Of its plans.
    """
    return frozenset(fact.path for summary in summaries for fact in summary.facts if isinstance(fact, ScannedPath))


def changed_tables(ordered: Iterable[ExecutionSummary], catalog_settings: CatalogSettings) -> dict[str, str]:
    """Return the tables that plans print as an object, by that object: those which the jobs of an UPDATE commit to.

    Hudi reads a table without commits as `EmptyRelation@40a4c41`.

    Args:
        ordered: The executions of an application.
        catalog_settings: Its settings.

    Returns:
        Object to full name, the location if no table of the session catalog has it by default.
    """
    found = {}
    for execution in ordered:
        if execution.commit_location and find_command(execution.summary.command).row_level:
            names = {fact.name for fact in execution.summary.facts if isinstance(fact, UnqualifiedTable)}
            if len(names) == 1:
                table = session_table_at(execution.commit_location, catalog_settings.managed_location)
                found[names.pop()] = table or naming.path_name(execution.commit_location)
    return found


def unqualified_tables(
    summaries: Iterable[PlanSummary],
    known: Mapping[str, str],
    assumed: Mapping[str, str] = MappingProxyType({}),
    *,
    own: int | None = None,
    of_rows: bool = False,
) -> TableNames:
    """Return the full names of the tables that a statement's plans print without a database.

    A system table (`orders$files`) has the name of its table.

    Args:
        summaries: Of the statement's plans.
        known: The result of `full_names`.
        assumed: The result of `layouts.table_layouts.tables_of_objects`.
        own: The number of plans that are the statement's, the first ones; the others bind attributes of views. All of
            them if None.
        of_rows: The plans print nothing of the written table but the columns of the rows.
    """
    if not known:
        return NO_NAMES
    plans = [[fact for fact in summary.facts if isinstance(fact, UnqualifiedTable)] for summary in summaries]
    facts = [fact for plan in plans for fact in plan]
    names = sorted({fact.name for fact in facts if fact.name})
    parts = ((name, *name.partition("$")) for name in names)
    unqualified = tuple(
        (name, f"{known[table]}{dollar}{system}") for name, table, dollar, system in parts if table in known
    )
    objects = [fact.object_hash for plan in plans[:own] for fact in plan if not fact.name]
    objects = [each for each in objects if each.startswith(ROWS) == of_rows]
    unnamed = known.get(f"@{objects[-1]}", "") if objects else ""
    if objects and not unnamed and (name := assumed.get(objects[-1], "")):
        return TableNames(unqualified, unnamed=name, is_assumed=True)
    return TableNames(unqualified, unnamed=unnamed)


def session_tables(plans: Sequence[ExecutionSummary], databases: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
    """Return the full names of the tables that commands of the session catalog print as the user wrote them.

    Most follow from the catalog's changes during the statement (`ExternalCatalogEvent`, 2.2+), the others from the
    session's database. A name with neither is omitted.

    Args:
        plans: A statement's executions, the root first; a command may be printed again when its result is collected.
        databases: The result of `databases_of`.

    Returns:
        (name in backquotes, full name).
    """
    printed = dict.fromkeys(
        fact.name for execution in plans for fact in execution.summary.facts if isinstance(fact, SessionTable)
    )
    found = []
    for name in printed:
        changed = {
            each for execution in plans for each in execution.changed if split_name(each)[-1].lower() == name.lower()
        }
        database = databases.get(plans[0].execution_id, "")
        quoted = f"`{name.replace('`', '``')}`"
        if len(changed) == 1:
            found.append((quoted, f"`{SESSION_CATALOG}`.{changed.pop()}"))
        elif database and not changed:
            found.append((quoted, f"`{SESSION_CATALOG}`.{database}.{quoted}"))
    return tuple(found)


def databases_of(ordered: Sequence[ExecutionSummary]) -> dict[int, str]:
    """Return the session catalog's current database, in backquotes, by execution id.

    `USE` is an execution, `Catalog.setCurrentDatabase` is not. Changing to another catalog resets the session catalog's
    database to the default (`CatalogManager.setCurrentCatalog`, 3.0 to 4.3). A server has many sessions.

    Args:
        ordered: All executions of one application attempt, in the order of their ids.

    Returns:
        Only executions after a change of the database; nothing for an application with several sessions.
    """
    if any(execution.is_served for execution in ordered):
        return {}
    found: dict[int, str] = {}
    catalog, database = SESSION_CATALOG, ""
    for execution in ordered:
        for fact in execution.summary.facts:
            if not isinstance(fact, DatabaseSwitch):
                continue
            if fact.catalog and fact.catalog != catalog:
                catalog, database = fact.catalog, "`default`"
            if fact.database and catalog == SESSION_CATALOG:
                words = split_name(fact.database)
                database = f"`{words[0].replace('`', '``')}`" if len(words) == 1 else ""
        if database:
            found[execution.execution_id] = database
    return found
