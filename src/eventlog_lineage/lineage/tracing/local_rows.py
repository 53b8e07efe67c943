"""Rows in a plan that neither a dataset nor the text of the statement provides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.nodes import Plan, walk
from eventlog_lineage.plan.plan_text import PlanText

_INLINE = re.compile(r"SubqueryAlias[^\n]*\n[^\n]*- LocalRelation\b|InlineTable\b")
"""`VALUES … AS t(k, v)` in a logical tree: an alias right above the rows; a temporary view has a `View` between."""
_UNNAMED = re.compile(r"col\d+")
"""The columns of a `VALUES` list without names (`ResolveInlineTables`)."""


def local_rows(plan: Plan | None, texts: Iterable[PlanText]) -> tuple[str, ...]:
    """Return the names of the columns whose rows the driver program passed to a plan.

    Args:
        plan: The plan as read.
        texts: The texts of the statement's executions; their logical trees show lists of a SQL statement.
    """
    if any(_INLINE.search(text.text) for text in texts):
        return ()
    return tuple(dict.fromkeys(_names(plan)))


def _names(plan: Plan | None) -> Iterator[str]:
    for node in walk(plan.root) if plan is not None and plan.root is not None else ():
        if node.operator == "LocalTableScan" and not node.text("Arguments").startswith("<empty>"):
            names = [(read_attribute(item) or (item, -1))[0] for item in node.items("Output")]
            if not all(map(_UNNAMED.fullmatch, names)):
                yield from names


def emptied_columns(plan: Plan | None) -> frozenset[str]:
    """Return the names of the columns of relations that the optimizer proved to be empty.

    `LocalTableScan <empty>, [k#1, count#2L]` replaces `… WHERE 1 = 0` (`PropagateEmptyRelation`, 2.4 to 4.3).

    Args:
        plan: The plan as read.
    """
    names: set[str] = set()
    for node in walk(plan.root) if plan is not None and plan.root is not None else ():
        if node.operator == "LocalTableScan" and node.text("Arguments").startswith("<empty>"):
            names.update((read_attribute(item) or (item, -1))[0] for item in node.items("Output"))
    return frozenset(names)
