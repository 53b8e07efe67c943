"""`ReusedExchange`: the rows of another exchange, with new ids."""

from __future__ import annotations

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator


@operator("ReusedExchange")
def reused_exchange(at: Operation) -> Flow:
    """Output the reused operator's values by position.

    `(12) ReusedExchange [Reuses operator id: 4]`; the id may dangle up to 3.4 (SPARK-42753).
    """
    found = at.plan.reused(at.node.reuses)
    items = at.node.items("Output")
    if found is None or len(found.outputs) != len(items):
        at.gap(
            GapReason.DANGLING_ATTRIBUTE,
            f"operator {at.node.reuses} is not in the plan or has other columns",
            "the final plan of this execution may say more; please report it with the plan's text",
        )
        return Flow(outputs=at.relabelled(items, ()) if not items else ())
    return found.with_outputs(at.relabelled(items, found.outputs))
