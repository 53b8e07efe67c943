"""The values that row-level commands and the clauses of a MERGE assign to columns, without unchanged values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.derivations.derivation import any_of
from eventlog_lineage.operators.flow import Condition, Output
from eventlog_lineage.operators.operation import Operation, Scope
from eventlog_lineage.plan.grammar.attribute_ids import WORD_PATTERN, attribute_of
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, is_list, items_of, read, read_arguments
from eventlog_lineage.plan.tree.nodes import PlanNode
from eventlog_lineage.plan.unresolved.parsed_clauses import ASSIGNMENT

_REWRITTEN = frozenset({"__row_operation", "__row_id", "__row_from_source", "__row_from_target", "_metadata"})
"""Columns that Spark's row-level rewrites (3.5+) add to those of a table."""


@cache
def row_columns() -> frozenset[str]:
    """Return the columns that row-level rewrites of Spark and of table formats add to a table's."""
    return _REWRITTEN.union(*(each.columns.of_rows for each in formats()))


def assigned(outputs: Iterable[Output], target: str) -> tuple[Output, ...]:
    """Return the columns that a row-level command assigns, each with the combination of its values.

    Args:
        outputs: The values of columns, one output per value, in the order of the columns; names can repeat.
        target: The dataset that is changed: a value that a row keeps is not an assignment.

    Returns:
        One output per assigned column, in the order of their first values.
    """
    values: dict[str, list[Output]] = {}
    for output in outputs:
        if output.name not in row_columns() and not is_unchanged(output, target):
            values.setdefault(output.name, []).append(output)
    return tuple(
        Output(name, found[0].expr_id, any_of([each.derivation for each in found])) for name, found in values.items()
    )


def is_unchanged(output: Output, target: str) -> bool:
    """Return whether an output is the row's own value, unchanged."""
    sources = output.derivation.sources
    return len(sources) == 1 and any(
        origin.dataset == target and origin.column.lower() == output.name.lower() and kind is Transformation.IDENTITY
        for origin, kind in sources
    )


_ACTION = re.compile(r"^(\w+)action(?:star)?\((.*)\)$", re.DOTALL)
_ASSIGNED = re.compile(rf"\bassignment\(([A-Za-z_]\w*)#({NUMBER})L?,")
_CONDITION = re.compile(r"^Some\((.*)\)$", re.DOTALL)


def clauses(op: Operation, parts: Iterable[str], scope: Scope) -> tuple[list[Condition], list[Output]]:
    """Return the clauses of `[updateaction(Some((a#1 < 1)), assignment(b#2, c#3), …)], [insertaction(…)]`.

    Source: `MergeAction.simpleString` in Catalyst, 3.2 to 4.x.

    Args:
        parts: Its arguments; those that are not lists of actions are ignored.

    Returns:
        The conditions, and per assignment an output with name and id of the target's attribute.
    """
    conditions: list[Condition] = []
    values: list[Output] = []
    for part in parts:
        for action in items_of(part) if is_list(part) else ():
            found = _ACTION.match(action)
            for item in op.complete(read(EXPRESSIONS, found[2]), "assignments of a clause") if found else ():
                if condition := _CONDITION.match(item):
                    conditions.append(Condition(op.bind(condition[1], scope), Transformation.FILTER))
                elif assignment := ASSIGNMENT.match(item):
                    name, value = [*read_arguments(assignment[1]), ""][:2]
                    values.append(Output(*(attribute_of(name)), op.bind(value, scope)))
    return conditions, values


def source_attributes(command: PlanNode) -> list[tuple[str, int]]:
    """Return the attributes that are certainly a MERGE's source's: not assigned, and with a unique name."""
    text = command.text("Arguments")
    own = {int(expr_id) for _, expr_id in _ASSIGNED.findall(text)}
    others = {(name, int(expr_id)) for name, expr_id in WORD_PATTERN.findall(text) if int(expr_id) not in own}
    names = Counter(name for name, _ in others)
    return sorted(each for each in others if names[each[0]] == 1)
