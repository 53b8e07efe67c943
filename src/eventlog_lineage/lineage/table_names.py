"""Tables that some plans print without their database, and others of the application with it: Paimon's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..plan.heads import PlanHead
from ..plan.paimon_marks import WITHOUT_NAME


def full_names(heads: Iterable[PlanHead]) -> dict[str, str]:
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


def bare_tables(heads: Iterable[PlanHead], known: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
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
