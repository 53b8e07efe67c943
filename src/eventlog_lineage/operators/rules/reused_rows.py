"""Rows of another operator with new ids: cached relations and reused exchanges."""

from __future__ import annotations

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.derivations.derivation import as_inferred
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.plan_context import PlanContext
from eventlog_lineage.operators.registry import operator


@operator("InMemoryTableScan")
def in_memory_scan(op: Operation) -> Flow:
    """Output the cached relation's attributes that it names.

    `Scan In-memory table ct` if the cache has a name; the InMemoryRelation is below it.
    """
    below = op.input
    items = op.node.items("Output")
    return below.with_outputs(op.named(item, below.scope) for item in items)


@operator("InMemoryRelation")
def in_memory_relation(op: Operation) -> Flow:
    """Output the cached columns by position: a reused cache has new ids for them.

    `Arguments: [k#1L, c#2L], CachedRDDBuilder(…)` up to 3.5, `[k#1L, c#2L], StorageLevel(…)` since 4.0. A truncated
    list continues with the cached plan's outputs, whose ids are the same in a session, or follow the printed ones.
    """
    below = op.input
    columns = op.node.listed("columns")
    named = columns.attributes
    if len(named) > len(below.outputs):
        op.gap(GapReason.DANGLING_ATTRIBUTE, f"{len(named)} cached columns for {len(below.outputs)} values")
    outputs = [
        Output(name, expr_id, cached.derivation) for (name, expr_id), cached in zip(named, below.outputs, strict=False)
    ]
    ids = columns.relation_ids if columns.size == len(below.outputs) else range(0)
    rest = [_renumbered(op, each, ids[at] if ids else -1) for at, each in enumerate(below.outputs)]
    return below.with_outputs((*outputs, *rest[len(outputs) :]))


def _renumbered(op: Operation, cached: Output, expr_id: int) -> Output:
    """Return a cached column with another id, if the plan has this id with the column's name."""
    if op.names.get(expr_id, ("",))[0] != cached.name or expr_id == cached.expr_id:
        return cached
    return Output(cached.name, expr_id, as_inferred(cached.derivation))


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
