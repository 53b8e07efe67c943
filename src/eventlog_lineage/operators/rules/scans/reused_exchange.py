"""`ReusedExchange`: the rows of another exchange, with new ids."""

from __future__ import annotations

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.plan_context import PlanContext
from eventlog_lineage.operators.registry import operator

_MOST_NESTED = 50
"""Levels of reused operators within reused operators."""


@operator("ReusedExchange")
def reused_exchange(op: Operation) -> Flow:
    """Output the reused operator's values by position.

    `(12) ReusedExchange [Reuses operator id: 4]`; the id may dangle up to 3.4 (SPARK-42753).
    """
    found = _reused(op.plan, op.node.reuses)
    items = op.node.items("Output")
    if found is None or len(found.outputs) != len(items):
        op.gap(
            GapReason.DANGLING_ATTRIBUTE,
            f"operator {op.node.reuses} is not in the plan or has other columns",
            "the final plan of this execution may have it; please report it with the plan's text",
        )
        return Flow(outputs=op.relabeled(items, ()) if not items else ())
    return found.with_outputs(op.relabeled(items, found.outputs))


def _reused(plan: PlanContext, operator_id: int | None) -> Flow | None:
    """Return the flow of the operator with an id; it is resolved now if it is in another tree of the text.

    Return None for a loop or a long chain of reuses, which a forged plan may have, and for an id without an operator.
    """
    node = plan.operators_by_id.get(operator_id) if operator_id is not None else None
    if node is None or plan.fold is None or id(node) in plan.resolving or len(plan.resolving) >= _MOST_NESTED:
        return None
    plan.resolving.add(id(node))
    try:
        return plan.fold(node, plan)
    finally:
        plan.resolving.remove(id(node))
