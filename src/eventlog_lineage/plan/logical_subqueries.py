"""Find subqueries in logical trees: `k#146 IN (list#191 [])`, with the plan two levels below its operator.

Source: `SubqueryExpression.toString` and `QueryPlan.innerChildren` of Spark 3.0 to 4.3. Physical plans have a section
per subquery.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eventlog_lineage.extensions import find_command
from eventlog_lineage.plan.expressions.attribute_ids import LOGICAL_SUBQUERY
from eventlog_lineage.plan.formatted.outline import TreeLine

from .nodes import Field, PlanNode, Subquery

_RESULT = re.compile(rf"(?<![\w.])({LOGICAL_SUBQUERY}) \[")
_INNER = 6
"""Inner plans are printed two levels below their operator, three columns each."""


def subqueries_of(
    lines: Sequence[TreeLine], at: int, children: Sequence[int], fields: dict[str, Field]
) -> list[tuple[int, str, int]]:
    """Return the subqueries among an operator's children.

    Args:
        lines: The tree.
        at: The operator's index.
        children: The indexes of its children; unchanged.
        fields: Its details.

    Returns:
        (id, expression, index) of each, in the order in which the operator's expressions name them.
    """
    arguments = fields.get("Arguments")
    if arguments is None or "#" not in arguments.text:
        return []
    if find_command(lines[at].label.partition(" ")[0]).target_is_child:
        return []  # it does not print the plans of the subqueries in its arguments
    inner = [child for child in children if lines[child].column >= lines[at].column + _INNER]
    named = list(dict.fromkeys(_RESULT.findall(arguments.text))) if inner else []
    return [(int(expr_id), text, index) for (text, expr_id), index in zip(named, inner, strict=False)]


def subquery_of(found: tuple[int, str, int], host: TreeLine, root: PlanNode) -> Subquery:
    """Return a subquery in the form that physical plans have.

    Args:
        found: One of the results of `subqueries_of`.
        host: The line of the operator that hosts it.
        root: The root of its plan.
    """
    expr_id, expression, _ = found
    return Subquery(expr_id, host.operator_id, expression, root)
