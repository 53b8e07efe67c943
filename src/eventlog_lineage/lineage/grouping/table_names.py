"""Tables that some plans print without their database: Paimon's, and those of the session catalog's commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from eventlog_lineage.datasets.naming import SESSION_CATALOG, split_name
from eventlog_lineage.plan.paimon_marks import WITHOUT_NAME
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

from .execution_summary import ExecutionSummary


def full_names(heads: Iterable[PlanSummary]) -> dict[str, str]:
    """Bare name, or an object's hash code, to the name with its database; those that only one table has.

    Args:
        heads: Of an application's plans.
    """
    found: dict[str, set[str]] = {}
    for head in heads:
        for mark in head.snapshots:
            if mark.role == "known":
                for key in (mark.place.rpartition(".")[2], f"@{mark.version}"):
                    found.setdefault(key, set()).add(mark.place)
    return {key: next(iter(names)) for key, names in found.items() if len(names) == 1}


def bare_tables(heads: Iterable[PlanSummary], known: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The bare names in a statement's plans, with the full ones; those of system tables (`orders$files`), too.

    Args:
        heads: Of the statement's plans.
        known: What `full_names` gives.
    """
    if not known:
        return ()
    marks = [mark for head in heads for mark in head.snapshots if mark.role == "bare"]
    keys = {mark.place: f"@{mark.version}" if mark.place == WITHOUT_NAME else mark.place for mark in marks}
    found = ((name, *key.partition("$")) for name, key in sorted(keys.items()))
    return tuple((name, f"{known[table]}{dollar}{system}") for name, table, dollar, system in found if table in known)


def typed_tables(plans: Sequence[ExecutionSummary], databases: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
    """The names that the session catalog's commands print as the user wrote them, quoted, with the full ones.

    What the catalog says that it changed meanwhile tells most (`ExternalCatalogEvent`, 2.2+), the session's database
    the rest; a name that neither tells is left out.

    Args:
        plans: A statement's executions, the root first; a command may be printed again when its result is collected.
        databases: What `databases_of` gives.
    """
    typed = dict.fromkeys(mark.place for run in plans for mark in run.head.snapshots if mark.role == "typed")
    found = []
    for name in typed:
        changed = {each for run in plans for each in run.changed if split_name(each)[-1].lower() == name.lower()}
        database = databases.get(plans[0].execution_id, "")
        quoted = f"`{name.replace('`', '``')}`"
        if len(changed) == 1:
            found.append((quoted, f"`{SESSION_CATALOG}`.{changed.pop()}"))
        elif database and not changed:
            found.append((quoted, f"`{SESSION_CATALOG}`.{database}.{quoted}"))
    return tuple(found)


def databases_of(ordered: Sequence[ExecutionSummary]) -> dict[int, str]:
    """Execution id to the session catalog's database at that time, quoted; where the executions tell it.

    `USE` is an execution, `Catalog.setCurrentDatabase` none. Another catalog takes the session catalog's database back
    to the default (`CatalogManager.setCurrentCatalog`, 3.0 to 4.3). A server has many sessions.

    Args:
        ordered: All executions of one application attempt, in the order of their ids.
    """
    if any(run.is_served for run in ordered):
        return {}
    found: dict[int, str] = {}
    catalog, database = SESSION_CATALOG, ""
    for run in ordered:
        for mark in run.head.snapshots:
            if mark.role != "use":
                continue
            if mark.place and mark.place != catalog:
                catalog, database = mark.place, "`default`"
            if mark.version and catalog == SESSION_CATALOG:
                words = split_name(mark.version)
                database = f"`{words[0].replace('`', '``')}`" if len(words) == 1 else ""
        if database:
            found[run.execution_id] = database
    return found
