"""Read the clauses of a MERGE, as in Spark's logical plans and in commands of table formats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.grammar.attribute_ids import WORD_PATTERN, attribute_of
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, is_list, items_of, read, read_arguments
from eventlog_lineage.plan.tree.nodes import PlanNode
from eventlog_lineage.plan.unresolved.parsed_clauses import ASSIGNMENT

from .flow import Condition, Output
from .operation import Operation, Scope

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
