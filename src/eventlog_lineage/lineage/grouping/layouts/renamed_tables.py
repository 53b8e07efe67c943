"""When names of tables are valid: those that an application creates, and those that a rename makes and ends."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TypeVar

from eventlog_lineage.plan.summary.plan_facts import CatalogObject, PlanFact, QualifiedTable, TableLayout

_Table = TypeVar("_Table")

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


def existing(tables: Mapping[str, _Table], lifetimes: Lifetimes, span: tuple[int, int] | None) -> Mapping[str, _Table]:
    """Return the tables whose names are valid while an object is written.

    Args:
        tables: By name.
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
